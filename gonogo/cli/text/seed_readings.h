// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/audit_result.h"

namespace gonogo::cli {

/// What both rules say about one table under several bootstrap seeds.
class SeedReadings {
 public:
  void Add(std::uint64_t seed, const audit::AuditResult& result);

  /// Share of seeds whose answer differs from the first one's, for the rule of that name.
  [[nodiscard]] double FlipRate(const std::string& rule) const;

  /// `readings` (seed, and the answer of each rule, null without one) and `flip_rate` per rule.
  [[nodiscard]] nlohmann::json Json() const;

 private:
  struct Reading {
    std::uint64_t seed;
    std::string paper;  ///< "GO", "NO-GO", "ABSTAIN", or empty where no rule reads its intervals
    std::string calibrated;
    [[nodiscard]] const std::string& of(const std::string& rule) const {
      return rule == "paper" ? paper : calibrated;
    }
  };
  std::vector<Reading> readings_;
};

}  // namespace gonogo::cli
