"""What `inlinecall stats -p` says, counted once more from the text of llvm-dwarfdump, and from that
of readelf where LLVM cannot decode an operation and for views, which it does not print.

The rule: of the parameters that the function of a copy declares, what is said at the entry of the
copy (DW_AT_entry_pc; else its lowest address or its first range), in the view of its
DW_AT_GNU_entry_view, and nowhere else.
"""

import collections
import json
import re
import subprocess

import compare
import dwarfdump
import instances
import linetable
import locations
import parts
import trees

CATEGORIES = ("empty", "literal", "register", "arithmetic", "composite", "stack")
RANKS = [
    ("literal", r"lit\d+|const\d[us]|const[usx]|addrx?|GNU_addr_index|GNU_const_index|"
                r"implicit_value|stack_value|nop|GNU_uninit"),
    ("register", r"b?reg(\d+|x)"),
    ("composite", r"(bit_)?piece|(GNU_)?implicit_pointer"),
    ("stack", r"fbreg|call_frame_cfa|push_object_address|dup|drop|over|pick|swap|rot"),
    ("arithmetic", r"\w+"),
]
# The first that an operation of the expression has.
SHAPES = [
    ("pieces", r"(bit_)?piece"), ("implicit pointer", r"(GNU_)?implicit_pointer"),
    ("bytes", r"implicit_value"), ("branch", r"bra|skip"),
    ("outside", r"call(2|4|_ref)|GNU_parameter_ref|GNU_variable_value|\w*tls_address|"
                r"push_object_address|xderef\w*"),
    ("entry value", r"(GNU_)?entry_value"),
    ("typed", r"(GNU_)?(convert|reinterpret|regval_type|deref_type|const_type)"),
    ("load", r"deref(_size)?"),
    ("computed", r"dup|drop|over|pick|swap|rot|abs|and|div|mod|mul|neg|not|or|shl|shra?|xor|eq|ge|"
                 r"gt|le|lt|ne"),
]
PLACES = [("frame", r"fbreg|call_frame_cfa"), ("register", r"reg(\d+|x)"),
          ("register", r"breg(\d+|x)"), ("address", r"addrx?|GNU_addr_index"),
          ("number", r"lit\d+|const\w+")]


def operations(text):
    found = [] if text == "<empty>" else list(locations.operations(text))
    return [re.match(r"DW_OP_(\w+)", operation)[1] for operation in found]


def has(names, pattern):
    return any(re.fullmatch(pattern, name) for name in names)


def category(names):
    ranks = [CATEGORIES.index(next(rank for rank, pattern in RANKS
                                   if re.fullmatch(pattern, name))) for name in names]
    return CATEGORIES[max(ranks, default=0)]


def shape(names):
    for found, pattern in SHAPES:
        if has(names, pattern):
            return found
    places = [name for name in names if has([name], r"fbreg|call_frame_cfa|breg(\d+|x)|addrx?")]
    if len(places) > 1:
        return "computed"
    for found, pattern in PLACES:
        if has(names, pattern):
            if found == "frame" or has(names, r"reg(\d+|x)"):
                return found
            suffix = "" if found != "register" else " value"
            return found + (suffix if has(names, "stack_value") else " memory")
    return "empty"


class Said:
    """The locations of the parameters of a file, by DIE: lists of locations.Entry."""

    def __init__(self, path):
        self.entries = {}
        other = {}
        location = locations.ATTRS["location"]
        for found in locations.readelf(path):
            if found.attr == location and found.entries is not None:
                other[found.die] = found.entries
        for found in locations.dwarfdump(path):
            if found.attr == location:
                theirs = other.get(found.die, [])
                theirs += [None] * (len(found.entries) - len(theirs))
                self.entries[found.die] = [self.whole(*pair)
                                           for pair in zip(found.entries, theirs)]

    @staticmethod
    def whole(entry, theirs):
        text = entry.text
        if "<decoding error>" in text:
            text = ", ".join(theirs.text.split("; "))
        return entry._replace(text=text, views=theirs.views if theirs else None)

    def at(self, die, addr, view):
        """The expression that holds there."""
        for entry in self.entries[die]:
            if entry.range is None or entry.is_default:
                return entry.text
            start_view, end_view = entry.views or (0, 0)
            if (entry.range[0], start_view) <= (addr, view) < (entry.range[1], end_view):
                return entry.text
        return None


def entry_views(path):
    text = subprocess.run(["readelf", "-W", "-wNi", path], capture_output=True, text=True,
                          errors="replace", check=True).stdout
    views, die = {}, None
    for line in text.splitlines():
        if match := locations.READELF_DIE.match(line):
            die = int(match[1], 16)
        elif "DW_AT_GNU_entry_view" in line:
            views[die] = int(line.rsplit(None, 1)[1], 0)
    return views


def copies(path):
    """(DIE, entry) of each inlined copy with code that is no part of what is around it."""
    sections = instances.Sections(path)
    forest = trees.Nested(sections, linetable.Places(path, sections))
    known = parts.Parts()
    records = list(forest.records(known.noted(dwarfdump.dies(path, sections))))
    unwanted = {scope.die.offset for inside in forest.inside.values() for scope in inside
                if known.has(scope)}
    for record in records:
        if record.type == "site" and record.ranges and record.die not in unwanted:
            yield record.die, record.entry


def kinds(node, said, entry, view):
    """(category, shape) of an argument."""
    if node is None:
        return "empty", "optimised out"
    if "location" not in node.attrs:
        if "const_value" not in node.attrs:
            return "empty", "optimised out"
        return "literal", "bytes" if node.attrs["const_value"][0] in "<\"" else "number"
    names = operations(said.at(node.offset, entry, view) or "<empty>")
    # That a list has nothing in the copy is a matter of ranges: test_parameters.py
    return category(names), shape(names) if names else "empty"


def counted(path, nodes, wanted_of):
    """{category: arguments}, {shape: arguments}, and of how many copies."""
    said, views = Said(path), entry_views(path)
    categories, shapes, count = collections.Counter(), collections.Counter(), 0
    for die, entry in copies(path):
        count += 1
        for _, node in wanted_of(nodes, nodes[die]):
            found, form = kinds(node, said, entry, views.get(die, 0))
            categories[found] += 1
            shapes[form if form != "optimised out" else "empty"] += 1
    return categories, shapes, count


def printed(path):
    """The same, as inlinecall has it."""
    output = subprocess.run([compare.program(), "stats", "-p", "--json", path],
                            capture_output=True, text=True, check=False).stdout
    rows = [json.loads(line) for line in output.splitlines()]
    categories, shapes = collections.Counter(), collections.Counter()
    for row in rows[1:]:
        if row["by"] == "category":
            categories[row["name"]] += row["arguments"]
        else:
            name = row["name"]
            name = "empty" if name in ("not here", "optimised out") else name
            shapes[name] += row["arguments"]
    assert sum(categories.values()) == sum(shapes.values()) == rows[0]["arguments"]
    return +categories, +shapes, rows[0]["copies"]
