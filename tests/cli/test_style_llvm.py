"""inlinecall as llvm-symbolizer prints what LLVM's does, except as its manual lists."""

import json
import re
import subprocess

import pytest

from styles import MAN, addresses, ask, combinations, functions, linked, llvm_tool, llvm_tools, need_llvm
from styles import NEWEST_LLVM, llvm_version
from styles import styled  # a fixture

START = re.compile(r"  Function start address: .*\n")
PROGRAMS = ["c", "dwarf-4", "fixed", "32", "c++", "unnamed", "clang", "clang-4", "clang++"]


@pytest.fixture(scope="session", params=["14", "newest"])
def version(request):
    """14, and the newest that is here: it is what inlinecall follows unless its name says 14."""
    if (request.param == "14" and max(llvm_tools("llvm-symbolizer"), default=14) >= 19
            and not request.config.getoption("--long")):
        pytest.skip("a newer LLVM is here, and both take minutes: pass --long")
    return request.param


@pytest.fixture(scope="session")
def llvm(version):
    return llvm_tool("llvm-symbolizer", version)


@pytest.fixture(scope="session")
def llvm_addr2line(version):
    return llvm_tool("llvm-addr2line", version)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("llvm")


@pytest.fixture(scope="session")
def ours(program, folder, version):
    return linked(program, folder, f"llvm-symbolizer{'-14' * (version == '14')}")


@pytest.fixture(scope="session")
def our_addr2line(program, folder, version):
    return linked(program, folder, f"llvm-addr2line{'-14' * (version == '14')}")


def lines(path):
    return "".join(f"0x{number:x}\n" for number in addresses(path))


def frames_of(answers):
    return [frame for line in answers.splitlines() for frame in json.loads(line)["Symbol"]]


def starts_with_entries(path):
    """[(DW_AT_low_pc, DW_AT_entry_pc), ...] of the copies that have both."""
    text = ask("readelf", "--debug-dump=info", path)[1]
    copies = re.split(r"\n <[0-9a-f]+><[0-9a-f]+>: ", text)
    pairs = ([re.search(rf"DW_AT_{name}_pc +: (0x[0-9a-f]+)", copy) for name in ("low", "entry")]
             for copy in copies)
    return [(low[1], entry[1]) for low, entry in pairs if low and entry]


def check_frames(found, expected, path):
    """LLVM knows only of some functions where they begin, not where they are entered, and in which
    file."""
    found, expected = frames_of(found), frames_of(expected)
    starts = starts_with_entries(path)
    assert len(found) == len(expected) > 20
    for ours, theirs in zip(found, expected):
        if (theirs["StartAddress"], ours["StartAddress"]) in starts:
            theirs["StartAddress"] = ours["StartAddress"]
        for key in "StartAddress", "StartFileName":
            if not theirs[key]:
                theirs[key] = ours[key]
        assert ours == theirs


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_instruction_in_every_style(llvm, ours, styled, name):
    path = styled(name)
    questions = lines(path)
    for style in [], ["--output-style", "GNU"]:
        for options in [], ["-a"], ["-p"], ["-aps"]:
            asked = [*style, *options, "-e", path]
            assert ask(ours, *asked, stdin=questions) == ask(llvm, *asked, stdin=questions), asked
    asked = ["--output-style=JSON", "-e", path]
    found, expected = ask(ours, *asked, stdin=questions), ask(llvm, *asked, stdin=questions)
    check_frames(found[1], expected[1], path)
    assert [line[:60] for line in found[1].splitlines()] == [
        line[:60] for line in expected[1].splitlines()]


@pytest.mark.sampled(12)
@pytest.mark.parametrize("name", ["c", "c++", "unnamed"])
@pytest.mark.parametrize("options", [
    ["--no-inlines"], ["--no-inlines", "--output-style=GNU"], ["--inlining=false"], ["-f=none"],
    ["-f=short"], ["-f=linkage"], ["--functions=short", "--no-inlines"], ["--functions", "-f=none"],
    ["--no-demangle"], ["-demangle=false"], ["-C", "--no-demangle", "-i"],
    ["--default-arch=x86_64", "--print-address"], ["--no-untag-addresses", "--relative-address"],
    ["--basenames", "--pretty-print"], ["--no-inlines", "--inlines", "--dsym-hint=x.dSYM"],
    ["--output-style=JSON", "--output-style=LLVM"]])
def test_every_instruction_with_options(llvm, ours, styled, name, options):
    path = styled(name)
    asked = [*options, "--obj", path]
    assert ask(ours, *asked, stdin=lines(path)) == ask(llvm, *asked, stdin=lines(path))


@pytest.mark.parametrize("options", [["--adjust-vma=0x10"], ["--adjust-vma", "16", "-a"]])
def test_addresses_may_be_adjusted(llvm, ours, styled, options):
    path = styled("c")
    questions = "".join(f"{number + 16}\n" for number in addresses(path))
    asked = [*options, "-e", path]
    answers = ask(ours, *asked, stdin=questions)
    assert answers == ask(llvm, *asked, stdin=questions)
    assert answers[1].count("styles.c") >= len(addresses(path)) / 2


@pytest.mark.parametrize("count", ["0", "1", "2", "3", "10", "40", "100"])
def test_the_source_around_a_line(llvm, ours, styled, count):
    path = styled("c")
    for options in [], ["--output-style", "GNU"]:
        asked = [f"--print-source-context-lines={count}", *options, "-e", path]
        assert ask(ours, *asked, stdin=lines(path)) == ask(llvm, *asked, stdin=lines(path))


@pytest.mark.parametrize("name", ["c", "unnamed", "clang++"])
@pytest.mark.parametrize("options", [[], ["--no-inlines"], ["-f=short", "-s"], ["-f=none", "-p"],
                                     ["--output-style=GNU"]])
def test_verbose(llvm, ours, styled, name, options):
    path = styled(name)
    asked = ["--verbose", *options, f"--exe={path}"]
    found, expected = ask(ours, *asked, stdin=lines(path)), ask(llvm, *asked, stdin=lines(path))
    assert START.sub("", found[1]) == START.sub("", expected[1])
    assert found[1].count("start address") >= expected[1].count("start address")
    if "--no-inlines" in options:
        assert found == expected


def test_json_of_operands_is_one_array(llvm, ours, styled):
    path = styled("fixed")
    start, _ = functions(path)["main"]
    questions = [f"0x{start:x}", "zz", f"DATA 0x{start:x}", "", "0x0", f"CODE {start}"]
    for options in [], ["-s"], ["--print-source-context-lines=3"]:
        asked = ["--output-style=JSON", *options, "-e", path, *questions]
        assert ask(ours, *asked) == ask(llvm, *asked)
    assert ask(ours, "--output-style=JSON", "-e", "absent", "1", "2")[1] == ask(
        llvm, "--output-style=JSON", "-e", "absent", "1", "2")[1]


def test_json_says_where_inlined_functions_begin(ours, styled):
    """LLVM does if the code is in one piece."""
    path = styled("c")
    answers = [json.loads(line) for line in
               ask(ours, "--output-style=JSON", "-e", path, stdin=lines(path))[1].splitlines()]
    starts = {frame["StartAddress"] for answer in answers for frame in answer["Symbol"]
              if frame["FunctionName"] == "middle"}
    assert starts and all(re.fullmatch("0x[0-9a-f]+", start) for start in starts)


def test_strings_of_json_are_escaped(llvm, ours, tmp_path):
    for name in ('a"b', "a\\b", "tab\there", "\x01", "ü€😀", "\udcff\udcc3",
                 "\udced\udca0\udc80"):
        asked = ["--output-style=JSON", "-e", str(tmp_path / name), "0"]
        assert ask(ours, *asked)[1] == ask(llvm, *asked)[1], name


@pytest.mark.parametrize("style", ["LLVM", "GNU", "JSON"])
def test_lines_that_name_their_files(llvm, ours, styled, tmp_path, style, version):
    path = tmp_path / "a file"
    path.symlink_to(styled("fixed"))
    start, _ = functions(path)["main"]
    other = styled("c")
    questions = (f'"{path}" 0x{start:x}\n\'{path}\' {start} junk\nCODE {other} 0x1080\n'
                 f'  {other} 0x1090\nCODE "{path} 0x1\nabsent 1\nabsent 2\nDATA absent 3\n'
                 f'FRAME absent 0\nFRAME {other} 0x0\n\n{other}\ncode {other} 0x1\r\n'
                 f'DATA "{path}" 0x{start:x}\nDATA {other} 0\nDATA\nCODE\n{other} 0x1080')
    asked = [f"--output-style={style}"]
    found, expected = ask(ours, *asked, stdin=questions), ask(llvm, *asked, stdin=questions)
    if style == "JSON":
        start = re.compile('"StartAddress":"[^"]*"')
        assert start.sub("", found[1]) == start.sub("", expected[1])
    else:
        assert found[:2] == expected[:2]
    if version == "newest" or style == "JSON":
        assert found[2] == expected[2]
    else:
        assert found[2] == "LLVMSymbolizer: error reading file: No such file or directory\n"


@pytest.mark.parametrize("number", [
    "0x1080", "0X1080", "4224", "010200", "0b1000010000000", "0o10200", "08", "0x", "0b2", "1080h",
    "+1", "99999999999999999999", "0x1ffffffffffffffff", "0", "00", "",
    "  0x1080", "0x1080 0x1090", "\t0x1080", "0x1080\r"])
def test_numbers(llvm, ours, styled, number):
    path = styled("c")
    assert ask(ours, "-e", path, stdin=number + "\n") == ask(llvm, "-e", path, stdin=number + "\n")


def answers_without_places(answers):
    """Those for DATA, without the third line of later versions: the place of the declaration."""
    return re.sub(r"(?m)^(\d+ \d+\n)(?!\n).*:.*\n", r"\1", answers[1])


def test_data_are_variables(llvm, ours, styled):
    path = styled("c")
    symbols = {line.split()[2]: int(line.split()[0], 16) for line in ask("nm", path)[1].splitlines()
               if len(line.split()) == 3}
    questions = [f"DATA 0x{symbols[name] + offset:x}" for name, offset in (
        ("counter", 0), ("counter", 3), ("table", 4), ("sink", 0), ("main", 0), ("top", 5))]
    for options in [], ["-a"], ["-ap"], ["--output-style=GNU"], ["--output-style=JSON"]:
        asked = [*options, "-e", path, *questions, "DATA 0x1"]
        assert answers_without_places(ask(ours, *asked)) == answers_without_places(
            ask(llvm, *asked))
    start = functions(styled("c++"))["_ZNK5space4pair7convertIiEET_S2_"][0]
    for options in [], ["--no-demangle"]:
        asked = [*options, "-e", styled("c++"), f"DATA 0x{start:x}"]
        assert ask(ours, *asked) == ask(llvm, *asked)


@pytest.mark.usefixtures("newest")
@pytest.mark.parametrize("name", ["c", "dwarf-4", "c++", "clang", "clang-4", "clang++"])
def test_where_data_are_declared(llvm, ours, styled, name):
    """LLVM's does not know it of all: the type of some is with their declaration."""
    symbols = ask("nm", "-S", styled(name))[1].splitlines()
    questions = "".join(f"DATA 0x{line.split()[0]}\n" for line in symbols
                        if len(line.split()) == 4 and line.split()[2] in "BbDdRr")
    asked = ["-s", "-e", styled(name)]
    found, expected = (ask(tool, *asked, stdin=questions)[1].split("\n\n") for tool in (ours, llvm))
    declared = [(ours, theirs) for ours, theirs in zip(found, expected)
                if not theirs.endswith(("?", ":0"))]
    assert len(found) == len(expected) and all(ours == theirs for ours, theirs in declared[:-1])
    assert any(re.search(r"^table\n.*\n.*styles.c:\d+$", answer) for answer in found) or "++" in name


@pytest.mark.parametrize("name", ["c", "dwarf-4", "c++", "unnamed", "clang", "clang-4", "object"])
def test_the_variables_of_a_frame(llvm, ours, styled, name):
    path = styled(name)
    questions = "".join(f"FRAME 0x{number:x}\n" for number in addresses(path))
    if name == "object":
        questions = "FRAME 0\nFRAME 4\n"
    for style in "LLVM", "GNU", "JSON":
        asked = ["-a", f"--output-style={style}", "-e", path]
        assert ask(ours, *asked, stdin=questions) == ask(llvm, *asked, stdin=questions)
    assert "\ncount\n" in ask(ours, "-e", path, stdin=questions)[1] or name in ("unnamed", "object")


def test_where_variables_are_in_a_frame(llvm, ours, tmp_path):
    """HWASan's compiler says how their tags differ from that of the frame."""
    (tmp_path / "frame.c").write_text("void use(void *);\nstruct s { int a[3][5]; char (*f)(int); };\n"
                                      "int f(int n) { struct s s[2]; long x = n; short y[7]; use(s);"
                                      " use(&x); use(y); return (int)x; }\n")
    for options in (["-O0"], ["-O1"], ["-O1", "-gdwarf-4"],
                    ["-O1", "--target=aarch64-linux-gnu", "-fsanitize=hwaddress"]):
        built = ask("clang", "-g", *options, "-c", "frame.c", cwd=tmp_path)
        assert built[0] == 0, built
        asked = ["-e", tmp_path / "frame.o", *(f"FRAME {number}" for number in range(0, 64, 4))]
        assert ask(ours, *asked) == ask(llvm, *asked)
        assert "frame.c:3\n" in ask(ours, *asked)[1]
    assert re.search(r"\ns\n.*frame.c:3\n-?\d+ 144 \d+\n", ask(ours, *asked)[1])


def test_symbols_may_have_tags_in_their_addresses(llvm, ours, version, tmp_path):
    """As those of HWASan's variables do. A symbol that is asked for has the one that it is in."""
    (tmp_path / "tags.s").write_text(
        "\t.globl _start\n\t.type _start, @function\n_start:\n\tnop\n\t.size _start, 1\n\t.data\n" +
        "".join(f"\t.globl {name}\n\t.type {name}, @object\n\t.size {name}, 4\n"
                f"{name} = . + {tag}\n\t.4byte 1\n"
                for name, tag in (("tagged", "0x1100000000000000"), ("plain", "0"))))
    assert ask("gcc", "-c", "tags.s", cwd=tmp_path)[0] == 0
    assert ask("ld", "tags.o", "-o", "tags", cwd=tmp_path)[0] == 0
    found = {line.split()[2]: int(line.split()[0], 16)
             for line in ask("nm", tmp_path / "tags")[1].splitlines()}
    questions = [f"DATA 0x{addr:x}" for addr in
                 (found["tagged"], found["plain"] - 4, found["plain"])] + [f"0x{found['_start']:x}"]
    for options in [], ["--untag-addresses"], ["--no-untag-addresses"]:
        asked = [*options, "-e", tmp_path / "tags", *questions]
        assert ask(ours, *asked) == ask(llvm, *asked)
    if version != "14":
        answer = ask(ours, "-e", tmp_path / "tags", "DATA tagged")[1]
        assert answer.startswith(f"tagged\n{found['plain'] - 4} 4\n")


def test_source_texts_in_the_debug_information_are_printed(llvm, ours, tmp_path):
    """Also of callers, for which LLVM's has none if the file cannot be read."""
    (tmp_path / "text.c").write_text(
        "static inline int twice(int n)\n{\n\treturn n * n;\n}\n"
        "int main(int n, char **v)\n{\n\t(void)v;\n\treturn twice(n);\n}\n")
    assert ask("clang", "-g", "-gdwarf-5", "-gembed-source", "-O1", "text.c", "-o", "text",
               cwd=tmp_path)[0] == 0
    (tmp_path / "text.c").rename(tmp_path / "elsewhere")
    questions = lines(tmp_path / "text")
    for options in ["--no-inlines"], ["--output-style=GNU", "--no-inlines", "-s"]:
        asked = ["--print-source-context-lines=3", *options, "-e", tmp_path / "text"]
        assert ask(ours, *asked, stdin=questions) == ask(llvm, *asked, stdin=questions)
    asked = ["--print-source-context-lines=1", "-e", tmp_path / "text"]
    answers = ask(ours, *asked, stdin=questions)[1]
    assert "3 >: \treturn n * n;\nmain\n" in answers and "8 >: \treturn twice(n);\n" in answers
    found = frames_of(ask(ours, *asked, "--output-style=JSON", stdin=questions)[1])
    assert {frame.get("Source") for frame in found} > {"3 >: \treturn n * n;\n"}


def test_code_without_a_line_has_that_of_the_code_before(program, folder, tmp_path):
    """An option of later versions only."""
    llvm = llvm_tool("llvm-symbolizer", "newest")
    if "--skip-line-zero" not in ask(llvm, "--help")[1]:
        pytest.skip("an older llvm-symbolizer")
    ours = linked(program, tmp_path, "llvm-symbolizer")
    (tmp_path / "zero.c").write_text(
        "int g(int);\nint f(int n, int *a)\n{\n\tint s = 0;\n\tfor (int i = 0; i < n; i++)\n"
        "\t\tif (a[i] > 3)\n\t\t\ts += g(a[i]);\n\t\telse if (a[i] < -3)\n\t\t\ts -= g(i);\n"
        "\treturn s ? g(2) : g(3);\n}\nint main(int n, char **v) { (void)v; return f(n, &n); }\n"
        "__attribute__((noinline)) int g(int x) { __asm__ volatile(\"\" : \"+r\"(x)); return x; }\n")
    assert ask("clang", "-g", "-O2", "zero.c", "-o", "zero", cwd=tmp_path)[0] == 0
    questions = lines(tmp_path / "zero")
    for options in [], ["--output-style=GNU"], ["-p"], ["--no-inlines"]:
        asked = ["--skip-line-zero", *options, "-e", tmp_path / "zero"]
        assert ask(ours, *asked, stdin=questions) == ask(llvm, *asked, stdin=questions)
        assert " (approximate)\n" in ask(ours, *asked, stdin=questions)[1]
    addr = re.search(r"(0x[0-9a-f]+)\n[^\n]*\n[^\n]*\(approximate\)",
                     ask(ours, "--skip-line-zero", "-a", "-e", tmp_path / "zero",
                         stdin=questions)[1])[1]
    for options in ["--verbose"], ["--output-style=JSON"], []:
        asked = ["--skip-line-zero", *options, "-e", tmp_path / "zero", addr]
        assert ask(ours, *asked) == ask(llvm, *asked)
    assert ":0:" in ask(ours, "-e", tmp_path / "zero", addr)[1]


@pytest.mark.parametrize("version_of_dwarf", [4, 5])
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_the_variables_of_a_frame_in_split_files(llvm, ours, compiler, version_of_dwarf, tmp_path):
    """LLVM's own knows none; they are those that it knows of the program that is not split."""
    names = [f"v{number}" for number in range(14)]  # more than there are registers
    (tmp_path / "spill.c").write_text(
        "int g(int);\nint f(int n)\n{\n" +
        "".join(f"\tint {name} = g(n + {number});\n" for number, name in enumerate(names)) +
        f"\treturn g({' ^ '.join(f'{name} * g(n)' for name in names)});\n}}\n"
        "int main(int n, char **v) { (void)v; return f(n); }\n"
        "__attribute__((noinline)) int g(int x) { __asm__ volatile(\"\" : \"+r\"(x)); return x; }\n")
    other = "int other(int n)\n{\n\tint list[4] = { n };\n\treturn list[n];\n}\n"
    (tmp_path / "other.c").write_text(other)
    options = [f"-gdwarf-{version_of_dwarf}", "-O2", "-g"]
    for split in [], ["-gsplit-dwarf"]:
        for name in "spill", "other":
            built = ask(compiler, *options, *split, "-c", f"{name}.c", cwd=tmp_path)
            assert built[0] == 0, built
        assert ask(compiler, "spill.o", "other.o", "-o", f"program{''.join(split)}",
                   cwd=tmp_path)[0] == 0
    whole, program = tmp_path / "program", tmp_path / "program-gsplit-dwarf"
    questions = "".join(f"FRAME 0x{functions(whole)[name][0]:x}\n" for name in ("f", "other"))
    expected = ask(llvm, "-e", whole, stdin=questions)
    assert re.search(r"\nv\d+\n.*spill.c:\d+\n-?\d+ 4", expected[1])
    assert ask(ours, "-e", program, stdin=questions) == expected
    if (compiler, version_of_dwarf) == ("gcc", 5):
        return  # llvm-dwp does not end on gcc's .dwo files of DWARF 5
    dwos = [tmp_path / "other.dwo", tmp_path / "spill.dwo"]
    packed = ask(llvm_tool("llvm-dwp", "newest"), *dwos,
                 "-o", tmp_path / "program-gsplit-dwarf.dwp", cwd=tmp_path)
    assert packed[0] == 0, packed
    for path in dwos:
        path.unlink()
    assert ask(ours, "-e", program, stdin=questions) == expected


def test_symbols_are_what_is_known_of_programs_without_debugging_information(llvm, ours, styled):
    starts = [f"0x{start:x}" for start, _ in functions(styled("bare")).values()]
    for options in [], ["-f=short"], ["--verbose"], ["--output-style=JSON"], ["--no-inlines"]:
        asked = [*options, "-e", styled("bare"), *starts]
        assert ask(ours, *asked) == ask(llvm, *asked)


def test_clones_are_named_as_llvm_does(llvm, ours, tmp_path):
    names = ["_ZN3foo3barEv.cold", "_ZN3foo3barEv.constprop.0", "_ZN3foo3bazEv.isra.0.cold",
             "main.cold", "_Z", "_RNvCs1234_7mycrate3foo", "plain", "_ZN12_GLOBAL__N_13fooEv"]
    (tmp_path / "names.s").write_text("".join(
        f"\t.globl {name}\n\t.type {name}, @function\n{name}:\n\tnop\n\t.size {name}, 1\n"
        for name in names))
    assert ask("gcc", "-c", "names.s", cwd=tmp_path)[0] == 0
    asked = ["-e", tmp_path / "names.o", *map(str, range(len(names)))]
    assert ask(ours, *asked) == ask(llvm, *asked)
    assert "foo::baz() (.isra.0.cold)" in ask(ours, *asked)[1]


def test_a_described_function_without_lines_has_no_file_of_its_symbol(llvm, ours, tmp_path):
    """Its cold part has a local symbol, of which the symbol table says the file."""
    if 14 < llvm_version(llvm) < NEWEST_LLVM:
        pytest.skip("LLVM 19 has the file, as 14, and 22 has none")
    (tmp_path / "parts.c").write_text(
        "int volatile seen;\n"
        "__attribute__((cold, noinline)) void bad(int x) { seen = x; }\n"
        "int work(int x) { if (x > 5) { bad(x); __builtin_trap(); } return x * seen; }\n"
        "int main(int argc, char **argv) { return work(argc); }\n")
    assert ask("gcc", "-O2", "-g", "-S", "parts.c", cwd=tmp_path)[0] == 0
    text, is_cold = [], False
    for line in (tmp_path / "parts.s").read_text().splitlines():
        is_cold = ".text.unlikely" in line if re.match(r"\t\.(section|text)", line) else is_cold
        if not (is_cold and line.startswith("\t.loc ")):
            text.append(line + "\n")
    (tmp_path / "parts.s").write_text("".join(text))
    assert ask("gcc", "parts.s", "-o", "parts", cwd=tmp_path)[0] == 0
    start = functions(tmp_path / "parts")["work.cold"][0]
    for options in [], ["--no-inlines"], ["-f=short"], ["--output-style=GNU"], ["--output-style=JSON"]:
        asked = [*options, "-e", tmp_path / "parts", f"{start:#x}"]
        assert ask(ours, *asked) == ask(llvm, *asked), options


@pytest.mark.parametrize("name", ["c", "unnamed"])
def test_llvm_addr2line(llvm_addr2line, our_addr2line, styled, name):
    path = styled(name)
    questions = "".join(f"{number:x}\n" for number in addresses(path)) + ",\nzz\n0x10\n0X10\n"
    for options in combinations("afipsC"):
        asked = [*options, "-e", path]
        assert ask(our_addr2line, *asked, stdin=questions) == ask(
            llvm_addr2line, *asked, stdin=questions), options


@pytest.mark.parametrize("arguments", [
    ["--frobnicate"], ["-o", "x"], ["-obj=x"], ["--obj"], ["-e"], ["--"], ["-i=1"],
    ["--demangle=true"], ["-j", ".text"], ["--adjust-vma=foo", "-e", "x", "0"], ["-5"]])
def test_wrong_usage_exits_with_1(llvm, ours, arguments):
    status, out, err = ask(ours, *arguments)
    assert (status, out) == ask(llvm, *arguments)[:2] == (1, "")
    assert err.startswith("llvm-symbolizer: error: ") and "--help" in err


@pytest.mark.parametrize("option", [
    "--filter-markup", "--dia", "--functions=klingon", "--output-style=klingon",
    "--adjust-vma=-1", "--print-source-context-lines=100000"])
def test_what_cannot_be_done_is_said(ours, styled, option):
    status, out, err = ask(ours, option, "-e", styled("c"), "0x1080")
    assert (status, out) == (1, "") and option.split("=", maxsplit=1)[0] in err


def test_lines_are_known_without_functions(llvm, ours, styled):
    path = styled("lines")
    for options in [], ["-f=short"], ["-f=none"], ["--verbose", "-f=short"]:
        asked = [*options, "-e", path]
        found = ask(ours, *asked, stdin=lines(path))
        assert found == ask(llvm, *asked, stdin=lines(path))
        assert "styles.c" in found[1]


def test_debug_files_are_looked_for_where_an_option_says(ours, styled, tmp_path):
    path, debug = tmp_path / "program", tmp_path / "debug" / "program.debug"
    debug.parent.mkdir()
    ask("objcopy", "--only-keep-debug", styled("c"), debug)
    ask("objcopy", "--strip-all", f"--add-gnu-debuglink={debug}", styled("c"), path)
    start = functions(styled("c"))["top"][0]
    assert "styles.c" not in ask(ours, "-e", path, f"0x{start:x}")[1]
    for option in "--debug-file-directory", "--fallback-debug-path":
        assert ask(ours, option, debug.parent, "-e", path, f"0x{start:x}")[1].startswith("top\n/")


def test_debug_files_in_the_cache_of_debuginfod(ours, run, styled, tmp_path, monkeypatch):
    if "built without" in run("--debuginfod", "x", "/bin/sh").err:
        pytest.skip("built without debuginfod")
    name = re.search("Build ID: ([0-9a-f]+)", ask("readelf", "-n", styled("c"))[1])[1]
    path, debug = tmp_path / "program", tmp_path / "cache" / name / "debuginfo"
    debug.parent.mkdir(parents=True)
    ask("objcopy", "--only-keep-debug", styled("c"), debug)
    ask("objcopy", "--strip-all", styled("c"), path)
    monkeypatch.setenv("DEBUGINFOD_CACHE_PATH", str(tmp_path / "cache"))
    monkeypatch.delenv("DEBUGINFOD_URLS", raising=False)
    asked = ["-e", path, f"0x{functions(styled('c'))['top'][0]:x}"]
    assert "styles.c" in ask(ours, "--debuginfod", *asked)[1]
    for options in [], ["--debuginfod", "--no-debuginfod"]:
        assert "styles.c" not in ask(ours, *options, *asked)[1]


def test_options_come_from_the_environment_and_from_files(llvm, ours, styled, tmp_path,
                                                          monkeypatch):
    (tmp_path / "options").write_text(f"--output-style=GNU -e '{styled('c')}'")
    monkeypatch.setenv("LLVM_SYMBOLIZER_OPTS", "-pa --output-style=JSON")
    for asked in ["@options", "0x1080"], ["--output-style=LLVM", "-e", styled("c"), "0x1080"]:
        assert ask(ours, *asked, cwd=tmp_path) == ask(llvm, *asked, cwd=tmp_path)
    assert "0x1080: " in ask(ours, "@options", "0x1080", cwd=tmp_path)[1]


def test_names_that_are_llvm_symbolizer(program, styled, tmp_path, run):
    asked = ["-s", "-e", styled("c"), str(functions(styled("c"))["main"][0])]
    for name in "llvm-symbolizer-14", "x86_64-pc-linux-gnu-llvm-symbolizer":
        assert ask(linked(program, tmp_path, name), *asked)[1].startswith("main\nstyles.c:")
    assert run("addr", "--style=llvm", *asked).out.startswith("main\nstyles.c:")
    tool = linked(program, tmp_path, "llvm-addr2line-19")
    assert ask(tool, "-fs", "-e", styled("c"), "0")[1] == "??\n??:0\n"


def test_help_and_version_say_what_this_is(ours, our_addr2line):
    for tool, name in (ours, "llvm-symbolizer"), (our_addr2line, "llvm-addr2line"):
        for option in "-h", "--help":
            status, out, _ = ask(tool, option)
            assert status == 0 and f"\nUSAGE: {name} " in out
        for option in "-v", "--version":
            status, out, _ = ask(tool, option)
            assert status == 0 and out.startswith(f"{name}\n")
            assert re.search(r"^  inlinecall \d\S+, .* LLVM version \d\d does$", out, re.MULTILINE)


def test_the_manual_and_help_have_the_same_options(ours):
    manual = (MAN / "inlinecall-llvm-symbolizer.1").read_text()
    helped = re.findall(r"(?<=[ ,]) --?([\w-]+)", ask(ours, "--help")[1].split("@FILE")[1])
    items = "\n".join(re.findall(r"^\.It (Fl .*)$", manual, re.MULTILINE))
    assert len(helped) > 20
    assert set(re.findall(r"Fl -?([\w-]+)", items)) == set(helped)


@pytest.fixture
def newest(version):
    if version == "14":
        pytest.skip("later versions only")


def has_relative_directory_0(path):
    """As some versions of GNU as have it for files below the root directory."""
    tables = ask("readelf", "--debug-dump=rawline", path)[1]
    first = re.search(r"Directory Table.*\n.*\n +0\t(?:\(.*\): )?(.*)", tables)
    return not first[1].startswith("/")


@pytest.mark.sampled(12)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("dwarf", ["-gdwarf-4", "-gdwarf-5"])
@pytest.mark.parametrize("directory", ["/build/", "/build//", "/", "/build"])
def test_directories_that_end_in_a_slash(llvm, ours, tmp_path, compiler, dwarf, directory):
    (tmp_path / "in").mkdir()
    (tmp_path / "in/here.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
    for number, name in enumerate(["in/here.c", "in//here.c", f"{tmp_path}/in//here.c"]):
        built = tmp_path / f"here{number}"
        result = ask(compiler, dwarf, f"-ffile-prefix-map={tmp_path}/={directory}",
                     f"-fdebug-prefix-map={tmp_path}={directory}", name, "-o", built, cwd=tmp_path)
        assert result[0] == 0, result
        for options in [], ["--relativenames"], ["--relativenames", "--basenames"]:
            asked = [*options, "-e", built, f"0x{functions(built)['main'][0]:x}"]
            found, expected = ask(ours, *asked), ask(llvm, *asked)
            if not options and dwarf == "-gdwarf-5" and has_relative_directory_0(built):
                # LLVM takes it for the compilation directory.
                assert expected[1].startswith("main\nin/here.c:")
                expected = (0, expected[1].replace("in/", f"{directory}in/"), "")
            assert found == expected


@pytest.mark.usefixtures("newest")
@pytest.mark.parametrize("question", [
    "main", "CODE top", "top+3", "top+0x10", "top+9999", "top+zz", "nothing", "leaf ignored",
    "FILE:{} main", "FILE: {} 0x1080", "CODE FILE:{} top", "FILE:FILE:{} 1", "BUILDID:FILE:{} 1",
    "FILE:", "BUILDID:", "BUILDID: foo", "BUILDID:abad 0x1080", "CODE BUILDID:abad main",
    'FILE:"{}', "{}", "{} main", "", "+0x1080", "FRAME BUILDID:abad 1", "DATA BUILDID:abad 1"])
def test_symbols_and_prefixes_in_front_of_files(llvm, ours, styled, question):
    path = styled("fixed")
    question = question.format(path)
    for options in [], ["-ap"], ["--verbose"], ["--output-style=JSON"], ["--no-inlines"]:
        named = [] if str(path) in question else ["-e", path]
        for stdin in "", question + "\n":
            asked = [*options, *named, *([] if stdin else [question])]
            assert ask(ours, *asked, stdin=stdin) == ask(llvm, *asked, stdin=stdin)


@pytest.mark.usefixtures("newest")
@pytest.mark.parametrize("question", ["main", "+0x1080", "top+0x10", "leaf", "0x1080 junk",
                                      "0x1080+4"])
def test_symbols_for_llvm_addr2line(llvm_addr2line, our_addr2line, styled, question):
    if question in ("+0x1080", "0x1080+4"):
        need_llvm(llvm_addr2line, 21)
    for options in [], ["-f"], ["-fi"], ["-a"], ["--output-style=JSON", "-f"]:
        asked = [*options, "-e", styled("c"), question]
        assert ask(our_addr2line, *asked) == ask(llvm_addr2line, *asked), options


@pytest.mark.usefixtures("newest")
def test_a_file_that_is_not_there(llvm, ours, tmp_path):
    for options in [], ["-ap"], ["--output-style=GNU"], ["--output-style=JSON"]:
        for name in tmp_path / "absent", tmp_path:
            asked = [*options, "-e", name, "0x1", "2"]
            assert ask(ours, *asked) == ask(llvm, *asked)
            assert ask(ours, *asked)[0] == 1


@pytest.mark.usefixtures("newest")
def test_files_by_their_build_id(llvm, ours, styled, tmp_path):
    notes = ask("readelf", "-n", styled("fixed"))[1]
    name = re.search("Build ID: ([0-9a-f]+)", notes)[1]
    path = tmp_path / ".build-id" / name[:2] / f"{name[2:]}.debug"
    path.parent.mkdir(parents=True)
    path.symlink_to(styled("fixed"))
    start = functions(styled("fixed"))["top"][0]
    here = ["--debug-file-directory", tmp_path]
    for asked in ([*here, f"--build-id={name}", str(start)], [*here, f"BUILDID:{name} {start}"],
                  [*here, f"DATA BUILDID:{name.upper()} {start}"], [*here, "--build-id", name, "top"],
                  [*here, f"--build-id={name}", f"BUILDID:{name} 0"]):
        assert ask(ours, *asked) == ask(llvm, *asked)
    assert "styles.c" in ask(ours, *here, f"--build-id={name}", "top")[1]
    for wrong in [f"--build-id={name}", "-e", path], ["--build-id=zz"]:
        assert ask(ours, *wrong, "1")[0] == ask(llvm, *wrong, "1")[0] == 1


@pytest.mark.usefixtures("newest")
def test_members_of_archives(llvm, ours, styled, tmp_path):
    need_llvm(llvm, 22)
    path = tmp_path / "lib.a"
    assert ask("ar", "rc", path, styled("object"))[0] == 0
    member = f"{path}({styled('object').name})"
    of = ["--default-arch=x86-64", "-e"]
    for asked in ([*of, member, "top"], [*of, f"{member}:i386", "top"],
                  [*of, f"{path}(absent.o)", "top"], ["--default-arch=i386", f"{member} top"],
                  ["--default-arch=x86-64", f"{member} top", f"{path}(absent.o) 1"],
                  [*of, f"{styled('object')}(object)", "0"], [*of, f"{path}()", "0"]):
        assert ask(ours, *asked) == ask(llvm, *asked)
    # LLVM's wants to know for which machine, and does not know this one by its usual name.
    for name in member, f"{member}:x86_64":
        assert ask(ours, "-e", name, "top")[1].startswith("top\n")
        assert ask(llvm, "-e", name, "top")[:2] == (1, "")


@pytest.mark.parametrize("questions", [["0x1080"], ["0x1080", "DATA 0x4010", "CODE 4224"]])
def test_json_is_indented_if_it_is_to_be_pretty(llvm, ours, styled, questions):
    for stdin in "", "\n".join(questions) + "\n":
        asked = ["--output-style=JSON", "-p", "-e", styled("fixed"), *([] if stdin else questions)]
        assert ask(ours, *asked, stdin=stdin) == ask(llvm, *asked, stdin=stdin)


def test_a_program_at_the_other_end_gets_each_answer(ours, styled):
    with subprocess.Popen([ours, "-e", styled("c")], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          encoding="utf-8") as process:
        for number in "0x0", "0x1", "0x2":
            process.stdin.write(f"{number}\n")
            process.stdin.flush()
            assert process.stdout.readline() == "??\n"
            assert process.stdout.readline() == "??:0:0\n"
            assert process.stdout.readline() == "\n"
        process.stdin.write("0x3\n0x4\n0x5")
        process.stdin.close()
        assert process.stdout.read() == 3 * "??\n??:0:0\n\n"


# Where LLVM's is wrong.

def test_addresses_of_objects_are_in_one_section(llvm, ours, styled):
    """LLVM names them by the symbols of another."""
    start, end = functions(styled("object"))["top"]
    asked = ["-p", "--output-style=GNU", "-e", styled("object"), *map(str, range(start, end, 2))]
    found, expected = (ask(tool, *asked)[1] for tool in (ours, llvm))
    assert {line.split(" at ")[0] for line in found.splitlines()} == {
        "top", "leaf", "middle", " (inlined by) top", " (inlined by) middle"}
    assert "main" in expected


def test_a_symbol_without_a_size_names_all_that_follows_it(llvm, ours, styled):
    asked = ["-e", styled("c"), "0xabcdef"]
    assert ask(ours, *asked) == ask(llvm, *asked) == (0, "_end\n??:0:0\n\n", "")


def test_a_relative_directory_is_not_doubled(llvm, ours, tmp_path, version):
    """DWARF 5, 6.2.4: directory 0 is the compilation directory, not one in it."""
    (tmp_path / "here.c").write_text("int main(void)\n{\n\treturn 0;\n}\n")
    built = ask("gcc", "-gdwarf-5", f"-ffile-prefix-map={tmp_path}=./there", "here.c", "-o", "here",
                cwd=tmp_path)
    assert built[0] == 0, built
    start = functions(tmp_path / "here")["main"][0]
    asked = ["-e", tmp_path / "here", f"0x{start:x}"]
    found, expected = (ask(tool, *asked)[1] for tool in (ours, llvm))
    assert found == "main\n./there/here.c:2:1\n\n"
    assert expected == found.replace("./there/", "./there/./there/" if version == "14" else "./there/")
