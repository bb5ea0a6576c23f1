// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/judge.h"

#include <fmt/format.h>

namespace gonogo::study {
namespace {

constexpr std::size_t kNamed = 3;  // other descriptions that are named
constexpr double kAsGood = 0.1;    // error above the best one's

}  // namespace

std::vector<CheckFinding> Judge(const robot::RobotSpec& robot, const CheckReport& report) {
  std::vector<CheckFinding> findings;
  JudgeStanding(robot, report, findings);
  JudgeTracking(report, findings);
  JudgeTimeStep(robot, report, findings);
  JudgeJoints(robot, report, findings);
  JudgeObservation(robot, report, findings);
  return findings;
}

void JudgeAlternatives(CheckReport& report) {
  std::size_t named = 0;
  for (const AlternativeResult& other : report.alternatives) {
    if (!other.better || named == kNamed) break;  // the better ones come first, best of all ahead
    if (other.score.error > report.alternatives.front().score.error + kAsGood) break;
    ++named;
    const Score& then = other.score;
    const Score& now = report.score;
    std::string what = fmt::format("With {}, it falls in {} of {} runs instead of {}", other.what,
                                   then.falls, report.trials.size(), now.falls);
    if (now.falls == 0) {
      what = fmt::format(
          "With {}, it misses the command by {:.0f} % instead of {:.0f} % and uses "
          "{:.0f} W instead of {:.0f} W",
          other.what, 100.0 * then.error, 100.0 * now.error, then.power_w, now.power_w);
    }
    report.findings.push_back({Severity::kSuspicious, "another description", what + ".",
                               fmt::format("Probably wrong: {}.", other.key)});
  }
}

}  // namespace gonogo::study
