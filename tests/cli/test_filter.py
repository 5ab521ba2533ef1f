"""`inlinecall addr --filter`: text, and what the places that it mentions were inlined into."""

import os
import re
import signal
import subprocess
import time

import pytest

import kernels
from building import OURS, command, need, with_broken_unit
from kernels import LINKED, MOVED, mention

MODULE = 0xffffffffc0a00000


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    return kernels.build_kernel(tmp_path_factory.mktemp("kernel"))


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    return kernels.build_module(tmp_path_factory.mktemp("module"))


# The places that are mentioned.

def test_a_symbol_is_followed_by_its_frames(run, kernel):
    text = mention(kernel, "reader", kernels.return_offset(kernel, "reader", "work"))
    result = run("addr", "-s", "--filter", kernel, stdin=f"  {text}\nelse\n")
    assert result.out == (f"  {text}\n"
                          "      count() at kernel.c:9:8 (inlined)\n"
                          "      reader() at kernel.c:21:2\n"
                          "else\n")
    assert (result.status, result.err) == (0, "")


def test_frames_are_those_of_the_command_without_a_filter(run, filtered, kernel):
    functions = ("work", "reader", "do_syscall", "panic", "fatal", "follower", "_start")
    places = [(name, offset) for name in functions
              for offset in range(kernels.symbol(kernel, name)[1])]
    follow = filtered("\n".join(mention(kernel, *place) for place in places), kernel)
    addresses = [f"{kernels.symbol(kernel, name)[0] + offset:x}" for name, offset in places]
    assert follow == kernels.frames(run, kernel, *addresses)


def test_frames_stand_under_what_they_are_of(run, kernel):
    text = mention(kernel, "work", 1)
    for lead, indent in (("", "    "), ("\t", "\t    "), ("[ 1.0] \t ? ", " " * 7 + "\t" + " " * 7),
                         ("é ", "      "), ("x" * 200 + " ", " " * 68)):
        out = run("addr", "--filter", kernel, stdin=f"{lead}{text}\n").out.splitlines()
        assert out[1].startswith(f"{indent}work() at ")


def test_a_module_is_named_behind_its_symbols(filtered, kernel, module):
    text = mention(module, "module_read", 3, "my_module")
    want = [["count() at module.c:9:8 (inlined)", "module_read() at module.c:14:2"]]
    build_id = text.replace("]", " 0123456789abcdef0123456789abcdef01234567]")
    for form in (text, text.replace("my_module", "my-module"), build_id, f"({text})"):
        assert filtered(form, kernel, module) == want
        assert filtered(form, module) == want
    assert filtered(mention(module, "module_read", 3), kernel, module, status=1) == [[]]
    assert filtered(mention(module, "module_read", 3), module) == want


@pytest.mark.parametrize("name", ["my-module.ko.debug", "my_module.ko"])
def test_files_of_modules_are_known_by_their_names(filtered, module, tmp_path, name):
    path = tmp_path / name
    path.symlink_to(module)
    assert filtered(mention(module, "module_read", 0, "my_module"), path) != [[]]


def test_sections_of_modules_do_not_run_into_each_other(filtered, module):
    """What is returned to at the beginning of a section was not called in the one before."""
    text = "Call Trace:\n first+0x1/0x2\n" + mention(module, "module_warn", 0, "my_module")
    assert filtered(text, module, status=1) == [[], [], []]


def test_a_module_without_a_file_is_named_once(run, kernel):
    text = "a+0x1/0x2 [xfs]\nb+0x1/0x2 [xfs]\nc+0x1/0x2 [ext4]\n"
    result = run("addr", "--filter", kernel, stdin=text)
    assert result.out == text
    assert result.err.count("[xfs]") == 1 and "[ext4]" in result.err


def test_a_symbol_may_come_without_its_size(filtered, kernel):
    assert filtered("reader+0xe", kernel) == filtered(mention(kernel, "reader", 0xe), kernel)
    assert filtered("reader+0x1000", kernel, status=1) == [[]]


def test_a_symbol_of_another_size_is_of_another_file(filtered, kernel):
    size = kernels.symbol(kernel, "reader")[1]
    assert filtered(f"reader+0xe/{size - 1:#x}", kernel, status=1) == [
        [f"(differs from the one in vmlinux, which is {size:#x} bytes long)"]]
    assert filtered(f"reader+0xe/{size + 0x40:#x}", kernel, status=1) != [[]]  # others follow


def test_a_symbol_of_several_functions_is_the_one_of_its_size(filtered, kernel):
    (_, short), (_, long) = kernels.symbols(kernel)["unlike"]
    assert short < long
    assert filtered(f"unlike+0x0/{short:#x}", kernel) == [["unlike() at kernel_more.c:17:8"]]
    assert filtered(f"unlike+0x0/{long:#x}", kernel) == [["unlike() at kernel_more.c:14:8"]]


def test_a_symbol_of_several_functions_of_one_size_is_not_chosen(filtered, kernel):
    """Where they differ; at the same place in the source they do not."""
    size = kernels.symbols(kernel)["alike"][0][1]
    assert filtered(f"alike+0x3/{size:#x}", kernel) == [["alike() at kernel_more.c:8:8"]]
    assert filtered("unlike+0x0", kernel, status=1) == [
        ["(2 functions named unlike: kernel_more.c:11)"]]


TWINS = """
	.text
	.macro function name size
	.type \\name,@function
\\name: .rept \\size
	nop
	.endr
	.size \\name,.-\\name
	.endm
	function twin 4
	.skip 28, 0xcc
	function between 16
"""


@pytest.fixture(scope="module")
def twins(tmp_path_factory):
    """Functions of one name: of 4 bytes with 28 of padding, and of 16 bytes."""
    need("gcc")
    directory = tmp_path_factory.mktemp("twins")
    objects = []
    for name, text in (("first", TWINS), ("second", TWINS.replace("twin 4", "other 4")
                                          .replace("between", "twin"))):
        source, output = directory / f"{name}.s", directory / f"{name}.o"
        source.write_text(text)
        command("gcc", "-g", "-c", source, "-o", output)
        objects.append(output)
    command("ld", "-e", "0", "--build-id=none", *objects, "-o", directory / "twins")
    return directory / "twins"


def test_the_size_of_a_symbol_reaches_to_the_next_one(filtered, twins):
    """Where one is of that size, others which are shorter are not meant."""
    assert filtered("twin+0x1/0x10", twins) == [["twin() at second.s:12"]]
    assert filtered("twin+0x1/0x20", twins) == [["twin() at first.s:10"]]
    assert filtered("twin+0x1/0x18", twins, status=1) == [
        ["(2 functions named twin, of 0x18 bytes)"]]


def test_what_is_returned_to_without_a_call_belongs_to_nobody(filtered, twins, tmp_path):
    """As the labels of assembler that kernels put on a stack."""
    kernel = tmp_path / "vmlinux"
    command("objcopy", "--add-symbol", "_text=.text:0,global", twins, kernel)
    text = "Call Trace:\n other+0x1/0x20\n twin+0x0/0x10\n"
    assert filtered(text, kernel) == [[], ["other() at second.s:10"], []]
    assert filtered("twin+0x0/0x10", kernel) == [["twin() at second.s:12"]]
    # Of a program it is a program counter: no call is before it.
    assert filtered(text, twins)[2] == ["twin() at second.s:12"]


@pytest.mark.parametrize("text", [
    "reader+0xe/0x", "reader+0xeg", "see reader+14", "reader+14.", "reader+14/31", "reader +0xe", "1reader+0xe", "reader-0xe",
    "xreader+0xe", "readers+0xe", "reader+0xe/0x1f0x", "reader+0x11111111111111111", "+0xe",
    "reader", "reader+0xe/", "[reader]", "reader+0x",
])
def test_what_is_no_symbol_with_an_offset_is_left_alone(run, kernel, text):
    result = run("addr", "--filter", kernel, stdin=text)
    if text in ("reader+0xe/0x", "reader+0xe/"): # punctuation
        assert result.out.startswith(text + "\n")
    else:
        assert (result.out, result.status) == (text, 1)


def test_a_place_that_is_given_twice_is_answered_once(run, kernel):
    address = kernels.symbol(kernel, "reader")[0] + 0xe
    symbol = mention(kernel, "reader", 0xe)
    for text in (f"[<{address:x}>] {symbol}", f"[<{address:x}>] ? {symbol}", f"{symbol} {symbol}",
                 f"{symbol} 0x{address:x}", f"[{address:016x}] {symbol}"):
        out = run("addr", "-s", "--filter", kernel, stdin=text).out
        assert out.count("reader() at") == 1


def test_several_places_of_a_line_are_answered_in_its_order(filtered, kernel):
    changed = mention(kernel, "follower", kernels.offset_of(kernel, "follower", "xor"))
    text = f"{mention(kernel, 'work', 0)} from {changed}"
    assert filtered(text, kernel) == [["work() at kernel.c:14:8",
                                       "follower() at kernel.c:59:8"]]


# Addresses.

def test_addresses_of_a_kernel_that_was_not_moved_are_as_they_are(filtered, kernel):
    start = kernels.symbol(kernel, "work")[0]
    for form in (f"[<{start:x}>]", f"0x{start:x}", f"at 0x{start:X}.", f"(0x{start:x})"):
        assert filtered(form, kernel) == [["work() at kernel.c:14:8"]]


@pytest.mark.parametrize("form", ["{:x}", "-{:x}", "+0x{:x}", "0x{:x}0", "x0x{:x}", "0x0{:x}",
                                  "{:x}-1234", "0x{:x}g", "[<{:x}]", "[<{:x}g>]"])
def test_other_numbers_are_left_alone(filtered, kernel, form):
    """Registers have bare digits, and most kernels are loaded elsewhere."""
    assert filtered(form.format(LINKED), kernel, status=1) == [[]]


def test_an_address_behind_0x_has_six_digits(filtered, run, elf):
    """Leading zeros too, as gdb prints them."""
    path = elf("c")
    start = next(int(line.split()[0], 16) for line in command("nm", path).splitlines()
                 if line.endswith(" T main"))
    (want,) = kernels.frames(run, path, f"{start:x}")
    assert start < 0x10000
    assert filtered(f"{start:#x} 0x{start:05x}", path, status=1) == [[]]
    for option in ((), ("--base=0",)):
        assert filtered(f"0x{start:06x}", *option, path) == [want]
        assert filtered(f"#1  0x{start:016x} in ?? ()", *option, path) == [want]


@pytest.mark.parametrize("option", ["kallsyms", "base"])
def test_addresses_of_a_kernel_that_was_moved_need_its_offset(filtered, kernel, tmp_path, option):
    path = tmp_path / "kallsyms"
    path.write_text(f"{LINKED + MOVED:x} T _text\n")
    option = f"--kallsyms={path}" if option == "kallsyms" else f"--base={LINKED + MOVED:x}"
    text = f"R12: {LINKED + MOVED:016x} R13: {LINKED:016x}"
    assert filtered(text, kernel, status=1) == [[]]
    assert filtered(text, option, kernel) == [["work() at kernel.c:14:8"]]


def test_a_kernel_says_its_offset_by_a_symbol_and_its_address(filtered, kernel):
    reader = kernels.symbol(kernel, "reader")[0]
    text = (f"[<{LINKED + MOVED:x}>]\n"
            f"[<{reader + MOVED + 1:x}>] {mention(kernel, 'reader', 1)}\n"
            f"[<{LINKED + MOVED:x}>]\n"
            f"[<{LINKED:x}>]\n"
            f"R12: {LINKED + MOVED:016x}")
    work = ["work() at kernel.c:14:8"]
    assert filtered(text, kernel) == [[], ["reader() at kernel.c:20:2"], work, [], work]


def test_an_option_says_more_than_the_text(filtered, kernel):
    reader = kernels.symbol(kernel, "reader")[0]
    text = (f"[<{reader + 0x5000:x}>] {mention(kernel, 'reader', 0)}\n"
            f"[<{LINKED + 0x5000:x}>]\n[<{LINKED + MOVED:x}>]\n")
    follow = filtered(text, f"--base={LINKED + MOVED:x}", kernel)
    assert follow == [["reader() at kernel.c:20:2"], [], ["work() at kernel.c:14:8"]]


def test_addresses_of_a_module_need_its_sections(filtered, kernel, module):
    text = f"0x{MODULE + 3:x} 0x{MODULE + 0x1003:x} 0x{LINKED:x}"
    assert filtered(text, module, status=1) == [[]]
    assert filtered("0x100000", module, status=1) == [[]]
    follow, = filtered(text, f"--section-addr=.text.unlikely={MODULE + 0x1000:x}", kernel, module)
    assert follow == ["count() at module.c:9:8 (inlined)", "module_warn() at module.c:20:2",
                      "work() at kernel.c:14:8"]


def test_an_address_in_two_files_is_of_neither(filtered, kernel, tmp_path):
    other = tmp_path / "other"
    other.symlink_to(kernel)
    follow, = filtered(f"[<{LINKED:x}>]", kernel, other, status=1)
    assert follow == ["(in both vmlinux and other)"]


# Streams.

def filter_bytes(program, data, *args):
    return subprocess.run([program, "addr", "--filter", *map(str, args)], input=data,
                          capture_output=True, timeout=20, check=False)


@pytest.mark.parametrize("data", [b"", b"\n", b"\n\n", b"no newline", b"\0\xff\x80 +0x\0\n\r\n",
                                  bytes(range(256)) * 3, b"+0x1/0x2 [\n[<>]\n(\n \t)\n+0x"])
def test_bytes_are_copied_as_they_are(program, kernel, data):
    result = filter_bytes(program, data, kernel)
    said = b"inlinecall: no address and no SYMBOL+0xOFFSET in the text\n"
    assert (result.stdout, result.stderr, result.returncode) == (data, said, 1)


def test_a_text_of_another_program_is_said_to_be_one(run, elf):
    text = "".join(f"    #{i} 0x55d01234{i}004 in f (/usr/bin/other+0x{i}004) \n" for i in range(3))
    result = run("addr", "--filter", "--no-open", elf("c"),
                 stdin=text + "    #3 0x1 in f (/lib/libc.so.6+0x1)\n")
    assert result.status == 1
    assert result.err == (f"inlinecall: none of the 4 addresses and symbols in the text was found in "
                          f"{elf('c')}; the text names /usr/bin/other, /lib/libc.so.6\n")


@pytest.mark.parametrize("text", ["nowhere+0x3/0x10", "0x7fffdeadbeef"])
def test_a_text_of_which_nothing_is_known_is_said_to_be_so(run, elf, kernel, text):
    result = run("addr", "--filter", elf("c"), stdin=f"{text}\n")
    assert (result.status, result.out) == (1, f"{text}\n")
    assert result.err == ("inlinecall: the address or symbol in the text was not found in "
                          f"{elf('c')}\n")
    result = run("addr", "--filter", elf("c"), kernel, stdin=f"{text}\n")
    assert result.err == ("inlinecall: the address or symbol in the text was not found in any "
                          "FILE\n")


def test_a_text_that_says_all_that_is_known_is_said_to_do_so(run, tmp_path):
    path = tmp_path / "program"
    command("gcc", "-g", "-O2", OURS / "aliases.c", "-o", path)
    result = run("addr", "--filter", path, stdin="bare+0x1\n")
    assert (result.status, result.out) == (1, "bare+0x1\n")
    assert result.err == f"inlinecall: nothing found in {path} beyond what the text says\n"


def test_a_last_line_without_a_newline_gets_one_before_its_frames(program, kernel):
    text = mention(kernel, "work", 0).encode()
    out = filter_bytes(program, text, kernel).stdout
    assert out.startswith(text + b"\n    work() at ") and out.endswith(b"\n")


def test_carriage_returns_stay_at_the_end_of_their_lines(program, kernel):
    text = f"Call Trace:\r\n {mention(kernel, 'reader', 5)}\r\n".encode()
    out = filter_bytes(program, text, "-s", kernel).stdout
    assert out == text + b"     reader() at kernel.c:20:2\n"


def test_long_lines_are_copied(program, kernel):
    text = mention(kernel, "work", 0).encode()
    for size in (65500, 1 << 20, 3 << 20):
        data = b"x" * size + b" " + text + b"\n" + text + b"\n"
        out = filter_bytes(program, data, kernel).stdout
        assert out.startswith(data[:size])
        assert out.count(b"work() at") == (2 if size < 1 << 20 else 1)
        assert [line for line in out.split(b"\n") if b"work() at" not in line] == data.split(b"\n")


def test_each_line_is_answered_before_the_next_one_is_waited_for(program, kernel):
    text = mention(kernel, "work", 0).encode()
    with subprocess.Popen([program, "addr", "-s", "--filter", str(kernel)], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE) as process:
        for _ in range(3):
            process.stdin.write(text + b"\n")
            process.stdin.flush()
            assert process.stdout.readline() == text + b"\n"
            assert process.stdout.readline() == b"    work() at kernel.c:14:8\n"
        process.stdin.close()
        assert process.wait(timeout=20) == 0


@pytest.mark.parametrize("unit", [b"a+0x1", b"+0x", b"[<", b"0x1 ", b" ", b"a ", b"a(", b"a+0x1/0x2 ",
                                  b"a+0x1/0x2 [", b"ffffffffffffffff ", b"[<ffffffff81000000>] ",
                                  b"\t12345 (", b"/", b"0123456789abcdef"])
def test_no_line_takes_more_time_than_its_length(program, kernel, unit):
    data = (b" " + unit * (1000000 // len(unit)) + b")\n") * 4
    start = time.monotonic()
    result = filter_bytes(program, data, kernel)
    assert time.monotonic() - start < 15
    assert result.stdout.startswith(data[:1000000])


def test_a_reader_that_has_enough_ends_it_quietly(program, kernel):
    text = (mention(kernel, "work", 0) + "\n") * 50000
    result = subprocess.run(["bash", "-c", '"$@" | head -n 1; echo ${PIPESTATUS[0]}', "sh", program,
                             "addr", "--filter", str(kernel)], input=text, capture_output=True,
                            text=True, timeout=20, check=False)
    assert int(result.stdout.splitlines()[1]) in (0, 128 + signal.SIGPIPE)
    assert result.stderr == ""


def test_output_that_cannot_be_written_is_an_error(program, kernel):
    with open("/dev/full", "wb") as full:
        result = subprocess.run([program, "addr", "--filter", str(kernel)], input=b"text\n",
                                stdout=full, stderr=subprocess.PIPE, timeout=20, check=False)
    assert result.returncode == 2
    assert b"No space left on device" in result.stderr


def test_input_that_cannot_be_read_is_an_error(program, kernel, tmp_path):
    directory = os.open(tmp_path, os.O_RDONLY)
    result = subprocess.run([program, "addr", "--filter", str(kernel)], stdin=directory,
                            capture_output=True, timeout=20, check=False)
    os.close(directory)
    assert result.returncode == 2
    assert b"cannot read standard input: Is a directory" in result.stderr


# Options and files.

def test_names_and_paths_are_as_asked_for(run, elf):
    path = elf("c++")
    name, start = next((line.split()[2], line.split()[0]) for line in
                       command("nm", path).splitlines() if " T _Z" in line)
    for options in ((), ("-C",), ("-s",), ("-C", "-s")):
        lines = run("addr", *options, path, start).out.splitlines()
        function, place = lines[-1].split("\t")[1:3]
        out = run("addr", *options, "--filter", path, stdin=f"{name}+0x0").out.splitlines()
        assert out[-1].strip() == f"{function} at {place}"


def test_functions_are_painted_where_colours_are_asked_for(run, kernel):
    text = mention(kernel, "work", 0)
    out = run("addr", "-s", "--color=always", "--filter", kernel, stdin=text).out
    assert re.search(r"\033\[\d+mwork\(\)\033\[m at kernel.c:14:8\n", out)
    assert "\033" not in run("addr", "--filter", kernel, stdin=text).out


@pytest.mark.parametrize("option, reason", [
    ("--json", "prints text, not JSON or CSV"), ("--section=.text", "cannot be used together")])
def test_what_a_filter_does_not_print_is_refused(run, kernel, option, reason):
    result = run("addr", "--filter", option, kernel)
    assert (result.status, result.out) == (64, "")
    assert reason in result.err


def test_a_file_that_cannot_be_read_leaves_the_others(run, kernel, tmp_path):
    text = mention(kernel, "work", 0)
    result = run("addr", "-s", "--filter", tmp_path / "gone", kernel, stdin=text)
    assert result.out == f"{text}\n    work() at kernel.c:14:8\n"
    assert result.status == 2 and "gone" in result.err
    result = run("addr", "--filter", tmp_path / "gone", stdin=text)
    assert (result.status, result.out) == (2, "")


def test_each_file_without_debug_information_is_named(run, tmp_path):
    for name in "one", "two":
        (tmp_path / f"{name}.c").write_text(f"int {name}(int n) {{ return n + 1; }}\n")
        command("gcc", "-O2", "-c", f"{name}.c", cwd=tmp_path)
    command("ar", "qc", "lib.a", "two.o", cwd=tmp_path)
    for files in ("one.o", "two.o"), ("one.o", "lib.a(two.o)"), ("lib.a(two.o)", "one.o"):
        result = run("addr", "--filter", *files, stdin="one+0x0 two+0x0\n", cwd=tmp_path)
        assert result.status == 2
        assert [line.split(": no .debug_info")[0] for line in result.err.splitlines()
                if "no .debug_info" in line] == [f"inlinecall: {file}" for file in files]


def test_what_is_said_of_one_file_is_not_said_of_two(run, kernel, module, tmp_path):
    for file, option in ((kernel, "--base=1000"), (module, "--section-addr=.text=1000")):
        other = tmp_path / f"other-{file.name}"
        other.symlink_to(file)
        result = run("addr", option, "--filter", file, other)
        assert result.status == 2 and "applies to a single file" in result.err


def test_hidden_addresses_are_called_so(run, kernel, tmp_path):
    path = tmp_path / "kallsyms"
    path.write_text("0000000000000000 T _text\n")
    result = run("addr", f"--kallsyms={path}", "--filter", kernel, stdin="x")
    assert (result.status, result.out) == (2, "")
    assert "kptr_restrict" in result.err


def test_a_file_that_is_not_loaded_is_no_reason_to_stop_where_another_is(filtered, kernel, module,
                                                                         tmp_path):
    path = tmp_path / "kallsyms"
    path.write_text(f"{LINKED:x} T _text\n")
    text = mention(module, "module_read", 3, "my_module")
    assert filtered(text, f"--kallsyms={path}", kernel, module) != [[]]


def test_problems_of_the_files_come_behind_the_text(run, elf, tmp_path):
    broken = with_broken_unit(elf("c"), tmp_path)
    result = run("addr", "--filter", broken, stdin="main+0x0\nbump+0x0\nclamp+0x0\n")
    assert result.out.startswith("main+0x0\n")
    assert result.status in (0, 2) and (result.status == 0) == (result.err == "")
