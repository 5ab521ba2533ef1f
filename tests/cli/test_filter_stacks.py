"""`inlinecall addr --filter`: stacks by perf, bpftrace, sanitizers, backtrace_symbols() and
coredumpctl, which name the object that a place is in."""

import os
import re
import subprocess

import pytest

import kernels
from building import command, need
from kernels import LINKED, MOVED, mention

MODULE = 0xffffffffc0a00000


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    return kernels.build_kernel(tmp_path_factory.mktemp("kernel"))


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    return kernels.build_module(tmp_path_factory.mktemp("module"))


# perf script.

def perf(address, symbol, file):
    return f"\t{address:16x} {symbol} ({file})\n"


def test_lines_of_perf_are_read_by_their_objects(filtered, kernel, module):
    text = "prog 12 [000] 1.5: cycles: \n"
    off = kernels.return_offset(kernel, "reader", "work") + 1  # the one below it is inlined too
    address = kernels.symbol(kernel, "reader")[0] + MOVED + off
    for file in ("[kernel.kallsyms]", "[kernel.kallsyms]_text", "/boot/vmlinux-6.1.0", "vmlinux",
                 "/usr/lib/debug/boot/vmlinux"):
        text += perf(address, f"reader+{off:#x}", file)
    frames = ["count() at kernel.c:9:8 (inlined)", "reader() at kernel.c:21:2"]
    assert filtered(text, kernel, module) == [[]] + [frames] * 5
    for file in ("[my_module]", "/lib/modules/6.1.0/extra/my-module.ko", "my_module.ko.xz"):
        assert filtered(perf(MODULE, "module_read+0x3", file), kernel, module)[0][1].startswith(
            "module_read()")
    for file in ("[vdso]", "/usr/lib/libc.so.6", "[unknown]", "inlined", "[guest.kernel.kallsyms]"):
        assert filtered(perf(LINKED, "reader+0xe", file), kernel, module, status=1) == [[]]


def test_frames_are_added_as_perf_has_them(run, kernel):
    off = kernels.return_offset(kernel, "reader", "work") + 1
    address = kernels.symbol(kernel, "reader")[0] + MOVED + off
    host = perf(address, f"reader+{off:#x}", "[kernel.kallsyms]")
    inlined = f"\t{address:16x} count (inlined)\n"
    sample, other = "prog 12 [000] 1.5: cycles: \n", f"not of perf: reader+{off:#x}/0x100\n"

    def copied(text, status=0):
        result = run("addr", "--filter=perf", kernel, stdin=text)
        assert result.status == status, result.err
        return result.out

    assert copied(sample + host + "\n" + other) == sample + inlined + host + "\n" + other
    assert copied(sample + inlined + host) == sample + inlined + host  # perf, or we, had found them
    assert copied(sample + inlined + host + host) == sample + inlined + host + inlined + host
    assert copied(host.rstrip("\n")) == inlined + host.rstrip("\n")
    assert copied(other, status=1) == other
    assert run("addr", "--filter=gdb", kernel, stdin="").status == 64


def test_lines_of_perf_may_have_no_offsets(filtered, kernel):
    """Then the address must be that of the symbol, or it is known where the kernel is."""
    text = perf(LINKED + MOVED, "work", "[kernel.kallsyms]")
    work = [["work() at kernel.c:14:8"]]
    assert filtered(text, kernel, status=1) == [[]]
    assert filtered(text, f"--base={LINKED + MOVED:x}", kernel) == work
    assert filtered(perf(LINKED, "work", "[kernel.kallsyms]"), kernel) == work
    assert filtered(perf(LINKED, "reader", "[kernel.kallsyms]"), kernel, status=1) == [[]]


def test_programs_are_found_by_their_paths(filtered, run, elf, tmp_path):
    path = elf("c")
    start = next(int(line.split()[0], 16) for line in command("nm", path).splitlines()
                 if line.endswith(" T main"))
    (want,) = kernels.frames(run, path, f"{start + 4:x}")
    assert filtered(perf(0x55d012345000 + start + 4, "main+0x4", f"/usr/bin/{path.name}"),
                    path) == [want]
    debug = tmp_path / (path.name + ".debug")
    debug.symlink_to(path)
    assert filtered(perf(0x5000 + start + 4, "main+0x4", f"/usr/bin/{path.name}"),
                    debug) == [want]
    # Of another build, where main() was elsewhere in its page.
    assert filtered(perf(0x5010 + start + 4, "main+0x4", f"/usr/bin/{path.name}"),
                    path, status=1) == [[]]


def test_callers_in_stacks_of_perf_are_return_addresses(filtered, run, kernel):
    start = next(int(line.split()[0], 16) for line in command("nm", kernel).splitlines()
                 if line.endswith(" reader"))

    def frame(off, what="[kernel.kallsyms]", name="reader"):
        return perf(start + off, f"{name}+{off:#x}", what)

    known = {off: kernels.frames(run, kernel, f"{start + off:x}")[0] for off in range(0x18)}
    off = next(off for off in range(1, 0x18) if known[off] != known[off - 1])
    exact, call = known[off], known[off - 1]
    stack = frame(off) + frame(off) + frame(off)
    assert filtered(stack, kernel) == [exact, call, call]
    # A blank line ends a stack; and inlined frames are of the frame below them.
    assert filtered(frame(off) + "\n" + frame(off), kernel) == [exact, [], exact]
    inlined = frame(off, "inlined", "count")
    assert filtered(inlined + frame(off) + inlined + frame(off), kernel) == [[], exact, [], call]



def test_names_of_any_kind_may_be_in_lines_of_perf(run, elf):
    text = perf(0x401000, "operator()(int, char (&) [3])+0x1f", "/usr/bin/c++")
    text += perf(0x401000, "a+0x1+0xg b", "/usr/bin/c++") + "\t1234 (\n \t12345 x (\n"
    result = run("addr", "--filter", elf("c++"), stdin=text)
    assert (result.out, result.status) == (text, 1)


def test_what_a_signal_interrupted_is_exact_in_stacks_of_perf(filtered, run, kernel):
    start = kernels.symbol(kernel, "reader")[0]
    off = kernels.return_offset(kernel, "reader", "work")
    exact, call = (kernels.frames(run, kernel, f"{start + at:x}")[0] for at in (off, off - 1))

    def stack(name):
        return (perf(0x1000, "handler+0x5", "/usr/bin/prog") + perf(0x2000, name, "/usr/lib/libc.so.6")
                + perf(start + off, f"reader+{off:#x}", "[kernel.kallsyms]"))

    assert filtered(stack("__restore_rt+0x0"), kernel) == [[], [], exact]
    assert filtered(stack("raise+0x5"), kernel) == [[], [], call]


def test_perf_may_print_offsets_in_objects(filtered, kernel):
    """With -F +dsoff."""
    off = kernels.return_offset(kernel, "reader", "work")
    address = kernels.symbol(kernel, "reader")[0] + MOVED + off
    text = perf(address, f"reader+{off:#x}", f"/boot/vmlinux+{off + 0x20000:#x}")
    assert filtered(text, kernel)[0][1] == "reader() at kernel.c:21:2"


def test_lines_of_perf_that_cannot_be_placed_are_reported(run, elf):
    text = perf(0x55d012345004, "main", f"/usr/bin/{elf('c').name}")
    result = run("addr", "--filter", elf("c"), stdin=text * 3)
    assert (result.status, result.out) == (1, text * 3)
    assert result.err == (f"inlinecall: {elf('c')}: 3 lines have addresses in memory, but its load "
                          "address is unknown; print offsets (perf script -F +symoff), or give "
                          "--base\n")


TEMPLATES = r"""
#ifdef __clang__
#define kept __attribute__((noinline))
#else
#define kept __attribute__((noipa))
#endif
template <typename T> struct Box {
	T v;
	static inline __attribute__((always_inline)) T step(T a, T b)
	{
		return a * 31 + b;
	}
	kept T spin(T n) const
	{
		T sum = v;
		for (T i = 0; i < n; i++) {
			sum = step(sum, i);
			asm volatile("" : "+r"(sum));
		}
		return sum;
	}
};
namespace ns {
kept long twice(long a, int)
{
	return Box<long>{a}.spin(a) + 1;
}
kept long twice(int a)
{
	return Box<int>{a}.spin(a) + 1;
}
}
int main(int argc, char **)
{
	return (int)(ns::twice((long)argc, 2) + ns::twice(argc));
}
"""


def file_offset(path, address):
    """Of the byte that is loaded at an address."""
    for off, start, size in re.findall(
            r"^ +LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x(\w+)", command("readelf", "-lW", path), re.M):
        if int(start, 16) <= address < int(start, 16) + int(size, 16):
            return address - int(start, 16) + int(off, 16)
    raise AssertionError(f"{address:#x} is not loaded")


@pytest.mark.parametrize("link", ["pie", "fixed", "lld"])
def test_perf_prints_offsets_in_programs_and_names_of_the_source(run, filtered, tmp_path, link):
    compiler, *options = LINKS[link]
    compiler = {"gcc": "g++", "clang": "clang++"}[compiler]
    need(compiler)
    if link == "lld":
        need("ld.lld")
    path = tmp_path / "prog"
    (tmp_path / "prog.cpp").write_text(TEMPLATES)
    command(compiler, "-g", "-O2", *options, tmp_path / "prog.cpp", "-o", path)
    names = {"_ZNK3BoxIlE4spinEl": ("Box<long>::spin", "Box<long>::spin(long) const"),
             "_ZNK3BoxIiE4spinEi": ("Box<int>::spin", "Box<int>::spin(int) const"),
             "_ZN2ns5twiceEli": ("ns::twice", "ns::twice(long, int)"),
             "_ZN2ns5twiceEi": ("ns::twice", "ns::twice(int)")}
    found = re.findall(r"^(\w+) (\w+) \w (\w+)$", command("nm", "-S", path), re.M)
    found = [(int(start, 16), int(size, 16), name) for start, size, name in found if name in names]
    assert len(found) == len(names)
    inlined = 0
    for start, size, mangled in found:
        for off in (0, size // 2, size - 1):
            (want,) = kernels.frames(run, path, f"{start + off:x}")
            inlined += len(want) > 1
            for name in (mangled, *names[mangled]):
                place = file_offset(path, start + off)
                assert filtered(perf(place, f"{name}+{off:#x}", path), path) == [want]
                assert filtered(perf(place, name, "/bin/prog"), path) == [want]
                assert filtered(perf(place, f"{name}+{off:#x}", path), f"--base=7f0000000000",
                                path) == [want]
            assert filtered(perf(place, f"other+{off:#x}", path), path, status=1) == [[]]
            assert filtered(perf(place, f"{names[mangled][0]}+{off + 1:#x}", path), path,
                            status=1) == [[]]
    assert inlined


# bpftrace.

def test_stacks_of_bpftrace_have_decimal_offsets(filtered, run, kernel, module):
    start = kernels.symbol(kernel, "reader")[0]
    off = kernels.return_offset(kernel, "reader", "work")
    exact, call = (kernels.frames(run, kernel, f"{start + at:x}")[0] for at in (off, off - 1))
    text = f"@[\n    reader+{off}\n    reader+{off}\n    x+1\n    reader+{off}\n]: 12\nreader+{off}"
    assert filtered(text, kernel) == [[], exact, call, [], call, [], exact]
    read = ["count() at module.c:9:8 (inlined)", "module_read() at module.c:14:2"]
    assert filtered("    module_read+3 [my_module]", kernel, module) == [read]
    assert filtered("    module_read+3", kernel, module, status=1) == [[]]
    # kstack(perf)
    text = f"\t{LINKED + MOVED + 7 + off:x} reader+{off} ([kernel.kallsyms])\n"
    assert filtered(text * 2, kernel) == [exact, call]


# Objects and offsets.

SOURCE = r"""
#include <execinfo.h>
#include <stdlib.h>
static char *volatile buffer;
static inline __attribute__((always_inline)) int peek(int n)
{
	return buffer[n];
}
static inline __attribute__((always_inline)) void show(void)
{
	void *frames[32];
	backtrace_symbols_fd(frames, backtrace(frames, 32), 1);
}
__attribute__((noinline)) static int inner(int n)
{
	if (n == 1)
		show();
	return peek(n) + 1;
}
__attribute__((noinline)) int outer(int n)
{
	return inner(n) * 2;
}
int main(int argc, char **argv)
{
	buffer = malloc(8);
	return outer(argc > 1 ? 1 : 100);
}
"""

LINKS = {
    "pie": ("gcc", "-pie", "-fPIE"),
    "fixed": ("gcc", "-no-pie", "-fno-pie"),
    "dynamic": ("gcc", "-rdynamic"),
    # Offsets in the file and addresses differ.
    "lld": ("clang", "-fuse-ld=lld"),
}


@pytest.fixture(scope="module")
def program_that(tmp_path_factory):
    """Builds the source above."""
    directory = tmp_path_factory.mktemp("programs")
    (directory / "prog.c").write_text(SOURCE)

    def build(name, *options):
        compiler, *link = LINKS[name]
        need(compiler)
        if "-fuse-ld=lld" in link:
            need("ld.lld")
        path = directory / "-".join(("prog", name, *(option.strip("-") for option in options)))
        command(compiler, "-g", "-O2", *link, *options, directory / "prog.c", "-o", path)
        return path

    return build


def functions(follow):
    return [line.split("()")[0] for line in follow]


@pytest.mark.parametrize("link", LINKS)
def test_stacks_of_backtrace_symbols(filtered, program_that, link):
    path = program_that(link)
    text = subprocess.run([path, "1"], capture_output=True, text=True, check=False).stdout
    follow = filtered(text, path)
    assert functions(follow[0]) == ["show", "inner"]
    assert follow[0][1].startswith("inner() at prog.c:17:")
    assert functions(follow[1]) == ["outer"] and "prog.c:22:" in follow[1][0]
    # backtrace_symbols() prints a blank, and parentheses always; so does what printed this, since
    # some version of glibc.
    text = re.sub(r"(\(\))? ?\[0x", "() [0x" if link == "fixed" else " [0x", text)
    text = "".join(f"W prog: {line}\n" for line in text.replace(")()", ")").splitlines())
    assert filtered(text, path) == follow
    other = program_that("lld" if link == "pie" else "pie")
    assert not any(filtered(text, "--no-open", other, status=1))


def test_advice_for_perf_is_not_for_other_stacks(run, program_that):
    path = program_that("pie")
    text = f"{path}(strange+0x1) [0x5581e5f4a114]\n"
    result = run("addr", "--filter", path, stdin=text)
    assert (result.status, result.out) == (1, text)
    assert "perf" not in result.err


@pytest.mark.parametrize("link", ["pie", "fixed", "lld"])
def test_stacks_of_sanitizers(filtered, program_that, link):
    try:
        path = program_that(link, "-fsanitize=address")
    except RuntimeError as error:
        pytest.skip(f"no sanitizer here: {error}")
    text = subprocess.run([path], capture_output=True, text=True, check=False,
                          env={**os.environ, "ASAN_OPTIONS": "symbolize=0"}).stderr
    frames = [line for line in text.splitlines() if re.match(r"    #[01] 0x", line)]
    follow = filtered("\n".join(frames), path)
    # Their addresses are within the calls already.
    assert functions(follow[0]) == ["peek", "inner"] and "prog.c:7:" in follow[0][0]
    assert functions(follow[1]) == ["outer"] and "prog.c:22:" in follow[1][0]
    assert functions(follow[3]) == ["main"] and "prog.c:26:" in follow[3][0]
    assert filtered(frames[1], "-R", path) == [follow[1]]
    (summary,) = (line for line in text.splitlines() if line.startswith("SUMMARY: "))
    assert filtered(summary, path) == [follow[0]]


@pytest.fixture(scope="module")
def places(program_that):
    """A program that is not at address 0, and the offsets in it of two calls: (path, start, of the
    call in outer(), of what follows the call)."""
    path = program_that("fixed")
    lines = command("objdump", "-d", "--no-show-raw-insn", "--disassemble=outer", path).splitlines()
    call = next(i for i, line in enumerate(lines) if re.search(r"\bcall.*<inner", line))
    at, behind = (int(lines[i].split(":")[0], 16) for i in (call, call + 1))
    return path, 0x400000, at, behind


def test_stacks_of_coredumpctl(filtered, program_that, places):
    path, start, _, behind = places
    text = (f"                #0  0x{behind:016x} n/a (prog-fixed + {behind - start:#x})\n"
            f"                #1  0x{behind:016x} outer (prog-fixed + {behind - start:#x})\n"
            f"                #2  0x00007f0000001000 __restore_rt (libc.so.6 + 0x3c050)\n"
            f"                #3  0x{behind:016x} n/a (prog-fixed + {behind - start:#x})\n")
    exact, call, _, interrupted = filtered(text, path)
    assert call != exact == interrupted
    assert "prog.c:22:9" in call[0]


def test_stacks_of_llvm_have_return_addresses(filtered, places):
    path, _, at, behind = places
    text = f" #0 0x{behind:016x} ({path}+{behind:#x})\n #1 0x{behind:016x} f(int) ({path}+{behind:#x})\n"
    exact, call = filtered(text, path)
    assert exact != call == filtered(f"({path}+{at:#x})", path)[0]


@pytest.mark.parametrize("text", [
    "(prog-fixed+0x{:x})", "/prog-fixed+0x{:x})", "(/prog-fixed+{:x})",
    "(/prog-fixed+0x{:x}", "(/prog-fixed+0x{:x}/0x10)", "#1 (prog-fixed+0x{:x})",
    "prog-fixed(+{:x})[0x1]", "prog-fixed(+0x{:x})[1]", "prog-fixed(+0x{:x}) [0x1",
    " (+0x{:x}) [0x1]", "#1 0x1 x (other + 0x{:x})", "#1 0x1 x (xprog-fixed + 0x{:x})",
])
def test_other_parentheses_are_left_alone(filtered, places, text):
    path, _, at, _ = places
    assert filtered(text.format(at), path, status=1) == [[]]


def test_a_build_id_that_is_printed_has_to_be_that_of_the_file(filtered, elf):
    path = elf("build-id")
    start = next(int(line.split()[0], 16) for line in command("nm", path).splitlines()
                 if line.endswith(" T main"))
    text = f"    #0 0x1234 in main (/bin/{path.name}+{start:#x})"
    (want,) = filtered(text, path)
    assert want[-1].startswith("main() at ")
    assert filtered(f"{text} (BuildId: ab12cd34ef)", path) == [want]
    assert filtered(f"{text} (BuildId: ab12cd34ee)", path, status=1) == [
        [f"(from another build than {path.name}, whose build ID is ab12cd34ef)"]]
