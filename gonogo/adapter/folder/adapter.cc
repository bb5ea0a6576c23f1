// SPDX-License-Identifier: Apache-2.0
#include "gonogo/adapter/folder/adapter.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
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

/// What stands first when the audit does not say GO.
constexpr const char* kWarning = R"(
> **Do not deploy this adapter on the strength of this export.** {} It was exported because somebody
> asked for it all the same (`--export-anyway`). The cheaper thing to do is to always take `{}`.
)";

constexpr const char* kUse = R"(
## What is here

| file | |
|---|---|
| `adapter.onnx` | the ensemble: input `features` [rows, {}], outputs {} [rows, {} members, {} actions]; normalisation is inside |
| `adapter.json` | the names of all features and actions, the constants of the gate, the verdict, where all of it comes from |

## How it chooses

For every action but the reference (`{}`) the members' predictions become a mean and a standard deviation sd (divisor: members
minus {}). An action passes the gate when its upper work estimate (mean + {} sd) is below 0{}{}. Of those that pass, the one with
the lowest upper work estimate is taken; if none passes, `{}`.

## How to use it

    gonogo rollout ROBOT --target 2,0 --controller adapter:THIS_FOLDER      # an adapter of a robot
    gonogo confirm THIS_FOLDER ROBOT                                        # does the gain survive in the closed loop?

    import gonogo                                                           # any adapter, from Python
    gonogo.Adapter.load("THIS_FOLDER").choose(features)

A feature row is {} numbers in the order of `features` in `adapter.json`{}{}. Both files carry hashes; a file that was
changed afterwards is refused.
)";

/// Where a feature may be more than a number.
constexpr const char* kKinds =
    ". Where `kinds` says `may_be_missing`, NaN stands for what is missing; a category is the "
    "position "
    "of its text in `levels`, counted from 0, and any text that is not there is a number beyond "
    "them. "
    "The network does the rest: the medians and levels it was trained with are inside";

bool HasKinds(const Layout& layout) {
  const auto has = [](const FeatureNames& group) { return !group.kinds.empty(); };
  return std::any_of(layout.features.begin(), layout.features.end(), has) ||
         std::any_of(layout.action_features.begin(), layout.action_features.end(), has);
}

std::string QuotedList(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text;
}

bool Predicts(const Manifest& manifest, std::string_view output) {
  for (const std::string& name : manifest.outputs) {
    if (name == output) return true;
  }
  return false;
}

}  // namespace

Adapter::Adapter(std::shared_ptr<const Manifest> manifest, nn::OnnxModel model)
    : manifest_(std::move(manifest)), model_(std::move(model)) {
  const Gate& gate = manifest_->gate;
  identity_ = io::Sha256Hex(fmt::format("{} {} {} {} {} {}", manifest_->model_sha256,
                                        manifest_->layout.Hash(), gate.z, gate.ddof,
                                        gate.min_eligibility, gate.time_limit));
  for (const FeatureKind& kind : manifest_->layout.InputKinds()) {
    inputs_.push_back({kind.may_be_missing, !kind.levels.empty()});
  }
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
  for (std::size_t i = 0; i < features.size(); ++i) {
    const float value = features[i];
    if (std::isnan(value)) {
      if (!inputs_[i].may_be_missing) return std::nullopt;
      continue;
    }
    const bool is_level = value >= 0.0F && value == std::floor(value);
    if (!std::isfinite(value) || (inputs_[i].is_category && !is_level)) return std::nullopt;
  }
  return SelectAction(Predict(features, scratch), manifest_->gate);
}

Status WriteAdapter(const std::filesystem::path& folder, Manifest manifest, std::string_view onnx) {
  manifest.model_sha256 = io::Sha256Hex(onnx);
  const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(folder));
  GONOGO_TRY(io::WriteFile(folder / kModelFile, onnx));
  GONOGO_TRY(io::WriteFile(folder / kManifestFile, ManifestText(manifest)));
  return io::WriteFile(folder / "README.md", ReadmeText(manifest));
}

std::string ReadmeText(const Manifest& manifest) {
  const Layout& layout = manifest.layout;
  const Gate& gate = manifest.gate;
  std::string text = fmt::format("# An adapter trained by gonogo: {}\n\n**{}**\n",
                                 manifest.protocol.value("name", "audit"), manifest.VerdictText());
  if (!manifest.is_advised()) {
    text += fmt::format(kWarning, manifest.VerdictText(), manifest.best_fixed);
  }
  text += fmt::format("\nLearner {}, trained on all {} clusters ({} queries) of `{}`.\n",
                      manifest.learner, manifest.table.value("clusters", 0),
                      manifest.table.value("queries", 0),
                      manifest.table.value("file", std::string("a table in memory")));
  const std::string time =
      Predicts(manifest, "time")
          ? fmt::format(", its upper time estimate at most {}", gate.time_limit)
          : "";
  const std::string eligible =
      Predicts(manifest, "eligible")
          ? fmt::format(", its lower estimate of being eligible at least {}", gate.min_eligibility)
          : "";
  return text +
         fmt::format(kUse, layout.inputs(), QuotedList(manifest.outputs), manifest.members,
                     layout.candidates(), layout.actions.front(), gate.ddof, gate.z, time, eligible,
                     layout.actions.front(), layout.inputs(),
                     layout.action_features.empty()
                         ? ""
                         : ", then those of `action_features` for every action but the reference",
                     HasKinds(layout) ? kKinds : "");
}

}  // namespace gonogo::adapter
