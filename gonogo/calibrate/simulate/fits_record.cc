// SPDX-License-Identifier: Apache-2.0
#include "gonogo/calibrate/trials/trial_fits.h"

#include <cstdint>
#include <cstring>
#include <limits>
#include <type_traits>

#include "gonogo/base/check.h"

namespace gonogo::calibrate {
namespace {

static_assert(std::is_trivially_copyable_v<Truth>);
static_assert(std::is_trivially_copyable_v<RuleOutcome>);

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

std::size_t RefitBytes(const audit::RefitTask& task, bool of_scores, std::size_t actions) {
  const std::size_t violations = of_scores ? sizeof(double) : sizeof(std::uint16_t);
  const std::size_t choices = sizeof(double) + violations + actions * sizeof(std::uint16_t);
  const std::size_t departures = task.counts_departures ? task.split.num_clusters() : 0;
  return stats::HeldOut(task.split).size() * choices + departures * sizeof(std::uint16_t);
}

audit::Refit TakeRefit(const audit::RefitTask& task, bool of_scores, std::size_t actions,
                       std::string_view& bytes) {
  audit::Refit refit{.split = task.split};
  for (const std::size_t cluster : stats::HeldOut(task.split)) {
    audit::ChoiceTotals choices{.cluster = static_cast<std::uint32_t>(cluster),
                                .count = std::vector<std::uint32_t>(actions),
                                .cost = {Take<double>(bytes)}};
    choices.violations = of_scores ? Take<double>(bytes) : Take<std::uint16_t>(bytes);
    for (std::uint32_t& count : choices.count) count = Take<std::uint16_t>(bytes);
    refit.held_out.push_back(std::move(choices));
  }
  if (!task.counts_departures) return refit;
  for (std::size_t k = 0; k < task.split.num_clusters(); ++k) {
    refit.departures.push_back(Take<std::uint16_t>(bytes));
  }
  return refit;
}

}  // namespace

std::string EncodeFits(const TrialFits& fits, bool of_scores) {
  std::string bytes;
  Put(fits.truth, bytes);
  Put(fits.oracle, bytes);
  Put(fits.fit_seconds, bytes);
  Put(fits.pair_seconds, bytes);
  for (const auto* part : {&fits.folds, &fits.replicates, &fits.pairs}) {
    for (const audit::Refit& refit : *part) PutRefit(refit, of_scores, bytes);
  }
  return bytes;
}

std::optional<TrialFits> DecodeFits(std::string_view bytes, const TrialTasks& tasks,
                                    std::size_t actions) {
  std::size_t size = sizeof(Truth) + sizeof(RuleOutcome) + 2 * sizeof(double);
  for (const auto* part : {&tasks.folds, &tasks.replicates, &tasks.pairs}) {
    for (const audit::RefitTask& task : *part) size += RefitBytes(task, tasks.of_scores, actions);
  }
  if (bytes.size() != size) return std::nullopt;
  TrialFits fits{.truth = Take<Truth>(bytes)};
  fits.oracle = Take<RuleOutcome>(bytes);
  fits.fit_seconds = Take<double>(bytes);
  fits.pair_seconds = Take<double>(bytes);
  const auto take = [&](const std::vector<audit::RefitTask>& part,
                        std::vector<audit::Refit>& refits) {
    for (const audit::RefitTask& task : part) {
      refits.push_back(TakeRefit(task, tasks.of_scores, actions, bytes));
    }
  };
  take(tasks.folds, fits.folds);
  take(tasks.replicates, fits.replicates);
  take(tasks.pairs, fits.pairs);
  return fits;
}

}  // namespace gonogo::calibrate
