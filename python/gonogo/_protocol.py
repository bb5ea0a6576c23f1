# SPDX-License-Identifier: Apache-2.0
"""What is declared before data are collected."""
from __future__ import annotations

import json
import math
import numbers
import os
import tomllib
from collections.abc import Mapping
from typing import Any

from . import _native
from ._errors import UsageError

_SECTIONS = ("table", "learner", "selector", "bootstrap", "rule", "feature_sets", "collect")


def _value_text(key: str, value: Any) -> str:
    """A value as TOML."""
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=True)
    if isinstance(value, bool) or type(value).__name__ == "bool_":
        return "true" if value else "false"
    if isinstance(value, numbers.Integral):
        return str(int(value))
    if isinstance(value, numbers.Real):
        number = float(value)
        if not math.isfinite(number):
            raise UsageError(f"{key} is {number}, expected a finite number")
        return repr(number)
    if isinstance(value, (list, tuple)) or type(value).__name__ == "ndarray":
        return "[" + ", ".join(_value_text(key, item) for item in value) + "]"
    raise UsageError(f"{key} is {value!r} ({type(value).__name__}), expected text, a number, true or false, or a list of these")


def _lines(prefix: tuple[str, ...], values: Mapping[str, Any]) -> list[str]:
    """``a.b = value`` lines, so that neither depth nor order matters."""
    lines = []
    for key, value in values.items():
        if not isinstance(key, str):
            raise UsageError(f"{'.'.join(prefix) or 'protocol'} has the key {key!r}, expected text")
        path = (*prefix, key)
        if isinstance(value, Mapping):
            lines += _lines(path, value)
        else:
            dotted = ".".join(json.dumps(part) for part in path)
            lines.append(f"{dotted} = {_value_text('.'.join(path), value)}")
    return lines


def _native_from(values: Mapping[str, Any], name: str) -> _native.Protocol:
    return _native.Protocol.parse("\n".join(_lines((), values)) + "\n", name)


class Protocol:
    """What is declared before data are collected: actions, thresholds, learner, bootstrap, rule.

    Keywords are the keys of ``[protocol]``; the other sections are mappings, or single keys after two underscores. Every key
    with its default, range and meaning: :func:`protocol_keys`.

    >>> import gonogo
    >>> protocol = gonogo.Protocol(name="gripper", kappa=0.02, learner={"kind": "ridge"}, bootstrap__refits=50)
    >>> protocol["bootstrap.refits"], protocol["learner.kind"]
    (50, 'ridge')
    >>> protocol == gonogo.Protocol.from_dict(protocol.to_dict())
    True
    >>> gonogo.Protocol(kapa=0.02)
    Traceback (most recent call last):
        ...
    gonogo.InputError: protocol:1: protocol.kapa: unknown key (did you mean 'kappa'?)
    """

    __slots__ = ("_protocol",)
    _protocol: _native.Protocol

    def __init__(self, **values: Any) -> None:
        sections: dict[str, dict[str, Any]] = {}
        for key, value in values.items():
            section, _, inner = key.partition("__")
            if inner:
                sections.setdefault(section, {})[inner.replace("__", ".")] = value
            elif section in _SECTIONS:
                if not isinstance(value, Mapping):
                    raise UsageError(f"{section} is {value!r}, expected a mapping of its keys")
                sections.setdefault(section, {}).update(value)
            else:
                sections.setdefault("protocol", {})[key] = value
        for keys in sections.values():
            for key in [key for key in keys if "." in key and not isinstance(keys[key], Mapping)]:
                outer, inner = key.split(".", 1)
                keys.setdefault(outer, {})[inner] = keys.pop(key)
        self._protocol = _native_from(sections, "protocol")

    @classmethod
    def _of(cls, native: _native.Protocol) -> Protocol:
        protocol = cls.__new__(cls)
        protocol._protocol = native
        return protocol

    @classmethod
    def from_toml(cls, source: str | os.PathLike[str]) -> Protocol:
        """Reads a file, or text with line breaks in it.

        >>> import gonogo
        >>> gonogo.Protocol.from_toml("[protocol]\\nname = 'gripper'\\n")["protocol.name"]
        'gripper'
        """
        if isinstance(source, str) and "\n" in source:
            return cls._of(_native.Protocol.parse(source, "protocol"))
        return cls._of(_native.Protocol.load(os.fspath(source)))

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Protocol:
        """The sections of a protocol file as nested mappings: ``{"protocol": {"name": …}, "learner": {…}}``."""
        if not isinstance(values, Mapping):
            raise UsageError(f"the protocol is {values!r}, expected a mapping of sections")
        return cls._of(_native_from(values, "protocol"))

    @classmethod
    def beside(cls, table: str | os.PathLike[str]) -> Protocol:
        """The protocol the command line would use for a table's file: ``audit.toml`` beside it, else the declaration in the
        table, else the defaults."""
        found = _native.Protocol.find(os.fspath(table))
        return cls() if found is None else cls._of(found)

    @property
    def fingerprint(self) -> str:
        """SHA-256 of :attr:`text`: the same for a file, a mapping and keywords that say the same."""
        return self._protocol.fingerprint

    @property
    def text(self) -> str:
        """The canonical text: every key with its value, defaults spelled out, as TOML."""
        return self._protocol.text

    def to_dict(self) -> dict[str, Any]:
        """Every section and key, defaults included."""
        return tomllib.loads(self.text)

    def __getitem__(self, key: str) -> Any:
        value: Any = self.to_dict()
        for part in key.split("."):
            if not isinstance(value, dict) or part not in value:
                raise KeyError(key)
            value = value[part]
        return value

    def override(self, key: str, value: Any) -> Protocol:
        """The protocol with one value replaced.

        >>> import gonogo
        >>> gonogo.Protocol().override("bootstrap.refits", 20)["bootstrap.refits"]
        20
        >>> gonogo.Protocol().override("bootstrap.refits", "many")
        Traceback (most recent call last):
            ...
        gonogo.UsageError: bootstrap.refits=many: found 'many', expected a whole number
        """
        text = value if isinstance(value, str) else _value_text(key, value)
        return self._of(self._protocol.override(key, text))

    def differences(self, used: Protocol) -> list[str]:
        """One sentence per value in which ``used`` differs from this one."""
        return list(self._protocol.differences(used._protocol))

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the canonical text, which reads back to the same protocol."""
        with open(path, "w", encoding="utf-8") as file:
            file.write(self.text)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Protocol) and self._protocol == other._protocol

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Any, ...]:
        return (Protocol.from_toml, (self.text,))

    def __repr__(self) -> str:
        return f"<gonogo.Protocol {self['protocol.name']!r}, {self._protocol.learner}, fingerprint {self.fingerprint[:12]}>"


def protocol_keys() -> list[dict[str, str]]:
    """Every key of a protocol: ``key``, ``default`` (TOML), ``allowed``, ``meaning``.

    >>> import gonogo
    >>> [row["default"] for row in gonogo.protocol_keys() if row["key"] == "protocol.kappa"]
    ['0.05']
    """
    return [dict(zip(("key", "default", "allowed", "meaning"), row)) for row in _native.protocol_keys()]
