// SPDX-License-Identifier: Apache-2.0
// Snapshot = replay = never interrupted, byte for byte: over random seeds, grounds and branch
// points, across threads and across processes.
#include <array>
#include <cstdlib>
#include <fstream>
#include <sstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/sim/loop/snapshot_bytes.h"
#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::RestlessPolicy;
using internal::WorldOf;

constexpr int kSteps = 60;

ClosedLoop MakeLoop(const std::shared_ptr<const World>& world) {
  return ClosedLoop::Create(world, std::make_shared<RestlessPolicy>(world->spec())).value();
}

/// The command of each control step; it changes every few steps.
std::vector<robot::Command> Commands(const RngStream& stream) {
  Rng rng = stream.Child("commands").Generator();
  std::vector<robot::Command> commands;
  while (commands.size() < kSteps) {
    const robot::Command command{rng.Uniform(-1, 1), rng.Uniform(-1, 1), rng.Uniform(-1, 1)};
    commands.insert(commands.end(), 4, command);
  }
  return commands;
}

/// Advances from control step `from` to the end, or until the robot cannot go on.
void Continue(ClosedLoop& loop, const std::vector<robot::Command>& commands, int from, int to) {
  for (int step = from; step < to; ++step) {
    if (loop.env().termination() == Termination::kDiverged) return;
    const Status advanced = loop.Advance(commands[static_cast<std::size_t>(step)]);
    ASSERT_TRUE(advanced.ok()) << advanced.error().message;
  }
}

class SnapshotTest : public testing::TestWithParam<TileKind> {};

TEST_P(SnapshotTest, ContinuingFromItReplayingAndNeverStoppingGiveTheSameBytes) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const RngStream stream = RngStream(seed).Child("case");
    const std::shared_ptr<const World> world = WorldOf(GetParam(), 0.3, seed);
    const Start start = DrawStart(*world, stream);
    const std::vector<robot::Command> commands = Commands(stream);
    const int branch = static_cast<int>(stream.Child("branch").Generator().Below(kSteps));

    ClosedLoop never_stopped = MakeLoop(world);
    never_stopped.Reset(start);
    Continue(never_stopped, commands, 0, branch);
    const LoopSnapshot snapshot = never_stopped.Save();
    Continue(never_stopped, commands, branch, kSteps);
    const std::string expected = ToBytes(never_stopped.Save());

    ClosedLoop used = MakeLoop(world);  // has lived elsewhere before
    used.Reset(DrawStart(*world, stream.Child("elsewhere")));
    Continue(used, commands, 0, 17);
    used.Restore(snapshot);
    EXPECT_EQ(ToBytes(used.Save()), ToBytes(snapshot));
    Continue(used, commands, branch, kSteps);
    EXPECT_EQ(ToBytes(used.Save()), expected) << "seed " << seed << " branch " << branch;

    ClosedLoop replayed = MakeLoop(world);
    replayed.Reset(start);
    Continue(replayed, commands, 0, kSteps);
    EXPECT_EQ(ToBytes(replayed.Save()), expected) << "seed " << seed;
  }
}

INSTANTIATE_TEST_SUITE_P(Grounds, SnapshotTest,
                         testing::Values(TileKind::kFlat, TileKind::kRough, TileKind::kSlope,
                                         TileKind::kStairs, TileKind::kBoxes));

TEST(SnapshotTest, BranchesGiveTheSameBytesOnOneThreadAndOnFour) {
  const std::shared_ptr<const World> world = WorldOf(TileKind::kRough, 0.0, 3);
  const std::vector<robot::Command> commands = Commands(RngStream(3));
  ClosedLoop source = MakeLoop(world);
  source.Reset(DrawStart(*world, RngStream(3)));
  Continue(source, commands, 0, 20);
  const LoopSnapshot snapshot = source.Save();
  const auto branches = [&](int jobs) {
    std::vector<std::string> ends(8);
    ParallelFor(jobs, ends.size(), [&](std::size_t i) {
      ClosedLoop loop = MakeLoop(world);
      loop.Restore(snapshot);
      std::vector<robot::Command> own = commands;
      for (robot::Command& command : own) command = (0.1 * static_cast<double>(i)) * command;
      Continue(loop, own, 20, kSteps);
      ends[i] = ToBytes(loop.Save());
    });
    return ends;
  };
  const std::vector<std::string> serial = branches(1);
  EXPECT_EQ(serial, branches(4));
  EXPECT_NE(serial[0], serial[1]);  // the command matters at all
}

TEST(SnapshotTest, AResetForgetsEverythingThatWasBefore) {
  const std::shared_ptr<const World> world = WorldOf(TileKind::kRough, 0.0, 2);
  const Start start = DrawStart(*world, RngStream(2));
  ClosedLoop used = MakeLoop(world);
  Continue(used, Commands(RngStream(5)), 0, 30);
  used.Reset(start);
  ClosedLoop fresh = MakeLoop(world);
  fresh.Reset(start);
  EXPECT_EQ(ToBytes(used.Save()), ToBytes(fresh.Save()));
}

TEST(SnapshotTest, BytesThatAreNoSnapshotAreRefused) {
  const std::shared_ptr<const World> world = WorldOf(FlatTerrain());
  const std::string bytes = ToBytes(MakeLoop(world).Save());
  EXPECT_TRUE(SnapshotFromBytes(bytes).ok());
  EXPECT_FALSE(SnapshotFromBytes("not a snapshot").ok());
  EXPECT_FALSE(SnapshotFromBytes(bytes.substr(0, bytes.size() - 1)).ok());
  EXPECT_FALSE(SnapshotFromBytes(bytes + "x").ok());
}

std::string ReadBytes(const std::string& path) {
  std::ifstream stream(path, std::ios::binary);
  std::stringstream bytes;
  bytes << stream.rdbuf();
  return bytes.str();
}

// Run by the next test in a process of its own.
TEST(SnapshotWorker, DISABLED_ContinuesASnapshotFromAFile) {
  const char* path = std::getenv("GONOGO_SNAPSHOT");
  ASSERT_NE(path, nullptr);
  ClosedLoop loop = MakeLoop(WorldOf(TileKind::kBoxes, 0.4, 11));
  loop.Restore(SnapshotFromBytes(ReadBytes(path)).value());
  Continue(loop, Commands(RngStream(11)), 25, kSteps);
  std::ofstream(std::string(path) + ".end", std::ios::binary) << ToBytes(loop.Save());
}

TEST(SnapshotTest, AnotherProcessContinuesWithTheSameBytes) {
  const std::shared_ptr<const World> world = WorldOf(TileKind::kBoxes, 0.4, 11);
  const std::vector<robot::Command> commands = Commands(RngStream(11));
  ClosedLoop loop = MakeLoop(world);
  loop.Reset(DrawStart(*world, RngStream(11)));
  Continue(loop, commands, 0, 25);
  const std::string path = testing::TempDir() + "gonogo_snapshot_test.bin";
  std::ofstream(path, std::ios::binary) << ToBytes(loop.Save());
  Continue(loop, commands, 25, kSteps);

  std::array<char, 4096> self{};
  ASSERT_GT(readlink("/proc/self/exe", self.data(), self.size() - 1), 0);
  const std::string command =
      "GONOGO_SNAPSHOT='" + path + "' '" + self.data() +
      "' --gtest_also_run_disabled_tests --gtest_filter=SnapshotWorker.* > /dev/null";
  ASSERT_EQ(std::system(command.c_str()), 0);  // NOLINT(cert-env33-c): our own binary
  EXPECT_EQ(ReadBytes(path + ".end"), ToBytes(loop.Save()));
  std::remove(path.c_str());
  std::remove((path + ".end").c_str());
}

}  // namespace
}  // namespace gonogo::sim
