// SPDX-License-Identifier: Apache-2.0
// An exported adapter in somebody else's loop: situation in, command and reason out.
//
//     adapter robots/go2 adapters/go2
//
// The second argument is what `gonogo audit … --export adapters/go2` wrote.
#include <cstdio>
#include <map>
#include <string>

#include "gonogo/control/learned/learned_selector.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/episode.h"

using namespace gonogo;

/// The value, or the end of the program with the reason.
template <typename T>
T Must(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "adapter: %s\n", result.error().message.c_str());
  std::exit(1);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: adapter ROBOT ADAPTER\n");
    return 2;
  }
  const study::Scene scene = Must(study::OpenScene(argv[1], "grid", 1));
  // Files that were changed or do not belong to this robot end here, with the reason. The adapter
  // is immutable: any number of controllers on any number of threads may share it.
  const auto adapter =
      std::make_shared<const adapter::Adapter>(Must(adapter::Adapter::Load(argv[2])));
  std::printf("%s\n", adapter->manifest().VerdictText().c_str());
  control::LearnedSelector selector = Must(control::LearnedSelector::Create(adapter, scene.robot));

  // The robot: here a simulated one. A real one fills `Situation` from its own sensors.
  sim::ClosedLoop loop = Must(sim::ClosedLoop::Create(scene.world, scene.policy));
  sim::TargetRun run(loop, study::EvaluationStart(scene, 1, 0, 0), {2.0, 0.0});
  std::map<std::string, int> taken;
  while (!run.done()) {
    const control::Situation now = study::SituationOf(run.Look());
    const control::CommandDecision decision = selector.Decide(now);  // allocates nothing
    ++taken[adapter->layout().actions[selector.last_action().value_or(0)]];
    if (const Status done = run.Execute(decision.command); !done.ok()) return 1;
  }
  const sim::EpisodeResult result = run.result();
  std::printf("%s after %.2f s and %.1f J\n", result.success ? "reached" : "failed", result.time_s,
              result.work_j);
  for (const auto& [action, times] : taken) std::printf("%-12s %d\n", action.c_str(), times);
  return 0;
}
