// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/status_file.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include "gonogo/io/file.h"

namespace gonogo::cli {
namespace {

std::filesystem::path EmptyFolder() {
  const std::filesystem::path folder =
      std::filesystem::path(testing::TempDir()) / ("gonogo-status-" + std::to_string(::getpid()));
  std::filesystem::remove_all(folder);
  std::filesystem::create_directories(folder);
  return folder;
}

TEST(StatusFileTest, IsThereWhileTheVerbRunsAndGoneAfterwards) {
  const std::filesystem::path folder = EmptyFolder();
  {
    StatusFile file(folder);
    file.Write({.phase = "ridge refits", .done = 3, .total = 10, .seconds_left = 7.5});
    const std::optional<RunStatus> status = ReadStatus(folder).value();
    ASSERT_TRUE(status.has_value());
    EXPECT_EQ(*status, (RunStatus{.phase = "ridge refits",
                                  .done = 3,
                                  .total = 10,
                                  .seconds_left = 7.5,
                                  .process = static_cast<int>(::getpid())}));
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder));
  EXPECT_FALSE(ReadStatus(folder).value().has_value());
}

TEST(StatusFileTest, AKilledVerbIsNotTakenForARunningOne) {
  const std::filesystem::path folder = EmptyFolder();
  // No process has the number that is one more than the largest.
  ASSERT_TRUE(io::WriteFile(folder / "status.json",
                            R"({"phase": "x", "done": 1, "total": 2, "table": "",
                                "process": 4194305})")
                  .ok());
  EXPECT_FALSE(ReadStatus(folder).value().has_value());
}

TEST(StatusFileTest, WithoutAFolderNobodyWatches) {
  StatusFile("").Write({.phase = "x"});
  StatusFile("/no/such/folder").Write({.phase = "x"});
}

}  // namespace
}  // namespace gonogo::cli
