// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/control/behaviour_archive.h"
#include "gonogo/control/direct.h"

namespace gonogo::control {

/// Score and gate of VGSR. The paper names the ingredients but not their weights; these are ours.
struct RetrievalConfig {
  double gain = 0.5;  ///< in [0, 1]
  double anneal_distance_m = 0.5;
  std::size_t clusters = 8;  ///< looked into: those whose mean step brings the robot nearest
  double progress_weight = 1.0;
  double effort_weight = 0.3;
  double tilt_weight = 0.3;
  double utility_weight = 0.2;
  double height_scale_m = 0.03;  ///< how far a start may be from the measured state …
  double tilt_scale_rad = 0.10;  ///< … before it hardly applies
  double least_applicability = 0.1;
  bool gate = true;
  double progress_floor = 0.8;  ///< gate: share of the progress the direct command asks for
  double effort_ceiling = 1.1;  ///< gate: in units of the archive's mean effort
};

/// Fails on values outside their ranges, naming them as `vgsr.<key>`.
[[nodiscard]] Status Validate(const RetrievalConfig& config);

/// Viability-Gated Skill Retrieval (paper, Appendix B): blends the direct command with the velocity
/// of the archived behaviour that scores best from here, if the gate accepts it.
class Retrieval : public Controller {
 public:
  [[nodiscard]] static Result<Retrieval> Create(const RetrievalConfig& config,
                                                const robot::RobotSpec& robot,
                                                std::shared_ptr<const BehaviourArchive> archive);

  Decision Decide(const Situation& now) override;

 private:
  Retrieval(const RetrievalConfig& config, const robot::RobotSpec& robot,
            std::shared_ptr<const BehaviourArchive> archive);

  [[nodiscard]] const Behaviour* Retrieve(const Situation& now, double wanted_m);
  [[nodiscard]] double Score(const Behaviour& behaviour, const Situation& now,
                             double wanted_m) const;
  [[nodiscard]] bool Accepts(const Behaviour& behaviour, const Situation& now,
                             double wanted_m) const;

  RetrievalConfig config_;
  Direct direct_;
  robot::PostureSpec posture_;
  std::shared_ptr<const BehaviourArchive> archive_;
  std::vector<std::pair<double, std::size_t>> ranking_;  // of clusters, by remaining distance
};

}  // namespace gonogo::control
