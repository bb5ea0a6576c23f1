// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/audit_request.h"

#include "gonogo/audit/audit.h"
#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/session/session.h"

namespace gonogo::audit {

nlohmann::json AuditRequest::Asked() const {
  nlohmann::json asked = {{"verb", "audit"},
                          {"learner", learner},
                          {"choices", choices},
                          {"ablation", ablation},
                          {"seeds", seeds}};
  if (!target.empty()) asked["target"] = target;  // older runs have no such key and can go on
  if (other_question) asked["other_question"] = true;
  return asked;
}

Status CheckRequest(const OutcomeTable& table, const Protocol& protocol,
                    const AuditRequest& request) {
  if (!request.choices.empty()) return CheckChoices(table, protocol);
  GONOGO_TRY(CheckAuditable(table, protocol));
  for (const FeatureSet& set : protocol.feature_sets) {
    if (request.ablation) GONOGO_TRY(CheckGroups(table, set.groups));
  }
  return {};
}

void SpellOutDeclaration(const Protocol& declared, OutcomeTable& table) {
  if (table.declaration_sha256.empty() || !table.declaration.empty()) return;
  if (Fingerprint(declared) == table.declaration_sha256) {
    table.declaration = CanonicalText(declared);
  }
}

}  // namespace gonogo::audit
