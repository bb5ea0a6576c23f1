// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/onnx_policy.h"

#include <any>

#include "gonogo/base/check.h"
#include "gonogo/sim/loop/policy_wiring.h"

namespace gonogo::sim {
namespace {

/// Working memory of one running copy. The next recurrent state must not overwrite the present one
/// while the graphs still read it.
struct PolicyScratch {
  WiredGraph::Scratch encoder;
  WiredGraph::Scratch policy;
  std::vector<float> code;
  std::vector<float> next_hidden;
};

/// What the normaliser at a graph's first input expects of the observation.
void AddExpectation(const WiredGraph& graph, std::size_t code, robot::ExpectedInput& expected) {
  const auto& normaliser = graph.model().normaliser();
  const auto& source = graph.sources()[0];
  if (!normaliser || !source) return;
  const std::size_t skip = source->code == WiredGraph::Source::Code::kBefore ? code : 0;
  for (std::size_t i = 0; i < source->size; ++i) {
    expected.mean[source->first + i] = normaliser->mean[skip + i];
    expected.scale[source->first + i] = normaliser->scale[skip + i];
  }
}

}  // namespace

Result<std::shared_ptr<const robot::Policy>> OnnxPolicy::Load(const robot::RobotSpec& spec) {
  if (spec.policy.empty()) {
    return InputError("{}: robot.policy is missing: there is nothing to run", spec.file.string());
  }
  PolicyGraphs graphs = GONOGO_TRY(WirePolicy(spec));
  return std::shared_ptr<const robot::Policy>(
      new OnnxPolicy(static_cast<std::size_t>(spec.observation_size()), std::move(graphs.encoder),
                     std::move(graphs.policy)));
}

robot::PolicyMemory OnnxPolicy::StartMemory() const {
  PolicyScratch scratch;
  scratch.policy = policy_.MakeScratch();
  std::size_t state = policy_.state_size();
  if (encoder_) {
    scratch.encoder = encoder_->MakeScratch();
    scratch.code.resize(encoder_->result_size());
    state += encoder_->state_size();
  }
  scratch.next_hidden.resize(state);
  return {std::vector<float>(state, 0.0F), std::move(scratch)};
}

std::optional<robot::ExpectedInput> OnnxPolicy::Expectation() const {
  const bool any = policy_.model().normaliser() || (encoder_ && encoder_->model().normaliser());
  if (!any) return std::nullopt;
  // A scale of zero: nothing is expected of that number.
  robot::ExpectedInput expected{std::vector<float>(observation_size_, 0.0F),
                                std::vector<float>(observation_size_, 0.0F)};
  if (encoder_) AddExpectation(*encoder_, 0, expected);
  AddExpectation(policy_, encoder_ ? encoder_->result_size() : 0, expected);
  return expected;
}

void OnnxPolicy::Act(std::span<const float> observation, std::span<float> action,
                     robot::PolicyMemory& memory) const {
  auto* scratch = std::any_cast<PolicyScratch>(&memory.scratch);
  GONOGO_CHECK(scratch != nullptr);
  const std::size_t own = policy_.state_size();
  const std::span<const float> hidden = memory.hidden;
  const std::span<float> next = scratch->next_hidden;
  if (encoder_) {
    encoder_->Run(observation, {}, scratch->code, hidden.subspan(own), next.subspan(own),
                  scratch->encoder);
  }
  policy_.Run(observation, scratch->code, action, hidden.first(own), next.first(own),
              scratch->policy);
  memory.hidden.swap(scratch->next_hidden);
}

}  // namespace gonogo::sim
