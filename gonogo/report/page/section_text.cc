// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/section_text.h"

#include <string_view>

#include <fmt/format.h>

namespace gonogo::report {
namespace {

template <typename... F>
struct Overloaded : F... {
  using F::operator()...;
};
template <typename... F>
Overloaded(F...) -> Overloaded<F...>;

Style InkOf(Tone tone) {
  switch (tone) {
    case Tone::kGo:
      return Style::kGo;
    case Tone::kNoGo:
      return Style::kNoGo;
    case Tone::kOpen:
      return Style::kAbstain;
    case Tone::kWarn:
      return Style::kWarning;
    case Tone::kNeutral:
      return Style::kBold;
    case Tone::kPlain:
      break;
  }
  return Style::kPlain;
}

std::string Captioned(const Table& table, std::size_t width) {
  const TextLook look{.width = width};
  return Wrap(table.caption.plain, look.prose_width()) + TableText(table, look);
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
  if (!table.caption.empty()) out += fmt::format("**{}**\n\n", Escaped(table.caption.plain));
  std::string rule = "|";
  out += "|";
  for (const Column& column : table.columns) {
    out += fmt::format(" {} |", Escaped(column.title.plain));
    rule += column.kind == ColumnKind::kNumber ? "---:|" : "---|";
  }
  out += "\n" + rule + "\n";
  for (const std::vector<Cell>& row : table.rows) {
    out += "|";
    for (const Cell& cell : row) out += fmt::format(" {} |", Escaped(cell.text.plain));
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
  for (const Text& item : list.items) {
    const std::size_t begin = out.size();
    out += Wrap(item.plain, width, 4);
    if (out.size() > begin) out[begin + 2] = '-';
  }
  return out;
}

std::string BlockText(const Block& block, std::size_t width) {
  const std::size_t prose = TextLook{.width = width}.prose_width();
  return std::visit(Overloaded{
                        [&](const Paragraph& p) { return Wrap(p.text.plain, prose); },
                        [&](const List& list) { return ListText(list, prose); },
                        [&](const Table& table) { return Captioned(table, width); },
                        [](const Chart&) { return std::string(); },
                        [&](const Cards& cards) {
                          const Table table = CardsTable(cards);
                          return table.rows.empty() ? "" : Captioned(table, width);
                        },
                    },
                    block);
}

std::string BlockMarkdown(const Block& block) {
  return std::visit(
      Overloaded{
          [](const Paragraph& p) { return fmt::format("{}\n", Escaped(p.text.plain)); },
          [](const List& list) {
            std::string out;
            for (const Text& item : list.items) out += fmt::format("- {}\n", Escaped(item.plain));
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

std::string CellText(const Cell& cell, const TextLook& look) {
  const Style style = InkOf(cell.tone);
  const std::string& text = cell.text.plain;
  return (style == Style::kPlain ? text : look.Paint(style, text)) + cell.after.plain;
}

std::string TableText(const Table& table, const TextLook& look) {
  std::vector<std::string> columns;
  for (const Column& column : table.columns) {
    if (column.page_only) continue;
    columns.push_back(fmt::format("{}{}", column.kind == ColumnKind::kNumber ? "" : "<",
                                  column.untitled_in_text ? "" : column.title.plain));
  }
  TextTable text(columns);
  for (const std::vector<Cell>& row : table.rows) {
    std::vector<std::string> cells;
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (!table.columns[i].page_only) cells.push_back(CellText(row[i], look));
    }
    text.AddRow(cells);
  }
  text.WhenNarrow(table.left_out, table.below);
  return text.Render(look.width);
}

std::string SectionText(const Section& section, std::size_t width) {
  return Joined(section.title + "\n", section,
                [&](const Block& block) { return BlockText(block, width); });
}

std::string SectionMarkdown(const Section& section) {
  return Joined(fmt::format("## {}\n", Escaped(section.title)), section, BlockMarkdown);
}

}  // namespace gonogo::report
