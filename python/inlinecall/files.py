"""Files with debug information."""

from __future__ import annotations

import os
import warnings
from _thread import allocate_lock
from collections.abc import Iterator, Sequence
from types import TracebackType
from typing import Any, NoReturn, TypeVar

from . import _native
from ._errors import Error, ProblemWarning, name_bytes, several
from ._native import Frame, Problem
from .addresses import STATUSES, Frames, LineCode, Lookup, Symbol
from .sites import Site, site_of
from .tables import Table, Tree, trees_of

Path = str | os.PathLike[str]

SOURCES = {"auto": 0, "dwarf": 1, "go": 2}
MATCHES = {"name": 0, "glob": 1, "regex": 2}
# What rows may be grouped and sorted by.
STATISTICS_BY = {"function": 0, "caller": 1, "file": 2, "unit": 3}
STATISTICS_ORDER = {"copies": 0, "self": 1, "bytes": 2, "callers": 3, "name": 4}
SIZES_BY = {"function": 0, "template": 1, "namespace": 2, "crate": 3, "source": 4, "directory": 5,
            "unit": 6, "section": 7}
SIZES_ORDER = {"self": 0, "total": 1, "copies": 2, "saving": 3, "name": 4}
TABLES = {"files": 0, "units": 1, "sources": 2, "functions": 3, "instances": 4, "ranges": 5,
          "arguments": 6, "calls": 7, "problems": 8}
GROUPS: dict[str, tuple[dict[str, int], dict[str, int]]] = {
    "statistics": (STATISTICS_BY, STATISTICS_ORDER),
    "counts": ({"function": 0}, STATISTICS_ORDER),
    "sizes": (SIZES_BY, SIZES_ORDER),
    "table": (TABLES, {}),
}
# As in native/analyses.c.
FLAGS = {"out_of_line": 1 << 0, "calls": 1 << 1, "parts": 1 << 2, "parameters": 1 << 3,
         "lists": 1 << 4, "entries": 1 << 5, "inlined": 1 << 6, "base_names": 1 << 7,
         "demangle": 1 << 8}
WITHOUT_INDEX = ("lint", "call_frames")
# What can be asked of rows besides their kind; "names" are the names of functions or rules.
OF_SITES = {"names", "match", "hosts", "call_file", "out_of_line", "calls", "parts"}
OF_NAMES = {"base_names", "demangle"}
USES = {
    "sites": OF_SITES | OF_NAMES | {"parameters", "lists", "entries"},
    "counts": OF_SITES | OF_NAMES | {"by", "order", "limit"},
    "statistics": OF_SITES | OF_NAMES | {"by", "order", "limit"},
    "arguments": OF_SITES,
    "trees": OF_NAMES | {"names", "match", "parts", "inlined", "limit", "parameters", "lists"},
    "verdicts": OF_NAMES | {"names", "parameters", "lists", "entries"},
    "sizes": OF_NAMES | {"by", "order", "limit"},
    "affected": OF_NAMES | {"names", "hosts"},
    "lint": {"names", "limit", "base_names"},
    "call_frames": {"demangle"},
    "table": {"by", "parameters"},
}


def choose(what: str, choices: dict[str, int], wanted: str) -> int:
    """The number of a word; ValueError if it is none of these."""
    if wanted not in choices:
        raise ValueError(f"{what} must be one of {', '.join(choices)}, not {wanted!r}")
    return choices[wanted]


def encoded(names: Sequence[Any]) -> list[bytes] | None:
    """Names as they are in the file; None if there are none."""
    return [name_bytes(name) for name in names] or None


def file_options(debug_dirs: Sequence[Path] = (), dwo_dirs: Sequence[Path] = (),
                 dwp: Path | None = None, allow_no_debug: bool = False, source: str = "auto",
                 max_memory: int = 0) -> tuple[Any, ...]:
    """How to open files, for the native half."""
    several("debug_dirs", debug_dirs)
    several("dwo_dirs", dwo_dirs)
    return ([os.fsencode(path) for path in debug_dirs], [os.fsencode(path) for path in dwo_dirs],
            None if dwp is None else os.fsencode(dwp), allow_no_debug,
            choose("source", SOURCES, source), max_memory)


class WithProblems:
    """What may lack something that could not be read, as `problems` says: if nobody has asked, a
    warning does."""

    path: str
    _told: frozenset[Problem] = frozenset()

    def _list_problems(self) -> list[Problem]:
        raise NotImplementedError

    @property
    def problems(self) -> list[Problem]:
        """What could not be read so far: answers may lack it."""
        problems = list(dict.fromkeys(self._list_problems()))
        self._told |= set(problems)
        return problems

    def _warn(self, level: int) -> None:
        problems = [problem for problem in dict.fromkeys(self._list_problems())
                    if problem not in self._told]
        if problems:
            more = f" (and {len(problems) - 1} more problems)" if len(problems) > 1 else ""
            warnings.warn(f"{self.path}: {problems[0].message}{more}", ProblemWarning,
                          stacklevel=level + 1)


Self = TypeVar("Self", bound="Closable")


class Closable(WithProblems):
    """What holds memory until it is closed, or a `with` statement ends."""

    _native: Any = None
    _what: str

    def __enter__(self: Self) -> Self:
        self._opened()  # ValueError if it is closed
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None,
                 traceback: TracebackType | None) -> None:
        try:
            self._close(2)
        except Warning:
            if kind is None:  # otherwise the first exception is the one to tell
                raise

    def __reduce__(self) -> NoReturn:
        raise TypeError(f"a {self._what} can neither be copied nor pickled")

    def __del__(self) -> None:
        self._close(1)

    def close(self) -> None:
        """Closes it; twice does no harm. Warns of problems that nobody has looked at. Rows that are not
        read to their end, and look-ups of other threads, keep its memory until they have ended."""
        self._close(2)

    def _close(self, level: int) -> None:
        if self._native is None:
            return
        try:
            self._warn(level + 1)
        finally:
            self._release()
            self._native = None

    def _release(self) -> None:
        pass

    def _opened(self) -> Any:
        if self._native is None:
            raise ValueError(f"the {self._what} is closed")
        return self._native


class File(Closable):
    """An ELF file with its debug information. Close it, or use it in a `with` statement.

    Any number of threads may use it at once. What was read is kept until it is closed: the first
    question about functions decodes the whole file.
    """

    _what = "file"

    def __init__(self, path: Path, **options: Any) -> None:
        native = _native.File(path, file_options(**options))
        self._native = native
        self._lock = allocate_lock()
        self.path: str = native.path
        self.build_id: str | None = native.build_id
        self.machine: int = native.machine
        self.addr_size: int = native.addr_size
        self.is_relocatable: bool = native.is_relocatable
        self.__dict__["frames"] = native.frames  # without a step between: it is asked most

    def __repr__(self) -> str:
        return f"<inlinecall.File {self.path!r}>"

    def _release(self) -> None:
        self._file.close()
        self.__dict__.pop("frames", None)

    @property
    def _file(self) -> _native.File:
        native: _native.File = self._opened()
        return native

    def _list_problems(self) -> list[Problem]:
        return self._file.problems()

    # ---- Addresses

    def frames(self, address: int) -> list[Frame]:
        """The frames at an address, innermost first; none if nothing is known there.

        >>> [(frame.function, frame.line, frame.inlined) for frame in file.frames(0x401040)]
        [('checksum', 25, True), ('queue_send', 15, False)]
        """
        return self._file.frames(address)

    def lookup(self, address: int) -> Lookup:
        """The frames at an address, and why there are none.

        >>> file.lookup(1 << 40)
        Lookup(frames=[], status='outside')
        """
        frames, status = self._file.lookup(address)
        return Lookup(frames, STATUSES[status])

    def frames_many(self, addresses: Any) -> Frames:
        """The frames of many addresses in one call, found by several threads: of an array('Q'), a
        numpy array of 8-byte integers, or any other buffer of those, in any order.

        >>> from array import array
        >>> found = file.frames_many(array("Q", [0x401040, 0x401053]))
        >>> [(row["address"], row["function"]) for row in found.rows()]  # doctest: +ELLIPSIS
        [(0, 'checksum'), (0, 'queue_send'), (1, 'critical_enter'), (1, 'ring_put'), ...]
        """
        return Frames(self._file.frames_many(addresses))

    def lines(self, source: str, line: int) -> list[LineCode]:
        """The code of a source line, in every copy. `source` is a path, or the end of one.

        >>> {code.frames[-1].function for code in file.lines("ring.h", 25)} == {
        ...     "checksum", "queue_send"}
        True
        """
        places, has_file, following = self._file.lines(name_bytes(source), line)
        if places:
            return [LineCode(*place) for place in places]
        if not has_file:
            raise Error(f"{self.path}: no line table has a file {source!r} with code", "not_found")
        after = f"; the next line with code is {following}" if following else ""
        raise Error(f"{self.path}: {source}:{line} has no code{after}", "not_found")

    # ---- Symbols

    def symbol(self, name: str) -> Symbol | None:
        """The symbol of this name that the file defines.

        >>> hex(file.symbol("queue_send").start)
        '0x401040'
        """
        found = self._file.symbol(name_bytes(name))
        return Symbol(*found) if found else None

    def symbol_at(self, address: int) -> Symbol | None:
        """The symbol of the function that contains an address."""
        found = self._file.symbol_at(address)
        return Symbol(*found, is_function=True) if found else None

    def symbols(self) -> list[Symbol]:
        """All symbols that have an address here."""
        return [Symbol(*found) for found in self._file.symbols()]

    # ---- Functions and their copies

    def rows(self, kind: str, *names: str, match: str = "name", hosts: Sequence[str] = (),
             call_file: str | None = None, by: str | None = None, order: str | None = None,
             limit: int = 0, out_of_line: bool = False, calls: bool = False, parts: bool = False,
             parameters: bool = False, lists: bool = False, entries: bool = False,
             inlined: bool = False, base_names: bool = False,
             demangle: bool = False) -> Iterator[dict[str, Any]]:
        """The rows that the command prints with --json, as dicts; docs/formats/json.md has their
        keys. Addresses are numbers here, and ranges tuples of them.

        `kind` is "sites" or "counts" (inlinecall sites), "trees" (tree), "statistics" or "arguments"
        (stats), "verdicts" (why; needs names), "sizes" (sizes), "affected" (affected; needs names or
        hosts), "lint" (lint), "call_frames" (cfi) or "table" (export). `names` are functions, all of
        them if there are none, or the rules of lint. `match` says how functions match: "name",
        "glob" or "regex". `hosts` selects copies by the functions that they are in, `call_file` by
        the source file of the call, a glob. `by` and `order` group and sort statistics and sizes;
        of a table, `by` is the name, such as "instances" (docs/database.md). `limit` limits the number
        of groups, the levels of trees, and the findings of each rule; 0 is no limit.

        `out_of_line` and `calls` include these. `parts` includes parts of functions, as --json of
        sites always does. `parameters` adds parameters, and `lists` also all their locations;
        `entries` adds the addresses where copies are entered. `inlined` also takes inlined functions
        as roots of trees. `base_names` and `demangle` change names. TypeError if rows of this kind
        do not depend on something that was given.

        >>> [row["host"] for row in file.rows("sites", "ring_put")]
        ['queue_send_twice', 'queue_send']
        """
        return self._rows(kind, names=names, match=match, hosts=hosts, call_file=call_file, by=by,
                          order=order, limit=limit, out_of_line=out_of_line, calls=calls, parts=parts,
                          parameters=parameters, lists=lists, entries=entries, inlined=inlined,
                          base_names=base_names, demangle=demangle)

    def _rows(self, kind: str, **asked: Any) -> Iterator[dict[str, Any]]:
        choose("kind", dict.fromkeys(USES, 0), kind)
        asked = {name: value for name, value in asked.items()
                 if value and (name, value) != ("match", "name")}
        for name in asked:
            if name not in USES[kind]:
                raise TypeError(f"rows of kind {kind!r} do not depend on {name!r}")
        flags = sum(FLAGS[name] for name in asked if name in FLAGS)
        if "lists" in asked:
            flags |= FLAGS["parameters"]
        bys, orders = GROUPS.get(kind, ({}, {}))
        by = choose("by", bys, asked["by"]) if "by" in asked else 0
        order = choose("order", orders, asked["order"]) if "order" in asked else 0
        match = choose("match", MATCHES, asked.get("match", "name"))
        hosts = several("hosts", asked.get("hosts", ()))
        call_files = [asked["call_file"]] if "call_file" in asked else []
        names = encoded(asked.get("names", ()))
        if kind == "verdicts" and not names:
            raise ValueError("verdicts are of functions that are named")
        if kind not in WITHOUT_INDEX:
            self._build_index()
        return self._file.rows(kind, names, encoded(hosts), encoded(call_files), match, by, order,
                               asked.get("limit", 0), flags)

    def _build_index(self) -> None:
        with self._lock:
            self._file.build_index()

    def sites(self, *functions: str, match: str = "name", hosts: Sequence[str] = (),
              call_file: str | None = None, out_of_line: bool = False, calls: bool = False,
              parts: bool = False, parameters: bool = False, lists: bool = False,
              entries: bool = False, base_names: bool = False,
              demangle: bool = False) -> list[Site]:
        """The copies of functions, or of all: see rows().

        >>> site = file.sites("checksum", parameters=True)[0]
        >>> site.host, str(site.call).rpartition("/")[2], [str(p) for p in site.parameters]
        ('queue_send', 'ring.c:15:6', ['packet %rdi'])
        """
        return [site_of(row) for row in self._rows(
            "sites", names=functions, match=match, hosts=hosts, call_file=call_file,
            out_of_line=out_of_line, calls=calls, parts=parts, parameters=parameters, lists=lists,
            entries=entries, base_names=base_names, demangle=demangle)]

    def trees(self, *functions: str, match: str = "name", levels: int = 0, inlined: bool = False,
              parts: bool = False, parameters: bool = False, base_names: bool = False,
              demangle: bool = False) -> list[Tree]:
        """What was inlined into functions, or into all; at most `levels` of it, of which the function
        is the first, unless that is 0.

        >>> print(file.trees("queue_send_twice")[0])
        queue_send_twice, 95 bytes
          ring_put, called at line 23, 82 bytes
            critical_enter, called at line 18, 38 bytes
        """
        return trees_of(self._rows("trees", names=functions, match=match, limit=levels,
                                   inlined=inlined, parts=parts, parameters=parameters,
                                   base_names=base_names, demangle=demangle))

    def why(self, *functions: str) -> Table:
        """What became of functions.

        >>> [row["verdict"] for row in file.why("checksum")]
        ['partly']
        """
        return Table(self.rows("verdicts", *functions, parameters=True, entries=True))

    def stats(self, *functions: str, by: str = "function", order: str = "copies",
              limit: int = 0) -> Table:
        """How much was inlined: first of all groups together, then of each."""
        return Table(self.rows("statistics", *functions, by=by, order=order, limit=limit))

    def sizes(self, by: str = "function", order: str = "self", limit: int = 0) -> Table:
        """Where all bytes of the code come from: first of all of it, then of each group."""
        return Table(self.rows("sizes", by=by, order=order, limit=limit))

    def lint(self, *rules: str, limit: int = 0) -> Table:
        """Where the debug information breaks its standard: for each rule and producer a count, then
        the findings: all of them, or `limit`."""
        return Table(self.rows("lint", *rules, limit=limit))

    def affected(self, *functions: str) -> Table:
        """The functions with code of their own that contain copies of functions, through copies of
        others too."""
        return Table(self.rows("affected", *functions))


def open(path: Path, *, debug_dirs: Sequence[Path] = (), dwo_dirs: Sequence[Path] = (),
         dwp: Path | None = None, allow_no_debug: bool = False, source: str = "auto",
         max_memory: int = 0) -> File:
    """Opens an ELF file: a program, a library, an object, a kernel or a module.

    If it has no debug information itself, a separate file is searched for, in `debug_dirs` and in
    /usr/lib/debug. `dwo_dirs` and `dwp` are where split DWARF is. `allow_no_debug` opens a file
    without debug information, for its symbols. `source` is where functions are read from: "dwarf",
    "go" for Go's own tables, or "auto". `max_memory` limits the bytes of decompressed sections and
    tables; 0 is 16 times the size of the files. Raises Error if there is no such file, or nothing to
    read in it.

    >>> inlinecall.open("/nowhere")
    Traceback (most recent call last):
    inlinecall.Error: /nowhere: cannot open: No such file or directory
    """
    return File(path, debug_dirs=debug_dirs, dwo_dirs=dwo_dirs, dwp=dwp,
                allow_no_debug=allow_no_debug, source=source, max_memory=max_memory)
