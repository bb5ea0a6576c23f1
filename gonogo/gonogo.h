// SPDX-License-Identifier: Apache-2.0
/// \file
/// What a user of the library needs, in one include:
///
/// | function | what it does |
/// |---|---|
/// | `audit::LoadProtocol` | reads what was declared (`audit.toml`) |
/// | `audit::ReadTable` | reads a table of outcomes, CSV or HDF5, with its hash |
/// | `audit::ArrangeTable`, `audit::MadeInMemory` | make one of arrays in memory, in any order |
/// | `audit::WriteTable` | writes it as HDF5 |
/// | `audit::Run` | the audit, of a learner or of an adapter that exists: GO, NO-GO or ABSTAIN |
/// | `report::ResultPage` | the self-contained HTML page of an `audit::AuditReport` |
/// | `calibrate::PlanFromPilot` | how many clusters a larger audit needs (`audit::PilotJob`) |
/// | `control::Controller` | a task layer over a policy, to derive from or to call |
///
/// Components of the package: `audit` (everything but the last line; no MuJoCo, no ONNX),
/// `control`, `sim` (a controller on a robot: `gonogo/study/episode.h`) and `all`.
/// docs/howto/cpp.md has a complete project.
#pragma once

#include "gonogo/audit/run/run.h"
#include "gonogo/audit/table/arrange_table.h"
#include "gonogo/calibrate/plan/plan.h"
#include "gonogo/control/controller.h"
#include "gonogo/report/result_page.h"
