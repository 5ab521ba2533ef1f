"""What an oracle says about a file, and how it is made of the DIEs that another tool printed.

A reader (dwarfdump.py, readelf.py) turns text into `Die`s with normalised attributes; `Forest`
turns those into sites, out-of-line copies and calls. The two readers share nothing but this.

Attributes of a Die, all optional:
  name linkage_name decl_file call_file         text
  decl_line decl_column call_line call_column   number
  abstract_origin specification call_origin     offset in .debug_info
  comp_dir                                      text, of units
  stmt_list                                     number, of units: offset in .debug_line
  low_pc entry_pc return_pc call_pc             (address, section or None)
  high_pc                                       ('address' or 'length', number)
  entry_offset                                  number: DWARF 5's entry_pc of constant class
  ranges                                        [(start, end, section or None), ...]
"""

import bisect
import re
import subprocess
from typing import NamedTuple

import linetable

CHAIN_LIMIT = 16  # an origin of an origin; longer than any compiler's, so that a loop ends
HOST = "subprogram"
COPY = "inlined_subroutine"
CALLS = ("call_site", "GNU_call_site")
UNITS = ("compile_unit", "partial_unit", "type_unit", "skeleton_unit")
CLASSES = ("class_type", "structure_type", "union_type", "interface_type")
AROUND = frozenset((*CLASSES, "namespace", "enumeration_type", "module"))  # what functions are declared in
TAGS = frozenset((HOST, COPY, *CALLS, *UNITS, *AROUND))


class Die(NamedTuple):
    offset: int
    depth: int
    tag: str
    attrs: dict


class Unit(NamedTuple):
    name: str
    stmt_list: int
    comp_dir: str


class Facts(NamedTuple):
    """What the declaration of a function says, looked up along its chain of origins."""
    name: str
    linkage_name: str
    decl_file: str
    decl_line: int


class Call(NamedTuple):
    """An enclosing copy: its function, and where that was called."""
    function: str
    call_file: str
    call_line: int
    call_column: int
    linkage_name: str = None


class Site(NamedTuple):
    """A copy that was inlined ("site"), one that was not ("copy"), or a call ("call")."""
    type: str
    die: int
    unit: str
    function: str
    linkage_name: str
    decl_file: str
    decl_line: int
    call_file: str
    call_line: int
    call_column: int
    ranges: tuple
    entry: int
    return_pc: tuple  # (address, section or None)
    host: str
    chain: tuple
    host_linkage_name: str
    origin: int  # the abstract instance, by offset: what the default text groups by
    entry_section: str = None  # that the entry is an offset in


def run_readelf(options, path):
    """readelf fails for warnings too, about parts of the file that do not concern us."""
    return subprocess.run(["readelf", options, str(path)], stdout=subprocess.PIPE,
                          check=False, text=True, errors="replace").stdout


class Sections:
    """The executable sections of a file, from `readelf -hSW`."""

    ROW = re.compile(r"\[\s*(\d+)\] (\S*)\s+\S+\s+([0-9a-f]{8,16}) [0-9a-f]{6,}"
                     r" ([0-9a-f]{6,}) [0-9a-f]{2,} +([A-Za-z]*)\s+\d+")

    def __init__(self, path):
        text = run_readelf("-hSW", path)
        self.relocatable = re.search(r"Type:\s+REL ", text) is not None
        self.machine = re.search(r"Machine:\s+(.*)\n", text)[1]
        self.names = {}  # by section index
        self.executable = set()
        self.first_allocated = None  # and not empty
        self.sizes = {}  # of these by name; in an object, of the last one of that name
        spans = []
        for index, name, addr, size, flags in self.ROW.findall(text):
            self.names[int(index)] = name
            if "A" in flags and int(size, 16) and self.first_allocated is None:
                self.first_allocated = name
            if "X" in flags and "A" in flags:
                self.executable.add(name)
                self.sizes[name] = int(size, 16)
                spans.append((int(addr, 16), int(addr, 16) + int(size, 16), name))
        spans.sort()
        self.starts = [start for start, _, _ in spans]
        self.ends = [end for _, end, _ in spans]
        self.names_by_start = [name for _, _, name in spans]

    def holds_code(self, addr, section):
        if self.relocatable:
            return section in self.executable
        return self.name_at(addr) is not None

    def name_at(self, addr):
        """Of the executable section of a linked file that holds an address, or None."""
        at = bisect.bisect_right(self.starts, addr) - 1
        return self.names_by_start[at] if at >= 0 and addr < self.ends[at] else None

    def first_with(self, offset):
        """The name of the first executable section of an object that is long enough, or None."""
        return next((name for name, size in self.sizes.items() if offset < size), None)

    def name_before(self, addr):
        """Of the last one that begins before the address or at it, or None."""
        at = bisect.bisect_right(self.starts, addr) - 1
        return self.names_by_start[at] if at >= 0 else None


class Symbol(NamedTuple):
    start: int
    end: int
    section: str
    name: str


SYMBOL = re.compile(r"\s*\d+: ([0-9a-f]+)\s+(\d+|0x[0-9a-f]+) FUNC\s+\S+\s+\S+\s+"
                    r"(?:\[.*?\]\s+)?(\d+) (\S+)")


def function_symbols(path, sections):
    """Every STT_FUNC symbol that is defined, by start."""
    text = run_readelf("-sW", path)
    symbols = set()
    for addr, size, index, name in SYMBOL.findall(text):
        start = int(addr, 16)
        if sections.machine == "ARM":
            start &= ~1  # says that the function is Thumb code
        section = sections.names.get(int(index)) if sections.relocatable else None
        symbols.add(Symbol(start, start + int(size, 0), section, re.sub(r"@.*", "", name)))
    return sorted(symbols, key=lambda symbol: (symbol.start, symbol.name))


class Label(NamedTuple):
    start: int
    section: str
    name: str
    names_code: bool  # has no size, and is not local to a piece of assembly


LABEL = re.compile(r"\s*\d+: ([0-9a-f]+)\s+(\d+|0x[0-9a-f]+) (FUNC|IFUNC|NOTYPE|OBJECT)\s+(\S+)\s+"
                   r"(\S+)\s+(?:\[.*?\]\s+)?(\d+) (\S+)")


def labels(path, sections):
    """Every symbol that is defined in a section, by start: what ends the code of those without a
    size, and these."""
    found = set()
    for addr, size, kind, bind, visibility, index, name in LABEL.findall(run_readelf("-sW", path)):
        start = int(addr, 16)
        if sections.machine == "ARM" and kind != "NOTYPE":
            start &= ~1
        if kind == "NOTYPE" and (re.match(r"\$[adtx]", name) or
                                 (bind, visibility, int(size, 0)) == ("LOCAL", "HIDDEN", 0)):
            continue
        names_code = int(size, 0) == 0 and kind != "OBJECT" and not name.startswith(".L")
        if names_code or not name.startswith(".L") or int(size, 0):
            found.add(Label(start, sections.names.get(int(index)), re.sub(r"@.*", "", name),
                            names_code))
    return sorted(found, key=lambda label: (label.start, label.name))


class Scope:
    """A subprogram or a copy that the walk is in, or has been in and still must report."""

    __slots__ = ("die", "unit", "parent", "ranges", "entry", "entry_section", "alive")

    def __init__(self, die, unit, parent):
        self.die = die
        self.unit = unit
        self.parent = parent  # the nearest Scope around it, None at the top
        self.ranges = ()
        self.entry = self.entry_section = None
        self.alive = True

    def is_host(self):
        return self.die.tag == HOST


class Unresolved(Exception):
    """A reference to a DIE that has not been read yet, or that is not in the file."""


class Forest:
    """Takes DIEs in file order, and hands out what it can already say for sure.

    References may point forward, in gcc's LTO output and in Go's even into later units. What
    waits for one is tried again at the end of its unit and, failing that, at the end of the file.
    """

    def __init__(self, sections, places):
        self.sections = sections
        self.places = places
        self.functions = {}  # offset -> (Facts of the DIE itself, its references)
        self.known = {}      # offset -> Facts along the chain
        self.unit = None
        self.stack = []      # [(depth, Scope)]
        self.around = []     # the DIEs of what is declared around
        self.waiting = []    # records of this unit
        self.late = []       # records of earlier units

    def records(self, dies):
        for die in dies:
            if die.tag in UNITS:
                yield from self._end_unit()
                self.unit = Unit(*map(die.attrs.get, Unit._fields))
            else:
                self._add(die)
        yield from self._end_unit()
        yield from self._end_file()

    def _add(self, die):
        while self.stack and self.stack[-1][0] >= die.depth:
            self.stack.pop()
        while self.around and self.around[-1].depth >= die.depth:
            self.around.pop()
        if die.tag in AROUND:
            self.around.append(die)
        if die.tag not in TAGS or die.tag in AROUND:
            return
        parent = self.stack[-1][1] if self.stack else None
        if die.tag in CALLS:
            # Calls through pointers are nobody's, calls in code that is gone nobody makes.
            if callee_of(die) is not None and (parent is None or parent.alive):
                self.waiting.append((self._call, Scope(die, self.unit, parent)))
            return
        scope = Scope(die, self.unit, parent)
        self.stack.append((die.depth, scope))
        self._place(scope)
        if die.tag == HOST:
            self.functions[die.offset] = self._with_place(*own_facts(die))
            if scope.ranges:
                self.waiting.append((self._copy, scope))
        else:
            self.waiting.append((self._site, scope))

    def _with_place(self, facts, origin):
        """The function of a closure, of which GCC does not say where it is, is where its class is."""
        around = self.around[-1] if self.around else None
        if (facts.decl_line or facts.decl_file or around is None or around.tag not in CLASSES or
                "name" in around.attrs or not around.attrs.get("decl_line")):
            return facts, origin
        return facts._replace(decl_file=around.attrs.get("decl_file"),
                              decl_line=around.attrs["decl_line"]), origin

    def _place(self, scope):
        """Gives a scope its live ranges and its entry.

        A linker that discards a function leaves its host at an address without code (0, or a
        tombstone), but with some linkers 0 + addend, so that an offset in the discarded function
        may look like an address of another one. Hence nothing under a dead host is believed.
        """
        attrs = scope.die.attrs
        ranges = [r for r in raw_ranges(attrs) if r[0] < r[1]]
        live = [r for r in ranges if self.sections.holds_code(r[0], r[2])]
        if scope.is_host():
            scope.alive = bool(live) or not has_code(scope.die)
        else:
            scope.alive = scope.parent is None or scope.parent.alive
        if scope.alive:
            scope.ranges = tuple(live)
            scope.entry, scope.entry_section = self._entry(attrs, live)

    def _entry(self, attrs, live):
        low = attrs.get("low_pc")
        entry = attrs.get("entry_pc")
        if "entry_offset" in attrs:
            base = low or (raw_ranges(attrs) or [None])[0]
            entry = (base[0] + attrs["entry_offset"], base[-1]) if base else None
        if entry is None:
            entry = low
        if entry is None and live:
            return live[0][0], live[0][2]
        return entry if entry and self.sections.holds_code(*entry) else (None, None)

    def _end_unit(self):
        for make, scope in self.waiting:
            try:
                yield make(scope)
            except Unresolved:
                self.late.append((make, scope))
        self.waiting = []
        self.stack = []
        self.around = []

    def _end_file(self):
        for make, scope in self.late:
            yield make(scope, at_end=True)
        self.late = []

    def _site(self, scope, at_end=False):
        facts = self._facts_of(scope.die, at_end)
        return Site("site", scope.die.offset, scope.unit.name, *facts, *position(scope.die.attrs),
                    scope.ranges, scope.entry, None, *self._around(scope.parent, at_end),
                    scope.die.attrs.get("abstract_origin"), scope.entry_section)

    def _copy(self, scope, at_end=False):
        facts = self._facts_of(scope.die, at_end)
        return Site("copy", scope.die.offset, scope.unit.name, *facts, None, None, None,
                    scope.ranges, scope.entry, None, facts.name, (), facts.linkage_name,
                    scope.die.attrs.get("abstract_origin"), scope.entry_section)

    def _call(self, scope, at_end=False):
        attrs = scope.die.attrs
        facts = self._facts_at(callee_of(scope.die), at_end)
        at = attrs.get("call_pc")
        back = attrs.get("return_pc", attrs.get("low_pc"))
        # Behind a call that does not return there may be the end of the section.
        if back and not self.sections.holds_code(back[0] - 1, back[1]):
            back = None
        if at and not self.sections.holds_code(*at):
            at = None
        return Site("call", scope.die.offset, scope.unit.name, *facts,
                    *self._call_position(scope, at, back), (), at[0] if at else None, back,
                    *self._around(scope.parent, at_end), callee_of(scope.die))

    def _call_position(self, scope, at, back):
        """If compilers do not record it, the row of the call's own address, or the last one before
        the address after it."""
        found = position(scope.die.attrs)
        inside = at or back and (back[0] - 1, back[1])
        if found[:2] != (None, None) or not inside:
            return found
        return self.places.at(scope.unit.stmt_list, scope.unit.comp_dir, *inside)

    def _around(self, scope, at_end):
        """The host, the copies between it and what is in `scope`, innermost first, and the host's
        linkage name."""
        chain = []
        while scope is not None and not scope.is_host():
            facts = self._facts_of(scope.die, at_end)
            chain.append(Call(facts.name, *position(scope.die.attrs), facts.linkage_name))
            scope = scope.parent
        # gcc leaves calls in abstract instances, which have no code and are nobody's host.
        if scope is None or not has_code(scope.die):
            return None, tuple(chain), None
        facts = self._facts_of(scope.die, at_end)
        return facts.name, tuple(chain), facts.linkage_name

    def _facts_at(self, offset, at_end):
        facts = self.known.get(offset)
        if facts is None:
            facts = self._along(self.functions.get(offset), at_end)
            if not at_end:
                self.known[offset] = facts
        return facts

    def _facts_of(self, die, at_end):
        origin = die.attrs.get("abstract_origin")
        if die.tag == COPY and origin is not None and not OWN.intersection(die.attrs):
            return self._facts_at(origin, at_end)
        return self._along(self.functions.get(die.offset) or own_facts(die), at_end)

    def _along(self, start, at_end):
        """Attribute by attribute: the first on the way that carries it (DWARF 5, 3.3.8.1)."""
        found = [None] * 4
        step = start
        for _ in range(CHAIN_LIMIT):
            if step is None:
                if not at_end:
                    raise Unresolved
                break
            facts, following = step
            found = [old if old is not None else new for old, new in zip(found, facts)]
            if following is None:
                break
            step = self.functions.get(following)
        name, linkage_name, decl_file, decl_line = found
        return Facts(name if name is not None else linkage_name, linkage_name, decl_file,
                     decl_line or None)


OWN = frozenset(("name", "linkage_name", "decl_file", "decl_line", "specification"))


# What GCC calls clones that link-time optimisation declares in another unit.
CLONE = re.compile(r"(\.(isra|constprop|part|lto_priv))+$")


def own_facts(die):
    attrs = die.attrs
    name, linkage_name = attrs.get("name"), attrs.get("linkage_name")
    if name and CLONE.search(name):
        name = CLONE.sub("", name)
        # Of C the symbol is that name with numbers, and says nothing more.
        linkage_name = linkage_name and re.sub(r"\.(isra|constprop|part|lto_priv)\b.*", "", linkage_name)
        linkage_name = None if linkage_name == name else linkage_name
    facts = Facts(name, linkage_name, attrs.get("decl_file"), attrs.get("decl_line"))
    return facts, attrs.get("abstract_origin", attrs.get("specification"))


def position(attrs):
    """Where a copy was called. 0 says that the compiler could not tell (DWARF 5, 2.14)."""
    return (attrs.get("call_file"), attrs.get("call_line") or None,
            attrs.get("call_column") or None)


def callee_of(die):
    return die.attrs.get("call_origin", die.attrs.get("abstract_origin"))


def has_code(die):
    return any(name in die.attrs for name in ("low_pc", "high_pc", "ranges"))


def raw_ranges(attrs):
    """As the DWARF says, empty ones too. Ranges win over low_pc (DWARF 5, 2.17)."""
    if "ranges" in attrs:
        return attrs["ranges"]
    if "low_pc" not in attrs or "high_pc" not in attrs:
        return []
    start, section = attrs["low_pc"]
    kind, value = attrs["high_pc"]
    return [(start, value if kind == "address" else start + value, section)]


def read(path, reader):
    """All records of a file, as `reader` (a module with `dies`) sees it."""
    sections = Sections(path)
    places = linetable.Places(path, sections)
    return Forest(sections, places).records(reader.dies(path, sections))


def sites(path, reader, types=("site",)):
    return (record for record in read(path, reader) if record.type in types)
