// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/internal/hdf5_session.h"

#include <algorithm>
#include <cstring>
#include <numeric>

namespace gonogo::io::internal {

std::size_t Count(std::span<const std::size_t> shape) {
  return std::accumulate(shape.begin(), shape.end(), std::size_t{1}, std::multiplies<>());
}

std::vector<std::size_t> ShapeOf(hid_t space) {
  const int rank = H5Sget_simple_extent_ndims(space);
  std::vector<hsize_t> dims(static_cast<std::size_t>(std::max(rank, 0)));
  if (rank > 0) H5Sget_simple_extent_dims(space, dims.data(), nullptr);
  return {dims.begin(), dims.end()};
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
