// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/file.h"

#include <gtest/gtest.h>

#include "gonogo/io/run_folder.h"

namespace gonogo::io {
namespace {

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
