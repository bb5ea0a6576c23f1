// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo report`: the page of a result file.
[[nodiscard]] std::unique_ptr<Verb> MakeReportVerb();

}  // namespace gonogo::cli
