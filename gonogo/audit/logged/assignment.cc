// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/logged/assignment.h"

#include <algorithm>
#include <cmath>

#include "gonogo/audit/logged/propensities.h"
#include "gonogo/base/check.h"

namespace gonogo::audit {
namespace {

/// One whole block. Cumulated expected numbers are rounded from a common random offset: each action
/// gets its expected number, rounded up or down, and exactly so on average.
std::vector<ActionIndex> DrawBlock(std::span<const double> probability, std::size_t block,
                                   Rng& rng) {
  const double offset = rng.Uniform();
  std::vector<ActionIndex> tries;
  double cumulated = 0.0;
  for (std::size_t action = 0; action < probability.size(); ++action) {
    cumulated += probability[action] * static_cast<double>(block);
    const bool last = action + 1 == probability.size();
    const auto until = last ? block : static_cast<std::size_t>(std::floor(cumulated + offset));
    while (tries.size() < std::min(until, block)) {
      tries.push_back(static_cast<ActionIndex>(action));
    }
  }
  rng.Shuffle(std::span(tries));
  return tries;
}

}  // namespace

Result<TryPlan> PlanTries(const Protocol& protocol) {
  if (protocol.actions.size() < 2) {
    return InputError(
        "protocol.actions has {} names, expected at least two: a plan of what to try needs to know "
        "what there is",
        protocol.actions.size());
  }
  TryPlan plan{.actions = protocol.actions};
  const auto reference = std::find(plan.actions.begin(), plan.actions.end(), protocol.reference);
  if (reference != plan.actions.end()) {
    std::rotate(plan.actions.begin(), reference, reference + 1);
  } else if (!protocol.reference.empty()) {
    return InputError("protocol.reference is '{}', expected one of protocol.actions",
                      protocol.reference);
  }
  plan.probability.assign(plan.actions.size(), 1.0 / static_cast<double>(plan.actions.size()));
  if (!protocol.logging.propensity.empty()) {
    plan.probability = GONOGO_TRY(DeclaredPropensities(plan.actions, protocol));
  }
  return plan;
}

std::vector<ActionIndex> AssignTries(std::span<const double> probability, std::size_t queries,
                                     std::size_t block, const RngStream& stream) {
  GONOGO_CHECK(block > 0 && !probability.empty());
  std::vector<ActionIndex> tries;
  Rng rng = stream.Generator();
  while (tries.size() < queries) {
    const std::vector<ActionIndex> next = DrawBlock(probability, block, rng);
    const std::size_t taken = std::min(next.size(), queries - tries.size());
    tries.insert(tries.end(), next.begin(), next.begin() + static_cast<std::ptrdiff_t>(taken));
  }
  return tries;
}

}  // namespace gonogo::audit
