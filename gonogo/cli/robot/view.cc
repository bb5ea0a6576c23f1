// SPDX-License-Identifier: Apache-2.0

#include "gonogo/cli/robot/episode_scene.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/report/viewer/viewer_page.h"

namespace gonogo::cli {
namespace {

constexpr const char* kViewExamples = R"(
Examples:
  gonogo rollout robots/go2 --target 2,0 --out direct.h5
  gonogo rollout robots/go2 --target 2,0 --controller scale-0.75 --out slow.h5
  gonogo view direct.h5 slow.h5 --out compare.html

Several episodes of one robot are overlaid, all but the first as ghosts. The page is one file and loads nothing.
)";

class ViewVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("view", "Turn episodes into a 3-D page for the browser", kViewExamples);
    verb.Positional("episodes", episodes_,
                    "Episode files that 'gonogo rollout' or 'gonogo branch' wrote")
        .Required();
    verb.Option("--out", out_, "The page [the first episode's name with .html]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    std::vector<sim::EpisodeRecord> records;
    for (const std::filesystem::path& file : episodes_) {
      sim::EpisodeRecord record = GONOGO_TRY(sim::ReadEpisode(file));
      records.push_back(std::move(record));
    }
    const report::ViewerScene scene = GONOGO_TRY(EpisodeScene(records));
    std::filesystem::path page = out_;
    if (page.empty()) page = std::filesystem::path(episodes_.front()).replace_extension(".html");
    GONOGO_TRY(io::WriteFile(page, report::ViewerPage(scene)));
    context.terminal.Print(page.string() + "\n");
    return kExitDone;
  }

 private:
  std::vector<std::filesystem::path> episodes_;
  std::filesystem::path out_;
};

}  // namespace

std::unique_ptr<Verb> MakeViewVerb() { return std::make_unique<ViewVerb>(); }

}  // namespace gonogo::cli
