"""inlinecall sizes: every byte of the code is counted once, in the function that `addr` has there."""

import collections
import csv
import io
import json

import pytest

import building

GROUPS = ("function", "template", "namespace", "crate", "source", "directory", "unit", "section")


def rows(run, path, *options):
    result = run("sizes", "--json", *options, path)
    assert result.status == 0, result.err
    everything, *groups = map(json.loads, result.out.splitlines())
    assert everything["by"] == "all"
    return everything, groups


def frames_of_all_bytes(run, path):
    """{address: [frame, ...], the innermost first} of everything in .text."""
    line = next(line for line in building.command("readelf", "-SW", path).splitlines() if " .text " in line)
    start, _, size = (int(field, 16) for field in line.split("PROGBITS")[1].split()[:3])
    addresses = "\n".join(f"{address:x}" for address in range(start, start + size))
    out = run("addr", "--json", path, stdin=addresses).out
    return {int(row["address"], 16): row["frames"] for row in map(json.loads, out.splitlines())}


@pytest.mark.parametrize("name", ["c", "c++"])
def test_each_byte_is_in_the_innermost_function_there(run, elf, name):
    own, inlined, whole, whole_inlined = (collections.Counter() for _ in range(4))
    for frames in frames_of_all_bytes(run, elf(name)).values():
        names = [frame["function"] for frame in frames]
        own.update(names[:1])
        inlined.update(names[:1] if frames and frames[0]["inlined"] else [])
        whole.update(set(names))
        whole_inlined.update({frame["function"] for frame in frames if frame["inlined"]})
    everything, groups = rows(run, elf(name))
    functions = collections.defaultdict(list)
    for group in groups:
        if group["kind"] == "function":
            functions[group["function"]].append(group)
    assert len(functions) > 3
    for name, same in functions.items():
        assert sum(group["self"] for group in same) == own[name], name
        assert sum(group["self_inlined"] for group in same) == inlined[name], name
        if len(same) == 1:
            assert (same[0]["total"], same[0]["total_inlined"]) == (whole[name], whole_inlined[name]), name
    assert everything["self"] == sum(own[name] for name in functions)


@pytest.mark.parametrize("name", ["c", "c++", "object", "templates"])
def test_the_sums_are_the_code_whatever_it_is_grouped_by(run, elf, name):
    code = json.loads(run("stats", "--json", elf(name)).out.splitlines()[0])["code_bytes"]
    for by in GROUPS:
        everything, groups = rows(run, elf(name), f"--by={by}")
        sums = collections.Counter()
        for group in groups:
            assert group["by"] == by and group["self_inlined"] <= group["self"] <= group["total"]
            assert group["total_inlined"] <= group["total"]
            sums[group["kind"]] += group["self"]
        assert sum(sums.values()) == everything["code"] == code
        assert sum(group["self_inlined"] for group in groups) == everything["self_inlined"]
        if by == "section":
            assert sums.keys() == {"section"}
            continue
        assert sums["function"] == everything["self"] > 0
        assert [sums[kind] for kind in ("symbol", "linkage", "padding")] == [
            everything[key] for key in ("symbols", "linkage", "padding")]


@pytest.mark.parametrize("beyond", ["", "+0x10000"])
def test_a_function_that_reaches_beyond_the_code_counts_whatever_it_is_grouped_by(run, tmp_path, beyond):
    (tmp_path / "t.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
    building.command("gcc", "-g", "-S", "t.c", cwd=tmp_path)
    lines = (tmp_path / "t.s").read_text().replace(".quad\t.LFE0-.LFB0\n", f".quad\t.LFE0-.LFB0{beyond}\n")
    (tmp_path / "t.s").write_text(lines)
    building.command("gcc", "-c", "t.s", cwd=tmp_path)
    for by in GROUPS:
        out = run("sizes", "--json", f"--by={by}", tmp_path / "t.o").out
        everything, *groups = map(json.loads, out.splitlines())
        assert sum(group["self"] for group in groups) == everything["code"] > (0x10000 if beyond else 0), by
        if by == "section":
            assert (None in {group["group"] for group in groups}) == bool(beyond)


def code_sections(path):
    """{name: size} of the sections that have code."""
    lines = [line.partition("]")[2].split() for line in building.command("readelf", "-SW", path).splitlines()]
    return {fields[0]: int(fields[4], 16) for fields in lines if len(fields) > 7 and "X" in fields[6] and fields[4].strip("0")}


def test_sections_have_all_of_their_code(run, elf, grouped):
    for path in grouped, elf("c"), elf("object"):
        everything, groups = rows(run, path, "--by=section")
        assert {group["group"]: group["self"] for group in groups} == code_sections(path)
        assert len(groups) == len(code_sections(path)) > 0 and all(group["total"] == group["self"] for group in groups)
        copies = sum(group["copies"] for group in rows(run, path)[1])
        assert sum(group["copies"] for group in groups) == copies
        text = run("sizes", "--by=section", path).out.splitlines()[3:]
        assert [line.split("\t")[-1] for line in text] == [group["group"] for group in groups]
    assert {".plt", ".init", ".text"} <= code_sections(grouped).keys()

@pytest.mark.parametrize("name", ["c", "c++", "templates"])
def test_copies_are_those_of_statistics(run, elf, name):
    _, *stats = map(json.loads, run("stats", "--json", elf(name)).out.splitlines())
    _, groups = rows(run, elf(name))
    keys = ("function", "linkage_name", "decl_file", "decl_line")
    sizes = {tuple(group[key] for key in keys): group for group in groups if group["kind"] == "function"}
    assert stats
    for row in stats:
        if not row["copies"]:
            continue
        group = sizes[tuple(row[key] for key in keys)]
        assert (group["copies"], group["total_inlined"]) == (row["copies"], row["bytes"])
        each = 0 if group["out_of_line"] else row["bytes"] // row["copies"]
        assert group["saving"] == row["bytes"] - 5 * row["copies"] - each


@pytest.fixture(scope="module")
def grouped(tmp_path_factory):
    """Templates in namespaces, an operator, and code that only a symbol names, and none."""
    folder = tmp_path_factory.mktemp("grouped")
    (folder / "deep").mkdir()
    (folder / "deep/boxes.h").write_text("""
namespace outer { namespace inner {
template <class T> struct box { T value; __attribute__((noinline)) T twice(T by) { return value * by + by; }
  __attribute__((noinline)) operator int() const { return value * 2; } };
} template <class T> __attribute__((noinline)) T plus(T a, T b) { return a + b; } }
""")
    (folder / "main.cpp").write_text("""#include "deep/boxes.h"
volatile int i; volatile double d;
namespace { __attribute__((noinline)) int hidden() { return i * 7; } }
int operator<<(outer::inner::box<int> a, int b) { return a.value << b << i; }
int main() { outer::inner::box<int> a{i}; outer::inner::box<double> b{d};
  i = int(a) + int(b) + a.twice(i) + outer::plus<int>(i, i) + hidden() + (a << 2); d = b.twice(d) + outer::plus<double>(d, d); }
asm(".globl unsized\\nunsized: .fill 16, 1, 0x90\\n.globl lot_end\\nlot_end: .fill 8, 1, 0xcc\\n.globl named\\n.type named,@function\\nnamed: .fill 24, 1, 0x90\\n.size named, 24\\n.fill 40, 1, 0xcc");
""")
    building.command("g++", "-g", "-O2", "-fno-inline", "main.cpp", "-o", "main", cwd=folder)
    return folder / "main"


def by(run, path, what, key="group"):
    return {group[key]: group for group in rows(run, path, f"--by={what}")[1] if group["kind"] == "function"}


def test_functions_are_grouped_by_their_names(run, grouped):
    templates = by(run, grouped, "template")
    assert templates["outer::inner::box<_>::operator int"]["out_of_line"] == 2
    assert {"outer::inner::box<_>::twice", "outer::plus<_>", "operator<<", "main",
            "(anonymous namespace)::hidden"} <= templates.keys()
    functions = rows(run, grouped)[1]
    assert templates["outer::plus<_>"]["self"] == sum(
        group["self"] for group in functions if (group["function"] or "").startswith("plus<"))
    assert templates["outer::plus<_>"]["out_of_line"] == 2
    namespaces = by(run, grouped, "namespace")
    assert {"outer::inner", "outer", "(anonymous namespace)", None} <= namespaces.keys()
    crates = by(run, grouped, "crate")
    assert crates["outer"]["self"] == namespaces["outer"]["self"] + namespaces["outer::inner"]["self"]
    directories = by(run, grouped, "directory", "decl_file")
    sources = by(run, grouped, "source", "decl_file")
    folder = str(grouped.parent)
    assert directories[f"{folder}/deep"]["self"] == sources[f"{folder}/deep/boxes.h"]["self"] > 0
    assert by(run, grouped, "unit")["main.cpp"]["self"] == sum(group["self"] for group in sources.values())


@pytest.fixture(scope="module")
def units(tmp_path_factory):
    """Units of one name in two directories, and one file that is compiled twice."""
    folder = tmp_path_factory.mktemp("units")
    inline = "static inline int twice(int n) { return n * 2; } volatile int V;"
    for name in "left", "right":
        (folder / name).mkdir()
        (folder / name / "u.c").write_text(f"{inline.replace('V', name[0])} void {name}(void) {{ {name[0]} = twice({name[0]}); }}\n")
        building.command("gcc", "-g", "-O2", "-c", "u.c", cwd=folder / name)
    (folder / "main.c").write_text("void left(void), right(void); int main(void) { left(); right(); }\n")
    (folder / "again.c").write_text("int AGAIN(int n) { return n + 1; }\n")
    for name in "one", "two":
        building.command("gcc", "-g", f"-DAGAIN={name}", "-c", "again.c", "-o", f"{name}.o", cwd=folder)
    building.command("gcc", "-g", "-O2", "main.c", "left/u.o", "right/u.o", "one.o", "two.o", "-o", "units", cwd=folder)
    return folder / "units"


def test_units_of_one_name_are_told_apart_by_their_directories(run, units):
    groups = by(run, units, "unit")
    folder = units.parent
    paths = [f"{folder}/left/u.c", f"{folder}/right/u.c"]
    assert sorted(groups) == sorted([*paths, "main.c", "again.c"])
    assert len([group for group in rows(run, units, "--by=unit")[1] if group["kind"] == "function"]) == 4
    functions = {group["function"]: group for group in rows(run, units)[1]}
    assert groups["again.c"]["self"] == functions["one"]["self"] + functions["two"]["self"]
    assert [groups[path]["copies"] for path in paths] == [1, 1]
    statistics = [json.loads(line) for line in run("stats", "--by=unit", "--json", units).out.splitlines()][1:]
    assert sorted((row["unit"], row["copies"]) for row in statistics) == [(path, 1) for path in paths]


def test_names_of_go_are_grouped_by_package(run, tmp_path):
    building.need("go")
    (tmp_path / "main.go").write_text("""package main
import "fmt"
type pair[T any] struct{ a, b T }
func (p *pair[T]) swap() { p.a, p.b = p.b, p.a }
func main() { p, q := pair[int]{1, 2}, pair[string]{"a", "b"}; p.swap(); q.swap(); fmt.Println(p, q) }
""")
    building.command("env", "GO111MODULE=off", "GOFLAGS=", "go", "build", "-gcflags=-l", "-o", "prog", "main.go",
                     cwd=tmp_path)
    packages = by(run, tmp_path / "prog", "namespace")
    assert {"main", "fmt", "runtime", "internal/poll"} <= packages.keys()
    sources = by(run, tmp_path / "prog", "source", "decl_file")
    assert None not in sources and sources["<autogenerated>"]["self"] < sum(
        group["self"] for group in sources.values()) / 10
    templates = by(run, tmp_path / "prog", "template")
    assert "runtime.(*mheap).alloc" in templates and "main.(*pair[_]).swap" in templates
    assert not [name for name in templates if name and name.endswith(".")]


def test_code_without_debugging_information_is_named(run, grouped):
    everything, groups = rows(run, grouped)
    symbols = {group["function"]: group for group in groups if group["kind"] == "symbol"}
    assert symbols["named"]["self"] == 24 and symbols["named"]["saving"] is None
    assert "_start" in symbols and symbols["unsized"]["self"] == 16 and "lot_end" not in symbols
    assert everything["padding"] >= 40 and everything["linkage"] > 0
    (all_of_them,) = [group for group in rows(run, grouped, "--by=source")[1] if group["kind"] == "symbol"]
    assert all_of_them["self"] == everything["symbols"] == sum(group["self"] for group in symbols.values())


def undescribed(result):
    """The rows, and what is said of a file without debugging information."""
    assert result.status == 2
    everything, *groups = map(json.loads, result.out.splitlines())
    assert sum(group["self"] for group in groups) == everything["code"] > 0
    assert (everything["functions"], everything["self"]) == (0, 0)
    return everything, groups, result.err


def test_without_debugging_information_symbols_have_sizes_and_it_is_said(run, grouped, tmp_path):
    code = rows(run, grouped)[0]["code"]
    plain = tmp_path / "plain"
    building.command("strip", "-g", "-o", plain, grouped)
    everything, groups, said = undescribed(run("sizes", "-C", "--json", plain))
    assert everything["code"] == code and everything["unnamed"] == 0 < everything["padding"]
    assert f"{plain}: no .debug_info" in said and "inlined functions and source files are unknown" in said and "stripped" not in said
    sizes = {group["function"]: group["self"] for group in groups if group["kind"] == "symbol"}
    listed = [line.split(maxsplit=3) for line in building.command("nm", "-SC", plain).splitlines()]
    listed = {fields[3]: int(fields[1], 16) for fields in listed if len(fields) == 4 and fields[2] in "tTwW"}
    assert len(listed) > 8 and listed.items() <= sizes.items()
    assert undescribed(run("sizes", "--json", "--by=source", plain))[0] == everything
    strict = run("sizes", "--strict", plain)
    assert (strict.status, strict.out) == (2, "") and "no .debug_info" in strict.err


def test_what_has_no_symbol_either_is_not_called_padding(run, grouped, tmp_path):
    stripped, exporting = tmp_path / "stripped", tmp_path / "exporting"
    building.command("strip", "-o", stripped, grouped)
    everything, groups, said = undescribed(run("sizes", "--json", stripped))
    assert everything["symbols"] == everything["padding"] == 0 < everything["linkage"]
    assert {group["kind"]: group["self"] for group in groups}["unnamed"] == everything["unnamed"] > 300
    assert "the symbol table is stripped" in said
    assert f"; {everything['unnamed']} without a name\n" in run("sizes", stripped).out
    building.command("g++", "-O2", "-fno-inline", "-rdynamic", "-s", "main.cpp", "-o", exporting, cwd=grouped.parent)
    everything, groups, _ = undescribed(run("sizes", "--json", exporting))
    assert "main" in [group["function"] for group in groups] and everything["unnamed"] > 0


def test_members_without_debugging_information_have_sizes_of_symbols(run, tmp_path):
    for name, options in ("one", ["-g"]), ("two", []), ("three", []):
        (tmp_path / f"{name}.c").write_text(f"int {name}(int n) {{ return n * 3; }}\n")
        building.command("gcc", "-O2", *options, "-c", f"{name}.c", cwd=tmp_path)
    building.command("ar", "qc", "lib.a", "one.o", "two.o", "three.o", cwd=tmp_path)
    result = run("sizes", "--json", "lib.a", cwd=tmp_path)
    found = [(row["file"], row["function"], row["kind"]) for row in map(json.loads, result.out.splitlines())
             if row["function"]]
    assert result.status == 2 and found == [("lib.a(one.o)", "one", "function"), ("lib.a(two.o)", "two", "symbol"),
                                            ("lib.a(three.o)", "three", "symbol")]
    assert result.err.count("2 of its members have no debug information (compiled without -g?): two.o, three.o") == 1
    assert result.err.count("\n") == 2 and "without debug information, functions are taken from symbols" in result.err
    alone = run("sizes", "--json", "lib.a(two.o)", cwd=tmp_path)
    assert undescribed(alone)[1][0]["function"] == "two"


def test_the_text_is_a_table_of_the_first(run, grouped):
    everything, groups = rows(run, grouped)
    code, functions, heading, *lines, rest = run("sizes", "--limit=5", grouped).out.splitlines()
    assert rest == f"... {sum(group['kind'] in ('function', 'symbol') for group in groups) - 5} more (--limit=all)"
    assert code == f"code\t{everything['code']} bytes"
    assert functions.startswith(f"functions\t{everything['functions']} functions, {everything['self']} bytes, ")
    assert functions.endswith(f"; {everything['padding']} of padding")
    assert heading.split("\t")[-2:] == ["FUNCTION", "PLACE"] and len(lines) == 5
    for line, group in zip(lines, groups):
        fields = [field.strip() for field in line.split("\t")]
        assert fields[0] == str(group["self"]) and fields[7].startswith(group["function"])
        assert abs(float(fields[1]) - 100 * group["self"] / everything["code"]) <= 0.0501
    names = [line.split("\t")[-1] for line in run("sizes", "--by=namespace", grouped).out.splitlines()[3:]]
    assert "(none)" in names and "(no debugging information)" in names


def test_a_limit_is_at_least_one_and_said_for_every_format(run, grouped, tmp_path):
    for wrong in "0", "-1", "x", "", "2147483647":
        result = run("sizes", f"--limit={wrong}", grouped)
        assert result.status == 64 and "--limit must be a number from 1 to 2147483646, or 'all'" in result.err
    count = json.loads(run("sizes", "--json", "-L1", grouped).out.splitlines()[-1])["left_out"]
    for option in "--csv", f"--html={tmp_path / 'page'}":
        assert f"{count} rows left out by --limit" in run("sizes", "-L1", option, grouped).err
        assert run("sizes", "-Lall", option, grouped).err == ""


@pytest.mark.parametrize("order", ["self", "total", "copies", "saving", "name"])
def test_groups_are_sorted(run, elf, order):
    _, groups = rows(run, elf("c++"), f"--sort={order}")
    groups = [group for group in groups if group["kind"] in ("function", "symbol")]
    key = {"name": "function"}.get(order, order)
    values = [group[key] for group in groups if group[key] is not None]
    assert values == sorted(values, reverse=order != "name")
    assert [group for group in rows(run, elf("c++"), f"--sort={order}", "--limit=2")[1]
            if group.get("kind") in ("function", "symbol")] == groups[:2]


def test_csv_has_the_same_rows(run, grouped):
    everything, groups = rows(run, grouped)
    table = list(csv.DictReader(io.StringIO(run("sizes", "--csv", grouped).out)))
    assert [{key: "" if value is None else str(value) for key, value in row.items()}
            for row in [everything, *groups]] == table


def test_usage(run, grouped, tmp_path):
    for options in (["--by=weather"], ["--sort=callers"], []):
        assert run("sizes", *options).status == 64
    (tmp_path / "empty").write_bytes(b"")
    assert run("sizes", tmp_path / "empty").status == 2
    assert run("sizes", grouped, tmp_path / "empty").status == 2
