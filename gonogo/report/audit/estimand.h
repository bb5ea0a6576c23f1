// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <string>
#include <string_view>

namespace gonogo::report::internal {

/// The order in which a page lists them: from what could be saved to what it costs.
inline constexpr std::array kEstimandOrder{"H_avail", "H_global", "H_total",
                                           "H_alloc", "H_dep",    "q"};

/// How the page speaks of a quantity the result calls `key`.
struct Estimand {
  std::string key;      ///< "H_dep"
  std::string title;    ///< "Deployment gain"
  std::string meaning;  ///< one sentence
};

/// The description of `key`; an unknown key is its own title and has no meaning.
[[nodiscard]] Estimand DescribeEstimand(std::string_view key);

/// "Deployment gain (H_dep)"
[[nodiscard]] std::string FullTitle(const Estimand& estimand);

}  // namespace gonogo::report::internal
