"""Parameters that the debug information does not describe are not "no parameters"."""

import json

import pytest

import building
from btf_types import Types

PROGRAM = """
extern void outside(int, int);
volatile int sink;
static inline __attribute__((always_inline)) void none(void)
{
	sink++;
}
static inline __attribute__((always_inline)) void leaf(int value)
{
	sink += value;
}
__attribute__((noinline)) void outer(void)
{
	none();
	leaf(sink);
	outside(sink, 1);
}
"""
LANGUAGES = {"gcc": "c", "clang": "c", "g++": "cc", "clang++": "cc"}


def build(folder, compiler, *options):
    building.need(compiler)
    source = folder / f"a.{LANGUAGES[compiler]}"
    source.write_text(PROGRAM.replace("extern", 'extern "C"') if source.suffix == ".cc"
                      else PROGRAM)
    building.command(compiler, "-O2", *options, "-c", source, "-o", folder / "a")
    (folder / "types").write_bytes(Types().section())
    return folder / "a"


@pytest.mark.parametrize("compiler", LANGUAGES)
def test_line_tables_do_not_describe_parameters(run, tmp_path, compiler):
    path = build(tmp_path, compiler, "-gline-tables-only" if "clang" in compiler else "-g1")
    for name in ("none", "leaf"):
        assert run("-p", name, path).out.splitlines()[-1] == "\t\tparameters not described"
    assert run("tree", "-p", "outer", path).out.count("\t\tparameters not described\n") == 3
    entry = json.loads(run("-p", "--json", "leaf", path).out)
    assert "params" not in entry and "variadic" not in entry
    result = run("addr", "-p", path, f"{entry['section']}+{entry['entry']}")
    assert result.out.count("\t\tparameters not described\n") == 2
    result = run("stats", "-p", path)
    assert result.status == 0 and result.out.startswith("all\t0 arguments of 0 copies")
    assert "not counted: 2 copies whose parameters the debug information does not describe\n" in result.err
    for args in (("--missing=extend", "--btf-output", tmp_path / "more"), ("--missing=zero",)):
        result = run("btf", "encode", "--format=loc", *args, "--btf", tmp_path / "types", "-O",
                     tmp_path / "out", path)
        assert result.status == 1 and "added to BTF" not in result.out
        assert "2\tleft out: the parameters of the callee are not described\n" in result.out


@pytest.mark.parametrize("compiler", LANGUAGES)
def test_a_function_without_parameters_is_told_from_them(run, tmp_path, compiler):
    path = build(tmp_path, compiler, "-g")
    assert run("-p", "none", path).out.splitlines()[-1] == "\t\tno parameters"
    assert "\t\tvalue=" in run("-p", "leaf", path).out
    assert json.loads(run("-p", "--json", "none", path).out)["params"] == []


def test_a_table_with_parameters_does_not_contradict_them(run, tmp_path):
    # Copies begin where the line table has statements, which -g1 tells GCC less of.
    full = build(tmp_path, "gcc", "-g", "-gno-statement-frontiers")
    run("btf", "encode", "--missing=extend", "--btf-output", tmp_path / "more", "--btf",
        tmp_path / "types", "-O", tmp_path / "out", full)
    result = run("btf", "check", "--btf", tmp_path / "more", "--against",
                 build(tmp_path, "gcc", "-g1"), tmp_path / "out")
    assert result.status == 0
    assert "1\tcalls have parameters that the DWARF does not describe\n" in result.out
