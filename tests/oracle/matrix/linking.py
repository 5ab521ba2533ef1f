"""What linkers and optimisation across functions do: LTO, folding, discarding, clones."""

import re

from matrix.cell import CLONES, Subject, family
from matrix.producers import built, program
from matrix.shop import ToolFailed

LINKERS = {"bfd": "ld.bfd", "gold": "ld.gold", "lld": "ld.lld", "mold": "mold"}
SECTIONS = ("-ffunction-sections",)


@family("linking", "Linking and link-time optimisation",
        "Link-time optimisation splits units; linkers discard functions and fold identical ones, but "
        "keep their DWARF, with meaningless addresses; gcc clones and splits functions.")
def linking():
    for driver in ("gcc", "g++"):
        for dwarf in (4, 5):
            flags = (f"-gdwarf-{dwarf}", "-O2", "-flto")
            yield (f"{driver}-lto-{dwarf}", f"{driver} -flto, DWARF {dwarf}", (driver,),
                   optimised(driver, flags, ()))
    for driver in ("clang", "clang++"):
        for dwarf in (4, 5):
            for kind in ("full", "thin"):
                flags = (f"-gdwarf-{dwarf}", "-O2", f"-flto={kind}")
                yield (f"{driver}-lto-{kind}-{dwarf}", f"{driver} -flto={kind}, DWARF {dwarf}",
                       (driver, "ld.lld"), optimised(driver, flags, ("-fuse-ld=lld",)))
    yield from discarding()
    yield from folding()
    for dwarf in (4, 5):
        yield (f"gcc-clones-{dwarf}", "gcc: .constprop, .part and .cold functions, "
               f"DWARF {dwarf}", ("gcc", "nm"), clones(f"-gdwarf-{dwarf}"))
        yield (f"gcc-O3-{dwarf}", f"gcc -O3, vectorised and unrolled, DWARF {dwarf}", ("gcc",),
               built("gcc", f"-gdwarf-{dwarf}", "-O3", "-funroll-loops"))


def optimised(driver, flags, link):
    return lambda shop: Subject(program(shop, driver, *flags, link=(*flags, *link)))


def discarding():
    for driver in ("gcc", "clang"):
        for dwarf in (4, 5):
            for linker, tool in LINKERS.items():
                link = (f"-fuse-ld={linker}", "-Wl,--gc-sections")
                yield (f"{driver}-gc-{linker}-{dwarf}",
                       f"{driver}, DWARF {dwarf}: --gc-sections by {tool}", (driver, tool),
                       discarded(driver, dwarf, link))
            link = ("-fuse-ld=lld", "-Wl,--gc-sections", "-Wl,-z,dead-reloc-in-nonalloc=.debug_*="
                    "0xffffffffffffffff")
            yield (f"{driver}-gc-tombstone-{dwarf}",
                   f"{driver}, DWARF {dwarf}: --gc-sections by ld.lld, the largest address as mark",
                   (driver, "ld.lld"), discarded(driver, dwarf, link))


def discarded(driver, dwarf, link):
    return lambda shop: Subject(program(shop, driver, f"-gdwarf-{dwarf}", "-O2", *SECTIONS,
                                        link=link))


def folding():
    for driver in ("g++", "clang++"):
        for dwarf in (4, 5):
            for linker in ("gold", "lld", "mold"):
                link = (f"-fuse-ld={linker}", "-Wl,--icf=all")
                yield (f"{driver}-icf-{linker}-{dwarf}",
                       f"{driver}, DWARF {dwarf}: --icf=all by {LINKERS[linker]}",
                       (driver, LINKERS[linker]), discarded(driver, dwarf, link))


def clones(version):
    def make(shop):
        objects = shop.compiled("gcc", CLONES, version, "-O2")
        path = shop.linked("gcc", objects)
        names = shop.run("nm", path.name, cwd=path.parent)
        for suffix in (".constprop", ".part", ".cold"):
            if not re.search(re.escape(suffix) + r"\.?\d*\b", names):
                raise ToolFailed(f"gcc made no {suffix} of clones.c")
        return Subject(path)
    return make
