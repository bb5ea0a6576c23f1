// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/simulate/series.h"

#include <algorithm>
#include <optional>

#include "gonogo/audit/rules/outlook.h"
#include "gonogo/audit/rules/rule.h"
#include "gonogo/audit/table/first_clusters.h"

namespace gonogo::calibrate {
namespace {

Result<Series> RunOnce(const SyntheticWorld& world, const FreshQueries& fresh,
                       const SimulationOptions& options, bool pairs_only, const RngStream& stream,
                       std::size_t attempt) {
  const std::vector<std::size_t>& looks = options.protocol.rule.looks_at;
  SyntheticWorld smallest = world;
  smallest.clusters = looks.front();
  const audit::Protocol protocol = ProtocolFor(options.protocol, smallest, true, stream);
  SyntheticWorld whole = world;
  whole.clusters = looks.back();
  const DataSet all = GONOGO_TRY(DrawDataSet(whole, protocol, stream, attempt));
  Series series;
  std::array<bool, kSpendingRules.size()> open = {!pairs_only, true};
  for (std::size_t look = 0; look < looks.size(); ++look) {
    const audit::OutcomeTable table = audit::FirstClusters(all.table, looks[look]);
    const auto asked = GONOGO_TRY(audit::AskedProblem::Open(table, protocol, {.jobs = 1}));
    const SimulatedFits fits = GONOGO_TRY(FitSimulated(*asked, protocol));
    std::optional<Truth> truth;
    series.read.emplace_back();
    for (std::size_t r = 0; r < kSpendingRules.size(); ++r) {
      if (!open[r]) continue;
      const audit::RuleAnswer answer = Answer(kSpendingRules[r], fits, protocol, 0);
      series.read.back()[r] = OutcomeOf(answer);
      SeriesEnd& end = series.end[r];
      end.verdict = answer.decision.verdict;
      end.look = look;
      if (end.verdict == audit::Verdict::kAbstain) {
        end.futile =
            fits.decides &&
            audit::IsFutile(audit::LookAhead(answer.bounds, protocol.thresholds, protocol.rule,
                                             protocol.bootstrap.level, looks[look]),
                            protocol.rule);
        open[r] = !end.futile;
        continue;
      }
      open[r] = false;
      if (!truth) truth = GONOGO_TRY(ShippedTruth(world, fresh, asked->table(), protocol));
      end.truth = *truth;
    }
    if (std::none_of(open.begin(), open.end(), [](bool goes_on) { return goes_on; })) break;
  }
  return series;
}

}  // namespace

Result<Series> RunSeries(const SyntheticWorld& world, const FreshQueries& fresh,
                         const SimulationOptions& options, bool pairs_only, const RngStream& data) {
  return UntilAccepted(world, [&](std::size_t attempt) {
    return RunOnce(world, fresh, options, pairs_only, data, attempt);
  });
}

}  // namespace gonogo::calibrate
