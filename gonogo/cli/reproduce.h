// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo reproduce [NAME…]`: the paper's tables and figures, theirs beside ours.
[[nodiscard]] std::unique_ptr<Verb> MakeReproduceVerb();

}  // namespace gonogo::cli
