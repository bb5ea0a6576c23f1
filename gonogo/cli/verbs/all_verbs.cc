// SPDX-License-Identifier: Apache-2.0
#include "gonogo/cli/verbs/all_verbs.h"

namespace gonogo::cli {

std::vector<std::unique_ptr<Verb>> AllVerbs() {
  std::vector<std::unique_ptr<Verb>> verbs;
  verbs.push_back(MakeAuditVerb());
  verbs.push_back(MakeInitVerb());
  verbs.push_back(MakeDeclareVerb());
  verbs.push_back(MakeImportVerb());
  verbs.push_back(MakePlanVerb());
  verbs.push_back(MakeRandomiseVerb());
  verbs.push_back(MakeControlVerb());
  verbs.push_back(MakeReportVerb());
  verbs.push_back(MakeCalibrateVerb());
  verbs.push_back(MakeTrainVerb());
  verbs.push_back(MakeCheckVerb());
  verbs.push_back(MakeRolloutVerb());
  verbs.push_back(MakeIdentifyVerb());
  verbs.push_back(MakeEvaluateVerb());
  verbs.push_back(MakeCollectVerb());
  verbs.push_back(MakeMergeVerb());
  verbs.push_back(MakeBranchVerb());
  verbs.push_back(MakeConfirmVerb());
  verbs.push_back(MakeStudyVerb());
  verbs.push_back(MakeReproduceVerb());
  verbs.push_back(MakeViewVerb());
  verbs.push_back(MakeWatchVerb());
  verbs.push_back(MakeVersionVerb());
  return verbs;
}

}  // namespace gonogo::cli
