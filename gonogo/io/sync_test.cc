// SPDX-License-Identifier: Apache-2.0
// What is synced, and when: nothing else can be seen of it without a loss of power
// (tests/reliability/power_losses.py).
#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "gonogo/io/file.h"
#include "gonogo/io/record_log.h"

namespace {

/// The names of what was synced, in order.
std::vector<std::string>& Synced() {
  static std::vector<std::string> names;
  return names;
}

}  // namespace

/// Stands before that of the C library in this program.
extern "C" int fsync(int fd) {
  std::error_code code;
  Synced().push_back(
      std::filesystem::read_symlink("/proc/self/fd/" + std::to_string(fd), code).filename());
  return static_cast<int>(::syscall(SYS_fsync, fd));
}

namespace gonogo::io {
namespace {

class SyncTest : public testing::Test {
 protected:
  void SetUp() override {
    std::filesystem::remove_all(folder_);
    ASSERT_TRUE(MakeDirectory(folder_).ok());
    Synced().clear();
  }
  const std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "sync_test";
};

TEST_F(SyncTest, AFileIsSyncedBeforeItIsRenamedAndItsFolderAfterwards) {
  ASSERT_TRUE(WriteFile(folder_ / "result.json", "{}").ok());
  ASSERT_EQ(Synced().size(), 2U);
  EXPECT_TRUE(Synced()[0].starts_with("result.json.") && Synced()[0].ends_with(".tmp"));
  EXPECT_EQ(Synced()[1], "sync_test");
}

TEST_F(SyncTest, NewFoldersAreSyncedIntoTheirParents) {
  ASSERT_TRUE(MakeDirectory(folder_ / "a" / "b").ok());
  EXPECT_EQ(Synced(), (std::vector<std::string>{"a", "sync_test"}));
  Synced().clear();
  ASSERT_TRUE(MakeDirectory(folder_ / "a" / "b").ok());
  EXPECT_TRUE(Synced().empty());
}

TEST_F(SyncTest, ALogIsSyncedWhenItIsStartedAndWhenItIsClosed) {
  {
    RecordLog log = std::move(RecordLog::Open(folder_ / "refits.log", "run").value());
    EXPECT_EQ(Synced(), std::vector<std::string>{"sync_test"});
    ASSERT_TRUE(log.Append(1, "one").ok());
    EXPECT_EQ(Synced().size(), 1U);
  }
  EXPECT_EQ(Synced(), (std::vector<std::string>{"sync_test", "refits.log"}));
}

}  // namespace
}  // namespace gonogo::io
