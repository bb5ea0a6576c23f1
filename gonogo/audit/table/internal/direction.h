// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace gonogo::audit::internal {

/// Whether a column of that name usually holds something of which more is better: a reward, a
/// score, a success rate. Words such as "error" or "price" beside it take that back.
[[nodiscard]] bool SaysMoreIsBetter(std::string_view name);

/// The two lines under [table] of which a person has to choose one, with what each means.
[[nodiscard]] std::string DirectionLines(const std::string& column, std::string_view start);

}  // namespace gonogo::audit::internal
