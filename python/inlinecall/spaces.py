"""Addresses in the memory of processes and of the kernel."""

from __future__ import annotations

import os
from array import array
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from . import _native
from ._errors import several
from ._native import Frame, Problem
from .addresses import STATUSES
from .files import Closable, Path, file_options

SPACE_STATUSES = ("file", "none", "no_file", "unopened", "symbol")


class Answer(NamedTuple):
    """What is at an address in memory.

    `status` is "file" if a file was asked, and then `lookup` is what it knows (see Lookup); "none" if
    there is no code; "no_file" for code that is in no file; "unopened" if the file cannot be opened,
    for the `reason`; and "symbol" if only the kernel's list of symbols has it. `offset` is in the
    file, `address` as the file numbers it.
    """
    status: str
    lookup: str
    path: str | None
    reason: str | None
    offset: int
    address: int | None
    frames: list[Frame]


class Space(Closable):
    """Where files are mapped as code. Files are opened when an address in them is first looked up, and
    stay open until the space is closed, or its `with` statement ends. Any number of threads may use it
    at once."""

    path = "mappings"
    _what = "space"

    def __init__(self, **options: Any) -> None:
        options.setdefault("allow_no_debug", True)
        self._native = _native.Space(file_options(**options))

    def __repr__(self) -> str:
        return f"<inlinecall.Space of {self.path}>"

    @property
    def _space(self) -> _native.Space:
        native: _native.Space = self._opened()
        return native

    def _list_problems(self) -> list[Problem]:
        return self._space.problems()

    def add(self, start: int, end: int, offset: int, path: Path, build_id: bytes = b"") -> None:
        """Adds a mapping of a file: the byte at `start` is that at `offset` in the file. A file with
        another build ID is not used."""
        self._space.add(start, end, offset, path, build_id)

    def find(self, addresses: Iterable[int]) -> list[Answer]:
        """The frames at addresses, in any order: of numbers, an array("Q"), a numpy array. Of a return
        address subtract 1 first."""
        if isinstance(addresses, bytes | bytearray | str):
            raise TypeError(f"addresses are numbers, not {type(addresses).__name__}")
        try:
            memoryview(addresses)  # type: ignore[arg-type]
        except TypeError:
            addresses = array("Q", addresses)
        return [Answer(SPACE_STATUSES[status], STATUSES[lookup], path, reason, offset, address,
                       frames)
                for status, lookup, path, reason, offset, address, frames
                in self._space.find(addresses)]


def process(pid: int, **options: Any) -> Space:
    """The files that a process has mapped as code. Options are those of open(), but files need no
    debug information."""
    space = Space(**options)
    space._space.read_process(pid)
    space.path = f"process {pid}"
    return space


def kernel(dirs: Sequence[Path] = (), **options: Any) -> Space:
    """The running kernel and its modules. `dirs` are searched first for their files; code without a
    file has its symbol, if the list of symbols may be read."""
    space = Space(**options)
    several("dirs", dirs)
    space._space.read_kernel([os.fsencode(path) for path in dirs])
    space.path = "kernel"
    return space
