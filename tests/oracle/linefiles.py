"""What a file's line tables say of every source line, from the rows that llvm-dwarfdump prints."""

import bisect
import os
from collections import defaultdict
from typing import NamedTuple

import compare
import dwarfdump
import instances
import linetable


class Place(NamedTuple):
    """A run of code of a line; empty if another row has the code at its address."""
    section: str  # None in a linked file
    start: int
    end: int
    path: str
    line: int
    column: int
    discriminator: int
    is_stmt: bool


def sort_key(place):
    return (place.section or "", place.start, -place.end, place.path, place.column,
            place.discriminator, not place.is_stmt)


def units(path):
    """{offset of the line table: comp_dir of the unit that it is read for}"""
    found = {}
    command = ["llvm-dwarfdump", "-v", "--debug-info", "-r", "0", str(path)]
    with dwarfdump.lines_of(command) as lines:
        for die in dwarfdump.parse(lines):
            table = die.attrs.get("stmt_list")
            if table is None or die.tag == "type_unit":
                continue
            has_code = "low_pc" in die.attrs or "ranges" in die.attrs
            if table not in found or has_code and not found[table][0]:
                found[table] = has_code, die.attrs.get("comp_dir")
    return {table: comp_dir for table, (_, comp_dir) in found.items()}


def row_places(path):
    """What each row says by itself: up to the next row of its sequence."""
    sections = instances.Sections(path)
    tables = linetable.read(path, sections.relocatable)
    for offset, comp_dir in units(path).items():
        table, sequences = tables[offset]
        paths = {}  # by number
        for sequence in sequences:
            if not sections.holds_code(sequence.rows[0].addr, sequence.section):
                continue
            for row, after in zip(sequence.rows, sequence.rows[1:]):
                assert row.addr <= after.addr, "addresses fall"
                is_at_end = row.addr == after.addr and "end_sequence" in after.flags
                if row.line == 0 or is_at_end:
                    continue
                if row.file not in paths:
                    paths[row.file] = compare.one_slash(table.path(row.file, comp_dir))
                if paths[row.file] is not None:
                    yield Place(sequence.section, row.addr, after.addr, paths[row.file], row.line,
                                row.column, row.discriminator, "is_stmt" in row.flags)


def with_statements(places):
    """An address is recommended for breakpoints whichever of the line's rows there says so; of
    those the first is told."""
    recommended = {(place.section, place.start) for place in places if place.is_stmt}
    told, result = set(), []
    for place in places:
        at = place.section, place.start
        is_first = at not in told
        told.add(at)
        result.append(place._replace(is_stmt=place.is_stmt or is_first and at in recommended))
    return result


def without_needless(places):
    """At an empty place the line has no code; one such place at an address is enough."""
    code = defaultdict(list)  # section -> [(start, the furthest end up to there)], by start
    for place in places:
        if place.start < place.end:
            runs = code[place.section]
            furthest = max(place.end, runs[-1][1]) if runs else place.end
            runs.append((place.start, furthest))
    empty = set()
    for place in places:
        if place.start == place.end:
            runs = code[place.section]
            at = bisect.bisect_right(runs, (place.start, float("inf"))) - 1
            if at >= 0 and place.start < runs[at][1] or (place.section, place.start) in empty:
                continue
            empty.add((place.section, place.start))
        yield place


def goes_on(last, place):
    same = [last[i] == place[i] for i in (0, 3, 4, 5, 6)]
    return (all(same) and place.start <= last.end and place.start < place.end
            and (last.is_stmt or not place.is_stmt))


def joined(places):
    result = []
    for place in places:
        if result and goes_on(result[-1], place):
            result[-1] = result[-1]._replace(end=max(result[-1].end, place.end))
        else:
            result.append(place)
    return result


class Expected:
    def __init__(self, path):
        self.by_line = defaultdict(list)  # (path, line) -> [Place]
        for place in row_places(path):
            self.by_line[place.path, place.line].append(place)
        self.by_name = defaultdict(set)   # last part of a path -> {(path, line)}
        for source, line in self.by_line:
            self.by_name[os.path.basename(source)].add((source, line))

    def named(self, source, line):
        """The places of a line, in order; `source` is a path or the last parts of one."""
        found = [place for path, number in self.by_name[os.path.basename(source)]
                 if number == line and (path == source or path.endswith(f"/{source}"))
                 for place in self.by_line[path, number]]
        found = with_statements(sorted(found, key=sort_key))
        return joined(without_needless(found))

    def operands(self):
        """(source, line): every line of every file by its whole path, and by its name alone."""
        yield from sorted(self.by_line)
        for name, lines in sorted(self.by_name.items()):
            for line in sorted({line for _, line in lines}):
                yield name, line
