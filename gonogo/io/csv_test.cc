// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/csv.h"

#include <cmath>

#include <fmt/format.h>
#include <gtest/gtest.h>

namespace gonogo::io {
namespace {

using Rows = std::vector<std::vector<std::string>>;

Result<Rows> ReadAll(std::string_view bytes) {
  CsvReader reader = GONOGO_TRY(CsvReader::Parse(bytes, "t.csv"));
  Rows rows = {reader.header()};
  while (true) {
    const bool more = GONOGO_TRY(reader.Next());
    if (!more) return rows;
    rows.emplace_back(reader.fields().begin(), reader.fields().end());
  }
}

TEST(CsvReaderTest, ReadsPlainRowsWithAnyLineEnding) {
  const Rows expected = {{"a", "b"}, {"1", ""}, {"", "2"}};
  EXPECT_EQ(ReadAll("a,b\n1,\n,2\n").value(), expected);
  EXPECT_EQ(ReadAll("a,b\r\n1,\r\n,2").value(), expected);
  EXPECT_EQ(ReadAll("\xEF\xBB\xBF"
                    "a,b\n\n1,\n,2\n\n")
                .value(),
            expected);
}

TEST(CsvReaderTest, UnquotesFieldsWithCommasQuotesAndLineBreaks) {
  const Rows expected = {{"a", "b"}, {"x,y", "say \"no\"\nplease"}};
  EXPECT_EQ(ReadAll("a,b\n\"x,y\",\"say \"\"no\"\"\nplease\"\n").value(), expected);
}

TEST(CsvReaderTest, NamesTheLineOfARowWithTooFewFields) {
  const Result<Rows> bad = ReadAll("a,b\n\"1\n\",2\n3\n");
  ASSERT_FALSE(bad.ok());
  EXPECT_EQ(bad.error().message, "t.csv:4: the row has 1 fields, the header has 2");
}

TEST(CsvReaderTest, RefusesAnEmptyFileAndAnOpenQuote) {
  EXPECT_FALSE(ReadAll("").ok());
  EXPECT_FALSE(ReadAll("a,b\n\"1,2\n").ok());
  EXPECT_FALSE(ReadAll("a,b\n\"1\"x,2\n").ok());
}

TEST(CsvReaderTest, EndsAQuotedFieldAtACommaOrTheEndOfTheRowOnly) {
  for (const auto& [after, shown] : {std::pair{'x', "x"}, std::pair{'\0', "\\x00"}}) {
    const std::string csv = std::string("a,b\n\"1\"") + after + ",2\n";
    CsvReader reader = CsvReader::Parse(csv, "t.csv").value();
    EXPECT_EQ(
        reader.Next().error().message,
        fmt::format("t.csv:2: found '{}' after a closing quote, expected a comma or the row's "
                    "end",
                    shown));
  }
}

TEST(CsvReaderTest, ReadsAnyNumberOfFieldsWithQuotes) {
  std::string row = "\"a\"\"b\"";
  for (int i = 1; i < 20'000; ++i) row += ",\"a\"\"b\"";
  const std::string csv = row + "\n" + row + "\n";
  CsvReader reader = CsvReader::Parse(csv, "t.csv").value();
  EXPECT_EQ(reader.header(), std::vector<std::string>(20'000, "a\"b"));
  ASSERT_TRUE(reader.Next().value());
  EXPECT_EQ(reader.fields().front(), "a\"b");
  EXPECT_EQ(reader.fields().size(), 20'000U);
}

TEST(CsvReaderTest, WhatCsvFieldWritesIsReadBack) {
  for (const std::string text : {"plain", "a,b", "\"", "two\nlines", ""}) {
    EXPECT_EQ(ReadAll("h,i\n" + CsvField(text) + ",1\n").value()[1][0], text);
  }
}

TEST(ParseNumberTest, AcceptsExactlyOneNumber) {
  EXPECT_EQ(ParseNumber("1.5e3"), 1500.0);
  EXPECT_EQ(ParseNumber(" +2 "), 2.0);
  EXPECT_TRUE(std::isinf(ParseNumber("inf").value()));
  EXPECT_TRUE(std::isnan(ParseNumber("nan").value()));
  for (const char* bad : {"", " ", "1x", "0x10", "1 2", "+-1", "--1", "1,5"}) {
    EXPECT_FALSE(ParseNumber(bad).has_value()) << bad;
  }
}

TEST(CsvReaderTest, RefusesMoreThanAMillionColumnsBeforeItMakesRoomForThem) {
  std::string row;
  for (int i = 0; i < 999'999; ++i) row += "c,";
  EXPECT_TRUE(CsvReader::Parse(row + "c\n", "wide.csv").ok());
  const Result<CsvReader> wide = CsvReader::Parse(row + "c,c\n", "wide.csv");
  ASSERT_FALSE(wide.ok());
  EXPECT_NE(wide.error().message.find("more than 1000000 fields"), std::string::npos)
      << wide.error().message;
}

}  // namespace
}  // namespace gonogo::io
