// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/ranks/episode_runner.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <mutex>
#include <numeric>
#include <optional>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/base/parallel/run_units.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"

namespace gonogo::study {
namespace {

/// `SceneOf` for units that come in any order on several threads, most of them for a seed that was
/// asked for shortly before: the last few worlds are kept.
class SceneCache {
 public:
  SceneCache(const Scene& scene, std::size_t kept) : scene_(scene), kept_(kept) {}

  Result<std::shared_ptr<const Scene>> Get(std::uint64_t seed) {
    const std::shared_ptr<Place> place = Find(scene_.by_seed ? seed : 0);
    const std::lock_guard lock(place->mutex);
    if (!place->scene) {
      Scene made = GONOGO_TRY(SceneOf(scene_, seed));
      place->scene = std::make_shared<const Scene>(std::move(made));
    }
    return place->scene;
  }

 private:
  struct Place {
    std::uint64_t seed = 0;
    std::mutex mutex;  // held while its world is made, so that it is made once
    std::shared_ptr<const Scene> scene;
  };

  std::shared_ptr<Place> Find(std::uint64_t ground) {
    const std::lock_guard lock(mutex_);
    auto found = std::find_if(places_.begin(), places_.end(),
                              [&](const auto& other) { return other->seed == ground; });
    std::shared_ptr<Place> place;
    if (found != places_.end()) {
      place = *found;
      places_.erase(found);
    } else {
      place = std::make_shared<Place>();
      place->seed = ground;
    }
    places_.push_front(place);
    if (places_.size() > kept_) places_.pop_back();
    return place;
  }

  const Scene& scene_;
  std::size_t kept_;
  std::mutex mutex_;
  std::deque<std::shared_ptr<Place>> places_;  // the most recently asked for first
};

/// Names the episode on its scene.
std::string NameOf(const EpisodeRun& run, const EpisodeUnit& unit) {
  const robot::Point2 target = run.targets[unit.target];
  return fmt::format("{}/{}/{}/{},{}/{}", run.controllers[unit.controller], unit.seed, unit.target,
                     target.x, target.y, unit.trial);
}

/// The first 64 bits of a hash of that name.
std::uint64_t Key(const EpisodeRun& run, const EpisodeUnit& unit) {
  return std::stoull(io::Sha256Hex(NameOf(run, unit)).substr(0, 16), nullptr, 16);
}

/// Units of one ground after each other: its world is made once.
std::vector<std::size_t> ByGround(const EpisodeRun& run) {
  std::vector<std::size_t> order(run.units.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!run.scene.by_seed) return order;
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return run.units[a].seed < run.units[b].seed;
  });
  return order;
}

/// Hashes of what decides the episodes.
Identity IdentityOf(const EpisodeRun& run) {
  std::string names;
  for (const EpisodeUnit& unit : run.units) names += NameOf(run, unit) + "\n";
  return {{"site", io::Sha256Hex(SceneFingerprint(run.scene))}, {"episodes", io::Sha256Hex(names)}};
}

}  // namespace

Result<EpisodeLog> EpisodeLog::Open(const std::filesystem::path& folder, const Scene& scene) {
  GONOGO_TRY(io::OpenRunFolder(folder));
  io::RecordLog log = GONOGO_TRY(io::RecordLog::Open(
      folder / fmt::format("episodes-{}.log", scene.robot.name), SceneFingerprint(scene)));
  return EpisodeLog(std::move(log));
}

std::optional<std::string_view> EpisodeLog::Find(const EpisodeRun& run,
                                                 const EpisodeUnit& unit) const {
  return log_.Find(Key(run, unit));
}

Status EpisodeLog::Append(const EpisodeRun& run, const EpisodeUnit& unit, std::string_view bytes) {
  return log_.Append(Key(run, unit), bytes);
}

Result<std::vector<std::string>> RunEpisodes(const EpisodeRun& run, EpisodeLog* log,
                                             const Execution& execution) {
  const std::vector<std::size_t> order = ByGround(run);
  const auto unit = [&](std::size_t i) -> const EpisodeUnit& { return run.units[order[i]]; };
  TeamWork work{.what = "episodes",
                .identity = IdentityOf(run),
                .count = order.size(),
                .at_once = ResolveJobs(execution.jobs)};
  SceneCache cache(run.scene, static_cast<std::size_t>(work.at_once) + 1);
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    if (stop.stop_requested()) return Error{ErrorKind::kInterrupted, "stopped"};
    const std::shared_ptr<const Scene> here = GONOGO_TRY(cache.Get(unit(i).seed));
    return run.make(*here, unit(i));
  };
  if (log != nullptr) {
    work.kept = [&](std::size_t i) -> std::optional<std::string> {
      const std::optional<std::string_view> bytes = log->Find(run, unit(i));
      return bytes && run.is_whole(*bytes) ? std::optional(std::string(*bytes)) : std::nullopt;
    };
    work.keep = [&](std::size_t i, const std::string& bytes) {
      return log->Append(run, unit(i), bytes);
    };
  }
  Result<std::vector<std::string>> ordered = RunUnits(work, execution);
  if (!ordered.ok() && ordered.error().kind == ErrorKind::kInterrupted) {
    return Error{ErrorKind::kInterrupted, fmt::format("interrupted ({}); the same command goes on",
                                                      ordered.error().message)};
  }
  if (!ordered.ok()) return ordered.error();
  std::vector<std::string> all(order.size());
  std::vector<std::string> made = std::move(ordered).value();
  for (std::size_t i = 0; i < order.size(); ++i) all[order[i]] = std::move(made[i]);
  return all;
}

}  // namespace gonogo::study
