// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <limits>
#include <span>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/nn/mlp/mlp.h"
#include "gonogo/robot/command/command.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::response {

/// Where and how an observation carries the newest command.
struct CommandSlot {
  static constexpr std::size_t kMost = 3 + robot::Command::kMostExtra;
  /// As many of its values as there are channels.
  using Values = std::array<float, kMost>;

  int offset = 0;
  std::vector<robot::CommandChannel> channels = robot::VelocityChannels();
  std::vector<double> scale{1.0, 1.0, 1.0};
  double clip_low = -std::numeric_limits<double>::infinity();
  double clip_high = std::numeric_limits<double>::infinity();

  /// Fails for a policy that is not told a command, because nothing could be varied, or is told it
  /// in several places.
  [[nodiscard]] static Result<CommandSlot> Find(const robot::RobotSpec& robot);

  [[nodiscard]] int size() const { return static_cast<int>(channels.size()); }
  /// The command as the observation holds it.
  [[nodiscard]] Values Encode(const robot::Command& command) const;
  /// Replaces the command of an observation.
  void Write(const robot::Command& command, std::span<float> observation) const;

  /// Whether a channel varied in the data a model was standardised on; if not, the model knows
  /// nothing of it.
  [[nodiscard]] bool Varied(const nn::Standardiser& input, std::size_t channel_slot) const;
};

/// One member of an ensemble over observations that hold a command, arranged for many commands at
/// few observations: the observation's part of the first layer is computed once for all of its
/// commands. Immutable; every thread brings its own `Scratch`.
class CommandNet {
 public:
  CommandNet(const nn::Ensemble& ensemble, int member, const CommandSlot& slot);

  struct Scratch {
    std::vector<float> standardised;
    std::vector<float> hidden;
    std::vector<float> outputs;
    nn::Mlp<float>::Scratch first;
    nn::Mlp<float>::Scratch rest;
  };

  /// Outputs in raw units, one row per command. `observations` holds one or more rows; the commands
  /// are divided evenly among them, in order. A row's bits do not depend on the other rows.
  /// Allocates nothing for sizes `scratch` has seen. Valid until `scratch` is used again.
  std::span<const float> Evaluate(std::span<const float> observations,
                                  std::span<const robot::Command> commands, Scratch& scratch) const;

  /// Sizes `scratch` for `Evaluate` with that many observations and commands.
  void Reserve(std::size_t observations, std::size_t commands, Scratch& scratch) const;

  [[nodiscard]] int observation_size() const { return first_.shape().inputs(); }
  [[nodiscard]] int outputs() const { return rest_.shape().outputs(); }

 private:
  void Standardise(std::span<const float> observations, std::span<float> standardised) const;
  void AddCommand(const robot::Command& command, std::span<const float> observation_part,
                  std::span<float> hidden) const;

  nn::Standardiser input_;
  nn::Standardiser target_;
  CommandSlot slot_;
  nn::Activation activation_;
  nn::Mlp<float> first_;             // affine; its command rows are zero …
  nn::Batch<float> command_weight_;  // … and stand here, channels x hidden
  nn::Mlp<float> rest_;
};

}  // namespace gonogo::response
