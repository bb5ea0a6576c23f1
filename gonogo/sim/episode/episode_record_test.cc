// SPDX-License-Identifier: Apache-2.0
#include "gonogo/sim/episode/episode_record.h"

#include <array>
#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "gonogo/io/hdf5/hdf5_file.h"
#include "gonogo/sim/episode/episode_json.h"
#include "gonogo/sim/episode/target_run.h"
#include "gonogo/sim/testing/test_world.h"
#include "gonogo/sim/world/figure.h"

namespace gonogo::sim {
namespace {

using internal::Go2;
using internal::RestlessPolicy;
using internal::WorldOf;
using ::testing::HasSubstr;

EpisodeRecord Record(const std::shared_ptr<const World>& world) {
  ClosedLoop loop =
      ClosedLoop::Create(world, std::make_shared<RestlessPolicy>(world->spec())).value();
  Figure figure = Figure::Create(world->spec()).value();
  EpisodeRecorder recorder(loop.env(), figure);
  TargetRun run(loop, PairedStart(*world, RngStream(3), 0, 0), {0.75, 0.0}, std::ref(recorder));
  recorder.Begin();
  for (int decision = 0; decision < 5 && !run.done(); ++decision) {
    EXPECT_TRUE(run.Execute(run.Look().direct).ok());
  }
  EpisodeRecord record = recorder.Finish(run);
  record.controller = "direct";
  record.provenance = R"({"seed": 3})";
  return record;
}

TEST(FigureTest, TheGo2HasItsVisiblePartsOnItsThirteenBodies) {
  Figure figure = Figure::Create(Go2()).value();
  ASSERT_EQ(figure.bodies().size(), 13U);
  EXPECT_EQ(figure.bodies().front(), "base");
  EXPECT_GT(figure.geoms().size(), 40U);
  int feet = 0;
  for (const VisibleGeom& geom : figure.geoms()) {
    EXPECT_GT(geom.rgba[3], 0.99F);  // translucent colliders are not shown
    feet += geom.shape == Shape::kSphere ? 1 : 0;
  }
  EXPECT_EQ(feet, 4);
}

TEST(FigureTest, PosesFollowTheJoints) {
  Figure figure = Figure::Create(Go2()).value();
  std::vector<double> qpos(19, 0.0);
  qpos[0] = 1.0;
  qpos[2] = 0.5;
  qpos[3] = 1.0;
  std::vector<float> poses(std::size_t{13} * 7);
  figure.Poses(qpos, poses);
  EXPECT_FLOAT_EQ(poses[0], 1.0F);
  // FL: hip at (0.1934, 0.0465), thigh 0.0955 further out, calf 0.213 below it at zero angles.
  EXPECT_NEAR(poses[3 * 7 + 0], 1.0 + 0.1934, 1e-6);
  EXPECT_NEAR(poses[3 * 7 + 1], 0.0465 + 0.0955, 1e-6);
  EXPECT_NEAR(poses[3 * 7 + 2], 0.5 - 0.213, 1e-6);
  qpos[8] = M_PI / 2;  // FL thigh: the calf now hangs behind
  figure.Poses(qpos, poses);
  EXPECT_NEAR(poses[3 * 7 + 0], 1.0 + 0.1934 - 0.213, 1e-6);
  EXPECT_NEAR(poses[3 * 7 + 2], 0.5, 1e-6);
}

TEST(EpisodeRecordTest, HoldsEveryStepAndTheGroundAroundThePath) {
  const robot::RobotSpec spec = Go2();
  const std::shared_ptr<const World> world = WorldOf(RoughTerrain(2, spec.terrain, RngStream(1)));
  const EpisodeRecord record = Record(world);
  ASSERT_EQ(record.steps(), 20U);
  EXPECT_EQ(record.poses.size(), 21U * 13 * 7);
  EXPECT_EQ(record.torque.size(), 20U * 4 * 12);
  EXPECT_DOUBLE_EQ(record.time_s(20), 0.4);
  // The work of the result is the sum over the stored physics steps, up to their single precision.
  double work = 0.0;
  for (std::size_t i = 0; i < record.torque.size(); ++i) {
    work += std::abs(record.torque[i] * record.joint_vel[i]) * 0.005;
  }
  EXPECT_NEAR(record.result.work_j, work, 1e-4);
  EXPECT_LT(record.terrain.nx, world->terrain().nx);
  EXPECT_NEAR(record.terrain.Height(record.poses[0], record.poses[1]),
              world->terrain().Height(record.poses[0], record.poses[1]), 1e-6);
}

TEST(EpisodeRecordTest, ComesBackFromItsFileUnchanged) {
  const EpisodeRecord record = Record(WorldOf(TileKind::kBoxes, 0.2, 5));
  const std::string path = testing::TempDir() + "gonogo_episode_test.h5";
  const Status written = WriteEpisode(path, record);
  ASSERT_TRUE(written.ok()) << written.error().message;
  const Result<EpisodeRecord> read = ReadEpisode(path);
  std::filesystem::remove(path);
  ASSERT_TRUE(read.ok()) << read.error().message;
  const EpisodeRecord& back = read.value();
  EXPECT_EQ(nlohmann::json(back.result), nlohmann::json(record.result));
  EXPECT_EQ(nlohmann::json(back.geoms), nlohmann::json(record.geoms));
  EXPECT_EQ(back.poses, record.poses);
  EXPECT_EQ(back.torque, record.torque);
  EXPECT_EQ(back.joint_vel, record.joint_vel);
  EXPECT_EQ(back.action, record.action);
  EXPECT_EQ(back.command, record.command);
  EXPECT_EQ(back.height_m, record.height_m);
  EXPECT_EQ(back.foot_force_n, record.foot_force_n);
  EXPECT_EQ(back.terrain.heights, record.terrain.heights);
  EXPECT_EQ(back.terrain.x0, record.terrain.x0);
  EXPECT_EQ(back.target_W, record.target_W);
  EXPECT_EQ(back.layout_hash, record.layout_hash);
  EXPECT_EQ(back.provenance, record.provenance);
}

TEST(EpisodeRecordTest, AnEpisodeFromBeforeTheControlRateWasMeasuredIsReadWithoutIt) {
  nlohmann::json old = Record(WorldOf(FlatTerrain())).result;
  const double work = old.at("work_j");
  for (const char* key : {"control_work_j", "control_power_w", "control_cot", "control_effort"}) {
    EXPECT_TRUE(old.contains(key));
    old.erase(key);
  }
  const auto result = old.get<EpisodeResult>();
  EXPECT_EQ(result.work_j, work);
  EXPECT_TRUE(std::isnan(result.control_work_j));
  // Written and read again, it stays unknown.
  EXPECT_TRUE(std::isnan(
      nlohmann::json::parse(nlohmann::json(result).dump()).get<EpisodeResult>().control_cot));
}

TEST(EpisodeRecordTest, AFileThatIsNoEpisodeIsRefused) {
  EXPECT_FALSE(ReadEpisode("no_such_file.h5").ok());
  const std::string path = testing::TempDir() + "gonogo_not_an_episode.h5";
  ASSERT_TRUE(io::Hdf5File::Create(path).value().Close().ok());
  EXPECT_THAT(ReadEpisode(path).error().message, HasSubstr("not an episode file"));
  std::filesystem::remove(path);
}

/// What reading says about an episode file whose description has one value replaced.
std::string ErrorWith(const std::string& pointer, const nlohmann::json& value) {
  const std::string path = testing::TempDir() + "gonogo_wrong_episode.h5";
  EXPECT_TRUE(WriteEpisode(path, Record(WorldOf(TileKind::kBoxes, 0.2, 5))).ok());
  const auto texts = io::Hdf5File::Open(path).value().ReadStrings("/episode").value();
  auto description = nlohmann::json::parse(texts.front());
  description[nlohmann::json::json_pointer(pointer)] = value;
  io::Hdf5File file = std::move(io::Hdf5File::Create(path).value());
  EXPECT_TRUE(file.WriteText("/", "schema", "gonogo.episode/1").ok());
  EXPECT_TRUE(file.WriteStrings("/episode", std::array{description.dump()}).ok());
  EXPECT_TRUE(file.Close().ok());
  const Result<EpisodeRecord> read = ReadEpisode(path);
  std::filesystem::remove(path);
  if (read.ok()) return "no error";
  EXPECT_EQ(read.error().kind, ErrorKind::kInput);
  return read.error().message;
}

TEST(EpisodeRecordTest, WrongTypesAreRefusedByFileKeyFoundAndExpected) {
  EXPECT_THAT(ErrorWith("/robot", 5),
              HasSubstr("wrong_episode.h5: /episode: robot is 5, expected a text"));
  EXPECT_THAT(ErrorWith("/physics_steps", 1.5),
              HasSubstr("physics_steps is 1.5, expected a whole number"));
  EXPECT_THAT(ErrorWith("/bodies/1", 3), HasSubstr("bodies[1] is 3, expected a text"));
  EXPECT_THAT(ErrorWith("/target", {1.0}), HasSubstr("target is [1.0], expected two numbers"));
  EXPECT_THAT(ErrorWith("/terrain", 1), HasSubstr("terrain is 1, expected an object"));
  EXPECT_THAT(ErrorWith("/result/time_s", "long"), HasSubstr("expected the result of an episode"));
  EXPECT_THAT(ErrorWith("/geoms/0/body", 99), HasSubstr("expected bodies 0 to 12, not 99"));
  EXPECT_THAT(ErrorWith("/bodies", nlohmann::json::array()), HasSubstr("there are no bodies"));
  EXPECT_THAT(ErrorWith("/terrain/spacing_m", 0.0), HasSubstr("expected greater than 0"));
  // Commands without channels would be endlessly many.
  EXPECT_THAT(ErrorWith("/channels", nlohmann::json::array()),
              HasSubstr("channels is [], expected at least one channel"));
  EXPECT_THAT(ErrorWith("/channels", nullptr), HasSubstr("channels is null, expected"));
  EXPECT_THAT(ErrorWith("/channels",
                        nlohmann::json::parse(R"([{"name": "vx", "slot": -1e300, "nominal": 0}])")),
              HasSubstr("slot is -1e+300, expected a whole number"));
  EXPECT_THAT(ErrorWith("/geoms/0/body", 1e300), HasSubstr("expected a whole number"));
  EXPECT_THAT(ErrorWith("/result/decisions", 1e300), HasSubstr("expected a whole number"));
}

TEST(EpisodeRecordTest, AGroundWithoutAreaIsRefused) {
  const std::string path = testing::TempDir() + "gonogo_thin_ground.h5";
  EpisodeRecord record = Record(WorldOf(TileKind::kBoxes, 0.2, 5));
  for (const auto& [ny, nx] : {std::pair{1, 2}, {2, 1}}) {
    record.terrain.ny = ny;
    record.terrain.nx = nx;
    record.terrain.heights.assign(static_cast<std::size_t>(ny) * static_cast<std::size_t>(nx), 0);
    ASSERT_TRUE(WriteEpisode(path, record).ok());
    const Result<EpisodeRecord> read = ReadEpisode(path);
    ASSERT_FALSE(read.ok());
    EXPECT_THAT(read.error().message, HasSubstr("/terrain has the shape"));
    EXPECT_THAT(read.error().message, HasSubstr("expected at least [2, 2]"));
  }
  std::filesystem::remove(path);
}

TEST(EpisodeRecordTest, AFileNamesTheChannelsOfTheCommandAndHoldsTheirValues) {
  const std::shared_ptr<const World> world = WorldOf(FlatTerrain(), internal::Go2WithFrequency());
  EpisodeRecord record = Record(world);
  record.channels.back().Set(record.command.front(), 3.25);
  const std::filesystem::path file =
      std::filesystem::path(testing::TempDir()) / "episode_channels.h5";
  ASSERT_TRUE(WriteEpisode(file, record).ok());
  const io::Array<double> stored =
      io::Hdf5File::Open(file).value().Read<double>("/command").value();
  EXPECT_EQ(stored.shape, (std::vector<std::size_t>{record.steps(), 4}));
  EXPECT_DOUBLE_EQ(stored.values[3], 3.25);
  EXPECT_DOUBLE_EQ(stored.values[7], 2.5);  // nobody asked for another
  const Result<EpisodeRecord> read = ReadEpisode(file);
  ASSERT_TRUE(read.ok()) << read.error().message;
  EXPECT_EQ(read.value().channels, record.channels);
  EXPECT_EQ(read.value().command, record.command);
}

}  // namespace
}  // namespace gonogo::sim
