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

void PutRefit(const audit::Refit& refit, std::string& bytes) {
  for (const audit::ChoiceTotals& choices : refit.held_out) {
    Put(PolicyCost(choices), bytes);
    Put(Small(choices.violations), bytes);
    for (const std::uint32_t count : choices.count) Put(Small(count), bytes);
  }
}

std::size_t HeldOutBytes(std::size_t actions) {
  return sizeof(double) + (1 + actions) * sizeof(std::uint16_t);
}

audit::Refit TakeRefit(const audit::RefitTask& task, std::size_t actions, std::string_view& bytes) {
  audit::Refit refit{.split = task.split};
  for (const std::size_t cluster : stats::HeldOut(task.split)) {
    audit::ChoiceTotals choices{.cluster = static_cast<std::uint32_t>(cluster),
                                .count = std::vector<std::uint32_t>(actions),
                                .cost = {Take<double>(bytes)}};
    choices.violations = Take<std::uint16_t>(bytes);
    for (std::uint32_t& count : choices.count) count = Take<std::uint16_t>(bytes);
    refit.held_out.push_back(std::move(choices));
  }
  return refit;
}

}  // namespace

std::string EncodeFits(const TrialFits& fits) {
  std::string bytes;
  Put(fits.truth, bytes);
  Put(fits.fit_seconds, bytes);
  for (const audit::Refit& fold : fits.folds) PutRefit(fold, bytes);
  for (const audit::Refit& replicate : fits.replicates) PutRefit(replicate, bytes);
  return bytes;
}

std::optional<TrialFits> DecodeFits(std::string_view bytes,
                                    const std::vector<audit::RefitTask>& folds,
                                    const std::vector<audit::RefitTask>& replicates,
                                    std::size_t actions) {
  std::size_t held_out = 0;
  for (const audit::RefitTask& task : folds) held_out += stats::HeldOut(task.split).size();
  for (const audit::RefitTask& task : replicates) held_out += stats::HeldOut(task.split).size();
  if (bytes.size() != sizeof(Truth) + sizeof(double) + held_out * HeldOutBytes(actions)) {
    return std::nullopt;
  }
  TrialFits fits{.truth = Take<Truth>(bytes), .fit_seconds = Take<double>(bytes)};
  for (const auto& task : folds) fits.folds.push_back(TakeRefit(task, actions, bytes));
  for (const auto& task : replicates) fits.replicates.push_back(TakeRefit(task, actions, bytes));
  return fits;
}

}  // namespace gonogo::calibrate
