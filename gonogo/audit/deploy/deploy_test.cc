// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/deploy/export_adapter.h"
#include "gonogo/audit/run/choices.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/file.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace gonogo::audit {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

/// A planted benefit, with times, failures and a feature of every action besides.
OutcomeTable DeployTable() {
  OutcomeTable table =
      MakePositiveControl({.clusters = 6, .queries_per_cluster = 12}, RngStream(3));
  Rng rng = RngStream(4).Generator();
  const std::size_t cells = table.num_queries() * table.num_actions();
  ActionFeatureGroup hints{"hint", {"hint_a", "hint_b"}, FeatureMatrix(cells, 2)};
  table.time.clear();
  table.success.clear();
  for (std::size_t cell = 0; cell < cells; ++cell) {
    table.time.push_back(1.0 + 0.08 * rng.Uniform());
    table.success.push_back(rng.Uniform() < 0.9 ? 1 : 0);
    hints.values(static_cast<Eigen::Index>(cell), 0) = static_cast<float>(rng.Normal());
    hints.values(static_cast<Eigen::Index>(cell), 1) = static_cast<float>(table.cost[cell]);
  }
  table.eligible.clear();
  table.action_features = {std::move(hints)};
  return table;
}

Protocol QuickProtocol(LearnerKind kind) {
  Protocol protocol;
  protocol.learner.kind = kind;
  protocol.learner.mlp.epochs = 20;
  protocol.learner.mlp.members = 3;
  protocol.learner.forest.members = 4;
  protocol.learner.trees.rounds = 12;
  protocol.bootstrap.refits = 2;
  return protocol;
}

Protocol CarefulProtocol() {
  Protocol protocol = QuickProtocol(LearnerKind::kRidge);
  protocol.selector.violation_share = 0.5;
  return protocol;
}

TEST(DeployTest, AnAdapterWithABudgetOfViolationsShipsTheGateThatTheBudgetChose) {
  const OutcomeTable table = DeployTable();
  const Protocol protocol = CarefulProtocol();
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  const ShippedAdapter shipped = TrainAdapter(table, result, {{"file", "t.csv"}}, {}).value();
  EXPECT_EQ(shipped.differing_choices, 0U);
  EXPECT_GE(shipped.manifest.gate.z, protocol.selector.z);
  // Aborts if the choices are not those behind the estimates.
  const PotentialOutcomes outcomes = DeriveOutcomes(table, protocol.time_budget);
  EXPECT_EQ(ChooseEverywhere(outcomes, result, {.jobs = 2}).value().choice.size(),
            table.num_queries());
}

class EveryLearnerTest : public testing::TestWithParam<LearnerKind> {};

TEST_P(EveryLearnerTest, ShipsANetworkThatChoosesAsItDoes) {
  const OutcomeTable table = DeployTable();
  const Protocol protocol = QuickProtocol(GetParam());
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  const ShippedAdapter shipped = TrainAdapter(table, result, {{"file", "t.csv"}}, {}).value();
  EXPECT_EQ(shipped.differing_choices, 0U);
  EXPECT_LT(shipped.manifest.checked["largest_difference"], 2e-6);
  EXPECT_THAT(shipped.manifest.outputs, ElementsAre("work", "time", "eligible"));
  std::size_t inputs = 2 * table.num_candidates();
  for (const FeatureGroup& group : table.features) inputs += group.columns.size();
  EXPECT_EQ(shipped.manifest.layout.inputs(), inputs);
  // Forest and policy learn differences, of which the time budget is already taken off.
  const bool difference = GetParam() == LearnerKind::kForest || GetParam() == LearnerKind::kPolicy;
  EXPECT_DOUBLE_EQ(shipped.manifest.gate.time_limit, difference ? 0.0 : 1.10 - 1.0);
}

TEST_P(EveryLearnerTest, ShipsHowMissingValuesAndCategoriesBecomeNumbers) {
  OutcomeTable table = DeployTable();
  const float nothing = std::numeric_limits<float>::quiet_NaN();
  const auto queries = static_cast<Eigen::Index>(table.num_queries());
  FeatureGroup words{"words", {"site"}, FeatureMatrix(queries, 1), {{"north", "south", "west"}}};
  for (Eigen::Index q = 0; q < queries; ++q) {
    words.values(q, 0) = q % 7 == 0 ? nothing : static_cast<float>(q % 3);
    if (q % 5 == 0) table.features[0].values(q, 0) = nothing;
  }
  table.features.push_back(std::move(words));
  table.action_features[0].values(4, 1) = nothing;
  Protocol protocol = QuickProtocol(GetParam());
  protocol.learner.levels = 2;
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  const ShippedAdapter shipped = TrainAdapter(table, result, {{"file", "t.csv"}}, {}).value();
  EXPECT_EQ(shipped.differing_choices, 0U);
  EXPECT_LT(shipped.manifest.checked["largest_difference"], 2e-6);

  const std::filesystem::path folder = testing::TempDir() + "/shipped_kinds";
  ASSERT_TRUE(adapter::WriteAdapter(folder, shipped.manifest, shipped.onnx).ok());
  const adapter::Adapter adapter = adapter::Adapter::Load(folder).value();
  const std::vector<adapter::FeatureKind> kinds = adapter.layout().InputKinds();
  const std::vector<std::string> names = adapter.layout().InputNames();
  const auto site =
      static_cast<std::size_t>(std::find(names.begin(), names.end(), "site") - names.begin());
  EXPECT_THAT(kinds[site].levels, ElementsAre("north", "south", "west"));
  EXPECT_TRUE(kinds[0].may_be_missing && kinds[site].may_be_missing && !kinds[1].may_be_missing);
  adapter::Adapter::Scratch scratch(adapter);
  std::vector<float> row(names.size(), 0.0F);
  row[0] = nothing;
  row[site] = 17.0F;  // a text that the table did not have
  EXPECT_TRUE(adapter.Choose(row, scratch).has_value());
  row[site] = 0.5F;
  EXPECT_FALSE(adapter.Choose(row, scratch).has_value());
  row[site] = 0.0F;
  row[1] = nothing;
  EXPECT_FALSE(adapter.Choose(row, scratch).has_value());
}

TEST_P(EveryLearnerTest, KeepsTheChoicesBehindItsEstimates) {
  const OutcomeTable table = DeployTable();
  const Protocol protocol = QuickProtocol(GetParam());
  const AuditResult result = RunAudit(table, protocol, {}, {}).value();
  const PotentialOutcomes outcomes = DeriveOutcomes(table, protocol.time_budget);
  const QueryChoices choices = ChooseEverywhere(outcomes, result, {.jobs = 2}).value();
  double chosen = 0.0;
  double direct = 0.0;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    chosen += table.cost[table.cell(query, choices.choice[query])];
    direct += table.cost[table.cell(query, kDirect)];
    for (std::size_t c = 0; c < table.num_candidates(); ++c) {
      const adapter::EffectBounds& bounds = choices.expected[query * table.num_candidates() + c];
      EXPECT_GE(bounds.work_upper, bounds.work);
      EXPECT_LE(bounds.eligible_lower, bounds.eligible);
      if (choices.choice[query] == c + 1) {
        EXPECT_LT(bounds.work_upper, 0.0);
      }
    }
  }
  EXPECT_NEAR(1.0 - chosen / direct, result.h_total.point, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(All, EveryLearnerTest,
                         testing::Values(LearnerKind::kRidge, LearnerKind::kMlp,
                                         LearnerKind::kTrees, LearnerKind::kForest,
                                         LearnerKind::kPolicy),
                         [](const auto& kind) { return std::string(Name(kind.param)); });

TEST(DeployTest, AnExportThatWasReadAgainChoosesTheSameBitForBit) {
  const OutcomeTable table = DeployTable();
  const AuditResult result = RunAudit(table, QuickProtocol(LearnerKind::kRidge), {}, {}).value();
  const ShippedAdapter shipped = TrainAdapter(table, result, {}, {}).value();
  const std::filesystem::path folder = testing::TempDir() + "/shipped";
  ASSERT_TRUE(adapter::WriteAdapter(folder, shipped.manifest, shipped.onnx).ok());
  const adapter::Adapter here =
      adapter::Adapter::Create(shipped.manifest, shipped.onnx, "here").value();
  const Result<adapter::Adapter> there = adapter::Adapter::Load(folder);
  ASSERT_TRUE(there.ok()) << there.error().message;
  EXPECT_EQ(here.identity(), there.value().identity());
  EXPECT_EQ(here.manifest().gate, there.value().manifest().gate);
  EXPECT_EQ(here.manifest().inputs, there.value().manifest().inputs);
  adapter::Adapter::Scratch one(here);
  adapter::Adapter::Scratch two(there.value());
  std::vector<float> row(here.layout().inputs());
  Rng rng = RngStream(5).Generator();
  for (int i = 0; i < 50; ++i) {
    for (float& value : row) value = static_cast<float>(rng.Normal());
    const auto a = here.Predict(row, one);
    const auto b = there.value().Predict(row, two);
    for (std::size_t j = 0; j < a.members * a.candidates; ++j) EXPECT_EQ(a.work[j], b.work[j]);
    EXPECT_EQ(here.Choose(row, one), there.value().Choose(row, two));
  }
}

TEST(DeployTest, GivenChoicesCannotBeExported) {
  OutcomeTable table = DeployTable();
  table.choice.assign(table.num_queries(), 1);
  const AuditResult result = AuditChoices(table, QuickProtocol(LearnerKind::kRidge)).value();
  EXPECT_THAT(TrainAdapter(table, result, {}, {}).error().message,
              HasSubstr("there is no learner to export"));
}

/// Two queries of two actions, the second cheaper in the first query; given choices.
struct SmallChoices {
  OutcomeTable table{.actions = {"a", "b"},
                     .clusters = {"k"},
                     .cluster_begin = {0, 2},
                     .queries = {"q,1", "q2"},
                     .cost = {2.0, 1.0, 1.0, 3.0}};
  PotentialOutcomes outcomes = DeriveOutcomes(table, 1.1);
  QueryChoices choices{.choice = {1, 0},
                       .expected = {{-0.5, -0.25, std::nan(""), std::nan(""), 0.75, 0.5},
                                    {0.5, 0.75, std::nan(""), std::nan(""), 1.0, 1.0}}};
};

TEST(ChoicesFileTest, WritesARowForEveryQueryAndAction) {
  const SmallChoices small;
  const std::filesystem::path file = testing::TempDir() + "/choices.csv";
  ASSERT_TRUE(WriteChoices(file, small.outcomes, small.choices).ok());
  EXPECT_EQ(io::ReadFile(file).value(),
            "cluster,query,action,chosen,oracle,predicted_work,predicted_work_upper,"
            "predicted_time,predicted_time_upper,predicted_eligible,predicted_eligible_lower,"
            "cost,time,success,eligible\n"
            "k,\"q,1\",a,0,0,,,,,,,2,,,1\n"
            "k,\"q,1\",b,1,1,-0.5,-0.25,,,0.75,0.5,1,,,1\n"
            "k,q2,a,1,1,,,,,,,1,,,1\n"
            "k,q2,b,0,0,0.5,0.75,,,1,1,3,,,1\n");
}

TEST(ChoicesFileTest, WritesTheSameAsHdf5) {
  const SmallChoices small;
  const std::filesystem::path path = testing::TempDir() + "/choices.h5";
  ASSERT_TRUE(WriteChoices(path, small.outcomes, small.choices).ok());
  const io::Hdf5File file = io::Hdf5File::Open(path).value();
  EXPECT_THAT(file.ReadStrings("/query").value(), ElementsAre("q,1", "q2"));
  EXPECT_THAT(file.Read<std::int32_t>("/choice").value().values, ElementsAre(1, 0));
  EXPECT_THAT(file.Read<std::int32_t>("/oracle").value().values, ElementsAre(1, 0));
  const io::Array<double> work = file.Read<double>("/predicted_work_upper").value();
  EXPECT_THAT(work.shape, ElementsAre(2, 2));
  EXPECT_TRUE(std::isnan(work.values[0]));
  EXPECT_EQ(work.values[1], -0.25);
  EXPECT_FALSE(file.Has("/time"));
}

TEST(ChoicesFileTest, RefusesAnotherEnding) {
  const SmallChoices small;
  EXPECT_THAT(WriteChoices("choices.txt", small.outcomes, small.choices).error().message,
              HasSubstr("--choices-out choices.txt: expected a name that ends in .csv or .h5"));
}

}  // namespace
}  // namespace gonogo::audit
