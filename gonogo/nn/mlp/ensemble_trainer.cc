// SPDX-License-Identifier: Apache-2.0
#include "gonogo/nn/mlp/ensemble_trainer.h"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <numeric>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel.h"
#include "gonogo/nn/mlp/trainer.h"

namespace gonogo::nn {
namespace {

/// Rows by unit, and which units are for training.
struct Division {
  std::vector<std::vector<int>> rows_of_unit;
  std::vector<int> training_units;
  std::vector<int> held_out_rows;
};

Division Divide(const EnsembleData& data) {
  const int rows = static_cast<int>(data.inputs.rows());
  std::vector<int> units = data.units;
  if (units.empty()) {
    units.resize(rows);
    std::iota(units.begin(), units.end(), 0);
  }
  GONOGO_CHECK(std::ssize(units) == rows && rows > 0);
  Division division;
  division.rows_of_unit.resize(*std::ranges::max_element(units) + 1);
  for (int row = 0; row < rows; ++row) division.rows_of_unit[units[row]].push_back(row);
  std::vector<bool> held_out(division.rows_of_unit.size());
  for (const int unit : data.held_out_units) held_out[unit] = true;
  for (std::size_t unit = 0; unit < held_out.size(); ++unit) {
    const std::vector<int>& of_unit = division.rows_of_unit[unit];
    if (held_out[unit]) {
      division.held_out_rows.insert(division.held_out_rows.end(), of_unit.begin(), of_unit.end());
    } else {
      division.training_units.push_back(static_cast<int>(unit));
    }
  }
  GONOGO_CHECK(!division.training_units.empty());
  return division;
}

std::vector<int> RowsOf(const Division& division, std::span<const int> units) {
  std::vector<int> rows;
  for (const int unit : units) {
    const std::vector<int>& of_unit = division.rows_of_unit[unit];
    rows.insert(rows.end(), of_unit.begin(), of_unit.end());
  }
  return rows;
}

std::vector<int> Resample(std::span<const int> units, Rng rng) {
  std::vector<int> drawn(units.size());
  for (int& unit : drawn) unit = units[rng.Below(units.size())];
  return drawn;
}

/// Trains one member, epoch by epoch, and remembers its best weights.
class MemberRun {
 public:
  MemberRun(const EnsembleConfig& config, const Samples<float>& samples, const Division& division,
            const RngStream& stream, Mlp<float>& network, MemberHistory& history)
      : config_(config),
        samples_(samples),
        division_(division),
        order_(stream.Child("order").Generator()),
        network_(network),
        history_(history),
        trainer_({config.losses, config.optimiser, config.dropout}, stream.Child("dropout"),
                 network) {
    network.Initialise(stream.Child("init"));
    rows_ = config.bootstrap_units
                ? RowsOf(division,
                         Resample(division.training_units, stream.Child("bootstrap").Generator()))
                : RowsOf(division, division.training_units);
  }

  void Epoch() {
    const std::size_t batch = config_.batch_rows == 0 ? rows_.size() : config_.batch_rows;
    order_.Shuffle(std::span(rows_));
    double sum = 0.0;
    int steps = 0;
    for (std::size_t first = 0; first < rows_.size(); first += batch, ++steps) {
      const std::size_t size = std::min(batch, rows_.size() - first);
      sum += trainer_.Step(samples_, std::span<const int>(rows_).subspan(first, size));
    }
    history_.training_loss.push_back(sum / steps);
    history_.kept_epoch = static_cast<int>(history_.training_loss.size()) - 1;
    if (!division_.held_out_rows.empty()) Checkpoint();
  }

  /// Gives the network the weights to keep.
  void Finish() {
    if (best_.empty()) return;
    std::ranges::copy(best_, network_.parameters().begin());
    history_.kept_epoch = best_epoch_;
  }

 private:
  void Checkpoint() {
    const double loss = trainer_.Evaluate(samples_, division_.held_out_rows);
    history_.held_out_loss.push_back(loss);
    if (best_.empty() || loss < history_.held_out_loss[best_epoch_]) {
      best_.assign(network_.parameters().begin(), network_.parameters().end());
      best_epoch_ = history_.kept_epoch;
    }
  }

  const EnsembleConfig& config_;
  const Samples<float>& samples_;
  const Division& division_;
  Rng order_;
  Mlp<float>& network_;
  MemberHistory& history_;
  Trainer<float> trainer_;
  std::vector<int> rows_;
  std::vector<float> best_;
  int best_epoch_ = 0;
};

}  // namespace

Result<TrainedEnsemble> TrainEnsemble(const EnsembleData& data, const EnsembleConfig& config,
                                      const RngStream& stream, const RunControl& control) {
  GONOGO_CHECK(data.targets.rows() == data.inputs.rows());
  const Division division = Divide(data);
  std::vector<int> multiplicity(data.inputs.rows(), 1);
  for (const int row : division.held_out_rows) multiplicity[row] = 0;
  Ensemble ensemble{
      Standardiser::Fit<float>(data.inputs, multiplicity),
      FitTargets(config.losses, config.standardise_targets, data.targets, multiplicity),
      config.losses,
      {}};
  const Samples<float> samples{ensemble.input.Apply<float>(data.inputs),
                               ensemble.target.Apply<float>(data.targets)};
  MlpShape shape{.sizes = {ensemble.inputs()}, .hidden = config.activation};
  shape.sizes.insert(shape.sizes.end(), config.hidden.begin(), config.hidden.end());
  shape.sizes.push_back(ensemble.outputs());
  ensemble.members.assign(config.members, Mlp<float>(shape));

  std::vector<MemberHistory> histories(config.members);
  const std::size_t total = static_cast<std::size_t>(config.members) * config.epochs;
  std::atomic<std::size_t> done = 0;
  ParallelFor(control.jobs, ensemble.members.size(), [&](std::size_t m) {
    MemberRun run(config, samples, division, stream.Child("member").Child(m), ensemble.members[m],
                  histories[m]);
    for (int epoch = 0; epoch < config.epochs && !control.stop.stop_requested(); ++epoch) {
      run.Epoch();
      const std::size_t finished = ++done;
      if (control.progress) control.progress(finished, total);
    }
    run.Finish();
  });
  if (done < total) return Error{ErrorKind::kInterrupted, "training was stopped"};
  return TrainedEnsemble{std::move(ensemble), std::move(histories)};
}

std::vector<int> DrawHeldOutUnits(int count, double fraction, const RngStream& stream) {
  GONOGO_CHECK(count >= 2);
  std::vector<int> units(count);
  std::iota(units.begin(), units.end(), 0);
  stream.Generator().Shuffle(std::span(units));
  units.resize(std::clamp(static_cast<int>(std::lround(fraction * count)), 1, count - 1));
  std::ranges::sort(units);
  return units;
}

}  // namespace gonogo::nn
