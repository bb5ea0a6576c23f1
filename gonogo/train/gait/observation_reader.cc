// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/gait/observation_reader.h"

#include <cmath>
#include <numbers>

namespace gonogo::train {

Result<ObservationReader> ObservationReader::Find(const robot::RobotSpec& spec,
                                                  robot::TermKind kind) {
  for (const robot::ObservationTerm& term : spec.observation) {
    if (term.kind != kind) continue;
    ObservationReader reader;
    reader.offset_ = spec.TermOffset(kind);
    reader.scale_ = term.scale;
    reader.channels_ = spec.channels;
    reader.cosine_first_ = term.phase == robot::PhaseValues::kCosSin;
    const bool joints_missing = !term.joints.empty();
    const bool phase_missing = kind == robot::TermKind::kGaitPhase && term.width() != 2;
    if (joints_missing || phase_missing) {
      return InputError("{}: the walking start needs the whole term {}", spec.file.string(),
                        robot::TermName(kind));
    }
    return reader;
  }
  return InputError("{}: the walking start needs the observation term {}", spec.file.string(),
                    robot::TermName(kind));
}

double ObservationReader::Read(std::span<const float> observation, int i) const {
  return observation[offset_ + i] / scale_[i];
}

Eigen::Vector3d ObservationReader::ReadVector(std::span<const float> observation) const {
  return {Read(observation, 0), Read(observation, 1), Read(observation, 2)};
}

robot::Command ObservationReader::ReadCommand(std::span<const float> observation) const {
  robot::Command command;
  for (std::size_t i = 0; i < channels_.size(); ++i) {
    channels_[i].Set(command, Read(observation, static_cast<int>(i)));
  }
  return command;
}

double ObservationReader::ReadPhase(std::span<const float> observation) const {
  const double turns = std::atan2(Read(observation, cosine_first_ ? 1 : 0),
                                  Read(observation, cosine_first_ ? 0 : 1)) /
                       (2.0 * std::numbers::pi);
  return turns - std::floor(turns);
}

}  // namespace gonogo::train
