// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/method_settings.h"

#include <charconv>

#include "gonogo/base/nearest.h"

namespace gonogo::study {

std::map<std::string, double*> MethodSettings::Names() {
  return {{"vgcc.gain", &vgcc.gain},
          {"vgcc.anneal_distance", &vgcc.anneal_distance_m},
          {"vgcc.progress_floor", &vgcc.progress_floor},
          {"vgcc.cost_margin", &vgcc.cost_margin},
          {"governor.height_full", &governor.height_full},
          {"governor.height_least", &governor.height_least},
          {"governor.tilt_full", &governor.tilt_full_rad},
          {"governor.tilt_least", &governor.tilt_least_rad},
          {"governor.least_scale", &governor.least_scale},
          {"mpc.spread", &mpc.spread},
          {"mpc.time_budget", &mpc.time_budget},
          {"mpc.success_loss", &mpc.success_loss},
          {"mpc.largest_tilt", &mpc.largest_tilt_rad},
          {"mpc.largest_angular_speed", &mpc.largest_angular_speed},
          {"vgsr.gain", &vgsr.gain},
          {"vgsr.progress_floor", &vgsr.progress_floor},
          {"vgsr.effort_ceiling", &vgsr.effort_ceiling},
          {"adapter.hold", &adapter_hold}};
}

std::string MethodSettings::Text(std::string_view kind) {
  std::string text;
  for (const auto& [name, value] : Names()) {
    if (name.starts_with(kind)) text += fmt::format(" {}={}", name, *value);
  }
  return text;
}

Result<double> ParseNumber(std::string_view text, std::string_view where) {
  double value = 0.0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (failure == std::errc() && end == text.data() + text.size()) return value;
  return UsageError("{}: \"{}\" is not a number", where, text);
}

Result<MethodSettings> ParseSettings(const std::vector<std::string>& texts) {
  MethodSettings settings;
  const std::map<std::string, double*> names = settings.Names();
  for (const std::string& text : texts) {
    const std::size_t equals = text.find('=');
    const std::string key = text.substr(0, equals);
    const auto found = names.find(key);
    if (found == names.end()) {
      std::vector<std::string> keys;
      for (const auto& [name, value] : names) keys.push_back(name);
      return UsageError("--set {}: no such setting{}; there are {}", text, DidYouMean(key, keys),
                        fmt::join(keys, ", "));
    }
    if (equals == std::string::npos) return UsageError("--set {}: expected {}=NUMBER", text, key);
    const double value = GONOGO_TRY(ParseNumber(std::string_view(text).substr(equals + 1), text));
    *found->second = value;
  }
  for (const Status& valid : {Validate(settings.vgcc), Validate(settings.governor),
                              Validate(settings.mpc), Validate(settings.vgsr)}) {
    if (!valid.ok()) return valid.error();
  }
  return settings;
}

}  // namespace gonogo::study
