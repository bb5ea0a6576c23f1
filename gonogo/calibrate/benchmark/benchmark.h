// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/parallel/shard.h"
#include "gonogo/calibrate/benchmark/cells.h"
#include "gonogo/calibrate/simulate/simulated_audit.h"
#include "gonogo/io/run_folder.h"

namespace gonogo::calibrate {

/// What is simulated, how often, and where it is kept.
struct BenchmarkOptions {
  std::vector<BenchmarkCell> cells;
  std::size_t data_sets = 2000;  ///< per cell
  std::uint64_t seed = 20260717;
  std::string learner = "ridge";  ///< what reports call the protocol's learner
  SimulationOptions simulation;
  bool pairs_only = false;          ///< of series: without the calibrated rule
  std::filesystem::path directory;  ///< keeps what was made; empty: nothing is kept
  bool finished_only = false;       ///< report what the directory holds, make nothing
};

/// What a benchmark keeps of every data set, as bytes.
struct RecordKind {
  std::string name;             ///< of its random streams
  std::size_t first_stage = 0;  ///< data sets of every cell before any gets more
  /// Everything a record depends on, besides its number.
  std::function<std::string(const BenchmarkCell&)> identity;
  std::function<Result<std::string>(const SyntheticWorld&, const FreshQueries&,
                                    const RngStream& data)>
      make;
};

/// Takes in the record of data set r, drawn from `data`; false where the bytes are none.
using ReadRecord =
    std::function<bool(std::size_t r, const RngStream& data, std::string_view record)>;

/// The records of a benchmark. Data set r of a cell is drawn from the stream named by (kind, cell,
/// r): more data sets extend the same sequence, and an interrupted run goes on from its directory.
/// The same records for any number of jobs.
class Records {
 public:
  Records(const BenchmarkOptions& options, RecordKind kind)
      : options_(options), kind_(std::move(kind)) {}

  /// Makes and keeps all records, in stages of doubling size, so that an unfinished run is balanced
  /// over the cells. Nothing where there is no directory, or where only finished ones are wanted.
  [[nodiscard]] Status Make(const Execution& execution);

  /// The same for those that belong to the shard, in logs that `gonogo merge` puts together.
  [[nodiscard]] Status MakeShard(const Shard& shard, const Execution& execution);

  /// Reads the records of cell number `cell`, several at once; those not kept are made, unless only
  /// finished ones are wanted. Returns how many there are.
  [[nodiscard]] Result<std::size_t> Read(std::size_t cell, const Execution& execution,
                                         const ReadRecord& read) const;

 private:
  const BenchmarkOptions& options_;
  RecordKind kind_;
  io::FolderClaim claim_;  ///< from the first thing that is made on
};

}  // namespace gonogo::calibrate
