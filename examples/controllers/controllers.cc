// SPDX-License-Identifier: Apache-2.0
// Every controller of the library from the same start to the same target:
//
//     controllers robots/go2 runs/identify-go2
//
// The second argument is where `gonogo identify` wrote its models.
#include <cstdio>

#include "gonogo/control/baselines.h"
#include "gonogo/control/retrieval.h"
#include "gonogo/control/sampling_mpc.h"
#include "gonogo/control/vgcc.h"
#include "gonogo/response/data/excitation_file.h"
#include "gonogo/response/models/model_file.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/study/episode.h"

using namespace gonogo;

/// The value, or the end of the program with the reason.
template <typename T>
T Must(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  std::fprintf(stderr, "controllers: %s\n", result.error().message.c_str());
  std::exit(1);
}

template <typename C>
std::shared_ptr<const C> Shared(C object) {
  return std::make_shared<const C>(std::move(object));
}

/// One decision every 0.08 s, until the target is reached or the episode is over.
void Run(const study::Scene& scene, const char* name, control::Controller&& controller) {
  sim::ClosedLoop loop = Must(sim::ClosedLoop::Create(scene.world, scene.policy));
  sim::TargetRun run(loop, study::EvaluationStart(scene, 1, 0, 0), {2.0, 0.0});
  int active = 0;
  while (!run.done()) {
    const control::CommandDecision decision = controller.Decide(study::SituationOf(run.Look()));
    active += control::IsActive(decision.reason) ? 1 : 0;
    if (const Status done = run.Execute(decision.command); !done.ok()) return;
  }
  const sim::EpisodeResult result = run.result();
  std::printf("%-12s %-8s %6.2f s %8.1f J  COT %.3f  active %d of %d\n", name,
              result.success ? "reached" : "failed", result.time_s, result.work_j, result.cot,
              active, result.decisions);
}

int main(int argc, char** argv) {
  if (argc != 3) {
    std::fprintf(stderr, "usage: controllers ROBOT MODELS\n");
    return 2;
  }
  const study::Scene scene = Must(study::OpenScene(argv[1], "rough", 1));
  const robot::RobotSpec& robot = scene.robot;
  const std::filesystem::path models = argv[2];
  // Models are immutable: any number of controllers on any number of threads may share them.
  const auto effort = Shared(Must(response::LoadResponseModel(models / "response-effort", robot)));
  const auto power = Shared(Must(response::LoadResponseModel(models / "response-power", robot)));
  const auto macro = Shared(Must(response::LoadMacroModel(models / "macro", robot)));
  const auto value = Shared(Must(response::LoadValueModel(models / "value", robot)));
  const auto archive = Shared(
      Must(control::BuildArchive(Must(response::ReadExcitation(models / "excitation.h5", robot)),
                                 robot.posture, {.size = 2000}, RngStream(1))));

  Run(scene, "direct", control::Direct(robot));
  Run(scene, "scale 0.75", Must(control::FixedScale::Create(0.75, robot)));
  Run(scene, "governor", Must(control::Governor::Create({.least_scale = 0.4}, robot)));
  Run(scene, "VGCC", Must(control::Vgcc::Create({.gain = 0.5}, robot, effort)));
  Run(scene, "VGCC power", Must(control::Vgcc::Create({}, robot, power)));
  Run(scene, "MPC", Must(control::SamplingMpc::Create({.spread = 1.0}, robot, macro, value)));
  Run(scene, "VGSR", Must(control::Retrieval::Create({.gate = true}, robot, archive)));
  return 0;
}
