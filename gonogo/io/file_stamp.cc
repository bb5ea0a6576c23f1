// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/file_stamp.h"

#include <sys/stat.h>

namespace gonogo::io {

FileStamp FileStamp::Of(const std::filesystem::path& path) {
  struct stat info {};
  if (::stat(path.c_str(), &info) != 0) return {};
  return {.device = info.st_dev,
          .inode = info.st_ino,
          .bytes = info.st_size,
          .changed_s = info.st_mtim.tv_sec,
          .changed_ns = info.st_mtim.tv_nsec};
}

}  // namespace gonogo::io
