// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a protocol is refused with a message or survives its canonical text.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/check.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::audit;
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  const gonogo::Result<Protocol> protocol = ParseProtocol(text, "fuzz.toml");
  if (!protocol.ok()) return 0;
  const gonogo::Result<Protocol> again = ParseProtocol(CanonicalText(protocol.value()), "again");
  GONOGO_CHECK(again.ok());
  GONOGO_CHECK(again.value() == protocol.value());
  return 0;
}
