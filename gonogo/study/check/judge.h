// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/study/check/check.h"

namespace gonogo::study {

/// What the measurements of a report say, gravest first within each subject.
[[nodiscard]] std::vector<CheckFinding> Judge(const robot::RobotSpec& robot,
                                              const CheckReport& report);

/// The parts of it.
void JudgeStanding(const robot::RobotSpec& robot, const CheckReport& report,
                   std::vector<CheckFinding>& findings);
void JudgeTracking(const CheckReport& report, std::vector<CheckFinding>& findings);
void JudgeTimeStep(const robot::RobotSpec& robot, const CheckReport& report,
                   std::vector<CheckFinding>& findings);
void JudgeJoints(const robot::RobotSpec& robot, const CheckReport& report,
                 std::vector<CheckFinding>& findings);
void JudgeObservation(const robot::RobotSpec& robot, const CheckReport& report,
                      std::vector<CheckFinding>& findings);

/// Adds what the other descriptions say to the findings of the report.
void JudgeAlternatives(CheckReport& report);

}  // namespace gonogo::study
