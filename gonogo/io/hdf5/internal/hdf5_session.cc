// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/hdf5/internal/hdf5_session.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>

#include <fmt/format.h>
#include <unistd.h>

namespace gonogo::io::internal {

std::size_t Count(std::span<const std::size_t> shape) {
  constexpr std::size_t kMost = std::numeric_limits<std::size_t>::max();
  if (std::find(shape.begin(), shape.end(), 0U) != shape.end()) return 0;
  return std::accumulate(
      shape.begin(), shape.end(), std::size_t{1},
      [](std::size_t a, std::size_t b) { return a > kMost / b ? kMost : a * b; });
}

std::vector<std::size_t> ShapeOf(hid_t space) {
  if (H5Sget_simple_extent_type(space) == H5S_NULL) return {0};
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> dims(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
}

std::optional<std::string> MemoryProblem(std::size_t count, std::size_t width) {
  const auto memory =
      static_cast<double>(sysconf(_SC_PHYS_PAGES)) * static_cast<double>(sysconf(_SC_PAGESIZE));
  const double needed = static_cast<double>(count) * static_cast<double>(width);
  if (needed <= memory) return std::nullopt;
  return fmt::format("would take {:.0f} GB of memory, this machine has {:.0f} GB", needed / 1e9,
                     memory / 1e9);
}

namespace {

/// Blocks in which an array of this shape is stored.
std::size_t NeededChunks(hid_t creation, std::vector<std::size_t> shape) {
  std::vector<hsize_t> chunk(shape.size());
  H5Pget_chunk(creation, static_cast<int>(chunk.size()), chunk.data());
  for (std::size_t i = 0; i < shape.size(); ++i) {
    shape[i] = shape[i] / chunk[i] + (shape[i] % chunk[i] == 0 ? 0 : 1);
  }
  return Count(shape);
}

}  // namespace

std::optional<std::string> StorageProblem(hid_t dataset, std::size_t width) {
  const Handle space(H5Dget_space(dataset));
  const Handle creation(H5Dget_create_plist(dataset));
  const std::vector<std::size_t> shape = ShapeOf(space.get());
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout == H5D_VIRTUAL || H5Pget_external_count(creation.get()) > 0) {
    return "keeps its values in other files, expected them in this one";
  }
  for (int i = 0; i < H5Pget_nfilters(creation.get()); ++i) {
    std::size_t parameters = 0;
    const H5Z_filter_t filter = H5Pget_filter2(creation.get(), static_cast<unsigned>(i), nullptr,
                                               &parameters, nullptr, 0, nullptr, nullptr);
    if (H5Zfilter_avail(filter) <= 0) {
      return fmt::format("is packed with HDF5 filter {}, which is not installed", filter);
    }
  }
  if (std::optional<std::string> problem = MemoryProblem(Count(shape), width)) return problem;
  if (H5Dget_storage_size(dataset) == 0 && Count(shape) > 0) return "was never written";
  hsize_t chunks = 0;
  if (layout != H5D_CHUNKED || H5Dget_num_chunks(dataset, space.get(), &chunks) < 0) {
    return std::nullopt;
  }
  const std::size_t needed = NeededChunks(creation.get(), shape);
  if (chunks >= needed) return std::nullopt;
  return fmt::format("was only written in part ({} of {} blocks)", chunks, needed);
}

hid_t TextType() {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}

std::vector<std::string> Texts(hid_t type, std::size_t count,
                               const std::function<bool(hid_t, void*)>& read, bool& ok) {
  std::vector<std::string> texts;
  if (H5Tis_variable_str(type) > 0) {
    std::vector<char*> raw(count, nullptr);
    const Handle memory(H5Tcopy(type));
    ok = read(memory.get(), raw.data());
    for (char* text : raw) {
      texts.emplace_back(ok && text != nullptr ? text : "");
      if (ok) H5free_memory(text);
    }
    return texts;
  }
  const std::size_t width = H5Tget_size(type);
  std::vector<char> raw(count * width);
  const Handle memory(H5Tcopy(type));
  ok = read(memory.get(), raw.data());
  for (std::size_t i = 0; i < count; ++i) {
    const char* begin = raw.data() + i * width;
    std::string text(begin, strnlen(begin, width));
    if (H5Tget_strpad(type) == H5T_STR_SPACEPAD) text.erase(text.find_last_not_of(' ') + 1);
    texts.push_back(std::move(text));
  }
  return texts;
}

}  // namespace gonogo::io::internal
