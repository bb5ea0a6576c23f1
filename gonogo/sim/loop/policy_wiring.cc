// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/loop/policy_wiring.h"

#include <algorithm>
#include <numeric>
#include <set>

namespace gonogo::sim {
namespace {

using Ports = std::vector<nn::OnnxPort>;
using Source = WiredGraph::Source;
using Sources = std::vector<std::optional<Source>>;
using Blocks = std::vector<robot::ObservationBlock>;

std::string PortNames(const Ports& ports) {
  std::string names;
  for (const nn::OnnxPort& port : ports) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", port.name, port.size);
  }
  return names;
}

const robot::ObservationBlock* FindBlock(const Blocks& blocks, const std::string& name) {
  const auto at = std::find_if(blocks.begin(), blocks.end(),
                               [&](const auto& block) { return block.name == name; });
  return at == blocks.end() ? nullptr : &*at;
}

Source SourceOf(const robot::ObservationBlock& block) {
  return {.first = block.first, .size = block.size()};
}

bool IsNamed(const Blocks& blocks) { return !blocks.front().name.empty(); }

/// Pieces of the observation for the inputs of a graph that have their names.
Sources ByName(const Ports& inputs, const Blocks& blocks) {
  Sources sources(inputs.size());
  if (!IsNamed(blocks)) {
    sources[0] = SourceOf(blocks.front());
    return sources;
  }
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    const robot::ObservationBlock* block = FindBlock(blocks, inputs[i].name);
    if (block != nullptr) sources[i] = SourceOf(*block);
  }
  return sources;
}

Status CheckSizes(const std::string& file, const std::string& description, const Ports& inputs,
                  const Sources& sources, std::size_t code) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    if (!sources[i]) continue;
    const bool coded = sources[i]->code != Source::Code::kNone;
    const std::size_t given = sources[i]->size + (coded ? code : 0);
    if (inputs[i].size == given) continue;
    const std::string encoded = coded ? fmt::format(" and {} of the encoder", code) : "";
    const std::string which = i == 0 ? "first input" : "input " + inputs[i].name;
    return InputError("{}: takes {} values as its {}, but the terms of {} give {}{}", file,
                      inputs[i].size, which, description, sources[i]->size, encoded);
  }
  return {};
}

/// Inputs without a source are state; each needs an output of its size.
Status CheckState(const std::string& file, const nn::OnnxModel& model, const Sources& sources,
                  const std::vector<std::size_t>& results) {
  Ports states;
  Ports next;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    if (!sources[i]) states.push_back(model.inputs()[i]);
  }
  if (states.empty()) return {};
  for (std::size_t i = 0; i < model.outputs().size(); ++i) {
    if (std::find(results.begin(), results.end(), i) == results.end()) {
      next.push_back(model.outputs()[i]);
    }
  }
  if (states.size() != next.size()) {
    return InputError(
        "{}: has {} inputs and {} outputs; recurrent state needs one of each. Its inputs are {}; "
        "those that are no state are named by input = \"…\" of [[observation]]",
        file, model.inputs().size(), model.outputs().size(), PortNames(model.inputs()));
  }
  for (std::size_t i = 0; i < states.size(); ++i) {
    if (states[i].size == next[i].size) continue;
    return InputError(
        "{}: recurrent input {} has {} values, its output {} has {}. An input that is no state is "
        "named by input = \"…\" of [[observation]]",
        file, states[i].name, states[i].size, next[i].name, next[i].size);
  }
  return {};
}

bool HasState(const Sources& sources) {
  return std::any_of(sources.begin(), sources.end(), [](const auto& source) { return !source; });
}

Result<WiredGraph> WireEncoder(const robot::RobotSpec& spec, const Blocks& blocks) {
  const std::string file = spec.encoder.file.string();
  nn::OnnxModel model = GONOGO_TRY(nn::OnnxModel::Load(spec.encoder.file));
  if (model.inputs().empty() || model.outputs().empty()) {
    return InputError("{}: has no input or no output", file);
  }
  Sources sources = ByName(model.inputs(), blocks);
  const std::vector<std::string>& given = spec.encoder.inputs;
  if (given.size() > model.inputs().size()) {
    return InputError("{}: encoder.inputs names {}, but {} has only the inputs {}",
                      spec.file.string(), given.size(), file, PortNames(model.inputs()));
  }
  for (std::size_t i = 0; i < given.size(); ++i) {
    sources[i] = SourceOf(*FindBlock(blocks, given[i]));
  }
  if (!sources[0]) {
    return InputError(
        "{}: takes {}, and no [[observation]] of {} has such an input; say with "
        "encoder.inputs what it takes",
        file, PortNames(model.inputs()), spec.file.string());
  }
  GONOGO_TRY(CheckSizes(file, spec.file.string(), model.inputs(), sources, 0));
  std::vector<std::size_t> results(HasState(sources) ? 1 : model.outputs().size());
  std::iota(results.begin(), results.end(), 0);
  GONOGO_TRY(CheckState(file, model, sources, results));
  return WiredGraph(std::move(model), std::move(sources), std::move(results));
}

/// Adds the encoder's result to the input it is meant for.
Status JoinCode(const robot::RobotSpec& spec, const nn::OnnxModel& policy, Sources& sources) {
  const Ports& inputs = policy.inputs();
  std::size_t into = 0;
  while (into < inputs.size() && !spec.encoder.into.empty() &&
         inputs[into].name != spec.encoder.into) {
    ++into;
  }
  if (into == inputs.size()) {
    return InputError("{}: encoder.into is \"{}\", but {} has the inputs {}", spec.file.string(),
                      spec.encoder.into, spec.policy.string(), PortNames(inputs));
  }
  if (!sources[into]) sources[into] = Source{};
  sources[into]->code = spec.encoder.before ? Source::Code::kBefore : Source::Code::kAfter;
  return {};
}

/// Every named piece of the observation must be of use to somebody.
Status CheckUse(const robot::RobotSpec& spec, const Blocks& blocks,
                const std::optional<WiredGraph>& encoder, const nn::OnnxModel& policy,
                const Sources& sources) {
  std::set<std::size_t> used;
  for (const auto& source : sources) {
    if (source && source->size > 0) used.insert(source->first);
  }
  for (std::size_t i = 0; encoder && i < encoder->sources().size(); ++i) {
    if (encoder->sources()[i]) used.insert(encoder->sources()[i]->first);
  }
  for (const robot::ObservationBlock& block : blocks) {
    if (used.contains(block.first)) continue;
    return InputError("{}: [[observation]] has the input \"{}\", but {} has the inputs {}{}",
                      spec.file.string(), block.name, spec.policy.string(),
                      PortNames(policy.inputs()),
                      encoder ? fmt::format(", and {} has {}", spec.encoder.file.string(),
                                            PortNames(encoder->model().inputs()))
                              : "");
  }
  return {};
}

/// Which output is the action: the first, or without recurrent state the first that fits.
Result<std::size_t> ActionOutput(const robot::RobotSpec& spec, const Ports& outputs, bool state) {
  const auto joints = static_cast<std::size_t>(spec.joint_count());
  for (std::size_t i = 0; i < (state ? std::min<std::size_t>(1, outputs.size()) : outputs.size());
       ++i) {
    if (outputs[i].size == joints) return i;
  }
  return InputError("{}: gives {} values as its first output, but joints.order of {} names {}",
                    spec.policy.string(), outputs.empty() ? 0 : outputs[0].size, spec.file.string(),
                    joints);
}

}  // namespace

Result<PolicyGraphs> WirePolicy(const robot::RobotSpec& spec) {
  const Blocks blocks = spec.ObservationBlocks();
  const std::string file = spec.policy.string();
  nn::OnnxModel model = GONOGO_TRY(nn::OnnxModel::Load(spec.policy));
  if (model.inputs().empty()) return InputError("{}: takes no input", file);
  std::optional<WiredGraph> encoder;
  if (!spec.encoder.file.empty()) encoder = GONOGO_TRY(WireEncoder(spec, blocks));
  Sources sources = ByName(model.inputs(), blocks);
  if (encoder) GONOGO_TRY(JoinCode(spec, model, sources));
  GONOGO_TRY(CheckUse(spec, blocks, encoder, model, sources));
  GONOGO_TRY(CheckSizes(file, spec.file.string(), model.inputs(), sources,
                        encoder ? encoder->result_size() : 0));
  if (HasState(sources)) GONOGO_TRY(CheckState(file, model, sources, {0}));
  const std::size_t action = GONOGO_TRY(ActionOutput(spec, model.outputs(), HasState(sources)));
  return PolicyGraphs{std::move(encoder),
                      WiredGraph(std::move(model), std::move(sources), {action})};
}

}  // namespace gonogo::sim
