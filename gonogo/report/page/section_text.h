// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/text_table.h"

/// The same section for a terminal and for a Markdown file, so that a number is put into a table
/// once and read everywhere. Charts are left out: only a page can draw them.
namespace gonogo::report {

/// For a terminal of `width` columns: title, paragraphs of at most 100 columns, aligned tables
/// whose last columns follow below where a line is too short for them.
[[nodiscard]] std::string SectionText(const Section& section,
                                      std::size_t width = TextTable::kAnyWidth);

/// A badge in its colour with what stands behind it.
[[nodiscard]] std::string CellText(const Cell& cell, const TextLook& look);

/// The columns and rows of a table, without its caption.
[[nodiscard]] std::string TableText(const Table& table, const TextLook& look);

/// For a Markdown file: title as a `##` heading, tables as pipe tables. Text is escaped where
/// Markdown would read it as markup.
[[nodiscard]] std::string SectionMarkdown(const Section& section);

}  // namespace gonogo::report
