// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/report/page/assets.h"
#include "gonogo/report/text/text.h"

/// A self-contained web page as plain data: fill a `Page`, call `RenderPage`. All strings are plain
/// text and are escaped on the way out. Tables are written into the HTML, so a page without
/// JavaScript loses its pictures and nothing else.
namespace gonogo::report {

/// What a coloured word says. Colour never stands alone: each tone brings its own glyph.
enum class Tone { kPlain, kGo, kNoGo, kOpen, kWarn, kNeutral };

struct Cell {
  Cell(Text text_, Tone tone_ = Tone::kPlain, Text after_ = {})  // NOLINT: a text is a cell
      : text(std::move(text_)), tone(tone_), after(std::move(after_)) {}
  Cell(std::string text_, Tone tone_ = Tone::kPlain) : Cell(Text(std::move(text_)), tone_) {}
  Cell(const char* text_, Tone tone_ = Tone::kPlain) : Cell(Text(text_), tone_) {}

  Text text;
  Tone tone = Tone::kPlain;  ///< anything but plain is drawn as a badge
  Text after = {};           ///< behind the badge
};

enum class ColumnKind {
  kText,    ///< names: kept whole
  kNumber,  ///< right-aligned
  kProse,   ///< sentences, paths, hashes: given room, broken anywhere
};

struct Column {
  Text title;
  ColumnKind kind = ColumnKind::kText;
  bool untitled_in_text = false;  ///< a terminal sees from the cells what it is
  bool page_only = false;
};

/// The first cell of every row is the row's header.
struct Table {
  Text caption;
  std::vector<Column> columns;
  std::vector<std::vector<Cell>> rows = {};  ///< each as long as `columns`
  bool folded = false;                       ///< shown behind its caption until asked for
  std::string name = {};                     ///< for a terminal that shows some blocks only
  /// Where a terminal's line is too narrow: columns to leave out, the first one first, and then one
  /// to put below each row.
  std::vector<std::size_t> left_out = {};
  std::optional<std::size_t> below = {};
};

struct Paragraph {
  Text text;
  Tone tone = Tone::kPlain;  ///< anything but plain is set apart as a note
  std::string name = {};     ///< for a terminal that shows some blocks only
  std::string label = {};    ///< what kind of note a terminal calls it: "warning"
};

struct List {
  std::vector<Text> items;
  std::string name = {};   ///< for a terminal that shows some blocks only
  std::string label = {};  ///< before every item there
};

/// A Vega-Lite chart. The renderer adds width, fonts and colours; a spec names colours as
/// `var(--go)`, `var(--series-1)` and so on (`web/css/page.css`), and carries its own data.
struct Chart {
  std::string title;        ///< caption, may be empty
  std::string description;  ///< what a reader who cannot see the picture is told
  nlohmann::json spec;
};

/// A small box: title, badge, a sentence, a picture.
struct Card {
  std::string title;
  Cell badge = "";
  Text text;
  std::optional<Chart> chart = std::nullopt;
};

/// Boxes side by side, one below the other on a phone.
struct Cards {
  std::vector<Card> cards;
};

using Block = std::variant<Paragraph, List, Table, Chart, Cards>;

struct Section {
  std::string id;  ///< anchor: letters and dashes
  std::string title;
  std::vector<Block> blocks;
};

/// The answer in one word, at the top of the page.
struct Banner {
  Cell word;
  Text headline;
  Text status;
};

/// Data the reader can save from the page as a file.
struct Attachment {
  std::string file_name;
  nlohmann::json content;
};

struct Page {
  std::string title;
  std::string kicker;  ///< small line above the title
  Text subtitle;       ///< small line below it
  std::optional<Banner> banner;
  std::vector<Section> sections;
  std::optional<Attachment> attachment;
  std::vector<Text> footer;
};

/// The page as one HTML document that loads nothing: style, scripts and data are inside it, and its
/// content security policy forbids the rest. With an empty `charts_js` (a build without Node.js)
/// charts are left out and the page says so.
[[nodiscard]] std::string RenderPage(const Page& page, std::string_view charts_js = ChartsJs());

}  // namespace gonogo::report
