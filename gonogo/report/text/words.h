// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace gonogo::report {

/// "a", "a and b", "a, b and c"; `last` is the word before the last one.
[[nodiscard]] std::string JoinWords(const std::vector<std::string>& words,
                                    const std::string& last = "and");

/// "1 cluster", "20 clusters"; `word` in the singular, its plural ends in s unless given.
[[nodiscard]] std::string Counted(std::size_t count, const std::string& word,
                                  const std::string& plural = "");

}  // namespace gonogo::report
