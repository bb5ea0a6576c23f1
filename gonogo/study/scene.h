// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "gonogo/base/result.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/loop/conditions.h"
#include "gonogo/sim/world/ground.h"

namespace gonogo::robot {
class Policy;
}
namespace gonogo::sim {
class World;
}

namespace gonogo::study {

/// Where robots are run: on which ground, one for all seeds or one for each, and under what.
struct Surroundings {
  sim::Ground ground;
  sim::GroundSeed seed = {.common = 1};
  sim::Conditions conditions = {};

  /// Whether runs of different seeds need worlds of their own.
  [[nodiscard]] bool differ_by_seed() const {
    return !seed.common || conditions.payload_kg || conditions.friction;
  }
  /// For fingerprints and records: "grid of seed 1, noise".
  [[nodiscard]] std::string text() const;
};

/// SHA-256 of the files that a robot is made of.
struct RobotHashes {
  std::string description;  ///< robot.toml
  std::string model;
  std::string policy;  ///< of `PolicyHash`
};

/// A robot as its files were at one moment.
struct OpenedRobot {
  robot::RobotSpec spec;
  std::shared_ptr<const robot::Policy> policy;
  RobotHashes sha256;
};

/// The robot of a folder, or of a robot.toml under another name. An error if one of its files is
/// changed meanwhile: outcomes of one policy could be kept under the hash of another.
[[nodiscard]] Result<OpenedRobot> OpenRobot(const std::filesystem::path& robot);

/// SHA-256 of the policy's file, followed by its encoder's if it has one: what `policy_sha256`
/// means in every file we write.
[[nodiscard]] Result<std::string> PolicyHash(const robot::RobotSpec& robot);

/// Where `gonogo identify` writes the models of the robot of that name unless it is told
/// otherwise.
[[nodiscard]] std::filesystem::path ModelsFolder(const std::string& robot);

/// A robot with its frozen policy on a ground: where every robot study takes place.
struct Scene {
  robot::RobotSpec robot;
  std::shared_ptr<const robot::Policy> policy;
  RobotHashes sha256;
  std::shared_ptr<const sim::World> world;   ///< null when every seed has its own …
  std::optional<Surroundings> by_seed = {};  ///< … which `SceneOf` makes from these
  sim::Conditions conditions = {};
};

/// A robot on a ground, whoever moves it. `terrain` is one of the texts of `sim::Ground`.
[[nodiscard]] Result<std::shared_ptr<const sim::World>> OpenWorld(const robot::RobotSpec& robot,
                                                                  std::string_view terrain,
                                                                  std::uint64_t terrain_seed);

/// `terrain` is one of the texts of `sim::Ground`. Its heights depend on the seed alone.
[[nodiscard]] Result<Scene> OpenScene(const std::filesystem::path& robot, std::string_view terrain,
                                      std::uint64_t terrain_seed);
[[nodiscard]] Result<Scene> OpenScene(const std::filesystem::path& robot,
                                      const Surroundings& surroundings);
[[nodiscard]] Result<Scene> OpenScene(OpenedRobot robot, const Surroundings& surroundings);

/// Where a run of this seed takes place: the scene itself, or its robot in the world of the seed.
[[nodiscard]] Result<Scene> SceneOf(const Scene& scene, std::uint64_t seed);

/// What decides how an episode on this scene goes, apart from controller, target and seed: hashes
/// of the robot's files and of the ground, and the build.
[[nodiscard]] std::string SceneFingerprint(const Scene& scene);

/// The height at which a policy stands when told to stand: the mean posture height over the third
/// second on flat ground.
[[nodiscard]] Result<double> StandingHeight(const robot::RobotSpec& robot,
                                            const std::shared_ptr<const robot::Policy>& policy);

}  // namespace gonogo::study
