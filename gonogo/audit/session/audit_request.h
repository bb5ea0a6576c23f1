// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"

namespace gonogo::audit {

/// What somebody asked of an audit besides its protocol. The command line and the Python module
/// both go through here: the same request is the same run, resumed by either.
struct AuditRequest {
  std::string learner = {};  ///< the override as it was given, "all" included; empty: as declared
  std::string target = {};   ///< "all": every target of every learner; empty: as in the protocol
  std::string choices = {};  ///< column whose choices are audited instead; empty: a learner's
  bool ablation = false;
  bool other_question = false;  ///< also about known clusters instead of new ones
  std::size_t seeds = 0;

  /// For `SessionOptions::asked`.
  [[nodiscard]] nlohmann::json Asked() const;
};

/// Refuses before anything is written what the audit would refuse later.
[[nodiscard]] Status CheckRequest(const OutcomeTable& table, const Protocol& protocol,
                                  const AuditRequest& request);

/// A CSV table carries only the fingerprint of its declaration. Where `declared`, the protocol as
/// it was before any override, has that fingerprint, the words are known too, and every override
/// gets named.
void SpellOutDeclaration(const Protocol& declared, OutcomeTable& table);

}  // namespace gonogo::audit
