// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "gonogo/cli/robot/robot_protocol.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/build_info.h"
#include "gonogo/io/file.h"
#include "gonogo/io/json/json.h"
#include "gonogo/io/run_folder.h"
#include "gonogo/paper/findings/findings.h"
#include "gonogo/paper/published/remarks.h"
#include "gonogo/paper/reproduction.h"
#include "gonogo/paper/setting/reproduction_setting.h"
#include "gonogo/report/page/section_text.h"
#include "gonogo/report/page/sections.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/study/ranks/root_files.h"

namespace gonogo::cli {
namespace {

constexpr const char* kReproduceExamples = R"(
Examples:
  gonogo reproduce --list                          what there is and how long it takes
  gonogo reproduce terrain tab:coverage            two of them, by our name or the paper's, and what they need
  gonogo reproduce --out runs/reproduce            everything; about an hour on two cores
  gonogo reproduce --robot my_go2 --terrain stairs:0-1 --out runs/mine --beside runs/reproduce
                                                   another Go2 on low stairs; its findings beside those of an earlier run

Writes OUT/reproduction.md and OUT/reproduction.html, the paper's numbers beside ours. Finished items are kept in OUT/sections and
unfinished ones go on where they stopped: the same command resumes. An item is made again when a file of its robots changed; delete
OUT/sections/NAME.json to force it. A folder takes the place of the paper's robot that its robot.toml says it stands for (stands_for);
--robot may be given several times. ANYmal-D and H1 are otherwise taken from the folders beside that of the Go2, as soon as they hold
a policy. OUT/findings.json says which of the paper's findings hold.
)";

using paper::ReproductionItem;

/// An item that was regenerated, now or earlier.
struct Finished {
  std::string name;
  std::string commit;
  double seconds = 0.0;
  std::vector<report::Section> sections;

  [[nodiscard]] std::string MadeBy() const {
    return fmt::format("gonogo reproduce {} at commit {}, {}", name, commit,
                       HumanDuration(std::chrono::duration<double>(seconds)));
  }
};

/// What the page says about itself.
report::Section Origin(const std::vector<Finished>& finished, const std::string& note) {
  std::set<std::string> commits;
  double seconds = 0.0;
  for (const Finished& item : finished) {
    commits.insert(item.commit);
    seconds += item.seconds;
  }
  report::Section section{
      .id = "origin",
      .title = "How this was made",
      .blocks = {
          report::Paragraph{fmt::format(
              "gonogo reproduce made {} at commit {} in {}. Under every section stands "
              "the command that makes it alone. Numbers come from the runs, the paper's from "
              "its text; none was typed in by hand.",
              report::Counted(finished.size(), "item"), fmt::join(commits, ", "),
              HumanDuration(std::chrono::duration<double>(seconds)))},
          report::Paragraph{
              "Ours differ from the paper's throughout: MuJoCo instead of Isaac Lab on PhysX, "
              "other policies and seeds. Figures are on the page "
              "reproduction.html; audit, method and setup of the paper are drawings and have "
              "no counterpart."}}};
  if (!note.empty()) section.blocks.emplace_back(report::Paragraph{note});
  return section;
}

class ReproduceVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "reproduce", "Regenerate the tables of the paper, theirs beside ours", kReproduceExamples);
    verb.Positional("names", names_, "Names of the items, as --list shows them [all]");
    verb.Flag("--list", list_, "List the items and how long they take, and stop");
    verb.Option("--robot", robots_, "Folders with robot.toml, one for each of the paper's robots")
        .ShowDefault();
    surroundings_.Add(verb);
    verb.Option(
            "--work-rate", work_rate_,
            "How often torque and speed are read: physics, or control, as in the paper's simulator")
        .ShowDefault()
        .Rare();
    verb.Option("--beside", beside_,
                "OUT of other reproductions, whose findings stand beside these")
        .Rare();
    verb.Option("--models", setting_.models,
                "The folder of its models; made by the item identification if they are not there "
                "[OUT/models]");
    verb.Option("--out", setting_.folder, "Folder for the results").ShowDefault();
    verb.Option("--note", note_, "A remark for the readers of the page").Rare();
    return verb;
  }

  [[nodiscard]] bool shares_work() const override { return !list_; }

  Result<ExitCode> Run(const Context& context) override {
    const std::vector<ReproductionItem> items = GONOGO_TRY(paper::ChooseItems(names_));
    if (setting_.models.empty()) setting_.models = setting_.folder / "models";
    const Status read = ReadSetting();
    if (!read.ok() && !list_) return read.error();
    keeps_ = read.ok();
    if (!context.helps()) {
      const std::string overview = GONOGO_TRY(Overview(items, context.terminal.width()));
      context.terminal.Print(overview);
    }
    if (list_) return kExitDone;
    const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(setting_.folder));
    GONOGO_TRY(io::OpenRunFolder(setting_.folder));
    GONOGO_TRY(io::OpenRunFolder(setting_.folder / "sections"));
    std::vector<Finished> finished;
    for (const ReproductionItem& item : items) {
      Finished result = GONOGO_TRY(LoadOrRun(item, context));
      finished.push_back(std::move(result));
      // After every item, so that an interrupted run has a page too.
      GONOGO_TRY(WritePages(finished));
    }
    const paper::FindingsColumn judged = Judged(finished);
    context.terminal.Say(fmt::format("{}: of the paper's {} findings {} agree and {} differ",
                                     judged.label, judged.findings.size(),
                                     judged.count(paper::FindingVerdict::kAgrees),
                                     judged.count(paper::FindingVerdict::kDiffers)));
    context.terminal.Say("report: " + (setting_.folder / "reproduction.html").string());
    return kExitDone;
  }

 private:
  Status ReadSetting() {
    for (const std::string& robot : robots_) GONOGO_TRY(paper::PlaceRobot(robot, setting_));
    setting_.surroundings = GONOGO_TRY(surroundings_.Read());
    setting_.work_rate = GONOGO_TRY(sim::ParseWorkRate(work_rate_));
    const robot::RobotSpec go2 = GONOGO_TRY(robot::LoadRobotSpec(setting_.robot));
    label_ = fmt::format("{} on {}", go2.name, setting_.surroundings.text());
    for (const std::filesystem::path& other : beside_) {
      const std::filesystem::path file = other / "findings.json";
      const std::string text = GONOGO_TRY(io::ReadFile(file));
      paper::FindingsColumn column = GONOGO_TRY(paper::FindingsFromJson(text, file.string()));
      others_.push_back(std::move(column));
    }
    return {};
  }

  /// What is to do and how long it takes; finished items take no time.
  Result<std::string> Overview(const std::vector<ReproductionItem>& items,
                               std::size_t width) const {
    report::TextTable table({"<item", "about", "<what", "<in the paper"});
    double minutes = 0.0;
    for (const ReproductionItem& item : items) {
      const std::optional<Finished> kept = GONOGO_TRY(Load(item));
      const bool done = kept.has_value();
      const std::chrono::duration<double> takes(done ? kept->seconds : 60 * item.minutes);
      table.AddRow({item.name, (done ? "kept, took " : "") + HumanDuration(takes), item.title,
                    fmt::format("{}", fmt::join(item.labels, ", "))});
      minutes += done ? 0.0 : item.minutes;
    }
    table.WhenNarrow({3}, 2);
    return table.Render(width) +
           fmt::format("about {} on two idle cores\n",
                       HumanDuration(std::chrono::duration<double>(60 * minutes)));
  }

  [[nodiscard]] std::filesystem::path File(const std::string& name) const {
    return setting_.folder / "sections" / (name + ".json");
  }

  /// What an earlier run made of an item with these robots; nothing if there is none.
  Result<std::optional<Finished>> Load(const ReproductionItem& item) const {
    const std::filesystem::path file = File(item.name);
    std::error_code code;
    if (!keeps_ || !std::filesystem::exists(file, code)) return std::optional<Finished>();
    const std::string text = GONOGO_TRY(io::ReadFile(file));
    const std::string inputs = GONOGO_TRY(paper::InputsOf(item, setting_));
    const nlohmann::json json = GONOGO_TRY(io::ParseJson(text, file.string()));
    const io::JsonObject kept = GONOGO_TRY(io::JsonObject::Open(json, file.string()));
    const auto made_from = GONOGO_TRY(kept.Get<std::string>("inputs"));
    if (made_from != inputs) return std::optional<Finished>();
    const auto commit = GONOGO_TRY(kept.Get<std::string>("commit"));
    const auto seconds = GONOGO_TRY(kept.Get<double>("seconds"));
    Finished finished{item.name, commit, seconds, {}};
    const auto sections = GONOGO_TRY(kept.Get<std::vector<nlohmann::json>>("sections"));
    for (const nlohmann::json& entry : sections) {
      report::Section section = GONOGO_TRY(report::SectionFromJson(entry, file.string()));
      finished.sections.push_back(std::move(section));
    }
    return std::optional<Finished>(std::move(finished));
  }

  Result<Finished> LoadOrRun(const ReproductionItem& item, const Context& context) const {
    std::optional<Finished> kept;
    // Rank 0 may keep an item before another rank asks for it: all go by what rank 0 found.
    const auto load = [&]() -> Result<bool> {
      kept = GONOGO_TRY(Load(item));
      return kept.has_value();
    };
    const bool is_kept = GONOGO_TRY(study::OnRoot<bool>(context.With({}), item.name, load));
    if (is_kept) return kept ? *std::move(kept) : Finished{.name = item.name};
    const std::string inputs = GONOGO_TRY(paper::InputsOf(item, setting_));
    const auto begin = std::chrono::steady_clock::now();
    std::optional<Progress> progress(std::in_place, context.terminal, item.name, setting_.folder);
    Result<std::vector<report::Section>> sections =
        item.run(setting_, context.With(progress->Callback()));
    progress.reset();
    if (!sections.ok()) return sections.error();
    const std::chrono::duration<double> spent = std::chrono::steady_clock::now() - begin;
    Finished finished{item.name, io::CurrentBuild().commit, spent.count(),
                      std::move(sections).value()};
    for (const report::Section& section : finished.sections) {
      context.terminal.Print(report::SectionText(section, context.terminal.width()) + "\n");
    }
    GONOGO_TRY(Save(finished, inputs));
    context.terminal.Say(fmt::format("{}: {}", item.name, HumanDuration(spent)));
    return finished;
  }

  Status Save(const Finished& finished, const std::string& inputs) const {
    nlohmann::json json = {{"schema", "gonogo.reproduction/2"},
                           {"inputs", inputs},
                           {"commit", finished.commit},
                           {"seconds", finished.seconds},
                           {"sections", nlohmann::json::array()}};
    for (const report::Section& section : finished.sections) {
      json["sections"].push_back(report::SectionJson(section));
    }
    return io::WriteFile(File(finished.name), json.dump(1) + "\n");
  }

  /// Finished sections and what people remarked on them. Remarks are added here and not kept, so
  /// that a newer build can word them better without running anything.
  [[nodiscard]] std::vector<report::Section> PageSections(
      const std::vector<Finished>& finished) const {
    std::vector<report::Section> all{Origin(finished, note_), Findings(finished)};
    std::multimap<std::string, std::string> made_by;
    for (const Finished& item : finished) {
      all.insert(all.end(), item.sections.begin(), item.sections.end());
      for (const report::Section& section : item.sections) {
        made_by.emplace(section.id, item.MadeBy());
      }
    }
    std::vector<report::Section> sections = report::MergeSections(all);
    for (report::Section& section : sections) {
      paper::AddRemarks(paper::Remarks(), section);
      const auto [begin, end] = made_by.equal_range(section.id);
      for (auto entry = begin; entry != end; ++entry) {
        section.blocks.emplace_back(report::Paragraph{entry->second});
      }
    }
    return sections;
  }

  [[nodiscard]] paper::FindingsColumn Judged(const std::vector<Finished>& finished) const {
    std::vector<report::Section> shown;
    for (const Finished& item : finished) {
      shown.insert(shown.end(), item.sections.begin(), item.sections.end());
    }
    return paper::JudgeFindings(label_, report::MergeSections(shown));
  }

  [[nodiscard]] report::Section Findings(const std::vector<Finished>& finished) const {
    std::vector<paper::FindingsColumn> columns = others_;
    columns.push_back(Judged(finished));
    return paper::FindingsSection(columns);
  }

  Status WritePages(const std::vector<Finished>& finished) const {
    const report::Page page{.title = "The paper's tables and ours",
                            .kicker = "gonogo reproduce",
                            .subtitle = setting_.robot.filename().string(),
                            .sections = PageSections(finished)};
    std::string markdown = "# " + page.title + "\n";
    for (const report::Section& section : page.sections) {
      markdown += "\n" + report::SectionMarkdown(section);
    }
    const std::filesystem::path& folder = setting_.folder;
    GONOGO_TRY(io::WriteFile(folder / "findings.json",
                             paper::FindingsJson(Judged(finished)).dump(1) + "\n"));
    GONOGO_TRY(io::WriteFile(folder / "reproduction.md", markdown));
    return io::WriteFile(folder / "reproduction.html", report::RenderPage(page));
  }

  std::vector<std::string> names_;
  bool list_ = false;
  bool keeps_ = true;  ///< what was kept can be told from what is out of date: the robot is there
  std::string note_;
  std::vector<std::string> robots_{"robots/go2"};
  std::vector<std::filesystem::path> beside_;
  SurroundingsFlags surroundings_{"grid", "1"};
  std::string work_rate_ = "control";
  std::string label_;
  std::vector<paper::FindingsColumn> others_;
  paper::ReproductionSetting setting_{
      .robot = "robots/go2", .models = {}, .folder = "runs/reproduce"};
};

}  // namespace

std::unique_ptr<Verb> MakeReproduceVerb() { return std::make_unique<ReproduceVerb>(); }

}  // namespace gonogo::cli
