"""--count: a line a function. The numbers are compared in tests/oracle/test_counts.py."""

import json

import pytest

import building

HEADER = """\
int shared(int value);
static inline __attribute__((always_inline)) int twice(int value)
{
	return value + value;
}
"""

ONE = """\
#include "twice.h"
extern volatile int sink;
volatile int sink;
static __attribute__((noinline)) int same_name(int value) { return value ^ sink; }
__attribute__((noinline)) int shared(int value)
{
	sink = twice(value);
	return twice(sink) + same_name(value);
}
int one(int value) { return twice(value); }
"""

TWO = """\
#include "../source/twice.h"
extern volatile int sink;
static __attribute__((noinline)) int same_name(int value) { return sink - value; }
__attribute__((noinline)) int two(int value) { return same_name(shared(value)) + 1 + twice(value); }
int three(int value) { return twice(value) ^ 3; }
int main(void) { return two(3); }
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("count")
    (folder / "source").mkdir()
    (folder / "source/twice.h").write_text(HEADER)
    (folder / "source/one.c").write_text(ONE)
    (folder / "source/two.c").write_text(TWO)
    building.command("gcc", "-g", "-O2", "-fno-ipa-sra", "-fno-ipa-cp", "source/one.c",
                     "source/two.c", "-o", "program", cwd=folder)
    return folder / "program"


def rows(result):
    return [json.loads(line) for line in result.out.splitlines()]


def test_a_function_of_a_header_is_counted_once_whatever_the_path_to_it(run, made):
    row, = rows(run("--count", "--json", "-s", "twice", made))
    assert (row["type"], row["function"], row["decl_file"]) == ("function", "twice", "twice.h")
    sites = rows(run("--json", "twice", made))
    assert row["inlined"] + row["without_code"] == len(sites) == 5
    assert row["inlined"] == len([site for site in sites if site["ranges"]]) > 1
    assert len({site["decl_file"] for site in rows(run("--json", "twice", made))}) > 1


def test_calls_of_a_declaration_are_counted_for_the_definition(run, made):
    """It is the only one of the name, and the place is where it is defined."""
    row, = rows(run("--count", "--json", "-s", "shared", made))
    assert (row["out_of_line"], row["calls"], row["inlined"], row["bytes"]) == (1, 1, 0, 0)
    assert (row["decl_file"], row["decl_line"]) == ("one.c", 5)


def test_functions_of_one_name_are_two(run, made):
    places = {(row["decl_file"], row["out_of_line"], row["calls"])
              for row in rows(run("--count", "--json", "-s", "same_name", made))}
    assert places == {("one.c", 1, 1), ("two.c", 1, 1)}


def test_the_text_is_a_table(run, made):
    heading, line = run("--count", "-s", "shared", made).out.splitlines()
    assert heading == "INLINED\t    OUT\t  CALLS\t  BYTES\tFUNCTION\tPLACE"
    assert line == "      0\t      1\t      1\t      0\tshared()\tone.c:5"
    both = run("--count", "-s", "shared", made, made).out.splitlines()
    assert both == [f"{made}:", heading, line] * 2


@pytest.mark.parametrize("name", ["c", "c++"])
@pytest.mark.parametrize("order", ["copies", "bytes", "name"])
def test_all_functions_are_ranked(run, elf, name, order):
    options = () if order == "copies" else (f"--sort={order}",)
    found = rows(run(*(options or ("--count",)), "-a", "--json", elf(name)))
    keys = {"copies": lambda row: (-row["inlined"], -row["bytes"], row["function"]),
            "bytes": lambda row: (-row["bytes"], -row["inlined"], row["function"]),
            "name": lambda row: row["function"]}
    assert len(found) > 5
    assert found == sorted(found, key=keys[order])
    assert all(row["inlined"] + row["without_code"] > 0 for row in found)
    sites = {row["function"] for row in rows(run("-a", "--json", elf(name)))}
    assert {row["function"] for row in found} == sites


def test_text_has_only_what_is_in_the_code(run, elf):
    """What is not depends on the compiler."""
    found = rows(run("--count", "-a", "--json", elf("c++")))
    gone = {row["linkage_name"] for row in found if not row["inlined"]} - {None}
    assert gone
    for name in gone:
        row, = rows(run("--count", "--json", name, elf("c++")))
        assert row["without_code"] > 0 and not row["inlined"]
        if not row["out_of_line"] and not row["calls"]:
            said = run("--count", name, elf("c++"))
            assert (said.status, said.out) == (1, "")
            assert "every copy was optimised away" in said.err
    shown = [line.split("\t")[4] for line in run("--count", "-aC", elf("c++")).out.splitlines()]
    assert "geometry::Point::norm() const" in shown
    assert len(shown) - 1 < len(found)  # one is a heading


def test_names_are_demangled(run, elf):
    assert "\tgeometry::Point::norm() const\t" in run("--count", "-C", "norm", elf("c++")).out


def test_calls_in_some_files_are_counted(run, made):
    every, = rows(run("--count", "--json", "twice", made))
    some, = rows(run("--count", "--json", "-f", "two.c", "twice", made))
    assert 0 < some["inlined"] < every["inlined"] and 0 < some["bytes"] < every["bytes"]


@pytest.mark.parametrize("options, complaint", [
    (("--sort=size",), "--sort must be copies, bytes or name, not 'size'"),
    (("--count", "-o"), "--count counts all kinds"),
    (("--count", "-c"), "--count counts all kinds"),
    (("--count", "-i"), "--count does not print sites"),
    (("--count", "-e"), "--count does not print sites"),
    (("--count", "-n"), "--count does not print sites"),
])
def test_options_without_effect_are_wrong_usage(run, elf, options, complaint):
    result = run(*options, "clamp", elf("c"))
    assert (result.status, result.out) == (64, "") and complaint in result.err


def test_csv_holds_what_json_holds(run, elf):
    heading, *lines = run("--count", "-a", "--csv", elf("c")).out.splitlines()
    found = rows(run("--count", "-a", "--json", elf("c")))
    assert heading.split(",") == list(found[0])
    assert [line.split(",") for line in lines] == [
        ["" if value is None else str(value) for value in row.values()] for row in found]
