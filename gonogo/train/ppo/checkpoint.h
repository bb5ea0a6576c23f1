// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

#include "gonogo/base/result.h"
#include "gonogo/train/ppo/ppo.h"

namespace gonogo::train {

/// Where a training run stands. Environments are not part of it: all of them start afresh, from
/// streams named by the iteration, wherever a checkpoint is written.
struct Checkpoint {
  std::string fingerprint;  ///< of robot and recipe; a run resumes only what it began
  std::int64_t iteration = 0;
  std::int64_t samples = 0;
  PpoLearner::State learner;
};

/// Written whole or not at all.
[[nodiscard]] Status SaveCheckpoint(const std::filesystem::path& file,
                                    const Checkpoint& checkpoint);
/// The same of bytes that were read from `file`. Checkpoints of the first version do not say what
/// their networks read: `input_scale` and `input_centre` are empty.
[[nodiscard]] Result<Checkpoint> ParseCheckpoint(std::string_view bytes,
                                                 const std::filesystem::path& file);
[[nodiscard]] Result<Checkpoint> LoadCheckpoint(const std::filesystem::path& file);

}  // namespace gonogo::train
