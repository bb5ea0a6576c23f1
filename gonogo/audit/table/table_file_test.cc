// SPDX-License-Identifier: Apache-2.0
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/audit/controls/positive_control.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"

namespace gonogo::audit {
namespace {

using testing::HasSubstr;

TEST(ReadTableTest, ATableComesWithTheHashOfItsBytes) {
  const auto path = std::filesystem::path(testing::TempDir()) / "hashed.h5";
  const OutcomeTable table = MakePositiveControl({}, RngStream(1));
  ASSERT_TRUE(WriteTable(table, path).ok());
  const TableFile read = ReadTable(path, {}).value();
  EXPECT_EQ(read.sha256, io::Sha256Hex(io::ReadFile(path).value()));
  EXPECT_EQ(read.file, path);
  EXPECT_EQ(read.table.cost, table.cost);
}

/// Adds blank lines, which mean nothing in a table, to a file for as long as it lives.
class GrowingFile {
 public:
  explicit GrowingFile(const std::filesystem::path& path)
      : thread_([file = std::ofstream(path, std::ios::app)](const std::stop_token& stop) mutable {
          while (!stop.stop_requested()) file << "\n" << std::flush;
        }) {}

 private:
  std::jthread thread_;
};

TEST(ReadTableTest, RefusesAFileThatChangesWhileItIsRead) {
  const auto path = std::filesystem::path(testing::TempDir()) / "growing.csv";
  std::string csv = "cluster,query,action,cost\n";
  for (int q = 0; q < 20'000; ++q) {
    for (const char* action : {"direct", "fast"}) {
      csv += fmt::format("c{},q{},{},{}\n", q % 100, q, action, q + 1);
    }
  }
  ASSERT_TRUE(io::WriteFile(path, csv).ok());
  EXPECT_EQ(ReadTable(path, {}).value().sha256, io::Sha256Hex(csv));
  const GrowingFile growing(path);
  // On a busy machine nothing may be added during one reading.
  Result<TableFile> read = ReadTable(path, {});
  for (int attempt = 0; attempt < 100 && read.ok(); ++attempt) read = ReadTable(path, {});
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message,
              HasSubstr("growing.csv: was changed while it was read; run the same command again"));
}

TEST(ReadTableTest, NamesAMissingFile) {
  const Result<TableFile> read = ReadTable("/nowhere/table.csv", {});
  ASSERT_FALSE(read.ok());
  EXPECT_THAT(read.error().message, HasSubstr("/nowhere/table.csv"));
}

}  // namespace
}  // namespace gonogo::audit
