// SPDX-License-Identifier: Apache-2.0
// However a record log was cut or altered, what is read from it was written, and it can be written
// on. The bytes choose records and damage: nobody guesses a checksum.
#include "fuzz/bytes.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/io/record_log.h"

namespace {

using gonogo::fuzz::Bytes;
using gonogo::io::RecordFile;

std::string DrawText(Bytes& bytes) {
  std::string text(bytes.Below(64), 'x');
  for (char& c : text) c = static_cast<char>(bytes.Below(256));
  return text;
}

void Damage(std::string& log, Bytes& bytes) {
  for (std::size_t count = bytes.Below(4); count > 0 && !log.empty(); --count) {
    const std::size_t at = (256 * bytes.Below(256) + bytes.Below(256)) % log.size();
    if (bytes.Coin()) {
      log.resize(at);
    } else {
      log[at] = static_cast<char>(bytes.Below(256));
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo::io;
  Bytes bytes(data, size);
  RecordFile written{.fingerprint = DrawText(bytes), .records = {}};
  for (std::size_t count = bytes.Below(6); count > 0; --count) {
    written.records[bytes.Below(256)] = DrawText(bytes);
  }
  std::string log = RecordLogBytes(written);
  Damage(log, bytes);
  const std::filesystem::path path = gonogo::fuzz::PutFile("records.log", log);
  const gonogo::Result<RecordFile> read = ReadRecordLog(path);
  if (!read.ok()) {
    GONOGO_CHECK(read.error().message.starts_with(path.string()));
    return 0;
  }
  gonogo::Result<RecordLog> opened = RecordLog::Open(path, read.value().fingerprint);
  GONOGO_CHECK(opened.ok());
  GONOGO_CHECK(opened.value().size() == read.value().records.size());
  GONOGO_CHECK(opened.value().Append(1000, "one more").ok());
  const RecordFile again = ReadRecordLog(path).value();
  GONOGO_CHECK(again.records.size() == read.value().records.size() + 1);
  GONOGO_CHECK(again.records.at(1000) == "one more");
  return 0;
}
