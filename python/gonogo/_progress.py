# SPDX-License-Identifier: Apache-2.0
"""How a long computation is followed."""
from __future__ import annotations

import sys
import time
from collections.abc import Callable
from typing import TextIO, Union

from ._errors import UsageError

#: ``True``: a bar on stderr; ``False`` or ``None``: nothing; a callable: called as ``progress(done, total)``.
Progress = Union[bool, None, Callable[[int, int], object]]

_WIDTH = 30


class Bar:
    """A line on ``stream`` that is drawn again as work gets done; on something other than a terminal, a line every ten seconds.

    >>> import io
    >>> text = io.StringIO()
    >>> bar = Bar("refits", text)
    >>> bar(3, 4)
    >>> text.getvalue()
    'refits  75 %  3/4\\n'
    """

    def __init__(self, title: str, stream: TextIO | None = None) -> None:
        self._title = title
        self._stream = sys.stderr if stream is None else stream
        self._live = self._stream.isatty()
        self._next = 0.0
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        share = done / total if total else 1.0
        text = f"{self._title}  {100 * share:.0f} %  {done}/{total}"
        if self._live:
            filled = round(_WIDTH * share)
            self._stream.write(f"\r[{'#' * filled}{' ' * (_WIDTH - filled)}] {text}")
            self._drawn = True
        elif time.monotonic() >= self._next:
            self._stream.write(text + "\n")
            self._next = time.monotonic() + 10.0
        self._stream.flush()

    def close(self) -> None:
        """Ends the line."""
        if self._drawn:
            self._stream.write("\n")
            self._stream.flush()


class Following:
    """``with Following(progress, title) as callback:``; the callback is None where nobody listens."""

    def __init__(self, progress: Progress, title: str) -> None:
        self._bar: Bar | None = None
        self._callback: Callable[[int, int], object] | None = None
        if progress is True:
            self._callback = self._bar = Bar(title)
        elif callable(progress):
            self._callback = progress
        elif progress not in (None, False):
            raise UsageError(f"progress is {progress!r}, expected True, False or a callable of two numbers")

    def __enter__(self) -> Callable[[int, int], object] | None:
        return self._callback

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.close()


class Stages:
    """``with Stages(progress) as teller:`` for a run of several stages, each of which has a bar of its own. Remarks go where bars go."""

    def __init__(self, progress: Progress) -> None:
        self._progress = progress
        self._following = Following(progress, "")

    def __enter__(self) -> Stages:
        return self

    def __exit__(self, *_: object) -> None:
        self._following.__exit__()

    def stage(self, name: str) -> None:
        self._following.__exit__()
        self._following = Following(self._progress, name)

    def count(self, done: int, total: int) -> None:
        callback = self._following.__enter__()
        if callback is not None:
            callback(done, total)

    def say(self, remark: str) -> None:
        if self._progress is True:
            self._following.__exit__()
            print(remark, file=sys.stderr)
