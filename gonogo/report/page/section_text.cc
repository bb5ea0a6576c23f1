// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/section_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "gonogo/report/text/text_table.h"
#include "gonogo/report/text/wrap.h"

namespace gonogo::report {
namespace {

constexpr std::size_t kWidestProse = 100;

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

std::string TableText(const Table& table, std::size_t width) {
  std::vector<std::string> columns;
  for (const Column& column : table.columns) {
    columns.push_back(
        fmt::format("{}{}", column.kind == ColumnKind::kNumber ? "" : "<", column.title));
  }
  TextTable text(columns);
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> cells;
    for (const Cell& cell : row) cells.push_back(cell.text);
    text.AddRow(cells);
  }
  return Wrap(table.caption, std::min(width, kWidestProse)) + text.Render(width);
}

std::string Escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (std::string_view("\\|*_`<[#").find(c) != std::string_view::npos) out += '\\';
    out += c == '\n' ? ' ' : c;
  }
  return out;
}

std::string TableMarkdown(const Table& table) {
  std::string out;
  if (!table.caption.empty()) out += fmt::format("**{}**\n\n", Escaped(table.caption));
  std::string rule = "|";
  out += "|";
  for (const Column& column : table.columns) {
    out += fmt::format(" {} |", Escaped(column.title));
    rule += column.kind == ColumnKind::kNumber ? "---:|" : "---|";
  }
  out += "\n" + rule + "\n";
  for (const std::vector<Cell>& row : table.rows) {
    out += "|";
    for (const Cell& cell : row) out += fmt::format(" {} |", Escaped(cell.text));
    out += "\n";
  }
  return out;
}

Table CardsTable(const Cards& cards) {
  Table table{.caption = "", .columns = {{""}, {""}, {"", ColumnKind::kProse}}, .rows = {}};
  for (const Card& card : cards.cards) {
    if (card.badge.text.empty() && card.text.empty()) continue;  // nothing but a picture
    table.rows.push_back({Cell(card.title), card.badge, Cell(card.text)});
  }
  return table;
}

std::string ListText(const List& list, std::size_t width) {
  std::string out;
  for (const std::string& item : list.items) {
    const std::size_t begin = out.size();
    out += Wrap(item, width, 4);
    if (out.size() > begin) out[begin + 2] = '-';
  }
  return out;
}

std::string BlockText(const Block& block, std::size_t width) {
  const std::size_t prose = std::min(width, kWidestProse);
  return std::visit(Overloaded{
                        [&](const Paragraph& p) { return Wrap(p.text, prose); },
                        [&](const List& list) { return ListText(list, prose); },
                        [&](const Table& table) { return TableText(table, width); },
                        [](const Chart&) { return std::string(); },
                        [&](const Cards& cards) {
                          const Table table = CardsTable(cards);
                          return table.rows.empty() ? "" : TableText(table, width);
                        },
                    },
                    block);
}

std::string BlockMarkdown(const Block& block) {
  return std::visit(Overloaded{
                        [](const Paragraph& p) { return fmt::format("{}\n", Escaped(p.text)); },
                        [](const List& list) {
                          std::string out;
                          for (const std::string& item : list.items)
                            out += fmt::format("- {}\n", Escaped(item));
                          return out;
                        },
                        [](const Table& table) { return TableMarkdown(table); },
                        [](const Chart&) { return std::string(); },
                        [](const Cards& cards) {
                          const Table table = CardsTable(cards);
                          return table.rows.empty() ? "" : TableMarkdown(table);
                        },
                    },
                    block);
}

template <typename Render>
std::string Joined(std::string title, const Section& section, const Render& render) {
  for (const Block& block : section.blocks) {
    const std::string text = render(block);
    if (!text.empty()) title.append("\n").append(text);
  }
  return title;
}

}  // namespace

std::string SectionText(const Section& section, std::size_t width) {
  return Joined(section.title + "\n", section,
                [&](const Block& block) { return BlockText(block, width); });
}

std::string SectionMarkdown(const Section& section) {
  return Joined(fmt::format("## {}\n", Escaped(section.title)), section, BlockMarkdown);
}

}  // namespace gonogo::report
