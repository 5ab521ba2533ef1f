"""Finds inlined functions: their copies, their arguments, and the frames at addresses.

>>> import inlinecall
>>> with inlinecall.open(example) as file:
...     for site in file.sites("checksum"):
...         print(f"{site.host}, line {site.call.line}: {site.ranges}")
queue_send, line 15: [(4198464, 4198470), (4198472, 4198474)]

Addresses are those of the file, before it is loaded anywhere. In an object, or a module of the kernel,
rows have offsets in a section; for frames() the sections are laid out one after the other, and
addresses are in that layout, as symbol() gives them. Strings are UTF-8; bytes of a file that are not are kept as
surrogates (`.encode("utf-8", "surrogateescape")` gives them back).
"""

from __future__ import annotations

from . import _native
from ._errors import Error, ProblemWarning, name_bytes
from ._native import Frame, Problem, version
from .addresses import Frames, LineCode, Lookup, Symbol
from .files import File, open
from .sites import Caller, Location, LocationRange, Parameter, Place, Site
from .spaces import Answer, Space, kernel, process
from .stacks import Argument, Stacks, Thread, ThreadFrame, backtrace
from .tables import Table, Tree

__all__ = [
    "Answer", "Argument", "Caller", "Error", "File", "Frame", "Frames", "LineCode", "Location",
    "LocationRange", "Lookup", "Parameter", "Place", "Problem", "ProblemWarning", "Site", "Space",
    "Stacks", "Symbol", "Table", "Thread", "ThreadFrame", "Tree", "backtrace", "demangle", "kernel",
    "open", "process", "version",
]


def demangle(symbol: str) -> str | None:
    """The name of a C++, Rust or D symbol; None if it is not mangled.

    >>> inlinecall.demangle("_ZN4deep3BoxIiE4statEi")
    'deep::Box<int>::stat(int)'
    """
    return _native.demangle(name_bytes(symbol))


for _public in (Answer, Argument, Caller, Error, File, Frames, LineCode, Location, LocationRange,
                Lookup, Parameter, Place, ProblemWarning, Site, Space, Stacks, Symbol, Table, Thread,
                ThreadFrame, Tree):
    _public.__module__ = "inlinecall"  # where users find it
