// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include <nlohmann/json.hpp>

namespace gonogo::response {

/// Whose behaviour a model describes and where it comes from.
struct ModelIdentity {
  std::string robot;
  std::uint64_t layout_hash = 0;
  nlohmann::json provenance = nlohmann::json::object();  ///< data, seed, options, build
};

}  // namespace gonogo::response
