// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/setting/other_robots.h"

#include <fmt/format.h>

#include "gonogo/robot/spec.h"

namespace gonogo::paper {

ReproductionSetting OnOtherRobot(const ReproductionSetting& setting, const std::string& name) {
  ReproductionSetting other = setting;
  other.robot = setting.robot.parent_path() / name;
  other.models = setting.folder / ("models-" + name);
  return other;
}

bool HasPolicy(const ReproductionSetting& setting) {
  const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(setting.robot);
  std::error_code code;
  return robot.ok() && std::filesystem::is_regular_file(robot.value().policy, code);
}

report::Paragraph LeftOut(const ReproductionSetting& setting) {
  return {fmt::format("{} is left out: it has no policy.", setting.robot.filename().string())};
}

}  // namespace gonogo::paper
