// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/sphere_ground.h"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>
#include <mujoco/mujoco.h>

#include "gonogo/sim/testing/test_world.h"

namespace gonogo::sim {
namespace {

using internal::NearestOfColumn;
using robot::Vec3;

constexpr Vec3 kA{0, 0, 0};
constexpr Vec3 kB{1, 0, 0};
constexpr Vec3 kC{0, 1, 1};  // rises along y

TEST(NearestOfColumnTest, AboveTheTriangleItIsTheFootOfThePerpendicular) {
  // The plane z = y through (0.2, 0.3, 0.3); 0.1 along its normal (0, -1, 1) / sqrt(2).
  const double step = 0.1 / std::sqrt(2.0);
  const auto nearest = NearestOfColumn({0.2, 0.3 - step, 0.3 + step}, kA, kB, kC);
  EXPECT_FALSE(nearest.inside);
  EXPECT_NEAR(nearest.point[0], 0.2, 1e-12);
  EXPECT_NEAR(nearest.point[1], 0.3, 1e-12);
  EXPECT_NEAR(nearest.point[2], 0.3, 1e-12);
}

TEST(NearestOfColumnTest, BesideTheColumnItIsOnTheEdgeTheCornerOrTheWall) {
  EXPECT_EQ(NearestOfColumn({0.4, -1.0, 0.5}, kA, kB, kC).point, (Vec3{0.4, 0, 0}));    // edge
  EXPECT_EQ(NearestOfColumn({-1.0, -1.0, 0.5}, kA, kB, kC).point, (Vec3{0, 0, 0}));     // corner
  EXPECT_EQ(NearestOfColumn({-0.3, 0.5, 0.2}, kA, kB, kC).point, (Vec3{0, 0.5, 0.2}));  // wall
  EXPECT_EQ(NearestOfColumn({-0.3, 0.5, 0.2}, kA, kC, kB).point, (Vec3{0, 0.5, 0.2}));
}

TEST(NearestOfColumnTest, BelowTheTriangleThePointIsInside) {
  EXPECT_TRUE(NearestOfColumn({0.2, 0.3, 0.1}, kA, kB, kC).inside);
  EXPECT_FALSE(NearestOfColumn({0.2, 0.3, 0.5}, kA, kB, kC).inside);
}

/// A foot that can be put anywhere on a tile, seen by the engine's collider and by ours.
class SphereGroundTest : public testing::TestWithParam<TileKind> {
 protected:
  void SetUp() override {
    world_ = internal::WorldOf(GetParam(), 0.3, 4);
    data_.reset(mj_makeData(world_->model()));
    mj_forward(world_->model(), data_.get());
    ground_ = mj_name2id(world_->model(), mjOBJ_GEOM, "gonogo_terrain");
    foot_ = mj_name2id(world_->model(), mjOBJ_GEOM, "FL_foot");
    radius_ = world_->model()->geom_size[3 * foot_];
  }

  std::vector<mjPreContact> Contacts(const Vec3& at, bool fast) {
    std::copy(at.begin(), at.end(), data_->geom_xpos + 3 * foot_);
    std::vector<mjPreContact> contacts(mjMAXCONPAIR);
    const FastGroundScope scope(fast);
    contacts.resize(static_cast<std::size_t>(mjCOLLISIONFUNC[mjGEOM_HFIELD][mjGEOM_SPHERE](
        world_->model(), data_.get(), contacts.data(), ground_, foot_, 0.0)));
    return contacts;
  }

  static double Deepest(const std::vector<mjPreContact>& contacts) {
    double deepest = 0.0;
    for (const mjPreContact& contact : contacts) deepest = std::min(deepest, contact.dist);
    return deepest;
  }

  /// Distance of a point above the ground from it, by looking at many points of it.
  [[nodiscard]] double SearchedDistance(const Vec3& at) const {
    constexpr int kPoints = 120;
    double best = std::numeric_limits<double>::infinity();
    for (int i = -kPoints; i <= kPoints; ++i) {
      for (int j = -kPoints; j <= kPoints; ++j) {
        const double x = at[0] + 1.2 * radius_ * i / kPoints;
        const double y = at[1] + 1.2 * radius_ * j / kPoints;
        best = std::min(best,
                        std::hypot(x - at[0], y - at[1], world_->terrain().Height(x, y) - at[2]));
      }
    }
    return best;
  }

  std::shared_ptr<const World> world_;
  DataPtr data_;
  int ground_ = 0;
  int foot_ = 0;
  double radius_ = 0.0;
};

TEST_P(SphereGroundTest, TheDeepestContactIsAtTheNearestPointOfTheGround) {
  Rng rng = RngStream(6).Generator();
  int touching = 0;
  for (int i = 0; i < 300; ++i) {
    const double x = rng.Uniform(-3.0, 3.0);
    const double y = rng.Uniform(-3.0, 3.0);
    const Vec3 at{x, y, world_->terrain().Height(x, y) + rng.Uniform(0.2, 1.3) * radius_};
    const double searched = SearchedDistance(at) - radius_;
    const std::vector<mjPreContact> contacts = Contacts(at, true);
    if (std::abs(searched) < 1e-4) continue;
    EXPECT_EQ(contacts.empty(), searched > 0.0);
    if (contacts.empty()) continue;
    ++touching;
    EXPECT_NEAR(Deepest(contacts), searched, 2e-4) << x << " " << y;
    EXPECT_EQ(contacts.front().dist, Deepest(contacts));
    // From the ground to the foot; the contact half way between the two surfaces.
    for (int k = 0; k < 3; ++k) {
      EXPECT_NEAR(contacts.front().pos[k] +
                      contacts.front().normal[k] * (radius_ + 0.5 * contacts.front().dist),
                  at[static_cast<std::size_t>(k)], 1e-9);
    }
  }
  EXPECT_GT(touching, 100);
}

// The engine's search is an approximation on anything but a plane: it is compared where feet
// stand, on contacts of a few millimetres.
TEST_P(SphereGroundTest, AgreesWithTheEngineAboutShallowContacts) {
  Rng rng = RngStream(7).Generator();
  int compared = 0;
  double worst = 0.0;
  for (int i = 0; i < 1000; ++i) {
    const double x = rng.Uniform(-3.0, 3.0);
    const double y = rng.Uniform(-3.0, 3.0);
    const Vec3 at{x, y, world_->terrain().Height(x, y) + rng.Uniform(0.9, 1.05) * radius_};
    const std::vector<mjPreContact> ours = Contacts(at, true);
    const std::vector<mjPreContact> engine = Contacts(at, false);
    if (Deepest(engine) < -0.003 || Deepest(engine) > -1e-4 || ours.empty()) continue;
    ++compared;
    worst = std::max(worst, std::abs(Deepest(ours) - Deepest(engine)));
    const auto deepest = std::min_element(
        engine.begin(), engine.end(),
        [](const mjPreContact& a, const mjPreContact& b) { return a.dist < b.dist; });
    EXPECT_GT(mju_dot3(deepest->normal, ours.front().normal), 0.98) << x << " " << y;
  }
  EXPECT_GT(compared, 100);
  EXPECT_LT(worst, 5e-4);
}

INSTANTIATE_TEST_SUITE_P(Grounds, SphereGroundTest,
                         testing::Values(TileKind::kRough, TileKind::kSlope, TileKind::kStairs,
                                         TileKind::kBoxes));

TEST(SphereGroundTest, WorldsThatDoNotAskForItKeepTheEnginesCollider) {
  const robot::RobotSpec spec = internal::Go2();
  const Terrain terrain = RoughTerrain(1, spec.terrain, RngStream(3));
  EXPECT_FALSE(World::Create(spec, terrain).value()->fast_ground());
  EXPECT_TRUE(World::Create(spec, terrain, {.fast_ground = true}).value()->fast_ground());
}

}  // namespace
}  // namespace gonogo::sim
