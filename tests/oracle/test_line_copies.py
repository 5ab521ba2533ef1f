"""The functions of the code of each line of a header, at the first and the last byte of each range.

Compared with llvm-symbolizer, and with the copies in the DIEs that llvm-dwarfdump prints: none may
begin or end within a range.
"""

import bisect
import json
import os
import subprocess

import pytest

import address_peers
import builds
import compare
import dwarfdump
import instances
from packages import fetched

PEER = address_peers.llvm("short")
BUILDS = [build for build in builds.matrix()
          if build.dwarf in (4, 5) and build.name in ("plain-O2", "plain-O3")]
HEADERS = {"c": "shapes.h", "c++": "classes.hpp"}

# Copies of it are next to each other.
ADJACENT = """\
struct object { long count; struct object *next; };
static inline __attribute__((always_inline)) void release(struct object *object)
{
	object->count--;
	if (object->next) object->next->count--;
}
"""
CALLS = """\
#include "release.h"
__attribute__((noinline)) void two(struct object *a, struct object *b) { release(a); release(b); }
__attribute__((noinline)) void many(struct object *a)
{
	release(a + 0); release(a + 1); release(a + 2);
	release(a + 3); release(a + 4); release(a + 5);
}
int main(void) { struct object a[9] = {{1, 0}}; two(a, a + 1); many(a); return 0; }
"""


def ranges_of(path, *lines):
    result = subprocess.run([compare.program(), "lines", "--json", path, *lines],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def bounds(row):
    return int(row["address"], 16), int(row["end"], 16)


# What does not depend on the row at the address, nor on the symbol of the outermost function.

def of_row(row):
    frames = row["frames"]
    return [(inner["function"], outer["line"], outer["column"])
            for inner, outer in zip(frames, frames[1:])]


def of_peer(stack):
    return [(inner.name, outer.line or 0, outer.column or 0)
            for inner, outer in zip(stack, stack[1:])]


def assert_right_at_both_ends(path, rows):
    addrs = [addr for row in rows for addr in (bounds(row)[0], bounds(row)[1] - 1)]
    stacks = list(address_peers.ask(PEER, path, None, addrs))
    wrong = [(row, stack) for i, row in enumerate(rows) for stack in stacks[2 * i:2 * i + 2]
             if of_peer(stack) != of_row(row)]
    assert not wrong, (len(wrong), len(rows), wrong[:3])


def assert_no_copy_begins_or_ends_within(path, rows):
    edges = {edge for site in instances.read(str(path), dwarfdump) if site.type == "site"
             for start, end, _ in merged(site.ranges) for edge in (start, end)}
    edges = sorted(edges)
    for row in rows:
        start, end = bounds(row)
        at = bisect.bisect_right(edges, start)
        assert at == len(edges) or edges[at] >= end, (hex(edges[at]), row)


def merged(ranges):
    result = []
    for start, end, section in sorted(ranges):
        if result and result[-1][1] >= start:
            result[-1] = result[-1][0], max(end, result[-1][1]), section
        else:
            result.append((start, end, section))
    return result


@pytest.mark.parametrize("build", BUILDS, ids=builds.Build.id)
def test_ranges_are_of_one_copy(build, built, inlinecall):
    path = built(build)
    rows = ranges_of(path, f"{HEADERS[build.language]}:1-9999")
    assert len(rows) > 20
    assert_right_at_both_ends(path, rows)
    assert_no_copy_begins_or_ends_within(path, rows)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("dwarf", [4, 5])
def test_each_of_adjacent_copies_has_its_range(compiler, dwarf, tmp_path, inlinecall):
    (tmp_path / "release.h").write_text(ADJACENT)
    (tmp_path / "calls.c").write_text(CALLS)
    path = builds.run([compiler, f"-gdwarf-{dwarf}", "-O2", tmp_path / "calls.c"],
                      tmp_path / "calls")
    rows = ranges_of(path, "release.h:4")
    hosts = [row["frames"][-1]["function"] for row in rows]
    calls = {(row["frames"][-1]["line"], row["frames"][-1]["column"]) for row in rows}
    assert hosts.count("two") >= 2 and hosts.count("many") >= 6 and len(calls) >= 8
    rows = ranges_of(path, "release.h:1-99")
    assert_right_at_both_ends(path, rows)
    assert_no_copy_begins_or_ends_within(path, rows)


@pytest.mark.long
def test_ranges_of_large_programs_are_of_one_copy(inlinecall):
    paths = [path for path in fetched("python3.11-dbg").rglob("*.debug")
             if os.path.getsize(path) > 5 << 20]
    assert paths
    for path in paths:
        rows = ranges_of(path, "object.h:1-9999")
        assert len(rows) > 10000
        assert_right_at_both_ends(path, rows)
        assert_no_copy_begins_or_ends_within(path, rows)


@pytest.mark.long
@pytest.mark.parametrize("header", ["preempt.h", "atomic.h"])
def test_ranges_of_a_kernel_are_of_one_copy(header, kernel, inlinecall):
    path, = kernel.rglob("vmlinux-*")
    rows = ranges_of(path, f"{header}:1-9999")
    assert len(rows) > 1000
    assert_right_at_both_ends(path, rows)
