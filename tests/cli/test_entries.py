"""The places where copies are entered, and what is not certain of them, in all commands."""

import json
import os
import platform
import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

import building

PROGRAM = Path(__file__).resolve().parent / "programs/entered.c"
FUNCTIONS = ["unrolled", "peeled", "threaded", "divided", "reversed", "halved"]
BUILDS = [("gcc", "-O2"), ("gcc", "-O3"), ("clang", "-O2"),
          *(pytest.param((compiler, level), marks=pytest.mark.long)
            for compiler, levels in (("gcc", ("-O0", "-O1", "-Os")), ("clang", ("-O0", "-O1", "-O3", "-Os")))
            for level in levels)]


@pytest.fixture(name="entered", scope="module", params=BUILDS, ids="".join)
def fixture_entered(request, tmp_path_factory):
    compiler, level = request.param
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    path = tmp_path_factory.mktemp("entered") / "entered"
    building.command(compiler, level, "-g", "-o", path, PROGRAM)
    return path


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines() if line.startswith('{"type"')]


def sites(run, function, path):
    return [row for row in rows_of(run("-e", "-o", "--json", function, path)) if row["ranges"]]


def check_counts(run, path, names=FUNCTIONS):
    """Whether no count is untold to be lower than what the program prints: those that are lower."""
    printed = dict(line.split() for line in building.command(path).splitlines())
    unsure = set()
    for function in names:
        result = run("trace", "--count", "--json", function, path, "--", path)
        if result.status == 2 and re.search("needs root|too old|without it", result.err):
            pytest.skip(f"tracing needs root and BPF: {result.err}")
        rows = rows_of(result)
        hits = sum(row["hits"] for row in rows)
        assert hits <= int(printed[function]), function
        if not rows:
            assert "not described in the debug information" in result.err, function
        elif hits < int(printed[function]):
            doubts = [doubt for row in rows for doubt in row["copy"]["doubts"]]
            assert hits, function
            if "calls may be missing: it has an entry, but no range of code" not in result.err:
                assert doubts and "calls may be missing" in result.err, function
            assert {doubt["kind"] for doubt in doubts} <= {"passed by", "repeated", "loop"}
            unsure.add(function)
    return unsure


def test_counts_are_right_or_in_doubt(run, entered):
    assert check_counts(run, entered) < set(FUNCTIONS)


LESS = [("-O2", "-g1"), ("-O2", "-flto"), ("-O2", "-gno-column-info"),
        *(pytest.param((level, option), marks=pytest.mark.long)
          for level in ("-O1", "-O3", "-Os") for option in ("-g1", "-flto", "-gno-column-info"))]


@pytest.mark.parametrize("options", LESS, ids="".join)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_so_are_they_where_the_compiler_tells_less(run, tmp_path, compiler, options):
    """GCC marks no beginnings with -g1 and -flto; without columns no statement is told from another."""
    building.need(compiler)
    path = tmp_path / "entered"
    building.command(compiler, "-g", *options, "-o", path, PROGRAM)
    check_counts(run, path)


DESTROYED = r"""
#include <cstdio>
unsigned long of_leave, of_add;
volatile int sink;
struct guard {
	int kept;
	guard(int value) : kept(value) { sink = kept; }
	~guard() { leave(); }
	void leave() { __asm__ volatile("" : "+m"(of_leave)); of_leave++; sink = -kept; }
};
template<int N> int add(int a) {
	__asm__ volatile("" : "+m"(of_add)); of_add++;
	if constexpr (N > 0) return add<N - 1>(a + N); else return a;
}
static int throws(int i) { guard g(i); if (i % 4 == 1) throw i; return i; }
__attribute__((noinline)) int catches(int n) {
	int found = 0;
	for (int i = 0; i < n; i++) {
		try { found += throws(i); guard g(i); if (i == 7) throw 1L; }
		catch (int k) { found -= k; }
		catch (long) { found += found; }
	}
	return found;
}
__attribute__((noinline)) int adds(int n) {
	int found = 0;
	for (int i = 0; i < n; i++) found += add<3>(i);
	return found;
}
int main() {
	sink += catches(20) + adds(4);
	printf("leave %lu\nadd %lu\n", of_leave, of_add);
}
"""


@pytest.mark.parametrize("options", [("-O2", "-g1"), ("-O2", "-gno-column-info"), ("-O3", "-flto")],
                         ids="".join)
@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_so_are_those_of_templates_and_destructors(run, tmp_path, compiler, options):
    building.need(compiler)
    (tmp_path / "destroyed.cpp").write_text(DESTROYED)
    building.command(compiler, "-std=c++17", "-g", *options, "-o", tmp_path / "destroyed",
                     tmp_path / "destroyed.cpp")
    check_counts(run, tmp_path / "destroyed", ["leave", "add"])


def test_all_commands_have_the_same_entries(run, entered):
    for function in FUNCTIONS:
        rows = sites(run, function, entered)
        listed = [entry["address"] for row in rows for entry in row["entries"]]
        text = run("-e", "-o", function, entered)
        lines = [line for line in text.sites if "counted at another copy" not in line[-1]]
        assert [line[0] for line in lines] == listed
        assert [line[1] for line in lines] == [f"{entry['symbol']}+{entry['offset']:#x}"
                                               for row in rows for entry in row["entries"]]
        assert ([line[-1].endswith("same copy") for line in lines] ==
                [number > 0 for row in rows for number, _ in enumerate(row["entries"])])
        probes = [row for row in rows_of(run("probe", "--json", function, entered))]
        assert [row["address"] for row in probes] == listed
        assert len({row["event"] for row in probes}) == len(listed)
        verdict, = rows_of(run("why", "--json", function, entered))
        inlined = [row for row in rows if row["type"] == "site"]
        assert verdict["entered"] == len({entry["address"] for row in inlined
                                          for entry in row["entries"]})
        assert verdict["doubtful"] == sum(bool(row["doubts"]) for row in inlined)
        traced = run("trace", "--count", "--json", function, entered, "--", entered)
        if traced.status == 0:
            assert ({row["copy"]["entry"]: row["copy"]["doubts"] for row in rows_of(traced)} ==
                    {row["entries"][0]["address"]: row["doubts"] for row in rows if row["entries"]})
        for command in ("probe", "why"):
            said = run(command, function, entered).err
            assert (bool(re.search("calls may be missing|may be fewer calls", said)) ==
                    any(row["doubts"] for row in rows))


def test_it_does_not_depend_on_what_is_asked_beside(run, entered):
    """Only rows of code with copies of the functions are kept."""
    of_all = rows_of(run("-e", "-o", "-a", "--json", entered))
    names = {row["function"] for row in of_all}
    assert names >= {name for name in FUNCTIONS
                     if any(row["type"] == "site" for row in sites(run, name, entered))}
    for name in names:
        wanted = [row for row in of_all if row["function"] == name]
        assert rows_of(run("-e", "-o", "--json", name, entered)) == wanted
        assert rows_of(run("-e", "-o", "--strict", "--json", name, entered)) == wanted


def test_a_loop_that_is_unrolled_has_an_entry_for_each_round(run, tmp_path):
    building.need("gcc")
    path = tmp_path / "entered"
    building.command("gcc", "-O1", "-funroll-loops", "-g", "-o", path, PROGRAM)
    row, = sites(run, "peeled", path)
    assert len(row["entries"]) == 8 and not row["doubts"]


def test_a_call_of_itself_that_is_a_loop_is_a_doubt(run, tmp_path):
    for compiler in filter(shutil.which, ("gcc", "clang")):
        path = tmp_path / compiler
        building.command(compiler, "-O2", "-g", "-o", path, PROGRAM)
        row, = sites(run, "divided", path)
        assert {doubt["kind"] for doubt in row["doubts"]} == {"repeated"}, compiler


def test_a_copy_that_is_only_a_nop_has_an_entry(run, tmp_path):
    """As macros for static probes emit it."""
    (tmp_path / "nop.c").write_text(
        "volatile int sink;\n"
        'static inline void mark(void) { __asm__ volatile("nop"); }\n'
        "__attribute__((noinline)) void work(int i) { sink = i; mark(); sink += 2; }\n"
        "int main(void) { work(1); return 0; }\n")
    for compiler in filter(shutil.which, ("gcc", "clang")):
        building.command(compiler, "-O2", "-g", "-o", tmp_path / compiler, tmp_path / "nop.c")
        row, = sites(run, "mark", tmp_path / compiler)
        assert [entry["address"] for entry in row["entries"]] == [row["entry"]], compiler
        assert not row["doubts"] and not row["counted_elsewhere"], compiler


ACK = r"""
static unsigned long calls;
__attribute__((noinline)) static int ack(int m, int n) { __asm__ volatile("" : "+m"(calls)); \
if (!m) return n + 1; if (!n) return ack(m - 1, 1); return ack(m - 1, ack(m, n - 1)); }
int main(int argc, char **argv) { return ack(argc, 2) + (int)calls; }
""".replace("\\\n", "")


def test_a_call_of_itself_in_one_line_is_a_doubt(run, tmp_path):
    building.need("clang")
    (tmp_path / "ack.c").write_text(ACK)
    building.command("clang", "-O2", "-g", "-o", tmp_path / "ack", tmp_path / "ack.c")
    row, = sites(run, "ack", tmp_path / "ack")
    assert {doubt["kind"] for doubt in row["doubts"]} == {"repeated"}


VECTORIZED = """
#if __SSE2__
#include <emmintrin.h>
#endif
static inline int square(int x) { return x * x + 3; }
static inline int sum(const int *from, int count)
{
	int found = 0;
	for (int i = 0; i < count; i++)
		found += from[i];
	return found;
}
__attribute__((noipa)) void squares(int *restrict to, const int *restrict from)
{
	for (int i = 0; i < 15; i++)
		to[i] = square(from[i]);
}
__attribute__((noipa)) int sums(const int *from, int count)
{
	return sum(from, count) + 1;
}
#if __SSE2__
__attribute__((noipa)) __m128i added(__m128i a, __m128i b) { return _mm_add_epi32(a, b); }
#endif
int main(void)
{
	int from[15] = { 1 }, to[15];
	squares(to, from);
	return sums(to, 15);
}
"""


@pytest.mark.skipif(platform.machine() not in ("x86_64", "aarch64"), reason="no vectors known")
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_an_instruction_for_several_calls_is_a_doubt(run, tmp_path, compiler):
    """But not one in a loop of the function itself, nor what a compiler has for one of them."""
    building.need(compiler)
    path = tmp_path / "vectorized"
    (tmp_path / "vectorized.c").write_text(VECTORIZED if compiler == "gcc" else
                                          VECTORIZED.replace("noipa", "noinline"))
    building.command(compiler, "-O3", "-g", "-o", path, tmp_path / "vectorized.c")
    rows = sites(run, "square", path)
    assert rows
    for row in rows:
        assert "packed" in {doubt["kind"] for doubt in row["doubts"]}
    assert "possibly run once for several calls" in run("probe", "square", path).err
    for function in ("sum", "_mm_add_epi32"):
        for row in sites(run, function, path):
            assert "packed" not in {doubt["kind"] for doubt in row["doubts"]}, function


def abbrev(code, tag, children, *attrs):
    return [f".uleb128 {code}, {tag}", f".byte {children}",
            *(f".uleb128 {attr}, {form}" for attr, form in attrs), ".byte 0, 0"]


def program_of(code, copies, column, *ranges):
    """A program whose only function has this code, and these copies of copied() in line 5."""
    function = ((3, 8), (0x3a, 11), (0x3b, 11))
    return "\n".join([
        '.file 1 "a.c"', ".text", ".globl _start", "_start:", *code, "ret", ".Lend:",
        ".section .debug_abbrev", *abbrev(1, 0x11, 1, (3, 8), (0x10, 0x17), (0x11, 1), (0x12, 7)),
        *abbrev(2, 0x2e, 0, *function, *([(0x39, 11)] if column else [])),
        *abbrev(3, 0x2e, 1, *function, (0x11, 1), (0x12, 7)),
        *abbrev(4, 0x1d, 0, (0x31, 0x13), (0x55, 0x17), (0x52, 1)),
        *abbrev(5, 0x1d, 0, (0x31, 0x13), (0x11, 1), (0x12, 6)),
        *abbrev(6, 0x1d, 0, (0x31, 0x13), (0x11, 1), (0x12, 6), (0x59, 11), (0x57, 11)), ".byte 0",
        ".section .debug_info", ".Lunit:", ".long .Lunit_end - . - 4", ".value 4",
        ".long .debug_abbrev", ".byte 8, 1", '.asciz "a.c"', ".long .debug_line",
        ".quad _start, .Lend - _start", ".Lcopied:", ".byte 2", '.asciz "copied"', ".byte 1, 5",
        *([f".byte {column}"] if column else []),
        ".byte 3", '.asciz "host"', ".byte 1, 9", ".quad _start, .Lend - _start", *copies,
        ".byte 0, 0", ".Lunit_end:", ".section .debug_ranges", *ranges, ""])


def many_entries(count, column):
    """A copy of `count` ranges of one instruction, which the caller's code is between; and one
    of which no code is left."""
    code = [".loc 1 9 1", "push %rax"]
    for i in range(count):
        code += [f".Lfirst{i}:", ".loc 1 5 13", "incl %eax", f".Lsecond{i}:", ".loc 1 20 3", "decl %eax",
                 "" if column else f"jz .Lfirst{i}"]
    copies = [f".byte 4\n.long .Lcopied - .Lunit, {ranges}\n.quad .Lfirst0"
              for ranges in (".debug_ranges", ".Lempty")]
    return program_of(code, copies, column,
                      *(f".quad .Lfirst{i} - _start, .Lsecond{i} - _start" for i in range(count)),
                      ".quad 0, 0", ".Lempty:", ".quad .Lfirst0 - _start, .Lfirst0 - _start", ".quad 0, 0")


def many_copies(count, column):
    """`count` copies that have all the code, of `count` instructions, and as many statements."""
    code = [".loc 1 5 13" if column else ".loc 1 6 3", "incl %eax", ".loc 1 6 3"]
    for i in range(count):
        code += ["incl %eax", "" if column else f".loc 1 {6 + i % 2} 3"]
    copies = [f".rept {count}", ".byte 5", ".long .Lcopied - .Lunit", ".quad _start",
              ".long .Lend - _start", ".endr"]
    return program_of(code, copies, column)


def many_hosts(count):
    """`count` functions, each with a copy, that have the same end."""
    code = [".loc 1 6 3", f".rept {2 * count}", "incl %eax", ".endr"]
    copy = ".byte 5\n.long .Lcopied - .Lunit\n.quad _start + {0}\n.long 2"
    host = '.byte 3\n.asciz "host"\n.byte 1, 9\n.quad _start + {0}, .Lend - _start - {0}\n'
    copies = [f".byte 0\n{host}{copy}".format(2 * i) for i in range(1, count)]
    return program_of(code, [copy.format(0), *copies], None)


def called(start, end, line, column):
    return f".byte 6\n.long .Lcopied - .Lunit\n.quad {start}\n.long {end} - {start}\n.byte {line}, {column}"


def jump_before_beginning():
    """A copy that begins behind a jump, which ends code of another place."""
    code = [".loc 1 9 1", "test %edi, %edi", "jz .Lbegin", ".loc 1 9 5", "decl %eax",
            ".Lcopy:", ".loc 1 8 2", "jmp .Lout",
            ".Lbegin:", ".loc 1 6 2", "incl %eax", ".loc 1 7 2", "addl %eax, %ecx",
            ".Lout:", ".loc 1 9 9", "incl %edx"]
    return program_of(code, [called(".Lcopy", ".Lout", 9, 3)], None)


def merged_calls(column):
    """The code that two calls in one line begin with, and the rest, merged into one copy."""
    code = [".loc 1 9 1", "test %edi, %edi", "jz .Lsecond",
            ".Lbegin:", ".loc 1 6 2", "incl %eax", ".Lfirst_end:", ".loc 1 9 4", "jmp .Lmerged",
            ".Lsecond:", ".loc 1 6 2", "incl %eax", ".Lsecond_end:", ".loc 1 9 5", "decl %edx",
            ".Lmerged:", ".loc 1 7 2", "addl %eax, %ecx", ".Lout:", ".loc 1 9 9", "incl %edx"]
    return program_of(code, [called(".Lbegin", ".Lfirst_end", 9, 3), called(".Lsecond", ".Lsecond_end", 9, 7),
                             called(".Lmerged", ".Lout", 9, column)], None)


def merged_ends(between):
    """The end of two copies of one call, merged, behind an instruction of the caller."""
    code = [".loc 1 9 1", "test %edi, %edi", "jz .Lsecond",
            ".Lbegin:", ".loc 1 6 2", "incl %eax", "jmp .Lbetween",
            ".Lsecond:", ".loc 1 6 2", "incl %eax",
            ".Lbetween:", ".loc 1 0", between,
            ".Lmerged:", ".loc 1 7 2", "addl %eax, %ecx", ".Lout:", ".loc 1 9 9", "incl %edx"]
    return program_of(code, [called(start, end, 9, 3) for start, end in (
        (".Lbegin", ".Lsecond"), (".Lsecond", ".Lbetween"), (".Lmerged", ".Lout"))], None)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="its code is of that")
@pytest.mark.parametrize("source, wanted", [
    (merged_ends("mov %rsi, %rdx"), [".Lbegin", ".Lsecond"]),
    (merged_ends("incl %edx"), [".Lbegin", ".Lsecond", ".Lmerged"]),
    (jump_before_beginning(), [".Lbegin"]), (merged_calls(0), [".Lbegin", ".Lsecond"]),
    (merged_calls(11), [".Lbegin", ".Lsecond", ".Lmerged"])], ids=["ends", "not-ends", "jump", "merged", "not-merged"])
def test_copies_are_entered_where_calls_begin(run, tmp_path, source, wanted):
    building.need("gcc")
    (tmp_path / "a.s").write_text(source.replace(".L", "L")) # so that they are symbols
    building.command("gcc", "-nostdlib", "-static", "-o", tmp_path / "a", tmp_path / "a.s")
    symbols = {name: int(address, 16) for address, _, name in
               (line.split() for line in building.command("nm", tmp_path / "a").splitlines())}
    rows = rows_of(run("-e", "--json", "copied", tmp_path / "a"))
    assert ([int(entry["address"], 16) for row in rows for entry in row["entries"]] ==
            [symbols[name.replace(".L", "L")] for name in wanted])


def run_for_seconds(program, path, source, *options):
    building.need("gcc")
    path.with_suffix(".s").write_text(source)
    building.command("gcc", "-nostdlib", "-static", "-o", path, path.with_suffix(".s"))
    return subprocess.run([program, "-e", "-j1", *options, "copied", path], stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, text=True, check=False,
                          preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (8, 8)))


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="its code is of that")
@pytest.mark.parametrize("column", [None, 13], ids=["positions", "marks"])
def test_very_many_entries_are_found_soon(program, tmp_path, column):
    result = run_for_seconds(program, tmp_path / "many", many_entries(200000, column))
    assert result.returncode == 0 and result.stdout.count("same copy") == 199999


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="its code is of that")
@pytest.mark.parametrize("count, column", [(25000, None), (150000, 13)], ids=["positions", "marks"])
def test_very_many_copies_of_the_same_code_are_given_up_soon(program, tmp_path, count, column):
    result = run_for_seconds(program, tmp_path / "many", many_copies(count, column))
    assert result.returncode == 2
    assert "too much of the code around it was searched for other copies" in result.stderr


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="its code is of that")
def test_very_many_functions_of_the_same_code_are_given_up_soon(program, tmp_path):
    result = run_for_seconds(program, tmp_path / "many", many_hosts(8000))
    assert result.returncode == 0
    assert "there are too many copies; only the first were searched" in result.stderr
    again = run_for_seconds(program, tmp_path / "many", many_hosts(8000), "-j3")
    assert (again.stdout, again.stderr) == (result.stdout, result.stderr)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="its code is of that")
def test_copies_without_code_are_said_to_have_none(run, tmp_path):
    building.need("gcc")
    (tmp_path / "few.s").write_text(many_entries(2, 13))
    building.command("gcc", "-nostdlib", "-static", "-o", tmp_path / "few", tmp_path / "few.s")
    result = run("-e", "--json", "copied", tmp_path / "few")
    assert "for 1 of 2 copies, calls may be missing: it has an entry, but no range of code" in result.err
    assert [row["doubts_why_not"] for row in rows_of(result)] == [None, "it has an entry, but no range of code"]


def test_code_that_is_not_linked_has_the_entry_of_dwarf(run, tmp_path):
    building.need("gcc")
    path = tmp_path / "entered.o"
    building.command("gcc", "-O2", "-g", "-c", "-o", path, PROGRAM)
    result = run("-e", "--json", "threaded", path)
    rows = rows_of(result)
    assert result.status == 0 and rows
    for row in rows:
        assert [entry["address"] for entry in row["entries"]] == [row["entry"]]
        assert row["doubts"] is None and "the file is not linked" in row["doubts_why_not"]
    assert (f"for {len(rows)} of {len(rows)}" in result.err and
            "calls may be missing: the file is not linked, so the targets of jumps are unknown" in result.err)


GROWING = """package main

var grown int

//go:noinline
func grow(n int) int {
	grown++
	var bytes [512]byte
	bytes[n%512] = byte(n)
	if n == 0 {
		return int(bytes[0])
	}
	return grow(n-1) + int(bytes[n%512])
}

func main() {
	for i := 0; i < 8; i++ {
		done := make(chan int)
		go func() { done <- grow(100) }()
		<-done
	}
	println(grown)
}
"""


@pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed")
def test_growing_the_stack_of_a_function_of_go_is_no_call(run, tmp_path):
    (tmp_path / "grow.go").write_text(GROWING)
    building.command("go", "build", "-o", "grow", "grow.go", cwd=tmp_path)
    path = tmp_path / "grow"
    result = run("trace", "--count", "--json", "main.grow", path, "--", path)
    if result.status == 2 and re.search("needs root|too old|without it", result.err):
        pytest.skip(f"tracing needs root and BPF: {result.err}")
    row, = rows_of(result)
    assert row["hits"] == 8 * 101
    site, = rows_of(run("-e", "-o", "--json", "main.grow", path))
    assert [entry["address"] for entry in site["entries"]] == [row["copy"]["entry"]]
    assert int(row["copy"]["entry"], 16) > int(site["entry"], 16)


SORTING = """
volatile int sink;
static __attribute__((noinline)) void sort(int *list, int first, int last)
{
	if (first >= last)
		return;
	int pivot = list[last], middle = first;
	for (int i = first; i < last; i++)
		if (list[i] < pivot) {
			int item = list[middle];
			list[middle++] = list[i];
			list[i] = item;
		}
	list[last] = list[middle];
	list[middle] = pivot;
	sort(list, first, middle - 1);
	sort(list, middle + 1, last);
}
int main(void)
{
	int list[40];
	for (int i = 0; i < 40; i++)
		list[i] = i * 37 % 41;
	sort(list, 0, 39);
	sink = list[0];
	return 0;
}
"""


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("level", ["-O2", "-Os"])
def test_the_second_call_of_a_sort_is_in_doubt(run, tmp_path, compiler, level):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    (tmp_path / "sort.c").write_text(SORTING)
    path = tmp_path / "sort"
    building.command(compiler, level, "-g", "-o", path, tmp_path / "sort.c")
    rows = sites(run, "sort", path)
    assert "repeated" in {doubt["kind"] for row in rows for doubt in row["doubts"]}
