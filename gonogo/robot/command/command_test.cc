// SPDX-License-Identifier: Apache-2.0
#include "gonogo/robot/command/command.h"

#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/robot/observation.h"

namespace gonogo::robot {
namespace {

// 2.5 turns a second from a norm of 1.5 upwards, 1 turn a second towards zero, rest below 0.1.
constexpr Cadence kFollowing{
    .period_s = 0.4, .slow_period_s = 1.0, .full_speed = 1.5, .rest_below = 0.1};

TEST(CadenceTest, TheFrequencyIsLinearInTheNormOfTheCommand) {
  // Half way: (1 + 2.5) / 2 turns a second.
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = 0.75}), 1.0 / 1.75, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = 0.5, .vy = -0.5, .wz = 0.25}), 1.0 / 1.75, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({}), 1.0, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = 1.5}), 0.4, 1e-12);
  EXPECT_NEAR(kFollowing.PeriodAt({.vx = -3.0}), 0.4, 1e-12);
}

TEST(CadenceTest, ThePhaseAdvancesByTheCommandedFrequencyAndWraps) {
  EXPECT_NEAR(kFollowing.Advance(0.2, {.vx = 0.75}, 0.02), 0.2 + 0.02 * 1.75, 1e-12);
  EXPECT_NEAR(kFollowing.Advance(0.99, {.vx = 2.0}, 0.02), 0.04, 1e-12);
}

TEST(CadenceTest, ThePhaseRestsWhenToldToStandAndBeginsAgainAtZero) {
  EXPECT_TRUE(kFollowing.Rests({.vx = 0.09}));
  EXPECT_FALSE(kFollowing.Rests({.vx = 0.08, .vy = 0.08}));
  EXPECT_EQ(kFollowing.Advance(0.7, {}, 0.02), 0.0);
}

TEST(CadenceTest, APeriodAloneIsAClockThatNeverRests) {
  constexpr Cadence kClock{.period_s = 0.4};
  EXPECT_FALSE(kClock.follows_command());
  EXPECT_FALSE(kClock.Rests({}));
  EXPECT_EQ(kClock.PeriodAt({.vx = 0.1}), 0.4);
}

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr char kChannels[] = R"([command]
k_v = 0.5
[[command.channel]]
name = "forward"
role = "vx"
low = -0.5
high = 1.5
[[command.channel]]
name = "gait_frequency"
low = 1.0
high = 4.0
nominal = 2.5
[[command.channel]]
name = "wz"
low = -1
high = 1
[[command.channel]]
name = "step_height"
low = 0.05
high = 0.2
nominal = 0.05
)";

/// The Go2 with another [command] section, and with another last term if one is given.
Result<RobotSpec> Go2With(const std::string& command, const std::string& term = "") {
  std::ifstream stream(GONOGO_SOURCE_DIR "/robots/go2/robot.toml");
  std::stringstream text;
  text << stream.rdbuf();
  std::string toml = std::regex_replace(text.str(), std::regex("\\[command\\]\n([a-z].*\n)*"), "");
  toml = std::regex_replace(toml, std::regex("model = \""),
                            "model = \"" GONOGO_SOURCE_DIR "/robots/go2/");
  if (!term.empty()) {
    const std::regex phase("\\[\\[observation\\]\\]\nterm = \"gait_phase\"\n([a-z].*\n)*");
    toml = std::regex_replace(toml, phase, "");
  }
  toml += "\n" + command + term;
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
  std::ofstream(file) << toml;
  Result<RobotSpec> spec = LoadRobotSpec(file);
  std::filesystem::remove(file);
  return spec;
}

TEST(CommandChannelTest, ChannelsFillRolesAndTheRestIsNominalUnlessAskedFor) {
  const Result<RobotSpec> spec = Go2With(kChannels);
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  const std::vector<CommandChannel>& channels = spec.value().channels;
  EXPECT_EQ(ChannelNames(channels), "forward, gait_frequency, wz, step_height");
  const CommandBox& box = spec.value().command_box;
  // Straight to the left: no channel says vy, so the robot can only turn.
  const Command direct = DirectCommand({0.0, 2.0}, {}, box);
  EXPECT_EQ(direct.vx, 0.0);
  EXPECT_EQ(direct.vy, 0.0);
  EXPECT_EQ(direct.wz, 1.0);  // 1.57 rad/s, clipped
  std::vector<double> told;
  for (const CommandChannel& channel : channels) told.push_back(channel.Of(direct));
  EXPECT_THAT(told, ElementsAre(0.0, 2.5, 1.0, 0.05));
  Command other = direct;
  FindChannel(channels, "gait_frequency")->Set(other, 9.0);
  FindChannel(channels, "step_height")->Set(other, 0.0);
  const Command inside = box.Clamp(other);
  EXPECT_DOUBLE_EQ(channels[1].Of(inside), 4.0);
  EXPECT_DOUBLE_EQ(channels[3].Of(inside), 0.05);
}

TEST(CommandChannelTest, TheObservationHasOneNumberPerChannelInTheOrderOfTheFile) {
  const Result<RobotSpec> loaded = Go2With(kChannels);
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  const RobotSpec& spec = loaded.value();
  EXPECT_EQ(spec.observation_size(),
            LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value().observation_size() + 1);
  RobotState state;
  state.q = spec.default_pose;
  state.qd.assign(12, 0.0);
  state.last_action.assign(12, 0.0F);
  state.scan.assign(static_cast<std::size_t>(spec.scan.size()), 0.0F);
  Command command{.vx = 0.25, .wz = -0.5};
  FindChannel(spec.channels, "step_height")->Set(command, 0.125);
  std::vector<float> memory;
  Observer(spec).Observe(state, command, nullptr, true, false, memory);
  const auto at = memory.begin() + spec.TermOffset(TermKind::kCommand);
  EXPECT_THAT(std::vector<float>(at, at + 4), ElementsAre(0.25F, 2.5F, -0.5F, 0.125F));
}

TEST(CommandChannelTest, ThreeNumbersAreTheChannelsVxVyWzAndKeepTheirHash) {
  const RobotSpec go2 = LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  EXPECT_EQ(go2.channels, VelocityChannels());
  const std::string spelled =
      "[command]\n[[command.channel]]\nname = \"vx\"\nlow = -1\nhigh = 1\n"
      "[[command.channel]]\nname = \"vy\"\nlow = -1\nhigh = 1\n"
      "[[command.channel]]\nname = \"wz\"\nlow = -1\nhigh = 1\n";
  const Result<RobotSpec> same = Go2With(spelled);
  ASSERT_TRUE(same.ok()) << same.error().message;
  EXPECT_EQ(same.value().LayoutHash(), go2.LayoutHash());
  const Result<RobotSpec> other = Go2With(kChannels);
  ASSERT_TRUE(other.ok()) << other.error().message;
  EXPECT_NE(other.value().LayoutHash(), go2.LayoutHash());
}

TEST(CommandChannelTest, AGaitPhaseRunsAtTheCommandedFrequency) {
  const std::string term = "[[observation]]\nterm = \"gait_phase\"\nfrequency = \"{}\"\n";
  const Result<RobotSpec> spec =
      Go2With(kChannels, fmt::format(fmt::runtime(term), "gait_frequency"));
  ASSERT_TRUE(spec.ok()) << spec.error().message;
  const Cadence& cadence = spec.value().observation.back().cadence;
  EXPECT_TRUE(cadence.follows_command());
  EXPECT_DOUBLE_EQ(cadence.PeriodAt({}), 0.4);
  Command faster;
  FindChannel(spec.value().channels, "gait_frequency")->Set(faster, 4.0);
  EXPECT_DOUBLE_EQ(cadence.Advance(0.5, faster, 0.02), 0.58);
  EXPECT_THAT(Go2With(kChannels, fmt::format(fmt::runtime(term), "forward")).error().message,
              HasSubstr("no channel of the command without a role is called \"forward\""));
}

TEST(CommandChannelTest, WrongChannelsAreRefusedByName) {
  const auto error = [](const std::string& what, const std::string& by) {
    std::string text = kChannels;
    text.replace(text.find(what), what.size(), by);
    const Result<RobotSpec> spec = Go2With(text);
    return spec.ok() ? std::string("accepted") : spec.error().message;
  };
  EXPECT_THAT(error("\"step_height\"", "\"wz\""), HasSubstr("two channels called wz"));
  EXPECT_THAT(error("\"step_height\"", "\"Step height\""), HasSubstr("small letters"));
  EXPECT_THAT(error("\"step_height\"", "\"yaw\""), HasSubstr("means something else"));
  EXPECT_THAT(error("name = \"wz\"", "name = \"turn\"\nrole = \"vx\""),
              HasSubstr("forward and turn have the same role"));
  EXPECT_THAT(error("nominal = 2.5", "nominal = 5"), HasSubstr("nominal"));
  EXPECT_THAT(error("nominal = 2.5\n", ""), HasSubstr("nominal"));
  EXPECT_THAT(error("high = 1.5", "high = 1.5\nnominal = 0"), HasSubstr("given by the task"));
  EXPECT_THAT(error("k_v = 0.5", "low = [-1, -1, -1]"), HasSubstr("has its own"));
}

}  // namespace

}  // namespace gonogo::robot
