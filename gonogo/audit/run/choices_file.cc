// SPDX-License-Identifier: Apache-2.0
#include <array>
#include <cmath>
#include <iterator>

#include "gonogo/audit/run/choices.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/file.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace gonogo::audit {
namespace {

constexpr const char* kChoicesSchema = "gonogo.choices/1";

struct PredictionColumn {
  const char* name;
  double adapter::EffectBounds::*value;
};

constexpr auto kPredictions = std::to_array<PredictionColumn>({
    {"predicted_work", &adapter::EffectBounds::work},
    {"predicted_work_upper", &adapter::EffectBounds::work_upper},
    {"predicted_time", &adapter::EffectBounds::time},
    {"predicted_time_upper", &adapter::EffectBounds::time_upper},
    {"predicted_eligible", &adapter::EffectBounds::eligible},
    {"predicted_eligible_lower", &adapter::EffectBounds::eligible_lower},
});

/// Nothing where there is nothing: the reference is not predicted, and a table may have no time.
std::string Cell(double value) { return std::isnan(value) ? "" : fmt::format("{}", value); }

std::string QueryName(const OutcomeTable& table, std::size_t query) {
  return table.queries.empty() ? fmt::format("{}", query) : table.queries[query];
}

/// One value of a prediction for every query and action; those of the reference are nothing.
std::vector<double> PerAction(const OutcomeTable& table, const QueryChoices& choices,
                              double adapter::EffectBounds::*value) {
  std::vector<double> values(table.num_queries() * table.num_actions(), std::nan(""));
  for (std::size_t i = 0; i < choices.expected.size(); ++i) {
    const std::size_t query = i / table.num_candidates();
    const auto action = static_cast<ActionIndex>(i % table.num_candidates() + 1);
    values[table.cell(query, action)] = choices.expected[i].*value;
  }
  return values;
}

std::string CsvText(const PotentialOutcomes& outcomes, const QueryChoices& choices) {
  const OutcomeTable& table = *outcomes.table;
  std::vector<std::vector<double>> predictions;
  std::string text = "cluster,query,action,chosen,oracle";
  for (const PredictionColumn& column : kPredictions) {
    predictions.push_back(PerAction(table, choices, column.value));
    fmt::format_to(std::back_inserter(text), ",{}", column.name);
  }
  const bool scored = table.scored.has_value();
  text += scored ? ",cost_score,success_score,weight\n" : ",cost,time,success,eligible\n";
  auto out = std::back_inserter(text);
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    const QueryRange range = table.queries_of(k);
    for (std::size_t query = range.begin; query < range.end; ++query) {
      for (ActionIndex action = 0; action < table.num_actions(); ++action) {
        const std::size_t cell = table.cell(query, action);
        fmt::format_to(out, "{},{},{},{},{}", io::CsvField(table.clusters[k]),
                       io::CsvField(QueryName(table, query)), io::CsvField(table.actions[action]),
                       choices.choice[query] == action ? 1 : 0,
                       outcomes.oracle[query] == action ? 1 : 0);
        for (const std::vector<double>& column : predictions) {
          fmt::format_to(out, ",{}", Cell(column[cell]));
        }
        if (scored) {
          fmt::format_to(out, ",{},{},{}\n", table.cost[cell],
                         table.has_success() ? Cell(table.success_at(cell)) : "",
                         table.scored->weight[cell]);
          continue;
        }
        fmt::format_to(out, ",{},{},{},{}\n", table.cost[cell],
                       table.time.empty() ? "" : fmt::format("{}", table.time[cell]),
                       table.success.empty() ? "" : fmt::format("{}", table.success[cell]),
                       outcomes.eligible[cell]);
      }
    }
  }
  return text;
}

Status WriteHdf5(io::Hdf5File& file, const PotentialOutcomes& outcomes,
                 const QueryChoices& choices) {
  const OutcomeTable& table = *outcomes.table;
  const std::vector<std::size_t> cells = {table.num_queries(), table.num_actions()};
  const std::vector<std::size_t> one = {table.num_queries()};
  std::vector<std::string> cluster;
  std::vector<std::string> query;
  for (std::size_t k = 0; k < table.num_clusters(); ++k) {
    cluster.insert(cluster.end(), table.queries_of(k).size(), table.clusters[k]);
  }
  for (std::size_t i = 0; i < table.num_queries(); ++i) query.push_back(QueryName(table, i));
  const std::vector<std::int32_t> choice(choices.choice.begin(), choices.choice.end());
  const std::vector<std::int32_t> oracle(outcomes.oracle.begin(), outcomes.oracle.end());
  GONOGO_TRY(file.WriteText("/", "schema", kChoicesSchema));
  GONOGO_TRY(file.WriteTexts("/", "actions", table.actions));
  GONOGO_TRY(file.WriteStrings("/cluster", cluster));
  GONOGO_TRY(file.WriteStrings("/query", query));
  GONOGO_TRY(file.Write<std::int32_t>("/choice", one, choice));
  GONOGO_TRY(file.Write<std::int32_t>("/oracle", one, oracle));
  for (const PredictionColumn& column : kPredictions) {
    GONOGO_TRY(file.Write<double>(fmt::format("/{}", column.name), cells,
                                  PerAction(table, choices, column.value)));
  }
  if (table.scored.has_value()) {
    GONOGO_TRY(file.Write<double>("/cost_score", cells, table.cost));
    GONOGO_TRY(file.Write<double>("/weight", cells, table.scored->weight));
    if (table.has_success()) {
      GONOGO_TRY(file.Write<double>("/success_score", cells, table.scored->success));
    }
    return file.Close();
  }
  GONOGO_TRY(file.Write<double>("/cost", cells, table.cost));
  if (!table.time.empty()) GONOGO_TRY(file.Write<double>("/time", cells, table.time));
  if (!table.success.empty()) {
    GONOGO_TRY(file.Write<std::uint8_t>("/success", cells, table.success));
  }
  GONOGO_TRY(file.Write<std::uint8_t>("/eligible", cells, outcomes.eligible));
  return file.Close();
}

}  // namespace

Status CheckChoicesFile(const std::filesystem::path& file) {
  const std::string ending = file.extension().string();
  if (ending == ".csv" || ending == ".h5" || ending == ".hdf5") return {};
  return UsageError("--choices-out {}: expected a name that ends in .csv or .h5", file.string());
}

Status WriteChoices(const std::filesystem::path& file, const PotentialOutcomes& outcomes,
                    const QueryChoices& choices) {
  GONOGO_TRY(CheckChoicesFile(file));
  if (file.has_parent_path()) GONOGO_TRY(io::MakeDirectory(file.parent_path()));
  if (file.extension() == ".csv") return io::WriteFile(file, CsvText(outcomes, choices));
  if (io::drops_writes()) return {};
  io::Hdf5File opened = GONOGO_TRY(io::Hdf5File::Create(file));
  return WriteHdf5(opened, outcomes, choices);
}

}  // namespace gonogo::audit
