// SPDX-License-Identifier: Apache-2.0
#include "gonogo/team/rank_team.h"

#include <atomic>
#include <mutex>
#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/team/testing/thread_ranks.h"

namespace gonogo::team {
namespace {

using testing::AsRanks;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using testing::Mailboxes;

Setting SettingOf(const std::string& build = "gonogo 1") {
  return {.build = build, .self = {"node", {0}}, .silence = std::chrono::seconds(20)};
}

/// Unit i is the text of i * i.
TeamWork Squares(std::size_t count) {
  TeamWork work{.what = "squares", .identity = {{"table", "abc"}}, .count = count};
  work.make = [](std::size_t i, const std::stop_token&) -> Result<std::string> {
    return std::to_string(i * i);
  };
  return work;
}

std::vector<std::string> SquaresDone(std::size_t count) {
  std::vector<std::string> done;
  for (std::size_t i = 0; i < count; ++i) done.push_back(std::to_string(i * i));
  return done;
}

class RankTeamTest : public ::testing::TestWithParam<int> {};
INSTANTIATE_TEST_SUITE_P(Ranks, RankTeamTest, ::testing::Values(1, 2, 3, 8));

TEST_P(RankTeamTest, EveryRankGetsEveryResultInIndexOrderRoundAfterRound) {
  AsRanks(GetParam(), [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    for (const std::size_t count : {0U, 1U, 7U, 500U}) {
      EXPECT_EQ(team->Run(Squares(count), {}).value(), SquaresDone(count));
    }
    EXPECT_TRUE(team->Finish({}, 0).ok());
  });
}

TEST(RankTeamOrderTest, ResultsThatOvertakeTheEndOfTheRoundAreNotLost) {
  AsRanks(4, [](Transport& transport, Mailboxes& mail) {
    mail.Slow(0, 3);  // rank 3 gets its results from rank 2, the end of the round from rank 0
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    for (const std::size_t count : {1U, 20U}) {
      const auto squares = team->Run(Squares(count), {});
      ASSERT_TRUE(squares.ok()) << squares.error().message;
      EXPECT_EQ(squares.value(), SquaresDone(count));
    }
    EXPECT_TRUE(team->Finish({}, 0).ok());
  });
}

TEST_P(RankTeamTest, EachUnitIsMadeOnceAndKeptOnRankZeroAlone) {
  std::mutex lock;
  std::multiset<std::size_t> made;
  std::multiset<std::size_t> kept;
  AsRanks(GetParam(), [&](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    TeamWork work = Squares(40);
    work.at_once = 3;
    work.kept = [&](std::size_t i) -> std::optional<std::string> {
      EXPECT_TRUE(team->is_root());
      if (i % 4 != 0) return std::nullopt;
      return std::to_string(i * i);  // a quarter was there already
    };
    work.make = [&](std::size_t i, const std::stop_token&) -> Result<std::string> {
      const std::lock_guard guard(lock);
      made.insert(i);
      return std::to_string(i * i);
    };
    work.keep = [&](std::size_t i, const std::string& bytes) {
      EXPECT_TRUE(team->is_root());
      EXPECT_EQ(bytes, std::to_string(i * i));
      const std::lock_guard guard(lock);
      kept.insert(i);
      return Status();
    };
    EXPECT_EQ(team->Run(work, {}).value(), SquaresDone(40));
    EXPECT_TRUE(team->Finish({}, 0).ok());
    if (team->is_root()) {
      std::size_t units = 0;
      for (const Share& share : team->shares()) units += share.units;
      EXPECT_EQ(units, 30U);
    }
  });
  std::multiset<std::size_t> expected;
  for (std::size_t i = 0; i < 40; ++i) {
    if (i % 4 != 0) expected.insert(i);
  }
  EXPECT_EQ(made, expected);
  EXPECT_EQ(kept, expected);
}

TEST_P(RankTeamTest, WhatRankZeroFindsOutReachesAll) {
  AsRanks(GetParam(), [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    const auto found = team->FromRoot("clusters to do", [&]() -> Result<std::string> {
      EXPECT_TRUE(team->is_root());
      return std::string("1301,1302");
    });
    EXPECT_EQ(found.value(), "1301,1302");
    EXPECT_TRUE(team->Finish({}, 0).ok());
  });
}

TEST_P(RankTeamTest, AnExchangeGivesEveryRankEverybodysBytesInLockstep) {
  AsRanks(GetParam(), [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    for (int step = 0; step < 50; ++step) {
      // Some say nothing, one says more than fits into a message.
      const auto said = [&](int rank) {
        if (rank == step % 3) return std::string();
        return std::string(step == 7 && rank == 1 ? 20'000'000 : 10, static_cast<char>('a' + rank));
      };
      const std::vector<std::string> all = team->All("step", said(team->rank()));
      for (int r = 0; r < team->size(); ++r) {
        ASSERT_EQ(all[static_cast<std::size_t>(r)], said(r)) << step;
      }
    }
    EXPECT_TRUE(team->status().ok());
    EXPECT_TRUE(team->Finish({}, 0).ok());
  });
}

TEST(RankTeamErrorTest, AnExchangeFailsOnAllRanksWhenOneFails) {
  AsRanks(3, [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    if (team->rank() == 2) return (void)team->Finish(IoError("no policy"), 4).ok();
    EXPECT_EQ(team->All("step", "x").front(), "");
    ASSERT_FALSE(team->status().ok());
    EXPECT_EQ(team->status().error().message, "rank 2 on node: no policy");
    EXPECT_TRUE(team->Finish(team->status(), 4).ok());
  });
}

TEST(RankTeamErrorTest, AnErrorOfOneRankIsTheErrorOfAllAndNamesIt) {
  AsRanks(3, [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    TeamWork work = Squares(300);
    work.make = [&](std::size_t i, const std::stop_token&) -> Result<std::string> {
      if (team->rank() == 2) return InputError("row 7 is broken");
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      return std::to_string(i);
    };
    const auto result = team->Run(work, {});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::kInput);
    EXPECT_EQ(result.error().message, "rank 2 on node: row 7 is broken");
    EXPECT_TRUE(team->Finish(result.error(), 3).ok());
  });
}

TEST(RankTeamErrorTest, RanksWithOtherDataStopAtOnceNamingBothHashes) {
  AsRanks(2, [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    TeamWork work = Squares(3);
    if (!team->is_root()) work.identity = {{"table", "xyz"}};
    const auto result = team->Run(work, {});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message,
              "rank 1 on node has another table than rank 0: xyz there, abc here");
    EXPECT_TRUE(team->Finish(result.error(), 3).ok());
  });
}

TEST(RankTeamErrorTest, RanksOfOtherBuildsDoNotJoin) {
  AsRanks(2, [](Transport& transport, Mailboxes&) {
    const auto team =
        RankTeam::Join(transport, SettingOf(transport.rank() == 0 ? "gonogo 1" : "gonogo 2"));
    ASSERT_FALSE(team.ok());
    if (transport.rank() == 0) {
      EXPECT_THAT(team.error().message,
                  HasSubstr("rank 1 on node runs gonogo 2, rank 0 runs gonogo 1"));
    }
  });
}

TEST(RankTeamErrorTest, ARankThatFailsBeforeItJoinsARoundEndsItForTheOthers) {
  AsRanks(3, [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    if (team->rank() == 1) {
      EXPECT_TRUE(team->Finish(IoError("table.csv: cannot open"), 4).ok());
      return;
    }
    const auto result = team->Run(Squares(5), {});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().message, "rank 1 on node: table.csv: cannot open");
    EXPECT_TRUE(team->Finish(result.error(), 4).ok());
  });
}

TEST(RankTeamErrorTest, WhenRankZeroFailsTheOthersStopWaiting) {
  AsRanks(3, [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    Status outcome = IoError("no room on disk");
    if (!team->is_root()) outcome = team->Run(Squares(5), {}).error();
    EXPECT_EQ(outcome.error().message, "no room on disk");
    EXPECT_TRUE(team->Finish(outcome, 4).ok());
  });
}

TEST(RankTeamErrorTest, ARankThatWentAnotherWayIsNamed) {
  AsRanks(2, [](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    if (!team->is_root()) return (void)team->Finish({}, 0).ok();
    const auto result = team->Run(Squares(5), {});
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr("rank 1 on node ended while rank 0 shares"));
    EXPECT_TRUE(team->Finish(result.error(), 3).ok());
  });
}

TEST(RankTeamErrorTest, AStopRequestOnAnyRankInterruptsAllAndKeepsWhatIsFinished) {
  std::atomic<std::size_t> kept = 0;
  std::stop_source source;
  AsRanks(2, [&](Transport& transport, Mailboxes&) {
    const auto team = RankTeam::Join(transport, SettingOf()).value();
    TeamWork work = Squares(1000);
    work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
      if (i == 20) source.request_stop();
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      if (stop.stop_requested()) return Error{ErrorKind::kInterrupted, "stopped"};
      return std::to_string(i);
    };
    work.keep = [&](std::size_t, const std::string&) {
      ++kept;
      return Status();
    };
    Execution execution;
    if (!team->is_root()) execution.stop = source.get_token();  // only there
    const auto result = team->Run(work, execution);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.error().kind, ErrorKind::kInterrupted);
    if (team->is_root()) {
      EXPECT_EQ(result.error().message,
                "stopped after " + std::to_string(kept) + " of 1000 squares");
    }
    EXPECT_TRUE(team->Finish(result.error(), 130).ok());
  });
  EXPECT_GE(kept, 5U);
  EXPECT_LT(kept, 1000U);
}

TEST(RankTeamErrorTest, ARankThatIsCutOffIsNamedAfterTheDeclaredSilence) {
  AsRanks(3, [](Transport& transport, Mailboxes& mail) {
    Setting setting = SettingOf();
    setting.silence = std::chrono::milliseconds(300);
    const auto team = RankTeam::Join(transport, setting).value();
    TeamWork work = Squares(1000);
    work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
      if (team->rank() == 1 && i > 20) mail.CutOff(1);
      std::this_thread::sleep_for(std::chrono::milliseconds(5));
      if (stop.stop_requested()) return Error{ErrorKind::kInterrupted, "stopped"};
      return std::to_string(i);
    };
    const auto result = team->Run(work, {});
    ASSERT_FALSE(result.ok());
    EXPECT_THAT(result.error().message, HasSubstr(team->rank() == 1 ? "rank 0 has not been heard of"
                                                                    : "rank 1 on node has not"));
    if (team->rank() == 2) return (void)team->Finish(result.error(), 4).ok();
    // Neither side can wait for the other any more.
    EXPECT_THROW((void)team->Finish(result.error(), 4).ok(), testing::Aborted);
  });
}

TEST(ShareCoresTest, GivesEveryCoreOfAHostToOneThread) {
  // Two ranks that may use all four cores of a, one bound to two cores of b, two on one core of c.
  EXPECT_THAT(
      ShareCores({{"a", {0, 1, 2, 3}}, {"a", {0, 1, 2, 3}}, {"b", {4, 5}}, {"c", {0}}, {"c", {0}}}),
      ElementsAre(2, 2, 2, 1, 1));
  EXPECT_THAT(ShareCores({{"a", {0, 1, 2}}, {"a", {0, 1, 2}}}), ElementsAre(1, 1));
}

}  // namespace
}  // namespace gonogo::team
