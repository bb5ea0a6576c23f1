// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/looks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/stats/distributions.h"

namespace gonogo::audit {
namespace {

/// Error spent until the share `t` of the information is there.
double Spent(double alpha, double t) {
  if (t <= 0.0) return 0.0;
  const double z = stats::NormalQuantile(1.0 - alpha / 2.0) / std::sqrt(t);
  return std::erfc(z / std::numbers::sqrt2);  // 2 - 2 Phi(z)
}

}  // namespace

double LookAlpha(double alpha, std::size_t look, std::size_t looks) {
  GONOGO_CHECK(look >= 1 && looks >= 1);
  if (looks == 1) return alpha;
  const auto now = static_cast<double>(std::min(look, looks));
  const auto all = static_cast<double>(looks);
  return Spent(alpha, now / all) - Spent(alpha, (now - 1.0) / all);
}

double LookLevel(double level, std::size_t look, std::size_t looks) {
  if (looks == 1) return level;
  return 1.0 - 2.0 * LookAlpha((1.0 - level) / 2.0, look, looks);
}

std::vector<std::string> LookReasons(std::size_t look, const std::string& earlier,
                                     const RuleConfig& rule) {
  std::vector<std::string> reasons;
  if (look > rule.looks) {
    reasons.push_back(fmt::format(
        "this is look {} at data that keep growing, and the protocol declares {}: {} were audited "
        "before under the same declaration. To look again and again, declare rule.looks = {} "
        "before collecting; to confirm now, audit only clusters that were in no earlier look",
        look, rule.looks, earlier.empty() ? "fewer clusters" : earlier, look));
  }
  if (rule.looks > 1 && rule.kind == DecisionRule::kPaper) {
    reasons.emplace_back("the paper's rule does not spend its error over several looks");
  }
  return reasons;
}

}  // namespace gonogo::audit
