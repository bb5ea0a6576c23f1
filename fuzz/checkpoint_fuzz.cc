// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a training checkpoint is refused with a message or comes back from its file.
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
  GONOGO_CHECK(io::ReadFile(file).value() == bytes);
  return 0;
}
