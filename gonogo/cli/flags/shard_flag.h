// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "gonogo/base/parallel/shard.h"
#include "gonogo/cli/arguments.h"

namespace gonogo::cli {

/// `--shard 3/16`: one task of a job array does its part of the work and leaves the rest.
class ShardFlag {
 public:
  /// `units` says what is divided.
  void Add(Arguments& verb, const std::string& units);
  /// Nothing when the flag was not given.
  [[nodiscard]] Result<std::optional<Shard>> Read() const;

 private:
  std::string text_;
};

}  // namespace gonogo::cli
