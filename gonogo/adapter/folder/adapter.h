// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "gonogo/adapter/gate.h"
#include "gonogo/adapter/manifest.h"
#include "gonogo/base/result.h"
#include "gonogo/nn/onnx/model.h"

namespace gonogo::adapter {

/// A learned adapter as `gonogo audit --export` wrote it: features in, action out. Immutable and
/// cheap to copy; threads share one and bring their own `Scratch`.
class Adapter {
 public:
  /// Working memory of one thread; afterwards nothing is allocated.
  class Scratch {
   public:
    explicit Scratch(const Adapter& adapter);
    // Moved, never copied: the spans lie in its own memory.
    Scratch(Scratch&&) = default;
    Scratch& operator=(Scratch&&) = default;

   private:
    friend class Adapter;
    std::vector<float> effects_;  ///< of one situation: outputs x members x candidates
    std::vector<std::span<float>> outputs_;
    nn::OnnxModel::Scratch model_;
  };

  /// Reads the folder. Refuses, with the reason, files that were changed after the export or that
  /// do not belong together.
  [[nodiscard]] static Result<Adapter> Load(const std::filesystem::path& folder);
  /// The same from bytes; `name` stands for the folder in messages.
  [[nodiscard]] static Result<Adapter> Create(Manifest manifest, std::string_view onnx,
                                              const std::string& name);

  [[nodiscard]] const Manifest& manifest() const { return *manifest_; }
  [[nodiscard]] const Layout& layout() const { return manifest_->layout; }
  /// Names this adapter: the hash of its network and of everything that decides with it.
  [[nodiscard]] const std::string& identity() const { return identity_; }

  /// What the ensemble predicts for one row of `layout().inputs()` numbers. The view is valid until
  /// the scratch is used again.
  [[nodiscard]] EffectView<float> Predict(std::span<const float> features, Scratch& scratch) const;

  /// The index of the action to take in `layout().actions`: 0, the reference, unless the gate lets
  /// a better one pass. Nothing when a feature is neither a finite number nor, where it may be
  /// missing, NaN; nor when a category is no whole number of 0 or more.
  [[nodiscard]] std::optional<std::size_t> Choose(std::span<const float> features,
                                                  Scratch& scratch) const;

 private:
  Adapter(std::shared_ptr<const Manifest> manifest, nn::OnnxModel model);

  struct Input {
    bool may_be_missing = false;
    bool is_category = false;
  };

  std::shared_ptr<const Manifest> manifest_;
  std::vector<Input> inputs_;
  nn::OnnxModel model_;
  std::string identity_;
};

/// Writes adapter.onnx, adapter.json and README.md; sets the hash of the network in the manifest.
[[nodiscard]] Status WriteAdapter(const std::filesystem::path& folder, Manifest manifest,
                                  std::string_view onnx);

/// What the README of an exported adapter says.
[[nodiscard]] std::string ReadmeText(const Manifest& manifest);

}  // namespace gonogo::adapter
