"""The matrix: our programs, by every compiler that is here and in every form that matters."""

import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

PROGRAMS = Path(__file__).resolve().parent / "programs"
SOURCES = {"c": ("first.c", "second.c"), "c++": ("third.cpp", "fourth.cpp")}
DRIVERS = {("gcc", "c"): "gcc", ("gcc", "c++"): "g++",
           ("clang", "c"): "clang", ("clang", "c++"): "clang++"}
# There is no 32-bit libstdc++; these leave nothing to link from it.
BARE = {"c": (), "c++": ("-fno-exceptions", "-fno-rtti", "-nodefaultlibs", "-lc")}
LINKERS = {"bfd": "ld.bfd", "gold": "ld.gold", "lld": "ld.lld"}
GC = ("-ffunction-sections", "-Wl,--gc-sections")
# Code from address 0x10 on: what gold leaves of discarded functions, offsets from 0, then looks
# like addresses of others.
LOW = (*GC, "-fno-pie", "-no-pie", "-static", "-nostdlib", "-Wl,-Ttext=0x10,-e,main")


class Build(NamedTuple):
    compiler: str
    language: str
    dwarf: int
    name: str
    flags: tuple
    kind: str = "program"  # or "object", or "merged": objects by ld -r
    needs: tuple = ()
    dwarf_of_second: int = 0  # another DWARF version for the second unit

    def id(self):
        return f"{self.compiler}-{self.language}-dwarf{self.dwarf}-{self.name}"

    def missing(self):
        """The first tool that this needs and the machine lacks, or None."""
        tools = (DRIVERS[self.compiler, self.language], *self.needs)
        return next((tool for tool in tools if not shutil.which(tool)), None)

    def make(self, directory):
        """The path of the file built."""
        driver = DRIVERS[self.compiler, self.language]
        output = directory / self.id()
        sources = [PROGRAMS / name for name in SOURCES[self.language]]
        if self.kind == "object":
            return run([driver, f"-gdwarf-{self.dwarf}", *self.flags, "-c", sources[0]], output)
        if self.kind == "program" and not self.dwarf_of_second:
            return run([driver, f"-gdwarf-{self.dwarf}", *self.flags, *sources], output)
        objects = [run([driver, f"-gdwarf-{dwarf}", *self.flags, "-c", source],
                       directory / f"{self.id()}-{source.stem}.o")
                   for dwarf, source in zip((self.dwarf, self.dwarf_of_second or self.dwarf),
                                            sources)]
        if self.kind == "merged":
            return run(["ld", "-r", *objects], output)
        return run([driver, *self.flags, *objects], output)


def run(command, output):
    result = subprocess.run([*map(str, command), "-o", str(output)], stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, command))}\n{result.stdout}")
    return output


def plain():
    """Every level of optimisation with every version."""
    for compiler, language in DRIVERS:
        for dwarf in (2, 3, 4, 5):
            for level in ("-O1", "-O2", "-O3"):
                yield Build(compiler, language, dwarf, f"plain{level}", (level,))


def variants(compiler, language, dwarf):
    """What changes the form of the file or of its DWARF."""
    def build(name, *flags, level="-O2", **rest):
        return Build(compiler, language, dwarf, name, (level, *flags), **rest)

    yield build("Os", level="-Os")
    yield build("m32", "-m32", *BARE[language])
    yield build("m32-object", "-m32", "-ffunction-sections", kind="object")
    yield build("object", kind="object")
    yield build("object-sections", "-ffunction-sections", kind="object")
    yield build("object-gz", "-ffunction-sections", "-gz=zlib", kind="object")
    yield build("merged", "-ffunction-sections", kind="merged")
    yield build("gz", "-gz=zlib")
    yield build("pie", "-fPIE", "-pie")
    yield build("no-pie", "-fno-pie", "-no-pie")
    yield build("types", "-fdebug-types-section")
    yield build("g1", "-g1")
    for linker, tool in LINKERS.items():
        yield build(f"gc-{linker}", *GC, f"-fuse-ld={linker}", needs=(tool,))
        if language == "c":
            # lld 21 refuses addresses below its image base.
            base = ("-Wl,--image-base=0",) if linker == "lld" else ()
            yield build(f"gc-low-{linker}", *LOW, *base, f"-fuse-ld={linker}", needs=(tool,))
    if compiler == "gcc":
        yield build("flto", "-flto")
        yield build("strict", "-gstrict-dwarf")
    else:
        yield build("flto", "-flto", "-fuse-ld=lld", needs=("ld.lld",))
        yield build("thinlto", "-flto=thin", "-fuse-ld=lld", needs=("ld.lld",))
    if dwarf >= 3:
        yield build("dwarf64", "-gdwarf64")


def old_versions():
    """Of the variants, those in which DWARF 2 and 3 differ from 4."""
    for compiler in ("gcc", "clang"):
        for dwarf in (2, 3):
            for build in variants(compiler, "c", dwarf):
                if build.name in ("m32", "object-sections", "gc-bfd", "flto", "strict"):
                    yield build


def mixed():
    """Units of two versions in one file: two kinds of range sections and line tables."""
    for compiler, language in DRIVERS:
        yield Build(compiler, language, 2, "with-5", ("-O2",), dwarf_of_second=5)
        yield Build(compiler, language, 5, "with-4", ("-O2", "-no-pie"), dwarf_of_second=4)


def matrix():
    yield from plain()
    for compiler, language in DRIVERS:
        for dwarf in (4, 5):
            yield from variants(compiler, language, dwarf)
    yield from old_versions()
    yield from mixed()


def params(some=None):
    """Of the matrix or some of it, for a test to be asked of each. Without --long it is not asked of
    what is built as older versions of DWARF too, but for the plain builds with -O2."""
    import pytest  # pylint: disable=import-outside-toplevel # scripts without it use the matrix

    for build in matrix() if some is None else some:
        is_first = build.dwarf == 5 or build.dwarf_of_second or build.name == "plain-O2"
        yield pytest.param(build, id=build.id(), marks=[] if is_first else [pytest.mark.long])
