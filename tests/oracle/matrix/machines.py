"""Machines: the same C by clang for others, and by gcc's cross compilers."""

from matrix.cell import C, Subject, family

# What ld.lld 14 links; the others are objects only.
CLANG = {"arm-none-eabi": True, "armv7-linux-gnueabihf": True, "armebv7-linux-gnueabihf": False,
         "thumbv7m-none-eabi": True, "aarch64-linux-gnu": True, "aarch64_be-linux-gnu": True,
         "i686-linux-gnu": True, "x86_64-linux-gnux32": True, "powerpc-linux-gnu": True,
         "powerpc64-linux-gnu": True, "powerpc64le-linux-gnu": True, "mips-linux-gnu": True,
         "mipsel-linux-gnu": True, "mips64-linux-gnuabi64": True, "mips64el-linux-gnuabi64": True,
         "riscv32-unknown-elf": True, "riscv64-linux-gnu": True, "s390x-linux-gnu": False,
         "sparc64-linux-gnu": True, "hexagon-unknown-elf": True, "bpfel": False, "bpfeb": False,
         "msp430": False, "avr": False}
GCC = ("aarch64-linux-gnu", "alpha-linux-gnu", "arm-linux-gnueabihf", "hppa-linux-gnu",
       "i686-linux-gnu", "m68k-linux-gnu", "mips-linux-gnu", "mips64-linux-gnuabi64",
       "mips64el-linux-gnuabi64", "mipsel-linux-gnu", "powerpc-linux-gnu", "powerpc64-linux-gnu",
       "powerpc64le-linux-gnu", "riscv64-linux-gnu", "s390x-linux-gnu", "sh4-linux-gnu",
       "sparc64-linux-gnu")
# llvm-dwarfdump 14 cannot relocate objects of these.
ONLY_READELF = ("x86_64-linux-gnux32", "alpha-linux-gnu", "hppa-linux-gnu", "m68k-linux-gnu",
                "sh4-linux-gnu")
LINK = ("-e", "main", "--unresolved-symbols=ignore-all", "--gc-sections")


@family("machines", "Machines, by clang",
        "The C program for each machine, without a C library: as an object, and linked by ld.lld "
        "if it can.")
def machines():
    for target, links in CLANG.items():
        for dwarf in (4, 5):
            # clang 14 would call GNU's assembler for SPARC.
            flags = (f"--target={target}", "-fintegrated-as", f"-gdwarf-{dwarf}", "-O2",
                     "-ffreestanding")
            yield (f"{target}-object-{dwarf}", f"{target}, DWARF {dwarf}: object", ("clang",),
                   an_object("clang", flags, target))
            if links:
                yield (f"{target}-{dwarf}", f"{target}, DWARF {dwarf}: linked",
                       ("clang", "ld.lld"), linked("clang", flags, "ld.lld"), dwarf == 4)


def an_object(compiler, flags, target, peer_tools=None):
    reader = "readelf" if target in ONLY_READELF else "dwarfdump"
    return lambda shop: Subject(shop.compiled(compiler, C[:1], *flags)[0], reader=reader,
                                peer_tools=peer_tools or {})


def linked(compiler, flags, linker, peer_tools=None):
    def make(shop):
        objects = shop.compiled(compiler, C, *flags)
        return Subject(shop.make(linker, *LINK, *objects, "-o", "program", output="program"),
                       peer_tools=peer_tools or {})
    return make


@family("cross", "Machines, by gcc",
        "The same by Debian's cross compilers, linked by GNU ld. The addr2line is that of the "
        "machine.")
def cross():
    for target in GCC:
        compiler, linker, addr2line = (f"{target}-{tool}" for tool in ("gcc", "ld", "addr2line"))
        own = {"addr2line": addr2line}
        for dwarf in (4, 5):
            flags = (f"-gdwarf-{dwarf}", "-O2", "-ffreestanding", "-fno-pie")
            yield (f"gcc-{target}-object-{dwarf}", f"{target}, DWARF {dwarf}: object",
                   (compiler, addr2line), an_object(compiler, flags, target, own), True)
            yield (f"gcc-{target}-{dwarf}", f"{target}, DWARF {dwarf}: linked",
                   (compiler, linker, addr2line), linked(compiler, flags, linker, own), True)
