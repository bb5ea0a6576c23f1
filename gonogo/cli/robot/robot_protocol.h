// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/result.h"
#include "gonogo/cli/arguments.h"
#include "gonogo/study/collect/collect_config.h"
#include "gonogo/study/scene.h"

namespace gonogo::cli {

/// `--terrain`, `--terrain-seed` and `--conditions`: the same words with the same meaning for every
/// verb.
class SurroundingsFlags {
 public:
  /// What stands when nothing is given. `seed` may be empty: that of the run.
  explicit SurroundingsFlags(std::string terrain, std::string seed = "")
      : terrain_(std::move(terrain)), seed_(std::move(seed)) {}

  void Add(Arguments verb);

  /// Every seed has its own ground unless --terrain-seed or the verb says otherwise.
  [[nodiscard]] Result<study::Surroundings> Read() const;
  /// The same where there is one run with one seed.
  [[nodiscard]] Result<study::Surroundings> Read(std::uint64_t seed) const;

  [[nodiscard]] const std::string& terrain() const { return terrain_; }
  [[nodiscard]] const std::string& seed() const { return seed_; }
  [[nodiscard]] const std::string& conditions() const { return conditions_; }

 private:
  std::string terrain_;
  std::string seed_;
  std::string conditions_;
};

/// Flags that say which robot is studied under which protocol, before it is declared.
class RobotProtocolFlags {
 public:
  void Add(Arguments verb);

  /// The protocol file (ROBOT/audit.toml if none is given) with --queries, the ground and --set
  /// applied.
  [[nodiscard]] Result<audit::Protocol> Read() const;

  [[nodiscard]] const std::filesystem::path& robot() const { return robot_; }
  /// runs/identify-ROBOT unless given.
  [[nodiscard]] std::filesystem::path models() const;

 private:
  std::filesystem::path robot_;
  std::filesystem::path file_;
  std::filesystem::path models_;
  std::string queries_;
  SurroundingsFlags surroundings_{""};
  std::vector<std::string> set_;
};

}  // namespace gonogo::cli
