// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/refit/refit_log.h"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/controls/positive_control.h"

namespace gonogo::audit {
namespace {

Protocol SmallRidge() {
  Protocol protocol;
  protocol.learner.kind = LearnerKind::kRidge;
  protocol.bootstrap.refits = 12;
  return protocol;
}

OutcomeTable LoggedTable() {
  return MakePositiveControl({.clusters = 6, .queries_per_cluster = 10}, RngStream(3));
}

TEST(RefitLogTest, ARefitKeepsAllItsBits) {
  const AuditResult result = RunAudit(LoggedTable(), SmallRidge(), {}, {.jobs = 1}).value();
  for (const Refit& refit : result.bootstrap) EXPECT_EQ(DecodeRefit(EncodeRefit(refit)), refit);
  EXPECT_FALSE(DecodeRefit("nonsense").has_value());
  std::string fractions;
  nlohmann::json::to_cbor({{"multiplicity", {1e300}}, {"held_out", nlohmann::json::array()}},
                          fractions);
  EXPECT_FALSE(DecodeRefit(fractions).has_value());
  EXPECT_FALSE(DecodeRefit(std::string(10'000'000, '\x81')).has_value());  // nests that deep
}

TEST(RefitLogTest, AnInterruptedAuditResumesToTheSameResult) {
  const auto path = std::filesystem::path(testing::TempDir()) / "refits.log";
  std::filesystem::remove(path);
  const OutcomeTable table = LoggedTable();
  const AuditResult whole = RunAudit(table, SmallRidge(), {}, {.jobs = 1}).value();

  std::stop_source source;
  Execution execution = {.jobs = 1, .stop = source.get_token()};
  execution.progress = [&](std::size_t done, std::size_t) {
    if (done == 7) source.request_stop();
  };
  const Result<AuditResult> interrupted =
      RunAudit(table, SmallRidge(), OpenRefitLog(path, "run").value(), execution);
  ASSERT_FALSE(interrupted.ok());
  EXPECT_EQ(interrupted.error().kind, ErrorKind::kInterrupted);

  std::size_t fitted = 0;
  RefitStore store = OpenRefitLog(path, "run").value();
  store.save = [&, save = store.save](std::size_t task, const Refit& refit) {
    ++fitted;
    return save(task, refit);
  };
  const AuditResult resumed = RunAudit(table, SmallRidge(), store, {.jobs = 1}).value();
  EXPECT_EQ(fitted, 6 + 12 - 7);
  EXPECT_EQ(resumed.bootstrap, whole.bootstrap);
  EXPECT_EQ(resumed.cross_fit, whole.cross_fit);
  EXPECT_EQ(resumed.h_dep.interval, whole.h_dep.interval);
}

}  // namespace
}  // namespace gonogo::audit
