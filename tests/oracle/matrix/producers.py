"""Compilers and languages, versions of DWARF, levels of optimisation."""

import struct

from matrix.cell import C, CXX, SOURCES, Subject, family
from matrix.shop import OURS

RUSTC = ("rustc", OURS / "shapes.rs", "-Copt-level=2", "-g", "-Cpanic=abort")
LANGUAGES = {"gcc": "C", "g++": "C++", "clang": "C", "clang++": "C++"}
DRAFTERS = {"clang-22": "C", "clang++-22": "C++"}  # which write DWARF 6


def program(shop, driver, *flags, link=()):
    """One of the programs, built whole."""
    objects = shop.compiled(driver, SOURCES[driver], *flags)
    return shop.linked(driver, objects, *link)


def built(driver, *flags):
    return lambda shop: Subject(program(shop, driver, *flags))


@family("versions", "Versions of DWARF, C and C++",
        "A program of two source files: functions inlined into each other and into themselves, "
        "several calls in a line, cold parts, discarded code; in C++ classes, templates, "
        "overloads, operators, lambdas.")
def versions():
    for driver, language in LANGUAGES.items():
        for dwarf in (2, 3, 4, 5):
            for level in ("-O1", "-O2"):
                yield (f"{driver}-{dwarf}{level}", f"{driver}, {language}, DWARF {dwarf}, {level}",
                       (driver,), built(driver, f"-gdwarf-{dwarf}", level),
                       level == "-O1" and dwarf < 5)


@family("forms", "Forms of DWARF",
        "The same programs, with options that change the debug information. The twin of a "
        "program with DWARF 6 is compiled with -gdwarf-5.")
def forms():
    for driver in ("gcc", "clang"):
        for dwarf in (3, 4, 5):
            yield (f"{driver}-dwarf64-{dwarf}", f"{driver}, DWARF {dwarf} in its 64-bit format",
                   (driver,), built(driver, f"-gdwarf-{dwarf}", "-gdwarf64", "-O2"))
    for dwarf in (2, 3, 4, 5):
        yield (f"gcc-strict-{dwarf}", f"gcc -gstrict-dwarf, DWARF {dwarf}", ("gcc",),
               built("gcc", f"-gdwarf-{dwarf}", "-gstrict-dwarf", "-O2"))
    for dwarf in (4, 5):
        for driver in ("g++", "clang++"):
            yield (f"{driver}-g1-{dwarf}", f"{driver} -g1, DWARF {dwarf}", (driver,),
                   built(driver, f"-gdwarf-{dwarf}", "-g1", "-O2"))
            yield (f"{driver}-types-{dwarf}", f"{driver} -fdebug-types-section, DWARF {dwarf}",
                   (driver,), built(driver, f"-gdwarf-{dwarf}", "-fdebug-types-section", "-O2"))
        yield (f"clang++-simple-names-{dwarf}",
               f"clang++ -gsimple-template-names, DWARF {dwarf}", ("clang++",),
               built("clang++", f"-gdwarf-{dwarf}", "-gsimple-template-names", "-O2"))
        yield (f"gcc-m32-{dwarf}", f"gcc -m32 -c, DWARF {dwarf}", ("gcc",),
               lambda shop, dwarf=dwarf: Subject(shop.compiled(
                   "gcc", C[:1], f"-gdwarf-{dwarf}", "-m32", "-O2")[0]))
    for driver, language in DRAFTERS.items():
        yield (f"{driver}-6", f"{driver}, {language}, DWARF 6 as it is drafted", (driver,),
               lambda shop, driver=driver: Subject(
                   program(shop, driver, "-gdwarf-6", "-O2"),
                   twins=(program(shop, driver, "-gdwarf-5", "-O2"),)))
    yield ("gcc-mixed", "gcc, a unit of DWARF 2 and one of DWARF 5", ("gcc",), mixed)


def mixed(shop):
    objects = [shop.compiled("gcc", (source,), f"-gdwarf-{dwarf}", "-O2")[0]
               for source, dwarf in zip(C, (2, 5))]
    return Subject(shop.linked("gcc", objects))


@family("languages", "Other languages",
        "A program in each: Fortran's modules and internal procedures, Ada's nested subprograms "
        "and generics, templates and nested functions of D, closures and generics of Go and Rust, "
        "device functions of CUDA. A Go program has its whole runtime in it.")
def languages():
    for dwarf in (4, 5):
        flags = (f"-gdwarf-{dwarf}", "-O2")
        yield (f"gfortran-{dwarf}", f"gfortran, DWARF {dwarf}", ("gfortran",),
               whole("gfortran", "areas.f90", *flags))
        yield (f"gnat-{dwarf}", f"gnatmake, Ada, DWARF {dwarf}", ("gnatmake",),
               whole("gnatmake", "shapes.adb", "-q", "-gnatn", *flags))
        yield (f"gdc-{dwarf}", f"gdc, D, DWARF {dwarf}", ("gdc",),
               whole("gdc", "shapes.d", "-frelease", *flags))
        for scheme in ("legacy", "v0"):
            yield (f"rustc-{scheme}-{dwarf}", f"rustc, names in the {scheme} scheme, DWARF {dwarf}",
                   ("rustc" if dwarf == 4 else "rustc>=1.88",),
                   rust(scheme, *(() if dwarf == 4 else ("-Cdwarf-version=5",))))
    yield ("go", "go, sections compressed", ("go",), go())
    yield ("go-plain", "go -ldflags=-compressdwarf=false", ("go",),
           go("-ldflags=-compressdwarf=false"))
    # Compiles all of the runtime anew.
    yield ("go-trimpath", "go -trimpath", ("go",), go("-trimpath"), True)
    yield ("nvcc", "nvcc -G -cubin, sm_90", ("nvcc",), cuda)


def whole(driver, source, *flags):
    return lambda shop: Subject(shop.make(driver, *flags, OURS / source, "-o", "program",
                                          output="program"))


def rust(scheme, *version):
    # Version 4 is what it writes unless told otherwise; older compilers do not know the option.
    def make(shop):
        # A compiler that has the one scheme by default may call the other one unstable.
        return Subject(shop.make("env", "RUSTC_BOOTSTRAP=1", *RUSTC, "-Zunstable-options",
                                 f"-Csymbol-mangling-version={scheme}", *version,
                                 "--crate-type=lib", "--emit=obj", "-o", "shapes.o",
                                 output="shapes.o"))
    return make


def go(*flags):
    # llvm-dwarfdump 14 reads Go's compressed sections as well as plain ones.
    return lambda shop: Subject(shop.make("go", "build", *flags, "-o", "program",
                                          OURS / "shapes.go", output="program"))


def cuda(shop):
    path = shop.make("nvcc", "-G", "-arch=sm_90", "-cubin", OURS / "shapes.cu", "-o",
                     "shapes.cubin", output="shapes.cubin")
    # llvm-dwarfdump 14 does not know the machine, and readelf not its relocations.
    return Subject(path, twins=(relocated(path),), reader="readelf")


def relocated(path):
    """A copy of NVIDIA's program with the addresses in it that its relocations say: what is there
    in their place is wrong, beyond the end of the code even (nvcc 13.0)."""
    data = bytearray(path.read_bytes())
    table, entry_size, count = (*struct.unpack_from("<Q", data, 0x28),
                                *struct.unpack_from("<HH", data, 0x3a))
    # (type, file offset, size, the section that it relocates)
    sections = [(*struct.unpack_from("<I", data, at + 4), *struct.unpack_from("<QQ", data, at + 24),
                 *struct.unpack_from("<I", data, at + 44))
                for at in range(table, table + entry_size * count, entry_size)]
    for kind, start, size, target in sections:
        for at in range(start, start + size, 24) if kind == 4 else ():
            off, info, addend = struct.unpack_from("<QQq", data, at)
            assert info & 0xffffffff == 2, "not R_CUDA_64"  # whose symbols are at 0
            struct.pack_into("<q", data, sections[target][1] + off, addend)
    copy = path.with_suffix(".relocated")
    copy.write_bytes(data)
    return copy
