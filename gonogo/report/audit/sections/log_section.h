// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>

#include <nlohmann/json.hpp>

#include "gonogo/report/page/page.h"

namespace gonogo::report::internal {

/// What an audit of a log rests on: how often actions were tried and what they cost on average by
/// every estimator. Nothing for a table in which every action was tried at every query.
[[nodiscard]] std::optional<Section> LogSection(const nlohmann::json& log);

}  // namespace gonogo::report::internal
