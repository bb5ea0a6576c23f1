// SPDX-License-Identifier: Apache-2.0
// A file of identification data with a few places changed is refused with a message or whole.
#include <algorithm>
#include <cmath>

#include "fuzz/hdf5_edits.h"
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/io/file.h"
#include "gonogo/response/data/excitation_file.h"
#include "gonogo/response/testing/toy_robot.h"

namespace {

using namespace gonogo;

std::string SoundBytes() {
  const std::filesystem::path path = fuzz::ScratchFolder() / "sound.h5";
  response::ExcitationWriter writer = std::move(
      response::ExcitationWriter::Create(path, response::internal::ToyRobot(), "{}").value());
  GONOGO_CHECK(writer.Append(response::internal::ToyLog(2, 1, 7)).ok());
  GONOGO_CHECK(writer.Finish().ok());
  return io::ReadFile(path).value();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const std::string kSound = SoundBytes();
  const std::filesystem::path path = fuzz::PutFile("excitation.h5", kSound);
  fuzz::Bytes bytes(data, size);
  fuzz::EditHdf5(path, bytes);
  const Result<response::ExcitationLog> log =
      response::ReadExcitation(path, response::internal::ToyRobot());
  if (!log.ok()) {
    GONOGO_CHECK(log.error().message.starts_with(path.string()));
    return 0;
  }
  const response::ExcitationLog& read = log.value();
  GONOGO_CHECK(!read.states.empty());
  GONOGO_CHECK(read.observations.size() ==
               read.size() * static_cast<std::size_t>(read.observation_size));
  GONOGO_CHECK(std::all_of(read.states.begin(), read.states.end(), [](const auto& state) {
    return std::isfinite(state.height_m) && std::isfinite(state.power_w) && state.episode >= 0;
  }));
  return 0;
}
