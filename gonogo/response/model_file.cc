// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/model_file.h"

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/nn/onnx_export.h"
#include "gonogo/nn/onnx_weights.h"

namespace gonogo::response {
namespace {

using nlohmann::json;

constexpr const char* kSchema = "gonogo.model/1";

std::filesystem::path WithExtension(const std::filesystem::path& stem, const char* extension) {
  return stem.string() + extension;
}

std::string Hex(std::uint64_t hash) { return fmt::format("{:016x}", hash); }

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
      {"kind", kind}, {"robot", identity.robot}, {"layout", Hex(identity.layout_hash)}};
  const std::string bytes = nn::SerialiseOnnx(network);
  Status written = io::WriteFile(WithExtension(stem, ".onnx"), bytes);
  if (!written.ok()) return written;
  json description = std::move(extra);
  description["schema"] = kSchema;
  description["kind"] = kind;
  description["robot"] = identity.robot;
  description["layout"] = Hex(identity.layout_hash);
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
  if (!description.is_object() || description.value("schema", "") != kSchema ||
      description.value("kind", "") != kind) {
    return InputError("{}: not a {} model (schema {}, kind {})", file, kind,
                      description.is_object() ? description.value("schema", "missing") : "missing",
                      description.is_object() ? description.value("kind", "missing") : "missing");
  }
  const std::string layout = description.value("layout", "");
  const std::string name = description.value("robot", "");
  if (layout == Hex(robot.LayoutHash()) && name == robot.name) return {};
  return InputError(
      "{}: identified on robot \"{}\" with observation layout {}, but {} describes \"{}\" with "
      "layout {}; identify the model again for this robot",
      file, name, layout, robot.file.string(), robot.name, Hex(robot.LayoutHash()));
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
  const Result<std::string> text = io::ReadFile(json_file);
  if (!text.ok()) return text.error();
  const json description = json::parse(text.value(), nullptr, false);
  const Status checked = CheckDescription(json_file.string(), description, kind, robot);
  if (!checked.ok()) return checked.error();
  const Result<std::string> onnx = io::ReadFile(onnx_file);
  if (!onnx.ok()) return onnx.error();
  if (io::Sha256Hex(onnx.value()) != description.value("onnx_sha256", "")) {
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
  const Status weights = nn::ReadOnnxWeights(onnx_file, loaded.ensemble);
  if (!weights.ok()) return weights.error();
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
  const Result<CommandSlot> slot = CommandSlot::Find(robot);
  if (!slot.ok()) return slot.error();
  Result<Loaded> loaded = Load(stem, "response", robot);
  if (!loaded.ok()) return loaded.error();
  Loaded& l = loaded.value();
  const Status sizes =
      CheckSizes(stem, l.ensemble, robot.observation_size(), ResponseModel::kOutputs);
  if (!sizes.ok()) return sizes.error();
  const CostChannel cost =
      l.description.value("cost", "effort") == "power" ? CostChannel::kPower : CostChannel::kEffort;
  return ResponseModel(std::move(l.identity), cost, slot.value(), std::move(l.ensemble));
}

Result<MacroModel> LoadMacroModel(const std::filesystem::path& stem,
                                  const robot::RobotSpec& robot) {
  const Result<CommandSlot> slot = CommandSlot::Find(robot);
  if (!slot.ok()) return slot.error();
  Result<Loaded> loaded = Load(stem, "macro", robot);
  if (!loaded.ok()) return loaded.error();
  Loaded& l = loaded.value();
  const int width = robot.observation_size();
  const Status sizes = CheckSizes(stem, l.ensemble, width, width + MacroModel::kExtraOutputs);
  if (!sizes.ok()) return sizes.error();
  return MacroModel(std::move(l.identity), slot.value(), std::move(l.ensemble));
}

Result<ValueModel> LoadValueModel(const std::filesystem::path& stem,
                                  const robot::RobotSpec& robot) {
  Result<Loaded> loaded = Load(stem, "value", robot);
  if (!loaded.ok()) return loaded.error();
  Loaded& l = loaded.value();
  const Status sizes = CheckSizes(stem, l.ensemble, robot.observation_size() + 2, 3);
  if (!sizes.ok()) return sizes.error();
  return ValueModel(std::move(l.identity), std::move(l.ensemble));
}

}  // namespace gonogo::response
