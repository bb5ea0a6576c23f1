// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include <gtest/gtest.h>

#include "gonogo/report/testing/example_scene.h"
#include "gonogo/report/viewer/base64.h"
#include "gonogo/report/viewer/viewer_page.h"

namespace gonogo::report::internal {
namespace {

/// A 21 x 11 grid of half metres whose heights name their vertex.
ViewerScene NumberedGround() {
  ViewerScene scene{.bodies = 1};
  scene.terrain = {.nx = 21, .ny = 11, .spacing_m = 0.5, .x0 = -5.0, .y0 = -2.5};
  for (int i = 0; i < 21 * 11; ++i) scene.terrain.heights.push_back(static_cast<float>(i));
  return scene;
}

TEST(CropTerrainTest, KeepsTheGroundWithinTheMarginAndItsHeights) {
  ViewerScene scene = NumberedGround();
  scene.markers = {{.x = 0.0, .y = 0.0}, {.x = 1.0, .y = 0.0}};
  const SceneTerrain part = CropTerrain(scene, 1.0);
  EXPECT_EQ(part.x0, -1.0);
  EXPECT_EQ(part.y0, -1.0);
  EXPECT_EQ(part.nx, 7);  // -1.0 to 2.0
  EXPECT_EQ(part.ny, 5);  // -1.0 to 1.0
  ASSERT_EQ(part.heights.size(), 35u);
  EXPECT_EQ(part.heights[0], 3 * 21 + 8);
  EXPECT_EQ(part.heights[7], 4 * 21 + 8);
}

TEST(CropTerrainTest, StaysInsideTheGridAndKeepsAtLeastOneCell) {
  ViewerScene scene = NumberedGround();
  scene.markers = {{.x = 100.0, .y = -100.0}};
  const SceneTerrain part = CropTerrain(scene, 1.0);
  EXPECT_EQ(part.nx, 2);
  EXPECT_EQ(part.ny, 2);
  EXPECT_EQ(part.x0, 4.5);
  EXPECT_EQ(part.y0, -2.5);
}

TEST(CropTerrainTest, IgnoresPosesThatAreNotFinite) {
  ViewerScene scene = NumberedGround();
  scene.tracks = {{.times_s = {0.0F, 1.0F}, .poses = {0, 0, 0, 1, 0, 0, 0, NAN, 0, 0, 1, 0, 0, 0}}};
  EXPECT_EQ(CropTerrain(scene, 1.0).nx, 5);
}

TEST(CropTerrainTest, LeavesAPlaneAPlane) { EXPECT_EQ(CropTerrain(ViewerScene{}, 1.0).nx, 0); }

TEST(SceneJsonTest, HoldsEveryPoseAndSeriesOfEveryTrack) {
  const ViewerScene scene = ExampleScene();
  const nlohmann::json json = SceneJson(scene);
  ASSERT_EQ(json["tracks"].size(), scene.tracks.size());
  for (std::size_t i = 0; i < scene.tracks.size(); ++i) {
    EXPECT_EQ(json["tracks"][i]["poses"], Base64(scene.tracks[i].poses));
    EXPECT_EQ(json["tracks"][i]["series"].size(), scene.tracks[i].series.size());
  }
  EXPECT_EQ(json["geoms"].size(), scene.geoms.size());
}

TEST(SceneJsonDeathTest, StopsOnAPoseArrayOfTheWrongLength) {
  ViewerScene scene = ExampleScene();
  scene.tracks[0].poses.pop_back();
  EXPECT_DEATH((void)SceneJson(scene), "poses.size");
}

}  // namespace
}  // namespace gonogo::report::internal
