"""GSYM and Breakpad files that emit writes, and those of LLVM: at every address where frames may change,
they have the frames of the program, as read by `addr`, by readers of our own, and by llvm-gsymutil."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import compare
import pytest
import symbol_files

OURS = Path(__file__).parents[1] / "cli/programs"
BARE = ["-O2", "-g", "-nostdlib", "-static", "-fno-pic", "-no-pie", "-fasynchronous-unwind-tables",
        "-Wl,--build-id"]
PROGRAMS = {  # the compiler and its options, and the source: ours, or one below
    "c": (["gcc", "-O2", "-g"], OURS / "busy.c"),
    "c, clang": (["clang", "-O2", "-g"], OURS / "busy.c"),
    "c, fixed addresses": (["gcc", "-O2", "-g", "-no-pie"], OURS / "busy.c"),
    "c, i386": (["i686-linux-gnu-gcc", *BARE], "bare.c"),
    "c, arm": (["arm-linux-gnueabihf-gcc", *BARE, "-Wl,--unresolved-symbols=ignore-all"], "bare.c"),
    "c, aarch64": (["aarch64-linux-gnu-gcc", *BARE], "bare.c"),
    "c, riscv64": (["riscv64-linux-gnu-gcc", *BARE], "bare.c"),
    "c, big-endian": (["s390x-linux-gnu-gcc", *BARE], "bare.c"),
    "c++": (["g++", "-O2", "-g", "-std=c++17"], "program.cc"),
    "c++, clang": (["clang++", "-O3", "-g", "-std=c++17"], "program.cc"),
}

CPP = r"""
#include <map>
#include <string>
#include <vector>
#include <cstdio>
namespace outer {
struct shape { virtual int area(int) const = 0; virtual ~shape() {} };
template <typename T> inline T twice(T value) { return value + value; }
struct square : shape {
	int side;
	explicit square(int side) : side(side) {}
	int area(int factor) const override { return twice(side * side) * factor; }
};
static inline int sum(const std::vector<int> &values) {
	int total = 0;
	for (int value : values)
		total += twice(value);
	return total;
}
}
int main(int argc, char **argv)
{
	std::map<std::string, int> counts;
	std::vector<int> values;
	for (int i = 0; i < argc; i++) {
		counts[argv[i]] += outer::twice(i);
		values.push_back(outer::square(i).area(argc));
	}
	std::printf("%d %zu\n", outer::sum(values), counts.size());
	return 0;
}
"""
# Without a C library.
BARE_C = r"""
static volatile int input, output;

static inline __attribute__((always_inline)) int twice(int number)
{
	return number + input;
}

static inline __attribute__((always_inline)) int sum(int count)
{
	int total = 0;
	for (int i = 0; i < count; i++)
		total += twice(i * input);
	return total;
}

__attribute__((noinline)) int outer(int count)
{
	char room[64];
	for (int i = 0; i < 64; i++)
		((volatile char *)room)[i] = (char)(input + i);
	output = sum(count) + room[count & 63];
	return sum(output) + twice(count);
}

__attribute__((noinline)) int middle(int count)
{
	return outer(count + 1) + outer(twice(count));
}

void _start(void)
{
	for (;;)
		output = middle(input) + sum(input);
}
"""
SOURCES = {"program.cc": CPP, "bare.c": BARE_C}


@pytest.fixture(scope="module", params=PROGRAMS)
def program(request, tmp_path_factory):
    words, source = PROGRAMS[request.param]
    if not shutil.which(words[0]):
        pytest.skip(f"no {words[0]}")
    folder = tmp_path_factory.mktemp("symbols")
    if source in SOURCES:
        (folder / source).write_text(SOURCES[source])
        source = folder / source
    subprocess.run([*words, source, "-o", folder / "program"], check=True)
    return folder / "program"


def emitted(program, form):
    output = program.parent / f"program.{form}"
    subprocess.run([compare.program(), "emit", f"--format={form}", f"--output={output}", program],
                   check=True)
    return output


def load_address(path):
    listed = subprocess.run(["readelf", "-lW", path], capture_output=True, text=True, check=True)
    return int(re.search(r"LOAD +\w+ 0x(\w+)", listed.stdout)[1], 16)


def ask(path, addresses):
    """Our frames: [[(name, file, line), ...], ...]"""
    result = subprocess.run([compare.program(), "addr", "--json", path], text=True, check=False,
                            capture_output=True, input="".join(f"{at:#x}\n" for at in addresses))
    assert result.returncode in (0, 1) and result.stderr == ""
    stacks = [json.loads(line) for line in result.stdout.splitlines()]
    assert len(stacks) == len(addresses)
    return [[(frame["linkage_name"] or frame["function"] or "", frame["file"] or "", frame["line"])
             for frame in stack["frames"]] for stack in stacks]


def demangled(names):
    """By symbol its name in Breakpad files: without the type that templates return."""
    out = subprocess.run(["c++filt"], input="".join(name + "\n" for name in names), capture_output=True,
                         text=True, check=True).stdout.splitlines()
    return {name: without_type(new) for name, new in zip(names, out)}


def without_type(name):
    depth = start = 0
    for at, char in enumerate(name):
        if depth == 0 and name.startswith("operator", at) or depth == 0 and char == "(" and \
                not name.startswith("(anonymous namespace)", at):
            break
        depth += (char in "<(") - (char in ">)")
        if char == " " and depth == 0:
            start = at + 1
    return name[start:]


def unqualified(stack):
    """Symbols, or names without the namespace that DWARF has around them: both formats qualify names."""
    return [(name if name.startswith("_Z") else name.split("::")[-1], *place) for name, *place in stack]


def agree(program, addresses, *others):
    """That all have the program's frames, except in the padding between functions."""
    wanted = ask(program, addresses)
    compared = 0
    for at, stack, *found in zip(addresses, wanted, *others):
        if len(stack) == 1 and not stack[0][0]:
            continue
        for other in found:
            assert unqualified(other) == unqualified(stack), hex(at)
        compared += len(stack)
    return compared


@pytest.mark.parametrize("form", ["gsym", "gsym2"])
def test_gsym_has_the_frames_of_the_program(program, form):
    path = emitted(program, form)
    functions = symbol_files.Gsym(path.read_bytes()).functions
    addresses = symbol_files.addresses(functions)
    theirs = [symbol_files.frames(functions, at) for at in addresses]
    assert agree(program, addresses, ask(path, addresses), theirs) > len(addresses)


def test_breakpad_has_the_frames_of_the_program(program):
    path, base = emitted(program, "breakpad"), load_address(program)
    functions = symbol_files.Breakpad(path.read_text()).functions
    offsets = symbol_files.addresses(functions)
    theirs, ours = [symbol_files.frames(functions, at) for at in offsets], ask(path, offsets)
    wanted = ask(program, [base + at for at in offsets])
    names = demangled({name for stack in wanted for name, *_ in stack if name.startswith("_Z")})
    compared = 0
    for at, stack, own, other in zip(offsets, wanted, ours, theirs):
        if stack and stack[0][0]:  # otherwise padding
            stack = [(names.get(name, name), *rest) for name, *rest in stack]
            assert own == other and unqualified(own) == unqualified(stack), hex(at)
            compared += len(stack)
    assert compared > len(offsets)


def in_postfix(row, prefix):
    """The rules of a row of cfi --json as Breakpad has them; None if its CFA is an expression."""
    cfa = row["cfa"]
    if cfa["kind"] != "register":
        return None
    offset = f" {cfa['offset']} +" if cfa["offset"] else ""
    rules = {".cfa": f"{prefix}{cfa['from']}{offset}"}
    for rule in row["registers"]:
        name = ".ra" if rule["register"] == row["return_register"] else f"{prefix}{rule['register']}"
        rules[name] = (f".cfa {rule['offset']} + ^" if rule["kind"] == "memory" else ".undef")
    return rules


def test_breakpad_has_the_call_frames_of_the_program(program):
    """Those of crt files too, but for the PLT, whose rules are expressions."""
    result = subprocess.run([compare.program(), "cfi", "--json", program], capture_output=True, text=True,
                            check=True)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    base = load_address(program)
    breakpad = symbol_files.Breakpad(emitted(program, "breakpad").read_text())
    if breakpad.module[1] == "unknown":
        assert not breakpad.stack
        return
    prefix = "$" if "x86" in breakpad.module[1] else ""
    wanted = {(int(row["start"], 16) - base, int(row["end"], 16) - base): rules
              for row in rows if row["type"] == "call_frame" and (rules := in_postfix(row, prefix))}
    own = {".ra", *(f"{prefix}{row['return_register']}" for row in rows if "return_register" in row)}
    found = {(start, end): {name: rule for name, rule in rules.items()
                            if rule != name and not (name == ".ra" and rule in own)}
             for start, end, rules in symbol_files.call_frames(breakpad.stack)}
    assert len(wanted) > 5 and found == wanted


def test_both_have_the_build_id(program):
    note = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    wanted = bytes.fromhex(re.search(r"Build ID: (\w+)", note)[1])
    for form in ("gsym", "gsym2"):
        assert symbol_files.Gsym(emitted(program, form).read_bytes()).id == wanted
    breakpad = symbol_files.Breakpad(emitted(program, "breakpad").read_text())
    assert breakpad.id == wanted
    # The first three fields of the GUID are numbers in little-endian byte order.
    first = wanted[3::-1] + wanted[5:3:-1] + wanted[7:5:-1] + wanted[8:16]
    assert breakpad.module == ["Linux", breakpad.module[1], first.hex().upper() + "0", "program"]
    assert breakpad.module[1] in ("x86_64", "x86", "arm", "arm64", "riscv64", "unknown")


def gsymutils():
    return [path for name in ("llvm-gsymutil", "llvm-gsymutil-19", "llvm-gsymutil-14")
            if (path := shutil.which(name))] or pytest.skip("no llvm-gsymutil")


def ask_gsymutil(tool, path, addresses):
    """By address its frames; those that it cannot find have none."""
    out = subprocess.run([tool, "--addresses-from-stdin"], capture_output=True, text=True, check=True,
                         input="".join(f"{at:#x} {path}\n" for at in addresses)).stdout
    answers, own = {}, None
    for line in out.splitlines():
        if match := re.match(r"(0x\w+): (.*)", line):
            own, line = answers.setdefault(int(match[1], 16), []), match[2]
        if line.strip() and "error:" not in line and "is not in" not in line:
            name, file, number = re.fullmatch(r" *(\S.*?)(?: \+ \d+)?(?: @ (.*):(\d+))?(?: \[inlined\])?",
                                              line).groups()
            own.append((name, file or "", int(number or 0)))
    return answers


def supports_addresses(tool):
    return "--addresses-from-stdin" in subprocess.run([tool, "--help"], capture_output=True, text=True,
                                                      check=False).stdout


def test_llvm_reads_the_same_from_ours(program):
    """Where there is no row LLVM has no frames either."""
    tool = next(filter(supports_addresses, gsymutils()), None) or pytest.skip("it is too old")
    path = emitted(program, "gsym")
    functions = symbol_files.Gsym(path.read_bytes()).functions
    addresses = [at for at in symbol_files.addresses(functions)
                 if (stack := symbol_files.frames(functions, at)) and stack[0][2]]
    theirs = ask_gsymutil(tool, path, addresses)
    assert agree(program, addresses, [theirs[at] for at in addresses]) > len(addresses)


def test_the_same_is_read_from_those_of_llvm(program, tmp_path):
    """Where there is no row LLVM's reader has no inlined calls; ours has those of the file."""
    tool = gsymutils()[0]
    path = tmp_path / "theirs.gsym"
    subprocess.run([tool, f"--convert={program}", f"--out-file={path}"], check=True, capture_output=True)
    functions = symbol_files.Gsym(path.read_bytes()).functions
    addresses = [at for at in symbol_files.addresses(functions) if symbol_files.frames(functions, at)]
    theirs = [symbol_files.frames(functions, at) for at in addresses]
    assert len(addresses) > 40
    for at, own, other in zip(addresses, ask(path, addresses), theirs):
        assert own == other, hex(at)
