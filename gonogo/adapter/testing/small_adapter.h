// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/nn/onnx/export.h"

namespace gonogo::adapter::internal {

/// An adapter that can be worked out by hand: two members predict the work of each candidate as a
/// line in the first feature, the second member 0.1 higher than the first:
/// work(c) = slope[c] * x_0 + offset + 0.0 or 0.1. The mean is 0.05 above the line, sd 0.0707 with
/// ddof 1.
struct SmallAdapter {
  Manifest manifest;
  std::string onnx;

  explicit SmallAdapter(std::vector<std::string> actions, std::vector<FeatureNames> features,
                        const std::vector<float>& slopes, float offset = 0.0F) {
    manifest.layout = {.actions = std::move(actions), .features = std::move(features)};
    const std::size_t inputs = manifest.layout.inputs();
    const std::size_t candidates = manifest.layout.candidates();
    nn::LinearEffects linear{.input = nn::Standardiser::Identity(inputs)};
    linear.weight.assign(inputs * 2 * candidates, 0.0F);
    for (std::size_t member = 0; member < 2; ++member) {
      for (std::size_t c = 0; c < candidates; ++c) {
        linear.weight[member * candidates + c] = slopes[c];
        linear.bias.push_back(offset + 0.1F * static_cast<float>(member));
      }
    }
    onnx = nn::SerialiseEffects({.features = inputs,
                                 .candidates = candidates,
                                 .members = 2,
                                 .outputs = {{"work"}},
                                 .body = std::move(linear)},
                                {});
    manifest.learner = "ridge";
    manifest.target = "ratio";
    manifest.members = 2;
    manifest.outputs = {"work"};
    manifest.verdict = "GO";
    manifest.confirmatory = true;
    manifest.best_fixed = manifest.layout.actions.front();
    manifest.frequencies.assign(manifest.layout.actions.size(), 0.0);
    manifest.frequencies.front() = 1.0;
    manifest.inputs.assign(inputs, {.mean = 0.0, .sd = 1.0, .deciles = std::vector(11, 0.0)});
    manifest.protocol = {{"name", "small"}};
    manifest.table = {{"clusters", 20}, {"queries", 100}, {"file", "table.csv"}};
  }
};

}  // namespace gonogo::adapter::internal
