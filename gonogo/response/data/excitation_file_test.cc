// SPDX-License-Identifier: Apache-2.0
#include "gonogo/response/data/excitation_file.h"

#include <cmath>
#include <filesystem>
#include <optional>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/file.h"

namespace gonogo::response {
namespace {

using ::testing::HasSubstr;

robot::RobotSpec Biped() {
  robot::RobotSpec spec;
  spec.name = "biped";
  spec.file = "biped/robot.toml";
  robot::ObservationTerm command;
  command.kind = robot::TermKind::kCommand;
  command.scale = {1.0, 1.0, 1.0};
  spec.observation = {command};
  return spec;
}

/// Two episodes of two states each, every number different.
ExcitationLog SomeLog() {
  ExcitationLog log = EmptyLog(Biped());
  for (int i = 0; i < 4; ++i) {
    const double x = 0.1 * i;
    log.states.push_back({.episode = i / 2,
                          .pose = {{x + 1, x + 2}, x + 3},
                          .height_m = x + 4,
                          .height_W_m = x + 5,
                          .tilt_rad = x + 6,
                          .angular_speed = x + 7,
                          .command = {x + 8, x + 9, x + 10},
                          .effort = x + 11,
                          .power_w = x + 12,
                          .control_effort = x + 13,
                          .control_power_w = x + 14});
    for (int k = 0; k < 3; ++k) log.observations.push_back(static_cast<float>(x + k));
  }
  return log;
}

class ExcitationFileTest : public ::testing::Test {
 protected:
  ExcitationFileTest() {
    std::filesystem::remove_all(folder_);
    EXPECT_TRUE(io::MakeDirectory(folder_).ok());
  }
  ~ExcitationFileTest() override { std::filesystem::remove_all(folder_); }

  std::filesystem::path Write(int parts) {
    std::filesystem::path path = folder_ / "excitation.h5";
    Result<ExcitationWriter> writer = ExcitationWriter::Create(path, Biped(), "{}");
    EXPECT_TRUE(writer.ok()) << writer.error().message;
    for (int i = 0; i < parts; ++i) EXPECT_TRUE(writer.value().Append(SomeLog()).ok());
    EXPECT_FALSE(std::filesystem::exists(path));
    EXPECT_TRUE(writer.value().Finish().ok());
    return path;
  }
  /// A file with the episodes of four states that says it holds so many, or nothing about it.
  std::filesystem::path WriteSaying(std::optional<double> states) {
    std::filesystem::path path = folder_ / "excitation.h5";
    io::Hdf5File file = std::move(io::Hdf5File::Create(path).value());
    EXPECT_TRUE(file.WriteText("/", "schema", "gonogo.excitation/1").ok());
    EXPECT_TRUE(file.WriteText("/", "robot", "biped").ok());
    EXPECT_TRUE(file.WriteText("/", "layout", robot::HashText(Biped().LayoutHash())).ok());
    const std::vector<std::int32_t> episode(4, 0);
    EXPECT_TRUE(file.Append<std::int32_t>("/episode", {}, episode).ok());
    EXPECT_TRUE(!states || file.WriteNumber("/", "states", *states).ok());
    EXPECT_TRUE(file.Close().ok());
    return path;
  }
  std::string ErrorOf(const std::filesystem::path& path, const robot::RobotSpec& robot = Biped()) {
    const Result<ExcitationLog> log = ReadExcitation(path, robot);
    return log.ok() ? "no error" : log.error().message;
  }

  std::filesystem::path folder_ =
      std::filesystem::temp_directory_path() / "gonogo_excitation_file_test";
};

TEST_F(ExcitationFileTest, HoldsEveryChannelByName) {
  robot::RobotSpec robot = Biped();
  robot.channels = {{"lift", 3, 0.1}, {"vx", 0}, {"vy", 1}, {"wz", 2}};
  robot.observation[0].scale.push_back(1.0);
  ExcitationLog log = EmptyLog(robot);
  for (int i = 0; i < 2; ++i) {
    LoggedState state{.episode = i};
    state.command = {0.5, 0.0, -0.25, {0.0625 * i}};
    log.states.push_back(state);
    log.observations.insert(log.observations.end(), 4, 0.0F);
  }
  const std::filesystem::path path = folder_ / "channels.h5";
  Result<ExcitationWriter> writer = ExcitationWriter::Create(path, robot, "{}");
  ASSERT_TRUE(writer.ok()) << writer.error().message;
  ASSERT_TRUE(writer.value().Append(log).ok());
  ASSERT_TRUE(writer.value().Finish().ok());
  {
    const io::Hdf5File file = io::Hdf5File::Open(path).value();
    EXPECT_EQ(file.ReadText("/", "channels").value(), "lift, vx, vy, wz");
    const io::Array<double> command = file.Read<double>("/command").value();
    EXPECT_THAT(command.shape, testing::ElementsAre(2, 4));
    EXPECT_THAT(command.values,
                testing::ElementsAre(0.1, 0.5, 0.0, -0.25, 0.1625, 0.5, 0.0, -0.25));
  }
  const Result<ExcitationLog> read = ReadExcitation(path, robot);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_DOUBLE_EQ(read.value().states[1].command.extra[0], 0.0625);
  EXPECT_EQ(read.value().states[1].command.wz, -0.25);
}

TEST_F(ExcitationFileTest, ReadsBackWhatWasWrittenWithEpisodesNumberedOn) {
  const Result<ExcitationLog> read = ReadExcitation(Write(2), Biped());
  ASSERT_TRUE(read.ok()) << read.error().message;
  ExcitationLog expected = EmptyLog(Biped());
  for (int part = 0; part < 2; ++part) {
    const ExcitationLog some = SomeLog();
    const std::int32_t next = part == 0 ? 0 : expected.states.back().episode + 1;
    for (LoggedState state : some.states) {
      state.episode += next - some.states.front().episode;
      expected.states.push_back(state);
    }
    expected.observations.insert(expected.observations.end(), some.observations.begin(),
                                 some.observations.end());
  }
  EXPECT_EQ(read.value().states, expected.states);
  EXPECT_EQ(read.value().observations, expected.observations);
  EXPECT_EQ(read.value().states.back().episode, 3);
  EXPECT_TRUE(read.value().has_control_rate);
}

TEST_F(ExcitationFileTest, DataFromBeforeTheControlRateWasMeasuredAreReadWithoutIt) {
  const std::filesystem::path path = Write(1);
  const std::string command = "import h5py; f = h5py.File('" + path.string() +
                              "', 'a'); del f['control_effort'], f['control_power']";
  if (std::system(("/usr/bin/python3 -c \"" + command + "\"").c_str()) != 0) {
    GTEST_SKIP() << "python3-h5py is not there to take the columns out";
  }
  const ExcitationLog old = ReadExcitation(path, Biped()).value();
  EXPECT_FALSE(old.has_control_rate);
  EXPECT_EQ(old.states.back().power_w, SomeLog().states.back().power_w);
  EXPECT_EQ(old.states.back().control_power_w, 0.0);
}

TEST_F(ExcitationFileTest, RefusesTheDataOfAnotherLayoutAndNamesBoth) {
  robot::RobotSpec other = Biped();
  other.name = "quadruped";
  other.observation.front().scale = {2.0, 2.0, 0.25};
  const std::string error = ErrorOf(Write(1), other);
  EXPECT_THAT(error, HasSubstr("\"biped\""));
  EXPECT_THAT(error, HasSubstr("\"quadruped\""));
}

TEST_F(ExcitationFileTest, RefusesAnEmptyDataset) {
  EXPECT_THAT(ErrorOf(Write(0)), HasSubstr("nothing to identify from"));
}

TEST_F(ExcitationFileTest, RefusesAFileCutOffInTheMiddle) {
  const std::filesystem::path path = Write(2);
  std::filesystem::resize_file(path, std::filesystem::file_size(path) / 2);
  const Result<ExcitationLog> log = ReadExcitation(path, Biped());
  ASSERT_FALSE(log.ok());
  EXPECT_THAT(log.error().message, HasSubstr(path.string()));
}

TEST_F(ExcitationFileTest, AnUnfinishedCollectionLeavesNoFile) {
  const std::filesystem::path path = folder_ / "excitation.h5";
  {
    Result<ExcitationWriter> writer = ExcitationWriter::Create(path, Biped(), "{}");
    ASSERT_TRUE(writer.ok() && writer.value().Append(SomeLog()).ok());
  }
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(ExcitationFileTest, RefusesAnUnfinishedCollection) {
  EXPECT_THAT(ErrorOf(WriteSaying(std::nullopt)), HasSubstr("not finished"));
}

TEST_F(ExcitationFileTest, RefusesToMakeRoomForStatesThatAreNotThere) {
  for (const double states : {1e18, 1e300, -1.0, 0.5, std::nan("")}) {
    EXPECT_THAT(ErrorOf(WriteSaying(states)), HasSubstr("holds 4 states, the file says")) << states;
  }
}

TEST_F(ExcitationFileTest, RefusesColumnsOfDifferentLengths) {
  const std::filesystem::path path = Write(1);
  {
    Result<io::Hdf5File> file = io::Hdf5File::OpenForUpdate(path);
    ASSERT_TRUE(file.ok());
    const std::vector<double> extra{1.0};
    ASSERT_TRUE(file.value().Append<double>("/effort", {}, extra).ok());
  }
  EXPECT_THAT(ErrorOf(path), HasSubstr("/effort: shape [5], expected [4]"));
}

TEST_F(ExcitationFileTest, RefusesAFileOfAnotherKind) {
  const std::filesystem::path path = folder_ / "other.h5";
  {
    Result<io::Hdf5File> file = io::Hdf5File::Create(path);
    ASSERT_TRUE(file.ok() && file.value().Close().ok());
  }
  EXPECT_THAT(ErrorOf(path), HasSubstr("not identification data"));
}

}  // namespace
}  // namespace gonogo::response
