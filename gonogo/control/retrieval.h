// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <memory>
#include <vector>

#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/control/baselines.h"
#include "gonogo/response/data/excitation_log.h"
#include "gonogo/robot/spec/spec.h"

namespace gonogo::control {

/// A piece of a rollout that might be done again.
struct ArchivedBehaviour {
  double dx = 0.0;  ///< body-frame displacement, m
  double dy = 0.0;
  double dpsi = 0.0;
  robot::Command velocity;      ///< displacement and turn per second
  double start_height_m = 0.0;  ///< the state it began in …
  double start_tilt_rad = 0.0;
  double min_height_m = 0.0;  ///< … and what happened
  double effort = 0.0;
  double max_tilt_rad = 0.0;  ///< stability
  double roughness = 0.0;     ///< mean change of angular speed per step: the less, the smoother
  double utility = 0.0;       ///< response::WindowUtility
  std::size_t cluster = 0;
};

/// How VGSR makes its archive. The paper does not state these constants; they are ours.
struct ArchiveOptions {
  int chunk_steps = 16;
  int stride = 8;
  double novelty = 0.25;  ///< least distance of two descriptors, in standard deviations
  int clusters = 32;
  std::size_t size = 0;  ///< keep the most useful ones; 0 = all
};

struct BehaviourArchive {
  std::vector<ArchivedBehaviour> behaviours;        ///< ordered by cluster, then by utility
  std::vector<std::size_t> cluster_begin;           ///< one more than there are clusters
  std::vector<std::array<double, 2>> cluster_step;  ///< mean (dx, dy) of each cluster
  double chunk_s = 0.0;                             ///< duration of every behaviour
  double mean_effort = 0.0;
  double best_utility = 0.0;
};

/// Cuts a log into chunks, drops those too similar to a more useful one, keeps the most useful and
/// clusters them by k-means. Fails when the log has no chunks.
[[nodiscard]] Result<BehaviourArchive> BuildArchive(const response::ExcitationLog& log,
                                                    const robot::PostureSpec& posture,
                                                    const ArchiveOptions& options,
                                                    const RngStream& stream);

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

  CommandDecision Decide(const Situation& now) override;

 private:
  Retrieval(const RetrievalConfig& config, const robot::RobotSpec& robot,
            std::shared_ptr<const BehaviourArchive> archive);

  [[nodiscard]] const ArchivedBehaviour* Retrieve(const Situation& now, double wanted_m);
  [[nodiscard]] double Score(const ArchivedBehaviour& behaviour, const Situation& now,
                             double wanted_m) const;
  [[nodiscard]] bool Accepts(const ArchivedBehaviour& behaviour, const Situation& now,
                             double wanted_m) const;

  RetrievalConfig config_;
  Direct direct_;
  robot::PostureSpec posture_;
  std::shared_ptr<const BehaviourArchive> archive_;
  std::vector<std::pair<double, std::size_t>> ranking_;  // of clusters, by remaining distance
};

}  // namespace gonogo::control
