// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/treatment_effect.h"

#include <algorithm>
#include <cmath>

#include "gonogo/base/check.h"
#include "gonogo/nn/mlp/internal/shared_trunk.h"

namespace gonogo::nn {
namespace {

using internal::GroupedSamples;
using internal::SharedTrunkTrainer;

void Append(const Standardiser& more, Standardiser& all) {
  all.mean.insert(all.mean.end(), more.mean.begin(), more.mean.end());
  all.scale.insert(all.scale.end(), more.scale.begin(), more.scale.end());
}

/// The identity matrix: one-hot codes of all candidates.
Batch<float> OneHot(int candidates) { return Batch<float>::Identity(candidates, candidates); }

/// Query multiplicities, repeated for every candidate.
std::vector<int> PerRow(std::span<const int> multiplicity, int candidates) {
  std::vector<int> rows;
  for (const int times : multiplicity) rows.insert(rows.end(), candidates, times);
  return rows;
}

/// One row of statistics per input column. Every candidate is as frequent as the others, whatever
/// the multiplicities, so one pass over the codes suffices.
Standardiser FitInputs(const TreatmentData& data, std::span<const int> multiplicity,
                       std::span<const int> row_multiplicity) {
  Standardiser input = Standardiser::Fit<float>(data.features, multiplicity);
  Append(Standardiser::Fit<float>(data.action_features, row_multiplicity), input);
  Append(Standardiser::Fit<float>(OneHot(data.candidates)), input);
  return input;
}

Standardiser Columns(const Standardiser& all, Eigen::Index first, Eigen::Index count) {
  return {{all.mean.begin() + first, all.mean.begin() + first + count},
          {all.scale.begin() + first, all.scale.begin() + first + count}};
}

GroupedSamples<float> Standardised(const TreatmentData& data, const Ensemble& ensemble) {
  const Eigen::Index d = data.features.cols();
  const Eigen::Index p = data.action_features.cols();
  return {Columns(ensemble.input, 0, d).Apply<float>(data.features),
          Columns(ensemble.input, d, p).Apply<float>(data.action_features),
          Columns(ensemble.input, d + p, data.candidates).Apply<float>(OneHot(data.candidates)),
          ensemble.target.Apply<float>(data.targets)};
}

/// Indices of the drawn queries, each as often as it was drawn.
std::vector<int> Expand(std::span<const int> draws) {
  std::vector<int> queries;
  for (std::size_t q = 0; q < draws.size(); ++q) {
    queries.insert(queries.end(), draws[q], static_cast<int>(q));
  }
  return queries;
}

/// Returns false when stopped.
bool TrainMember(const GroupedSamples<float>& samples, std::vector<int> queries,
                 const TreatmentConfig& config, const RngStream& stream,
                 const std::stop_token& stop, Mlp<float>& network) {
  network.Initialise(stream.Child("init"));
  SharedTrunkTrainer<float> trainer(samples, config.losses, config.optimiser, network);
  Rng order = stream.Child("order").Generator();
  const std::size_t batch = config.batch_rows == 0
                                ? queries.size()
                                : std::max(1L, std::lround(static_cast<double>(config.batch_rows) /
                                                           samples.candidates()));
  for (int epoch = 0; epoch < config.epochs; ++epoch) {
    if (stop.stop_requested()) return false;
    order.Shuffle(std::span(queries));
    for (std::size_t first = 0; first < queries.size(); first += batch) {
      trainer.Step(
          std::span<const int>(queries).subspan(first, std::min(batch, queries.size() - first)));
    }
  }
  trainer.Export(network);
  return true;
}

}  // namespace

Result<Ensemble> TrainTreatmentEnsemble(const TreatmentData& data,
                                        std::span<const int> multiplicity,
                                        std::span<const std::vector<int>> draws,
                                        const TreatmentConfig& config, const RngStream& stream,
                                        const std::stop_token& stop) {
  const Eigen::Index rows = static_cast<Eigen::Index>(data.queries()) * data.candidates;
  GONOGO_CHECK(data.targets.rows() == rows && data.action_features.rows() == rows);
  GONOGO_CHECK(std::ssize(multiplicity) == data.queries());
  GONOGO_CHECK(!config.hidden.empty());
  const std::vector<int> row_multiplicity = PerRow(multiplicity, data.candidates);
  Ensemble ensemble{
      FitInputs(data, multiplicity, row_multiplicity),
      FitTargets(config.losses, config.standardise_targets, data.targets, row_multiplicity),
      config.losses,
      {}};
  const GroupedSamples<float> samples = Standardised(data, ensemble);
  MlpShape shape{.sizes = {samples.inputs()}};
  shape.sizes.insert(shape.sizes.end(), config.hidden.begin(), config.hidden.end());
  shape.sizes.push_back(ensemble.outputs());
  for (std::size_t m = 0; m < draws.size(); ++m) {
    GONOGO_CHECK(std::ssize(draws[m]) == data.queries());
    ensemble.members.emplace_back(shape);
    if (!TrainMember(samples, Expand(draws[m]), config, stream.Child("member").Child(m), stop,
                     ensemble.members.back())) {
      return Error{ErrorKind::kInterrupted, "training was stopped"};
    }
  }
  return ensemble;
}

Batch<float> EncodeTreatments(const TreatmentData& data, int first, int count) {
  const Eigen::Index d = data.features.cols();
  const Eigen::Index p = data.action_features.cols();
  Batch<float> rows = Batch<float>::Zero(static_cast<Eigen::Index>(count) * data.candidates,
                                         d + p + data.candidates);
  for (Eigen::Index r = 0; r < rows.rows(); ++r) {
    rows.row(r).head(d) = data.features.row(first + r / data.candidates);
    rows.row(r).segment(d, p) =
        data.action_features.row(static_cast<Eigen::Index>(first) * data.candidates + r);
    rows(r, d + p + r % data.candidates) = 1.0F;
  }
  return rows;
}

std::vector<float> PredictTreatments(const Ensemble& ensemble, const TreatmentData& data, int first,
                                     int count) {
  constexpr int kChunk = 256;  // queries whose inputs are written out at a time
  const std::size_t per_query = static_cast<std::size_t>(data.candidates) * ensemble.outputs();
  const std::size_t per_member = per_query * count;
  std::vector<float> predictions(per_member * ensemble.members.size());
  Ensemble::Scratch scratch;
  for (int done = 0; done < count; done += kChunk) {
    const int queries = std::min(kChunk, count - done);
    const Batch<float> inputs = EncodeTreatments(data, first + done, queries);
    for (std::size_t m = 0; m < ensemble.members.size(); ++m) {
      const std::span<float> out =
          std::span(predictions).subspan(m * per_member + per_query * done, per_query * queries);
      ensemble.Predict(static_cast<int>(m), inputs, out, scratch);
    }
  }
  return predictions;
}

}  // namespace gonogo::nn
