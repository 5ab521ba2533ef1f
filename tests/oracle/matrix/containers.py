"""What one compilation can be put into: kinds of ELF files, debug files, compressed sections."""

from matrix.cell import SOURCES, Subject, family
from matrix.producers import program

GCC5 = ("-gdwarf-5", "-O2")
DRIVERS = {"gcc": GCC5, "clang": GCC5, "g++": ("-gdwarf-4", "-O2")}
NAMED = {"gcc": "gcc, DWARF 5", "clang": "clang, DWARF 5", "g++": "g++, DWARF 4"}


@family("files", "Kinds of files",
        "Addresses in relocatable files are offsets in a section; the symbolizers were given the name of "
        "each section, except llvm-symbolizer, which accepts none.")
def files():
    for driver, flags in DRIVERS.items():
        def cell(name, what, make, *needs, driver=driver, flags=flags):
            return (f"{driver}-{name}", f"{NAMED[driver]}: {what}", (driver, *needs),
                    lambda shop: make(shop, driver, flags))

        yield cell("exec", "executable at a fixed address", fixed)
        yield cell("pie", "position-independent executable", pie)
        yield cell("shared", "shared object", shared)
        yield cell("emit-relocs", "executable that keeps its relocations (-q)", emit_relocs)
        yield cell("object", "relocatable object", an_object)
        yield cell("object-sections", "relocatable object, a section a function", object_sections)
        yield cell("merged", "objects joined by ld -r", merged, "ld")
        yield cell("archive", "static archive", archive, "ar")
        yield cell("thin-archive", "thin archive", thin_archive, "ar")


def fixed(shop, driver, flags):
    return Subject(program(shop, driver, *flags, "-fno-pie", link=("-no-pie",)))


def pie(shop, driver, flags):
    return Subject(program(shop, driver, *flags, "-fPIE", link=("-pie",)))


def shared(shop, driver, flags):
    return Subject(program(shop, driver, *flags, "-fPIC", link=("-shared",)))


def emit_relocs(shop, driver, flags):
    return Subject(program(shop, driver, *flags, link=("-Wl,-q",)))


def objects(shop, driver, flags):
    return shop.compiled(driver, SOURCES[driver], *flags)


def an_object(shop, driver, flags):
    return Subject(objects(shop, driver, flags)[0])


def object_sections(shop, driver, flags):
    return Subject(objects(shop, driver, (*flags, "-ffunction-sections"))[0])


def merged(shop, driver, flags):
    return Subject(shop.make("ld", "-r", *objects(shop, driver, flags), "-o", "merged.o",
                             output="merged.o"))


def archive(shop, driver, flags):
    members = objects(shop, driver, flags)
    return Subject(shop.make("ar", "rc", "libshapes.a", *members, output="libshapes.a"),
                   twins=tuple(members))


def thin_archive(shop, driver, flags):
    members = objects(shop, driver, flags)
    return Subject(shop.make("ar", "rcT", "libshapes.a", *members, output="libshapes.a"),
                   twins=tuple(members))


@family("debug-files", "Separate debug files",
        "A stripped program with its debug file: beside it, found by .gnu_debuglink, or in a build ID "
        "directory, which each tool was given if it has an option for it.")
def debug_files():
    for driver, flags in DRIVERS.items():
        def cell(name, what, make, *needs, driver=driver, flags=flags):
            return (f"{driver}-{name}", f"{NAMED[driver]}: {what}", (driver, *needs),
                    lambda shop: make(shop, driver, flags))

        yield cell("debuglink", "stripped, .gnu_debuglink", debuglink, "objcopy", "strip")
        yield cell("debuglink-subdirectory", "stripped, .gnu_debuglink into .debug/",
                   lambda shop, driver, flags: debuglink(shop, driver, flags, ".debug"),
                   "objcopy", "strip")
        yield cell("build-id", "stripped, build-id", build_id, "objcopy", "strip")
        yield cell("debug-file", "the debug file itself", debug_file, "objcopy")
        yield cell("eu-strip", "stripped by eu-strip, .gnu_debuglink", eu_strip, "eu-strip")


BUILD_ID = "ab12cd34ef567890"


def unstripped(shop, driver, flags):
    return program(shop, driver, *flags, link=(f"-Wl,--build-id=0x{BUILD_ID}",))


def separated(shop, driver, flags, folder="."):
    """(whole, stripped, debug file)"""
    whole = unstripped(shop, driver, flags)
    room = shop.room()
    (room / folder).mkdir(exist_ok=True)
    shop.run("objcopy", "--only-keep-debug", whole, f"{folder}/program.debug", cwd=room)
    shop.run("strip", "-g", whole, "-o", "program", cwd=room)
    return whole, room / "program", room / folder / "program.debug"


def debuglink(shop, driver, flags, folder="."):
    whole, stripped, debug = separated(shop, driver, flags, folder)
    # It would be found by its build-id too.
    shop.run("objcopy", "--remove-section=.note.gnu.build-id", f"--add-gnu-debuglink={debug}",
             stripped, cwd=stripped.parent)
    return Subject(stripped, twins=(whole,))


def build_id(shop, driver, flags):
    whole, stripped, debug = separated(shop, driver, flags)
    folder = stripped.parent / "debug"
    place = folder / ".build-id" / BUILD_ID[:2]
    place.mkdir(parents=True)
    debug.rename(place / f"{BUILD_ID[2:]}.debug")
    return Subject(stripped, twins=(whole,), options=("--debug-dir", folder),
                   peer_options={"llvm-symbolizer": (f"--debug-file-directory={folder}",),
                                 "eu-addr2line": (f"--debuginfo-path={folder}",)})


def debug_file(shop, driver, flags):
    whole, _, debug = separated(shop, driver, flags)
    return Subject(debug, twins=(whole,))


def eu_strip(shop, driver, flags):
    whole = unstripped(shop, driver, flags)
    room = shop.room()
    shop.run("eu-strip", whole, "-o", "program", "-f", "program.debug", cwd=room)
    return Subject(room / "program", twins=(whole,))


KINDS = {"zlib": "zlib (SHF_COMPRESSED)", "zstd": "zstd (SHF_COMPRESSED)",
         "zlib-gnu": "zlib, in .zdebug sections"}


@family("compressed", "Compressed sections", "The twin of each is the uncompressed file.")
def compressed():
    for driver, flags in DRIVERS.items():
        for kind, what in KINDS.items():
            objcopy = "objcopy>=2.40" if kind == "zstd" else "objcopy"
            for name, title, make in (("", "executable", pie), ("-object", "object", an_object)):
                yield (f"{driver}-{kind}{name}", f"{NAMED[driver]}: {title}, {what}",
                       (driver, objcopy),
                       lambda shop, driver=driver, flags=flags, make=make, kind=kind:
                       recompressed(shop, make(shop, driver, flags).path, kind))
        yield (f"{driver}-gz", f"{NAMED[driver]}: -gz when compiling and linking", (driver,),
               lambda shop, driver=driver, flags=flags:
               Subject(program(shop, driver, *flags, "-gz", link=("-gz",))))


def recompressed(shop, whole, kind):
    path = shop.make("objcopy", f"--compress-debug-sections={kind}", whole, "compressed",
                     output="compressed")
    return Subject(path, twins=(whole,))
