// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/audit_job.h"

#include "gonogo/audit/audit.h"
#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/run/choice_map.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/session/session.h"
#include "gonogo/io/sha256.h"

namespace gonogo::audit {

TableFile MadeInMemory(OutcomeTable table, std::string name) {
  const nlohmann::json contents = ClusterHashes(table);
  return {.table = std::move(table),
          .name = std::move(name),
          .contents_sha256 = io::Sha256Hex(contents.dump())};
}

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

AuditJob PilotJob(TableFile pilot, const Protocol& protocol) {
  return {.table = std::move(pilot),
          .protocol = protocol,
          .name = protocol.name + "-plan",
          .asked = {{"verb", "plan"}},
          .is_look = false,
          .writes_result = false};
}

Status CheckRequest(const OutcomeTable& table, const Protocol& protocol,
                    const AuditRequest& request) {
  if (request.target == "all" && request.learner != "all") {
    return UsageError("target \"all\" compares targets of every learner: ask for learner \"all\"");
  }
  if (request.ablation && protocol.feature_sets.empty()) {
    return UsageError("an ablation needs [feature_sets] in the protocol");
  }
  if (!request.map.empty() || request.keeps_choices) {
    if (table.logged.has_value()) {
      return UsageError(
          "a map and a list of choices need what every action would have cost at every query, and "
          "a log shows one action there");
    }
    if (!request.map.empty()) GONOGO_TRY(CheckMappable(table, request.map));
  }
  if (!request.choices.empty()) return CheckChoices(table, protocol);
  GONOGO_TRY(CheckAuditable(table, protocol));
  for (const FeatureSet& set : protocol.feature_sets) {
    if (request.ablation) GONOGO_TRY(CheckGroups(table, set.groups));
  }
  return {};
}

Error InTable(const std::string& name, const Error& error) {
  if (error.kind != ErrorKind::kInput || error.message.starts_with(name)) return error;
  return {ErrorKind::kInput, name + ": " + error.message};
}

void SpellOutDeclaration(const Protocol& declared, OutcomeTable& table) {
  if (table.declaration_sha256.empty() || !table.declaration.empty()) return;
  if (Fingerprint(declared) == table.declaration_sha256) {
    table.declaration = CanonicalText(declared);
  }
}

}  // namespace gonogo::audit
