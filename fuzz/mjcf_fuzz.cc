// SPDX-License-Identifier: Apache-2.0
// Whatever the text of a model, MJCF or URDF, our loader refuses it with a message or gives a
// model. What MuJoCo itself does wrong shows here, too.
#include "fuzz/scratch_folder.h"

#include "gonogo/base/check.h"
#include "gonogo/sim/model/forgiving.h"
#include "gonogo/sim/model/urdf.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace gonogo;
  const std::string text(fuzz::AsText(data, size));
  const std::filesystem::path file = fuzz::ScratchFolder() / "robot.xml";
  const Result<std::string> mjcf = sim::IsUrdf(text) ? sim::MjcfFromUrdf(text, file) : text;
  if (!mjcf.ok()) return 0;
  const Result<sim::ForgivenModel> model = sim::CompileForgiving(mjcf.value(), file);
  if (model.ok()) {
    GONOGO_CHECK(model.value().model != nullptr);
  } else {
    GONOGO_CHECK(model.error().message.find("robot.xml") != std::string::npos);
  }
  return 0;
}
