"""Damage to ELF files: one section or segment at a time, in its bytes or in its header."""

from typing import NamedTuple

ELF_TYPES = {"none": 0, "rel": 1, "exec": 2, "dyn": 3, "core": 4}
SHT_NULL, SHT_NOBITS = 0, 8
SHF_ALLOC, SHF_EXECINSTR, SHF_COMPRESSED = 2, 4, 0x800

# name: (offset, size) in a section header
FIELDS_64 = {"name": (0, 4), "type": (4, 4), "flags": (8, 8), "addr": (16, 8), "offset": (24, 8),
             "size": (32, 8), "link": (40, 4), "info": (44, 4), "entsize": (56, 8)}
FIELDS_32 = {"name": (0, 4), "type": (4, 4), "flags": (8, 4), "addr": (12, 4), "offset": (16, 4),
             "size": (20, 4), "link": (24, 4), "info": (28, 4), "entsize": (36, 4)}
# The same in a program header.
SEGMENT_FIELDS_64 = {"type": (0, 4), "flags": (4, 4), "offset": (8, 8), "vaddr": (16, 8),
                     "filesz": (32, 8), "memsz": (40, 8)}
SEGMENT_FIELDS_32 = {"type": (0, 4), "offset": (4, 4), "vaddr": (8, 4), "filesz": (16, 4),
                     "memsz": (20, 4), "flags": (24, 4)}
PT_LOAD, PT_NOTE, PT_PHDR = 1, 4, 6
# The same of the ELF header.
FILE_FIELDS_64 = {"class": (4, 1), "data": (5, 1), "type": (16, 2), "machine": (18, 2),
                  "phoff": (32, 8), "phentsize": (54, 2), "phnum": (56, 2),
                  "shoff": (40, 8), "shentsize": (58, 2), "shnum": (60, 2), "shstrndx": (62, 2)}
FILE_FIELDS_32 = {"class": (4, 1), "data": (5, 1), "type": (16, 2), "machine": (18, 2),
                  "phoff": (28, 4), "phentsize": (42, 2), "phnum": (44, 2),
                  "shoff": (32, 4), "shentsize": (46, 2), "shnum": (48, 2), "shstrndx": (50, 2)}


class Section(NamedTuple):
    number: int
    name: str
    fields: dict


class Segment(NamedTuple):
    number: int
    fields: dict

    def __str__(self):
        return f"program header {self.number}"


class Elf:
    """The bytes of a file of which an ELF file begins at `base`, as a member of an archive does."""

    def __init__(self, data, base=0):
        self.data, self.base = bytearray(data), base
        assert self.data[base:base + 4] == b"\x7fELF"
        self.is_64 = self.data[base + 4] == 2
        self.order = "little" if self.data[base + 5] == 1 else "big"
        self.fields = FIELDS_64 if self.is_64 else FIELDS_32
        self.file_fields = FILE_FIELDS_64 if self.is_64 else FILE_FIELDS_32
        self.segment_fields = SEGMENT_FIELDS_64 if self.is_64 else SEGMENT_FIELDS_32
        self.sections = self._read_sections()

    def _get(self, at, size):
        return int.from_bytes(self.data[at:at + size], self.order)

    def _put(self, at, size, value):
        value &= (1 << 8 * size) - 1
        self.data[at:at + size] = value.to_bytes(size, self.order)

    def get_file(self, field):
        at, size = self.file_fields[field]
        return self._get(self.base + at, size)

    def put_file(self, field, value):
        at, size = self.file_fields[field]
        self._put(self.base + at, size, value)

    def _header(self, number):
        return self.base + self.get_file("shoff") + number * self.get_file("shentsize")

    def _read_sections(self):
        found = []
        for number in range(self.get_file("shnum")):
            at = self._header(number)
            found.append({name: self._get(at + off, size)
                          for name, (off, size) in self.fields.items()})
        if not found:
            return []
        strings = found[self.get_file("shstrndx")]
        start = self.base + strings["offset"]
        names = bytes(self.data[start:start + strings["size"]])
        return [Section(number, names[fields["name"]:names.index(0, fields["name"])].decode(),
                        fields) for number, fields in enumerate(found)]

    def put(self, section, field, value):
        at, size = self.fields[field]
        self._put(self._header(section.number) + at, size, value)

    def segments(self):
        """What is loaded, and notes."""
        found = []
        for number in range(self.get_file("phnum")):
            at = self._program_header(number)
            fields = {name: self._get(at + off, size)
                      for name, (off, size) in self.segment_fields.items()}
            if fields["type"] in (PT_LOAD, PT_NOTE):
                found.append(Segment(number, fields))
        return found

    def _program_header(self, number):
        return self.base + self.get_file("phoff") + number * self.get_file("phentsize")

    def put_segment(self, segment, field, value):
        at, size = self.segment_fields[field]
        self._put(self._program_header(segment.number) + at, size, value)

    def fill_segment(self, segment, byte, start=0):
        first, size = self.base + segment.fields["offset"], segment.fields["filesz"]
        self.data[first + start:first + size] = bytes([byte]) * (size - start)

    def fill(self, section, byte, start=0, end=None):
        """Fills a part of a section that is in the file."""
        size = section.fields["size"]
        first = self.base + section.fields["offset"] + start
        count = (size if end is None else end) - start
        self.data[first:first + count] = bytes([byte]) * count


def _late_half(elf, section):
    half = section.fields["size"] // 2
    elf.put(section, "offset", section.fields["offset"] + half)
    elf.put(section, "size", section.fields["size"] - half)


def _putting(field, change):
    return lambda elf, section: elf.put(section, field, change(section.fields[field]))


DAMAGES = {
    "zeros": lambda elf, section: elf.fill(section, 0),
    "ones": lambda elf, section: elf.fill(section, 0xff),
    "zero-half": lambda elf, section: elf.fill(section, 0, section.fields["size"] // 2),
    "late-half": _late_half,
    "half-size": _putting("size", lambda size: size // 2),
    "no-size": _putting("size", lambda size: 0),
    "odd-size": _putting("size", lambda size: size - 1),
    "small-size": _putting("size", lambda size: min(size, 0xff)),
    "huge-size": _putting("size", lambda size: -1),
    "no-offset": _putting("offset", lambda offset: 0),
    "next-offset": _putting("offset", lambda offset: offset + 1),
    "huge-offset": _putting("offset", lambda offset: -1),
    "no-link": _putting("link", lambda link: 0),
    "next-link": _putting("link", lambda link: link + 1),
    "huge-link": _putting("link", lambda link: -1),
    "no-info": _putting("info", lambda info: 0),
    "next-info": _putting("info", lambda info: info + 1),
    "huge-info": _putting("info", lambda info: -1),
    "no-entsize": _putting("entsize", lambda size: 0),
    "odd-entsize": _putting("entsize", lambda size: size + 1),
    "huge-entsize": _putting("entsize", lambda size: -1),
    "type-null": _putting("type", lambda kind: SHT_NULL),
    "type-nobits": _putting("type", lambda kind: SHT_NOBITS),
    "type-other": _putting("type", lambda kind: kind + 1),
    "type-huge": _putting("type", lambda kind: -1),
    "flag-compressed": _putting("flags", lambda flags: flags ^ SHF_COMPRESSED),
    "flag-code": _putting("flags", lambda flags: flags ^ (SHF_ALLOC | SHF_EXECINSTR)),
    "flags-huge": _putting("flags", lambda flags: -1),
}

# Those that concern the content of a section; they say nothing of one without any.
CONTENT = ("zeros", "ones", "zero-half")


def _file(field, value):
    return lambda elf: elf.put_file(field, value(elf.get_file(field)))


FILE_DAMAGES = {
    **{f"type-{name}": _file("type", lambda old, value=value: value)
       for name, value in ELF_TYPES.items()},
    "class": _file("class", lambda old: old ^ 3),
    "data": _file("data", lambda old: old ^ 3),
    "machine": _file("machine", lambda old: 0x4242),
    "no-shoff": _file("shoff", lambda old: 0),
    "next-shoff": _file("shoff", lambda old: old + 1),
    "huge-shoff": _file("shoff", lambda old: -1),
    "no-shnum": _file("shnum", lambda old: 0),
    "half-shnum": _file("shnum", lambda old: old // 2),
    "huge-shnum": _file("shnum", lambda old: 0xfeff),
    "no-shstrndx": _file("shstrndx", lambda old: 0),
    "huge-shstrndx": _file("shstrndx", lambda old: -1),
    "shentsize": _file("shentsize", lambda old: old + 8),
}


def _segment(field, change):
    return lambda elf, segment: elf.put_segment(segment, field, change(segment.fields[field]))


SEGMENT_DAMAGES = {
    **{f"{change}-{field}": _segment(field, how)
       for field in ("offset", "vaddr", "filesz", "memsz")
       for change, how in {"no": lambda old: 0, "half": lambda old: old // 2,
                           "next": lambda old: old + 1, "last": lambda old: old - 1,
                           "page": lambda old: old + 0x1000, "huge": lambda old: -1}.items()},
    "type-null": _segment("type", lambda old: 0),
    "type-other": _segment("type", lambda old: PT_LOAD + PT_NOTE - old),
    "type-phdr": _segment("type", lambda old: PT_PHDR),
    "no-flags": _segment("flags", lambda old: 0),
    "no-code": _segment("flags", lambda old: old & ~1),
    "all-flags": _segment("flags", lambda old: -1),
}
NOTE_DAMAGES = {
    "zeros": lambda elf, segment: elf.fill_segment(segment, 0),
    "ones": lambda elf, segment: elf.fill_segment(segment, 0xff),
    "zero-half": lambda elf, segment: elf.fill_segment(segment, 0, segment.fields["filesz"] // 2),
}


def damaged_segments(data, base):
    """Yields (segment, kind, the file with that damage). What memory held cannot be wrong."""
    for segment in Elf(data, base).segments():
        is_note = segment.fields["type"] == PT_NOTE
        for kind, change in {**SEGMENT_DAMAGES, **(NOTE_DAMAGES if is_note else {})}.items():
            elf = Elf(data, base)
            change(elf, segment)
            yield segment, kind, bytes(elf.data)


def damaged(data, base, number, kind):
    """The file with damage of that kind to the section of that number."""
    elf = Elf(data, base)
    DAMAGES[kind](elf, elf.sections[number])
    return bytes(elf.data)


def damaged_file(data, base, kind):
    """The same to the ELF header."""
    elf = Elf(data, base)
    FILE_DAMAGES[kind](elf)
    return bytes(elf.data)


def kinds_for(section):
    """The kinds of damage that say something of a section."""
    if section.number == 0:
        return ()
    if section.fields["type"] == SHT_NOBITS or section.fields["size"] == 0:
        return tuple(kind for kind in DAMAGES if kind not in CONTENT)
    return tuple(DAMAGES)
