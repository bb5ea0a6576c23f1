# SPDX-License-Identifier: Apache-2.0
"""Features that are more than numbers, by the rules by which the command line reads them: what is missing is NaN, a category is the
position of its text among its levels, dates become numbers where the protocol asks for them (``table.dates``)."""
from __future__ import annotations

import numbers
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _arrays
from ._errors import InputError

Group = tuple[str, list[str], npt.NDArray[np.float32], list[list[str]]]

_MISSING = {"", "NA", "N/A", "n/a", "#N/A", "nan", "NaN", "NAN", "null", "NULL", "None", "NaT", "<NA>", "?", "-nan"}
_MOST_LEVELS = 4000
_FIRST_DAY = np.datetime64("2000-01-01", "us")


@dataclass
class Declared:
    """Which columns the protocol says are categories or dates, as patterns."""

    categories: Sequence[str] = ()
    dates: Sequence[str] = ()
    notes: list[str] = field(default_factory=list)  # what was left out

    def holds(self, patterns: Sequence[str], name: str) -> bool:
        return any(re.fullmatch(".*".join(re.escape(part) for part in pattern.split("*")), name) for pattern in patterns)


def _natural(text: str) -> list[tuple[int, int, str]]:
    return [(1, int(part), part) if part[0] in "0123456789" else (0, 0, part) for part in re.findall("[0-9]+|[^0-9]", text)]


def is_missing(value: Any) -> bool:
    if value is None or (isinstance(value, str) and value in _MISSING):
        return True
    try:
        return bool(value != value)  # NaN, NaT, pandas.NA
    except TypeError:  # pandas.NA
        return True
    except ValueError:  # an array
        return False


def _days(called: str, values: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    if values.dtype.kind != "M":
        converted = np.empty(len(values), dtype="datetime64[us]")
        for row, value in enumerate(values.tolist()):
            try:
                converted[row] = np.datetime64("NaT") if is_missing(value) else np.datetime64(value)
            except (ValueError, TypeError):
                raise InputError(f"{called}: row {row} is {value!r}, expected a date such as 2024-03-01 (table.dates)") from None
        values = converted
    days: npt.NDArray[np.float64] = (values.astype("datetime64[us]") - _FIRST_DAY) / np.timedelta64(86_400_000_000, "us")
    return days


def _date(called: str, name: str, values: npt.NDArray[Any]) -> list[tuple[str, npt.NDArray[np.float32], list[str]]]:
    days = _days(called, values)
    whole = np.floor(days)
    parts = [("days", days), ("weekday", (whole + 5) % 7 + 1)]
    if np.any(days[np.isfinite(days)] % 1 != 0):
        parts.append(("hour", (days - whole) * 24))
    return [(f"{name}.{part}", column.astype(np.float32), []) for part, column in parts]


def _is_utf8(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _texts(called: str, name: str, values: npt.NDArray[Any], cells: int, declared: Declared) -> list[tuple[str, npt.NDArray[np.float32], list[str]]]:
    """A column of Python objects: numbers with gaps, or texts."""
    listed = values.tolist()
    is_category = declared.holds(declared.categories, name)
    column = np.full(len(listed), np.nan, dtype=np.float64)
    texts: dict[str, int] = {}
    first_number = first_text = -1
    for row, value in enumerate(listed):
        if is_missing(value):
            continue
        is_number = isinstance(value, (numbers.Real, np.bool_))
        if isinstance(value, str) or (is_category and is_number):
            text = str(value)
            if not _is_utf8(text):
                raise InputError(f"{called}: row {row} is {value!r}, expected text that UTF-8 can hold")
            column[row] = texts.setdefault(text, len(texts))
            first_text = row if first_text < 0 else first_text
        elif is_number:
            column[row] = float(value)
            first_number = row if first_number < 0 else first_number
        else:
            raise InputError(f"{called}: row {row} is {value!r} ({type(value).__name__}), expected a number or text")
        if first_number >= 0 and first_text >= 0:
            raise InputError(f"{called}: row {first_text} is text and row {first_number} a number, expected one of them; if the column is a "
                             "category, name it in table.categories")
    if not texts:
        return [(name, _arrays.as_features(called, column), [])]
    if not is_category and (len(texts) > max(2, cells // 2) or len(texts) > _MOST_LEVELS):
        declared.notes.append(f"feature '{name}' holds texts ({len(texts)} different ones in {cells} cells) and is left out: make "
                              "vectors of texts first, or name it in table.categories")
        return []
    levels = sorted(texts, key=_natural)
    place = np.empty(len(levels), dtype=np.float64)
    for position, level in enumerate(levels):
        place[texts[level]] = position
    known = np.isfinite(column)
    column[known] = place[column[known].astype(np.int64)]
    return [(name, column.astype(np.float32), levels)]


def read(called: str, name: str, values: Any, cells: int, declared: Declared) -> list[tuple[str, npt.NDArray[np.float32], list[str]]]:
    """The columns that one becomes: name, numbers, levels; none where it is left out, and then a note says so. ``cells``: how many rows say
    something of their own."""
    array = _arrays.as_array(called, values)
    if declared.holds(declared.dates, name):
        return _date(called, name, array)
    if array.dtype.kind == "M":
        declared.notes.append(f"feature '{name}' holds dates and is left out: name it in table.dates to use the day, the day of the week and "
                              "the hour")
        return []
    if array.dtype.kind in "OUS" or declared.holds(declared.categories, name):
        return _texts(called, name, array.astype(object), cells, declared)
    column = _arrays.as_features(called, array)
    infinite = np.flatnonzero(np.isinf(column))
    if infinite.size:
        raise InputError(f"{called}: row {int(infinite[0])} is {column[infinite[0]]}, expected a finite number, or NaN where it is missing")
    return [(name, column, [])]


def codes(called: str, values: Any, levels: Sequence[str]) -> npt.NDArray[np.float32]:
    """Texts as an adapter takes them: their positions among the levels it knows, and one beyond them for all others."""
    position = {level: place for place, level in enumerate(levels)}
    array = np.atleast_1d(np.asarray(values, dtype=object))
    return np.array([np.nan if is_missing(value) else position.get(str(value), len(levels)) for value in array.tolist()], dtype=np.float32)
