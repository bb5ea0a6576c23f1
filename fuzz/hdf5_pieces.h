// SPDX-License-Identifier: Apache-2.0
// Data sets as the bytes choose them, for targets that write HDF5 files to be read.
#pragma once

#include <limits>
#include <string>
#include <vector>

#include "fuzz/bytes.h"
#include <hdf5.h>

#include "gonogo/io/hdf5/hdf5_file.h"
#include "gonogo/io/hdf5/internal/hdf5_session.h"

namespace gonogo::fuzz {

using io::internal::Count;
using io::internal::Handle;
using Shape = std::vector<std::size_t>;

/// The library gives its large buffers back to the system and takes new ones for every file, unless
/// told otherwise: an eighth of the time of an input.
inline const herr_t kKeepsBuffers = H5set_free_list_limits(-1, -1, -1, -1, -1, -1);

inline constexpr double kNumbers[] = {1.0,
                                      0.0,
                                      2.0,
                                      -1.0,
                                      0.5,
                                      1e300,
                                      1e-300,
                                      std::numeric_limits<double>::infinity(),
                                      std::numeric_limits<double>::quiet_NaN()};
inline constexpr std::int64_t kWholeNumbers[] = {1, 0, 2, 3, -1};
inline constexpr const char* kNames[] = {"a", "b", "c", "10", "\xC3\xA9", "\xE9", "\x1B", ""};

inline Shape DrawShape(Bytes& bytes) {
  Shape shape(bytes.Below(4));
  for (std::size_t& extent : shape) extent = bytes.Below(6);
  return shape;
}

template <typename Draw>
auto DrawList(std::size_t count, Draw draw) {
  std::vector<decltype(draw())> values;
  for (std::size_t i = 0; i < count; ++i) values.push_back(draw());
  return values;
}

/// A link or a data set as our own writer does not make them, or nothing where HDF5 refuses.
inline void WriteOdd(hid_t file, const std::string& dataset, const Shape& shape, Bytes& bytes) {
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

/// A data set of any type and, mostly, of this shape; or nothing.
inline void WriteSomething(io::Hdf5File& file, hid_t raw, const std::string& dataset, Shape shape,
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

}  // namespace gonogo::fuzz
