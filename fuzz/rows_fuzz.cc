// SPDX-License-Identifier: Apache-2.0
// Whatever the bytes, packed or not, in whatever encoding, rows are refused with a message or have
// as many fields as the header.
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "gonogo/base/check.h"
#include "gonogo/io/foreign/open_rows.h"

namespace {

void ReadAll(std::string_view bytes, gonogo::io::Decimal decimal) {
  gonogo::Result<gonogo::io::CsvReader> rows = gonogo::io::ReadRows(bytes, "fuzz", decimal);
  if (!rows.ok()) {
    GONOGO_CHECK(rows.error().message.starts_with("fuzz"));
    return;
  }
  while (true) {
    const gonogo::Result<bool> more = rows.value().Next();
    if (!more.ok()) GONOGO_CHECK(more.error().message.starts_with("fuzz"));
    if (!more.ok() || !more.value()) return;
    GONOGO_CHECK(rows.value().fields().size() == rows.value().header().size());
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  ReadAll(bytes, gonogo::io::Decimal::kFound);
  ReadAll(bytes, gonogo::io::Decimal::kPoint);
  ReadAll(bytes, gonogo::io::Decimal::kComma);
  return 0;
}
