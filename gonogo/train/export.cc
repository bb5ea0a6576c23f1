// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/export.h"

#include <fmt/format.h>

#include "gonogo/nn/onnx/export.h"

namespace gonogo::train {

Status ExportPolicy(const std::filesystem::path& file, const ActorCritic& networks,
                    const robot::RobotSpec& spec, const PolicyOrigin& origin) {
  const nn::Mlp<float> actor = FoldedActor(networks);
  nn::OnnxNetwork network = nn::DescribeOnnx(actor);
  network.metadata = {{"robot", spec.name},
                      {"layout", robot::HashText(spec.LayoutHash())},
                      {"recipe_sha256", origin.recipe},
                      {"iteration", fmt::format("{}", origin.iteration)},
                      {"samples", fmt::format("{}", origin.samples)}};
  return nn::WriteOnnx(file, network);
}

}  // namespace gonogo::train
