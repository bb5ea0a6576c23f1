// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/sequential.h"

#include <optional>

#include "gonogo/base/parallel/team.h"
#include "gonogo/io/build_info.h"

namespace gonogo::calibrate {
namespace {

nlohmann::json RuleJson(const audit::RuleConfig& rule) {
  return {{"looks_at", rule.looks_at},
          {"spending", rule.spending == audit::Spending::kPocock ? "pocock" : "obrien-fleming"},
          {"futility", rule.futility}};
}

std::string EncodeSeries(const Series& series) {
  nlohmann::json list = nlohmann::json::array();
  for (const SeriesEnd& end : series.end) {
    const Truth& t = end.truth;
    list.push_back({static_cast<int>(end.verdict), end.look, end.futile,
                    nlohmann::json::array(
                        {t.h_total, t.h_alloc, t.h_dep, t.h_dep_argmin, t.h_dep_best, t.q})});
  }
  return list.dump();
}

/// Nothing where the bytes are not what was written.
std::optional<Series> DecodeSeries(std::string_view bytes) {
  try {
    const nlohmann::json list = nlohmann::json::parse(bytes);
    Series series;
    for (std::size_t r = 0; r < series.end.size(); ++r) {
      const nlohmann::json& item = list.at(r);
      const nlohmann::json& t = item.at(3);
      series.end[r] = {.verdict = static_cast<audit::Verdict>(item.at(0).get<int>()),
                       .look = item.at(1).get<std::size_t>(),
                       .futile = item.at(2).get<bool>(),
                       .truth = {.h_total = t.at(0).get<double>(),
                                 .h_alloc = t.at(1).get<double>(),
                                 .h_dep = t.at(2).get<double>(),
                                 .h_dep_argmin = t.at(3).get<double>(),
                                 .h_dep_best = t.at(4).get<double>(),
                                 .q = t.at(5).get<double>()}};
    }
    return series;
  } catch (const nlohmann::json::exception&) {
    return std::nullopt;
  }
}

RecordKind SeriesRecords(const BenchmarkOptions& options) {
  const SimulationOptions& simulation = options.simulation;
  return {.name = "sequential",
          .first_stage = 8,
          .identity =
              [&](const BenchmarkCell& cell) {
                return nlohmann::json{{"series", "of looks, as audits make them"},
                                      {"cell", cell.name},
                                      {"world", cell.world},
                                      {"seed", options.seed},
                                      {"protocol", CanonicalText(simulation.protocol)},
                                      {"fresh_queries", simulation.fresh_queries},
                                      {"pairs_only", options.pairs_only}}
                    .dump();
              },
          .make = [&](const SyntheticWorld& world, const FreshQueries& fresh,
                      const RngStream& data) -> Result<std::string> {
            return EncodeSeries(
                GONOGO_TRY(RunSeries(world, fresh, simulation, options.pairs_only, data)));
          }};
}

SequentialRule Summarise(const std::vector<Series>& all, std::size_t rule,
                         const audit::Protocol& protocol) {
  const std::vector<std::size_t>& looks = protocol.rule.looks_at;
  std::array<std::size_t, 3> verdicts = {};
  std::size_t futile = 0;
  std::size_t false_go = 0;
  std::size_t false_no_go = 0;
  std::vector<std::size_t> ends(looks.size(), 0);
  double clusters = 0.0;
  for (const Series& series : all) {
    const SeriesEnd& end = series.end[rule];
    ++verdicts[static_cast<std::size_t>(end.verdict)];
    ++ends[end.look];
    clusters += static_cast<double>(looks[end.look]);
    if (end.futile) ++futile;
    const bool deserved = DeservesGo(end.truth, end.truth.h_dep, protocol.thresholds);
    if (end.verdict == audit::Verdict::kGo && !deserved) ++false_go;
    if (end.verdict == audit::Verdict::kNoGo && deserved) ++false_no_go;
  }
  const std::size_t total = all.size();
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

}  // namespace

Result<std::vector<SequentialCell>> RunSequential(const BenchmarkOptions& options,
                                                  const Execution& execution) {
  GONOGO_TRY(CheckSimulable(options.simulation.protocol));
  Records records(options, SeriesRecords(options));
  GONOGO_TRY(records.Make(execution));
  std::vector<SequentialCell> cells;
  if (execution.team != nullptr && !execution.team->is_root()) return cells;
  for (std::size_t c = 0; c < options.cells.size(); ++c) {
    std::vector<Series> all(options.data_sets);
    const auto read = [&](std::size_t r, const RngStream& /*data*/, std::string_view record) {
      const std::optional<Series> series = DecodeSeries(record);
      if (series.has_value()) all[r] = *series;
      return series.has_value();
    };
    all.resize(GONOGO_TRY(records.Read(c, execution, read)));
    SequentialCell summary{.cell = options.cells[c], .data_sets = all.size()};
    for (std::size_t r = options.pairs_only ? 1 : 0; r < kSpendingRules.size(); ++r) {
      summary.rule[r] = Summarise(all, r, options.simulation.protocol);
    }
    cells.push_back(std::move(summary));
  }
  return cells;
}

nlohmann::json ToJson(const BenchmarkOptions& options, const std::vector<SequentialCell>& cells) {
  const audit::Protocol& protocol = options.simulation.protocol;
  nlohmann::json out = {{"schema", "gonogo.sequential/1"},
                        {"version", io::CurrentBuild().version},
                        {"provenance", io::CurrentBuild()},
                        {"complete", true},
                        {"learner", options.learner},
                        {"seed", options.seed},
                        {"refits", protocol.bootstrap.refits},
                        {"level", protocol.bootstrap.level},
                        {"thresholds", ToJson(protocol.thresholds)},
                        {"rule", RuleJson(protocol.rule)},
                        {"protocol", CanonicalText(protocol)},
                        {"cells", nlohmann::json::array()}};
  for (const SequentialCell& cell : cells) {
    nlohmann::json item = {{"name", cell.cell.name},
                           {"purpose", cell.cell.purpose},
                           {"world", cell.cell.world},
                           {"data_sets", cell.data_sets},
                           {"rules", nlohmann::json::object()}};
    for (std::size_t r = 0; r < kSpendingRules.size(); ++r) {
      const SequentialRule& rule = cell.rule[r];
      if (rule.go.total == 0) continue;
      nlohmann::json ends = nlohmann::json::array();
      for (const Proportion& at : rule.ends) ends.push_back(at.share());
      item["rules"][std::string(Name(kSpendingRules[r]))] = {
          {"GO", ToJson(rule.go)},
          {"NO-GO", ToJson(rule.no_go)},
          {"futile", ToJson(rule.futile)},
          {"undecided", ToJson(rule.undecided)},
          {"false_GO", ToJson(rule.false_go)},
          {"false_NO-GO", ToJson(rule.false_no_go)},
          {"ends", std::move(ends)},
          {"mean_clusters", rule.mean_clusters}};
    }
    out["cells"].push_back(std::move(item));
  }
  return out;
}

}  // namespace gonogo::calibrate
