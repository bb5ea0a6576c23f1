// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/retrieval.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "gonogo/response/data/windows.h"
#include "gonogo/response/identify/identify_response.h"

namespace gonogo::control {
namespace {

constexpr std::size_t kDescriptor = 7;
constexpr int kIterations = 25;
using Descriptor = std::array<double, kDescriptor>;

double SquaredDistance(const Descriptor& a, const Descriptor& b) {
  double sum = 0.0;
  for (std::size_t i = 0; i < kDescriptor; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

ArchivedBehaviour Describe(const response::ExcitationLog& log, std::size_t first, int steps,
                           const robot::PostureSpec& posture) {
  const response::WindowOutcome outcome = response::MeasureWindow(log, first, steps);
  const double seconds = steps * log.control_dt_s;
  double change = 0.0;
  for (std::size_t i = first; i < first + static_cast<std::size_t>(steps); ++i) {
    change += std::abs(log.states[i + 1].angular_speed - log.states[i].angular_speed);
  }
  return {.dx = outcome.dx,
          .dy = outcome.dy,
          .dpsi = outcome.dpsi,
          .velocity = {outcome.dx / seconds, outcome.dy / seconds, outcome.dpsi / seconds},
          .start_height_m = log.states[first].height_m,
          .start_tilt_rad = log.states[first].tilt_rad,
          .min_height_m = outcome.min_height_m,
          .effort = outcome.effort,
          .max_tilt_rad = outcome.max_tilt_rad,
          .roughness = change / steps,
          .utility = response::WindowUtility(outcome, posture),
          .cluster = 0};
}

/// Descriptors in units of their standard deviations.
std::vector<Descriptor> Descriptors(const std::vector<ArchivedBehaviour>& behaviours) {
  std::vector<Descriptor> out;
  for (const ArchivedBehaviour& b : behaviours) {
    out.push_back({b.dx, b.dy, b.dpsi, b.min_height_m, b.effort, b.max_tilt_rad, b.roughness});
  }
  const auto n = static_cast<double>(out.size());
  for (std::size_t i = 0; i < kDescriptor; ++i) {
    double sum = 0.0;
    double squares = 0.0;
    for (const Descriptor& d : out) {
      sum += d[i];
      squares += d[i] * d[i];
    }
    const double deviation = std::sqrt(std::max(squares / n - sum / n * (sum / n), 0.0));
    for (Descriptor& d : out) d[i] = deviation > 0.0 ? (d[i] - sum / n) / deviation : 0.0;
  }
  return out;
}

/// The most useful first; whoever is too near to one already taken is left out.
std::vector<ArchivedBehaviour> KeepNovel(std::vector<ArchivedBehaviour> behaviours,
                                         const ArchiveOptions& options) {
  std::stable_sort(
      behaviours.begin(), behaviours.end(),
      [](const ArchivedBehaviour& a, const ArchivedBehaviour& b) { return a.utility > b.utility; });
  const std::vector<Descriptor> descriptors = Descriptors(behaviours);
  const double least = options.novelty * options.novelty;
  std::vector<std::size_t> kept;
  for (std::size_t i = 0; i < behaviours.size(); ++i) {
    if (options.size > 0 && kept.size() == options.size) break;
    const bool novel = std::all_of(kept.begin(), kept.end(), [&](std::size_t k) {
      return SquaredDistance(descriptors[i], descriptors[k]) >= least;
    });
    if (novel) kept.push_back(i);
  }
  std::vector<ArchivedBehaviour> out;
  for (const std::size_t i : kept) out.push_back(behaviours[i]);
  return out;
}

std::size_t Nearest(const Descriptor& d, const std::vector<Descriptor>& centres) {
  std::size_t best = 0;
  double distance = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < centres.size(); ++c) {
    const double now = SquaredDistance(d, centres[c]);
    if (now >= distance) continue;
    distance = now;
    best = c;
  }
  return best;
}

/// Lloyd's algorithm from distinct random members.
void Cluster(std::vector<ArchivedBehaviour>& behaviours, std::size_t clusters,
             const RngStream& stream) {
  const std::vector<Descriptor> descriptors = Descriptors(behaviours);
  std::vector<std::size_t> order(behaviours.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  Rng rng = stream.Generator();
  rng.Shuffle(std::span(order));
  std::vector<Descriptor> centres;
  for (std::size_t c = 0; c < clusters; ++c) centres.push_back(descriptors[order[c]]);
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    std::vector<Descriptor> sums(clusters, Descriptor{});
    std::vector<double> counts(clusters, 0.0);
    for (std::size_t i = 0; i < behaviours.size(); ++i) {
      const std::size_t c = Nearest(descriptors[i], centres);
      behaviours[i].cluster = c;
      counts[c] += 1.0;
      for (std::size_t k = 0; k < kDescriptor; ++k) sums[c][k] += descriptors[i][k];
    }
    for (std::size_t c = 0; c < clusters; ++c) {
      if (counts[c] == 0.0) continue;
      for (std::size_t k = 0; k < kDescriptor; ++k) centres[c][k] = sums[c][k] / counts[c];
    }
  }
}

BehaviourArchive Index(std::vector<ArchivedBehaviour> behaviours, std::size_t clusters) {
  std::stable_sort(
      behaviours.begin(), behaviours.end(),
      [](const ArchivedBehaviour& a, const ArchivedBehaviour& b) { return a.cluster < b.cluster; });
  BehaviourArchive archive;
  archive.cluster_begin.assign(clusters + 1, 0);
  archive.cluster_step.assign(clusters, {0.0, 0.0});
  for (const ArchivedBehaviour& b : behaviours) {
    ++archive.cluster_begin[b.cluster + 1];
    archive.cluster_step[b.cluster][0] += b.dx;
    archive.cluster_step[b.cluster][1] += b.dy;
    archive.mean_effort += b.effort / static_cast<double>(behaviours.size());
    archive.best_utility = std::max(archive.best_utility, b.utility);
  }
  for (std::size_t c = 0; c < clusters; ++c) {
    const auto count = static_cast<double>(std::max<std::size_t>(archive.cluster_begin[c + 1], 1));
    for (double& mean : archive.cluster_step[c]) mean /= count;
    archive.cluster_begin[c + 1] += archive.cluster_begin[c];
  }
  archive.behaviours = std::move(behaviours);
  return archive;
}

}  // namespace

Result<BehaviourArchive> BuildArchive(const response::ExcitationLog& log,
                                      const robot::PostureSpec& posture,
                                      const ArchiveOptions& options, const RngStream& stream) {
  if (options.chunk_steps < 1 || options.stride < 1 || options.clusters < 1) {
    return UsageError("vgsr: chunk_steps {}, stride {} and clusters {} must be positive",
                      options.chunk_steps, options.stride, options.clusters);
  }
  std::vector<ArchivedBehaviour> behaviours;
  for (const std::size_t first : response::WindowStarts(log, options.chunk_steps, options.stride)) {
    behaviours.push_back(Describe(log, first, options.chunk_steps, posture));
  }
  if (behaviours.empty()) {
    return InputError("the rollouts of {} hold no chunk of {} steps under one command", log.robot,
                      options.chunk_steps);
  }
  behaviours = KeepNovel(std::move(behaviours), options);
  const std::size_t clusters =
      std::min(static_cast<std::size_t>(options.clusters), behaviours.size());
  Cluster(behaviours, clusters, stream.Child("clusters"));
  BehaviourArchive archive = Index(std::move(behaviours), clusters);
  archive.chunk_s = options.chunk_steps * log.control_dt_s;
  return archive;
}

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

double Retrieval::Score(const ArchivedBehaviour& behaviour, const Situation& now,
                        double wanted_m) const {
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

const ArchivedBehaviour* Retrieval::Retrieve(const Situation& now, double wanted_m) {
  for (std::size_t c = 0; c < ranking_.size(); ++c) {
    const auto& [dx, dy] = archive_->cluster_step[c];
    ranking_[c] = {std::hypot(now.goal_B.x - dx, now.goal_B.y - dy), c};
  }
  const std::size_t looked = std::min(config_.clusters, ranking_.size());
  std::partial_sort(ranking_.begin(), ranking_.begin() + static_cast<std::ptrdiff_t>(looked),
                    ranking_.end());
  const ArchivedBehaviour* best = nullptr;
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

bool Retrieval::Accepts(const ArchivedBehaviour& behaviour, const Situation& now,
                        double wanted_m) const {
  return now.height_m >= posture_.restore * posture_.nominal_height_m &&
         behaviour.min_height_m >= posture_.eligible * posture_.nominal_height_m &&
         behaviour.effort <= config_.effort_ceiling * archive_->mean_effort &&
         Progress(now.goal_B, behaviour.dx, behaviour.dy) >= config_.progress_floor * wanted_m;
}

CommandDecision Retrieval::Decide(const Situation& now) {
  const robot::Command direct = direct_.Command(now.goal_B);
  const auto fall_back = [&direct](Reason reason) {
    return CommandDecision{.command = direct, .reason = reason, .towards = direct, .gain = 0.0};
  };
  // What obeying the direct command for the length of a behaviour would gain.
  const double seconds = archive_->chunk_s;
  const double wanted_m =
      std::max(Progress(now.goal_B, seconds * direct.vx, seconds * direct.vy), 1e-3);
  const ArchivedBehaviour* best = Retrieve(now, wanted_m);
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
