// SPDX-License-Identifier: Apache-2.0
// Every number of testdata/golden.json (see the README there) to 1e-12.
#include <algorithm>
#include <fstream>
#include <map>
#include <numeric>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/estimands/fold_bootstrap.h"
#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/rules/verdict.h"
#include "gonogo/stats/cluster_split.h"

namespace gonogo::audit {
namespace {

using Json = nlohmann::json;
constexpr double kTolerance = 1e-12;

const Json& Golden() {
  static const Json kGolden = [] {
    std::ifstream file(GONOGO_SOURCE_DIR "/gonogo/audit/testdata/golden.json");
    return Json::parse(file);
  }();
  return kGolden;
}

/// A golden table in our layout: queries ordered by cluster label, as `labels` are.
struct GoldenTable {
  explicit GoldenTable(const Json& golden) : json(golden) {
    const auto label = golden["cluster"].get<std::vector<int>>();
    order.resize(label.size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return label[a] < label[b]; });
    const std::size_t actions = golden["W"][0].size();
    for (std::size_t a = 0; a < actions; ++a) table.actions.push_back(std::to_string(a));
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::string name = std::to_string(label[order[i]]);
      if (table.clusters.empty() || table.clusters.back() != name) {
        table.clusters.push_back(name);
        table.cluster_begin.push_back(i);
      }
      for (std::size_t a = 0; a < actions; ++a) {
        table.cost.push_back(golden["W"][order[i]][a]);
        table.time.push_back(golden["T"][order[i]][a]);
        table.success.push_back(golden["S"][order[i]][a].get<std::uint8_t>());
      }
      choice.push_back(golden["choice"][order[i]].get<ActionIndex>());
    }
    table.cluster_begin.push_back(order.size());
    outcomes = DeriveOutcomes(table, golden["rho"]);
    for (std::size_t k = 0; k < table.num_clusters(); ++k) {
      const QueryRange range = table.queries_of(k);
      choices.push_back(SummariseChoices(
          outcomes, k, std::span<const ActionIndex>(choice).subspan(range.begin, range.size())));
    }
  }

  [[nodiscard]] double kappa() const { return json["kappa"]; }
  [[nodiscard]] std::vector<HeldOutCluster> LeaveOneOutFolds() const {
    std::vector<HeldOutCluster> folds;
    for (std::size_t k = 0; k < table.num_clusters(); ++k) {
      const stats::ClusterSplit split = stats::LeaveOneOut(table.num_clusters(), k);
      folds.push_back(
          {&choices[k], SelectFixedAction(outcomes.totals, split.multiplicity, kappa())});
    }
    return folds;
  }

  const Json& json;
  std::vector<std::size_t> order;
  OutcomeTable table;
  std::vector<ActionIndex> choice;
  PotentialOutcomes outcomes;
  std::vector<ChoiceTotals> choices;
};

void ExpectEstimands(const Estimands& ours, const Json& golden) {
  EXPECT_EQ(ours.queries, golden["n"].get<double>());
  EXPECT_EQ(ours.global_action, golden["a_global"].get<ActionIndex>());
  EXPECT_EQ(ours.global_action_unconstrained, golden["a_global_unconstrained"].get<ActionIndex>());
  EXPECT_EQ(ours.folds_beating_mixture, golden["folds_beating_mix"].get<std::size_t>());
  const std::map<std::string, double> numbers = {
      {"H_global", ours.h_global},
      {"H_global_unconstrained", ours.h_global_unconstrained},
      {"H_avail", ours.h_avail},
      {"H_total", ours.h_total},
      {"H_alloc", ours.h_alloc},
      {"H_alloc_pooled", ours.h_alloc_pooled},
      {"H_dep", ours.h_dep},
      {"q", ours.q},
      {"q_mix", ours.q_mix},
      {"q_ref", ours.q_ref},
      {"activation", ours.activation},
      {"oracle_agreement", ours.oracle_agreement},
      {"success", ours.success.value()},
      {"success_direct", ours.success_direct.value()},
      {"success_oracle", ours.success_oracle.value()},
      {"mix_total", ours.mixture_total},
      {"cov_sum", ours.covariance_gain}};
  for (const auto& [key, value] : numbers) {
    EXPECT_NEAR(value, golden[key].get<double>(), kTolerance) << key;
  }
}

class GoldenTableTest : public testing::TestWithParam<std::size_t> {
 protected:
  GoldenTable golden_{Golden()["tables"][GetParam()]};
};

TEST_P(GoldenTableTest, EligibilityAndOracleAgree) {
  for (std::size_t i = 0; i < golden_.order.size(); ++i) {
    const std::size_t row = golden_.order[i];
    EXPECT_EQ(golden_.outcomes.oracle[i], golden_.json["oracle"][row].get<ActionIndex>());
    for (ActionIndex a = 0; a < golden_.table.num_actions(); ++a) {
      EXPECT_EQ(golden_.outcomes.eligible[golden_.table.cell(i, a)],
                golden_.json["eligible"][row][a].get<int>());
    }
  }
}

TEST_P(GoldenTableTest, LeaveOneOutEstimandsAgree) {
  const std::vector<HeldOutCluster> folds = golden_.LeaveOneOutFolds();
  for (const HeldOutCluster& fold : folds) {
    const std::string& label = golden_.table.clusters[fold.choices->cluster];
    EXPECT_EQ(fold.reference, golden_.json["loso"]["refs"][label].get<ActionIndex>());
  }
  ExpectEstimands(Evaluate(golden_.outcomes.totals, folds, golden_.kappa()), golden_.json["loso"]);
}

TEST_P(GoldenTableTest, OutOfBagEstimandsAgreeForBothMixtures) {
  for (const Json& replicate : golden_.json["bootstrap"]) {
    const stats::ClusterSplit split{replicate["counts"].get<std::vector<std::uint32_t>>()};
    const ActionIndex reference =
        SelectFixedAction(golden_.outcomes.totals, split.multiplicity, golden_.kappa());
    EXPECT_EQ(reference, replicate["ref"].get<ActionIndex>());
    std::vector<HeldOutCluster> held_out;
    for (const std::size_t k : stats::HeldOut(split)) {
      held_out.push_back({&golden_.choices[k], reference});
    }
    const bool pooled = replicate["mixture"] == "pooled";
    ExpectEstimands(Evaluate(golden_.outcomes.totals, held_out, golden_.kappa(),
                             pooled ? Mixture::kPooled : Mixture::kWithinCluster),
                    replicate["expect"]);
  }
}

TEST_P(GoldenTableTest, ResampledFoldSumsAgree) {
  std::vector<ComparatorSums> folds;
  for (const HeldOutCluster& fold : golden_.LeaveOneOutFolds()) {
    folds.push_back(SumCluster(golden_.outcomes.totals, fold));
  }
  for (const Json& replicate : golden_.json["fold_bootstrap"]) {
    const auto counts = replicate["counts"].get<std::vector<std::uint32_t>>();
    const FoldGains gains = CombineFolds(folds, counts, Aggregate::kRatioOfSums);
    EXPECT_NEAR(gains.h_alloc, replicate["H_alloc"].get<double>(), kTolerance);
    EXPECT_NEAR(gains.h_total, replicate["H_total"].get<double>(), kTolerance);
    EXPECT_NEAR(gains.q, replicate["q"].get<double>(), kTolerance);
  }
}

TEST_P(GoldenTableTest, MixtureMinusPolicyIsMinusTheCovariance) {
  for (const ChoiceTotals& choices : golden_.choices) {
    EXPECT_LT(CovarianceResidual(golden_.outcomes.totals, choices), kTolerance);
  }
}

INSTANTIATE_TEST_SUITE_P(AllTables, GoldenTableTest, testing::Range<std::size_t>(0, 5),
                         [](const testing::TestParamInfo<std::size_t>& table) {
                           return Golden()["tables"][table.param]["name"].get<std::string>();
                         });

std::vector<double> Flatten(const Json& members) {
  std::vector<double> flat;
  for (const Json& member : members) {
    for (const Json& query : member) {
      for (const Json& value : query) flat.push_back(value);
    }
  }
  return flat;
}

TEST(GoldenTest, SelectorMakesTheSameChoices) {
  for (const Json& golden : Golden()["selector"]) {
    const MemberPredictions predictions{.members = golden["work"].size(),
                                        .queries = golden["work"][0].size(),
                                        .candidates = golden["work"][0][0].size(),
                                        .work = Flatten(golden["work"]),
                                        .time = Flatten(golden["time"]),
                                        .eligible = Flatten(golden["prob"])};
    const SelectorOptions options{
        .z = golden["z"], .ddof = golden["ddof"], .min_eligibility = golden["p_min"]};
    std::vector<ActionIndex> choices(predictions.queries);
    SelectActions(predictions, golden["rho"].get<double>() - 1.0, options, choices);
    EXPECT_EQ(choices, golden["choice"].get<std::vector<ActionIndex>>());
  }
}

TEST(GoldenTest, PercentileIntervalsAgree) {
  for (const Json& golden : Golden()["intervals"]) {
    const auto values = golden["x"].get<std::vector<double>>();
    const stats::Interval interval = stats::PercentileInterval(values, golden["level"]);
    EXPECT_NEAR(interval.lower, golden["lower"].get<double>(), kTolerance);
    EXPECT_NEAR(interval.upper, golden["upper"].get<double>(), kTolerance);
  }
}

stats::Interval ToInterval(const Json& json) { return {.lower = json[0], .upper = json[1]}; }

TEST(GoldenTest, DecisionsAgreeIncludingThePapersFourRows) {
  std::size_t paper_rows = 0;
  for (const Json& golden : Golden()["decisions"]) {
    const Evidence evidence{.deployment = ToInterval(golden["D"]),
                            .allocation = ToInterval(golden["A"]),
                            .violation = ToInterval(golden["q"])};
    const Thresholds thresholds{.delta_dep = golden["delta_dep"],
                                .delta_alloc = golden["delta_alloc"],
                                .kappa = golden["kappa"]};
    EXPECT_EQ(Name(Decide(evidence, thresholds).verdict), golden["decision"].get<std::string>());
    if (!golden["note"].get<std::string>().empty()) ++paper_rows;
  }
  EXPECT_EQ(paper_rows, 4U);
}

TEST(GoldenTest, ResolutionAgrees) {
  for (const Json& golden : Golden()["resolution"]) {
    const auto resolve = golden["channel"] == "q" ? ResolveRate : ResolveGain;
    const Resolution ours =
        resolve(golden["point"], golden["bound"], golden["threshold"], golden["N"]);
    EXPECT_EQ(Name(ours.status), golden["status"].get<std::string>()) << golden["note"];
    EXPECT_EQ(ours.clusters.has_value(), !golden["clusters"].is_null());
    if (ours.clusters.has_value()) {
      EXPECT_EQ(*ours.clusters, golden["clusters"].get<std::size_t>()) << golden["note"];
    }
  }
}

}  // namespace
}  // namespace gonogo::audit
