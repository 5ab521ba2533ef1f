"""How others search for what is at an address, where that differs from the standard.

Each search gives the DIE that a tool would find, of the same DIEs that addresses.py has, or None.
A rule (address_rules.py) takes a difference for explained only if the tool's answer is what its
search would make of it. Read off the sources of binutils 2.40 (bfd/dwarf2.c), elfutils 0.188 and
0.192 (libdwfl/cu.c, libdw/dwarf_getscopes.c, src/addr2line.c) and LLVM 14 (lib/DebugInfo/DWARF).
"""

import bisect
import heapq
import itertools

from addresses import Overlapping
from instances import raw_ranges

FUNCTIONS = ("subprogram", "inlined_subroutine", "entry_point")
BY_INDEX = "rnglistx"
TOMBSTONE = 2**64 - 2  # and what is behind it


def holds(ranges, section, addr):
    return any(start <= addr < end and where == section for start, end, where in ranges)


class Binutils:
    """addr2line: of all functions and copies, the one with the shortest stretch of code that
    holds the address, however deep it lies. Of several as short, any."""

    SEES_INDEXES = True

    def __init__(self, truth):
        self.instances = truth.instances
        forms = {scope.offset: scope.form for unit in truth.units for scope in unit.scopes}
        spans = {}  # section -> [(start, end, length, index)]
        for index, instance in enumerate(truth.instances):
            if instance.live and (self.SEES_INDEXES or forms[instance.record.die] != BY_INDEX):
                for start, end, section in joined(instance.record.ranges):
                    spans.setdefault(section, []).append((start, end, end - start, index))
        self.shortest = {section: Shortest(some) for section, some in spans.items()}
        self.rows = truth.rows
        self.sequences = {}  # (offset of the table, section) -> [(start, end, rows)]

    def find(self, section, addr):
        shortest = self.shortest.get(section)
        return [self.instances[index] for index in shortest.find(addr)] if shortest else []

    def row(self, table, section, addr):
        """Of discarded code too; if sequences overlap, of the one that begins first."""
        if (table, section) not in self.sequences:
            self.sequences[table, section] = list(trimmed(self.rows.every(table, section)))
        found = self.sequences[table, section]
        at = bisect.bisect_right(found, addr, key=lambda one: one[0]) - 1
        if at < 0 or found[at][1] <= addr:
            return None
        return last_row(found[at][2], addr)


class BinutilsWithoutIndexes(Binutils):
    """Of what has no range list that is given by an index."""

    SEES_INDEXES = False


def trimmed(sequences):
    """(start, end, rows), disjoint; of equal sequences the last one"""
    last = -1
    for rows in sorted(reversed(sequences), key=lambda rows: (rows[0].addr, -rows[-1].addr)):
        if rows[-1].addr > max(last, rows[0].addr):
            yield max(last, rows[0].addr), rows[-1].addr, rows
            last = rows[-1].addr


def last_row(rows, addr):
    """The last one that is not after the address."""
    return rows[bisect.bisect_right(rows, addr, key=lambda row: row.addr) - 1]


def joined(ranges):
    """Ranges that touch, joined as they come."""
    found = []
    for start, end, section in ranges:
        for at, (first, last, where) in enumerate(found):
            if where == section and start == last:
                found[at] = first, end, section
                break
            if where == section and end == first:
                found[at] = start, last, section
                break
        else:
            found.append((start, end, section))
    return found


class Shortest:
    """The shortest spans of every stretch."""

    def __init__(self, spans):
        spans = sorted(spans)
        self.starts, self.indexes = [], []
        heap, taken = [], 0
        for at in sorted({at for span in spans for at in span[:2]}):
            while taken < len(spans) and spans[taken][0] == at:
                _, end, length, index = spans[taken]
                heapq.heappush(heap, (length, index, end))
                taken += 1
            while heap and heap[0][2] <= at:
                heapq.heappop(heap)
            self.starts.append(at)
            self.indexes.append([index for length, index, end in heap
                                 if length == heap[0][0] and end > at])

    def find(self, addr):
        at = bisect.bisect_right(self.starts, addr) - 1
        return self.indexes[at] if at >= 0 else []


class Llvm:
    """llvm-symbolizer: the later DIE takes the code from the earlier ones, wherever it lies."""

    SEES_LISTS = True
    SEES_SECTIONS = True

    def __init__(self, truth):
        self.truth = truth
        self.by_die = truth.by_die
        self.maps = {}   # offset of the unit's DIE -> {section: stretches}
        self.extents = None

    def find_all(self, section, addr):
        """Yields what it finds in each unit that has one, in the order of the file."""
        if self.extents is None:
            self.extents = Overlapping(
                (key, starts[0], max(end for end, _ in entries), number)
                for number, unit in enumerate(self.truth.units)
                for key, (starts, entries) in self._map_of(unit).items())
        for number in self.extents.find(self._key(section), addr):
            instance = self.find(self.truth.units[number], section, addr)
            if instance is not None:
                yield instance

    def find(self, unit, section, addr):
        """Of one unit."""
        starts, entries = self._map_of(unit).get(self._key(section), ((), ()))
        at = bisect.bisect_right(starts, addr) - 1
        if at < 0 or entries[at][0] <= addr:
            return None
        return self.by_die.get(entries[at][1])

    def _key(self, section):
        return section if self.SEES_SECTIONS else None

    def _ranges(self, _, scope):
        return scope.ranges

    def _map_of(self, unit):
        if unit.offset not in self.maps:
            self.maps[unit.offset] = self._map(unit)
        return self.maps[unit.offset]

    def _map(self, unit):
        maps = {}
        for scope in unit.scopes:
            if scope.tag not in FUNCTIONS or scope.form and not self.SEES_LISTS:
                continue
            for start, end, section in self._ranges(unit, scope):
                if start < end:
                    put(*maps.setdefault(self._key(section), ([], [])), start, end, scope.offset)
        return maps


class LlvmSplit(Llvm):
    """In split units: those that have a range, not a list."""

    SEES_LISTS = False


class LlvmInObjects(Llvm):
    """In objects: all sections of code overlap from 0 on, and lists before DWARF 5 end at a pair of
    zeros, though relocations apply to it."""

    SEES_SECTIONS = False

    def _ranges(self, unit, scope):
        table = self.truth.rows.tables.get(unit.attrs.get("stmt_list"))
        if table and table[0].version < 5:
            return itertools.takewhile(lambda span: span[:2] != (0, 0), scope.ranges)
        return scope.ranges


def put(starts, entries, start, end, offset):
    """Into a map of stretches that do not overlap; what begins inside of the new one stays."""
    at = bisect.bisect_right(starts, start) - 1
    if at >= 0 and start < entries[at][0]:
        old_end, old = entries[at]
        if end < old_end:
            set_entry(starts, entries, end, (old_end, old))
        if starts[at] < start:
            entries[at] = start, old
    set_entry(starts, entries, start, (end, offset))


def set_entry(starts, entries, start, entry):
    at = bisect.bisect_left(starts, start)
    if at < len(starts) and starts[at] == start:
        entries[at] = entry
    else:
        starts.insert(at, start)
        entries.insert(at, entry)


class Elfutils:
    """eu-addr2line: units by the ranges of their own DIEs; then down the tree, at each level into
    the first DIE whose ranges hold the address."""

    ENTERED = frozenset(("module", "lexical_block", "with_stmt", "catch_block", "try_block",
                         "entry_point", "inlined_subroutine", "subprogram", "namespace",
                         "class_type", "structure_type"))

    def __init__(self, truth):
        self.truth = truth
        # Addresses in objects that nothing relocates are 0 for it, where this section is put.
        self.first = truth.sections.first_allocated if truth.sections.relocatable else None
        self.has_tombstones = any(start >= TOMBSTONE for _, start, _, _ in truth.aranges)
        self.trees = {}   # offset of the unit's DIE -> Tree
        self.lines = {}   # (offset of the table, section) -> (addresses, rows)
        self.offsets = [unit.offset for unit in truth.units]
        self.claims = {}  # section -> ([start], [(start, end, UnitScopes)])
        for section, start, end, unit in self.every_claim():
            self.claims.setdefault(section or self.first, []).append((start, end, unit))
        for section, found in self.claims.items():
            found.sort(key=lambda one: one[0])
            self.claims[section] = [start for start, _, _ in found], found

    def every_claim(self):
        for unit in self.truth.units:
            for start, end, section in raw_ranges(unit.attrs):
                yield section, start, end, unit

    def unit_at(self, section, addr):
        """What lies between units belongs to the one before; in objects, behind each section of
        code there is another."""
        starts, found = self.claims.get(section, ((), ()))
        at = bisect.bisect_right(starts, addr) - 1
        if at < 0 or section is None and at == len(starts) - 1 and addr > found[at][1]:
            return None
        return found[at][2]

    def units_at(self, section, addr):
        """Those that it may take: of several that begin at the address it may be any."""
        starts, found = self.claims.get(section, ((), ()))
        first, end = bisect.bisect_left(starts, addr), bisect.bisect_right(starts, addr)
        if end - first > 1:
            return list({unit.offset: unit for _, _, unit in found[first:end]}.values())
        unit = self.unit_at(section, addr)
        return [] if unit is None else [unit]

    def tree(self, unit):
        if unit.offset not in self.trees:
            self.trees[unit.offset] = Tree(unit)
        return self.trees[unit.offset]

    def holds(self, ranges, section, addr):
        return (holds(ranges, section, addr) or
                section == self.first and holds(ranges, None, addr))

    def whole_way(self, unit, section, addr):
        """The scopes that hold the address, innermost first."""
        node, way = self.tree(unit).root, []
        while node is not None:
            node = next((child for child in node.children
                         if self.holds(child.scope.ranges, section, addr)), None)
            if node is not None:
                way.insert(0, node.scope)
        return way

    def way(self, unit, section, addr):
        """None if it does not find the function that the innermost copy is of."""
        way = self.whole_way(unit, section, addr)
        copy = next((scope for scope in way if scope.tag == "inlined_subroutine"), None)
        return [] if copy and not self.is_found(copy.origin, unit) else way

    def is_found(self, origin, _):
        """In its own unit."""
        at = bisect.bisect_right(self.offsets, origin) - 1 if origin is not None else -1
        return at >= 0 and origin in self.tree(self.truth.units[at]).entered

    def row(self, unit, section, addr):
        """Of the rows of all sequences, discarded ones too, sorted by address."""
        key = unit.attrs.get("stmt_list"), section
        if key not in self.lines:
            rows = [row for rows in self.truth.rows.every(*key) for row in rows]
            if section == self.first is not None:
                rows += [row for rows in self.truth.rows.every(key[0], None) for row in rows]
            rows.sort(key=lambda row: (row.addr, "end_sequence" not in row.flags))
            # It says so of the last one of all, whatever that is: in objects, one of the last
            # section; where linkers mark what is gone by -1, one of that.
            if rows and section is None and not self.has_tombstones:
                rows[-1] = rows[-1]._replace(flags=("end_sequence",))
            self.lines[key] = [row.addr for row in rows], rows
        addrs, rows = self.lines[key]
        at = bisect.bisect_right(addrs, addr) - 1
        return rows[at] if at >= 0 and "end_sequence" not in rows[at].flags else None


class ElfutilsByIndex(Elfutils):
    """To 0.190: units by .debug_aranges, and functions only in the unit of the copy."""

    def every_claim(self):
        for section, start, end, header in self.truth.aranges:
            at = bisect.bisect_left(self.offsets, header)
            if at < len(self.offsets):
                yield section, start, end, self.truth.units[at]

    def is_found(self, origin, unit):
        return origin in self.tree(unit).entered


class Node:
    __slots__ = ("scope", "children")

    def __init__(self, scope):
        self.scope = scope
        self.children = []


class Tree:
    def __init__(self, unit):
        self.root = Node(None)
        self.entered = set()  # DIEs that a walk through ENTERED comes by
        stack = [(0, self.root, True)]
        for scope in unit.scopes:
            while stack[-1][0] >= scope.depth:
                stack.pop()
            depth, parent, entered = stack[-1]
            node = Node(scope)
            entered = entered and depth == scope.depth - 1
            if entered:
                self.entered.add(scope.offset)
                parent.children.append(node)
            stack.append((scope.depth, node, entered and scope.tag in Elfutils.ENTERED))
