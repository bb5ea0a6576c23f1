// SPDX-License-Identifier: Apache-2.0
// Mistakes that people make in a robot.toml, made on purpose: each must be named. The public
// policies are not part of this repository; their tests are skipped without them.
#include <filesystem>
#include <fstream>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/sim/loop/onnx_policy.h"
#include "gonogo/sim/testing/public_robots.h"
#include "gonogo/study/check/check.h"

namespace gonogo::study {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// A description as text, to be damaged.
class Description {
 public:
  explicit Description(std::string text) : text_(std::move(text)) {}

  /// One of the repository's robots, with paths that work from anywhere.
  static Description Shipped(const std::string& robot) {
    const std::string folder = std::string(GONOGO_SOURCE_DIR "/robots/") + robot + "/";
    std::ifstream stream(folder + "robot.toml");
    std::stringstream text;
    text << stream.rdbuf();
    return Description(text.str())
        .Replace("model = \"", "model = \"" + folder)
        .Replace("policy = \"", "policy = \"" + folder);
  }

  Description& Replace(const std::string& pattern, const std::string& text) {
    const std::string before = text_;
    text_ = std::regex_replace(text_, std::regex(pattern), text,
                               std::regex_constants::format_first_only);
    EXPECT_NE(text_, before) << "nothing matches " << pattern;
    return *this;
  }
  /// The first number after `key = `, or all numbers of its list, times a factor.
  Description& Multiply(const std::string& key, double factor) {
    std::smatch found;
    EXPECT_TRUE(
        std::regex_search(text_, found, std::regex("\n" + key + " = (\\[[^\\]]*\\]|[-0-9.e]+)")));
    const std::string value = found[1];
    std::string scaled;
    const std::regex number("-?[0-9.]+");
    auto rest = value.cbegin();
    for (std::sregex_iterator it(value.begin(), value.end(), number), end; it != end; ++it) {
      scaled.append(rest, value.cbegin() + it->position());
      scaled += fmt::format("{:.6f}", factor * std::stod(it->str()));
      rest = value.cbegin() + it->position() + it->length();
    }
    scaled.append(rest, value.cend());
    text_.replace(static_cast<std::size_t>(found.position(1)), value.size(), scaled);
    return *this;
  }

  /// Checks it and writes out verdict and findings as one text.
  [[nodiscard]] std::string Check() const {
    const std::filesystem::path file =
        std::filesystem::path(testing::TempDir()) /
        (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
    std::ofstream(file) << text_;
    const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(file);
    std::filesystem::remove(file);
    if (!robot.ok()) return robot.error().message;
    const auto policy = sim::OnnxPolicy::Load(robot.value());
    if (!policy.ok()) return policy.error().message;
    const Result<CheckReport> report =
        CheckRobot(robot.value(), policy.value(), {.seconds = 2.0}, {.jobs = 2});
    if (!report.ok()) return report.error().message;
    std::string text = Name(report.value().verdict());
    for (const CheckFinding& finding : report.value().findings) {
      text += fmt::format("\n{}: {} {}", finding.subject, finding.what, finding.cause);
    }
    return text;
  }

 private:
  std::string text_;
};

constexpr char kScan[] = "term = \"height_scan\"\n";
constexpr char kVelocity[] = "term = \"base_lin_vel\"";
constexpr char kLegByLegGo2[] =
    "order = [\"FL_hip_joint\", \"FL_thigh_joint\", \"FL_calf_joint\", \"FR_hip_joint\", "
    "\"FR_thigh_joint\", \"FR_calf_joint\", \"RL_hip_joint\", \"RL_thigh_joint\", "
    "\"RL_calf_joint\", \"RR_hip_joint\", \"RR_thigh_joint\", \"RR_calf_joint\"]";
constexpr char kOrder[] = "order = \\[[^\\]]*\\]";

class ShippedFaultTest : public testing::Test {};

TEST_F(ShippedFaultTest, TheRobotsAsTheyAreAreNotBroken) {
  for (const char* robot : {"go2", "anymal_d", "h1"}) {
    EXPECT_THAT(Description::Shipped(robot).Check(), Not(HasSubstr("broken"))) << robot;
  }
}

TEST_F(ShippedFaultTest, JointsLegByLeg) {
  EXPECT_THAT(Description::Shipped("go2").Replace(kOrder, kLegByLegGo2).Check(),
              AllOf(HasSubstr("broken"), HasSubstr("joint type by joint type"),
                    HasSubstr("Probably wrong: joints.order")));
}

TEST_F(ShippedFaultTest, AScanWithTheOppositeSign) {
  EXPECT_THAT(
      Description::Shipped("anymal_d").Replace(kScan, std::string(kScan) + "scale = -1\n").Check(),
      AllOf(Not(testing::StartsWith("ok")), HasSubstr("opposite sign of the height scan")));
}

TEST_F(ShippedFaultTest, AScanWithSwappedAxes) {
  EXPECT_THAT(
      Description::Shipped("go2").Replace("points = \\[17, 11\\]", "points = [11, 17]").Check(),
      AllOf(Not(HasSubstr("broken")), HasSubstr("height scan:"), HasSubstr("height_scan.points")));
}

TEST_F(ShippedFaultTest, ABaseVelocityOfZero) {
  EXPECT_THAT(
      Description::Shipped("h1").Replace(kVelocity, std::string(kVelocity) + "\nscale = 0").Check(),
      AllOf(HasSubstr("base_lin_vel have scale 0"),
            HasSubstr("a scale of 1 of base_lin_vel instead of 0")));
}

TEST_F(ShippedFaultTest, AnotherDefaultPose) {
  EXPECT_THAT(
      Description::Shipped("go2").Multiply("default", 0.0).Check(),
      AllOf(HasSubstr("broken"), HasSubstr("joints.default leaves the model's joint ranges"),
            HasSubstr("FL_calf_joint is")));
  EXPECT_THAT(Description::Shipped("go2").Multiply("default", 1.5).Check(),
              AllOf(HasSubstr("height: It stands at"), HasSubstr("joints.default")));
}

TEST_F(ShippedFaultTest, GainsTenTimesTooSmall) {
  EXPECT_THAT(Description::Shipped("h1").Multiply("kp", 0.1).Multiply("kd", 0.1).Check(),
              AllOf(HasSubstr("broken"), HasSubstr("gains: Holding its weight"),
                    HasSubstr("kp and kd ten times larger")));
}

TEST_F(ShippedFaultTest, ADoubledGaitPeriod) {
  for (const char* robot : {"anymal_d", "h1"}) {
    EXPECT_THAT(
        Description::Shipped(robot).Multiply("period", 2.0).Multiply("slow_period", 2.0).Check(),
        AllOf(Not(testing::StartsWith("ok")), HasSubstr("half the period of gait_phase")))
        << robot;
  }
}

TEST_F(ShippedFaultTest, AnotherDecimation) {
  EXPECT_THAT(Description::Shipped("go2").Replace("decimation = 4", "decimation = 8").Check(),
              AllOf(HasSubstr("control step: The policy acts every 40 ms (25 Hz)"),
                    HasSubstr("50 Hz is decimation = 4")));
}

class PublicFaultTest : public testing::Test {
 protected:
  void SetUp() override {
    if (!sim::internal::HavePublicPolicies()) GTEST_SKIP() << "no public policies";
  }
  static Description Go2() { return Description(sim::internal::PublicGo2Toml()); }
  static Description Go1() { return Description(sim::internal::PublicGo1Toml()); }
  static Description G1() { return Description(sim::internal::PublicG1Toml()); }
};

TEST_F(PublicFaultTest, TheThreePoliciesPass) {
  for (const Description& robot : {Go2(), Go1(), G1()}) {
    EXPECT_THAT(robot.Check(), testing::StartsWith("ok"));
  }
}

TEST_F(PublicFaultTest, JointsInAnotherOrder) {
  EXPECT_THAT(Go2().Replace(kOrder, kLegByLegGo2).Check(),
              AllOf(HasSubstr("broken"), HasSubstr("Probably wrong: joints.order")));
  EXPECT_THAT(Go1()
                  .Replace("\"FR_hip_joint\", \"FR_thigh_joint\", \"FR_calf_joint\", "
                           "\"FL_hip_joint\", \"FL_thigh_joint\", \"FL_calf_joint\"",
                           "\"FL_hip_joint\", \"FL_thigh_joint\", \"FL_calf_joint\", "
                           "\"FR_hip_joint\", \"FR_thigh_joint\", \"FR_calf_joint\"")
                  .Check(),
              Not(testing::StartsWith("ok")));
}

TEST_F(PublicFaultTest, ACommandAtThePlaceWhereOtherFrameworksHaveIt) {
  const std::string command = "[[observation]]\nterm = \"command\"\n";
  EXPECT_THAT(Go1()
                  .Replace("\\[\\[observation\\]\\]\nterm = \"command\"\n", "")
                  .Replace("\\[\\[observation\\]\\]\nterm = \"joint_pos\"\n",
                           command + "[[observation]]\nterm = \"joint_pos\"\n")
                  .Check(),
              AllOf(HasSubstr("broken"), HasSubstr("the command as the last term"),
                    HasSubstr("Probably wrong: the order of the observation")));
}

TEST_F(PublicFaultTest, AScanWithTheOppositeSignOrSwappedAxes) {
  EXPECT_THAT(Go2().Replace(kScan, std::string(kScan) + "scale = -1\n").Check(),
              AllOf(HasSubstr("broken"), HasSubstr("opposite sign of the height scan")));
  EXPECT_THAT(Go2().Replace("points = \\[17, 11\\]", "points = [11, 17]").Check(),
              AllOf(HasSubstr("The axes of the scan are swapped"),
                    HasSubstr("height_scan.points = [17, 11]")));
}

TEST_F(PublicFaultTest, ABaseVelocityOfZero) {
  EXPECT_THAT(
      Go2().Replace(kVelocity, std::string(kVelocity) + "\nscale = 0").Check(),
      AllOf(HasSubstr("base_lin_vel have scale 0"), HasSubstr("a scale of 1 of base_lin_vel")));
}

TEST_F(PublicFaultTest, AnotherDefaultPose) {
  EXPECT_THAT(G1().Multiply("default", 0.0).Check(), HasSubstr("joints.default"));
}

TEST_F(PublicFaultTest, GainsTenTimesTooSmall) {
  EXPECT_THAT(G1().Multiply("kp", 0.1).Multiply("kd", 0.1).Check(),
              AllOf(HasSubstr("broken"), HasSubstr("kp and kd ten times larger")));
}

TEST_F(PublicFaultTest, ADoubledGaitPeriod) {
  EXPECT_THAT(G1().Multiply("period", 2.0).Check(), HasSubstr("half the period of gait_phase"));
}

TEST_F(PublicFaultTest, AnotherDecimation) {
  EXPECT_THAT(Go1().Replace("decimation = 5", "decimation = 10").Check(),
              HasSubstr("50 Hz is decimation = 5"));
}

TEST_F(PublicFaultTest, ATimeStepTooLongForTheGains) {
  EXPECT_THAT(G1().Replace("physics_dt = 0.002", "physics_dt = 0.01")
                  .Replace("decimation = 10", "decimation = 2")
                  .Check(),
              AllOf(Not(testing::StartsWith("ok")), HasSubstr("time step"), HasSubstr("ankle")));
}

}  // namespace
}  // namespace gonogo::study
