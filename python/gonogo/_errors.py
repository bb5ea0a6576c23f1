# SPDX-License-Identifier: Apache-2.0
"""What can go wrong. The message of each is a whole sentence that names the argument, file or row, what was found there and what
was expected."""

__all__ = ["Error", "InputError", "Interrupted", "InternalError", "IoError", "UsageError"]


class Error(Exception):
    """Whatever the library refuses or cannot do."""


class UsageError(Error, ValueError):
    """The request makes no sense, whatever the data say."""


class InputError(Error, ValueError):
    """A table, a file or an array says something wrong."""


class IoError(Error, OSError):
    """The disk or the system refused."""


class InternalError(Error, RuntimeError):
    """A check inside the library failed: a bug of ours. Please report it with the message."""


class Interrupted(KeyboardInterrupt):
    """Ctrl-C stopped a long computation. Finished work was kept; the same call goes on from there."""


for _class in (Error, UsageError, InputError, IoError, InternalError, Interrupted):
    _class.__module__ = "gonogo"
