// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "gonogo/base/check.h"
#include "gonogo/calibrate/simulate/simulated_audit.h"

namespace gonogo::calibrate {
namespace {

/// What a record begins with.
struct RecordHeader {
  Revealed revealed = {};
  double fit_seconds = 0.0;
  double pair_seconds = 0.0;
  std::uint32_t clusters = 0;
  std::uint16_t actions = 0;
  std::uint8_t decides = 1;
  std::uint8_t of_scores = 0;  ///< of a log: violations are no counts
  std::uint8_t can_violate = 1;
};
static_assert(std::is_trivially_copyable_v<RecordHeader>);

template <typename T>
void Put(const T& value, std::string& bytes) {
  bytes.append(reinterpret_cast<const char*>(&value), sizeof(T));
}

template <typename T>
T Take(std::string_view& bytes) {
  T value;
  std::memcpy(&value, bytes.data(), sizeof(T));
  bytes.remove_prefix(sizeof(T));
  return value;
}

std::uint16_t Small(double count) {
  GONOGO_CHECK(count >= 0.0 && count <= std::numeric_limits<std::uint16_t>::max());
  return static_cast<std::uint16_t>(count);
}

void PutRefit(const audit::Refit& refit, bool of_scores, std::string& bytes) {
  for (const audit::ChoiceTotals& choices : refit.held_out) {
    Put(PolicyCost(choices), bytes);
    if (of_scores) {
      Put(choices.violations, bytes);
    } else {
      Put(Small(choices.violations), bytes);
    }
    for (const std::uint32_t count : choices.count) Put(Small(count), bytes);
  }
  for (const std::uint32_t count : refit.departures) Put(Small(count), bytes);
}

std::size_t RefitBytes(const audit::RefitTask& task, const RecordHeader& header) {
  const std::size_t violations = header.of_scores != 0 ? sizeof(double) : sizeof(std::uint16_t);
  const std::size_t choices = sizeof(double) + violations + header.actions * sizeof(std::uint16_t);
  const std::size_t departures = task.counts_departures ? task.split.num_clusters() : 0;
  return stats::HeldOut(task.split).size() * choices + departures * sizeof(std::uint16_t);
}

audit::Refit TakeRefit(const audit::RefitTask& task, const RecordHeader& header,
                       std::string_view& bytes) {
  audit::Refit refit{.split = task.split};
  for (const std::size_t cluster : stats::HeldOut(task.split)) {
    audit::ChoiceTotals choices{.cluster = static_cast<std::uint32_t>(cluster),
                                .count = std::vector<std::uint32_t>(header.actions),
                                .cost = {Take<double>(bytes)}};
    choices.violations = header.of_scores != 0 ? Take<double>(bytes) : Take<std::uint16_t>(bytes);
    for (std::uint32_t& count : choices.count) count = Take<std::uint16_t>(bytes);
    refit.held_out.push_back(std::move(choices));
  }
  if (!task.counts_departures) return refit;
  for (std::size_t k = 0; k < task.split.num_clusters(); ++k) {
    refit.departures.push_back(Take<std::uint16_t>(bytes));
  }
  return refit;
}

/// Every number that the rules read of the totals, in a fixed order.
template <typename Totals, typename Visit>
void VisitTotals(Totals& totals, Visit&& visit) {
  visit(totals.spread);
  for (auto& queries : totals.queries) visit(queries);
  for (auto& cost : totals.oracle_cost) visit(cost);
  for (Eigen::Index cell = 0; cell < totals.cost.size(); ++cell) {
    visit(totals.cost.data()[cell]);
    visit(totals.violations.data()[cell]);
  }
}

}  // namespace

std::string EncodeFits(const SimulatedFits& fits) {
  const audit::OutcomeTotals& totals = fits.totals;
  // Of the worlds only logs count what is not whole.
  const bool of_scores = totals.counts_net_success;
  std::string bytes;
  Put(RecordHeader{.revealed = fits.revealed,
                   .fit_seconds = fits.fit_seconds,
                   .pair_seconds = fits.pair_seconds,
                   .clusters = static_cast<std::uint32_t>(totals.queries.size()),
                   .actions = Small(static_cast<double>(totals.cost.cols())),
                   .decides = fits.decides ? std::uint8_t{1} : std::uint8_t{0},
                   .of_scores = of_scores ? std::uint8_t{1} : std::uint8_t{0},
                   .can_violate = totals.can_violate ? std::uint8_t{1} : std::uint8_t{0}},
      bytes);
  VisitTotals(totals, [&](double value) { Put(value, bytes); });
  for (const auto* part : {&fits.fits.folds, &fits.fits.replicates, &fits.fits.pairs}) {
    for (const audit::Refit& refit : *part) PutRefit(refit, of_scores, bytes);
  }
  return bytes;
}

std::optional<SimulatedFits> DecodeFits(std::string_view bytes, const audit::Protocol& protocol) {
  if (bytes.size() < sizeof(RecordHeader)) return std::nullopt;
  const auto header = Take<RecordHeader>(bytes);
  const std::size_t totals_bytes =
      (1 + header.clusters * (2 + 2 * std::size_t{header.actions})) * sizeof(double);
  if (header.clusters < 2 || bytes.size() < totals_bytes) return std::nullopt;
  const std::vector<audit::RefitTask> tasks =
      audit::AuditTasks({.clusters = header.clusters, .of_log = header.of_scores != 0}, protocol);
  std::size_t size = totals_bytes;
  for (const audit::RefitTask& task : tasks) size += RefitBytes(task, header);
  if (bytes.size() != size) return std::nullopt;
  SimulatedFits fits{.revealed = header.revealed,
                     .fit_seconds = header.fit_seconds,
                     .pair_seconds = header.pair_seconds,
                     .decides = header.decides != 0};
  fits.totals.counts_net_success = header.of_scores != 0;
  fits.totals.can_violate = header.can_violate != 0;
  fits.totals.queries.resize(header.clusters);
  fits.totals.oracle_cost.resize(header.clusters);
  fits.totals.cost.resize(header.clusters, header.actions);
  fits.totals.violations.resize(header.clusters, header.actions);
  VisitTotals(fits.totals, [&](double& value) { value = Take<double>(bytes); });
  std::vector<audit::Refit> refits;
  for (const audit::RefitTask& task : tasks) refits.push_back(TakeRefit(task, header, bytes));
  fits.fits = audit::SplitFits(std::move(refits), header.clusters, protocol);
  return fits;
}

}  // namespace gonogo::calibrate
