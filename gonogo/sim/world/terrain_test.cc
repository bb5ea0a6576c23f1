// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/world/terrain.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "gonogo/sim/world/world.h"

namespace gonogo::sim {
namespace {

Terrain OneTile(TileKind kind, double difficulty, std::uint64_t seed = 1) {
  TerrainOptions options;
  options.columns = {kind};
  options.difficulty = difficulty;
  return MakeTerrain(options, robot::TerrainSpec{}, RngStream(seed));
}

TEST(TerrainTest, TheHeightIsLinearOnTheTwoTrianglesOfACell) {
  Terrain terrain;
  terrain.nx = terrain.ny = 2;
  terrain.spacing_m = 1.0;
  terrain.heights = {0.0F, 1.0F, 2.0F, 7.0F};
  EXPECT_DOUBLE_EQ(terrain.Height(0.5, 0.25), 0.5 * 1.0 + 0.25 * 6.0);
  EXPECT_DOUBLE_EQ(terrain.Height(0.25, 0.5), 0.5 * 2.0 + 0.25 * 5.0);
  EXPECT_DOUBLE_EQ(terrain.Height(0.5, 0.5), 3.5);  // on the diagonal: not (1 + 2) / 2
  EXPECT_DOUBLE_EQ(terrain.Height(-3.0, 0.0), 0.0);
  EXPECT_DOUBLE_EQ(terrain.Height(9.0, 9.0), 7.0);
}

TEST(TerrainTest, RoughGroundUsesTheDeclaredLevelsAndStartsAtZero) {
  robot::TerrainSpec spec;
  spec.rough_low_m = 0.01;
  spec.rough_high_m = 0.06;
  spec.rough_step_m = 0.01;
  const Terrain terrain = RoughTerrain(1, spec, RngStream(4));
  std::array<int, 7> count{};
  for (const float height : terrain.heights) {
    const double level = height / 0.01;
    ASSERT_NEAR(level, std::round(level), 1e-4);
    ++count.at(static_cast<std::size_t>(std::lround(level)));
  }
  // 75 x 75 rough vertices over six levels: 937.5 each, standard deviation 28.
  for (std::size_t level = 1; level <= 6; ++level) EXPECT_NEAR(count[level], 937.5, 5 * 28.0);
  EXPECT_EQ(terrain.Height(3.8, 0.0), 0.0);
  ASSERT_EQ(terrain.origins.size(), 1U);
  EXPECT_NEAR(terrain.origins[0].z, 0.06, 1e-7);  // the highest of 441 vertices
}

TEST(TerrainTest, AMixedTileHasPatchesThatAreFlatRoughOrStepped) {
  std::array<int, 3> seen{};
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    const Terrain tile = OneTile(TileKind::kMixed, 0.5, seed);  // steps of 0.14 m
    for (int patch = 0; patch < 25; ++patch) {
      const double x = -3.2 + 1.6 * (patch % 5);
      const double y = -3.2 + 1.6 * (patch / 5);
      std::set<long> levels;  // in mm, over the platform and over a tread
      for (int i = -3; i <= 3; ++i) {
        levels.insert(std::lround(1000.0 * tile.Height(x + 0.1 * i, y)));
      }
      const long middle = std::lround(1000.0 * tile.Height(x, y));
      if (levels == std::set<long>{0}) {
        ++seen[0];
      } else if (levels == std::set<long>{280}) {
        ++seen[2];
        EXPECT_NEAR(tile.Height(x + 0.55, y), 0.14, 1e-6);
        EXPECT_NEAR(tile.Height(x, y - 0.55), 0.14, 1e-6);
        EXPECT_NEAR(tile.Height(x + 0.78, y), 0.0, 0.101);  // the neighbour may be rough
      } else {
        ++seen[1];
        EXPECT_GT(levels.size(), 1U);
        EXPECT_LE(middle, 100);  // the highest of rough ground
      }
      if (patch == 12) {
        EXPECT_EQ(levels, std::set<long>{0});
      }
    }
  }
  EXPECT_EQ(seen[0] + seen[1] + seen[2], 200);
  // 192 drawn patches and 8 in the middle: 104 flat, 48 of the others; six standard deviations.
  EXPECT_NEAR(seen[0], 104, 42);
  EXPECT_NEAR(seen[1], 48, 36);
  EXPECT_NEAR(seen[2], 48, 36);
}

TEST(TerrainTest, StairsRiseInSevenStepsToThePlatform) {
  const Terrain up = OneTile(TileKind::kStairs, 0.5);  // steps of 0.14 m
  const auto height = [](const Terrain& terrain, double from_edge) {
    return terrain.Height(-4.0 + from_edge, 0.0);
  };
  EXPECT_NEAR(height(up, 0.5), 0.0, 1e-6);
  for (int ring = 0; ring < 6; ++ring) {
    EXPECT_NEAR(height(up, 1.15 + 0.3 * ring), 0.14 * (ring + 1), 1e-6) << ring;
  }
  EXPECT_NEAR(height(up, 4.0), 7 * 0.14, 1e-6);
  EXPECT_NEAR(up.origins[0].z, 7 * 0.14, 1e-6);
  // The riser is centred where the ring begins, one 5 cm cell wide.
  EXPECT_NEAR(height(up, 1.0), 0.07, 0.071);
  EXPECT_NEAR(height(up, 0.95), 0.0, 1e-6);
  EXPECT_NEAR(height(up, 1.05), 0.14, 1e-6);
  EXPECT_NEAR(height(OneTile(TileKind::kStairsDown, 0.5), 4.0), -7 * 0.14, 1e-6);
}

TEST(TerrainTest, SlopesEndOnAPlatformAtTheHeightOfItsCorner) {
  const Terrain hill = OneTile(TileKind::kSlope, 1.0);
  // Slope 0.4 over 3.75 m, clipped at (27/37)^2 of the peak.
  EXPECT_NEAR(hill.Height(0.0, 0.0), 0.4 * 3.75 * 27.0 * 27.0 / (37.0 * 37.0), 0.0026);
  EXPECT_NEAR(hill.Height(1.0, 1.0), hill.Height(0.0, 0.0), 1e-6);
  EXPECT_LT(hill.Height(2.0, 0.0), hill.Height(1.0, 0.0));
  EXPECT_NEAR(OneTile(TileKind::kSlopeDown, 1.0).Height(0.0, 0.0), -hill.Height(0.0, 0.0), 1e-6);
}

TEST(TerrainTest, BoxesStayWithinTheirRangeAroundAPlatformAtTheTop) {
  const Terrain boxes = OneTile(TileKind::kBoxes, 1.0);
  const auto [low, high] = std::minmax_element(boxes.heights.begin(), boxes.heights.end());
  EXPECT_GE(*low, -0.2F);
  EXPECT_FLOAT_EQ(*high, 0.2F);
  EXPECT_NEAR(boxes.Height(0.9, -0.9), 0.2, 1e-6);
  EXPECT_NEAR(boxes.origins[0].z, 0.2, 1e-6);
  EXPECT_EQ(boxes.Height(3.95, 3.95), 0.0);
}

TEST(TerrainTest, TheGridHasItsTypesByColumnAndItsDifficultyByRow) {
  const Terrain grid = GridTerrain(robot::TerrainSpec{}, RngStream(2));
  ASSERT_EQ(grid.origins.size(), 200U);
  for (std::size_t row = 0; row < 10; ++row) {
    for (std::size_t column = 0; column < 20; ++column) {
      const TerrainOrigin& origin = grid.origins[row * 20 + column];
      EXPECT_GE(origin.difficulty, 0.1 * static_cast<double>(row));
      EXPECT_LT(origin.difficulty, 0.1 * static_cast<double>(row + 1));
      EXPECT_NEAR(origin.x, -36.0 + 8.0 * static_cast<double>(row), 1e-9);
      EXPECT_NEAR(origin.y, -76.0 + 8.0 * static_cast<double>(column), 1e-9);
      if (origin.kind == TileKind::kSlopeDown || origin.kind == TileKind::kStairsDown) {
        EXPECT_LE(origin.z, 0.0);
      } else {
        EXPECT_GE(origin.z, 0.0);
      }
    }
  }
  EXPECT_EQ(grid.origins[0].kind, TileKind::kStairs);
  EXPECT_EQ(grid.origins[19].kind, TileKind::kSlopeDown);
}

TEST(TerrainTest, TheSameStreamGivesTheSameGroundAndAnotherOneAnother) {
  const robot::TerrainSpec spec;
  EXPECT_EQ(RoughTerrain(1, spec, RngStream(4)).heights,
            RoughTerrain(1, spec, RngStream(4)).heights);
  EXPECT_NE(RoughTerrain(1, spec, RngStream(4)).heights,
            RoughTerrain(1, spec, RngStream(5)).heights);
}

TEST(TerrainTest, ARoughTileIsTheSameGroundAtTwiceTheDensity) {
  // Beside stairs the field is denser; the rough tile of the same stream must not change shape.
  const robot::TerrainSpec spec;
  TerrainOptions options;
  options.columns = {TileKind::kRough};
  const Terrain coarse = MakeTerrain(options, spec, RngStream(9));
  options.columns = {TileKind::kRough, TileKind::kStairs};
  const Terrain fine = MakeTerrain(options, spec, RngStream(9));
  ASSERT_LT(fine.spacing_m, coarse.spacing_m);
  Rng rng = RngStream(1).Generator();
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.Uniform(-4.0, 4.0);
    const double y = rng.Uniform(-4.0, 4.0);
    EXPECT_NEAR(fine.Height(x, y - 4.0), coarse.Height(x, y), 1e-6);
  }
}

/// Every kind of tile, compiled into a world whose engine can be asked.
class EngineGroundTest : public testing::TestWithParam<TileKind> {
 protected:
  void SetUp() override {
    const robot::RobotSpec spec = robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
    TerrainOptions options;
    options.columns = {GetParam()};
    options.difficulty = 0.7;
    world_ = World::Create(spec, MakeTerrain(options, spec.terrain, RngStream(3))).value();
    data_.reset(mj_makeData(world_->model()));
    mj_forward(world_->model(), data_.get());
  }

  std::shared_ptr<const World> world_;
  DataPtr data_;
};

TEST_P(EngineGroundTest, OurHeightIsWhereTheEnginesRayLands) {
  const mjModel* model = world_->model();
  const int ground = mj_name2id(model, mjOBJ_GEOM, "gonogo_terrain");
  Rng rng = RngStream(8).Generator();
  const std::array<mjtNum, 3> down{0, 0, -1};
  for (int i = 0; i < 2000; ++i) {
    const std::array<mjtNum, 3> from{rng.Uniform(-5.5, 5.5), rng.Uniform(-5.5, 5.5), 5.0};
    const mjtNum distance =
        mj_rayHfield(model, data_.get(), ground, from.data(), down.data(), nullptr);
    EXPECT_NEAR(5.0 - distance, world_->terrain().Height(from[0], from[1]), 1e-6)
        << from[0] << " " << from[1];
  }
}

TEST_P(EngineGroundTest, OurHeightIsWhereTheEnginesContactsAre) {
  const mjModel* model = world_->model();
  Rng rng = RngStream(9).Generator();
  int contacts = 0;
  for (int i = 0; i < 800; ++i) {
    const double x = rng.Uniform(-3.0, 3.0);
    const double y = rng.Uniform(-3.0, 3.0);
    const double yaw = rng.Uniform(-3.0, 3.0);
    const double z = world_->terrain().Height(x, y) + rng.Uniform(0.26, 0.34);
    const std::array<mjtNum, 7> pose{x, y, z, std::cos(yaw / 2), 0, 0, std::sin(yaw / 2)};
    std::copy(pose.begin(), pose.end(), data_->qpos);
    for (std::size_t j = 0; j < 12; ++j) {
      data_->qpos[world_->binding().joint_qpos[j]] = world_->spec().default_pose[j];
    }
    mj_forward(model, data_.get());
    for (int c = 0; c < data_->ncon; ++c) {
      const mjContact& contact = data_->contact[c];
      const int robot_geom = contact.geom1 == mj_name2id(model, mjOBJ_GEOM, "gonogo_terrain")
                                 ? contact.geom2
                                 : contact.geom1;
      const bool foot = world_->binding().geom_foot[static_cast<std::size_t>(robot_geom)] >= 0;
      // Deep contacts with walls say little about the height; shallow ones lie on the surface.
      if (!foot || contact.dist < -0.004 || std::abs(contact.frame[2]) < 0.5) continue;
      ++contacts;
      EXPECT_NEAR(contact.pos[2], world_->terrain().Height(contact.pos[0], contact.pos[1]), 0.006);
    }
  }
  EXPECT_GT(contacts, 30);
}

INSTANTIATE_TEST_SUITE_P(Tiles, EngineGroundTest,
                         testing::Values(TileKind::kRough, TileKind::kSlope, TileKind::kSlopeDown,
                                         TileKind::kStairs, TileKind::kStairsDown,
                                         TileKind::kBoxes));

}  // namespace
}  // namespace gonogo::sim
