// SPDX-License-Identifier: Apache-2.0
// For targets whose input is JSON: most mutations change a value in it, so that it stays JSON. To
// be included once, by the target itself.
#pragma once

#include <algorithm>
#include <array>
#include <random>

#include "fuzz/json_edits.h"

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size,
                                               std::size_t most, unsigned seed) {
  using gonogo::fuzz::Json;
  std::minstd_rand random(seed);
  Json value = Json::parse(data, data + size, nullptr, /*allow_exceptions=*/false);
  if (value.is_discarded() || random() % 16 == 0) return LLVMFuzzerMutate(data, size, most);
  std::array<std::uint8_t, 64> choices{};
  std::generate(choices.begin(), choices.end(),
                [&] { return static_cast<std::uint8_t>(random() >> 8U); });
  gonogo::fuzz::Bytes bytes(choices.data(), choices.size());
  for (std::size_t edits = 1 + bytes.Below(3); edits > 0; --edits) {
    gonogo::fuzz::EditJson(value, bytes);
  }
  const std::string text = value.dump(-1, ' ', false, Json::error_handler_t::replace);
  if (text.size() > most) return LLVMFuzzerMutate(data, size, most);
  std::copy(text.begin(), text.end(), data);
  return text.size();
}
