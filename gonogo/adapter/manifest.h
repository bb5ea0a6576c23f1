// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "gonogo/adapter/gate.h"
#include "gonogo/base/result.h"

namespace gonogo::adapter {

/// What a feature may be besides a number.
struct FeatureKind {
  bool may_be_missing = false;           ///< then NaN stands for it
  std::vector<std::string> levels = {};  ///< of a category; a row holds the position of one, or a
                                         ///< higher number for a text that is none of them

  bool operator==(const FeatureKind&) const = default;
};

/// Features that belong together, by name and in order.
struct FeatureNames {
  std::string group;
  std::vector<std::string> columns;
  std::vector<FeatureKind> kinds = {};  ///< of every column; empty: all are plain numbers

  bool operator==(const FeatureNames&) const = default;
};

/// What an adapter looks at and chooses among. A row of features is: those of the situation, group
/// by group; then, for every action but the reference, its action features.
struct Layout {
  std::vector<std::string> actions;  ///< the reference first
  std::vector<FeatureNames> features;
  std::vector<FeatureNames> action_features;  ///< of every action

  [[nodiscard]] std::size_t candidates() const { return actions.size() - 1; }
  /// Numbers in a row.
  [[nodiscard]] std::size_t inputs() const;
  /// What each of them may be.
  [[nodiscard]] std::vector<FeatureKind> InputKinds() const;
  /// A name for each of them; those of actions as "column of action".
  [[nodiscard]] std::vector<std::string> InputNames() const;
  /// SHA-256 of all names in their order.
  [[nodiscard]] std::string Hash() const;

  bool operator==(const Layout&) const = default;
};

/// How one input was distributed when the adapter was trained: its mean, its standard deviation and
/// its deciles, from the smallest to the largest value.
struct InputStatistics {
  double mean = 0.0;
  double sd = 0.0;
  std::vector<double> deciles;  ///< eleven

  bool operator==(const InputStatistics&) const = default;
};

/// Everything `adapter.json` says.
struct Manifest {
  Layout layout;
  Gate gate;
  std::string learner;  ///< "mlp", "ridge", "trees" or "forest"
  std::string target;   ///< what `work` is: "ratio", "difference" or "log"
  std::size_t members = 1;
  std::vector<std::string> outputs;  ///< of the network: "work", "time", "eligible"
  std::string model_sha256;          ///< of adapter.onnx

  std::string verdict;        ///< "GO", "NO-GO" or "ABSTAIN"; "none" where no decision was possible
  bool confirmatory = false;  ///< whether that is a decision or only what the intervals would say
  std::string best_fixed;     ///< the action one would always take instead
  std::vector<double> frequencies;  ///< how often each action was chosen, held out
  std::vector<InputStatistics> inputs;
  nlohmann::json protocol;    ///< name, fingerprint, thresholds, canonical text
  nlohmann::json table;       ///< name, hash, size
  nlohmann::json collection;  ///< how the table's outcomes were made; null if it does not say
  nlohmann::json evidence;    ///< estimates of the audit
  nlohmann::json checked;     ///< how the file was compared with the learner it came from

  /// Whether the audit that it comes from says that it is worth it.
  [[nodiscard]] bool is_advised() const { return confirmatory && verdict == "GO"; }
  /// The verdict as a sentence.
  [[nodiscard]] std::string VerdictText() const;
};

/// The text of adapter.json; its last key is a hash of everything before it.
[[nodiscard]] std::string ManifestText(const Manifest& manifest);

/// Reads it again. Refuses what was changed by hand, what is not complete and what contradicts
/// itself; `file` stands for it in messages.
[[nodiscard]] Result<Manifest> ParseManifest(std::string_view text, const std::string& file);

}  // namespace gonogo::adapter
