// SPDX-License-Identifier: Apache-2.0
#include "gonogo/study/check/finding.h"

#include <fmt/format.h>

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

std::string FindingsText(const std::vector<Finding>& findings,
                         const std::function<std::string(Severity)>& paint) {
  std::string text;
  for (const Severity severity : {Severity::kBroken, Severity::kSuspicious, Severity::kNote}) {
    for (const Finding& finding : findings) {
      if (finding.severity != severity) continue;
      text += fmt::format("  {} {}: {}\n", paint(severity), finding.subject, finding.what);
      if (!finding.cause.empty()) text += fmt::format("      {}\n", finding.cause);
    }
  }
  return text;
}

}  // namespace gonogo::study
