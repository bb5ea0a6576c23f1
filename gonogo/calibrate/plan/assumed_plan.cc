// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/plan/assumed_plan.h"

#include "gonogo/calibrate/trials/solve.h"

namespace gonogo::calibrate {

Rule PlannedRule(const audit::Protocol& protocol) {
  for (const Rule rule : {Rule::kPaper, Rule::kLeavePairOut}) {
    if (KindOf(rule) == protocol.rule.kind) return rule;
  }
  return Rule::kCalibrated;
}

Result<Plan> PlanFromAssumption(const audit::Protocol& protocol, const Assumption& assumption,
                                const LearnerFactory& learner, const Execution& execution) {
  if (protocol.rule.adapter_cost != 0.0) {
    return UsageError(
        "rule.adapter_cost is {} in units of your costs, which a simulated world does not have: "
        "plan from a pilot table, or give --effect after that cost and set it to 0",
        protocol.rule.adapter_cost);
  }
  if (!(assumption.effect >= 0.0 && assumption.effect < 1.0)) {
    return UsageError("--effect {}: expected a share of the cost from 0 to below 1",
                      assumption.effect);
  }
  const audit::BootstrapConfig& bootstrap = protocol.bootstrap;
  World world = assumption.world;
  world.handicap = 0.01;
  world.clusters = assumption.clusters.front();
  const SolveOptions solve{.trainings = 80,
                           .fresh_queries = 2048,
                           .steps = 12,
                           .kappa = protocol.thresholds.kappa,
                           .learner = learner,
                           .models = protocol.learner};
  const Target target{&World::signal, 0.0, 1.0, Quantity::kDeployment, assumption.effect};
  const World solved =
      GONOGO_TRY(SolveWorld(world, target, solve, RngStream(bootstrap.seed).Child("solve"),
                            {.jobs = execution.jobs, .stop = execution.stop}));
  return PlanFromWorld({.world = solved,
                        .clusters = assumption.clusters,
                        .rule = PlannedRule(protocol),
                        .largest = assumption.largest,
                        .fewest = protocol.min_clusters,
                        .data_sets = assumption.data_sets,
                        .seed = bootstrap.seed,
                        .trial = {.thresholds = protocol.thresholds,
                                  .level = bootstrap.level,
                                  .refits = bootstrap.refits,
                                  .learner = learner,
                                  .models = protocol.learner}},
                       execution);
}

}  // namespace gonogo::calibrate
