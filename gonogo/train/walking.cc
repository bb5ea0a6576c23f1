// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/expert.h"
#include "gonogo/train/symmetry.h"
#include "gonogo/train/trainer.h"
#include "gonogo/train/walk_env.h"
#include "gonogo/train/worlds.h"

namespace gonogo::train {
Problem WalkingProblem(const robot::RobotSpec& spec, const Recipe& recipe) {
  Problem problem;
  problem.input_scale = InputScale(spec);
  problem.action_dim = spec.joint_count();
  if (recipe.mirror) problem.symmetry = recipe.symmetry;
  problem.fingerprint = recipe.fingerprint;
  problem.environments = [&spec, &recipe](const Stage& stage,
                                          const RngStream& stream) -> Result<Environments> {
    const Result<std::vector<std::shared_ptr<const sim::World>>> worlds =
        MakeWorlds(spec, stage, stream.Child("worlds"));
    if (!worlds.ok()) return worlds.error();
    const Result<std::shared_ptr<const robot::Policy>> expert =
        MakeExpert(spec, recipe, worlds.value().front()->mass_kg());
    if (!expert.ok()) return expert.error();
    Environments environments;
    for (int e = 0; e < recipe.environments; ++e) {
      environments.push_back(std::make_unique<WalkEnv>(worlds.value()[e % worlds.value().size()],
                                                       recipe, stage.reward, expert.value(),
                                                       stream.Child("walk").Child(e)));
    }
    return environments;
  };
  return problem;
}

}  // namespace gonogo::train
