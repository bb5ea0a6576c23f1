// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/command_net.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::response {

Result<CommandSlot> CommandSlot::Find(const robot::RobotSpec& robot) {
  const robot::ObservationTerm* found = nullptr;
  for (const robot::ObservationTerm& term : robot.observation) {
    if (term.kind != robot::TermKind::kCommand) continue;
    if (found != nullptr) {
      return InputError(
          "{}: the observation holds the command in several places; the models of the responses "
          "replace it in one, so that they need a single command term",
          robot.file.string());
    }
    found = &term;
  }
  if (found == nullptr) {
    return InputError(
        "{}: the observation has no command term; a policy that takes no command "
        "offers nothing to identify or to adapt",
        robot.file.string());
  }
  return CommandSlot{.offset = robot.TermOffset(robot::TermKind::kCommand),
                     .channels = robot.channels,
                     .scale = found->scale,
                     .clip_low = found->clip_low,
                     .clip_high = found->clip_high};
}

CommandSlot::Values CommandSlot::Encode(const robot::Command& command) const {
  Values encoded{};
  for (std::size_t i = 0; i < channels.size(); ++i) {
    encoded[i] =
        static_cast<float>(std::clamp(channels[i].Of(command), clip_low, clip_high) * scale[i]);
  }
  return encoded;
}

void CommandSlot::Write(const robot::Command& command, std::span<float> observation) const {
  const Values encoded = Encode(command);
  std::copy_n(encoded.begin(), channels.size(), observation.begin() + offset);
}

bool CommandSlot::Varied(const nn::Standardiser& input, std::size_t channel_slot) const {
  for (std::size_t i = 0; i < channels.size(); ++i) {
    if (channels[i].slot != channel_slot) continue;
    // Numbers that never change are given a scale of exactly 1.
    return input.scale[static_cast<std::size_t>(offset) + i] != 1.0;
  }
  return false;
}

namespace {

/// Layers [begin, end) of a network, as a network.
nn::Mlp<float> Slice(const nn::Mlp<float>& network, int begin, int end, nn::Activation output) {
  const std::vector<int>& sizes = network.shape().sizes;
  nn::Mlp<float> slice({.sizes = {sizes.begin() + begin, sizes.begin() + end + 1},
                        .hidden = network.shape().hidden,
                        .output = output});
  const std::span<const float> source =
      network.parameters().subspan(network.weight_offset(begin), slice.parameters().size());
  std::copy(source.begin(), source.end(), slice.parameters().begin());
  return slice;
}

std::span<float> Take(std::vector<float>& buffer, std::size_t size) {
  if (buffer.size() < size) buffer.resize(size);
  return std::span(buffer).first(size);
}

}  // namespace

CommandNet::CommandNet(const nn::Ensemble& ensemble, int member, const CommandSlot& slot)
    : input_(ensemble.input),
      target_(ensemble.target),
      slot_(slot),
      activation_(ensemble.members[static_cast<std::size_t>(member)].shape().hidden),
      first_(Slice(ensemble.members[static_cast<std::size_t>(member)], 0, 1,
                   nn::Activation::kIdentity)),
      command_weight_(first_.weight(0).middleRows(slot.offset, slot.size())),
      rest_(Slice(ensemble.members[static_cast<std::size_t>(member)], 1,
                  ensemble.members[static_cast<std::size_t>(member)].shape().layers(),
                  ensemble.members[static_cast<std::size_t>(member)].shape().output)) {
  GONOGO_CHECK(slot.offset >= 0 && slot.offset + slot.size() <= observation_size());
  first_.weight(0).middleRows(slot.offset, slot.size()).setZero();
}

void CommandNet::Standardise(std::span<const float> observations,
                             std::span<float> standardised) const {
  const auto width = static_cast<Eigen::Index>(observation_size());
  const Eigen::Map<const nn::Batch<float>> raw(
      observations.data(), static_cast<Eigen::Index>(observations.size()) / width, width);
  input_.Apply<float>(raw, standardised);
}

void CommandNet::AddCommand(const robot::Command& command, std::span<const float> observation_part,
                            std::span<float> hidden) const {
  const CommandSlot::Values encoded = slot_.Encode(command);
  std::copy(observation_part.begin(), observation_part.end(), hidden.begin());
  const float* weight = command_weight_.data();
  for (std::size_t i = 0; i < static_cast<std::size_t>(slot_.size()); ++i) {
    const std::size_t column = static_cast<std::size_t>(slot_.offset) + i;
    const auto z = static_cast<float>((encoded[i] - input_.mean[column]) / input_.scale[column]);
    for (std::size_t j = 0; j < hidden.size(); ++j) hidden[j] += z * weight[j];
    weight += hidden.size();
  }
}

void CommandNet::Reserve(std::size_t observations, std::size_t commands, Scratch& scratch) const {
  const std::vector<float> zeros(observations * static_cast<std::size_t>(observation_size()));
  Evaluate(zeros, std::vector<robot::Command>(commands), scratch);
}

std::span<const float> CommandNet::Evaluate(std::span<const float> observations,
                                            std::span<const robot::Command> commands,
                                            Scratch& scratch) const {
  const auto inputs = static_cast<std::size_t>(observation_size());
  const auto width = static_cast<std::size_t>(first_.shape().outputs());
  const std::size_t rows = observations.size() / inputs;
  GONOGO_CHECK(rows > 0 && observations.size() == rows * inputs && commands.size() % rows == 0);
  const std::span<float> standardised = Take(scratch.standardised, observations.size());
  Standardise(observations, standardised);
  const Eigen::Map<const nn::Batch<float>> z(standardised.data(), static_cast<Eigen::Index>(rows),
                                             static_cast<Eigen::Index>(inputs));
  const nn::Mlp<float>::ConstMatrix part = first_.Forward(z, scratch.first);

  const std::span<float> hidden = Take(scratch.hidden, commands.size() * width);
  const std::size_t per_row = commands.size() / rows;
  for (std::size_t k = 0; k < commands.size(); ++k) {
    AddCommand(commands[k], {part.data() + k / per_row * width, width},
               hidden.subspan(k * width, width));
  }
  nn::Activate<float>(activation_, hidden);
  const Eigen::Map<const nn::Batch<float>> h(
      hidden.data(), static_cast<Eigen::Index>(commands.size()), static_cast<Eigen::Index>(width));
  const nn::Mlp<float>::ConstMatrix out = rest_.Forward(h, scratch.rest);
  const std::span<float> outputs = Take(scratch.outputs, static_cast<std::size_t>(out.size()));
  std::copy_n(out.data(), outputs.size(), outputs.data());
  target_.Invert<float>(outputs);
  return outputs;
}

}  // namespace gonogo::response
