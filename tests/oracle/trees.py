"""The trees of what was inlined into each function's own code, made of the DIEs that
llvm-dwarfdump printed: nested as the DIEs are, and every byte of them looked at by itself."""

import json
import subprocess
from typing import NamedTuple

import compare
import instances
import linetable


class Node(NamedTuple):
    """A row of `inlinecall tree --json`, in the words of both sides."""
    depth: int
    die: int
    parent: int
    function: str
    linkage_name: str
    inlined: bool
    decl_file: str
    decl_line: int
    call_file: str
    call_line: int
    call_column: int
    ranges: tuple
    size: int
    own_size: int
    entry: int
    host: str
    unit: str


class Nested(instances.Forest):
    """Remembers how the scopes are nested, besides what it says of each."""

    def __init__(self, sections, places):
        super().__init__(sections, places)
        self.roots = []   # hosts with code, in the order of the file
        self.inside = {}  # id of a scope -> the copies directly inside

    def _add(self, die):
        super()._add(die)
        if die.tag not in (instances.HOST, instances.COPY):
            return
        scope = self.stack[-1][1]
        if not scope.is_host():
            if scope.parent is not None:
                self.inside.setdefault(id(scope.parent), []).append(scope)
        elif scope.ranges:
            self.roots.append(scope)


def addresses(ranges):
    """Every single one, with its section: what the sizes must be counted from."""
    return {(section, addr) for start, end, section in ranges for addr in range(start, end)}


def walk(forest, root):
    """[(scope, depth, all of its addresses, those that nothing inside has)], in file order."""
    found = []

    def visit(scope, depth):
        place = len(found)
        found.append(None)
        inner = set()
        for copy in forest.inside.get(id(scope), ()):
            inner |= visit(copy, depth + 1)
        own = addresses(scope.ranges) - inner
        found[place] = (scope, depth, len(own | inner), len(own))
        return own | inner

    visit(root, 0)
    return found


def expected(path, reader):
    """The trees of all hosts with code: [[Node, ...], ...]."""
    sections = instances.Sections(path)
    forest = Nested(sections, linetable.Places(path, sections))
    sites = {}
    for record in forest.records(reader.dies(path, sections)):
        if record.type != "call":
            sites[record.die] = record
    return [[node(scope, depth, sites[scope.die.offset], sizes)
             for scope, depth, *sizes in walk(forest, root)] for root in forest.roots]


def node(scope, depth, site, sizes):
    parent = None if scope.is_host() else scope.parent.die.offset
    return Node(depth, site.die, parent, site.function, site.linkage_name, not scope.is_host(),
                compare.one_slash(site.decl_file), site.decl_line,
                compare.one_slash(site.call_file), site.call_line, site.call_column,
                site.ranges, *sizes, site.entry, site.host, site.unit)


def number(text):
    return None if text is None else int(text, 16)


def from_json(row):
    return Node(row["depth"], number(row["die"]), number(row["parent"]), row["function"],
                row["linkage_name"], row["inlined"], compare.one_slash(row["decl_file"]),
                row["decl_line"], compare.one_slash(row["call_file"]), row["call_line"],
                row["call_column"], compare.ranges_from_json(row), row["bytes"], row["own_bytes"],
                number(row["entry"]), row["host"], row["unit"])


def printed(path, *options):
    """What the program prints: [[Node, ...], ...]."""
    result = subprocess.run([compare.program(), "tree", "--parts", "--json", *options, str(path)],
                            stdout=subprocess.PIPE, check=False)
    found = []
    for line in result.stdout.splitlines():
        row = from_json(json.loads(line))
        if row.depth == 0:
            found.append([])
        found[-1].append(row)
    return found


def differences(path, reader):
    """A line for each tree that is not as it should be, and the number of instances compared."""
    trees = expected(str(path), reader)
    wanted = {
        ("-a",): [tree for tree in trees if len(tree) > 1],
        ("-g", "*"): [tree for tree in trees if tree[0].function is not None],
    }
    lines = []
    for options, some in wanted.items():
        found = printed(path, *options)
        if len(found) != len(some):
            lines.append(f"{path}: {options}: {len(found)} trees, not {len(some)}")
        lines += [f"{path}: {options}:\n  oracle  {left}\n  program {right}"
                  for one, other in zip(some, found) if one != other
                  for left, right in first_difference(one, other)]
    return lines, sum(map(len, trees))


def first_difference(one, other):
    for left, right in zip(one, other):
        if left != right:
            return [(left, right)]
    return [(f"{len(one)} instances", f"{len(other)}, the first {other[0]}")]
