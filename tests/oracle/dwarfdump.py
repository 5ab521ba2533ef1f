"""DIEs as llvm-dwarfdump 14 prints them.

Always with -v: only then are the form of an attribute (is high_pc a length?), the section of an
address in a relocatable file, and the end of a string that holds quotes beyond doubt.
"""

import contextlib
import re
import subprocess

from instances import TAGS, UNITS, Die
from old_lists import OldLists

UNIT = re.compile(rb"0x[0-9a-f]+: \w+ Unit: .*format = DWARF(\d+), version = (0x[0-9a-f]+),"
                  rb".*addr_size = (0x[0-9a-f]+)")
HEADER = re.compile(rb"0x([0-9a-f]+):( +)DW_TAG_(\w+)")
ATTR = re.compile(rb" +DW_AT_(\w+) \[DW_FORM_(\w+)\]\s+\((.*)\n", re.S)
RANGE = re.compile(rb' +\[0x([0-9a-f]+), 0x([0-9a-f]+)\)(?: "([^"]*)")?')
ADDRESS = re.compile(rb'(?:.* address = )?0x([0-9a-f]+)(?: "([^"]*)")?')
REFERENCE = re.compile(rb".*\{0x([0-9a-f]+)\}")
PLAIN_REFERENCE = re.compile(rb"0x([0-9a-f]+)")
TEXT = re.compile(rb'[^"]*"(.*)"', re.S)
ESCAPE = re.compile(rb"\\([0-7]{3}|x[0-9A-Fa-f]{2}|.)")
ESCAPED = {b"t": b"\t", b"n": b"\n"}
ADDRESS_FORMS = frozenset((b"addr", b"addrx", b"addrx1", b"addrx2", b"addrx3", b"addrx4",
                           b"GNU_addr_index"))
REFERENCE_FORMS = frozenset((b"ref_addr", b"ref1", b"ref2", b"ref4", b"ref8", b"ref_udata"))


def unescape(match):
    code = match.group(1)
    if len(code) == 3:
        number = int(code[1:], 16) if code[:1] == b"x" else int(code, 8)
        return bytes([number])
    return ESCAPED.get(code, code)


def as_text(_, value):
    match = TEXT.match(value)
    if not match:
        return None
    text = match.group(1)
    if b"\\" in text:
        text = ESCAPE.sub(unescape, text)
    return text.decode(errors="replace")


def as_file(_, value):
    """A path, which is printed unescaped; or the index, if the line table lacks it."""
    return value[1:-1].decode(errors="replace") if value[:1] == b'"' else None


def as_number(_, value):
    return int(value, 0)


def as_reference(form, value):
    if form not in REFERENCE_FORMS:
        return None  # a supplementary file's offset, or a type unit's signature
    # ref_addr is printed bare, the others as "cu + 0x.. => {0x..}".
    match = REFERENCE.match(value) or PLAIN_REFERENCE.match(value)
    return int(match.group(1), 16) if match else None


def as_address(_, value):
    match = ADDRESS.match(value)
    if not match:
        return None
    section = match.group(2)
    return int(match.group(1), 16), section.decode() if section else None


def as_high_pc(form, value):
    if form in ADDRESS_FORMS:
        addr = as_address(form, value)
        return ("address", addr[0]) if addr else None
    return "length", int(value, 0)


ATTRS = {
    b"name": ("name", as_text),
    b"linkage_name": ("linkage_name", as_text),
    b"MIPS_linkage_name": ("linkage_name", as_text),
    b"comp_dir": ("comp_dir", as_text),
    b"stmt_list": ("stmt_list", as_number),
    b"decl_file": ("decl_file", as_file),
    b"decl_line": ("decl_line", as_number),
    b"decl_column": ("decl_column", as_number),
    b"call_file": ("call_file", as_file),
    b"call_line": ("call_line", as_number),
    b"call_column": ("call_column", as_number),
    b"GNU_discriminator": ("call_discriminator", as_number),
    b"abstract_origin": ("abstract_origin", as_reference),
    b"specification": ("specification", as_reference),
    b"call_origin": ("call_origin", as_reference),
    b"low_pc": ("low_pc", as_address),
    b"call_return_pc": ("return_pc", as_address),
    b"call_pc": ("call_pc", as_address),
    b"entry_pc": ("entry_pc", as_address),
    b"high_pc": ("high_pc", as_high_pc),
}


def put_attr(attrs, name, form, value):
    if name == b"ranges":
        attrs["ranges"] = []  # the lines that follow fill it
        offset = PLAIN_REFERENCE.match(value)
        attrs["ranges_offset"] = int(offset.group(1), 16) if offset else None
        attrs["ranges_form"] = form.decode()
        return
    known = ATTRS.get(name)
    if known is None:
        return
    key, convert = known
    if name == b"entry_pc" and form not in ADDRESS_FORMS:
        key, convert = "entry_offset", as_number
    converted = convert(form, value[:-1] if value.endswith(b")") else value)
    if converted is not None:
        attrs[key] = converted


def put_range(ranges, line):
    match = RANGE.match(line)
    if match:
        start, end, section = match.groups()
        ranges.append((int(start, 16), int(end, 16), section.decode() if section else None))


@contextlib.contextmanager
def lines_of(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, bufsize=1 << 20)
    try:
        yield process.stdout
        process.stdout.read()  # what nobody wanted
        if process.wait() < 0:
            raise RuntimeError(f"{command[0]} was ended by signal {-process.returncode}")
    finally:
        process.stdout.close()
        process.wait()


def parse(lines, tags=TAGS):
    """Every DIE; the attributes of those with these tags."""
    die = None
    ranges = None  # of the attribute that is open
    wanted = False
    unit = None  # its header
    for line in lines:
        if line[:1] == b"0":
            match = HEADER.match(line)
            if not match:
                unit = UNIT.match(line) or unit
                continue  # the header of a unit, or the NULL that ends a list of children
            if die is not None:
                yield die
            offset, indent, tag = match.groups()
            tag = tag.decode()
            die = Die(int(offset, 16), len(indent) // 2, tag, {})
            if tag in UNITS:
                die.attrs["format"] = int(unit.group(1))
                die.attrs["version"], die.attrs["addr_size"] = (
                    int(text, 16) for text in unit.groups()[1:])
            wanted = tag in tags
            ranges = None
        elif wanted:
            match = ATTR.match(line)
            if match:
                put_attr(die.attrs, *match.groups())
                ranges = die.attrs["ranges"] if match.group(1) == b"ranges" else None
            elif ranges is not None:
                put_range(ranges, line)
    if die is not None:
        yield die


def once(path, comp_dir):
    """Takes back what llvm-dwarfdump joins twice.

    In a line table of version 5 directory 0 is the compilation directory. Where that is relative
    (the kernel's), llvm-dwarfdump puts DW_AT_comp_dir before it once more.
    """
    twice = f"{comp_dir}/{comp_dir}/"
    return path[len(comp_dir) + 1:] if path.startswith(twice) else path


def repair(dies):
    comp_dir = None
    for die in dies:
        attrs = die.attrs
        if "comp_dir" in attrs or die.tag.endswith("_unit"):
            comp_dir = attrs.get("comp_dir")
            relative = comp_dir and not comp_dir.startswith("/")
        elif attrs and relative:
            for key in ("decl_file", "call_file"):
                if key in attrs:
                    attrs[key] = once(attrs[key], comp_dir)
        yield die


def with_whole_lists(dies, lists):
    """Decodes anew the lists that llvm-dwarfdump ends too early (old_lists.py)."""
    unit = {}
    for die in dies:
        if die.tag in UNITS:
            unit = die.attrs
        if "ranges" in die.attrs and unit["version"] < 5:
            die.attrs["ranges"] = lists.read(die.attrs["ranges_offset"], unit["addr_size"],
                                             unit.get("low_pc", (0, None)))
        yield die


def dies(path, sections, tags=TAGS):
    with lines_of(["llvm-dwarfdump", "-v", "--debug-info", path]) as lines:
        found = repair(parse(lines, tags))
        yield from with_whole_lists(found, OldLists(path)) if sections.relocatable else found
