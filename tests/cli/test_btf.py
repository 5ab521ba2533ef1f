"""inlinecall btf: tables of inlined calls, from sections and from files of their own."""

import json
import platform
import shutil
import struct

import pytest

import building
from btf_types import Types

RECORDS = [(7, 0x30, (1, 4)), (7, 0x12, (1, 0)), (8, 0x41, (7,))]
LOCATIONS = bytes.fromhex("00" "090500" "050300" "0a05")


def functions(order):
    types = Types(order)
    types.add("int", 1, 0, 4, 1 << 24 | 32)
    types.add("unsigned int", 1, 0, 4, 32)
    types.add(None, 13, 2, 0, types.string("value"), 1, types.string("factor"), 1)
    types.add(None, 13, 1, 0, types.string("count"), 2)
    types.add(None, 13, 0, 0)
    types.add(None, 2, 0, 1)
    types.add("mid", 12, 0, 3)
    types.add("leaf", 12, 0, 4)
    types.add("top", 12, 1, 5)
    return types


def table(order):
    calls = b"".join(struct.pack(f"{order}IIIH{len(slots)}I", callee, 9, offset, len(slots), *slots)
                     for callee, offset, slots in RECORDS)
    locations = LOCATIONS + struct.pack(f"{order}q", 12) + bytes.fromhex("0b0400")
    return (struct.pack(f"{order}HBB5I", 0xeb9f, 1, 0, 24, 0, len(calls), len(calls), len(locations)) +
            calls + locations)


def kinds(order):
    types = functions(order)
    types.add(None, 20, 1, 4, 8, 5)           # 10: %rdi
    types.add(None, 20, 2, 4, 0x38, 5, 12)    # 11: *(%rdi+12)
    types.add(None, 21, 1, 0, 10)             # 12
    types.add(None, 21, 1, 0, 11)             # 13
    types.add("inline.text", 22, 2, 0, 8, 12, 0x10, 8, 13, 0x20)
    return types.section()


TEXT = ("top+0x30\tmid(int value={0}, int factor=3)\n"
        "top+0x12\tmid(int value={0}, int factor=unavailable)\n"
        "top+0x41\tleaf(unsigned int count=*(unsigned int *)({0}+12))\n")


@pytest.fixture(scope="module", params=["<", ">"], ids=["little", "big"])
def files(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("btf")
    (folder / "types").write_bytes(functions(request.param).section())
    (folder / "table").write_bytes(table(request.param))
    (folder / "kinds").write_bytes(kinds(request.param))
    return folder


def test_a_table_names_functions_and_arguments_by_the_types_that_are_given(run, files):
    result = run("btf", "dump", "--btf", files / "types", files / "table")
    assert (result.status, result.out, result.err) == (0, TEXT.format("reg5"), "")


def test_without_types_the_numbers_remain_and_the_status_says_so(run, files):
    result = run("btf", "dump", files / "table")
    assert result.status == 2
    assert result.out.splitlines()[0] == "[9]+0x30\t[7](_=reg5, _=0x3)"
    assert "use --btf to name a file that has it" in result.err


def test_sections_of_a_file_belong_together(run, files, tmp_path):
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    building.command("gcc", "a.c", "-o", "a", cwd=tmp_path)
    building.command("objcopy", "--add-section", f".BTF.inline={files / 'table'}",
                     "--add-section", f".BTF={files / 'types'}", "a", "b", cwd=tmp_path)
    result = run("btf", "dump", tmp_path / "b")
    assert result.status == 0
    assert result.out == TEXT.format("%rdi" if platform.machine() == "x86_64" else "x5")
    result = run("btf", "dump", tmp_path / "a")
    assert result.status == 2 and "no section .BTF.inline or .BTF" in result.err


def test_json_and_csv_have_the_same_rows(run, files):
    args = "--btf", files / "types", files / "table"
    rows = [json.loads(line) for line in run("btf", "dump", "--json", *args).out.splitlines()]
    assert [(row["function"], row["host"], row["offset"]) for row in rows] == [
        ("mid", "top", "0x30"), ("mid", "top", "0x12"), ("leaf", "top", "0x41")]
    assert rows[0]["params"][1] == {"name": "factor", "type": "int", "size": 4,
                                    "location": {"kind": "constant", "text": "3"}}
    assert rows[2]["params"][0]["location"] == {"kind": "memory",
                                                "text": "*(unsigned int *)(reg5+12)"}
    lines = run("btf", "dump", "--csv", *args).out.splitlines()
    assert len(lines) == 1 + 5
    assert lines[2].endswith(",2,factor,int,4,constant,3")


def test_kinds_are_calls_too_and_raw_is_what_bpftool_prints(run, files):
    result = run("btf", "dump", files / "kinds")
    assert (result.status, result.out) == (0, "inline.text+0x10\tleaf(unsigned int count=reg5)\n"
                                              "inline.text+0x20\tleaf(unsigned int count="
                                              "*(unsigned int *)(reg5+12))\n")
    result = run("btf", "dump", "--raw", files / "kinds")
    assert (result.status, result.out) == (0, (
        "[10] LOC_PARAM '(anon)' size=4 flags=0x8 vlen=1 values='reg5'\n"
        "[11] LOC_PARAM '(anon)' size=4 flags=0x38 vlen=2 values='*(reg5 + 0xc)'\n"
        "[12] LOC_PROTO '(anon)' vlen=1\n\ttype_id=10 value='reg5'\n"
        "[13] LOC_PROTO '(anon)' vlen=1\n\ttype_id=11 value='*(reg5 + 0xc)'\n"
        "[14] LOCSEC 'inline.text' vlen=2\n"
        "\tname='leaf' func_type_id=8 loc_proto_type_id=12 offset=16\n"
        "\tname='leaf' func_type_id=8 loc_proto_type_id=13 offset=32\n"))
    result = run("btf", "dump", "--raw", files / "table")
    assert result.status == 2 and "no types of the kinds" in result.err


def test_split_kinds_need_what_they_are_split_on(run, files, tmp_path):
    base = functions("<")
    split = Types("<")
    first = len(base.strings)
    split.strings = b""
    split.add(None, 20, 1, 4, 8, 5)       # 10
    split.add(None, 21, 1, 0, 10)         # 11
    split.strings = b".text\0"
    split.types += split.words(first, 22 << 24 | 1, 0, 8, 11, 0x40)
    (tmp_path / "base").write_bytes(base.section())
    (tmp_path / "split").write_bytes(split.section())
    result = run("btf", "dump", "--btf", tmp_path / "base", tmp_path / "split")
    assert (result.status, result.out) == (0, ".text+0x40\tleaf(unsigned int count=reg5)\n")


def test_types_without_calls_are_nothing_found(run, files):
    result = run("btf", "dump", files / "types")
    assert (result.status, result.out) == (1, "")
    assert ": no inlined calls\n" in result.err


def test_check_is_silent_about_what_is_sound(run, files):
    for args in (("--btf", files / "types", files / "table"), (files / "kinds",)):
        result = run("btf", "check", *args)
        assert (result.status, result.out, result.err) == (0, "", "")
    result = run("btf", "check", files / "table")
    assert (result.status, result.out) == (2, "")
    assert "no BTF to check functions with" in result.err


def test_check_counts_faults_and_says_where_the_first_are(run, files, tmp_path):
    order = "<" if (files / "table").read_bytes()[0] == 0x9f else ">"
    calls = b"".join(struct.pack(f"{order}IIIH", 99 if i < 5 else 9, 9, i, 0) for i in range(6))
    calls += struct.pack(f"{order}IIIHI", 8, 9, 0, 1, 50)
    header = struct.pack(f"{order}HBB5I", 0xeb9f, 1, 0, 24, 0, len(calls), len(calls), 1)
    (tmp_path / "wrong").write_bytes(header + calls + b"\0")
    result = run("btf", "check", "--btf", files / "types", tmp_path / "wrong")
    assert result.status == 1 and result.err == ""
    assert result.out == ("5\tthe callee is not a function\tat 0x18 0x26 0x34 ...\n"
                          "1\ta location does not exist\tat 0x6c\n")


@pytest.mark.parametrize("action", [("dump",), ("convert", "-O", "out")])
def test_what_is_of_a_damaged_table_is_said_to_be_so(run, files, tmp_path, action):
    action = [tmp_path / arg if arg == "out" else arg for arg in action]
    args = "btf", *action, "--btf", files / "types"
    damaged = bytearray((files / "table").read_bytes())
    assert run(*args, files / "table").status == 0
    damaged[-2] = 3  # bytes that are loaded
    (tmp_path / "damaged").write_bytes(damaged)
    result = run(*args, tmp_path / "damaged")
    assert result.status == 2
    assert ".BTF.inline+0x44: a location cannot be read; 1 in all" in result.err
    assert "damaged, or encoded with other types" in result.err


def test_types_that_are_not_those_of_the_table_give_numbers(run, files, tmp_path):
    types = Types("<" if (files / "table").read_bytes()[0] == 0x9f else ">")
    for name in "abcdefghi":
        types.add(name, 1, 0, 4, 32)
    (tmp_path / "other").write_bytes(types.section())
    result = run("btf", "dump", "--btf", tmp_path / "other", files / "table")
    assert result.status == 2
    assert result.out.splitlines()[0] == "[9]+0x30\t[7](_=reg5, _=0x3)"
    assert "the callee is not a function; 3 in all" in result.err
    assert "use --btf and --btf-base" in result.err


def header(order, base, calls, locations):
    return struct.pack(f"{order}HBB5I", 0xeb9f, 1, 0, 24, base, len(calls), base + len(calls),
                       len(locations))


def with_addresses(order, addr, slots):
    """Calls with an address and no caller; the header's offsets count from the section's start."""
    calls = struct.pack(f"{order}QIH{len(slots)}I", addr, 7, len(slots), *slots) * 2
    locations = bytes.fromhex("0002" "050303" "0002")
    return header(order, 24, calls, locations) + calls + locations


def padded(order):
    calls = b"".join(struct.pack(f"{order}IIIHH{len(slots)}I", callee, 9, offset, len(slots), 0,
                                 *slots) for callee, offset, slots in RECORDS)
    return header(order, 0, calls, LOCATIONS) + calls + LOCATIONS


def named_calls(order, *params):
    """A LOCSEC whose items have names, of 16 bytes; a LOC_PARAM has a value of 8 bytes."""
    types = functions(order)
    for words in params:
        types.add(None, 20, 0, 4, *words)
    types.add(None, 21, len(params), 0, *range(10, 10 + len(params)))
    types.add("inline", 22, 1, 0, types.string("leaf"), 4, 10 + len(params), 0x40)
    return types.section()


PROTOTYPE = "+0x8: the format of the RFC's prototype is not supported"
FIRST_LAYOUT = "+0xa4: LOC_PARAM without values: the first layout of the location kinds is not supported"


@pytest.mark.parametrize("make, complaint", [
    (lambda order: with_addresses(order, 0x11d0, (2,)), PROTOTYPE),
    # Its second record looks like BTF.
    (lambda order: with_addresses(order, 0xffffffff812345ff, (2, 2, 2)), PROTOTYPE),
    (padded, ": record extends past the end of the calls"),
    (lambda order: named_calls(order, (5, 16)), FIRST_LAYOUT),
    (named_calls, ": unexpected end of data"),
])
@pytest.mark.parametrize("action", [("dump",), ("check",), ("convert", "-O", "out")])
def test_forms_that_nobody_released_are_refused(run, files, tmp_path, make, complaint, action):
    contents = make("<" if (files / "table").read_bytes()[0] == 0x9f else ">")
    (tmp_path / "other").write_bytes(contents)
    for types in ((), ("--btf", files / "types")):
        result = run("btf", *action, *types, tmp_path / "other", cwd=tmp_path)
        assert (result.status, result.out) == (2, "")
        assert ".BTF" in result.err and complaint in result.err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("section, make, complaint", [
    (".BTF_inline", lambda: with_addresses("<", 0x11d0, (2,)), PROTOTYPE),
    (".BTF.extra", lambda: named_calls("<", (5, 16)), FIRST_LAYOUT),
    (".BTF.inline", lambda: with_addresses("<", 0x11d0, (2,)), PROTOTYPE),
])
def test_a_file_with_such_a_form_is_not_one_without_calls(run, tmp_path, section, make, complaint):
    (tmp_path / "table").write_bytes(make())
    (tmp_path / "types").write_bytes(functions("<").section())
    (tmp_path / "a.c").write_text("int main(void) { return 0; }\n")
    building.command("gcc", "a.c", "-o", "a", cwd=tmp_path)
    building.command("objcopy", "--add-section", f"{section}=table", "--add-section", ".BTF=types",
                     "a", cwd=tmp_path)
    result = run("btf", "dump", tmp_path / "a")
    assert (result.status, result.out) == (2, "") and complaint in result.err
    assert run("sites", "leaf", tmp_path / "a").status == 2
    result = run("sites", "--btf-inline", tmp_path / "table", "leaf", tmp_path / "a")
    assert (result.status, result.out) == (2, "") and complaint in result.err


@pytest.mark.skipif(not shutil.which("pahole"), reason="no pahole")
def test_the_types_that_pahole_writes_are_read(run, tmp_path):
    (tmp_path / "a.c").write_text(
        "struct s { int a; long b[3]; } x; enum e { A, B } y; typedef int (*t)(const char *, ...);\n"
        "t z; double d; int f(struct s *s, t t, enum e e) { return s->a + (t != 0) + e; }\n"
        "int main(void) { return f(&x, z, y) + (int)d; }\n")
    building.command("gcc", "-g", "-O1", "a.c", "-o", "a", cwd=tmp_path)
    building.command("pahole", "-J", "a", cwd=tmp_path)
    result = run("btf", "dump", tmp_path / "a")
    assert result.status == 1 and ": no inlined calls\n" in result.err


@pytest.mark.parametrize("name", ["table", "kinds"])
def test_a_file_that_is_cut_short_is_an_error(run, files, tmp_path, name):
    whole = (files / name).read_bytes()
    for size in (2, 10, 23, 30, len(whole) - 1):
        (tmp_path / "short").write_bytes(whole[:size])
        result = run("btf", "dump", "--btf", files / "types", tmp_path / "short")
        assert result.status == 2 and result.out == "" and ".BTF" in result.err, size


@pytest.mark.parametrize("args, complaint", [
    ((), "no action given"),
    (("dump",), "no FILE given"),
    (("burn", "a"), "unknown action 'burn'"),
    (("check", "--raw", "a"), "btf check does not take --raw"),
    (("dump", "a", "b"), "more than one FILE given"),
    (("dump", "--raw", "--json", "a"), "--raw cannot be used with --json or --csv"),
])
def test_wrong_arguments_are_said_to_be_so(run, args, complaint):
    result = run("btf", *args)
    assert result.status == 64 and complaint in result.err


def test_what_is_no_regular_file_is_not_opened(run):
    result = run("btf", "dump", "/dev/zero")
    assert result.status == 2 and "not a regular file" in result.err


FAILING_READ = """
#include <errno.h>
#include <stdio.h>
int getc(FILE *stream) { stream->_flags |= _IO_ERR_SEEN; errno = ENODEV; return EOF; }
"""


def test_a_file_of_the_kernel_that_cannot_be_made_is_said_to_be_one(run, files, preload):
    result = run("btf", "dump", "/proc/self/mem")
    assert result.status == 2
    assert result.err == "inlinecall: /proc/self/mem: cannot read: Input/output error\n"
    result = run("btf", "dump", files / "table", **preload(FAILING_READ))
    assert result.status == 2
    assert result.err == (f"inlinecall: {files}/table: cannot read: No such device (a file in "
                          "/sys/kernel/btf may need a kernel module that cannot be loaded)\n")
