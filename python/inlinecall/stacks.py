"""Stacks of processes and of cores."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

from . import _native
from ._native import Problem
from .files import Path, WithProblems, file_options


class Argument(NamedTuple):
    """An argument or a variable of a frame. `value` is as GDB prints it; None if it is not available."""
    name: str | None
    type: str | None
    value: str | None

    def __str__(self) -> str:
        return f"{self.name or '?'}={self.value if self.value is not None else '<unavailable>'}"


class ThreadFrame(NamedTuple):
    """A frame, inlined or not. `found` is how it was found; "frame_pointer" and "call" are guesses.
    `arguments` and `variables` are None if unknown, or not asked for."""
    address: int
    module: str | None
    function: str | None
    linkage_name: str | None
    file: str | None
    line: int
    column: int
    inlined: bool
    found: str
    signal: bool
    arguments: list[Argument] | None
    variables: list[Argument] | None
    row: dict[str, Any]

    def __repr__(self) -> str:
        return f"<inlinecall.ThreadFrame {self}>"

    def __str__(self) -> str:
        arguments = ", ".join(str(argument) for argument in self.arguments or [])
        place = f" at {self.file}:{self.line}" if self.file else f" in {self.module or '?'}"
        inlined = " (inlined)" if self.inlined else ""
        return f"0x{self.address:016x} {self.function or '??'}({arguments}){place}{inlined}"


class Thread(NamedTuple):
    """A thread, or several with the same stack, or a goroutine that no thread runs. `end` says why
    there are no more frames, which are innermost first."""
    tid: int | None
    pid: int
    name: str | None
    goroutine: int | None
    state: str | None
    signal: int | None
    frames: list[ThreadFrame]
    end: str
    row: dict[str, Any]

    def __repr__(self) -> str:
        return f"<inlinecall.Thread {self.tid}, {len(self.frames)} frames>"

    def __str__(self) -> str:
        title = f"goroutine {self.goroutine}" if self.goroutine is not None else f"thread {self.tid}"
        lines = [f"#{number} {frame}" for number, frame in enumerate(self.frames)]
        return "\n".join([title, *lines])


class Stacks(list[Thread], WithProblems):
    """The stacks of all threads, and what could not be read."""

    def __init__(self, threads: list[Thread], path: str, problems: list[Problem]) -> None:
        super().__init__(threads)
        self.path = path
        self._problems = problems

    def _list_problems(self) -> list[Problem]:
        return self._problems


def arguments_of(rows: list[dict[str, Any]] | None) -> list[Argument] | None:
    if rows is None:
        return None
    return [Argument(row["name"], row["type"], row["value"]) for row in rows]


def thread_of(row: dict[str, Any]) -> Thread:
    frames = [ThreadFrame(frame["address"], frame["module"], frame["function"],
                          frame["linkage_name"], frame["file"], frame["line"], frame["column"],
                          frame["inlined"], frame["found"], frame["signal"],
                          arguments_of(frame.get("arguments")),
                          arguments_of(frame.get("variables")), frame)
              for frame in row["frames"]]
    return Thread(row.get("tid"), row["pid"], row.get("name"), row.get("goroutine"),
                  row.get("state"), row["signal"], frames, row["end"], row)


def backtrace(*, pid: int | None = None, core: Path | None = None, program: Path | None = None,
              sysroot: Path | None = None, arguments: bool = False, variables: bool = False,
              group: bool = False, goroutines: bool = True, limit: int = 0,
              **options: Any) -> Stacks:
    """The stacks of all threads of a process, which is stopped for some milliseconds, or of a core.

    `program` is what crashed, if not the file that the core names; for a dump of a kernel it is
    vmlinux. `sysroot` has the files of the machine that a core is from. `arguments` and `variables`
    find their values; `group` makes one of threads with the same stack. Other options are those of
    open(). What could not be read is a warning, and in `problems`.
    """
    if (pid is None) == (core is None):
        raise ValueError("backtrace() takes either pid or core")
    options.setdefault("allow_no_debug", True)
    target = _native.Target(None if core is None else os.fsencode(core), pid or 0,
                            None if program is None else os.fsencode(program),
                            None if sysroot is None else os.fsencode(sysroot), goroutines,
                            file_options(**options))
    threads = [thread_of(row) for row in target.rows(arguments, variables, group, limit)]
    name = os.fsdecode(core) if core is not None else f"process {pid}"
    stacks = Stacks(threads, name, target.problems())
    stacks._warn(2)
    return stacks
