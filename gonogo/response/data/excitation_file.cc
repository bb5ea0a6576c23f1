// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/excitation_file.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "gonogo/base/check.h"

namespace gonogo::response {
namespace {

constexpr const char* kExcitationSchema = "gonogo.excitation/1";

constexpr char kChannels[] = "channels";  // names; files of velocities alone do not say it

/// A column of the file: its name, width and where its values are in a state.
struct Column {
  const char* name;
  std::size_t width;
  std::function<double*(LoggedState&)> values;
};

/// Columns of doubles, in the order in which files hold them; a pose has its own in one piece, and
/// how many a command has depends on the robot.
const std::array<Column, 10>& Columns() {
  static_assert(sizeof(robot::Pose2) == 3 * sizeof(double));
  static const std::array<Column, 10> columns{{
      {"/pose", 3, [](LoggedState& s) { return &s.pose.p_W.x; }},
      {"/height", 1, [](LoggedState& s) { return &s.height_m; }},
      {"/height_world", 1, [](LoggedState& s) { return &s.height_W_m; }},
      {"/tilt", 1, [](LoggedState& s) { return &s.tilt_rad; }},
      {"/angular_speed", 1, [](LoggedState& s) { return &s.angular_speed; }},
      {"/command", 0, nullptr},
      {"/effort", 1, [](LoggedState& s) { return &s.effort; }},
      {"/power", 1, [](LoggedState& s) { return &s.power_w; }},
      {"/control_effort", 1, [](LoggedState& s) { return &s.control_effort; }},
      {"/control_power", 1, [](LoggedState& s) { return &s.control_power_w; }},
  }};
  return columns;
}

std::vector<std::size_t> RowShape(std::size_t width) {
  return width == 1 ? std::vector<std::size_t>{} : std::vector<std::size_t>{width};
}

Status CheckIdentity(const io::Hdf5File& file, const robot::RobotSpec& robot) {
  const Result<std::string> schema = file.ReadText("/", "schema");
  if (!schema.ok() || schema.value() != kExcitationSchema) {
    return InputError("{}: not identification data (attribute schema is {}, expected \"{}\")",
                      file.name(), schema.ok() ? '"' + schema.value() + '"' : "missing",
                      kExcitationSchema);
  }
  const std::string name = GONOGO_TRY(file.ReadText("/", "robot"));
  const std::string layout = GONOGO_TRY(file.ReadText("/", "layout"));
  if (name != robot.name || layout != robot::HashText(robot.LayoutHash())) {
    return InputError(
        "{}: collected on robot \"{}\" with observation layout {}, but {} describes \"{}\" with "
        "layout {}; collect again or use the matching robot.toml",
        file.name(), name, layout, robot.file.string(), robot.name,
        robot::HashText(robot.LayoutHash()));
  }
  return {};
}

/// As many states as the file says it holds, once its data sets hold as many: nobody should have to
/// make room for what is not there.
Result<std::size_t> CountStates(const io::Hdf5File& file) {
  const Result<double> said = file.ReadNumber("/", "states");
  if (!said.ok()) {
    return InputError("{}: the collection was not finished (attribute states is missing)",
                      file.name());
  }
  if (said.value() == 0.0) {
    return InputError("{}: holds no states; there is nothing to identify from", file.name());
  }
  const io::Array<std::int32_t> episode = GONOGO_TRY(file.Read<std::int32_t>("/episode"));
  const std::size_t held = episode.values.size();
  if (held > 0 && static_cast<double>(held) == said.value()) return held;
  return InputError(
      "{}:/episode: holds {} states, the file says {}; it is truncated or was altered", file.name(),
      held, said.value());
}

Status CheckShape(const io::Hdf5File& file, const std::string& name,
                  const std::vector<std::size_t>& found, std::size_t states, std::size_t width) {
  std::vector<std::size_t> expected = RowShape(width);
  expected.insert(expected.begin(), states);
  if (found == expected) return {};
  return InputError("{}:{}: shape [{}], expected [{}]; the file is truncated or was altered",
                    file.name(), name, fmt::join(found, ", "), fmt::join(expected, ", "));
}

Status CheckEpisodes(const std::string& file, const ExcitationLog& log) {
  for (std::size_t i = 0; i < log.size(); ++i) {
    const std::int32_t before = i == 0 ? -1 : log.states[i - 1].episode;
    const std::int32_t now = log.states[i].episode;
    if (now == before + 1 || (now == before && i > 0)) continue;
    return InputError("{}:/episode[{}]: {} after {}; episodes must be numbered on in order", file,
                      i, now, before);
  }
  return {};
}

/// The numbers of a column, row by row.
Result<std::vector<double>> ReadColumn(const io::Hdf5File& file, const char* name, std::size_t rows,
                                       std::size_t width) {
  io::Array<double> read = GONOGO_TRY(file.Read<double>(name));
  GONOGO_TRY(CheckShape(file, name, read.shape, rows, width));
  for (std::size_t i = 0; i < read.values.size(); ++i) {
    if (std::isfinite(read.values[i])) continue;
    return InputError("{}:{}[{}]: {} is not a finite number", file.name(), name, i / width,
                      read.values[i]);
  }
  return std::move(read.values);
}

/// Data collected before other channels were excited hold the velocity alone.
Status ReadCommands(const io::Hdf5File& file, const robot::RobotSpec& robot, ExcitationLog& log) {
  const bool all = file.ReadText("/", kChannels).ok();
  const std::vector<robot::CommandChannel> channels =
      all ? robot.channels : robot::VelocityChannels();
  const std::vector<double> values =
      GONOGO_TRY(ReadColumn(file, "/command", log.size(), channels.size()));
  for (std::size_t i = 0; i < values.size(); ++i) {
    channels[i % channels.size()].Set(log.states[i / channels.size()].command, values[i]);
  }
  return {};
}

Status ReadStates(const io::Hdf5File& file, const robot::RobotSpec& robot, ExcitationLog& log) {
  const io::Array<std::int32_t> episode = GONOGO_TRY(file.Read<std::int32_t>("/episode"));
  GONOGO_TRY(CheckShape(file, "/episode", episode.shape, log.size(), 1));
  for (std::size_t i = 0; i < log.size(); ++i) log.states[i].episode = episode.values[i];
  log.has_control_rate = file.Has("/control_effort") && file.Has("/control_power");
  for (const Column& column : Columns()) {
    if (!log.has_control_rate && std::string_view(column.name).starts_with("/control_")) continue;
    if (!column.values) {
      GONOGO_TRY(ReadCommands(file, robot, log));
      continue;
    }
    const std::vector<double> values =
        GONOGO_TRY(ReadColumn(file, column.name, log.size(), column.width));
    for (std::size_t i = 0; i < log.size(); ++i) {
      const auto row = std::span(values).subspan(i * column.width, column.width);
      std::copy(row.begin(), row.end(), column.values(log.states[i]));
    }
  }
  return CheckEpisodes(file.name(), log);
}

}  // namespace

ExcitationLog EmptyLog(const robot::RobotSpec& robot) {
  return {.robot = robot.name,
          .layout_hash = robot.LayoutHash(),
          .control_dt_s = robot.control_dt_s(),
          .observation_size = robot.observation_size(),
          .has_control_rate = true,
          .states = {},
          .observations = {}};
}

Result<ExcitationWriter> ExcitationWriter::Create(const std::filesystem::path& path,
                                                  const robot::RobotSpec& robot,
                                                  const std::string& provenance) {
  io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Create(path));
  const std::array<std::pair<const char*, std::string>, 4> texts{
      {{"schema", kExcitationSchema},
       {"robot", robot.name},
       {"layout", robot::HashText(robot.LayoutHash())},
       {"provenance", provenance}}};
  for (const auto& [name, text] : texts) {
    GONOGO_TRY(file.WriteText("/", name, text));
  }
  if (robot.channels != robot::VelocityChannels()) {
    GONOGO_TRY(file.WriteText("/", kChannels, robot::ChannelNames(robot.channels)));
  }
  GONOGO_TRY(file.WriteNumber("/", "control_dt", robot.control_dt_s()));
  return ExcitationWriter(std::move(file), EmptyLog(robot), robot.channels);
}

Status ExcitationWriter::Append(const ExcitationLog& part) {
  GONOGO_CHECK(part.layout_hash == header_.layout_hash && part.robot == header_.robot);
  if (part.states.empty()) return {};
  std::vector<std::int32_t> episode;
  for (const LoggedState& state : part.states) {
    episode.push_back(state.episode - part.states.front().episode + episodes_);
  }
  Status written = file_.Append<std::int32_t>("/episode", {}, episode);
  if (!written.ok()) return written;
  for (const Column& column : Columns()) {
    std::vector<double> values;
    for (LoggedState state : part.states) {
      if (!column.values) {
        for (const robot::CommandChannel& channel : channels_) {
          values.push_back(channel.Of(state.command));
        }
        continue;
      }
      const double* first = column.values(state);
      values.insert(values.end(), first, first + column.width);
    }
    const std::size_t width = column.values ? column.width : channels_.size();
    written = file_.Append<double>(column.name, RowShape(width), values);
    if (!written.ok()) return written;
  }
  const std::vector<std::size_t> width{static_cast<std::size_t>(part.observation_size)};
  written = file_.Append<float>("/observation", width, part.observations);
  if (!written.ok()) return written;
  episodes_ = episode.back() + 1;
  states_ += part.states.size();
  return {};
}

Status ExcitationWriter::Finish() {
  GONOGO_TRY(file_.WriteNumber("/", "states", static_cast<double>(states_)));
  return file_.Close();
}

Result<ExcitationLog> ReadExcitation(const std::filesystem::path& path,
                                     const robot::RobotSpec& robot) {
  const io::Hdf5File file = GONOGO_TRY(io::Hdf5File::Open(path));
  GONOGO_TRY(CheckIdentity(file, robot));
  ExcitationLog log = EmptyLog(robot);
  const std::size_t states = GONOGO_TRY(CountStates(file));
  log.states.resize(states);
  GONOGO_TRY(ReadStates(file, robot, log));
  io::Array<float> observation = GONOGO_TRY(file.Read<float>("/observation"));
  GONOGO_TRY(CheckShape(file, "/observation", observation.shape, log.size(),
                        static_cast<std::size_t>(log.observation_size)));
  log.observations = std::move(observation.values);
  return log;
}

}  // namespace gonogo::response
