// SPDX-License-Identifier: Apache-2.0
#include <cstdlib>
#include <map>
#include <regex>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"
#include "gonogo/paper/published/published.h"
#include "gonogo/paper/published/remarks.h"
#include "gonogo/paper/testing/made_up_sections.h"
#include "gonogo/report/page/section_text.h"

/// What the whole reproduction prints, from made-up results and in the committed page.
namespace gonogo::paper {
namespace {

TEST(ReproductionTextTest, EveryPublishedNumberIsAskedForBySomeSection) {
  ASSERT_FALSE(MadeUpSections().empty());
  for (const auto& [name, table] : AllPublished()) {
    for (const auto& [row, entries] : table.rows) {
      for (const auto& [column, entry] : entries) {
        EXPECT_TRUE(entry.asked) << name << ", " << row << ", " << column << " is never shown";
      }
    }
  }
}

TEST(ReproductionTextTest, SectionsPrintWhatTheyPrintedBefore) {
  const std::filesystem::path golden = GONOGO_SOURCE_DIR "/gonogo/paper/testdata/sections.txt";
  std::string text;
  for (const report::Section& section : MadeUpSections()) {
    text += (text.empty() ? "" : "\n") + section.id + "\n" + report::SectionText(section);
  }
  if (std::getenv("GONOGO_UPDATE_GOLDEN") != nullptr) {
    ASSERT_TRUE(io::WriteFile(golden, text).ok());
  }
  EXPECT_EQ(text, io::ReadFile(golden).value())
      << "if this is meant, run once with GONOGO_UPDATE_GOLDEN=1 and read the difference";
}

std::string WithoutEscapes(const std::string& markdown) {
  static const std::regex kEscape(R"(\\(.))");
  return std::regex_replace(markdown, kEscape, "$1");
}

/// "| a | b |".
std::vector<report::Cell> Cells(const std::string& line) {
  std::vector<report::Cell> cells;
  std::size_t begin = 2;
  for (std::size_t end; (end = line.find(" |", begin - 1)) != std::string::npos; begin = end + 3) {
    cells.emplace_back(WithoutEscapes(end < begin ? "" : line.substr(begin, end - begin)));
  }
  return cells;
}

/// The sections of a Markdown page by their titles; only paragraphs and tables.
std::map<std::string, report::Section> ReadMarkdown(const std::string& text) {
  std::map<std::string, report::Section> sections;
  report::Section* section = nullptr;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with("## ")) {
      section = &sections[WithoutEscapes(line.substr(3))];
    } else if (section == nullptr || line.empty() || line.starts_with("|---")) {
      continue;
    } else if (!line.starts_with("|")) {
      section->blocks.emplace_back(report::Paragraph{WithoutEscapes(line)});
    } else if (auto* table = std::get_if<report::Table>(&section->blocks.back())) {
      table->rows.push_back(Cells(line));
    } else {
      report::Table head;
      for (const report::Cell& cell : Cells(line)) head.columns.push_back({cell.text});
      section->blocks.emplace_back(std::move(head));
    }
  }
  return sections;
}

/// docs/reproduction.md was printed with these remarks: their numbers and texts must stand in it.
TEST(ReproductionTextTest, EveryRemarkStandsInTheCommittedPageUnderItsNumbers) {
  const auto page = ReadMarkdown(io::ReadFile(GONOGO_SOURCE_DIR "/docs/reproduction.md").value());
  std::map<std::string, std::string> titles;
  for (const report::Section& section : MadeUpSections()) titles[section.id] = section.title;
  for (const Remark& remark : Remarks()) {
    ASSERT_TRUE(titles.contains(remark.section)) << remark.section;
    const auto found = page.find(titles[remark.section]);
    ASSERT_NE(found, page.end()) << titles[remark.section];
    EXPECT_TRUE(StillTrue(remark, found->second)) << remark.section << ": " << remark.text;
    const bool printed = std::any_of(
        found->second.blocks.begin(), found->second.blocks.end(), [&](const report::Block& block) {
          const auto* paragraph = std::get_if<report::Paragraph>(&block);
          return paragraph != nullptr && paragraph->text == remark.text;
        });
    EXPECT_TRUE(printed) << remark.section << ": " << remark.text;
  }
}

}  // namespace
}  // namespace gonogo::paper
