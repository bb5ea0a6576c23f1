// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a training checkpoint is refused with a message, or what it says comes back
// from its file. Checkpoints of the first version are written as the second one.
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/train/ppo/checkpoint.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo;
  const std::string_view bytes = fuzz::AsText(data, size);
  const Result<train::Checkpoint> checkpoint = train::ParseCheckpoint(bytes, "checkpoint.bin");
  if (!checkpoint.ok()) return 0;
  const std::filesystem::path file = fuzz::ScratchFolder() / "checkpoint.bin";
  GONOGO_CHECK(train::SaveCheckpoint(file, checkpoint.value()).ok());
  const std::string once = io::ReadFile(file).value();
  GONOGO_CHECK(train::SaveCheckpoint(file, train::ParseCheckpoint(once, file).value()).ok());
  GONOGO_CHECK(io::ReadFile(file).value() == once);
  return 0;
}
