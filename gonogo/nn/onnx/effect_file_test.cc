// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx_pb.h>

#include "gonogo/nn/mlp/treatment_effect.h"
#include "gonogo/nn/onnx/export.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::nn {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// All outputs of an exported model for some rows, one vector each.
std::vector<std::vector<float>> RunEffects(const EffectModel& effects, std::vector<float> x) {
  const Result<OnnxModel> model = OnnxModel::Parse(SerialiseEffects(effects, {}), "adapter.onnx");
  if (!model.ok()) {
    ADD_FAILURE() << model.error().message;
    return {};
  }
  const std::size_t rows = x.size() / model.value().inputs()[0].size;
  std::vector<std::vector<float>> values;
  for (const OnnxPort& port : model.value().outputs()) values.emplace_back(rows * port.size);
  const std::vector<std::span<float>> outputs(values.begin(), values.end());
  const std::span<const float> input(x);
  OnnxModel::Scratch scratch;
  model.value().Run({&input, 1}, outputs, scratch);
  return values;
}

/// Below 2.5 the candidate costs 1 less than otherwise; both candidates in every leaf.
EffectModel OneTree() {
  EffectTree tree{.nodes = {{.feature = 1, .threshold = 2.5F, .below = 1, .other = 2},
                            {.leaf = 0},
                            {.leaf = 1}},
                  .targets = {0, 1},
                  .values = {-1.0F, 3.0F, 0.0F, 4.0F}};
  return {.features = 2,
          .candidates = 2,
          .outputs = {{"work"}},
          .body = TreeEffects{.base = {0.5F, 0.0F}, .trees = {tree, tree}}};
}

TEST(EffectModelTest, TreesSendARowBelowTheThresholdOneWayAndEverythingElseTheOther) {
  const float below = std::nextafter(2.5F, 0.0F);
  EXPECT_THAT(RunEffects(OneTree(), {9.0F, below, 9.0F, 2.5F})[0],
              ElementsAre(-1.5F, 6.0F, 0.5F, 8.0F));
}

TEST(EffectModelTest, LinearEffectsStandardiseMultiplyAndClipWhatIsAProbability) {
  // z = (x - 1) / 2; work = 2 z - 1 and z, eligible = z and 1 - z.
  const EffectModel model{
      .features = 1,
      .candidates = 2,
      .outputs = {{"work"}, {"eligible", EffectLink::kUnitInterval}},
      .body = LinearEffects{{{1.0}, {2.0}}, {2.0F, 1.0F, 1.0F, -1.0F}, {-1.0F, 0.0F, 0.0F, 1.0F}}};
  const auto values = RunEffects(model, {7.0F});  // z = 3
  EXPECT_THAT(values[0], ElementsAre(5.0F, 3.0F));
  EXPECT_THAT(values[1], ElementsAre(1.0F, 0.0F));
}

TEST(EffectModelTest, AnEnsembleGivesItsOwnPredictionsUpToRounding) {
  constexpr int kQueries = 5;
  TreatmentData data{.candidates = 3};
  data.features = Batch<float>::Random(kQueries, 4);
  data.action_features = Batch<float>::Random(kQueries * 3, 2);
  data.targets = Batch<float>::Random(kQueries * 3, 2);
  const std::vector<int> once(kQueries, 1);
  const std::vector<std::vector<int>> draws = {once, {2, 0, 1, 1, 1}};
  const TreatmentConfig config{
      .hidden = {6}, .losses = {Loss::kSmoothL1, Loss::kBinaryCrossEntropy}, .epochs = 2};
  const Ensemble ensemble = TrainTreatmentEnsemble(data, once, draws, config, RngStream(4)).value();
  const std::vector<float> expected = PredictTreatments(ensemble, data, 0, kQueries);
  std::vector<float> x;
  for (int q = 0; q < kQueries; ++q) {
    x.insert(x.end(), data.features.row(q).begin(), data.features.row(q).end());
    for (int c = 0; c < 3; ++c) {
      const auto row = data.action_features.row(q * 3 + c);
      x.insert(x.end(), row.begin(), row.end());
    }
  }
  const auto values = RunEffects({.features = 4,
                                  .action_features = 2,
                                  .candidates = 3,
                                  .members = 2,
                                  .outputs = {{"work"}, {"eligible"}},
                                  .body = ensemble},
                                 x);
  for (int q = 0; q < kQueries; ++q) {
    for (int m = 0; m < 2; ++m) {
      for (int c = 0; c < 3; ++c) {
        const std::size_t from = ((m * kQueries + q) * 3 + c) * 2;
        const std::size_t to = (q * 2 + m) * 3 + c;
        EXPECT_NEAR(values[0][to], expected[from], 1e-6);
        EXPECT_NEAR(values[1][to], expected[from + 1], 1e-6);
      }
    }
  }
}

TEST(EffectModelTest, AColumnThatMissesValuesAndACategoryAreEncodedInsideTheNetwork) {
  const ColumnEncoding number{.may_be_missing = true, .fill = 2.5F};
  const ColumnEncoding category{.is_category = true, .may_be_missing = true, .levels = {0, 3}};
  const ColumnEncoding plain;
  const std::vector<ColumnEncoding> features = {number, category, plain};
  const std::vector<ColumnEncoding> of_actions = {ColumnEncoding{.is_category = true}};
  // Every output is one of the encoded columns: work of candidate c is column c.
  constexpr std::size_t kInputs = 2 + 4 + 1 + 2 * 1;
  const std::size_t candidates = 2;
  for (std::size_t column = 0; column + 1 < kInputs; ++column) {
    LinearEffects linear{{std::vector<double>(kInputs, 0.0), std::vector<double>(kInputs, 1.0)},
                         std::vector<float>(kInputs * candidates, 0.0F),
                         {0.0F, 0.0F}};
    linear.weight[column * candidates] = 1.0F;
    linear.weight[(column + 1) * candidates + 1] = 1.0F;
    const EffectModel model{.features = 7,
                            .action_features = 1,
                            .candidates = candidates,
                            .outputs = {{"work"}},
                            .body = linear,
                            .feature_encodings = features,
                            .action_feature_encodings = of_actions};
    const float nothing = std::numeric_limits<float>::quiet_NaN();
    const std::vector<std::vector<float>> rows = {{1.5F, 3.0F, -4.0F, 0.0F, 7.0F},
                                                  {nothing, 0.0F, 1e30F, 5.0F, 5.0F},
                                                  {-0.25F, nothing, 0.5F, 1.0F, 2.0F},
                                                  {8.0F, 1.0F, 0.0F, 1.0F, 2.0F}};
    for (const std::vector<float>& row : rows) {
      std::vector<float> expected(kInputs);
      number.Apply(row[0], std::span(expected).subspan(0, 2));
      category.Apply(row[1], std::span(expected).subspan(2, 4));
      plain.Apply(row[2], std::span(expected).subspan(6, 1));
      of_actions[0].Apply(row[3], std::span(expected).subspan(7, 1));
      of_actions[0].Apply(row[4], std::span(expected).subspan(8, 1));
      EXPECT_THAT(RunEffects(model, row)[0], ElementsAre(expected[column], expected[column + 1]));
    }
  }
}

TEST(ColumnEncodingTest, GivesHandWorkedColumns) {
  const auto encoded = [](const ColumnEncoding& encoding, float value) {
    std::vector<float> out(encoding.width());
    encoding.Apply(value, out);
    return out;
  };
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  const ColumnEncoding number{.may_be_missing = true, .fill = 2.5F};
  EXPECT_THAT(encoded(number, 7.0F), ElementsAre(7.0F, 0.0F));
  EXPECT_THAT(encoded(number, nothing), ElementsAre(2.5F, 1.0F));
  const ColumnEncoding category{.is_category = true, .may_be_missing = true, .levels = {0, 3}};
  EXPECT_THAT(encoded(category, 3.0F), ElementsAre(0.0F, 1.0F, 0.0F, 0.0F));
  EXPECT_THAT(encoded(category, 2.0F), ElementsAre(0.0F, 0.0F, 1.0F, 0.0F));
  EXPECT_THAT(encoded(category, 99.0F), ElementsAre(0.0F, 0.0F, 1.0F, 0.0F));
  EXPECT_THAT(encoded(category, nothing), ElementsAre(0.0F, 0.0F, 0.0F, 1.0F));
}

/// The message with which trees are refused after `damage` was done to their node.
template <typename Damage>
std::string TreeRefusal(Damage&& damage) {
  ::onnx::ModelProto proto;
  EXPECT_TRUE(proto.ParseFromString(SerialiseEffects(OneTree(), {})));
  for (auto& attribute : *proto.mutable_graph()->mutable_node(0)->mutable_attribute()) {
    damage(attribute.name(), attribute);
  }
  const Result<OnnxModel> model = OnnxModel::Parse(proto.SerializeAsString(), "a.onnx");
  return model.ok() ? "accepted" : model.error().message;
}

TEST(EffectModelTest, RefusesTreesThatNoWalkEndsIn) {
  EXPECT_THAT(TreeRefusal([](const std::string& name, auto& a) {
                if (name == "nodes_modes") a.set_strings(1, "BRANCH_LT");
              }),
              HasSubstr("node 'trees' (TreeEnsembleRegressor): tree 0 reaches a node twice"));
}

TEST(EffectModelTest, RefusesTreesWithWrongNumbers) {
  const auto with = [](const char* list, int at, std::int64_t value) {
    return TreeRefusal([=](const std::string& name, auto& a) {
      if (name == list) a.set_ints(at, value);
    });
  };
  EXPECT_THAT(with("nodes_featureids", 0, 2), HasSubstr("a node asks for feature 2 of 2"));
  EXPECT_THAT(with("target_ids", 0, 2), HasSubstr("a leaf adds to target 2 of 2"));
  EXPECT_THAT(with("nodes_truenodeids", 0, 7), HasSubstr("tree 0 has no node 7"));
  EXPECT_THAT(with("nodes_nodeids", 1, 0), HasSubstr("tree 0 has two nodes 0"));
  EXPECT_THAT(TreeRefusal([](const std::string& name, auto& a) {
                if (name == "nodes_modes") a.set_strings(0, "BRANCH_GT");
              }),
              HasSubstr("node mode 'BRANCH_GT' is not supported"));
  EXPECT_THAT(TreeRefusal([](const std::string& name, auto& a) {
                if (name == "nodes_values") a.mutable_floats()->RemoveLast();
              }),
              HasSubstr("a list of nodes has 5 entries, nodes_treeids has 6"));
}

}  // namespace
}  // namespace gonogo::nn
