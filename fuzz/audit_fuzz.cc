// SPDX-License-Identifier: Apache-2.0
// Whatever table the reader lets through can be audited and its result written. Bytes that start
// like a CSV table are one; others choose what stands in one, which gets deeper into the engine.
#include <string>
#include <string_view>

#include "fuzz/bytes.h"
#include <fmt/format.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/base/check.h"

namespace {

using gonogo::fuzz::Bytes;
using namespace gonogo::audit;

constexpr std::string_view kCosts[] = {"1", "2",      "0.5", "0",    "1.25",
                                       "3", "1e-300", "7e9", "1e15", "1e-15"};
constexpr std::string_view kFeatures[] = {"0", "1", "-1", "0.5", "2", "1e-30", "-3e38", "3e38"};

std::string DrawTable(Bytes& bytes) {
  const bool with_time = bytes.Coin();
  const bool with_success = bytes.Coin();
  const bool with_eligible = !bytes.Coin();
  std::string csv =
      fmt::format("cluster,query,action,cost,choice,obs_a,obs_b{}{}{}\n", with_time ? ",time" : "",
                  with_success ? ",success" : "", with_eligible ? ",eligible" : "");
  const std::size_t actions = 2 + bytes.Below(4);
  const std::size_t clusters = 2 + bytes.Below(6);
  for (std::size_t cluster = 0; cluster < clusters; ++cluster) {
    const std::size_t queries = 1 + bytes.Below(4);
    for (std::size_t query = 0; query < queries; ++query) {
      const std::size_t choice = bytes.Below(actions);
      const std::string features = fmt::format("{},{}", bytes.Of(kFeatures), bytes.Of(kFeatures));
      for (std::size_t action = 0; action < actions; ++action) {
        csv += fmt::format("{0},{0}-{1},{2},{3},{4},{5}", cluster, query, action, bytes.Of(kCosts),
                           choice, features);
        if (with_time) csv += fmt::format(",{}", bytes.Of(kCosts));
        if (with_success) csv += bytes.Coin() ? ",1" : ",0";
        if (with_eligible) csv += action == 0 || bytes.Coin() ? ",1" : ",0";
        csv += '\n';
      }
    }
  }
  return csv;
}

Protocol DrawProtocol(Bytes& bytes) {
  Protocol protocol;
  protocol.min_clusters = 2 + bytes.Below(20);
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 1 + bytes.Below(8);
  protocol.bootstrap.seed = bytes.Below(256);
  protocol.bootstrap.mixture = bytes.Coin() ? Mixture::kWithinCluster : Mixture::kPooled;
  protocol.rule.kind = bytes.Coin() ? DecisionRule::kCalibrated : DecisionRule::kPaper;
  protocol.rule.looks = 1 + bytes.Below(3);
  protocol.time_tolerance = bytes.Coin() ? 0.0 : 0.5;
  return protocol;
}

void Write(const gonogo::Result<AuditResult>& result) {
  if (result.ok()) GONOGO_CHECK(!ToJson(result.value()).dump().empty());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Bytes bytes(data, size);
  const std::string_view raw(reinterpret_cast<const char*>(data), size);
  const Protocol protocol = DrawProtocol(bytes);
  // Choices are resampled 100,000 times, which is too slow for every input.
  const bool with_choices = bytes.Below(64) == 1;
  const std::string csv = raw.starts_with("cluster,") ? std::string(raw) : DrawTable(bytes);
  const gonogo::Result<OutcomeTable> table = ParseCsvTable(csv, "fuzz.csv", protocol);
  if (!table.ok()) return 0;
  Write(RunAudit(table.value(), protocol, {}, {.jobs = 1}));
  if (with_choices) Write(AuditChoices(table.value(), protocol));
  return 0;
}
