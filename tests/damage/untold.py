"""Damage that cannot be told from a sound file, with the reason: as narrow as possible.

A damaged part is excused if the kind of damage, the section, the sample and the command all match.
"""

import re
from typing import NamedTuple


class Untold(NamedTuple):
    kinds: str  # regular expressions, which match the whole
    sections: str
    samples: str
    commands: str
    reason: str


ANY = ".*"

UNTOLD = (
    Untold("zeros|ones|zero-half", r"\.debug_addr", "skeleton-4|dw[op]-4", ANY,
           "before DWARF 5 the table has no header, and such addresses mark code thrown away"),
    Untold("zero-half", r"\.debug_addr", ANY, ANY,
           "addresses of 0 mark code that was thrown away"),
    Untold("zero-half", r"\.debug_rnglists(\.dwo)?", ANY, ANY,
           "between a list's zero and the relocated bytes of another nothing is amiss"),
    Untold("next-offset", r"\.debug_(str|line_str|ranges)(\.dwo)?", ANY, ANY,
           "moved by a byte into padding: strings without their first letter, other ranges"),
    Untold("zero-half|ones", r"\.debug_str_offsets(\.dwo)?", "mips|i386|dw[op]-4|riscv64", ANY,
           "offsets of other strings; relocations hold what they are added to"),
    Untold("zeros|ones|zero-half", r"\.text", "dwz", "sites-json",
           "whether a call goes to a part of a function is read from its code, and any bytes may be code"),
    Untold("zero-half", r"\.debug_loclists(\.dwo)?", "object-.*|module|riscv64", ANY,
           "between a list's zero and the relocated bytes of another nothing is amiss"),
    Untold("zeros|ones|zero-half", r"\.text.*", ANY, "sites-e|probe|probe-exit|why",
           "which ways lead into a copy and out of it is read from its code, and any bytes may be code"),
    Untold(ANY, r"\.(init|fini|plt.*)", ANY, "stats|sizes|diff", "nothing else says how much code these have"),
    Untold("flag-code", r"\.(comment|llvm_addrsig|riscv\.attributes|data.*|bss|rodata.*|note.*)", ANY,
           "stats|sizes|diff", "any section may be marked as code"),
    Untold("zeros|ones|zero-half", r"\.rodata", "crash.*", "backtrace-v",
           "strings that a core leaves out are read from the file, and any bytes may be text"),
    Untold("zero-half", r"\.debug_line_str", "dump-kernel", ANY,
           "it holds little but a path, which may be shorter"),
    Untold("machine", "ELF header", ANY, ANY, "the registers of another machine have other names"),
    Untold("odd-size", r"\.text", "go-tables", "stats|diff", "nothing else says how much code this has"),
    Untold("half-shnum", "ELF header", "go", ANY,
           "a program of Go without its last sections is one without DWARF"),
    Untold("no-size", r"\.text", "lines-only", "lines",
           "a line table has no functions, and rows outside of code were thrown away by a linker"),
)

# A debug file that was changed is not the one that the program asks for; and what is not a section but
# the whole file.
NOT_FOUND = ("prog.debug: ", "exceed the address space", "a symbol or section is called")

NO_NAMES = "has no name in section"  # of the table of the sections' names

# What a message may be about instead of the damaged section itself.
RELATED = {
    # Go's tables of what was inlined, and what says where they are, are found by that of functions.
    ".rodata": (".gopclntab",), ".noptrdata": (".gopclntab",), ".text": (".gopclntab",),
    ".debug_line_str": (".debug_line+",),  # where its strings are asked for
    ".debug_abbrev": (".debug_info+",),  # whose entries have no meaning then
    ".shstrtab": (NO_NAMES, ".dwo"),  # which is not found then
    ".strtab": (".symtab", NO_NAMES),  # one table may be for both
    ".note.gnu.build-id": ("has no build ID", "has another build ID", ": build ID is "),
    ".symtab": (".strtab", "a symbol or section is called", "a symbol that does not exist",
                "(sh_link)"),
    ".text": ("in no section", "not in any section", "not in a code section",
              "beyond the code it starts in", "beyond all code sections"),
}


def names(section):
    """One of these must be in a message about damage to the section. A gap is also reported by the
    section before it, and by its size; a .dwo file's sections by the names without ".dwo"."""
    if section == "ELF header" or section.startswith("program header"):
        return ("",)  # whatever is wrong with the file
    if section.endswith(".dwo") or ".gnu_debug" in section:
        return (section, section.removesuffix(".dwo"), ".dwo", " bytes before ", *NOT_FOUND)
    if section.startswith(".text."):
        return (section, *NOT_FOUND, *RELATED[".text"])
    return (section, *NOT_FOUND, " bytes before ", *RELATED.get(section, ()))


def reason(kind, section, sample, command):
    """Why this cannot be told; None if it can."""
    for row in UNTOLD:
        if re.fullmatch(row.kinds, kind) and re.fullmatch(row.sections, section) and \
                re.fullmatch(row.samples, sample) and re.fullmatch(row.commands, command):
            return row.reason
    return None
