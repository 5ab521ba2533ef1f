"""The JSON Schema files are right: what every command prints is valid, and what is not is refused."""

import copy
import json
import os
import re
from pathlib import Path

import pytest

import building
from test_inline_tables import files as inline_files  # a fixture

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).resolve().parents[2]
KINDS = re.findall(r"^ROW(?:_WITHOUT_TEXT)?\(\w+, +(\w+)\)",
                   (ROOT / "lib/report/rows/kinds.def").read_text(), re.MULTILINE)
FOLDED = "main;outer;inner 5\nmain;outer 2\n"

# Command lines of rows of each kind: {file} is a program, {object} an object file, {cpp} one of C++, {bare} a
# program with inlined calls in {table}, of which the types are in {types}, {traced} a program to run.
COMMANDS = {
    "site": ["-a -o -c --parts {file}", "-a -o -p {object}", "-a -o -pp {cpp}", "-a -e -o {file}", "-a -C -c {cpp}",
             "-a -e -p --btf-inline={table} --btf={types} {bare}"],
    "count": ["--count -a {file}", "--count -a -C {cpp}"],
    "stack": ["addr {file} main main+4 0x0", "addr -p {file} main+8", "addr -pp {object} area",
              "addr {file} no_such_symbol", "lines {file} shapes.h:16", "lines {cpp} classes.hpp:51"],
    "tree": ["tree -a {file}", "tree -a -p {object}", "tree -a -pp {cpp}"],
    "statistic": ["stats {file}", "stats --by=file {cpp}"],
    "argument": ["stats -p {file}"],
    "verdict": ["why clamp {file}", "why -C main {cpp}"],
    "btf_site": ["btf dump --btf={types} {table}"],
    "btf_tally": ["btf encode --btf={types} --output={folder}/table {object}"],
    "call_frame": ["cfi {file}", "cfi {object}"],
    "call_frame_item": ["cfi --raw {file}", "cfi --raw {object}"],
    "thread": ["backtrace -p {pid}", "backtrace -v -p {pid}", "backtrace -vv -p {pid}"],
    "lint": ["lint --severity=note {file}"],
    "probe": ["probe --for=perf clamp {file}", "probe --exit --for=bpftrace scale {object}",
              "probe --line=shapes.h:16 {file}"],
    "hit": ["trace --stack leaf {traced} -- {traced}", "trace --exit leaf {traced} -- {traced}"],
    "hit_count": ["trace --count leaf {traced} -- {traced}"],
    "group": ["trace --by=host --latency leaf {traced} -- {traced}"],
    "profile": ["profile -", "profile --by=call -"],
    "size": ["sizes {file}", "sizes --by=source {cpp}"],
    "change": ["diff -p --min-bytes=0 {file} {cpp}"],
    "affected": ["affected clamp {file} {object}", "affected --reverse=main {file}"],
    "rule": ["check {rules} {file}"],
    "table": ["export {file}", "export {object}", "export {cpp}"],
}
ALONE = ("export",) # their JSON lines are the default


@pytest.fixture(name="schema_of", scope="session")
def fixture_schema_of(program):
    """Reads the schema of a kind: from the build, or as it is installed."""
    folders = [Path(program).parents[1] / "schemas", Path(program).parents[1] / "share/inlinecall/schemas"]

    def read(kind):
        found = [folder for folder in folders if folder.is_dir()]
        if not found:
            pytest.skip("the program is alone")
        return json.loads((found[0] / f"{kind}.json").read_text())

    return read


@pytest.fixture(name="places", scope="module")
def fixture_places(elf, inline_files, tmp_path_factory):
    folder = tmp_path_factory.mktemp("schemas")
    traced = folder / "traced"
    building.command("gcc", "-O2", "-g", "-pthread", "-o", traced, ROOT / "tests/cli/programs/traced.c")
    (folder / "rules").write_text("never inline clamp -- a reason\nnever inline nothing\nat most 0 copies of clamp\n")
    return {"file": elf("c"), "object": elf("object"), "cpp": elf("c++"), "table": inline_files / "inline", "types": inline_files / "types",
            "bare": inline_files / "bare", "traced": traced,
            "rules": folder / "rules", "folder": folder, "pid": os.getpid()}


def rows_of(run, places, kind, words):
    command, *rest = words.format(**places).split()
    result = run(command, *(() if command in ALONE else ("--json",)), *rest, stdin=FOLDED)
    if kind in ("hit", "hit_count", "group") and "cannot" in result.err:
        pytest.skip(result.err)
    rows = [json.loads(line) for line in result.out.splitlines() if line.startswith("{")]
    assert rows, result
    return rows


def test_every_kind_is_here():
    assert set(COMMANDS) == set(KINDS)


@pytest.mark.parametrize("kind", KINDS)
def test_schemas_are_schemas(schema_of, kind):
    schema = schema_of(kind)
    jsonschema.Draft202012Validator.check_schema(schema)
    assert schema["$id"].endswith(kind)


@pytest.mark.parametrize("kind, words", [(kind, words) for kind in KINDS for words in COMMANDS[kind]])
def test_what_commands_print_is_valid(run, places, schema_of, kind, words):
    validator = jsonschema.Draft202012Validator(schema_of(kind))
    for row in rows_of(run, places, kind, words):
        # Reported with the row: of the variants, none fits.
        assert validator.is_valid(row), (row, [error.message[:200] for error in validator.iter_errors(row)])


@pytest.mark.parametrize("kind", KINDS)
def test_other_rows_are_refused(run, places, schema_of, kind):
    validator = jsonschema.Draft202012Validator(schema_of(kind))
    row = rows_of(run, places, kind, COMMANDS[kind][0])[0]
    assert validator.is_valid(row)
    for key in row:
        without = copy.deepcopy(row)
        del without[key]
        assert not validator.is_valid(without), key
    assert not validator.is_valid({**row, "new": 1})
    assert not validator.is_valid({**row, "type": 5})
