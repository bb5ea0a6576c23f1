// SPDX-License-Identifier: Apache-2.0
// Files as people have them, read as one table.
#include "gonogo/io/foreign/open_rows.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "gonogo/base/rng.h"
#include "gonogo/io/file.h"
#include "gonogo/io/foreign/to_utf8.h"
#include "gonogo/io/foreign/unpack.h"

namespace gonogo::io {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

using Rows = std::vector<std::vector<std::string>>;

struct ReadRowsOf {
  Rows rows;  ///< the header first
  std::vector<std::size_t> lines;
  std::vector<std::string> remarks;
  std::string error;
};

ReadRowsOf Opened(std::string_view bytes, Decimal decimal = Decimal::kFound) {
  Result<CsvReader> opened = ReadRows(bytes, "t", decimal);
  if (!opened.ok()) return {.error = opened.error().message};
  CsvReader reader = std::move(opened).value();  // what holds the bytes has to come along
  ReadRowsOf read{.rows = {reader.header()}, .lines = {}, .remarks = reader.remarks()};
  while (true) {
    const Result<bool> more = reader.Next();
    if (!more.ok()) return {.error = more.error().message};
    if (!more.value()) return read;
    read.rows.emplace_back(reader.fields().begin(), reader.fields().end());
    read.lines.push_back(reader.line());
  }
}

std::string Gzip(std::string_view text) {
  z_stream stream{};
  EXPECT_EQ(deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY), Z_OK);
  std::string packed(deflateBound(&stream, text.size()), '\0');
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  stream.avail_in = static_cast<uInt>(text.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  EXPECT_EQ(deflate(&stream, Z_FINISH), Z_STREAM_END);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string Zstandard(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string Utf16(std::u16string_view text, bool little) {
  std::string bytes;
  for (const char16_t unit : std::u16string(1, u'\xfeff') + std::u16string(text)) {
    const char low = static_cast<char>(unit & 0xff);
    const char high = static_cast<char>(unit >> 8);
    bytes += little ? low : high;
    bytes += little ? high : low;
  }
  return bytes;
}

const Rows kTable = {{"a", "b"}, {"1.5", "x,y"}, {"-2", ""}};

TEST(OpenRowsTest, ReadsTheSameTableWhateverSeparatesItsColumns) {
  EXPECT_EQ(Opened("a,b\n1.5,\"x,y\"\n-2,\n").rows, kTable);
  EXPECT_THAT(Opened("a,b\n1.5,\"x,y\"\n-2,\n").remarks, IsEmpty());
  EXPECT_EQ(Opened("a;b\n1.5;x,y\n-2;\n").rows, kTable);
  EXPECT_EQ(Opened("a\tb\n1.5\tx,y\n-2\t\n").rows, kTable);
  EXPECT_EQ(Opened("a|b\r\n1.5|x,y\r\n-2|\r\n").rows, kTable);
  EXPECT_EQ(Opened("\xEF\xBB\xBFsep=;\na;b\n1.5;x,y\n-2;\n").rows, kTable);
  EXPECT_THAT(Opened("a;b\n1;2\n").remarks, ElementsAre("columns are separated by semicolons"));
}

TEST(OpenRowsTest, ReadsDecimalCommasWhereTheyCanBeNothingElse) {
  const ReadRowsOf read = Opened("a;b\n8,72;1\n1,234;-0,5e3\n");
  EXPECT_THAT(read.rows, ElementsAre(ElementsAre("a", "b"), ElementsAre("8.72", "1"),
                                     ElementsAre("1.234", "-0.5e3")));
  EXPECT_THAT(read.remarks,
              ElementsAre("columns are separated by semicolons", "numbers have decimal commas"));
}

TEST(OpenRowsTest, RefusesANumberThatMayBeTwo) {
  EXPECT_THAT(
      Opened("a;b\n1;2\n3;1,234\n").error,
      HasSubstr("t:3: column 'b' is '1,234', which may be one thousand and more or a number "
                "with three decimals: write table.decimal = \",\""));
  EXPECT_EQ(Opened("a;b\n3;1,234\n", Decimal::kComma).rows[1][1], "1.234");
  EXPECT_EQ(Opened("a;b\n3;1,234\n", Decimal::kPoint).rows[1][1], "1234");
  EXPECT_EQ(Opened("a,b\n3,\"1,234,567.8\"\n", Decimal::kPoint).rows[1][1], "1234567.8");
  EXPECT_EQ(Opened("a;b\n3;1.234,5\n", Decimal::kComma).rows[1][1], "1234.5");
}

TEST(OpenRowsTest, LeavesTextsAndNumbersWithPointsAlone) {
  EXPECT_EQ(Opened("a;b\n1.5;x,5\n2.5;3,72\n").rows[2][1], "3,72");
  EXPECT_EQ(Opened("a;b\n12,5,7;,\n8,5;1,2,3\n").rows[1][0], "12,5,7");
  EXPECT_EQ(Opened("a;b\n12,34.5;7\n", Decimal::kPoint).rows[1][0], "12,34.5");
}

TEST(OpenRowsTest, ReadsWhatIsPacked) {
  const std::string text = "a,b\n1.5,\"x,y\"\n-2,\n";
  EXPECT_EQ(Opened(Gzip(text)).rows, kTable);
  EXPECT_EQ(Opened(Gzip(text.substr(0, 7)) + Gzip(text.substr(7))).rows, kTable);
  EXPECT_EQ(Opened(Zstandard(text)).rows, kTable);
  EXPECT_EQ(Opened(Zstandard(text.substr(0, 7)) + Zstandard(text.substr(7))).rows, kTable);
  std::string large = "a,b\n";
  Rng rng = RngStream(1).Generator();
  for (int i = 0; i < 100'000; ++i) large += fmt::format("{},{}\n", rng.Uniform(), i);
  EXPECT_EQ(Unpack(Gzip(large), "t").value(), large);
  EXPECT_EQ(Unpack(Zstandard(large), "t").value(), large);
}

TEST(OpenRowsTest, RefusesWhatIsDamagedOrMadeToFillTheMemory) {
  const std::string text(1000, 'x');
  for (const auto& packed : {Gzip(text), Zstandard(text)}) {
    for (std::size_t size = 4; size < packed.size(); ++size) {
      EXPECT_THAT(Opened(std::string_view(packed).substr(0, size)).error,
                  HasSubstr("damaged or cut off"))
          << size;
    }
  }
  const std::string zeros(std::size_t{80} << 20, '0');
  EXPECT_THAT(Opened(Zstandard(zeros)).error, HasSubstr("more than 1000 times its size"));
}

TEST(OpenRowsTest, ReadsUtf16AndWindows1252AndSaysSo) {
  for (const bool little : {true, false}) {
    const ReadRowsOf read = Opened(Utf16(u"a;b\ngr\u00f6\u00dfe;\U0001d11e\n", little));
    EXPECT_EQ(read.rows[1][0], "gr\u00f6\u00dfe");
    EXPECT_EQ(read.rows[1][1], "\U0001d11e");
    EXPECT_THAT(read.remarks[0], HasSubstr("UTF-16"));
  }
  const ReadRowsOf windows = Opened(
      "a,b\ngr\xf6\xdf"
      "e,\x80\n");
  EXPECT_EQ(windows.rows[1][0], "gr\u00f6\u00dfe");
  EXPECT_EQ(windows.rows[1][1], "\u20ac");
  EXPECT_THAT(windows.remarks, ElementsAre("the text is read as Windows-1252 (Latin-1)"));
  EXPECT_THAT(Opened(std::string_view("a\0,\0b\0\n\0", 8)).error,
              HasSubstr("without a byte order mark"));
  EXPECT_THAT(Opened(Utf16(u"a,b", true) + "x").error, HasSubstr("half a character"));
  EXPECT_THAT(Opened(Utf16(std::u16string(1, u'\xd800') + u"a", true)).error,
              HasSubstr("half a character"));
}

TEST(OpenRowsTest, TellsUtf8FromOtherBytes) {
  for (const char* text :
       {"plain", "gr\u00f6\u00dfe", "\u20ac", "\U0001d11e", "a long text, and then \u00e9"}) {
    EXPECT_FALSE(ToUtf8(text, "t").value().has_value()) << text;
  }
  for (const char* bytes : {"\xc3", "\xc0\x80", "\xe0\x80\x80", "\xed\xa0\x80", "\xf5\x80\x80\x80",
                            "\xf0\x80\x80\x80", "abc\xe2\x82"}) {
    EXPECT_TRUE(ToUtf8(bytes, "t").value().has_value()) << bytes;
  }
}

TEST(OpenRowsTest, ReadsOneJsonObjectALine) {
  const ReadRowsOf read =
      Opened("{\"a\": 1.5, \"b\": \"x,\\\"y\\\"\"}\n\n{\"c\": true, \"a\": null, \"b\": [1, 2]}\n");
  EXPECT_THAT(read.rows, ElementsAre(ElementsAre("a", "b", "c"), ElementsAre("1.5", "x,\"y\"", ""),
                                     ElementsAre("", "[1,2]", "true")));
  EXPECT_THAT(read.lines, ElementsAre(1, 3));
  EXPECT_EQ(
      Opened("{\"a\": 1}\n[2]\n").error,
      "t:2: '[2]' is no JSON object, expected one on every line: jq -c . FILE writes them so");
  EXPECT_THAT(Opened("[{\"a\": 1}]").error,
              HasSubstr("it is a JSON array: jq -c '.[]' t > table.jsonl"));
}

TEST(OpenRowsTest, SaysWhatMakesATableOfOtherKindsOfFiles) {
  for (const auto& [begin, advice] : std::vector<std::pair<std::string, std::string>>{
           {"PAR1", "p.read_table('t')"},
           {"ARROW1", "Feather"},
           {"PK\x03\x04", "save the sheet as CSV"},
           {"BZh9", "bunzip2 t"},
           {"SQLite format 3", "sqlite3 -header -csv t"},
           {"\x93NUMPY", "from_numpy"}}) {
    EXPECT_THAT(Opened(begin + "....").error, HasSubstr(advice));
    EXPECT_THAT(Opened(Gzip(begin + "....")).error, HasSubstr(advice));
  }
}

TEST(OpenRowsTest, KeepsTheBytesOfAFileAsLongAsTheReader) {
  const std::string path = testing::TempDir() + "/rows.csv";
  ASSERT_TRUE(WriteFile(path, "a,b\n1,2\n").ok());
  CsvReader reader = OpenRows(path).value();
  EXPECT_TRUE(reader.Next().value());
  EXPECT_EQ(reader.fields()[1], "2");
}

}  // namespace
}  // namespace gonogo::io
