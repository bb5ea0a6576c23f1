// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <vector>

#include "gonogo/robot/spec/spec.h"

namespace gonogo::study {

/// Terms, in the usual order, whose sizes add up to that of a policy's input.
struct ObservationGuess {
  std::vector<robot::TermKind> terms;
  int history = 1;        ///< of every term
  bool has_scan = false;  ///< 17 x 11 points, the usual grid
  int missing = 0;        ///< numbers of the input that no term explains
};

/// The usual layout of `size` numbers for a robot of `joints` joints: with or without the base
/// velocity, a gait phase, a height scan and a history. Otherwise the nearest smaller one.
[[nodiscard]] ObservationGuess GuessObservation(int size, int joints);

/// How these terms, known from elsewhere, make up `size` numbers.
[[nodiscard]] ObservationGuess FitObservation(const std::vector<robot::TermKind>& terms, int size,
                                              int joints);

}  // namespace gonogo::study
