// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/run_folder.h"

#include <array>
#include <csignal>
#include <fstream>
#include <string>

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gonogo/io/file.h"

namespace gonogo::io {
namespace {

class RunFolderTest : public ::testing::Test {
 protected:
  RunFolderTest() { std::filesystem::remove_all(folder_); }
  ~RunFolderTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Put(const std::string& name) {
    std::ofstream(folder_ / name) << "half";
    return folder_ / name;
  }
  [[nodiscard]] std::string TemporaryOf(const std::string& name, pid_t pid) const {
    const std::string mine = TemporaryFor(folder_ / name).filename().string();
    return mine.substr(0, mine.rfind('-')) + "-" + std::to_string(pid) + ".tmp";
  }
  /// The number of a process that has ended.
  static pid_t DeadProcess() {
    const pid_t child = ::fork();
    if (child == 0) ::_exit(0);
    ::waitpid(child, nullptr, 0);
    return child;
  }

  std::filesystem::path folder_ = std::filesystem::temp_directory_path() / "gonogo_run_folder_test";
};

TEST_F(RunFolderTest, RemovesWhatKilledProcessesOfThisHostLeftHalfWritten) {
  ASSERT_TRUE(OpenRunFolder(folder_ / "parts").ok());
  const auto left = Put(TemporaryOf("result.json", DeadProcess()));
  const auto dashes = Put(TemporaryOf("response-effort.onnx", DeadProcess()));
  ASSERT_TRUE(OpenRunFolder(folder_).ok());
  EXPECT_FALSE(std::filesystem::exists(left));
  EXPECT_FALSE(std::filesystem::exists(dashes));
}

TEST_F(RunFolderTest, LeavesFilesOfLivingProcessesOtherHostsAndOtherPrograms) {
  ASSERT_TRUE(OpenRunFolder(folder_).ok());
  const std::string dead = std::to_string(DeadProcess());
  for (const std::string& name :
       {TemporaryOf("result.json", ::getpid()), "result.json.elsewhere-" + dead + ".tmp",
        std::string("notes.tmp"), "notes-" + dead + ".tmp",
        TemporaryOf("result.json", DeadProcess()) + "x", std::string("result.json")}) {
    const auto file = Put(name);
    ASSERT_TRUE(OpenRunFolder(folder_).ok());
    EXPECT_TRUE(std::filesystem::exists(file)) << name;
  }
}

TEST_F(RunFolderTest, AFileThatCannotBeAFolderIsAnError) {
  ASSERT_TRUE(OpenRunFolder(folder_).ok());
  const auto file = Put("file");
  EXPECT_FALSE(OpenRunFolder(file).ok());
}

using std::chrono::milliseconds;

/// A process that claims the folder, says whether it could, and waits to be killed.
class Other {
 public:
  explicit Other(const std::filesystem::path& folder, Sharing sharing = Sharing::kNobody) {
    std::array<int, 2> ends{};
    EXPECT_EQ(::pipe(ends.data()), 0);
    pid_ = ::fork();
    if (pid_ == 0) {
      const Result<FolderClaim> claim = FolderClaim::Take(folder, sharing, milliseconds(0));
      const char said = claim.ok() ? 'y' : 'n';
      (void)!::write(ends[1], &said, 1);
      while (true) ::pause();
    }
    char said = '?';
    EXPECT_EQ(::read(ends[0], &said, 1), 1);
    ::close(ends[0]);
    ::close(ends[1]);
    has_it_ = said == 'y';
  }
  Other(const Other&) = delete;
  Other& operator=(const Other&) = delete;
  ~Other() { Kill(); }
  void Kill() {
    if (pid_ == 0) return;
    ::kill(pid_, SIGKILL);
    ::waitpid(pid_, nullptr, 0);
    pid_ = 0;
  }
  [[nodiscard]] bool has_it() const { return has_it_; }
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = 0;
  bool has_it_ = false;
};

class FolderClaimTest : public ::testing::Test {
 protected:
  FolderClaimTest() { std::filesystem::remove_all(folder_); }
  ~FolderClaimTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path folder_ =
      std::filesystem::path(testing::TempDir()) / "gonogo_folder_claim_test";
};

TEST_F(FolderClaimTest, RefusesAFolderThatAnotherProcessWritesAndNamesThatProcess) {
  const Other other(folder_);
  ASSERT_TRUE(other.has_it());
  const Result<FolderClaim> claim = FolderClaim::Take(folder_, Sharing::kNobody, milliseconds(50));
  ASSERT_FALSE(claim.ok());
  EXPECT_EQ(claim.error().kind, ErrorKind::kIo);
  EXPECT_NE(claim.error().message.find("process " + std::to_string(other.pid())), std::string::npos)
      << claim.error().message;
}

TEST_F(FolderClaimTest, GivesTheFolderOfAKilledProcessToTheNextOne) {
  Other other(folder_);
  ASSERT_TRUE(other.has_it());
  other.Kill();
  EXPECT_TRUE(FolderClaim::Take(folder_).ok());
}

TEST_F(FolderClaimTest, LeavesNoFileBehind) {
  { const FolderClaim claim = FolderClaim::Take(folder_).value(); }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(FolderClaimTest, MayBeTakenAgainByTheSameProcessAndLastsAsLongAsOneOfThem) {
  auto first = std::make_optional(FolderClaim::Take(folder_).value());
  const FolderClaim second = FolderClaim::Take(folder_ / ".", Sharing::kShards).value();
  first.reset();
  EXPECT_FALSE(Other(folder_).has_it());
}

TEST_F(FolderClaimTest, IsSharedByTheTasksOfAJobArrayAndByNobodyElse) {
  auto own = std::make_optional(FolderClaim::Take(folder_, Sharing::kShards).value());
  EXPECT_FALSE(Other(folder_).has_it());
  const Other task(folder_, Sharing::kShards);
  EXPECT_TRUE(task.has_it());
  own.reset();
  EXPECT_FALSE(Other(folder_).has_it()) << "the other task still writes";
}

TEST_F(FolderClaimTest, IsNotNeededByWhoPutsTogetherWhatOthersHaveFinished) {
  const Other other(folder_);
  ASSERT_TRUE(other.has_it());
  EXPECT_TRUE(FolderClaim::Take(folder_, Sharing::kAnybody, milliseconds(0)).ok());
}

}  // namespace

}  // namespace gonogo::io
