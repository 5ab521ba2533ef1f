"""DWARF in several files: split by the compiler (.dwo, .dwp), or shared by dwz."""

from matrix.cell import SOURCES, Subject, family
from matrix.producers import LANGUAGES, RUSTC, program
from matrix.shop import OURS, ToolFailed, version_of

TITLES = {driver: f"{driver}, {language}" for driver, language in LANGUAGES.items()}


def code_of(shop, path, objcopy):
    """What must be equal in a file and its twin."""
    room = shop.room()
    shop.run(objcopy, "-O", "binary", "-j", ".text", path, "text", cwd=room)
    return (room / "text").read_bytes()


def splits(shop, driver, *flags, link=()):
    """(program, twin): the same code, with its DWARF apart and not."""
    apart = program(shop, driver, *flags, *SPLIT.get(driver, ("-gsplit-dwarf",)), link=link)
    whole = program(shop, driver, *flags_of_twin(flags), link=link)
    same_code(shop, apart, whole)
    return apart, whole


SPLIT = {"clang": ("-gsplit-dwarf", "-fno-split-dwarf-inlining"),
         "clang++": ("-gsplit-dwarf", "-fno-split-dwarf-inlining")}
ONLY_SPLIT = ("-gsplit-dwarf=single", "-fsplit-dwarf-inlining")


def flags_of_twin(flags):
    return [flag for flag in flags if flag not in ONLY_SPLIT]


def same_code(shop, path, twin, objcopy="objcopy"):
    if code_of(shop, path, objcopy) != code_of(shop, twin, objcopy):
        raise ToolFailed(f"{path} and {twin} differ in their code")


@family("split", "Split DWARF",
        "The executable was given to the tools. The twin is the same program, compiled by the same "
        "compiler without -gsplit-dwarf.")
def split():
    for driver in TITLES:
        for dwarf in (4, 5):
            flags = (f"-gdwarf-{dwarf}", "-O2")
            for name, what, make, *needs in recipes(driver, dwarf):
                yield (f"{driver}-{name}-{dwarf}", f"{TITLES[driver]}, DWARF {dwarf}: {what}",
                       (driver, "objcopy", *needs),
                       lambda shop, make=make, driver=driver, flags=flags:
                       make(shop, driver, *flags))
    for kind, what in (("packed", "a .dwp by rustc"), ("unpacked", ".dwo files")):
        yield (f"rustc-split-{kind}", f"rustc, DWARF 5: -Csplit-debuginfo={kind}, {what}",
               ("rustc>=1.88",), rust(kind))
    yield ("gfortran-dwo", "gfortran, DWARF 5: .dwo file", ("gfortran",), fortran)
    for target in ("s390x-linux-gnu", "powerpc-linux-gnu"):
        for dwarf in (4, 5):
            yield (f"gcc-{target}-dwo-{dwarf}", f"gcc for {target}, DWARF {dwarf}: object with a "
                   ".dwo file, both big-endian", (f"{target}-gcc", f"{target}-objcopy"),
                   lambda shop, target=target, dwarf=dwarf: other_machine(shop, target, dwarf),
                   True)


def recipes(driver, dwarf):
    """(name, what, make, tool...)"""
    is_clang = driver.startswith("clang")
    yield "dwo", ".dwo files beside the objects", dwo
    yield "dwo-types", ".dwo files with type units", with_flags("-fdebug-types-section")
    if dwarf == 4:
        yield "dwp", ".dwp by binutils' dwp", binutils_dwp, "dwp"
        yield ("dwp-types", ".dwp by binutils' dwp, with type units",
               types_of(binutils_dwp), "dwp")
    # llvm-dwp 14 does not come to an end over gcc's DWARF 5 of the C program.
    if (driver, dwarf) != ("gcc", 5):
        yield "llvm-dwp", ".dwp by llvm-dwp", llvm_dwp, "llvm-dwp"
        if driver.endswith("++"):
            yield ("llvm-dwp-types", ".dwp by llvm-dwp, with type units", types_of(llvm_dwp),
                   "llvm-dwp")
    if driver not in ("gcc", "clang"):
        return
    yield "dwo-gz", ".dwo files with compressed sections", with_flags("-gz=zlib")
    yield "dwo-gc", ".dwo files, --gc-sections by ld.lld", discarding, "ld.lld"
    yield "dwo-shared", ".dwo files of a shared object", shared
    yield "dwo-object", "relocatable object with a .dwo file", dwo_object
    yield ("dwo-object-sections", "the same, a section a function",
           lambda shop, driver, *flags: dwo_object(shop, driver, *flags, "-ffunction-sections"))
    yield "dwo-merged", "objects joined by ld -r, with .dwo files", dwo_merged, "ld"
    yield "dwo-moved", ".dwo files in another directory", moved
    yield "dwo-debuglink", "stripped, .gnu_debuglink, .dwo files", dwo_debuglink, "strip"
    yield "dwo-missing", ".dwo files missing", missing_dwo
    if dwarf == 5:
        yield "dwo-dwarf64", ".dwo files in the 64-bit format", with_flags("-gdwarf64")
    if dwarf == 4 or is_clang:
        yield "dwp-moved", ".dwp in another directory", moved_dwp, "llvm-dwp"
    if is_clang:
        yield "dwo-single", "-gsplit-dwarf=single, the objects are the .dwo files", single
        yield "dwo-thin-lto", "-flto=thin, .dwo files by ld.lld", thin_lto, "ld.lld"
        yield "dwo-inlining", "-fsplit-dwarf-inlining: instances in both", inlining
        yield ("dwo-inlining-missing",
               "-fsplit-dwarf-inlining, .dwo files missing: what the skeleton has",
               missing_inlining)


def dwo(shop, driver, *flags):
    path, twin = splits(shop, driver, *flags)
    return Subject(path, twins=(twin,))


def with_flags(*more):
    return lambda shop, driver, *flags: dwo(shop, driver, *flags, *more)


def types_of(make):
    return lambda shop, driver, *flags: make(shop, driver, *flags, "-fdebug-types-section")


def discarding(shop, driver, *flags):
    path, twin = splits(shop, driver, *flags, "-ffunction-sections",
                        link=("-fuse-ld=lld", "-Wl,--gc-sections"))
    return Subject(path, twins=(twin,))


def shared(shop, driver, *flags):
    path, twin = splits(shop, driver, *flags, "-fPIC", link=("-shared",))
    return Subject(path, twins=(twin,))


def thin_lto(shop, driver, *flags):
    lto = (*flags, "-flto=thin", "-fuse-ld=lld")
    objects = shop.compiled(driver, SOURCES[driver], *lto, "-gsplit-dwarf")
    apart = shop.linked(driver, objects, *lto, "-gsplit-dwarf", "-Wl,-plugin-opt=dwo_dir=dwos")
    whole = program(shop, driver, *lto, link=lto)
    same_code(shop, apart, whole)
    return Subject(apart, twins=(whole,))


def rust(kind):
    def make(shop):
        apart, whole = (shop.make(*RUSTC, "-Cdwarf-version=5", f"-Csplit-debuginfo={how}",
                                  "--crate-type=cdylib", "-Clink-arg=-nostdlib", "-o",
                                  "libshapes.so", output="libshapes.so")
                        for how in (kind, "off"))
        same_code(shop, apart, whole)
        return Subject(apart, twins=(whole,))
    return make


def fortran(shop):
    command = ("gfortran", "-gdwarf-5", "-O2", OURS / "areas.f90", "-o", "program")
    apart = shop.make(*command, "-gsplit-dwarf", output="program")
    whole = shop.make(*command, output="program")
    same_code(shop, apart, whole)
    return Subject(apart, twins=(whole,))


def other_machine(shop, target, dwarf):
    flags = (f"-gdwarf-{dwarf}", "-O2", "-ffreestanding")
    apart, = shop.compiled(f"{target}-gcc", SOURCES["gcc"][:1], *flags, "-gsplit-dwarf")
    whole, = shop.compiled(f"{target}-gcc", SOURCES["gcc"][:1], *flags)
    same_code(shop, apart, whole, f"{target}-objcopy")
    return Subject(apart, twins=(whole,))


def single(shop, driver, *flags):
    apart = program(shop, driver, *flags, "-gsplit-dwarf=single")
    whole = program(shop, driver, *flags)
    same_code(shop, apart, whole)
    return Subject(apart, twins=(whole,))


def dwo_object(shop, driver, *flags):
    sources = SOURCES[driver][:1]
    apart, = shop.compiled(driver, sources, *flags, *SPLIT.get(driver, ("-gsplit-dwarf",)))
    whole, = shop.compiled(driver, sources, *flags)
    same_code(shop, apart, whole)
    return Subject(apart, twins=(whole,))


def dwo_merged(shop, driver, *flags):
    sources = SOURCES[driver]
    apart, whole = (
        shop.make("ld", "-r", *shop.compiled(driver, sources, *flags, *more), "-o", "merged.o",
                  output="merged.o")
        for more in (SPLIT.get(driver, ("-gsplit-dwarf",)), ()))
    same_code(shop, apart, whole)
    return Subject(apart, twins=(whole,))


def packed(shop, driver, flags, *command):
    """A program with PROGRAM.dwp beside it and its .dwo files gone."""
    subject, dwos = without_dwo(shop, driver, flags)
    shop.run(*command, *dwos, "-o", f"{subject.path.name}.dwp", cwd=subject.path.parent)
    for path in dwos:
        path.unlink()
    return subject


def binutils_dwp(shop, driver, *flags):
    return packed(shop, driver, flags, "dwp")


def llvm_dwp(shop, driver, *flags):
    return packed(shop, driver, flags, "llvm-dwp")


def moved_dwp(shop, driver, *flags):
    subject = llvm_dwp(shop, driver, *flags)
    beside = subject.path.with_name(f"{subject.path.name}.dwp")
    package = beside.rename(shop.room() / "elsewhere.dwp")
    return subject._replace(options=("--dwp", package),
                            peer_options={"llvm-symbolizer": (f"--dwp={package}",)})


def without_dwo(shop, driver, flags, *more):
    """(Subject, .dwo files), the latter not where the program says: compiled in a folder of its
    own, then moved."""
    room, place = shop.room(), shop.room()
    sources = SOURCES[driver]
    split_flags = more or SPLIT.get(driver, ("-gsplit-dwarf",))
    for source in sources:
        shop.run(driver, *flags, *split_flags, "-c", source, "-o", f"{source.stem}.o", cwd=room)
    objects = [f"{source.stem}.o" for source in sources]
    shop.run(driver, *objects, "-o", "program", cwd=room)
    twin = program(shop, driver, *flags)
    same_code(shop, room / "program", twin)
    dwos = [shop.copy(room / f"{source.stem}.dwo", place) for source in sources]
    for source in sources:
        (room / f"{source.stem}.dwo").unlink()
    return Subject(room / "program", twins=(twin,)), dwos


def moved(shop, driver, *flags):
    subject, dwos = without_dwo(shop, driver, flags)
    return subject._replace(options=("--dwo-dir", dwos[0].parent))


def missing_dwo(shop, driver, *flags):
    subject, _ = without_dwo(shop, driver, flags)
    # The skeletons have no children.
    return subject._replace(twins=(), has_instances=False, status=2)


def missing_inlining(shop, driver, *flags):
    subject, _ = without_dwo(shop, driver, flags, "-gsplit-dwarf", "-fsplit-dwarf-inlining")
    return subject._replace(twins=(), status=2)


def inlining(shop, driver, *flags):
    apart = program(shop, driver, *flags, "-gsplit-dwarf", "-fsplit-dwarf-inlining")
    whole = program(shop, driver, *flags)
    same_code(shop, apart, whole)
    return Subject(apart, twins=(whole,))


def dwo_debuglink(shop, driver, *flags):
    whole, twin = splits(shop, driver, *flags)
    room = shop.room()
    shop.run("objcopy", "--only-keep-debug", whole, "program.debug", cwd=room)
    shop.run("strip", "-g", whole, "-o", "program", cwd=room)
    shop.run("objcopy", "--remove-section=.note.gnu.build-id",
             "--add-gnu-debuglink=program.debug", "program", cwd=room)
    return Subject(room / "program", twins=(twin,))


@family("dwz", "Shared by dwz",
        "dwz moves what units have in common to partial units, or what programs have in common to "
        "a supplementary file. The twin is the original file.")
def dwz():
    for driver, dwarf in (("gcc", 4), ("gcc", 5), ("g++", 4), ("g++", 5), ("clang++", 4)):
        def cell(name, what, make, driver=driver, dwarf=dwarf):
            return (f"{driver}-dwz{name}-{dwarf}", f"{TITLES[driver]}, DWARF {dwarf}: {what}",
                    (driver, "dwz", *(("strip", "objcopy") if "link" in name else ())),
                    lambda shop: make(shop, driver, f"-gdwarf-{dwarf}", "-O2"))

        yield cell("", "partial units in one file", one_file)
        if driver == "gcc":
            yield cell("-lto", "link-time optimisation, partial units in one file", optimised)
        # dwz 0.15 knows no type units of DWARF 5.
        if (driver, dwarf) == ("g++", 4):
            yield cell("-types", "type units, partial units in one file", one_file_types)
        yield cell("-multi", "supplementary file (.gnu_debugaltlink)", several_files)
        yield cell("-relative", "supplementary file, by a relative path", relative)
        yield cell("-debuglink", "stripped, with a debug file and a supplementary file",
                   debug_file_dwz)
        if dwarf == 5:
            yield cell("-sup", "supplementary file as in DWARF 5 (.debug_sup)", as_in_dwarf_5)


def one_file(shop, driver, *flags, link=()):
    whole = program(shop, driver, *flags, link=link)
    room = shop.room()
    path = shop.copy(whole, room)
    shop.run("dwz", path.name, cwd=room)
    return Subject(path, twins=(whole,))


def optimised(shop, driver, *flags):
    return one_file(shop, driver, *flags, "-flto", link=(*flags, "-flto"))


def one_file_types(shop, driver, *flags):
    return one_file(shop, driver, *flags, "-fdebug-types-section")


def several_files(shop, driver, *flags, options=()):
    """The first of two programs that share one file."""
    whole = program(shop, driver, *flags)
    other = program(shop, driver, *flags, "-fno-omit-frame-pointer")
    room = shop.room()
    first, second = (shop.copy(path, room, name)
                     for path, name in ((whole, "first"), (other, "second")))
    shop.run("dwz", *options, "-m", "common.dwz", first.name, second.name, cwd=room)
    if not (room / "common.dwz").exists():
        raise ToolFailed(f"dwz {version_of('dwz')} found nothing in common")
    return Subject(first, twins=(whole,))


def relative(shop, driver, *flags):
    return several_files(shop, driver, *flags, options=("-r",))


def as_in_dwarf_5(shop, driver, *flags):
    return several_files(shop, driver, *flags, options=("--dwarf-5",))


def debug_file_dwz(shop, driver, *flags):
    """As distributions do it."""
    subject = several_files(shop, driver, *flags)
    room = subject.path.parent
    shop.run("objcopy", "--only-keep-debug", "first", "first.debug", cwd=room)
    shop.run("strip", "-g", "first", cwd=room)
    shop.run("objcopy", "--remove-section=.note.gnu.build-id",
             "--add-gnu-debuglink=first.debug", "first", cwd=room)
    return subject
