// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/run/sequential_run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/number_text.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/io/file.h"
#include "gonogo/report/page/page.h"
#include "gonogo/report/page/section_text.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

std::string WithInterval(const calibrate::Proportion& p) {
  return fmt::format("{} {}", Percent(p.share(), 1),
                     PercentInterval(p.interval.lower, p.interval.upper, 1));
}

/// One row for every cell and rule, with the words above them.
struct SeriesTable {
  std::vector<std::string> columns;
  std::vector<std::vector<std::string>> rows;
};

SeriesTable MakeSeriesTable(const calibrate::BenchmarkOptions& options,
                            const std::vector<calibrate::SequentialCell>& cells) {
  SeriesTable table{
      {"cell", "rule", "series", "GO", "NO-GO", "futile", "false GO", "false NO-GO",
       "clusters on average",
       fmt::format("ends at {}", fmt::join(options.simulation.protocol.rule.looks_at, " / "))},
      {}};
  for (const calibrate::SequentialCell& cell : cells) {
    for (std::size_t r = 0; r < calibrate::kSpendingRules.size(); ++r) {
      const calibrate::SequentialRule& rule = cell.rule[r];
      if (rule.go.total == 0) continue;
      std::vector<std::string> ends;
      for (const calibrate::Proportion& at : rule.ends) ends.push_back(Percent(at.share(), 0));
      table.rows.push_back({cell.cell.name, std::string(Name(calibrate::kSpendingRules[r])),
                            std::to_string(cell.data_sets), WithInterval(rule.go),
                            WithInterval(rule.no_go), Percent(rule.futile.share(), 1),
                            WithInterval(rule.false_go), WithInterval(rule.false_no_go),
                            Decimal(rule.mean_clusters, 1),
                            fmt::format("{}", fmt::join(ends, " / "))});
    }
  }
  return table;
}

report::Section AsSection(const SeriesTable& series) {
  report::Table table{.caption = "Series of looks in worlds whose truth is known"};
  for (std::size_t c = 0; c < series.columns.size(); ++c) {
    table.columns.push_back(
        {series.columns[c], c < 2 ? report::ColumnKind::kText : report::ColumnKind::kNumber});
  }
  for (const std::vector<std::string>& row : series.rows) {
    table.rows.emplace_back(row.begin(), row.end());
  }
  return {.id = "series", .title = "Audits that go on until they can decide", .blocks = {table}};
}

Status WriteSeries(const calibrate::BenchmarkOptions& options, const nlohmann::json& result,
                   const SeriesTable& table) {
  if (options.directory.empty()) return {};
  GONOGO_TRY(io::WriteFile(options.directory / "result.json", result.dump(2) + "\n"));
  const report::Page page{.title = "Series of looks",
                          .kicker = "gonogo calibrate",
                          .sections = {AsSection(table)},
                          .attachment = report::Attachment{"result.json", result}};
  GONOGO_TRY(io::WriteFile(options.directory / "report.md",
                           report::SectionMarkdown(page.sections.front()) + "\n"));
  return io::WriteFile(options.directory / "report.html", report::RenderPage(page));
}

}  // namespace

Result<ExitCode> RunSeriesOfLooks(const calibrate::BenchmarkOptions& options,
                                  const Context& context) {
  Progress progress(context.terminal, "series of looks",
                    options.finished_only ? std::filesystem::path() : options.directory);
  const std::vector<calibrate::SequentialCell> cells =
      GONOGO_TRY(calibrate::RunSequential(options, context.With(progress.Callback())));
  if (context.helps()) return kExitDone;
  const nlohmann::json result = calibrate::ToJson(options, cells);
  const SeriesTable table = MakeSeriesTable(options, cells);
  GONOGO_TRY(WriteSeries(options, result, table));
  std::vector<std::string> columns = table.columns;
  columns[1] = "<" + columns[1];
  report::TextTable text(columns);
  for (const std::vector<std::string>& row : table.rows) text.AddRow(row);
  context.terminal.Print(context.options.json
                             ? result.dump(2) + "\n"
                             : text.Render(context.terminal.width()) +
                                   "  false GO and false NO-GO count over all looks, about the "
                                   "adapter that would ship at the look that decided\n");
  return kExitDone;
}

}  // namespace gonogo::cli
