// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/retrieval.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace gonogo::control {
namespace {

double Progress(robot::Point2 goal_B, double dx, double dy) {
  return std::hypot(goal_B.x, goal_B.y) - std::hypot(goal_B.x - dx, goal_B.y - dy);
}

double Square(double x) { return x * x; }

}  // namespace

Status Validate(const RetrievalConfig& config) {
  for (const auto& [key, value] :
       {std::pair{"gain", config.gain}, {"progress_floor", config.progress_floor}}) {
    if (!(value >= 0.0 && value <= 1.0)) {
      return UsageError("vgsr.{} is {}, expected a number in [0, 1]", key, value);
    }
  }
  for (const auto& [key, value] : {std::pair{"anneal_distance", config.anneal_distance_m},
                                   {"effort_ceiling", config.effort_ceiling},
                                   {"height_scale", config.height_scale_m},
                                   {"tilt_scale", config.tilt_scale_rad}}) {
    if (!(value > 0.0 && std::isfinite(value))) {
      return UsageError("vgsr.{} is {}, expected a positive number", key, value);
    }
  }
  return {};
}

Result<Retrieval> Retrieval::Create(const RetrievalConfig& config, const robot::RobotSpec& robot,
                                    std::shared_ptr<const BehaviourArchive> archive) {
  GONOGO_TRY(Validate(config));
  if (archive->behaviours.empty()) return InputError("vgsr: the behaviour archive is empty");
  return Retrieval(config, robot, std::move(archive));
}

Retrieval::Retrieval(const RetrievalConfig& config, const robot::RobotSpec& robot,
                     std::shared_ptr<const BehaviourArchive> archive)
    : config_(config),
      direct_(robot),
      posture_(robot.posture),
      archive_(std::move(archive)),
      ranking_(archive_->cluster_step.size()) {}

double Retrieval::Score(const Behaviour& behaviour, const Situation& now, double wanted_m) const {
  const double distance =
      Square((now.height_m - behaviour.start_height_m) / config_.height_scale_m) +
      Square((now.tilt_rad - behaviour.start_tilt_rad) / config_.tilt_scale_rad);
  const double applicability = std::exp(-0.5 * distance);
  if (applicability < config_.least_applicability) {
    return -std::numeric_limits<double>::infinity();
  }
  const double progress = Progress(now.goal_B, behaviour.dx, behaviour.dy) / wanted_m;
  const double utility =
      archive_->best_utility > 0.0 ? behaviour.utility / archive_->best_utility : 0.0;
  return config_.progress_weight * std::min(progress, 1.0) + std::log(applicability) -
         config_.effort_weight * behaviour.effort / std::max(archive_->mean_effort, 1e-9) -
         config_.tilt_weight * behaviour.max_tilt_rad + config_.utility_weight * utility;
}

const Behaviour* Retrieval::Retrieve(const Situation& now, double wanted_m) {
  for (std::size_t c = 0; c < ranking_.size(); ++c) {
    const auto& [dx, dy] = archive_->cluster_step[c];
    ranking_[c] = {std::hypot(now.goal_B.x - dx, now.goal_B.y - dy), c};
  }
  const std::size_t looked = std::min(config_.clusters, ranking_.size());
  std::partial_sort(ranking_.begin(), ranking_.begin() + static_cast<std::ptrdiff_t>(looked),
                    ranking_.end());
  const Behaviour* best = nullptr;
  double best_score = -std::numeric_limits<double>::infinity();
  for (std::size_t rank = 0; rank < looked; ++rank) {
    const std::size_t c = ranking_[rank].second;
    for (std::size_t i = archive_->cluster_begin[c]; i < archive_->cluster_begin[c + 1]; ++i) {
      const double score = Score(archive_->behaviours[i], now, wanted_m);
      if (!(score > best_score)) continue;
      best_score = score;
      best = &archive_->behaviours[i];
    }
  }
  return best;
}

bool Retrieval::Accepts(const Behaviour& behaviour, const Situation& now, double wanted_m) const {
  return now.height_m >= posture_.restore * posture_.nominal_height_m &&
         behaviour.min_height_m >= posture_.eligible * posture_.nominal_height_m &&
         behaviour.effort <= config_.effort_ceiling * archive_->mean_effort &&
         Progress(now.goal_B, behaviour.dx, behaviour.dy) >= config_.progress_floor * wanted_m;
}

Decision Retrieval::Decide(const Situation& now) {
  const robot::Command direct = direct_.Command(now.goal_B);
  const auto fall_back = [&direct](Reason reason) {
    return Decision{.command = direct, .reason = reason, .towards = direct, .gain = 0.0};
  };
  // What obeying the direct command for the length of a behaviour would gain.
  const double seconds = archive_->chunk_s;
  const double wanted_m =
      std::max(Progress(now.goal_B, seconds * direct.vx, seconds * direct.vy), 1e-3);
  const Behaviour* best = Retrieve(now, wanted_m);
  if (best == nullptr) return fall_back(Reason::kNoneApplicable);
  if (config_.gate && !Accepts(*best, now, wanted_m)) return fall_back(Reason::kGateClosed);
  const double distance = std::hypot(now.goal_B.x, now.goal_B.y);
  const double gain = config_.gain * std::min(distance / config_.anneal_distance_m, 1.0);
  const robot::Command towards = direct_.box().Clamp(best->velocity);
  return {.command = Blend(direct, towards, gain),
          .reason = Reason::kRetrieved,
          .towards = towards,
          .gain = gain};
}

}  // namespace gonogo::control
