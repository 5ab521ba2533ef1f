"""MiniDebugInfo: the symbols of a stripped program, in .gnu_debugdata."""

import lzma
import subprocess

import pytest

import building


def symbols_of(path, *options):
    lines = subprocess.run(["nm", "--defined-only", "--format=posix", *options, str(path)],
                           capture_output=True, text=True, check=True).stdout.splitlines()
    return {line.split()[0] for line in lines}


def put_mini(program, data, output):
    """The program without .symtab, with DWARF and with that section."""
    part = output.with_name("mini.xz")
    part.write_bytes(data)
    building.command("objcopy", "--strip-all", "--keep-section=.debug*",
                     f"--add-section=.gnu_debugdata={part}", program, output)
    return output


def make_mini(program, directory):
    """Its MiniDebugInfo, as Fedora's find-debuginfo makes it: without what .dynsym has."""
    names, debug, content = directory / "names", directory / "debug", directory / "mini"
    names.write_text("\n".join(symbols_of(program) - symbols_of(program, "-D")))
    building.command("objcopy", "--only-keep-debug", program, debug)
    building.command("objcopy", "-S", "--remove-section=.comment", f"--keep-symbols={names}",
                     debug, content)
    return lzma.compress(content.read_bytes())


@pytest.fixture
def mini(elf, tmp_path):
    """(a program, its MiniDebugInfo)"""
    return elf("c"), make_mini(elf("c"), tmp_path)


def callers(result):
    return [site[2] for site in result.sites]


def test_functions_are_named_by_it(run, mini, tmp_path):
    program, data = mini
    output = put_mini(program, data, tmp_path / "stripped")
    assert not symbols_of(output)
    wanted = run("clamp", program)
    assert run("clamp", output) == wanted and any(".cold" in name for name in callers(wanted))
    without = tmp_path / "without"
    building.command("objcopy", "--remove-section=.gnu_debugdata", output, without)
    assert not any(".cold" in name for name in callers(run("clamp", without)))


def test_dynamic_symbols_are_there_as_well(run, tmp_path):
    program = tmp_path / "library.so"
    source = tmp_path / "library.c"
    source.write_text("static inline __attribute__((always_inline)) int leaf(int x)"
                      " { return x * 3; }\n"
                      "__attribute__((noipa)) int visible(int x) { return leaf(x); }\n"
                      "__attribute__((noipa, visibility(\"hidden\"))) int unseen(int x)"
                      " { return leaf(x); }\n"
                      "int user(int x) { return visible(x) + unseen(x); }\n")
    building.need("gcc")
    building.command("gcc", "-g", "-O2", "-shared", "-fPIC", source, "-o", program)
    output = put_mini(program, make_mini(program, tmp_path), tmp_path / "stripped.so")
    assert "visible" not in symbols_of(tmp_path / "mini")
    result = run("--json", "leaf", output)
    assert (result.status, result.err) == (0, "")
    assert result.out.count('"symbol":"visible"') == 1
    assert result.out.count('"symbol":"unseen"') == 1


@pytest.mark.parametrize("change, said", [
    (lambda data: data[:40] + b"\xff" + data[41:], "cannot be decompressed"),
    (lambda data: data[:-1], "invalid end of an xz file"),
    (lambda data: b"", "too short for an xz file"),
    (lambda data: lzma.compress(bytes(64 << 20)), "which is too much for symbols"),
    (lambda data: lzma.compress(b"text"), "decompressed: .gnu_debugdata: not an ELF file")])
def test_one_that_cannot_be_read_is_a_problem_and_costs_names_alone(run, mini, tmp_path, change,
                                                                   said):
    program, data = mini
    result = run("clamp", put_mini(program, change(data), tmp_path / "damaged"))
    assert result.status == 2
    assert result.err.startswith(f"inlinecall: {tmp_path}/damaged: .gnu_debugdata+0x")
    assert said in result.err and result.err.count("\n") == 1
    whole = run("clamp", program)
    assert [site[:2] for site in result.sites] == [site[:2] for site in whole.sites]
    named = run("addr", tmp_path / "damaged", "main")
    assert (named.status, named.out) == (2, "main\t??\n")
    assert named.err.count(said) == 1 and "nearest" not in named.err and "inlined" not in named.err


def test_one_beside_a_symbol_table_is_not_looked_at(run, mini, tmp_path):
    program, _ = mini
    part, output = tmp_path / "bad.xz", tmp_path / "unstripped"
    part.write_bytes(b"text")
    building.command("objcopy", f"--add-section=.gnu_debugdata={part}", program, output)
    assert run("clamp", output) == run("clamp", program)
