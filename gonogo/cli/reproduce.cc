// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/reproduce.h"

#include <chrono>
#include <optional>

#include <fmt/format.h>

#include "gonogo/cli/progress.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/sha256.h"
#include "gonogo/paper/reproduction.h"
#include "gonogo/report/section_json.h"
#include "gonogo/report/section_text.h"
#include "gonogo/report/text_table.h"
#include "gonogo/robot/spec.h"

namespace gonogo::cli {
namespace {

constexpr const char* kExamples = R"(
Examples:
  gonogo reproduce --list                          what there is and how long it takes
  gonogo reproduce audit-direct terrain            two of them, and what they need
  gonogo reproduce --out runs/reproduce            everything; hours

Writes OUT/reproduction.md and OUT/reproduction.html, the paper's numbers beside ours. Finished items are kept in OUT/sections and
unfinished ones go on where they stopped: the same command resumes. Delete OUT/sections/NAME.json to regenerate an item.
)";

using paper::ReproductionItem;

/// An item that was regenerated, now or earlier.
struct Finished {
  std::string name;
  std::string made_by;  ///< command, commit and duration
  std::vector<report::Section> sections;
};

class ReproduceVerb : public Verb {
 public:
  CLI::App* Declare(CLI::App& app) override {
    CLI::App* verb =
        app.add_subcommand("reproduce", "Regenerate the paper's tables, theirs beside ours");
    verb->footer(std::string(kExamples) + kExitCodeHelp);
    verb->add_option("names", names_, "Items of --list [all]");
    verb->add_flag("--list", list_, "Only say what there is");
    verb->add_option("--robot", setting_.robot, "Folder with robot.toml")->capture_default_str();
    verb->add_option("--models", setting_.models,
                     "Where gonogo identify wrote or will write [OUT/models]");
    verb->add_option("--out", setting_.folder, "Folder")->capture_default_str();
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const Result<std::vector<ReproductionItem>> items = paper::ChooseItems(names_);
    if (!items.ok()) return items.error();
    if (setting_.models.empty()) setting_.models = setting_.folder / "models";
    const Result<robot::RobotSpec> robot = robot::LoadRobotSpec(setting_.robot);
    if (!robot.ok()) return robot.error();
    const Result<std::string> policy = io::ReadFile(robot.value().policy);
    if (!policy.ok()) return policy.error();
    policy_sha256_ = io::Sha256Hex(policy.value());
    const Result<std::string> overview = Overview(items.value());
    if (!overview.ok()) return overview.error();
    context.terminal.Print(overview.value());
    if (list_) return kExitDone;
    if (Status made = io::MakeDirectory(setting_.folder / "sections"); !made.ok()) {
      return made.error();
    }
    std::vector<Finished> finished;
    for (const ReproductionItem& item : items.value()) {
      Result<Finished> result = LoadOrRun(item, context);
      if (!result.ok()) return result.error();
      finished.push_back(std::move(result).value());
      // After every item, so that an interrupted run has a page too.
      if (Status written = WritePages(finished); !written.ok()) return written.error();
    }
    context.terminal.Say("report: " + (setting_.folder / "reproduction.html").string());
    return kExitDone;
  }

 private:
  /// What is to do and how long it takes; finished items take no time.
  Result<std::string> Overview(const std::vector<ReproductionItem>& items) const {
    report::TextTable table({"<item", "about", "<what"});
    double minutes = 0.0;
    for (const ReproductionItem& item : items) {
      const Result<std::optional<Finished>> kept = Load(item.name);
      if (!kept.ok()) return kept.error();
      const bool done = kept.value().has_value();
      table.AddRow(
          {item.name, done ? "kept" : fmt::format("{:.0f} min", item.minutes), item.title});
      minutes += done ? 0.0 : item.minutes;
    }
    return table.Render() + fmt::format("about {} on two idle cores\n",
                                        HumanDuration(std::chrono::duration<double>(60 * minutes)));
  }

  [[nodiscard]] std::filesystem::path File(const std::string& name) const {
    return setting_.folder / "sections" / (name + ".json");
  }

  /// What an earlier run made of an item with this policy; nothing if there is none.
  Result<std::optional<Finished>> Load(const std::string& name) const {
    std::error_code code;
    if (!std::filesystem::exists(File(name), code)) return std::optional<Finished>();
    const Result<std::string> text = io::ReadFile(File(name));
    if (!text.ok()) return text.error();
    const nlohmann::json json = nlohmann::json::parse(text.value(), nullptr, false);
    if (!json.is_object() || json.value("policy_sha256", "") != policy_sha256_) {
      return std::optional<Finished>();
    }
    Finished finished{name, json.value("made_by", ""), {}};
    for (const nlohmann::json& entry : json.value("sections", nlohmann::json::array())) {
      Result<report::Section> section = report::SectionFromJson(entry, File(name).string());
      if (!section.ok()) return section.error();
      finished.sections.push_back(std::move(section).value());
    }
    return std::optional<Finished>(std::move(finished));
  }

  Result<Finished> LoadOrRun(const ReproductionItem& item, const Context& context) const {
    Result<std::optional<Finished>> kept = Load(item.name);
    if (!kept.ok()) return kept.error();
    if (kept.value()) return *std::move(kept).value();
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Progress> progress(std::in_place, context.terminal, item.name);
    Result<std::vector<report::Section>> sections =
        item.run(setting_, context.Control(progress->Callback()));
    progress.reset();
    if (!sections.ok()) return sections.error();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    Finished finished{item.name,
                      fmt::format("gonogo reproduce {} at commit {}, {}", item.name,
                                  io::CurrentBuild().commit, HumanDuration(spent)),
                      std::move(sections).value()};
    nlohmann::json json = {{"schema", "gonogo.reproduction/1"},
                           {"policy_sha256", policy_sha256_},
                           {"made_by", finished.made_by},
                           {"sections", nlohmann::json::array()}};
    for (const report::Section& section : finished.sections) {
      json["sections"].push_back(report::SectionJson(section));
      context.terminal.Print(report::SectionText(section) + "\n");
    }
    if (Status kept_now = io::WriteFile(File(item.name), json.dump(1) + "\n"); !kept_now.ok()) {
      return kept_now.error();
    }
    return finished;
  }

  Status WritePages(const std::vector<Finished>& finished) const {
    report::Page page{.title = "The paper's tables and ours",
                      .kicker = "gonogo reproduce",
                      .subtitle = setting_.robot.string()};
    std::string markdown = "# The paper's tables and ours\n";
    for (const Finished& item : finished) {
      for (const report::Section& section : item.sections) {
        markdown += "\n" + report::SectionMarkdown(section) + "\n`" + item.made_by + "`\n";
        page.sections.push_back(section);
        page.sections.back().blocks.emplace_back(report::Paragraph{item.made_by});
      }
    }
    const std::filesystem::path& folder = setting_.folder;
    Status written = io::WriteFile(folder / "reproduction.md", markdown);
    if (!written.ok()) return written;
    return io::WriteFile(folder / "reproduction.html", report::RenderPage(page));
  }

  std::vector<std::string> names_;
  bool list_ = false;
  paper::ReproductionSetting setting_{
      .robot = "robots/go2", .models = {}, .folder = "runs/reproduce"};
  std::string policy_sha256_;
};

}  // namespace

std::unique_ptr<Verb> MakeReproduceVerb() { return std::make_unique<ReproduceVerb>(); }

}  // namespace gonogo::cli
