// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/fit.h"

#include <algorithm>
#include <atomic>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"
#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::response {
namespace {

nn::Samples<float> Standardise(const FitProblem& problem, const nn::Ensemble& ensemble) {
  nn::Samples<float> samples{nn::Batch<float>(problem.inputs.rows(), problem.inputs.cols()),
                             nn::Batch<float>(problem.targets.rows(), problem.targets.cols())};
  ensemble.input.Apply<float>(
      problem.inputs, {samples.inputs.data(), static_cast<std::size_t>(samples.inputs.size())});
  ensemble.target.Apply<float>(
      problem.targets, {samples.targets.data(), static_cast<std::size_t>(samples.targets.size())});
  return samples;
}

std::vector<int> Multiplicity(const FitProblem& problem) {
  std::vector<int> multiplicity(static_cast<std::size_t>(problem.inputs.rows()), 0);
  for (const int row : problem.training) ++multiplicity[static_cast<std::size_t>(row)];
  return multiplicity;
}

void TrainEpoch(const nn::Samples<float>& samples, std::span<const int> order, int batch,
                nn::Trainer<float>& trainer) {
  const auto size = static_cast<std::size_t>(batch);
  for (std::size_t first = 0; first < order.size(); first += size) {
    trainer.Step(samples, order.subspan(first, std::min(size, order.size() - first)));
  }
}

/// Trains one member in place and keeps its best epoch.
template <typename Continue>
void TrainMember(const FitProblem& problem, const FitConfig& config,
                 const nn::Samples<float>& samples, const RngStream& stream,
                 nn::Mlp<float>& network, std::vector<double>& losses, int& best_epoch,
                 const Continue& keep_going) {
  network.Initialise(stream.Child("weights"));
  nn::Trainer<float> trainer(
      {.losses = problem.losses, .optimiser = config.optimiser, .dropout = config.dropout},
      stream.Child("dropout"), network);
  std::vector<int> order(problem.training.begin(), problem.training.end());
  Rng rng = stream.Child("order").Generator();
  nn::Mlp<float> best = network;
  for (int epoch = 0; epoch < config.epochs && keep_going(); ++epoch) {
    rng.Shuffle(std::span(order));
    TrainEpoch(samples, order, config.batch, trainer);
    losses.push_back(trainer.Evaluate(samples, problem.validation));
    if (epoch > 0 && !(losses.back() < losses[static_cast<std::size_t>(best_epoch)])) continue;
    best_epoch = epoch;
    best = network;
  }
  network = best;
}

}  // namespace

void to_json(nlohmann::json& json, const FitConfig& config) {
  json = {{"hidden", config.hidden},
          {"dropout", config.dropout},
          {"learning_rate", config.optimiser.learning_rate},
          {"weight_decay", config.optimiser.weight_decay},
          {"batch", config.batch},
          {"epochs", config.epochs},
          {"members", config.members}};
}

Result<Fit> FitEnsemble(const FitProblem& problem, const FitConfig& config, const RngStream& stream,
                        const Execution& execution) {
  GONOGO_CHECK(!problem.training.empty() && !problem.validation.empty());
  const std::vector<int> multiplicity = Multiplicity(problem);
  std::vector<int> sizes{static_cast<int>(problem.inputs.cols())};
  sizes.insert(sizes.end(), config.hidden.begin(), config.hidden.end());
  sizes.push_back(static_cast<int>(problem.targets.cols()));
  const auto members = static_cast<std::size_t>(config.members);
  Fit fit{
      .ensemble = {.input = nn::Standardiser::Fit<float>(problem.inputs, multiplicity),
                   .target = nn::FitTargets(problem.losses, true, problem.targets, multiplicity),
                   .losses = problem.losses,
                   .members = std::vector(members, nn::Mlp<float>({.sizes = sizes}))},
      .validation_loss = std::vector<std::vector<double>>(members),
      .best_epoch = std::vector<int>(members, 0)};
  const nn::Samples<float> samples = Standardise(problem, fit.ensemble);
  std::atomic<std::size_t> done = 0;
  const std::size_t total = members * static_cast<std::size_t>(config.epochs);
  ParallelFor(execution.jobs, members, [&](std::size_t m) {
    TrainMember(problem, config, samples, stream.Child("member").Child(m), fit.ensemble.members[m],
                fit.validation_loss[m], fit.best_epoch[m], [&] {
                  const std::size_t finished = done++;
                  if (execution.progress) execution.progress(finished, total);
                  return !execution.stop.stop_requested();
                });
  });
  if (execution.stop.stop_requested()) {
    return Error{ErrorKind::kInterrupted, "training was interrupted; nothing of it is kept"};
  }
  return fit;
}

nn::Batch<float> PredictRows(const nn::Ensemble& ensemble, const nn::Batch<float>& inputs,
                             std::span<const int> rows) {
  const auto count = static_cast<Eigen::Index>(rows.size());
  nn::Batch<float> chosen(count, inputs.cols());
  for (Eigen::Index i = 0; i < count; ++i) {
    chosen.row(i) = inputs.row(rows[static_cast<std::size_t>(i)]);
  }
  nn::Batch<float> mean = nn::Batch<float>::Zero(count, ensemble.outputs());
  nn::Batch<float> out(count, ensemble.outputs());
  nn::Ensemble::Scratch scratch;
  for (int m = 0; m < static_cast<int>(ensemble.members.size()); ++m) {
    ensemble.Predict(m, chosen, {out.data(), static_cast<std::size_t>(out.size())}, scratch);
    mean += out;
  }
  return mean / static_cast<float>(ensemble.members.size());
}

}  // namespace gonogo::response
