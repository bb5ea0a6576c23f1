// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/score.h"

#include <algorithm>
#include <cmath>

namespace gonogo::study {
namespace {

constexpr double kFallError = 1.5;
constexpr double kWalks = 0.5;  // error of a robot that does roughly what it is told

double Largest(std::initializer_list<double> bounds) {
  double most = 0.0;
  for (const double bound : bounds) most = std::max(most, std::abs(bound));
  return most > 0.0 ? most : 1.0;
}

bool Walks(const Score& score) { return score.falls == 0 && score.error <= kWalks; }

/// No description with a larger error is clearly better.
double LargestBetterError(const Score& declared) {
  return declared.error + (Walks(declared) ? 0.02 : -0.2);
}

}  // namespace

Score ScoreOf(const robot::CommandBox& box, const std::vector<Trial>& trials,
              const std::vector<Motion>& motions) {
  const double speed = Largest({box.low.vx, box.high.vx, box.low.vy, box.high.vy});
  const double rate = Largest({box.low.wz, box.high.wz});
  Score score;
  int walked = 0;
  score.trials = static_cast<int>(motions.size());
  for (std::size_t i = 0; i < motions.size(); ++i) {
    const Motion& motion = motions[i];
    if (motion.fell) {
      ++score.falls;
      score.error += kFallError;
      continue;
    }
    const robot::Command& told = trials[i].command;
    const double error =
        std::hypot((motion.velocity[0] - told.vx) / speed, (motion.velocity[1] - told.vy) / speed,
                   (motion.velocity[2] - told.wz) / rate);
    score.error += std::min(error, kFallError);
    score.power_w += motion.power_w;
    ++walked;
  }
  score.error /= static_cast<double>(motions.size());
  if (walked > 0) score.power_w /= walked;
  return score;
}

bool OutOfTheRunning(const Score& score, std::size_t trials, const Score& declared) {
  if (score.falls > 0) return true;
  const double least = score.error * score.trials / static_cast<double>(trials);
  return least > kWalks || least > LargestBetterError(declared);
}

bool ClearlyBetter(const Score& other, const Score& declared) {
  if (other.falls > 0 || other.error > kWalks) return false;
  if (!Walks(declared)) return other.error < LargestBetterError(declared);
  const bool closer = other.error <= 0.75 * declared.error &&
                      other.error <= declared.error - 0.05 &&
                      other.power_w <= 1.15 * declared.power_w;
  // Who hardly moves needs little power: that is no merit.
  const bool much_closer = other.error <= 0.6 * declared.error &&
                           other.error <= declared.error - 0.1 &&
                           other.power_w <= 3.0 * declared.power_w;
  const bool cheaper =
      other.power_w <= 0.75 * declared.power_w && other.error <= LargestBetterError(declared);
  return closer || much_closer || cheaper;
}

}  // namespace gonogo::study
