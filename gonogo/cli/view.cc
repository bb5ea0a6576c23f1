// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/view.h"

#include <fmt/format.h>

#include "gonogo/cli/episode_scene.h"
#include "gonogo/io/file.h"
#include "gonogo/report/viewer_page.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo rollout robots/go2 --target 2,0 --out direct.h5
  gonogo rollout robots/go2 --target 2,0 --controller scale-0.75 --out slow.h5
  gonogo view direct.h5 slow.h5 --out compare.html

Several episodes of one robot are overlaid, all but the first as ghosts. The page is one file and loads nothing.
)";

class ViewVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb = app.add_subcommand("view", "Turn episodes into a 3-D page for the browser");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    verb->add_option("episodes", episodes_, "Episode files of 'gonogo rollout'")->required();
    verb->add_option("--out", out_, "The page [the first episode's name with .html]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    std::vector<sim::EpisodeRecord> records;
    for (const std::filesystem::path& file : episodes_) {
      Result<sim::EpisodeRecord> record = sim::ReadEpisode(file);
      if (!record.ok()) return record.error();
      records.push_back(std::move(record).value());
    }
    const Result<report::Scene> scene = EpisodeScene(records);
    if (!scene.ok()) return scene.error();
    std::filesystem::path page = out_;
    if (page.empty()) page = std::filesystem::path(episodes_.front()).replace_extension(".html");
    const Status written = io::WriteFile(page, report::ViewerPage(scene.value()));
    if (!written.ok()) return written.error();
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
