"""Files with inlined functions only in their line tables: those of nvcc -lineinfo."""

import json

import pytest

import building

# One kernel's table as nvcc writes it: foo() was inlined into it in line 12, and bar() into that
# in line 4. The names begin at 4 in .debug_str.
TABLE = """
    .text
    .globl kernel
    .type kernel, @function
kernel:
    .skip 0x50
    .size kernel, . - kernel

    .section .debug_line, "", @progbits
    .long 3f - 0f
0:  .short 2
    .long 2f - 1f
1:  .byte 1, 1, -5, 14, 10, 0, 1, 1, 1, 1, 0, 0, 0, 1
    .asciz "/src"
    .byte 0
    .asciz "a.cu"
    .byte 1, 0, 0, 0
    .long 4
2:  .byte 0, 9, 2
    .quad kernel
    .byte 3, 9, 1                       # line 10
    .byte 2, 0x10, 3, 2, 1              # row 2: line 12
    .byte 0, 3, 0x90, 2, 0, 3, 0x77, 1  # foo() in row 2: line 3
    .byte 2, 0x10, 3, 1, 1              # row 4: line 4
    .byte 0, 3, 0x90, 4, 9, 3, 0x7d, 1  # bar() in row 4: line 1
    .byte 2, 0x10, 0, 3, 0x90, 0, 0     # neither
    .byte 3, 12, 1                      # line 13
    .byte 2, 0x20, 0, 1, 1
3:
    .section .debug_str, "", @progbits
    .asciz "abc"
    .asciz "_Z3fooi"
    .asciz ""
    .asciz "_Z3bari"
"""


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The table as an object, and as a program."""
    folder = tmp_path_factory.mktemp("contexts")
    (folder / "a.s").write_text(TABLE)
    building.need("as")
    building.command("as", folder / "a.s", "-o", folder / "object.o")
    building.command("ld", "-Ttext=0x401000", "-e", "kernel", folder / "object.o", "-o",
                     folder / "program")
    return folder


def test_addresses_are_answered_from_the_line_table_alone(run, made):
    result = run("addr", "-s", made / "program", "0x401000", "0x401010", "0x401020", "0x401030")
    assert (result.status, result.err) == (0, "")
    assert result.out.splitlines() == [
        "0x401000\tkernel()\ta.cu:10",
        "0x401010\tfoo()\ta.cu:3\tinlined",
        "\tkernel()\ta.cu:12",
        "0x401020\tbar()\ta.cu:1\tinlined",
        "\tfoo()\ta.cu:4\tinlined",
        "\tkernel()\ta.cu:12",
        "0x401030\tkernel()\ta.cu:13",
    ]


def test_so_are_those_of_an_object(run, made):
    result = run("addr", "-C", "-s", made / "object.o", ".text+0x20", "kernel+0x10")
    assert result.out.splitlines() == [
        ".text+0x20\tbar(int)\ta.cu:1\tinlined",
        "\tfoo(int)\ta.cu:4\tinlined",
        "\tkernel()\ta.cu:12",
        ".text+0x10\tfoo(int)\ta.cu:3\tinlined",
        "\tkernel()\ta.cu:12",
    ]


def test_sites_are_found_by_both_names(run, made):
    for name in ("bar", "_Z3bari"):
        result = run("-s", "-i", name, made / "program")
        assert (result.status, result.err) == (0, "")
        assert result.out.splitlines()[1] == (
            "\t[0x401020 - 0x401030]\ta.cu:4\tfoo() < kernel() a.cu:12")
    site = json.loads(run("--json", "foo", made / "program").out)
    assert site["linkage_name"] == "_Z3fooi"
    assert (site["call_line"], site["symbol"]) == (12, "kernel")
    assert site["ranges"] == [["0x401010", "0x401030"]]


def test_a_line_table_has_no_variables(run, made):
    for question in "FRAME", "DATA":
        result = run("addr", "--style=llvm", f"--obj={made / 'program'}",
                     stdin=f"{question} 0x401010\n")
        assert (result.status, result.err) == (0, "")
        assert result.out.startswith("??\n" if question == "FRAME" else "kernel\n")


def test_a_program_for_cuda_has_kernels_apart(run, tmp_path):
    building.need("nvcc")
    source = building.PROGRAMS / "kernels.cu"
    path = tmp_path / "kernels.cubin"
    building.command("nvcc", "-arch=sm_90", "-lineinfo", "-cubin", source, "-o", path)
    result = run("-g", "*", path, "-s", "--json")
    sites = [json.loads(line) for line in result.out.splitlines()]
    lines = source.read_text().splitlines()
    assert {site["section"] for site in sites} == {
        f".text._Z{len(name)}{name}Pii" for name in ("first", "second", "third")}
    for site in sites:
        assert f"{site['function'].partition('<')[0]}(" in lines[site["call_line"] - 1].replace(
            "<2>", "").replace("<3>", "")
        assert site["section"] == f".text.{site['symbol']}"


def test_a_line_table_says_nothing_beside_entries(run, made, tmp_path):
    """Where there is .debug_info it is believed: here it is that of a file without functions."""
    (tmp_path / "a.s").write_text(TABLE)
    (tmp_path / "b.c").write_text("int b;\n")
    building.command("gcc", "-g", "-c", tmp_path / "b.c", "-o", tmp_path / "b.o")
    building.command("ld", "-Ttext=0x401000", "-e", "kernel", made / "object.o",
                     tmp_path / "b.o", "-o", tmp_path / "both")
    assert run("addr", tmp_path / "both", "0x401020").out == "0x401020\tkernel()\t??:0\n"
