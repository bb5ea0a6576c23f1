// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/section_text.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "gonogo/report/text/text_table.h"

namespace gonogo::report {
namespace {

constexpr std::size_t kTextWidth = 100;

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

std::string Wrapped(std::string_view text, std::string_view indent) {
  std::string out(indent);
  std::size_t column = indent.size();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    const std::size_t width = DisplayWidth(word);
    if (column > indent.size() && column + 1 + width > kTextWidth) {
      out.append(1, '\n').append(indent.size(), ' ');
      column = indent.size();
    } else if (column > indent.size()) {
      out += ' ';
      ++column;
    }
    out += word;
    column += width;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  return out + "\n";
}

std::string TableText(const Table& table) {
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
  return (table.caption.empty() ? "" : Wrapped(table.caption, "")) + text.Render();
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

std::string CardsTable(const Cards& cards, std::string (*render)(const Table&)) {
  Table table{.caption = "", .columns = {{""}, {""}, {"", ColumnKind::kProse}}, .rows = {}};
  for (const Card& card : cards.cards) {
    if (card.badge.text.empty() && card.text.empty()) continue;  // nothing but a picture
    table.rows.push_back({Cell(card.title), card.badge, Cell(card.text)});
  }
  return table.rows.empty() ? "" : render(table);
}

std::string BlockText(const Block& block) {
  return std::visit(Overloaded{
                        [](const Paragraph& p) { return Wrapped(p.text, ""); },
                        [](const List& list) {
                          std::string out;
                          for (const std::string& item : list.items) out += Wrapped(item, "  - ");
                          return out;
                        },
                        [](const Table& table) { return TableText(table); },
                        [](const Chart&) { return std::string(); },
                        [](const Cards& cards) { return CardsTable(cards, TableText); },
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
                        [](const Cards& cards) { return CardsTable(cards, TableMarkdown); },
                    },
                    block);
}

std::string Joined(std::string title, const Section& section, std::string (*render)(const Block&)) {
  for (const Block& block : section.blocks) {
    const std::string text = render(block);
    if (!text.empty()) title.append("\n").append(text);
  }
  return title;
}

}  // namespace

std::string SectionText(const Section& section) {
  return Joined(section.title + "\n", section, BlockText);
}

std::string SectionMarkdown(const Section& section) {
  return Joined(fmt::format("## {}\n", Escaped(section.title)), section, BlockMarkdown);
}

}  // namespace gonogo::report
