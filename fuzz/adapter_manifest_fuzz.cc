// SPDX-License-Identifier: Apache-2.0
// Whatever an adapter.json says about its network, it is refused with a message or chooses. Its
// seals are made right, because nobody guesses them.
#include "fuzz/json_mutator.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/adapter/testing/small_adapter.h"
#include "gonogo/base/check.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"

namespace {

using namespace gonogo;

/// With the hashes that an exporter would have written.
std::string Sealed(nlohmann::json manifest, const std::string& onnx) {
  const auto part = [&](const char* key) { return manifest.value(key, nlohmann::json()); };
  manifest["layout_sha256"] = io::Sha256Hex(nlohmann::json{
      {"actions", part("actions")},
      {"features", part("features")},
      {"action_features",
       part("action_features")}}.dump());
  if (part("model").is_object()) manifest["model"]["sha256"] = io::Sha256Hex(onnx);
  manifest.erase("sha256");
  const std::string seal = io::Sha256Hex(manifest.dump());
  manifest["sha256"] = seal;
  return manifest.dump();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const adapter::internal::SmallAdapter kSmall({"stay", "go", "run"},
                                                      {{"f", {"f_x", "f_y"}}}, {-1.0F, 1.0F});
  const Result<nlohmann::json> parsed = io::ParseJson(fuzz::AsText(data, size), "adapter.json");
  if (!parsed.ok() || !parsed.value().is_object()) return 0;
  const Result<adapter::Manifest> manifest =
      adapter::ParseManifest(Sealed(parsed.value(), kSmall.onnx), "adapter.json");
  if (!manifest.ok()) {
    GONOGO_CHECK(manifest.error().message.starts_with("adapter.json"));
    return 0;
  }
  const Result<adapter::Adapter> loaded =
      adapter::Adapter::Create(manifest.value(), kSmall.onnx, "adapter");
  if (!loaded.ok()) return 0;
  adapter::Adapter::Scratch scratch(loaded.value());
  const std::vector<float> features(manifest.value().layout.inputs(), 0.5F);
  const std::optional<std::size_t> choice = loaded.value().Choose(features, scratch);
  if (choice) GONOGO_CHECK(*choice < manifest.value().layout.actions.size());
  return 0;
}
