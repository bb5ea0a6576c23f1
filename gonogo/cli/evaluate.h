// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo evaluate ROBOT`: controllers on the same starts.
[[nodiscard]] std::unique_ptr<Verb> MakeEvaluateVerb();

}  // namespace gonogo::cli
