"""Every location of a file: as tests/oracle/print_locations has them, as llvm-dwarfdump and as
readelf print them.

A reader yields (DIE, attribute, [Entry, ...]) in the order of the file. Texts are compared in the
spelling of the other tool, into which ours is translated.
"""

import functools
import itertools
import re
import subprocess
from pathlib import Path
from typing import NamedTuple, Optional, Tuple

import compare

# Beside INLINECALL, in the same build directory.
PRINT_LOCATIONS = (Path(compare.program()).resolve().parents[1] /
                   "tests/oracle/print_locations")

# DWARF 5, 7.5.4, and GNU's: the attributes that may be locations.
ATTRS = {"location": 0x02, "byte_size": 0x0b, "bit_size": 0x0d, "string_length": 0x19,
         "lower_bound": 0x22, "return_addr": 0x2a, "bit_stride": 0x2e, "upper_bound": 0x2f,
         "count": 0x37, "data_member_location": 0x38, "frame_base": 0x40, "segment": 0x46,
         "static_link": 0x48, "use_location": 0x4a, "vtable_elem_location": 0x4d,
         "allocated": 0x4e, "associated": 0x4f, "data_location": 0x50, "byte_stride": 0x51,
         "rank": 0x71, "call_value": 0x7e, "call_origin": 0x7f, "call_target": 0x83,
         "call_target_clobbered": 0x84, "call_data_location": 0x85, "call_data_value": 0x86,
         "GNU_call_site_value": 0x2111, "GNU_call_site_data_value": 0x2112,
         "GNU_call_site_target": 0x2113, "GNU_call_site_target_clobbered": 0x2114}


class Entry(NamedTuple):
    text: str
    range: Optional[Tuple[int, int]] = None
    views: Optional[Tuple[int, int]] = None
    is_dead: bool = False
    is_default: bool = False


class Location(NamedTuple):
    die: int
    attr: int
    list: Optional[int]      # its offset; None: an expression
    entries: Optional[list]  # None: the tool cannot read the list


def lines_of(command):
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                               bufsize=1 << 20, text=True, errors="replace")
    with process.stdout as lines:
        yield from lines
    if process.wait() < 0:
        raise RuntimeError(f"{command[0]} was ended by signal {-process.returncode}")


# ---- Ours

OURS_ENTRY = re.compile(r" (?:([0-9a-f]+) ([0-9a-f]+) )?(?:v(\d+) (\d+) )?(dead )?( default )?"
                        r"= (.*)")


def ours(path, is_split=False):
    """Of the units of the file itself, or of its split units."""
    location = None
    is_wanted = True
    for line in lines_of([PRINT_LOCATIONS, path]):
        line = line[:-1]
        if line[0] == " ":
            if is_wanted:
                location.entries.append(our_entry(line))
            continue
        if location:
            yield location
            location = None
        if line.startswith("unit "):
            is_wanted = line.endswith(" -") != is_split
            continue
        assert not line.startswith("problem"), f"{path}: {line}"
        if not is_wanted:
            continue
        die, attr, rest = line.split(" ", 2)
        if rest.startswith("list "):
            location = Location(int(die, 16), int(attr, 16), int(rest[5:], 16), [])
        else:
            location = Location(int(die, 16), int(attr, 16), None, [Entry(rest[2:])])
    if location:
        yield location


def our_entry(line):
    start, end, start_view, end_view, dead, default, text = OURS_ENTRY.fullmatch(line).groups()
    return Entry(text, (int(start, 16), int(end, 16)) if start else None,
                 (int(start_view), int(end_view)) if start_view else None,
                 dead is not None, default is not None)


# ---- llvm-dwarfdump

DIE = re.compile(r"0x([0-9a-f]+): +DW_TAG_")
ATTR = re.compile(r" +DW_AT_(\w+)\t\((.*)")
RANGE = re.compile(r" +(?:\[0x([0-9a-f]+), 0x([0-9a-f]+)\)(?: \"[^\"]*\")?|<default>): (.*)")
LIST = re.compile(r"(?:indexed \(0x[0-9a-f]+\) loclist = )?0x([0-9a-f]+): ?(.*)")


def unclosed(text):
    """Without the parenthesis that closes the attribute."""
    return text[:-1] if text.count(")") > text.count("(") else text


def dwarfdump(path):
    die, location = None, None
    for line in lines_of(["llvm-dwarfdump", "--debug-info", path]):
        line = line.rstrip("\n")
        match = RANGE.fullmatch(line) if location else None
        if match:
            start, end, text = match.groups()
            location.entries.append(Entry(unclosed(text), (int(start, 16), int(end, 16))
                                          if start else None, is_default=start is None))
            continue
        if location:
            yield location
            location = None
        match = DIE.match(line)
        if match:
            die = int(match.group(1), 16)
            continue
        match = ATTR.fullmatch(line)
        if not match or match.group(1) not in ATTRS:
            continue
        attr, value = ATTRS[match.group(1)], match.group(2)
        match = LIST.fullmatch(value)
        if match:
            location = Location(die, attr, int(match.group(1), 16), [])
        elif value.startswith(("DW_OP_", "<empty>", "<decoding error>")):
            yield Location(die, attr, None, [Entry(unclosed(value))])
    if location:
        yield location


OURS_REGISTER = re.compile(r"(DW_OP_b?reg(?:x|\d+)|DW_OP_(?:GNU_)?regval_type) ([a-z][\w.]*)")
INDEXED = re.compile(r"(DW_OP_(?:addrx|constx|GNU_addr_index|GNU_const_index) 0x[0-9a-f]+)"
                     r"(?: \(0x[0-9a-f]+\)| <no such index>)")


@functools.lru_cache(maxsize=1 << 20)
def as_dwarfdump(text):
    """LLVM's names of registers are its own, which it prints in capitals; it prints only the index
    of what is in .debug_addr."""
    text = OURS_REGISTER.sub(lambda match: f"{match[1]} {match[2].upper()}", text)
    return INDEXED.sub(r"\1", text)


# ---- readelf

READELF_DIE = re.compile(r" <[0-9a-f]+><([0-9a-f]+)>: Abbrev Number: \d+ \(")
READELF_ATTR = re.compile(r"    <[0-9a-f]+>   DW_AT_(\w+)\s*: \((\w+)\)\s*(.*)")
READELF_LIST = re.compile(r"(?:(?:\(index: \w+\): )?(0x[0-9a-f]+|0) )?\(location list\)")
READELF_BLOCK = re.compile(r"(?:\d+ byte block: (?:[0-9a-f]+ )*\t)?\((DW_OP_.*|)\)")
READELF_ENTRY = re.compile(r" *(?:[0-9a-f]+ )?([0-9a-f]{8,16}) ([0-9a-f]{8,16}) "
                           r"\((DW_OP_.*?|)\)(?: \[without DW_AT_frame_base\])?"
                           r"(?: \(start [=><]+ end\))?")
READELF_VIEWS = re.compile(r" +([0-9a-f]{8,}) v([0-9a-f]+) v([0-9a-f]+) views at [0-9a-f]+ for:")


class Lists:
    """Those that readelf -wo prints, by their offset. In a file with units of DWARF 5 and of older
    ones, binutils 2.40 reads some lists in the section of the others."""
    def __init__(self, path):
        self.lists = {}
        self.entries, self.views = None, None
        self.sections = 0
        for line in lines_of(["readelf", "-W", "-wNo", path]):
            self.sections += line.startswith("Contents of the ")
            self.take(line.rstrip("\n"))

    def find(self, offset):
        return self.lists.get(offset, []) if self.sections < 2 else None

    def take(self, line):
        if line.endswith("location view pair") or not line.startswith("    "):
            return
        if line.endswith("<End of list>"):
            # A list without entries has only its end.
            self.begin(line)
            self.entries = None
            return
        match = READELF_VIEWS.fullmatch(line)
        if match:
            self.begin(line)
            self.views = int(match[2], 16), int(match[3], 16)
            return
        match = READELF_ENTRY.fullmatch(line)
        if not self.views and line[4:12].strip():
            self.begin(line)
        if match:
            self.entries.append(Entry(match[3], (int(match[1], 16), int(match[2], 16)),
                                      self.views))
            self.views = None

    def begin(self, line):
        offset = line.split()[0]
        if self.entries is None and re.fullmatch(r"[0-9a-f]{8,}", offset):
            self.entries = self.lists[int(offset, 16)] = []


def readelf(path):
    """binutils 2.40 does not find lists by their index (DW_FORM_loclistx)."""
    lists = Lists(path)
    die = None
    for line in lines_of(["readelf", "-W", "-wNi", path]):
        if line.startswith("Contents of the .debug_types"):
            break
        match = READELF_DIE.match(line)
        if match:
            die = int(match.group(1), 16)
            continue
        match = READELF_ATTR.match(line)
        if not match or match.group(1) not in ATTRS:
            continue
        attr, value = ATTRS[match.group(1)], match.group(3)
        found = READELF_LIST.match(value)
        if found:
            is_index = match.group(2) == "loclistx"
            offset = None if is_index else int(found.group(1), 16)
            yield Location(die, attr, offset, None if is_index else lists.find(offset))
            continue
        found = READELF_BLOCK.match(value)
        if found:
            yield Location(die, attr, None, [Entry(found.group(1))])


OPERATION = re.compile(r"DW_OP_(\w+)(?:\((.*)\))?(?: (.*))?", re.S)
BASED = re.compile(r"(.*?)([+-]\d+)")
TYPE = re.compile(r'\(0x([0-9a-f]+)\)(?: "[^"]*")?')
CONST_TYPE = re.compile(r'(\(0x[0-9a-f]+\)(?: "[^"]*")?) (.*)')
DECIMAL = frozenset("const1u const2u const4u const8u constu plus_uconst piece pick deref_size "
                    "xderef_size".split())
SIGNED = frozenset("const1s const2s const4s const8s consts fbreg bra skip".split())
DIES = frozenset("call2 call4 call_ref GNU_parameter_ref GNU_variable_value".split())
INDEXES = frozenset("addrx constx GNU_addr_index GNU_const_index".split())
POINTERS = frozenset(("implicit_pointer", "GNU_implicit_pointer"))
# What readelf has before the names of numbered registers.
NUMBER = re.compile(r"(DW_OP_b?regx: |regval_type: )\d+ ")


def operations(text):
    """Those of an expression, with what is in them."""
    depth = start = 0
    for i, char in enumerate(text):
        depth += (char == "(") - (char == ")")
        if char == "," and depth == 0:
            yield text[start:i]
            start = i + 2
    if text:
        yield text[start:]


def register_and_offset(operand):
    register, offset = BASED.fullmatch(operand).groups()
    return register, int(offset)


def type_as_readelf(operand):
    if operand == "0x0":
        return "<0>"
    return TYPE.sub(lambda match: f"<0x{int(match[1], 16):x}>", operand)


def block_as_readelf(operand):
    size, *data = operand.split()
    return (f"{int(size, 16)} byte block: " + "".join(f"{int(byte, 16):x} " for byte in data))


def operation_as_readelf(text):
    name, inner, operand = OPERATION.fullmatch(text).groups()
    if inner is not None:
        return f"DW_OP_{name}: ({as_readelf(inner)})"
    if operand is None:
        return text + (" or DW_OP_HP_unknown" if name == "GNU_push_tls_address" else "")
    if re.fullmatch(r"reg\d+", name):
        return f"DW_OP_{name} ({operand})"
    if name == "regx":
        return f"DW_OP_regx: ({operand})"
    if name == "bregx":
        return "DW_OP_bregx: ({}) {:d}".format(*register_and_offset(operand))
    if name.startswith("breg"):
        return "DW_OP_{} ({}): {:d}".format(name, *register_and_offset(operand))
    if name in DECIMAL:
        return f"DW_OP_{name}: {int(operand, 16)}"
    if name in SIGNED:
        return f"DW_OP_{name}: {int(operand)}"
    if name in INDEXES:
        return f"DW_OP_{name} <{int(operand.split()[0], 16):#x}>".replace("<0x0>", "<0>")
    if name in DIES:
        return f"DW_OP_{name}: {type_as_readelf(operand)}"
    if name in POINTERS:
        target, offset = operand.split()
        return f"DW_OP_{name}: {type_as_readelf(target)} {int(offset)}"
    if name.endswith(("convert", "reinterpret")):
        return f"DW_OP_{name} {type_as_readelf(operand)}"
    if name.endswith("regval_type"):
        register, of_type = operand.split(" ", 1)
        return f"DW_OP_{name}: ({register}) {type_as_readelf(of_type)}"
    if name.endswith("deref_type"):
        size, of_type = operand.split(" ", 1)
        return f"DW_OP_{name}: {int(size, 16)} {type_as_readelf(of_type)}"
    if name.endswith("const_type"):
        of_type, data = CONST_TYPE.fullmatch(operand).groups()
        return f"DW_OP_{name}: {type_as_readelf(of_type)}  {block_as_readelf(data)}"
    if name == "addr":
        return f"DW_OP_addr: {operand[2:]}"
    if name == "bit_piece":
        size, offset = operand.split()
        return f"DW_OP_bit_piece: size: {int(size, 16)} offset: {int(offset, 16)} "
    if name == "implicit_value":
        return f"DW_OP_implicit_value {block_as_readelf(operand)}"
    return f"DW_OP_{name} {operand}"


@functools.lru_cache(maxsize=1 << 20)
def as_readelf(text):
    return "; ".join(map(operation_as_readelf, operations(text))) if text != "<empty>" else ""


def plain_readelf(text):
    return NUMBER.sub(r"\1", text)


# ---- Comparing

# What llvm-dwarfdump 14 cannot decode; readelf can.
UNDECODED = frozenset("implicit_pointer GNU_implicit_pointer GNU_parameter_ref GNU_variable_value "
                      "GNU_uninit GNU_convert GNU_reinterpret GNU_regval_type GNU_deref_type "
                      "GNU_const_type const_type reinterpret deref_type xderef_type".split())
# Later ones decode pointers, whose DIE they write in another way. In objects they do not relocate its
# offset, which is 0 then; in DWARF 2, where it has the size of an address, they read half of it, and
# then go wrong.
POINTER = re.compile(r"(DW_OP_(?:GNU_)?implicit_pointer) \(?0x([0-9a-f]+)\)?(?= [+-])")
HALF_POINTER = re.compile(r"DW_OP_(?:GNU_)?implicit_pointer \(0x[0-9a-f]+\) [+-]\d+, $")
MOST_SHOWN = 20


def same_for_dwarfdump(ours, theirs):
    if ours.is_dead or (ours.range, ours.is_default) != (theirs.range, theirs.is_default):
        return ours.is_dead
    text = as_dwarfdump(ours.text)
    their_text = POINTER.sub(lambda match: f"{match[1]} (0x{int(match[2], 16):08x})", theirs.text)
    if "implicit_pointer (0x00000000)" in their_text:
        text = POINTER.sub(r"\1 (0x00000000)", text)
    known, error, _ = their_text.partition("<decoding error>")
    if not error:
        return text == their_text
    known = HALF_POINTER.sub("", known)
    name = OPERATION.match(ours.text, len(known)) if text.startswith(known) else None
    return name is not None and name.group(1) in UNDECODED


def same_for_readelf(ours, theirs):
    return ours.is_dead or (ours.range == theirs.range and ours.views == theirs.views and
                            as_readelf(ours.text) == plain_readelf(theirs.text))


TOOLS = {"dwarfdump": (dwarfdump, same_for_dwarfdump), "readelf": (readelf, same_for_readelf)}


def same(ours, theirs, same_entry, is_object):
    if theirs.entries is None:
        return True
    count = len(theirs.entries)
    # Two zeros end a list before DWARF 5, but not if they have relocations, which llvm-dwarfdump
    # applies first: the start of a section of an object is then in both.
    is_cut = (is_object and len(ours.entries) > count and ours.entries[count].range == (0, 0))
    return ((len(ours.entries) == count or is_cut) and
            all(map(same_entry, ours.entries, theirs.entries)))


# What an object refers to has no address yet: each tool gives it another one.
ADDR = re.compile(r"(DW_OP_addr:? (?:0x)?)[0-9a-f]+|"
                  r"(DW_OP_const[48]u:? (?:0x)?)[0-9a-f]+(?=[,;] DW_OP_(?:GNU_push|form)_tls)")


def is_relocatable(path):
    with open(path, "rb") as file:
        header = file.read(18)
    return 1 in header[16:18]


def without_addresses(location):
    if not location or not location.entries:
        return location
    return location._replace(entries=[entry._replace(text=ADDR.sub(r"\g<1>\g<2>0", entry.text))
                                      for entry in location.entries])


def pairs(path, read, is_object):
    for left, right in itertools.zip_longest(ours(path), read(path)):
        yield (without_addresses(left), without_addresses(right)) if is_object else (left, right)


def are_of_one_attribute(ours, theirs):
    return (ours is not None and theirs is not None and ours[:2] == theirs[:2] and
            (theirs.entries is None or ours.list == theirs.list))


def differences(path, tool):
    """How many locations there are, and the first that differ, as text."""
    read, same_entry = TOOLS[tool]
    count, found, is_object = 0, [], is_relocatable(path)
    for mine, theirs in pairs(path, read, is_object):
        if not are_of_one_attribute(mine, theirs):
            found.append(f"{path}: {mine} is not in the place of {theirs}")
            break
        count += theirs.entries is not None
        if not same(mine, theirs, same_entry, is_object) and len(found) < MOST_SHOWN:
            found.append(f"{path}: {mine} is not {theirs}")
    return count, found
