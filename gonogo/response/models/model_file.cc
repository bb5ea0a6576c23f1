// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/models/model_file.h"

#include <algorithm>

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"
#include "gonogo/nn/onnx/export.h"

namespace gonogo::response {
namespace {

using nlohmann::json;

constexpr const char* kModelSchema = "gonogo.model/1";

std::filesystem::path WithExtension(const std::filesystem::path& stem, const char* extension) {
  return stem.string() + extension;
}

json ToJson(const nn::Standardiser& s) { return {{"mean", s.mean}, {"scale", s.scale}}; }

Result<nn::Standardiser> ReadStandardiser(const io::JsonObject& from) {
  nn::Standardiser standardiser;
  GONOGO_TRY(from.Read("mean", standardiser.mean));
  GONOGO_TRY(from.Read("scale", standardiser.scale));
  return standardiser;
}

ModelBytes Serialise(const std::string& kind, const ModelIdentity& identity,
                     const nn::Ensemble& ensemble, json extra) {
  nn::OnnxNetwork network = nn::DescribeOnnx(ensemble);
  network.input_name = "input";
  network.output_name = "output";
  network.metadata = {
      {"kind", kind}, {"robot", identity.robot}, {"layout", robot::HashText(identity.layout_hash)}};
  ModelBytes bytes{.onnx = nn::SerialiseOnnx(network), .json = {}};
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
  description["onnx_sha256"] = io::Sha256Hex(bytes.onnx);
  description["provenance"] = identity.provenance;
  description["provenance"]["build"] = io::CurrentBuild();
  bytes.json = description.dump(1) + "\n";
  return bytes;
}

struct Loaded {
  ModelIdentity identity;
  nn::Ensemble ensemble;
  CostChannel cost = CostChannel::kEffort;
};

Status CheckDescription(const std::string& file, const io::JsonObject& description,
                        const std::string& kind, const robot::RobotSpec& robot) {
  const auto schema = GONOGO_TRY(description.Get<std::string>("schema", "missing"));
  const auto found = GONOGO_TRY(description.Get<std::string>("kind", "missing"));
  if (schema != kModelSchema || found != kind) {
    return InputError("{}: not a {} model (schema {}, kind {})", file, kind, schema, found);
  }
  const auto layout = GONOGO_TRY(description.Get<std::string>("layout"));
  const auto name = GONOGO_TRY(description.Get<std::string>("robot"));
  if (layout == robot::HashText(robot.LayoutHash()) && name == robot.name) return {};
  return InputError(
      "{}: identified on robot \"{}\" with observation layout {}, but {} describes \"{}\" with "
      "layout {}; identify the model again for this robot",
      file, name, layout, robot.file.string(), robot.name, robot::HashText(robot.LayoutHash()));
}

/// The ensemble a checked description tells of, without its weights. Those are in a file of
/// `weight_bytes`, which says how much room a description may ask for.
Result<nn::Ensemble> Describe(const io::JsonObject& description, std::size_t weight_bytes) {
  constexpr int kWidest = 1 << 20;
  constexpr std::size_t kMostMembers = 10'000;
  nn::Ensemble ensemble;
  const io::JsonObject input = GONOGO_TRY(description.Object("input"));
  const io::JsonObject target = GONOGO_TRY(description.Object("target"));
  ensemble.input = GONOGO_TRY(ReadStandardiser(input));
  ensemble.target = GONOGO_TRY(ReadStandardiser(target));
  const auto probabilities = GONOGO_TRY(description.Get<std::vector<bool>>("probability"));
  for (const bool probability : probabilities) {
    ensemble.losses.push_back(probability ? nn::Loss::kBinaryCrossEntropy
                                          : nn::Loss::kSquaredError);
  }
  const auto sizes = GONOGO_TRY(description.Get<std::vector<int>>("sizes"));
  const auto sound = [](int size) { return size > 0 && size <= kWidest; };
  if (sizes.size() < 2 || !std::all_of(sizes.begin(), sizes.end(), sound)) {
    return description.Wrong("sizes", "two or more layers of 1 to 1048576");
  }
  const auto members = GONOGO_TRY(description.Get<std::uint64_t>("members"));
  if (members < 1 || members > kMostMembers) return description.Wrong("members", "1 to 10000");
  const std::size_t parameters = nn::MlpShape{.sizes = sizes}.parameter_count();
  if (parameters > weight_bytes / members) {  // a weight takes a byte at least
    return description.Wrong("sizes", fmt::format("networks whose weights fit into the {} bytes of "
                                                  "the ONNX file beside it",
                                                  weight_bytes));
  }
  ensemble.members.assign(members, nn::Mlp<float>({.sizes = sizes}));
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
  const json parsed = GONOGO_TRY(io::ParseJson(text, json_file.string()));
  const io::JsonObject description = GONOGO_TRY(io::JsonObject::Open(parsed, json_file.string()));
  GONOGO_TRY(CheckDescription(json_file.string(), description, kind, robot));
  const std::string onnx = GONOGO_TRY(io::ReadFile(onnx_file));
  const auto sha256 = GONOGO_TRY(description.Get<std::string>("onnx_sha256"));
  if (io::Sha256Hex(onnx) != sha256) {
    return InputError(
        "{}: its SHA-256 differs from the one in {}; the pair does not belong "
        "together or a file is damaged",
        onnx_file.string(), json_file.string());
  }
  Loaded loaded;
  loaded.ensemble = GONOGO_TRY(Describe(description, onnx.size()));
  if (!Consistent(loaded.ensemble)) {
    return InputError("{}: sizes, members and normalisation do not fit together",
                      json_file.string());
  }
  const auto cost = GONOGO_TRY(description.Get<std::string>("cost", "effort"));
  if (cost != "effort" && cost != "power") return description.Wrong("cost", "effort or power");
  loaded.cost = cost == "power" ? CostChannel::kPower : CostChannel::kEffort;
  GONOGO_TRY(nn::ReadOnnxWeights(onnx_file, loaded.ensemble));
  auto provenance = GONOGO_TRY(description.Get<json>("provenance", json::object()));
  if (!provenance.is_object()) return description.Wrong("provenance", "an object");
  loaded.identity = {
      .robot = robot.name, .layout_hash = robot.LayoutHash(), .provenance = std::move(provenance)};
  return loaded;
}

Status CheckSizes(const std::filesystem::path& stem, const nn::Ensemble& ensemble, int inputs,
                  int outputs) {
  if (ensemble.inputs() == inputs && ensemble.outputs() == outputs) return {};
  return InputError("{}.json: maps {} inputs to {} outputs, expected {} to {}", stem.string(),
                    ensemble.inputs(), ensemble.outputs(), inputs, outputs);
}

}  // namespace

ModelBytes BytesOf(const ResponseModel& model) {
  return Serialise("response", model.identity(), model.ensemble(),
                   {{"cost", CostChannelName(model.cost())}});
}
ModelBytes BytesOf(const MacroModel& model) {
  return Serialise("macro", model.identity(), model.ensemble(), json::object());
}
ModelBytes BytesOf(const ValueModel& model) {
  return Serialise("value", model.identity(), model.ensemble(), json::object());
}

Status WriteModel(const std::filesystem::path& stem, const ModelBytes& bytes) {
  GONOGO_TRY(io::WriteFile(WithExtension(stem, ".onnx"), bytes.onnx));
  return io::WriteFile(WithExtension(stem, ".json"), bytes.json);
}

Result<ResponseModel> LoadResponseModel(const std::filesystem::path& stem,
                                        const robot::RobotSpec& robot) {
  const CommandSlot slot = GONOGO_TRY(CommandSlot::Find(robot));
  Loaded loaded = GONOGO_TRY(Load(stem, "response", robot));
  Loaded& l = loaded;
  GONOGO_TRY(CheckSizes(stem, l.ensemble, robot.observation_size(), ResponseModel::kOutputs));
  return ResponseModel(std::move(l.identity), l.cost, slot, std::move(l.ensemble));
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
