"""Range lists of DWARF 2 to 4 in relocatable files, decoded here from bytes and relocations.

Needed because a pair of zeros ends a list (DWARF 4, 2.17.3), but in an object nearly every
address is 0 until it is relocated. gcc begins a list with an empty range to mark the view that a
copy is entered at; where that is at the start of a section both of its relocations yield
section + 0. After linking the pair is (A, A), an empty range, and the list goes on. llvm-dwarfdump
14 and readelf 2.40 apply the relocations with every section at 0, and end the list there.
(test_old_lists.py has the proof.) Here a pair ends a list only if nothing relocates it.
"""

import struct
import zlib
from typing import NamedTuple

SHT_SYMTAB, SHT_RELA, SHT_REL = 2, 4, 9
SHF_COMPRESSED = 0x800
SHN_LORESERVE = 0xff00
COMPRESSED_BY_ZLIB = 1
EM_386, EM_X86_64 = 3, 62
NO_RELOCATION = 0                               # R_386_NONE, R_X86_64_NONE
ADDRESS_RELOCATION = {EM_386: 1, EM_X86_64: 1}  # R_386_32, R_X86_64_64
LAYOUTS = {1: "IIIIIIIIII", 2: "IIQQQQIIQQ"}    # Elf32_Shdr, Elf64_Shdr


class Section(NamedTuple):
    name: int
    type: int
    flags: int
    addr: int
    offset: int
    size: int
    link: int
    info: int
    align: int
    entry_size: int


class Address(NamedTuple):
    value: int
    section: str
    relocated: bool


class Object:
    """As much of an ELF file, of either class, as a debug section of an object needs."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.data = file.read()
        self.is_64 = self.data[4] == 2
        self.order = "<" if self.data[5] == 1 else ">"
        self.machine, = self.unpack("H", 18)
        start, = self.unpack("Q" if self.is_64 else "I", 40 if self.is_64 else 32)
        size, count, names = self.unpack("HHH", 58 if self.is_64 else 46)
        layout = LAYOUTS[self.data[4]]
        self.sections = [Section(*self.unpack(layout, start + index * size))
                         for index in range(count)]
        self.names = [self.text(self.sections[names].offset + section.name)
                      for section in self.sections]

    def unpack(self, layout, at):
        return struct.unpack_from(self.order + layout, self.data, at)

    def text(self, at):
        return self.data[at:self.data.index(0, at)].decode(errors="replace")

    def bytes_of(self, index):
        section = self.sections[index]
        content = self.data[section.offset:section.offset + section.size]
        if not section.flags & SHF_COMPRESSED:
            return content
        kind, = self.unpack("I", section.offset)
        if kind != COMPRESSED_BY_ZLIB:
            raise ValueError(f"{self.names[index]}: compressed by {kind}")
        return zlib.decompress(content[24 if self.is_64 else 12:])

    def relocations(self, index):
        """{offset: (symbol's value, its section, addend or None)} of the section `index`."""
        found = {}
        for section in self.sections:
            if section.type in (SHT_REL, SHT_RELA) and section.info == index:
                for offset, kind, symbol, addend in self._entries(section):
                    if kind == NO_RELOCATION:
                        continue
                    if kind != ADDRESS_RELOCATION[self.machine]:
                        raise ValueError(f"{self.names[index]}: relocation of type {kind}")
                    found[offset] = (*self._symbol(section.link, symbol), addend)
        return found

    def _entries(self, section):
        word = "Q" if self.is_64 else "I"
        layout = self.order + word * 2 + (word.lower() if section.type == SHT_RELA else "")
        data = self.data[section.offset:section.offset + section.size]
        for offset, info, *addend in struct.iter_unpack(layout, data):
            kind, symbol = ((info & 0xffffffff, info >> 32) if self.is_64
                            else (info & 0xff, info >> 8))
            yield offset, kind, symbol, addend[0] if addend else None

    def _symbol(self, table, index):
        at = self.sections[table].offset + index * (24 if self.is_64 else 16)
        value, section = ((self.unpack("Q", at + 8)[0], self.unpack("H", at + 6)[0])
                          if self.is_64 else
                          (self.unpack("I", at + 4)[0], self.unpack("H", at + 14)[0]))
        return value, self.names[section] if 0 < section < SHN_LORESERVE else None


class OldLists:
    def __init__(self, path):
        object_file = Object(path)
        self.order = "little" if object_file.order == "<" else "big"
        self.content, self.relocations = b"", {}
        if ".debug_ranges" in object_file.names:
            index = object_file.names.index(".debug_ranges")
            self.content = object_file.bytes_of(index)
            self.relocations = object_file.relocations(index)

    def _address(self, at, size):
        stored = int.from_bytes(self.content[at:at + size], self.order)
        if at not in self.relocations:
            return Address(stored, None, False)
        value, section, addend = self.relocations[at]
        value += stored if addend is None else addend
        return Address(value & ((1 << 8 * size) - 1), section, True)

    def pairs(self, offset, addr_size):
        """The entries before the end of a list, those that select a base too."""
        while offset + 2 * addr_size <= len(self.content):
            start = self._address(offset, addr_size)
            end = self._address(offset + addr_size, addr_size)
            if start == end == (0, None, False):
                return
            yield start, end
            offset += 2 * addr_size

    def read(self, offset, addr_size, base):
        """[(start, end, section or None), ...]; `base` is (address, section or None)."""
        mask = (1 << 8 * addr_size) - 1
        ranges = []
        for start, end in self.pairs(offset, addr_size):
            if start == (mask, None, False):
                base = end.value, end.section
            else:
                ranges.append((base[0] + start.value & mask, base[0] + end.value & mask,
                               start.section or base[1]))
        return ranges
