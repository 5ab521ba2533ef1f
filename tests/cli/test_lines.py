"""inlinecall lines: where the code of a source line is."""

import json
import re
import resource
import subprocess

import pytest

import building

SOURCE = """\
volatile int sink; static inline __attribute__((always_inline)) int leaf(int a)
{
	return a * sink;
}

static inline __attribute__((always_inline)) int mid(int a)
{
	return leaf(a) + 1;
}

int first(int a) { return mid(a); }
int second(int a) { return leaf(a + 5); }
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("lines")
    (folder / "src").mkdir()
    (folder / "src" / "leaf.c").write_text(SOURCE)
    (folder / "src" / "other").mkdir()
    (folder / "src" / "other" / "leaf.c").write_text("int third(void)\n{\n\treturn 7;\n}\n")
    for name in "leaf", "other/leaf":
        output = folder / (name.replace("/", "_") + ".o")
        building.command("gcc", "-g", "-O1", "-fPIC", "-c", f"src/{name}.c", "-o", output, cwd=folder)
    building.command("gcc", "-shared", "leaf.o", "other_leaf.o", "-o", "lib.so", cwd=folder)
    return folder


@pytest.fixture(scope="module")
def deep(tmp_path_factory):
    """An object with a line of so many functions that are inlined into each other, in 60 hosts."""
    folder, depth = tmp_path_factory.mktemp("deep"), 100
    always = "static inline __attribute__((always_inline)) int"
    functions = [f"{always} l0(int a){{v+=a;return a;}}"]
    functions += [f"{always} l{i}(int a){{v^=a;int r=l{i - 1}(a+{i});v+=r;return r;}}"
                  for i in range(1, depth)]
    (folder / "deep.h").write_text(" ".join(functions) + "\n")
    (folder / "deep.c").write_text('extern volatile int v;\n#include "deep.h"\n' + "".join(
        f"int host{i}(int a){{return l{depth - 1}(a);}}\n" for i in range(60)))
    building.command("gcc", "-g", "-O1", "-c", "deep.c", cwd=folder)
    return folder / "deep.o"


def rows(result):
    return [json.loads(line) for line in result.out.splitlines()]


def hosts(result):
    return [row["frames"][-1]["function"] for row in rows(result)]


def test_a_line_of_an_inlined_function_has_code_in_every_copy(run, folder):
    result = run("lines", "--empty", "--json", folder / "lib.so", "leaf.c:3")
    assert result.status == 0 and set(hosts(result)) == {"first", "second", "third"}
    chains = {tuple(frame["function"] for frame in row["frames"]) for row in rows(result)}
    assert {("leaf", "mid", "first"), ("leaf", "second")} <= chains


def test_each_address_is_answered_with_that_line(run, folder):
    found = rows(run("lines", "--json", folder / "lib.so", "src/leaf.c:3"))
    assert found
    for row in found:
        for addr in int(row["address"], 16), int(row["end"], 16) - 1:
            answer = rows(run("addr", "--json", folder / "lib.so", hex(addr)))[0]
            assert answer["frames"] == row["frames"]


@pytest.mark.parametrize("source, expected", [
    ("leaf.c", {"first", "second", "third"}),
    ("other/leaf.c", {"third"}),
    ("src/leaf.c", {"first", "second"}),
])
def test_a_source_is_named_by_its_last_parts(run, folder, source, expected):
    found = run("lines", "--empty", "--json", folder / "lib.so", f"{source}:3")
    assert set(hosts(found)) == expected


def test_a_source_is_named_by_its_whole_path(run, folder):
    path = folder / "src" / "other" / "leaf.c"
    found = run("lines", "--empty", "--json", folder / "lib.so", f"{path}:3")
    assert set(hosts(found)) == {"third"}


def test_parts_of_names_are_no_names(run, folder):
    result = run("lines", folder / "lib.so", "af.c:3")
    assert (result.status, result.out) == (1, "")
    assert "no code from a source file named 'af.c'" in result.err


def test_text_has_a_line_for_each_range_and_a_total(run, folder):
    words = ("lines", "-s", folder / "lib.so", "src/leaf.c:3")
    *lines, total = run(*words).out.splitlines()
    found = rows(run(*words, "--json"))
    assert len(lines) == len(found) > 0
    for line, row in zip(lines, found):
        addr, place, chain = line.split("\t")
        assert addr == f"[{row['address']} - {row['end']}]"
        places = [f"{frame['file']}:{frame['line']}:{frame['column']}" for frame in row["frames"]]
        names = [f"{frame['function']}()" for frame in row["frames"]]
        assert place == places[0]
        assert chain == " < ".join([names[0], *map(" ".join, zip(names[1:], places[1:]))])
    assert total.startswith(f"{len(lines)} places in 2 functions")


def test_the_total_is_of_all_operands_and_counts_what_is_left_out(run, elf):
    words = (elf("c"), "shapes.h:1-20", "shapes.h:21-99")
    every = rows(run("lines", "--json", "--empty", *words))
    shown = [row for row in every if row["address"] != row["end"]]

    def total(found):
        functions = {row["frames"][-1]["function"] for row in found} - {None}  # as of padding
        return f"{len(found)} places in {len(functions)} functions"

    result = run("lines", *words)
    assert result.out.count(" places in ") == 1
    empty = len(every) - len(shown)
    assert result.out.splitlines()[-1] == f"{total(shown)}, and {empty} empty ones (--empty)"
    assert run("lines", "--empty", *words).out.splitlines()[-1] == total(every)


def test_objects_have_sections_with_offsets(run, folder):
    result = run("lines", "--json", folder / "leaf.o", "leaf.c:3")
    assert {row["section"] for row in rows(result)} == {".text"}
    assert all(int(row["address"], 16) < 0x100 for row in rows(result))
    assert run("lines", folder / "leaf.o", "leaf.c:3").out.startswith("[.text+0x")


def test_breakpoints_are_where_the_compiler_recommends_them(run, folder):
    every = rows(run("lines", "--json", folder / "lib.so", "src/leaf.c:3"))
    few = rows(run("lines", "--json", "-b", folder / "lib.so", "src/leaf.c:3"))
    assert few and few == [row for row in every if row["is_stmt"]]
    assert few == rows(run("lines", "--json", "--breakpoints", folder / "lib.so", "src/leaf.c:3"))


def test_without_code_the_next_line_with_code_is_named(run, folder):
    result = run("lines", folder / "lib.so", "src/leaf.c:9")
    assert (result.status, result.out) == (1, "")
    assert "no code at src/leaf.c:9; the next line with code is 11" in result.err
    result = run("lines", folder / "lib.so", "src/leaf.c:4000")
    assert result.status == 1 and "no code at src/leaf.c:4000 or after it" in result.err


def test_a_column_may_be_asked_for_as_addr_prints_it(run, folder):
    every = rows(run("lines", "--json", folder / "lib.so", "src/leaf.c:3"))
    columns = {row["frames"][0]["column"] for row in every}
    assert columns
    for column in columns:
        few = rows(run("lines", "--json", folder / "lib.so", f"./src/leaf.c:3:{column}"))
        assert few == [row for row in every if row["frames"][0]["column"] == column]
    result = run("lines", folder / "lib.so", "src/leaf.c:3:4000")
    assert result.status == 1 and "no code at src/leaf.c:3:4000; the line has code only in other columns" in result.err
    result = run("lines", "-b", folder / "lib.so", "src/leaf.c:3:4000")
    assert result.status == 1 and "no breakpoint location at src/leaf.c:3:4000" in result.err


def test_one_of_several_lines_is_an_answer(run, folder):
    result = run("lines", folder / "lib.so", "leaf.c:4000", "leaf.c:3")
    assert result.status == 0 and result.out and "leaf.c:4000" in result.err


@pytest.mark.parametrize("operands, complaint", [
    ((), "no FILE given"),
    (("lib.so",), "no SOURCE:LINE given"),
    (("lib.so", "leaf.c"), "expected SOURCE:LINE, SOURCE:LINE:COLUMN or SOURCE:FIRST-LAST, not "
                            "'leaf.c'"),
    (("lib.so", "leaf.c:"), "expected"),
    (("lib.so", ":3"), "expected"),
    (("lib.so", "leaf.c:0"), "expected"),
    (("lib.so", "leaf.c:3x"), "expected"),
    (("lib.so", "leaf.c:4294967296"), "expected"),
])
def test_wrong_operands_are_wrong_usage(run, folder, operands, complaint):
    result = run("lines", *operands, cwd=folder)
    assert (result.status, result.out) == (64, "") and complaint in result.err
    assert "inlinecall lines --help" in result.err


def test_a_range_of_lines_is_each_line_in_turn(run, folder):
    library = folder / "lib.so"
    result = run("lines", "--json", library, "src/leaf.c:2-8")
    apart = [row for line in range(2, 9)
             for row in rows(run("lines", "--json", library, f"src/leaf.c:{line}"))]
    assert result.status == 0 and rows(result) == apart
    assert {row["frames"][0]["line"] for row in apart} >= {3, 8}
    assert run("lines", "--json", library, "src/leaf.c:3-3").out == run(
        "lines", "--json", library, "src/leaf.c:3").out


def test_a_range_without_code_says_which_line_has_some(run, folder):
    result = run("lines", folder / "lib.so", "src/leaf.c:9-10")
    assert (result.status, result.out) == (1, "")
    assert "no code at src/leaf.c:9-10; the next line with code is 11" in result.err
    assert run("lines", folder / "lib.so", "src/leaf.c:13-4294967295").status == 1


@pytest.mark.parametrize("operand", ["leaf.c:5-3", "leaf.c:0-3", "leaf.c:3-", ":3-4",
                                     "leaf.c:3-4294967296", "leaf.c:3-5:7"])
def test_a_bad_range_is_wrong_usage(run, folder, operand):
    result = run("lines", folder / "lib.so", operand)
    assert result.status == 64 and f"'{operand}'" in result.err


def test_a_hyphen_in_a_name_is_no_range(run, folder):
    result = run("lines", folder / "lib.so", "a-5.c:3")
    assert "no code from a source file named 'a-5.c'" in result.err


@pytest.mark.parametrize("options", [(), ("-b",)])
def test_empty_ranges_are_there_on_request(run, elf, options):
    words = ("lines", "--json", *options, elf("c"), "shapes.h:1-99")
    every = rows(run(*words, "--empty"))
    few = rows(run(*words))
    assert 0 < len(few) < len(every)
    assert few == [row for row in every if row["address"] != row["end"]]


@pytest.mark.parametrize("options", [(), ("-b",)])
def test_a_line_that_has_only_empty_ranges_is_not_said_to_have_none(run, elf, options):
    every = rows(run("lines", "--json", "--empty", *options, elf("c"), "shapes.h:1-99"))
    lines = {row["frames"][0]["line"] for row in every if row["address"] == row["end"]}
    lines -= {row["frames"][0]["line"] for row in every if row["address"] != row["end"]}
    assert lines
    for line in lines:
        result = run("lines", *options, elf("c"), f"shapes.h:{line}")
        assert (result.status, result.out) == (1, "")
        assert f"no code at shapes.h:{line}; --empty lists its empty ranges" in result.err


def owner_of(source, number):
    """The function of shapes.h that has a line: the last that begins before it."""
    begun = [re.match(r"(?:ALWAYS|static inline) int (\w+)\(", line)
             for line in source.splitlines()[:number]]
    return next((match[1] for match in reversed(begun) if match), None)


def test_an_empty_range_is_not_said_to_be_in_another_function(run, elf):
    """What is inlined at its address belongs to the line that has the code."""
    source = (building.PROGRAMS / "shapes.h").read_text()
    known = unknown = 0
    for number in range(1, len(source.splitlines()) + 1):
        for row in rows(run("lines", "--empty", "--json", elf("c"), f"shapes.h:{number}")):
            if row["address"] != row["end"]:
                continue
            first, *others = row["frames"]
            assert first["function"] in (owner_of(source, number), None), (number, row)
            assert (first["line"], first["inlined"]) == (number, True)
            known += first["function"] is not None
            unknown += first["function"] is None
            there = rows(run("addr", "--json", elf("c"), row["address"]))[0]["frames"]
            assert there[len(there) - len(others):] == others
    assert known > 10 and unknown > 0


def test_the_functions_of_an_empty_range_begin_at_the_call_on_that_line(run, elf):
    """The line calls what is there: its function is around that."""
    source = (building.PROGRAMS / "shapes.h").read_text().splitlines()
    number = next(number for number, line in enumerate(source, 1) if "step = clamp(" in line)
    found = [row for row in rows(run("lines", "--empty", "--json", elf("c"), f"shapes.h:{number}"))
             if row["address"] == row["end"]]
    inside = [row for row in found for frame in
              rows(run("addr", "--json", elf("c"), row["address"]))[0]["frames"]
              if frame["function"] == "clamp"]
    assert inside and {row["frames"][0]["function"] for row in inside} == {"scale"}


def test_adjacent_copies_have_ranges_of_their_own(run, tmp_path):
    (tmp_path / "two.c").write_text("""\
struct o { long n; };
static inline __attribute__((always_inline)) void dec(struct o *p) {
	p->n--;
}
void f(struct o *a, struct o *b) {
	dec(a);
	dec(b);
}
""")
    building.command("gcc", "-g", "-O2", "-c", "two.c", cwd=tmp_path)
    found = rows(run("lines", "--json", tmp_path / "two.o", "two.c:3"))
    assert [[frame["line"] for frame in row["frames"]] for row in found] == [[3, 6], [3, 7]]
    assert found[0]["end"] == found[1]["address"] and all(row["is_stmt"] for row in found)
    probes = run("probe", "--json", "--line=two.c:3", tmp_path / "two.o")
    addresses = {row["address"] for row in rows(probes)}
    assert {row["address"] for row in found} <= addresses


def test_memory_does_not_grow_with_the_depth_of_all_copies(program, deep):
    most = 64 << 20  # it was twice as much when all stacks were kept
    result = subprocess.run([program, "lines", "-j1", deep, "deep.h:1"], capture_output=True,
                            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_DATA,
                                                                  (most, most)), check=False)
    assert (result.returncode, result.stderr) == (0, b"")
    assert len(result.stdout) > 20 << 20


def test_memory_is_limited(run, deep):
    for size in 1 << 16, 1 << 19, 1 << 20, 1 << 21, 3 << 20, 4 << 20:
        result = run("lines", f"--max-memory={size}", deep, "deep.h:1")
        assert (result.status, result.out) == (2, "")
        assert "memory limit" in result.err and "deep.o: deep.o" not in result.err.splitlines()[0]
    assert run("lines", "--max-memory=40M", deep, "deep.h:1").status == 0
