// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/symmetry.h"

#include <algorithm>
#include <initializer_list>

#include "gonogo/base/check.h"

namespace gonogo::train {
namespace {

using robot::ObservationTerm;
using robot::TermKind;

/// Every term of an observation, as often as its frames and its history hold it.
template <typename Visit>
void ForEachTerm(const robot::RobotSpec& spec, const Visit& visit) {
  for (int frame = 0; frame < spec.frames.count; ++frame) {
    for (const ObservationTerm& term : spec.observation) {
      for (int step = 0; step < term.history; ++step) visit(term);
    }
  }
}

// One step's values of a term, reflected; indices relative to the term.
class TermMirror {
 public:
  TermMirror(const robot::RobotSpec& spec, const std::vector<int>& partner,
             const std::vector<char>& flip)
      : spec_(spec), partner_(partner), flip_(flip) {}

  [[nodiscard]] Mirror Of(const ObservationTerm& term) const {
    switch (term.kind) {
      case TermKind::kBaseLinVel:
      case TermKind::kProjectedGravity:
        return Signs({1, -1, 1});
      case TermKind::kBaseAngVel:
        return Signs({-1, 1, -1});  // an axial vector
      case TermKind::kCommand:
        return Channels();
      case TermKind::kGaitPhase:
        return Alike(term.width(), -1.0F);  // half a period later
      case TermKind::kEuler:
        return Signs({-1, 1, -1});
      case TermKind::kConstant:
      case TermKind::kFootContact:  // recipes with a symmetry refuse it
        return Alike(term.width(), 1.0F);
      case TermKind::kJointPos:
      case TermKind::kJointVel:
      case TermKind::kLastAction:
        return term.joints.empty() ? Joints() : Subset(term.joints);
      case TermKind::kHeightScan:
        return Scan();
    }
    return {};
  }

  [[nodiscard]] Mirror Joints() const {
    Mirror mirror;
    mirror.source = partner_;
    for (const char flips : flip_) mirror.sign.push_back(flips != 0 ? -1.0F : 1.0F);
    return mirror;
  }

 private:
  static Mirror Alike(int width, float sign) {
    Mirror mirror;
    for (int i = 0; i < width; ++i) mirror.source.push_back(i);
    mirror.sign.assign(static_cast<std::size_t>(width), sign);
    return mirror;
  }

  /// Some of the joints. One whose partner is not among them cannot be mirrored and stays.
  [[nodiscard]] Mirror Subset(const std::vector<int>& joints) const {
    Mirror mirror;
    for (std::size_t i = 0; i < joints.size(); ++i) {
      const auto joint = static_cast<std::size_t>(joints[i]);
      const auto at = std::find(joints.begin(), joints.end(), partner_[joint]);
      mirror.source.push_back(static_cast<int>(at == joints.end() ? i : at - joints.begin()));
      mirror.sign.push_back(at != joints.end() && flip_[joint] != 0 ? -1.0F : 1.0F);
    }
    return mirror;
  }

  static Mirror Signs(std::initializer_list<float> signs) {
    Mirror mirror;
    for (const float sign : signs) {
      mirror.source.push_back(static_cast<int>(mirror.source.size()));
      mirror.sign.push_back(sign);
    }
    return mirror;
  }

  /// Sideways and turning change sides; whatever else a policy is told does not.
  [[nodiscard]] Mirror Channels() const {
    Mirror mirror;
    for (const robot::CommandChannel& channel : spec_.channels) {
      mirror.source.push_back(static_cast<int>(mirror.source.size()));
      mirror.sign.push_back(channel.slot == 1 || channel.slot == 2 ? -1.0F : 1.0F);
    }
    return mirror;
  }

  [[nodiscard]] Mirror Scan() const {
    Mirror mirror;
    for (int iy = 0; iy < spec_.scan.ny; ++iy) {
      for (int ix = 0; ix < spec_.scan.nx; ++ix) {
        mirror.source.push_back((spec_.scan.ny - 1 - iy) * spec_.scan.nx + ix);
        mirror.sign.push_back(1.0F);
      }
    }
    return mirror;
  }

  const robot::RobotSpec& spec_;
  const std::vector<int>& partner_;
  const std::vector<char>& flip_;
};

}  // namespace

void Mirror::Apply(std::span<const float> from, std::span<float> to) const {
  GONOGO_CHECK(from.size() == size() && to.size() == size());
  for (std::size_t i = 0; i < size(); ++i) to[i] = sign[i] * from[source[i]];
}

Symmetry MakeSymmetry(const robot::RobotSpec& spec, const std::vector<int>& partner,
                      const std::vector<char>& flip) {
  const TermMirror mirrors(spec, partner, flip);
  Symmetry symmetry;
  symmetry.action = mirrors.Joints();
  Mirror& observation = symmetry.observation;
  ForEachTerm(spec, [&](const ObservationTerm& term) {
    const Mirror one = mirrors.Of(term);
    GONOGO_CHECK(static_cast<int>(one.size()) == term.width());
    const int offset = static_cast<int>(observation.size());
    for (const int source : one.source) observation.source.push_back(offset + source);
    observation.sign.insert(observation.sign.end(), one.sign.begin(), one.sign.end());
  });
  return symmetry;
}

std::vector<float> InputScale(const robot::RobotSpec& spec, double scan_scale) {
  const auto usual = [scan_scale](TermKind kind) {
    switch (kind) {
      case TermKind::kBaseLinVel:
      case TermKind::kProjectedGravity:
      case TermKind::kEuler:
      case TermKind::kJointPos:
        return 2.0;
      case TermKind::kBaseAngVel:
      case TermKind::kLastAction:
        return 0.4;
      case TermKind::kCommand:
      case TermKind::kGaitPhase:
        return 1.5;
      case TermKind::kJointVel:
        return 0.1;
      case TermKind::kHeightScan:
        return scan_scale;
      case TermKind::kConstant:
      case TermKind::kFootContact:
        return 1.0;
    }
    return 1.0;
  };
  // Channels other than velocities have units of their own: their range says what is much.
  const auto of_channel = [&spec](std::size_t i) {
    const robot::CommandChannel& channel = spec.channels[i];
    const double half =
        0.5 * (spec.command_box.high[channel.slot] - spec.command_box.low[channel.slot]);
    return channel.is_velocity() || half <= 0.0 ? 1.0 : 1.0 / half;
  };
  std::vector<float> scale;
  ForEachTerm(spec, [&](const ObservationTerm& term) {
    for (std::size_t i = 0; i < term.scale.size(); ++i) {
      const double size = term.kind == TermKind::kCommand ? of_channel(i) : 1.0;
      scale.push_back(static_cast<float>(usual(term.kind) * size / term.scale[i]));
    }
  });
  return scale;
}

std::vector<float> InputCentre(const robot::RobotSpec& spec, double scan_centre) {
  std::vector<float> centre;
  ForEachTerm(spec, [&](const ObservationTerm& term) {
    for (const double scale : term.scale) {
      const double middle = term.kind == TermKind::kHeightScan ? scan_centre * scale : 0.0;
      centre.push_back(static_cast<float>(middle));
    }
  });
  return centre;
}

}  // namespace gonogo::train
