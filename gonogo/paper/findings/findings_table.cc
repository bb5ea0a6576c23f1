// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/findings/findings_table.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/io/json/json.h"

namespace gonogo::paper {
namespace {

constexpr const char* kFindingsSchema = "gonogo.findings/1";

std::string CellOf(const FindingsColumn& column, const std::string& name) {
  for (const JudgedFinding& judged : column.findings) {
    if (judged.name != name) continue;
    const std::string verdict(FindingVerdictName(judged.verdict));
    if (judged.verdict == FindingVerdict::kNotRun || judged.numbers.empty()) return verdict;
    return fmt::format("{}: {}", verdict, fmt::join(judged.numbers, ", "));
  }
  return std::string(FindingVerdictName(FindingVerdict::kNotRun));
}

Result<JudgedFinding> JudgedFromJson(const nlohmann::json& entry, const std::string& place) {
  const io::JsonObject object = GONOGO_TRY(io::JsonObject::Open(entry, place));
  JudgedFinding judged;
  judged.name = GONOGO_TRY(object.Get<std::string>("name"));
  judged.numbers = GONOGO_TRY(object.Get<std::vector<std::string>>("numbers"));
  const auto verdict = GONOGO_TRY(object.Get<std::string>("verdict"));
  for (const FindingVerdict known :
       {FindingVerdict::kAgrees, FindingVerdict::kDiffers, FindingVerdict::kNotRun}) {
    if (verdict != FindingVerdictName(known)) continue;
    judged.verdict = known;
    return judged;
  }
  return InputError("{}: verdict is \"{}\", expected agrees, differs or not run", place, verdict);
}

}  // namespace

std::size_t FindingsColumn::count(FindingVerdict verdict) const {
  return static_cast<std::size_t>(
      std::count_if(findings.begin(), findings.end(),
                    [&](const JudgedFinding& judged) { return judged.verdict == verdict; }));
}

FindingsColumn JudgeFindings(std::string label, std::span<const report::Section> sections) {
  FindingsColumn column{.label = std::move(label), .findings = {}};
  for (const Finding& finding : Findings()) column.findings.push_back(Judge(finding, sections));
  return column;
}

nlohmann::json FindingsJson(const FindingsColumn& column) {
  nlohmann::json document{
      {"schema", kFindingsSchema}, {"label", column.label}, {"findings", nlohmann::json::array()}};
  for (const JudgedFinding& judged : column.findings) {
    document["findings"].push_back({{"name", judged.name},
                                    {"verdict", FindingVerdictName(judged.verdict)},
                                    {"numbers", judged.numbers}});
  }
  return document;
}

Result<FindingsColumn> FindingsFromJson(std::string_view text, const std::string& place) {
  const nlohmann::json document = GONOGO_TRY(io::ParseJson(text, place));
  const io::JsonObject object = GONOGO_TRY(io::JsonObject::Open(document, place));
  const auto schema = GONOGO_TRY(object.Get<std::string>("schema"));
  if (schema != kFindingsSchema) {
    return InputError("{}: schema is \"{}\", expected \"{}\"", place, schema, kFindingsSchema);
  }
  FindingsColumn column;
  column.label = GONOGO_TRY(object.Get<std::string>("label"));
  const auto findings = GONOGO_TRY(object.Get<std::vector<nlohmann::json>>("findings"));
  for (const nlohmann::json& entry : findings) {
    JudgedFinding judged = GONOGO_TRY(JudgedFromJson(entry, place));
    column.findings.push_back(std::move(judged));
  }
  return column;
}

report::Section FindingsSection(std::span<const FindingsColumn> columns) {
  report::Section section{.id = "findings", .title = "The paper's findings, one by one"};
  section.blocks.emplace_back(report::Paragraph{
      "Each finding is a criterion taken from the paper's text (experiments/paper/findings.toml), "
      "judged by the numbers that this page shows. Where the wording leaves room, the range "
      "stands in the criterion."});
  report::Table table{.caption =
                          "Does it hold here? With the numbers compared, in the order of the "
                          "criterion",
                      .columns = {{"finding"}, {"the paper"}, {"criterion"}}};
  for (const FindingsColumn& column : columns) {
    section.blocks.emplace_back(report::Paragraph{
        fmt::format("{}: of {} findings {} agree, {} differ and {} were not run.", column.label,
                    Findings().size(), column.count(FindingVerdict::kAgrees),
                    column.count(FindingVerdict::kDiffers),
                    Findings().size() - column.count(FindingVerdict::kAgrees) -
                        column.count(FindingVerdict::kDiffers))});
    table.columns.push_back({column.label});
  }
  for (const Finding& finding : Findings()) {
    std::vector<report::Cell> row{finding.name, finding.claim, finding.criterion};
    for (const FindingsColumn& column : columns) row.emplace_back(CellOf(column, finding.name));
    table.rows.push_back(std::move(row));
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

}  // namespace gonogo::paper
