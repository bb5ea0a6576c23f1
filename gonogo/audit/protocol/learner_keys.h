// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/learner_config.h"
#include "gonogo/io/toml/keys.h"

namespace gonogo::audit {

/// The keys of `[learner]`.
[[nodiscard]] io::TomlKeys<LearnerConfig> LearnerKeys();

}  // namespace gonogo::audit
