// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/base/result.h"
#include "gonogo/cli/arguments.h"
#include "gonogo/cli/robot/surroundings_flags.h"

namespace gonogo::cli {

/// Flags that say which robot is studied under which protocol, before it is declared.
class RobotProtocolFlags {
 public:
  void Add(Arguments verb);

  /// The protocol file (ROBOT/audit.toml if none is given) with --queries, the ground and --set
  /// applied.
  [[nodiscard]] Result<audit::Protocol> Read() const;

  [[nodiscard]] const std::filesystem::path& robot() const { return robot_; }
  /// runs/identify-ROBOT unless given.
  [[nodiscard]] std::filesystem::path models() const;

 private:
  std::filesystem::path robot_;
  std::filesystem::path file_;
  std::filesystem::path models_;
  std::string queries_;
  SurroundingsFlags surroundings_{""};
  std::vector<std::string> set_;
};

}  // namespace gonogo::cli
