// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/direction.h"

#include <algorithm>
#include <array>
#include <cctype>

#include <fmt/format.h>

namespace gonogo::audit::internal {
namespace {

constexpr std::array<std::string_view, 50> kMoreIsBetter{
    "reward",       "rewards",    "score",     "scores",     "accuracy",    "acc",
    "revenue",      "click",      "clicks",    "success",    "successes",   "quality",
    "profit",       "gain",       "sales",     "conversion", "conversions", "ctr",
    "utility",      "precision",  "recall",    "f1",         "auc",         "rating",
    "ratings",      "win",        "wins",      "throughput", "bleu",        "rouge",
    "correct",      "engagement", "retention", "yield",      "income",      "benefit",
    "likes",        "r2",         "ndcg",      "hit",        "hits",        "purchases",
    "purchase",     "upvotes",    "margin",    "earnings",   "payoff",      "preference",
    "satisfaction", "visits"};
constexpr std::array<std::string_view, 18> kLessIsBetter{
    "loss",    "lost", "error",    "errors",  "cost", "costs",   "price",    "regret", "penalty",
    "failure", "fail", "failures", "latency", "time", "seconds", "duration", "miss",   "misses"};

template <typename Words>
bool Contains(const Words& words, std::string_view word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

}  // namespace

bool SaysMoreIsBetter(std::string_view name) {
  bool more = false;
  std::string word;
  for (std::size_t i = 0; i <= name.size(); ++i) {
    const char c = i < name.size() ? name[i] : ' ';
    if (std::isalnum(static_cast<unsigned char>(c)) != 0) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (Contains(kLessIsBetter, word)) return false;
    more = more || Contains(kMoreIsBetter, word);
    word.clear();
  }
  return more;
}

std::string DirectionLines(const std::string& column, std::string_view start) {
  return fmt::format(
      "{0}{1:<34} # more is better: gains are shares of what the reference earns\n"
      "{0}{2:<34} # less is better: gains are shares of the cost that is saved",
      start, fmt::format("reward = {}", column), fmt::format("cost = {}", column));
}

}  // namespace gonogo::audit::internal
