// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gonogo/audit/logged/assignment.h"
#include "gonogo/base/number_text.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/io/file.h"
#include "gonogo/study/collect/collect_config.h"

namespace gonogo::cli {
namespace {

constexpr const char* kRandomiseExamples = R"(
Examples:
  gonogo randomise audit.toml --out sheet.csv                    20 clusters of 48 queries
  gonogo randomise audit.toml --clusters 30 --queries 100 --out sheet.csv
  gonogo randomise audit.toml --cluster-names hall,yard,ramp     clusters by name
  gonogo randomise audit.toml | while IFS=, read -r cluster query action rest; do …; done

Where every action cannot be tried from the same state, one is tried at each query, drawn at random. This writes which: a CSV with
the columns cluster, query, action, propensity and declaration_sha256, to be carried out row by row. Add the cost, the features and
whatever else was measured to each row, and the sheet is the log that 'gonogo audit' reads. Within a cluster actions come in blocks,
each as often as its probability says, in random order.

Every action is equally likely unless the protocol declares probabilities, such as logging.propensity.direct = 0.5; those are then
in the protocol and the column propensity is left out. The sheet follows from the protocol, its bootstrap.seed and the flags.
)";

class RandomiseVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "randomise", "Draw which action to try at each query, for a log that can be audited",
        kRandomiseExamples);
    verb.Positional("protocol", protocol_, "The protocol, with protocol.actions").Required();
    verb.Option("--clusters", clusters_, "Clusters to plan [protocol.min_clusters]")
        .Between(2, 1'000'000);
    verb.Option("--cluster-names", names_, "Their names, instead of their number").Commas();
    verb.Option("--queries", queries_, "Queries in each cluster")
        .ShowDefault()
        .Between(2, 1'000'000);
    verb.Option("--block", block_, "Queries in a block [twice the number of actions]")
        .Between(2, 1'000'000);
    verb.Option("--out", out_, "File for the sheet [standard output]").Value("FILE");
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    const audit::Protocol protocol = GONOGO_TRY(study::LoadProtocol(protocol_));
    const audit::TryPlan plan = GONOGO_TRY(audit::PlanTries(protocol));
    GONOGO_TRY(NameClusters(protocol));
    const std::string sheet = Sheet(protocol, plan);
    if (out_.empty()) {
      context.terminal.Print(sheet);
      return kExitDone;
    }
    GONOGO_TRY(io::WriteFile(out_, sheet));
    context.terminal.Print(fmt::format("{}: {} queries in {} clusters, blocks of {}\n", out_,
                                       queries_ * names_.size(), names_.size(), Block(plan)));
    for (std::size_t action = 0; action < plan.actions.size(); ++action) {
      context.terminal.Print(fmt::format("  {}  with probability {}\n", plan.actions[action],
                                         Decimal(plan.probability[action], 4)));
    }
    return kExitDone;
  }

 private:
  Status NameClusters(const audit::Protocol& protocol) {
    if (!names_.empty()) {
      if (clusters_ > 0) return UsageError("--clusters and --cluster-names: expected one of them");
      std::vector<std::string> sorted = names_;
      std::sort(sorted.begin(), sorted.end());
      const auto twice = std::adjacent_find(sorted.begin(), sorted.end());
      if (twice != sorted.end()) {
        return UsageError("--cluster-names: '{}' is there twice, expected every name once", *twice);
      }
      return {};
    }
    const std::size_t count = clusters_ > 0 ? clusters_ : protocol.min_clusters;
    for (std::size_t k = 0; k < count; ++k) names_.push_back(fmt::format("cluster-{:03}", k + 1));
    return {};
  }

  [[nodiscard]] std::size_t Block(const audit::TryPlan& plan) const {
    return block_ > 0 ? block_ : 2 * plan.actions.size();
  }

  [[nodiscard]] std::string Sheet(const audit::Protocol& protocol,
                                  const audit::TryPlan& plan) const {
    const audit::TableColumns& columns = protocol.table;
    const bool declared = !protocol.logging.propensity.empty();
    const std::string fingerprint = audit::Fingerprint(protocol);
    std::string sheet =
        fmt::format("{},{},{},{}declaration_sha256\n", columns.cluster, columns.query,
                    columns.action, declared ? "" : columns.propensity + ",");
    const RngStream stream = RngStream(protocol.bootstrap.seed).Child("assignment");
    for (const std::string& cluster : names_) {
      const std::vector<audit::ActionIndex> tries =
          audit::AssignTries(plan.probability, queries_, Block(plan), stream.Child(cluster));
      for (std::size_t query = 0; query < tries.size(); ++query) {
        sheet += fmt::format(
            "{0},{0}-{1:04},{2},{3}{4}\n", cluster, query + 1, plan.actions[tries[query]],
            declared ? "" : fmt::format("{},", plan.probability[tries[query]]), fingerprint);
      }
    }
    return sheet;
  }

  std::string protocol_;
  std::string out_;
  std::vector<std::string> names_;
  std::size_t clusters_ = 0;
  std::size_t queries_ = 48;
  std::size_t block_ = 0;
};

}  // namespace

std::unique_ptr<Verb> MakeRandomiseVerb() { return std::make_unique<RandomiseVerb>(); }

}  // namespace gonogo::cli
