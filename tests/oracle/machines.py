"""first.c and second.c for every machine that the compilers here can write code for.

No headers or libraries of the machine are needed: the programs are freestanding.
"""

import shutil
from typing import NamedTuple

from builds import PROGRAMS, SOURCES, run

BOTH = ("dwarfdump", "readelf")
CLANG = ("clang", "-fintegrated-as")  # else GNU's assembler is run for some, the host's
UNKNOWN_TARGET = "unknown target triple"


class Missing(Exception):
    """What this machine lacks, as a reason to skip a test."""


class Target(NamedTuple):
    """A machine, a compiler for it, and who else can read its relocations."""
    name: str
    compiler: tuple
    flags: tuple = ()
    readers: tuple = BOTH  # of objects; linked files have no relocations and are for both
    linker: tuple = ()     # empty: none here can link for this machine
    descriptors: bool = False  # symbols are of function descriptors

    def make_object(self, directory, dwarf, source, *flags):
        """The path of one of the sources, compiled."""
        if not shutil.which(self.compiler[0]):
            raise Missing(f"no {self.compiler[0]}")
        output = directory / f"{self.name}-{dwarf}-{source}.o"
        try:
            return run([*self.compiler, *self.flags, "-ffreestanding", "-O2", f"-gdwarf-{dwarf}",
                        *flags, "-c", PROGRAMS / source], output)
        except RuntimeError as error:
            if UNKNOWN_TARGET in str(error):
                raise Missing(f"this clang does not know {self.name}") from error
            raise

    def make_objects(self, directory, dwarf):
        return [self.make_object(directory, dwarf, source) for source in SOURCES["c"]]

    def link(self, objects, output, *flags):
        """A program without libraries, or if there is only one object, without what it lacks.

        Nothing is relaxed, so that all code stays as long as it was.
        """
        if not shutil.which(self.linker[0]):
            raise Missing(f"no {self.linker[0]}")
        return run([*self.linker, "--no-relax", "-e", "main", *flags, *objects], output)


def clang(triple, *flags, name=None, **rest):
    return Target(f"clang-{name or triple}", (*CLANG, f"--target={triple}"), flags, **rest)


def gcc(triple, *flags, **rest):
    return Target(f"gcc-{triple}", (f"{triple}-gcc",), flags, linker=(f"{triple}-ld",), **rest)


LLD = {"linker": ("ld.lld",)}
READELF = {"readers": ("readelf",)}  # where llvm-dwarfdump 14 knows no relocations
DWARFDUMP = {"readers": ("dwarfdump",)}

TARGETS = (
    clang("x86_64-linux-gnu", **LLD),
    clang("x86_64-linux-gnux32", **LLD, **READELF),
    clang("x86_64-unknown-freebsd", **LLD),
    clang("i386-linux-gnu", **LLD),
    clang("aarch64-linux-gnu", **LLD),
    clang("aarch64_be-linux-gnu", **LLD),
    clang("armv7-linux-gnueabi", **LLD),
    clang("thumbv7-linux-gnueabi", **LLD),
    clang("armebv7-linux-gnueabi"),
    clang("riscv32-linux-gnu", **LLD),
    clang("riscv64-linux-gnu", **LLD),
    clang("riscv64-linux-gnu", "-mrelax", "-ffunction-sections", name="riscv64-relax", **LLD),
    clang("loongarch64-linux-gnu", **LLD, **READELF),
    # No linker leaves the padding of loops, which would be counted in what is before it.
    clang("loongarch64-linux-gnu", "-Xclang", "-target-feature", "-Xclang", "+relax",
          "-falign-loops=1",
          name="loongarch64-relax", readers=(), **LLD),
    clang("s390x-linux-gnu"),
    clang("powerpc-linux-gnu", **LLD),
    clang("powerpc64-linux-gnu", descriptors=True),
    clang("powerpc64-linux-gnu", "-mabi=elfv2", name="powerpc64-elfv2", **LLD),
    clang("powerpc64le-linux-gnu", **LLD),
    clang("mips-linux-gnu", **LLD),
    clang("mipsel-linux-gnu", **LLD),
    clang("mips-linux-gnu", "-mmicromips", name="micromips"),
    clang("mips64-linux-gnuabi64", **LLD),
    clang("mips64el-linux-gnuabi64", **LLD),
    clang("mips64-linux-gnuabin32", **LLD, **READELF),
    clang("sparc-linux-gnu"),
    clang("sparcv9-linux-gnu", **LLD),
    clang("hexagon-unknown-elf", "-G0", **LLD, **DWARFDUMP),
    clang("bpfel"),
    clang("bpfeb"),
    gcc("riscv64-linux-gnu", readers=BOTH),
    gcc("mips64-linux-gnuabi64"),
    gcc("powerpc64-linux-gnu", descriptors=True),
    gcc("sh4-linux-gnu", **READELF),
)
