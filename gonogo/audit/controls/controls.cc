// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/controls/controls.h"

#include <algorithm>
#include <functional>

#include "gonogo/audit/table/check_table.h"
#include "gonogo/base/nearest.h"

namespace gonogo::audit {
namespace {

struct Candidates {
  ActionIndex if_positive;
  ActionIndex if_negative;
};

Result<ActionIndex> FindCandidate(const OutcomeTable& table, const std::string& name) {
  const auto found = std::find(table.actions.begin() + 1, table.actions.end(), name);
  if (found != table.actions.end()) {
    return static_cast<ActionIndex>(found - table.actions.begin());
  }
  const std::vector<std::string> candidates(table.actions.begin() + 1, table.actions.end());
  return InputError("'{}' is {}{}", name,
                    name == table.actions[kDirect] ? "the reference action, expected a candidate"
                                                   : "not a candidate action of the table",
                    DidYouMean(name, candidates));
}

Result<Candidates> FindCandidates(const OutcomeTable& table, const PlantedSignal& signal) {
  GONOGO_TRY(CheckTable(table));
  if (table.logged.has_value()) {
    return InputError(
        "the table is a log, with one action tried at every query: a signal is planted into "
        "outcomes of every action, expected those");
  }
  const ActionIndex positive = GONOGO_TRY(FindCandidate(table, signal.if_positive));
  const ActionIndex negative = GONOGO_TRY(FindCandidate(table, signal.if_negative));
  return Candidates{positive, negative};
}

/// The values of one feature column, by its name.
Result<Eigen::VectorXf> FindFeature(const OutcomeTable& table, const std::string& name) {
  std::vector<std::string> known;
  for (const FeatureGroup& group : table.features) {
    const auto found = std::find(group.columns.begin(), group.columns.end(), name);
    if (found != group.columns.end())
      return Eigen::VectorXf(group.values.col(found - group.columns.begin()));
    known.insert(known.end(), group.columns.begin(), group.columns.end());
  }
  return InputError("the table has no feature '{}'{}", name, DidYouMean(name, known));
}

OutcomeTable Plant(const OutcomeTable& table, Candidates candidates, double gamma,
                   const std::function<bool(std::size_t)>& is_positive) {
  OutcomeTable planted = table;
  for (std::size_t query = 0; query < table.num_queries(); ++query) {
    const ActionIndex favoured =
        is_positive(query) ? candidates.if_positive : candidates.if_negative;
    // Rewards, which stand below zero, grow.
    planted.cost[table.cell(query, favoured)] *= table.of_rewards ? 1.0 + gamma : 1.0 - gamma;
  }
  planted.declaration.clear();
  planted.declaration_sha256.clear();
  return planted;
}

/// Progress of one audit among several.
Execution Part(const Execution& execution, std::size_t part, std::size_t parts) {
  Execution one = execution;
  if (!execution.progress) return one;
  one.progress = [&execution, part, parts](std::size_t done, std::size_t total) {
    execution.progress(part * total + done, parts * total);
  };
  return one;
}

/// One audit per bonus, of the table that `plant` makes for it.
Result<std::vector<ControlPoint>> AuditAll(
    std::span<const double> gammas, const std::function<Result<OutcomeTable>(std::size_t)>& plant,
    const Protocol& protocol, const Execution& execution, const StoreOfAudit& store) {
  std::vector<ControlPoint> points;
  for (std::size_t i = 0; i < gammas.size(); ++i) {
    const OutcomeTable planted = GONOGO_TRY(plant(i));
    const RefitStore kept = GONOGO_TRY(store ? store(i) : RefitStore{});
    AuditResult result =
        GONOGO_TRY(RunAudit(planted, protocol, kept, Part(execution, i, gammas.size())));
    points.push_back({gammas[i], std::move(result)});
  }
  return points;
}

}  // namespace

Result<OutcomeTable> PlantObservable(const OutcomeTable& table, const PlantedSignal& signal,
                                     double gamma) {
  const Candidates candidates = GONOGO_TRY(FindCandidates(table, signal));
  const Eigen::VectorXf feature = GONOGO_TRY(FindFeature(table, signal.feature));
  return Plant(table, candidates, gamma, [&](std::size_t query) {
    return feature[static_cast<Eigen::Index>(query)] >= 0.0F;
  });
}

Result<OutcomeTable> PlantHidden(const OutcomeTable& table, const PlantedSignal& signal,
                                 double gamma, const RngStream& stream) {
  const Candidates candidates = GONOGO_TRY(FindCandidates(table, signal));
  Rng rng = stream.Generator();
  return Plant(table, candidates, gamma, [&](std::size_t) { return rng.Below(2) == 0; });
}

Result<std::vector<ControlPoint>> SweepObservable(
    const OutcomeTable& table, const Protocol& protocol, const PlantedSignal& signal,
    std::span<const double> gammas, const Execution& execution, const StoreOfAudit& store) {
  return AuditAll(
      gammas, [&](std::size_t i) { return PlantObservable(table, signal, gammas[i]); }, protocol,
      execution, store);
}

Result<std::vector<ControlPoint>> RepeatHidden(const OutcomeTable& table, const Protocol& protocol,
                                               const PlantedSignal& signal, double gamma,
                                               std::size_t mappings, const Execution& execution,
                                               const StoreOfAudit& store) {
  const RngStream run = RngStream(protocol.bootstrap.seed).Child("hidden");
  const std::vector<double> gammas(mappings, gamma);
  return AuditAll(
      gammas, [&](std::size_t i) { return PlantHidden(table, signal, gamma, run.Child(i)); },
      protocol, execution, store);
}

std::size_t CountAbove(std::span<const ControlPoint> points, double threshold) {
  return static_cast<std::size_t>(
      std::count_if(points.begin(), points.end(), [&](const ControlPoint& point) {
        const auto& interval = point.result.h_alloc.interval;
        return interval.has_value() && interval->lower > threshold;
      }));
}

}  // namespace gonogo::audit
