// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "gonogo/robot/command/command.h"
#include "gonogo/robot/command/target.h"

namespace gonogo::control {

/// What a controller may look at when it decides.
struct Situation {
  std::span<const float> observation;  ///< the policy's, whatever command it holds
  robot::Point2 goal_B;                ///< the target in the body frame, m
  double height_m = 0.0;               ///< measured terrain-relative posture height
  double tilt_rad = 0.0;               ///< measured
};

/// Why a command was given. In the kinds marked "direct" it equals the direct command bit for bit.
enum class Reason : std::uint8_t {
  kDirect,          ///< direct: nothing else was considered
  kScaled,          ///< a fixed share of the direct command
  kGoverned,        ///< scaled down because measured posture degraded
  kRestore,         ///< direct: measured height is below the operating band
  kRescue,          ///< towards the tallest candidate: direct would breach the posture floor
  kRescueWithout,   ///< direct: it would breach the floor, but no candidate makes progress
  kCompensate,      ///< towards the cheapest eligible candidate
  kNoneEligible,    ///< direct: no candidate keeps progress and posture
  kWithinMargin,    ///< direct: the cheapest eligible candidate does not save enough
  kPlanned,         ///< first command of the cheapest feasible sequence
  kDirectPlan,      ///< direct: no feasible sequence beats the direct one
  kNoneFeasible,    ///< direct: not even the direct sequence is feasible, nor any other
  kRetrieved,       ///< towards the velocity of a retrieved behaviour
  kGateClosed,      ///< direct: the gate refused the best behaviour, or every action
  kNoneApplicable,  ///< direct: no behaviour of the archive fits the state, or it is no number
  kAdapted,         ///< the action an adapter chose
};

[[nodiscard]] std::string_view ReasonName(Reason reason);

/// Whether the reason lets the command differ from the direct one.
[[nodiscard]] bool IsActive(Reason reason);

struct CommandDecision {
  robot::Command command;
  Reason reason = Reason::kDirect;
  robot::Command towards = {};  ///< what the correction pulls to; the direct command if none
  double gain = 0.0;            ///< share of the way from direct to `towards` that was taken
};

/// A task layer over a frozen policy. One object per thread: `Decide` may use its own memory, but
/// allocates nothing.
class Controller {
 public:
  virtual ~Controller() = default;
  virtual CommandDecision Decide(const Situation& now) = 0;
};

/// direct + gain (towards - direct): `direct` itself, bit for bit, for gain 0 or towards = direct.
[[nodiscard]] robot::Command Blend(const robot::Command& direct, const robot::Command& towards,
                                   double gain);

}  // namespace gonogo::control
