"""The questions of docs/database.md, answered by a database, and counted from `sites --json`."""

import json
import re
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

import building
from export_rows import SITES

DOCUMENT = Path(__file__).resolve().parents[2] / "docs/database.md"
FILES = ("c", "clang", "c++", "object", "lto", "parts")


def documented():
    """The queries, in order."""
    text = DOCUMENT.read_text().split("## Ten questions")[1].split("\n## ")[0]
    return [" ".join(query.split()) for query in re.findall(r"```sql\n(.*?)```", text, re.DOTALL)]


@pytest.fixture(name="folder", scope="session")
def fixture_folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("questions")
    for name in FILES:
        building.build(name, folder)
    return folder


@pytest.fixture(name="database", scope="session")
def fixture_database(program, folder):
    for name in FILES:
        building.command(program, "export", f"--sqlite={folder / 'all.db'}", f"--package={name}", folder / name)
    return sqlite3.connect(folder / "all.db")


@pytest.fixture(name="rows", scope="session")
def fixture_rows(program, folder):
    """All sites, copies and calls of the files, without the parts of functions."""
    rows = []
    for name in FILES:
        lines = building.command(program, *SITES, folder / name).splitlines()
        rows += [row for row in map(json.loads, lines) if not row["part"]]
    return rows


def size(row):
    return sum(int(part[1], 16) - int(part[0], 16) for part in row["ranges"])


def totals(rows):
    """{(function, decl_file): [copies, bytes, copies out of line]}"""
    found = {}
    for row in rows:
        numbers = found.setdefault((row["function"], row["decl_file"]), [0, 0, 0])
        if row["type"] == "site":
            numbers[0] += 1
            numbers[1] += size(row)
        elif row["type"] == "copy":
            numbers[2] += 1
    return found


def where(rows):
    sites = Counter((row["host"], row["call_file"], row["call_line"]) for row in rows
                    if row["type"] == "site" and row["function"] == "copy_from_user")
    return [(*key, count) for key, count in sites.items()]


def most_bytes(rows):
    found = sorted(((*key, *numbers[:2]) for key, numbers in totals(rows).items()),
                   key=lambda row: (-row[3], row[0]))
    return found[:20]


def partly(rows):
    return [(key[0], numbers[0], numbers[2]) for key, numbers in totals(rows).items()
            if numbers[0] and numbers[2]]


def of_header(rows):
    return list({(row["host"],) for row in rows if row["type"] == "site"
                 and (row["decl_file"] or "").endswith("/shapes.h")})


def kinds(rows):
    found = Counter(parameter["location"]["kind"] for row in rows if row["type"] == "site" and size(row)
                    for parameter in row.get("params", ()))
    return list(found.items())


def constants(rows):
    found = Counter((parameter["name"], parameter["location"]["value"]) for row in rows
                    if row["type"] == "site" and row["function"] == "scale"
                    for parameter in row.get("params", ())
                    if parameter["location"]["kind"] == "constant")
    return [(*key, count) for key, count in found.items()]


def deepest(rows):
    sites = [row for row in rows if row["type"] == "site"]
    depth = max(len(row["chain"]) for row in sites)
    return [(row["function"], row["host"], depth) for row in sites if len(row["chain"]) == depth]


def from_copies(rows):
    found = Counter(row["chain"][0]["function"] for row in rows
                    if row["type"] == "call" and row["chain"])
    return list(found.items())


def packages(rows):
    return list({(Path(row["file"]).name,) for row in rows
                 if row["type"] == "site" and row["function"] == "clamp"})


def chains(rows):
    """The chains, as tuples of names; the numbers of instances are the database's own."""
    found = Counter()
    for row in rows:
        if row["function"] == "clamp" and row["type"] == "site":
            found[(row["function"], *(caller["function"] for caller in row["chain"]), row["host"])] += 1
        elif row["function"] == "clamp" and row["type"] == "copy":
            found[(row["function"],)] += 1
    return found


EXPECTED = (where, most_bytes, partly, of_header, kinds, constants, deepest, from_copies, packages)


@pytest.mark.parametrize("number", range(len(EXPECTED)))
def test_answers_equal_counts(database, rows, number):
    query = documented()[number].replace("copy_from_user", "area" if number == 0 else "copy_from_user")
    counted = EXPECTED[number]([{**row, "function": "copy_from_user"} if number == 0 and
                                row["function"] == "area" else row for row in rows])
    answer = database.execute(query).fetchall()
    assert answer and sorted(map(str, answer)) == sorted(map(str, counted))


def test_chains_are_those_of_the_sites(database, rows):
    found = {}
    for file_and_instance, level, name in database.execute(
            documented()[9].replace("SELECT c.instance,", "SELECT c.file || ' ' || c.instance,")
            .replace("ORDER BY c.instance", "ORDER BY c.file, c.instance")):
        assert len(found.setdefault(file_and_instance, [])) == level
        found[file_and_instance].append(name)
    hosts = Counter(tuple(chain) for chain in found.values())
    # A host that was dropped by the linker has no code, and is no row of `sites`.
    expected = chains(rows)
    assert expected and {chain: hosts[chain] for chain in expected} == dict(expected)


def test_there_are_ten():
    assert len(documented()) == 10
