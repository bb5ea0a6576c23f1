// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/worlds/world.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>

#include <fmt/format.h>

#include "gonogo/base/check.h"

namespace gonogo::calibrate {
namespace {

constexpr double kSmallestCost = 0.05;  // of the baseline
constexpr int kIntegrationPoints = 41;  // over +-5 sd of the cluster's violation level

double Logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

std::vector<std::size_t> ClusterSizes(const World& world, Rng& rng) {
  std::vector<std::size_t> sizes(world.clusters, world.queries);
  if (!world.unequal_clusters) return sizes;
  const auto mean = static_cast<double>(world.queries);
  for (std::size_t& size : sizes) {
    const double drawn = mean * std::exp(0.7 * rng.Normal() - 0.245);
    size = static_cast<std::size_t>(std::lround(std::clamp(drawn, mean / 4.0, 3.0 * mean)));
  }
  return sizes;
}

/// What all queries of a cluster share.
struct ClusterLevels {
  std::vector<double> context;
  std::vector<double> action;
  double baseline = 0.0;
  double violation = 0.0;
};

ClusterLevels DrawLevels(const World& world, Rng& rng) {
  ClusterLevels levels{std::vector<double>(world.features), std::vector<double>(world.actions)};
  for (double& value : levels.context) value = rng.Normal();
  for (double& value : levels.action) value = world.cluster_noise * rng.Normal();
  levels.baseline = 0.2 * rng.Normal();
  levels.violation = world.violation_cluster_sd * rng.Normal();
  return levels;
}

void DrawQuery(const World& world, const ClusterLevels& levels, std::size_t query, Rng& rng,
               audit::OutcomeTable& table) {
  audit::FeatureMatrix& context = table.features[0].values;
  const double own = std::sqrt(1.0 - world.context_correlation * world.context_correlation);
  const auto row = static_cast<Eigen::Index>(query);
  for (std::size_t j = 0; j < world.features; ++j) {
    context(row, static_cast<Eigen::Index>(j)) =
        static_cast<float>(world.context_correlation * levels.context[j] + own * rng.Normal());
  }
  const double baseline = std::exp(levels.baseline + world.baseline_spread * rng.Normal());
  const double violation =
      Logistic(world.violation_logit + world.violation_slope * context(row, 0) + levels.violation);
  for (std::size_t a = 0; a < world.actions; ++a) {
    const auto action = static_cast<audit::ActionIndex>(a);
    const double relative = MeanRelativeCost(world, action, &context(row, 0)) + levels.action[a] +
                            world.query_noise * rng.Normal();
    table.cost.push_back(baseline * std::max(kSmallestCost, relative));
    const bool violates = action != audit::kDirect && rng.Uniform() < violation;
    table.eligible.push_back(violates ? 0 : 1);
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
double ExpectedViolation(const World& world, double x) {
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

}  // namespace

double MeanRelativeCost(const World& world, audit::ActionIndex action, const float* context) {
  if (action == audit::kDirect) return 1.0;
  const std::size_t candidate = action - 1;
  const double x = context[candidate % world.features];
  const double response = world.response == Response::kLinear ? x : (x < 0.0 ? -1.0 : 1.0);
  const double global = candidate == 0 ? world.global_gain : 0.0;
  return 1.0 + world.handicap - global + world.reference_gap * static_cast<double>(candidate) +
         world.signal * response;
}

audit::OutcomeTable DrawTable(const World& world, const RngStream& stream) {
  GONOGO_CHECK(world.clusters >= 2 && world.actions >= 2 && world.features >= 1);
  Rng rng = stream.Generator();
  audit::OutcomeTable table;
  for (std::size_t a = 0; a < world.actions; ++a) table.actions.push_back(std::to_string(a));
  table.cluster_begin = {0};
  const std::vector<std::size_t> sizes = ClusterSizes(world, rng);
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
    const ClusterLevels levels = DrawLevels(world, rng);
    const audit::QueryRange range = table.queries_of(k);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      DrawQuery(world, levels, query, rng, table);
    }
  }
  return table;
}

FreshQueries DrawFreshQueries(const World& world, std::size_t count, const RngStream& stream) {
  Rng rng = stream.Generator();
  FreshQueries fresh;
  fresh.context.resize(static_cast<Eigen::Index>(count), static_cast<Eigen::Index>(world.features));
  const double sd = std::hypot(world.cluster_noise, world.query_noise);
  for (Eigen::Index i = 0; i < fresh.context.rows(); ++i) {
    for (Eigen::Index j = 0; j < fresh.context.cols(); ++j) {
      fresh.context(i, j) =
          i % 2 == 0 ? static_cast<float>(rng.Normal()) : -fresh.context(i - 1, j);
    }
    for (std::size_t a = 0; a < world.actions; ++a) {
      const auto action = static_cast<audit::ActionIndex>(a);
      fresh.cost.push_back(ExpectedCost(MeanRelativeCost(world, action, &fresh.context(i, 0)), sd));
    }
    fresh.violation.push_back(ExpectedViolation(world, fresh.context(i, 0)));
  }
  return fresh;
}

}  // namespace gonogo::calibrate
