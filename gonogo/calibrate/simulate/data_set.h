// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "gonogo/audit/protocol/protocol.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/result.h"
#include "gonogo/base/rng.h"
#include "gonogo/calibrate/worlds/synthetic_world.h"

namespace gonogo::calibrate {

/// Refuses a protocol that asks what no simulated world can answer: in units of somebody's costs,
/// or about a constraint whose truth is not known.
[[nodiscard]] Status CheckSimulable(const audit::Protocol& protocol);

/// The protocol as it is declared for one data set of a world: with a seed of its own, which names
/// all randomness of the audit, and without the names of somebody's table. All rules are applied to
/// the same fits, so that `with_pairs` decides which are made, not the declared rule. Cells with
/// fewer clusters than declared are what a protocol that declares so few would say.
[[nodiscard]] audit::Protocol ProtocolFor(const audit::Protocol& declared,
                                          const SyntheticWorld& world, bool with_pairs,
                                          const RngStream& data);

/// What a log of the same queries would show: one action of each, drawn as `world.logging` says.
/// Propensities are left out where they have to be estimated.
[[nodiscard]] audit::OutcomeTable SampleLog(const SyntheticWorld& world,
                                            const audit::OutcomeTable& full,
                                            const RngStream& stream);

/// What is drawn for one simulated audit.
struct DataSet {
  audit::OutcomeTable table;  ///< as whoever audits has it: of all actions, or a log
  /// As much again, for the oracle: as many fresh clusters, or as many further queries of known
  /// ones.
  audit::OutcomeTable oracle = {};
  /// Where the question is about known clusters: sixty times as many further queries, which tell
  /// the truth about these very clusters.
  audit::OutcomeTable rest = {};
};

/// Draws the data set that `data` names. One log in a thousand is refused by the audit for
/// frequencies that are only bad luck: `attempt` draws another one of the same outcomes.
[[nodiscard]] Result<DataSet> DrawDataSet(const SyntheticWorld& world,
                                          const audit::Protocol& protocol, const RngStream& data,
                                          std::size_t attempt);

/// Calls `make(attempt)` until the audit refuses no log of the world: what is refused is not
/// audited. Any other failure is one.
template <typename Make>
[[nodiscard]] auto UntilAccepted(const SyntheticWorld& world, Make&& make) {
  constexpr std::size_t kMostAttempts = 10;
  for (std::size_t attempt = 0;; ++attempt) {
    auto made = make(attempt);
    const bool refused = !made.ok() && made.error().kind == ErrorKind::kInput;
    if (!refused || world.logging == Logging::kFull || attempt == kMostAttempts) return made;
  }
}

}  // namespace gonogo::calibrate
