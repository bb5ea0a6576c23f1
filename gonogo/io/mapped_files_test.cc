// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/mapped_files.h"

#include <optional>

#include <gtest/gtest.h>

#include "gonogo/io/file.h"

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

}  // namespace
}  // namespace gonogo::io
