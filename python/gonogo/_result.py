# SPDX-License-Identifier: Apache-2.0
"""What computations found."""
from __future__ import annotations

import json
import os
import pathlib
from collections.abc import Sequence
from html import escape
from typing import Any

from . import _arrow, _native
from ._adapter import Adapter
from ._errors import UsageError

_COLOURS = {"GO": "#1a7f37", "NO-GO": "#b42318", "ABSTAIN": "#9a6700"}


class Rows(list[dict[str, Any]]):
    """Rows as dictionaries, and a frame for anything that speaks Arrow: ``polars.DataFrame(result.channels)``."""

    def __arrow_c_stream__(self, requested_schema: object = None) -> Any:
        names = list(dict.fromkeys(name for row in self for name in row))
        return _arrow.stream({name: [row.get(name) for row in self] for name in names})


def _frame(rows: list[dict[str, Any]]) -> Any:
    """A DataFrame where pandas is installed, else the rows."""
    try:
        import pandas as pd
    except ImportError:
        return Rows(rows)
    return pd.DataFrame(rows)


class JsonResult:
    """A result whose contents are those of a file the command line writes; every key of it can be looked up: ``result["status"]``."""

    def __init__(self, text: str, folder: str = "") -> None:
        self._text = text
        self._json: dict[str, Any] = json.loads(text)
        self._folder = folder

    @property
    def json(self) -> dict[str, Any]:
        """Everything, as docs/reference/formats.md describes it."""
        return self._json

    def to_json(self) -> str:
        """The bytes of ``result.json``."""
        return self._text

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes ``result.json``."""
        pathlib.Path(path).write_text(self._text, encoding="utf-8")

    @property
    def folder(self) -> pathlib.Path | None:
        """Where refits, ``result.json`` and ``report.html`` lie; None where nothing was written."""
        return pathlib.Path(self._folder) if self._folder else None

    def __getitem__(self, key: str) -> Any:
        return self._json[key]


class _Reported(JsonResult):
    """A result that has a page."""

    def _page(self, controls: Sequence[Control] = ()) -> str:
        for control in controls:
            if not isinstance(control, Control):
                raise UsageError(f"controls holds {type(control).__name__}, expected what gonogo.control returned")
        return _native.report_page(self._text, self._folder or "result", [control.to_json() for control in controls])

    def report(self, path: str | os.PathLike[str]) -> pathlib.Path:
        """Writes the self-contained HTML page."""
        target = pathlib.Path(path)
        target.write_text(self._page(), encoding="utf-8")
        return target


class Result(_Reported):
    """What an audit found. Printed, it is what the command line prints; in a notebook it shows itself."""

    def __init__(self, text: str, shown: str, folder: str = "", adapter: str = "") -> None:
        super().__init__(text, folder)
        self._shown = shown
        self._exported = adapter

    @property
    def adapter(self) -> Adapter | None:
        """The adapter that ``gonogo.audit(..., export=FOLDER)`` wrote; None where nothing was exported."""
        return Adapter.load(self._exported) if self._exported else None

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Result:
        """Reads a ``result.json``."""
        return cls(pathlib.Path(path).read_text(encoding="utf-8"), "")

    @property
    def decision(self) -> str | None:
        """``"GO"``, ``"NO-GO"`` or ``"ABSTAIN"``; None for a descriptive result, which decides nothing."""
        return self["decision"]

    @property
    def reading(self) -> str | None:
        """What the declared rule says about the intervals whatever the status; None with fewer clusters than declared."""
        return self["reading"]

    @property
    def status(self) -> str:
        """``"confirmatory"`` or ``"descriptive"``."""
        return self["status"]

    @property
    def reasons(self) -> list[str]:
        """Why the result is only descriptive; empty when it is confirmatory."""
        return self["reasons"]

    @property
    def warnings(self) -> list[str]:
        return self["warnings"]

    @property
    def fingerprint(self) -> str:
        """Of the protocol that was used."""
        return self["fingerprint"]

    @property
    def channels(self) -> Any:
        """One row per rule and channel: point, lower, upper, threshold, state. A DataFrame where pandas is installed."""
        rows = []
        for channel in self["channels"]:
            decided = channel["decided_by"] or {"end": None, "value": None}
            rows.append({**{key: channel[key] for key in ("name", "rule", "decides", "point", "lower", "upper", "threshold",
                                                          "needed", "state")},
                         "decided_by": decided["end"]})
        return _frame(rows)

    @property
    def estimates(self) -> Any:
        """One row per quantity, with the paper's intervals."""
        return _frame([{"name": name, **estimate} for name, estimate in self["estimates"].items()])

    @property
    def actions(self) -> Any:
        """One row per action: how often it was chosen, what it gains."""
        return _frame(self["actions"])

    @property
    def folds(self) -> Any:
        """One row per held-out cluster."""
        return _frame([{key: value for key, value in fold.items() if key != "cost"} for fold in self["folds"]])

    def report(self, path: str | os.PathLike[str], controls: Sequence[Control] = ()) -> pathlib.Path:
        """Writes the self-contained HTML page, with controls of the same table in it."""
        target = pathlib.Path(path)
        target.write_text(self._page(controls), encoding="utf-8")
        return target

    @property
    def verdict(self) -> str:
        """The decision, or what a descriptive result would read."""
        if self.decision is not None:
            return self.decision
        return f"DESCRIPTIVE (would read {self.reading})" if self.reading else "DESCRIPTIVE"

    def __str__(self) -> str:
        return self._shown or repr(self)

    def __repr__(self) -> str:
        return f"<gonogo.Result {self.verdict}, {self['source']}, {self['table']['clusters']} clusters>"

    def _repr_html_(self) -> str:
        colour = _COLOURS.get(self.decision or "", "#57606a")
        rows = "".join(
            "<tr>" + "".join(f"<td>{escape(_shown(value))}</td>" for value in (
                channel["name"], channel["rule"] + (" (decides)" if channel["decides"] else ""), channel["point"],
                _interval(channel), channel["needed"], channel["state"] or "not read")) + "</tr>"
            for channel in self["channels"])
        reasons = "".join(f"<li>{escape(reason)}</li>" for reason in self.reasons)
        header = "".join(f"<th>{name}</th>" for name in ("channel", "rule", "point", "interval", "needed for GO", "state"))
        why = f"<p>Descriptive, because:</p><ul>{reasons}</ul>" if reasons else ""
        return (f"<div><p><b style='color:{colour};font-size:120%'>{escape(self.verdict)}</b> "
                f"{escape(self['protocol']['name'])}, {escape(self['source'])}, {self['table']['clusters']} clusters</p>"
                f"<table><thead><tr>{header}</tr></thead><tbody>{rows}</tbody></table>{why}</div>")


def _shown(value: Any) -> str:
    return f"{100 * value:.2f} %" if isinstance(value, float) else str(value)


def _interval(channel: dict[str, Any]) -> str:
    if channel["lower"] is None:
        return "–"
    return f"[{100 * channel['lower']:.2f}, {100 * channel['upper']:.2f}] %"


class Control(_Reported):
    """What a calibration control found."""

    @property
    def kind(self) -> str:
        """``"observable"`` or ``"hidden"``."""
        return self["kind"]

    @property
    def points(self) -> Any:
        """One row per planted bonus or hidden mapping: gamma, reading, H_dep, H_alloc and q."""
        rows = []
        for point in self["points"]:
            row = {key: point[key] for key in ("gamma", "reading")}
            for name in ("H_dep", "H_alloc", "q"):
                estimate = point.get(name) or point.get("estimates", {}).get(name)
                if isinstance(estimate, dict):
                    row.update({name: estimate["point"], name + "_lower": estimate["lower"], name + "_upper": estimate["upper"]})
            rows.append(row)
        return _frame(rows)

    def __repr__(self) -> str:
        return f"<gonogo.Control {self.kind}, {len(self['points'])} audits>"


class Plan(JsonResult):
    """How many clusters an audit needs."""

    @property
    def points(self) -> Any:
        """One row per cluster count and rule: how likely GO, NO-GO and ABSTAIN are."""
        return _frame([_flat(row) for row in self["points"]])

    @property
    def clusters_80(self) -> int | None:
        """Fewest clusters with 80 % power; None when even the largest number tried is not enough."""
        return self["clusters_for_80_percent"]

    @property
    def clusters_90(self) -> int | None:
        return self["clusters_for_90_percent"]

    def __repr__(self) -> str:
        return f"<gonogo.Plan 80 % power: {self.clusters_80 or 'not reached'}, 90 %: {self.clusters_90 or 'not reached'}>"


class Calibration(_Reported):
    """How often verdicts are wrong in worlds whose truth is known."""

    def __repr__(self) -> str:
        count = len(self["cells"])
        return f"<gonogo.Calibration {count} {'world' if count == 1 else 'worlds'}>"


def _flat(row: dict[str, Any], prefix: str = "") -> dict[str, Any]:
    """Nested keys joined by dots."""
    flat: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            flat.update(_flat(value, f"{prefix}{key}."))
        else:
            flat[prefix + key] = value
    return flat
