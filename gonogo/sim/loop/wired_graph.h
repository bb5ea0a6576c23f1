// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "gonogo/nn/onnx/model.h"

namespace gonogo::sim {

/// A graph and where its inputs come from: pieces of an observation, what another graph made of it
/// (the code), or its own recurrent state. Immutable; a running copy brings its own scratch.
class WiredGraph {
 public:
  /// What an input gets: numbers of the observation, the code before or after them, or either
  /// alone.
  struct Source {
    std::size_t first = 0;
    std::size_t size = 0;
    enum class Code { kNone, kBefore, kAfter } code = Code::kNone;
  };

  struct Scratch {
    nn::OnnxModel::Scratch model;
    std::vector<std::span<const float>> inputs;
    std::vector<std::span<float>> outputs;
    std::vector<float> joined;     // inputs that hold both observation and code
    std::vector<float> forgotten;  // outputs that are neither result nor state
  };

  /// `sources` has an entry per input; one without a source is recurrent state, which is what the
  /// output of the same number among those that are no result gave the step before. `results` are
  /// the outputs whose values, in this order, are the result.
  WiredGraph(nn::OnnxModel model, std::vector<std::optional<Source>> sources,
             std::vector<std::size_t> results);

  [[nodiscard]] const nn::OnnxModel& model() const { return model_; }
  [[nodiscard]] const std::vector<std::optional<Source>>& sources() const { return sources_; }
  [[nodiscard]] std::size_t state_size() const { return state_size_; }
  [[nodiscard]] std::size_t result_size() const { return result_size_; }

  [[nodiscard]] Scratch MakeScratch() const;
  /// `state` and `next_state` are different memory. Allocates nothing.
  void Run(std::span<const float> observation, std::span<const float> code, std::span<float> result,
           std::span<const float> state, std::span<float> next_state, Scratch& scratch) const;

 private:
  nn::OnnxModel model_;
  std::vector<std::optional<Source>> sources_;
  std::vector<std::size_t> results_;
  std::size_t state_size_ = 0;
  std::size_t result_size_ = 0;
  std::size_t joined_size_ = 0;
  std::size_t forgotten_size_ = 0;
};

}  // namespace gonogo::sim
