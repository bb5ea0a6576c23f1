// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/table/outcome_table.h"
#include "gonogo/base/rng.h"

namespace gonogo::audit {

/// A work bonus planted into real outcomes: at every query one of two candidates becomes cheaper
/// (docs/concepts/audit.md, controls).
struct PlantedSignal {
  std::string feature;      ///< column whose sign tells which one; unused when hidden
  std::string if_positive;  ///< favoured where the feature is >= 0
  std::string if_negative;  ///< favoured where it is < 0
};

/// The table with the favoured candidate's cost multiplied by 1 - gamma at every query; nothing
/// else changes, except that it no longer carries a declaration. The audit should find it.
[[nodiscard]] Result<OutcomeTable> PlantObservable(const OutcomeTable& table,
                                                   const PlantedSignal& signal, double gamma);

/// The same with a coin instead of the feature: headroom that nobody can recover.
[[nodiscard]] Result<OutcomeTable> PlantHidden(const OutcomeTable& table,
                                               const PlantedSignal& signal, double gamma,
                                               const RngStream& stream);

/// What the audit made of one planted bonus.
struct ControlPoint {
  double gamma = 0.0;
  AuditResult result;
};

/// Sensitivity: one audit per bonus.
[[nodiscard]] Result<std::vector<ControlPoint>> SweepObservable(
    const OutcomeTable& table, const Protocol& protocol, const PlantedSignal& signal,
    std::span<const double> gammas, const Execution& execution, const StoreOfAudit& store = {});

/// Specificity: one audit per independent mapping.
[[nodiscard]] Result<std::vector<ControlPoint>> RepeatHidden(
    const OutcomeTable& table, const Protocol& protocol, const PlantedSignal& signal, double gamma,
    std::size_t mappings, const Execution& execution, const StoreOfAudit& store = {});

/// In how many of the audits the lower bound of H_alloc exceeds `threshold`.
[[nodiscard]] std::size_t CountAbove(std::span<const ControlPoint> points, double threshold);

}  // namespace gonogo::audit
