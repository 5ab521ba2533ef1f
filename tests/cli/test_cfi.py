"""inlinecall cfi: how to find a caller's registers, in a program whose directives say it."""

import csv
import io
import json
import shutil

import pytest

import building

SOURCE = """\
	.text
	.globl	_start
	.type	_start, @function
_start:
	.cfi_startproc
	.cfi_undefined %rip
	call	work
	hlt
	.cfi_endproc
	.size	_start, .-_start

	.globl	_ZN4game4workEv
	.type	_ZN4game4workEv, @function
	.set	work, _ZN4game4workEv
_ZN4game4workEv:
	.cfi_startproc
	push	%rbx
	.cfi_def_cfa_offset 16
	.cfi_offset %rbx, -16
	nop
	.cfi_remember_state
	pop	%rbx
	.cfi_restore %rbx
	.cfi_def_cfa_offset 8
	ret
	.cfi_restore_state
	mov	%rsp, %rbp
	.cfi_def_cfa_register %rbp
	.cfi_register %rip, %rdx
	.cfi_escape 0x10,3,2,0x76,0x78
	nop
	.cfi_endproc
	.size	_ZN4game4workEv, .-_ZN4game4workEv

	.type	handler, @function
handler:
	.cfi_startproc
	.cfi_signal_frame
	.cfi_def_cfa_register %rsp
	.cfi_same_value %rbp
	nop
	.cfi_endproc
	.size	handler, .-handler

	.globl	bare
	.type	bare, @function
bare:	ret
	.size	bare, .-bare
	.section .note.GNU-stack,"",@progbits
"""
START = """\
_start\t.eh_frame+0x18
  0x401000-0x401006\tCFA=%rsp+8 %rip=undefined
"""
WORK_ROWS = """\
  0x401006-0x401007\tCFA=%rsp+8 %rip=[CFA-8]
  0x401007-0x401008\tCFA=%rsp+16 %rbx=[CFA-16] %rip=[CFA-8]
  0x401008-0x401009\tCFA=%rsp+16 %rbx=[CFA-16] %rip=[CFA-8]
  0x401009-0x40100a\tCFA=%rsp+8 %rip=[CFA-8]
  0x40100a-0x40100d\tCFA=%rsp+16 %rbx=[CFA-16] %rip=[CFA-8]
  0x40100d-0x40100e\tCFA=%rbp+16 %rbx=[DW_OP_breg6 rbp-8] %rip=%rdx
"""
ALL = START + """\
_ZN4game4workEv\t.eh_frame+0x44
""" + WORK_ROWS + """\
handler\t.eh_frame+0x8c\tsignal frame
  0x40100e-0x40100f\tCFA=%rsp+8 %rbp=same %rip=[CFA-8]
"""
RAW = """\
.eh_frame+0x2c\tCIE\tversion=1 augmentation="zR" code_align=1 data_align=-8 return=rip
  DW_CFA_def_cfa: %rsp +8
  DW_CFA_offset: %rip -8
  DW_CFA_nop
  DW_CFA_nop
.eh_frame+0x44\tFDE\t0x401006-0x40100e _ZN4game4workEv cie=0x2c
  DW_CFA_advance_loc: 1 to 0x401007
  DW_CFA_def_cfa_offset: +16
  DW_CFA_offset: %rbx -16
  DW_CFA_advance_loc: 1 to 0x401008
  DW_CFA_remember_state
  DW_CFA_advance_loc: 1 to 0x401009
  DW_CFA_restore: %rbx
  DW_CFA_def_cfa_offset: +8
  DW_CFA_advance_loc: 1 to 0x40100a
  DW_CFA_restore_state
  DW_CFA_advance_loc: 3 to 0x40100d
  DW_CFA_def_cfa_register: %rbp
  DW_CFA_register: %rip %rdx
  DW_CFA_expression: %rbx DW_OP_breg6 rbp-8
  DW_CFA_nop
  DW_CFA_nop
  DW_CFA_nop
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """prog with .eh_frame, debug with .debug_frame, bare without either, part.o."""
    building.need("gcc")
    folder = tmp_path_factory.mktemp("cfi")
    (folder / "part.s").write_text(SOURCE)
    (folder / "debug.s").write_text("\t.cfi_sections .debug_frame\n" + SOURCE)
    (folder / "none.s").write_text("".join(line for line in SOURCE.splitlines(True)
                                           if ".cfi" not in line))
    for name in ("part", "debug", "none"):
        building.command("gcc", "-c", f"{name}.s", cwd=folder)
    for name, part in (("prog", "part.o"), ("debug", "debug.o"), ("none", "none.o")):
        building.command("gcc", "-nostdlib", "-static", "-Wl,--build-id=none,-Ttext=0x401000",
                         part, "-o", name, cwd=folder)
    return folder


def answer(run, *arguments, status=0, err=""):
    result = run("cfi", *arguments)
    assert (result.status, result.err) == (status, err)
    return result.out


def section_data(path, folder, name):
    building.command("objcopy", f"--dump-section={name}={folder}/section.bin", path,
                     folder / "unused")
    return (folder / "section.bin").read_bytes()


def test_a_whole_file_has_a_heading_for_each_function(run, folder):
    assert answer(run, folder / "prog") == ALL


def test_a_function_has_all_of_its_rows(run, folder):
    assert answer(run, folder / "prog", "_start") == START
    assert answer(run, folder / "prog", "work").endswith(WORK_ROWS)


def test_each_function_of_a_name_has_its_rows(run, folder):
    for number in range(3):
        (folder / f"same{number}.s").write_text(
            "same:\n\t.cfi_startproc\n\tret\n\t.cfi_endproc\n\t.size same, .-same\nalias = same\n"
            '\t.section .note.GNU-stack,"",@progbits\n')
    building.command("gcc", "-shared", "-nostdlib", "-o", "same.so",
                     *(f"same{number}.s" for number in range(3)), cwd=folder)
    headings = [line.split("\t") for line in answer(run, folder / "same.so", "same").splitlines()
                if not line.startswith(" ")]
    assert len({fde for _, fde in headings}) == len(headings) == 3


def test_an_address_has_one_row(run, folder):
    wanted = "_ZN4game4workEv\t.eh_frame+0x44\n" + WORK_ROWS.splitlines(True)[1]
    assert answer(run, folder / "prog", "0x401007") == wanted
    assert answer(run, folder / "prog", "work+0x1") == wanted
    assert answer(run, folder / "prog", "0x401007", "handler").startswith(wanted + "handler")


def test_names_can_be_demangled(run, folder):
    assert answer(run, "-C", folder / "prog", "work").startswith("game::work()\t.eh_frame+0x44\n")


def test_raw_is_what_the_file_has(run, folder):
    assert answer(run, "--raw", folder / "prog", "work") == RAW
    whole = answer(run, "--raw", folder / "prog")
    assert RAW in whole
    assert ".eh_frame+0x70\tCIE\tversion=1 augmentation=\"zRS\" code_align=1 data_align=-8 " \
           "return=rip signal\n" in whole


def test_json_has_an_object_for_each_row(run, folder):
    rows = [json.loads(line) for line in answer(run, "--json", folder / "prog").splitlines()]
    assert len(rows) == 8
    assert rows[6] == {
        "type": "call_frame", "file": str(folder / "prog"), "function": "_ZN4game4workEv",
        "start": "0x40100d", "end": "0x40100e", "section": None,
        "cfa": {"kind": "register", "text": "%rbp+16", "from": "rbp", "offset": 16},
        "registers": [{"register": "rbx", "number": 3, "kind": "expression",
                       "text": "[DW_OP_breg6 rbp-8]", "from": None, "offset": None},
                      {"register": "rip", "number": 16, "kind": "register", "text": "%rdx",
                       "from": "rdx", "offset": None}],
        "return_register": "rip", "signal": False, "table": ".eh_frame", "fde": "0x44"}
    assert [row["signal"] for row in rows] == [False] * 7 + [True]


def test_json_has_an_object_for_each_entry_and_instruction(run, folder):
    path = folder / "prog"
    rows = [json.loads(line) for line in answer(run, "--raw", "--json", path).splitlines()]
    assert [row["type"] for row in rows].count("cie") == 3
    assert rows[0] == {"type": "cie", "file": str(path), "table": ".eh_frame", "offset": "0x0",
                       "size": 24, "version": 1, "augmentation": "zR", "code_align": 1,
                       "data_align": -8, "return_register": "rip", "personality": None,
                       "signal": False}
    assert rows[1] == {"type": "instruction", "file": str(path), "table": ".eh_frame",
                       "offset": "0x11", "text": "DW_CFA_def_cfa: %rsp +8"}
    assert rows[4] == {"type": "fde", "file": str(path), "table": ".eh_frame", "offset": "0x18",
                       "size": 20, "function": "_start", "start": "0x401000", "end": "0x401006",
                       "section": None, "cie": "0x0", "lsda": None}


def test_csv_has_a_line_for_each_row(run, folder):
    rows = list(csv.DictReader(io.StringIO(answer(run, "--csv", folder / "prog"))))
    assert len(rows) == 8
    assert rows[2]["cfa"] == "%rsp+16"
    assert rows[2]["registers"] == "%rbx=[CFA-16] %rip=[CFA-8]"
    assert rows[7]["signal"] == "true"


# ---- What is not there


def test_a_file_must_be_given(run):
    result = run("cfi")
    assert result.status == 64
    assert result.err.startswith("inlinecall: no FILE given\n")


def test_raw_has_no_columns(run, folder):
    result = run("cfi", "--raw", "--csv", folder / "prog")
    assert (result.status, result.out) == (64, "")
    assert result.err.startswith("inlinecall: --raw cannot be used with --csv; use --json\n")


def test_an_unknown_name_is_no_answer(run, folder):
    path = folder / "prog"
    assert answer(run, path, "nothing", "_start", status=0, err=(
        f"inlinecall: {path}: 'nothing': no symbol or section is called nothing\n")) == START
    assert answer(run, path, "nothing", status=1, err=(
        f"inlinecall: {path}: 'nothing': no symbol or section is called nothing\n")) == ""


def test_code_without_information_is_no_answer(run, folder):
    path = folder / "prog"
    assert answer(run, path, "bare", status=1, err=(
        f"inlinecall: {path}: 'bare': no call frame information for 0x40100f\n")) == ""
    assert answer(run, path, "0x9000", status=1, err=(
        f"inlinecall: {path}: '0x9000': no call frame information for 0x9000\n")) == ""


def test_a_file_without_any_says_what_it_would_be_in(run, folder):
    path = folder / "none"
    assert answer(run, path, status=1, err=(
        f"inlinecall: {path}: no call frame information: no .eh_frame, .debug_frame or .sframe\n")
                  ) == ""


def test_what_is_before_a_fault_is_printed(run, folder, tmp_path):
    data = section_data(folder / "prog", tmp_path, ".eh_frame")
    path = tmp_path / "short"
    (tmp_path / "cut").write_bytes(data[:0x60])
    building.command("objcopy", f"--update-section=.eh_frame={tmp_path}/cut", folder / "prog", path)
    result = run("cfi", path)
    assert result.status == 2
    assert result.out == START
    assert result.err == (f"inlinecall: {path}: .eh_frame+0x48: length extends beyond the end of "
                          "the section (for .eh_frame+0x44)\n")


def test_an_unknown_instruction_ends_the_rows_of_its_function(run, folder, tmp_path):
    data = bytearray(section_data(folder / "prog", tmp_path, ".eh_frame"))
    at = data.index(b"\x0a\x41\xc3")  # remember_state, advance_loc, restore
    data[at] = 0x3f
    path = building.with_section(folder / "prog", ".eh_frame", data, tmp_path / "unknown")
    result = run("cfi", path)
    assert result.status == 2
    assert "  0x401007-0x401008\t" in result.out and "0x401008-" not in result.out
    assert "handler" in result.out
    assert result.err == (f"inlinecall: {path}: .eh_frame+{at:#x}: unknown instruction "
                          "(for .eh_frame+0x44)\n")


# ---- Kinds of files


def test_addresses_of_an_object_are_offsets_in_sections(run, folder):
    wanted = ALL.replace("0x401000-", ".text+0x0-").replace("0x40100", "0x").replace(
        "  0x", "  .text+0x")
    assert answer(run, folder / "part.o") == wanted
    rows = answer(run, "--json", folder / "part.o", "handler")
    assert json.loads(rows)["section"] == ".text"
    assert json.loads(rows)["start"] == "0xe"
    assert answer(run, folder / "part.o", ".text+0x1").startswith("_start\t")


def test_a_member_of_an_archive_is_a_file(run, folder, tmp_path):
    building.need("ar")
    shutil.copy(folder / "part.o", tmp_path / "part.o")
    building.command("ar", "rc", "lib.a", "part.o", cwd=tmp_path)
    assert answer(run, f"{tmp_path}/lib.a(part.o)") == answer(run, folder / "part.o")


def test_debug_frame_is_read_too(run, folder):
    out = answer(run, folder / "debug", "work")
    assert out.splitlines()[0] == "_ZN4game4workEv\t.debug_frame+0x48"
    assert out.endswith(WORK_ROWS)
    assert "handler\t.debug_frame+0x90\tsignal frame\n" in answer(run, folder / "debug")


def test_debug_frame_can_be_compressed(run, folder, tmp_path):
    for kind in ("zlib", "zlib-gnu"):
        building.command("objcopy", f"--compress-debug-sections={kind}", folder / "debug",
                         tmp_path / kind)
        assert answer(run, tmp_path / kind) == answer(run, folder / "debug")


def test_debug_frame_can_be_in_the_debug_file(run, folder, tmp_path):
    debug, stripped = tmp_path / "prog.debug", tmp_path / "prog"
    building.command("objcopy", "--only-keep-debug", folder / "debug", debug)
    building.command("objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", folder / "debug",
                     stripped)
    assert answer(run, stripped) == answer(run, folder / "debug")


def test_control_characters_in_names_are_not_printed(run, folder, tmp_path):
    path = tmp_path / "escapes"
    path.write_bytes((folder / "prog").read_bytes().replace(b"handler\0", b"\x1b[31mer\0"))
    assert "?[31mer\t.eh_frame+0x8c\tsignal frame\n" in run("cfi", path).out
