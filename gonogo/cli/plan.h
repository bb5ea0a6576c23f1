// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

[[nodiscard]] std::unique_ptr<Verb> MakePlanVerb();

}  // namespace gonogo::cli
