// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cmath>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "gonogo/audit/imports/aslib.h"
#include "gonogo/audit/imports/cluster_rule.h"
#include "gonogo/audit/imports/cost_matrix.h"
#include "gonogo/base/nearest.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/csv.h"
#include "gonogo/io/file.h"
#include "gonogo/io/run_folder.h"

namespace gonogo::cli {
namespace {

using audit::ImportedTable;

constexpr const char* kImportExamples = R"(
Examples:
  gonogo import costs costs.csv features.csv --reference large --out routing
  gonogo import aslib BNSL-2016 --cluster 'regex:^([a-zA-Z]+)' --reference ilp-162 --out bnsl
  gonogo import aslib QBF-2014 --cluster directory --par 10 --out qbf
  gonogo audit routing/table.csv                  what to do with it

costs MATRIX FEATURES [SUCCESS]: one row for every query in each, joined by the column query, or by
the only column that the first two share. Every other column of the matrix is an action; a column
cluster may stand in either file. SUCCESS has the same columns with 0 and 1. Features may be
numbers, categories or missing; a missing cost is refused unless --missing says what it means.

aslib FOLDER: a scenario of the algorithm-selection library ASlib: description.txt,
algorithm_runs.arff, feature_values.arff and, if there is one, feature_costs.arff, which
becomes the column adapter_cost. A failed run costs the cutoff, or --par times the cutoff. What
was measured is read from description.txt; instances that were presolved are left out.

--cluster says which queries belong together: directory (of the query's name), before:TEXT,
regex:EXPRESSION (its first group), file:PATH (CSV with query and cluster), blocks:N (dealt at
random) or each (every query on its own). Whole clusters are held out: the answer is about new
ones. For further queries of known ones declare protocol.deploy = "known clusters".

Writes table.csv and audit.toml into the folder of --out.
)";

class ImportVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb =
        program.AddVerb("import", "Make a table to audit from files of others", kImportExamples);
    verb.Positional("format", format_, "aslib or costs").Required().OneOf({"aslib", "costs"});
    verb.Positional("files", files_, "A scenario's folder; or a matrix of costs and its features")
        .Required();
    verb.Option("--cluster", cluster_, "How to tell which queries belong together").Value("RULE");
    verb.Option("--reference", reference_, "The action without an adapter [the cheapest one here]");
    verb.Option("--par", penalty_, "aslib: a failed run costs so many cutoffs [1]")
        .Between(1, 1000)
        .Rare();
    verb.Option("--missing", missing_,
                "costs: leave-out, to leave out queries that miss a cost, or the price of a "
                "missing cost")
        .Rare();
    verb.Option("--out", out_, "Folder for table.csv and audit.toml").Required();
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    ImportedTable table = GONOGO_TRY(Read());
    const std::string unit = GONOGO_TRY(Cluster(table));
    const bool chosen_here = reference_.empty();
    if (chosen_here) reference_ = audit::CheapestAction(table);
    if (std::find(table.actions.begin(), table.actions.end(), reference_) == table.actions.end()) {
      return UsageError("--reference {}: no such action{}", reference_,
                        DidYouMean(reference_, table.actions));
    }
    const io::FolderClaim claim = GONOGO_TRY(io::FolderClaim::Take(out_));
    GONOGO_TRY(io::WriteFile(out_ / "table.csv", audit::LongCsv(table)));
    GONOGO_TRY(io::WriteFile(out_ / "audit.toml", audit::ProtocolFor(table, reference_, unit)));
    const std::set<std::string> clusters(table.clusters.begin(), table.clusters.end());
    context.terminal.Print(fmt::format(
        "{}: {} queries, {} actions, {} clusters ({}), {} features\n", table.name,
        table.queries.size(), table.actions.size(), clusters.size(), unit, table.features.size()));
    for (const std::string& remark : table.remarks) context.terminal.Print("  " + remark + "\n");
    if (chosen_here) {
      context.terminal.Print(
          fmt::format("  reference {}: the cheapest action of these very outcomes, which makes "
                      "H_global 0; name "
                      "yours with --reference\n",
                      reference_));
    }
    context.terminal.Print(fmt::format("  next: gonogo audit {}\n", (out_ / "table.csv").string()));
    return kExitDone;
  }

 private:
  [[nodiscard]] Result<ImportedTable> Read() const {
    const bool aslib = format_ == "aslib";
    if (aslib ? files_.size() != 1 : files_.size() != 2 && files_.size() != 3) {
      return UsageError(
          "import {} takes {}, got {}", format_,
          aslib ? "one folder" : "two files, costs and features, and perhaps a third, success",
          files_.size());
    }
    if (aslib) return audit::ReadAslib(files_[0], penalty_);
    const audit::MissingCosts missing = GONOGO_TRY(Missing());
    return audit::ReadCostMatrix({files_[0], files_[1], files_.size() == 3 ? files_[2] : ""},
                                 missing);
  }

  [[nodiscard]] Result<audit::MissingCosts> Missing() const {
    using Then = audit::MissingCosts::Then;
    if (missing_.empty()) return audit::MissingCosts{};
    if (missing_ == "leave-out") return audit::MissingCosts{Then::kLeaveOut};
    const std::optional<double> price = io::ParseNumber(missing_);
    if (price && *price >= 0.0 && std::isfinite(*price))
      return audit::MissingCosts{Then::kPrice, *price};
    return UsageError("--missing {}: expected leave-out, or a price of 0 or more", missing_);
  }

  /// Fills the clusters; what one is, in words.
  [[nodiscard]] Result<std::string> Cluster(ImportedTable& table) const {
    if (cluster_.empty()) {
      if (!table.clusters.empty()) return std::string("cluster");
      return UsageError(
          "--cluster is missing: which queries belong together is part of the question; 'gonogo "
          "import --help' shows the rules");
    }
    audit::Clustering found = GONOGO_TRY(audit::ClusterQueries(cluster_, table.queries));
    table.clusters = std::move(found.clusters);
    return found.unit;
  }

  std::string format_;
  std::vector<std::string> files_;
  std::string cluster_;
  std::string reference_;
  std::string missing_;
  int penalty_ = 1;
  std::filesystem::path out_;
};

}  // namespace

std::unique_ptr<Verb> MakeImportVerb() { return std::make_unique<ImportVerb>(); }

}  // namespace gonogo::cli
