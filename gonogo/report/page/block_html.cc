// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/block_html.h"

#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/report/page/html.h"

namespace gonogo::report::internal {
namespace {

std::string CellHtml(const Cell& cell) {
  if (cell.tone == Tone::kPlain) return EscapeHtml(cell.text);
  const ToneStyle style = StyleOf(cell.tone);
  return fmt::format(R"(<span class="badge {}"><span aria-hidden="true">{}</span> {}</span>)",
                     style.css_class, style.glyph, EscapeHtml(cell.text));
}

const char* ClassOf(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kNumber:
      return R"( class="number")";
    case ColumnKind::kProse:
      return R"( class="prose")";
    case ColumnKind::kText:
      break;
  }
  return "";
}

std::string RowHtml(const std::vector<Column>& columns, const std::vector<Cell>& row) {
  GONOGO_CHECK(row.size() == columns.size());
  std::string out = "<tr>";
  for (std::size_t i = 0; i < row.size(); ++i) {
    const char* tag = i == 0 ? "th" : "td";
    out += fmt::format("<{}{}{}>{}</{}>", tag, i == 0 ? R"( scope="row")" : "",
                       ClassOf(columns[i].kind), CellHtml(row[i]), tag);
  }
  return out + "</tr>\n";
}

/// Writes blocks; knows whether this build can draw charts.
class BlockWriter {
 public:
  explicit BlockWriter(bool draws_charts) : draws_charts_(draws_charts) {}

  std::string operator()(const Paragraph& paragraph) const {
    const std::string text = EscapeHtml(paragraph.text);
    if (paragraph.tone == Tone::kPlain) return "<p>" + text + "</p>\n";
    return fmt::format("<p class=\"callout {}\">{}</p>\n", StyleOf(paragraph.tone).css_class, text);
  }

  std::string operator()(const List& list) const {
    std::string out = "<ul>\n";
    for (const std::string& item : list.items) out += "<li>" + EscapeHtml(item) + "</li>\n";
    return out + "</ul>\n";
  }

  std::string operator()(const Table& table) const {
    const std::string caption = EscapeHtml(table.caption);
    // The region takes the keyboard's focus because a wide table scrolls inside it on a phone.
    std::string out = "<figure class=\"table\">";
    if (!table.folded) out += "<figcaption>" + caption + "</figcaption>";
    out += fmt::format(R"(<div class="scroll" role="region" tabindex="0" aria-label="{}"><table>)",
                       caption);
    out += "\n<thead><tr>";
    for (const Column& column : table.columns) {
      out += fmt::format("<th scope=\"col\"{}>{}</th>", ClassOf(column.kind),
                         EscapeHtml(column.title));
    }
    out += "</tr></thead>\n<tbody>\n";
    for (const std::vector<Cell>& row : table.rows) out += RowHtml(table.columns, row);
    out += "</tbody></table></div></figure>\n";
    if (!table.folded) return out;
    return "<details><summary>" + caption + "</summary>\n" + out + "</details>\n";
  }

  std::string operator()(const Chart& chart) const { return ChartHtml(chart, chart.title); }

  std::string operator()(const Cards& cards) const {
    std::string out = "<div class=\"cards\">\n";
    for (const Card& card : cards.cards) {
      out += fmt::format(R"(<article class="card"><div class="card-head"><h3>{}</h3>{}</div>)",
                         EscapeHtml(card.title), CellHtml(card.badge));
      if (!card.text.empty()) out += "<p>" + EscapeHtml(card.text) + "</p>";
      if (card.chart) out += ChartHtml(*card.chart, card.title);
      out += "</article>\n";
    }
    return out + "</div>\n";
  }

 private:
  /// `name` tells it from the other charts, in the names of saved files too.
  [[nodiscard]] std::string ChartHtml(const Chart& chart, const std::string& name) const {
    if (!draws_charts_) return "";
    std::string out = "<figure class=\"chart\">";
    if (!chart.title.empty()) out += "<figcaption>" + EscapeHtml(chart.title) + "</figcaption>";
    return out +
           fmt::format(R"(<div class="plot" data-chart data-name="{}" role="img" aria-label="{}">)"
                       R"(<script type="application/json">{}</script></div></figure>)"
                       "\n",
                       EscapeHtml(name), EscapeHtml(chart.description), ScriptJson(chart.spec));
  }

  bool draws_charts_;
};

}  // namespace

ToneStyle StyleOf(Tone tone) {
  switch (tone) {
    case Tone::kGo:
      return {"tone-go", "✓"};
    case Tone::kNoGo:
      return {"tone-nogo", "✕"};
    case Tone::kOpen:
      return {"tone-open", "?"};
    case Tone::kWarn:
      return {"tone-warn", "!"};
    case Tone::kPlain:
      break;
  }
  return {"", ""};
}

std::string BlockHtml(const Block& block, bool draws_charts) {
  return std::visit(BlockWriter(draws_charts), block);
}

}  // namespace gonogo::report::internal
