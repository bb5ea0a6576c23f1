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
  gonogo init robot model.xml policy.onnx                        write robot.toml into this folder
  gonogo init robot model.xml policy.onnx --deploy deploy.yaml --out my_robot/robot.toml

A table has one row for every query and action. 'init' finds out which column is what, from names and contents, and
writes a protocol with comments. It does not overwrite a file.

A robot is described from its MJCF, its ONNX policy (sizes, metadata) and, if there is one, the YAML file
it is deployed with (unitree_rl_gym, rl_sar, unitree_rl_lab). Lines marked CHECK hold what no file says.
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
    verb.Positional("files", files_, "After robot: its model (MJCF) and its policy (ONNX)");
    verb.Option("--deploy", deploy_, "With robot: the YAML file the policy is deployed with");
    verb.Option("--decimal", decimal_,
                "The sign before decimals, where the file leaves open what 1,234 is")
        .OneOf({".", ","})
        .Rare();
    verb.Option("--out", out_,
                "What to write [audit.toml beside the table, or robot.toml in this folder]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    if (table_ == "robot") return DescribeRobot(context);
    if (!files_.empty() || !deploy_.empty()) {
      return UsageError("only 'gonogo init robot MODEL POLICY' takes more files than a table");
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
  [[nodiscard]] Result<std::string> RobotText(const std::filesystem::path& folder) const {
    if constexpr (kHasRobots) {
      return study::DescribeRobot({files_[0], files_[1], deploy_, folder});
    }
    return UsageError("{}", NotBuilt("'gonogo init robot'", Component::kRobots));
  }

  [[nodiscard]] static Status Readable(const std::filesystem::path& robot) {
    if constexpr (kHasRobots) GONOGO_TRY(robot::LoadRobotSpec(robot));
    return {};
  }

  Result<ExitCode> DescribeRobot(const Context& context) const {
    if (files_.size() != 2) {
      return UsageError(
          "'gonogo init robot' needs two files, the model (MJCF) and the policy (ONNX); "
          "{} were given",
          files_.size());
    }
    const std::filesystem::path file = out_.empty() ? "robot.toml" : out_;
    std::error_code code;
    if (std::filesystem::exists(file, code)) {
      return UsageError("{} is there already; remove it first, or write elsewhere with --out",
                        file.string());
    }
    const std::filesystem::path folder = file.has_parent_path() ? file.parent_path() : ".";
    const std::string text = GONOGO_TRY(RobotText(folder));
    GONOGO_TRY(io::MakeDirectory(folder));
    GONOGO_TRY(io::WriteFile(file, text));
    const Status readable = Readable(file);
    long checks = 0;
    for (std::size_t at = text.find("CHECK"); at != std::string::npos;
         at = text.find("CHECK", at + 1)) {
      ++checks;
    }
    if (context.options.json) {
      nlohmann::json json = {{"schema", "gonogo.init/1"},
                             {"robot", file.string()},
                             {"to_check", checks},
                             {"readable", readable.ok()}};
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    context.terminal.Print(fmt::format("wrote {} with {} lines to check\n", file.string(), checks));
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
