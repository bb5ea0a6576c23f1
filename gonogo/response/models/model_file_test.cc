// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/model_file.h"

#include <array>
#include <cstdlib>
#include <fstream>
#include <iterator>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/model.h"
#include "gonogo/nn/testing/random_ensemble.h"
#include "gonogo/response/testing/toy_robot.h"

namespace gonogo::response {
namespace {

using internal::ToyRobot;
using ::testing::FloatNear;
using ::testing::HasSubstr;
using ::testing::Pointwise;

/// With a standardiser that is not the identity, so that a file which lost it would show.
nn::Ensemble Networks(int inputs, int outputs, int members) {
  nn::Ensemble ensemble = nn::internal::RandomEnsemble(inputs, {16, 8}, outputs, members);
  for (double& mean : ensemble.input.mean) mean = 1.0 / 3.0;
  for (double& scale : ensemble.target.scale) scale = 0.7;
  return ensemble;
}

ResponseModel Model(int members = 2, CostChannel cost = CostChannel::kPower) {
  const robot::RobotSpec robot = ToyRobot();
  return {{.robot = robot.name, .layout_hash = robot.LayoutHash(), .provenance = {{"seed", 4}}},
          cost,
          CommandSlot::Find(robot).value(),
          Networks(robot.observation_size(), ResponseModel::kOutputs, members)};
}

class ModelFileTest : public ::testing::Test {
 protected:
  ModelFileTest() {
    std::filesystem::remove_all(folder_);
    EXPECT_TRUE(io::MakeDirectory(folder_).ok());
  }
  ~ModelFileTest() override { std::filesystem::remove_all(folder_); }
  template <typename T>
  static std::string ErrorOf(const Result<T>& result) {
    return result.ok() ? "no error" : result.error().message;
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gonogo_model_file_test";
  std::filesystem::path stem_ = folder_ / "response";
};

TEST_F(ModelFileTest, ALoadedModelPredictsTheSameBits) {
  const ResponseModel model = Model();
  ASSERT_TRUE(SaveModel(stem_, model).ok());
  const Result<ResponseModel> loaded = LoadResponseModel(stem_, ToyRobot());
  ASSERT_TRUE(loaded.ok()) << loaded.error().message;
  EXPECT_EQ(loaded.value().cost(), CostChannel::kPower);
  EXPECT_EQ(loaded.value().identity().provenance.at("seed"), 4);
  const std::vector<float> observation{0.1F, 0.2F, 0.3F, 0.4F, 0.5F, 0.6F};
  const std::array<robot::Command, 2> commands{{{0.1, 0.2, 0.3}, {-0.5, 0.5, 0.0}}};
  std::array<Response, 2> before{};
  std::array<Response, 2> after{};
  model.Predict(observation, commands, before, *model.MakeScratch(70));
  loaded.value().Predict(observation, commands, after, *loaded.value().MakeScratch(70));
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_EQ(before[i].dx, after[i].dx);
    EXPECT_EQ(before[i].cost, after[i].cost);
    EXPECT_EQ(before[i].mean_height_m, after[i].mean_height_m);
  }
}

TEST_F(ModelFileTest, TheOnnxFileAloneGivesTheSameNumbers) {
  const ResponseModel model = Model(1);
  ASSERT_TRUE(SaveModel(stem_, model).ok());
  const Result<nn::OnnxModel> onnx = nn::OnnxModel::Load(stem_.string() + ".onnx");
  ASSERT_TRUE(onnx.ok()) << onnx.error().message;
  std::vector<float> observation{0.1F, 0.2F, 0.3F, 0.0F, 0.0F, 0.0F};
  const robot::Command command{0.5, -0.25, 1.0};
  Response expected;
  model.Predict(observation, {&command, 1}, {&expected, 1}, *model.MakeScratch(70));
  CommandSlot::Find(ToyRobot()).value().Write(command, observation);
  std::array<float, 6> out{};
  nn::OnnxModel::Scratch scratch;
  const std::array<std::span<const float>, 1> inputs{observation};
  const std::array<std::span<float>, 1> outputs{out};
  onnx.value().Run(inputs, outputs, scratch);
  EXPECT_NEAR(out[0], expected.dx, 1e-6);
  EXPECT_NEAR(out[3], expected.cost, 1e-6);
  EXPECT_NEAR(out[5], expected.mean_height_m, 1e-6);
}

/// What python3-onnx and NumPy make of a model.
std::vector<float> PythonOutputs(const std::filesystem::path& stem, std::span<const float> input) {
  std::ofstream file(stem.string() + ".in");
  for (const float value : input) file << fmt::format("{} ", value);
  file.close();
  const std::string command = fmt::format(
      "/usr/bin/python3 {}/gonogo/nn/testdata/onnx/evaluate.py {}.onnx 1 < {}.in > {}.out",
      GONOGO_SOURCE_DIR, stem.string(), stem.string(), stem.string());
  EXPECT_EQ(std::system(command.c_str()), 0);  // NOLINT
  std::ifstream output(stem.string() + ".out");
  return {std::istream_iterator<float>(output), {}};
}

TEST_F(ModelFileTest, PythonReadsEveryKindOfModelAndGetsOurNumbers) {
  if (std::system("/usr/bin/python3 -c 'import onnx, numpy'") != 0) {  // NOLINT
    GTEST_SKIP() << "python3-onnx is missing: tools/install_packages.sh test";
  }
  const robot::RobotSpec robot = ToyRobot();
  const CommandSlot slot = CommandSlot::Find(robot).value();
  const int width = robot.observation_size();
  std::vector<float> observation{0.1F, -0.2F, 0.3F, 0.0F, 0.0F, 0.0F};
  const robot::Command command{0.5, -0.25, 1.0};

  const ResponseModel response = Model(1);
  ASSERT_TRUE(SaveModel(stem_, response).ok());
  Response ours;
  response.Predict(observation, {&command, 1}, {&ours, 1}, *response.MakeScratch(1));
  slot.Write(command, observation);
  const std::array<float, 6> six{ours.dx,   ours.dy,           ours.dpsi,
                                 ours.cost, ours.min_height_m, ours.mean_height_m};
  EXPECT_THAT(PythonOutputs(stem_, observation), Pointwise(FloatNear(1e-5F), six));

  const ModelIdentity identity{.robot = robot.name, .layout_hash = robot.LayoutHash()};
  const MacroModel macro(identity, slot, Networks(width, width + MacroModel::kExtraOutputs, 2));
  ASSERT_TRUE(SaveModel(folder_ / "macro", macro).ok());
  const std::vector<float> all = PythonOutputs(folder_ / "macro", observation);
  ASSERT_EQ(all.size(), 2U * static_cast<std::size_t>(width + MacroModel::kExtraOutputs));
  std::vector<float> next(static_cast<std::size_t>(width));
  MacroResponse step;
  macro.Advance(1, observation, {&command, 1}, next, {&step, 1}, *macro.MakeScratch(1));
  const float* second = all.data() + width + MacroModel::kExtraOutputs;
  EXPECT_NEAR(observation[0] + second[0], next[0], 1e-5);
  EXPECT_NEAR(second[width + 3], step.power_w, 1e-5);

  nn::Ensemble with_success = Networks(width + 2, 3, 1);
  with_success.losses.back() = nn::Loss::kBinaryCrossEntropy;
  const ValueModel value(identity, with_success);
  ASSERT_TRUE(SaveModel(folder_ / "value", value).ok());
  const robot::Point2 goal{1.0, -0.5};
  TaskValue task;
  value.Predict(observation, {&goal, 1}, {&task, 1}, *value.MakeScratch(1));
  std::vector<float> input = observation;
  input.insert(input.end(), {1.0F, -0.5F});
  EXPECT_THAT(PythonOutputs(folder_ / "value", input),
              Pointwise(FloatNear(1e-5F), std::array{task.work_j, task.time_s, task.success}));
}

TEST_F(ModelFileTest, AModelOfAnotherLayoutIsRefused) {
  ASSERT_TRUE(SaveModel(stem_, Model()).ok());
  robot::RobotSpec other = ToyRobot();
  other.observation.back().scale = {1.0, 1.0, 1.0};
  EXPECT_THAT(ErrorOf(LoadResponseModel(stem_, other)), HasSubstr("identified on robot \"toy\""));
}

TEST_F(ModelFileTest, AModelOfAnotherKindIsRefused) {
  ASSERT_TRUE(SaveModel(stem_, Model()).ok());
  EXPECT_THAT(ErrorOf(LoadMacroModel(stem_, ToyRobot())), HasSubstr("not a macro model"));
}

TEST_F(ModelFileTest, ADamagedOrMissingNetworkIsRefused) {
  ASSERT_TRUE(SaveModel(stem_, Model()).ok());
  const std::filesystem::path onnx = stem_.string() + ".onnx";
  std::string bytes = io::ReadFile(onnx).value();
  bytes.back() = static_cast<char>(bytes.back() ^ 1);
  ASSERT_TRUE(io::WriteFile(onnx, bytes).ok());
  EXPECT_THAT(ErrorOf(LoadResponseModel(stem_, ToyRobot())), HasSubstr("SHA-256"));
  std::filesystem::remove(onnx);
  EXPECT_THAT(ErrorOf(LoadResponseModel(stem_, ToyRobot())), HasSubstr("response.onnx"));
}

/// What loading says when one key of the description holds something else.
class WrongTypeTest : public ModelFileTest {
 protected:
  std::string ErrorWith(const std::string& key, const nlohmann::json& value) {
    EXPECT_TRUE(SaveModel(stem_, Model()).ok());
    const std::filesystem::path file = stem_.string() + ".json";
    auto description = nlohmann::json::parse(io::ReadFile(file).value());
    description[nlohmann::json::json_pointer("/" + key)] = value;
    return ErrorOfFile(description.dump());
  }
  std::string ErrorOfFile(const std::string& text) {
    EXPECT_TRUE(io::WriteFile(stem_.string() + ".json", text).ok());
    const Result<ResponseModel> loaded = LoadResponseModel(stem_, ToyRobot());
    if (loaded.ok()) return "no error";
    EXPECT_EQ(loaded.error().kind, ErrorKind::kInput);
    return loaded.error().message;
  }
};

TEST_F(WrongTypeTest, IsRefusedByFileKeyFoundAndExpectedForEveryKey) {
  const std::string file = stem_.string() + ".json";
  EXPECT_EQ(ErrorWith("schema", 5), file + ": schema is 5, expected a text");
  EXPECT_EQ(ErrorWith("kind", true), file + ": kind is true, expected a text");
  EXPECT_EQ(ErrorWith("robot", 1), file + ": robot is 1, expected a text");
  EXPECT_EQ(ErrorWith("layout", nullptr), file + ": layout is null, expected a text");
  EXPECT_EQ(ErrorWith("cost", 3), file + ": cost is 3, expected a text");
  EXPECT_EQ(ErrorWith("cost", "speed"), file + ": cost is \"speed\", expected effort or power");
  EXPECT_EQ(ErrorWith("onnx_sha256", 3), file + ": onnx_sha256 is 3, expected a text");
  EXPECT_EQ(ErrorWith("input", 3), file + ": input is 3, expected an object");
  EXPECT_EQ(ErrorWith("target/mean", "x"), file + ": target.mean is \"x\", expected a list");
  EXPECT_EQ(ErrorWith("input/scale/1", "x"), file + ": input.scale[1] is \"x\", expected a number");
  EXPECT_EQ(ErrorWith("probability/0", 1), file + ": probability[0] is 1, expected true or false");
  EXPECT_EQ(ErrorWith("members", "two"),
            file + ": members is \"two\", expected a whole number of 0 or more");
  EXPECT_EQ(ErrorWith("members", 1e18), file +
                                            ": members is 1e+18, expected a whole number of 0 "
                                            "or more");
  EXPECT_EQ(ErrorWith("members", 1'000'000'000), file +
                                                     ": members is 1000000000, expected 1 to "
                                                     "10000");
  EXPECT_THAT(ErrorWith("sizes/1", -16), HasSubstr("expected two or more layers of 1 to"));
  EXPECT_THAT(ErrorWith("sizes/1", 1 << 20), HasSubstr("expected networks whose weights fit into"));
  EXPECT_THAT(ErrorWith("sizes/1", 2.5), HasSubstr("sizes[1] is 2.5, expected a whole number"));
  EXPECT_EQ(ErrorWith("provenance", "mine"), file + ": provenance is \"mine\", expected an object");
}

TEST_F(WrongTypeTest, IsRefusedForTheWholeFile) {
  const std::string file = stem_.string() + ".json";
  ASSERT_TRUE(SaveModel(stem_, Model()).ok());
  EXPECT_EQ(ErrorOfFile("[1]"), file + ": the content is [1], expected an object");
  EXPECT_EQ(ErrorOfFile("nonsense"), file + ": not valid JSON");
  EXPECT_THAT(ErrorOfFile("{}"), HasSubstr("not a response model (schema missing, kind missing)"));
}

TEST_F(ModelFileTest, MacroAndValueModelsSurviveTheRoundTrip) {
  const robot::RobotSpec robot = ToyRobot();
  const ModelIdentity identity{.robot = robot.name, .layout_hash = robot.LayoutHash()};
  const int width = robot.observation_size();
  const MacroModel macro(identity, CommandSlot::Find(robot).value(),
                         Networks(width, width + MacroModel::kExtraOutputs, 5));
  ASSERT_TRUE(SaveModel(folder_ / "macro", macro).ok());
  const Result<MacroModel> macro_again = LoadMacroModel(folder_ / "macro", robot);
  ASSERT_TRUE(macro_again.ok()) << macro_again.error().message;
  EXPECT_EQ(macro_again.value().members(), 5);
  nn::Ensemble with_success = Networks(width + 2, 3, 1);
  with_success.losses.back() = nn::Loss::kBinaryCrossEntropy;
  const ValueModel value(identity, with_success);
  ASSERT_TRUE(SaveModel(folder_ / "value", value).ok());
  const Result<ValueModel> value_again = LoadValueModel(folder_ / "value", robot);
  ASSERT_TRUE(value_again.ok()) << value_again.error().message;
  const std::vector<float> observation(static_cast<std::size_t>(width), 0.2F);
  const robot::Point2 goal{1.0, -1.0};
  TaskValue before;
  TaskValue after;
  value.Predict(observation, {&goal, 1}, {&before, 1}, *value.MakeScratch(1));
  value_again.value().Predict(observation, {&goal, 1}, {&after, 1},
                              *value_again.value().MakeScratch(70));
  EXPECT_EQ(before.success, after.success);
  EXPECT_EQ(before.work_j, after.work_j);
}

}  // namespace
}  // namespace gonogo::response
