// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/describe/describe_robot.h"

#include <fmt/format.h>

#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/model.h"
#include "gonogo/nn/onnx/torchscript.h"
#include "gonogo/sim/model/model_outline.h"
#include "gonogo/study/describe/description_writer.h"
#include "gonogo/study/describe/robot_facts.h"

namespace gonogo::study {
namespace {

constexpr const char* kConverted = "policy.onnx";

/// A small audit, as a first one: docs/howto/robot-audit.md explains its sections.
std::string FirstAudit(const std::string& robot) {
  std::string text = fmt::format(
      "# A first audit of {0}, written by 'gonogo init robot': is a learned adapter of its "
      "commands\n"
      "# worth it? What is here is a choice, to be changed before 'gonogo study' declares it, not\n"
      "# after. All keys: docs/reference/formats.md.\n"
      "[protocol]\nname = \"{0}\"\nreference = \"direct\"\n"
      "actions = [\"direct\", \"scale-0.75\", \"scale-0.90\", \"heading+0.3\", \"heading-0.3\", "
      "\"yaw+0.2\", \"yaw-0.2\"]\n"
      "cluster = \"seed: a ground and the starts on it\"\nmin_clusters = 20\n"
      "time_budget = 1.10\ndelta_dep = 0.01\ndelta_alloc = 0.01\nkappa = 0.05\n\n"
      "[collect]\n"
      "seeds = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20]\n"
      "queries_per_cluster = 36\nfamily = \"near\"      # of [task.targets] in robot.toml\n"
      "terrain = \"rough\"    # docs/reference/terrain.md\n\n"
      "[learner]\nkind = \"ridge\"       # answers in minutes; \"mlp\" is the paper's\n"
      "features = [\"obs\", \"target\"]\n",
      robot);
  return text;
}

}  // namespace

Result<Description> DescribeRobot(const DescribeInput& input) {
  sim::ModelOutline outline = GONOGO_TRY(sim::OutlineModel(input.model));
  Description description;
  std::string bytes = GONOGO_TRY(io::ReadFile(input.policy));
  std::string policy_file;
  std::optional<nn::OnnxModel> policy;
  if (nn::LooksLikeTorchScript(bytes)) {
    description.policy_onnx = GONOGO_TRY(nn::ConvertTorchScript(bytes, input.policy.string()));
    policy = GONOGO_TRY(nn::OnnxModel::Parse(description.policy_onnx, input.policy.string()));
    policy_file = kConverted;
  } else {
    policy = GONOGO_TRY(nn::OnnxModel::Load(input.policy));
    std::error_code code;
    policy_file = std::filesystem::relative(std::filesystem::absolute(input.policy),
                                            std::filesystem::absolute(input.folder), code)
                      .string();
    if (code || policy_file.empty()) policy_file = std::filesystem::absolute(input.policy).string();
  }
  RobotFacts facts = GONOGO_TRY(ReadFacts(input.configs));
  facts.Complete(FactsOfMetadata(policy->metadata(), input.policy.filename().string()));
  description.dialect = facts.dialect;
  DescriptionWriter writer(input, std::move(outline), std::move(facts), *policy, policy_file);
  description.robot_toml = writer.Write();
  description.audit_toml = FirstAudit(input.model.stem().string());
  return description;
}

}  // namespace gonogo::study
