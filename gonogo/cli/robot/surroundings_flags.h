// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "gonogo/base/result.h"
#include "gonogo/cli/arguments.h"
#include "gonogo/study/site.h"

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

}  // namespace gonogo::cli
