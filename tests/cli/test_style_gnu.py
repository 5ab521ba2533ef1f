"""inlinecall as addr2line prints what GNU's does, except as inlinecall-addr2line(1) lists."""

import re
import subprocess
import threading

import pytest

from styles import MAN, addresses, ask, combinations, find_tool, functions, linked
from styles import styled  # a fixture

DISCRIMINATOR = re.compile(r" \(discriminator \d+\)")


@pytest.fixture(scope="session")
def gnu():
    tool = find_tool("addr2line")
    if "GNU addr2line" not in ask(tool, "--version")[1]:
        pytest.skip("addr2line is not GNU's")
    return tool


@pytest.fixture(scope="session")
def ours(program, tmp_path_factory):
    return linked(program, tmp_path_factory.mktemp("gnu"), "addr2line")


def agree(ours, gnu, *asked, stdin="", inlines=True):
    """Whether they answer the same; with outer frames, with all of which GNU's prints the
    discriminator of the innermost again, but for discriminators."""
    answers = [ask(tool, *asked, stdin=stdin) for tool in (ours, gnu)]
    found, expected = [(status, DISCRIMINATOR.sub("", out) if inlines else out, err)
                       for status, out, err in answers]
    return found == expected


def lines(numbers):
    return "".join(f"{number:x}\n" for number in numbers)


@pytest.mark.parametrize("name", ["c", "dwarf-4", "fixed", "32", "c++", "asm"])
def test_every_instruction_and_every_choice_of_options(gnu, ours, styled, name):
    path = styled(name)
    questions = lines(addresses(path))
    assert len(questions) > 100
    for options in combinations("afipsC"):
        asked = [*options, "-e", path]
        assert agree(ours, gnu, *asked, stdin=questions, inlines="i" in "".join(options)), options


def test_operands_are_answered_like_lines(gnu, ours, styled):
    path = styled("c")
    numbers = [f"0x{number:x}" for number in addresses(path)]
    asked = ["-afip", "-e", path, *numbers]
    assert agree(ours, gnu, *asked)
    assert ask(ours, *asked) == ask(ours, "-afip", "-e", path, stdin="\n".join(numbers))


def test_inlined_functions_of_clang_have_discriminators_of_their_own(gnu, ours, styled):
    """GNU's prints that of the innermost again; and sees no inlined function in DWARF 5."""
    path = styled("clang-4")
    questions = lines(addresses(path))
    for options in combinations("fps"):
        asked = ["-a", *options, "-e", path]
        assert ask(ours, *asked, stdin=questions) == ask(gnu, *asked, stdin=questions)
    _, found, _ = ask(ours, "-afip", "-e", path, stdin=questions)
    _, expected, _ = ask(gnu, "-afip", "-e", path, stdin=questions)
    assert DISCRIMINATOR.sub("", found) == DISCRIMINATOR.sub("", expected)
    innermost = [line for line in found.splitlines() if "inlined by" not in line]
    assert innermost == [line for line in expected.splitlines() if "inlined by" not in line]
    assert ask(ours, "-fip", "-e", styled("clang"), stdin=questions)[1] == ask(
        ours, "-fip", "-e", path, stdin=questions)[1]
    llvm = find_tool("llvm-addr2line-14", "llvm-addr2line")
    for name in "clang", "clang-4":
        questions = lines(addresses(styled(name)))
        found = ask(ours, "-fip", "-e", styled(name), stdin=questions)[1]
        assert found.replace(":?", ":0") == ask(llvm, "-fip", "-e", styled(name),
                                                stdin=questions)[1]


@pytest.mark.parametrize("options", [[], ["-j", ".text"], ["-j", ".text.startup"],
                                     ["--section=.text.unlikely"]])
def test_addresses_of_objects_are_offsets_in_a_section(gnu, ours, styled, options):
    """Without -j in the first that is so large."""
    asked = ["-afi", *options, "-e", styled("object")]
    questions = lines(range(0, 256, 4))
    assert agree(ours, gnu, *asked, stdin=questions)
    _, found, _ = ask(ours, *asked, stdin=questions)
    assert "styles.c:" in found and "??:0" in found


def test_section_counts_in_linked_files_too(gnu, ours, styled):
    path = styled("c")
    start = functions(path)["cold_one"][0] # which is the first there is
    asked = ["-afi", "-j", ".text", "-e", path, "1000000",
             *(f"{number - start:x}" for number in addresses(path) if number >= start)]
    assert agree(ours, gnu, *asked)
    assert "cold_one\n" in ask(ours, *asked)[1]


@pytest.mark.parametrize("name", ["bare", "stripped"])
def test_without_debugging_information_symbols_are_known(gnu, ours, styled, name):
    questions = lines(number for start, _ in functions(styled("bare")).values()
                      for number in (start, start + 2))
    for options in combinations("afipsC"):
        asked = [*options, "-e", styled(name)]
        assert ask(ours, *asked, stdin=questions) == ask(gnu, *asked, stdin=questions)


@pytest.mark.parametrize("text", [
    "main", "main+4", "main+0x4", "main +4", "cold_one+", "cold_one+2", "cold_one", " main", "main+", "main+junk", "0", "0x0", "0X10",
    "zz", ",", "", " ", "-1", "ffffffffffffffff", "1ffffffffffffffff", "beef", "add", "10a0 junk",
    "10a0junk", "\t1080", "main\r"])
def test_numbers_and_symbols(gnu, ours, styled, text):
    for options in ["-afi"], ["-p"], ["-fp"]:
        asked = [*options, "-e", styled("c")]
        assert ask(ours, *asked, stdin=text + "\n")[:2] == ask(gnu, *asked, stdin=text + "\n")[:2]
        assert ask(ours, *asked, stdin=text)[1] == ask(gnu, *asked, stdin=text)[1]


def test_numbers_of_32_bits(gnu, ours, styled):
    asked = ["-af", "-e", styled("32"), "ffffffff", "1ffffffff", "0", "main"]
    assert ask(ours, *asked) == ask(gnu, *asked)


@pytest.mark.parametrize("style", ["auto", "gnu-v3", "none"])
def test_styles_of_demangling(gnu, ours, styled, style):
    path = styled("c++")
    asked = ["-f", "-i", f"--demangle={style}", "-e", path]
    questions = lines(addresses(path))
    assert agree(ours, gnu, *asked, stdin=questions)


@pytest.mark.parametrize("style", ["auto", "gnu-v3", "rust", "dlang", "none"])
def test_names_of_several_languages(gnu, ours, tmp_path, style):
    names = ["_ZN3foo3barEv", "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE", "_Z1fv.cold",
             "_ZN4core3fmt5Write9write_fmt17h0123456789abcdefE.llvm.1", "_RNvCs1234_7mycrate3foo",
             "_ZN3gap3bazEv17h0123456789abcdef", "_ZN1ggEv", "plain"]
    (tmp_path / "names.s").write_text("".join(
        f"\t.globl {name}\n\t.type {name}, @function\n{name}:\n\tnop\n\t.size {name}, 1\n"
        for name in names))
    assert ask("gcc", "-c", "names.s", cwd=tmp_path)[0] == 0
    asked = ["-f", f"--demangle={style}", "-e", tmp_path / "names.o", *map(str, range(len(names)))]
    assert ask(ours, *asked) == ask(gnu, *asked)


def test_a_number_may_have_a_sign(gnu, ours, styled):
    asked = ["-a", "-e", styled("c"), "+4", "+0x1080", "+"]
    assert ask(ours, *asked) == ask(gnu, *asked)


@pytest.mark.parametrize("options", [
    ["--addresses", "--functions", "--inlines", "--pretty-print", "--basenames", "--demangle"],
    ["--addr", "--func"], ["-afRe", "PATH"], ["--recurse-limit"], ["-R", "--recursion-limit"],
    ["-b", "default"], ["-b", "elf64-x86-64"], ["--target=elf64-little"], ["-afipsC"]])
def test_spellings_of_options(gnu, ours, styled, options):
    path = str(styled("fixed"))
    asked = [path if option == "PATH" else option for option in options]
    asked += ["--exe=" + path, f"{functions(path)['top'][0] + 4:x}"]
    assert ask(ours, *asked) == ask(gnu, *asked)


@pytest.mark.parametrize("option", ["-r", "--no-recurse-limit", "--no-recursion-limit"])
def test_that_limits_stay_is_said(ours, styled, option):
    path = styled("fixed")
    asked = ["-f", "-e", str(path), f"{functions(path)['top'][0] + 4:x}"]
    plain, limited = (subprocess.run([ours, *more, *asked], capture_output=True, text=True,
                                     check=True) for more in ((), (option,)))
    assert plain.stderr == "" and limited.stdout == plain.stdout != ""
    assert "demangling always has limits" in limited.stderr


def test_arguments_may_stand_in_files(gnu, ours, styled, tmp_path):
    (tmp_path / "inner file").write_text('-\\p "-s"')
    (tmp_path / "outer").write_text(f"-f\n\t-i '-e' {styled('c')} @'inner file' main @absent\\ ")
    for asked in ["-a", "@outer"], ["@outer", "-a", "main+2"], ["@nothing", "-e", styled("c")]:
        assert ask(ours, *asked, cwd=tmp_path) == ask(gnu, *asked, cwd=tmp_path)
    (tmp_path / "self").write_text("@self")
    status, out, err = ask(ours, "@self", cwd=tmp_path)
    assert (status, out) == (1, "") and "more than 2000 argument files" in err
    status, out, err = ask(ours, "-e", styled("c"), "@/proc/self/mem", "main")  # page 0 is not mapped
    assert (status, out) == (1, "") and "/proc/self/mem: cannot read: Input/output error" in err


def test_the_default_file_is_a_out(gnu, ours, styled, tmp_path):
    (tmp_path / "a.out").symlink_to(styled("c"))
    assert ask(ours, "-f", "main", cwd=tmp_path) == ask(gnu, "-f", "main", cwd=tmp_path)


@pytest.mark.parametrize("arguments", [
    ["-e", "absent", "0"], ["-e", ".", "0"], ["-e", "text", "0"], ["-e", "empty", "0"],
    ["-e", "archive", "0"], ["0"], ["-j", ".absent", "-e", "PATH", "0"], ["--frobnicate"], ["-Q"],
    ["-b", "absent", "-e", "PATH", "0"],
    ["--demangle=klingon", "-e", "PATH", "0"], ["-e"]])
def test_what_cannot_be_done_is_said_and_exits_with_1(gnu, ours, styled, tmp_path, arguments):
    (tmp_path / "text").write_text("text\n")
    (tmp_path / "empty").touch()
    subprocess.run(["ar", "cr", "archive", styled("object")], cwd=tmp_path, check=True)
    asked = [str(styled("c")) if argument == "PATH" else argument for argument in arguments]
    status, out, err = ask(ours, *asked, cwd=tmp_path)
    assert (status, out) == ask(gnu, *asked, cwd=tmp_path)[:2] == (1, "")
    assert err.startswith("inlinecall: ")


def test_a_target_must_be_that_of_the_file(ours, styled):
    """GNU's answers "??:0" if the number of bits is another."""
    for target, error in ("pei-x86-64", "pei-x86-64: not an ELF target"), (
            "elf32-i386", "file format does not match target elf32-i386"):
        status, out, err = ask(ours, "-b", target, "-e", styled("c"), "0")
        assert (status, out) == (1, "") and error in err


def test_help_and_version_say_what_this_is(ours):
    for option in "-h", "-H", "--help":
        status, out, _ = ask(ours, option)
        assert status == 0 and out.startswith("Usage: addr2line ")
    for option in "-v", "-V", "--version":
        status, out, _ = ask(ours, option)
        assert status == 0 and re.match(r"inlinecall \d+\.\d+\.\d+, in place of addr2line$", out)


def test_the_manual_and_help_have_the_same_options(ours):
    manual = (MAN / "inlinecall-addr2line.1").read_text()
    helped = re.findall(r"^  -(\w), --([\w-]+)", ask(ours, "--help")[1], re.MULTILINE)
    assert len(helped) > 10
    listed = re.findall(r"^\.It Fl (\w) , Fl -([\w-]+)", manual, re.MULTILINE)
    assert sorted(listed) == sorted(helped)


@pytest.mark.parametrize("name", ["addr2line", "x86_64-linux-gnu-addr2line", "addr2line-2.40"])
def test_names_that_are_addr2line(program, styled, tmp_path, name):
    assert ask(linked(program, tmp_path, name), "-fs", "-e", styled("c"), "main")[1].startswith(
        "main\nstyles.c:")


@pytest.mark.parametrize("name", ["eu-addr2line", "addr2liner", "myaddr2line", "inlinecall"])
def test_names_that_are_not(program, styled, tmp_path, name):
    assert ask(linked(program, tmp_path, name), "-fs", "--exe", styled("c"), "main")[0] == 64


def test_the_style_can_be_asked_for(run, ours, styled):
    asked = ["-fi", "-e", styled("c"), "main+4"]
    result = run("addr", "--style=gnu", *asked)
    assert (result.status, result.out, result.err) == ask(ours, *asked)


@pytest.mark.parametrize("asked", [("--style=other", "a"), ("--style", "gnu", "a"),
                                   ("-s", "--style=gnu", "a"), ("a", "--style=llvm")])
def test_a_style_must_be_known_and_first(run, asked):
    result = run("addr", *asked)
    assert (result.status, result.out) == (64, "")
    assert "--style must directly follow addr, and be gnu, llvm or llvm-14" in result.err
    assert "inlinecall addr --help" in result.err


class Conversation:
    """A child that is asked one thing at a time, as perf does."""

    def __init__(self, tool, *arguments):
        self.child = subprocess.Popen([str(tool), *map(str, arguments)], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
        self.patience = threading.Timer(30, self.child.kill)
        self.patience.start()

    def ask(self, question, answers):
        self.child.stdin.write(question)
        self.child.stdin.flush()
        return [self.child.stdout.readline().rstrip("\n") for _ in range(answers)]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.patience.cancel()
        self.child.stdin.close()
        self.child.stdout.close()
        self.child.wait(timeout=10)


@pytest.mark.parametrize("who", ["ours", "gnu"])
def test_each_line_is_answered_before_the_next_is_waited_for(request, styled, who):
    """As perf 6.1 asks, and as perf 6.3 and later do, which have -a."""
    tool, path = request.getfixturevalue(who), styled("fixed")
    start = functions(path)["main"][0]
    with Conversation(tool, "-e", path, "-i", "-f") as child:
        for _ in range(3):
            answer = child.ask(f"{start:016x}\n,\n", 4)
            assert answer[0] == "main" and "styles.c:" in answer[1]
            assert answer[2:] == ["??", "??:0"]
        assert child.ask("zz\n", 2) == ["??", "??:0"]
        child.child.stdin.write(f"{start:x}"[:3])  # a line that comes in parts
        child.child.stdin.flush()
        assert child.ask(f"{start:x}"[3:] + "\n", 2)[0] == "main"
    with Conversation(tool, "-e", path, "-a", "-i", "-f") as child:
        assert child.ask(",\n", 3) == ["0x" + 16 * "0", "??", "??:0"]
        assert child.ask(f"{start:016x}\n,\n", 6)[3:] == ["0x" + 16 * "0", "??", "??:0"]


def test_a_great_many_lines_at_once(gnu, ours, styled):
    path = styled("c")
    questions = lines(addresses(path)) * 600
    assert len(questions) > 2 * 65536
    asked = ["-afi", "-e", path]
    assert agree(ours, gnu, *asked, stdin=questions)


# Where GNU's is wrong.

def test_what_is_no_symbol_is_not_at_0(gnu, ours, styled):
    """In an object there is code at 0, and perf would take it for another frame."""
    asked = ["-af", "-e", styled("object"), ","]
    assert ask(ours, *asked)[1] == "0x" + 16 * "0" + "\n??\n??:0\n"
    assert "styles.c" in ask(gnu, *asked)[1]


def test_symbols_of_objects_are_in_their_sections(gnu, ours, styled):
    asked = ["-afs", "-e", styled("object"), "main+4"]
    assert ask(ours, *asked)[1].startswith("0x0000000000000004\nmain\nstyles.c:")
    assert "\nmain\n" not in ask(gnu, *asked)[1]


def test_padding_is_named_by_the_function_in_front_of_it(gnu, ours, styled):
    path = styled("c")
    ends = {end for _, end in functions(path).values()}
    padding = [end for end in ends if not any(start <= end < other for start, other
                                              in functions(path).values())]
    assert padding
    asked = ["-f", "-e", path, *(f"{end:x}" for end in padding)]
    assert ask(ours, *asked) == ask(gnu, *asked)
    assert "main" in ask(ours, *asked)[1].splitlines()


def test_data_is_no_code(gnu, ours, styled):
    """GNU's knows where a variable is declared, and calls it by another's name."""
    asked = ["-f", "-e", styled("c"), "counter+"]
    assert ask(ours, *asked)[1] == "??\n??:0\n"
    assert not ask(gnu, *asked)[1].startswith("counter")


def test_no_inlined_function_has_the_name_of_the_symbol_around_it(gnu, ours, styled):
    """A function of C in C++ has no linkage name."""
    path = styled("unnamed")
    symbol, = (name for name in functions(path) if "6hidden" in name)  # with an L from GCC 16 on
    start, _ = functions(path)[symbol]
    asked = ["-fip", "-e", path, f"{start:x}"]
    frames = [line.split(" at ")[0] for line in ask(ours, *asked)[1].splitlines()]
    assert frames == ["plain", f" (inlined by) {symbol}"]
    assert "plain" not in ask(gnu, *asked)[1]
    assert "(anonymous namespace)::hidden(int) at" in ask(ours, "-C", *asked)[1]
