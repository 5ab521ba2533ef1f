"""DIEs as `readelf -wi` of binutils 2.40 prints them: the second opinion, on dwarfdump.py first.

readelf leaves more to us: files are indexes into tables that only -wl shows, and range lists are
in -wR (those of DWARF 5 in no usable form: rnglists.py). It names no section for an address, so
that in relocatable files only offsets are compared.
It follows debug links, even back to the file itself, and then prints everything twice. N forbids
that, but with -wi it also forbids loading .debug_str_offsets and .debug_addr, so that strx and
rnglistx are decoded wrongly; there we stop at the second heading.
"""

import re

from dwarfdump import lines_of
from instances import TAGS, Die
from linetable import LineTable
from old_lists import OldLists
from rnglists import RangeLists

DIE = re.compile(rb" <(\d+)><([0-9a-f]+)>: Abbrev Number: \d+ \(DW_TAG_(\w+)\)")
ATTR = re.compile(rb"    <[0-9a-f]+>   DW_AT_(\w+)\s*: \((\w+)\)\s*"
                  rb"(?:\((?:index|offset): [^)]*\):\s?)?(.*)\n", re.S)
REFERENCE = re.compile(rb"<?0x([0-9a-f]+)")  # bare in a ref8, 64-bit DWARF's; absolute even so
NUMBER = re.compile(rb"0x[0-9a-f]+|-?\d+")
ROW = re.compile(rb"    ([0-9a-f]{8,}) ([0-9a-f]{8,}) ([0-9a-f]{8,})\s")
ADDRESS_FORMS = frozenset((b"addr", b"addrx", b"addrx1", b"addrx2", b"addrx3", b"addrx4",
                           b"GNU_addr_index"))
TEXTS = {b"name": "name", b"linkage_name": "linkage_name", b"comp_dir": "comp_dir",
         b"MIPS_linkage_name": "linkage_name"}
NUMBERS = {b"decl_line": "decl_line", b"call_line": "call_line", b"call_column": "call_column",
           b"stmt_list": "stmt_list", b"addr_base": "addr_base",
           b"GNU_discriminator": "call_discriminator"}
REFERENCES = {b"abstract_origin": "abstract_origin", b"specification": "specification",
              b"call_origin": "call_origin"}
ADDRESSES = {b"low_pc": "low_pc", b"call_return_pc": "return_pc", b"entry_pc": "entry_pc",
             b"call_pc": "call_pc"}
FILES = {b"decl_file": "decl_file", b"call_file": "call_file"}


def line_tables(path):
    """{offset in .debug_line: LineTable}"""
    tables = {}
    with lines_of(["readelf", "-W", "-wNl", path]) as lines:
        part = None
        for line in lines:
            if line.startswith(b"  Offset:"):
                offset = number(line[9:])
            elif line.startswith(b"  DWARF Version:"):
                table = tables[offset] = LineTable(number(line[16:]), {}, {})
            elif line.startswith(b" The Directory Table ("):
                part = put_dir
            elif line.startswith(b" The File Name Table ("):
                part = put_file
            elif line.startswith(b" Line Number Statements"):
                part = None
            elif part and line[:2] == b"  " and line[2:3].isdigit():
                part(table, line[2:-1].decode(errors="replace").split("\t"))
    return tables


def put_dir(table, cells):
    table.dirs[int(cells[0])] = plain(cells[-1])


def put_file(table, cells):
    # Version 5: "1 (udata) 2 [(data16) md5] (line_strp) (offset: 0x0): name"; before: five cells.
    dir_index = cells[2] if table.version >= 5 else cells[1]
    table.files[int(cells[0])] = int(dir_index), plain(cells[-1])


def plain(cell):
    return re.sub(r"^\(offset: \w+\): ", "", cell)


def range_lists(path):
    """{offset in .debug_ranges: [(start, end), ...]}; each row begins with its list's offset."""
    lists = {}
    with lines_of(["readelf", "-W", "-wNR", path]) as lines:
        for line in lines:
            if b" .debug_rnglists " in line:
                break
            match = ROW.match(line)
            if match:  # else the end, a base address or a heading
                offset, start, end = (int(text, 16) for text in match.groups())
                lists.setdefault(offset, []).append((start, end))
    return lists


def first_section(lines):
    """The lines of the first .debug_info; .debug_types has offsets of its own, which we leave."""
    inside = seen = False
    for line in lines:
        if line.startswith(b"Contents of"):
            if seen:
                return
            inside = seen = b" .debug_info " in line
        elif inside:
            yield line


def number(value):
    match = NUMBER.search(value)
    return int(match.group(0), 0) if match else None


class Reader:
    def __init__(self, path, sections, tags):
        self.path = path
        self.tags = tags
        # Any section: see the head of this file.
        self.section = next(iter(sections.executable), None) if sections.relocatable else None
        self.tables = line_tables(path)
        self.object_lists = OldLists(path) if sections.relocatable else None
        self.old_lists = range_lists(path)
        self.new_lists = RangeLists(path)
        self.version = None
        self.addr_size = None
        self.unit = {}  # attributes of the unit's DIE
        self.table = None

    def dies(self):
        die = None
        with lines_of(["readelf", "-W", "-wi", self.path]) as lines:
            for line in first_section(lines):
                if line[:2] == b" <":
                    if die is not None:
                        yield self._whole(die)
                    die = self._begin(line)
                elif line.startswith(b"   Version:"):
                    if die is not None:
                        yield self._whole(die)
                    die = None
                    self.version = number(line)
                elif line.startswith(b"   Pointer Size:"):
                    self.addr_size = number(line)
                elif die is not None and die.tag in self.tags:
                    match = ATTR.match(line)
                    if match:
                        self._put(die.attrs, *match.groups())
        if die is not None:
            yield self._whole(die)

    @staticmethod
    def _begin(line):
        match = DIE.match(line)
        if not match:
            return None  # "Abbrev Number: 0"
        depth, offset, tag = match.groups()
        return Die(int(offset, 16), int(depth), tag.decode(), {})

    def _whole(self, die):
        """Files and ranges need what the unit's DIE gives, whose attributes come in any order."""
        attrs = die.attrs
        if die.tag.endswith("_unit") and die.depth == 0:
            self.unit = attrs
            self.table = self.tables.get(attrs.get("stmt_list"))
        for key in ("decl_file", "call_file"):
            if key in attrs:
                comp_dir = self.unit.get("comp_dir")
                attrs[key] = self.table.path(attrs[key], comp_dir) if self.table else None
        if "ranges" in attrs:
            attrs["ranges"] = self._ranges(attrs["ranges"])
        return die

    def _put(self, attrs, name, form, value):
        if name in TEXTS:
            attrs[TEXTS[name]] = value.decode(errors="replace")
        elif name in NUMBERS:
            attrs[NUMBERS[name]] = number(value)
        elif name in FILES:
            attrs[FILES[name]] = number(value)
        elif name in REFERENCES:
            match = REFERENCE.match(value)
            if match:
                attrs[REFERENCES[name]] = int(match.group(1), 16)
        elif name == b"high_pc":
            attrs["high_pc"] = ("address" if form in ADDRESS_FORMS else "length", number(value))
        elif name == b"ranges":
            attrs["ranges"] = number(value)
            attrs["ranges_form"] = form.decode()
        elif name == b"entry_pc" and form not in ADDRESS_FORMS:
            attrs["entry_offset"] = number(value)
        elif name in ADDRESSES:
            attrs[ADDRESSES[name]] = number(value), self.section

    def _ranges(self, offset):
        if self.version < 5 and self.object_lists:
            return self.object_lists.read(offset, self.addr_size,
                                          self.unit.get("low_pc", (0, None)))
        if self.version < 5:
            found = self.old_lists.get(offset, ())
        else:
            base = self.unit.get("low_pc", (0, None))[0]
            found = self.new_lists.read(offset, self.addr_size, base,
                                        self.unit.get("addr_base", 0))
        return [(start, end, self.section) for start, end in found]


def dies(path, sections, tags=TAGS):
    return Reader(path, sections, tags).dies()
