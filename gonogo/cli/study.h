// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo study ROBOT`: identify, collect, audit, report.
[[nodiscard]] std::unique_ptr<Verb> MakeStudyVerb();

}  // namespace gonogo::cli
