// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/run/choice_map.h"
#include "gonogo/audit/run/choices.h"

namespace gonogo::audit {

/// What both rules say under one bootstrap seed: "GO", "NO-GO", "ABSTAIN", or nothing where no rule
/// reads the intervals.
struct SeedReading {
  std::uint64_t seed = 0;
  std::string paper = {};
  std::string calibrated = {};

  [[nodiscard]] static SeedReading Of(std::uint64_t seed, const AuditResult& result);
};

/// The rules whose answers are compared over seeds: name and answer of each.
struct SeedRule {
  const char* name;
  std::string SeedReading::*answer;
};
inline constexpr SeedRule kSeedRules[] = {{"paper", &SeedReading::paper},
                                          {"calibrated", &SeedReading::calibrated}};

/// Share of seeds whose answer differs from that of the first one, which is declared.
[[nodiscard]] double FlipRate(const std::vector<SeedReading>& readings,
                              std::string SeedReading::*answer);

/// What an audit found and was asked to find besides, as structures; `AuditReport::json` is made of
/// them. Parts nobody asked for are empty.
struct AuditFindings {
  AuditResult result;  ///< the declared audit: the only one that can decide
  /// The same audit by other learners and targets, the declared one first, without their fits.
  std::vector<AuditResult> learners = {};
  std::vector<SeedReading> seeds = {};  ///< under other bootstrap seeds, the declared one first
  std::vector<AblationRow> ablation = {};
  /// What would be read about known clusters instead of new ones, or the other way round.
  std::optional<AuditResult> other_question = {};
  std::optional<QueryChoices> choices = {};
  std::optional<ChoiceMap> map = {};
};

/// `result.json` without what identifies the run and its table, which others add.
[[nodiscard]] nlohmann::json ToJson(const AuditFindings& findings);

/// Which clusters the answer to the other question is about, in words.
[[nodiscard]] std::string AboutWhichClusters(const AuditResult& other);

}  // namespace gonogo::audit
