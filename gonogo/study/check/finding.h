// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace gonogo::study {

/// How much a finding says about a robot's description.
enum class Severity {
  kNote,        ///< worth knowing
  kSuspicious,  ///< some correct robots look like this; most that do are described wrongly
  kBroken,      ///< nothing measured on this robot would mean anything
};

/// Something a check noticed, in whole sentences.
struct Finding {
  Severity severity = Severity::kNote;
  std::string subject;  ///< what was looked at, such as "standing" or "time step"
  std::string what;     ///< what was measured
  std::string cause;    ///< likely reasons and what to look at; may be empty
};

/// The gravest of the findings; a note is none.
enum class CheckVerdict { kOk, kSuspicious, kBroken };

[[nodiscard]] CheckVerdict VerdictOf(const std::vector<Finding>& findings);
/// "ok", "suspicious", "broken".
[[nodiscard]] const char* Name(CheckVerdict verdict);
/// "note", "suspicious", "broken".
[[nodiscard]] const char* Name(Severity severity);

/// The findings, gravest first, each with its likely cause; `paint` shows how grave they are.
[[nodiscard]] std::string FindingsText(
    const std::vector<Finding>& findings,
    const std::function<std::string(Severity)>& paint = [](Severity s) { return Name(s); });

}  // namespace gonogo::study
