// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/sequential.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/calibrate/worlds/world_json.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/record_log.h"
#include "gonogo/io/run_folder.h"

namespace gonogo::calibrate {
namespace {

constexpr std::size_t kFirstSeries = 8;  // of every cell before any gets more

nlohmann::json RuleIdentity(const audit::RuleConfig& rule) {
  return {{"looks_at", rule.looks_at},
          {"spending", rule.spending == audit::Spending::kPocock ? "pocock" : "obrien-fleming"},
          {"futility", rule.futility}};
}

nlohmann::json ThresholdsJson(const audit::Thresholds& thresholds) {
  return {{"delta_dep", thresholds.delta_dep},
          {"delta_alloc", thresholds.delta_alloc},
          {"kappa", thresholds.kappa}};
}

std::string SeriesFingerprint(const SequentialOptions& options, const Cell& cell) {
  const TrialOptions& trial = options.path.trial;
  return nlohmann::json{{"series", "of looks"},
                        {"cell", cell.name},
                        {"world", cell.world},
                        {"seed", options.seed},
                        {"learner", options.learner},
                        {"refits", trial.refits},
                        {"level", trial.level},
                        {"fresh_queries", trial.fresh_queries},
                        {"thresholds", ThresholdsJson(trial.thresholds)},
                        {"pairs_only", options.path.pairs_only},
                        {"rule", RuleIdentity(options.path.rule)}}
      .dump();
}

std::string EncodeSeries(const PathTrial& trial) {
  nlohmann::json list = nlohmann::json::array();
  for (const PathOutcome& outcome : trial.outcome) {
    const Truth& t = outcome.truth;
    list.push_back({static_cast<int>(outcome.verdict), outcome.look, outcome.futile,
                    nlohmann::json::array(
                        {t.h_total, t.h_alloc, t.h_dep, t.h_dep_argmin, t.h_dep_best, t.q})});
  }
  return list.dump();
}

/// Nothing where the bytes are not what was written.
std::optional<PathTrial> DecodeSeries(std::string_view bytes) {
  try {
    const nlohmann::json list = nlohmann::json::parse(bytes);
    PathTrial trial;
    for (std::size_t r = 0; r < trial.outcome.size(); ++r) {
      const nlohmann::json& item = list.at(r);
      const nlohmann::json& t = item.at(3);
      trial.outcome[r] = {.verdict = static_cast<audit::Verdict>(item.at(0).get<int>()),
                          .look = item.at(1).get<std::size_t>(),
                          .futile = item.at(2).get<bool>(),
                          .truth = {.h_total = t.at(0).get<double>(),
                                    .h_alloc = t.at(1).get<double>(),
                                    .h_dep = t.at(2).get<double>(),
                                    .h_dep_argmin = t.at(3).get<double>(),
                                    .h_dep_best = t.at(4).get<double>(),
                                    .q = t.at(5).get<double>()}};
    }
    return trial;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

/// The series of one cell: kept ones are read, missing ones made.
Result<std::vector<PathTrial>> RunCell(const SequentialOptions& options, const Cell& cell,
                                       std::size_t wanted, const Execution& execution) {
  std::optional<io::RecordLog> log;
  if (!options.directory.empty()) {
    const std::filesystem::path file = options.directory / (cell.name + ".log");
    const std::string fingerprint = SeriesFingerprint(options, cell);
    io::RecordLog opened =
        GONOGO_TRY(options.finished_only ? io::RecordLog::OpenToRead(file, fingerprint)
                                         : io::RecordLog::Open(file, fingerprint));
    log = std::move(opened);
  }
  const RngStream stream = RngStream(options.seed).Child("sequential").Child(cell.name);
  std::vector<std::optional<PathTrial>> trials(wanted);
  for (std::size_t r = 0; log && r < wanted; ++r) {
    if (const auto bytes = log->Find(r)) trials[r] = DecodeSeries(*bytes);
  }
  if (options.finished_only) {
    const auto missing =
        std::find_if(trials.begin(), trials.end(), [](const auto& trial) { return !trial; });
    trials.erase(missing, trials.end());
    wanted = trials.size();
  }
  std::optional<FreshQueries> fresh;
  if (std::any_of(trials.begin(), trials.end(), [](const auto& trial) { return !trial; })) {
    fresh = DrawFreshQueries(cell.world, options.path.trial.fresh_queries, stream.Child("fresh"));
  }
  std::mutex mutex;
  std::optional<Error> failure;
  std::atomic<std::size_t> done = 0;
  ParallelFor(execution.jobs, wanted, [&](std::size_t r) {
    if (execution.stop.stop_requested()) return;
    if (!trials[r]) {
      Result<PathTrial> made =
          RunPath(cell.world, *fresh, options.path, stream.Child("data").Child(r));
      Status saved;
      if (made.ok() && log) saved = log->Append(r, EncodeSeries(made.value()));
      if (!made.ok() || !saved.ok()) {
        const std::lock_guard lock(mutex);
        if (!failure) failure = made.ok() ? saved.error() : made.error();
        return;
      }
      trials[r] = std::move(made).value();
      if (execution.progress) execution.progress(done + 1, wanted);
    }
    ++done;
  });
  if (failure) return *failure;
  if (done < wanted) return Error{ErrorKind::kInterrupted, "stopped in cell " + cell.name};
  std::vector<PathTrial> all;
  for (std::optional<PathTrial>& trial : trials) all.push_back(*trial);
  return all;
}

SequentialRule Summarise(const std::vector<PathTrial>& trials, std::size_t rule,
                         const PathOptions& options) {
  const std::vector<std::size_t>& looks = options.rule.looks_at;
  std::array<std::size_t, 3> verdicts = {};
  std::size_t futile = 0;
  std::size_t false_go = 0;
  std::size_t false_no_go = 0;
  std::vector<std::size_t> ends(looks.size(), 0);
  double clusters = 0.0;
  for (const PathTrial& trial : trials) {
    const PathOutcome& outcome = trial.outcome[rule];
    ++verdicts[static_cast<std::size_t>(outcome.verdict)];
    ++ends[outcome.look];
    clusters += static_cast<double>(looks[outcome.look]);
    if (outcome.futile) ++futile;
    const bool deserved = DeservesGo(outcome.truth, outcome.truth.h_dep, options.trial.thresholds);
    if (outcome.verdict == audit::Verdict::kGo && !deserved) ++false_go;
    if (outcome.verdict == audit::Verdict::kNoGo && deserved) ++false_no_go;
  }
  const std::size_t total = trials.size();
  const auto abstained = verdicts[static_cast<std::size_t>(audit::Verdict::kAbstain)];
  SequentialRule summary{
      .go = MakeProportion(verdicts[static_cast<std::size_t>(audit::Verdict::kGo)], total),
      .no_go = MakeProportion(verdicts[static_cast<std::size_t>(audit::Verdict::kNoGo)], total),
      .futile = MakeProportion(futile, total),
      .undecided = MakeProportion(abstained - futile, total),
      .false_go = MakeProportion(false_go, total),
      .false_no_go = MakeProportion(false_no_go, total)};
  for (const std::size_t count : ends) summary.ends.push_back(MakeProportion(count, total));
  summary.mean_clusters = total == 0 ? 0.0 : clusters / static_cast<double>(total);
  return summary;
}

nlohmann::json ShareJson(const Proportion& p) {
  return {{"share", p.share()},
          {"count", p.count},
          {"lower", p.interval.lower},
          {"upper", p.interval.upper}};
}

}  // namespace

Result<std::vector<SequentialCell>> RunSequential(const SequentialOptions& options,
                                                  const Execution& execution) {
  io::FolderClaim claim;
  if (!options.directory.empty() && !options.finished_only) {
    claim = GONOGO_TRY(io::FolderClaim::Take(options.directory));
    GONOGO_TRY(io::OpenRunFolder(options.directory));
  }
  // In stages of doubling size, so that an unfinished run is balanced over the cells.
  std::size_t stage = options.finished_only || options.directory.empty()
                          ? options.data_sets
                          : std::min(kFirstSeries, options.data_sets);
  for (;;) {
    std::vector<SequentialCell> cells;
    for (const Cell& cell : options.cells) {
      Execution part = execution;
      if (execution.progress) {
        const std::size_t before = cells.size() * stage;
        part.progress = [&, before](std::size_t done, std::size_t) {
          execution.progress(before + done, stage * options.cells.size());
        };
      }
      const std::vector<PathTrial> trials = GONOGO_TRY(RunCell(options, cell, stage, part));
      SequentialCell summary{.cell = cell, .data_sets = trials.size()};
      for (std::size_t r = 0; r < kPathRules.size(); ++r) {
        if (r == 0 && options.path.pairs_only) continue;
        summary.rule[r] = Summarise(trials, r, options.path);
      }
      cells.push_back(std::move(summary));
    }
    if (stage == options.data_sets) return cells;
    stage = std::min(2 * stage, options.data_sets);
  }
}

nlohmann::json ToJson(const SequentialOptions& options, const std::vector<SequentialCell>& cells) {
  nlohmann::json out = {{"schema", "gonogo.sequential/1"},
                        {"version", io::CurrentBuild().version},
                        {"provenance", io::CurrentBuild()},
                        {"complete", true},
                        {"learner", options.learner},
                        {"seed", options.seed},
                        {"refits", options.path.trial.refits},
                        {"level", options.path.trial.level},
                        {"thresholds", ThresholdsJson(options.path.trial.thresholds)},
                        {"rule", RuleIdentity(options.path.rule)},
                        {"cells", nlohmann::json::array()}};
  for (const SequentialCell& cell : cells) {
    nlohmann::json item = {{"name", cell.cell.name},
                           {"purpose", cell.cell.purpose},
                           {"world", cell.cell.world},
                           {"data_sets", cell.data_sets},
                           {"rules", nlohmann::json::object()}};
    for (std::size_t r = 0; r < kPathRules.size(); ++r) {
      const SequentialRule& rule = cell.rule[r];
      if (rule.go.total == 0) continue;
      nlohmann::json ends = nlohmann::json::array();
      for (const Proportion& at : rule.ends) ends.push_back(at.share());
      item["rules"][std::string(Name(kPathRules[r]))] = {
          {"GO", ShareJson(rule.go)},
          {"NO-GO", ShareJson(rule.no_go)},
          {"futile", ShareJson(rule.futile)},
          {"undecided", ShareJson(rule.undecided)},
          {"false_GO", ShareJson(rule.false_go)},
          {"false_NO-GO", ShareJson(rule.false_no_go)},
          {"ends", std::move(ends)},
          {"mean_clusters", rule.mean_clusters}};
    }
    out["cells"].push_back(std::move(item));
  }
  return out;
}

}  // namespace gonogo::calibrate
