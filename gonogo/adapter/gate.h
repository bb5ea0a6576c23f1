// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cmath>
#include <cstddef>

/// \file
/// The conservative gate between what an ensemble predicts and what is chosen
/// (docs/concepts/audit.md, 9). Audits and deployed adapters choose by these lines alone.

namespace gonogo::adapter {

struct Gate {
  double z = 1.0;                ///< bounds are mean +- z sd over members
  int ddof = 1;                  ///< of that sd; one member alone has sd 0
  double min_eligibility = 0.5;  ///< accepted when the lower estimate is at least this
  double time_limit = 0.0;       ///< accepted when the upper time estimate is at most this

  bool operator==(const Gate&) const = default;
};

/// What an ensemble predicts of every candidate in one situation: member m and candidate c stand at
/// [m * stride + c]. `time` or `eligible` is null when there is nothing to predict; that part of
/// the gate is then void.
template <typename Number>
struct EffectView {
  const Number* work = nullptr;
  const Number* time = nullptr;
  const Number* eligible = nullptr;
  std::size_t stride = 0;
  std::size_t members = 0;
  std::size_t candidates = 0;
};

/// Mean and standard deviation over members.
struct Spread {
  double mean = 0.0;
  double sd = 0.0;
};

template <typename Number>
[[nodiscard]] Spread OverMembers(const Number* first, std::size_t stride, std::size_t members,
                                 int ddof) {
  Spread spread;
  for (std::size_t m = 0; m < members; ++m) spread.mean += first[m * stride];
  spread.mean /= static_cast<double>(members);
  const double divisor = static_cast<double>(members) - ddof;
  if (divisor <= 0.0) return spread;
  double squares = 0.0;
  for (std::size_t m = 0; m < members; ++m) {
    const double deviation = first[m * stride] - spread.mean;
    squares += deviation * deviation;
  }
  spread.sd = std::sqrt(squares / divisor);
  return spread;
}

/// What the gate holds against its limits; NaN where nothing is predicted.
struct EffectBounds {
  double work = 0.0;
  double work_upper = 0.0;
  double time = 0.0;
  double time_upper = 0.0;
  double eligible = 0.0;
  double eligible_lower = 0.0;
};

template <typename Number>
[[nodiscard]] EffectBounds BoundsOf(const EffectView<Number>& effects, const Gate& gate,
                                    std::size_t candidate) {
  const auto spread = [&](const Number* values) {
    if (values == nullptr) return Spread{std::nan(""), 0.0};
    return OverMembers(values + candidate, effects.stride, effects.members, gate.ddof);
  };
  const Spread work = spread(effects.work);
  const Spread time = spread(effects.time);
  const Spread eligible = spread(effects.eligible);
  return {.work = work.mean,
          .work_upper = work.mean + gate.z * work.sd,
          .time = time.mean,
          .time_upper = time.mean + gate.z * time.sd,
          .eligible = eligible.mean,
          .eligible_lower = eligible.mean - gate.z * eligible.sd};
}

/// Whether the gate lets the candidate pass, its work aside.
template <typename Number>
[[nodiscard]] bool IsAccepted(const EffectView<Number>& effects, const Gate& gate,
                              std::size_t candidate) {
  const auto spread = [&](const Number* values) {
    return OverMembers(values + candidate, effects.stride, effects.members, gate.ddof);
  };
  if (effects.time != nullptr) {
    const Spread time = spread(effects.time);
    if (!(time.mean + gate.z * time.sd <= gate.time_limit)) return false;
  }
  if (effects.eligible == nullptr) return true;
  const Spread eligible = spread(effects.eligible);
  return eligible.mean - gate.z * eligible.sd >= gate.min_eligibility;
}

/// The action chosen: 0, the reference, unless some candidate's upper work bound is below zero and
/// the gate accepts it; then 1 + the candidate with the lowest such bound, the first on ties.
template <typename Number>
[[nodiscard]] std::size_t SelectAction(const EffectView<Number>& effects, const Gate& gate) {
  double best = 0.0;  // strictly below zero to leave the reference
  std::size_t action = 0;
  for (std::size_t c = 0; c < effects.candidates; ++c) {
    const Spread work = OverMembers(effects.work + c, effects.stride, effects.members, gate.ddof);
    const double bound = work.mean + gate.z * work.sd;
    if (!(bound < best) || !IsAccepted(effects, gate, c)) continue;
    best = bound;
    action = c + 1;
  }
  return action;
}

}  // namespace gonogo::adapter
