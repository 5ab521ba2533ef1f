"""What is at an address, by brute force over the DIEs and the line tables that other tools print.

The innermost instance at an address is the one that lies deepest in the tree of DIEs, of those
whose own ranges hold the address; of equally deep ones, the first in the file. Its frames are
those of its parents by DIE, up to the host, whether their ranges hold the address or not. The
place of the innermost frame is the line table's, those of the others where the frame before them
was called.

An address is (section, offset): in linked files the section is None.
"""

import bisect
import heapq
import itertools
from typing import NamedTuple

import aranges
import dwarfdump
import instances
import linetable
from instances import AROUND, CALLS, TAGS, UNITS, Forest, Sections

BLOCKS = frozenset(("lexical_block", "try_block", "catch_block", "with_stmt", "entry_point",
                    "module", "namespace", "class_type", "structure_type"))


class Frame(NamedTuple):
    function: str       # DW_AT_name
    linkage_name: str
    file: str
    line: int           # 0: not known, as with the two that follow
    column: int
    discriminator: int
    inlined: bool


class Instance(NamedTuple):
    """A host or a copy that says that it has code."""
    depth: int          # of its DIE
    host: int           # offset of the DIE of the outermost one around it, or its own
    unit: instances.Unit
    record: instances.Site  # its ranges are all that it says, those of discarded code too
    live: tuple         # its ranges that are code
    discriminators: tuple  # of its call and of those of the copies around it


class Scope(NamedTuple):
    """A DIE that can have code in it, for those who walk down the tree."""
    offset: int
    depth: int
    tag: str
    ranges: list
    form: str           # of its ranges; None where it has none
    origin: int


class UnitScopes(NamedTuple):
    tag: str
    attrs: dict
    offset: int         # of its DIE
    scopes: list        # in the order of the file


class _Instances(Forest):
    """Sites and out-of-line copies, discarded ones too."""

    def __init__(self, sections):
        super().__init__(sections, None)
        self.live = {}  # offset of the DIE -> ranges

    def _place(self, scope):
        super()._place(scope)
        self.live[scope.die.offset] = scope.ranges
        scope.ranges = tuple(span for span in instances.raw_ranges(scope.die.attrs)
                             if span[0] < span[1])

    def _site(self, scope, at_end=False):
        return self._instance(super()._site(scope, at_end), scope)

    def _copy(self, scope, at_end=False):
        return self._instance(super()._copy(scope, at_end), scope)

    def _instance(self, record, scope):
        depth, unit, host = scope.die.depth, scope.unit, record.die
        discriminators = []
        while scope is not None and not scope.is_host():
            discriminators.append(scope.die.attrs.get("call_discriminator") or 0)
            scope = scope.parent
        if scope is not None:
            host = scope.die.offset
        return Instance(depth, host, unit, record, self.live[record.die], tuple(discriminators))


class Segments:
    """The winner of every stretch of code of a section."""

    def __init__(self, spans):
        """`spans`: [(start, end, rank, index)]; the least rank wins, then the least index."""
        spans = sorted(spans)
        self.starts, self.indexes = [], []
        heap, taken = [], 0
        for at in sorted({at for span in spans for at in span[:2]}):
            while taken < len(spans) and spans[taken][0] == at:
                _, end, rank, index = spans[taken]
                heapq.heappush(heap, (rank, index, end))
                taken += 1
            while heap and heap[0][2] <= at:
                heapq.heappop(heap)
            self.starts.append(at)
            self.indexes.append(heap[0][1] if heap else None)

    def find(self, addr):
        at = bisect.bisect_right(self.starts, addr) - 1
        return self.indexes[at] if at >= 0 else None


class Rows:
    """The rows of all live sequences of the line tables of a file."""

    def __init__(self, path, sections):
        places = linetable.Places(path, sections)
        self.read = linetable.read(path, sections.relocatable)
        self.tables = {offset: (table, places.by_section(sequences))
                       for offset, (table, sequences) in self.read.items()}

    def sequences(self):
        """(section, rows)"""
        for _, lookups in self.tables.values():
            for section, lookup in lookups.items():
                for rows in lookup.sequences:
                    yield section, rows

    def every(self, stmt_list, section):
        """The rows of every sequence of a table, of discarded code too."""
        return [sequence.rows for sequence in self.read.get(stmt_list, (None, ()))[1]
                if sequence.section == section]

    def find(self, stmt_list, section, addr):
        """The row, or None."""
        _, lookups = self.tables.get(stmt_list, (None, {}))
        return lookups[section].find(addr) if section in lookups else None


class Truth:
    """What a file says of every address."""

    def __init__(self, path, reader=dwarfdump):
        self.path = path = str(path)
        self.sections = Sections(path)
        self.units = []
        forest = _Instances(self.sections)
        found = forest.records(self._noting_scopes(reader.dies(path, self.sections,
                                                               TAGS | BLOCKS)))
        self.instances = sorted((instance for instance in found if instance.record.ranges),
                                key=lambda instance: instance.record.die)
        self.by_die = {instance.record.die: instance for instance in self.instances}
        self.rows = Rows(path, self.sections)
        self.symbols = Symbols(path, self.sections)
        # Of functions that were folded the first, and in it the deepest copy.
        self.segments = segments_of((instance.live, (instance.host, -instance.depth))
                                    for instance in self.instances)
        self.aranges = aranges.read(path)
        self.claims = Claims(self.units, self.aranges)
        self.comp_dirs = {}
        for unit in self.units:
            if "comp_dir" in unit.attrs:  # type units have none
                self.comp_dirs.setdefault(unit.attrs.get("stmt_list"), unit.attrs["comp_dir"])
        self._outer = {}  # DIE -> frames but the first

    def _noting_scopes(self, dies):
        for die in dies:
            if die.tag in UNITS:
                self.units.append(UnitScopes(die.tag, die.attrs, die.offset, []))
            elif die.tag in BLOCKS or die.tag in TAGS and die.tag not in (*CALLS, *AROUND):
                self.units[-1].scopes.append(
                    Scope(die.offset, die.depth, die.tag, instances.raw_ranges(die.attrs),
                          die.attrs.get("ranges_form"), die.attrs.get("abstract_origin")))
            if die.tag not in CALLS:
                yield die

    def unit_of(self, instance):
        """The UnitScopes that a DIE is in."""
        at = bisect.bisect_right(self.units, instance.record.die, key=lambda unit: unit.offset)
        return self.units[at - 1]

    def addresses(self):
        """Where each row, each range begins and ends, and the bytes beside: sorted."""
        found = {(section, row.addr) for section, rows in self.rows.sequences() for row in rows}
        found.update((section, at) for instance in self.instances
                     for start, end, section in instance.live for at in (start, end))
        around = {(section, at + by) for section, at in found for by in (-1, 0, 1) if at + by >= 0}
        return sorted(around, key=lambda where: (where[0] or "", where[1]))

    def instance_at(self, section, addr):
        """The innermost one, or None."""
        segments = self.segments.get(section)
        index = segments.find(addr) if segments else None
        return None if index is None else self.instances[index]

    def row_at(self, section, addr, instance):
        """(offset of the table, row) or (None, None): of the unit that the instance is in, and
        if there is no instance, of one that claims the address."""
        tables = (self.claims.tables(section, addr) if instance is None
                  else [instance.unit.stmt_list])
        for table in tables:
            row = self.rows.find(table, section, addr)
            if row is not None:
                return table, row
        return None, None

    def frames(self, section, addr):
        """A tuple of Frame, innermost first; () if nothing is known of the address."""
        if not self.is_code(section, addr):
            return ()
        return self.frames_of(self.instance_at(section, addr), section, addr)

    def is_code(self, section, addr):
        if self.sections.relocatable:
            return addr < self.sections.sizes.get(section, 0)
        return self.sections.name_at(addr) is not None

    def frames_of(self, instance, section, addr):
        """The frames if this instance is the innermost one."""
        place = self.place(*self.row_at(section, addr, instance))
        if instance is None:
            symbol = self.symbols.at(section, addr)
            if symbol is None and place == UNKNOWN:
                return ()
            return (Frame(symbol, symbol, *place, False),)
        record = instance.record
        outer = self._outer.get(record.die)
        if outer is None:
            outer = self._outer[record.die] = tuple(outer_frames(instance))
        return (Frame(record.function, record.linkage_name, *place, record.type == "site"), *outer)

    def place(self, table, row):
        """(file, line, column, discriminator)"""
        if row is None:
            return UNKNOWN
        file = self.rows.tables[table][0].path(row.file, self.comp_dirs.get(table))
        return file, row.line, row.column, row.discriminator


UNKNOWN = None, 0, 0, 0


class Claims:
    """Which units say that code is theirs, in their own entry or in .debug_aranges."""

    def __init__(self, units, listed):
        tables = [unit.attrs.get("stmt_list") for unit in units]
        offsets = [unit.offset for unit in units]
        spans = {(number, *span) for number, unit in enumerate(units)
                 for span in instances.raw_ranges(unit.attrs)}
        for section, start, end, header in listed:
            number = bisect.bisect_left(offsets, header)
            if number < len(units):
                spans.add((number, start, end, section))
        self.tables_of = tables
        self.spans = Overlapping((section, start, end, number)
                                 for number, start, end, section in spans)

    def tables(self, section, addr):
        """Of the units that claim an address, in the order of the file."""
        return [self.tables_of[number] for number in self.spans.find(section, addr)]


class Overlapping:
    """Spans, any number of which may hold an address."""

    def __init__(self, spans):
        """`spans`: (section, start, end, number)"""
        self.spans = {}  # section -> [(start, end, number)]
        for section, start, end, number in spans:
            self.spans.setdefault(section, []).append((start, end, number))
        self.reach = {}  # section -> for each span, the greatest end so far
        for section, found in self.spans.items():
            found.sort()
            self.reach[section] = list(itertools.accumulate((end for _, end, _ in found), max))

    def find(self, section, addr):
        """The numbers of those that hold an address, sorted."""
        found, reach = self.spans.get(section, ()), self.reach.get(section, ())
        at = bisect.bisect_right(found, (addr, float("inf"))) - 1
        numbers = set()
        while at >= 0 and reach[at] > addr:
            if found[at][1] > addr:
                numbers.add(found[at][2])
            at -= 1
        return sorted(numbers)


def segments_of(spans_and_ranks):
    """{section: Segments}"""
    by_section = {}
    for index, (ranges, rank) in enumerate(spans_and_ranks):
        for start, end, section in ranges:
            by_section.setdefault(section, []).append((start, end, rank, index))
    return {section: Segments(spans) for section, spans in by_section.items()}


def outer_frames(instance):
    record = instance.record
    if record.type != "site":
        return
    place = record.call_file, record.call_line or 0, record.call_column or 0
    for call, discriminator in zip(record.chain, instance.discriminators):
        yield Frame(call.function, call.linkage_name, *place, discriminator, True)
        place = call.call_file, call.call_line or 0, call.call_column or 0
    yield Frame(record.host, record.host_linkage_name, *place, instance.discriminators[-1], False)


class Symbols:
    """The symbols of functions of a file."""

    def __init__(self, path, sections):
        self.spans = {}  # section -> (starts, symbols)
        for symbol in instances.function_symbols(path, sections):
            starts, found = self.spans.setdefault(symbol.section, ([], []))
            starts.append(symbol.start)
            found.append(symbol)
        self.longest = max((symbol.end - symbol.start for _, found in self.spans.values()
                            for symbol in found), default=0)
        self.sections = sections
        self.labels = {}  # section -> labels by start
        for label in instances.labels(path, sections):
            self.labels.setdefault(label.section, []).append(label)

    def holding(self, section, addr):
        """All that hold an address, by start."""
        starts, found = self.spans.get(section, ([], []))
        at = bisect.bisect_right(starts, addr)
        first = bisect.bisect_left(starts, addr - self.longest)
        return [symbol for symbol in found[first:at] if addr < symbol.end]

    def names_at(self, section, addr):
        """Of those that hold an address, the ones that begin last."""
        found = self.holding(section, addr)
        if not found:
            return self.labels_at(section, addr)
        return [symbol.name for symbol in found if symbol.start == found[-1].start]

    def labels_at(self, section, addr):
        """Those without a size that are the last symbols of the section up to an address, unless
        they are in a function."""
        found = self.labels.get(section if self.sections.relocatable
                                else self.sections.name_at(addr), [])
        at = bisect.bisect_right(found, addr, key=lambda label: label.start)
        if at == 0 or self.holding(section, found[at - 1].start):
            return []
        return [label.name for label in found[:at]
                if label.start == found[at - 1].start and label.names_code]

    def at(self, section, addr):
        """One of these; None if there is none."""
        names = self.names_at(section, addr)
        return names[-1] if names else None
