// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/findings/findings.h"

#include <algorithm>
#include <array>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/base/check.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/toml/toml.h"
#include "gonogo/paper/published/cells.h"

namespace gonogo::paper {
namespace {

constexpr int kMostTablesOfASection = 20;
constexpr int kMostNumbersOfAPlace = 50;
constexpr int kMostCounted = 1'000'000;
constexpr double kRoundingSlack = 1e-9;  // of decimal fractions in double precision

constexpr std::array<std::pair<std::string_view, Relation>, 4> kRelations{
    {{"at least", Relation::kAtLeast},
     {"at most", Relation::kAtMost},
     {"above", Relation::kAbove},
     {"below", Relation::kBelow}}};

/// `like` says what is left out: a place that a check compares with is usually in the same table.
FindingPlace ReadPlace(const io::TomlNode& node, const FindingPlace& like) {
  FindingPlace place;
  place.section = node.String("section", like.section);
  place.table = static_cast<int>(node.IntegerIn("table", like.table, 1, kMostTablesOfASection));
  place.row = node.Strings("row", like.row);
  place.column = node.String("column", like.column);
  place.paragraph = node.String("paragraph", like.paragraph);
  place.number = static_cast<int>(node.IntegerIn("number", 1, 1, kMostNumbersOfAPlace));
  if (place.section.empty()) node.Fail("section", "a place is in a section");
  if (place.paragraph.empty() && (place.row.empty() || place.column.empty())) {
    node.Fail("row", "a place needs a row and a column, or a paragraph");
  }
  return place;
}

FindingCheck ReadCheck(const io::TomlNode& node, const FindingPlace& like) {
  FindingCheck check{.at = ReadPlace(node, like)};
  if (node.Has("text")) {
    check.is = Relation::kText;
    check.text = node.String("text", "");
    return check;
  }
  const std::string is = node.Require("is").String("is", "");
  const auto* const known = std::find_if(kRelations.begin(), kRelations.end(),
                                         [&](const auto& entry) { return entry.first == is; });
  if (known == kRelations.end()) {
    node.Fail("is", "expected at least, at most, above or below");
    return check;
  }
  check.is = known->second;
  if (node.Has("value") == node.Has("than")) node.Fail("is", "needs either a value or a than");
  check.value = node.Number("value", 0.0);
  check.times = node.Number("times", 1.0);
  if (node.Has("than")) check.than = ReadPlace(node.Table("than"), check.at);
  check.out_of = static_cast<int>(node.IntegerIn("out_of", 0, 0, kMostCounted));
  return check;
}

std::vector<FindingCheck> ReadChecks(const io::TomlNode& node, const char* key,
                                     const FindingPlace& like) {
  std::vector<FindingCheck> checks;
  for (const io::TomlNode& check : node.Tables(key)) checks.push_back(ReadCheck(check, like));
  return checks;
}

Finding ReadFinding(const io::TomlNode& node) {
  for (const char* key : {"name", "claim", "criterion", "label"}) node.Require(key);
  Finding finding{.name = node.String("name", ""),
                  .claim = node.String("claim", ""),
                  .criterion = node.String("criterion", ""),
                  .label = node.String("label", ""),
                  .all = {}};
  const FindingPlace like{
      .section = node.String("section", ""),
      .table = static_cast<int>(node.IntegerIn("table", 1, 1, kMostTablesOfASection))};
  finding.all = ReadChecks(node, "all", like);
  for (const io::TomlNode& entry : node.Tables("any")) {
    finding.any.push_back(ReadChecks(entry, "all", like));
  }
  if (finding.all.empty() && finding.any.empty()) node.Fail("all", "a finding needs a check");
  return finding;
}

std::string TextAt(const FindingPlace& place, std::span<const report::Section> sections) {
  for (const report::Section& section : sections) {
    if (section.id != place.section) continue;
    return place.paragraph.empty() ? CellText(section, {place.table, place.row, place.column})
                                   : ParagraphText(section, place.paragraph);
  }
  return "";
}

std::optional<double> NumberAt(const FindingPlace& place,
                               std::span<const report::Section> sections) {
  const std::vector<double> numbers = NumbersIn(TextAt(place, sections));
  const auto index = static_cast<std::size_t>(place.number) - 1;
  if (index >= numbers.size()) return std::nullopt;
  return numbers[index];
}

bool Holds(Relation is, double left, double right) {
  switch (is) {
    case Relation::kAtLeast:
      return left >= right - kRoundingSlack;
    case Relation::kAtMost:
      return left <= right + kRoundingSlack;
    case Relation::kAbove:
      return left > right + kRoundingSlack;
    case Relation::kBelow:
      return left < right - kRoundingSlack;
    case Relation::kText:
      break;
  }
  return false;
}

/// Whether a check holds; nothing if it was not run. Adds what stands there to `shown`.
std::optional<bool> Test(const FindingCheck& check, std::span<const report::Section> sections,
                         std::vector<std::string>& shown) {
  if (check.is == Relation::kText) {
    const std::string text = TextAt(check.at, sections);
    if (text.empty()) return std::nullopt;
    shown.push_back(text);
    return text == check.text;
  }
  const std::optional<double> left = NumberAt(check.at, sections);
  if (!left) return std::nullopt;
  shown.push_back(fmt::format("{:g}", *left));
  if (check.out_of > 0) {
    FindingPlace next = check.at;
    ++next.number;
    const double missing = check.out_of - NumberAt(next, sections).value_or(0.0);
    if (missing > 0.0 && Holds(check.is, *left + missing, check.value)) return std::nullopt;
  }
  double right = check.value;
  if (check.than) {
    const std::optional<double> other = NumberAt(*check.than, sections);
    if (!other) return std::nullopt;
    right = *other;
  }
  return Holds(check.is, *left, check.times * right);
}

/// All of a list: differs as soon as one does, otherwise not run as soon as one was not.
FindingVerdict JudgeAll(std::span<const FindingCheck> checks,
                        std::span<const report::Section> sections,
                        std::vector<std::string>& shown) {
  FindingVerdict verdict = FindingVerdict::kAgrees;
  for (const FindingCheck& check : checks) {
    const std::optional<bool> holds = Test(check, sections, shown);
    if (!holds) {
      if (verdict == FindingVerdict::kAgrees) verdict = FindingVerdict::kNotRun;
    } else if (!*holds) {
      verdict = FindingVerdict::kDiffers;
    }
  }
  return verdict;
}

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

std::string_view FindingVerdictName(FindingVerdict verdict) {
  static constexpr std::array<std::string_view, 3> kNames{"agrees", "differs", "not run"};
  return kNames.at(static_cast<std::size_t>(verdict));
}

Result<std::vector<Finding>> ReadFindings(const DataFile& file) {
  const io::TomlDocument document =
      GONOGO_TRY(io::TomlDocument::Parse(file.text, std::string(file.name)));
  std::vector<Finding> findings;
  for (const io::TomlNode& node : document.Root().Tables("finding")) {
    findings.push_back(ReadFinding(node));
  }
  GONOGO_TRY(document.Finish());
  return findings;
}

const std::vector<Finding>& Findings() {
  static const std::vector<Finding> kFindings = [] {
    Result<std::vector<Finding>> findings = ReadFindings(FindingsFile());
    GONOGO_CHECK(findings.ok());  // it was compiled in: a test reads it
    return std::move(findings).value();
  }();
  return kFindings;
}

JudgedFinding Judge(const Finding& finding, std::span<const report::Section> sections) {
  JudgedFinding judged{.name = finding.name, .numbers = {}};
  judged.verdict = JudgeAll(finding.all, sections, judged.numbers);
  if (finding.any.empty()) return judged;
  FindingVerdict best = FindingVerdict::kDiffers;
  for (const std::vector<FindingCheck>& entry : finding.any) {
    const FindingVerdict verdict = JudgeAll(entry, sections, judged.numbers);
    if (verdict == FindingVerdict::kAgrees) best = verdict;
    if (verdict == FindingVerdict::kNotRun && best == FindingVerdict::kDiffers) best = verdict;
  }
  if (judged.verdict == FindingVerdict::kAgrees) judged.verdict = best;
  return judged;
}

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
    column.findings.push_back(GONOGO_TRY(JudgedFromJson(entry, place)));
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
