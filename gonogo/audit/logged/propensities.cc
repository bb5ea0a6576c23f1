// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/propensities.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "gonogo/audit/logged/outcome_models.h"
#include "gonogo/base/nearest.h"

namespace gonogo::audit {
namespace {

constexpr std::array<std::string_view, 3> kSourceNames = {"column", "declared", "estimated"};
constexpr double kLeastEstimate = 0.01;  // a weight of 100 at most
constexpr double kNearlyCertain = 0.98;  // mean estimate of what was tried
constexpr double kSumTolerance = 1e-6;

/// Shares predicted from the features, made a distribution again.
Result<std::vector<double>> EstimateShares(const OutcomeTable& log, const Protocol& protocol,
                                           std::span<const std::size_t> fold_of_cluster,
                                           const Execution& execution) {
  const std::vector<ActionIndex>& tried = log.logged->action;
  const std::vector<std::uint8_t> every(tried.size(), 1);
  const RngStream stream = RngStream(protocol.bootstrap.seed).Child("log").Child("propensity");
  std::vector<double> of_tried(tried.size(), 0.0);
  std::vector<double> sum(tried.size(), 0.0);
  std::vector<double> is_tried(tried.size());
  for (ActionIndex action = 0; action < log.num_actions(); ++action) {
    for (std::size_t i = 0; i < tried.size(); ++i) is_tried[i] = tried[i] == action ? 1.0 : 0.0;
    const std::vector<double> share = GONOGO_TRY(CrossFitPredictions(
        log, every, is_tried, fold_of_cluster, protocol.learner, stream.Child(action), execution));
    for (std::size_t i = 0; i < tried.size(); ++i) {
      const double bounded = std::max(share[i], kLeastEstimate);
      sum[i] += bounded;
      if (tried[i] == action) of_tried[i] = bounded;
    }
  }
  double mean = 0.0;
  for (std::size_t i = 0; i < tried.size(); ++i) {
    of_tried[i] /= sum[i];
    mean += of_tried[i] / static_cast<double>(tried.size());
  }
  if (mean > kNearlyCertain) {
    return InputError(
        "the features tell which action was tried: it is predicted with a probability of {:.3f} on "
        "average. In a deterministic log nothing says what another action would have done",
        mean);
  }
  return of_tried;
}

}  // namespace

std::string_view Name(PropensitySource source) {
  return kSourceNames.at(static_cast<std::size_t>(source));
}

Result<std::vector<double>> DeclaredPropensities(const std::vector<std::string>& actions,
                                                 const Protocol& protocol) {
  std::vector<double> constant(actions.size(), 0.0);
  double sum = 0.0;
  for (const ActionPropensity& declared : protocol.logging.propensity) {
    const auto found = std::find(actions.begin(), actions.end(), declared.action);
    if (found == actions.end()) {
      return InputError("logging.propensity.{}: no action is called so{}", declared.action,
                        DidYouMean(declared.action, actions));
    }
    if (!(declared.probability > 0.0 && declared.probability < 1.0)) {
      return InputError(
          "logging.propensity.{} is {}, expected more than 0 and less than 1: an action that is "
          "never or always tried cannot be compared with the others",
          declared.action, declared.probability);
    }
    constant[static_cast<std::size_t>(found - actions.begin())] = declared.probability;
    sum += declared.probability;
  }
  const auto missing = std::find(constant.begin(), constant.end(), 0.0);
  if (missing != constant.end()) {
    return InputError(
        "logging.propensity has no probability for action '{}', expected one for every action",
        actions[static_cast<std::size_t>(missing - constant.begin())]);
  }
  if (std::abs(sum - 1.0) > kSumTolerance) {
    return InputError("the probabilities of logging.propensity sum to {}, expected 1", sum);
  }
  return constant;
}

Result<Propensities> FindPropensities(const OutcomeTable& log, const Protocol& protocol,
                                      std::span<const std::size_t> fold_of_cluster,
                                      const Execution& execution) {
  const LoggedOutcomes& seen = *log.logged;
  const bool declared = !protocol.logging.propensity.empty();
  if (declared && !seen.propensity.empty()) {
    return InputError(
        "the table has a column '{}' and the protocol declares logging.propensity, expected one of "
        "them",
        protocol.table.propensity);
  }
  if (!seen.propensity.empty()) return Propensities{PropensitySource::kColumn, seen.propensity};
  if (declared) {
    const std::vector<double> constant = GONOGO_TRY(DeclaredPropensities(log.actions, protocol));
    Propensities found{PropensitySource::kDeclared, {}};
    for (const ActionIndex action : seen.action) found.of_tried.push_back(constant[action]);
    return found;
  }
  if (!protocol.logging.estimate) {
    return InputError(
        "every query has one row, so this is a log of single tries, and nothing says with which "
        "probability the action of a row was tried. Expected a column '{}' (another name: "
        "table.propensity), or probabilities that are the same at every query (such as "
        "logging.propensity.{} = {:.3g}); logging.estimate = true estimates them, for a "
        "descriptive result. If the table should have every action at every query, check the "
        "column '{}'",
        protocol.table.propensity, log.actions.front(),
        1.0 / static_cast<double>(log.num_actions()), protocol.table.query);
  }
  std::vector<double> estimated =
      GONOGO_TRY(EstimateShares(log, protocol, fold_of_cluster, execution));
  return Propensities{PropensitySource::kEstimated, std::move(estimated)};
}

}  // namespace gonogo::audit
