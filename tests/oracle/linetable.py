"""Line tables as llvm-dwarfdump prints them: the paths of files, every row, the place of a call.

In a relocatable file rows have no sections; there -v is needed too, for the offsets of the
operands of DW_LNE_set_address, and the relocations of these say whose sequence it is.
"""

import bisect
import re
import subprocess
from typing import NamedTuple

from old_lists import ADDRESS_RELOCATIONS, Object

TABLE = re.compile(r"debug_line\[0x([0-9a-f]+)\]")
ENTRY = re.compile(r"(include_directories|file_names)\[ *(\d+)\](?: = (.*)|:)$")
FIELD = re.compile(r" +(name|dir_index|version): +(.*)$")
TEXT = re.compile(r'[^"]*"(.*)"$')
HEADING = re.compile(r" *Address +Line ")
ROW = re.compile(r" *0x[0-9a-f]{16} ")
SET_ADDRESS = re.compile(r"0x([0-9a-f]+): 00 DW_LNE_set_address ")
BEFORE_ADDRESS = 3  # bytes of that opcode before its operand: 0, a length, itself


class LineTable(NamedTuple):
    version: int
    dirs: dict   # index -> path
    files: dict  # index -> (directory's index, name)

    def path(self, index, comp_dir):
        """Joined, never normalised. An index without an entry is an unknown file (None)."""
        if index not in self.files:
            return None
        dir_index, name = self.files[index]
        if name.startswith("/"):
            return name
        directory = self.dirs.get(dir_index, "")
        if directory:
            name = join(directory, name)
        # Directory 0 of version 5 is the compilation directory itself (DWARF 5, 6.2.4).
        if name.startswith("/") or not comp_dir or directory == comp_dir and dir_index == 0:
            return name
        return join(comp_dir, name)


def join(directory, name):
    return directory + name if directory.endswith("/") else f"{directory}/{name}"


class Row(NamedTuple):
    addr: int
    line: int
    column: int
    file: int
    isa: int
    discriminator: int
    flags: tuple


# The columns of a row between its address and its flags; LLVM 17 and later have one more.
NUMBERS = ("Line", "Column", "File", "ISA", "Discriminator")


class Sequence(NamedTuple):
    section: str  # None in a linked file, and where nothing relocates it
    rows: list    # the last one ends it


def printed(path, *options):
    with subprocess.Popen(["llvm-dwarfdump", "--debug-line", *options, str(path)],
                          stdout=subprocess.PIPE, text=True, errors="replace") as process:
        yield from process.stdout


def operand_sections(path):
    """{offset in .debug_line: section of the symbol that an address there is relocated by}"""
    file = Object(path)
    found = {}
    for section in file.sections:
        if section.type in (4, 9) and file.names[section.info] == ".debug_line":
            for offset, kind, symbol, _ in file._entries(section):
                if kind in ADDRESS_RELOCATIONS[file.machine]:
                    found[offset] = file._symbol(section.link, symbol)[1]
    return found


def read(path, relocatable=False):
    """{offset: (LineTable, [Sequence, ...])}"""
    tables, sections = {}, operand_sections(path) if relocatable else {}
    version = section = None
    for line in printed(path, *(("-v",) if relocatable else ())):
        if ROW.match(line):
            cells = line.split()
            rows.append(Row(int(cells[0], 16), *(int(cells[at]) for at in numbers),
                            tuple(cells[flags:])))
            if "end_sequence" in rows[-1].flags:
                sequences.append(Sequence(section, rows))
                rows, section = [], None
        elif HEADING.match(line):
            names = line.split()
            numbers, flags = [names.index(name) for name in NUMBERS], names.index("Flags")
        elif line.startswith("debug_line["):
            offset, rows, sequences = int(TABLE.match(line)[1], 16), [], []
            section = None
        elif (found := SET_ADDRESS.match(line)) and not rows:
            section = sections.get(int(found[1], 16) + BEFORE_ADDRESS)
        elif (found := ENTRY.match(line)):
            entry = int(found[2])
            if found[3]:
                tables[offset][0].dirs[entry] = text_of(found[3])
        elif (found := FIELD.match(line)):
            name, value = found.groups()
            if name == "version":
                version = int(value)
                tables[offset] = LineTable(version, {}, {}), sequences
            elif name == "name":
                tables[offset][0].files[entry] = None, text_of(value)
            else:
                tables[offset][0].files[entry] = int(value), tables[offset][0].files[entry][1]
    return tables


def text_of(value):
    return TEXT.match(value)[1]


class Places:
    """Where the line tables of a file say that the code at an address comes from."""

    def __init__(self, path, sections):
        self.path = path
        self.sections = sections
        self.tables = None  # offset -> (LineTable, {section: _Lookup})

    def at(self, stmt_list, comp_dir, addr, section):
        """(file, line, column), each None if not recorded."""
        if self.tables is None:
            self.tables = {offset: (table, self.by_section(sequences)) for
                           offset, (table, sequences) in
                           read(self.path, self.sections.relocatable).items()}
        table, lookups = self.tables.get(stmt_list, (None, {}))
        row = lookups[section].find(addr) if section in lookups else None
        if row is None:
            return None, None, None
        return table.path(row.file, comp_dir), row.line or None, row.column or None

    def by_section(self, sequences):
        """Without those of discarded code."""
        live = {}
        for sequence in sequences:
            if self.sections.holds_code(sequence.rows[0].addr, sequence.section):
                live.setdefault(sequence.section, []).append(sequence.rows)
        return {section: _Lookup(rows) for section, rows in live.items()}


class _Lookup:
    def __init__(self, sequences):
        # Of those that begin at one address the first in the file is the last here, and found.
        self.sequences = sorted(reversed(sequences), key=lambda rows: rows[0].addr)
        self.starts = [rows[0].addr for rows in self.sequences]
        self.addrs = [[row.addr for row in rows] for rows in self.sequences]

    def find(self, addr):
        """The last row that is not after the address, of the sequence that holds it."""
        at = bisect.bisect_right(self.starts, addr) - 1
        while at >= 0 and self.sequences[at][-1].addr <= addr:
            at -= 1  # empty sequences, and what lies in another one
        if at < 0:
            return None
        return self.sequences[at][bisect.bisect_right(self.addrs[at], addr) - 1]
