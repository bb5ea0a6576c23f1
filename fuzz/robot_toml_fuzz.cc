// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a robot.toml is refused with a message or describes an observation that fits
// together.
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/robot/spec/spec.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::fuzz;
  static const std::filesystem::path kModel = PutFile("model.xml", "<mujoco/>");
  const std::filesystem::path file = PutFile("robot.toml", AsText(data, size));
  const gonogo::Result<gonogo::robot::RobotSpec> spec = gonogo::robot::LoadRobotSpec(file);
  if (!spec.ok()) return 0;
  const gonogo::robot::RobotSpec& robot = spec.value();
  GONOGO_CHECK(robot.joint_count() > 0 && robot.observation_size() >= 0);
  GONOGO_CHECK(robot.TermStarts().size() == robot.observation.size());
  GONOGO_CHECK(!gonogo::robot::HashText(robot.LayoutHash()).empty());
  return 0;
}
