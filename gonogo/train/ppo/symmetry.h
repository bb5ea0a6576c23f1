// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <vector>

#include "gonogo/robot/spec/spec.h"

namespace gonogo::train {

/// A left-right reflection of a vector: element i becomes sign[i] * old[source[i]].
struct Mirror {
  std::vector<int> source;
  std::vector<float> sign;

  [[nodiscard]] std::size_t size() const { return source.size(); }
  void Apply(std::span<const float> from, std::span<float> to) const;
};

/// How the reflection acts on what a policy sees and does.
struct Symmetry {
  Mirror observation;
  Mirror action;
};

/// Left-right reflection of a robot's observation and action. Joint i changes places with
/// `partner[i]`; joints with `flip` turn the other way in the mirror. A gait phase moves by half a
/// period.
[[nodiscard]] Symmetry MakeSymmetry(const robot::RobotSpec& spec, const std::vector<int>& partner,
                                    const std::vector<char>& flip);

/// Factors that bring an observation's terms to comparable size; `scan_scale` that of the height
/// scan, per m. The scan is most of the inputs, and most of its values move together.
[[nodiscard]] std::vector<float> InputScale(const robot::RobotSpec& spec, double scan_scale = 5.0);

/// What is taken off the terms before they are scaled: `scan_centre`, in m, off the height scan.
[[nodiscard]] std::vector<float> InputCentre(const robot::RobotSpec& spec, double scan_centre);

}  // namespace gonogo::train
