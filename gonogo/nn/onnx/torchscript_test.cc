// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/onnx/torchscript.h"

#include <cmath>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <stdexcept>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::nn {
namespace {

namespace fs = std::filesystem;
using testing::AllOf;
using testing::HasSubstr;

const fs::path kScripts = fs::path(GONOGO_SOURCE_DIR) / "gonogo/nn/testdata/torchscript";
const fs::path kShippedRobots = fs::path(GONOGO_SOURCE_DIR) / "../shared/data/policies";

Result<std::string> ConvertFile(const fs::path& file,
                                const std::vector<std::int64_t>& inputs = {}) {
  return ConvertTorchScript(io::ReadFile(file).value(), file.filename().string(), inputs);
}

OnnxModel ConvertedOrDie(const fs::path& file) {
  const Result<std::string> bytes = ConvertFile(file);
  if (!bytes.ok()) throw std::runtime_error(bytes.error().message);
  Result<OnnxModel> model = OnnxModel::Parse(bytes.value(), "converted");
  if (!model.ok()) throw std::runtime_error(model.error().message);
  return std::move(model).value();
}

/// What PyTorch computed: inputs and outputs by name, evaluation after evaluation.
std::vector<std::map<std::string, std::vector<float>>> ReadEvaluations(const fs::path& file) {
  std::vector<std::map<std::string, std::vector<float>>> all(1);
  std::ifstream stream(file);
  for (std::string line; std::getline(stream, line);) {
    std::istringstream words(line);
    std::string kind;
    std::string name;
    if (!(words >> kind >> name)) {
      all.emplace_back();
      continue;
    }
    auto& values = all.back()[name];
    for (float value = 0.0F; words >> value;) values.push_back(value);
  }
  if (all.back().empty()) all.pop_back();
  return all;
}

/// Runs a model step after step; inputs without given numbers are the state, zero at first.
class Recurrent {
 public:
  explicit Recurrent(const OnnxModel& model) : model_(model) {
    for (const OnnxPort& port : model.inputs()) state_[port.name].assign(port.size, 0.0F);
  }

  std::map<std::string, std::vector<float>> Step(
      const std::map<std::string, std::vector<float>>& given) {
    std::vector<std::vector<float>> in;
    for (const OnnxPort& port : model_.inputs()) {
      const auto found = given.find(port.name);
      in.push_back(found == given.end() ? state_.at(port.name) : found->second);
      EXPECT_EQ(in.back().size(), port.size) << port.name;
    }
    std::vector<std::vector<float>> out;
    for (const OnnxPort& port : model_.outputs()) out.emplace_back(port.size);
    const std::vector<std::span<const float>> inputs(in.begin(), in.end());
    const std::vector<std::span<float>> outputs(out.begin(), out.end());
    model_.Run(inputs, outputs, scratch_);
    std::map<std::string, std::vector<float>> results;
    for (std::size_t i = 0; i < out.size(); ++i) {
      std::string name = model_.outputs()[i].name;
      results[name] = out[i];
      if (!name.ends_with("_out")) continue;
      state_[name.replace(name.size() - 4, 4, "_in")] = out[i];
    }
    return results;
  }

 private:
  const OnnxModel& model_;
  std::map<std::string, std::vector<float>> state_;
  OnnxModel::Scratch scratch_;
};

class ConvertedScriptTest : public testing::TestWithParam<const char*> {};

TEST_P(ConvertedScriptTest, ComputesWhatPyTorchDoes) {
  const OnnxModel model = ConvertedOrDie(kScripts / (std::string(GetParam()) + ".pt"));
  const auto evaluations = ReadEvaluations(kScripts / (std::string(GetParam()) + ".txt"));
  ASSERT_EQ(evaluations.size(), 4U);
  Recurrent recurrent(model);
  for (const auto& evaluation : evaluations) {
    const auto results = recurrent.Step(evaluation);
    int compared = 0;
    for (const auto& [name, values] : results) {
      const auto expected = evaluation.find(name);
      if (expected == evaluation.end()) continue;
      ++compared;
      ASSERT_EQ(values.size(), expected->second.size());
      for (std::size_t i = 0; i < values.size(); ++i) {
        EXPECT_NEAR(values[i], expected->second[i], 1e-6) << name << "[" << i << "]";
      }
    }
    EXPECT_GE(compared, 1);
  }
}

INSTANTIATE_TEST_SUITE_P(Forms, ConvertedScriptTest,
                         testing::Values("stack", "stack_traced", "normalised", "normalised_traced",
                                         "lstm", "lstm_two_layers", "gru", "gru_batch_first", "him",
                                         "him_traced", "encoder", "convolution", "activations",
                                         "arithmetic", "traced"));

TEST(TorchScriptTest, StateIsAPairOfPortsBehindTheObservation) {
  const OnnxModel model = ConvertedOrDie(kScripts / "lstm.pt");
  ASSERT_EQ(model.inputs().size(), 3U);
  EXPECT_EQ(model.inputs()[0].name, "x");
  EXPECT_EQ(model.inputs()[1].name, "cell_state_in");
  EXPECT_EQ(model.inputs()[2].name, "hidden_state_in");
  ASSERT_EQ(model.outputs().size(), 3U);
  EXPECT_EQ(model.outputs()[1].name, "cell_state_out");
}

TEST(TorchScriptTest, ANormaliserStaysVisible) {
  const OnnxModel model = ConvertedOrDie(kScripts / "normalised.pt");
  ASSERT_TRUE(model.normaliser().has_value());
  EXPECT_EQ(model.normaliser()->mean.size(), 6U);
}

std::string Refused(const std::string& file) {
  const Result<std::string> converted = ConvertFile(kScripts / file);
  return converted.ok() ? "accepted" : converted.error().message;
}

TEST(TorchScriptTest, WhatIsNotSupportedIsRefusedByItsOperatorFileAndLine) {
  EXPECT_THAT(Refused("refused_index_put.pt"),
              AllOf(HasSubstr("refused_index_put.pt: code/__torch__.py:"),
                    HasSubstr("operator 'torch.index_put_': this operator is not supported")));
  EXPECT_THAT(Refused("refused_noise.pt"), HasSubstr("operator 'torch.randn'"));
  EXPECT_THAT(Refused("refused_branch.pt"), HasSubstr("operator 'torch.gt'"));
  EXPECT_THAT(Refused("refused_count.pt"),
              HasSubstr("it keeps 'calls', which is no tensor, from one call to the next"));
  EXPECT_THAT(Refused("weights_alone.pt"),
              AllOf(HasSubstr("weights alone"), HasSubstr("torch.jit.script")));
}

TEST(TorchScriptTest, AnInputOfAnySizeIsAskedForAndNotGuessed) {
  EXPECT_THAT(Refused("refused_any_size.pt"), HasSubstr("--inputs"));
  const Result<std::string> told = ConvertFile(kScripts / "refused_any_size.pt", {9});
  ASSERT_TRUE(told.ok()) << told.error().message;
  EXPECT_EQ(OnnxModel::Parse(told.value(), "told").value().inputs()[0].size, 9U);
}

TEST(TorchScriptTest, DamagedArchivesAreRefusedWhereverTheyAreCut) {
  const std::string whole = io::ReadFile(kScripts / "gru_batch_first.pt").value();
  for (std::size_t size = 0; size < whole.size(); size += 97) {
    EXPECT_FALSE(ConvertTorchScript(whole.substr(0, size), "cut").ok()) << size;
  }
}

TEST(TorchScriptTest, AWrongChecksumIsNamed) {
  std::string bytes = io::ReadFile(kScripts / "stack.pt").value();
  const std::size_t at = bytes.find("class Exporter");
  ASSERT_EQ(at, std::string::npos);  // code is packed; a pickle is not
  const std::size_t pickle = bytes.find("_is_full_backward_hook");
  ASSERT_NE(pickle, std::string::npos);
  bytes[pickle] = 'X';
  const Result<std::string> converted = ConvertTorchScript(bytes, "damaged");
  ASSERT_FALSE(converted.ok());
  EXPECT_THAT(converted.error().message, HasSubstr("checksum"));
}

TEST(TorchScriptTest, APublicPolicyGivesTheNumbersOfItsReadme) {
  const fs::path folder = kShippedRobots / "b2_rl_sar_torchscript";
  if (!fs::exists(folder)) GTEST_SKIP() << "no public policies";
  const OnnxModel model = ConvertedOrDie(folder / "policy.pt");
  std::ifstream lines(folder / "golden.txt");
  int compared = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("#")) continue;
    ++compared;
    std::vector<std::vector<float>> sides(1);
    std::istringstream words(line);
    for (std::string word; words >> word;) {
      if (word == ";") {
        sides.emplace_back();
      } else {
        sides.back().push_back(std::stof(word));
      }
    }
    ASSERT_EQ(sides.size(), 2U);
    Recurrent recurrent(model);
    const std::vector<float> actions = recurrent.Step({{"x", sides[0]}}).at("actions");
    ASSERT_EQ(actions.size(), sides[1].size());
    for (std::size_t i = 0; i < actions.size(); ++i) {
      EXPECT_NEAR(actions[i], sides[1][i], 2e-6F * (1.0F + std::abs(sides[1][i])));
    }
  }
  EXPECT_EQ(compared, 6);
}

}  // namespace
}  // namespace gonogo::nn
