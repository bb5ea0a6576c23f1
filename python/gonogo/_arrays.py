# SPDX-License-Identifier: Apache-2.0
"""Arrays as the library needs them. What is no such array is refused with a sentence that names the argument, the row, what was
found there and what was expected. An array that is right already is passed on without a copy."""
from __future__ import annotations

import numbers
from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from ._errors import InputError


def _shown(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _place(index: tuple[int, ...]) -> str:
    return f"row {index[0]}" if len(index) == 1 else "[" + ",".join(str(i) for i in index) + "]"


def as_array(argument: str, values: Any) -> npt.NDArray[Any]:
    """Any array-like; ragged lists are refused."""
    if isinstance(values, (str, bytes)) or values is None or np.isscalar(values):
        raise InputError(f"{argument} is {_shown(values)}, expected an array")
    try:
        with np.errstate(all="ignore"):
            array = np.asarray(values)
    except ValueError as error:
        raise InputError(f"{argument} is no array ({error}), expected rows of equal length") from None
    if array.ndim == 0:
        raise InputError(f"{argument} is {_shown(values)}, expected an array")
    return array


def expect_shape(argument: str, array: npt.NDArray[Any], shape: Sequence[int | None], meaning: str) -> None:
    """``None`` in ``shape`` stands for any number."""
    if len(array.shape) == len(shape) and all(b is None or a == b for a, b in zip(array.shape, shape)):
        return
    wanted = ", ".join("any" if n is None else str(n) for n in shape)
    raise InputError(f"{argument} has shape {array.shape}, expected ({wanted}{',' if len(shape) == 1 else ''}): {meaning}")


def _from_objects(argument: str, array: npt.NDArray[Any], expected: str, flags: bool) -> npt.NDArray[np.float64]:
    result = np.empty(array.shape, dtype=np.float64)
    for index, value in np.ndenumerate(array):
        is_flag = isinstance(value, (bool, np.bool_))
        if is_flag == flags and is_flag or (isinstance(value, numbers.Real) and not is_flag):
            result[index] = float(value)
        else:
            found = f"{_shown(value)} ({type(value).__name__})"
            raise InputError(f"{argument}: {_place(index)} is {found}, expected {expected}")
    return result


def as_numbers(argument: str, values: Any) -> npt.NDArray[np.float64]:
    """Real numbers in double precision; whether they are finite is checked where their meaning is known."""
    array = as_array(argument, values)
    if array.dtype.kind == "O":
        array = _from_objects(argument, array, "a number", flags=False)
    if array.dtype.kind not in "fiu":
        raise InputError(f"{argument} has dtype {array.dtype}, expected numbers")
    return np.ascontiguousarray(array, dtype=np.float64)


def as_features(argument: str, values: Any) -> npt.NDArray[np.float32]:
    """Real numbers in single precision, as tables keep features."""
    array = as_array(argument, values)
    if array.dtype == np.float32:
        return np.ascontiguousarray(array)
    if array.dtype.kind == "b":
        array = array.astype(np.float32)
    numbers_ = as_numbers(argument, array)
    with np.errstate(over="ignore"):
        kept = np.ascontiguousarray(numbers_.astype(np.float32))
    lost = np.isinf(kept) & np.isfinite(numbers_)
    if lost.any():
        index = tuple(int(i) for i in np.argwhere(lost)[0])
        raise InputError(f"{argument}: {_place(index)} is {numbers_[index]}, expected a number below 3.4e38")
    return kept


def as_flags(argument: str, values: Any) -> npt.NDArray[np.uint8]:
    """Truth values: booleans, or numbers that are 0 or 1."""
    array = as_array(argument, values)
    if array.dtype.kind == "b":
        return np.ascontiguousarray(array, dtype=np.uint8)
    if array.dtype.kind == "O":
        array = _from_objects(argument, array, "0 or 1", flags=True)
    if array.dtype.kind not in "fiu":
        raise InputError(f"{argument} has dtype {array.dtype}, expected booleans, or numbers that are 0 or 1")
    wrong = ~((array == 0) | (array == 1))
    if wrong.any():
        index = tuple(int(i) for i in np.argwhere(wrong)[0])
        raise InputError(f"{argument}: {_place(index)} is {array[index]}, expected 0 or 1")
    return np.ascontiguousarray(array, dtype=np.uint8)


def as_names(argument: str, values: Any) -> list[str]:
    """Names of clusters, queries or actions: text, or whole numbers."""
    array = as_array(argument, values)
    if array.ndim != 1:
        raise InputError(f"{argument} has shape {array.shape}, expected one name per row")
    if array.dtype.kind in "iu":
        return [str(number) for number in array.tolist()]
    if array.dtype.kind not in "OU":
        raise InputError(f"{argument} has dtype {array.dtype}, expected text or whole numbers")
    names = array.tolist()
    for row, name in enumerate(names):
        if isinstance(name, str):
            try:
                name.encode()
            except UnicodeEncodeError:
                raise InputError(f"{argument}: row {row} is {_shown(name)}, expected text that UTF-8 can hold") from None
        elif isinstance(name, numbers.Integral) and not isinstance(name, (bool, np.bool_)):
            names[row] = str(int(name))
        else:
            found = f"{_shown(name)} ({type(name).__name__})"
            raise InputError(f"{argument}: row {row} is {found}, expected text or a whole number")
    return names
