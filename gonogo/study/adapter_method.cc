// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/adapter_method.h"

#include <cmath>

#include "gonogo/control/learned/learned_selector.h"
#include "gonogo/study/site.h"

namespace gonogo::study {

Result<std::shared_ptr<const adapter::Adapter>> LoadAdapterFor(const std::filesystem::path& folder,
                                                               const robot::RobotSpec& robot) {
  adapter::Adapter adapter = GONOGO_TRY(adapter::Adapter::Load(folder));
  const nlohmann::json& made = adapter.manifest().collection;
  if (made.is_object() && made.contains("policy_sha256") && !robot.policy.empty()) {
    const std::string hash = GONOGO_TRY(PolicyHash(robot));
    if (made["policy_sha256"] != hash) {
      return InputError(
          "{}: was trained over another policy than {}: the hash of its policy is {}, this one has "
          "{}. Collect and audit again with this policy",
          (folder / "adapter.json").string(), robot.policy.string(), made["policy_sha256"].dump(),
          hash);
    }
  }
  return std::make_shared<const adapter::Adapter>(std::move(adapter));
}

Result<Method> OpenAdapterMethod(const std::string& name, const robot::RobotSpec& robot,
                                 double hold) {
  const std::filesystem::path folder = name.substr(name.find(':') + 1);
  if (folder.empty()) return UsageError("\"{}\" names no folder, expected adapter:FOLDER", name);
  if (!(hold >= 1.0) || hold != std::floor(hold) || hold > 1e6) {
    return UsageError("adapter.hold is {}, expected a whole number of 1 or more", hold);
  }
  const auto decisions = static_cast<std::size_t>(hold);
  const std::shared_ptr<const adapter::Adapter> adapter = GONOGO_TRY(LoadAdapterFor(folder, robot));
  // One is made now to learn whether adapter and robot go together.
  const control::LearnedSelector probe =
      GONOGO_TRY(control::LearnedSelector::Create(adapter, robot, decisions));
  return Method{name,
                [adapter, robot, decisions]() -> std::unique_ptr<control::Controller> {
                  return std::make_unique<control::LearnedSelector>(
                      control::LearnedSelector::Create(adapter, robot, decisions).value());
                },
                " " + adapter->identity()};
}

Result<Method> OpenActionMethod(const std::string& name, const robot::RobotSpec& robot) {
  const control::BoundedBlend all_the_way{.share = 1.0, .anneal_distance_m = 0.0};
  const Result<control::ActionSet> actions =
      control::ActionSet::Of({name.substr(name.find(':') + 1)}, all_the_way, robot);
  if (!actions.ok()) return UsageError("controller {}: {}", name, actions.error().message);
  return Method{name, [set = actions.value()]() -> std::unique_ptr<control::Controller> {
                  return std::make_unique<control::FixedAction>(set, 1);
                }};
}

}  // namespace gonogo::study
