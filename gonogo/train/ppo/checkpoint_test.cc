// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::train {
namespace {

TEST(CheckpointTest, OneWithoutAnyWeightsIsRead) {
  const auto file = std::filesystem::path(testing::TempDir()) / "empty_checkpoint.bin";
  ASSERT_TRUE(SaveCheckpoint(file, {.fingerprint = "", .iteration = 3}).ok());
  const Result<Checkpoint> read = LoadCheckpoint(file);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().iteration, 3);
  EXPECT_TRUE(read.value().learner.actor.empty());
}

TEST(CheckpointTest, AListThatIsLongerThanTheFileIsDamage) {
  const auto file = std::filesystem::path(testing::TempDir()) / "long_checkpoint.bin";
  ASSERT_TRUE(SaveCheckpoint(file, {.fingerprint = "run"}).ok());
  std::string bytes = io::ReadFile(file).value();
  bytes.replace(bytes.find("run") - 8, 8, std::string(8, '\x7F'));
  EXPECT_THAT(ParseCheckpoint(bytes, file).error().message, testing::HasSubstr("damaged"));
}

}  // namespace
}  // namespace gonogo::train
