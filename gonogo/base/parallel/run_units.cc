// SPDX-License-Identifier: Apache-2.0
#include "gonogo/base/parallel/run_units.h"

#include <atomic>

#include "gonogo/base/parallel/parallel.h"

namespace gonogo {
namespace {

/// Does unit i and keeps what came of it.
Result<std::string> MakeAndKeep(const TeamWork& work, std::size_t i, const std::stop_token& stop) {
  std::string made = GONOGO_TRY(work.make(i, stop));
  if (work.keep) GONOGO_TRY(work.keep(i, made));
  return made;
}

Result<std::vector<std::string>> RunHere(const TeamWork& work, const Execution& execution) {
  std::vector<Result<std::string>> results(work.count, std::string());
  std::vector<std::size_t> pending;
  for (std::size_t i = 0; i < work.count; ++i) {
    std::optional<std::string> kept = work.kept ? work.kept(i) : std::nullopt;
    if (!kept) {
      pending.push_back(i);
    } else if (work.everywhere) {
      results[i] = *std::move(kept);
    }
  }
  std::atomic<std::size_t> done = work.count - pending.size();
  std::atomic<bool> failed = false;
  if (pending.empty() && execution.progress) execution.progress(done, work.count);
  ParallelFor(work.at_once, pending.size(), [&](std::size_t p) {
    if (failed || execution.stop.stop_requested()) return;
    Result<std::string> made = MakeAndKeep(work, pending[p], execution.stop);
    if (made.ok()) {
      const std::size_t finished = ++done;
      if (execution.progress) execution.progress(finished, work.count);
      if (!work.everywhere) made = std::string();
    } else {
      failed = true;
    }
    results[pending[p]] = std::move(made);
  });
  std::vector<std::string> all;
  const bool stopped = done < work.count;
  for (Result<std::string>& result : results) {
    if (!result.ok() && result.error().kind != ErrorKind::kInterrupted) return result.error();
    if (result.ok()) all.push_back(std::move(result).value());
  }
  if (!stopped) return all;
  return Error{ErrorKind::kInterrupted,
               fmt::format("stopped after {} of {} {}", done.load(), work.count, work.what)};
}

}  // namespace

Result<std::vector<std::string>> RunUnits(const TeamWork& work, const Execution& execution) {
  return execution.team != nullptr ? execution.team->Run(work, execution)
                                   : RunHere(work, execution);
}

}  // namespace gonogo
