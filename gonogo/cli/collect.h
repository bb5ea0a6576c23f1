// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo collect ROBOT`: the outcomes of every intervention at the same states.
[[nodiscard]] std::unique_ptr<Verb> MakeCollectVerb();

}  // namespace gonogo::cli
