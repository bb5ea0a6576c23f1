// SPDX-License-Identifier: Apache-2.0
// A sound HDF5 file with a few places changed: what is fuzzed is our reading of it, not the
// library.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "fuzz/hdf5_pieces.h"

namespace gonogo::fuzz {

constexpr std::size_t kMostDatasets = 64;

/// The data sets below a group, by name; not all of them where links lead back to where they stand.
inline void CollectDatasets(const io::Hdf5File& file, const std::string& group,
                            std::vector<std::string>& datasets) {
  const Result<std::vector<std::string>> children = file.Children(group.empty() ? "/" : group);
  if (!children.ok()) return;
  for (const std::string& child : children.value()) {
    if (datasets.size() >= kMostDatasets) return;
    const std::string name = group + "/" + child;
    if (file.Shape(name).ok()) {
      datasets.push_back(name);
    } else if (name.size() < 64) {
      CollectDatasets(file, name, datasets);
    }
  }
}

inline std::vector<std::string> AttributesOf(hid_t file) {
  std::vector<std::string> names;
  const auto visit = [](hid_t, const char* name, const H5A_info_t*, void* found) -> herr_t {
    static_cast<std::vector<std::string>*>(found)->emplace_back(name);
    return 0;
  };
  H5Aiterate2(file, H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visit, &names);
  return names;
}

/// Puts one odd number into a data set of numbers.
inline void ChangeNumber(hid_t file, const std::string& dataset, Bytes& bytes) {
  const Handle opened(H5Dopen2(file, dataset.c_str(), H5P_DEFAULT));
  const Handle space(H5Dget_space(opened.get()));
  const hssize_t count = H5Sget_simple_extent_npoints(space.get());
  const int rank = H5Sget_simple_extent_ndims(space.get());
  if (count <= 0 || rank <= 0) return;
  std::vector<hsize_t> extents(static_cast<std::size_t>(rank));
  H5Sget_simple_extent_dims(space.get(), extents.data(), nullptr);
  std::vector<hsize_t> place;
  for (const hsize_t extent : extents) place.push_back(bytes.Below(256) % extent);
  H5Sselect_elements(space.get(), H5S_SELECT_SET, 1, place.data());
  const Handle one(H5Screate(H5S_SCALAR));
  const double number = bytes.Of(kNumbers);
  H5Dwrite(opened.get(), H5T_NATIVE_DOUBLE, one.get(), space.get(), H5P_DEFAULT, &number);
}

inline void ChangeAttribute(io::Hdf5File& file, hid_t raw, Bytes& bytes) {
  const std::vector<std::string> attributes = AttributesOf(raw);
  if (attributes.empty()) return;
  const std::string name = bytes.Of(attributes);
  H5Adelete(raw, name.c_str());
  if (bytes.Coin()) return;
  if (bytes.Coin()) {
    (void)file.WriteNumber("/", name, bytes.Of(kNumbers)).ok();
  } else {
    (void)file.WriteText("/", name, bytes.Of(kNames)).ok();
  }
}

/// Makes one to four changes in the file: another number, data set or attribute, or one less.
inline void EditHdf5(const std::filesystem::path& path, Bytes& bytes) {
  Result<io::Hdf5File> file = io::Hdf5File::OpenForUpdate(path);
  if (!file.ok()) return;
  const Handle raw(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));  // the same file once more
  for (std::size_t edits = 1 + bytes.Below(4); edits > 0; --edits) {
    std::vector<std::string> datasets;
    CollectDatasets(file.value(), "", datasets);
    const std::size_t kind = bytes.Below(8);
    if (datasets.empty() || kind == 0) {
      ChangeAttribute(file.value(), raw.get(), bytes);
      continue;
    }
    const std::string& dataset = bytes.Of(datasets);
    if (kind <= 5) {
      ChangeNumber(raw.get(), dataset, bytes);
      continue;
    }
    const Shape shape =
        file.value().Shape(dataset).ok() ? file.value().Shape(dataset).value() : Shape();
    if (Count(shape) > 4096) continue;
    H5Ldelete(raw.get(), dataset.c_str(), H5P_DEFAULT);
    if (kind == 7) WriteSomething(file.value(), raw.get(), dataset, shape, bytes);
  }
  (void)file.value().Close().ok();
}

}  // namespace gonogo::fuzz
