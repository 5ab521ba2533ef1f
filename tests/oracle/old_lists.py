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

ET_REL = 1
SHT_SYMTAB, SHT_RELA, SHT_REL = 2, 4, 9
SHF_COMPRESSED = 0x800
SHN_LORESERVE = 0xff00
COMPRESSED_BY_ZLIB = 1
EM_MIPS, EM_SH, EM_SPARCV9, EM_RISCV, EM_LOONGARCH = 8, 42, 43, 243, 258
NO_RELOCATION = 0  # of every machine
# By e_machine, the types that make a field an address; with DWARF for 32 and for 64 bits.
ADDRESS_RELOCATIONS = {
    2: {3, 23},         # SPARC: R_SPARC_32, R_SPARC_UA32
    3: {1},             # 386: R_386_32
    4: {1},             # 68K: R_68K_32
    EM_MIPS: {2, 18},   # R_MIPS_32, R_MIPS_64
    15: {1, 80},        # PA-RISC: R_PARISC_DIR32, R_PARISC_DIR64
    18: {3, 23},        # SPARC32PLUS
    20: {1},            # PPC: R_PPC_ADDR32
    21: {38},           # PPC64: R_PPC64_ADDR64
    22: {4, 22},        # S390: R_390_32, R_390_64
    40: {2},            # ARM: R_ARM_ABS32
    EM_SH: {1},         # R_SH_DIR32
    EM_SPARCV9: {32, 54},  # R_SPARC_64, R_SPARC_UA64
    62: {1, 10},        # X86_64: R_X86_64_64, R_X86_64_32 (x32)
    83: {4},            # AVR: R_AVR_16
    105: {1, 5},        # MSP430: R_MSP430_32 (LLVM 19), R_MSP430_16_BYTE
    164: {6},           # QDSP6: R_HEX_32
    183: {1, 257},      # AARCH64: R_AARCH64_P32_ABS32, R_AARCH64_ABS64
    195: {4},           # ARCV2: R_ARC_32
    EM_RISCV: {1, 2},   # R_RISCV_32, R_RISCV_64
    247: {1, 2, 12},    # BPF: R_BPF_64_64, R_BPF_64_ABS64, R_BPF_DATA_64
    EM_LOONGARCH: {1, 2},  # R_LARCH_32, R_LARCH_64
    0x9026: {2},        # ALPHA: R_ALPHA_REFQUAD
}
# Those that add to a field and subtract from it: 32 and 64 bits.
SUMS = {EM_RISCV: {35: 1, 36: 1, 39: -1, 40: -1}, EM_LOONGARCH: {50: 1, 51: 1, 55: -1, 56: -1}}
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
        self.relocatable = self.unpack("H", 16) == (ET_REL,)
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

    def relocations(self, index, any_kind=False):
        """{offset: [(sign or None, symbol's value, its section, addend or None), ...]}

        Of the section `index`. Without a sign the field becomes the sum of value and addend; with
        one that is added to it. With `any_kind` those that are not known are addresses too.
        """
        found = {}
        addresses, sums = ADDRESS_RELOCATIONS[self.machine], SUMS.get(self.machine, {})
        for section in self.sections:
            if section.type in (SHT_REL, SHT_RELA) and section.info == index:
                for offset, kind, symbol, addend in self._entries(section):
                    if kind == NO_RELOCATION:
                        continue
                    if kind not in addresses and kind not in sums and not any_kind:
                        raise ValueError(f"{self.names[index]}: relocation of type {kind}")
                    found.setdefault(offset, []).append(
                        (sums.get(kind), *self._symbol(section.link, symbol), addend))
        return found

    def _entries(self, section):
        word = "Q" if self.is_64 else "I"
        layout = self.order + word * 2 + (word.lower() if section.type == SHT_RELA else "")
        data = self.data[section.offset:section.offset + section.size]
        for offset, info, *addend in struct.iter_unpack(layout, data):
            kind, symbol = self._kind_and_symbol(info)
            # SH: the addend is in the field, beside one of 0.
            yield offset, kind, symbol, addend[0] if addend and self.machine != EM_SH else None

    def _kind_and_symbol(self, info):
        if not self.is_64:
            return info & 0xff, info >> 8
        if self.machine == EM_SPARCV9:
            return info & 0xff, info >> 32
        if self.machine != EM_MIPS:
            return info & 0xffffffff, info >> 32
        # A symbol of four bytes, then a byte each: special symbol, third, second and first type.
        symbol, *kinds = struct.unpack(self.order + "IBBBB", struct.pack(self.order + "Q", info))
        if kinds[:3] != [0, 0, 0]:
            raise ValueError(f"relocations composed: {kinds}")
        return kinds[3], symbol

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
        result, its_section = stored, None
        for sign, value, section, addend in self.relocations[at]:
            if sign is None:
                result = value + (stored if addend is None else addend)
                its_section = section
            else:
                result += sign * (value + addend)
        return Address(result & ((1 << 8 * size) - 1), its_section, True)

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
