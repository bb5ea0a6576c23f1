// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "gonogo/base/result.h"

namespace gonogo::io {

/// What is waited for and taken from a stream.
struct StreamLimits {
  std::chrono::milliseconds first_writer = std::chrono::seconds(10);
  std::size_t bytes = std::size_t{1} << 30U;
};

/// Whether `path` is read by `ReadStream` instead of being opened: "-" for standard input, a pipe
/// or a device.
[[nodiscard]] bool IsStream(const std::string& path);

/// Everything that comes through a pipe or standard input ("-"). Refuses what would never end: a
/// pipe that nobody opens for writing, a terminal, a device, and more bytes than the limit.
[[nodiscard]] Result<std::string> ReadStream(const std::string& path,
                                             const StreamLimits& limits = {});

}  // namespace gonogo::io
