// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/session/other_question.h"

#include <nlohmann/json.hpp>

#include "gonogo/audit/result/result_json.h"

namespace gonogo::audit {

bool ShowsOtherQuestion(const Protocol& protocol, bool asked) {
  return asked || protocol.question.deploy == Deployment::kKnownClusters;
}

Protocol WithOtherQuestion(Protocol protocol) {
  const bool known = protocol.question.deploy == Deployment::kKnownClusters;
  protocol.question.deploy = known ? Deployment::kNewClusters : Deployment::kKnownClusters;
  protocol.bootstrap.method = IntervalMethod::kFolds;
  return protocol;
}

std::string AboutWhichClusters(const AuditResult& other) {
  const bool known = other.protocol.question.deploy == Deployment::kKnownClusters;
  return known ? "further queries of the clusters in this table" : "new clusters";
}

nlohmann::json OtherQuestionJson(const AuditResult& other) {
  nlohmann::json json = SummaryJson(other);
  json["about"] = AboutWhichClusters(other);
  return json;
}

}  // namespace gonogo::audit
