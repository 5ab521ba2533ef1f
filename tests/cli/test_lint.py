"""inlinecall lint: what programs that compilers make break, and how it is said."""

import csv
import io
import json
import re
import subprocess

import pytest

import building

FORMATS = building.HERE.parents[1] / "docs/formats"
SEVERITIES = ["error", "warning", "note"]


def rows_of(result):
    rows = [json.loads(line) for line in result.out.splitlines()]
    return [row for row in rows if row["type"] != "limit"]


@pytest.fixture(scope="session")
def rules(run):
    """[(severity, name, paragraph, summary), ...]"""
    return [line.split("\t") for line in run("lint", "--explain").out.splitlines()]


def test_rules_are_listed_and_explained(run, rules):
    assert len(rules) > 20
    assert [rule[0] for rule in rules] == sorted((rule[0] for rule in rules),
                                                 key=SEVERITIES.index)
    for severity, name, paragraph, summary in rules:
        result = run("lint", f"--explain={name}")
        assert result.status == 0
        assert result.out.startswith(f"{name} ({severity}, {paragraph}): {summary}.\n")
        assert len(result.out.splitlines()) == 2


def test_the_document_has_the_rules(rules):
    text = (building.HERE.parents[1] / "docs/lint.md").read_text()
    table = re.findall(r"^\| (error|warning|note) \| `([\w-]+)` \|", text, re.MULTILINE)
    assert table == [(severity, name) for severity, name, *_ in rules]


def test_the_keys_are_those_of_the_document(run, elf):
    text = (FORMATS / "json.md").read_text()
    section = text.split("| key of a finding |")[1].split("\n\n")[0]
    keys = re.findall(r"^\| `(\w+)` \|", section, re.MULTILINE)
    rows = rows_of(run("lint", "--json", "--severity=note", elf("c")))
    assert {row["type"] for row in rows} == {"count", "finding"}
    assert all(list(row) == keys for row in rows)


def test_all_are_counted_and_some_printed(run, elf):
    none = run("lint", "--json", "--limit=0", "--severity=note", elf("c"))
    counted = rows_of(none)
    assert json.loads(none.out.splitlines()[-1]) == {
        "type": "limit", "file": str(elf("c")), "left_out": sum(row["count"] for row in counted)}
    assert counted and all(row["type"] == "count" for row in counted)
    rows = rows_of(run("lint", "--json", "--limit=all", "--severity=note", elf("c")))
    assert [row for row in rows if row["type"] == "count"] == counted
    found = [row["rule"] for row in rows if row["type"] == "finding"]
    assert {row["rule"]: row["count"] for row in counted} == {
        rule: found.count(rule) for rule in found}


def test_a_finding_is_of_the_die_that_it_names(run, elf):
    dump = building.command("readelf", "--debug-dump=info", elf("c"))
    tags = dict(re.findall(r"^ <\w+><(\w+)>: .*\((DW_TAG_\w+)\)$", dump, re.MULTILINE))
    for row in rows_of(run("lint", "--json", "--limit=all", "--severity=note", elf("c"))):
        if row["type"] == "finding":
            wanted = ("DW_TAG_formal_parameter" if row["rule"].startswith("parameter")
                      else "DW_TAG_inlined_subroutine")
            assert tags[row["die"][2:]] == wanted


def test_csv_has_what_json_has(run, elf):
    table = list(csv.DictReader(io.StringIO(run("lint", "--csv", "--severity=note", elf("c")).out)))
    rows = rows_of(run("lint", "--json", "--severity=note", elf("c")))
    assert [(row["rule"], row["text"] or None) for row in table] == [
        (row["rule"], row["text"]) for row in rows]


def test_the_output_does_not_depend_on_threads(run, program):
    assert run("lint", "--severity=note", "-j1", program).out == run(
        "lint", "--severity=note", "-j4", program).out


def test_rules_and_severities_are_chosen(run, elf):
    every = rows_of(run("lint", "--json", "--limit=0", "--severity=note", elf("c")))
    for least in SEVERITIES:
        allowed = SEVERITIES[:SEVERITIES.index(least) + 1]
        result = run("lint", "--json", "--limit=0", f"--severity={least}", elf("c"))
        wanted = [row for row in every if row["severity"] in allowed]
        assert rows_of(result) == wanted
        if least == "warning":  # the default
            assert run("lint", "--json", "--limit=0", elf("c")) == result
        assert result.status == (1 if wanted else 0)
    one = every[0]["rule"]
    assert {row["rule"] for row in rows_of(run("lint", "--json", f"--rule={one}", elf("c")))} == {
        one}


@pytest.mark.parametrize("words, message", [
    (["--rule=nonsense", "FILE"], "unknown rule 'nonsense'"),
    (["--explain=nonsense"], "unknown rule 'nonsense'"),
    (["--explain", "FILE"], "--explain does not take a FILE"),
    (["--severity=grave", "FILE"], "--severity must be error, warning or note"),
    (["--rule=origin-tag", "--severity=error", "FILE"], "--severity has no effect"),
    ([], "no FILE given"),
])
def test_wrong_usage(run, words, message):
    result = run("lint", *words)
    assert result.status == 64 and message in result.err


def test_files_that_have_nothing_to_check(run, elf, tmp_path):
    source = tmp_path / "a.c"
    source.write_text("int main(void) { return 0; }\n")
    building.command("gcc", "-g", "-O2", source, "-o", tmp_path / "plain")
    plain = tmp_path / "plain"
    assert run("lint", plain) == (0, f"{plain}: no findings in 0 copies\n", "")
    assert run("lint", "--json", plain) == (0, "", "")
    source.write_text("static inline __attribute__((always_inline)) int twice(int x) { return 2 * x; }\n"
                      "int main(int c, char **v) {\n  int a = twice(c);\n  return a / twice(c + 5);\n}\n")
    building.command("gcc", "-g", "-O1", source, "-o", plain)
    assert run("lint", plain) == (0, f"{plain}: no findings in 2 copies\n", "")
    building.command("strip", "-o", tmp_path / "stripped", elf("c"))
    result = run("lint", tmp_path / "stripped")
    assert result.status == 2 and "no .debug_info" in result.err
    building.command("objcopy", "--remove-section=.debug_info", elf("c"), tmp_path / "lines")
    result = run("lint", tmp_path / "lines")
    assert result.status == 2 and "only line tables" in result.err


def test_several_files_and_archives_have_headings(run, elf, tmp_path):
    building.command("ar", "rc", tmp_path / "lib.a", elf("object"))
    out = run("lint", "--severity=note", "--limit=0", elf("c"), tmp_path / "lib.a").out
    assert out.count(f"{elf('c')}:\n") == 1
    assert "lib.a(" in out


def test_damage_is_said(run, elf, tmp_path):
    data = bytearray(elf("c").read_bytes())
    line = next(line for line in building.command("readelf", "-SW", elf("c")).splitlines()
                if " .debug_info " in line)
    offset = int(line.split("PROGBITS")[1].split()[1], 16)
    data[offset + 0x60:offset + 0xa0] = b"\xff" * 0x40
    (tmp_path / "damaged").write_bytes(data)
    result = run("lint", tmp_path / "damaged")
    assert result.status == 2 and ".debug_info" in result.err


def test_a_full_disk_is_an_error(program, elf):
    with open("/dev/full", "w", encoding="ascii") as full:
        assert subprocess.run([program, "lint", "--severity=note", elf("c")], stdout=full,
                              stderr=subprocess.PIPE, check=False).returncode == 2


def built(directory, compiler, *options):
    """A program of two C++ sources, compiled as objects."""
    directory.mkdir()
    for name in ("third", "fourth"):
        building.command(compiler, "-g", "-O2", *options, "-c", building.PROGRAMS / f"{name}.cpp",
                         cwd=directory)
    building.command(compiler, "third.o", "fourth.o", "-o", "program", cwd=directory)
    return directory / "program"


def findings(run, path):
    """What is the same wherever the DIEs are."""
    result = run("lint", "--json", "--severity=note", "--limit=all", path)
    assert result.status in (0, 1) and result.err == ""
    keys = ("type", "rule", "count", "unit", "function", "source", "line")
    return sorted(json.dumps([row.get(key) for key in keys])
                  for row in rows_of(result))


@pytest.mark.parametrize("compiler, option", [
    ("g++", "-gsplit-dwarf"), ("clang++", "-gsplit-dwarf"), ("g++", "-fdebug-types-section"),
    ("clang++", "-fdebug-types-section"),
])
def test_dies_may_be_in_other_units_and_files(run, tmp_path, compiler, option):
    building.need(compiler)
    wanted = findings(run, built(tmp_path / "whole", compiler))
    assert wanted or compiler != "g++"  # no rule is broken by clang
    assert findings(run, built(tmp_path / "other", compiler, option)) == wanted


def test_dies_may_be_shared_by_dwz(run, elf, tmp_path):
    wanted = findings(run, elf("c++"))
    shared, _ = building.shared_by_dwz(elf("c++"), tmp_path)
    assert wanted and findings(run, shared) == wanted
