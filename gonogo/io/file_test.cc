// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/file.h"

#include <optional>

#include <gtest/gtest.h>

#include "gonogo/io/run_folder.h"

namespace gonogo::io {
namespace {

TEST(MappedFilesTest, AFileThatIsCutIsStillThereUntilMappingIsAllowed) {
  AllowMapping(false);
  const auto path = std::filesystem::path(testing::TempDir()) / "cut.csv";
  ASSERT_TRUE(WriteFile(path, std::string(10'000, 'x')).ok());
  const MappedFile file = MappedFile::Open(path).value();
  std::filesystem::resize_file(path, 0);  // were it mapped, the next line would end the process
  EXPECT_EQ(file.bytes(), std::string(10'000, 'x'));
  EXPECT_EQ(MappedFileAt(file.bytes().data()), nullptr);
}

TEST(MappedFilesTest, NamesTheFileOfAnAddressForAsLongAsItIsMapped) {
  AllowMapping();
  const auto path = std::filesystem::path(testing::TempDir()) / "mapped.csv";
  ASSERT_TRUE(WriteFile(path, std::string(10'000, 'x')).ok());
  std::optional<MappedFile> file = MappedFile::Open(path).value();
  const char* begin = file->bytes().data();
  ASSERT_NE(MappedFileAt(begin + 9'999), nullptr);
  EXPECT_EQ(std::string(MappedFileAt(begin)), path.string());
  EXPECT_EQ(MappedFileAt(begin + 10'000), nullptr);
  MappedFile moved = std::move(*file);
  file.reset();
  EXPECT_NE(MappedFileAt(begin), nullptr);
  moved = MappedFile::Open("/dev/null").value();
  EXPECT_EQ(MappedFileAt(begin), nullptr);
}

std::filesystem::path Scratch(const char* name) {
  return std::filesystem::path(testing::TempDir()) / name;
}

TEST(FileTest, ReadsBackWhatWasWrittenAndLeavesNoTemporary) {
  const auto path = Scratch("file_test.bin");
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(WriteFile(path, bytes).ok());
  EXPECT_EQ(ReadFile(path).value(), bytes);
  EXPECT_EQ(MappedFile::Open(path).value().bytes(), bytes);
  EXPECT_FALSE(std::filesystem::exists(TemporaryFor(path)));
}

TEST(FileTest, NamesTheFileThatCannotBeRead) {
  const Result<std::string> missing = ReadFile("/nonexistent/table.csv");
  ASSERT_FALSE(missing.ok());
  EXPECT_EQ(missing.error().kind, ErrorKind::kIo);
  EXPECT_EQ(missing.error().message,
            "/nonexistent/table.csv: cannot open: No such file or directory");
}

TEST(FileTest, AnEmptyFileHasNoBytes) {
  const auto path = Scratch("empty.bin");
  ASSERT_TRUE(WriteFile(path, "").ok());
  EXPECT_EQ(MappedFile::Open(path).value().bytes(), "");
}

TEST(FileTest, RefusesToReadADirectory) { EXPECT_FALSE(MappedFile::Open(testing::TempDir()).ok()); }

TEST(FileTest, NamesTheFileThatCannotBeWritten) {
  const Status refused = WriteFile("/nonexistent/out.json", "x");
  ASSERT_FALSE(refused.ok());
  EXPECT_EQ(refused.error().kind, ErrorKind::kIo);
  EXPECT_NE(refused.error().message.find("/nonexistent/out.json"), std::string::npos);
}

}  // namespace

}  // namespace gonogo::io
