"""`inlinecall tree`: what was inlined into a function's own code."""

import csv
import io
import json
import re

import pytest

import building

SOURCE = """
#define INLINE static inline __attribute__((always_inline))
#define ALONE __attribute__((noinline, noclone))
volatile int sink;
INLINE void leaf(int n) { sink += n; sink *= 3; }
INLINE void mid(int n) { sink -= n; leaf(n + 1); }
ALONE void top(int n) { leaf(n); sink = 7; mid(n); }
ALONE void other(int n) { mid(n); mid(n + 2); }
ALONE void nothing(int n) { sink = n; }
int main(void) { top(sink); other(sink); nothing(sink); return 0; }
"""
KEYS = ["type", "file", "depth", "function", "linkage_name", "inlined", "part", "decl_file", "decl_line",
        "call_file", "call_line", "call_column", "bytes", "own_bytes", "ranges", "section",
        "entry", "host", "symbol", "unit", "die", "parent", "die_file"]
POSITION = r"[^\t]+:\d+(:\d+)?"
ADDRESS = r"(\S+\+)?0x[0-9a-f]+"
RANGE = rf"\[{ADDRESS} - {ADDRESS}\]"
LINE = re.compile(rf" *\d+\t *\d+\t({ADDRESS}|\?)\t(([|`]- |\|  |   )*[|`]- )?(\(\d+\) )?[^\t]+"
                  rf"\t{POSITION}(\t({RANGE}( {RANGE})*)?(\t(in|as) [^\t]+)?)?")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    building.need("gcc")
    directory = tmp_path_factory.mktemp("tree")
    (directory / "tree.c").write_text(SOURCE)
    building.command("gcc", "-g", "-O1", "tree.c", "-o", "tree", cwd=directory)
    building.command("gcc", "-g", "-O1", "-c", "tree.c", "-o", "tree.o", cwd=directory)
    return directory / "tree"


def rows(result):
    return [json.loads(line) for line in result.out.splitlines()]


def drawn(result):
    """Only the tree: what is between the third tab and the fourth."""
    lines = result.out.splitlines()
    assert lines[0].split("\t") == ["  BYTES", "    OWN", "ADDRESS", "FUNCTION", "PLACE", "RANGES"]
    return [line.split("\t")[3] for line in lines[1:]]


def test_a_tree_is_nested_as_the_calls_were(run, built):
    result = run("tree", "-s", "--charset=ascii", "top", built)
    assert result.status == 0 and result.err == ""
    assert drawn(result) in (["top()", "|- leaf()", "`- mid()", "   `- leaf()"],
                             ["top()", "|- mid()", "|  `- leaf()", "`- leaf()"])
    places = {line.split("\t")[4] for line in result.out.splitlines()[1:]}
    assert "tree.c:7" in places  # where top() is declared
    assert any(place.startswith("tree.c:6:") for place in places)  # leaf(n + 1)


def test_bytes_add_up(run, built):
    found = rows(run("tree", "--json", "-g", "*", built))
    for start in (i for i, row in enumerate(found) if row["depth"] == 0):
        end = next((i for i in range(start + 1, len(found)) if found[i]["depth"] == 0), len(found))
        tree = found[start:end]
        assert sum(row["own_bytes"] for row in tree) == tree[0]["bytes"]
        spans = [(int(low, 16), int(high, 16)) for low, high in tree[0]["ranges"]]
        assert sum(high - low for low, high in spans) == tree[0]["bytes"] > 0


def test_the_rows_have_the_keys_that_are_promised(run, built):
    found = rows(run("tree", "--json", "top", built))
    assert [list(row) for row in found] == [KEYS] * len(found)
    root, *inside = found
    assert (root["type"], root["depth"], root["inlined"]) == ("instance", 0, False)
    assert root["parent"] is None and root["call_line"] is None
    by_die = {row["die"]: row for row in found}
    for row in inside:
        assert row["inlined"] and row["host"] == "top"
        assert by_die[row["parent"]]["depth"] == row["depth"] - 1


def test_csv_has_the_same_rows(run, built):
    table = list(csv.DictReader(io.StringIO(run("tree", "--csv", "top", built).out)))
    assert list(table[0]) == KEYS
    found = rows(run("tree", "--json", "top", built))
    assert [row["depth"] for row in table] == [str(row["depth"]) for row in found]
    assert [row["own_bytes"] for row in table] == [str(row["own_bytes"]) for row in found]
    assert table[0]["inlined"] == "false" and table[1]["inlined"] == "true"


def test_text_leaves_out_what_has_no_code_and_other_formats_do_not(run, elf):
    found = rows(run("tree", "-g", "*", "--json", elf("c++")))
    gone = [row for row in found if row["bytes"] == 0]
    assert gone and all(row["ranges"] == [] and row["own_bytes"] == 0 for row in gone)
    command = ("tree", "-g", "*", elf("c++"))
    assert len(run(*command).out.splitlines()) == 1 + len(found) - len(gone)
    assert len(run(*command, "--min-bytes=0").out.splitlines()) == 1 + len(found)
    assert len(rows(run(*command, "--min-bytes=1", "--json"))) == len(found) - len(gone)


def test_lines_are_drawn_where_the_locale_has_them(run, built):
    assert "├─ " in run("tree", "top", built, LC_ALL="C.UTF-8").out
    assert "|- " in run("tree", "top", built, LC_ALL="C").out
    assert "├─ " in run("tree", "--charset=utf8", "top", built, LC_ALL="C").out
    assert "|- " in run("tree", "--charset=ascii", "top", built, LC_ALL="C.UTF-8").out
    assert "--charset must be utf8 or ascii" in run("tree", "--charset=latin1", "top", built).err


@pytest.mark.parametrize("depth, functions", [("0", {"top"}), ("1", {"top", "leaf", "mid"})])
def test_depth_cuts_what_is_deeper(run, built, depth, functions):
    for option in ("-L" + depth, f"--limit={depth}"):
        found = rows(run("tree", "--json", "--min-bytes=1", option, "top", built))
        *found, rest = found
        assert {row["function"] for row in found} == functions
        assert max(row["depth"] for row in found) == int(depth)
        whole = rows(run("tree", "--json", "--min-bytes=1", "top", built))
        assert found == [row for row in whole if row["depth"] <= int(depth)]
        assert rest == {"type": "limit", "file": str(built), "left_out": len(whole) - len(found)}
        lines = run("tree", option, "top", built).out.splitlines()
        assert len(lines) == 1 + len(found) + 1 and lines[-1] == f"... {rest['left_out']} more (--limit=all)"
    assert rows(run("tree", "--json", "--min-bytes=1", "--limit=all", "top", built)) == whole


def test_min_bytes_cuts_what_is_smaller(run, built):
    sizes = sorted({row["bytes"] for row in rows(run("tree", "--json", "top", built))})
    found = rows(run("tree", "--json", f"--min-bytes={sizes[-2]}", "top", built))
    assert {row["bytes"] for row in found} == set(sizes[-2:])
    result = run("tree", f"--min-bytes={sizes[-1] + 1}", "top", built)
    assert (result.status, result.out) == (1, "")
    assert result.err == f"inlinecall: {built}: top: no copy reaches --min-bytes\n"
    result = run("tree", "-a", "--min-bytes=100000", built)
    assert (result.status, result.out) == (1, "")
    assert result.err == f"inlinecall: {built}: no inlined copy reaches --min-bytes\n"


def test_everything_is_what_something_was_inlined_into(run, built):
    roots = {row["function"] for row in rows(run("tree", "-a", "--json", built))
             if row["depth"] == 0}
    assert roots == {"top", "other"}
    result = run("tree", "nothing", built)
    assert result.status == 0 and drawn(result) == ["nothing()"]


def test_a_function_without_code_of_its_own_is_explained(run, built):
    result = run("tree", "mid", built)
    assert (result.status, result.out) == (1, "")
    assert re.fullmatch(rf"inlinecall: {built}: mid: inlined 3 times \(declared at \S+tree.c:6\); "
                        r"no out-of-line code; 'inlinecall sites' lists the copies, and -I shows "
                        r"their contents\n", result.err)
    assert "similar name: top" in run("tree", "topp", built).err
    assert run("tree", "mid", "top", "/dev/null", built).status == 2
    result = run("tree", "mid", built, f"{built}.o")
    assert (result.status, result.err) == (1, "inlinecall: mid: no code of its own in any of 2 files\n")


def test_inlined_copies_have_trees_where_asked_for(run, built):
    result = run("tree", "-I", "--charset=ascii", "mid", built)
    assert result.status == 0
    assert drawn(result) == ["mid()", "`- leaf()"] * 3
    hosts = [line.split("\t")[6] for line in result.out.splitlines() if line.count("\t") == 6]
    assert sorted(hosts) == ["in other()", "in other()", "in top()"]
    roots = [row for row in rows(run("tree", "--inlined", "--json", "-g", "[tm]*", built))
             if row["depth"] == 0]
    # Those of mid() in top() are part of a tree that is listed.
    assert sorted((row["function"], row["inlined"]) for row in roots) == [
        ("main", False), ("mid", True), ("mid", True), ("top", False)]
    assert all((row["parent"] is not None) == row["inlined"] for row in roots)
    assert all(row["host"] == "other" for row in roots if row["inlined"])


@pytest.mark.parametrize("option", ["-p", "-pp"])
def test_arguments_are_those_of_the_sites(run, built, option):
    sites = {row["die"]: row for row in rows(run("-o", "-g", "*", option, "--json", built))}
    tree = rows(run("tree", "-a", option, "--json", built))
    assert {row["function"] for row in tree} == {"top", "other", "mid", "leaf"}
    for row in tree:
        assert list(row) == [*KEYS, "variadic", "params"]
        assert row["params"] == sites[row["die"]]["params"]
        assert [parameter["name"] for parameter in row["params"]] == ["n"]


def test_a_clone_is_named_as_its_symbol_is(run, tmp_path):
    building.need("gcc")
    path = tmp_path / "clones"
    building.command("gcc", "-g", "-O2", "-c", building.OURS / "clones.c", "-o", path)
    remarks = [line.split("\t")[6] for line in run("tree", "-g", "*", path).out.splitlines()
               if line.count("\t") == 6]
    assert remarks and all(re.fullmatch(r"as \w+\.\w+(\.\d+)?\(\)", remark) for remark in remarks)


@pytest.mark.parametrize("name", ["c", "c++", "lto", "object", "sections", "m32"])
def test_text_keeps_to_its_grammar(run, elf, name):
    for options in ((), ("-C", "-s"), ("-I", "--min-bytes=0")):
        result = run("tree", "--charset=ascii", "-g", "*", *options, elf(name))
        lines = result.out.splitlines()
        assert result.status == 0 and len(lines) > 4
        assert [line for line in lines[1:] if not LINE.fullmatch(line)] == []


def test_names_may_be_demangled(run, elf):
    plain = run("tree", "-a", elf("c++")).out
    demangled = run("tree", "-a", "-C", elf("c++")).out
    assert "geometry::" not in plain and "geometry::" in demangled
    assert plain.count("\n") == demangled.count("\n")


def test_members_and_several_files_are_named(run, built, tmp_path):
    building.need("ar")
    archive = tmp_path / "lib.a"
    building.command("ar", "rc", archive, f"{built}.o")
    lines = run("tree", "top", archive).out.splitlines()
    assert lines[0] == f"{archive}(tree.o):"
    assert run("tree", "top", f"{archive}(tree.o)").out.splitlines() == lines[1:]
    result = run("tree", "top", "-", stdin=f"{built}\n{archive}\n")
    assert result.status == 0 and f"{built}:\n" in result.out and f"{archive}(tree.o):\n" in result.out
    table = run("tree", "--csv", "top", built, archive).out
    assert table.count("type,file,") == 1
    result = run("tree", "tap", archive)
    assert (result.status, result.out) == (1, "") and "similar name: top" in result.err


def test_the_output_does_not_depend_on_the_number_of_threads(run, elf):
    assert run("tree", "-a", "-j1", elf("c++")).out == run("tree", "-a", "-j7", elf("c++")).out


def test_colors_are_escape_sequences_and_nothing_else(run, built):
    plain = run("tree", "top", built).out
    painted = run("tree", "--color=always", "top", built).out
    assert "\033[" in painted and "\033[" not in plain
    assert re.sub(r"\033\[\d*m", "", painted) == plain


def test_a_file_with_a_fault_is_incomplete(run, elf, tmp_path):
    broken = building.with_broken_unit(elf("c"), tmp_path)
    result = run("tree", "-a", broken)
    assert result.status == 2 and ".debug_info+0x" in result.err and result.out != ""
    assert run("tree", "-a", "--strict", broken).out == ""


@pytest.mark.parametrize("args, complaint", [
    ((), "no FUNCTION given"),
    (("top",), "no FILE given"),
    (("-a",), "no FILE given"),
    (("-a", "-I", "x"), "-a already shows inlined copies, so -I has no effect"),
    (("-a", "-g", "x"), "-a does not take FUNCTION, so -g and -r have no effect"),
    (("-L", "x", "top", "x"), "--limit must be a number from 0 to 2147483646, or 'all', not 'x'"),
    (("--min-bytes=-1", "top", "x"), "--min-bytes must be a number from 0 to 4294967295, not '-1'"),
])
def test_wrong_usage_is_named(run, args, complaint):
    result = run("tree", *args)
    assert (result.status, result.out) == (64, "")
    assert result.err.startswith(f"inlinecall: {complaint}\n")
    assert result.err.endswith("Try 'inlinecall tree --help' for the options.\n")


def test_no_nesting_is_too_deep_to_be_drawn(run, tmp_path):
    """300 levels: beyond 64 their number stands for the lines."""
    building.need("gcc")
    calls = "\n".join(f"static inline __attribute__((always_inline)) void f{n}(void) {{ f{n - 1}(); }}"
                      for n in range(1, 300))
    source = tmp_path / "deep.c"
    source.write_text("volatile int x;\nstatic inline __attribute__((always_inline)) void f0(void)"
                      f" {{ x = 1; }}\n{calls}\nvoid host(void) {{ f299(); }}\n")
    building.command("gcc", "-g", "-O1", "-c", source, "-o", tmp_path / "deep.o")
    lines = run("tree", "--charset=ascii", "host", tmp_path / "deep.o").out.splitlines()
    assert lines[-1].split("\t")[3] == "   " * 63 + "`- (300) f0()"
    assert lines[65].split("\t")[3] == "   " * 63 + "`- f236()"
    assert len(lines) == 302
