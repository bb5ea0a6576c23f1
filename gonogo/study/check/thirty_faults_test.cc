// SPDX-License-Identifier: Apache-2.0
// Thirty mistakes in the descriptions of eight robots, made on purpose: none may pass as ok, and
// nearly all have to be named. Takes a quarter of an hour of one core: `make faults` asks for it.
#include <cstdlib>
#include <functional>
#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/sim/testing/public_robots.h"
#include "gonogo/study/describe/describe_robot.h"
#include "gonogo/study/testing/robot_text.h"

namespace gonogo::study {
namespace {

namespace fs = std::filesystem;
using internal::RobotText;

constexpr char kListOfJoints[] = "order = \\[[^\\]]*\\]";

/// What `gonogo init robot` makes of a folder of public files.
RobotText Initialised(const std::string& name) {
  const fs::path folder = fs::path(testing::TempDir()) / name;
  fs::create_directories(folder);
  DescribeInput input = SortFiles({sim::internal::kPublicPolicies + name}).value();
  input.folder = folder;
  const Description written = DescribeRobot(input).value();
  if (!written.policy_onnx.empty()) {
    EXPECT_TRUE(io::WriteFile(folder / "policy.onnx", written.policy_onnx).ok());
  }
  RobotText description(written.robot_toml);
  return description.Replace("model = \"[^\"]*\"", "model = \"" + input.model.string() + "\"")
      .Replace("policy = \"[^\"]*\"",
               "policy = \"" +
                   (input.policy.extension() == ".onnx" ? input.policy : folder / "policy.onnx")
                       .string() +
                   "\"");
}

RobotText Robot(const std::string& name) {
  if (name == "pub_go2") return RobotText(sim::internal::PublicGo2Toml());
  if (name == "pub_go1") return RobotText(sim::internal::PublicGo1Toml());
  if (name == "pub_g1") return RobotText(sim::internal::PublicG1Toml());
  if (name == "b2") return Initialised("b2_rl_sar_torchscript");
  if (name == "g1_mjlab") return Initialised("g1_unitree_rl_mjlab_velocity");
  return RobotText::Shipped(name);
}

struct Fault {
  const char* robot;
  const char* what;
  std::function<void(RobotText&)> make;
  /// A finding that names it has one of these words.
  std::vector<std::string> named;
};

/// The joints of an order, every other pair exchanged.
void ExchangeNeighbours(RobotText& robot) {
  const std::string& text = robot.text();
  const std::size_t begin = text.find('[', text.find("\norder = "));
  const std::size_t end = text.find(']', begin);
  std::vector<std::string> names;
  const std::regex name("\"[^\"]*\"");
  const std::string list = text.substr(begin, end - begin);
  for (std::sregex_iterator it(list.begin(), list.end(), name), last; it != last; ++it) {
    names.push_back(it->str());
  }
  for (std::size_t i = 0; i + 1 < names.size(); i += 2) std::swap(names[i], names[i + 1]);
  std::string joined;
  for (const std::string& one : names) joined += (joined.empty() ? "" : ", ") + one;
  robot.Replace(kListOfJoints, "order = [" + joined + "]");
}

auto Multiplied(const char* key, double factor) {
  return [=](RobotText& robot) { robot.Multiply(key, factor); };
}
auto Gains(double factor) {
  return [=](RobotText& robot) { robot.Multiply("kp", factor).Multiply("kd", factor); };
}
auto Replaced(const char* pattern, const char* text) {
  return [=](RobotText& robot) { robot.Replace(pattern, text); };
}
/// One more line for a term of the observation.
auto OfTerm(const char* term, const char* line) {
  return [=](RobotText& robot) {
    const std::string begin = std::string("term = \"") + term + "\"";
    robot.Replace(begin, begin + "\n" + line);
  };
}
auto InJoints(const char* line) {
  return [=](RobotText& robot) { robot.Replace("\\[joints\\]", std::string("[joints]\n") + line); };
}

std::vector<Fault> Faults() {
  const std::vector<std::string> order{"joints.order"};
  const std::vector<std::string> pose{"joints.default", "default pose"};
  const std::vector<std::string> gains{"kp too small", "kp and kd", "gains"};
  const std::vector<std::string> damping{"joints.damping", "damping", "kd"};
  const std::vector<std::string> rate{"control step", "decimation"};
  return {
      {"go2", "joints exchanged", ExchangeNeighbours, order},
      {"anymal_d", "joints exchanged", ExchangeNeighbours, order},
      {"pub_go1", "joints exchanged", ExchangeNeighbours, order},
      {"b2", "joints exchanged", ExchangeNeighbours, order},
      {"go2", "pose 0", Multiplied("default", 0.0), pose},
      {"pub_g1", "pose 0", Multiplied("default", 0.0), pose},
      {"g1_mjlab", "pose 0", Multiplied("default", 0.0), pose},
      {"b2", "pose 0", Multiplied("default", 0.0), pose},
      {"h1", "gains / 10", Gains(0.1), gains},
      {"pub_g1", "gains / 10", Gains(0.1), gains},
      {"g1_mjlab", "gains / 10", Gains(0.1), gains},
      {"b2", "gains / 10", Gains(0.1), gains},
      {"g1_mjlab",
       "gains in another order",
       [](RobotText& robot) {
         robot.Replace("kp = \\[40.2, 99.1, 40.2, 99.1, 28.5, 28.5",
                       "kp = [14.3, 14.3, 16.8, 28.5, 40.2, 99.1");
       },
       {"gains", "kp and kd", "action_scale"}},
      {"go2", "damping beside kd", InJoints("damping = 4"), damping},
      {"pub_go2", "damping beside kd", InJoints("damping = 2"), damping},
      {"b2", "damping beside kd", InJoints("damping = 20"), damping},
      {"anymal_d", "scan upside down", OfTerm("height_scan", "scale = -1"), {"height scan"}},
      {"pub_go2", "scan upside down", OfTerm("height_scan", "scale = -1"), {"height scan"}},
      {"pub_go2",
       "axes of the scan",
       Replaced("points = \\[17, 11\\]", "points = [11, 17]"),
       {"height_scan.points"}},
      {"go2",
       "axes of the scan",
       Replaced("points = \\[17, 11\\]", "points = [11, 17]"),
       {"height_scan.points"}},
      {"go2", "every 40 ms", Replaced("decimation = 4", "decimation = 8"), rate},
      {"pub_go1", "every 40 ms", Replaced("decimation = 5", "decimation = 10"), rate},
      {"b2", "every 40 ms", Replaced("decimation = 4", "decimation = 8"), rate},
      {"pub_g1", "actions doubled", Multiplied("action_scale", 2.0), {"action_scale"}},
      {"pub_go1", "actions / 4", Multiplied("action_scale", 0.25), {"action_scale"}},
      {"h1",
       "gravity upside down",
       OfTerm("projected_gravity", "scale = -1"),
       {"projected_gravity"}},
      {"g1_mjlab",
       "gravity upside down",
       OfTerm("projected_gravity", "scale = -1"),
       {"projected_gravity"}},
      {"pub_g1",
       "physics step too long",
       [](RobotText& robot) {
         robot.Replace("physics_dt = 0.002", "physics_dt = 0.01")
             .Replace("decimation = 10", "decimation = 2");
       },
       {"time step"}},
      {"h1", "no velocity", OfTerm("base_lin_vel", "scale = 0"), {"base_lin_vel"}},
      {"pub_go2", "no velocity", OfTerm("base_lin_vel", "scale = 0"), {"base_lin_vel"}},
  };
}

TEST(ThirtyFaultsTest, NoneIsOkAndNearlyAllAreNamed) {
  if (std::getenv("GONOGO_FAULTS") == nullptr) GTEST_SKIP() << "asked for by make faults";
  if (!sim::internal::HavePublicPolicies()) GTEST_SKIP() << "no public policies";
  const std::vector<Fault> faults = Faults();
  ASSERT_EQ(faults.size(), 30U);
  const char* only = std::getenv("GONOGO_FAULTS_OF");
  int named = 0;
  int tried = 0;
  for (const Fault& fault : faults) {
    if (only != nullptr && std::string(only) != fault.robot) continue;
    ++tried;
    RobotText robot = Robot(fault.robot);
    fault.make(robot);
    const std::string said = robot.Check();
    EXPECT_THAT(said, testing::Not(testing::StartsWith("ok"))) << fault.robot << ": " << fault.what;
    const bool is_named =
        std::any_of(fault.named.begin(), fault.named.end(),
                    [&](const std::string& word) { return said.find(word) != std::string::npos; });
    named += is_named ? 1 : 0;
    std::printf("%-9s %-24s %-11s %s\n", fault.robot, fault.what,
                said.substr(0, said.find('\n')).c_str(), is_named ? "named" : "NOT NAMED");
    if (!is_named || std::getenv("GONOGO_FAULTS_SAID") != nullptr)
      std::printf("%s\n", said.c_str());
    std::fflush(stdout);
  }
  EXPECT_GE(named, tried - 3) << "of " << tried;
}

TEST(ThirtyFaultsTest, TheRobotsThemselvesPass) {
  if (std::getenv("GONOGO_FAULTS") == nullptr) GTEST_SKIP() << "asked for by make faults";
  if (!sim::internal::HavePublicPolicies()) GTEST_SKIP() << "no public policies";
  for (const char* robot :
       {"go2", "anymal_d", "h1", "pub_go2", "pub_go1", "pub_g1", "b2", "g1_mjlab"}) {
    EXPECT_THAT(Robot(robot).Check(), testing::StartsWith("ok")) << robot;
  }
}

}  // namespace
}  // namespace gonogo::study
