// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, a protocol is refused with a message or survives its canonical text, whether
// or not somebody there understands its [collect].
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gonogo/base/check.h"
#include "gonogo/study/collect/collect_config.h"

namespace {

using gonogo::Result;
using gonogo::audit::Protocol;

template <typename Parse>
void Check(std::string_view text, const Parse& parse) {
  const Result<Protocol> protocol = parse(text);
  if (!protocol.ok()) return;
  const std::string canonical = CanonicalText(protocol.value());
  const Result<Protocol> again = parse(canonical);
  GONOGO_CHECK(again.ok());
  GONOGO_CHECK(again.value() == protocol.value());
  const Result<Protocol> elsewhere = gonogo::audit::ParseProtocol(canonical, "elsewhere");
  GONOGO_CHECK(elsewhere.ok());
  GONOGO_CHECK(Fingerprint(elsewhere.value()) == Fingerprint(protocol.value()));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  Check(text, [](std::string_view bytes) { return gonogo::audit::ParseProtocol(bytes, "a"); });
  Check(text, [](std::string_view bytes) { return gonogo::study::ParseProtocol(bytes, "s"); });
  return 0;
}
