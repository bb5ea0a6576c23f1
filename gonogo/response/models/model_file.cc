// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/model_file.h"

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/nn/onnx/export.h"
#include "gonogo/nn/onnx/weights.h"

namespace gonogo::response {
namespace {

using nlohmann::json;

constexpr const char* kModelSchema = "gonogo.model/1";

std::filesystem::path WithExtension(const std::filesystem::path& stem, const char* extension) {
  return stem.string() + extension;
}

json ToJson(const nn::Standardiser& s) { return {{"mean", s.mean}, {"scale", s.scale}}; }

nn::Standardiser ToStandardiser(const json& j) {
  return {.mean = j.at("mean").get<std::vector<double>>(),
          .scale = j.at("scale").get<std::vector<double>>()};
}

Status Save(const std::filesystem::path& stem, const std::string& kind,
            const ModelIdentity& identity, const nn::Ensemble& ensemble, json extra) {
  nn::OnnxNetwork network = nn::DescribeOnnx(ensemble);
  network.input_name = "input";
  network.output_name = "output";
  network.metadata = {
      {"kind", kind}, {"robot", identity.robot}, {"layout", robot::HashText(identity.layout_hash)}};
  const std::string bytes = nn::SerialiseOnnx(network);
  GONOGO_TRY(io::WriteFile(WithExtension(stem, ".onnx"), bytes));
  json description = std::move(extra);
  description["schema"] = kModelSchema;
  description["kind"] = kind;
  description["robot"] = identity.robot;
  description["layout"] = robot::HashText(identity.layout_hash);
  description["sizes"] = ensemble.members.front().shape().sizes;
  description["members"] = ensemble.members.size();
  description["input"] = ToJson(ensemble.input);
  description["target"] = ToJson(ensemble.target);
  std::vector<bool> probability;
  for (const nn::Loss loss : ensemble.losses) {
    probability.push_back(loss == nn::Loss::kBinaryCrossEntropy);
  }
  description["probability"] = probability;
  description["onnx_sha256"] = io::Sha256Hex(bytes);
  description["provenance"] = identity.provenance;
  description["provenance"]["build"] = io::CurrentBuild();
  return io::WriteFile(WithExtension(stem, ".json"), description.dump(1) + "\n");
}

struct Loaded {
  json description;
  ModelIdentity identity;
  nn::Ensemble ensemble;
};

Status CheckDescription(const std::string& file, const json& description, const std::string& kind,
                        const robot::RobotSpec& robot) {
  if (!description.is_object() || description.value("schema", "") != kModelSchema ||
      description.value("kind", "") != kind) {
    return InputError("{}: not a {} model (schema {}, kind {})", file, kind,
                      description.is_object() ? description.value("schema", "missing") : "missing",
                      description.is_object() ? description.value("kind", "missing") : "missing");
  }
  const std::string layout = description.value("layout", "");
  const std::string name = description.value("robot", "");
  if (layout == robot::HashText(robot.LayoutHash()) && name == robot.name) return {};
  return InputError(
      "{}: identified on robot \"{}\" with observation layout {}, but {} describes \"{}\" with "
      "layout {}; identify the model again for this robot",
      file, name, layout, robot.file.string(), robot.name, robot::HashText(robot.LayoutHash()));
}

/// Reads the ensemble a checked description tells of; throws what nlohmann throws.
nn::Ensemble Describe(const json& description) {
  nn::Ensemble ensemble{.input = ToStandardiser(description.at("input")),
                        .target = ToStandardiser(description.at("target")),
                        .losses = {},
                        .members = {}};
  for (const bool probability : description.at("probability")) {
    ensemble.losses.push_back(probability ? nn::Loss::kBinaryCrossEntropy
                                          : nn::Loss::kSquaredError);
  }
  const nn::Mlp<float> blank({.sizes = description.at("sizes").get<std::vector<int>>()});
  ensemble.members.assign(description.at("members").get<std::size_t>(), blank);
  return ensemble;
}

bool Consistent(const nn::Ensemble& ensemble) {
  return !ensemble.members.empty() &&
         static_cast<std::size_t>(ensemble.members.front().shape().inputs()) ==
             ensemble.input.columns() &&
         static_cast<std::size_t>(ensemble.members.front().shape().outputs()) ==
             ensemble.losses.size() &&
         ensemble.target.columns() == ensemble.losses.size() &&
         ensemble.input.scale.size() == ensemble.input.columns() &&
         ensemble.target.scale.size() == ensemble.target.columns();
}

Result<Loaded> Load(const std::filesystem::path& stem, const std::string& kind,
                    const robot::RobotSpec& robot) {
  const std::filesystem::path json_file = WithExtension(stem, ".json");
  const std::filesystem::path onnx_file = WithExtension(stem, ".onnx");
  const std::string text = GONOGO_TRY(io::ReadFile(json_file));
  const json description = json::parse(text, nullptr, false);
  GONOGO_TRY(CheckDescription(json_file.string(), description, kind, robot));
  const std::string onnx = GONOGO_TRY(io::ReadFile(onnx_file));
  if (io::Sha256Hex(onnx) != description.value("onnx_sha256", "")) {
    return InputError(
        "{}: its SHA-256 differs from the one in {}; the pair does not belong "
        "together or a file is damaged",
        onnx_file.string(), json_file.string());
  }
  Loaded loaded{.description = description, .identity = {}, .ensemble = {}};
  try {
    loaded.ensemble = Describe(description);
  } catch (const json::exception& failure) {
    return InputError("{}: {}", json_file.string(), failure.what());
  }
  if (!Consistent(loaded.ensemble)) {
    return InputError("{}: sizes, members and normalisation do not fit together",
                      json_file.string());
  }
  GONOGO_TRY(nn::ReadOnnxWeights(onnx_file, loaded.ensemble));
  loaded.identity = {.robot = robot.name,
                     .layout_hash = robot.LayoutHash(),
                     .provenance = description.value("provenance", json::object())};
  return loaded;
}

Status CheckSizes(const std::filesystem::path& stem, const nn::Ensemble& ensemble, int inputs,
                  int outputs) {
  if (ensemble.inputs() == inputs && ensemble.outputs() == outputs) return {};
  return InputError("{}.json: maps {} inputs to {} outputs, expected {} to {}", stem.string(),
                    ensemble.inputs(), ensemble.outputs(), inputs, outputs);
}

}  // namespace

Status SaveModel(const std::filesystem::path& stem, const ResponseModel& model) {
  return Save(stem, "response", model.identity(), model.ensemble(),
              {{"cost", CostChannelName(model.cost())}});
}
Status SaveModel(const std::filesystem::path& stem, const MacroModel& model) {
  return Save(stem, "macro", model.identity(), model.ensemble(), json::object());
}
Status SaveModel(const std::filesystem::path& stem, const ValueModel& model) {
  return Save(stem, "value", model.identity(), model.ensemble(), json::object());
}

Result<ResponseModel> LoadResponseModel(const std::filesystem::path& stem,
                                        const robot::RobotSpec& robot) {
  const CommandSlot slot = GONOGO_TRY(CommandSlot::Find(robot));
  Loaded loaded = GONOGO_TRY(Load(stem, "response", robot));
  Loaded& l = loaded;
  GONOGO_TRY(CheckSizes(stem, l.ensemble, robot.observation_size(), ResponseModel::kOutputs));
  const CostChannel cost =
      l.description.value("cost", "effort") == "power" ? CostChannel::kPower : CostChannel::kEffort;
  return ResponseModel(std::move(l.identity), cost, slot, std::move(l.ensemble));
}

Result<MacroModel> LoadMacroModel(const std::filesystem::path& stem,
                                  const robot::RobotSpec& robot) {
  const CommandSlot slot = GONOGO_TRY(CommandSlot::Find(robot));
  Loaded loaded = GONOGO_TRY(Load(stem, "macro", robot));
  Loaded& l = loaded;
  const int width = robot.observation_size();
  GONOGO_TRY(CheckSizes(stem, l.ensemble, width, width + MacroModel::kExtraOutputs));
  return MacroModel(std::move(l.identity), slot, std::move(l.ensemble));
}

Result<ValueModel> LoadValueModel(const std::filesystem::path& stem,
                                  const robot::RobotSpec& robot) {
  Loaded loaded = GONOGO_TRY(Load(stem, "value", robot));
  Loaded& l = loaded;
  GONOGO_TRY(CheckSizes(stem, l.ensemble, robot.observation_size() + 2, 3));
  return ValueModel(std::move(l.identity), std::move(l.ensemble));
}

}  // namespace gonogo::response
