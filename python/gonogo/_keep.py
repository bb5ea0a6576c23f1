# SPDX-License-Identifier: Apache-2.0
"""Where a run keeps what it finished."""
from __future__ import annotations

import contextlib
import os
import tempfile
from collections.abc import Iterator

from ._errors import Interrupted, UsageError


def path_text(path: str | os.PathLike[str] | None) -> str:
    """A path as the library takes it; empty where there is none."""
    return "" if path is None else os.fspath(path)


@contextlib.contextmanager
def folder_of(out: str | os.PathLike[str] | None) -> Iterator[str]:
    """The folder somebody asked for. Where nobody did, one that goes when the run ends: nothing is written into anybody's folder unasked."""
    if out is not None:
        if not os.fspath(out):
            raise UsageError("out is empty, expected a folder, or None to keep nothing")
        yield os.fspath(out)
        return
    with tempfile.TemporaryDirectory(prefix="gonogo-", ignore_cleanup_errors=True) as folder:
        try:
            yield folder
        except Interrupted:
            raise Interrupted("interrupted; nothing was kept: give out= a folder, and the same call goes on from there") from None
