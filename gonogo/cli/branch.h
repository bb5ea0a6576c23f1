// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo branch ROBOT QUERY`: look at all branches of one query.
[[nodiscard]] std::unique_ptr<Verb> MakeBranchVerb();

}  // namespace gonogo::cli
