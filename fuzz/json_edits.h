// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "fuzz/bytes.h"
#include <nlohmann/json.hpp>

namespace gonogo::fuzz {

using Json = nlohmann::json;

inline void CollectNodes(Json& value, std::vector<Json*>& nodes) {
  nodes.push_back(&value);
  if (!value.is_structured()) return;
  for (Json& child : value) CollectNodes(child, nodes);
}

/// Values that readers like to forget.
inline Json OddValue(Bytes& bytes) {
  static const std::vector<Json> kValues = {nullptr,
                                            true,
                                            false,
                                            0,
                                            1,
                                            -1,
                                            2,
                                            0.5,
                                            1e300,
                                            -1e300,
                                            5e-324,
                                            1'000'000'000'000,
                                            std::numeric_limits<std::int64_t>::min(),
                                            std::numeric_limits<std::uint64_t>::max(),
                                            "",
                                            "a",
                                            std::string(1, '\0'),
                                            "<b>&\"'",
                                            std::string(300, 'x'),
                                            Json::array(),
                                            Json::object(),
                                            Json::array({Json::array()}),
                                            Json::array({1, 2, 3})};
  return bytes.Of(kValues);
}

/// Changes one place of a JSON value: another value, a copy of another place, a child less or more.
inline void EditJson(Json& root, Bytes& bytes) {
  std::vector<Json*> nodes;
  CollectNodes(root, nodes);
  const std::size_t many = 256 * bytes.Below(256);
  Json& node = *nodes[(many + bytes.Below(256)) % nodes.size()];
  const Json other = *nodes[(many + bytes.Below(256)) % nodes.size()];
  switch (bytes.Below(5)) {
    case 0:
      node = OddValue(bytes);
      return;
    case 1:
      node = other;
      return;
    case 2:
      if (!node.is_structured() || node.empty()) return;
      node.erase(std::next(node.begin(), static_cast<int>(bytes.Below(256) % node.size())));
      return;
    case 3:
      if (node.is_array()) node.push_back(other);
      if (node.is_object()) node["extra"] = other;
      return;
    default:
      if (node.is_number_integer()) node = node.get<std::int64_t>() >> bytes.Below(8);
      if (node.is_number_float()) node = node.get<double>() * (bytes.Coin() ? -1.0 : 1e100);
      if (node.is_string()) node = node.get<std::string>() + other.dump();
  }
}

}  // namespace gonogo::fuzz
