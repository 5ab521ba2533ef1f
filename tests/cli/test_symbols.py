"""Which symbol names an address: in our own way, and as the tools that we stand in for do."""

import json

import pytest

import building
from styles import ask, find_tool, linked

FAR_APART = """
\t.text
\t.globl big
\t.type big,@function
big:
""" + "".join(f"\t.type s{i},@function\ns{i}:\tnop\n\t.size s{i},1\n" for i in range(1, 41)) + """
\t.fill 64,1,0x90
\t.size big,.-big
"""

# Labels without a size, in functions and between them; several names at one address; data.
LABELS = """
\t.text
\t.globl start_of_all
start_of_all:
\t.nops 8
\t.globl copy
\t.type copy,@function
copy:
\t.nops 8
\t.globl within
within:
\t.nops 8
\t.type local_alias,@function
local_alias:
\t.weak weak_alias
\t.type weak_alias,@function
weak_alias:
\t.globl global_alias
\t.type global_alias,@function
global_alias:
plain_alias:
\t.nops 16
\t.globl inside
inside:
\t.nops 16
\t.size local_alias,.-local_alias
\t.size weak_alias,.-weak_alias
\t.size global_alias,.-global_alias
\t.nops 8
\t.type table,@object
table:
\t.fill 8,1,0
\t.size table,.-table
\t.nops 8
\t.hidden note
note:
\t.nops 8
\t.section second_code,"ax",@progbits
\t.nops 8
second:
\t.nops 8
"""


def assembled(folder, text, *options):
    building.need("gcc")
    (folder / "symbols.s").write_text(text)
    building.command("gcc", "-nostdlib", "-static", "-Wl,--build-id=none", "-Wl,-e,0", *options,
                     folder / "symbols.s", "-o", folder / "symbols")
    return folder / "symbols"


@pytest.fixture
def with_debug(tmp_path):
    """Makes a program of assembly and of a function that the debug information knows."""

    def make(text):
        (tmp_path / "known.c").write_text("int known(void)\n{\n\treturn 0;\n}\n")
        building.need("gcc")
        building.command("gcc", "-g", "-O2", "-c", tmp_path / "known.c", "-o", tmp_path / "known.o")
        return assembled(tmp_path, text, tmp_path / "known.o")

    return make


def code_of(path):
    """The addresses of the sections of code, from the first to beyond the last."""
    found = [line.split("]", 1)[1].split() for line in
             building.command("readelf", "-SW", path).splitlines() if " AX " in line]
    places = [(int(words[2], 16), int(words[4], 16)) for words in found]
    return range(places[0][0], sum(places[-1]))


def names(run, path, addresses):
    result = run("addr", "--json", path, *(f"0x{addr:x}" for addr in addresses))
    assert result.err == ""
    return [(row["frames"] or [{"function": None}])[-1]["function"]
            for row in map(json.loads, result.out.splitlines())]


def start_of(path, name):
    return next(int(line.split()[0], 16) for line in building.command("nm", path).splitlines()
                if line.split()[-1] == name)


def test_the_answer_does_not_depend_on_how_many_came_before(run, with_debug):
    """A function around 40 others has the code after them, and all symbols answer as few do."""
    path = with_debug(FAR_APART)
    start = start_of(path, "big")
    code = range(start, start + 40 + 64)
    expected = [f"s{i}" for i in range(1, 41)] + ["big"] * 64
    expected[0] = "big"  # both begin there, and it is global
    assert names(run, path, code) == expected
    assert [names(run, path, [addr])[0] for addr in code] == expected


def test_what_has_no_size_names_the_code_up_to_the_next_symbol(run, with_debug):
    path = with_debug(LABELS)
    start, second = (start_of(path, name) for name in ("start_of_all", "second"))
    code = range(start, second + 8)
    expected = (["start_of_all"] * 8 + ["copy"] * 8 + ["within"] * 8 + ["global_alias"] * 32
                + [None] * 24)
    found = names(run, path, code)
    assert found[:80] == expected
    assert found[-8:] == ["second"] * 8
    assert [names(run, path, [addr])[0] for addr in code] == found


@pytest.mark.parametrize("kind", ["whole", "object", "stripped"])
def test_the_stand_ins_name_what_the_others_name(program, tmp_path, kind):
    options = {"whole": [], "stripped": ["-s"], "object": ["-c"]}[kind]
    path = assembled(tmp_path, LABELS.replace("second_code", ".text") if kind == "object" else
                     LABELS, *options)
    addresses = range(0, 96) if kind == "object" else code_of(path)
    for tool, name, asked in (
            ("addr2line", "addr2line", ["-f", "-e", path]),
            ("llvm-symbolizer-14", "llvm-symbolizer-14", ["--no-demangle", f"--obj={path}"])):
        theirs, ours = find_tool(tool), linked(program, tmp_path, name)
        numbers = [f"0x{addr:x}" for addr in addresses][::4]
        expected = [ask(theirs, *asked, number) for number in numbers]
        assert [ask(ours, *asked, number) for number in numbers] == expected
        # GNU's takes the last function again, if it holds the address, whatever is inside it.
        together = ask(ours, *asked, *numbers)
        assert together == (0, "".join(answer[1] for answer in expected), "")


def test_versions_are_no_part_of_a_name(run, tmp_path):
    (tmp_path / "wait.c").write_text(
        "int old(void)\n{\n\treturn 1;\n}\nint now(void)\n{\n\treturn 2;\n}\n"
        "int gone(void)\n{\n\treturn 3;\n}\n"
        '__asm__(".symver old, wait@V1\\n.symver now, wait@@V2\\n.symver gone, gone@V1");\n')
    (tmp_path / "map").write_text("V1 { global: wait; gone; local: *; };\nV2 { global: wait; } V1;\n")
    building.need("gcc")
    building.command("gcc", "-O2", "-shared", "-fPIC", "-Wl,--version-script", tmp_path / "map",
                     tmp_path / "wait.c", "-o", tmp_path / "wait.so")
    path = tmp_path / "wait.so"
    symbols = {line.split()[-1]: int(line.split()[0], 16)
               for line in building.command("nm", path).splitlines() if " T " in line}
    asked = ["wait", "wait@V1", "wait@@V2", "gone"]
    found = [json.loads(line) for line in run("addr", "--json", path, *asked).out.splitlines()]
    assert [int(row["address"], 16) for row in found] == [
        symbols["wait@@V2"], symbols["wait@V1"], symbols["wait@@V2"], symbols["gone@V1"]]
    assert [row["frames"][0]["function"] for row in found] == ["wait", "wait", "wait", "gone"]


def test_a_library_s_own_alias_does_not_name_the_function(run, tmp_path):
    (tmp_path / "alias.c").write_text(
        "int sink;\n"
        "static inline __attribute__((always_inline)) void leaf(int x)\n{\n\tsink += x;\n}\n"
        'int f(int x) __asm__("__GI_f") __attribute__((visibility("hidden")));\n'
        "int f(int x)\n{\n\tleaf(x);\n\treturn x;\n}\n"
        'extern __typeof(f) public __asm__("f") '
        '__attribute__((alias("__GI_f"), visibility("default")));\n')
    building.need("gcc")
    building.command("gcc", "-g", "-O2", "-shared", "-fPIC", tmp_path / "alias.c", "-o",
                     tmp_path / "alias.so")
    result = run("--json", "leaf", tmp_path / "alias.so")
    assert [json.loads(line)["symbol"] for line in result.out.splitlines()] == ["f"]
    result = run("tree", "--json", "f", tmp_path / "alias.so")
    assert {json.loads(line)["symbol"] for line in result.out.splitlines()} == {"f"}
