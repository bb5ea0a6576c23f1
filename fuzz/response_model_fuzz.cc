// SPDX-License-Identifier: Apache-2.0
// Whatever the description of a response model says, it is refused with a message or predicts. The
// hash of the networks is made right, because nobody guesses it.
#include <array>

#include "fuzz/json_mutator.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/io/json/json.h"
#include "gonogo/nn/testing/random_ensemble.h"
#include "gonogo/response/models/model_file.h"
#include "gonogo/response/testing/toy_robot.h"

namespace {

using namespace gonogo;

response::ModelBytes SoundModel() {
  const robot::RobotSpec robot = response::internal::ToyRobot();
  return BytesOf(response::ResponseModel(
      {.robot = robot.name, .layout_hash = robot.LayoutHash(), .provenance = {{"seed", 4}}},
      response::CostChannel::kPower, response::CommandSlot::Find(robot).value(),
      nn::internal::RandomEnsemble(robot.observation_size(), {4}, response::ResponseModel::kOutputs,
                                   2)));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const response::ModelBytes kSound = SoundModel();
  static const std::filesystem::path kOnnx = fuzz::PutFile("model.onnx", kSound.onnx);
  Result<nlohmann::json> parsed = io::ParseJson(fuzz::AsText(data, size), "model.json");
  if (!parsed.ok() || !parsed.value().is_object()) return 0;
  const nlohmann::json sound = nlohmann::json::parse(kSound.json);
  for (const char* key : {"onnx_sha256", "layout"}) parsed.value()[key] = sound.at(key);
  fuzz::PutFile("model.json", parsed.value().dump());
  const robot::RobotSpec robot = response::internal::ToyRobot();
  const Result<response::ResponseModel> model =
      response::LoadResponseModel(fuzz::ScratchFolder() / "model", robot);
  if (!model.ok()) return 0;
  const std::vector<float> observation(static_cast<std::size_t>(robot.observation_size()), 0.5F);
  const robot::Command command{0.1, 0.2, 0.3};
  std::array<response::Response, 1> responses{};
  model.value().Predict(observation, {&command, 1}, responses, *model.value().MakeScratch(1));
  return 0;
}
