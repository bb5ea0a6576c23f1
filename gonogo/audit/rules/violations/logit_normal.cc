// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/violations/logit_normal.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>
#include <vector>

#include "gonogo/base/check.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

constexpr std::size_t kRates = 121;
constexpr double kSmallestRate = 1e-4;
constexpr double kLargestRate = 0.95;
constexpr std::size_t kSpreads = 10;
constexpr double kSpreadStep = 0.2;  // standard deviations 0, 0.2, ..., 1.8 on the logit scale
constexpr int kNodes = 41;           // over +-5 standard deviations
constexpr std::size_t kLargestMemory = 512;

double Logistic(double x) { return 1.0 / (1.0 + std::exp(-x)); }

/// Log rate and log of its complement at every node, for every mean rate and spread.
struct Grid {
  std::vector<double> rate;
  std::vector<double> weight;
  std::vector<double> log_event;  // [rate][spread][node]
  std::vector<double> log_other;

  Grid() : rate(kRates), weight(kNodes) {
    double sum = 0.0;
    std::vector<double> node(kNodes);
    for (int i = 0; i < kNodes; ++i) {
      node[i] = -5.0 + 10.0 * i / (kNodes - 1);
      weight[i] = std::exp(-0.5 * node[i] * node[i]);
      sum += weight[i];
    }
    for (double& w : weight) w /= sum;
    for (std::size_t r = 0; r < kRates; ++r) {
      const double share = static_cast<double>(r) / (kRates - 1);
      rate[r] = kSmallestRate * std::pow(kLargestRate / kSmallestRate, share);
      for (std::size_t s = 0; s < kSpreads; ++s) {
        const double spread = kSpreadStep * static_cast<double>(s);
        const double level = LevelFor(rate[r], spread, node);
        for (const double z : node) {
          const double x = level + spread * z;
          log_event.push_back(-std::log1p(std::exp(-x)));
          log_other.push_back(-std::log1p(std::exp(x)));
        }
      }
    }
  }

  /// The level at which the mean over clusters is the rate.
  [[nodiscard]] double LevelFor(double mean, double spread, const std::vector<double>& node) const {
    double low = -60.0;
    double high = 60.0;
    for (int step = 0; step < 60; ++step) {
      const double middle = 0.5 * (low + high);
      double value = 0.0;
      for (int i = 0; i < kNodes; ++i) value += weight[i] * Logistic(middle + spread * node[i]);
      (value < mean ? low : high) = middle;
    }
    return 0.5 * (low + high);
  }
};

const Grid& TheGrid() {
  static const Grid kGrid;
  return kGrid;
}

/// Log-likelihood, up to a constant, of one cluster at every point of the grid.
using Surface = std::vector<double>;

Surface MakeSurface(double queries, double events) {
  const Grid& grid = TheGrid();
  Surface surface(kRates * kSpreads);
  std::vector<double> term(kNodes);
  for (std::size_t point = 0; point < surface.size(); ++point) {
    double largest = -std::numeric_limits<double>::infinity();
    for (int i = 0; i < kNodes; ++i) {
      const std::size_t at = point * kNodes + static_cast<std::size_t>(i);
      term[i] = events * grid.log_event[at] + (queries - events) * grid.log_other[at];
      largest = std::max(largest, term[i]);
    }
    double sum = 0.0;
    for (int i = 0; i < kNodes; ++i) sum += grid.weight[i] * std::exp(term[i] - largest);
    surface[point] = largest + std::log(sum);
  }
  return surface;
}

/// A cluster of that many queries and events looks the same in every data set, and simulations ask
/// for the same few ones again and again.
const Surface& SurfaceOf(double queries, double events) {
  thread_local std::map<std::pair<double, double>, Surface> known;
  if (known.size() > kLargestMemory) known.clear();
  const auto [entry, is_new] = known.try_emplace({queries, events});
  if (is_new) entry->second = MakeSurface(queries, events);
  return entry->second;
}

/// Twice the log-likelihood at every rate, with the best spread for it.
std::vector<double> Profile(std::span<const ClusterEvents> clusters) {
  std::map<std::pair<double, double>, double> distinct;
  for (const ClusterEvents& cluster : clusters) distinct[{cluster.queries, cluster.events}] += 2.0;
  std::vector<double> sum(kRates * kSpreads, 0.0);
  for (const auto& [cluster, weight] : distinct) {
    const Surface& surface = SurfaceOf(cluster.first, cluster.second);
    for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += weight * surface[i];
  }
  std::vector<double> profile(kRates);
  for (std::size_t r = 0; r < kRates; ++r) {
    const auto row = sum.begin() + static_cast<long>(r * kSpreads);
    profile[r] = *std::max_element(row, row + kSpreads);
  }
  return profile;
}

/// The parabola through three neighbours, at `x` steps from the middle one.
double Between(const std::vector<double>& profile, std::size_t middle, double x) {
  const double before = profile[middle - 1];
  const double here = profile[middle];
  const double after = profile[middle + 1];
  return here + 0.5 * x * (after - before) + 0.5 * x * x * (after - 2.0 * here + before);
}

/// The highest value of the profile, also between the points of the grid.
double Highest(const std::vector<double>& profile) {
  const auto top =
      static_cast<std::size_t>(std::max_element(profile.begin(), profile.end()) - profile.begin());
  if (top == 0 || top + 1 == profile.size()) return profile[top];
  const double curvature = profile[top + 1] - 2.0 * profile[top] + profile[top - 1];
  if (!(curvature < 0.0)) return profile[top];
  const double x = -0.5 * (profile[top + 1] - profile[top - 1]) / curvature;
  return Between(profile, top, std::clamp(x, -1.0, 1.0));
}

}  // namespace

double LogitNormalUpper(std::span<const ClusterEvents> clusters, double alpha) {
  GONOGO_CHECK(alpha > 0.0 && alpha < 0.5);
  if (clusters.size() < 2) return 1.0;
  const double t = stats::StudentTQuantile(1.0 - alpha, static_cast<double>(clusters.size() - 1));
  const std::vector<double> profile = Profile(clusters);
  const double least = Highest(profile) - t * t;
  if (profile.back() >= least) return 1.0;
  std::size_t last = kRates - 1;
  while (last > 1 && profile[last - 1] < least) --last;
  // The crossing lies one step before `last`, to the left of the middle one of three neighbours.
  const std::size_t middle = std::min(last, kRates - 2);
  double low = static_cast<double>(last) - 1.0 - static_cast<double>(middle);
  double high = low + 1.0;
  for (int step = 0; step < 40; ++step) {
    const double x = 0.5 * (low + high);
    (Between(profile, middle, x) >= least ? low : high) = x;
  }
  const double step = std::log(kLargestRate / kSmallestRate) / (kRates - 1);
  return kSmallestRate * std::exp(step * (static_cast<double>(middle) + 0.5 * (low + high)));
}

}  // namespace gonogo::audit
