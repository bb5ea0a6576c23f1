// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "gonogo/adapter/folder/adapter.h"
#include "gonogo/adapter/manifest.h"
#include "gonogo/base/parallel/execution.h"
#include "gonogo/base/result.h"
#include "gonogo/study/collect/collect_config.h"
#include "gonogo/study/scene.h"

namespace gonogo::study {

/// Sums over the rows of features that were met: enough to compare each input with how it was
/// distributed in training.
class FeatureTally {
 public:
  FeatureTally() = default;
  /// `trained` must outlive it.
  explicit FeatureTally(const std::vector<adapter::InputStatistics>& trained);

  void Add(std::span<const float> row);
  /// Adds what another tally of the same adapter has met.
  void Merge(const FeatureTally& other);
  [[nodiscard]] std::size_t rows() const { return rows_; }

  struct Input {
    double sum = 0.0;
    std::size_t outside = 0;                ///< below the smallest or above the largest in training
    std::array<std::size_t, 11> at_most{};  ///< rows at or below every decile of training
  };
  [[nodiscard]] const std::vector<Input>& inputs() const { return inputs_; }
  /// What another tally of the same adapter had met, from its numbers.
  void Restore(std::size_t rows, std::vector<Input> inputs) {
    rows_ = rows;
    inputs_ = std::move(inputs);
  }

 private:
  const std::vector<adapter::InputStatistics>* trained_ = nullptr;
  std::size_t rows_ = 0;
  std::vector<Input> inputs_;
};

/// One input: met against trained.
struct InputDrift {
  std::string name;
  double shift = 0.0;     ///< of the mean, in standard deviations of training; 0 where that is 0
  double distance = 0.0;  ///< largest difference of the two distribution functions at the deciles
  double outside = 0.0;   ///< share of rows beyond everything seen in training
};

/// One entry per input, in the order of a row. A tally without rows has no drift.
[[nodiscard]] std::vector<InputDrift> CompareWithTraining(const adapter::Manifest& manifest,
                                                          const FeatureTally& met);

/// What a closed-loop confirmation is told besides the adapter and the robot.
struct ConfirmOptions {
  std::vector<std::uint64_t> seeds = {};  ///< clusters; empty: as many as were declared, fresh
  int trials = 2;                         ///< starts for every cluster and target
  std::size_t hold = 1;                   ///< decisions for which a choice is kept
  std::filesystem::path folder = {};      ///< keeps finished episodes; empty: nowhere
};

/// Who commands the robot in a confirmation. All of them start from the same states.
enum class Contender : std::size_t {
  kDirect,   ///< the direct command
  kFixed,    ///< the fixed action that was best in the audit, at every decision
  kMixture,  ///< the adapter's actions as often as it takes them, but at random
  kAdapter,  ///< the adapter, at every decision
};
inline constexpr std::size_t kContenders = 4;

/// What one contender made of one start.
struct ConfirmOutcome {
  double cost = 0.0;  ///< work, J, read as often as the audit's was
  double time_s = 0.0;
  bool success = false;
  int decisions = 0;
  int departures = 0;  ///< decisions at which the command was not the direct one
};

/// One start under all contenders.
struct ConfirmStart {
  std::uint64_t seed = 0;
  std::size_t target = 0;
  int trial = 0;
  std::vector<ConfirmOutcome> outcomes = std::vector<ConfirmOutcome>(kContenders);

  [[nodiscard]] const ConfirmOutcome& of(Contender who) const {
    return outcomes[static_cast<std::size_t>(who)];
  }
};

/// A confirmation that was carried out.
struct Confirmation {
  std::string robot;
  CollectConfig collect;  ///< as the adapter's outcomes were made
  std::vector<std::uint64_t> seeds;
  ConfirmOptions options;
  std::string best_fixed;
  std::vector<ConfirmStart> starts = {};  ///< in the order seed, target, trial
  std::vector<double> frequencies = {};   ///< how often the adapter took each action
  FeatureTally adapter_features = {};     ///< at every decision of the adapter …
  FeatureTally direct_features = {};      ///< … and of direct control, on the same starts
};

/// A robot where the adapter's outcomes were collected, and how.
struct ConfirmScene {
  std::shared_ptr<const adapter::Adapter> adapter;
  Scene scene;
  CollectConfig collect;
  audit::Protocol protocol;
  std::string sha256;  ///< of adapter.json, which names the hash of the network

  [[nodiscard]] static Result<ConfirmScene> Open(const std::filesystem::path& adapter,
                                                 const std::filesystem::path& robot);
};

/// Runs all episodes that are not kept; progress counts them. The same for any number of jobs and
/// ranks and after any interruption. Refuses seeds the adapter was trained on: they would not be
/// fresh.
[[nodiscard]] Result<Confirmation> RunConfirmation(const ConfirmScene& where,
                                                   const ConfirmOptions& options,
                                                   const Execution& execution);

}  // namespace gonogo::study
