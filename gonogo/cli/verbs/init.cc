// SPDX-License-Identifier: Apache-2.0
#include <array>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/table/column_roles.h"
#include "gonogo/audit/table/first_protocol.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/cli/verbs/components.h"
#include "gonogo/io/file.h"
#include "gonogo/io/foreign/open_rows.h"
#include "gonogo/report/text/text_table.h"
#include "gonogo/robot/spec/spec.h"
#include "gonogo/study/describe/describe_robot.h"

namespace gonogo::cli {
namespace {

constexpr const char* kInitExamples = R"(
Examples:
  gonogo init table.csv                       write audit.toml beside the table, every guess with its reason
  gonogo init table.csv --out mine.toml
  gonogo init robot model.xml policy.onnx              write robot.toml and audit.toml into this folder
  gonogo init robot model.xml policy.pt base.yaml config.yaml --out my_robot/robot.toml
  gonogo init robot what_was_downloaded                the folder with all of that

A table has one row for every query and action. 'init' finds out which column is what, from names and contents, and
writes a protocol with comments. It does not overwrite a file.

A robot is described from its model (MJCF or URDF), its policy (ONNX, or TorchScript, which is converted) and any files
with settings that were shipped with them (deploy.yaml, rl_sar, Isaac Lab, legged_gym and its relatives, mjlab). Every
value has a comment with the file and key it comes from. Lines marked CHECK hold what no file says.
)";

/// What was found in a table, for a person to check.
std::string RolesText(const audit::ColumnRoles& roles, std::size_t width) {
  report::TextTable table({"column", "<is taken for", "<because of"});
  const auto add = [&](const audit::GuessedColumn& column, const char* role) {
    if (!column.name.empty()) table.AddRow({column.name, role, column.reason});
  };
  add(roles.cluster, "the cluster");
  add(roles.query, "the query");
  add(roles.action, "the action");
  add(roles.cost, roles.direction == audit::Direction::kLess   ? "the cost"
                  : roles.direction == audit::Direction::kMore ? "the reward"
                                                               : "the reward or the cost");
  add(roles.time, "the time");
  add(roles.success, "the success");
  add(roles.eligible, "the eligibility");
  add(roles.choice, "an adapter's choice");
  for (const audit::GuessedColumn& feature : roles.features) add(feature, "a feature");
  for (const audit::GuessedColumn& date : roles.dates) add(date, "a feature, if you name it");
  for (const audit::GuessedColumn& unused : roles.unused) add(unused, "nothing");
  table.WhenNarrow({}, 2);
  return table.Render(width);
}

/// What no file says, where somebody is there to be asked.
void AskPerson(const Terminal& terminal, audit::ColumnRoles& roles) {
  const std::array<std::string, 3> directions = {"more", "less", "later"};
  if (roles.direction == audit::Direction::kOpen) {
    const auto said =
        terminal.Ask(fmt::format("Is more or less of '{}' better?", roles.cost.name), directions);
    if (said == "more") roles.direction = audit::Direction::kMore;
    if (said == "less") roles.direction = audit::Direction::kLess;
    if (said && said != "later") roles.cost.reason = "you said so";
  }
  if (!roles.reference_is_known) {
    if (const auto said =
            terminal.Ask("Which action is taken today, without an adapter?", roles.actions)) {
      roles.reference = {*said, "you said so: what is done without an adapter"};
      roles.reference_is_known = true;
    }
  }
  const std::array<std::string, 2> yes_or_no = {"yes", "no"};
  if (!roles.time.name.empty() && roles.eligible.name.empty()) {
    roles.time_is_limited =
        terminal.Ask(fmt::format("May a choice take longer than '{}' does, by '{}'?",
                                 roles.reference.name, roles.time.name),
                     yes_or_no) == "no";
  }
}

class InitVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "init", "Write a first protocol for a table, or a first robot.toml", kInitExamples);
    verb.Positional("table", table_, "A table of outcomes, CSV; or the word robot").Required();
    verb.Option("--decimal", decimal_,
                "The sign before decimals, where the file leaves open what 1,234 is")
        .OneOf({".", ","})
        .Rare();
    verb.Positional("files", files_,
                    "After robot: its model, its policy, files with settings; or a folder");
    verb.Option("--deploy", deploy_, "With robot: one more file with settings");
    verb.Option("--out", out_,
                "What to write [audit.toml beside the table, or robot.toml in this folder]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    if (table_ == "robot") return DescribeRobot(context);
    if (!files_.empty() || !deploy_.empty()) {
      return UsageError("only 'gonogo init robot FILES' takes more files than a table");
    }
    const std::filesystem::path file = out_.empty() ? table_.parent_path() / "audit.toml" : out_;
    std::error_code code;
    if (std::filesystem::exists(file, code)) {
      return UsageError("{} is there already; remove it first, or write elsewhere with --out",
                        file.string());
    }
    if (audit::IsHdf5Table(table_)) {
      return InputError("{}: an HDF5 table says itself what its parts are; 'gonogo audit' reads it",
                        table_.string());
    }
    io::CsvReader reader = GONOGO_TRY(io::OpenRows(
        table_, decimal_.empty() ? io::Decimal::kFound
                                 : (decimal_ == "," ? io::Decimal::kComma : io::Decimal::kPoint)));
    audit::ColumnRoles roles = GONOGO_TRY(audit::GuessRoles(reader));
    roles.decimal = decimal_;
    if (!context.options.json) AskPerson(context.terminal, roles);
    const std::string text = audit::FirstProtocol(roles, table_.filename().string());
    const audit::Protocol protocol = GONOGO_TRY(audit::ParseProtocol(text, file.string()));
    GONOGO_TRY(io::WriteFile(file, text));
    return Finish(file, roles, protocol, context);
  }

 private:
  [[nodiscard]] Result<study::Description> Describe(const std::filesystem::path& folder) const {
    if constexpr (kHasRobots) {
      std::vector<std::filesystem::path> files = files_;
      if (!deploy_.empty()) files.push_back(deploy_);
      study::DescribeInput input = GONOGO_TRY(study::SortFiles(files));
      input.folder = folder;
      return study::DescribeRobot(input);
    }
    return UsageError("{}", NotBuilt("'gonogo init robot'", Component::kRobots));
  }

  [[nodiscard]] static Status Readable(const std::filesystem::path& robot) {
    if constexpr (kHasRobots) GONOGO_TRY(robot::LoadRobotSpec(robot));
    return {};
  }

  Result<ExitCode> DescribeRobot(const Context& context) const {
    if (files_.empty()) {
      return UsageError(
          "'gonogo init robot' needs the model (MJCF or URDF) and the policy (ONNX or "
          "TorchScript), "
          "or a folder with them");
    }
    const std::filesystem::path file = out_.empty() ? "robot.toml" : out_;
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const study::Description written = GONOGO_TRY(Describe(folder));
    std::vector<std::pair<std::filesystem::path, const std::string*>> outputs{
        {file, &written.robot_toml}, {folder / "audit.toml", &written.audit_toml}};
    if (!written.policy_onnx.empty()) {
      outputs.emplace_back(folder / "policy.onnx", &written.policy_onnx);
    }
    std::error_code code;
    for (const auto& [path, content] : outputs) {
      if (std::filesystem::exists(path, code)) {
        return UsageError("{} is there already; remove it first, or write elsewhere with --out",
                          path.string());
      }
    }
    GONOGO_TRY(io::MakeDirectory(folder));
    for (const auto& [path, content] : outputs) GONOGO_TRY(io::WriteFile(path, *content));
    const std::string& text = written.robot_toml;
    const Status readable = Readable(file);
    long checks = 0;
    for (std::size_t at = text.find("CHECK"); at != std::string::npos;
         at = text.find("CHECK", at + 1)) {
      ++checks;
    }
    if (context.options.json) {
      nlohmann::json json = {{"schema", "gonogo.init/1"},
                             {"robot", file.string()},
                             {"dialect", written.dialect},
                             {"to_check", checks},
                             {"readable", readable.ok()}};
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    std::string names;
    for (const auto& [path, content] : outputs) {
      names += (names.empty() ? "" : ", ") + path.string();
    }
    context.terminal.Print(fmt::format("wrote {}\n{}; {} lines to check\n", names,
                                       written.dialect.empty()
                                           ? "no settings of a dialect that is known"
                                           : "settings in the dialect of " + written.dialect,
                                       checks));
    if (!readable.ok()) {
      context.terminal.Say("it cannot be loaded yet: " + readable.error().message);
    }
    context.terminal.Say(
        fmt::format("next: read what is marked CHECK, then 'gonogo check {}'", folder.string()));
    return kExitDone;
  }

  Result<ExitCode> Finish(const std::filesystem::path& file, const audit::ColumnRoles& roles,
                          const audit::Protocol& protocol, const Context& context) const {
    const Result<audit::TableFile> table = audit::ReadTable(table_, protocol);
    if (context.options.json) {
      nlohmann::json json = {{"schema", "gonogo.init/1"},  {"protocol", file.string()},
                             {"clusters", roles.clusters}, {"queries", roles.queries},
                             {"actions", roles.actions},   {"readable", table.ok()}};
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    context.terminal.Print(RolesText(roles, context.terminal.width()) + "  wrote " + file.string() +
                           "\n");
    if (!roles.reference_is_known) {
      context.terminal.Say(fmt::format("the reference is a guess: '{}', {}", roles.reference.name,
                                       roles.reference.reason));
    }
    if (roles.direction == audit::Direction::kOpen) {
      context.terminal.Say(fmt::format(
          "the table cannot be audited yet: of '{}' more is better by its name; say in {} whether "
          "it is a reward or a cost: two lines under [table], of which one has to lose its '#'",
          roles.cost.name, file.string()));
    } else if (!table.ok()) {
      context.terminal.Say("the table cannot be audited yet: " + table.error().message);
    }
    context.terminal.Say(fmt::format(
        "next: read {0}; then 'gonogo declare {0}' before you collect the data that are to decide, "
        "and 'gonogo audit {1}'{2} for a first look at these",
        file.string(), table_.string(),
        file.filename() == "audit.toml" ? "" : " with --protocol " + file.string()));
    return kExitDone;
  }

  std::filesystem::path table_;
  std::vector<std::filesystem::path> files_;
  std::filesystem::path deploy_;
  std::filesystem::path out_;
  std::string decimal_;
};

}  // namespace

std::unique_ptr<Verb> MakeInitVerb() { return std::make_unique<InitVerb>(); }

}  // namespace gonogo::cli
