// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/json/json.h"

namespace gonogo::io {

Result<nlohmann::json> ParseJson(std::string_view text, const std::string& name) {
  using nlohmann::json;
  constexpr int kDeepest = 100;
  bool too_deep = false;
  const auto keep = [&](int depth, json::parse_event_t, const json&) {
    too_deep = too_deep || depth > kDeepest;
    return !too_deep;
  };
  json value = json::parse(text, keep, /*allow_exceptions=*/false);
  if (too_deep) return InputError("{}: nests deeper than {} levels", name, kDeepest);
  if (value.is_discarded()) return InputError("{}: not valid JSON", name);
  return value;
}

}  // namespace gonogo::io
