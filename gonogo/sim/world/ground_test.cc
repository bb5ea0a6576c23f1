// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/ground.h"

#include <set>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/base/rng.h"

namespace gonogo::sim {
namespace {

using testing::HasSubstr;

Terrain GroundOf(const char* text, std::uint64_t seed = 1) {
  return MakeGround(Ground::Parse(text).value(), robot::TerrainSpec{}, RngStream(seed));
}

std::string ParseError(const char* text) {
  const Result<Ground> ground = Ground::Parse(text);
  return ground.ok() ? "" : ground.error().message;
}

TEST(GroundTest, EveryTextGivesAGroundThatGivesTheTextBack) {
  for (const char* text : {"flat",
                           "rough",
                           "grid",
                           "stairs",
                           "stairs-down",
                           "boxes",
                           "slope",
                           "slope-down",
                           "stairs:0-5",
                           "grid:3",
                           "stairs+slope-down:7-9",
                           "rough:0",
                           "boxes@0.25",
                           "grid@0",
                           "stairs-down+boxes@1",
                           "mixed",
                           "mixed@0.1",
                           "mixed+rough:2",
                           "isaac:64",
                           "isaac:1:0-2",
                           "isaac:4096:9"}) {
    const Result<Ground> ground = Ground::Parse(text);
    ASSERT_TRUE(ground.ok()) << ground.error().message;
    EXPECT_EQ(ground.value().text(), text);
    EXPECT_EQ(GroundOf(text).name, text);
  }
  EXPECT_EQ(Ground::Parse("stairs:4-4").value().text(), "stairs:4");
}

TEST(GroundTest, WhatIsNoGroundIsRefusedWithWhatThereIs) {
  EXPECT_THAT(ParseError("moon"), HasSubstr("\"moon\", expected flat, rough, grid, one tile"));
  EXPECT_THAT(ParseError("stiars:0-5"), HasSubstr("kinds of tiles are stairs, stairs-down"));
  EXPECT_THAT(ParseError("stair"), HasSubstr("did you mean 'stairs'?"));
  for (const char* text : {"stairs:", "stairs:5-3", "stairs:0-10", "stairs:-1", "stairs:a",
                           "grid:1-", "isaac:8:6-5"}) {
    EXPECT_THAT(ParseError(text), HasSubstr("rows are 0 to 9, such as 3 or 0-5")) << text;
  }
  for (const char* text : {"boxes@", "boxes@1.01", "boxes@-0.1", "boxes@nan", "boxes@0.1x"}) {
    EXPECT_THAT(ParseError(text), HasSubstr("a difficulty from 0 to 1")) << text;
  }
  for (const char* text : {"isaac:", "isaac:0", "isaac:many", "isaac:100001"}) {
    EXPECT_THAT(ParseError(text), HasSubstr("number of environments from 1 to 100000")) << text;
  }
  for (const char* text : {"", "isaac", "flat:0-5", "stairs+stairs:0", "stairs+:0", "flat@0.5"}) {
    EXPECT_NE(ParseError(text), "") << text;
  }
  EXPECT_THAT(ParseError("stairs+boxes"), HasSubstr("several kinds need rows or a difficulty"));
}

TEST(GroundTest, MixedTilesAreNoPartOfTheGrid) {
  EXPECT_EQ(GroundOf("mixed").origins.size(), 1U);
  const Terrain mixed = GroundOf("mixed@0.1");
  ASSERT_EQ(mixed.origins.size(), 4U);
  for (const TerrainOrigin& origin : mixed.origins) {
    EXPECT_EQ(origin.kind, TileKind::kMixed);
    EXPECT_DOUBLE_EQ(origin.difficulty, 0.1);
  }
  EXPECT_EQ(GroundOf("mixed+rough@0.1").origins.size(), 8U);
  for (const TerrainOrigin& origin : GroundOf("grid:0").origins) {
    EXPECT_NE(origin.kind, TileKind::kMixed);
  }
}

TEST(GroundTest, TheOldNamesGiveTheOldGrounds) {
  const robot::TerrainSpec spec;
  EXPECT_TRUE(GroundOf("flat").is_plane());
  EXPECT_EQ(GroundOf("rough", 3).heights, RoughTerrain(3, spec, RngStream(3)).heights);
  EXPECT_EQ(GroundOf("grid", 3).heights, GridTerrain(spec, RngStream(3)).heights);
  EXPECT_EQ(GroundOf("stairs", 3).heights,
            MakeTerrain({.columns = {TileKind::kStairs}}, spec, RngStream(3)).heights);
}

TEST(GroundTest, APartOfTheGridHasTheTilesThatTheGridHasThere) {
  const Terrain grid = GroundOf("grid", 5);
  const Terrain part = GroundOf("boxes+slope:2-4", 5);
  // Columns 8-11 are boxes and 16-17 slopes; rows come first in the list of origins.
  ASSERT_EQ(part.origins.size(), 3U * 6U);
  const std::vector<int> columns{8, 9, 10, 11, 16, 17};
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < columns.size(); ++column) {
      const TerrainOrigin& ours = part.origins[row * 6 + column];
      const TerrainOrigin& theirs =
          grid.origins[(row + 2) * 20 + static_cast<std::size_t>(columns[column])];
      EXPECT_EQ(ours.kind, theirs.kind);
      EXPECT_EQ(ours.difficulty, theirs.difficulty);
      for (const double dx : {-3.1, -0.7, 1.9}) {
        EXPECT_NEAR(part.Height(ours.x + dx, ours.y + 0.4),
                    grid.Height(theirs.x + dx, theirs.y + 0.4), 1e-6);
      }
    }
  }
}

TEST(GroundTest, RowsSayHowDifficultTilesAre) {
  for (const TerrainOrigin& origin : GroundOf("stairs:0-1", 9).origins) {
    EXPECT_EQ(origin.kind, TileKind::kStairs);
    EXPECT_LT(origin.difficulty, 0.2);
    // Seven steps of 0.05 m + 0.18 m x difficulty.
    EXPECT_NEAR(origin.z, 7 * (0.05 + 0.18 * origin.difficulty), 1e-6);
  }
  for (const TerrainOrigin& origin : GroundOf("stairs@0.5").origins) {
    EXPECT_NEAR(origin.z, 7 * 0.14, 1e-6);
  }
}

TEST(GroundTest, IsaacLabBindsEnvironmentsToColumnsInTheirOrder) {
  // floor(e / (N / 20)), as the terrain importer computes it.
  EXPECT_EQ(IsaacColumn(0, 1), 0);
  EXPECT_EQ(IsaacColumn(1, 2), 10);
  EXPECT_EQ(IsaacColumn(4095, 4096), 19);
  EXPECT_EQ(IsaacColumn(204, 4096), 0);  // 204 / 204.8
  EXPECT_EQ(IsaacColumn(205, 4096), 1);
  std::vector<int> ten;
  for (int e = 0; e < 10; ++e) ten.push_back(IsaacColumn(e, 10));
  EXPECT_THAT(ten, testing::ElementsAre(0, 2, 4, 6, 8, 10, 12, 14, 16, 18));
}

TEST(GroundTest, EveryEnvironmentHasOnePlaceInARowUpToTheFifth) {
  const Terrain terrain = GroundOf("isaac:40", 2);
  ASSERT_EQ(terrain.origins.size(), 40U);
  std::set<int> rows;
  for (int e = 0; e < 40; ++e) {
    const TerrainOrigin& origin = terrain.origins[static_cast<std::size_t>(e)];
    EXPECT_EQ(origin.kind, GridColumns()[static_cast<std::size_t>(e / 2)]);
    rows.insert(static_cast<int>(10 * origin.difficulty));
  }
  // 40 draws miss a given row of six with probability (5/6)^40 < 0.001.
  EXPECT_THAT(rows, testing::ElementsAre(0, 1, 2, 3, 4, 5));
  const Terrain one = GroundOf("isaac:1:0", 2);
  ASSERT_EQ(one.origins.size(), 1U);
  EXPECT_EQ(one.origins[0].kind, TileKind::kStairs);
  EXPECT_LT(one.origins[0].difficulty, 0.1);
}

TEST(GroundSeedTest, OneGroundForAllOrOneForEach) {
  EXPECT_EQ(GroundSeed::Parse("each").value().For(7), 7U);
  EXPECT_EQ(GroundSeed::Parse("3").value().For(7), 3U);
  EXPECT_EQ(GroundSeed::Parse("3").value().text(), "3");
  EXPECT_EQ(GroundSeed::Parse("each").value().text(), "each");
  for (const char* text : {"", "all", "-1", "1.5"}) {
    const Result<GroundSeed> seed = GroundSeed::Parse(text);
    ASSERT_FALSE(seed.ok()) << text;
    EXPECT_THAT(seed.error().message, HasSubstr("expected a whole number, or \"each\""));
  }
}

}  // namespace
}  // namespace gonogo::sim
