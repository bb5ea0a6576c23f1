# SPDX-License-Identifier: Apache-2.0
"""Is a learned command adapter worth it? GO, NO-GO or ABSTAIN.

    import gonogo
    table = gonogo.Table.from_pandas(df, cluster="seed", query="state", action="command", cost="work_j", features=["obs_*"])
    result = gonogo.audit(table, learner="ridge")
    result.decision, result.channels
    result.report("report.html")

Tables, protocols, audits, plans, controls and calibration need nothing but NumPy; where pandas is installed, rows come as a
DataFrame. Robots are another package, ``pip install gonogo-sim``: :func:`study` answers the question for one, :class:`World` simulates it.
"""
import importlib.util as _importlib_util
import sys as _sys

# Where the package with robots is installed, its extension module takes the place of ours: the same and more.
if _importlib_util.find_spec("gonogo_sim") is not None:
    from gonogo_sim import _native as _with_robots

    _sys.modules[__name__ + "._native"] = _native = _with_robots

from ._adapter import Adapter, choose
from ._audit import audit, calibrate, calibration_cells, choices, control, plan, report
from ._errors import Error, InputError, InternalError, Interrupted, IoError, UsageError
from ._native import HAS_ROBOTS as _HAS_ROBOTS
from ._native import __version__
from ._protocol import Protocol, protocol_keys
from ._result import Calibration, Control, Plan, Result
from ._table import Table

__all__ = [
    "Adapter", "Calibration", "Control", "Error", "InputError", "InternalError", "Interrupted", "IoError", "Plan", "Protocol", "Result",
    "Table", "UsageError", "__version__", "audit", "calibrate", "calibration_cells", "choices", "choose", "control", "plan", "protocol_keys", "report",
]
#: What simulates robots: not in a build for tables alone.
_ROBOTS = ["Branch", "Check", "Collection", "Confirmation", "Episode", "Query", "Sight", "Snapshot", "Study", "World", "branches", "check",
           "collect", "confirm", "controllers", "study"]

if _HAS_ROBOTS:
    from ._branches import branches
    from ._native import Query, Sight, Snapshot
    from ._study import Check, Collection, Confirmation, Study, check, collect, confirm, study
    from ._world import Branch, Episode, World, controllers

    __all__ += _ROBOTS
    for _class in (Query, Sight, Snapshot):
        _class.__module__ = "gonogo"
else:
    def __getattr__(name: str) -> object:
        if name in _ROBOTS:
            raise ImportError(f"gonogo.{name} is about simulated robots, which the package gonogo-sim has: pip install gonogo-sim, or "
                              "the Debian package python3-gonogo-sim", name="gonogo")
        raise AttributeError(f"module 'gonogo' has no attribute {name!r}")
