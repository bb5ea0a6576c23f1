// SPDX-License-Identifier: Apache-2.0
#include "gonogo/adapter/manifest.h"

#include <fmt/format.h>

#include "gonogo/io/build_info.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"

namespace gonogo::adapter {
namespace {

constexpr const char* kSchema = "gonogo.adapter/1";
constexpr std::size_t kDeciles = 11;

std::size_t CountColumns(const std::vector<FeatureNames>& groups) {
  std::size_t columns = 0;
  for (const FeatureNames& group : groups) columns += group.columns.size();
  return columns;
}

nlohmann::json KindsJson(const std::vector<FeatureKind>& kinds) {
  nlohmann::json json = nlohmann::json::array();
  for (const FeatureKind& kind : kinds) {
    json.push_back({{"may_be_missing", kind.may_be_missing}, {"levels", kind.levels}});
  }
  return json;
}

Status ReadKinds(const io::JsonObject& group, FeatureNames& names) {
  if (!group.Has("kinds")) return {};
  const std::vector<io::JsonObject> objects = GONOGO_TRY(group.Objects("kinds"));
  for (const io::JsonObject& object : objects) {
    FeatureKind kind;
    GONOGO_TRY(object.Read("may_be_missing", kind.may_be_missing));
    GONOGO_TRY(object.Read("levels", kind.levels));
    names.kinds.push_back(std::move(kind));
  }
  if (names.kinds.size() == names.columns.size()) return {};
  return group.Wrong("kinds",
                     fmt::format("{} entries, one for every column", names.columns.size()));
}

nlohmann::json GroupsJson(const std::vector<FeatureNames>& groups) {
  nlohmann::json json = nlohmann::json::array();
  for (const FeatureNames& group : groups) {
    json.push_back({{"group", group.group}, {"columns", group.columns}});
    if (!group.kinds.empty()) json.back()["kinds"] = KindsJson(group.kinds);
  }
  return json;
}

Result<std::vector<FeatureNames>> ReadGroups(const io::JsonObject& root, const std::string& key) {
  std::vector<FeatureNames> groups;
  const std::vector<io::JsonObject> objects = GONOGO_TRY(root.Objects(key));
  for (const io::JsonObject& object : objects) {
    FeatureNames names;
    GONOGO_TRY(object.Read("group", names.group));
    GONOGO_TRY(object.Read("columns", names.columns));
    GONOGO_TRY(ReadKinds(object, names));
    groups.push_back(std::move(names));
  }
  return groups;
}

Status ReadGate(const io::JsonObject& root, Gate& gate) {
  const io::JsonObject object = GONOGO_TRY(root.Object("gate"));
  GONOGO_TRY(object.Read("z", gate.z));
  GONOGO_TRY(object.Read("ddof", gate.ddof));
  GONOGO_TRY(object.Read("min_eligibility", gate.min_eligibility));
  GONOGO_TRY(object.Read("time_limit", gate.time_limit));
  if (gate.ddof < 0) return object.Wrong("ddof", "0 or more");
  return {};
}

Status ReadModel(const io::JsonObject& root, Manifest& manifest) {
  const io::JsonObject object = GONOGO_TRY(root.Object("model"));
  GONOGO_TRY(object.Read("learner", manifest.learner));
  GONOGO_TRY(object.Read("target", manifest.target));
  GONOGO_TRY(object.Read("outputs", manifest.outputs));
  GONOGO_TRY(object.Read("sha256", manifest.model_sha256));
  const std::uint64_t members = GONOGO_TRY(object.Get<std::uint64_t>("members"));
  if (members == 0) return object.Wrong("members", "1 or more");
  manifest.members = members;
  if (manifest.outputs.empty() || manifest.outputs.front() != "work") {
    return object.Wrong("outputs", "a list that begins with \"work\"");
  }
  return {};
}

Status ReadInputs(const io::JsonObject& root, Manifest& manifest) {
  const std::vector<io::JsonObject> objects = GONOGO_TRY(root.Objects("inputs"));
  for (const io::JsonObject& object : objects) {
    InputStatistics statistics;
    GONOGO_TRY(object.Read("mean", statistics.mean));
    GONOGO_TRY(object.Read("sd", statistics.sd));
    GONOGO_TRY(object.Read("deciles", statistics.deciles));
    if (statistics.deciles.size() != kDeciles) return object.Wrong("deciles", "eleven numbers");
    manifest.inputs.push_back(std::move(statistics));
  }
  if (manifest.inputs.size() != manifest.layout.inputs()) {
    return root.Wrong("inputs", fmt::format("{} entries, one for every number of a row",
                                            manifest.layout.inputs()));
  }
  return {};
}

Status ReadVerdict(const io::JsonObject& root, Manifest& manifest) {
  const io::JsonObject object = GONOGO_TRY(root.Object("verdict"));
  GONOGO_TRY(object.Read("answer", manifest.verdict));
  GONOGO_TRY(object.Read("confirmatory", manifest.confirmatory));
  GONOGO_TRY(object.Read("best_fixed_action", manifest.best_fixed));
  GONOGO_TRY(object.Read("frequencies", manifest.frequencies));
  if (manifest.frequencies.size() != manifest.layout.actions.size()) {
    return object.Wrong("frequencies", "one number for every action");
  }
  return {};
}

/// The hash that stands at the end must be that of everything else.
Status CheckSeal(nlohmann::json& json, const std::string& file) {
  if (!json.is_object() || json.value("schema", nlohmann::json()) != kSchema) {
    return InputError("{}: not an exported adapter: schema is {}, expected \"{}\"", file,
                      json.is_object() ? json.value("schema", nlohmann::json()).dump() : "missing",
                      kSchema);
  }
  const nlohmann::json seal = json.value("sha256", nlohmann::json());
  json.erase("sha256");
  const std::string found = io::Sha256Hex(json.dump());
  if (seal == found) return {};
  return InputError(
      "{}: the file was changed after it was exported: its contents have the hash {}, it says {}. "
      "Export the adapter again instead of editing it",
      file, found, seal.dump());
}

}  // namespace

std::size_t Layout::inputs() const {
  return CountColumns(features) + candidates() * CountColumns(action_features);
}

std::vector<std::string> Layout::InputNames() const {
  std::vector<std::string> names;
  for (const FeatureNames& group : features) {
    names.insert(names.end(), group.columns.begin(), group.columns.end());
  }
  for (std::size_t c = 0; c < candidates(); ++c) {
    for (const FeatureNames& group : action_features) {
      for (const std::string& column : group.columns) {
        names.push_back(fmt::format("{} of {}", column, actions[c + 1]));
      }
    }
  }
  return names;
}

std::vector<FeatureKind> Layout::InputKinds() const {
  std::vector<FeatureKind> kinds;
  const auto add = [&](const std::vector<FeatureNames>& groups) {
    for (const FeatureNames& group : groups) {
      kinds.insert(kinds.end(), group.kinds.begin(), group.kinds.end());
      if (group.kinds.empty()) kinds.resize(kinds.size() + group.columns.size());
    }
  };
  add(features);
  for (std::size_t c = 0; c < candidates(); ++c) add(action_features);
  return kinds;
}

std::string Layout::Hash() const {
  return io::Sha256Hex(nlohmann::json{{"actions", actions},
                                      {"features", GroupsJson(features)},
                                      {"action_features", GroupsJson(action_features)}}
                           .dump());
}

std::string Manifest::VerdictText() const {
  if (is_advised()) return "GO: the audit found this adapter worth it.";
  if (verdict == "none") {
    return "No decision was possible on the table this adapter was trained on.";
  }
  const std::string_view means = verdict == "GO"      ? "would be worth it"
                                 : verdict == "NO-GO" ? "is not worth it"
                                                      : "cannot be told to be worth it";
  if (confirmatory) return fmt::format("{}: the audit found that this adapter {}.", verdict, means);
  return fmt::format(
      "Descriptive only ({}): intervals that were not declared beforehand suggest that this "
      "adapter {}.",
      verdict, means);
}

std::string ManifestText(const Manifest& manifest) {
  nlohmann::json inputs = nlohmann::json::array();
  for (const InputStatistics& input : manifest.inputs) {
    inputs.push_back({{"mean", input.mean}, {"sd", input.sd}, {"deciles", input.deciles}});
  }
  nlohmann::json json = {{"schema", kSchema},
                         {"actions", manifest.layout.actions},
                         {"features", GroupsJson(manifest.layout.features)},
                         {"action_features", GroupsJson(manifest.layout.action_features)},
                         {"layout_sha256", manifest.layout.Hash()},
                         {"gate",
                          {{"z", manifest.gate.z},
                           {"ddof", manifest.gate.ddof},
                           {"min_eligibility", manifest.gate.min_eligibility},
                           {"time_limit", manifest.gate.time_limit}}},
                         {"model",
                          {{"file", "adapter.onnx"},
                           {"sha256", manifest.model_sha256},
                           {"learner", manifest.learner},
                           {"target", manifest.target},
                           {"members", manifest.members},
                           {"outputs", manifest.outputs}}},
                         {"verdict",
                          {{"answer", manifest.verdict},
                           {"confirmatory", manifest.confirmatory},
                           {"advised", manifest.is_advised()},
                           {"text", manifest.VerdictText()},
                           {"best_fixed_action", manifest.best_fixed},
                           {"frequencies", manifest.frequencies}}},
                         {"evidence", manifest.evidence},
                         {"inputs", std::move(inputs)},
                         {"protocol", manifest.protocol},
                         {"table", manifest.table},
                         {"collection", manifest.collection},
                         {"checked", manifest.checked},
                         {"build", io::CurrentBuild()}};
  // Through the text once, so that numbers are what a reader will see.
  json = nlohmann::json::parse(json.dump());
  const std::string seal = io::Sha256Hex(json.dump());
  json["sha256"] = seal;
  return json.dump(1) + "\n";
}

Result<Manifest> ParseManifest(std::string_view text, const std::string& file) {
  nlohmann::json json = GONOGO_TRY(io::ParseJson(text, file));
  GONOGO_TRY(CheckSeal(json, file));
  const io::JsonObject root = GONOGO_TRY(io::JsonObject::Open(json, file));
  Manifest manifest;
  GONOGO_TRY(root.Read("actions", manifest.layout.actions));
  if (manifest.layout.actions.size() < 2) return root.Wrong("actions", "two or more names");
  manifest.layout.features = GONOGO_TRY(ReadGroups(root, "features"));
  manifest.layout.action_features = GONOGO_TRY(ReadGroups(root, "action_features"));
  const std::string layout = GONOGO_TRY(root.Get<std::string>("layout_sha256"));
  if (layout != manifest.layout.Hash()) {
    return root.Wrong("layout_sha256", "the hash of its actions and features");
  }
  GONOGO_TRY(ReadGate(root, manifest.gate));
  GONOGO_TRY(ReadModel(root, manifest));
  GONOGO_TRY(ReadVerdict(root, manifest));
  GONOGO_TRY(ReadInputs(root, manifest));
  for (const auto& [key, part] : {std::pair{"protocol", &manifest.protocol},
                                  {"table", &manifest.table},
                                  {"collection", &manifest.collection},
                                  {"evidence", &manifest.evidence},
                                  {"checked", &manifest.checked}}) {
    GONOGO_TRY(root.Read(key, *part));
  }
  return manifest;
}

}  // namespace gonogo::adapter
