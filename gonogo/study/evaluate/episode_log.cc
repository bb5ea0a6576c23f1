// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/evaluate/episode_log.h"

#include <nlohmann/json.hpp>

#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/sha256.h"
#include "gonogo/sim/episode/episode_json.h"

namespace gonogo::study {
namespace {

using nlohmann::json;

/// The first 64 bits of a hash of everything that names the episode on its site.
std::uint64_t Key(std::string_view method, robot::Point2 target_S, const EpisodeRecord& record) {
  const std::string name = fmt::format("{}/{}/{}/{},{}/{}", method, record.seed, record.target,
                                       target_S.x, target_S.y, record.trial);
  return std::stoull(io::Sha256Hex(name).substr(0, 16), nullptr, 16);
}

}  // namespace

std::string EncodeEpisode(const EpisodeRecord& record) {
  json path = json::array();
  for (const robot::Point2& p : record.path_S) {
    path.push_back(p.x);
    path.push_back(p.y);
  }
  std::string bytes;
  json::to_cbor(json{{"result", record.result},
                     {"reasons", record.reasons},
                     {"active", record.active},
                     {"path", std::move(path)}},
                bytes);
  return bytes;
}

bool DecodeEpisode(std::string_view bytes, EpisodeRecord& record) {
  const std::optional<json> parsed = io::ParseCbor(bytes);
  if (!parsed) return false;
  const json& value = *parsed;
  try {
    const auto path = value.at("path").get<std::vector<double>>();
    value.at("result").get_to(record.result);
    for (std::size_t i = 0; i < record.reasons.size(); ++i) {
      io::TakeWhole(value.at("reasons").at(i), record.reasons[i]);
    }
    io::TakeWhole(value.at("active"), record.active);
    for (std::size_t i = 0; i + 1 < path.size(); i += 2) {
      record.path_S.push_back({path[i], path[i + 1]});
    }
    return true;
  } catch (const json::exception&) {
    return false;
  }
}

Result<std::string> SiteFingerprint(const Site& site) {
  json parts{{"schema", "gonogo.episodes/1"},
             {"policy", site.policy_sha256},
             {"build", io::CurrentBuild()}};
  for (const auto& [key, file] :
       {std::pair{"robot", site.robot.file}, {"model", site.robot.model}}) {
    const std::string bytes = GONOGO_TRY(io::ReadFile(file));
    parts[key] = io::Sha256Hex(bytes);
  }
  if (const std::string under = site.conditions.text(); !under.empty()) {
    parts["conditions"] = under;
  }
  if (site.by_seed) {  // the robot's file and the seeds of the episodes say the rest
    parts["terrain"] = site.by_seed->text();
    return parts.dump();
  }
  parts["terrain"] = site.world->terrain().name;
  const std::vector<float>& heights = site.world->terrain().heights;
  parts["heights"] = io::Sha256Hex(
      {reinterpret_cast<const char*>(heights.data()), heights.size() * sizeof(float)});
  return parts.dump();
}

Result<EpisodeLog> EpisodeLog::Open(const std::filesystem::path& path,
                                    std::string_view fingerprint) {
  io::RecordLog log = GONOGO_TRY(io::RecordLog::Open(path, fingerprint));
  return EpisodeLog(std::move(log));
}

bool EpisodeLog::Find(std::string_view method, robot::Point2 target_S,
                      EpisodeRecord& record) const {
  const std::optional<std::string_view> bytes = log_.Find(Key(method, target_S, record));
  return bytes.has_value() && DecodeEpisode(*bytes, record);
}

Status EpisodeLog::Append(std::string_view method, robot::Point2 target_S,
                          const EpisodeRecord& record) {
  return log_.Append(Key(method, target_S, record), EncodeEpisode(record));
}

}  // namespace gonogo::study
