// SPDX-License-Identifier: Apache-2.0
#include "gonogo/audit/run/run.h"

#include <algorithm>

#include <fmt/format.h>

#include "gonogo/audit/audit.h"
#include "gonogo/audit/learners/learner.h"
#include "gonogo/audit/refit/asked_problem.h"
#include "gonogo/audit/run/findings.h"
#include "gonogo/audit/session/cluster_hashes.h"
#include "gonogo/audit/session/session.h"
#include "gonogo/base/check.h"
#include "gonogo/io/sha256.h"

namespace gonogo::audit {
namespace {

/// Where nobody declared anything the answer is descriptive in any case: a quick learner gives a
/// first one in seconds. Tells whether that is so.
bool UseQuickLearner(AuditJob& job) {
  const bool is_first_look =
      job.request.any_learner && job.request.choices.empty() && !job.declared.has_value();
  if (is_first_look) job.protocol.learner.kind = LearnerKind::kRidge;
  return is_first_look;
}

/// Every other learner with the declared target, or its own where none is declared; with
/// `every_target` every learner with every target but the declared pair.
std::vector<LearnerConfig> OtherLearners(const LearnerConfig& declared, bool every_target) {
  std::vector<LearnerConfig> others;
  const auto add = [&](LearnerKind kind, std::optional<LearnerTarget> target) {
    LearnerConfig other = declared;
    other.kind = kind;
    other.target = target;
    if (target == OwnTarget(kind)) other.target.reset();
    if (!(other == declared)) others.push_back(other);
  };
  for (const LearnerKind kind : {LearnerKind::kMlp, LearnerKind::kRidge, LearnerKind::kTrees,
                                 LearnerKind::kForest, LearnerKind::kPolicy}) {
    if (!every_target) {
      if (kind != declared.kind) add(kind, declared.target);
      continue;
    }
    for (const LearnerTarget target :
         {LearnerTarget::kRatio, LearnerTarget::kDifference, LearnerTarget::kLog}) {
      add(kind, target);
    }
  }
  return others;
}

/// Under which name a session keeps the refits of such a learner, and of another seed.
std::string RefitsOf(const LearnerConfig& learner) {
  if (!learner.target) return fmt::format("refits-{}", Name(learner.kind));
  return fmt::format("refits-{}-{}", Name(learner.kind), Name(*learner.target));
}
std::string RefitsOfSeed(std::uint64_t seed) { return fmt::format("refits-seed-{}", seed); }

/// The same protocol about new clusters instead of known ones, or the other way round; from folds
/// alone, a tenth of the fits, and no decision in any case.
Protocol WithOtherQuestion(Protocol protocol) {
  const bool known = protocol.question.deploy == Deployment::kKnownClusters;
  protocol.question.deploy = known ? Deployment::kNewClusters : Deployment::kKnownClusters;
  protocol.bootstrap.method = IntervalMethod::kFolds;
  return protocol;
}

/// One audit on its way from a job to a report.
class Running {
 public:
  Running(const AuditRequest& request, Session session, const Executions& executions)
      : request_(request), session_(std::move(session)), executions_(executions) {}

  [[nodiscard]] Result<AuditReport> Finish(const AuditJob& job, bool is_first_look) {
    Result<AuditResult> declared = Declared();
    if (!declared.ok()) return InTable(session_.read().name, declared.error());
    AuditFindings found{.result = std::move(declared).value()};
    std::vector<std::string>& warnings = found.result.warnings;
    warnings.insert(warnings.end(), job.remarks.begin(), job.remarks.end());
    GONOGO_TRY(Compare(found));
    GONOGO_TRY(Choose(found));
    AuditReport report{.table = session_.TakeTable(),
                       .folder = session_.folder(),
                       .is_first_look = is_first_look,
                       .json = ToJson(found),
                       .findings = std::make_shared<const AuditFindings>(std::move(found))};
    if (!report.table.name.empty()) {
      report.json["provenance"]["collection"] = CollectionOf(report.table.table);
    }
    if (job.writes_result) GONOGO_TRY(session_.Finish(report.json));
    return report;
  }

 private:
  [[nodiscard]] Execution Part(const std::string& label) const {
    return executions_({label, session_.folder(), session_.read().file});
  }

  [[nodiscard]] Result<AuditResult> Declared() const {
    if (!request_.choices.empty()) return session_.Choices();
    return Variant("refits", session_.protocol());
  }

  [[nodiscard]] Result<AuditResult> Variant(const std::string& refits,
                                            const Protocol& variant) const {
    return session_.AuditVariant(refits, variant,
                                 Part(fmt::format("{} refits", Name(variant.learner.kind))));
  }

  /// The same audit under other learners, seeds, features and another question. Only what was
  /// declared can be confirmatory.
  [[nodiscard]] Status Compare(AuditFindings& found) const {
    if (request_.choices.empty()) {
      if (request_.learner == "all") GONOGO_TRY(CompareLearners(found));
      if (request_.seeds > 0) GONOGO_TRY(CompareSeeds(found));
    }
    if (request_.ablation) found.ablation = GONOGO_TRY(session_.Ablation(Part("ablation")));
    // Where known clusters are declared, new ones are what most people would ask about.
    const bool known = session_.protocol().question.deploy == Deployment::kKnownClusters;
    if ((known || request_.other_question) && request_.choices.empty()) {
      found.other_question =
          GONOGO_TRY(Variant("refits-other-question", WithOtherQuestion(session_.protocol())));
    }
    return {};
  }

  [[nodiscard]] Status CompareLearners(AuditFindings& found) const {
    // Only readings are kept: replicates of a large table would fill the memory.
    const auto add = [&](AuditResult result) {
      result.cross_fit.clear();
      result.bootstrap.clear();
      result.pair_fits.clear();
      found.learners.push_back(std::move(result));
    };
    add(found.result);
    for (const LearnerConfig& other :
         OtherLearners(session_.protocol().learner, request_.target == "all")) {
      Protocol variant = session_.protocol();
      variant.learner = other;
      add(GONOGO_TRY(Variant(RefitsOf(other), variant)));
    }
    return {};
  }

  [[nodiscard]] Status CompareSeeds(AuditFindings& found) const {
    const std::uint64_t first = session_.protocol().bootstrap.seed;
    found.seeds.push_back(SeedReading::Of(first, found.result));
    for (std::uint64_t seed = first + 1; seed < first + request_.seeds; ++seed) {
      Protocol variant = session_.protocol();
      variant.bootstrap.seed = seed;
      const AuditResult result = GONOGO_TRY(Variant(RefitsOfSeed(seed), variant));
      found.seeds.push_back(SeedReading::Of(seed, result));
    }
    return {};
  }

  [[nodiscard]] Status Choose(AuditFindings& found) const {
    if (request_.map.empty() && !request_.keeps_choices) return {};
    const std::unique_ptr<const AskedOutcomes> asked =
        GONOGO_TRY(AskedOutcomes::Open(session_.table(), session_.protocol(), {}));
    found.choices =
        GONOGO_TRY(ChooseEverywhere(asked->outcomes(), found.result, Part("fits for the choices")));
    if (request_.map.empty()) return {};
    found.map = GONOGO_TRY(MapChoices(asked->outcomes(), found.choices->choice, request_.map));
    return {};
  }

  AuditRequest request_;
  Session session_;
  const Executions& executions_;
};

/// Checks the job and opens its run; its table and protocol move into the session.
Result<Session> OpenRun(AuditJob& job, io::Sharing sharing) {
  const Status auditable = CheckRequest(job.table.table, job.protocol, job.request);
  if (!auditable.ok()) return InTable(job.table.name, auditable.error());
  SpellOutDeclaration(job.declared.value_or(Protocol{}), job.table.table);
  return Session::Open(std::move(job.table), job.protocol,
                       {.folder = job.folder,
                        .name = job.name,
                        .is_look = job.is_look,
                        .sharing = sharing,
                        .asked = job.asked.is_null() ? job.request.Asked() : job.asked});
}

}  // namespace

TableFile MadeInMemory(OutcomeTable table, std::string name) {
  const nlohmann::json contents = ClusterHashes(table);
  return {.table = std::move(table),
          .name = std::move(name),
          .contents_sha256 = io::Sha256Hex(contents.dump())};
}

nlohmann::json AuditRequest::Asked() const {
  nlohmann::json asked = {{"verb", "audit"},
                          {"learner", learner},
                          {"choices", choices},
                          {"ablation", ablation},
                          {"seeds", seeds}};
  if (!target.empty()) asked["target"] = target;  // older runs have no such key and can go on
  if (other_question) asked["other_question"] = true;
  return asked;
}

AuditJob PilotJob(TableFile pilot, const Protocol& protocol) {
  return {.table = std::move(pilot),
          .protocol = protocol,
          .name = protocol.name + "-plan",
          .asked = {{"verb", "plan"}},
          .is_look = false,
          .writes_result = false};
}

Status CheckRequest(const OutcomeTable& table, const Protocol& protocol,
                    const AuditRequest& request) {
  if (request.target == "all" && request.learner != "all") {
    return UsageError("target \"all\" compares targets of every learner: ask for learner \"all\"");
  }
  if (request.ablation && protocol.feature_sets.empty()) {
    return UsageError("an ablation needs [feature_sets] in the protocol");
  }
  if (!request.map.empty()) GONOGO_TRY(CheckMappable(table, request.map));
  if (!request.choices.empty()) return CheckChoices(table, protocol);
  GONOGO_TRY(CheckAuditable(table, protocol));
  for (const FeatureSet& set : protocol.feature_sets) {
    if (request.ablation) GONOGO_TRY(CheckGroups(table, set.groups));
  }
  return {};
}

Error InTable(const std::string& name, const Error& error) {
  if (error.kind != ErrorKind::kInput || error.message.starts_with(name)) return error;
  return {ErrorKind::kInput, name + ": " + error.message};
}

void SpellOutDeclaration(const Protocol& declared, OutcomeTable& table) {
  if (table.declaration_sha256.empty() || !table.declaration.empty()) return;
  if (Fingerprint(declared) == table.declaration_sha256) {
    table.declaration = CanonicalText(declared);
  }
}

Executions Everywhere(const Execution& execution) {
  return [execution](const AuditPart&) { return execution; };
}

const AuditResult& AuditReport::result() const { return findings->result; }

Result<AuditReport> Run(AuditJob job, const Executions& executions) {
  const bool is_first_look = UseQuickLearner(job);
  Session session = GONOGO_TRY(OpenRun(job, io::Sharing::kNobody));
  return Running(job.request, std::move(session), executions).Finish(job, is_first_look);
}

Result<std::filesystem::path> RunShard(AuditJob job, const Shard& shard,
                                       const Executions& executions) {
  (void)UseQuickLearner(job);
  job.is_look = false;
  const Session session = GONOGO_TRY(OpenRun(job, io::Sharing::kShards));
  for (std::size_t i = 0; i < std::max<std::size_t>(job.request.seeds, 1); ++i) {
    Protocol variant = session.protocol();
    variant.bootstrap.seed += i;
    const std::string refits = i == 0 ? "refits" : RefitsOfSeed(variant.bootstrap.seed);
    GONOGO_TRY(session.FitShard(refits, variant, shard,
                                executions({fmt::format("refits of {}", shard.name()), {}, {}})));
  }
  return session.folder();
}

Status WriteChoices(const std::filesystem::path& file, const AuditReport& report) {
  GONOGO_CHECK(report.findings->choices.has_value());
  const std::unique_ptr<const AskedOutcomes> asked =
      GONOGO_TRY(AskedOutcomes::Open(report.table.table, report.result().protocol, {}));
  return WriteChoices(file, asked->outcomes(), *report.findings->choices);
}

}  // namespace gonogo::audit
