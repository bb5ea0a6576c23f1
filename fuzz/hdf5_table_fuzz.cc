// SPDX-License-Identifier: Apache-2.0
// Whatever shapes, types, storage and values an HDF5 table has, it is refused with a message or is
// what the audit counts on. The bytes choose what is written: fuzzing raw files would test the HDF5
// library instead of ours.
#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/bytes.h"
#include "fuzz/hdf5_pieces.h"
#include "fuzz/sound_table.h"
#include <hdf5.h>
#include <unistd.h>

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"
#include "gonogo/io/hdf5/hdf5_file.h"

namespace {

using namespace gonogo::fuzz;
using gonogo::io::Hdf5File;

void WriteTable(const std::string& path, Bytes& bytes) {
  GONOGO_CHECK(Hdf5File::Create(path).value().Close().ok());
  gonogo::Result<Hdf5File> file = Hdf5File::OpenForUpdate(path);
  GONOGO_CHECK(file.ok());
  const Handle raw(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));  // the same file once more
  GONOGO_CHECK(raw.ok());
  const std::size_t queries = 2 + bytes.Below(5);
  const auto actions = DrawList(2 + bytes.Below(3), [&, i = 0]() mutable {
    return std::string(bytes.Below(8) == 1 ? bytes.Of(kNames) : kNames[i++]);
  });
  if (bytes.Below(16) != 1) (void)file.value().WriteTexts("/", "actions", actions).ok();
  if (bytes.Coin()) (void)file.value().WriteText("/", "reference", "a").ok();
  if (bytes.Below(4) == 1)
    (void)file.value().WriteText("/", "declaration", "protocol.name = 1").ok();
  if (bytes.Below(4) == 1) (void)file.value().WriteText("/", "provenance", bytes.Of(kNames)).ok();
  const Shape cells = {queries, actions.size()};
  for (const char* dataset : {"/cluster", "/query", "/choice"}) {
    WriteSomething(file.value(), raw.get(), dataset, {queries}, bytes);
  }
  for (const char* dataset : {"/cost", "/time", "/success", "/eligible"}) {
    WriteSomething(file.value(), raw.get(), dataset, cells, bytes);
  }
  const std::size_t width = bytes.Below(4);
  WriteSomething(file.value(), raw.get(), "/features/f", {queries, width}, bytes);
  WriteSomething(file.value(), raw.get(), "/action_features/g", {queries, actions.size(), width},
                 bytes);
  if (bytes.Below(4) == 1) (void)file.value().WriteTexts("/features/f", "columns", actions).ok();
  (void)file.value().Close().ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kPath =
      (std::filesystem::temp_directory_path() / ("gonogo_fuzz_" + std::to_string(getpid()) + ".h5"))
          .string();
  Bytes bytes(data, size);
  WriteTable(kPath, bytes);
  const gonogo::Result<gonogo::audit::TableFile> table = gonogo::audit::ReadTable(kPath, {});
  if (table.ok()) {
    GONOGO_CHECK(gonogo::fuzz::IsSound(table.value().table));
  } else {
    GONOGO_CHECK(table.error().message.starts_with(kPath));
  }
  (void)gonogo::audit::ReadDeclaration(kPath).ok();
  return 0;
}
