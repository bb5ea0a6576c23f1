// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/benchmark/calibration.h"

#include "gonogo/base/parallel/team.h"

namespace gonogo::calibrate {
namespace {

/// What of a protocol the fits depend on; the rest is only read by the rules.
audit::Protocol FitsUnder(const audit::Protocol& declared) {
  audit::Protocol protocol = declared;
  protocol.thresholds = {.kappa = declared.thresholds.kappa};
  protocol.bootstrap = {.refits = declared.bootstrap.refits};
  protocol.rule = {.min_reference_success = declared.rule.min_reference_success};
  return protocol;
}

RecordKind Fits(const BenchmarkOptions& options) {
  const SimulationOptions& simulation = options.simulation;
  return {.name = "calibrate",
          .first_stage = 125,
          .identity =
              [&](const BenchmarkCell& cell) {
                return nlohmann::json{
                    {"fits", "as an audit makes them, totals, truth, oracle with the bound of q"},
                    {"cell", cell.name},
                    {"world", cell.world},
                    {"seed", options.seed},
                    {"protocol", CanonicalText(FitsUnder(simulation.protocol))},
                    {"pairs", simulation.pairs},
                    {"fresh_queries", simulation.fresh_queries}}
                    .dump();
              },
          .make = [&](const SyntheticWorld& world, const FreshQueries& fresh,
                      const RngStream& data) -> Result<std::string> {
            return EncodeFits(GONOGO_TRY(Simulate(world, fresh, simulation, data)));
          }};
}

}  // namespace

Status FitCalibrationShard(const BenchmarkOptions& options, const Shard& shard,
                           const Execution& execution) {
  GONOGO_TRY(CheckSimulable(options.simulation.protocol));
  return Records(options, Fits(options)).MakeShard(shard, execution);
}

Result<CalibrationResult> RunCalibration(const BenchmarkOptions& options,
                                         const Execution& execution) {
  const SimulationOptions& simulation = options.simulation;
  GONOGO_TRY(CheckSimulable(simulation.protocol));
  Records records(options, Fits(options));
  GONOGO_TRY(records.Make(execution));
  CalibrationResult result;
  if (execution.team != nullptr && !execution.team->is_root()) return result;
  for (std::size_t c = 0; c < options.cells.size(); ++c) {
    const BenchmarkCell& cell = options.cells[c];
    std::vector<SimulatedAudit> audits(options.data_sets);
    const auto judge = [&](std::size_t r, const RngStream& data, std::string_view record) {
      const audit::Protocol protocol =
          ProtocolFor(simulation.protocol, cell.world, simulation.pairs, data);
      const std::optional<SimulatedFits> fits = DecodeFits(record, protocol);
      if (fits.has_value()) audits[r] = Judge(*fits, protocol, simulation.halves);
      return fits.has_value();
    };
    audits.resize(GONOGO_TRY(records.Read(c, execution, judge)));
    result.cells.push_back({cell, SummariseAudits(audits, simulation.protocol.thresholds)});
  }
  return result;
}

}  // namespace gonogo::calibrate
