// SPDX-License-Identifier: Apache-2.0
#include <benchmark/benchmark.h>

#include "gonogo/control/sampling_mpc.h"
#include "gonogo/control/vgcc.h"
#include "gonogo/response/macro_model.h"
#include "gonogo/response/response_model.h"

/// \file
/// Decisions at the size of the Go2, each beside the bare matrix products it contains. The ratio of
/// the two times is what counts.

namespace gonogo::control {
namespace {

constexpr int kObservation = 239;
constexpr int kMembers = 5;

robot::RobotSpec Robot() {
  robot::RobotSpec robot;
  robot.posture.nominal_height_m = 0.3;
  robot::ObservationTerm command;
  command.kind = robot::TermKind::kCommand;
  command.scale = {1.0, 1.0, 1.0};
  robot::ObservationTerm joints;
  joints.kind = robot::TermKind::kJointPos;
  joints.scale = std::vector<double>(kObservation - 3, 1.0);
  robot.observation = {command, joints};
  return robot;
}

nn::Ensemble RandomEnsemble(int inputs, int hidden, int outputs, int members) {
  nn::Ensemble ensemble{
      .input = nn::Standardiser::Identity(static_cast<std::size_t>(inputs)),
      .target = nn::Standardiser::Identity(static_cast<std::size_t>(outputs)),
      .losses = std::vector(static_cast<std::size_t>(outputs), nn::Loss::kSquaredError),
      .members = {}};
  for (int m = 0; m < members; ++m) {
    ensemble.members.emplace_back(nn::MlpShape{.sizes = {inputs, hidden, hidden, outputs}});
    ensemble.members.back().Initialise(RngStream(9).Child(static_cast<std::uint64_t>(m)));
  }
  return ensemble;
}

void Decide(Controller& controller, benchmark::State& state) {
  const std::vector<float> observation(kObservation, 0.1F);
  const Situation now{.observation = observation, .goal_B = {0.9, 0.4}, .height_m = 0.3};
  for (auto _ : state) benchmark::DoNotOptimize(controller.Decide(now));
}

/// Products of `layers` (rows, inputs, outputs) per iteration.
void Products(const std::vector<std::array<int, 3>>& layers, benchmark::State& state) {
  std::vector<nn::Batch<float>> x;
  std::vector<nn::Batch<float>> w;
  std::vector<nn::Batch<float>> y;
  for (const auto& [rows, inputs, outputs] : layers) {
    x.emplace_back(nn::Batch<float>::Constant(rows, inputs, 0.5F));
    w.emplace_back(nn::Batch<float>::Constant(inputs, outputs, 0.25F));
    y.emplace_back(rows, outputs);
  }
  for (auto _ : state) {
    for (std::size_t i = 0; i < x.size(); ++i) {
      y[i].noalias() = x[i] * w[i];
      benchmark::DoNotOptimize(y[i].data());
    }
  }
}

void BM_VgccDecision(benchmark::State& state) {
  const robot::RobotSpec robot = Robot();
  const auto model = std::make_shared<response::ResponseModel>(
      response::ModelIdentity{}, response::CostChannel::kEffort,
      response::CommandSlot::Find(robot).value(), RandomEnsemble(kObservation, 256, 6, 1));
  Vgcc vgcc = Vgcc::Create({}, robot, model).value();
  Decide(vgcc, state);
}
BENCHMARK(BM_VgccDecision);

void BM_VgccBareProducts(benchmark::State& state) {
  Products({{1, kObservation, 256}, {69, 3, 256}, {69, 256, 256}, {69, 256, 6}}, state);
}
BENCHMARK(BM_VgccBareProducts);

void BM_MpcDecision(benchmark::State& state) {
  const robot::RobotSpec robot = Robot();
  const auto macro = std::make_shared<response::MacroModel>(
      response::ModelIdentity{}, response::CommandSlot::Find(robot).value(),
      RandomEnsemble(kObservation, 512, kObservation + response::MacroModel::kExtraOutputs,
                     kMembers));
  const auto value = std::make_shared<response::ValueModel>(
      response::ModelIdentity{}, RandomEnsemble(kObservation + 2, 256, 3, 1));
  SamplingMpc mpc = SamplingMpc::Create({}, robot, macro, value).value();
  Decide(mpc, state);
}
BENCHMARK(BM_MpcDecision);

void BM_MpcBareProducts(benchmark::State& state) {
  std::vector<std::array<int, 3>> layers;
  const int outputs = kObservation + response::MacroModel::kExtraOutputs;
  for (int member = 0; member < kMembers; ++member) {
    for (int rows = 1; rows < 81; rows *= 3) {
      layers.push_back({rows, kObservation, 512});
      layers.push_back({3 * rows, 3, 512});
      layers.push_back({3 * rows, 512, 512});
      layers.push_back({3 * rows, 512, outputs});
    }
    layers.push_back({81, kObservation + 2, 256});
    layers.push_back({81, 256, 256});
    layers.push_back({81, 256, 3});
  }
  Products(layers, state);
}
BENCHMARK(BM_MpcBareProducts);

}  // namespace
}  // namespace gonogo::control
