// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/page/page.h"

#include <fmt/format.h>

#include "gonogo/report/page/block_html.h"
#include "gonogo/report/page/document.h"
#include "gonogo/report/page/html.h"

namespace gonogo::report {
namespace {

std::string BannerHtml(const Banner& banner) {
  const internal::ToneStyle style = internal::StyleOf(banner.word.tone);
  return fmt::format(
      R"(<div class="banner {}"><p class="word"><span class="glyph" aria-hidden="true">{}</span>{}</p>)"
      R"(<div><p class="headline">{}</p><p class="status">{}</p></div></div>)"
      "\n",
      style.css_class, style.glyph, EscapeHtml(banner.word.text), EscapeHtml(banner.headline),
      EscapeHtml(banner.status));
}

std::string HeadHtml(const Page& page) {
  std::string out = "<header class=\"page-head\">\n";
  if (!page.kicker.empty()) out += "<p class=\"kicker\">" + EscapeHtml(page.kicker) + "</p>\n";
  out += "<h1>" + EscapeHtml(page.title) + "</h1>\n";
  if (!page.subtitle.empty())
    out += "<p class=\"subtitle\">" + EscapeHtml(page.subtitle) + "</p>\n";
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
  for (const std::string& line : page.footer) out += "<p>" + EscapeHtml(line) + "</p>\n";
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
