// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/calibration.h"

#include <atomic>
#include <cstring>
#include <mutex>
#include <optional>
#include <type_traits>

#include <fmt/format.h>

#include "gonogo/base/parallel.h"
#include "gonogo/calibrate/world_json.h"
#include "gonogo/io/file.h"
#include "gonogo/io/record_log.h"

namespace gonogo::calibrate {
namespace {

static_assert(std::is_trivially_copyable_v<Trial>);

std::string ToBytes(const Trial& trial) {
  std::string bytes(sizeof(Trial), '\0');
  std::memcpy(bytes.data(), &trial, sizeof(Trial));
  return bytes;
}

std::optional<Trial> FromBytes(std::string_view bytes) {
  if (bytes.size() != sizeof(Trial)) return std::nullopt;
  Trial trial;
  std::memcpy(&trial, bytes.data(), sizeof(Trial));
  return trial;
}

/// Everything a data set's record depends on, besides its number.
std::string Fingerprint(const CalibrationOptions& options, const Cell& cell) {
  const TrialOptions& trial = options.trial;
  return nlohmann::json{{"cell", cell.name},
                        {"world", cell.world},
                        {"seed", options.seed},
                        {"learner", options.learner},
                        {"refits", trial.refits},
                        {"halves", trial.halves},
                        {"level", trial.level},
                        {"fresh_queries", trial.fresh_queries},
                        {"delta_dep", trial.thresholds.delta_dep},
                        {"delta_alloc", trial.thresholds.delta_alloc},
                        {"kappa", trial.thresholds.kappa}}
      .dump();
}

/// Keeps the finished data sets of one cell; without a directory it keeps nothing.
class TrialStore {
 public:
  static Result<TrialStore> Open(const CalibrationOptions& options, const Cell& cell) {
    TrialStore store;
    if (options.directory.empty()) return store;
    const Status made = io::MakeDirectory(options.directory);
    if (!made.ok()) return made.error();
    Result<io::RecordLog> log =
        io::RecordLog::Open(options.directory / (cell.name + ".log"), Fingerprint(options, cell));
    if (!log.ok()) return log.error();
    store.log_ = std::move(log).value();
    return store;
  }

  [[nodiscard]] std::optional<Trial> Load(std::size_t r) const {
    if (!log_.has_value()) return std::nullopt;
    const std::optional<std::string_view> bytes = log_->Find(r);
    return bytes.has_value() ? FromBytes(*bytes) : std::nullopt;
  }
  [[nodiscard]] Status Save(std::size_t r, const Trial& trial) {
    return log_.has_value() ? log_->Append(r, ToBytes(trial)) : Status();
  }

 private:
  std::optional<io::RecordLog> log_;
};

/// The first failure of any worker.
class FirstError {
 public:
  void Set(const Error& error) {
    const std::lock_guard lock(mutex_);
    if (!error_.has_value()) error_ = error;
    failed_ = true;
  }
  [[nodiscard]] bool failed() const { return failed_; }
  [[nodiscard]] const Error& error() const { return *error_; }

 private:
  std::mutex mutex_;
  std::atomic<bool> failed_ = false;
  std::optional<Error> error_;
};

Result<std::vector<Trial>> RunCell(const CalibrationOptions& options, const Cell& cell,
                                   std::size_t done_before, const RunControl& control) {
  Result<TrialStore> store = TrialStore::Open(options, cell);
  if (!store.ok()) return store.error();
  const RngStream stream = RngStream(options.seed).Child("calibrate").Child(cell.name);
  const FreshQueries fresh =
      DrawFreshQueries(cell.world, options.trial.fresh_queries, stream.Child("fresh"));
  std::vector<Trial> trials(options.data_sets);
  std::atomic<std::size_t> done = 0;
  FirstError failure;
  ParallelFor(control.jobs, trials.size(), [&](std::size_t r) {
    if (control.stop.stop_requested() || failure.failed()) return;
    if (std::optional<Trial> kept = store.value().Load(r)) {
      trials[r] = *kept;
    } else {
      const Result<Trial> trial =
          RunTrial(cell.world, fresh, options.trial, stream.Child("data").Child(r));
      if (!trial.ok()) return failure.Set(trial.error());
      trials[r] = trial.value();
      const Status saved = store.value().Save(r, trials[r]);
      if (!saved.ok()) return failure.Set(saved.error());
    }
    const std::size_t finished = done_before + ++done;
    if (control.progress) control.progress(finished, options.cells.size() * options.data_sets);
  });
  if (failure.failed()) return failure.error();
  if (done < trials.size()) {
    return Error{ErrorKind::kInterrupted, fmt::format("stopped in cell {} after {} of {} data sets",
                                                      cell.name, done.load(), trials.size())};
  }
  return trials;
}

}  // namespace

Result<CalibrationResult> RunCalibration(const CalibrationOptions& options,
                                         const RunControl& control) {
  CalibrationResult result;
  for (const Cell& cell : options.cells) {
    const std::size_t before = result.cells.size() * options.data_sets;
    const Result<std::vector<Trial>> trials = RunCell(options, cell, before, control);
    if (!trials.ok()) return trials.error();
    result.cells.push_back({cell, SummariseTrials(trials.value(), options.trial.thresholds)});
  }
  return result;
}

}  // namespace gonogo::calibrate
