// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/learners/internal/xgboost_model.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>

#include <nlohmann/json.hpp>
#include <xgboost/c_api.h>

#include "gonogo/base/check.h"

namespace gonogo::audit::internal {
namespace {

/// The status of a call that returns 0 when it succeeds.
Status Checked(int code) {
  if (code == 0) return {};
  return InputError("XGBoost: {}", XGBGetLastError());
}

/// Where the boosting starts: the mean, kept away from 0 and 1 for probabilities.
double BaseScore(std::span<const float> weights, std::span<const float> targets,
                 BoostingTarget target) {
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  const double sum = std::inner_product(weights.begin(), weights.end(), targets.begin(), 0.0);
  return target == BoostingTarget::kNumber ? sum / total : (sum + 0.5) / (total + 1.0);
}

Status SetParameters(BoosterHandle booster, double base_score, BoostingTarget target,
                     const BoostingOptions& options) {
  const bool number = target == BoostingTarget::kNumber;
  const std::pair<const char*, std::string> parameters[] = {
      {"verbosity", "0"},
      {"nthread", "1"},
      {"disable_default_eval_metric", "1"},
      {"objective", number ? "reg:squarederror" : "binary:logistic"},
      {"base_score", fmt::format("{}", base_score)},
      {"tree_method", "hist"},
      {"max_bin", fmt::format("{}", options.bins)},
      {"max_depth", fmt::format("{}", options.depth)},
      {"eta", fmt::format("{}", options.learning_rate)},
      {"lambda", fmt::format("{}", options.l2)},
      {"min_child_weight", fmt::format("{}", options.min_leaf)},
  };
  for (const auto& [name, value] : parameters) {
    GONOGO_TRY(Checked(XGBoosterSetParam(booster, name, value.c_str())));
  }
  return {};
}

/// A tree of the library's JSON: lists with one entry per node; a leaf has no left child, and its
/// value stands in place of a threshold.
nn::EffectTree ReadTree(const nlohmann::json& json) {
  const auto left = json.at("left_children").get<std::vector<std::int32_t>>();
  const auto right = json.at("right_children").get<std::vector<std::int32_t>>();
  const auto feature = json.at("split_indices").get<std::vector<std::int32_t>>();
  const auto condition = json.at("split_conditions").get<std::vector<float>>();
  nn::EffectTree tree;
  for (std::size_t i = 0; i < left.size(); ++i) {
    if (left[i] < 0) {
      tree.nodes.push_back({.leaf = static_cast<std::uint32_t>(tree.values.size())});
      tree.values.push_back(condition[i]);
    } else {
      tree.nodes.push_back({.feature = feature[i],
                            .threshold = condition[i],
                            .below = static_cast<std::uint32_t>(left[i]),
                            .other = static_cast<std::uint32_t>(right[i])});
    }
  }
  return tree;
}

}  // namespace

Result<BoostingRows> BoostingRows::Create(std::span<const float> features,
                                          std::span<const float> weights) {
  GONOGO_CHECK(!weights.empty() && features.size() % weights.size() == 0);
  DMatrixHandle handle = nullptr;
  GONOGO_TRY(Checked(XGDMatrixCreateFromMat(features.data(), weights.size(),
                                            features.size() / weights.size(),
                                            std::numeric_limits<float>::quiet_NaN(), &handle)));
  std::shared_ptr<void> matrix(handle, XGDMatrixFree);
  GONOGO_TRY(Checked(XGDMatrixSetFloatInfo(handle, "weight", weights.data(), weights.size())));
  return BoostingRows(std::move(matrix), {weights.begin(), weights.end()});
}

Result<BoostedTrees> BoostedTrees::Train(BoostingRows& rows, std::span<const float> targets,
                                         BoostingTarget target, const BoostingOptions& options) {
  GONOGO_CHECK(targets.size() == rows.weights_.size());
  DMatrixHandle matrix = rows.matrix_.get();
  GONOGO_TRY(Checked(XGDMatrixSetFloatInfo(matrix, "label", targets.data(), targets.size())));
  BoosterHandle handle = nullptr;
  GONOGO_TRY(Checked(XGBoosterCreate(&matrix, 1, &handle)));
  std::shared_ptr<void> booster(handle, XGBoosterFree);
  GONOGO_TRY(SetParameters(handle, BaseScore(rows.weights_, targets, target), target, options));
  for (int round = 0; round < options.rounds; ++round) {
    GONOGO_TRY(Checked(XGBoosterUpdateOneIter(handle, round, matrix)));
  }
  return BoostedTrees(std::move(booster));
}

Status BoostedTrees::Predict(std::span<const float> features, std::span<float> out) const {
  GONOGO_CHECK(!out.empty() && features.size() % out.size() == 0);
  const std::string values = fmt::format(
      R"({{"data": [{}, true], "shape": [{}, {}], "typestr": "<f4", "version": 3}})",
      reinterpret_cast<std::uintptr_t>(features.data()), out.size(), features.size() / out.size());
  constexpr const char* kConfig =
      R"({"type": 0, "training": false, "iteration_begin": 0, "iteration_end": 0,
          "strict_shape": false, "cache_id": 0, "missing": NaN})";
  const bst_ulong* shape = nullptr;
  bst_ulong dimensions = 0;
  const float* result = nullptr;
  // In-place prediction is the one kind that leaves the model alone, so that threads may share it.
  GONOGO_TRY(Checked(XGBoosterPredictFromDense(booster_.get(), values.c_str(), kConfig, nullptr,
                                               &shape, &dimensions, &result)));
  std::copy_n(result, out.size(), out.data());
  return {};
}

BoostedSum BoostedTrees::Describe() const {
  bst_ulong length = 0;
  const char* bytes = nullptr;
  // The library wrote it and nobody else: what could be wrong with it would be our mistake.
  GONOGO_CHECK(
      XGBoosterSaveModelToBuffer(booster_.get(), R"({"format": "json"})", &length, &bytes) == 0);
  const nlohmann::json learner = nlohmann::json::parse(bytes, bytes + length).at("learner");
  const std::string start = learner.at("learner_model_param").at("base_score");
  BoostedSum sum{.base = std::stof(start)};
  if (learner.at("objective").at("name") == "binary:logistic") {
    sum.base = -std::log(1.0F / sum.base - 1.0F);
  }
  const nlohmann::json& trees = learner.at("gradient_booster").at("model").at("trees");
  for (const nlohmann::json& tree : trees) sum.trees.push_back(ReadTree(tree));
  return sum;
}

}  // namespace gonogo::audit::internal
