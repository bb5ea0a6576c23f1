// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include <nlohmann/json.hpp>

#include "gonogo/report/page/page.h"
#include "gonogo/report/text/text_table.h"

/// A result is put into words and tables once, here, from the JSON that a run keeps; the page shows
/// all of them, a terminal some. Shows what is there: a key the result does not have leaves out its
/// section.
namespace gonogo::report {

/// The report of an audit (`gonogo.audit-result/1`).
[[nodiscard]] Page MakeAuditPage(const nlohmann::json& result);

/// The report of a calibration control on a table (`gonogo control observable|hidden`): how much of
/// a planted signal the audit recovers, or how often it claims one that no feature shows.
[[nodiscard]] Page MakeControlPage(const nlohmann::json& control);

/// What a terminal shows of such a page: the verdict and the blocks that have a name.
[[nodiscard]] std::string PageText(const Page& page, const TextLook& look);

/// One look at growing data in a line, for whoever watches: "look 1 of 4, 20 clusters: H_dep at
/// least 0.41 % (needs > 1.00 %), …; reads ABSTAIN; …". `look` is an entry of a result's `path`.
[[nodiscard]] std::string LookLine(const nlohmann::json& look);

}  // namespace gonogo::report
