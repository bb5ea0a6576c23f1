// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/response_model.h"

#include <algorithm>

#include "gonogo/base/check.h"

namespace gonogo::response {
namespace {

struct ResponseScratch final : ResponsePredictor::Scratch {
  CommandNet::Scratch net;
};

Response ToResponse(const float* outputs) {
  return {.dx = outputs[0],
          .dy = outputs[1],
          .dpsi = outputs[2],
          .cost = outputs[3],
          .min_height_m = outputs[4],
          .mean_height_m = outputs[5]};
}

void Add(const Response& term, Response& sum) {
  sum.dx += term.dx;
  sum.dy += term.dy;
  sum.dpsi += term.dpsi;
  sum.cost += term.cost;
  sum.min_height_m += term.min_height_m;
  sum.mean_height_m += term.mean_height_m;
}

Response Divide(const Response& sum, float count) {
  return {.dx = sum.dx / count,
          .dy = sum.dy / count,
          .dpsi = sum.dpsi / count,
          .cost = sum.cost / count,
          .min_height_m = sum.min_height_m / count,
          .mean_height_m = sum.mean_height_m / count};
}

}  // namespace

const char* CostChannelName(CostChannel channel) {
  return channel == CostChannel::kEffort ? "effort" : "power";
}

ResponseModel::ResponseModel(ModelIdentity identity, CostChannel cost, const CommandSlot& slot,
                             nn::Ensemble ensemble)
    : identity_(std::move(identity)), cost_(cost), slot_(slot), ensemble_(std::move(ensemble)) {
  GONOGO_CHECK(ensemble_.outputs() == kOutputs && !ensemble_.members.empty());
  for (int m = 0; m < static_cast<int>(ensemble_.members.size()); ++m) {
    nets_.emplace_back(ensemble_, m, slot);
  }
}

std::unique_ptr<ResponsePredictor::Scratch> ResponseModel::MakeScratch(
    std::size_t candidates) const {
  auto scratch = std::make_unique<ResponseScratch>();
  nets_.front().Reserve(1, candidates, scratch->net);
  return scratch;
}

void ResponseModel::PredictMember(int member, std::span<const float> observation,
                                  std::span<const robot::Command> candidates,
                                  std::span<Response> responses, Scratch& scratch) const {
  const std::span<const float> outputs = nets_[static_cast<std::size_t>(member)].Evaluate(
      observation, candidates, static_cast<ResponseScratch&>(scratch).net);
  for (std::size_t i = 0; i < candidates.size(); ++i) {
    responses[i] = ToResponse(outputs.data() + i * kOutputs);
  }
}

void ResponseModel::Predict(std::span<const float> observation,
                            std::span<const robot::Command> candidates,
                            std::span<Response> responses, Scratch& scratch) const {
  std::fill_n(responses.begin(), candidates.size(), Response{});
  for (const CommandNet& net : nets_) {
    const std::span<const float> outputs =
        net.Evaluate(observation, candidates, static_cast<ResponseScratch&>(scratch).net);
    for (std::size_t i = 0; i < candidates.size(); ++i) {
      Add(ToResponse(outputs.data() + i * kOutputs), responses[i]);
    }
  }
  const auto count = static_cast<float>(nets_.size());
  for (Response& response : responses.first(candidates.size())) {
    response = Divide(response, count);
  }
}

}  // namespace gonogo::response
