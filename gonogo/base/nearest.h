// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace gonogo {

/// " (did you mean 'kappa'?)" when one of the options is a likely misspelling of `word`, otherwise
/// nothing.
[[nodiscard]] std::string DidYouMean(std::string_view word, std::span<const std::string> options);

}  // namespace gonogo
