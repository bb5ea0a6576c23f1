// SPDX-License-Identifier: Apache-2.0
#include "gonogo/io/hdf5_file.h"
#include "gonogo/sim/episode/episode_json.h"
#include "gonogo/sim/episode/episode_record.h"

namespace gonogo::sim {
namespace {

using nlohmann::json;

constexpr char kSchema[] = "gonogo.episode/1";
constexpr int kDeflate = 4;

json Description(const EpisodeRecord& record) {
  const Terrain& terrain = record.terrain;
  return {{"robot", record.robot},
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
}

void ReadDescription(const json& from, EpisodeRecord& record) {
  from.at("robot").get_to(record.robot);
  from.at("layout_hash").get_to(record.layout_hash);
  from.at("controller").get_to(record.controller);
  from.at("control_dt_s").get_to(record.control_dt_s);
  from.at("first_time_s").get_to(record.first_time_s);
  from.at("physics_steps").get_to(record.physics_steps);
  from.at("bodies").get_to(record.bodies);
  from.at("joints").get_to(record.joints);
  from.at("feet").get_to(record.feet);
  from.at("geoms").get_to(record.geoms);
  from.at("target").at(0).get_to(record.target_W.x);
  from.at("target").at(1).get_to(record.target_W.y);
  from.at("tolerance_m").get_to(record.tolerance_m);
  from.at("terrain").at("name").get_to(record.terrain.name);
  from.at("terrain").at("x0").get_to(record.terrain.x0);
  from.at("terrain").at("y0").get_to(record.terrain.y0);
  from.at("terrain").at("spacing_m").get_to(record.terrain.spacing_m);
  from.at("result").get_to(record.result);
}

std::vector<double> Flatten(const std::vector<robot::Command>& commands) {
  std::vector<double> numbers;
  for (const robot::Command& c : commands) numbers.insert(numbers.end(), {c.vx, c.vy, c.wz});
  return numbers;
}

std::vector<robot::Command> Unflatten(const std::vector<double>& numbers) {
  std::vector<robot::Command> commands;
  for (std::size_t i = 0; i + 2 < numbers.size(); i += 3) {
    commands.push_back({numbers[i], numbers[i + 1], numbers[i + 2]});
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
  Status status = file.Write<double>("/command", std::array{steps, std::size_t{3}},
                                     Flatten(record.command), kDeflate);
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
  record.command = Unflatten(command.values);
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
  record.terrain.ny = static_cast<int>(heights.shape[0]);
  record.terrain.nx = static_cast<int>(heights.shape[1]);
  record.terrain.heights = std::move(heights.values);
  return {};
}

Status WriteAll(const std::filesystem::path& path, const EpisodeRecord& record) {
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

}  // namespace

Status WriteEpisode(const std::filesystem::path& path, const EpisodeRecord& record) {
  const std::filesystem::path temporary = path.string() + ".tmp";
  Status written = WriteAll(temporary, record);
  std::error_code failure;
  if (written.ok()) std::filesystem::rename(temporary, path, failure);
  if (failure) return IoError("{}: {}", path.string(), failure.message());
  return written;
}

Result<EpisodeRecord> ReadEpisode(const std::filesystem::path& path) {
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  const Result<std::string> schema = file.ReadText("/", "schema");
  if (!schema.ok() || schema.value() != kSchema) {
    return InputError("{}: not an episode file (schema {})", path.string(), kSchema);
  }
  const std::vector<std::string> description = GONOGO_TRY(file.ReadStrings("/episode"));
  EpisodeRecord record;
  try {
    ReadDescription(json::parse(description.at(0)), record);
  } catch (const std::exception& error) {
    return InputError("{}: /episode: {}", path.string(), error.what());
  }
  const Result<std::string> provenance = file.ReadText("/", "provenance");
  if (provenance.ok()) record.provenance = provenance.value();
  GONOGO_TRY(ReadArrays(file, record));
  return record;
}

}  // namespace gonogo::sim
