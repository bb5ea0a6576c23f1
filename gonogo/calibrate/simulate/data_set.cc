// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/thin.h"

#include <cmath>
#include <vector>

#include "gonogo/audit/logged/score_log.h"
#include "gonogo/base/check.h"

namespace gonogo::calibrate {
namespace {

constexpr std::uint64_t kMostDraws = 10;

/// How strongly the log prefers an action by the feature that its effect depends on.
double Preference(Logging logging) {
  switch (logging) {
    case Logging::kWeak:
      return 1.5;
    case Logging::kEstimated:
      return 0.5;
    case Logging::kEven:
    case Logging::kFull:
      break;
  }
  return 0.0;
}

/// A softmax over actions, or direct with a probability of its own.
std::vector<double> Probabilities(const World& world, const float* context) {
  if (world.exploration > 0.0) {
    const auto others = static_cast<double>(world.actions - 1);
    std::vector<double> share(world.actions, world.exploration / others);
    share[audit::kDirect] = 1.0 - world.exploration;
    return share;
  }
  std::vector<double> share(world.actions, 1.0);
  double sum = 1.0;
  for (std::size_t a = 1; a < world.actions; ++a) {
    share[a] = std::exp(Preference(world.logging) * context[(a - 1) % world.features]);
    sum += share[a];
  }
  for (double& p : share) p /= sum;
  return share;
}

}  // namespace

audit::OutcomeTable Thin(const World& world, const audit::OutcomeTable& full,
                         const RngStream& stream) {
  GONOGO_CHECK(world.logging != Logging::kFull && world.constraint == Constraint::kGiven);
  audit::OutcomeTable log = full;
  audit::LoggedOutcomes seen;
  Rng rng = stream.Generator();
  for (std::size_t query = 0; query < full.num_queries(); ++query) {
    const std::vector<double> share =
        Probabilities(world, &full.features[0].values(static_cast<Eigen::Index>(query), 0));
    double left = rng.Uniform();
    audit::ActionIndex action = 0;
    while (action + 1 < world.actions && left >= share[action]) left -= share[action++];
    const std::size_t cell = full.cell(query, action);
    seen.action.push_back(action);
    seen.cost.push_back(full.cost[cell]);
    seen.eligible.push_back(full.eligible[cell]);
    if (world.logging != Logging::kEstimated) seen.propensity.push_back(share[action]);
  }
  log.cost.clear();
  log.eligible.clear();
  log.logged = std::move(seen);
  return log;
}

Result<audit::OutcomeTable> Observe(const World& world, audit::OutcomeTable full,
                                    const audit::LearnerConfig& models, const RngStream& stream) {
  if (world.logging == Logging::kFull) return full;
  audit::Protocol protocol;
  protocol.learner = models;
  protocol.learner.target.reset();
  protocol.logging.estimate = world.logging == Logging::kEstimated;
  // Folds and models have a seed of their own in every data set.
  protocol.bootstrap.seed = stream.Child("score").Generator().NextU64() >> 1U;
  // One log in a thousand is refused for frequencies that are only bad luck, and is drawn again:
  // what is refused is not audited.
  for (std::uint64_t draw = 0;; ++draw) {
    Result<audit::ScoredLog> scored =
        audit::ScoreLog(Thin(world, full, stream.Child("thin").Child(draw)), protocol, {.jobs = 1});
    if (scored.ok()) return std::move(scored).value().table;
    if (draw == kMostDraws) return scored.error();
  }
}

}  // namespace gonogo::calibrate
