// SPDX-License-Identifier: Apache-2.0
#include <algorithm>

#include <fmt/format.h>

#include "gonogo/audit/result/audit_result.h"
#include "gonogo/base/number_text.h"
#include "gonogo/calibrate/plan/assumed_plan.h"
#include "gonogo/cli/flags/protocol_flags.h"
#include "gonogo/cli/run/audit_run.h"
#include "gonogo/cli/terminal/progress.h"
#include "gonogo/cli/verbs/all_verbs.h"
#include "gonogo/report/text/text_table.h"

namespace gonogo::cli {
namespace {

constexpr const char* kPlanExamples = R"(
Examples:
  gonogo plan --effect 0.02 --data-sets 20 --largest 0      a rough answer, in seconds
  gonogo plan --effect 0.02                                 20 clusters of 48 queries, 7 actions, ridge
  gonogo plan --effect 0.03 --clusters 10,20,40 --queries 24 --actions 3
  gonogo plan --effect 0.02 --learner mlp --set learner.epochs=20 --data-sets 50 --largest 0
  gonogo plan --protocol audit.toml --effect 0.02           thresholds, rule and learner as declared
  gonogo plan --logged --effect 0.03 --actions 2 --largest 0     one action tried at every query
  gonogo plan --logged --effect 0.03 --actions 2 --explore 0.1,0.3,0.5 --largest 0
  gonogo plan pilot.csv --clusters 20,40,80                 from a pilot table and its protocol
  gonogo plan pilot.csv --set 'rule.looks_at=[20,40,80,160]'     and what looks on the way save

Says, before data are collected, how likely GO, NO-GO and ABSTAIN are with a number of clusters, and how many clusters give 80 % and
90 % power, that is, a GO in 80 % and 90 % of such audits. --effect is the true H_dep of the adapter that would ship; H_alloc is
assumed to be at least as large, and q to be small. A pilot is taken at its word: its estimates count as the truth, and the learner
is assumed to become no better with more clusters.
)";

class PlanVerb : public Verb {
 public:
  Arguments Declare(CommandLine& program) override {
    Arguments verb = program.AddVerb(
        "plan", "Find out how many clusters an audit needs, before there are data", kPlanExamples);
    const Argument pilot = verb.Positional(
        "pilot", pilot_,
        "A small table of outcomes to plan from; without one, simulated data are used");
    verb.Option("--clusters", clusters_, "Numbers of clusters to report on [20]")
        .Commas()
        .Between(2, kMostClusters);
    verb.Option("--largest", largest_,
                "The most clusters to try in the search for 80 % and 90 % power; 0: no search")
        .ShowDefault()
        .Between(0, kMostClusters);
    const std::string group = "Assumed, where there is no pilot";
    const auto assume = [&](const char* name, auto& value, int most, const char* help, int least) {
      verb.Option(name, value, help)
          .ShowDefault()
          .Between(least, most)
          .Excludes(pilot)
          .Group(group);
    };
    verb.Option("--effect", effect_,
                "Share of the cost that the adapter truly saves over the best fixed action (H_dep)")
        .ShowDefault()
        .Excludes(pilot)
        .Group(group);
    assume("--queries", world_.queries, 10'000, "Queries in each cluster", 2);
    assume("--actions", world_.actions, 100, "Actions to choose from, the reference among them", 2);
    assume("--features", world_.features, 1'000, "Features that the learner sees", 1);
    assume("--data-sets", data_sets_, 1'000'000,
           "Data sets to simulate for each number of clusters", 1);
    verb.Flag("--logged", logged_,
              "Plan a log, in which one action is tried at every query; a feature is assumed to "
              "tell the level of the cost")
        .Excludes(pilot)
        .Group(group);
    verb.Option("--explore", explore_,
                "Of a log: probabilities, each planned for on its own, that an action other than "
                "the reference is tried at a query [all actions equally likely]")
        .Commas()
        .Excludes(pilot)
        .Group(group);
    flags_.Add(verb);
    return verb;
  }

  Result<ExitCode> Run(const Context& context) override {
    if (flags_.learner() == "all") return UsageError("--learner all: plan for one at a time");
    if (largest_ == 1) return UsageError("--largest 1: an audit needs at least 2 clusters");
    if (clusters_.empty()) clusters_ = {20};
    GONOGO_TRY(CheckExploration());
    std::vector<double> explorations = explore_;
    if (explorations.empty()) explorations = {0.0};
    nlohmann::json answers = nlohmann::json::array();
    for (const double exploration : explorations) {
      world_.exploration = exploration;
      const calibrate::Plan plan =
          GONOGO_TRY(pilot_.empty() ? FromWorld(context) : FromPilot(context));
      answers.push_back(calibrate::ToJson(plan, rule_));
      if (exploration > 0.0) answers.back()["exploration"] = exploration;
      if (!context.options.json) context.terminal.Print(Text(plan, context.terminal.width()));
    }
    if (context.options.json) {
      context.terminal.Print((explore_.size() > 1 ? answers : answers.front()).dump(2) + "\n");
    }
    return kExitDone;
  }

 private:
  [[nodiscard]] Status CheckExploration() const {
    if (explore_.empty()) return {};
    if (!logged_) return UsageError("--explore is about logs: add --logged");
    for (const double exploration : explore_) {
      if (exploration > 0.0 && exploration < 1.0) continue;
      return UsageError("--explore {}: expected a probability above 0 and below 1", exploration);
    }
    return {};
  }

  /// With which probabilities a log was planned.
  [[nodiscard]] std::string Tries() const {
    const auto actions = static_cast<double>(world_.actions);
    if (world_.exploration == 0.0) {
      return fmt::format("one of {} actions is tried, each with probability {}", world_.actions,
                         Decimal(1.0 / actions, 4));
    }
    return fmt::format("the reference is tried with probability {}, each other action with {}",
                       Decimal(1.0 - world_.exploration, 4),
                       Decimal(world_.exploration / (actions - 1.0), 4));
  }

  Result<calibrate::Plan> FromWorld(const Context& context) {
    audit::Protocol defaults;
    defaults.learner.kind = audit::LearnerKind::kRidge;
    const audit::Protocol protocol =
        GONOGO_TRY(flags_.file().empty() ? flags_.Apply(defaults) : flags_.Read({}));
    rule_ = calibrate::PlannedRule(protocol);
    if (logged_) {
      world_.logging = calibrate::Logging::kEven;
      world_.baseline_feature = true;
    }
    Progress progress(context.terminal, "simulated audits");
    return calibrate::PlanFromAssumption(protocol,
                                         {.effect = effect_,
                                          .world = world_,
                                          .clusters = clusters_,
                                          .largest = largest_,
                                          .data_sets = data_sets_},
                                         context.With(progress.Callback()));
  }

  Result<calibrate::Plan> FromPilot(const Context& context) {
    const audit::Protocol protocol = GONOGO_TRY(flags_.Read(pilot_));
    if (protocol.rule.kind == audit::DecisionRule::kPaper) {
      return UsageError(
          "{}: a pilot tells nothing about the paper's rule; add --rule calibrated, which the "
          "forecast is about. The leave-pair-out rule decides no later than that",
          pilot_);
    }
    audit::TableFile table = GONOGO_TRY(audit::ReadTable(pilot_, protocol));
    const audit::AuditReport pilot =
        GONOGO_TRY(audit::Run(audit::PilotJob(std::move(table), protocol), Shown(context)));
    return calibrate::PlanFromPilot(pilot.table.table, pilot.result(),
                                    {.clusters = clusters_, .largest = largest_});
  }

  [[nodiscard]] std::string Text(const calibrate::Plan& plan, std::size_t width) const {
    report::TextTable table({"clusters", "<rule", "GO", "NO-GO", "ABSTAIN"});
    for (const calibrate::PlanPoint& point : plan.points) {
      if (!point.decides) {
        table.AddRow({std::to_string(point.clusters), "any", "none", "none", "none"});
        continue;
      }
      for (const calibrate::RuleUnderTest rule :
           {calibrate::RuleUnderTest::kLeavePairOut, calibrate::RuleUnderTest::kCalibrated,
            calibrate::RuleUnderTest::kPaper}) {
        const auto& answer = point.answer[static_cast<std::size_t>(rule)];
        if (answer[0].total == 0) continue;
        std::vector<std::string> row = {std::to_string(point.clusters), std::string(Name(rule))};
        for (const calibrate::Proportion& p : answer) {
          row.push_back(Percent(p.share(), 0));
        }
        table.AddRow(std::move(row));
      }
    }
    const auto needed = [&](const std::optional<std::size_t>& clusters) {
      return clusters ? fmt::format("about {}", *clusters) : fmt::format("more than {}", largest_);
    };
    std::string text = table.Render(width);
    if (logged_) {
      text += fmt::format("  a log: at each of {} queries in a cluster {} ('gonogo randomise')\n",
                          world_.queries, Tries());
    }
    if (std::any_of(plan.points.begin(), plan.points.end(),
                    [](const calibrate::PlanPoint& point) { return !point.decides; })) {
      text += "  none: fewer clusters than the protocol declares (min_clusters) give no decision\n";
    }
    if (plan.sequential) text += Sequential(*plan.sequential);
    if (largest_ == 0) return text;
    return text + fmt::format("  clusters for 80 % power, {} rule: {}; for 90 %: {}\n", Name(rule_),
                              needed(plan.clusters_80), needed(plan.clusters_90));
  }

  static std::string Sequential(const calibrate::SequentialPlan& plan) {
    std::string ends;
    for (std::size_t i = 0; i < plan.looks_at.size(); ++i) {
      ends += fmt::format("{}{} in {}", i == 0 ? "" : ", ", plan.looks_at[i],
                          Percent(plan.ends[i].share(), 0));
    }
    return fmt::format(
        "  looks at growing data as declared (rule.looks_at): GO in {}, NO-GO in {}, ABSTAIN in "
        "{},\n  with {} clusters on average; it ends at {} of cases. One look at {} clusters: GO "
        "in "
        "{}\n",
        Percent(plan.answer[0].share(), 0), Percent(plan.answer[1].share(), 0),
        Percent(plan.answer[2].share(), 0), Decimal(plan.mean_clusters, 0), ends,
        plan.looks_at.back(), Percent(plan.one_look[0].share(), 0));
  }

  static constexpr int kMostClusters = 10'000;

  std::string pilot_;
  calibrate::RuleUnderTest rule_ =
      calibrate::RuleUnderTest::kCalibrated;  ///< whose power is searched for
  double effect_ = 0.02;
  calibrate::SyntheticWorld world_;
  std::vector<std::size_t> clusters_;
  std::size_t data_sets_ = 200;
  std::size_t largest_ = 160;
  bool logged_ = false;
  std::vector<double> explore_;
  ProtocolFlags flags_;
};

}  // namespace

std::unique_ptr<Verb> MakePlanVerb() { return std::make_unique<PlanVerb>(); }

}  // namespace gonogo::cli
