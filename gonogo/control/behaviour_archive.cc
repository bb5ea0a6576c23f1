// SPDX-License-Identifier: Apache-2.0
#include "gonogo/control/behaviour_archive.h"

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

Behaviour Describe(const response::ExcitationLog& log, std::size_t first, int steps,
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
std::vector<Descriptor> Descriptors(const std::vector<Behaviour>& behaviours) {
  std::vector<Descriptor> out;
  for (const Behaviour& b : behaviours) {
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
std::vector<Behaviour> KeepNovel(std::vector<Behaviour> behaviours, const ArchiveOptions& options) {
  std::stable_sort(behaviours.begin(), behaviours.end(),
                   [](const Behaviour& a, const Behaviour& b) { return a.utility > b.utility; });
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
  std::vector<Behaviour> out;
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
void Cluster(std::vector<Behaviour>& behaviours, std::size_t clusters, const RngStream& stream) {
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

BehaviourArchive Index(std::vector<Behaviour> behaviours, std::size_t clusters) {
  std::stable_sort(behaviours.begin(), behaviours.end(),
                   [](const Behaviour& a, const Behaviour& b) { return a.cluster < b.cluster; });
  BehaviourArchive archive;
  archive.cluster_begin.assign(clusters + 1, 0);
  archive.cluster_step.assign(clusters, {0.0, 0.0});
  for (const Behaviour& b : behaviours) {
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
  std::vector<Behaviour> behaviours;
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

}  // namespace gonogo::control
