"""The exceptions of the package, and names that they are about."""

from __future__ import annotations

from collections.abc import Sequence


def name_bytes(name: str) -> bytes:
    """A name as it is in a file."""
    if not isinstance(name, str):
        raise TypeError(f"a name must be a str, not {type(name).__name__}")
    return name.encode("utf-8", "surrogateescape")


def several(what: str, values: Sequence[object]) -> Sequence[object]:
    """Values that are several: one str would be taken for its letters."""
    if isinstance(values, str | bytes):
        raise TypeError(f"{what} must be a list, not one {type(values).__name__}")
    return values


class Error(Exception):
    """What the library could not do.

    `code` is one of "system", "not_elf", "no_debug", "malformed", "unsupported", "argument",
    "archive", "no_code", "limit", "stopped", "not_found", "mismatch" and "hidden". If a section of
    a file is to blame, `section` and `offset` say where; `errno` is that of a failed system call,
    or 0. If memory runs out, MemoryError is raised instead.
    """

    def __init__(self, message: str, code: str = "argument", section: str | None = None,
                 offset: int | None = None, errno: int = 0) -> None:
        super().__init__(message)
        self.code = code
        self.section = section
        self.offset = offset
        self.errno = errno


class ProblemWarning(UserWarning):
    """A part of a file could not be read: answers may lack what is there."""
