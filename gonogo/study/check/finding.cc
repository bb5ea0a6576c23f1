// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/finding.h"

namespace gonogo::study {

CheckVerdict VerdictOf(const std::vector<Finding>& findings) {
  CheckVerdict verdict = CheckVerdict::kOk;
  for (const Finding& finding : findings) {
    if (finding.severity == Severity::kBroken) return CheckVerdict::kBroken;
    if (finding.severity == Severity::kSuspicious) verdict = CheckVerdict::kSuspicious;
  }
  return verdict;
}

const char* Name(CheckVerdict verdict) {
  switch (verdict) {
    case CheckVerdict::kOk:
      return "ok";
    case CheckVerdict::kSuspicious:
      return "suspicious";
    case CheckVerdict::kBroken:
      return "broken";
  }
  return "";
}

const char* Name(Severity severity) {
  switch (severity) {
    case Severity::kNote:
      return "note";
    case Severity::kSuspicious:
      return "suspicious";
    case Severity::kBroken:
      return "broken";
  }
  return "";
}

}  // namespace gonogo::study
