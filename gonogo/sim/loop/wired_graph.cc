// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/wired_graph.h"

#include <algorithm>

namespace gonogo::sim {

WiredGraph::WiredGraph(nn::OnnxModel model, std::vector<std::optional<Source>> sources,
                       std::vector<std::size_t> results)
    : model_(std::move(model)), sources_(std::move(sources)), results_(std::move(results)) {
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    const std::size_t size = model_.inputs()[i].size;
    if (!sources_[i]) {
      state_size_ += size;
    } else if (sources_[i]->code != Source::Code::kNone) {
      joined_size_ += size;
    }
  }
  for (const std::size_t i : results_) result_size_ += model_.outputs()[i].size;
  for (const nn::OnnxPort& output : model_.outputs()) forgotten_size_ += output.size;
}

WiredGraph::Scratch WiredGraph::MakeScratch() const {
  Scratch scratch;
  scratch.inputs.resize(model_.inputs().size());
  scratch.outputs.resize(model_.outputs().size());
  scratch.joined.resize(joined_size_);
  scratch.forgotten.resize(state_size_ == 0 ? forgotten_size_ : 0);
  return scratch;
}

void WiredGraph::Run(std::span<const float> observation, std::span<const float> code,
                     std::span<float> result, std::span<const float> state,
                     std::span<float> next_state, Scratch& scratch) const {
  std::span<float> joined = scratch.joined;
  for (std::size_t i = 0; i < sources_.size(); ++i) {
    if (!sources_[i]) {
      scratch.inputs[i] = state.first(model_.inputs()[i].size);
      state = state.subspan(scratch.inputs[i].size());
      continue;
    }
    const Source& source = *sources_[i];
    const std::span<const float> seen = observation.subspan(source.first, source.size);
    scratch.inputs[i] = seen;
    if (source.code == Source::Code::kNone) continue;
    const bool before = source.code == Source::Code::kBefore;
    const std::span<float> both = joined.first(seen.size() + code.size());
    joined = joined.subspan(both.size());
    std::copy(seen.begin(), seen.end(), both.begin() + (before ? code.size() : 0));
    std::copy(code.begin(), code.end(), both.begin() + (before ? 0 : seen.size()));
    scratch.inputs[i] = both;
  }
  for (const std::size_t i : results_) {
    scratch.outputs[i] = result.first(model_.outputs()[i].size);
    result = result.subspan(scratch.outputs[i].size());
  }
  // What is no result is the next state, or of no use.
  std::span<float> rest = state_size_ > 0 ? next_state : std::span<float>(scratch.forgotten);
  for (std::size_t i = 0; i < scratch.outputs.size(); ++i) {
    if (std::find(results_.begin(), results_.end(), i) != results_.end()) continue;
    scratch.outputs[i] = rest.first(model_.outputs()[i].size);
    rest = rest.subspan(scratch.outputs[i].size());
  }
  model_.Run(scratch.inputs, scratch.outputs, scratch.model);
}

}  // namespace gonogo::sim
