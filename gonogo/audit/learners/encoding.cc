// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/encoding.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

template <typename Group>
bool IsCategory(const Group& group, std::size_t column) {
  return !group.levels.empty() && !group.levels[column].empty();
}

template <typename Group>
bool Misses(const Group& group, std::size_t column) {
  return group.values.col(static_cast<Eigen::Index>(column)).array().isNaN().any();
}

/// What the columns are called that one becomes.
template <typename Group>
void AddNames(const Group& group, std::size_t column, const nn::ColumnEncoding& encoding,
              std::vector<std::string>& names) {
  const std::string& name = group.columns[column];
  if (!encoding.is_category) names.push_back(name);
  for (const float level : encoding.levels) {
    names.push_back(
        fmt::format("{} is {}", name, group.levels[column][static_cast<std::size_t>(level)]));
  }
  if (encoding.is_category) names.push_back(fmt::format("{} is another", name));
  if (encoding.may_be_missing) names.push_back(fmt::format("{} is missing", name));
}

}  // namespace

template <typename Group>
bool NeedsEncoding(std::span<const Group* const> groups) {
  return std::any_of(groups.begin(), groups.end(), [](const Group* group) {
    return !group->levels.empty() || group->values.hasNaN();
  });
}

template <typename Group>
Encoder<Group>::Encoder(std::span<const Group* const> groups, const OutcomeTable& table,
                        std::size_t levels)
    : groups_(groups.begin(), groups.end()),
      levels_(levels),
      changes_anything_(NeedsEncoding(groups)) {
  if (!changes_anything_) return;
  for (const Group* group : groups_) {
    std::vector<bool>& misses = misses_.emplace_back();
    for (std::size_t j = 0; j < group->columns.size(); ++j) misses.push_back(Misses(*group, j));
  }
  const auto rows = static_cast<std::size_t>(groups_.front()->values.rows());
  const std::size_t each = rows / table.num_queries();
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    cluster_of_.resize(table.queries_of(k).end * each, k);
  }
}

template <typename Group>
std::vector<nn::ColumnEncoding> Encoder<Group>::Learn(const stats::ClusterSplit& split) const {
  std::vector<std::uint32_t> times;
  for (const std::size_t cluster : cluster_of_) times.push_back(split.multiplicity[cluster]);
  std::vector<nn::ColumnEncoding> encodings;
  for (std::size_t g = 0; g < groups_.size(); ++g) {
    const Group& group = *groups_[g];
    for (std::size_t j = 0; j < group.columns.size(); ++j) {
      nn::ColumnEncoding& encoding = encodings.emplace_back();
      if (!changes_anything_) continue;
      encoding.is_category = IsCategory(group, j);
      encoding.may_be_missing = misses_[g][j];
      const auto column = static_cast<Eigen::Index>(j);
      if (encoding.is_category) {
        encoding.levels = Levels(group, column, times);
      } else if (encoding.may_be_missing) {
        encoding.fill = Median(group, column, times);
      }
    }
  }
  return encodings;
}

// Of an even number of values the mean of the two in the middle; 0 where there are none.
template <typename Group>
float Encoder<Group>::Median(const Group& group, Eigen::Index column,
                             std::span<const std::uint32_t> times) const {
  std::vector<float> values;
  for (std::size_t row = 0; row < times.size(); ++row) {
    const float value = group.values(static_cast<Eigen::Index>(row), column);
    if (!std::isnan(value)) values.insert(values.end(), times[row], value);
  }
  if (values.empty()) return 0.0F;
  const auto upper = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), upper, values.end());
  if (values.size() % 2 == 1) return *upper;
  const float lower = *std::max_element(values.begin(), upper);
  return static_cast<float>((static_cast<double>(lower) + static_cast<double>(*upper)) / 2.0);
}

template <typename Group>
std::vector<float> Encoder<Group>::Levels(const Group& group, Eigen::Index column,
                                          std::span<const std::uint32_t> times) const {
  std::vector<std::size_t> count(group.levels[static_cast<std::size_t>(column)].size(), 0);
  for (std::size_t row = 0; row < times.size(); ++row) {
    const float value = group.values(static_cast<Eigen::Index>(row), column);
    if (!std::isnan(value)) count[static_cast<std::size_t>(value)] += times[row];
  }
  std::vector<std::size_t> order(count.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return count[a] > count[b]; });
  order.resize(std::min(order.size(), levels_));
  std::sort(order.begin(), order.end());
  std::vector<float> own;
  for (const std::size_t level : order) {
    if (count[level] > 0) own.push_back(static_cast<float>(level));
  }
  return own;
}

template <typename Group>
std::vector<Group> Encoder<Group>::Apply(std::span<const nn::ColumnEncoding> encodings) const {
  std::vector<Group> encoded;
  std::size_t next = 0;
  for (const Group* group : groups_) {
    const auto own = encodings.subspan(next, group->columns.size());
    next += own.size();
    std::size_t width = 0;
    Group& made = encoded.emplace_back(Group{.name = group->name, .columns = {}, .values = {}});
    for (std::size_t j = 0; j < own.size(); ++j) {
      AddNames(*group, j, own[j], made.columns);
      width += own[j].width();
    }
    made.values.resize(group->values.rows(), static_cast<Eigen::Index>(width));
    for (Eigen::Index row = 0; row < made.values.rows(); ++row) {
      std::span<float> out(made.values.data() + static_cast<std::size_t>(row) * width, width);
      for (std::size_t j = 0; j < own.size(); ++j) {
        own[j].Apply(group->values(row, static_cast<Eigen::Index>(j)), out.first(own[j].width()));
        out = out.subspan(own[j].width());
      }
    }
  }
  return encoded;
}

template class Encoder<FeatureGroup>;
template class Encoder<ActionFeatureGroup>;
template bool NeedsEncoding(std::span<const FeatureGroup* const> groups);
template bool NeedsEncoding(std::span<const ActionFeatureGroup* const> groups);

std::vector<FeatureGroup> EncodedFeatures(const OutcomeTable& table, std::size_t levels) {
  std::vector<const FeatureGroup*> groups;
  for (const FeatureGroup& group : table.features) groups.push_back(&group);
  const Encoder<FeatureGroup> encoder(groups, table, levels);
  const std::vector<std::uint32_t> once(table.num_clusters(), 1);
  return encoder.Apply(encoder.Learn({once}));
}

}  // namespace gonogo::audit
