// SPDX-License-Identifier: Apache-2.0
#include "gonogo/paper/evaluation_studies.h"

#include "gonogo/base/nearest.h"
#include "gonogo/paper/studies/studies.h"

namespace gonogo::paper {
namespace {

using Blocks = std::vector<study::EvaluationBlock>;
using Evaluations = std::span<const study::Evaluation>;
using Sections = std::vector<report::Section>;

// The paper does not name its evaluation seeds. Studies that it describes as parts of one another
// share seeds here, so that they share episodes too.
const std::vector<std::uint64_t> kHarderSeeds{101, 102, 103, 104, 105};
const std::vector<std::uint64_t> kFrontierSeeds{901, 902, 903, 904, 905, 906};
const std::vector<std::uint64_t> kFirstFrontierSeeds{901, 902, 903};
const std::vector<std::uint64_t> kTorqueSeeds{801, 802, 803};
const std::vector<std::uint64_t> kCoverageSeeds{201, 202, 203};
const std::vector<std::string> kBoth{"direct", "vgcc"};

study::EvaluationBlock Block(const char* family, std::vector<std::uint64_t> seeds, int trials,
                             std::vector<std::string> methods, std::size_t scene = 0) {
  return {.scene = scene,
          .plan = {.family = family, .seeds = std::move(seeds), .trials = trials},
          .methods = std::move(methods)};
}

Blocks CoverageBlocks(std::size_t robots) {
  Blocks blocks{Block("harder", kHarderSeeds, 10, kBoth),
                Block("moderate", kCoverageSeeds, 10, kBoth),
                Block("holdout", kCoverageSeeds, 5, kBoth)};
  for (std::size_t robot = 1; robot < robots; ++robot) {
    blocks.push_back(Block("harder", kCoverageSeeds, 5, kBoth, robot));
  }
  return blocks;
}

Blocks RetrievalBlocks(std::size_t robots) {
  Blocks blocks{Block("harder", kHarderSeeds, 5,
                      {"direct", "vgcc", "vgsr", "vgsr-no-gate", "vgsr-2000", "vgsr-500"}),
                Block("holdout", kCoverageSeeds, 5, {"direct", "vgcc", "vgsr"})};
  for (std::size_t robot = 1; robot < robots; ++robot) {
    blocks.push_back(Block("harder", kCoverageSeeds, 5, {"direct", "vgcc", "vgsr"}, robot));
  }
  return blocks;
}

/// A study of one evaluation and one section.
EvaluationStudy Simple(const char* name, const char* summary, study::EvaluationBlock block,
                       report::Section (*section)(const study::Evaluation&)) {
  return {.name = name,
          .summary = summary,
          .blocks = [block = std::move(block)](std::size_t) { return Blocks{block}; },
          .present = [section](Evaluations e) { return Sections{section(e.front())}; }};
}

std::vector<EvaluationStudy> MakeStudies() {
  EvaluationStudy frontier =
      Simple("frontier", "all controllers by time and cost of transport, scale oracle",
             Block("harder", kFrontierSeeds, 2,
                   {"direct", "scale-0.90", "vgcc", "vgcc-power", "scale-0.75", "governor", "mpc"}),
             FrontierSection);
  frontier.present = [](Evaluations e) {
    return Sections{FrontierSection(e.front()), ScaleOracleSection(e.front())};
  };
  return {
      frontier,
      Simple("harder", "VGCC against direct control, 400 episodes each",
             Block("harder", kHarderSeeds, 10, kBoth), HarderSection),
      Simple("per-target", "the same episodes target by target",
             Block("harder", kHarderSeeds, 10, kBoth), PerTargetSection),
      Simple("torque", "mechanical work of VGCC and direct control",
             Block("harder", kTorqueSeeds, 2, kBoth), TorqueSection),
      {.name = "coverage",
       .summary = "other targets, and other robots if more than one is given",
       .many_robots = true,
       .blocks = CoverageBlocks,
       .present = [](Evaluations e) { return Sections{CoverageSection(e)}; }},
      Simple("ablation", "VGCC without each of its parts",
             Block("harder", {101, 102}, 5,
                   {"direct", "vgcc", "vgcc-no-anneal", "vgcc-no-gate", "vgcc-no-floor",
                    "vgcc-substitute", "vgcc-quarter-data", "vgcc-absolute-margin"}),
             AblationSection),
      Simple("objective", "ranking by cost or by cost per progress",
             Block("harder", kFirstFrontierSeeds, 2, {"direct", "vgcc", "vgcc-cost-per-progress"}),
             ObjectiveSection),
      {.name = "retrieval",
       .summary = "the archive variant VGSR, its gate and its size",
       .many_robots = true,
       .blocks = RetrievalBlocks,
       .present = [](Evaluations e) { return Sections{RetrievalSection(e)}; }},
  };
}

}  // namespace

const std::vector<EvaluationStudy>& EvaluationStudies() {
  static const std::vector<EvaluationStudy> kStudies = MakeStudies();
  return kStudies;
}

Result<EvaluationStudy> FindEvaluationStudy(const std::string& name) {
  std::vector<std::string> names;
  for (const EvaluationStudy& study : EvaluationStudies()) {
    if (study.name == name) return study;
    names.push_back(study.name);
  }
  return UsageError("--study {}: no such study{}; there are {}", name, DidYouMean(name, names),
                    fmt::join(names, ", "));
}

}  // namespace gonogo::paper
