// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "gonogo/nn/onnx/model.h"
#include "gonogo/sim/model/model_outline.h"
#include "gonogo/study/describe/describe_robot.h"
#include "gonogo/study/describe/robot_facts.h"

namespace gonogo::study {

/// Writes one robot.toml, section by section, with the source of every value.
class DescriptionWriter {
 public:
  DescriptionWriter(const DescribeInput& input, sim::ModelOutline outline, RobotFacts facts,
                    const nn::OnnxModel& policy, std::string policy_file);

  [[nodiscard]] std::string Write();

 private:
  template <typename... Args>
  void Line(fmt::format_string<Args...> format, Args&&... args) {
    text_ += fmt::format(format, std::forward<Args>(args)...) + "\n";
  }
  template <typename... Args>
  void Remark(fmt::format_string<Args...> format, Args&&... args) {
    text_ += "# " + fmt::format(format, std::forward<Args>(args)...) + "\n";
  }

  void FindOrder();
  void FindPose();
  void Robot();
  void Timing();
  void Joints();
  void Actuator();
  void ActuatorGroup(const std::vector<std::size_t>& joints, bool wheels);
  void ModelJoints();
  void Observation();
  void Term(const TermFact& term, bool sure);
  void OtherInputs();
  void Command();
  void Task();
  void Leftovers();

  /// `key = values  # source`, of the given joints; all without any.
  void PerJoint(const char* key, const RobotFacts::Numbers& fact, const RobotFacts::Named& named,
                const std::vector<double>& otherwise, const std::string& reason,
                const std::vector<std::size_t>& joints = {});
  /// Of each joint in the policy's order.
  template <typename Get>
  std::vector<double> OfModel(const Get& get) const;
  [[nodiscard]] int ActionCount() const;
  [[nodiscard]] bool HasSeveralInputs() const;

  const DescribeInput& input_;
  sim::ModelOutline outline_;
  RobotFacts facts_;
  const nn::OnnxModel& policy_;
  std::string policy_file_;
  std::vector<std::string> order_;
  std::string order_source_;
  std::vector<double> pose_;
  std::string pose_source_;
  double standing_m_ = 0.0;  // of the root, in the pose, over the ground; 0: not known
  std::string text_;
};

}  // namespace gonogo::study
