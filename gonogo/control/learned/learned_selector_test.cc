// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/learned/learned_selector.h"

#include <cmath>

#include "tests/support/allocation_count.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/adapter/testing/small_adapter.h"
#include "gonogo/control/testing/fake_predictor.h"

namespace gonogo::control {
namespace {

using testing::HasSubstr;

/// A robot that observes two numbers.
robot::RobotSpec ShortSighted() {
  robot::RobotSpec robot = internal::TestRobot();
  robot::ObservationTerm joints;
  joints.kind = robot::TermKind::kJointPos;
  joints.scale = {1.0, 1.0};
  robot.observation = {joints};
  return robot;
}

/// Takes scale-0.50 when observation 0 is above 0.1207 (small_adapter.h).
adapter::internal::SmallAdapter Slower() {
  adapter::internal::SmallAdapter small(
      {"direct", "scale-0.50"}, {{"obs", {"obs_0", "obs_1"}}, {"target", {"target_x", "target_y"}}},
      {-1.0F});
  small.manifest.protocol["collect"] = {{"blend", 0.5}, {"anneal_distance", 0.5}, {"prefix", 4}};
  small.manifest.collection = {{"robot", "test"}, {"layout_hash", ShortSighted().LayoutHash()}};
  return small;
}

Result<LearnedSelector> Open(adapter::internal::SmallAdapter small, std::size_t hold = 1) {
  EXPECT_TRUE(
      adapter::WriteAdapter(testing::TempDir() + "/selector", small.manifest, small.onnx).ok());
  adapter::Adapter adapter = GONOGO_TRY(adapter::Adapter::Load(testing::TempDir() + "/selector"));
  return LearnedSelector::Create(std::make_shared<adapter::Adapter>(std::move(adapter)),
                                 ShortSighted(), hold);
}

std::string RefusalOf(const adapter::internal::SmallAdapter& small) {
  const Result<LearnedSelector> selector = Open(small);
  return selector.ok() ? "accepted" : selector.error().message;
}

constexpr robot::Point2 kAhead{0.8, 0.0};

CommandDecision DecideAt(LearnedSelector& selector, float observed, robot::Point2 goal_B = kAhead) {
  const std::array<float, 2> observation{observed, 0.0F};
  return selector.Decide({.observation = observation, .goal_B = goal_B});
}

TEST(LearnedSelectorTest, FallsBackToTheDirectCommandBitForBit) {
  LearnedSelector selector = Open(Slower()).value();
  const robot::Command direct = Direct(ShortSighted()).Command(kAhead);
  const CommandDecision decision = DecideAt(selector, 0.1F);
  EXPECT_EQ(decision.command, direct);
  EXPECT_EQ(decision.reason, Reason::kGateClosed);
  EXPECT_FALSE(IsActive(decision.reason));
}

TEST(LearnedSelectorTest, TakesTheActionAsFarAsItWentWhenItWasTried) {
  LearnedSelector selector = Open(Slower()).value();
  const CommandDecision decision = DecideAt(selector, 1.0F);
  // Half of the way from 0.8 m/s to 0.4 m/s.
  EXPECT_DOUBLE_EQ(decision.command.vx, 0.6);
  EXPECT_EQ(decision.reason, Reason::kAdapted);
  // 0.25 m from the target half of that half is left: from 0.25 a quarter of the way to 0.125.
  EXPECT_DOUBLE_EQ(DecideAt(selector, 1.0F, {0.25, 0.0}).command.vx, 0.25 - 0.25 * 0.125);
}

TEST(LearnedSelectorTest, GivesTheDirectCommandWhenAFeatureIsNotANumber) {
  LearnedSelector selector = Open(Slower()).value();
  const CommandDecision decision = DecideAt(selector, std::nanf(""));
  EXPECT_EQ(decision.command, Direct(ShortSighted()).Command(kAhead));
  EXPECT_EQ(decision.reason, Reason::kNoneApplicable);
}

TEST(LearnedSelectorTest, HoldsAnActionForAsManyDecisionsAsItIsTold) {
  LearnedSelector selector = Open(Slower(), 2).value();
  EXPECT_EQ(DecideAt(selector, 1.0F).reason, Reason::kAdapted);
  EXPECT_EQ(DecideAt(selector, 0.0F).reason, Reason::kAdapted);
  EXPECT_EQ(DecideAt(selector, 0.0F).reason, Reason::kGateClosed);
}

TEST(LearnedSelectorTest, AllocatesNothingWhenItDecides) {
  LearnedSelector selector = Open(Slower()).value();
  const std::size_t before = testing_support::AllocationCount();
  for (int i = 0; i < 20; ++i) DecideAt(selector, 0.05F * static_cast<float>(i));
  EXPECT_EQ(testing_support::AllocationCount() - before, 0U);
}

TEST(LearnedSelectorTest, RefusesAnotherRobot) {
  adapter::internal::SmallAdapter small = Slower();
  small.manifest.collection["layout_hash"] = 7;
  EXPECT_THAT(RefusalOf(small), HasSubstr("was trained on robot test with the layout 7"));
  small.manifest.collection = nullptr;
  EXPECT_THAT(RefusalOf(small), HasSubstr("does not say on which robot it was trained"));
}

TEST(LearnedSelectorTest, RefusesFeaturesAndActionsThatARobotDoesNotHave) {
  adapter::internal::SmallAdapter small = Slower();
  small.manifest.layout.features[1] = {"weather", {"rain", "wind"}};
  EXPECT_THAT(RefusalOf(small), HasSubstr("needs the features 'weather' (2 columns)"));
  small = Slower();
  small.manifest.layout.features[0].columns = {"obs_1", "obs_0"};
  EXPECT_THAT(RefusalOf(small), HasSubstr("needs the features 'obs' (2 columns)"));
  small = Slower();
  small.manifest.layout.actions[1] = "jump";
  EXPECT_THAT(RefusalOf(small), HasSubstr("no intervention is called 'jump'"));
  small = Slower();
  small.manifest.protocol.erase("collect");
  EXPECT_THAT(RefusalOf(small), HasSubstr("protocol.collect.blend is null"));
}

TEST(RandomActionsTest, DealsEveryActionOutAsOftenAsItsShareSays) {
  const ActionSet actions = ActionSet::Create(Slower().manifest, ShortSighted()).value();
  RandomActions random(actions, {0.75, 0.25}, RngStream(1));
  int active = 0;
  for (int i = 0; i < 4000; ++i) {
    active += IsActive(random.Decide({.goal_B = kAhead}).reason) ? 1 : 0;
  }
  EXPECT_NEAR(active, 1000, 110);  // four standard deviations
}

TEST(FixedActionTest, TakesItsActionWhateverTheSituation) {
  const ActionSet actions = ActionSet::Create(Slower().manifest, ShortSighted()).value();
  EXPECT_DOUBLE_EQ(FixedAction(actions, 1).Decide({.goal_B = kAhead}).command.vx, 0.6);
  EXPECT_EQ(FixedAction(actions, 0).Decide({.goal_B = kAhead}).command,
            Direct(ShortSighted()).Command(kAhead));
}

TEST(LearnedSelectorTest, AnActionMayBeAboutAnyChannelOfTheRobot) {
  robot::RobotSpec robot = ShortSighted();
  const robot::CommandChannel height{"step_height", 3, 0.08};
  robot.channels.push_back(height);
  height.Set(robot.command_box.low, 0.03);
  height.Set(robot.command_box.high, 0.11);
  adapter::Manifest manifest = Slower().manifest;
  manifest.layout.actions = {"direct", "step_height=0.03"};
  manifest.protocol["collect"] = {{"blend", 1.0}, {"anneal_distance", 0.0}, {"prefix", 12}};
  const ActionSet actions = ActionSet::Create(manifest, robot).value();
  const CommandDecision low = actions.Play(1, {.goal_B = kAhead});
  EXPECT_NEAR(height.Of(low.command), 0.03, 1e-15);
  EXPECT_DOUBLE_EQ(low.command.vx, 0.8);
  EXPECT_EQ(actions.prefix(), 12U);
  EXPECT_FALSE(ActionSet::Create(manifest, ShortSighted()).ok());
}

TEST(LearnedSelectorTest, MayLookAtTheGroundOfARobotThatScansIt) {
  adapter::internal::SmallAdapter small(
      {"direct", "scale-0.50"},
      {{"target", {"target_x", "target_y"}}, {"ground", robot::GroundView::Columns()}}, {-1.0F});
  small.manifest.protocol["collect"] = Slower().manifest.protocol["collect"];
  small.manifest.collection = Slower().manifest.collection;
  EXPECT_THAT(RefusalOf(small), HasSubstr("has no height_scan in its observation"));
  robot::RobotSpec robot = ShortSighted();
  robot::ObservationTerm scan;
  scan.kind = robot::TermKind::kHeightScan;
  scan.scale.assign(9, 1.0);
  robot.observation = {scan};
  robot.scan = {.nx = 3, .ny = 3, .spacing_m = 0.3};
  small.manifest.collection["layout_hash"] = robot.LayoutHash();
  const std::string folder = testing::TempDir() + "/ground";
  ASSERT_TRUE(adapter::WriteAdapter(folder, small.manifest, small.onnx).ok());
  auto adapter = std::make_shared<adapter::Adapter>(adapter::Adapter::Load(folder).value());
  LearnedSelector selector = LearnedSelector::Create(adapter, robot).value();
  std::vector<float> seen(9, -0.1F);
  for (const int front : {2, 5, 8}) seen[static_cast<std::size_t>(front)] = -0.2F;  // 0.1 m higher
  selector.Decide({.observation = seen, .goal_B = kAhead});
  const std::span<const float> features = selector.last_features();
  ASSERT_EQ(features.size(), 6U);
  EXPECT_FLOAT_EQ(features[0], 0.8F);
  EXPECT_NEAR(features[2], 0.1 * std::sqrt(2.0) / 3.0, 1e-6);  // a third of the points is higher
  EXPECT_NEAR(features[4], 0.1 * 2.0 / 3.0, 1e-6);             // above the mean under the feet
}

}  // namespace
}  // namespace gonogo::control
