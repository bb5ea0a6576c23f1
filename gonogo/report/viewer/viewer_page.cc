// SPDX-License-Identifier: Apache-2.0
#include "gonogo/report/viewer/viewer_page.h"

#include <algorithm>
#include <cctype>

#include "gonogo/report/page/block_html.h"
#include "gonogo/report/page/document.h"
#include "gonogo/report/page/html.h"
#include "gonogo/report/text/number_text.h"
#include "gonogo/report/viewer/scene_json.h"

namespace gonogo::report {
namespace {

/// "2.06 s" is a number, "reached the target" is not: sentences need a column in which they fold.
bool IsNumber(std::string_view fact) {
  return !fact.empty() && (std::isdigit(static_cast<unsigned char>(fact.front())) != 0 ||
                           fact.front() == '-' || fact == kNoNumber);
}

ColumnKind KindOfFact(const Scene& scene, const std::string& name) {
  for (const SceneTrack& track : scene.tracks) {
    for (const auto& [other, value] : track.facts) {
      if (other == name && !IsNumber(value)) return ColumnKind::kProse;
    }
  }
  return ColumnKind::kNumber;
}

/// One row per track, one column per fact that any of them states.
Table TrackTable(const Scene& scene) {
  Table table{.caption = "Tracks",
              .columns = {{"Track"}, {"From", ColumnKind::kNumber}, {"To", ColumnKind::kNumber}}};
  std::vector<std::string> names;
  for (const SceneTrack& track : scene.tracks) {
    for (const auto& [name, value] : track.facts) {
      if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
    }
  }
  for (const std::string& name : names) table.columns.push_back({name, KindOfFact(scene, name)});
  for (const SceneTrack& track : scene.tracks) {
    const bool empty = track.times_s.empty();
    std::vector<Cell> row{track.name, empty ? kNoNumber : Number(track.times_s.front()) + " s",
                          empty ? kNoNumber : Number(track.times_s.back()) + " s"};
    for (const std::string& name : names) {
      const auto fact = std::find_if(track.facts.begin(), track.facts.end(),
                                     [&](const auto& entry) { return entry.first == name; });
      row.emplace_back(fact == track.facts.end() ? kNoNumber : fact->second);
    }
    table.rows.push_back(std::move(row));
  }
  return table;
}

constexpr const char* kKeys =
    "Keys: space plays and pauses, ← → move one frame (with shift ten), + − change the speed, f "
    "follows the robot, c puts the camera back, 1–9 choose a track. Drag to orbit, drag on a plot "
    "to move the time.";

}  // namespace

std::string ViewerPage(const Scene& scene, std::string_view viewer_js) {
  const bool draws = !viewer_js.empty();
  std::string body;
  if (draws) {
    body += "<div id=\"viewer\"></div>\n<script type=\"application/json\" id=\"scene\">" +
            ScriptJson(internal::SceneJson(scene)) + "</script>\n";
  }
  body += "<div class=\"page\"><main>\n<header class=\"page-head\"><h1>" + EscapeHtml(scene.title) +
          "</h1></header>\n";
  std::vector<Block> blocks;
  if (draws) {
    body +=
        "<noscript><p class=\"callout tone-warn\">The 3-D view needs JavaScript.</p></noscript>\n";
    blocks.push_back(Paragraph{kKeys});
  } else {
    blocks.push_back(Paragraph{
        "This page has a table instead of the 3-D view: gonogo was built without Node.js, which "
        "bundles the viewer.",
        Tone::kWarn});
  }
  blocks.push_back(TrackTable(scene));
  for (const Block& block : blocks) body += internal::BlockHtml(block, false);
  body += "</main></div>\n";
  return internal::Document({.title = scene.title,
                             .styles = {PageCss(), ViewerCss()},
                             .body = body,
                             .script = viewer_js});
}

}  // namespace gonogo::report
