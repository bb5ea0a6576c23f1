// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/rescue.h"

#include <utility>

#include <fmt/format.h>

#include "gonogo/study/episode.h"

namespace gonogo::study {

std::optional<PairedEpisode> FindRescue(const Evaluation& evaluation) {
  std::optional<PairedEpisode> best;
  std::pair<int, int> best_score;
  const std::span<const EvaluatedEpisode> reference = evaluation.Episodes(0);
  for (std::size_t m = 1; m < evaluation.methods.size(); ++m) {
    const std::span<const EvaluatedEpisode> episodes = evaluation.Episodes(m);
    for (std::size_t i = 0; i < episodes.size(); ++i) {
      const int rescues = episodes[i].count(control::Reason::kRescue);
      if (rescues == 0) continue;
      const std::pair score{int{episodes[i].result.success} - int{reference[i].result.success},
                            rescues};
      if (best && score <= best_score) continue;
      best = PairedEpisode{&episodes[i], &reference[i]};
      best_score = score;
    }
  }
  return best;
}

Result<std::vector<sim::EpisodeRecord>> RecordPair(const EvaluationScene& at,
                                                   const Evaluation& evaluation,
                                                   const PairedEpisode& pair,
                                                   const std::vector<std::string>& settings) {
  const Scene here = GONOGO_TRY(SceneOf(at.scene, pair.method->seed));
  std::vector<sim::EpisodeRecord> records;
  for (const EvaluatedEpisode* episode : {pair.method, pair.reference}) {
    const Method method = GONOGO_TRY(
        OpenMethod(evaluation.methods[episode->method], here.robot, at.models, settings));
    sim::EpisodeRecord record = GONOGO_TRY(RecordEpisode(
        here, method, EvaluationStart(here, episode->seed, episode->trial, episode->target),
        evaluation.targets[episode->target]));
    records.push_back(std::move(record));
  }
  return records;
}

std::string DescribePair(const Evaluation& evaluation, const PairedEpisode& pair) {
  const auto outcome = [](const EvaluatedEpisode& e) {
    return e.result.success ? "succeeds" : "fails";
  };
  const robot::Point2 target = evaluation.targets[pair.method->target];
  return fmt::format(
      "Seed {}, trial {}, target ({:g}, {:g}): {} rescues itself in {} of {} decisions and {}, {} "
      "{}. A selected example: it shows the mechanism, not how often it helps.",
      pair.method->seed, pair.method->trial, target.x, target.y,
      evaluation.methods[pair.method->method], pair.method->count(control::Reason::kRescue),
      pair.method->result.decisions, outcome(*pair.method), evaluation.methods.front(),
      outcome(*pair.reference));
}

}  // namespace gonogo::study
