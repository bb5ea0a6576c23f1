// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/model/newer_mjcf.h"

#include <algorithm>
#include <array>
#include <utility>

namespace gonogo::sim {
namespace {

using enum NewerAttribute::Fate;

constexpr std::string_view kSolver = "a setting of newer solvers";
constexpr std::string_view kSleep = "robots that walk do not sleep";
constexpr std::string_view kAlign = "it concerns free bodies without joints only";
constexpr std::string_view kFiles = "it concerns looks or files only";
constexpr std::string_view kLimit =
    "the limit of the joint's torque unless actuator.effort_limit is given";
constexpr std::string_view kFlatten =
    "MuJoCo 3 replaces it by plain bodies when it saves a model (mj_saveLastXML, or \"Save xml\" "
    "in "
    "its viewer); use that file";
constexpr std::string_view kDelayed =
    "it delays or smooths the command of the motor; say so in robot.toml (joints.action_delay, "
    "action_smoothing, actuator.lag) and remove it";
constexpr std::string_view kSoft = "bodies that bend are not simulated here";

constexpr auto kNewer = std::to_array<NewerAttribute>({
    {"option", "ls_iterations", kLeftOut, kSolver},
    {"option", "ls_tolerance", kLeftOut, kSolver},
    {"option", "sdf_iterations", kLeftOut, kSolver},
    {"option", "sdf_initpoints", kLeftOut, kSolver},
    {"option", "ccd_iterations", kLeftOut, kSolver},
    {"option", "ccd_tolerance", kLeftOut, kSolver},
    {"option", "sleep_tolerance", kLeftOut, kSleep},
    {"option", "actuatorgroupdisable", kLeftOut, "all actuators are in use"},
    {"flag", "island", kLeftOut, kSolver},
    {"flag", "nativeccd", kLeftOut, kSolver},
    {"flag", "midphase", kLeftOut, kSolver},
    {"flag", "multiccd", kLeftOut, kSolver},
    {"flag", "invdiscrete", kLeftOut, "nothing here reads it"},
    {"flag", "sleep", kLeftOut, kSleep},
    {"flag", "autoreset", kLeftOut, "a robot that diverges ends its episode"},
    {"flag", "eulerdamp", kLeftOut, "damping of joints is always integrated implicitly here"},
    {"size", "memory", kLeftOut, "this version sizes its memory itself"},
    {"compiler", "saveinertial", kLeftOut, kFiles},
    {"compiler", "alignfree", kLeftOut, kAlign},
    {"freejoint", "align", kLeftOut, kAlign},
    {"body", "sleep", kLeftOut, kSleep},
    {"body", "gravcomp", kCarried, "a force that takes this share off the body's weight"},
    {"joint", "actuatorfrcrange", kCarried, kLimit},
    {"joint", "actuatorfrclimited", kLeftOut, "a range is always a limit here"},
    {"joint", "actuatorgravcomp", kRefused,
     "the motors would have to give what gravcomp takes off, and here they cannot; remove both, or "
     "set it to false"},
    {"position", "kv", kCarried, "the gain on the speed unless actuator.kd is given"},
    {"position", "dampratio", kCarried,
     "the gain on the speed that damps the joint's inertia by this ratio unless actuator.kd is "
     "given",
     "0 "},
    {"position", "inheritrange", kLeftOut,
     "give the range as joints.target_low and target_high in robot.toml"},
    {"", "timeconst", kRefused, kDelayed},
    {"", "delay", kRefused, kDelayed},
    {"", "nsample", kRefused, kDelayed},
    {"", "actearly", kRefused, kDelayed},
    {"pair", "solreffriction", kRefused, "this version has one softness for a whole contact"},
    {"mesh", "maxhullvert", kLeftOut, kFiles},
    {"mesh", "inertia", kLeftOut, "the default is used"},
    {"", "content_type", kLeftOut, kFiles},
    {"statistic", "", kLeftOut, kFiles},
    {"texture", "", kLeftOut, kFiles},
    {"material", "", kLeftOut, kFiles},
    {"camera", "", kLeftOut, kFiles},
    {"light", "", kLeftOut, kFiles},
    {"key", "mpos", kLeftOut, kFiles},
    {"key", "mquat", kLeftOut, kFiles},
});

constexpr auto kElements = std::to_array<std::pair<std::string_view, std::string_view>>({
    {"frame", kFlatten},
    {"replicate", kFlatten},
    {"attach", kFlatten},
    {"model", kFlatten},
    {"flex", kSoft},
    {"flexcomp", kSoft},
    {"deformable", kSoft},
    {"extension", "plugins are not loaded"},
    {"plugin", "plugins are not loaded"},
});

}  // namespace

const NewerAttribute* FindNewer(const std::string& element, const std::string& attribute) {
  const auto* const found =
      std::find_if(kNewer.begin(), kNewer.end(), [&](const NewerAttribute& newer) {
        return (newer.element.empty() || newer.element == element) &&
               (newer.attribute.empty() || newer.attribute == attribute);
      });
  return found == kNewer.end() ? nullptr : found;
}

std::string WhyNotKept(const std::string& element) {
  const auto* const found = std::find_if(kElements.begin(), kElements.end(),
                                         [&](const auto& known) { return known.first == element; });
  return found == kElements.end() ? "" : std::string(found->second);
}

bool IsLooks(const std::string& section) {
  return section == "visual" || section == "sensor" || section == "material" ||
         section == "texture";
}

}  // namespace gonogo::sim
