// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gonogo/audit/session/audit_request.h"
#include "gonogo/audit/session/session.h"

namespace gonogo::python {

/// The other audits that were asked for beside the declared one, as `gonogo audit --learner all
/// --seeds N --ablation` adds them to its result.
[[nodiscard]] Status AddComparisons(const audit::Session& session,
                                    const audit::AuditResult& declared,
                                    const audit::AuditRequest& request, const Execution& execution,
                                    nlohmann::json& result);

}  // namespace gonogo::python
