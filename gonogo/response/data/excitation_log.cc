// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/excitation_log.h"

namespace gonogo::response {

bool LoggedState::operator==(const LoggedState& other) const {
  return episode == other.episode && pose.p_W == other.pose.p_W && pose.yaw == other.pose.yaw &&
         height_m == other.height_m && height_W_m == other.height_W_m &&
         tilt_rad == other.tilt_rad && angular_speed == other.angular_speed &&
         command == other.command && effort == other.effort && power_w == other.power_w &&
         control_effort == other.control_effort && control_power_w == other.control_power_w;
}

}  // namespace gonogo::response
