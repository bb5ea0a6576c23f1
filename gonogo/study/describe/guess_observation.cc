// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include "gonogo/study/describe/describe_robot.h"

namespace gonogo::study {
namespace {

using robot::TermKind;

constexpr int kScanPoints = 17 * 11;
constexpr int kMostHistory = 20;

int SizeOf(const std::vector<TermKind>& terms, int joints) {
  int size = 0;
  for (const TermKind term : terms) {
    const bool per_joint =
        term == TermKind::kJointPos || term == TermKind::kJointVel || term == TermKind::kLastAction;
    size += per_joint                       ? joints
            : term == TermKind::kGaitPhase  ? 2
            : term == TermKind::kHeightScan ? kScanPoints
                                            : 3;
  }
  return size;
}

}  // namespace

ObservationGuess FitObservation(const std::vector<TermKind>& terms, int size, int joints) {
  ObservationGuess guess{.terms = terms};
  const int once = SizeOf(terms, joints);
  guess.has_scan = std::find(terms.begin(), terms.end(), TermKind::kHeightScan) != terms.end();
  // Nobody keeps a history of scans.
  const int most = guess.has_scan ? 1 : kMostHistory;
  if (once > 0 && size % once == 0 && size / once <= most) guess.history = size / once;
  guess.missing = size - guess.history * once;
  return guess;
}

ObservationGuess GuessObservation(int size, int joints) {
  ObservationGuess best;
  best.missing = size;
  for (const bool scan : {false, true}) {
    for (const bool phase : {false, true}) {
      for (const bool velocity : {false, true}) {
        std::vector<TermKind> terms;
        if (velocity) terms.push_back(TermKind::kBaseLinVel);
        terms.insert(terms.end(),
                     {TermKind::kBaseAngVel, TermKind::kProjectedGravity, TermKind::kCommand,
                      TermKind::kJointPos, TermKind::kJointVel, TermKind::kLastAction});
        if (phase) terms.push_back(TermKind::kGaitPhase);
        if (scan) terms.push_back(TermKind::kHeightScan);
        const ObservationGuess guess = FitObservation(terms, size, joints);
        const bool fits = guess.missing == 0 && (best.missing != 0 || guess.history < best.history);
        const bool nearer = best.missing != 0 && guess.missing >= 0 && guess.missing < best.missing;
        if (fits || nearer) best = guess;
      }
    }
  }
  return best;
}

}  // namespace gonogo::study
