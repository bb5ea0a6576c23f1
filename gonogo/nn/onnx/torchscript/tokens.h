// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "gonogo/base/result.h"

namespace gonogo::nn::torchscript {

struct Token {
  enum class Kind { kName, kNumber, kText, kSign, kLine, kIndent, kDedent, kEnd };
  Kind kind = Kind::kEnd;
  std::string text;
  int line = 0;
};

/// Names with their dots are one token; the end of a line inside brackets is none.
[[nodiscard]] Result<std::vector<Token>> Tokenise(std::string_view text);

}  // namespace gonogo::nn::torchscript
