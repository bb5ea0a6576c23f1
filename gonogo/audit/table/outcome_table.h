// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <Eigen/Core>

namespace gonogo::audit {

/// Position of an action in `OutcomeTable::actions`; 0 is always the reference a0 ("direct").
using ActionIndex = std::uint32_t;
inline constexpr ActionIndex kDirect = 0;

/// One row per query (or per query and action), single precision: a table may hold millions.
using FeatureMatrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

/// The levels of the columns of a group: of a category, the texts it may have; its value is the
/// position of one. Of a number nothing. Empty where all columns are numbers.
using ColumnLevels = std::vector<std::vector<std::string>>;

/// Deployment-time information about a query: Q x d. What is missing is NaN.
struct FeatureGroup {
  std::string name;
  std::vector<std::string> columns;
  FeatureMatrix values;
  ColumnLevels levels = {};
};

/// Information about a query under an action: row `query * K + action`, Q K x p.
struct ActionFeatureGroup {
  std::string name;
  std::vector<std::string> columns;
  FeatureMatrix values;
  ColumnLevels levels = {};
};

/// Another number of every query and action that the table carries along; no audit looks at it.
struct NamedOutcome {
  std::string name;
  std::vector<double> values;  ///< query-major
};

/// Consecutive queries [begin, end).
struct QueryRange {
  std::size_t begin = 0;
  std::size_t end = 0;
  [[nodiscard]] std::size_t size() const { return end - begin; }
};

/// Audits of fewer of a table's clusters under the same declaration (looks_ledger.h).
struct EarlierLooks {
  std::size_t count = 0;
  std::string which = {};  ///< the latest of them in words, empty if there is none
  /// What each of them read, in their order, where it was written down (result/look_reading.h).
  std::vector<std::string> readings = {};
};

/// What was seen where only one action was tried at every query; one entry per query.
struct LoggedOutcomes {
  std::vector<ActionIndex> action;          ///< that was tried
  std::vector<double> cost;                 ///< of it, >= 0
  std::vector<double> time = {};            ///< optional, like everything below
  std::vector<std::uint8_t> success = {};   ///< 0 or 1
  std::vector<std::uint8_t> eligible = {};  ///< 0 or 1: did it keep the constraint, by itself?
  std::vector<double> propensity = {};      ///< probability with which it was tried, in (0, 1)
};

/// What stands for outcomes that nobody saw, made of a log (logged/score_log.h): estimates whose
/// means over queries are those of the outcomes. Single ones may lie anywhere, below zero too.
struct ScoredOutcomes {
  std::vector<double> violation = {};  ///< query-major; empty: nothing counts as broken
  std::vector<double> success = {};    ///< query-major; empty: not recorded
  std::vector<double> predicted = {};  ///< the cost models' part of the cost, query-major
  std::vector<double> weight = {};     ///< 1 / propensity of what was tried, else 0, query-major
  std::vector<double> seen = {};       ///< cost of what was tried, else 0, query-major
};

/// Potential outcomes of K actions at Q queries in G clusters. Queries of one cluster are
/// consecutive. Outcome arrays are query-major (`query * K + action`); an optional one is empty
/// when the table does not have it.
struct OutcomeTable {
  std::vector<std::string> actions;             ///< K names, the reference first
  std::vector<std::string> clusters;            ///< G names
  std::vector<std::size_t> cluster_begin = {};  ///< G + 1 offsets into the queries
  std::vector<std::string> queries = {};        ///< Q names

  std::vector<double> cost;                 ///< W_x(a) >= 0, and > 0 for the reference
  std::vector<double> time = {};            ///< T_x(a) >= 0, optional
  std::vector<std::uint8_t> success = {};   ///< S_x(a) in {0, 1}, optional
  std::vector<std::uint8_t> eligible = {};  ///< E_x(a) in {0, 1} when given from outside, optional
  std::vector<ActionIndex> choice = {};     ///< what somebody's adapter chose, one per query
  std::vector<double> adapter_cost = {};    ///< of choosing at a query, optional
  /// Costs are rewards below zero, of which more is better: gains are shares of what the reference
  /// action earns.
  bool of_rewards = false;
  /// Violations are queries lost less queries gained, S(a0) - S(a), instead of ineligible ones.
  bool counts_net_success = false;
  /// As much as possible is saved with so much success lost on average: successes have a price when
  /// choices are compared with random ones.
  bool prices_success = false;

  std::vector<FeatureGroup> features = {};
  std::vector<ActionFeatureGroup> action_features = {};
  std::vector<NamedOutcome> other_outcomes = {};

  /// A log: then the outcome arrays above are empty.
  std::optional<LoggedOutcomes> logged = {};
  /// Made of a log: then `cost` holds scores and the other outcome arrays above are empty.
  std::optional<ScoredOutcomes> scored = {};

  std::string declaration = {};         ///< protocol text written before the outcomes, optional
  std::string declaration_sha256 = {};  ///< its fingerprint, optional
  std::string provenance = {};          ///< JSON: what made the outcomes, optional
  EarlierLooks earlier_looks = {};
  std::vector<std::string> notes = {};  ///< remarks of the reader for whoever reads the result

  [[nodiscard]] bool has_success() const {
    return scored.has_value() ? !scored->success.empty() : !success.empty();
  }
  [[nodiscard]] double success_at(std::size_t cell) const {
    return scored.has_value() ? scored->success[cell] : static_cast<double>(success[cell]);
  }
  [[nodiscard]] std::size_t num_queries() const { return cluster_begin.back(); }
  [[nodiscard]] std::size_t num_actions() const { return actions.size(); }
  [[nodiscard]] std::size_t num_candidates() const { return actions.size() - 1; }
  [[nodiscard]] std::size_t num_clusters() const { return clusters.size(); }
  [[nodiscard]] QueryRange queries_of(std::size_t cluster) const {
    return {cluster_begin[cluster], cluster_begin[cluster + 1]};
  }
  [[nodiscard]] std::size_t cell(std::size_t query, ActionIndex action) const {
    return query * actions.size() + action;
  }
};

}  // namespace gonogo::audit
