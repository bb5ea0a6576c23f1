// SPDX-License-Identifier: Apache-2.0
#include "gonogo/train/walk/expert.h"

#include <utility>

#include "gonogo/base/gravity.h"
#include "gonogo/train/gait/biped_policy.h"
#include "gonogo/train/gait/trot_policy.h"

namespace gonogo::train {
namespace {

template <typename Walker>
Result<std::shared_ptr<const robot::Policy>> Share(Result<Walker> walker) {
  if (!walker.ok()) return walker.error();
  return std::shared_ptr<const robot::Policy>(std::make_shared<Walker>(std::move(walker).value()));
}

}  // namespace

Result<std::shared_ptr<const robot::Policy>> MakeExpert(const robot::RobotSpec& spec,
                                                        const Recipe& recipe, double mass_kg) {
  if (recipe.is_biped()) {
    BipedConfig biped = recipe.biped;
    biped.weight_n = kGravity * mass_kg;
    return Share(BipedPolicy::Create(spec, std::move(biped)));
  }
  TrotConfig trot = recipe.trot;
  trot.weight_n = kGravity * mass_kg;
  return Share(TrotPolicy::Create(spec, std::move(trot)));
}

}  // namespace gonogo::train
