// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, facts are found in somebody's deploy.yaml or none are.
#include "fuzz/scratch_folder.h"

#include "gonogo/study/describe/robot_facts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo;
  const std::string text = fuzz::AsText(data, size);
  study::RobotFacts facts = study::FactsOfText(text, "config.yaml");
  facts.Complete(study::FactsOfText(text, "config.py"));
  const std::filesystem::path file = fuzz::PutFile("deploy.yaml", text);
  const Result<study::RobotFacts> read = study::ReadFacts({file, file});
  if (read.ok()) facts.Complete(read.value());
  return 0;
}
