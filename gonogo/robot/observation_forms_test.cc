// SPDX-License-Identifier: Apache-2.0
// Forms in which policies of others see their robot: histories, subsets, angles, phases.
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/robot/observation.h"

namespace gonogo::robot {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

/// A robot of three joints whose observation is the given text.
Result<RobotSpec> Described(const std::string& observation) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + "_forms.toml");
  std::ofstream(file) << "[robot]\nname = \"r\"\nmodel = \"" GONOGO_SOURCE_DIR
                         "/robots/go2/model.xml\"\n"
                         "root = \"base\"\nfeet = []\nforbidden_contacts = []\nspawn_height = 1\n"
                         "[joints]\norder = [\"a\", \"b\", \"c\"]\ndefault = [0, 0.5, 0]\n"
                         "action_scale = 1\n[actuator]\nkind = \"pd\"\nkp = 1\nkd = 1\n"
                         "[posture]\nnominal_height = 1\n"
                      << observation;
  Result<RobotSpec> spec = LoadRobotSpec(file);
  std::filesystem::remove(file);
  return spec;
}

/// What is seen at three successive steps in which the first joint is at 1, 2 and 3.
std::vector<std::vector<float>> SeenOf(const RobotSpec& spec) {
  const Observer observer(spec);
  RobotState state;
  state.qd = {7.0, 8.0, 9.0};
  state.last_action = {0.0F, 0.0F, 0.0F};
  std::vector<std::vector<float>> seen;
  std::vector<float> memory;
  for (int step = 0; step < 3; ++step) {
    state.q = {step + 1.0, 0.5, 0.25};
    observer.Observe(state, {}, nullptr, step == 0, false, memory);
    seen.push_back(memory);
  }
  state.q = {9.0, 0.5, 0.25};
  observer.Observe(state, {}, nullptr, false, true, memory);  // a second look at the last step
  seen.push_back(memory);
  return seen;
}

std::vector<std::vector<float>> SeenOf(const std::string& observation) {
  const Result<RobotSpec> spec = Described(observation);
  EXPECT_TRUE(spec.ok()) << spec.error().message;
  return SeenOf(spec.value());
}

constexpr char kFirstJoint[] = "[[observation]]\nterm = \"joint_pos\"\njoints = [\"a\"]\n";

TEST(ObservationFormsTest, SubsetsOfJointsKeepTheOrderTheyAreListedIn) {
  const auto seen = SeenOf(
      "[[observation]]\nterm = \"joint_vel\"\njoints = [\"c\", \"a\"]\n"
      "[[observation]]\nterm = \"joint_pos\"\njoints = [\"b\", \"c\"]\nscale = [1, 2]\n");
  EXPECT_THAT(seen[0], ElementsAre(9.0F, 7.0F, 0.0F, 0.5F));
  EXPECT_THAT(
      Described("[[observation]]\nterm = \"joint_vel\"\njoints = [\"d\"]\n").error().message,
      HasSubstr("joints.order has no \"d\""));
}

TEST(ObservationFormsTest, ATermsHistoryIsOldestOrNewestFirstAndFilledWithItselfOrZeros) {
  const std::string term = std::string(kFirstJoint) + "history = 3\n";
  const auto plain = SeenOf(term);
  EXPECT_THAT(plain[0], ElementsAre(1, 1, 1));
  EXPECT_THAT(plain[1], ElementsAre(1, 1, 2));
  EXPECT_THAT(plain[3], ElementsAre(1, 2, 9));
  const auto newest = SeenOf(term + "history_order = \"newest_first\"\n");
  EXPECT_THAT(newest[1], ElementsAre(2, 1, 1));
  EXPECT_THAT(newest[3], ElementsAre(9, 2, 1));
  const auto zeros = SeenOf(term + "history_fill = \"zero\"\n");
  EXPECT_THAT(zeros[0], ElementsAre(0, 0, 1));
  EXPECT_THAT(zeros[1], ElementsAre(0, 1, 2));
}

TEST(ObservationFormsTest, AHistoryOfFramesRepeatsTheWholeObservation) {
  const std::string terms =
      std::string(kFirstJoint) + "[[observation]]\nterm = \"constant\"\nvalue = [4, 5]\n";
  const auto oldest = SeenOf(terms + "[history]\nframes = 2\nfill = \"zero\"\n");
  EXPECT_THAT(oldest[0], ElementsAre(0, 0, 0, 1, 4, 5));
  EXPECT_THAT(oldest[2], ElementsAre(2, 4, 5, 3, 4, 5));
  EXPECT_THAT(oldest[3], ElementsAre(2, 4, 5, 9, 4, 5));
  const auto newest = SeenOf(terms + "[history]\nframes = 3\norder = \"newest_first\"\n");
  EXPECT_THAT(newest[0], ElementsAre(1, 4, 5, 1, 4, 5, 1, 4, 5));
  EXPECT_THAT(newest[2], ElementsAre(3, 4, 5, 2, 4, 5, 1, 4, 5));
  EXPECT_THAT(
      Described(std::string(kFirstJoint) + "history = 2\n[history]\nframes = 2\n").error().message,
      HasSubstr("give one or the other"));
}

TEST(ObservationFormsTest, TheNewestValueOfATermIsFoundInEveryForm) {
  const std::string two = std::string("[[observation]]\nterm = \"constant\"\nvalue = [4, 5]\n") +
                          kFirstJoint + "history = 3\n";
  EXPECT_EQ(Described(two).value().TermOffset(TermKind::kJointPos), 4);
  EXPECT_EQ(
      Described(two + "history_order = \"newest_first\"\n").value().TermOffset(TermKind::kJointPos),
      2);
  const std::string frames = std::string("[[observation]]\nterm = \"constant\"\nvalue = [4, 5]\n") +
                             kFirstJoint + "[history]\nframes = 3\n";
  EXPECT_EQ(Described(frames).value().TermOffset(TermKind::kJointPos), 8);
  EXPECT_EQ(
      Described(frames + "order = \"newest_first\"\n").value().TermOffset(TermKind::kJointPos), 2);
}

TEST(ObservationFormsTest, EulerAnglesAreRollPitchAndYaw) {
  const RobotSpec spec = Described("[[observation]]\nterm = \"euler\"\n").value();
  const Observer observer(spec);
  const auto angles = [&](const std::array<double, 4>& quat) {
    RobotState state;
    state.quat_WB = quat;
    std::vector<float> memory;
    observer.Observe(state, {}, nullptr, true, false, memory);
    return memory;
  };
  const double c = std::cos(0.15);
  const double s = std::sin(0.15);
  EXPECT_THAT(angles({c, s, 0, 0}), Pointwise(FloatNear(1e-6F), {0.3F, 0.0F, 0.0F}));
  EXPECT_THAT(angles({c, 0, s, 0}), Pointwise(FloatNear(1e-6F), {0.0F, 0.3F, 0.0F}));
  EXPECT_THAT(angles({c, 0, 0, s}), Pointwise(FloatNear(1e-6F), {0.0F, 0.0F, 0.3F}));
  // A turn by a right angle about z, then by 0.3 about the turned x: still a roll.
  const double r = std::sqrt(0.5);
  EXPECT_THAT(angles({r * c, r * s, r * s, r * c}),
              Pointwise(FloatNear(1e-6F), {0.3F, 0.0F, static_cast<float>(std::numbers::pi / 2)}));
}

TEST(ObservationFormsTest, APhaseIsSeenInTheOrderAndWithTheOffsetsOfTheTraining) {
  const auto phase = [](const std::string& keys) {
    const RobotSpec spec =
        Described("[[observation]]\nterm = \"gait_phase\"\nperiod = 1\n" + keys).value();
    RobotState state;
    state.gait_clock_s = 0.125;  // 45 degrees
    std::vector<float> memory;
    Observer(spec).Observe(state, {}, nullptr, true, false, memory);
    return memory;
  };
  const auto h = static_cast<float>(std::sqrt(0.5));
  EXPECT_THAT(phase("offsets = [0, 0.25]\n"), Pointwise(FloatNear(1e-6F), {h, h, h, -h}));
  EXPECT_THAT(phase("values = \"cos_sin\"\noffsets = [0, 0.25]\n"),
              Pointwise(FloatNear(1e-6F), {h, -h, h, h}));
  EXPECT_THAT(phase("values = \"sin\"\noffsets = [0, 0.5, 0.5, 0]\n"),
              Pointwise(FloatNear(1e-6F), {h, -h, -h, h}));
  EXPECT_THAT(phase("values = \"cos\"\n"), Pointwise(FloatNear(1e-6F), {h}));
}

TEST(ObservationFormsTest, InputsAreSortedInTheOrderInWhichTheyAreFirstNamed) {
  const std::string joints = "[[observation]]\nterm = \"joint_vel\"\ninput = \"far\"\n";
  const std::string constant =
      "[[observation]]\nterm = \"constant\"\nvalue = [4]\ninput = \"near\"\n";
  const Result<RobotSpec> spec =
      Described(constant + joints + constant +
                "[[input]]\nname = \"far\"\nframes = 2\norder = \"newest_first\"\n"
                "[[input]]\nname = \"both\"\nlike = \"near\"\n");
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  const std::vector<ObservationBlock> blocks = spec.value().ObservationBlocks();
  ASSERT_EQ(blocks.size(), 3U);
  EXPECT_EQ(blocks[1].name, "far");
  EXPECT_EQ(blocks[1].first, 2U);
  EXPECT_EQ(blocks[1].size(), 6U);
  EXPECT_EQ(spec.value().TermOffset(TermKind::kJointVel), 2);
  EXPECT_THAT(SeenOf(spec.value())[0], ElementsAre(4, 4, 7, 8, 9, 7, 8, 9, 4, 4));
}

TEST(ObservationFormsTest, RefusesInputsSitesAndActionsThatCannotBe) {
  const std::string joints = "[[observation]]\nterm = \"joint_pos\"\n";
  const auto error = [](const std::string& text) {
    const Result<RobotSpec> spec = Described(text);
    return spec.ok() ? std::string() : spec.error().message;
  };
  EXPECT_THAT(error(joints + "input = \"a\"\n" + joints), HasSubstr("and others do not"));
  EXPECT_THAT(error(joints + "input = \"a\"\n[history]\nframes = 2\n"),
              HasSubstr("give frames in [[input]]"));
  EXPECT_THAT(error(joints + "input = \"a\"\n[[input]]\nname = \"b\"\n"),
              HasSubstr("no [[observation]] has input = \"b\"; there are a"));
  EXPECT_THAT(error(joints + "[[input]]\nname = \"b\"\n"), HasSubstr("says to which input"));
  EXPECT_THAT(error(joints + "input = \"a\"\n[encoder]\nfile = \"e\"\ninputs = [\"b\"]\n"),
              HasSubstr("encoder.inputs: no [[observation]] has input = \"b\""));
  EXPECT_THAT(error("[[observation]]\nterm = \"last_action\"\nsmoothed = true\n"),
              HasSubstr("needs joints.action_smoothing"));
  EXPECT_THAT(error("[[observation]]\nterm = \"base_lin_vel\"\nsite = \"i\"\nat = [0, 0, 0]\n"),
              HasSubstr("at a point of the root or at a site"));
  EXPECT_THAT(error("[[observation]]\nterm = \"foot_contact\"\n"), HasSubstr("at least one foot"));
}

}  // namespace
}  // namespace gonogo::robot
