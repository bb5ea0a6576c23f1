// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a user of the library needs, in one include:
///
/// | function | what it does |
/// |---|---|
/// | `audit::LoadProtocol` | reads what was declared (`audit.toml`) |
/// | `audit::ReadTable` | reads a table of outcomes, CSV or HDF5 |
/// | `audit::ArrangeTable` | makes one of arrays in memory, in any order |
/// | `audit::WriteTable` | writes it as HDF5 |
/// | `audit::RunAudit` | the audit: GO, NO-GO or ABSTAIN |
/// | `audit::AuditChoices` | the same for an adapter that exists already |
/// | `audit::ToJson` | everything an audit found |
/// | `report::ResultPage` | its self-contained HTML page |
/// | `calibrate::PlanFromPilot` | how many clusters a larger audit needs |
/// | `control::Controller` | a task layer over a policy, to derive from or to call |
///
/// Components of the package: `audit` (everything but the last line; no MuJoCo, no ONNX),
/// `control`, `sim` (worlds: `gonogo/sim/loop/env.h`, `gonogo/study/site.h`) and `all`.
/// docs/howto/cpp.md has a complete project.
#pragma once

#include "gonogo/audit/audit.h"
#include "gonogo/audit/result/result_json.h"
#include "gonogo/audit/table/arrange_table.h"
#include "gonogo/audit/table/table_reader.h"
#include "gonogo/calibrate/plan/plan.h"
#include "gonogo/control/controller.h"
#include "gonogo/report/result_page.h"
