// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "gonogo/robot/command/cadence.h"

namespace gonogo::robot {

enum class TermKind {
  kBaseLinVel,
  kBaseAngVel,
  kProjectedGravity,
  kCommand,
  kJointPos,
  kJointVel,
  kLastAction,
  kHeightScan,
  kGaitPhase,
  kEuler,
  kConstant,
  kFootContact,
};

/// The name of a term in `robot.toml`.
[[nodiscard]] const char* TermName(TermKind kind);

/// Which functions of a gait phase the policy sees, in this order; each for all offsets.
enum class PhaseValues { kSinCos, kCosSin, kSin, kCos };

/// One block of the observation vector: value, + noise (training only), clip, scale; then
/// `history` of these, oldest first unless told otherwise.
struct ObservationTerm {
  TermKind kind = TermKind::kBaseLinVel;
  std::vector<double> scale;  ///< one per element
  double clip_low = -std::numeric_limits<double>::infinity();
  double clip_high = std::numeric_limits<double>::infinity();
  double noise = 0.0;                        ///< half width of the uniform training noise
  int history = 1;                           ///< values kept, this step's included
  bool newest_first = false;                 ///< order of the history
  bool zero_filled = false;                  ///< the first step fills the history with zeros
  std::vector<int> joints;                   ///< of joint terms; empty = all, in their order
  std::vector<double> value;                 ///< kConstant only
  Cadence cadence;                           ///< kGaitPhase only
  PhaseValues phase = PhaseValues::kSinCos;  ///< kGaitPhase only
  std::vector<double> phase_offsets{0.0};    ///< kGaitPhase only, turns, such as one per foot
  bool at_com = false;                       ///< kBaseLinVel: at the root's centre of mass …
  std::array<double, 3> point_B{0, 0, 0};    ///< … or else at this point of the root frame
  int site = -1;           ///< of RobotSpec::sites, instead of the root; -1 = none
  bool smoothed = false;   ///< kLastAction: the action after smoothing
  std::vector<int> feet;   ///< kFootContact only: of RobotSpec::feet
  double contact_n = 1.0;  ///< kFootContact only: force above which it touches

  [[nodiscard]] int width() const { return static_cast<int>(scale.size()); }
  [[nodiscard]] int size() const { return width() * history; }
};

/// The whole observation, several times: now and in the control steps before.
struct FrameHistory {
  int count = 1;
  bool newest_first = false;
  bool zero_filled = false;  ///< the first step fills the others with zeros, not with itself
};

/// A piece of the observation that is an input of its own, of the policy or of its encoder.
struct ObservationInput {
  std::string name;
  int terms = 0;  ///< how many of the observation's terms, after those of the inputs before it
  FrameHistory frames;
};

/// Where an input is in the observation vector.
struct ObservationBlock {
  std::string name;
  std::size_t first_term = 0;
  std::size_t terms = 0;
  std::size_t first = 0;  ///< index of its first number
  std::size_t frame = 0;  ///< numbers of one frame
  FrameHistory frames;

  [[nodiscard]] std::size_t size() const { return frame * static_cast<std::size_t>(frames.count); }
  /// First index of this step's frame.
  [[nodiscard]] std::size_t newest() const {
    return first + (frames.newest_first ? 0 : frame * static_cast<std::size_t>(frames.count - 1));
  }
};

/// A graph that runs before the policy and whose result, all its outputs in their order, is part of
/// one of the policy's inputs.
struct EncoderSpec {
  std::filesystem::path file;       ///< ONNX; empty = there is none
  std::vector<std::string> inputs;  ///< what it takes, in the order of its own inputs
  std::string into;                 ///< the policy's input; empty = its first
  bool before = false;              ///< the result stands before that input's terms, not after
};

}  // namespace gonogo::robot
