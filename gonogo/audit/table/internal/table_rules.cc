// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/table/internal/table_rules.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <unordered_map>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/audit/table/internal/names.h"
#include "gonogo/base/nearest.h"
#include "gonogo/base/text.h"

namespace gonogo::audit::internal {
namespace {

/// More are a column that was taken for the actions by mistake.
constexpr std::size_t kMostActions = 10'000;

}  // namespace

std::optional<std::string_view> Expected(Holds holds, double value, bool is_reference) {
  switch (holds) {
    case Holds::kCost:
    case Holds::kTime:
      if (!std::isfinite(value) || value < 0.0) return "a finite number, 0 or more";
      if (is_reference && value == 0.0) return "more than 0 for the reference action";
      // Single precision has to hold every ratio to the reference, double precision its square.
      if (value > 1e15) return "at most 1e15; choose a larger unit";
      if (is_reference && value < 1e-15) return "at least 1e-15; choose a smaller unit";
      return std::nullopt;
    case Holds::kSuccess:
      if (value != 0.0 && value != 1.0) return "0 or 1";
      return std::nullopt;
    case Holds::kEligible:
      if (value != 0.0 && value != 1.0) return "0 or 1";
      if (is_reference && value == 0.0) return "1: the reference action is eligible by definition";
      return std::nullopt;
    case Holds::kPropensity:
      if (!(value > 0.0 && value <= 1.0)) return "a probability, above 0 and at most 1";
      return std::nullopt;
    case Holds::kAction:  // an index, which is checked against the number of actions
      return std::nullopt;
    case Holds::kAnything:
      if (!std::isfinite(value)) return "a finite number";
      return std::nullopt;
  }
  return std::nullopt;
}

std::optional<std::string_view> ExpectedFeature(double value) {
  if (std::isnan(value)) return std::nullopt;  // missing
  if (std::isinf(value)) return "a finite number, or nothing where it is missing";
  if (std::abs(value) > std::numeric_limits<float>::max()) return "a number below 3.4e38";
  return std::nullopt;
}

std::optional<std::string_view> ExpectedName(std::string_view name) {
  if (name.empty()) return "a name";
  if (name.size() > 1000) return "a name of at most 1000 bytes";
  if (!IsText(name)) return "UTF-8 text without control characters";
  return std::nullopt;
}

Status CheckNames(std::string_view table, std::string_view list,
                  std::span<const std::string> names) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (const auto expected = ExpectedName(names[i])) {
      return InputError("{}: {}[{}] is '{}', expected {}", table, list, i, Excerpt(names[i]),
                        *expected);
    }
  }
  return {};
}

Status CheckDistinct(std::string_view table, std::string_view list,
                     std::span<const std::string> names) {
  std::unordered_map<std::string_view, std::size_t> first;
  first.reserve(names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto [known, is_new] = first.emplace(names[i], i);
    if (is_new) continue;
    return InputError("{0}: {1}[{2}] is '{3}' like {1}[{4}], expected every name once", table, list,
                      i, names[i], known->second);
  }
  return {};
}

Status CheckActionCount(std::string_view place, std::span<const std::string> actions) {
  if (actions.size() < 2) {
    return InputError("{}: found {} action(s), expected at least two", place, actions.size());
  }
  if (actions.size() > kMostActions) {
    return InputError("{}: found {} actions ({}), expected at most {}", place, actions.size(),
                      FirstOf(actions, 3), kMostActions);
  }
  return {};
}

std::string FirstOf(std::span<const std::string> names, std::size_t most) {
  const auto shown = names.first(std::min(most, names.size()));
  return fmt::format("{}{}", fmt::join(shown, ", "), shown.size() < names.size() ? ", ..." : "");
}

Result<std::vector<std::string>> OrderActions(const Protocol& protocol,
                                              const std::vector<std::string>& found,
                                              const std::string& place) {
  const auto has = [](const std::vector<std::string>& names, const std::string& name) {
    return std::find(names.begin(), names.end(), name) != names.end();
  };
  for (const std::string& name : protocol.actions) {
    if (!has(found, name)) {
      return InputError("{}: the declared action '{}' does not occur{}", place, name,
                        DidYouMean(name, found));
    }
  }
  for (const std::string& name : found) {
    if (!protocol.actions.empty() && !has(protocol.actions, name)) {
      return InputError("{}: the action '{}' was not declared{}", place, name,
                        DidYouMean(name, protocol.actions));
    }
  }
  std::vector<std::string> actions = protocol.actions.empty() ? found : protocol.actions;
  GONOGO_TRY(CheckActionCount(place, actions));
  std::string reference = protocol.reference;
  if (reference.empty()) reference = has(actions, "direct") ? "direct" : actions.front();
  const auto position = std::find(actions.begin(), actions.end(), reference);
  if (position == actions.end()) {
    return InputError("{}: the reference action '{}' does not occur{}", place, reference,
                      DidYouMean(reference, actions));
  }
  std::rotate(actions.begin(), position, position + 1);
  return actions;
}

std::vector<std::size_t> CanonicalOrder(std::span<const std::string> clusters,
                                        std::span<const std::uint32_t> cluster_of,
                                        std::span<const std::string> queries) {
  std::vector<std::uint32_t> by_name(clusters.size());
  std::iota(by_name.begin(), by_name.end(), 0U);
  std::sort(by_name.begin(), by_name.end(), [&](std::uint32_t a, std::uint32_t b) {
    return NaturalLess(clusters[a], clusters[b]);
  });
  std::vector<std::uint32_t> rank(clusters.size());
  for (std::uint32_t i = 0; i < by_name.size(); ++i) rank[by_name[i]] = i;
  std::vector<std::size_t> order(cluster_of.size());
  std::iota(order.begin(), order.end(), 0U);
  const auto before = [&](std::size_t a, std::size_t b) {
    if (cluster_of[a] != cluster_of[b]) return rank[cluster_of[a]] < rank[cluster_of[b]];
    return !queries.empty() && NaturalLess(queries[a], queries[b]);
  };
  if (!std::is_sorted(order.begin(), order.end(), before)) {
    std::stable_sort(order.begin(), order.end(), before);
  }
  return order;
}

void SetClusters(std::span<const std::string> names,
                 std::span<const std::uint32_t> cluster_of_sorted, OutcomeTable& table) {
  for (std::size_t i = 0; i < cluster_of_sorted.size(); ++i) {
    if (i > 0 && cluster_of_sorted[i] == cluster_of_sorted[i - 1]) continue;
    table.clusters.push_back(names[cluster_of_sorted[i]]);
    table.cluster_begin.push_back(i);
  }
  table.cluster_begin.push_back(cluster_of_sorted.size());
}

void NoteFeatures(OutcomeTable& table) {
  std::vector<std::string> constant;
  std::vector<std::string> missing;
  std::vector<std::string> categories;
  const auto look = [&](const auto& groups) {
    for (const auto& group : groups) {
      for (Eigen::Index j = 0; j < group.values.cols(); ++j) {
        const std::string& name = group.columns[static_cast<std::size_t>(j)];
        const auto column = group.values.col(j).array();
        const Eigen::Index nothing = column.isNaN().count();
        if (nothing == column.size() || (column == column[0]).all()) constant.push_back(name);
        if (nothing > 0)
          missing.push_back(fmt::format("{} ({} of {})", name, nothing, column.size()));
        const std::size_t levels =
            group.levels.empty() ? 0 : group.levels[static_cast<std::size_t>(j)].size();
        if (levels > 0) categories.push_back(fmt::format("{} ({} levels)", name, levels));
      }
    }
  };
  look(table.features);
  look(table.action_features);
  const auto note = [&](const std::vector<std::string>& names, std::string_view what) {
    if (names.empty()) return;
    table.notes.push_back(
        fmt::format("{} feature column(s) {}: {}", names.size(), what, FirstOf(names, 5)));
  };
  note(constant, "never vary and carry nothing");
  note(missing,
       "miss values; a learner sees the median of its training clusters there, and a column that "
       "marks them");
  note(categories,
       "are categories; a learner sees one column of 0 and 1 for each of the learner.levels most "
       "frequent levels of its training clusters, and one for all others");
}

}  // namespace gonogo::audit::internal
