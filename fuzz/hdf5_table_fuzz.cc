// SPDX-License-Identifier: Apache-2.0
// Whatever shapes, types, storage and values an HDF5 table has, it is refused with a message or is
// what the audit counts on. The bytes choose what is written: fuzzing raw files would test the HDF5
// library instead of ours.
#include <filesystem>
#include <limits>
#include <string>
#include <vector>

#include "fuzz/bytes.h"
#include "fuzz/sound_table.h"
#include <hdf5.h>
#include <unistd.h>

#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"
#include "gonogo/io/hdf5/hdf5_file.h"
#include "gonogo/io/hdf5/internal/hdf5_session.h"

namespace {

using gonogo::fuzz::Bytes;
using gonogo::io::Hdf5File;
using gonogo::io::internal::Handle;
using Shape = std::vector<std::size_t>;

constexpr double kNumbers[] = {1.0,
                               0.0,
                               2.0,
                               -1.0,
                               0.5,
                               1e300,
                               1e-300,
                               std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()};
constexpr std::int64_t kWholeNumbers[] = {1, 0, 2, 3, -1};
constexpr const char* kNames[] = {"a", "b", "c", "10", "\xC3\xA9", "\xE9", "\x1B", ""};

Shape DrawShape(Bytes& bytes) {
  Shape shape(bytes.Below(4));
  for (std::size_t& extent : shape) extent = bytes.Below(6);
  return shape;
}

std::size_t Count(const Shape& shape) {
  std::size_t count = 1;
  for (const std::size_t extent : shape) count *= extent;
  return count;
}

template <typename Draw>
auto DrawList(std::size_t count, Draw draw) {
  std::vector<decltype(draw())> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(draw());
  return values;
}

/// A link or a data set as our own writer does not make them, or nothing where HDF5 refuses.
void WriteOdd(hid_t file, const std::string& dataset, const Shape& shape, Bytes& bytes) {
  const Handle parents(H5Pcreate(H5P_LINK_CREATE));
  H5Pset_create_intermediate_group(parents.get(), 1);
  if (bytes.Below(4) == 0) {
    constexpr const char* kTargets[] = {"/cost", "/cluster", "/nothing", "/features", "/"};
    H5Lcreate_soft(bytes.Of(kTargets), file, dataset.c_str(), parents.get(), H5P_DEFAULT);
    return;
  }
  std::vector<hsize_t> dims(shape.begin(), shape.end());
  const bool huge = !dims.empty() && bytes.Below(4) == 0;
  if (huge) dims.back() = hsize_t{1} << (20 + bytes.Below(44));
  const Handle creation(H5Pcreate(H5P_DATASET_CREATE));
  if (!dims.empty() && (huge || bytes.Coin())) {
    const std::vector<hsize_t> block(dims.size(), 2);
    H5Pset_chunk(creation.get(), static_cast<int>(dims.size()), block.data());
    if (bytes.Coin()) H5Pset_filter(creation.get(), 32099, H5Z_FLAG_OPTIONAL, 0, nullptr);
  }
  const Handle text(H5Tcopy(H5T_C_S1));
  H5Tset_size(text.get(), 1 + bytes.Below(3));
  const Handle pair(H5Tcreate(H5T_COMPOUND, 16));
  H5Tinsert(pair.get(), "x", 0, H5T_NATIVE_DOUBLE);
  const hid_t types[] = {H5T_NATIVE_DOUBLE, H5T_NATIVE_UINT64, H5T_IEEE_F32BE,  text.get(),
                         pair.get(),        H5T_NATIVE_B8,     H5T_NATIVE_UCHAR};
  const hid_t type = bytes.Of(types);
  const Handle space(bytes.Below(8) == 1
                         ? H5Screate(H5S_NULL)
                         : H5Screate_simple(static_cast<int>(dims.size()), dims.data(), nullptr));
  const Handle created(H5Dcreate2(file, dataset.c_str(), type, space.get(), parents.get(),
                                  creation.get(), H5P_DEFAULT));
  if (!created.ok() || huge || !bytes.Coin()) return;
  const auto values = DrawList(16 * Count(shape), [&] { return bytes.Below(256); });
  H5Dwrite(created.get(), type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
}

void WriteSomething(Hdf5File& file, hid_t raw, const std::string& dataset, Shape shape,
                    Bytes& bytes) {
  const std::size_t kind = bytes.Below(8);
  if (bytes.Below(8) == 1) shape = DrawShape(bytes);
  const std::size_t count = Count(shape);
  if (kind <= 1) {
    const auto numbers = DrawList(count, [&] { return bytes.Of(kWholeNumbers); });
    (void)file.Write<std::int64_t>(dataset, shape, numbers).ok();
  } else if (kind <= 3) {
    const auto numbers = DrawList(count, [&] { return bytes.Of(kNumbers); });
    (void)file.Write<double>(dataset, shape, numbers, kind == 3 && !shape.empty() ? 1 : 0).ok();
  } else if (kind == 4) {
    const auto names = DrawList(count, [&] { return std::string(bytes.Of(kNames)); });
    (void)file.WriteStrings(dataset, names).ok();
  } else if (kind == 5) {
    WriteOdd(raw, dataset, shape, bytes);
  }
}

void WriteTable(const std::string& path, Bytes& bytes) {
  gonogo::Result<Hdf5File> file = Hdf5File::Create(path);
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
  const gonogo::Result<gonogo::audit::OutcomeTable> table = gonogo::audit::ReadTable(kPath, {});
  if (table.ok()) {
    GONOGO_CHECK(gonogo::fuzz::IsSound(table.value()));
  } else {
    GONOGO_CHECK(table.error().message.starts_with(kPath));
  }
  (void)gonogo::audit::ReadDeclaration(kPath).ok();
  return 0;
}
