"""GSYM and Breakpad files: what commands read from them, and what is said of damage."""

import gzip
import json
import struct

import pytest

BREAKPAD = """\
MODULE Linux x86_64 0123456789ABCDEF0123456789ABCDEF0 prog
INFO CODE_ID 67452301AB89EFCD0123456789ABCDEF01020304
FILE 0 a.c
FILE 7 dir with blanks/b.h
INLINE_ORIGIN 0 leaf
INLINE_ORIGIN 1 ns::inner(int, char)
FUNC 1000 40 0 main
INLINE 0 12 7 0 1010 10 1028 4
INLINE 1 13 7 1 1014 8
1000 10 3 0
1010 18 5 7
1030 10 4 0
FUNC m 2000 20 8 other(int)
2000 20 8 0
PUBLIC 1800 0 start
PUBLIC m 2100 8 stop
STACK CFI INIT 1000 40 .cfa: $rsp 8 + .ra: .cfa 8 - ^
"""
OLD = """\
MODULE Linux x86 0123456789ABCDEF0123456789ABCDEF0 prog
FILE 0 a.c
INLINE_ORIGIN 0 0 leaf
FUNC 1000 40 0 main
INLINE 0 12 0 1010 10
1000 40 3 0
"""
FORMS = ["gsym", "gsym2", "breakpad"]


@pytest.fixture
def symbols(tmp_path):
    """Writes a text or bytes into a file, and returns its path."""

    def write(content, name="prog.sym"):
        path = tmp_path / name
        path.write_bytes(content.encode() if isinstance(content, str) else content)
        return path

    return write


def frames(run, path, *addresses, status=0):
    result = run("addr", "--json", path, *addresses)
    assert (result.status, result.err) == (status, "")
    stacks = [json.loads(line) for line in result.out.splitlines()]
    return [[(frame["function"], frame["file"], frame["line"]) for frame in stack["frames"]]
            for stack in stacks]


def test_frames_are_read_from_breakpad_files(run, symbols):
    found = frames(run, symbols(BREAKPAD), "0x1000", "0x1010", "0x1014", "0x1028", "0x1030", "0x2001")
    call, file = "dir with blanks/b.h", "a.c"
    assert found == [[("main", file, 3)],
                     [("leaf", call, 5), ("main", call, 12)],
                     [("ns::inner(int, char)", call, 5), ("leaf", call, 13), ("main", call, 12)],
                     [("leaf", None, 0), ("main", call, 12)],  # no row
                     [("main", file, 4)], [("other(int)", file, 8)]]


def test_symbols_of_breakpad_files_end_at_the_next_function(run, symbols):
    found = run("addr", symbols(BREAKPAD), "0x1800", "0x1fff", "0x2000", "0x2100", "main+0x10").out
    lines = [line for line in found.splitlines() if not line.startswith("\t")]
    assert [line.split("\t")[1] for line in lines] == ["start()", "start()", "other(int)", "stop()", "leaf()"]


def test_the_format_until_2022_is_read(run, symbols):
    assert frames(run, symbols(OLD), "0x1018") == [[("leaf", "a.c", 3), ("main", None, 12)]]


def test_the_calls_of_both_parts_of_a_function_may_be_with_each_part(run, symbols):
    """As dump_syms writes them: each part has its own code of them."""
    parts = ["FUNC 1000 40 0 main\n", "FUNC 3000 20 0 main\n"]
    calls = "INLINE 0 12 7 0 1010 10 3004 4\nINLINE 1 13 7 1 3004 2\n"
    path = symbols(BREAKPAD[:BREAKPAD.index("FUNC")] + "".join(part + calls for part in parts))
    rows = [json.loads(line) for line in run("sites", "-a", "--json", path).out.splitlines()]
    assert [(row["function"], row["ranges"]) for row in rows if row["type"] == "site"] == [
        ("leaf", [["0x1010", "0x1020"]]), ("leaf", [["0x3004", "0x3008"]]),
        ("ns::inner(int, char)", [["0x3004", "0x3006"]])]


def test_a_compressed_file_is_read(run, symbols):
    path = symbols(gzip.compress(BREAKPAD.encode()), "prog.sym.gz")
    assert frames(run, path, "0x1014")[0][0] == ("ns::inner(int, char)", "dir with blanks/b.h", 5)


def test_ends_of_lines_may_be_those_of_windows(run, symbols):
    path = symbols(BREAKPAD.replace("\n", "\r\n"))
    assert frames(run, path, "0x1014")[0][0] == ("ns::inner(int, char)", "dir with blanks/b.h", 5)


@pytest.mark.parametrize("name", ["inner", "ns::inner", "ns::inner(int, char)"])
def test_a_function_has_the_names_that_it_has_in_the_source(run, symbols, name):
    result = run(name, symbols(BREAKPAD))
    assert result.status == 0 and "[0x1014 - 0x101c]" in result.out


@pytest.mark.parametrize("old, new, said", [
    ("FUNC m 2000", "FUNC m 20_0", "malformed or unknown line; 1 such line"),
    ("INFO CODE_ID", "INF0 CODE_ID", "malformed or unknown line"),
    ("1000 10 3 0", "1000 10 3 x", "malformed row"),
    ("1000 10 3 0", "1000 10 3 5", "no FILE has this number"),
    ("INLINE 1 13 7 1", "INLINE 1 13 7 9", "no INLINE_ORIGIN has this number"),
    ("INLINE 1 13 7 1", "INLINE 2 13 7 1", "an inlined call without the call around it"),
    ("1028 4", "1028 zz", "malformed range of an inlined call"),
    ("MODULE Linux x86_64 0", "MODULE Linux", "malformed MODULE line"),
    ("STACK CFI INIT 1000 40", "STACK CFI INIT 1000 4x", "malformed or unknown line"),
    ("FUNC m 2000", "FUNX m 2000", "malformed or unknown line; 1 such line was left out"),
    ("INLINE 1 13 7 1 1014 8", "INLINE 1 13 7 1 1014 8 1018", "malformed inlined call"),
])
def test_a_damaged_line_costs_that_line_and_is_said(run, symbols, old, new, said):
    assert old in BREAKPAD
    result = run("addr", symbols(BREAKPAD.replace(old, new)), "0x1014")
    assert result.status == 2 and said in result.err


def test_a_last_line_without_an_end_is_left_out_and_said(run, symbols):
    """A number may be cut in it."""
    whole = run("addr", symbols(BREAKPAD), "0x1014")
    for size in range(BREAKPAD.index("FUNC"), len(BREAKPAD)):
        result = run("tree", "-a", symbols(BREAKPAD[:size]))
        is_cut = BREAKPAD[size - 1] != "\n"
        assert ("the last line has no end" in result.err) == is_cut, (size, result)
        assert not is_cut or result.status == 2
    assert whole.status == 0


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("name", ["c", "c++", "server"])
def test_what_is_written_has_every_copy(run, elf, tmp_path, form, name):
    """By their lines and code: if a function has several parts, each of them has copies of its own."""

    def joined(ranges):
        """Those that touch are one."""
        ends = {int(start, 16): int(end, 16) for start, end in ranges}
        for start in sorted(ends, reverse=True):
            ends[start] = ends.pop(ends[start], ends[start])
        return ends.items()

    def copies(path):
        rows = map(json.loads, run("sites", "-a", "--json", path).out.splitlines())
        return sorted((row["call_line"], row["call_file"], *range)
                      for row in rows if row["type"] == "site" for range in joined(row["ranges"]))

    output = tmp_path / "out"
    assert run("emit", f"--format={form}", f"--output={output}", elf(name)) == (0, "", "")
    assert len(copies(output)) > 10 and copies(output) == copies(elf(name))


def call_frames(run, path):
    """Without those whose canonical frame address is an expression, which Breakpad cannot have."""
    result = run("cfi", "--json", path)
    assert (result.status, result.err) == (0, "")
    rows = [json.loads(line) for line in result.out.splitlines()]
    return [(row["start"], row["end"], row["cfa"], row["registers"], row["return_register"])
            for row in rows if row["type"] == "call_frame" and row["cfa"]["kind"] == "register"]


@pytest.mark.parametrize("name", ["c", "c++", "server"])
def test_call_frames_are_those_of_the_program(run, elf, tmp_path, name):
    output = tmp_path / "out"
    assert run("emit", "--format=breakpad", f"--output={output}", elf(name)) == (0, "", "")
    wanted = call_frames(run, elf(name))
    assert len(wanted) > 20 and call_frames(run, output) == wanted


@pytest.mark.parametrize("rules, wanted", [
    (".cfa: $rsp 8 + .ra: .cfa 8 - ^", "CFA=%rsp+8 %rip=[CFA-8]"),
    (".cfa: $rsp 8 + .ra: .cfa -8 + ^ $rbx: $rax", "CFA=%rsp+8 %rbx=%rax %rip=[CFA-8]"),
    (".cfa: $rbp .ra: .cfa ^ $rbx: .undef", "CFA=%rbp+0 %rbx=undefined %rip=[CFA+0]"),
    (".cfa: $rsp 160 + ^ .ra: $rsp 168 + ^",
     "CFA=DW_OP_breg7 rsp+160, DW_OP_deref %rip=[DW_OP_breg7 rsp+168]"),
    (".cfa: $rsp 16 + .ra: $rsp 8 + ^ $rbp: .cfa 4 +", "CFA=%rsp+16 %rbp=CFA+4 %rip=[DW_OP_breg7 rsp+8]"),
])
def test_rules_of_call_frames(run, symbols, rules, wanted):
    text = BREAKPAD.replace(".cfa: $rsp 8 + .ra: .cfa 8 - ^", rules)
    result = run("cfi", symbols(text), "0x1000")
    assert result.status == 0 and result.out.splitlines()[-1].split("\t")[1] == wanted


@pytest.mark.parametrize("line", [
    "STACK CFI 1004 .cfa: $rsp $rax +",
    "STACK CFI 0fff .cfa: $rsp 16 +",
    "STACK CFI 1040 .cfa: $rsp 16 +",
    "STACK CFI 1004 $nothing: .cfa",
    "STACK CFI 1004",
    "STACK CFI",
    "STACK",
])
def test_rules_that_cannot_be_read_end_those_before_and_are_said(run, symbols, line):
    result = run("cfi", symbols(BREAKPAD + line + "\n"))
    assert result.status == 2 and "unknown instruction (for .debug_frame" in result.err


@pytest.mark.parametrize("form", FORMS)
def test_dwarf_is_written_from_either(run, elf, tmp_path, form):
    """The same frames after two conversions."""
    first, second = tmp_path / "first", tmp_path / "second"
    assert run("emit", f"--format={form}", "-O", first, elf("c")).status == 0
    assert run("emit", "-O", second, first) == (0, "", "")
    rows = map(json.loads, run("sites", "-a", "--json", first).out.splitlines())
    starts = [start for row in rows if row["type"] == "site" for start, _ in row["ranges"]]
    assert starts and frames(run, first, *starts) == frames(run, second, *starts)


@pytest.mark.parametrize("form", ["gsym", "gsym2", "breakpad"])
def test_where_copies_are_entered_is_not_invented(run, elf, tmp_path, form):
    path = tmp_path / "made"
    assert run("emit", f"--format={form}", "-O", path, elf("c")).status == 0
    rows = [json.loads(line) for line in run("sites", "-a", "-o", "--json", path).out.splitlines()]
    assert {row["entry"] for row in rows if row["type"] == "site"} == {None}
    assert all(row["entry"] == row["ranges"][0][0] for row in rows if row["type"] == "copy")
    result = run("sites", "-e", "clamp", path)
    assert "calls may be missing: the file does not say where it is entered" in result.err
    result = run("probe", "clamp", path)
    assert result.out == "" or "p:" not in result.out
    assert "the file does not say where" in result.err


@pytest.mark.parametrize("by", ["namespace", "crate"])
def test_namespaces_are_not_said_to_be_none(run, elf, tmp_path, by):
    path = tmp_path / "made"
    assert run("emit", "--format=gsym", "-O", path, elf("c++")).status == 0
    result = run("sizes", f"--by={by}", path)
    assert result.status == 2 and "do not record namespaces" in result.err
    assert run("sizes", path).status == 0


def test_gsym_that_ends_early_is_said_to(run, elf, tmp_path):
    output = tmp_path / "out"
    run("emit", "--format=gsym", "-O", output, elf("c"))
    whole = output.read_bytes()
    for size in (7, 20, 47, len(whole) // 2, len(whole) - 1):
        output.write_bytes(whole[:size])
        result = run("sites", "-a", output)
        assert result.status == 2 and ".gsym+0x" in result.err


@pytest.mark.parametrize("version", [0, 3, 0xffff])
def test_an_unknown_version_of_gsym_is_said(run, elf, tmp_path, version):
    output = tmp_path / "out"
    run("emit", "--format=gsym", "-O", output, elf("c"))
    changed = bytearray(output.read_bytes())
    changed[4:6] = struct.pack("=H", version)
    output.write_bytes(changed)
    result = run("addr", output, "0x1")
    assert result.status == 2 and f"unsupported GSYM version {version}" in result.err


@pytest.mark.parametrize("words", [["--dwarf=4"], ["--compress=zlib"], ["--link=copy"]])
def test_options_of_dwarf_are_not_ignored(run, elf, tmp_path, words):
    result = run("emit", "--format=gsym", f"--output={tmp_path / 'out'}", *words, elf("c"))
    assert result.status == 64 and "for --format=dwarf only" in result.err


def gsym(functions, strings=(b"", b"outer", b"inner", b"other", b"alone")):
    """GSYM 1 of [(address, size, name, call, merged name), ...]; `call` is the code of an inlined call of
    "inner", as (offset, size), or None, like the name."""
    table = b"\0".join(strings) + b"\0"
    off_of = {name: table.index(b"\0" + name + b"\0") + 1 for name in strings[1:]}
    base, infos = min(function[0] for function in functions), b""
    first = 48 + 4 * len(functions) * 2 + 4 + 16 + len(table)
    offs = []

    def info(size, name, *parts):
        parts = b"".join(struct.pack("=II", kind, len(part)) + part for kind, part in parts)
        return struct.pack("=II", size, off_of[name]) + parts + bytes(8)

    for _, size, name, call, merged in functions:
        parts = []
        if call:
            tree = bytes([1, 0]) + uleb(size) + bytes([1]) + bytes(6) + bytes([1]) + uleb(call[0])
            tree += uleb(call[1]) + b"\0" + struct.pack("=I", off_of[b"inner"]) + bytes([1, 7, 0])
            parts.append((2, tree))
        if merged:
            other = info(size, merged)
            parts.append((3, struct.pack("=II", 1, len(other)) + other))
        offs.append(first + len(infos))
        infos += info(size, name, *parts)
    header = struct.pack("=IHBBQIII20s", 0x4753594d, 1, 4, 0, base, len(functions),
                         first - len(table), len(table), b"")
    return (header + struct.pack(f"={len(functions)}I", *(function[0] - base for function in functions)) +
            struct.pack(f"={len(functions)}I", *offs) +
            struct.pack("=IIIII", 2, 0, 0, 0, off_of[b"other"]) + table + infos)


def uleb(number):
    digits = []
    while number > 0x7f:
        digits.append(number & 0x7f | 0x80)
        number >>= 7
    return bytes([*digits, number])


def names(run, path, *addresses):
    result = run("addr", "--json", path, *addresses)
    stacks = [json.loads(line) for line in result.out.splitlines()]
    return [[frame["function"] for frame in stack["frames"]] for stack in stacks], result


def test_the_function_that_begins_last_is_at_an_address(run, symbols):
    path = symbols(gsym([(0x1000, 0x40, b"outer", (0x10, 0x20), None), (0x1018, 8, b"other", None, None)]))
    found, _ = names(run, path, "0x1017", "0x1018", "0x101f", "0x1020")
    assert found == [["inner", "outer"], ["other"], ["other"], ["inner", "outer"]]


def test_a_function_of_unknown_size_ends_at_the_next(run, symbols):
    path = symbols(gsym([(0x1000, 0, b"outer", None, None), (0x1018, 0, b"other", None, None)]))
    assert names(run, path, "0x1000", "0x1017", "0x1018", "0x1019")[0] == [["outer"], ["outer"], ["other"], []]


def test_the_first_of_merged_functions_is_at_an_address(run, symbols):
    path = symbols(gsym([(0x1000, 0x40, b"outer", None, b"other")]))
    assert names(run, path, "0x1000")[0] == [["outer"]]
    rows = [json.loads(line) for line in run("sites", "-o", "-g", "--json", "o*", path).out.splitlines()]
    assert sorted(row["function"] for row in rows if row["type"] == "copy") == ["other", "outer"]


def test_functions_need_not_be_sorted(run, symbols):
    """There are two units; each has to be read for any address."""
    functions = [(0x1000 + 0x10 * number, 0x10, b"other", None, None) for number in range(200)]
    functions[5] = (0x1050, 0x10, b"alone", (4, 4), None)
    path = symbols(gsym(functions[::-1]))
    assert names(run, path, "0x1054", "0x1058", "0x1c70")[0] == [["inner", "alone"], ["alone"], ["other"]]


def test_a_call_outside_of_its_function_is_said(run, symbols):
    found, result = names(run, symbols(gsym([(0x1000, 0x40, b"outer", (0x30, 0x20), None)])), "0x1030")
    assert found == [["outer"]] and result.status == 2
    assert "an inlined call is outside of its function" in result.err


def test_a_damaged_function_costs_only_that_function(run, symbols):
    """Even the last one, whose end is that of the code."""
    content = gsym([(0x1000, 0x10, b"outer", None, None), (0x1010, 0x10, b"other", None, None)])
    found, result = names(run, symbols(content[:-1]), "0x1000", "0x1010")
    assert found[0] == ["outer"] and result.status == 2 and ".gsym+0x" in result.err


@pytest.mark.parametrize("form", FORMS)
def test_long_names_are_whole(run, symbols, tmp_path, form):
    name = "f" * 9000
    first, second = symbols(BREAKPAD.replace("main", name)), tmp_path / "second"
    assert run("emit", f"--format={form}", "-O", second, first) == (0, "", "")
    assert frames(run, second, "0x1000")[0][0][0] == name
