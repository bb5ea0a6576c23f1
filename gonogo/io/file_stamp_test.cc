// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/file_stamp.h"

#include <fstream>

#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

TEST(FileStampTest, DiffersWhenAFileIsReplacedGrowsOrIsCut) {
  const auto path = std::filesystem::path(testing::TempDir()) / "stamp.csv";
  ASSERT_TRUE(WriteFile(path, "a,b\n1,2\n").ok());
  const FileStamp first = FileStamp::Of(path);
  EXPECT_EQ(FileStamp::Of(path), first);
  ASSERT_TRUE(WriteFile(path, "a,b\n1,3\n").ok());
  const FileStamp replaced = FileStamp::Of(path);
  EXPECT_NE(replaced, first);
  std::ofstream(path, std::ios::app) << "3,4\n";
  const FileStamp grown = FileStamp::Of(path);
  EXPECT_NE(grown, replaced);
  std::filesystem::resize_file(path, 5);
  EXPECT_NE(FileStamp::Of(path), grown);
  std::filesystem::remove(path);
  EXPECT_EQ(FileStamp::Of(path), FileStamp());
}

TEST(FileStampTest, WhatWasReadOfAFileThatChangedIsRefused) {
  const auto path = std::filesystem::path(testing::TempDir()) / "read.csv";
  ASSERT_TRUE(WriteFile(path, "a,b\n").ok());
  EXPECT_EQ(WhileUnchanged({path}, [&] { return ReadFile(path); }).value(), "a,b\n");
  const Result<std::string> mixed = WhileUnchanged({path}, [&] {
    Result<std::string> read = ReadFile(path);
    std::ofstream(path, std::ios::app) << "1,2\n";
    return read;
  });
  ASSERT_FALSE(mixed.ok());
  EXPECT_EQ(mixed.error().kind, ErrorKind::kInput);
}

}  // namespace
}  // namespace gonogo::io
