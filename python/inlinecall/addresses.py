"""Answers to questions about addresses."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ._native import Frame

UNKNOWN = 2**64 - 1
STATUSES = ("found", "outside", "no_debug", "unreadable")


class Lookup(NamedTuple):
    """The frames at an address, innermost first, and what is known of it: "found", "outside" of all
    code, "no_debug" information, or "unreadable"."""
    frames: list[Frame]
    status: str


class Symbol(NamedTuple):
    """A symbol of a file. `start` and `end` are equal if its size is unknown; `is_function` is None
    if that was not looked up."""
    name: str
    start: int
    end: int
    is_function: bool | None = None


class LineCode(NamedTuple):
    """A run of code of a source line, with the frames there, innermost first. It is empty if the line
    table gives an address first to this line and then to another one."""
    start: int
    end: int
    file: str | None
    line: int
    column: int
    discriminator: int
    is_stmt: bool
    frames: list[Frame]


class Frames:
    """The frames of many addresses, as columns.

    The frames of address number i are those from `offsets[i]` to `offsets[i + 1] - 1`, innermost
    first. Columns are memoryviews, which `numpy.asarray()` takes without copying. `function`,
    `display_name` and `file` are numbers in `strings`, whose first item is None; `line` and `column`
    are 0, and `start` is 2**64 - 1, if unknown. `status` has numbers in `STATUSES`.
    """

    STATUSES = STATUSES
    _KINDS: tuple[Any, ...] = tuple("QBIIIIIQB")  # of the columns after the strings, as in array

    def __init__(self, columns: tuple[Any, ...]) -> None:
        self._columns = columns
        self.strings: list[str | None] = columns[0]
        (self.offsets, self.status, self.function, self.display_name, self.file, self.line,
         self.column, self.start, self.inlined) = (
            memoryview(array).cast(kind) for array, kind in zip(columns[1:], self._KINDS))

    def __reduce__(self) -> tuple[type[Frames], tuple[tuple[Any, ...]]]:
        return Frames, (self._columns,)

    def __len__(self) -> int:
        """The number of addresses."""
        return len(self.status)

    def __repr__(self) -> str:
        return f"<inlinecall.Frames of {len(self)} addresses>"

    def rows(self) -> Iterator[dict[str, Any]]:
        """A dict for each frame, with the number of its address, as for pandas.DataFrame(). An
        address without frames has none."""
        strings = self.strings
        for address in range(len(self)):
            for depth, i in enumerate(range(self.offsets[address], self.offsets[address + 1])):
                yield {"address": address, "depth": depth, "function": strings[self.function[i]],
                       "display_name": strings[self.display_name[i]],
                       "file": strings[self.file[i]], "line": self.line[i],
                       "column": self.column[i], "inlined": bool(self.inlined[i]),
                       "start": self.start[i] if self.start[i] != UNKNOWN else None}
