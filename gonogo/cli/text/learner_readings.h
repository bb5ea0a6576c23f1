// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::cli {

/// Every other learner with the declared target, or its own where none is declared; with
/// `every_target` every learner with every target but the declared pair.
[[nodiscard]] std::vector<audit::LearnerConfig> OtherLearners(const audit::LearnerConfig& declared,
                                                              bool every_target);

/// Under which name a session keeps the refits of such a learner.
[[nodiscard]] std::string RefitsOf(const audit::LearnerConfig& learner);

/// What several learners and targets read in one table. The first one added is the declared one;
/// the others only describe.
class LearnerReadings {
 public:
  void Add(const audit::AuditResult& result);

  /// One summary each, with `learner` and `target`.
  [[nodiscard]] nlohmann::json Json() const;

 private:
  std::vector<audit::AuditResult> results_;
};

}  // namespace gonogo::cli
