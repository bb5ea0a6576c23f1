// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/rules/looks.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>
#include <fmt/ranges.h>

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

/// The same for a declared way of spending.
double Spent(Spending spending, double alpha, double t) {
  if (spending == Spending::kObrienFleming) return Spent(alpha, t);
  return alpha * std::log1p((std::numbers::e - 1.0) * t);
}

}  // namespace

bool IsDeclaredLook(const RuleConfig& rule, std::size_t clusters) {
  return std::find(rule.looks_at.begin(), rule.looks_at.end(), clusters) != rule.looks_at.end();
}

double LookAlpha(double alpha, std::size_t look, std::size_t looks) {
  GONOGO_CHECK(look >= 1 && looks >= 1);
  if (looks == 1) return alpha;
  const auto now = static_cast<double>(std::min(look, looks));
  const auto all = static_cast<double>(looks);
  return Spent(alpha, now / all) - Spent(alpha, (now - 1.0) / all);
}

LookShare ShareOfLook(double alpha, const RuleConfig& rule, std::size_t look,
                      std::size_t clusters) {
  if (rule.looks_at.empty()) return {look, rule.looks, LookAlpha(alpha, look, rule.looks)};
  const std::vector<std::size_t>& at = rule.looks_at;
  const auto after = std::upper_bound(at.begin(), at.end(), clusters) - at.begin();
  const auto number = static_cast<std::size_t>(std::max<std::ptrdiff_t>(after, 1));
  const auto spent = [&](std::size_t looks) {
    if (looks == 0) return 0.0;
    const double t = static_cast<double>(at[looks - 1]) / static_cast<double>(at.back());
    return Spent(rule.spending, alpha, t);
  };
  return {number, at.size(), spent(number) - spent(number - 1)};
}

double LookLevel(double level, const RuleConfig& rule, std::size_t look, std::size_t clusters) {
  const bool single = rule.looks_at.empty() ? rule.looks == 1 : rule.looks_at.size() == 1;
  if (single) return level;
  return 1.0 - 2.0 * ShareOfLook((1.0 - level) / 2.0, rule, look, clusters).alpha;
}

std::vector<std::string> LookReasons(std::size_t look, std::size_t clusters,
                                     const std::string& earlier, const RuleConfig& rule) {
  std::vector<std::string> reasons;
  const LookShare share = ShareOfLook(0.025, rule, look, clusters);
  if (!rule.looks_at.empty() && !IsDeclaredLook(rule, clusters)) {
    const auto next = std::upper_bound(rule.looks_at.begin(), rule.looks_at.end(), clusters);
    reasons.push_back(fmt::format("the table has {} clusters, and looks are declared at {}{}",
                                  clusters, fmt::join(rule.looks_at, ", "),
                                  next == rule.looks_at.end()
                                      ? ""
                                      : fmt::format(": {} more make the next", *next - clusters)));
  } else if (!rule.looks_at.empty() && look > share.look) {
    reasons.push_back(fmt::format(
        "this is look {} at data that keep growing, and the protocol declares the look at {} "
        "clusters as number {}",
        look, clusters, share.look));
  } else if (rule.looks_at.empty() && look > rule.looks) {
    reasons.push_back(fmt::format(
        "this is look {} at data that keep growing, and the protocol declares {}: {} were audited "
        "before under the same declaration. To look again and again, declare rule.looks = {} "
        "before collecting; to confirm now, audit only clusters that were in no earlier look",
        look, rule.looks, earlier.empty() ? "fewer clusters" : earlier, look));
  }
  if (share.looks > 1 && rule.kind == DecisionRule::kPaper) {
    reasons.emplace_back("the paper's rule does not spend its error over several looks");
  }
  return reasons;
}

}  // namespace gonogo::audit
