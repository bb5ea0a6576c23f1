// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/terminal/status_file.h"

#include <cerrno>
#include <csignal>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"

namespace gonogo::cli {
namespace {

constexpr const char* kName = "status.json";
constexpr const char* kSchema = "gonogo.status/1";

bool IsAlive(int process) { return process > 0 && (::kill(process, 0) == 0 || errno == EPERM); }

}  // namespace

StatusFile::~StatusFile() {
  std::error_code code;
  if (written_) std::filesystem::remove(folder_ / kName, code);
}

void StatusFile::Write(const RunStatus& status) {
  std::error_code code;
  if (folder_.empty() || !std::filesystem::is_directory(folder_, code)) return;
  nlohmann::json json = {{"schema", kSchema},     {"phase", status.phase},
                         {"done", status.done},   {"total", status.total},
                         {"table", status.table}, {"process", static_cast<int>(::getpid())}};
  if (status.seconds_left) json["seconds_left"] = *status.seconds_left;
  written_ = io::WriteFile(folder_ / kName, json.dump() + "\n").ok() || written_;
}

Result<std::optional<RunStatus>> ReadStatus(const std::filesystem::path& folder) {
  const std::filesystem::path file = folder / kName;
  std::error_code code;
  if (!std::filesystem::exists(file, code)) return std::optional<RunStatus>();
  const Result<std::string> text = io::ReadFile(file);
  if (!text.ok()) return std::optional<RunStatus>();  // it ended just now
  const nlohmann::json json = GONOGO_TRY(io::ParseJson(text.value(), file.string()));
  const io::JsonObject object = GONOGO_TRY(io::JsonObject::Open(json, file.string()));
  RunStatus status;
  status.phase = GONOGO_TRY(object.Get<std::string>("phase"));
  status.done = GONOGO_TRY(object.Get<std::size_t>("done"));
  status.total = GONOGO_TRY(object.Get<std::size_t>("total"));
  status.table = GONOGO_TRY(object.Get<std::string>("table"));
  status.process = GONOGO_TRY(object.Get<int>("process"));
  const auto left = json.find("seconds_left");
  if (left != json.end() && left->is_number()) status.seconds_left = left->get<double>();
  if (!IsAlive(status.process)) return std::optional<RunStatus>();
  return std::optional<RunStatus>(status);
}

}  // namespace gonogo::cli
