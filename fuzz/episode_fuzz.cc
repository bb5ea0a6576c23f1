// SPDX-License-Identifier: Apache-2.0
// An episode file with a few places changed, in its arrays or in its description, is refused with a
// message or can be looked at.
#include "fuzz/hdf5_edits.h"
#include "fuzz/json_edits.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/sim/episode/episode_record.h"

namespace {

using namespace gonogo;

/// Three control steps of two physics steps each, two bodies, two joints and a foot, on a slope.
sim::EpisodeRecord SoundEpisode() {
  constexpr std::size_t kSteps = 3;
  sim::EpisodeRecord record;
  record.robot = "toy";
  record.controller = "direct";
  record.provenance = "{}";
  record.control_dt_s = 0.02;
  record.physics_steps = 2;
  record.bodies = {"root", "leg"};
  record.joints = {"hip", "knee"};
  record.feet = {"foot"};
  record.geoms = {{.body = 1, .shape = sim::Shape::kSphere}};
  record.terrain = {.name = "slope", .nx = 3, .ny = 2, .heights = {0, 1, 2, 0, 1, 2}};
  record.channels = robot::VelocityChannels();
  record.channels.push_back({"lift", 3, 0.1});
  record.command.resize(kSteps);
  record.poses.resize((kSteps + 1) * 2 * 7);
  record.height_m.resize(kSteps + 1);
  record.height_W_m.resize(kSteps + 1);
  record.action.resize(kSteps * 2);
  record.power_w.resize(kSteps);
  record.effort.resize(kSteps);
  record.foot_force_n.resize(kSteps);
  record.torque.resize(kSteps * 2 * 2);
  record.joint_vel.resize(kSteps * 2 * 2);
  return record;
}

std::string SoundBytes() {
  const std::filesystem::path path = fuzz::ScratchFolder() / "sound.h5";
  GONOGO_CHECK(sim::WriteEpisode(path, SoundEpisode()).ok());
  GONOGO_CHECK(sim::ReadEpisode(path).ok());
  return io::ReadFile(path).value();
}

void EditDescription(const std::filesystem::path& path, fuzz::Bytes& bytes) {
  io::Hdf5File file = std::move(io::Hdf5File::OpenForUpdate(path).value());
  nlohmann::json description = nlohmann::json::parse(file.ReadStrings("/episode").value().front());
  for (std::size_t edits = 1 + bytes.Below(3); edits > 0; --edits) {
    fuzz::EditJson(description, bytes);
  }
  const fuzz::Handle raw(H5Fopen(path.c_str(), H5F_ACC_RDWR, H5P_DEFAULT));
  H5Ldelete(raw.get(), "/episode", H5P_DEFAULT);
  const std::string text =
      description.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  (void)file.WriteStrings("/episode", {&text, 1}).ok();
  (void)file.Close().ok();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kSound = SoundBytes();
  const std::filesystem::path path = fuzz::PutFile("episode.h5", kSound);
  fuzz::Bytes bytes(data, size);
  const std::size_t which = bytes.Below(3);
  if (which != 0) EditDescription(path, bytes);
  if (which != 1) fuzz::EditHdf5(path, bytes);
  const Result<sim::EpisodeRecord> read = sim::ReadEpisode(path);
  if (!read.ok()) {
    GONOGO_CHECK(read.error().message.starts_with(path.string()));
    return 0;
  }
  const sim::EpisodeRecord& episode = read.value();
  GONOGO_CHECK(episode.height_m.size() == episode.steps() + 1);
  GONOGO_CHECK(episode.poses.size() == (episode.steps() + 1) * episode.bodies.size() * 7);
  (void)episode.terrain.Height(0.05, -1.0);
  const std::filesystem::path again = fuzz::ScratchFolder() / "again.h5";
  GONOGO_CHECK(sim::WriteEpisode(again, episode).ok());
  return 0;
}
