"""A cell of the matrix: a file made by one recipe, and what is asked about it."""

from pathlib import Path
from typing import Callable, NamedTuple

from matrix.shop import OURS, PROGRAMS

C = (PROGRAMS / "first.c", PROGRAMS / "second.c")
CXX = (PROGRAMS / "third.cpp", PROGRAMS / "fourth.cpp")
CLONES = (OURS / "clones.c",)
SOURCES = {"gcc": C, "clang": C, "clang-22": C, "g++": CXX, "clang++": CXX, "clang++-22": CXX}


class Subject(NamedTuple):
    """What a recipe made."""
    path: Path
    # The files whose DWARF an independent decoder reads instead: the same code without the
    # container. Empty: `path` itself.
    twins: tuple = ()
    options: tuple = ()       # of inlinecall
    peer_options: dict = {}   # {peer: (option, ...)}
    peer_tools: dict = {}     # {peer: the program that is it here}
    status: int = 0           # what inlinecall is to exit with
    # The decoder. "readelf" names no section: in objects only offsets are then compared.
    reader: str = "dwarfdump"
    has_instances: bool = True  # False: there is nothing to be found, and that is the point


class Cell(NamedTuple):
    id: str
    family: str
    what: str  # for people
    make: Callable
    needs: tuple  # tools, by the name of their program
    long: bool = False


FAMILIES = {}  # name -> (title, introduction, function that yields cells)


def family(name, title, introduction):
    """Registers a function that yields (id, what, needs, make) or the same with a fifth, long."""
    def register(recipes):
        def cells():
            for identity, what, needs, make, *long in recipes():
                yield Cell(identity, name, what, make, tuple(needs), bool(long and long[0]))
        FAMILIES[name] = title, introduction, cells
        return recipes
    return register


def every_cell():
    # Each of these registers its families.
    from matrix import containers, linking, machines, producers, split  # noqa: F401
    found = [cell for _, _, cells in FAMILIES.values() for cell in cells()]
    assert len({cell.id for cell in found}) == len(found), "two cells have one name"
    return found
