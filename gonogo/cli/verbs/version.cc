// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/cli/verbs/components.h"
#include "gonogo/io/build_info.h"
#include "gonogo/sim/model/engine.h"

namespace gonogo::cli {
namespace {

class VersionVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    return program.AddVerb("version", "Print the version, commit and build of this program");
  }

  Result<ExitCode> Run(const Context& context) override {
    const io::BuildInfo build = io::CurrentBuild();
    if (context.options.json) {
      nlohmann::json json = build;
      json["schema"] = "gonogo.version/1";
      json["components"] = BuiltComponents();
      if constexpr (kHasRobots) json["engine"] = sim::EngineVersion();
      context.terminal.Print(json.dump(2) + "\n");
    } else {
      context.terminal.Print(VersionLine() + "\n");
    }
    return kExitDone;
  }
};

}  // namespace

std::string VersionLine() {
  const io::BuildInfo build = io::CurrentBuild();
  std::string engine = "without robots";
  if constexpr (kHasRobots) engine = sim::EngineVersion();
  return fmt::format("gonogo {} (commit {}, {}, {}, {})", build.version, build.commit,
                     build.compiler, build.arch, engine);
}

std::unique_ptr<Verb> MakeVersionVerb() { return std::make_unique<VersionVerb>(); }

}  // namespace gonogo::cli
