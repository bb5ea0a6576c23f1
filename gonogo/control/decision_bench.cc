// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <ctime>

#include <benchmark/benchmark.h>

#include "gonogo/control/sampling_mpc.h"
#include "gonogo/control/vgcc.h"
#include "gonogo/nn/testing/random_ensemble.h"
#include "gonogo/response/models/macro_model.h"
#include "gonogo/response/models/response_model.h"

/// \file
/// Decisions at the size of the Go2. Every iteration times one decision and, right after it, the
/// bare matrix products it contains; the ratio of the two is what counts, in the middle (p50) and
/// in the slow tail (p99).

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

double Percentile(std::vector<double>& times, double share) {
  const auto at =
      times.begin() + static_cast<std::ptrdiff_t>(share * static_cast<double>(times.size() - 1));
  std::nth_element(times.begin(), at, times.end());
  return *at;
}

double ThreadMicroseconds() {
  std::timespec now{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return 1e6 * static_cast<double>(now.tv_sec) + 1e-3 * static_cast<double>(now.tv_nsec);
}

/// CPU time of a call: other work on the machine would own the tail of the wall time.
template <typename Call>
double Microseconds(const Call& call) {
  const double begin = ThreadMicroseconds();
  call();
  return ThreadMicroseconds() - begin;
}

/// One layer's product: y = x w.
struct Product {
  Product(int rows, int inputs, int outputs)
      : x(nn::Batch<float>::Constant(rows, inputs, 0.5F)),
        w(nn::Batch<float>::Constant(inputs, outputs, 0.25F)),
        y(rows, outputs) {}
  nn::Batch<float> x;
  nn::Batch<float> w;
  nn::Batch<float> y;
};

void Compare(Controller& controller, std::vector<Product>& products, benchmark::State& state) {
  const std::vector<float> observation(kObservation, 0.1F);
  const Situation now{.observation = observation, .goal_B = {0.9, 0.4}, .height_m = 0.3};
  std::vector<double> decision_us;
  std::vector<double> products_us;
  for (auto _ : state) {
    decision_us.push_back(Microseconds([&] { benchmark::DoNotOptimize(controller.Decide(now)); }));
    products_us.push_back(Microseconds([&] {
      for (Product& p : products) {
        p.y.noalias() = p.x * p.w;
        benchmark::DoNotOptimize(p.y.data());
      }
    }));
    state.SetIterationTime(1e-6 * decision_us.back());
  }
  for (const auto& [name, share] : {std::pair{"p50", 0.5}, {"p99", 0.99}}) {
    const double decision = Percentile(decision_us, share);
    const double bare = Percentile(products_us, share);
    state.counters[fmt::format("{}_us", name)] = decision;
    state.counters[fmt::format("bare_{}_us", name)] = bare;
    state.counters[fmt::format("ratio_{}", name)] = decision / bare;
  }
}

void BM_VgccDecision(benchmark::State& state) {
  const robot::RobotSpec robot = Robot();
  const auto model = std::make_shared<response::ResponseModel>(
      response::ModelIdentity{}, response::CostChannel::kEffort,
      response::CommandSlot::Find(robot).value(),
      nn::internal::RandomEnsemble(kObservation, {256, 256}, 6, 1));
  Vgcc vgcc = Vgcc::Create({}, robot, model).value();
  // The observation's part of the first layer is the same for all 69 candidates.
  std::vector<Product> products{{1, kObservation, 256}, {69, 3, 256}, {69, 256, 256}, {69, 256, 6}};
  Compare(vgcc, products, state);
}
BENCHMARK(BM_VgccDecision)->UseManualTime();

void BM_MpcDecision(benchmark::State& state) {
  const robot::RobotSpec robot = Robot();
  const int outputs = kObservation + response::MacroModel::kExtraOutputs;
  const auto macro = std::make_shared<response::MacroModel>(
      response::ModelIdentity{}, response::CommandSlot::Find(robot).value(),
      nn::internal::RandomEnsemble(kObservation, {512, 512}, outputs, kMembers));
  const auto value = std::make_shared<response::ValueModel>(
      response::ModelIdentity{}, nn::internal::RandomEnsemble(kObservation + 2, {256, 256}, 3, 1));
  SamplingMpc mpc = SamplingMpc::Create({}, robot, macro, value).value();
  std::vector<Product> products;
  for (int member = 0; member < kMembers; ++member) {
    for (int rows = 1; rows < 81; rows *= 3) {
      products.emplace_back(rows, kObservation, 512);
      products.emplace_back(3 * rows, 3, 512);
      products.emplace_back(3 * rows, 512, 512);
      products.emplace_back(3 * rows, 512, outputs);
    }
    products.emplace_back(81, kObservation + 2, 256);
    products.emplace_back(81, 256, 256);
    products.emplace_back(81, 256, 3);
  }
  Compare(mpc, products, state);
}
BENCHMARK(BM_MpcDecision)->UseManualTime();

}  // namespace
}  // namespace gonogo::control
