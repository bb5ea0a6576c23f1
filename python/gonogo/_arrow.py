# SPDX-License-Identifier: Apache-2.0
"""Columns from and for anything that speaks Arrow: polars, DuckDB, pyarrow, pandas from 2.2 on.

The Arrow C data interface is a few structs that never change, so no Arrow library is needed to read them. A column of numbers without missing
values that comes in one piece is read where it lies; everything else is copied once.
"""
from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from . import _native
from ._errors import InputError, UsageError


class _Schema(ctypes.Structure):
    pass


class _Array(ctypes.Structure):
    pass


class _Stream(ctypes.Structure):
    pass


_Schema._fields_ = [("format", ctypes.c_char_p), ("name", ctypes.c_char_p), ("metadata", ctypes.c_void_p), ("flags", ctypes.c_int64),
                    ("n_children", ctypes.c_int64), ("children", ctypes.POINTER(ctypes.POINTER(_Schema))),
                    ("dictionary", ctypes.POINTER(_Schema)), ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Schema))),
                    ("private_data", ctypes.c_void_p)]
_Array._fields_ = [("length", ctypes.c_int64), ("null_count", ctypes.c_int64), ("offset", ctypes.c_int64), ("n_buffers", ctypes.c_int64),
                   ("n_children", ctypes.c_int64), ("buffers", ctypes.POINTER(ctypes.c_void_p)),
                   ("children", ctypes.POINTER(ctypes.POINTER(_Array))), ("dictionary", ctypes.POINTER(_Array)),
                   ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Array))), ("private_data", ctypes.c_void_p)]
_Stream._fields_ = [("get_schema", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Schema))),
                    ("get_next", ctypes.CFUNCTYPE(ctypes.c_int, ctypes.POINTER(_Stream), ctypes.POINTER(_Array))),
                    ("get_last_error", ctypes.CFUNCTYPE(ctypes.c_char_p, ctypes.POINTER(_Stream))),
                    ("release", ctypes.CFUNCTYPE(None, ctypes.POINTER(_Stream))), ("private_data", ctypes.c_void_p)]

_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.restype = ctypes.c_void_p
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]

#: Formats of numbers and dates whose bytes NumPy reads as they are.
_PLAIN = {"c": "i1", "C": "u1", "s": "i2", "S": "u2", "i": "i4", "I": "u4", "l": "i8", "L": "u8", "e": "f2", "f": "f4", "g": "f8",
          "tdD": "datetime64[D]", "tdm": "datetime64[ms]"}
_UNITS = {"s": "s", "m": "ms", "u": "us", "n": "ns"}


class _Owner:
    """Gives a piece back to whoever made it when nothing looks at it any more."""

    def __init__(self) -> None:
        self.array = _Array()

    def __del__(self) -> None:
        if self.array.release:
            self.array.release(ctypes.byref(self.array))


def _memory(owner: _Owner, address: int | None, count: int, kind: str) -> npt.NDArray[Any]:
    """`count` items at an address of the piece, which stays as long as the array does."""
    # datetime64[D] has eight bytes in NumPy and four in Arrow.
    dtype = np.dtype("i4" if kind == "datetime64[D]" else kind)
    if count == 0 or not address:
        return np.zeros(count, dtype=kind)
    memory = (ctypes.c_char * (count * dtype.itemsize)).from_address(address)
    memory.owner = owner  # type: ignore[attr-defined]
    array = np.frombuffer(memoryview(memory), dtype=dtype)
    return array.astype(kind) if kind == "datetime64[D]" else array


def _bits(owner: _Owner, address: int | None, offset: int, count: int) -> npt.NDArray[np.bool_]:
    raw = _memory(owner, address, (offset + count + 7) // 8, "u1")
    return np.unpackbits(raw, bitorder="little")[offset:offset + count].astype(bool)


def _texts(owner: _Owner, array: _Array, format_: str) -> npt.NDArray[Any]:
    count, offset = array.length, array.offset
    values = np.empty(count, dtype=object)
    if format_ in ("vu", "vz"):
        views = _memory(owner, array.buffers[1], (offset + count) * 16, "u1").reshape(-1, 16)[offset:]
        lengths = np.ascontiguousarray(views[:, :4]).view("i4").ravel()
        places = np.ascontiguousarray(views[:, 8:]).view("i4").reshape(-1, 2)
        for row, length in enumerate(lengths.tolist()):
            if length <= 12:
                values[row] = views[row, 4:4 + length].tobytes()
            else:
                buffer, start = places[row]
                values[row] = ctypes.string_at(array.buffers[2 + int(buffer)] + int(start), length)
    else:
        ends = _memory(owner, array.buffers[1], offset + count + 1, "i8" if format_ in ("U", "Z") else "i4")[offset:].tolist()
        data = array.buffers[2]
        for row in range(count):
            values[row] = ctypes.string_at(data + ends[row], ends[row + 1] - ends[row]) if data else b""
    for row in range(count):
        values[row] = values[row].decode("utf-8", errors="surrogateescape")
    return values


def _decimals(owner: _Owner, array: _Array, format_: str) -> npt.NDArray[np.float64]:
    described = [int(number) for number in format_[2:].split(",")]
    size = (described[2] if len(described) > 2 else 128) // 8
    raw = _memory(owner, array.buffers[1], (array.offset + array.length) * size, "u1").tobytes()[array.offset * size:]
    return np.array([int.from_bytes(raw[at:at + size], "little", signed=True) / 10 ** described[1] for at in range(0, len(raw), size)])


def _values(owner: _Owner, schema: _Schema, array: _Array, column: str) -> npt.NDArray[Any]:
    """A column of one piece. Missing numbers are NaN, other missing values None."""
    format_ = schema.format.decode()
    count, offset = array.length, array.offset
    if schema.dictionary:
        index = _memory(owner, array.buffers[1], offset + count, _PLAIN[format_])[offset:]
        levels = _values(owner, schema.dictionary.contents, array.dictionary.contents, column)
        # A missing value may stand before an index that means nothing.
        values = levels[np.clip(index, 0, max(len(levels) - 1, 0))] if len(levels) else np.full(count, None, dtype=object)
    elif format_ == "n":
        return np.full(count, None, dtype=object)
    elif format_ == "b":
        values = _bits(owner, array.buffers[1], offset, count)
    elif format_ in _PLAIN:
        values = _memory(owner, array.buffers[1], offset + count, _PLAIN[format_])[offset:]
    elif format_.startswith("ts"):
        values = _memory(owner, array.buffers[1], offset + count, f"datetime64[{_UNITS[format_[2]]}]")[offset:]
    elif format_ in ("u", "U", "vu"):
        values = _texts(owner, array, format_)
    elif format_.startswith("d:"):
        values = _decimals(owner, array, format_)
    else:
        raise InputError(f"column {column!r} has the Arrow format {format_!r}, expected numbers, booleans, text, categories, dates or times")
    if values.dtype.kind == "M":
        values = np.datetime_as_string(values).astype(object)
    if array.null_count != 0 and array.n_buffers > 0 and array.buffers[0]:
        missing = ~_bits(owner, array.buffers[0], offset, count)
        if missing.any():
            values = values.astype(np.float64 if values.dtype.kind in "fiu" else object)
            values[missing] = np.nan if values.dtype.kind == "f" else None
    return values


def _stream_of(frame: Any) -> tuple[Any, _Stream]:
    """The capsule, to be kept, and the stream in it."""
    make: Callable[[], Any] | None = getattr(frame, "__arrow_c_stream__", None)
    if make is None:
        raise UsageError(f"got {type(frame).__name__}, expected a frame that speaks Arrow (__arrow_c_stream__): of polars, DuckDB, pyarrow, "
                         "or of pandas 2.2 or later")
    capsule = make()
    return capsule, _Stream.from_address(_capsule_pointer(capsule, b"arrow_array_stream"))


def columns(frame: Any, name: str) -> tuple[dict[str, npt.NDArray[Any]], int]:
    """The columns by name and the number of rows."""
    capsule, stream = _stream_of(frame)
    schema = _Schema()

    def check(code: int) -> None:
        if code != 0:
            said = stream.get_last_error(ctypes.byref(stream))
            raise InputError(f"{name}: the frame could not be read: {said.decode(errors='replace') if said else f'error {code}'}")

    check(stream.get_schema(ctypes.byref(stream), ctypes.byref(schema)))
    try:
        if schema.format != b"+s":
            raise InputError(f"{name}: this is one column of the Arrow format {schema.format.decode()!r}, expected a frame with columns")
        names = [schema.children[i].contents.name.decode() for i in range(schema.n_children)]
        twice = next((one for one in names if names.count(one) > 1), None)
        if twice is not None:
            raise InputError(f"{name}: two columns are called {twice!r}, expected one")
        pieces: list[list[npt.NDArray[Any]]] = [[] for _ in names]
        rows = 0
        while True:
            owner = _Owner()
            check(stream.get_next(ctypes.byref(stream), ctypes.byref(owner.array)))
            if not owner.array.release:
                break
            here = slice(owner.array.offset, owner.array.offset + owner.array.length)
            rows += owner.array.length
            for i, column in enumerate(names):
                pieces[i].append(_values(owner, schema.children[i].contents, owner.array.children[i].contents, column)[here])
    finally:
        if schema.release:
            schema.release(ctypes.byref(schema))
        del capsule  # releases the stream
    return {column: parts[0] if len(parts) == 1 else np.concatenate(parts) if parts else np.empty(0)
            for column, parts in zip(names, pieces)}, rows


def read_file(path: str | os.PathLike[str]) -> Any:
    """A Parquet or Feather (Arrow IPC) file as a frame, read by pyarrow or else by polars."""
    file = os.fspath(path)
    with open(file, "rb") as opened:
        start = opened.read(6)
    is_parquet = start[:4] == b"PAR1"
    if not is_parquet and start != b"ARROW1":
        raise InputError(f"{file}: begins with {start!r}, expected a Parquet file (PAR1) or a Feather file (ARROW1)")
    try:
        from pyarrow import feather, parquet
        return parquet.read_table(file) if is_parquet else feather.read_table(file)
    except ImportError:
        pass
    try:
        import polars
        return polars.read_parquet(file) if is_parquet else polars.read_ipc(file, memory_map=False)
    except ImportError:
        raise UsageError(f"{file}: needs pyarrow or polars to be read: pip install pyarrow") from None


def _column(values: Any) -> tuple[Any, npt.NDArray[np.uint8] | None]:
    """What the library takes of a column: an array of numbers, or texts; and which values are there, if not all are."""
    array = values if isinstance(values, np.ndarray) else np.array(values, dtype=object)
    if array.dtype.kind in "fiub":
        kind = {"i": "i8", "u": "i8", "b": "u1"}.get(array.dtype.kind, "f4" if array.dtype.itemsize == 4 else "f8")
        return np.ascontiguousarray(array, dtype="u1" if array.dtype == np.uint8 else kind), None
    listed = array.tolist()
    there = np.array([value is not None for value in listed], dtype=np.uint8)
    known = [value for value in listed if value is not None]
    mask = None if len(known) == len(listed) else there
    if known and all(isinstance(value, (bool, np.bool_)) for value in known):
        return np.array([bool(value) for value in listed], dtype=np.uint8), mask
    if known and all(isinstance(value, (int, float, np.number)) for value in known):
        return np.array([0.0 if value is None else float(value) for value in listed]), mask
    return ["" if value is None else str(value) for value in listed], mask


def stream(columns_: dict[str, Any]) -> Any:
    """A capsule with the columns, for ``__arrow_c_stream__``. The memory in it is its own."""
    made = [_column(values) for values in columns_.values()]
    return _native.arrow_stream(list(columns_), [values for values, _ in made], [mask for _, mask in made])
