// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/arguments.h"

#include <filesystem>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace gonogo::cli {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

/// A program with the verbs `walk` and `wait`.
class ArgumentsTest : public testing::Test {
 protected:
  ArgumentsTest()
      : walk_(
            program_.AddVerb("walk", "Put one foot before the other", "Examples:\n  walk home\n")),
        wait_(program_.AddVerb("wait", "Do nothing")) {
    walk_.Positional("where", where_, "The goal").Required();
    steps_argument_ =
        walk_.Option("--steps", steps_, "How many").Between(1, 100).ShowDefault().Group("Pace");
    walk_.Option("--gait", gait_, "trot or bound").OneOf({"trot", "bound"});
    walk_.Option("--marks", marks_, "Where to look around").Commas();
    walk_.Flag("--fast", fast_, "Hurry");
    walk_.OffFlag("--no-turns", turns_, "Straight on");
  }

  CommandLine program_{"A program that walks"};
  Arguments walk_;
  Arguments wait_;
  std::filesystem::path where_;
  int steps_ = 7;
  std::optional<Argument> steps_argument_;
  std::string gait_;
  std::vector<double> marks_;
  bool fast_ = false;
  bool turns_ = true;
};

TEST_F(ArgumentsTest, WritesWhatWasGivenIntoTheVariables) {
  EXPECT_FALSE(program_.Parse(
      {"walk", "home", "--steps", "9", "--gait=trot", "--marks", "1,2.5", "--fast", "--no-turns"}));
  EXPECT_EQ(where_, "home");
  EXPECT_EQ(steps_, 9);
  EXPECT_EQ(gait_, "trot");
  EXPECT_THAT(marks_, ElementsAre(1, 2.5));
  EXPECT_TRUE(fast_);
  EXPECT_FALSE(turns_);
}

TEST_F(ArgumentsTest, KnowsTheVerbThatWasCalledAndTheOptionsThatWereGiven) {
  EXPECT_FALSE(program_.Parse({"walk", "home", "--steps", "7"}));
  EXPECT_TRUE(walk_.called());
  EXPECT_FALSE(wait_.called());
  EXPECT_TRUE(steps_argument_->given());
}

TEST_F(ArgumentsTest, LeavesAnOptionThatWasNotGivenAtItsDefault) {
  EXPECT_FALSE(program_.Parse({"walk", "home"}));
  EXPECT_EQ(steps_, 7);
  EXPECT_FALSE(steps_argument_->given());
}

TEST_F(ArgumentsTest, RefusesNumbersOutOfRangeAndOtherWords) {
  const std::vector<std::vector<std::string>> wrong = {{"walk", "home", "--steps", "101"},
                                                       {"walk", "home", "--steps", "many"},
                                                       {"walk", "home", "--gait", "hop"}};
  for (const std::vector<std::string>& words : wrong) {
    const std::optional<Reply> reply = program_.Parse(words);
    ASSERT_TRUE(reply) << words.back();
    EXPECT_TRUE(reply->is_error);
    EXPECT_EQ(reply->code, kExitUsage);
    EXPECT_THAT(reply->text, HasSubstr(words.back()));
    EXPECT_THAT(reply->text, HasSubstr("Try 'gonogo walk --help'."));
  }
}

TEST_F(ArgumentsTest, SuggestsTheFlagAndTheVerbThatWereProbablyMeant) {
  EXPECT_THAT(program_.Parse({"walk", "home", "--step", "3"})->text, HasSubstr("--steps"));
  EXPECT_THAT(program_.Parse({"walc", "home"})->text, HasSubstr("unknown verb 'walc'"));
  EXPECT_THAT(program_.Parse({"walc", "home"})->text, HasSubstr("walk"));
}

TEST_F(ArgumentsTest, ShowsHowAVerbIsUsedWhenItStandsAlone) {
  const std::optional<Reply> reply = program_.Parse({"walk"});
  ASSERT_TRUE(reply);
  EXPECT_THAT(reply->text, HasSubstr("Put one foot before the other"));
  EXPECT_TRUE(reply->is_error);
  EXPECT_EQ(reply->code, kExitUsage);
}

TEST_F(ArgumentsTest, PrintsHelpWithDefaultsExamplesAndExitCodesWhenAsked) {
  const std::optional<Reply> reply = program_.Parse({"walk", "--help"});
  ASSERT_TRUE(reply);
  EXPECT_FALSE(reply->is_error);
  EXPECT_EQ(reply->code, kExitDone);
  for (const char* part : {"--steps NUMBER          How many (1 to 100) [7]", "Pace:", "walk home",
                           "--gait TEXT             trot or bound\n", "Exit codes: 0 done"}) {
    EXPECT_THAT(reply->text, HasSubstr(part));
  }
}

TEST_F(ArgumentsTest, KeepsTheHelpWithinEightyColumns) {
  const std::string text = program_.Parse({"walk", "--help"})->text;
  std::istringstream lines(text);
  for (std::string line; std::getline(lines, line);) EXPECT_LE(line.size(), 80U) << line;
  EXPECT_THAT(text, testing::Not(HasSubstr("\n\n\n\n")));
}

TEST_F(ArgumentsTest, SaysWhatWasFoundAndWhatIsExpected) {
  EXPECT_THAT(program_.Parse({"walk", "home", "--steps", "101"})->text,
              HasSubstr("--steps: found 101, expected a number from 1 to 100"));
  EXPECT_THAT(program_.Parse({"walk", "home", "--gait", "trott"})->text,
              HasSubstr("--gait: found trott, expected trot or bound (did you mean 'trot'?)"));
}

TEST_F(ArgumentsTest, ShowsWhatIsRareToWhomAsksForEverything) {
  int depth = 0;
  walk_.Option("--depth", depth, "How deep to sink").Between(0, 9).Group("Pace").Rare();
  walk_.List("Moving", /*everyday=*/true);
  wait_.List("Resting", /*everyday=*/false);
  const std::optional<Reply> first = program_.Parse({"--help"});
  ASSERT_TRUE(first.has_value());
  EXPECT_THAT(first->text, HasSubstr("Moving:\n  walk"));
  EXPECT_THAT(first->text, Not(HasSubstr("wait")));
  EXPECT_THAT(program_.Parse({"walk", "--help"})->text, Not(HasSubstr("--depth")));
  // A flag that is not listed works, and is named where it is wrong.
  EXPECT_THAT(program_.Parse({"walk", "home", "--depth", "12"})->text, HasSubstr("--depth"));
}

TEST_F(ArgumentsTest, ShowsEverythingWhenAskedFor) {
  int depth = 0;
  walk_.Option("--depth", depth, "How deep to sink").Group("Pace").Rare();
  wait_.List("Resting", /*everyday=*/false);
  const std::optional<Reply> verb = program_.Parse({"walk", "--help-all"});
  ASSERT_TRUE(verb.has_value());
  EXPECT_EQ(verb->code, kExitDone);
  EXPECT_THAT(verb->text, HasSubstr("--depth"));
  EXPECT_THAT(program_.Parse({"--help-all"})->text, HasSubstr("Resting:\n  wait"));
}

TEST_F(ArgumentsTest, KnowsAVerbByItsOldName) {
  walk_.Alias("stroll");
  ASSERT_FALSE(program_.Parse({"stroll", "home"}).has_value());
  EXPECT_TRUE(walk_.called());
}

TEST_F(ArgumentsTest, RefusesAVerbOfAnotherBuildInItsOwnWords) {
  program_.Refuse("fly", "'fly' is in the build with wings");
  const std::optional<Reply> reply = program_.Parse({"fly", "--high"});
  ASSERT_TRUE(reply.has_value());
  EXPECT_EQ(reply->text, "gonogo: 'fly' is in the build with wings\n");
  EXPECT_TRUE(reply->is_error);
  EXPECT_EQ(reply->code, kExitUsage);
}

TEST_F(ArgumentsTest, ListsItsVerbsWhenItIsAskedNothing) {
  const std::optional<Reply> reply = program_.Parse({});
  ASSERT_TRUE(reply);
  EXPECT_EQ(reply->code, kExitUsage);
  for (const char* part : {"A program that walks", "walk", "wait"}) {
    EXPECT_THAT(reply->text, HasSubstr(part));
  }
}

}  // namespace
}  // namespace gonogo::cli
