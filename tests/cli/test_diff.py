"""inlinecall diff: known changes of small programs, and the files of builds."""

import json
import re
import shutil
from pathlib import Path

import pytest

import building

HEADER = """
INLINED static inline int leaf(int x) { sink += x; return x * 3 + sink; }
"""
ONE = """
#include "leaf.h"
static int helper(int x) { sink ^= x; return leaf(x) + 1; }
__attribute__((noinline)) int one(int x) { return helper(x) + leaf(x + 1); }
"""
TWO = """
#include "leaf.h"
static int helper(int x) { sink |= x; return leaf(x) - 1; }
__attribute__((noinline)) int two(int x) { return helper(x) * 2; }
int one(int x);
int main(void) { return one(sink) + two(sink); }
volatile int sink;
"""


def build(folder, compiler="gcc", flags=("-O2",), inlined="__attribute__((always_inline))", one=ONE, two=TWO,
          header=HEADER, names=("one.c", "two.c"), output="program"):
    building.need(compiler)
    folder.mkdir()
    (folder / "leaf.h").write_text(f"#define INLINED {inlined}\nextern volatile int sink;\n{header}")
    (folder / names[0]).write_text(one)
    (folder / names[1]).write_text(two)
    building.command(compiler, "-g", *flags, *names, "-o", output, cwd=folder)
    return folder / output


def kinds(result):
    """{function: how it changed}, and that of those that only grew or shrank, or changed with others."""
    total, *rows = map(json.loads, result.out.splitlines())
    found = {row["function"]: set(row["kinds"].split(",")) for row in rows}
    assert len(found) == total["selected"] == len(rows)
    return found


@pytest.fixture(name="compare")
def fixture_compare(run, tmp_path):
    """Compares a program with a changed one: kinds() of both directions."""

    def compare(before, after):
        old, new = build(tmp_path / "old", **before), build(tmp_path / "new", **after)
        results = [run("diff", "--json", *paths) for paths in ((old, new), (new, old))]
        for result in results:
            assert (result.status, result.err) == (int("function" in result.out.split("\n", 1)[1]), "")
        return [kinds(result) for result in results]

    return compare


COMPILERS = pytest.mark.parametrize("compiler", ["gcc", "clang"])
LEVELS = pytest.mark.parametrize("level", ["-O1", "-O2", "-O3", "-Os"])


@COMPILERS
@LEVELS
def test_the_same_source_elsewhere_is_no_change(compare, compiler, level):
    how = {"compiler": compiler, "flags": (level,)}
    assert compare(how, how) == [{}, {}]


@COMPILERS
@LEVELS
def test_an_attribute_outlines_a_function_everywhere(compare, compiler, level):
    how = {"compiler": compiler, "flags": (level,)}
    there, back = compare(how, {**how, "inlined": "__attribute__((noinline))"})
    assert "outlined" in there["leaf"] and not {"inlined", "new", "vanished"} & there["leaf"]
    assert "inlined" in back["leaf"] and not {"outlined", "new", "vanished"} & back["leaf"]
    assert not {"inlined", "outlined", "added", "removed"} & set().union(
        *(words for name, words in there.items() if name != "leaf"))


@COMPILERS
@LEVELS
def test_a_larger_body_grows_in_every_copy(compare, compiler, level):
    how = {"compiler": compiler, "flags": (level,)}
    larger = HEADER.replace("sink += x;", "sink += x; sink *= 5; sink ^= x + 7; sink -= 3; sink += x * 11;")
    there, back = compare(how, {**how, "header": larger})
    assert (there["leaf"], back["leaf"]) == ({"grown"}, {"shrunk"})
    assert set(there) <= {"leaf", "one", "two", "helper"}


@COMPILERS
@LEVELS
def test_a_renamed_file_is_no_change(compare, compiler, level):
    how = {"compiler": compiler, "flags": (level,)}
    assert compare(how, {**how, "names": ("first.c", "two.c")}) == [{}, {}]


@COMPILERS
@LEVELS
def test_lines_before_it_do_not_change_a_function(compare, compiler, level):
    how = {"compiler": compiler, "flags": (level,)}
    assert compare(how, {**how, "one": "\n\n// a comment\n" + ONE, "header": "\n\n" + HEADER}) == [{}, {}]


@COMPILERS
def test_a_function_that_moved_is_known(compare, compiler):
    how = {"compiler": compiler, "flags": ("-O2",)}
    line = next(line for line in ONE.splitlines() if " one(" in line)
    one = ONE.replace("helper", "help").replace(line, line.replace("helper", "help"))
    there, _ = compare({**how, "one": one},
                       {**how, "one": "int unused_here;", "two": TWO.replace("int one(int x);", one.split('"leaf.h"')[1])})
    assert "moved" in there["one"] and not {"new", "vanished"} & there["one"]


@COMPILERS
@LEVELS
def test_a_new_call_is_an_added_copy(compare, compiler, level):
    how = {"compiler": compiler, "flags": (level,)}
    there, back = compare(how, {**how, "two": TWO.replace("helper(x) * 2", "helper(x) * 2 + leaf(x - 5)")})
    assert "added" in there["leaf"] and not {"inlined", "outlined", "removed"} & there["leaf"]
    assert "removed" in back["leaf"] and not {"inlined", "outlined", "added"} & back["leaf"]


@COMPILERS
def test_functions_come_and_go(compare, compiler):
    how = {"compiler": compiler, "flags": ("-O2",)}
    more = TWO + "\n__attribute__((noinline, used)) static int three(int x) { return leaf(x) + 3; }\n"
    there, back = compare(how, {**how, "two": more})
    assert there["three"] == {"new"} and back["three"] == {"vanished"}
    assert "leaf" not in there and "leaf" not in back  # its copies came with three()


# Groups.

BOXES = """
namespace boxes {
template <class T> struct box {
    T value;
    __attribute__((always_inline)) T twice(T by) { return value * by + by; }
    __attribute__((noinline)) T much(T by) { return twice(by) MORE; }
};
}
"""
BOXES_IN_USE = """
#include "deep/boxes.h"
volatile int i; volatile double d;
static __attribute__((noinline)) int plain(int x) { return x * 3 MORE; }
int main() {
    boxes::box<int> a{i}; boxes::box<double> b{d};
    i = a.much(i) + a.twice(i) + plain(i); d = b.much(d) + b.twice(d);
}
"""


@pytest.fixture(scope="module", name="grouped")
def fixture_grouped(tmp_path_factory):
    """Two builds of a C++ program in different directories."""
    building.need("g++")
    root, programs = tmp_path_factory.mktemp("grouped"), []
    for name, more in (("old", ""), ("new", "+ i * i * i")):
        folder = root / name
        (folder / "deep").mkdir(parents=True)
        (folder / "deep/boxes.h").write_text(f"extern volatile int i;\n{BOXES}")
        (folder / "main.cc").write_text(BOXES_IN_USE)
        building.command("g++", "-g", "-O2", f"-DMORE={more}", folder / "main.cc", "-o", "main", cwd=folder)
        programs.append(folder / "main")
    return programs


def grouped_rows(run, programs, what):
    result = run("diff", "--json", "--min-bytes=0", f"--by={what}", *programs)
    assert (result.status, result.err) == (1, "")
    total, *rows = map(json.loads, result.out.splitlines())
    assert {row["of"] for row in rows} == {what} and total["selected"] == len(rows)
    return total, rows


@pytest.mark.parametrize("what", ["source", "directory", "template"])
def test_groups_have_the_sums_of_their_functions(run, grouped, what):
    total, functions = grouped_rows(run, grouped, "function")
    total_of_groups, groups = grouped_rows(run, grouped, what)
    assert {**total_of_groups, "selected": 0} == {**total, "selected": 0}
    for key in ("old_copies", "new_copies", "old_out_of_line", "new_out_of_line", "old_bytes", "new_bytes",
                "old_out_of_line_bytes", "new_out_of_line_bytes", "inlined", "outlined", "added", "removed", "came", "went",
                "emptied", "filled", "explained", "grown"):
        assert sum(row[key] for row in groups) == sum(row[key] for row in functions), key
    assert sum(row["functions"] for row in groups) == len(functions) == total["functions"]
    assert {kind for row in groups for kind in row["kinds"].split(",")} == \
        {kind for row in functions for kind in row["kinds"].split(",")}
    sizes = [abs(row["explained"]) + abs(row["grown"]) for row in groups]
    assert sizes == sorted(sizes, reverse=True)


def test_groups_are_files_directories_and_templates(run, grouped):
    folder = grouped[1].parent
    files = {row["group"]: row for row in grouped_rows(run, grouped, "source")[1]}
    assert files.keys() == {str(folder / "main.cc"), str(folder / "deep/boxes.h")}
    assert files[str(folder / "main.cc")]["old_decl_file"] == str(grouped[0].parent / "main.cc")
    directories = {row["group"] for row in grouped_rows(run, grouped, "directory")[1]}
    assert directories == {str(folder), str(folder / "deep")}
    templates = {row["group"]: row for row in grouped_rows(run, grouped, "template")[1]}
    assert {"boxes::box<_>::much", "plain"} <= templates.keys()
    much, plain = templates["boxes::box<_>::much"], templates["plain"]
    assert (much["functions"], much["function"], much["linkage_name"]) == (2, None, None)
    assert (plain["functions"], plain["function"], plain["new_inlined"]) == (1, "plain", "never")


def test_the_text_of_groups_has_their_names(run, grouped):
    for what, title, name in (("source", "source file", "boxes.h"), ("directory", "director", "deep"),
                              ("template", "group", "boxes::box<_>::much\tboxes.h:7")):
        groups = grouped_rows(run, grouped, what)[1]
        count = [row["functions"] for row in groups if row["group"].endswith(name.split("\t")[0])]
        lines = run("diff", "-s", "--min-bytes=0", f"--by={what}", *grouped).out.splitlines()
        assert re.search(f", {len(groups)} {title}", lines[2])
        assert lines[3].startswith(f"  BYTES\tCOPIES\tCHANGE\tFUNCTIONS\t{what.upper()}")
        assert any(line.endswith(f"\t{count[0]}\t{name}") for line in lines[4:]), what


def test_code_of_a_function_that_is_new_did_not_grow(run, tmp_path):
    """Also if there is only a part of it out of line."""
    source = Path(__file__).resolve().parents[1] / "oracle/programs/matrix/clones.c"
    (tmp_path / "none.c").write_text("int none;\n")
    building.command("gcc", "-g", "-O2", "-c", "none.c", cwd=tmp_path)
    building.command("gcc", "-g", "-O2", "-c", source, cwd=tmp_path)
    for old, new in (("none.o", "clones.o"), ("clones.o", "none.o")):
        out = run("diff", "--json", "--min-bytes=0", tmp_path / old, tmp_path / new).out
        total, *rows = map(json.loads, out.splitlines())
        assert total["grown"] == 0 and any(row["function"] == "guarded" for row in rows)
        assert all(row["grown"] == 0 for row in rows)


def test_groups_are_counted_and_allowed(run, grouped):
    assert run("diff", "--by=source", "--min-bytes=0", "--allow=2", *grouped).status == 0
    assert run("diff", "--by=source", "--min-bytes=0", "--allow=1", *grouped).status == 1
    assert run("diff", "--by=source", "--only=vanished", *grouped).status == 0
    lines = run("diff", "--by=source", "--min-bytes=0", "--limit=1", *grouped).out.splitlines()
    assert len(lines) == 6 and lines[5] == "... 1 more (--limit=all)"
    *_, rest = run("diff", "--json", "--by=source", "--min-bytes=0", "--limit=1", *grouped).out.splitlines()
    rest = json.loads(rest)
    assert (rest["type"], rest["left_out"]) == ("limit", 1)


# Markdown.

def cells(text):
    """The cells of a table in Markdown, without code."""
    lines = [re.split(r"(?<!\\)\|", line) for line in text.splitlines() if line.startswith("|")]
    assert all(line[0] == line[-1] == "" for line in lines)
    assert all(re.fullmatch("---:?", cell) for cell in lines[1][1:-1])
    return [[cell.strip().strip("`").replace("\\|", "|") for cell in line[1:-1]] for line in lines[:1] + lines[2:]]


def test_a_table_of_markdown_has_the_changes(run, grouped):
    rows = grouped_rows(run, grouped, "function")[1]
    result = run("diff", "--markdown", "--min-bytes=0", *grouped)
    assert (result.status, result.err) == (1, "")
    total, empty, *table = result.out.splitlines()
    assert total.startswith(f"**Changed:** {len(rows)} functions. **Copies:** ") and empty == ""
    heading, *lines = cells("\n".join(table))
    assert heading == ["Bytes", "Copies", "Change", "Function", "Place", "Inlined"]
    assert [(line[0], line[2], line[3], line[4]) for line in lines] == [
        (f"{row['explained'] + row['grown']:+}", row["kinds"].replace(",", ", "), row["function"],
         f"{row['new_decl_file'] or row['old_decl_file']}:{row['new_decl_line'] or row['old_decl_line']}")
        for row in rows]


@pytest.mark.parametrize("what", ["source", "directory", "template"])
def test_a_table_of_markdown_has_the_groups(run, grouped, what):
    rows = grouped_rows(run, grouped, what)[1]
    heading, *lines = cells(run("diff", "--markdown", "--min-bytes=0", f"--by={what}", *grouped).out)
    assert heading[3:5] == ["Functions", what.capitalize()]
    assert [line[3:5] for line in lines] == [[str(row["functions"]), row["group"]] for row in rows]


def test_names_do_not_break_a_table_of_markdown(run, tmp_path):
    building.need("g++")
    names = ("operator|", "operator||", "operator<", "operator*")
    for folder, more in (("old", ""), ("new", "* i * i")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a|`b.cc").write_text("struct box { int x; }; volatile int i;\n" + "".join(
            f"__attribute__((noinline)) int {name}(box a, box b) {{ return a.x * b.x * {at} {more}; }}\n"
            for at, name in enumerate(names, 3)) + "int main() { box a{i}, b{i}; return (a | b) + (a || b) + (a < b) + (a * b); }\n")
        building.command("g++", "-g", "-O1", "a|`b.cc", "-o", "main", cwd=tmp_path / folder)
    result = run("diff", "-s", "--markdown", "--min-bytes=0", tmp_path / "old/main", tmp_path / "new/main")
    assert {line[3] for line in cells(result.out)[1:]} >= set(names)
    places = {line.split(" | ")[4] for line in result.out.splitlines() if " | `operator" in line}
    assert places == {f"`` a\\|`b.cc:{at} ``" for at in range(2, 6)}


def test_a_table_of_markdown_says_what_it_leaves_out(run, grouped):
    count = len(grouped_rows(run, grouped, "function")[1])
    lines = run("diff", "--markdown", "--min-bytes=0", "--limit=1", *grouped).out.splitlines()
    assert lines[-1] == f"{count - 1} more functions are not listed." and lines[-2] == ""
    assert len(cells("\n".join(lines))) == 2
    lines = run("diff", "--markdown", "--min-bytes=0", "--by=source", "--limit=1", *grouped).out.splitlines()
    assert lines[-1] == "1 more source file is not listed."


def test_markdown_has_as_many_changes_as_the_text(run, tmp_path):
    for folder, more in (("old", ""), ("new", "* 3 + x * x * x")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "a.c").write_text("".join(
            f"int f{i}(int x) {{ return x * {i + 3} {more}; }}\n" for i in range(40)))
        building.command("gcc", "-g", "-O1", "-c", "a.c", cwd=tmp_path / folder)
    operands = "--min-bytes=0", tmp_path / "old/a.o", tmp_path / "new/a.o"
    assert len(cells(run("diff", "--markdown", *operands).out)) == 31
    assert run("diff", "--markdown", *operands).out.endswith("\n10 more functions are not listed.\n")
    assert len(cells(run("diff", "--markdown", "--limit=all", *operands).out)) == 41


# Files.

def test_directories_are_compared_as_a_whole(run, tmp_path):
    old = build(tmp_path / "old", flags=("-O2",))
    new = tmp_path / "new/deep/inside"
    new.mkdir(parents=True)
    shutil.copy(old, new / "renamed")
    (new / "text").write_text("not a program")
    (new / "link").symlink_to(new / "renamed")
    result = run("diff", old.parent, tmp_path / "new")
    assert (result.status, result.err) == (0, "") and "changed\t0 functions\n" in result.out
    building.command("strip", new / "renamed", "-o", new / "stripped")
    result = run("diff", old.parent, tmp_path / "new")
    assert result.status == 2 and "1 file has no debug information and is not compared" in result.err
    assert "changed\t0 functions\n" in result.out


def test_a_function_that_moved_to_another_file_has_not_changed(run, tmp_path):
    for name, objects in (("old", ("one.c",)), ("new", ("one.c",))):
        folder = tmp_path / name
        build(folder, flags=("-O2",))
        (folder / "program").unlink()
        building.command("gcc", "-g", "-O2", "-c", "one.c", "two.c", cwd=folder)
        assert objects
    building.command("ar", "rc", "both.a", "one.o", "two.o", cwd=tmp_path / "new")
    (tmp_path / "new/one.o").unlink()
    (tmp_path / "new/two.o").unlink()
    result = run("diff", tmp_path / "old", tmp_path / "new")
    assert (result.status, result.err) == (0, "") and "changed\t0 functions\n" in result.out


def test_some_changes_may_be_allowed(run, tmp_path):
    old = build(tmp_path / "old")
    new = build(tmp_path / "new", inlined="__attribute__((noinline))")
    changed = len(kinds(run("diff", "--json", old, new)))
    assert changed > 0
    assert run("diff", f"--allow={changed}", old, new).status == 0
    assert run("diff", f"--allow={changed - 1}", old, new).status == 1
    assert run("diff", "--only=inlined", old, new).status == 0
    assert run("diff", "--only=outlined,vanished", old, new).status == 1
    assert len(run("diff", "--limit=1", old, new).out.split("PLACE\n")[1].splitlines()) < 10


@pytest.mark.parametrize("words, message", [
    ((), "OLD and NEW must be given"), (("a",), "OLD and NEW must be given"), (("a", "b", "c"), "more than OLD and NEW"),
    (("--only=better", "a", "b"), "not 'better'"), (("--only=", "a", "b"), "not ''"),
    (("--only=new,", "a", "b"), "not ''"), (("--by=unit", "a", "b"), "not 'unit'"),
    (("--json", "--markdown", "a", "b"), "--markdown cannot be used with --json"), (("--allow=some", "a", "b"), "--allow"),
    (("--html=a", "a", "b"), "--html=a would overwrite an input file"), (("--html=x", "--csv", "a", "b"), "--csv cannot be used with --html")])
def test_wrong_usage(run, words, message):
    result = run("diff", *words)
    assert result.status == 64 and message in result.err


def test_what_cannot_be_read_is_named(run, tmp_path, elf):
    (tmp_path / "empty").mkdir()
    for operand, message in ((tmp_path / "nowhere", "cannot open"), (tmp_path / "empty", "no ELF file, archive or kernel module")):
        for operands in ((elf("c"), operand), (operand, elf("c"))):
            result = run("diff", *operands)
            assert (result.status, result.out) == (2, "") and message in result.err


NESTED = """
static inline __attribute__((always_inline)) int outer(int x) { return inner(x) * 3 + sink; }
__attribute__((noinline)) int one(int x) { return outer(x) + 1; }
"""


@COMPILERS
def test_a_call_in_a_copy_is_in_place_of_a_copy_there(compare, compiler):
    """Clang describes it at the function that the copy is in."""
    there, back = compare(*({"compiler": compiler, "one": '#include "leaf.h"\n' + NESTED, "inlined": f"__attribute__(({how}))",
                             "header": "INLINED static inline int inner(int x) { sink += x; return sink; }\n", "two": """
#include "leaf.h"
int one(int x);
int main(void) { return one(sink); }
volatile int sink;
"""} for how in ("always_inline", "noinline")))
    assert "outlined" in there["inner"] and "removed" not in there["inner"]
    assert "inlined" in back["inner"] and "added" not in back["inner"]


LOST = """
#include "leaf.h"
int use(int x), look(int x) __attribute__((pure));
INLINED static inline int callee(int kept, int lost) { return use(kept)%s; }
__attribute__((noinline)) int one(int x) { return callee(x, look(sink)) + 1; }
__attribute__((noinline)) int other(int x) { return callee(x + 3, look(sink + 1)) + callee(x, look(sink + 2)); }
"""
LIBRARY = ("-O2", "-shared", "-fPIC")
MORE = """
__attribute__((noinline)) int more(int x) { return callee(x + 5, look(sink + 5)) + 7; }
"""


@COMPILERS
def test_arguments_that_became_readable_and_unreadable(run, tmp_path, compiler):
    """The call of a pure function goes if nothing uses its result."""
    old, new = (build(tmp_path / name, compiler, LIBRARY, one=LOST % used + more, two="")
                for name, used, more in (("old", " + use(lost)", ""), ("new", "", MORE)))
    for pair, kind in (((old, new), "unreadable"), ((new, old), "readable")):
        result = run("diff", "-p", "--json", f"--only={kind}", *pair)
        total, row = map(json.loads, result.out.splitlines())
        assert (result.status, result.err, row["function"]) == (1, "", "callee")
        counts = {"readable": 0, "unreadable": 0, kind: 3}
        sides = ("old", "new") if kind == "unreadable" else ("new", "old")
        # GCC loses track of `kept` in a copy, too.
        assert {"name": "lost", **counts, f"{sides[0]}_copies": 3, f"{sides[1]}_copies": 4,
                f"{sides[0]}_readable": 3, f"{sides[1]}_readable": 0} in row["arguments"]
        for key in counts:
            assert sum(argument[key] for argument in row["arguments"]) == row[key] == total[key]
    result = run("diff", "-p", old, new)
    assert re.search(r"^arguments\t0 became readable, [34] unreadable$", result.out, re.MULTILINE)
    assert "\targument lost\treadable in 3 -> 0 of 3 -> 4 copies\n" in result.out
    assert "unreadable" not in run("diff", old, new).out
    assert run("diff", "-p", "--by=source", "--csv", old, new).out.count("unreadable") == 2  # a column, and a kind


@COMPILERS
def test_a_renamed_parameter_is_another_argument(run, tmp_path, compiler):
    old, new = (build(tmp_path / name, compiler, LIBRARY, one=text, two="")
                for name, text in (("old", LOST % " + use(lost)"), ("new", (LOST % " + use(lost)").replace("lost", "gone"))))
    total = json.loads(run("diff", "-p", "--json", old, new).out.splitlines()[0])
    assert (total["readable"], total["unreadable"]) == (0, 0)


def test_the_output_does_not_depend_on_the_number_of_threads(run, tmp_path):
    """A file is added to its build while the next one is read."""
    for name, level in (("old", "-O2"), ("new", "-O1")):
        for number in range(6):
            build(tmp_path / f"{number}{level}", flags=(level,), output="program")
            (tmp_path / name).mkdir(exist_ok=True)
            shutil.move(tmp_path / f"{number}{level}/program", tmp_path / name / f"program{number}")
        damaged = (tmp_path / name / "program3").read_bytes()
        (tmp_path / name / "program3").write_bytes(damaged[:len(damaged) // 2])
    results = [run("diff", "-p", f"-j{jobs}", "--min-bytes=0", tmp_path / "old", tmp_path / "new") for jobs in (1, 2, 7)]
    assert results[0].status == 2 and "program3" in results[0].err and "shrunk" in results[0].out
    assert results[1:] == results[:1] * 2
