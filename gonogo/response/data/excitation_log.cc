// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/excitation_log.h"

#include "gonogo/base/check.h"

namespace gonogo::response {

bool LoggedState::operator==(const LoggedState& other) const {
  return episode == other.episode && pose.p_W == other.pose.p_W && pose.yaw == other.pose.yaw &&
         height_m == other.height_m && height_W_m == other.height_W_m &&
         tilt_rad == other.tilt_rad && angular_speed == other.angular_speed &&
         command == other.command && effort == other.effort && power_w == other.power_w;
}

void AppendLog(const ExcitationLog& part, ExcitationLog& log) {
  GONOGO_CHECK(part.robot == log.robot && part.layout_hash == log.layout_hash);
  GONOGO_CHECK(part.observation_size == log.observation_size);
  if (part.states.empty()) return;
  const std::int32_t next = log.states.empty() ? 0 : log.states.back().episode + 1;
  const std::int32_t first = part.states.front().episode;
  for (LoggedState state : part.states) {
    state.episode += next - first;
    log.states.push_back(state);
  }
  log.observations.insert(log.observations.end(), part.observations.begin(),
                          part.observations.end());
}

}  // namespace gonogo::response
