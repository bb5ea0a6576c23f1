// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/published/cells.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/base/number_text.h"

namespace gonogo::paper {
namespace {

constexpr NumberLook kSignedLook{.minus = kTypesetLook.minus, .plus = "+", .gap = kTypesetLook.gap};

const report::Table* FindTable(const report::Section& section, int number) {
  for (const report::Block& block : section.blocks) {
    const auto* table = std::get_if<report::Table>(&block);
    if (table != nullptr && --number == 0) return table;
  }
  return nullptr;
}

}  // namespace

std::string Fixed(std::optional<double> value, int decimals) {
  return Decimal(value, decimals, kTypesetLook);
}

std::string Signed(std::optional<double> value, int decimals) {
  return Decimal(value, decimals, kSignedLook);
}

std::string SignedPercent(std::optional<double> fraction, int decimals) {
  return gonogo::Percent(fraction, decimals, kSignedLook);
}

std::string WithInterval(double value, const stats::Interval& interval, int decimals) {
  return fmt::format("{} [{}, {}]", Fixed(value, decimals), Fixed(interval.lower, decimals),
                     Fixed(interval.upper, decimals));
}

std::string TextOrNone(const std::optional<std::string>& text) { return text.value_or(kNoNumber); }

std::string TextOrBlank(const std::optional<std::string>& text) { return text.value_or(""); }

nlohmann::json ChartSpec(const std::string& name) {
  static const nlohmann::json kSpecs = nlohmann::json::parse(ChartsJson());
  return kSpecs.at(name);
}

std::string PublishedSize(std::string_view table) {
  const PublishedTable& size = Published(table);
  return *size.Text("study", "episodes") + " on " + *size.Text("study", "seeds");
}

report::Table NumberTable(std::string caption, const std::vector<std::string>& titles,
                          std::size_t texts) {
  report::Table table{.caption = std::move(caption)};
  for (const std::string& title : titles) {
    const bool text = table.columns.size() < texts;
    table.columns.push_back(
        {title, text ? report::ColumnKind::kText : report::ColumnKind::kNumber});
  }
  return table;
}

void AddPublishedRow(const PublishedTable& paper, const std::string& name,
                     std::initializer_list<const char*> columns, report::Table& table) {
  if (!paper.Has(name)) return;
  std::vector<report::Cell> row{name, "paper"};
  for (const char* column : columns) row.emplace_back(TextOrBlank(paper.Text(name, column)));
  table.rows.push_back(std::move(row));
}

std::string Percent(double share) { return Decimal(100.0 * share, 2); }

std::string WithInterval(const audit::Estimate& estimate) {
  if (!estimate.interval) return Percent(estimate.point);
  return fmt::format("{} [{}, {}]", Percent(estimate.point), Percent(estimate.interval->lower),
                     Percent(estimate.interval->upper));
}

std::string CellText(const report::Section& section, const SectionPlace& place) {
  const report::Table* table = FindTable(section, place.table);
  if (table == nullptr) return "";
  const auto column = std::find_if(table->columns.begin(), table->columns.end(),
                                   [&](const auto& c) { return c.title == place.column; });
  if (column == table->columns.end()) return "";
  // Some rows say in brackets how many episodes they are about, which depends on the run.
  const auto same = [](const std::string& name, const report::Cell& cell) {
    return cell.text == name || cell.text.plain.starts_with(name + " (");
  };
  for (const std::vector<report::Cell>& row : table->rows) {
    if (row.size() != table->columns.size() || row.size() < place.row.size()) continue;
    if (!std::equal(place.row.begin(), place.row.end(), row.begin(), same)) continue;
    return row[static_cast<std::size_t>(column - table->columns.begin())].text.plain;
  }
  return "";
}

std::string ParagraphText(const report::Section& section, const std::string& part) {
  for (const report::Block& block : section.blocks) {
    const auto* paragraph = std::get_if<report::Paragraph>(&block);
    if (paragraph != nullptr && paragraph->text.plain.find(part) != std::string::npos) {
      return paragraph->text.plain;
    }
  }
  return "";
}

}  // namespace gonogo::paper
