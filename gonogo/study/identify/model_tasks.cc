// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/identify/model_tasks.h"

#include <optional>

#include "gonogo/study/ranks/number_bytes.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::study {

Status TrainOnTeam(const std::vector<ModelTask>& tasks, const Identity& identity,
                   const std::filesystem::path& folder, const Execution& execution) {
  const auto kept =
      GONOGO_TRY(OnRoot<std::vector<bool>>(execution, "models", [&]() -> Result<std::vector<bool>> {
        std::vector<bool> found;
        for (const ModelTask& task : tasks) found.push_back(task.is_kept());
        return found;
      }));
  TeamWork work{.what = "models", .identity = identity, .count = tasks.size(), .everywhere = false};
  work.kept = [&](std::size_t i) { return kept[i] ? std::optional(std::string()) : std::nullopt; };
  work.make = [&](std::size_t i, const std::stop_token& stop) -> Result<std::string> {
    const response::ModelBytes bytes =
        GONOGO_TRY(tasks[i].train({.jobs = execution.jobs, .stop = stop}));
    return Cbor({{"onnx", Binary(bytes.onnx.data(), bytes.onnx.size())}, {"json", bytes.json}});
  };
  work.keep = [&](std::size_t i, const std::string& sent) {
    const nlohmann::json value = nlohmann::json::from_cbor(sent);
    const auto onnx = Numbers<char>(value.at("onnx"));
    return response::WriteModel(folder / tasks[i].file,
                                {{onnx.begin(), onnx.end()}, value.at("json").get<std::string>()});
  };
  GONOGO_TRY(execution.team->Run(work, execution));
  std::vector<std::filesystem::path> files;
  for (const ModelTask& task : tasks) {
    files.push_back(folder / (task.file + ".onnx"));
    files.push_back(folder / (task.file + ".json"));
  }
  return AwaitRootFiles(execution, files);
}

}  // namespace gonogo::study
