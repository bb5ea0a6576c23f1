// SPDX-License-Identifier: Apache-2.0
// Whatever the text of a model, MJCF or URDF, our loader refuses it with a message or gives a
// model. What MuJoCo itself does wrong shows here, too.
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/sim/model/read_model.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo;
  const std::filesystem::path file = fuzz::ScratchFolder() / "robot.xml";
  Result<sim::ModelSource> source =
      sim::ModelSource::Parse(std::string(fuzz::AsText(data, size)), file);
  const Result<sim::ModelPtr> model =
      source.ok() ? source.value().Compile() : Result<sim::ModelPtr>(source.error());
  if (model.ok()) {
    GONOGO_CHECK(model.value() != nullptr);
  } else {
    GONOGO_CHECK(model.error().message.find("robot.xml") != std::string::npos);
  }
  return 0;
}
