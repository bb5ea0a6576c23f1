// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/binned_features.h"

#include <algorithm>
#include <numeric>

#include <fmt/format.h>

#include "gonogo/base/check.h"

namespace gonogo::audit::internal {
namespace {

/// A distinct value of the training queries and how much weight has it.
struct WeightedValue {
  float value;
  double weight;
};

std::vector<WeightedValue> DistinctValues(std::span<const float> values,
                                          std::span<const std::uint32_t> order,
                                          std::span<const std::uint32_t> weight) {
  std::vector<WeightedValue> distinct;
  for (const std::uint32_t query : order) {
    if (weight[query] == 0) continue;
    if (distinct.empty() || distinct.back().value != values[query]) {
      distinct.push_back({values[query], 0.0});
    }
    distinct.back().weight += weight[query];
  }
  return distinct;
}

/// Cuts halfway between neighbours. A value with the weight of several bins is one bin, and the
/// others share what is left.
std::vector<double> CutsBetween(const std::vector<WeightedValue>& distinct, std::size_t most_bins) {
  double total = 0.0;
  for (const WeightedValue& value : distinct) total += value.weight;
  const bool all = distinct.size() <= most_bins;
  std::vector<double> cuts;
  double passed = 0.0;
  double next = total / static_cast<double>(most_bins);
  for (std::size_t i = 0; i + 1 < distinct.size() && cuts.size() + 1 < most_bins; ++i) {
    passed += distinct[i].weight;
    if (!all && passed < next) continue;
    cuts.push_back(0.5 * (static_cast<double>(distinct[i].value) + distinct[i + 1].value));
    next = passed + (total - passed) / static_cast<double>(most_bins - cuts.size());
  }
  return cuts;
}

}  // namespace

FeatureColumns::FeatureColumns(const LearningProblem& problem)
    : queries_(problem.table().num_queries()) {
  const std::size_t candidates = problem.table().num_candidates();
  const std::size_t own = problem.num_features();
  const std::size_t each = problem.num_action_features();
  columns_ = own + candidates * each;
  values_.resize(columns_ * queries_);
  std::vector<float> row(columns_);
  for (std::size_t query = 0; query < queries_; ++query) {
    problem.CopyFeatures(query, std::span(row).first(own));
    for (std::size_t c = 0; c < candidates && each > 0; ++c) {
      problem.CopyActionFeatures(query, c, std::span(row).subspan(own + c * each, each));
    }
    for (std::size_t j = 0; j < columns_; ++j) values_[j * queries_ + query] = row[j];
  }
  order_.resize(columns_ * queries_);
  for (std::size_t j = 0; j < columns_; ++j) {
    const std::span<std::uint32_t> order = std::span(order_).subspan(j * queries_, queries_);
    std::iota(order.begin(), order.end(), 0U);
    const std::span<const float> value = values(j);
    std::stable_sort(order.begin(), order.end(),
                     [&](std::uint32_t a, std::uint32_t b) { return value[a] < value[b]; });
  }
  for (const FeatureGroup* group : problem.features) {
    names_.insert(names_.end(), group->columns.begin(), group->columns.end());
  }
  for (std::size_t c = 0; c < candidates && each > 0; ++c) {
    for (const ActionFeatureGroup* group : problem.action_features) {
      for (const std::string& column : group->columns) {
        names_.push_back(fmt::format("{} of {}", column, problem.table().actions[c + 1]));
      }
    }
  }
}

BinnedFeatures::BinnedFeatures(const FeatureColumns& columns, std::span<const std::uint32_t> weight,
                               std::size_t most_bins)
    : queries_(columns.queries()), cuts_(columns.columns()), bins_(columns.columns() * queries_) {
  GONOGO_CHECK(most_bins >= 2 && most_bins <= kMostBins && weight.size() == queries_);
  for (std::size_t j = 0; j < cuts_.size(); ++j) {
    const std::span<const float> values = columns.values(j);
    const std::span<const std::uint32_t> order = columns.order(j);
    cuts_[j] = CutsBetween(DistinctValues(values, order, weight), most_bins);
    if (cuts_[j].empty()) continue;
    splittable_.push_back(static_cast<std::uint32_t>(j));
    std::size_t bin = 0;
    for (const std::uint32_t query : order) {
      while (bin < cuts_[j].size() && values[query] >= cuts_[j][bin]) ++bin;
      bins_[j * queries_ + query] = static_cast<std::uint8_t>(bin);
    }
  }
}

}  // namespace gonogo::audit::internal
