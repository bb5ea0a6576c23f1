// SPDX-License-Identifier: Apache-2.0
// An HDF5 log, with one action for every query, and a few places changed is refused with a message
// or is what the audit counts on.
#include "fuzz/hdf5_edits.h"
#include "fuzz/scratch_folder.h"
#include "fuzz/sound_table.h"

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"
#include "gonogo/io/file.h"

namespace {

using namespace gonogo;

std::string SoundBytes() {
  std::string csv = "cluster,query,action,cost,time,success,eligible,propensity,choice,obs_x\n";
  for (int i = 0; i < 12; ++i) {
    csv += fmt::format("c{},q{},{},1.5,2,1,1,0.5,{},0.25\n", i % 3, i, i % 2 == 0 ? "a" : "b",
                       i % 3 == 0 ? "a" : "b");
  }
  const audit::OutcomeTable table = audit::ParseCsvTable(csv, "log.csv", {}).value();
  GONOGO_CHECK(table.logged.has_value());
  const std::filesystem::path path = fuzz::ScratchFolder() / "sound.h5";
  GONOGO_CHECK(audit::WriteTable(table, path).ok());
  GONOGO_CHECK(audit::ReadTable(path, {}).ok());
  return io::ReadFile(path).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kSound = SoundBytes();
  const std::filesystem::path path = fuzz::PutFile("log.h5", kSound);
  fuzz::Bytes bytes(data, size);
  fuzz::EditHdf5(path, bytes);
  const Result<audit::TableFile> table = audit::ReadTable(path, {});
  if (table.ok()) {
    GONOGO_CHECK(fuzz::IsSound(table.value().table));
  } else {
    GONOGO_CHECK(table.error().message.starts_with(path.string()));
  }
  return 0;
}
