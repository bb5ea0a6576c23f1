// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes of a record, it is no refit or one that survives being written again.
#include "fuzz/scratch_folder.h"

#include "gonogo/audit/refit/refit_log.h"
#include "gonogo/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::audit;
  const std::optional<Refit> refit = DecodeRefit(gonogo::fuzz::AsText(data, size));
  if (!refit) return 0;
  const std::string bytes = EncodeRefit(*refit);
  const std::optional<Refit> again = DecodeRefit(bytes);
  GONOGO_CHECK(again.has_value() && EncodeRefit(*again) == bytes);
  return 0;
}
