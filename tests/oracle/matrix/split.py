"""DWARF in several files: split by the compiler (.dwo, .dwp), or shared by dwz."""

from matrix.cell import SOURCES, Subject, family
from matrix.producers import LANGUAGES, program
from matrix.shop import ToolFailed, version_of

TITLES = {driver: f"{driver}, {language}" for driver, language in LANGUAGES.items()}


def code_of(shop, path):
    """What must be equal in a file and its twin."""
    room = shop.room()
    shop.run("objcopy", "-O", "binary", "-j", ".text", path, "text", cwd=room)
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


def same_code(shop, path, twin):
    if code_of(shop, path) != code_of(shop, twin):
        raise ToolFailed(f"{path} and {twin} differ in their code")


@family("split", "Split DWARF",
        "The executable was asked about. The twin is the program of the same code, compiled by the "
        "same compiler without -gsplit-dwarf.")
def split():
    for driver, title in TITLES.items():
        for dwarf in (4, 5):
            def cell(name, what, make, *needs, driver=driver, dwarf=dwarf):
                return (f"{driver}-{name}-{dwarf}", f"{TITLES[driver]}, DWARF {dwarf}: {what}",
                        (driver, "objcopy", *needs),
                        lambda shop: make(shop, driver, f"-gdwarf-{dwarf}", "-O2"))

            yield cell("dwo", ".dwo files beside the objects", dwo)
            yield cell("dwo-types", ".dwo files with type units", dwo_types)
            if dwarf == 4:
                yield cell("dwp", ".dwp by binutils' dwp", binutils_dwp, "dwp")
            # llvm-dwp 14 does not come to an end over gcc's DWARF 5 of this C program.
            if (driver, dwarf) != ("gcc", 5):
                yield cell("llvm-dwp", ".dwp by llvm-dwp", llvm_dwp, "llvm-dwp")
            if driver not in ("gcc", "clang"):
                continue
            yield cell("dwo-gz", ".dwo files with compressed sections", dwo_gz)
            yield cell("dwo-object", "relocatable object with a .dwo file", dwo_object)
            yield cell("dwo-moved", ".dwo files in another directory", moved)
            yield cell("dwo-debuglink", "stripped, .gnu_debuglink, .dwo files", dwo_debuglink,
                       "strip")
            yield cell("dwo-missing", ".dwo files missing", missing_dwo)
            if driver == "clang":
                yield cell("dwo-single", "-gsplit-dwarf=single, the objects are the .dwo files",
                           single)
                yield cell("dwo-inlining", "-fsplit-dwarf-inlining: instances in both", inlining)
                yield cell("dwo-inlining-missing",
                           "-fsplit-dwarf-inlining, .dwo files missing: what the skeleton has",
                           missing_inlining)


def dwo(shop, driver, *flags):
    path, twin = splits(shop, driver, *flags)
    return Subject(path, twins=(twin,))


def dwo_types(shop, driver, *flags):
    return dwo(shop, driver, *flags, "-fdebug-types-section")


def dwo_gz(shop, driver, *flags):
    return dwo(shop, driver, *flags, "-gz=zlib")


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


def split_objects(shop, driver, *flags):
    """Where splits() finds them made: (objects, .dwo files)."""
    objects = shop.compiled(driver, SOURCES[driver], *flags,
                            *SPLIT.get(driver, ("-gsplit-dwarf",)))
    return objects, [path.with_suffix(".dwo") for path in objects]


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
        "a supplementary file. The twin is the file before that.")
def dwz():
    for driver, dwarf in (("gcc", 4), ("gcc", 5), ("g++", 4), ("g++", 5), ("clang++", 4)):
        def cell(name, what, make, driver=driver, dwarf=dwarf):
            return (f"{driver}-dwz{name}-{dwarf}", f"{TITLES[driver]}, DWARF {dwarf}: {what}",
                    (driver, "dwz", *(("strip", "objcopy") if "link" in name else ())),
                    lambda shop: make(shop, driver, f"-gdwarf-{dwarf}", "-O2"))

        yield cell("", "partial units in one file", one_file)
        yield cell("-multi", "supplementary file (.gnu_debugaltlink)", several_files)
        yield cell("-relative", "supplementary file, by a relative path", relative)
        yield cell("-debuglink", "stripped, with a debug file and a supplementary file",
                   debug_file_dwz)
        if dwarf == 5:
            yield cell("-sup", "supplementary file as in DWARF 5 (.debug_sup)", as_in_dwarf_5)


def one_file(shop, driver, *flags):
    whole = program(shop, driver, *flags)
    room = shop.room()
    path = shop.copy(whole, room)
    shop.run("dwz", path.name, cwd=room)
    return Subject(path, twins=(whole,))


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
