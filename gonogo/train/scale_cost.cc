// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/scale_cost.h"

#include <algorithm>
#include <vector>

#include "gonogo/base/parallel/parallel.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/sim/world/terrain.h"

namespace gonogo::train {
namespace {

sim::Terrain LowStairs(const robot::TerrainSpec& spec, const RngStream& stream) {
  sim::TerrainOptions options;
  options.columns = {sim::TileKind::kStairs};
  options.difficulty = ScaleCost::kDifficulty;
  return sim::MakeTerrain(options, spec, stream);
}

}  // namespace

Result<ScaleCost> CompareScales(const robot::RobotSpec& spec,
                                const std::shared_ptr<const robot::Policy>& policy,
                                const EvaluationOptions& options) {
  if (spec.task.targets.empty()) return InputError("{}: has no targets", spec.file.string());
  const auto harder = spec.task.targets.find("harder");
  const std::vector<robot::Point2>& targets =
      harder != spec.task.targets.end() ? harder->second : spec.task.targets.begin()->second;
  const std::size_t episodes = targets.size() * static_cast<std::size_t>(options.trials);
  ScaleCost cost;
  for (int s = 0; s < options.terrain_seeds; ++s) {
    const RngStream stream = RngStream(options.first_seed + s).Child("scale cost");
    const std::shared_ptr<const sim::World> world =
        GONOGO_TRY(sim::World::Create(spec, LowStairs(spec.terrain, stream.Child("terrain"))));
    const sim::ClosedLoop fits = GONOGO_TRY(sim::ClosedLoop::Create(world, policy));
    std::vector<Result<sim::EpisodeResult>> runs(2 * episodes, sim::EpisodeResult{});
    ParallelFor(options.jobs, runs.size(), [&](std::size_t i) {
      const double scale = i < episodes ? 1.0 : ScaleCost::kScale;
      sim::ClosedLoop loop = sim::ClosedLoop::Create(world, policy).value();
      runs[i] = sim::RunToTarget(loop, sim::DrawStart(*world, stream.Child(i % episodes)),
                                 targets[i % targets.size()],
                                 [scale](const sim::Sight& sight) { return scale * sight.direct; });
    });
    for (std::size_t i = 0; i < runs.size(); ++i) {
      if (!runs[i].ok()) return runs[i].error();
      (i < episodes ? cost.cot_full : cost.cot_scaled) += runs[i].value().cot;
    }
    cost.episodes += static_cast<int>(episodes);
  }
  cost.cot_full /= std::max(cost.episodes, 1);
  cost.cot_scaled /= std::max(cost.episodes, 1);
  return cost;
}

}  // namespace gonogo::train
