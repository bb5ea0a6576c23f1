// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/synthetic_world.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/base/check.h"

namespace gonogo::calibrate {
namespace {

constexpr double kSmallestCost = 0.05;        // of the baseline
constexpr int kIntegrationPoints = 41;        // over +-5 sd of the cluster's violation level
constexpr double kDirectFails = 0.05;         // of the queries, with ShownConstraint::kFailure
constexpr double kBaselineClusterSd = 0.2;    // of log B
constexpr double kSizeSlope = 0.5;            // of log size on the first context level
constexpr double kStep = 1.2247448713915890;  // three levels -s, 0, s of variance 1

double Logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

std::vector<std::size_t> ClusterSizes(const SyntheticWorld& world, Rng& rng) {
  std::vector<std::size_t> sizes(world.clusters, world.queries);
  if (!world.unequal_clusters) return sizes;
  const auto mean = static_cast<double>(world.queries);
  for (std::size_t& size : sizes) {
    const double drawn = mean * std::exp(0.7 * rng.Normal() - 0.245);
    size = static_cast<std::size_t>(std::lround(std::clamp(drawn, mean / 4.0, 3.0 * mean)));
  }
  return sizes;
}

std::vector<std::size_t> InformativeSizes(const SyntheticWorld& world,
                                          const std::vector<double>& first_level) {
  std::vector<std::size_t> sizes;
  for (const double level : first_level) {
    const double size = static_cast<double>(world.queries) *
                        std::exp(kSizeSlope * level - 0.5 * kSizeSlope * kSizeSlope);
    sizes.push_back(static_cast<std::size_t>(std::lround(std::max(2.0, size))));
  }
  return sizes;
}

/// Standard normal, or one of three values with the same variance.
double DrawLevel(const SyntheticWorld& world, Rng& rng) {
  if (!world.context_steps) return rng.Normal();
  return kStep * (static_cast<double>(rng.Below(3)) - 1.0);
}

/// Noise of unit variance.
double DrawNoise(const SyntheticWorld& world, Rng& rng) {
  if (!world.heavy_noise) return rng.Normal();
  const double z = rng.Normal();
  double squares = 0.0;
  for (int i = 0; i < 3; ++i) {
    const double other = rng.Normal();
    squares += other * other;
  }
  return z / std::sqrt(squares);  // t on 3 degrees of freedom has variance 3
}

/// What all queries of a cluster share.
struct ClusterLevels {
  std::vector<double> context;
  std::vector<double> action;
  double baseline = 0.0;
  double violation = 0.0;
};

ClusterLevels DrawLevels(const SyntheticWorld& world, Rng& rng) {
  ClusterLevels levels{std::vector<double>(world.features), std::vector<double>(world.actions)};
  for (double& value : levels.context) value = DrawLevel(world, rng);
  for (double& value : levels.action) value = world.cluster_noise * rng.Normal();
  levels.baseline = kBaselineClusterSd * rng.Normal();
  levels.violation = world.violation_cluster_sd * rng.Normal();
  return levels;
}

/// Writes down what the table shows of the constraint. The action violates it where `drawn`,
/// uniform, is below its probability.
void Record(const SyntheticWorld& world, bool direct_fails, audit::ActionIndex action,
            double probability, double drawn, audit::OutcomeTable& table) {
  const bool violates = drawn < probability;
  switch (world.constraint) {
    case ShownConstraint::kTime: {
      // The logit by which the draw misses the violation, as a share of the time.
      const double u = std::clamp(drawn, 1e-12, 1.0 - 1e-12);
      const double margin = std::log(probability / (1.0 - probability)) - std::log(u / (1.0 - u));
      table.time.push_back(action == audit::kDirect ? 1.0
                                                    : world.time_limit * std::exp(0.05 * margin));
      return;
    }
    case ShownConstraint::kFailure: {
      // Where direct fails, whatever is done succeeds half of the time.
      const bool fails =
          action == audit::kDirect ? direct_fails : (direct_fails ? drawn < 0.5 : violates);
      table.success.push_back(fails ? 0 : 1);
      if (fails) table.cost.back() *= 2.0;
      return;
    }
    case ShownConstraint::kGiven:
      break;
  }
  table.eligible.push_back(violates ? 0 : 1);
}

void DrawQuery(const SyntheticWorld& world, const ClusterLevels& levels, std::size_t query,
               Rng& rng, audit::OutcomeTable& table) {
  audit::FeatureMatrix& context = table.features[0].values;
  const double own = std::sqrt(1.0 - world.context_correlation * world.context_correlation);
  const auto row = static_cast<Eigen::Index>(query);
  for (std::size_t j = 0; j < world.features; ++j) {
    context(row, static_cast<Eigen::Index>(j)) =
        static_cast<float>(world.context_correlation * levels.context[j] + own * rng.Normal());
  }
  const double baseline = std::exp(levels.baseline + world.baseline_spread * rng.Normal());
  if (world.baseline_feature) {
    context(row, static_cast<Eigen::Index>(world.features) - 1) =
        static_cast<float>(std::log(baseline));
  }
  const double violation =
      Logistic(world.violation_logit + world.violation_slope * context(row, 0) + levels.violation);
  const bool direct_fails =
      world.constraint == ShownConstraint::kFailure && rng.Uniform() < kDirectFails;
  for (std::size_t a = 0; a < world.actions; ++a) {
    const auto action = static_cast<audit::ActionIndex>(a);
    const double relative = MeanRelativeCost(world, action, &context(row, 0)) + levels.action[a] +
                            world.query_noise * DrawNoise(world, rng);
    table.cost.push_back(baseline * std::max(kSmallestCost, relative));
    const double drawn = action == audit::kDirect ? 1.0 : rng.Uniform();
    Record(world, direct_fails, action, violation, drawn, table);
  }
}

/// E max(kSmallestCost, N(mean, sd^2)).
double ExpectedCost(double mean, double sd) {
  if (sd == 0.0) return std::max(kSmallestCost, mean);
  const double z = (mean - kSmallestCost) / sd;
  const double density = std::exp(-0.5 * z * z) / std::sqrt(2.0 * std::numbers::pi);
  const double probability = 0.5 * std::erfc(-z / std::numbers::sqrt2);
  return kSmallestCost + (mean - kSmallestCost) * probability + sd * density;
}

/// The logistic averaged over a normal cluster level.
double ExpectedViolation(const SyntheticWorld& world, double x) {
  if (world.violation_logit == kNeverViolates) return 0.0;
  double sum = 0.0;
  double weight = 0.0;
  for (int i = 0; i < kIntegrationPoints; ++i) {
    const double z = -5.0 + 10.0 * i / (kIntegrationPoints - 1);
    const double density = std::exp(-0.5 * z * z);
    weight += density;
    sum += density * Logistic(world.violation_logit + world.violation_slope * x +
                              world.violation_cluster_sd * z);
  }
  return sum / weight;
}

double ResponseTo(EffectShape response, double x) {
  switch (response) {
    case EffectShape::kThreshold:
      return x < 0.0 ? -1.0 : 1.0;
    case EffectShape::kSmooth:
      return std::sin(2.0 * x);
    case EffectShape::kLinear:
      break;
  }
  return x;
}

/// Mean factor by which failures raise the cost of an action, and the share of queries at which it
/// violates; both differ from the drawn probability only where direct can fail as well.
struct ExpectedFailure {
  double cost_factor = 1.0;
  double violation = 0.0;
};

ExpectedFailure ExpectFailure(const SyntheticWorld& world, bool direct, double probability) {
  const double violates = direct ? 0.0 : probability;
  if (world.constraint != ShownConstraint::kFailure) return {1.0, violates};
  if (direct) return {1.0 + kDirectFails, 0.0};
  return {1.0 + (1.0 - kDirectFails) * violates + kDirectFails * 0.5,
          (1.0 - kDirectFails) * violates};
}

}  // namespace

double MeanRelativeCost(const SyntheticWorld& world, audit::ActionIndex action,
                        const float* context) {
  if (action == audit::kDirect) return 1.0;
  const std::size_t candidate = action - 1;
  const std::size_t strong = world.strong_features > 0 ? world.strong_features : world.features;
  const double x = context[candidate % strong];
  const double response = ResponseTo(world.response, x);
  const double global = candidate == 0 ? world.global_gain : 0.0;
  return 1.0 + world.handicap - global + world.reference_gap * static_cast<double>(candidate) +
         world.signal * response;
}

audit::OutcomeTable DrawTable(const SyntheticWorld& world, const RngStream& stream) {
  GONOGO_CHECK(world.clusters >= 2 && world.actions >= 2 && world.features >= 1);
  Rng rng = stream.Generator();
  audit::OutcomeTable table;
  for (std::size_t a = 0; a < world.actions; ++a) table.actions.push_back(std::to_string(a));
  table.cluster_begin = {0};
  std::vector<double> first_level;
  if (world.informative_sizes) {
    for (std::size_t k = 0; k < world.clusters; ++k) first_level.push_back(rng.Normal());
  }
  const std::vector<std::size_t> sizes =
      world.informative_sizes ? InformativeSizes(world, first_level) : ClusterSizes(world, rng);
  for (std::size_t k = 0; k < world.clusters; ++k) {
    table.clusters.push_back(std::to_string(k));
    table.cluster_begin.push_back(table.cluster_begin.back() + sizes[k]);
  }
  audit::FeatureGroup x{.name = "x"};
  for (std::size_t j = 0; j < world.features; ++j) x.columns.push_back(fmt::format("x{}", j + 1));
  x.values.resize(static_cast<Eigen::Index>(table.num_queries()),
                  static_cast<Eigen::Index>(world.features));
  table.features.push_back(std::move(x));
  for (std::size_t k = 0; k < world.clusters; ++k) {
    ClusterLevels levels = DrawLevels(world, rng);
    if (world.informative_sizes) levels.context[0] = first_level[k];
    const audit::QueryRange range = table.queries_of(k);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      DrawQuery(world, levels, query, rng, table);
    }
  }
  return table;
}

namespace {

/// The context of a query of a cluster of its own. Only worlds with odd cluster levels need those;
/// in all others it is standard normal.
void DrawContext(const SyntheticWorld& world, Rng& rng, audit::FeatureMatrix& context,
                 Eigen::Index i) {
  const double rho = world.context_correlation;
  const double own = std::sqrt(1.0 - rho * rho);
  const bool odd = world.context_steps || world.informative_sizes;
  for (Eigen::Index j = 0; j < context.cols(); ++j) {
    if (!odd) {
      context(i, j) = i % 2 == 0 ? static_cast<float>(rng.Normal()) : -context(i - 1, j);
      continue;
    }
    // Queries of large clusters: exp(slope c) times a normal density is a shifted one.
    const double shift = world.informative_sizes && j == 0 ? kSizeSlope : 0.0;
    context(i, j) = static_cast<float>(rho * (DrawLevel(world, rng) + shift) + own * rng.Normal());
  }
}

}  // namespace

FreshQueries DrawFreshQueries(const SyntheticWorld& world, std::size_t count,
                              const RngStream& stream) {
  Rng rng = stream.Generator();
  FreshQueries fresh;
  fresh.context.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(world.features));
  const double sd = std::hypot(world.cluster_noise, world.query_noise);
  for (Eigen::Index i = 0; i < fresh.context.rows(); ++i) {
    DrawContext(world, rng, fresh.context, i);
    double baseline = 1.0;
    if (world.baseline_feature) {
      const double level = std::hypot(kBaselineClusterSd, world.baseline_spread) * rng.Normal();
      fresh.context(i, fresh.context.cols() - 1) = static_cast<float>(level);
      baseline = std::exp(level);
    }
    const double probability = ExpectedViolation(world, fresh.context(i, 0));
    for (std::size_t a = 0; a < world.actions; ++a) {
      const auto action = static_cast<audit::ActionIndex>(a);
      const double mean = MeanRelativeCost(world, action, &fresh.context(i, 0));
      // Heavy noise almost never reaches the smallest cost: its mean is what counts.
      const double cost =
          world.heavy_noise ? std::max(kSmallestCost, mean) : ExpectedCost(mean, sd);
      fresh.cost.push_back(baseline * cost *
                           ExpectFailure(world, action == audit::kDirect, probability).cost_factor);
    }
    fresh.violation.push_back(ExpectFailure(world, false, probability).violation);
  }
  return fresh;
}

void to_json(nlohmann::json& json, const SyntheticWorld& world) {
  constexpr std::array kResponses = {"linear", "threshold", "smooth"};
  constexpr std::array kLoggings = {"full", "even", "weak", "estimated"};
  constexpr std::array kConstraints = {"given", "time", "failure"};
  json = {{"clusters", world.clusters},
          {"queries", world.queries},
          {"unequal_clusters", world.unequal_clusters},
          {"actions", world.actions},
          {"features", world.features},
          {"context_correlation", world.context_correlation},
          {"response", kResponses.at(static_cast<std::size_t>(world.response))},
          {"signal", world.signal},
          {"handicap", world.handicap},
          {"global_gain", world.global_gain},
          {"reference_gap", world.reference_gap},
          {"cluster_noise", world.cluster_noise},
          {"query_noise", world.query_noise},
          {"baseline_spread", world.baseline_spread},
          {"violation_logit", nullptr},
          {"violation_slope", world.violation_slope},
          {"violation_cluster_sd", world.violation_cluster_sd},
          {"constraint", kConstraints.at(static_cast<std::size_t>(world.constraint))},
          {"strong_features", world.strong_features},
          {"heavy_noise", world.heavy_noise},
          {"context_steps", world.context_steps},
          {"informative_sizes", world.informative_sizes}};
  // Only where they matter: fits of older runs are found by this text.
  if (world.logging != Logging::kFull) {
    json["logging"] = kLoggings.at(static_cast<std::size_t>(world.logging));
  }
  if (world.exploration > 0.0) json["exploration"] = world.exploration;
  if (world.baseline_feature) json["baseline_feature"] = true;
  if (world.violation_logit != kNeverViolates) json["violation_logit"] = world.violation_logit;
}

}  // namespace gonogo::calibrate
