"""Tracing a source line: how often, and with which variables, against what the program prints itself."""

import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pytest

import building

SOURCE = Path(__file__).resolve().parent / "programs/stepped.c"
BUILDS = ["gcc -O0", "gcc -O1", "gcc -O2", "gcc -O3", "clang -O0", "clang -O1", "clang -O2", "clang -O3"]


def noted_lines():
    """{line: the variables that it prints}"""
    found = {}
    for number, line in enumerate(SOURCE.read_text().splitlines(), 1):
        match = re.search(r"^\s.*NOTE\d\((.*)\);", line)
        if match:
            found[number] = [name.strip("- ") for name in match[1].split(",")]
    assert len(found) == 8
    return found


NOTED = noted_lines()


@pytest.fixture(name="stepped", scope="module", params=BUILDS)
def fixture_stepped(request, run, tmp_path_factory):
    """(program, its compiler, whether it is optimised)"""
    compiler, level = request.param.split()
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    path = tmp_path_factory.mktemp("stepped") / "stepped"
    building.command(compiler, level, "-g", "-o", path, SOURCE)
    result = trace(run, path, 43)
    if result.status == 2 and re.search("requires root|too old|without support", result.err):
        pytest.skip(f"tracing needs root and BPF: {result.err}")
    return path, compiler, level != "-O0"


def trace(run, path, line, *options):
    return run("trace", f"--line=stepped.c:{line}", *options, path, "--", path)


def printed(result, line):
    """The values that the line printed, one list for each time."""
    rows = [list(map(int, words.split())) for words in result.err.splitlines() if re.fullmatch(r"[-\d ]+", words)]
    return [values for number, *values in rows if number == line]


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines()]


@pytest.mark.parametrize("line", NOTED)
def test_a_line_is_seen_as_often_as_it_is_executed_with_its_variables(run, stepped, line):
    path, compiler, is_optimised = stepped
    result = trace(run, path, line, "--json")
    hits, truth = rows_of(result), printed(result, line)
    assert result.status == 0
    if compiler == "clang" and is_optimised and "i" in NOTED[line] and "n" in NOTED[line]:
        # One row of the line table may be two iterations of an unrolled loop.
        assert len(truth) >= len(hits) > 0
        return
    assert len(hits) == len(truth) > 0
    known = 0
    for hit, values in zip(hits, truth):
        copy = hit["copy"]
        assert (copy["source"].endswith("/stepped.c"), copy["line"]) == (True, line)
        shown = {each["name"]: each["value"] for each in hit["arguments"] + hit["variables"]}
        assert len(shown) == len(hit["arguments"] + hit["variables"])  # none is there twice
        for name, value in zip(NOTED[line], values):
            assert name in shown or is_optimised, name  # Clang's scopes may begin later
            assert shown.get(name) in (str(value), None), name
            known += shown.get(name) is not None
    assert known > 0 or is_optimised
    assert known == sum(map(len, truth)) or is_optimised


def test_counts_groups_and_conditions_are_of_the_line(run, stepped):
    path, _, is_optimised = stepped
    line = next(iter(NOTED))
    result = trace(run, path, line, "--json", "--count")
    truth = printed(result, line)
    assert sum(row["hits"] for row in rows_of(result)) == len(truth)
    result = trace(run, path, line, "--json", "--by=most")
    groups = {row["keys"][0]["value"]: row["count"] for row in rows_of(result) if row["type"] == "group"}
    assert groups == Counter(str(values[0]) for values in truth) or is_optimised and None in groups
    result = trace(run, path, line, "--json", "--where=most > 3")
    assert len(rows_of(result)) == sum(values[0] > 3 for values in truth) or is_optimised and result.status == 2


SEVERAL = """
#include <stdio.h>
volatile int sink;
struct many { char *first, *second; int numbers[20]; struct { int x, y; } at; };
__attribute__((noinline)) int set(int k) { sink = k; return k; }
__attribute__((noinline)) int look(struct many *a, struct many *b, int k) { return a->numbers[0] + b->at.x + k; }
int main(void)
{
	int seen = 0, sum = 0;
	for (int i = 0; i < 10; i++) {
		seen++; sum += set(i); sum ^= set(sum + i);
	}
	struct many one = { "first", NULL, { 3 }, { 1, 2 } };
	return look(&one, &one, 7) + (seen > 99 ? sum : 0) ? 0 : 1;
}
"""


@pytest.mark.parametrize("flags", ["gcc -O0", "gcc -O2", "clang -O0"])
def test_a_line_with_several_places_in_a_copy_is_said_to_have_them(run, tmp_path, flags):
    source, path = tmp_path / "a.c", tmp_path / "a"
    source.write_text(SEVERAL)
    building.command(*flags.split(), "-g", "-o", path, source)
    result = run("trace", "--json", "--count", "--line=a.c:11", path, "--", path)
    if "requires root" in result.err:
        pytest.skip("tracing needs root and BPF")
    count = sum(row["hits"] for row in rows_of(result))
    assert ("the line begins at several places" in result.err) == (count > 10)
    assert count >= 10 and (count == 10 or flags == "gcc -O2")


def test_what_a_line_is_not_is_said(run, tmp_path):
    source, path = tmp_path / "a.c", tmp_path / "a"
    source.write_text(SEVERAL)
    building.command("gcc", "-g", "-o", path, source)
    for words, message in [(["--line=a.c:11:3"], "without a column, not 'a.c:11:3'"),
                           (["--line=a.c:11", "--latency"], "so --latency has no effect"),
                           (["--line=a.c:11", "-g"], "so -g has no effect"), (["--line=11"], "expects SOURCE:LINE")]:
        result = run("trace", *words, path)
        assert result.status == 64 and message in result.err
    result = run("trace", "--line=a.c:1", path)
    assert result.status == 1 and "no code at a.c:1; the next line with code is 5" in result.err
    result = run("trace", "--line=b.c:1", path)
    assert result.status == 1 and "no code from a source file named 'b.c'" in result.err
    result = run("trace", "--pid=4194000", "set", path)
    assert result.status == 2 and "no process 4194000" in result.err


def test_arguments_are_read_before_members_if_there_are_too_many(run, tmp_path):
    source, path = tmp_path / "a.c", tmp_path / "a"
    members = "".join(f"int n{number}; " for number in range(40))
    source.write_text(SEVERAL.replace("int numbers[20];", f"int numbers[20]; {members}"))
    building.command("gcc", "-g", "-O1", "-o", path, source)
    result = run("trace", "--json", "--fields=*", "--where=k == 7", "look", path, "--", path)
    if "requires root" in result.err:
        pytest.skip("tracing needs root and BPF")
    (row,) = rows_of(result)
    texts = {argument["name"]: argument["text"] for argument in row["arguments"]}
    assert texts["k"] == "7" and texts["b"] and texts["a->numbers"].startswith("{3, ")
    assert [argument["why"] for argument in row["arguments"]][-1] == "more arguments than can be traced"
