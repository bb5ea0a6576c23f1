// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/setting/reproduction_setting.h"

#include <fmt/format.h>

#include "gonogo/robot/spec/spec.h"

namespace gonogo::paper {

ReproductionSetting OnOtherRobot(const ReproductionSetting& setting, const std::string& name) {
  ReproductionSetting other = setting;
  const auto given = setting.others.find(name);
  other.robot = given != setting.others.end() ? given->second : setting.robot.parent_path() / name;
  other.models = setting.folder / ("models-" + name);
  return other;
}

bool HasPolicy(const ReproductionSetting& setting) {
  const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(setting.robot);
  std::error_code code;
  return robot.ok() && std::filesystem::is_regular_file(robot.value().policy, code);
}

Status PlaceRobot(const std::filesystem::path& folder, ReproductionSetting& setting) {
  const robot::RobotSpec robot = GONOGO_TRY(robot::LoadRobotSpec(folder));
  if (robot.stands_for == "go2") {
    setting.robot = folder;
  } else if (robot.stands_for == "anymal_d" || robot.stands_for == "h1") {
    setting.others[robot.stands_for] = folder;
  } else {
    return InputError(
        "{}: robot.stands_for is \"{}\", expected one of the paper's robots: go2, anymal_d or h1",
        robot.file.string(), robot.stands_for);
  }
  return {};
}

report::Paragraph LeftOut(const ReproductionSetting& setting) {
  return {fmt::format("{} is left out: it has no policy.", setting.robot.filename().string())};
}

}  // namespace gonogo::paper
