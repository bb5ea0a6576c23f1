// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/response/models/command_net.h"
#include "gonogo/response/models/model_identity.h"
#include "gonogo/response/models/response_predictor.h"

namespace gonogo::response {

/// F_eta: an ensemble of networks from (observation, command) to the change of the observation over
/// one macro step and what happened meanwhile. It can be rolled forward: every member advances its
/// own predicted observation.
class MacroModel final : public MacroPredictor {
 public:
  /// Outputs besides the observation's residual: the fields of `MacroResponse`.
  static constexpr int kExtraOutputs = 7;

  MacroModel(ModelIdentity identity, const CommandSlot& slot, nn::Ensemble ensemble);

  [[nodiscard]] int members() const override { return static_cast<int>(nets_.size()); }
  [[nodiscard]] int observation_size() const override { return observation_size_; }
  [[nodiscard]] std::unique_ptr<Scratch> MakeScratch(std::size_t commands) const override;
  void Advance(int member, std::span<const float> observations,
               std::span<const robot::Command> commands, std::span<float> next,
               std::span<MacroResponse> responses, Scratch& scratch) const override;

  [[nodiscard]] const ModelIdentity& identity() const { return identity_; }
  [[nodiscard]] const nn::Ensemble& ensemble() const { return ensemble_; }
  [[nodiscard]] const CommandSlot& slot() const { return slot_; }
  /// Whether a channel of the command (its slot) varied in the data it was fitted to.
  [[nodiscard]] bool Knows(std::size_t channel_slot) const {
    return slot_.Varied(ensemble_.input, channel_slot);
  }

 private:
  ModelIdentity identity_;
  CommandSlot slot_;
  int observation_size_;
  nn::Ensemble ensemble_;
  std::vector<CommandNet> nets_;
};

}  // namespace gonogo::response
