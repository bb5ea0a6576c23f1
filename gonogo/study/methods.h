// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/control/controller.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::adapter {
class Adapter;
}

namespace gonogo::study {

/// A controller by name, made anew for every thread; its models are shared.
struct Method {
  std::string name;
  std::function<std::unique_ptr<control::Controller>()> make;
  /// Name, settings and hashes of the models: two methods of one robot with the same identity
  /// decide alike.
  std::string identity = {};
};

/// Names that `OpenMethod` knows, for messages and help.
[[nodiscard]] std::vector<std::string> MethodNames();

/// The method called `name`: "direct", "scale-0.75" (any factor), "governor", "vgcc" (effort),
/// "vgcc-power", the ablations "vgcc-no-anneal", "vgcc-no-gate", "vgcc-no-floor",
/// "vgcc-substitute", "vgcc-quarter-data", "vgcc-cost-per-progress", "vgcc-absolute-margin", "mpc",
/// "vgsr", "vgsr-no-gate", "vgsr-2000", "vgsr-500", "action:step_height=0.03" (any action of an
/// audit, at every decision), and "adapter:FOLDER", an adapter that `gonogo audit --export` wrote.
/// Models are read from `models`, where `gonogo identify` wrote them. `settings` ("vgcc.gain=0.3")
/// change the defaults of all methods of that kind.
[[nodiscard]] Result<Method> OpenMethod(const std::string& name, const robot::RobotSpec& robot,
                                        const std::filesystem::path& models,
                                        const std::vector<std::string>& settings);

/// An exported adapter that may command this robot: refuses one that was trained over another
/// policy. (`control::LearnedSelector` refuses another layout.)
[[nodiscard]] Result<std::shared_ptr<const adapter::Adapter>> LoadAdapterFor(
    const std::filesystem::path& folder, const robot::RobotSpec& robot);

/// Refuses a file of `gonogo identify` that is not there, in words that say how it is made; `user`
/// is what needs it, such as "controller vgcc".
[[nodiscard]] Status CheckIdentified(const std::filesystem::path& file,
                                     const robot::RobotSpec& robot, const std::string& user);

}  // namespace gonogo::study
