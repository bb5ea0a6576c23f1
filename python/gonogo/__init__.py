# SPDX-License-Identifier: Apache-2.0
"""Is a learned command adapter worth it? GO, NO-GO or ABSTAIN.

    import gonogo
    table = gonogo.Table.from_pandas(df, cluster="seed", query="state", action="command", cost="work_j", features=["obs_*"])
    result = gonogo.audit(table, learner="ridge")
    result.decision, result.channels
    result.report("report.html")

Tables, protocols, audits, plans, controls and calibration need nothing but NumPy; where pandas is installed, rows come as a
DataFrame. :class:`World` simulates a robot.
"""
from ._adapter import Adapter
from ._audit import audit, calibrate, calibration_cells, choices, control, plan, report
from ._branches import branches
from ._errors import Error, InputError, InternalError, Interrupted, IoError, UsageError
from ._native import Query, Sight, Snapshot, __version__
from ._protocol import Protocol, protocol_keys
from ._result import Calibration, Control, Plan, Result
from ._table import Table
from ._world import Branch, Episode, World, controllers

__all__ = [
    "Adapter", "Branch", "Calibration", "Control", "Episode", "Error", "InputError", "InternalError", "Interrupted", "IoError", "Plan",
    "Protocol", "Query", "Result", "Sight", "Snapshot", "Table", "UsageError", "World", "__version__", "audit", "branches", "calibrate",
    "calibration_cells", "choices", "control", "controllers", "plan", "protocol_keys", "report",
]

for _class in (Query, Sight, Snapshot):
    _class.__module__ = "gonogo"
