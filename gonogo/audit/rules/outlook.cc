// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/outlook.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "gonogo/audit/rules/looks.h"
#include "gonogo/audit/rules/verdict.h"

namespace gonogo::audit {
namespace {

double NormalShareBelow(double z) { return 0.5 * std::erfc(-z / std::numbers::sqrt2); }

/// One condition of a GO as a gain that has to exceed its threshold.
struct Wanted {
  double point = 0.0;
  double lower = 0.0;     ///< what GO needs above the threshold
  double refuting = 0.0;  ///< what NO-GO needs below it
  double threshold = 0.0;
};

Wanted WantedGain(const ChannelBounds& bounds, double threshold) {
  return {bounds.point, bounds.interval.lower, bounds.refuting, threshold};
}

/// Fewer violations are more of something.
Wanted WantedRate(const ChannelBounds& bounds, double kappa) {
  return {-bounds.point, -bounds.interval.upper, -bounds.refuting, -kappa};
}

/// Chance that an estimate which lies `distance` above its threshold now, with its bound `half`
/// below it at `width` standard errors, has its bound above the threshold at a look with 1 / share
/// times the clusters and bounds of `later_width` standard errors.
double ChanceToPass(double distance, double half, double width, double later_width, double share) {
  if (!std::isfinite(half) || !(width > 0.0)) return 1.0;  // nothing is known yet
  const double se = std::max(0.0, half) / width;
  const double margin = distance - later_width * se * std::sqrt(share);
  const double spread = se * std::sqrt(1.0 - share);
  if (!(spread > 0.0)) return margin > 0.0 ? 1.0 : 0.0;
  return NormalShareBelow(margin / spread);
}

}  // namespace

std::vector<LookChance> LookAhead(const RuleBounds& bounds, const Thresholds& thresholds,
                                  const RuleConfig& rule, double level, std::size_t clusters) {
  std::vector<Wanted> wanted = {WantedGain(bounds.deployment, thresholds.delta_dep),
                                WantedGain(bounds.allocation, thresholds.delta_alloc),
                                WantedRate(bounds.violation, thresholds.kappa)};
  const std::size_t refuting = wanted.size();  // H_total never refutes on its own
  if (bounds.total_must_gain) wanted.push_back(WantedGain(bounds.total, 0.0));
  const BoundWidths now = StudentWidths(clusters, LookLevel(level, rule, 1, clusters));
  std::vector<LookChance> chances;
  for (std::size_t i = 0; i < rule.looks_at.size(); ++i) {
    const std::size_t later = rule.looks_at[i];
    if (later <= clusters) continue;
    const BoundWidths then = StudentWidths(later, LookLevel(level, rule, i + 1, later));
    const double share = static_cast<double>(clusters) / static_cast<double>(later);
    LookChance chance{.clusters = later, .go = 1.0};
    for (std::size_t c = 0; c < wanted.size(); ++c) {
      const Wanted& w = wanted[c];
      const double distance = w.point - w.threshold;
      chance.go =
          std::min(chance.go, ChanceToPass(distance, w.point - w.lower, now.go, then.go, share));
      if (c >= refuting || !std::isfinite(w.refuting)) continue;
      chance.no_go = std::max(chance.no_go, ChanceToPass(-distance, w.refuting - w.point,
                                                         now.refute, then.refute, share));
    }
    chances.push_back(chance);
  }
  return chances;
}

bool IsFutile(std::span<const LookChance> later, const RuleConfig& rule) {
  return !later.empty() && std::all_of(later.begin(), later.end(), [&](const LookChance& chance) {
    return chance.go < rule.futility;
  });
}

}  // namespace gonogo::audit
