// SPDX-License-Identifier: Apache-2.0
// Policies with several inputs and in two files. The graphs are written by
// testdata/make_policies.py and say there what they compute.
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/robot/observation.h"
#include "gonogo/sim/loop/onnx_policy.h"

namespace gonogo::sim {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::string Term(const std::string& values, const std::string& input) {
  return "[[observation]]\nterm = \"constant\"\nvalue = [" + values + "]\n" +
         (input.empty() ? "" : "input = \"" + input + "\"\n");
}

/// A robot of two joints with one of the policies.
robot::RobotSpec Robot(const std::string& policy, const std::string& text) {
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) /
      (std::string(testing::UnitTest::GetInstance()->current_test_info()->name()) + ".toml");
  std::ofstream(file) << "[robot]\nname = \"r\"\nmodel = \"" GONOGO_SOURCE_DIR
                         "/robots/go2/model.xml\"\npolicy = \"" GONOGO_SOURCE_DIR
                         "/gonogo/sim/testdata/"
                      << policy << "\"\n"
                      << "root = \"base\"\nfeet = []\nforbidden_contacts = []\nspawn_height = 1\n"
                         "[joints]\norder = [\"a\", \"b\"]\ndefault = 0\naction_scale = 1\n"
                         "[actuator]\nkind = \"pd\"\nkp = 1\nkd = 1\n"
                         "[posture]\nnominal_height = 1\n"
                      << text;
  Result<robot::RobotSpec> spec = robot::LoadRobotSpec(file);
  std::filesystem::remove(file);
  EXPECT_TRUE(spec.ok()) << spec.error().message;
  return std::move(spec).value();
}

std::string Encoder(const std::string& file, const std::string& keys = "") {
  return "[encoder]\nfile = \"" GONOGO_SOURCE_DIR "/gonogo/sim/testdata/" + file + "\"\n" + keys;
}

/// The actions of two successive steps.
std::vector<std::vector<float>> Actions(const robot::RobotSpec& spec) {
  const auto policy = OnnxPolicy::Load(spec);
  EXPECT_TRUE(policy.ok()) << policy.error().message;
  if (!policy.ok()) return {};
  const robot::Observer observer(spec);
  robot::PolicyMemory memory = policy.value()->StartMemory();
  std::vector<float> observation;
  std::vector<std::vector<float>> actions;
  for (int step = 0; step < 2; ++step) {
    observer.Observe({}, {}, nullptr, step == 0, false, observation);
    std::vector<float> action(2);
    policy.value()->Act(observation, action, memory);
    actions.push_back(action);
  }
  return actions;
}

std::string WiringError(const robot::RobotSpec& spec) {
  const auto policy = OnnxPolicy::Load(spec);
  EXPECT_FALSE(policy.ok());
  return policy.ok() ? "" : policy.error().message;
}

TEST(PolicyInputsTest, EveryInputGetsTheTermsThatNameItWhateverTheirOrder) {
  const robot::RobotSpec spec =
      Robot("two_inputs.onnx", Term("5, 6, 7, 8", "past") + Term("1", "now") + Term("2", "now"));
  EXPECT_EQ(spec.observation_size(), 6);
  EXPECT_THAT(Actions(spec), ElementsAre(ElementsAre(51.0F, 82.0F), ElementsAre(51.0F, 82.0F)));
}

TEST(PolicyInputsTest, AnInputMayHoldFramesOfAnothersTerms) {
  const robot::RobotSpec spec =
      Robot("two_inputs.onnx", Term("1, 2", "now") +
                                   "[[input]]\nname = \"past\"\nlike = \"now\"\nframes = 2\n"
                                   "fill = \"zero\"\n");
  // The past is 0, 0, 1, 2 at first, then 1, 2, 1, 2.
  EXPECT_THAT(Actions(spec), ElementsAre(ElementsAre(1.0F, 22.0F), ElementsAre(11.0F, 22.0F)));
}

TEST(PolicyInputsTest, AnEncodersResultStandsBehindOrBeforeTheTerms) {
  const std::string terms = Term("1, 2", "x") + Term("3, 4, 5, 6", "history");
  // The code is 18 and 6.
  EXPECT_THAT(Actions(Robot("joined.onnx", terms + Encoder("encoder.onnx"))),
              ElementsAre(ElementsAre(181.0F, 602.0F), testing::_));
  EXPECT_THAT(
      Actions(Robot("joined.onnx", terms + Encoder("encoder.onnx", "place = \"before\"\n"))),
      ElementsAre(ElementsAre(28.0F, 206.0F), testing::_));
}

TEST(PolicyInputsTest, AnEncodersResultMayBeAnInputOfItsOwn) {
  const std::string terms = Term("1, 2", "obs") + Term("3, 4, 5, 6", "frames");
  EXPECT_THAT(Actions(Robot("latent.onnx", terms + Encoder("encoder.onnx",
                                                           "inputs = [\"frames\"]\n"
                                                           "into = \"code\"\n"))),
              ElementsAre(ElementsAre(181.0F, 62.0F), testing::_));
}

TEST(PolicyInputsTest, BothGraphsMayRemember) {
  // The encoder's code is 10, 20 and the policy adds it up: 10, 30.
  EXPECT_THAT(Actions(Robot("adding.onnx", Term("1, 2, 3, 4", "history") +
                                               Encoder("counting.onnx", "into = \"x\"\n"))),
              ElementsAre(ElementsAre(10.0F, 10.0F), ElementsAre(30.0F, 30.0F)));
}

TEST(PolicyInputsTest, SaysWhichInputGetsTheWrongNumberOrNothing) {
  EXPECT_THAT(
      WiringError(Robot("two_inputs.onnx", Term("1, 2", "now") + Term("5, 6", "past"))),
      AllOf(HasSubstr("two_inputs.onnx: takes 4 values as its input past"), HasSubstr("give 2")));
  EXPECT_THAT(WiringError(Robot("two_inputs.onnx", Term("1, 2", "now") + Term("5", "then"))),
              AllOf(HasSubstr("has the input \"then\""), HasSubstr("now (2), past (4)")));
  EXPECT_THAT(WiringError(Robot("two_inputs.onnx", Term("1, 2", ""))),
              AllOf(HasSubstr("recurrent input past has 4 values"),
                    HasSubstr("input = \"…\" of [[observation]]")));
  EXPECT_THAT(WiringError(Robot("joined.onnx", Term("1", "x") + Term("3, 4, 5, 6", "history") +
                                                   Encoder("encoder.onnx"))),
              AllOf(HasSubstr("takes 4 values"), HasSubstr("give 1 and 2 of the encoder")));
  EXPECT_THAT(WiringError(Robot("joined.onnx", Term("1, 2", "x") + Term("3, 4, 5, 6", "frames") +
                                                   Encoder("encoder.onnx"))),
              AllOf(HasSubstr("history (4)"), HasSubstr("encoder.inputs")));
  EXPECT_THAT(WiringError(Robot("joined.onnx", Term("1, 2", "x") + Term("3, 4, 5, 6", "history") +
                                                   Encoder("encoder.onnx", "into = \"y\"\n"))),
              AllOf(HasSubstr("encoder.into is \"y\""), HasSubstr("x (4)")));
}

TEST(PolicyInputsTest, ANormaliserIsExpectedOfThePieceItNormalises) {
  const robot::RobotSpec spec =
      Robot("normalised.onnx", Term("5, 6, 7, 8", "past") + Term("1, 2", "now"));
  const std::optional<robot::ExpectedInput> expected =
      OnnxPolicy::Load(spec).value()->Expectation();
  ASSERT_TRUE(expected.has_value());
  EXPECT_THAT(expected->mean, ElementsAre(0.0F, 0.0F, 0.0F, 0.0F, 1.0F, 2.0F));
  EXPECT_THAT(expected->scale, ElementsAre(0.0F, 0.0F, 0.0F, 0.0F, 3.0F, 4.0F));
}

}  // namespace
}  // namespace gonogo::sim
