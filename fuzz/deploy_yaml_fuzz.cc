// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, facts are found in somebody's deploy.yaml or none are.
#include "fuzz/scratch_folder.h"

#include "gonogo/study/describe/deploy_facts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::fuzz;
  const std::filesystem::path file = PutFile("deploy.yaml", AsText(data, size));
  const gonogo::Result<gonogo::study::DeployFacts> facts = gonogo::study::ReadDeployFile(file);
  if (!facts.ok()) return 0;
  gonogo::study::DeployFacts both = facts.value();
  both.Complete(facts.value());
  return 0;
}
