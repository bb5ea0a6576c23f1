// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/world.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "gonogo/sim/internal/row.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::Go2;
using internal::WorldOf;
using ::testing::AllOf;
using ::testing::HasSubstr;

std::string ErrorOf(const robot::RobotSpec& spec) {
  const Result<std::shared_ptr<const World>> world = World::Create(spec, FlatTerrain());
  EXPECT_FALSE(world.ok());
  return world.ok() ? "" : world.error().message;
}

TEST(WorldTest, NamesAJointTheModelDoesNotHaveAndThoseItHas) {
  robot::RobotSpec spec = Go2();
  spec.joints[3] = "RR_hipp_joint";
  EXPECT_THAT(ErrorOf(spec), AllOf(HasSubstr("robot.toml"), HasSubstr("joints.order"),
                                   HasSubstr("RR_hipp_joint"), HasSubstr("RR_hip_joint")));
}

TEST(WorldTest, NamesAMissingRootFootOrForbiddenPart) {
  robot::RobotSpec spec = Go2();
  spec.root = "trunk";  // a geom, not a body
  EXPECT_THAT(ErrorOf(spec), AllOf(HasSubstr("robot.root"), HasSubstr("base")));
  spec = Go2();
  spec.root = "FL_calf";
  EXPECT_THAT(ErrorOf(spec), HasSubstr("no free joint"));
  spec = Go2();
  spec.feet[1] = "FR_fot";
  EXPECT_THAT(ErrorOf(spec),
              AllOf(HasSubstr("robot.feet"), HasSubstr("FR_fot"), HasSubstr("FR_foot")));
  spec = Go2();
  spec.forbidden_contacts = {"belly"};
  EXPECT_THAT(ErrorOf(spec), HasSubstr("robot.forbidden_contacts names \"belly\""));
}

TEST(WorldTest, RefusesAnActuatorKindTheModelDoesNotHave) {
  robot::RobotSpec spec = Go2();
  spec.actuator.kind.assign(spec.joints.size(), robot::ActuatorKind::kPosition);
  EXPECT_THAT(ErrorOf(spec), HasSubstr("actuator.kind is position"));
}

TEST(WorldTest, TheScanIsRowMajorFromTheRearRightCornerAndTurnsWithTheYaw) {
  Terrain ramp;  // height = x
  ramp.nx = ramp.ny = 41;
  ramp.spacing_m = 0.25;
  ramp.x0 = ramp.y0 = -5.0;
  for (int iy = 0; iy < 41; ++iy) {
    for (int ix = 0; ix < 41; ++ix) ramp.heights.push_back(static_cast<float>(-5.0 + 0.25 * ix));
  }
  ramp.origins.push_back({});
  const std::shared_ptr<const World> world = WorldOf(ramp);
  std::vector<float> scan(187);
  world->Scan({1.0, 0.0, 3.0}, 0.0, scan);
  EXPECT_NEAR(scan[0], 3.0 - (1.0 - 0.8) - 0.5, 1e-5);
  EXPECT_NEAR(scan[16], 3.0 - (1.0 + 0.8) - 0.5, 1e-5);
  EXPECT_NEAR(scan[170], scan[0], 1e-5);         // the other side, same x
  world->Scan({1.0, 0.0, 3.0}, M_PI / 2, scan);  // looking along +y: left is -x
  EXPECT_NEAR(scan[0], 3.0 - (1.0 + 0.5) - 0.5, 1e-5);
  EXPECT_NEAR(scan[170], 3.0 - (1.0 - 0.5) - 0.5, 1e-5);
}

TEST(WorldTest, AVariationChangesMassInertiaAndFriction) {
  const robot::RobotSpec spec = Go2();
  const std::shared_ptr<const World> usual = WorldOf(FlatTerrain(), spec);
  const std::shared_ptr<const World> heavy =
      World::Create(spec, FlatTerrain(), {.root_mass_offset_kg = 3.0, .friction = 0.5}).value();
  EXPECT_NEAR(heavy->mass_kg(), usual->mass_kg() + 3.0, 1e-12);
  const int root = usual->binding().root_body;
  const double ratio = heavy->model()->body_mass[root] / usual->model()->body_mass[root];
  EXPECT_NEAR(ratio, 9.923 / 6.923, 1e-12);
  EXPECT_NEAR(internal::Row(heavy->model()->body_inertia, 3, root)[0],
              ratio * internal::Row(usual->model()->body_inertia, 3, root)[0], 1e-12);
  EXPECT_EQ(heavy->model()->geom_friction[0], 0.5);
  EXPECT_FALSE(World::Create(spec, FlatTerrain(), {.root_mass_offset_kg = -10.0}).ok());
}

}  // namespace
}  // namespace gonogo::sim
