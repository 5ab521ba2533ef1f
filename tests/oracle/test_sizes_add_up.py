"""`inlinecall sizes` adds up to the executable sections, and to what `stats` counts, on files of others."""

import collections
import json
import subprocess
from pathlib import Path

import pytest

import compare
from test_distribution import fetched, has_dwarf_of_its_own


def rows(*arguments):
    out = subprocess.run([compare.program(), *map(str, arguments)], stdout=subprocess.PIPE, text=True, check=False).stdout
    return [json.loads(line) for line in out.splitlines()]


def code_sections(path):
    """The sizes of executable sections, sorted; those that overlap are in no linked file."""
    out = subprocess.run(["readelf", "-SW", path], stdout=subprocess.PIPE, text=True, check=True).stdout
    fields = [line.partition("]")[2].split() for line in out.splitlines() if line.startswith("  [")]
    return sorted(int(field[4], 16) for field in fields
                  if len(field) > 7 and "X" in field[6] and field[4].strip("0"))


def check(path):
    everything, *groups = rows("sizes", "--json", path)
    sums = collections.Counter()
    for group in groups:
        sums[group["kind"]] += group["self"]
    assert everything["code"] == sum(sums.values()) == sum(code_sections(path)), path
    sections = rows("sizes", "--json", "--by=section", path)[1:]
    assert sorted(group["self"] for group in sections) == code_sections(path), path
    assert sums["function"] == everything["self"], path
    for by in ("source", "namespace", "unit"):
        others = rows("sizes", "--json", f"--by={by}", path)[1:]
        assert sum(group["self"] for group in others) == everything["code"], (path, by)
    keys = ("function", "linkage_name", "decl_file", "decl_line")
    copies = collections.Counter({tuple(row[key] for key in keys): (row["copies"], row["bytes"])
                                  for row in rows("stats", "--json", path)[1:] if row["copies"]})
    found = collections.Counter({tuple(row[key] for key in keys): (row["copies"], row["total_inlined"])
                                 for row in groups if row["kind"] == "function" and row["copies"]})
    assert found == copies, path
    return len(groups)


@pytest.mark.long
@pytest.mark.parametrize("package", ["libc6-dbg", "valgrind-dbg"])
def test_sizes_of_a_package_add_up(package, inlinecall):
    paths = [path for path in sorted(fetched(package).rglob("*"))
             if path.is_file() and not path.is_symlink() and has_dwarf_of_its_own(path)]
    assert sum(check(path) for path in paths[:60]) > 500


@pytest.mark.long
def test_sizes_of_a_kernel_add_up(kernel, inlinecall):
    vmlinux, = kernel.rglob("vmlinux-*")
    assert check(vmlinux) > 50000


def test_sizes_of_the_program_itself_add_up(inlinecall):
    assert check(Path(compare.program())) > 1000
