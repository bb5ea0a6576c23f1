// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/hdf5/hdf5_file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/sim/episode/episode_json.h"
#include "gonogo/sim/episode/episode_record.h"

namespace gonogo::sim {
namespace {

using nlohmann::json;

constexpr char kSchema[] = "gonogo.episode/1";
constexpr int kDeflate = 4;

/// Columns of /command; files of velocities alone do not say it.
json ChannelsJson(const std::vector<robot::CommandChannel>& channels) {
  json list = json::array();
  for (const robot::CommandChannel& channel : channels) {
    list.push_back({{"name", channel.name}, {"slot", channel.slot}, {"nominal", channel.nominal}});
  }
  return list;
}

json Description(const EpisodeRecord& record) {
  const Terrain& terrain = record.terrain;
  json all = {{"robot", record.robot},
              {"layout_hash", record.layout_hash},
              {"controller", record.controller},
              {"control_dt_s", record.control_dt_s},
              {"first_time_s", record.first_time_s},
              {"physics_steps", record.physics_steps},
              {"bodies", record.bodies},
              {"joints", record.joints},
              {"feet", record.feet},
              {"geoms", record.geoms},
              {"target", {record.target_W.x, record.target_W.y}},
              {"tolerance_m", record.tolerance_m},
              {"terrain",
               {{"name", terrain.name},
                {"x0", terrain.x0},
                {"y0", terrain.y0},
                {"spacing_m", terrain.spacing_m}}},
              {"result", record.result}};
  if (record.channels != robot::VelocityChannels()) {
    all["channels"] = ChannelsJson(record.channels);
  }
  return all;
}

Status ReadChannels(const io::JsonObject& from, std::vector<robot::CommandChannel>& channels) {
  if (!from.Has("channels")) return {};
  channels.clear();
  const std::vector<io::JsonObject> entries = GONOGO_TRY(from.Objects("channels"));
  for (const io::JsonObject& entry : entries) {
    robot::CommandChannel& channel = channels.emplace_back();
    std::uint64_t slot = 0;
    GONOGO_TRY(entry.Read("name", channel.name));
    GONOGO_TRY(entry.Read("slot", slot));
    GONOGO_TRY(entry.Read("nominal", channel.nominal));
    channel.slot = slot;
  }
  if (channels.empty()) return from.Wrong("channels", "at least one channel");
  for (const robot::CommandChannel& channel : channels) {
    if (channel.slot < 3 + robot::Command::kMostExtra) continue;
    return from.Wrong("channels", fmt::format("slots below {}", 3 + robot::Command::kMostExtra));
  }
  return {};
}

/// A value that knows itself how to be read.
template <typename T>
Status ReadWhole(const io::JsonObject& from, const std::string& key, const char* expected,
                 T& value) {
  const json found = GONOGO_TRY(from.Get<json>(key));
  try {
    found.get_to(value);
  } catch (const json::exception& wrong) {
    return from.Wrong(key, fmt::format("{} ({})", expected, wrong.what()));
  }
  return {};
}

Status ReadTerrain(const io::JsonObject& from, Terrain& terrain) {
  GONOGO_TRY(from.Read("name", terrain.name));
  GONOGO_TRY(from.Read("x0", terrain.x0));
  GONOGO_TRY(from.Read("y0", terrain.y0));
  GONOGO_TRY(from.Read("spacing_m", terrain.spacing_m));
  if (!(terrain.spacing_m > 0.0)) return from.Wrong("spacing_m", "greater than 0");
  return {};
}

Status ReadDescription(const io::JsonObject& from, EpisodeRecord& record) {
  GONOGO_TRY(from.Read("robot", record.robot));
  GONOGO_TRY(from.Read("layout_hash", record.layout_hash));
  GONOGO_TRY(from.Read("controller", record.controller));
  GONOGO_TRY(from.Read("control_dt_s", record.control_dt_s));
  GONOGO_TRY(from.Read("first_time_s", record.first_time_s));
  GONOGO_TRY(from.Read("physics_steps", record.physics_steps));
  GONOGO_TRY(from.Read("bodies", record.bodies));
  GONOGO_TRY(from.Read("joints", record.joints));
  GONOGO_TRY(from.Read("feet", record.feet));
  GONOGO_TRY(ReadChannels(from, record.channels));
  GONOGO_TRY(ReadWhole(from, "geoms", "a list of shapes", record.geoms));
  for (const VisibleGeom& geom : record.geoms) {
    if (geom.body >= 0 && static_cast<std::size_t>(geom.body) < record.bodies.size()) continue;
    return from.Wrong(
        "geoms", record.bodies.empty()
                     ? "no shapes where there are no bodies"
                     : fmt::format("bodies 0 to {}, not {}", record.bodies.size() - 1, geom.body));
  }
  const auto target = GONOGO_TRY(from.Get<std::vector<double>>("target"));
  if (target.size() != 2) return from.Wrong("target", "two numbers");
  record.target_W = {target[0], target[1]};
  GONOGO_TRY(from.Read("tolerance_m", record.tolerance_m));
  const io::JsonObject terrain = GONOGO_TRY(from.Object("terrain"));
  GONOGO_TRY(ReadTerrain(terrain, record.terrain));
  return ReadWhole(from, "result", "the result of an episode", record.result);
}

std::vector<double> Flatten(const EpisodeRecord& record) {
  std::vector<double> numbers;
  for (const robot::Command& command : record.command) {
    for (const robot::CommandChannel& channel : record.channels) {
      numbers.push_back(channel.Of(command));
    }
  }
  return numbers;
}

std::vector<robot::Command> Unflatten(const std::vector<robot::CommandChannel>& channels,
                                      const std::vector<double>& numbers) {
  std::vector<robot::Command> commands;
  for (std::size_t i = 0; i + channels.size() <= numbers.size(); i += channels.size()) {
    robot::Command& command = commands.emplace_back();
    for (std::size_t k = 0; k < channels.size(); ++k) channels[k].Set(command, numbers[i + k]);
  }
  return commands;
}

/// Calls `visit(name, shape, values)` for every array that is stored as it is.
template <typename Record, typename Visit>
void ForEachArray(Record& record, std::size_t steps, const Visit& visit) {
  using Sizes = std::vector<std::size_t>;
  const std::size_t joints = record.joints.size();
  const auto substeps = static_cast<std::size_t>(record.physics_steps);
  visit("/poses", Sizes{steps + 1, record.bodies.size(), 7}, record.poses);
  visit("/height", Sizes{steps + 1}, record.height_m);
  visit("/height_world", Sizes{steps + 1}, record.height_W_m);
  visit("/action", Sizes{steps, joints}, record.action);
  visit("/power", Sizes{steps}, record.power_w);
  visit("/effort", Sizes{steps}, record.effort);
  visit("/foot_force", Sizes{steps, record.feet.size()}, record.foot_force_n);
  visit("/torque", Sizes{steps, substeps, joints}, record.torque);
  visit("/joint_velocity", Sizes{steps, substeps, joints}, record.joint_vel);
}

Status WriteArrays(io::Hdf5File& file, const EpisodeRecord& record) {
  const std::size_t steps = record.steps();
  Status status = file.Write<double>("/command", std::array{steps, record.channels.size()},
                                     Flatten(record), kDeflate);
  ForEachArray(record, steps,
               [&]<typename T>(const char* name, const auto& shape, const std::vector<T>& values) {
                 if (status.ok()) status = file.Write<T>(name, shape, values, kDeflate);
               });
  const Terrain& terrain = record.terrain;
  if (status.ok() && !terrain.is_plane()) {
    const std::array shape{static_cast<std::size_t>(terrain.ny),
                           static_cast<std::size_t>(terrain.nx)};
    status = file.Write<float>("/terrain", shape, terrain.heights, kDeflate);
  }
  return status;
}

Status ReadArrays(const io::Hdf5File& file, EpisodeRecord& record) {
  const io::Array<double> command = GONOGO_TRY(file.Read<double>("/command"));
  if (command.shape.size() != 2 || command.shape[1] != record.channels.size()) {
    return InputError("{}: /command has the shape [{}], expected {} columns", file.name(),
                      fmt::join(command.shape, ", "), record.channels.size());
  }
  record.command = Unflatten(record.channels, command.values);
  Status status;
  ForEachArray(record, record.steps(),
               [&]<typename T>(const char* name, const auto& shape, std::vector<T>& values) {
                 if (!status.ok()) return;
                 Result<io::Array<T>> array = file.Read<T>(name);
                 if (!array.ok()) {
                   status = array.error();
                 } else if (array.value().shape != shape) {
                   status =
                       InputError("{}: {} has the shape [{}], expected [{}]", file.name(), name,
                                  fmt::join(array.value().shape, ", "), fmt::join(shape, ", "));
                 } else {
                   values = std::move(array.value().values);
                 }
               });
  if (!status.ok() || !file.Has("/terrain")) return status;
  io::Array<float> heights = GONOGO_TRY(file.Read<float>("/terrain"));
  if (heights.shape.size() != 2) {
    return InputError("{}: /terrain has {} dimensions, expected 2", file.name(),
                      heights.shape.size());
  }
  // Heights between places are those of the triangles that four places make.
  if (heights.shape[0] < 2 || heights.shape[1] < 2) {
    return InputError("{}: /terrain has the shape [{}], expected at least [2, 2]", file.name(),
                      fmt::join(heights.shape, ", "));
  }
  record.terrain.ny = static_cast<int>(heights.shape[0]);
  record.terrain.nx = static_cast<int>(heights.shape[1]);
  record.terrain.heights = std::move(heights.values);
  return {};
}

}  // namespace

Status WriteEpisode(const std::filesystem::path& path, const EpisodeRecord& record) {
  io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Create(path));
  Status status = WriteArrays(file, record);
  // A data set, because attributes end at 64 KiB.
  if (status.ok()) {
    status = file.WriteStrings("/episode", std::array{Description(record).dump()});
  }
  if (status.ok()) status = file.WriteText("/", "provenance", record.provenance);
  if (status.ok()) status = file.WriteText("/", "schema", kSchema);
  if (!status.ok()) return status;
  return file.Close();
}

Result<EpisodeRecord> ReadEpisode(const std::filesystem::path& path) {
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  const Result<std::string> schema = file.ReadText("/", "schema");
  if (!schema.ok() || schema.value() != kSchema) {
    return InputError("{}: not an episode file (schema {})", path.string(), kSchema);
  }
  const std::vector<std::string> description = GONOGO_TRY(file.ReadStrings("/episode"));
  const std::string place = path.string() + ": /episode";
  if (description.size() != 1) {
    return InputError("{}: holds {} texts, expected one", place, description.size());
  }
  const json parsed = GONOGO_TRY(io::ParseJson(description.front(), place));
  const io::JsonObject object = GONOGO_TRY(io::JsonObject::Open(parsed, place));
  EpisodeRecord record;
  GONOGO_TRY(ReadDescription(object, record));
  const Result<std::string> provenance = file.ReadText("/", "provenance");
  if (provenance.ok()) record.provenance = provenance.value();
  GONOGO_TRY(ReadArrays(file, record));
  return record;
}

}  // namespace gonogo::sim
