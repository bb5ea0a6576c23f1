// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/base/check.h"
#include "gonogo/report/page/html.h"

namespace gonogo::report::internal {
namespace {

std::string CellHtml(const Cell& cell) {
  if (cell.tone == Tone::kPlain || cell.text.empty()) return TextHtml(cell.text);
  const ToneStyle style = StyleOf(cell.tone);
  return fmt::format(R"(<span class="badge {}"><span aria-hidden="true">{}</span> {}</span>{})",
                     style.css_class, style.glyph, TextHtml(cell.text), TextHtml(cell.after));
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
    // A note begins in the middle of a sentence, behind its label; a paragraph does not.
    const std::string text =
        TextHtml(paragraph.label.empty() ? paragraph.text : Capitalised(paragraph.text));
    if (paragraph.tone == Tone::kPlain) return "<p>" + text + "</p>\n";
    return fmt::format("<p class=\"callout {}\">{}</p>\n", StyleOf(paragraph.tone).css_class, text);
  }

  std::string operator()(const List& list) const {
    std::string out = "<ul>\n";
    for (const Text& item : list.items) out += "<li>" + TextHtml(item) + "</li>\n";
    return out + "</ul>\n";
  }

  std::string operator()(const Table& table) const {
    const std::string caption = TextHtml(table.caption);
    // The region takes the keyboard's focus because a wide table scrolls inside it on a phone.
    std::string out = "<figure class=\"table\">";
    if (!table.folded) out += "<figcaption>" + caption + "</figcaption>";
    out += fmt::format(R"(<div class="scroll" role="region" tabindex="0" aria-label="{}"><table>)",
                       EscapeHtml(table.caption.typeset()));
    out += "\n<thead><tr>";
    for (const Column& column : table.columns) {
      out +=
          fmt::format("<th scope=\"col\"{}>{}</th>", ClassOf(column.kind), TextHtml(column.title));
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
      if (!card.text.empty()) out += "<p>" + TextHtml(card.text) + "</p>";
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

std::string EscapeHtml(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      case '\'':
        out += "&#39;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string TextHtml(const Text& text) {
  std::string out;
  std::size_t done = 0;
  for (const Mark& mark : text.marks) {
    out += EscapeHtml(std::string_view(text.plain).substr(done, mark.begin - done));
    const std::string shown = EscapeHtml(mark.typeset);
    out += mark.from.empty()
               ? shown
               : fmt::format("<data value=\"{}\">{}</data>", EscapeHtml(mark.from), shown);
    done = mark.begin + mark.size;
  }
  return out + EscapeHtml(std::string_view(text.plain).substr(done));
}

std::string ScriptJson(const nlohmann::json& value) {
  const std::string plain = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  std::string out;
  out.reserve(plain.size());
  // Outside strings JSON has no '<', so every one of them may be spelled as an escape.
  for (const char c : plain) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

ToneStyle StyleOf(Tone tone) {
  switch (tone) {
    case Tone::kGo:
      return {"tone-go", "✓"};
    case Tone::kNoGo:
      return {"tone-nogo", "✕"};
    case Tone::kOpen:
    case Tone::kNeutral:
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

std::string Document(const DocumentParts& parts) {
  // Vega compiles its expressions with Function(), hence 'unsafe-eval'; nothing from outside can
  // reach it, because every source of a load is closed.
  std::string html;
  std::size_t size = 2048 + parts.body.size() + parts.script.size();
  for (const std::string_view style : parts.styles) size += style.size();
  html.reserve(size);  // the chart library alone is a megabyte
  html +=
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
      "style-src 'unsafe-inline'; script-src 'unsafe-inline' 'unsafe-eval'; img-src data: blob:; "
      "base-uri 'none'; form-action 'none'\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n"
      "<link rel=\"icon\" href=\"data:,\">\n<title>";
  html += EscapeHtml(parts.title);
  html += "</title>\n";
  for (const std::string_view style : parts.styles) {
    html.append("<style>\n").append(style).append("</style>\n");
  }
  html.append("</head>\n<body>\n").append(parts.body);
  if (!parts.script.empty()) html.append("<script>").append(parts.script).append("</script>\n");
  return html.append("</body>\n</html>\n");
}

}  // namespace gonogo::report::internal

namespace gonogo::report {
namespace {

using internal::EscapeHtml;
using internal::ScriptJson;
using internal::TextHtml;

std::string BannerHtml(const Banner& banner) {
  const internal::ToneStyle style = internal::StyleOf(banner.word.tone);
  return fmt::format(
      R"(<div class="banner {}"><p class="word"><span class="glyph" aria-hidden="true">{}</span>{}</p>)"
      R"(<div><p class="headline">{}</p><p class="status">{}</p></div></div>)"
      "\n",
      style.css_class, style.glyph, TextHtml(banner.word.text), TextHtml(banner.headline),
      TextHtml(banner.status));
}

std::string HeadHtml(const Page& page) {
  std::string out = "<header class=\"page-head\">\n";
  if (!page.kicker.empty()) out += "<p class=\"kicker\">" + EscapeHtml(page.kicker) + "</p>\n";
  out += "<h1>" + EscapeHtml(page.title) + "</h1>\n";
  if (!page.subtitle.empty()) out += "<p class=\"subtitle\">" + TextHtml(page.subtitle) + "</p>\n";
  if (page.banner) out += BannerHtml(*page.banner);
  out += "</header>\n";
  if (page.sections.size() < 2) return out;
  out += "<nav class=\"contents\" aria-label=\"Contents\"><ul>\n";
  for (const Section& section : page.sections) {
    out += fmt::format("<li><a href=\"#{}\">{}</a></li>\n", section.id, EscapeHtml(section.title));
  }
  return out + "</ul></nav>\n";
}

std::string FootHtml(const Page& page) {
  std::string out = "<footer class=\"page-foot\">\n";
  if (page.attachment) {
    const std::string name = EscapeHtml(page.attachment->file_name);
    out += fmt::format(
        R"(<p><button class="save" type="button" data-save="{}" data-from="attachment" hidden>)"
        "Save {}</button></p>\n<script type=\"application/json\" id=\"attachment\">{}</script>\n",
        name, name, ScriptJson(page.attachment->content));
  }
  for (const Text& line : page.footer) out += "<p>" + TextHtml(line) + "</p>\n";
  return out + "</footer>\n";
}

bool HasChart(const Section& section) {
  for (const Block& block : section.blocks) {
    if (std::holds_alternative<Chart>(block)) return true;
    const Cards* cards = std::get_if<Cards>(&block);
    if (cards == nullptr) continue;
    for (const Card& card : cards->cards) {
      if (card.chart) return true;
    }
  }
  return false;
}

}  // namespace

std::string RenderPage(const Page& page, std::string_view charts_js) {
  std::string body = "<div class=\"page\">\n" + HeadHtml(page);
  bool has_chart = false;
  for (const Section& section : page.sections) has_chart = has_chart || HasChart(section);
  if (has_chart && charts_js.empty()) {
    body +=
        "<p class=\"callout tone-warn\">This page has tables instead of charts: gonogo was built "
        "without Node.js, which bundles the chart library.</p>\n";
  } else if (has_chart) {
    body +=
        "<noscript><p class=\"callout tone-warn\">Charts need JavaScript. The tables below hold "
        "the same numbers.</p></noscript>\n";
  }
  body += "<main>\n";
  for (const Section& section : page.sections) {
    body += fmt::format("<section id=\"{}\">\n<h2>{}</h2>\n", EscapeHtml(section.id),
                        EscapeHtml(section.title));
    for (const Block& block : section.blocks)
      body += internal::BlockHtml(block, !charts_js.empty());
    body += "</section>\n";
  }
  body += "</main>\n" + FootHtml(page) + "</div>\n";
  return internal::Document({.title = page.title,
                             .styles = {PageCss()},
                             .body = body,
                             .script = has_chart || page.attachment ? charts_js : ""});
}

}  // namespace gonogo::report
