// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/model.h"

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <map>
#include <sstream>

#include "tests/support/allocation_count.h"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/rng.h"

namespace gonogo::nn {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;

const fs::path kModels = fs::path(GONOGO_SOURCE_DIR) / "gonogo/nn/testdata/onnx";
const fs::path kPolicies = fs::path(GONOGO_SOURCE_DIR) / "../shared/data/policies";

OnnxModel LoadOrDie(const fs::path& file) {
  Result<OnnxModel> model = OnnxModel::Load(file);
  if (!model.ok()) ADD_FAILURE() << model.error().message;
  return std::move(model).value();
}

using Buffers = std::vector<std::vector<float>>;

/// `rows` evaluations at once; inputs and outputs have one buffer per port.
Buffers Evaluate(const OnnxModel& model, const Buffers& inputs, std::size_t rows,
                 OnnxModel::Scratch& scratch) {
  Buffers outputs;
  for (const OnnxPort& port : model.outputs()) outputs.emplace_back(rows * port.size, -99.0F);
  const std::vector<std::span<const float>> in(inputs.begin(), inputs.end());
  const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
  model.Run(in, out, scratch);
  return outputs;
}

Buffers RandomInputs(const OnnxModel& model, std::size_t rows, const RngStream& stream) {
  Rng rng = stream.Generator();
  Buffers inputs;
  for (const OnnxPort& port : model.inputs()) {
    std::vector<float>& values = inputs.emplace_back(rows * port.size);
    for (float& value : values) value = static_cast<float>(rng.Normal());
  }
  return inputs;
}

/// Inputs and expected outputs by port name.
struct Case {
  std::map<std::string, std::vector<float>> in;
  std::map<std::string, std::vector<float>> out;
};

std::vector<Case> ReadCases(const fs::path& file) {
  std::vector<Case> cases(1);
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string kind;
    std::string name;
    if (!(words >> kind >> name)) {
      cases.emplace_back();
      continue;
    }
    auto& values = (kind == "in" ? cases.back().in : cases.back().out)[name];
    for (float value = 0.0F; words >> value;) values.push_back(value);
  }
  if (cases.back().in.empty()) cases.pop_back();
  return cases;
}

class SmallModelTest : public testing::TestWithParam<const char*> {
 protected:
  const OnnxModel model_ = LoadOrDie(kModels / (std::string(GetParam()) + ".onnx"));
  OnnxModel::Scratch scratch_;
};

TEST_P(SmallModelTest, ComputesWhatNumPySays) {
  const std::vector<Case> cases = ReadCases(kModels / (std::string(GetParam()) + ".txt"));
  ASSERT_EQ(cases.size(), 3U);
  for (const Case& one : cases) {
    Buffers inputs;
    for (const OnnxPort& port : model_.inputs()) inputs.push_back(one.in.at(port.name));
    const Buffers outputs = Evaluate(model_, inputs, 1, scratch_);
    ASSERT_EQ(outputs.size(), one.out.size());
    for (std::size_t i = 0; i < outputs.size(); ++i) {
      const std::vector<float>& expected = one.out.at(model_.outputs()[i].name);
      ASSERT_EQ(outputs[i].size(), expected.size());
      for (std::size_t k = 0; k < expected.size(); ++k) {
        EXPECT_NEAR(outputs[i][k], expected[k], 2e-6F * (1.0F + std::abs(expected[k])))
            << model_.outputs()[i].name << "[" << k << "]";
      }
    }
  }
}

TEST_P(SmallModelTest, GivesARowTheSameBytesAloneAndInEveryBatch) {
  for (const std::size_t rows : {2UL, 3UL, 5UL, 6UL, 7UL, 48UL, 101UL}) {
    const Buffers inputs = RandomInputs(model_, rows, RngStream(rows));
    const Buffers together = Evaluate(model_, inputs, rows, scratch_);
    for (std::size_t row = 0; row < rows; ++row) {
      Buffers alone;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const std::size_t size = model_.inputs()[i].size;
        const auto begin = inputs[i].begin() + static_cast<std::ptrdiff_t>(row * size);
        alone.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(size));
      }
      const Buffers single = Evaluate(model_, alone, 1, scratch_);
      for (std::size_t o = 0; o < single.size(); ++o) {
        const std::size_t size = single[o].size();
        EXPECT_EQ(
            0, std::memcmp(single[o].data(), together[o].data() + row * size, size * sizeof(float)))
            << "row " << row << " of " << rows << ", output " << model_.outputs()[o].name;
      }
    }
  }
}

INSTANTIATE_TEST_SUITE_P(All, SmallModelTest,
                         testing::Values("mlp", "matmul", "gemm", "arithmetic", "layout",
                                         "layout_inputs", "lstm", "lstm_sequence", "gru",
                                         "gru_reset_before", "external", "reductions",
                                         "convolution", "half"),
                         [](const auto& one) { return std::string(one.param); });

TEST(OnnxModelTest, DescribesItsPortsAndMetadata) {
  const OnnxModel model = LoadOrDie(kModels / "mlp.onnx");
  ASSERT_EQ(model.inputs().size(), 1U);
  EXPECT_EQ(model.inputs()[0].name, "obs");
  EXPECT_THAT(model.inputs()[0].shape, ElementsAre(1, 5));
  EXPECT_EQ(model.inputs()[0].size, 5U);
  ASSERT_EQ(model.outputs().size(), 1U);
  EXPECT_EQ(model.outputs()[0].name, "actions");
  EXPECT_THAT(model.metadata(),
              ElementsAre(testing::Pair("layout", "five numbers"), testing::Pair("robot", "none")));
}

TEST(OnnxModelTest, CountsAnOpenDimensionAsOne) {
  EXPECT_THAT(LoadOrDie(kModels / "matmul.onnx").inputs()[0].shape, ElementsAre(1, 4));
}

TEST(OnnxModelTest, PassesNotANumberThrough) {
  const OnnxModel model = LoadOrDie(kModels / "matmul.onnx");
  OnnxModel::Scratch scratch;
  const float nan = std::numeric_limits<float>::quiet_NaN();
  for (const std::vector<float>& output : Evaluate(model, {{1.0F, nan, 0.0F, 2.0F}}, 1, scratch)) {
    for (const float value : output) EXPECT_TRUE(std::isnan(value));
  }
}

TEST(OnnxModelTest, IsSharedByThreads) {
  const OnnxModel model = LoadOrDie(kModels / "lstm.onnx");
  OnnxModel::Scratch scratch;
  const Buffers inputs = RandomInputs(model, 1, RngStream(5));
  const Buffers expected = Evaluate(model, inputs, 1, scratch);
  std::vector<Buffers> results(64);
  ParallelFor(4, results.size(), [&](std::size_t i) {
    OnnxModel::Scratch own;
    results[i] = Evaluate(model, inputs, 1, own);
  });
  for (const Buffers& result : results) EXPECT_EQ(result, expected);
}

TEST(OnnxModelTest, AllocatesNothingOnceItsScratchHasGrown) {
  const OnnxModel model = LoadOrDie(kModels / "lstm.onnx");
  OnnxModel::Scratch scratch;
  const Buffers inputs = RandomInputs(model, 60, RngStream(6));
  Buffers outputs = Evaluate(model, inputs, 60, scratch);
  const std::vector<std::span<const float>> in(inputs.begin(), inputs.end());
  const std::vector<std::span<float>> out(outputs.begin(), outputs.end());
  const std::size_t before = testing_support::AllocationCount();
  model.Run(in, out, scratch);
  EXPECT_EQ(testing_support::AllocationCount(), before);
}

/// A public policy with golden vectors: lines of `inputs ; outputs`, consecutive steps.
struct Golden {
  const char* model;
  const char* vectors;
};

class PublicPolicyTest : public testing::TestWithParam<Golden> {};

TEST_P(PublicPolicyTest, AgreesWithItsGoldenVectors) {
  if (!fs::exists(kPolicies)) GTEST_SKIP() << "no public policies beside the repository";
  const OnnxModel model = LoadOrDie(kPolicies / GetParam().model);
  OnnxModel::Scratch scratch;
  // Input 0 is the observation; the others are recurrent state, zero at first, and output i feeds
  // input i.
  Buffers inputs;
  for (const OnnxPort& port : model.inputs()) inputs.emplace_back(port.size, 0.0F);
  std::ifstream stream(kPolicies / GetParam().vectors);
  int steps = 0;
  for (std::string line; std::getline(stream, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    for (float& value : inputs[0]) words >> value;
    std::string semicolon;
    words >> semicolon;
    ASSERT_EQ(semicolon, ";");
    const Buffers outputs = Evaluate(model, inputs, 1, scratch);
    for (const float value : outputs[0]) {
      float expected = 0.0F;
      ASSERT_TRUE(words >> expected);
      EXPECT_NEAR(value, expected, 1e-5F) << "step " << steps;
    }
    for (std::size_t i = 1; i < inputs.size(); ++i) inputs[i] = outputs[i];
    ++steps;
  }
  EXPECT_EQ(steps, 6);
}

INSTANTIATE_TEST_SUITE_P(All, PublicPolicyTest,
                         testing::Values(Golden{"go2_isaaclab_rough_heightscan/policy_1208.onnx",
                                                "go2_isaaclab_rough_heightscan/golden_1208.txt"},
                                         Golden{"go1_playground/policy.onnx",
                                                "go1_playground/golden.txt"},
                                         Golden{"g1_unitree_rl_gym_lstm/motion_converted.onnx",
                                                "g1_unitree_rl_gym_lstm/golden.txt"}));

}  // namespace
}  // namespace gonogo::nn
