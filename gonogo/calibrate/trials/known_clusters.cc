// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/known_clusters.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "gonogo/audit/estimands/estimands.h"
#include "gonogo/audit/estimands/fixed_reference.h"
#include "gonogo/audit/refit/refit.h"
#include "gonogo/audit/rules/calibrated/reference.h"
#include "gonogo/audit/table/arrange_table.h"
#include "gonogo/calibrate/trials/join_tables.h"

namespace gonogo::calibrate {
namespace {

constexpr std::size_t kParts = 61;  // for the data set, for the oracle, and the rest

/// The named queries of a table in other clusters.
class Selection {
 public:
  explicit Selection(const audit::OutcomeTable& from) : from_(from) {
    picked_.actions = from.actions;
    picked_.features.push_back({from.features[0].name, from.features[0].columns, {}});
  }

  void Add(std::size_t query, std::string cluster) {
    const std::size_t first = from_.cell(query, audit::kDirect);
    const auto copy = [&](const auto& cells, auto& picked) {
      if (cells.empty()) return;
      const auto begin = cells.begin() + static_cast<std::ptrdiff_t>(first);
      picked.insert(picked.end(), begin, begin + static_cast<std::ptrdiff_t>(from_.num_actions()));
    };
    copy(from_.cost, picked_.cost);
    copy(from_.time, picked_.time);
    copy(from_.success, picked_.success);
    copy(from_.eligible, picked_.eligible);
    rows_.push_back(static_cast<Eigen::Index>(query));
    cluster_of_.push_back(std::move(cluster));
  }

  [[nodiscard]] Result<audit::OutcomeTable> Take() {
    const audit::FeatureMatrix& all = from_.features[0].values;
    audit::FeatureMatrix& values = picked_.features[0].values;
    values.resize(static_cast<Eigen::Index>(rows_.size()), all.cols());
    for (std::size_t i = 0; i < rows_.size(); ++i) {
      values.row(static_cast<Eigen::Index>(i)) = all.row(rows_[i]);
    }
    audit::Protocol protocol;
    protocol.actions = picked_.actions;
    protocol.reference = picked_.actions[audit::kDirect];
    return audit::ArrangeTable(std::move(picked_), cluster_of_, protocol);
  }

 private:
  const audit::OutcomeTable& from_;
  audit::OutcomeTable picked_;
  std::vector<Eigen::Index> rows_;
  std::vector<std::string> cluster_of_;
};

}  // namespace

Result<KnownClusters> DrawKnownClusters(const World& world, std::size_t blocks,
                                        const RngStream& stream) {
  World larger = world;
  larger.queries *= kParts;
  const audit::OutcomeTable all = DrawTable(larger, stream);
  Selection data(all);
  Selection oracle(all);
  Selection rest(all);
  std::size_t next = 0;
  for (std::size_t k = 0; k < all.num_clusters(); ++k) {
    const audit::QueryRange range = all.queries_of(k);
    // Queries of a cluster are exchangeable: the first ones are a random draw.
    const std::size_t own = std::max<std::size_t>(2, range.size() / kParts);
    for (std::size_t i = 0; i < range.size(); ++i) {
      const std::string block = fmt::format("block-{}", next % blocks + 1);
      if (i < own) {
        data.Add(range.begin + i, block);
      } else if (i < 2 * own) {
        oracle.Add(range.begin + i, fmt::format("block-{}", (next - own) % blocks + 1));
      } else {
        rest.Add(range.begin + i, i % 2 == 0 ? "even" : "odd");
        continue;
      }
      ++next;
    }
    next -= own;  // both parts were dealt alike
  }
  KnownClusters known;
  known.table = GONOGO_TRY(data.Take());
  known.oracle = GONOGO_TRY(oracle.Take());
  known.rest = GONOGO_TRY(rest.Take());
  return known;
}

Result<Truth> KnownTruth(const KnownClusters& known, const LearnerFactory& factory, double kappa,
                         const RngStream& ship) {
  const audit::OutcomeTable both = JoinTables(known.table, known.rest);
  const audit::PotentialOutcomes outcomes = audit::DeriveOutcomes(both, 1.0);
  const audit::LearningProblem problem = GONOGO_TRY(audit::SelectFeatures(outcomes, {}));
  const std::unique_ptr<audit::Learner> learner = GONOGO_TRY(factory(problem));
  audit::RefitTask task{{std::vector<std::uint32_t>(both.num_clusters(), 0)}, ship};
  std::fill_n(task.split.multiplicity.begin(), known.table.num_clusters(), 1U);
  const std::optional<audit::Refit> tested = audit::RunRefit(problem, *learner, {}, task);
  const audit::OutcomeTotals& totals = outcomes.totals;
  double policy = 0.0;
  double violations = 0.0;
  double queries = 0.0;
  Eigen::ArrayXd fixed = Eigen::ArrayXd::Zero(totals.cost.cols());
  Eigen::ArrayXd broken = fixed;
  Eigen::ArrayXd count = fixed;
  for (const audit::ChoiceTotals& choices : tested->held_out) {
    policy += audit::PolicyCost(choices);
    violations += choices.violations;
    queries += totals.queries[choices.cluster];
    fixed += totals.cost.row(choices.cluster).transpose();
    broken += totals.violations.row(choices.cluster).transpose();
    for (std::size_t a = 0; a < choices.count.size(); ++a) {
      count[static_cast<Eigen::Index>(a)] += choices.count[a];
    }
  }
  const double mixture = (count * fixed).sum() / queries;
  double best = fixed[audit::kDirect];
  for (Eigen::Index a = 0; a < fixed.size(); ++a) {
    if (broken[a] / queries <= kappa) best = std::min(best, fixed[a]);
  }
  const std::vector<std::uint32_t>& trained = task.split.multiplicity;
  const auto against = [&](audit::ActionIndex action) {
    return audit::RelativeGain(policy, fixed[static_cast<Eigen::Index>(action)]);
  };
  return Truth{.h_total = against(audit::kDirect),
               .h_alloc = audit::RelativeGain(policy, mixture),
               .h_dep = against(audit::SelectStableAction(totals, trained, kappa)),
               .h_dep_argmin = against(audit::SelectFixedAction(totals, trained, kappa)),
               .h_dep_best = audit::RelativeGain(policy, best),
               .q = violations / queries};
}

}  // namespace gonogo::calibrate
