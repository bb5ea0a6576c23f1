// SPDX-License-Identifier: Apache-2.0
// What policies see of feet and of sites, and actions on their way to the motors, in snapshots too.
#include <cmath>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/loop/snapshot_bytes.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::RestlessPolicy;
using internal::WorldOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

/// A block that carries an arm with a sensor: at 0.3 m on the arm, turned by 90 degrees about z.
robot::RobotSpec Sensed(const std::string& terms) {
  const std::filesystem::path folder = testing::TempDir();
  std::ofstream(folder / "sensed.xml") << R"(<mujoco><worldbody><body name="block"><freejoint/>
      <geom name="sole" type="box" size="0.3 0.3 0.1" mass="10"/>
      <site name="top" pos="0 0 0.2" euler="0 0 90"/>
      <body name="arm" pos="0 0 0.5"><joint name="hinge" axis="0 1 0"/>
        <inertial pos="0 0 0.1" mass="0.1" diaginertia="1e-3 1e-3 1e-3"/>
        <site name="imu" pos="0.3 0 0" euler="0 0 90"/>
      </body></body></worldbody>
    <actuator><motor joint="hinge"/></actuator></mujoco>)";
  std::ofstream(folder / "sensed.toml")
      << "[robot]\nname = \"s\"\nmodel = \"sensed.xml\"\nroot = \"block\"\nfeet = [\"sole\"]\n"
         "forbidden_contacts = []\nspawn_height = 0.1\n[joints]\norder = [\"hinge\"]\ndefault = 0\n"
         "action_scale = 1\n[actuator]\nkind = \"pd\"\nkp = 2\nkd = 0.1\n"
         "[posture]\nnominal_height = 0.1\n"
      << terms;
  Result<robot::RobotSpec> spec = robot::LoadRobotSpec(folder / "sensed.toml");
  std::filesystem::remove(folder / "sensed.toml");
  EXPECT_TRUE(spec.ok()) << spec.error().message;
  return std::move(spec).value();
}

std::string Of(const char* term, const char* keys) {
  return fmt::format("[[observation]]\nterm = \"{}\"\n{}\n", term, keys);
}

std::vector<float> Seen(Env& env) {
  const std::span<const float> seen = env.Observe({});
  return {seen.begin(), seen.end()};
}

TEST(SiteTest, SeesVelocityRateAndGravityInItsOwnFrame) {
  Env env(WorldOf(FlatTerrain(), Sensed(Of("base_lin_vel", "site = \"top\"") +
                                        Of("base_ang_vel", "site = \"top\"") +
                                        Of("projected_gravity", "site = \"top\""))));
  Start start;
  start.p_W = {0.0, 0.0, 5.0};
  start.v_W = {1.0, 0.0, 0.0};
  start.w_B = {0.0, 3.0, 0.0};
  env.Reset(start);
  // Its origin moves with 1 + 3 x 0.2 m/s along the block's x, which is its own -y.
  const std::vector<float> seen = Seen(env);
  const std::vector<float> expected{0.0F, -1.6F, 0.0F, 3.0F, 0.0F, 0.0F, 0.0F, 0.0F, -1.0F};
  for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(seen[i], expected[i], 1e-6) << i;
}

TEST(SiteTest, OnALimbItMovesWithTheLimb) {
  Env env(WorldOf(FlatTerrain(),
                  Sensed(Of("base_lin_vel", "site = \"imu\"") +
                         Of("base_ang_vel", "site = \"imu\"") + Of("euler", "site = \"imu\""))));
  Start start;
  start.p_W = {0.0, 0.0, 0.1};
  env.Reset(start);
  for (int i = 0; i < 3; ++i) ASSERT_TRUE(env.Step(std::vector<float>{1.0F}).ok());
  const double q = env.state().q[0];
  const double qd = env.state().qd[0];
  ASSERT_GT(qd, 0.5);
  const std::vector<float> seen = Seen(env);
  // Turning about y at 0.3 m along x: -0.3 qd along the arm's z; the rate is along its x.
  EXPECT_NEAR(seen[2], -0.3 * qd, 0.02);
  EXPECT_NEAR(seen[3], qd, 0.02);
  // Rz(90) after Ry(q): its x lies along the block's y, so that roll is q and yaw a right angle.
  EXPECT_NEAR(seen[6], q, 0.02);
  EXPECT_NEAR(seen[8], M_PI / 2, 0.02);
}

TEST(SiteTest, NamesThoseOfTheModelWhenThereIsNoSuchOne) {
  const auto world = World::Create(Sensed(Of("base_ang_vel", "site = \"gyro\"")), FlatTerrain());
  ASSERT_FALSE(world.ok());
  EXPECT_THAT(world.error().message, HasSubstr("site = \"gyro\""));
  EXPECT_THAT(world.error().message, HasSubstr("only the sites top, imu"));
}

TEST(FootContactTest, IsOneWhereTheFootCarriesMoreThanTheThreshold) {
  Env env(WorldOf(FlatTerrain(),
                  Sensed(Of("foot_contact", "") + Of("foot_contact", "threshold = 1000") +
                         Of("foot_contact", "feet = [\"sole\"]\nscale = 2"))));
  Start start;
  start.p_W = {0.0, 0.0, 0.5};
  env.Reset(start);
  EXPECT_THAT(Seen(env), ElementsAre(0.0F, 0.0F, 0.0F));
  for (int i = 0; i < 100; ++i) ASSERT_TRUE(env.Step(std::vector<float>{0.0F}).ok());
  EXPECT_THAT(Seen(env), ElementsAre(1.0F, 0.0F, 2.0F));  // 10 kg weigh less than 1000 N
}

TEST(ActionSnapshotTest, SmoothedDelayedActionsSitesAndContactsContinueByteForByte) {
  robot::RobotSpec spec = internal::Go2();
  spec.action_smoothing = 0.3;
  spec.action_delay = 6;
  for (robot::ObservationTerm& term : spec.observation) {
    if (term.kind == robot::TermKind::kLastAction) term.smoothed = true;
  }
  robot::ObservationTerm contact{.kind = robot::TermKind::kFootContact,
                                 .scale = std::vector<double>(4, 1.0)};
  contact.feet = {0, 1, 2, 3};
  spec.observation.push_back(contact);
  const auto world = WorldOf(FlatTerrain(), spec);
  const auto policy = std::make_shared<RestlessPolicy>(spec);
  ClosedLoop loop = ClosedLoop::Create(world, policy).value();
  loop.Reset(DrawStart(*world, RngStream(3)));
  for (int i = 0; i < 30; ++i) ASSERT_TRUE(loop.Advance({.vx = 0.5}).ok());
  const std::string bytes = ToBytes(loop.Save());
  EXPECT_TRUE(bytes.starts_with("gonogo.snapshot/4"));
  ClosedLoop other = ClosedLoop::Create(world, policy).value();
  const Result<LoopSnapshot> read = SnapshotFromBytes(bytes);
  ASSERT_TRUE(read.ok()) << read.error().message;
  other.Restore(read.value());
  EXPECT_EQ(ToBytes(other.Save()), bytes);
  for (int i = 0; i < 20; ++i) {
    ASSERT_TRUE(loop.Advance({.vx = 0.5}).ok());
    ASSERT_TRUE(other.Advance({.vx = 0.5}).ok());
  }
  EXPECT_EQ(ToBytes(other.Save()), ToBytes(loop.Save()));
  // And it is no memory that does nothing: without it the robot is elsewhere.
  LoopSnapshot forgetful = read.value();
  std::fill(forgetful.env.targets.begin(), forgetful.env.targets.end(), 0.0);
  other.Restore(forgetful);
  for (int i = 0; i < 20; ++i) ASSERT_TRUE(other.Advance({.vx = 0.5}).ok());
  EXPECT_NE(other.env().state().q, loop.env().state().q);
}

}  // namespace
}  // namespace gonogo::sim
