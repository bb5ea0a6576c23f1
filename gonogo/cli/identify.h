// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>

#include "gonogo/cli/verb.h"

namespace gonogo::cli {

/// `gonogo identify ROBOT`: what would each command do?
[[nodiscard]] std::unique_ptr<Verb> MakeIdentifyVerb();

}  // namespace gonogo::cli
