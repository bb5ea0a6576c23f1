// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/benchmark.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/parallel/team.h"
#include "gonogo/io/record_log.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"

namespace gonogo::calibrate {
namespace {

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

/// The records of one cell, kept in a log or nowhere.
class CellRecords {
 public:
  CellRecords(const BenchmarkOptions& options, const RecordKind& kind, const BenchmarkCell& cell)
      : options_(options),
        kind_(kind),
        cell_(cell),
        stream_(RngStream(options.seed).Child(kind.name).Child(cell.name)) {}

  [[nodiscard]] Status Open(const std::optional<Shard>& shard) {
    if (options_.directory.empty()) return {};
    const std::filesystem::path file = options_.directory / (cell_.name + ".log");
    const std::string identity = kind_.identity(cell_);
    io::RecordLog log =
        GONOGO_TRY(shard.has_value() ? io::OpenShardLog(file, identity, *shard, options_.data_sets)
                   : options_.finished_only ? io::RecordLog::OpenToRead(file, identity)
                                            : io::RecordLog::Open(file, identity));
    log_ = std::move(log);
    if (shard.has_value()) shard_ = *shard;
    return {};
  }

  /// How many data sets, from the first one on, are kept.
  [[nodiscard]] std::size_t kept() const {
    std::size_t kept = 0;
    while (Find(kept).has_value()) ++kept;
    return kept;
  }

  /// Makes those of the first `wanted` records that are not kept, and keeps them.
  [[nodiscard]] Status Make(std::size_t wanted, const Execution& execution) {
    if (execution.team != nullptr) return MakeOnTeam(wanted, execution);
    return ForAll(wanted, execution, [&](std::size_t r) -> Result<bool> {
      if (IsDone(r)) return false;
      const std::string record = GONOGO_TRY(MakeOne(r));
      GONOGO_TRY(log_->Append(r, record));
      return true;
    });
  }

  [[nodiscard]] Status Read(std::size_t wanted, const Execution& execution,
                            const ReadRecord& read) {
    return ForAll(wanted, execution, [&](std::size_t r) -> Result<bool> {
      const std::optional<std::string_view> kept = Find(r);
      if (kept.has_value() && read(r, Data(r), *kept)) return false;
      const std::string record = GONOGO_TRY(MakeOne(r));
      GONOGO_CHECK(read(r, Data(r), record));
      return true;
    });
  }

 private:
  /// Does `one` for every data set until one fails; it tells whether that took any time.
  Status ForAll(std::size_t wanted, const Execution& execution,
                const std::function<Result<bool>(std::size_t r)>& one) const {
    FirstError failure;
    std::atomic<std::size_t> done = 0;
    ParallelFor(execution.jobs, wanted, [&](std::size_t r) {
      if (execution.stop.stop_requested() || failure.failed()) return;
      const Result<bool> took_time = one(r);
      if (!took_time.ok()) return failure.Set(took_time.error());
      const std::size_t finished = ++done;
      if (!took_time.value() && finished < wanted) return;
      if (execution.progress) execution.progress(finished, wanted);
    });
    if (failure.failed()) return failure.error();
    if (done < wanted) return Stopped(done, wanted);
    return {};
  }

  Status MakeOnTeam(std::size_t wanted, const Execution& execution) {
    TeamWork work{.what = "data sets of " + cell_.name,
                  .identity = {{"benchmark", io::Sha256Hex(kind_.identity(cell_))}},
                  .count = wanted,
                  .at_once = ResolveJobs(execution.jobs),
                  .everywhere = false};
    work.kept = [&](std::size_t r) {
      return IsDone(r) ? std::optional<std::string>("") : std::nullopt;
    };
    work.make = [&](std::size_t r, const std::stop_token& stop) -> Result<std::string> {
      if (stop.stop_requested()) return Stopped(r, wanted);
      return MakeOne(r);
    };
    work.keep = [&](std::size_t r, const std::string& record) { return log_->Append(r, record); };
    GONOGO_TRY(execution.team->Run(work, execution));
    return {};
  }

  [[nodiscard]] std::optional<std::string_view> Find(std::size_t r) const {
    return log_.has_value() ? log_->Find(r) : std::nullopt;
  }
  [[nodiscard]] bool IsDone(std::size_t r) const { return !shard_.Holds(r) || Find(r).has_value(); }
  [[nodiscard]] RngStream Data(std::size_t r) const { return stream_.Child("data").Child(r); }
  [[nodiscard]] Result<std::string> MakeOne(std::size_t r) {
    std::call_once(fresh_once_, [&] {  // not needed where everything is kept
      fresh_ =
          DrawFreshQueries(cell_.world, options_.simulation.fresh_queries, stream_.Child("fresh"));
    });
    return kind_.make(cell_.world, fresh_, Data(r));
  }
  [[nodiscard]] Error Stopped(std::size_t done, std::size_t wanted) const {
    return {ErrorKind::kInterrupted,
            fmt::format("stopped in cell {} after {} of {} data sets", cell_.name, done, wanted)};
  }

  const BenchmarkOptions& options_;
  const RecordKind& kind_;
  const BenchmarkCell& cell_;
  RngStream stream_;
  std::optional<io::RecordLog> log_;
  Shard shard_;
  std::once_flag fresh_once_;
  FreshQueries fresh_;
};

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

}  // namespace

Status Records::Make(const Execution& execution) {
  if (options_.directory.empty() || options_.finished_only) return {};
  claim_ = GONOGO_TRY(io::FolderClaim::Take(options_.directory));
  GONOGO_TRY(io::OpenRunFolder(options_.directory));
  const std::size_t cells = options_.cells.size();
  for (std::size_t stage = std::min(kind_.first_stage, options_.data_sets), before = 0;;) {
    for (std::size_t c = 0; c < cells; ++c) {
      CellRecords records(options_, kind_, options_.cells[c]);
      GONOGO_TRY(records.Open({}));
      const std::size_t others = c * stage + (cells - c - 1) * before;
      GONOGO_TRY(records.Make(stage, Part(execution, others, cells * options_.data_sets)));
    }
    if (stage == options_.data_sets) return {};
    before = stage;
    stage = std::min(2 * stage, options_.data_sets);
  }
}

Status Records::MakeShard(const Shard& shard, const Execution& execution) {
  claim_ = GONOGO_TRY(io::FolderClaim::Take(options_.directory, io::Sharing::kShards));
  GONOGO_TRY(io::OpenRunFolder(options_.directory));
  const std::size_t total = options_.cells.size() * options_.data_sets;
  for (std::size_t c = 0; c < options_.cells.size(); ++c) {
    CellRecords records(options_, kind_, options_.cells[c]);
    GONOGO_TRY(records.Open(shard));
    GONOGO_TRY(records.Make(options_.data_sets, Part(execution, c * options_.data_sets, total)));
  }
  return {};
}

Result<std::size_t> Records::Read(std::size_t cell, const Execution& execution,
                                  const ReadRecord& read) const {
  CellRecords records(options_, kind_, options_.cells[cell]);
  GONOGO_TRY(records.Open({}));
  const std::size_t wanted =
      options_.finished_only ? std::min(records.kept(), options_.data_sets) : options_.data_sets;
  const std::size_t total = options_.cells.size() * options_.data_sets;
  Execution part = Part(execution, cell * options_.data_sets, total);
  if (!options_.directory.empty()) part.progress = {};  // counted while they were made
  GONOGO_TRY(records.Read(wanted, part, read));
  return wanted;
}

}  // namespace gonogo::calibrate
