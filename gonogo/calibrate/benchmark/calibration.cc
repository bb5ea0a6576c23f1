// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/calibration.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/calibrate/worlds/world_json.h"
#include "gonogo/io/file.h"
#include "gonogo/io/record_log.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"

namespace gonogo::calibrate {
namespace {

constexpr std::size_t kFirstStage = 125;  // data sets of every cell before any gets more

/// Everything a data set's record depends on, besides its number.
std::string Fingerprint(const CalibrationOptions& options, const Cell& cell) {
  const TrialOptions& trial = options.trial;
  nlohmann::json identity = {{"fits", "folds, replicates, pairs, oracle"},
                             {"cell", cell.name},
                             {"world", cell.world},
                             {"seed", options.seed},
                             {"learner", options.learner},
                             {"refits", trial.refits},
                             {"fresh_queries", trial.fresh_queries},
                             {"kappa", trial.thresholds.kappa}};
  if (trial.known_blocks > 0) identity["known_blocks"] = trial.known_blocks;
  return identity.dump();
}

/// Keeps the fits of one cell's finished data sets; without a directory it keeps nothing.
class FitStore {
 public:
  static Result<FitStore> Open(const CalibrationOptions& options, const Cell& cell) {
    FitStore store;
    if (options.directory.empty()) return store;
    const std::filesystem::path file = options.directory / (cell.name + ".log");
    const std::string fingerprint = Fingerprint(options, cell);
    io::RecordLog log =
        GONOGO_TRY(options.finished_only ? io::RecordLog::OpenToRead(file, fingerprint)
                                         : io::RecordLog::Open(file, fingerprint));
    store.log_ = std::move(log);
    return store;
  }

  static Result<FitStore> OpenShard(const CalibrationOptions& options, const Cell& cell,
                                    const Shard& shard) {
    FitStore store;
    io::RecordLog log =
        GONOGO_TRY(io::OpenShardLog(options.directory / (cell.name + ".log"),
                                    Fingerprint(options, cell), shard, options.data_sets));
    store.log_ = std::move(log);
    store.shard_ = shard;
    return store;
  }

  /// Whether data set r is one of those kept here.
  [[nodiscard]] bool Holds(std::size_t r) const { return shard_.Holds(r); }

  [[nodiscard]] std::optional<std::string_view> Find(std::size_t r) const {
    return log_.has_value() ? log_->Find(r) : std::nullopt;
  }
  [[nodiscard]] Status Save(std::size_t r, std::string_view fits) {
    return log_.has_value() ? log_->Append(r, fits) : Status();
  }
  [[nodiscard]] bool keeps() const { return log_.has_value(); }

 private:
  std::optional<io::RecordLog> log_;
  Shard shard_;
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

Error Stopped(const Cell& cell, std::size_t done, std::size_t wanted) {
  return {ErrorKind::kInterrupted,
          fmt::format("stopped in cell {} after {} of {} data sets", cell.name, done, wanted)};
}

RngStream StreamOf(const CalibrationOptions& options, const Cell& cell) {
  return RngStream(options.seed).Child("calibrate").Child(cell.name);
}

/// The first `wanted` trials of a cell: kept fits are judged again, missing ones made.
class CellRun {
 public:
  CellRun(const CalibrationOptions& options, const Cell& cell, FitStore store)
      : options_(options),
        cell_(cell),
        stream_(StreamOf(options, cell)),
        fresh_(DrawFreshQueries(cell.world, options.trial.fresh_queries, stream_.Child("fresh"))),
        store_(std::move(store)) {}

  /// Makes the fits that are not kept yet and keeps them.
  Status Fit(std::size_t wanted, const Execution& execution) {
    if (execution.team != nullptr) return FitOnTeam(wanted, execution);
    FirstError failure;
    std::atomic<std::size_t> done = 0;
    ParallelFor(execution.jobs, wanted, [&](std::size_t r) {
      if (execution.stop.stop_requested() || failure.failed()) return;
      const bool is_kept = !store_.Holds(r) || store_.Find(r).has_value();
      if (!is_kept) {
        const Result<TrialFits> fits = FitTrial(cell_.world, fresh_, options_.trial, Data(r));
        if (!fits.ok()) return failure.Set(fits.error());
        const Status saved = store_.Save(r, EncodeFits(fits.value(), shows_log()));
        if (!saved.ok()) return failure.Set(saved.error());
      }
      const std::size_t finished = ++done;
      if (is_kept && finished < wanted) return;
      if (execution.progress) execution.progress(finished, wanted);
    });
    if (failure.failed()) return failure.error();
    if (done < wanted) return Stopped(cell_, done, wanted);
    return {};
  }

  Result<std::vector<Trial>> Judge(std::size_t wanted, const Execution& execution) {
    FirstError failure;
    std::atomic<std::size_t> done = 0;
    std::vector<Trial> trials(wanted);
    ParallelFor(execution.jobs, wanted, [&](std::size_t r) {
      if (execution.stop.stop_requested() || failure.failed()) return;
      const Result<TrialFits> fits = KeptOrMade(r);
      if (!fits.ok()) return failure.Set(fits.error());
      trials[r] = JudgeTrial(cell_.world, fits.value(), options_.trial, Data(r));
      const std::size_t finished = ++done;
      if (execution.progress && !store_.keeps()) execution.progress(finished, wanted);
    });
    if (failure.failed()) return failure.error();
    if (done < wanted) return Stopped(cell_, done, wanted);
    return trials;
  }

  /// How many data sets, from the first one on, are kept.
  [[nodiscard]] std::size_t Kept() const {
    std::size_t kept = 0;
    while (store_.Find(kept).has_value()) ++kept;
    return kept;
  }

 private:
  Status FitOnTeam(std::size_t wanted, const Execution& execution) {
    TeamWork work{.what = "data sets of " + cell_.name,
                  .identity = {{"benchmark", io::Sha256Hex(Fingerprint(options_, cell_))}},
                  .count = wanted,
                  .at_once = ResolveJobs(execution.jobs),
                  .everywhere = false};
    work.kept = [&](std::size_t r) {
      const bool done = !store_.Holds(r) || store_.Find(r).has_value();
      return done ? std::optional<std::string>("") : std::nullopt;
    };
    work.make = [&](std::size_t r, const std::stop_token& stop) -> Result<std::string> {
      if (stop.stop_requested()) return Stopped(cell_, r, wanted);
      const TrialFits fits = GONOGO_TRY(FitTrial(cell_.world, fresh_, options_.trial, Data(r)));
      return EncodeFits(fits, shows_log());
    };
    work.keep = [&](std::size_t r, const std::string& fits) { return store_.Save(r, fits); };
    GONOGO_TRY(execution.team->Run(work, execution));
    return {};
  }

  [[nodiscard]] bool shows_log() const { return cell_.world.logging != Logging::kFull; }

  [[nodiscard]] RngStream Data(std::size_t r) const { return stream_.Child("data").Child(r); }

  [[nodiscard]] Result<TrialFits> KeptOrMade(std::size_t r) const {
    const std::optional<std::string_view> bytes = store_.Find(r);
    if (bytes.has_value()) {
      std::optional<TrialFits> fits = RestoreFits(*bytes, cell_.world, options_.trial, Data(r));
      if (fits.has_value()) return *std::move(fits);
    }
    return FitTrial(cell_.world, fresh_, options_.trial, Data(r));
  }

  const CalibrationOptions& options_;
  const Cell& cell_;
  RngStream stream_;
  FreshQueries fresh_;
  FitStore store_;
};

Result<CellRun> OpenCell(const CalibrationOptions& options, const Cell& cell) {
  FitStore store = GONOGO_TRY(FitStore::Open(options, cell));
  return CellRun(options, cell, std::move(store));
}

/// Progress of one cell as progress of all of them.
Execution Part(const Execution& execution, std::size_t before, std::size_t total) {
  Execution part = execution;
  if (execution.progress) {
    part.progress = [&execution, before, total](std::size_t done, std::size_t) {
      execution.progress(before + done, total);
    };
  }
  return part;
}

/// All cells in stages of doubling size, so that an unfinished run is balanced over the cells and
/// only one cell's fits are in memory at a time.
Status FitAll(const CalibrationOptions& options, const Execution& execution) {
  const std::size_t total = options.cells.size() * options.data_sets;
  for (std::size_t stage = std::min(kFirstStage, options.data_sets), before = 0;;) {
    for (std::size_t c = 0; c < options.cells.size(); ++c) {
      CellRun cell = GONOGO_TRY(OpenCell(options, options.cells[c]));
      const std::size_t others = c * stage + (options.cells.size() - c - 1) * before;
      GONOGO_TRY(cell.Fit(stage, Part(execution, others, total)));
    }
    if (stage == options.data_sets) return {};
    before = stage;
    stage = std::min(2 * stage, options.data_sets);
  }
}

}  // namespace

Status FitCalibrationShard(const CalibrationOptions& options, const Shard& shard,
                           const Execution& execution) {
  const io::FolderClaim claim =
      GONOGO_TRY(io::FolderClaim::Take(options.directory, io::Company::kShards));
  GONOGO_TRY(io::OpenRunFolder(options.directory));
  const std::size_t total = options.cells.size() * options.data_sets;
  for (std::size_t c = 0; c < options.cells.size(); ++c) {
    FitStore store = GONOGO_TRY(FitStore::OpenShard(options, options.cells[c], shard));
    CellRun cell(options, options.cells[c], std::move(store));
    GONOGO_TRY(cell.Fit(options.data_sets, Part(execution, c * options.data_sets, total)));
  }
  return {};
}

Result<CalibrationResult> RunCalibration(const CalibrationOptions& options,
                                         const Execution& execution) {
  io::FolderClaim claim;
  if (!options.directory.empty() && !options.finished_only) {
    claim = GONOGO_TRY(io::FolderClaim::Take(options.directory));
    GONOGO_TRY(io::OpenRunFolder(options.directory));
    GONOGO_TRY(FitAll(options, execution));
  }
  CalibrationResult result;
  if (execution.team != nullptr && !execution.team->is_root()) return result;
  for (const Cell& cell : options.cells) {
    CellRun run = GONOGO_TRY(OpenCell(options, cell));
    const std::size_t wanted =
        options.finished_only ? std::min(run.Kept(), options.data_sets) : options.data_sets;
    const std::size_t before = result.cells.size() * options.data_sets;
    const Execution part = Part(execution, before, options.cells.size() * options.data_sets);
    const std::vector<Trial> trials = GONOGO_TRY(run.Judge(wanted, part));
    result.cells.push_back({cell, SummariseTrials(trials, options.trial.thresholds)});
  }
  return result;
}

}  // namespace gonogo::calibrate
