// SPDX-License-Identifier: Apache-2.0
#include "gonogo/adapter/folder/adapter.h"

#include <algorithm>
#include <cmath>

#include <fmt/ranges.h>

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/io/sha256.h"

namespace gonogo::adapter {
namespace {

constexpr const char* kModelFile = "adapter.onnx";
constexpr const char* kManifestFile = "adapter.json";

/// The network must be what the manifest says it is.
Status CheckModel(const nn::OnnxModel& model, const Manifest& manifest, const std::string& name) {
  const std::size_t candidates = manifest.layout.candidates();
  if (model.inputs().size() != 1 || model.inputs()[0].size != manifest.layout.inputs()) {
    return InputError("{}: adapter.onnx takes {} numbers, adapter.json names {} features", name,
                      model.inputs().empty() ? 0 : model.inputs()[0].size,
                      manifest.layout.inputs());
  }
  std::vector<std::string> outputs;
  for (const nn::OnnxPort& port : model.outputs()) {
    outputs.push_back(port.name);
    // Divided, because the product of numbers that a file says may be any number.
    if (candidates > 0 && port.size % candidates == 0 && port.size / candidates == manifest.members)
      continue;
    return InputError("{}: output '{}' of adapter.onnx has {} numbers, expected {} members x {}",
                      name, port.name, port.size, manifest.members, candidates);
  }
  if (outputs != manifest.outputs) {
    return InputError("{}: adapter.onnx predicts {}, adapter.json says {}", name,
                      fmt::join(outputs, ", "), fmt::join(manifest.outputs, ", "));
  }
  for (const std::string& output : outputs) {
    if (output == "work" || output == "time" || output == "eligible") continue;
    return InputError("{}: output '{}' is unknown, expected work, time or eligible", name, output);
  }
  return {};
}

}  // namespace

Adapter::Adapter(std::shared_ptr<const Manifest> manifest, nn::OnnxModel model)
    : manifest_(std::move(manifest)), model_(std::move(model)) {
  const Gate& gate = manifest_->gate;
  identity_ = io::Sha256Hex(fmt::format("{} {} {} {} {} {}", manifest_->model_sha256,
                                        manifest_->layout.Hash(), gate.z, gate.ddof,
                                        gate.min_eligibility, gate.time_limit));
}

Result<Adapter> Adapter::Create(Manifest manifest, std::string_view onnx, const std::string& name) {
  const std::string hash = io::Sha256Hex(onnx);
  if (hash != manifest.model_sha256) {
    return InputError(
        "{}: adapter.onnx is not the network this adapter was exported with: its hash is {}, "
        "adapter.json says {}",
        name, hash, manifest.model_sha256);
  }
  nn::OnnxModel model =
      GONOGO_TRY(nn::OnnxModel::Parse(onnx, (std::filesystem::path(name) / kModelFile).string()));
  GONOGO_TRY(CheckModel(model, manifest, name));
  return Adapter(std::make_shared<const Manifest>(std::move(manifest)), std::move(model));
}

Result<Adapter> Adapter::Load(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kManifestFile;
  const std::string text = GONOGO_TRY(io::ReadFile(file));
  Manifest manifest = GONOGO_TRY(ParseManifest(text, file.string()));
  const std::string onnx = GONOGO_TRY(io::ReadFile(folder / kModelFile));
  return Create(std::move(manifest), onnx, folder.string());
}

Adapter::Scratch::Scratch(const Adapter& adapter) {
  const Manifest& manifest = adapter.manifest();
  const std::size_t each = manifest.members * manifest.layout.candidates();
  effects_.resize(each * manifest.outputs.size());
  for (std::size_t o = 0; o < manifest.outputs.size(); ++o) {
    outputs_.push_back(std::span(effects_).subspan(o * each, each));
  }
  const std::vector<float> nowhere(manifest.layout.inputs(), 0.0F);
  (void)adapter.Predict(nowhere, *this);  // grows what is left to grow
}

EffectView<float> Adapter::Predict(std::span<const float> features, Scratch& scratch) const {
  GONOGO_CHECK(features.size() == manifest_->layout.inputs());
  model_.Run({&features, 1}, scratch.outputs_, scratch.model_);
  EffectView<float> view{.stride = manifest_->layout.candidates(),
                         .members = manifest_->members,
                         .candidates = manifest_->layout.candidates()};
  for (std::size_t o = 0; o < scratch.outputs_.size(); ++o) {
    const std::string& name = manifest_->outputs[o];
    (name == "work"   ? view.work
     : name == "time" ? view.time
                      : view.eligible) = scratch.outputs_[o].data();
  }
  return view;
}

std::optional<std::size_t> Adapter::Choose(std::span<const float> features,
                                           Scratch& scratch) const {
  const auto finite = [](float value) { return std::isfinite(value); };
  if (!std::all_of(features.begin(), features.end(), finite)) return std::nullopt;
  return SelectAction(Predict(features, scratch), manifest_->gate);
}

Status WriteAdapter(const std::filesystem::path& folder, Manifest manifest, std::string_view onnx) {
  manifest.model_sha256 = io::Sha256Hex(onnx);
  const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(folder));
  GONOGO_TRY(io::WriteFile(folder / kModelFile, onnx));
  GONOGO_TRY(io::WriteFile(folder / kManifestFile, ManifestText(manifest)));
  return io::WriteFile(folder / "README.md", ReadmeText(manifest));
}

}  // namespace gonogo::adapter
