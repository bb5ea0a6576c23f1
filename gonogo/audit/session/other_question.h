// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/audit.h"

namespace gonogo::audit {

/// Whether a result also shows what would be read about the other kind of clusters: always where
/// known clusters are declared, because new ones are what most people would ask about.
[[nodiscard]] bool ShowsOtherQuestion(const Protocol& protocol, bool asked);

/// The same protocol about new clusters instead of known ones, or the other way round; from folds
/// alone, a tenth of the fits, and no decision in any case. Its refits are kept under
/// `kOtherQuestionRefits`.
[[nodiscard]] Protocol WithOtherQuestion(Protocol protocol);
inline constexpr const char* kOtherQuestionRefits = "refits-other-question";

/// Which clusters an answer to that protocol is about, in words.
[[nodiscard]] std::string AboutWhichClusters(const AuditResult& other);

/// `other_question` of result.json.
[[nodiscard]] nlohmann::json OtherQuestionJson(const AuditResult& other);

}  // namespace gonogo::audit
