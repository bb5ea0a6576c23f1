// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/cli/terminal/terminal.h"

namespace gonogo::cli {

/// What several learners and targets read in one table. The first one added is the declared one;
/// the others only describe.
class LearnerReadings {
 public:
  void Add(const audit::AuditResult& result);

  /// One summary each, with `learner` and `target`.
  [[nodiscard]] nlohmann::json Json() const;
  [[nodiscard]] std::string Text(const Terminal& terminal) const;

 private:
  std::vector<audit::AuditResult> results_;
};

}  // namespace gonogo::cli
