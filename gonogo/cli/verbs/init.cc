// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "gonogo/audit/table/column_roles.h"
#include "gonogo/audit/table/first_protocol.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

constexpr const char* kInitExamples = R"(
Examples:
  gonogo init table.csv                       write audit.toml beside the table, every guess with its reason
  gonogo init table.csv --out mine.toml

A table has one row for every query and action. 'init' finds out which column is what, from names and contents, and
writes a protocol with comments. It does not overwrite a file.
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
  add(roles.cost, "the cost");
  add(roles.time, "the time");
  add(roles.success, "the success");
  add(roles.eligible, "the eligibility");
  add(roles.choice, "an adapter's choice");
  for (const audit::GuessedColumn& feature : roles.features) add(feature, "a feature");
  for (const audit::GuessedColumn& unused : roles.unused) add(unused, "nothing");
  table.WhenNarrow({}, 2);
  return table.Render(width);
}

class InitVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("init", "Write a first protocol for a table of yours", kInitExamples);
    verb.Positional("table", table_, "A table of outcomes, CSV").Required();
    verb.Option("--out", out_, "The protocol [audit.toml beside the table]");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
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
    io::CsvReader reader = GONOGO_TRY(io::CsvReader::Open(table_));
    const audit::ColumnRoles roles = GONOGO_TRY(audit::GuessRoles(reader));
    const std::string text = audit::FirstProtocol(roles, table_.filename().string());
    const audit::Protocol protocol = GONOGO_TRY(audit::ParseProtocol(text, file.string()));
    GONOGO_TRY(io::WriteFile(file, text));
    return Finish(file, roles, protocol, context);
  }

 private:
  Result<ExitCode> Finish(const std::filesystem::path& file, const audit::ColumnRoles& roles,
                          const audit::Protocol& protocol, const Context& context) const {
    const Result<audit::OutcomeTable> table = audit::ReadTable(table_, protocol);
    if (context.options.json) {
      nlohmann::json json = {{"schema", "gonogo.init/1"},  {"protocol", file.string()},
                             {"clusters", roles.clusters}, {"queries", roles.queries},
                             {"actions", roles.actions},   {"readable", table.ok()}};
      context.terminal.Print(json.dump(2) + "\n");
      return kExitDone;
    }
    context.terminal.Print(RolesText(roles, context.terminal.width()) + "  wrote " + file.string() +
                           "\n");
    if (!table.ok()) {
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
  std::filesystem::path out_;
};

}  // namespace

std::unique_ptr<Verb> MakeInitVerb() { return std::make_unique<InitVerb>(); }

}  // namespace gonogo::cli
