// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <limits>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/rng.h"

namespace gonogo::calibrate {

/// How the relative cost of an action depends on the context.
enum class EffectShape {
  kLinear,
  kThreshold,  ///< a step at 0
  kSmooth,     ///< sin 2x: what no linear learner can follow
};

/// What the table says about the constraint a candidate violates.
enum class ShownConstraint {
  kGiven,    ///< eligibility itself
  kTime,     ///< times, of which the candidate's is longer than direct's
  kFailure,  ///< success: the candidate fails where direct succeeds; failures cost double
};

/// What an audit sees of the outcomes.
enum class Logging {
  kFull,       ///< every action at every query
  kEven,       ///< one action of every query, each equally likely; known
  kWeak,       ///< one action, often the dearer one: probabilities down to a few percent; known
  kEstimated,  ///< one action, somewhat more often the dearer one; its probability is estimated
};

/// A world whose truth is known. Cluster k has a context level c_k, baseline level and action
/// effects u_ka; a query has context x = rho c_k + sqrt(1 - rho^2) e, baseline B = exp(0.2 c'_k +
/// spread e) and costs W(a) = B max(0.05, 1 + g_a + s h_a(x) + u_ka + noise), where g_0 = h_0 = 0.
/// h_a reads feature (a - 1) mod d, so that actions help in different contexts. A candidate
/// violates with probability logistic(v + slope x_1 + sd e_k), direct never does. Members from
/// `constraint` on make other families of worlds (benchmark/cells.h); at their defaults nothing
/// changes.
struct SyntheticWorld {
  std::size_t clusters = 20;
  std::size_t queries = 48;          ///< per cluster; the mean when sizes are unequal
  bool unequal_clusters = false;     ///< sizes from a quarter to three times the mean
  std::size_t actions = 7;           ///< with direct
  std::size_t features = 20;         ///< d
  double context_correlation = 0.0;  ///< rho: share of context that belongs to the cluster
  EffectShape response = EffectShape::kLinear;
  double signal = 0.0;          ///< s: predictable effect, in units of the direct cost
  double handicap = 0.0;        ///< g_a of every candidate
  double global_gain = 0.0;     ///< how much cheaper the first candidate is on top of that
  double reference_gap = 0.0;   ///< g_a grows by this from candidate to candidate
  double cluster_noise = 0.02;  ///< sd of u_ka
  double query_noise = 0.05;    ///< sd of what no feature tells
  double baseline_spread = 0.3;
  double violation_logit = -4.0;  ///< v; minus infinity: nothing ever violates
  double violation_slope = 0.7;
  double violation_cluster_sd = 0.5;

  ShownConstraint constraint = ShownConstraint::kGiven;
  /// Times above so many times direct's violate. The protocol's time budget: what is declared
  /// moves the times, not how often they violate.
  double time_limit = 1.0;
  std::size_t strong_features = 0;  ///< only so many of the features matter; 0: one per candidate
  bool heavy_noise = false;         ///< Student's t on 3 degrees of freedom instead of normal noise
  bool context_steps = false;       ///< cluster levels take three values instead of any
  /// Sizes mean * exp(c_k1 / 2 - 1 / 8) follow the level of the first feature: large clusters have
  /// other queries than small ones. Fresh queries come from large clusters as often as they should.
  bool informative_sizes = false;
  Logging logging = Logging::kFull;
  /// Of an even log: probability that an action other than direct is tried. 0: all are alike.
  double exploration = 0.0;
  bool baseline_feature = false;  ///< the last feature is log B

  bool operator==(const SyntheticWorld&) const = default;
};

/// All parameters but `time_limit`, which belongs to the protocol.
void to_json(nlohmann::json& json, const SyntheticWorld& world);

inline constexpr double kNeverViolates = -std::numeric_limits<double>::infinity();

/// Mean relative cost 1 + g_a + s h_a(x), before noise; `context` has d entries.
[[nodiscard]] double MeanRelativeCost(const SyntheticWorld& world, audit::ActionIndex action,
                                      const float* context);

/// A data set of `world.clusters` clusters with cost, eligibility and one feature group "x".
[[nodiscard]] audit::OutcomeTable DrawTable(const SyntheticWorld& world, const RngStream& stream);

/// Fresh queries of the world with what is expected of every action at each of them.
struct FreshQueries {
  audit::FeatureMatrix context;   ///< independent queries, each of a cluster of its own
  std::vector<double> cost;       ///< E[W(a) | x] / E[B], query * actions + action
  std::vector<double> violation;  ///< Pr[candidate violates | x], per query
};

/// `count` queries in antithetic pairs.
[[nodiscard]] FreshQueries DrawFreshQueries(const SyntheticWorld& world, std::size_t count,
                                            const RngStream& stream);

}  // namespace gonogo::calibrate
