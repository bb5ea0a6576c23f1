// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "gonogo/nn/mlp/ensemble.h"
#include "gonogo/response/models/command_net.h"
#include "gonogo/response/models/model_identity.h"
#include "gonogo/response/models/response_predictor.h"

namespace gonogo::response {

/// Which measured cost a response model predicts.
enum class CostChannel : std::uint8_t {
  kEffort,  ///< effort proxy mean |a qd|, no unit
  kPower,   ///< mechanical power, W
};

[[nodiscard]] const char* CostChannelName(CostChannel channel);

/// f_phi: (observation, command) to the six outputs of `Response`, as the mean of one or more
/// networks.
class ResponseModel final : public ResponsePredictor {
 public:
  static constexpr int kOutputs = 6;

  /// The ensemble maps an observation (the command in its slot) to the fields of `Response`, in
  /// their order.
  ResponseModel(ModelIdentity identity, CostChannel cost, const CommandSlot& slot,
                nn::Ensemble ensemble);

  [[nodiscard]] std::unique_ptr<Scratch> MakeScratch(std::size_t candidates) const override;
  void Predict(std::span<const float> observation, std::span<const robot::Command> candidates,
               std::span<Response> responses, Scratch& scratch) const override;
  /// What one member says; the spread of the members is the model's uncertainty.
  void PredictMember(int member, std::span<const float> observation,
                     std::span<const robot::Command> candidates, std::span<Response> responses,
                     Scratch& scratch) const;

  [[nodiscard]] int members() const { return static_cast<int>(nets_.size()); }
  /// Whether a channel of the command (its slot) varied in the data it was fitted to.
  [[nodiscard]] bool Knows(std::size_t channel_slot) const {
    return slot_.Varied(ensemble_.input, channel_slot);
  }
  [[nodiscard]] CostChannel cost() const { return cost_; }
  [[nodiscard]] const ModelIdentity& identity() const { return identity_; }
  [[nodiscard]] const nn::Ensemble& ensemble() const { return ensemble_; }

 private:
  ModelIdentity identity_;
  CostChannel cost_;
  CommandSlot slot_;
  nn::Ensemble ensemble_;
  std::vector<CommandNet> nets_;
};

}  // namespace gonogo::response
