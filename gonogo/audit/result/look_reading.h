// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/rules/outlook.h"

namespace gonogo::audit {

struct AuditResult;
struct OutcomeTable;

/// One condition of a GO as a look read it.
struct LookChannel {
  std::string name;  ///< "H_dep"
  double point = 0.0;
  std::optional<double> lower = {};  ///< none where the rule has no bound
  std::optional<double> upper = {};
  double threshold = 0.0;
  bool above = true;  ///< GO needs it above the threshold, else at or below it
};

/// What follows from a look.
enum class AfterLook {
  kGoOn,        ///< another look may decide
  kDecided,     ///< GO or NO-GO
  kFutile,      ///< no later look is likely to say GO
  kLast,        ///< no later look is declared
  kNoDecision,  ///< the table cannot carry any decision, or has too few clusters and no later look
};

/// One of the looks that `rule.looks_at` declares: what it read and what may come.
struct LookReading {
  std::size_t look = 1;
  std::size_t looks = 1;  ///< declared
  std::size_t clusters = 0;
  double alpha = 0.0;        ///< the one-sided error it could spend
  std::string reading = {};  ///< "GO", "NO-GO" or "ABSTAIN"; empty where nothing was read
  std::vector<LookChannel> channels = {};
  std::vector<LookChance> later = {};  ///< looks that are still to come
  AfterLook then = AfterLook::kGoOn;
};

/// Adds this look to `result.path`, behind the readings of earlier looks that came with the table;
/// nothing where no looks are declared by clusters, or under the paper's rule, which does not spend
/// its error over them. An audit between two declared looks is none.
void AddLook(const OutcomeTable& table, AuditResult& result);

/// "go on", "decided", "futile", "last look" or "no decision".
[[nodiscard]] std::string_view Name(AfterLook then);

/// An entry of `path` in a result (docs/reference/formats.md).
void to_json(nlohmann::json& value, const LookReading& reading);
/// Throws nlohmann::json::exception.
void from_json(const nlohmann::json& value, LookReading& reading);

}  // namespace gonogo::audit
