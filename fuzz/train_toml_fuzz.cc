// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a train.toml is refused with a message or says how to train the Go2.
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/train/recipe/recipe.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::fuzz;
  static const gonogo::robot::RobotSpec kGo2 =
      gonogo::robot::LoadRobotSpec(GONOGO_SOURCE_DIR "/robots/go2").value();
  const std::filesystem::path file = PutFile("train.toml", AsText(data, size));
  const gonogo::Result<gonogo::train::Recipe> recipe = gonogo::train::LoadRecipe(file, kGo2);
  if (recipe.ok()) GONOGO_CHECK(!recipe.value().stages.empty());
  return 0;
}
