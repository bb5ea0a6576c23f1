// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/ppo/symmetry.h"
#include "gonogo/train/trainer.h"
#include "gonogo/train/walk/expert.h"
#include "gonogo/train/walk/walk_env.h"
#include "gonogo/train/walk/worlds.h"

namespace gonogo::train {
Problem WalkingProblem(const robot::RobotSpec& spec, const Recipe& recipe) {
  Problem problem;
  problem.input_scale = InputScale(spec, recipe.network.scan_scale);
  problem.input_centre = InputCentre(spec, recipe.network.scan_centre);
  problem.usual_scale = InputScale(spec, NetworkConfig().scan_scale);
  problem.action_dim = spec.joint_count();
  if (recipe.mirror) problem.symmetry = recipe.symmetry;
  problem.fingerprint = recipe.fingerprint;
  problem.environments = [&spec, &recipe](const Stage& stage,
                                          const RngStream& stream) -> Result<Environments> {
    const std::vector<std::shared_ptr<const sim::World>> worlds =
        GONOGO_TRY(MakeWorlds(spec, stage, recipe.fast_ground, stream.Child("worlds")));
    const std::shared_ptr<const robot::Policy> expert =
        GONOGO_TRY(MakeExpert(spec, recipe, worlds.front()->mass_kg()));
    Environments environments;
    for (int e = 0; e < recipe.environments; ++e) {
      environments.push_back(std::make_unique<WalkEnv>(
          worlds[e % worlds.size()], recipe, stage.reward, expert, stream.Child("walk").Child(e)));
    }
    return environments;
  };
  return problem;
}

}  // namespace gonogo::train
