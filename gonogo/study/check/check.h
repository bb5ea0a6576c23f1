// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/robot/policy.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/sim/world/mechanics.h"
#include "gonogo/study/check/trial.h"

/// \file
/// Is a robot described as its policy was trained? Nothing can prove it, but most mistakes show: a
/// robot that falls, ignores a command or wastes power under its own policy, inputs the policy
/// never met, a time step its gains cannot bear. And a mistake undone makes it walk better.

namespace gonogo::study {

/// How much a finding says about a robot's description.
enum class Severity {
  kNote,        ///< worth knowing
  kSuspicious,  ///< some correct robots look like this; most that do are described wrongly
  kBroken,      ///< nothing measured on this robot would mean anything
};

/// Something a check noticed, in whole sentences.
struct CheckFinding {
  Severity severity = Severity::kNote;
  std::string subject;  ///< what was looked at, such as "standing" or "time step"
  std::string what;     ///< what was measured
  std::string cause;    ///< likely reasons and what to look at; may be empty
};

/// The gravest of the findings; a note is none.
enum class CheckVerdict { kOk, kSuspicious, kBroken };

[[nodiscard]] CheckVerdict VerdictOf(const std::vector<CheckFinding>& findings);
/// "ok", "suspicious", "broken".
[[nodiscard]] const char* Name(CheckVerdict verdict);
/// "note", "suspicious", "broken".
[[nodiscard]] const char* Name(Severity severity);

/// The findings, gravest first, each with its likely cause; `paint` shows how grave they are.
[[nodiscard]] std::string FindingsText(
    const std::vector<CheckFinding>& findings,
    const std::function<std::string(Severity)>& paint = [](Severity s) { return Name(s); });

struct CheckOptions {
  double seconds = 6.0;  ///< of every run, 2 to 600
  /// Try other descriptions only if something is wrong, not on every robot.
  bool quick = false;
};

/// How well a description walks, over all its trials.
struct Score {
  int falls = 0;
  /// Mean distance between told and done, in units of the command box; 1.5 for a fall.
  double error = 0.0;
  double power_w = 0.0;  ///< mean of the trials without a fall
  int trials = 0;        ///< it is over these, from the first
};

/// How another description did, and whether it is so much better that it was probably meant. Its
/// trials end when they can no longer show that.
struct AlternativeResult {
  std::string key;
  std::string what;
  Score score;
  bool better = false;
};

/// The same runs at half the physics step: zero command, and the first channel.
struct StepComparison {
  double power_w = 0.0;
  double halved_power_w = 0.0;
  double speed = 0.0;  ///< of the channel, m/s or rad/s
  double halved_speed = 0.0;
  bool fell = false;  ///< at half the step
};

/// Whether the policy's own slopes fit the declared shape of the height scan.
struct ScanReading {
  double declared = 0.0;  ///< correlation of neighbours across, rows as declared …
  double swapped = 0.0;   ///< … and with the two numbers of `points` exchanged
};

struct CheckReport {
  std::string robot;
  double mass_kg = 0.0;
  std::vector<CommandTrial> trials;
  std::vector<Motion> motions;                      ///< of each trial
  std::vector<std::optional<Motion>> half_motions;  ///< at half the command, where it fell
  std::vector<ChannelPoint> sweep;                  ///< of channels that are no velocities
  Seen seen;
  std::vector<sim::JointMechanics> joints;
  sim::Mechanics::Load load;  ///< of the declared physics step
  /// Largest physics step that divides the control step and loads the gains by half at most, and
  /// its decimation.
  double fit_dt_s = 0.0;
  int fit_decimation = 0;
  std::optional<StepComparison> halved;  ///< nothing if it fell at the declared step
  std::optional<robot::ExpectedInput> expected;
  std::vector<double> strength;  ///< of the policy's answer to each element of its observation
  std::optional<ScanReading> scan;
  Score score;
  std::vector<AlternativeResult> alternatives;
  std::vector<CheckFinding> findings;

  [[nodiscard]] CheckVerdict verdict() const { return VerdictOf(findings); }
  /// Mean height at zero command: what `posture.nominal_height` should be. Nothing if it fell.
  [[nodiscard]] std::optional<double> standing_height_m() const;
};

/// Runs a robot under its policy on flat ground and judges what it sees. Errors: a description that
/// cannot be run at all.
[[nodiscard]] Result<CheckReport> CheckRobot(const robot::RobotSpec& robot,
                                             const std::shared_ptr<const robot::Policy>& policy,
                                             const CheckOptions& options,
                                             const Execution& execution);

/// How well these motions did what they were told: those of the first trials, or of all.
[[nodiscard]] Score ScoreOf(const robot::CommandBox& box, const std::vector<CommandTrial>& trials,
                            const std::vector<Motion>& motions);

/// Whether a description can no longer be clearly better, however its remaining trials go: `score`
/// is that of its first ones out of `trials`.
[[nodiscard]] bool OutOfTheRunning(const Score& score, std::size_t trials, const Score& declared);

/// Whether one description does so much better than another that chance is no explanation: it does
/// not fall where the other does, or follows much more closely at no more power, or just as closely
/// for much less power.
[[nodiscard]] bool ClearlyBetter(const Score& other, const Score& declared);

}  // namespace gonogo::study
