"""inlinecall check: rules that are kept and broken, in C, C++, Rust and Go, and the formats of the results."""

import collections
import json
import os
import re
import shutil
import xml.etree.ElementTree

import pytest

import building

C = """
#include <stdlib.h>
volatile int sink;
__attribute__((noinline)) void outside(int x) { sink = x; }
static inline __attribute__((always_inline)) int leaf(int number) { sink += number; return number * 3; }
static inline __attribute__((always_inline)) int mid(int x) { outside(x); return leaf(x) + leaf(x + 1); }
__attribute__((noinline)) int partly(int x) { return sink += x; }
__attribute__((noinline)) int one(int x) { return mid(x) + partly(x); }
__attribute__((noinline)) int two(int x) { return leaf(x); }
int main(int argc, char **argv) { return one(argc) + two(argc); }
"""
CXX = C.replace("int leaf(", "int helpers_leaf(").replace("static inline __attribute__((always_inline)) int helpers_leaf",
    "namespace helpers { static inline __attribute__((always_inline)) int leaf").replace(
    "return number * 3; }", "return number * 3; } }").replace("leaf(x", "helpers::leaf(x")
RUST = """
use std::sync::atomic::{AtomicI32, Ordering::Relaxed};
static SINK: AtomicI32 = AtomicI32::new(0);
#[inline(never)] fn outside(x: i32) { SINK.store(x, Relaxed); }
#[inline(always)] fn leaf(number: i32) -> i32 { SINK.fetch_add(number, Relaxed); number * 3 }
#[inline(always)] fn mid(x: i32) -> i32 { outside(x); leaf(x) + leaf(x + 1) }
#[inline(never)] fn partly(x: i32) -> i32 { SINK.fetch_add(x, Relaxed) }
#[inline(never)] fn one(x: i32) -> i32 { mid(x) + partly(x) }
#[inline(never)] fn two(x: i32) -> i32 { leaf(x) }
fn main() { let count = std::env::args().count() as i32; std::process::exit(one(count) + two(count)); }
"""
GO = """
package main

import "os"

var sink int

//go:noinline
func outside(x int) { sink = x }
func leaf(number int) int { sink += number; return number * 3 }
func mid(x int) int { return leaf(x) + 1 }

//go:noinline
func partly(x int) int { sink += x; return sink }

//go:noinline
func one(x int) int { outside(x); return mid(x) + leaf(x + 1) + partly(x) }

//go:noinline
func two(x int) int { return leaf(x) }
func main() { os.Exit(one(len(os.Args)) + two(len(os.Args))) }
"""
SOURCES = {
    "gcc": ("program.c", C, ("gcc", "-g", "-O2", "-fno-ipa-icf")),
    "clang": ("program.c", C, ("clang", "-g", "-O2")),
    "c++": ("program.cpp", CXX, ("g++", "-g", "-O2", "-fno-ipa-icf")),
    "rust": ("program.rs", RUST, ("rustc", "-g", "-Copt-level=2")),
    "go": ("program.go", GO, ("go", "build")),
}
RULES = [  # kept, broken
    ("never inline PARTLY", "never inline LEAF"),
    ("always inline MID", "always inline PARTLY"),
    ("never out-of-line LEAF", "never out-of-line OUTSIDE"),
    ("at most 3 copies of LEAF", "at most 2 copies of LEAF"),
    ("bytes of LEAF <= 10000", "bytes of LEAF <= 1"),
    ("LEAF into ONE", "MID into TWO"),
    ("not MID into TWO", "not LEAF into TWO"),
    ("no call of OUTSIDE from TWO", "no call of OUTSIDE from ONE"),
    ("argument number of LEAF readable at 1 % of its copies", "argument other of LEAF readable at 1% of its copies"),
    ("probe at start of PARTLY hits every call", "probe at start of LEAF hits every call"),
    ("stack of ONE <= 10000", "stack of ONE <= 7"),
]
NAMES = ("leaf", "mid", "partly", "outside", "one", "two")


def named(rule, language):
    for name in NAMES:
        prefix = {"go": "main.", "rust": "program::"}.get(language, "")
        rule = rule.replace(name.upper(), prefix + name)
    return rule


@pytest.fixture(name="programs", scope="module")
def fixture_programs(tmp_path_factory):
    made = {}

    def program(language):
        name, text, command = SOURCES[language]
        building.need(command[0])
        if language not in made:
            folder = tmp_path_factory.mktemp("rules")
            (folder / name).write_text(text)
            extra = ("env", f"GOCACHE={folder}/cache") if language == "go" else ()
            building.command(*extra, *command, "-o", "program", name, cwd=folder)
            made[language] = folder / "program"
        return made[language]

    return program


@pytest.fixture(name="check")
def fixture_check(run, tmp_path):
    """Checks rules, and returns the result and its rows without the first."""

    def check(rules, *words, status=0):
        (tmp_path / "rules").write_text("".join(f"{rule}\n" for rule in rules))
        result = run("check", "--json", tmp_path / "rules", *words)
        assert (result.status, result.err) == (status, "")
        return [json.loads(line) for line in result.out.splitlines()[1:]]

    return check


def calls(path):
    """The addresses of calls, and of jumps to functions, in the disassembly."""
    text = building.command("objdump", "-d", "--no-show-raw-insn", path)
    return {int(address, 16) for address in re.findall(r"^ +([0-9a-f]+):\t(?:call|jmp)", text, re.MULTILINE)}


@pytest.mark.parametrize("language", SOURCES)
@pytest.mark.parametrize("kept, broken", RULES, ids=[kept.split(" ")[0] + str(number) for number, (kept, _) in enumerate(RULES)])
def test_each_kind_of_rule_is_kept_and_broken(check, programs, language, kept, broken):
    program = programs(language)
    rows = check([named(kept, language)], program)
    assert [row["state"] for row in rows] == ["kept"]
    rows = check([named(broken, language)], program, status=1)
    assert rows[0]["state"] == "broken"
    assert rows[0]["breaks"] == len(rows) - 1 or rows[0]["breaks"] > 100
    assert "bytes" in broken or len(rows) > 1
    for row in rows[1:]:
        assert row["of"] == "place"
        if language in ("rust", "go") and row["what"] == "called":  # found in the code, as no call sites are described
            assert int(row["address"], 16) in calls(program)
            continue
        assert row["call_file"].endswith(SOURCES[language][0])
        assert row["call_line"] or language == "go"  # which does not describe where functions are declared


@pytest.mark.parametrize("language", SOURCES)
def test_probes_of_functions_hit_every_call_unless_the_code_has_other_entries(run, check, programs, language):
    for name in ("leaf", "mid", "partly"):
        name = named(name.upper(), language)
        doubts = doubts_of_copies(run, name, programs(language))
        missed = sum(bool(kinds & {"passed by", "packed"}) for kinds in doubts)
        state = "broken" if missed else "unknown" if any("repeated" in kinds for kinds in doubts) else "kept"
        rows = check([f"probe {name} hits every call"], programs(language), status=int(state != "kept"))
        assert (rows[0]["state"], rows[0]["breaks"]) == (state, missed)


def doubts_of_copies(run, name, path):
    """The kinds of doubts about the entries of each copy."""
    rows = [json.loads(line) for line in run("-e", "-o", "--json", name, path).out.splitlines()]
    return [{doubt["kind"] for doubt in row["doubts"]} for row in rows]


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_whether_a_loop_was_a_call_of_itself_is_unknown(run, check, tmp_path, compiler):
    building.need(compiler)
    building.command(compiler, "-g", "-O2", building.OURS / "entered.c", "-o", "program", cwd=tmp_path)
    assert sum("repeated" in kinds for kinds in doubts_of_copies(run, "divided", tmp_path / "program")) == 1
    rows = check(["probe divided hits every call"], tmp_path / "program", status=1)
    assert [(row["state"], row["why"]) for row in rows] == [("unknown", "divided: possibly restarted inside")]


def test_places_are_those_of_the_source(check, programs):
    rows = check(["never inline leaf"], programs("gcc"), status=1)
    lines = C.splitlines()
    assert sorted((row["call_line"], row["host"]) for row in rows[1:]) == [
        (lines.index(line) + 1, host) for line, host in ((lines[6], "one"), (lines[6], "one"), (lines[9], "two"))] or \
        sorted(row["host"] for row in rows[1:]) == ["one", "one", "two"]
    for row in rows[1:]:
        assert f"{row['function']}(" in lines[row["call_line"] - 1]


def test_a_name_that_no_function_has_breaks_the_rule(check, programs):
    for rule in ("never inline nothing", "nothing into nowhere", "not nothing into one", "no call of leaf from nowhere", "never inline leaf@other.c",
                 "never inline leaf for *.so", "never inline \"le*f\""):
        assert [row["state"] for row in check([rule], programs("gcc"), status=1)] == ["unmatched"], rule
    # A function that does not exist is not called.
    assert [row["state"] for row in check(["no call of malloc from one"], programs("gcc"))] == ["kept"]


@pytest.mark.parametrize("rule", [
    "never inline leaf unless one two", "not leaf into two unless tw?", "at most 0 copies of leaf unless o* two",
    "never inline leaf unless one for *.so -- and not here", "never inline part*", "never inline leaf@*.h for *other*",
    "never inline mid unless one for program", "# never inline leaf", "", "  \t", "never inline partly # leaf"])
def test_exceptions_globs_and_comments(check, programs, rule):
    states = [row["state"] for row in check([rule, "mid into one"], programs("gcc"),
                                            status=1 if "for *" in rule else 0)]
    assert states == {True: ["unmatched", "kept"]}.get("for *" in rule, ["kept"] * (1 + bool(rule.strip() and rule[0] != "#")))


def test_reasons_are_printed(run, programs, tmp_path):
    (tmp_path / "rules").write_text("never inline leaf  -- the live patch  # replaces it\n")
    result = run("check", tmp_path / "rules", programs("gcc"))
    assert "never inline leaf: broken at 3 places (the live patch  # replaces it)\n" in result.out


@pytest.mark.parametrize("rule, message", [
    ("never leaf", "rules:1: not a rule: 'never ...'"), ("at most x copies of leaf", "not a rule"),
    ("at most 99999999999999999999 copies of leaf", "not a rule"), ("leaf in main", "not a rule"), ("leaf", "not a rule"),
    ("never inline leaf please", "the rule must end here"), ("never inline leaf unless", "the rule must end here"),
    ("never inline leaf unless for x", "the rule must end here"), ("x " * 200, "too many words"),
    ("include nowhere", "cannot open"), ("include rules", "too many files include each other")])
def test_wrong_rules_are_refused(run, elf, tmp_path, rule, message):
    (tmp_path / "rules").write_text(rule + "\n")
    result = run("check", "rules", elf("c"), cwd=tmp_path)
    assert (result.status, result.out) == (2, "") and message in result.err


def test_files_of_rules_include_others(run, programs, tmp_path):
    (tmp_path / "deep").mkdir()
    (tmp_path / "rules").write_text("include deep/more\nmid into one\n")
    (tmp_path / "deep/more").write_text("include most\n")
    (tmp_path / "deep/most").write_text("never inline leaf\n")
    result = run("check", tmp_path / "rules", programs("gcc"))
    assert result.status == 1 and f"{tmp_path}/deep/most:1: never inline leaf: broken" in result.out


def test_counts_are_added_up_over_files(check, programs, tmp_path):
    shutil.copy(programs("gcc"), tmp_path / "other")
    assert check(["at most 6 copies of leaf"], programs("gcc"), tmp_path / "other")[0]["found"] == 6
    check(["at most 5 copies of leaf"], programs("gcc"), tmp_path / "other", status=1)
    check(["at most 3 copies of leaf for other"], programs("gcc"), tmp_path / "other")


def test_units_without_call_sites_are_read_even_if_others_have_some(check, tmp_path):
    (tmp_path / "a.c").write_text("void outside(int); void one(int x) { outside(x); }\n")
    (tmp_path / "b.c").write_text("int sink; void outside(int x) { sink = x; } void one(int);\n"
                                  "int main(int argc, char **argv) { outside(argc); one(argc); outside(2); return sink; }\n")
    building.command("gcc", "-g", "-O0", "-c", "a.c", cwd=tmp_path)
    building.command("gcc", "-g", "-O2", "-fno-inline", "-c", "b.c", cwd=tmp_path)
    building.command("gcc", "a.o", "b.o", "-o", "program", cwd=tmp_path)
    rows = check(["no call of outside from one", "no call of outside from main"], tmp_path / "program", status=1)
    assert [(row["state"], row["breaks"]) for row in rows if row["of"] == "rule"] == [("broken", 1), ("broken", 2)]


@pytest.mark.parametrize("command", [("gcc", "-m32"), ("aarch64-linux-gnu-gcc",)], ids=" ".join)
def test_the_code_of_other_machines_tells(check, tmp_path, command):
    building.need(command[0])
    (tmp_path / "program.c").write_text("int sink; void outside(int x) { sink = x; } void one(int x) { outside(x); }\n"
                                        "void two(int x) { sink += x; } int main(void) { one(1); two(2); return sink; }\n")
    building.command(*command, "-g", "-O0", "-nostdlib", "-static", "-Wl,-e,main", "program.c", "-o", "program", cwd=tmp_path)
    rows = check(["no call of outside from one", "no call of outside from two"], tmp_path / "program", status=1)
    assert [(row["state"], row["breaks"]) for row in rows if row["of"] == "rule"] == [("broken", 1), ("kept", 0)]


def test_without_call_sites_the_code_tells(check, tmp_path):
    (tmp_path / "program.c").write_text(C)
    building.command("gcc", "-g", "-O0", "program.c", "-o", "program", cwd=tmp_path)
    rows = check(["no call of outside from one", "no call of outside from two", "no call of one from t*"], tmp_path / "program",
                 status=1)
    # mid() was inlined into one().
    assert [(row["state"], row["breaks"]) for row in rows if row["of"] == "rule"] == [("broken", 1), ("kept", 0), ("kept", 0)]
    assert int(rows[1]["address"], 16) in calls(tmp_path / "program")
    # Objects are not relocated.
    building.command("gcc", "-g", "-O0", "-c", "program.c", cwd=tmp_path)
    rows = check(["no call of outside from one", "no call of exit from main"], tmp_path / "program.o", status=1)
    assert [(row["state"], row["why"]) for row in rows] == [
        ("unknown", f"{host}: the file is not linked, so the targets of jumps are unknown") for host in ("one", "main")]


@pytest.mark.parametrize("words", [("-g",), ("-g1",), ("-gdwarf-4", "-gstrict-dwarf")], ids=" ".join)
def test_a_part_that_is_called_is_not_its_function(check, tmp_path, words):
    """Whether the calls are described, or read in the code."""
    building.command("gcc", *words, "-O2", building.OURS / "parts.c", "-o", "program", cwd=tmp_path)
    rules = ["no call of far_off from a", "always inline far_off", "no call of slow from far_off"]
    rows = check(rules, tmp_path / "program", status=1)
    assert [(row["state"], row["breaks"]) for row in rows if row["of"] == "rule"] == [("kept", 0), ("kept", 0), ("broken", 6)]


CALL = re.compile(r"\t(?:call|j[a-z]+) +(?:[0-9a-f]+ <([^+]+)>$|\*.*# [0-9a-f]+ <([^+]+)>$)")


def plain(symbol):
    """Parts and clones are the function, and so are a destructor and the one that also frees the object."""
    symbol = re.sub(r"@.*|\.(cold|part|constprop|isra|llvm)\b.*", "", symbol)
    return re.sub(r"(?<=[CD])[0-5](?=E[a-z]*$)", "2", symbol)


def called(path):
    """{function: names of those that it calls or jumps to}, by the disassembly."""
    found = collections.defaultdict(set)
    for line in building.command("objdump", "-d", "--no-show-raw-insn", "-j", ".text", path).splitlines():
        if line.endswith(">:"):
            host = plain(line.split("<", 1)[1][:-2])
        elif match := CALL.search(line):
            callee = plain(match[1] or match[2])
            if callee != host and not callee.startswith("_GLOBAL_OFFSET"):
                found[host].add(callee)
    return found


@pytest.mark.parametrize("source, command", [
    ("counted.c", ("gcc", "-O0")), ("counted.c", ("gcc", "-O2")), ("counted.c", ("gcc", "-Os", "-fno-plt")),
    ("counted.c", ("gcc", "-O0", "-fno-plt", "-no-pie")), ("counted.c", ("gcc", "-O2", "-gdwarf-4")),
    ("counted.c", ("clang", "-O0")), ("counted.c", ("clang", "-O2")), ("counted.c", ("clang", "-Os", "-gdwarf-4")),
    ("counted.cpp", ("g++", "-O2")), ("counted.cpp", ("clang++", "-O1")), ("counted.cpp", ("g++", "-O0")),
    ("counted.rs", ("rustc", "-Copt-level=1")),
], ids=lambda value: " ".join(value) if isinstance(value, tuple) else None)
def test_the_calls_of_each_function_are_those_of_the_disassembly(run, check, tmp_path, source, command):
    building.need(command[0])
    building.command(*command, "-g", building.PROGRAMS / source, "-o", "program", cwd=tmp_path)
    path = tmp_path / "program"
    hosts = called(path)
    names = collections.defaultdict(set)
    for address, name in re.findall(r"^([0-9a-f]+) [TtWw] (\S+)$", building.command("nm", path), re.MULTILINE):
        names[address].add(plain(name))
    for same in names.values():
        for calls_of in hosts.values():
            calls_of |= same if same & calls_of else set()
    if source == "counted.rs":  # where abort() is also std::process::abort()
        hosts = {host: {callee for callee in callees if callee.startswith("_")} for host, callees in hosts.items()
                 if "counted" in host}
    callees = sorted(set().union(*hosts.values()))
    pairs = [(host, callee) for host in hosts for callee in callees if callee != host]
    (tmp_path / "rules").write_text("".join(f'no call of "{callee}" from "{host}"\n' for host, callee in pairs))
    rows = map(json.loads, run("check", "--json", tmp_path / "rules", path).out.splitlines()[1:])
    states = [row["state"] for row in rows if row["of"] == "rule"]
    # What the compiler adds, as the start of the program, is not described.
    states = {pair: state for pair, state in zip(pairs, states, strict=True) if state != "unmatched"}
    wrong = [(pair, state) for pair, state in states.items() if state != ("broken" if pair[1] in hosts[pair[0]] else "kept")]
    assert not wrong, wrong[:10]
    assert "kept" in states.values() and "broken" in states.values()


def stack_usage(folder, *command):
    """{function: bytes of its stack frame} by the compiler, and the object."""
    building.need(command[0])
    building.command(*command, "-g", "-fno-ipa-icf", "-fstack-usage", "-c", building.PROGRAMS / "counted.c", cwd=folder)
    usage = {}
    for line in (folder / "counted.su").read_text().splitlines():
        place, size, kind = line.split("\t")
        if kind == "static":
            usage[place.split(":")[-1]] = int(size)
    return usage, folder / "counted.o"


@pytest.mark.parametrize("command", [
    ("gcc", "-O2"), ("gcc", "-Os"), ("gcc", "-O1"), ("gcc", "-O2", "-m32"), ("aarch64-linux-gnu-gcc", "-O2"),
    ("riscv64-linux-gnu-gcc", "-O2"), ("s390x-linux-gnu-gcc", "-O2"), ("powerpc64le-linux-gnu-gcc", "-O2"),
], ids=" ".join)
def test_the_stack_of_functions_is_what_gcc_says(run, check, tmp_path, command):
    usage, path = stack_usage(tmp_path, *command)
    names = [name for name in usage if "." not in name]
    (tmp_path / "rules").write_text("".join(f"stack of {name} <= {usage[name]}\n" for name in names))
    rows = [json.loads(line) for line in run("check", "--json", tmp_path / "rules", path).out.splitlines()[1:]]
    # The stack of code with a frame pointer, of which i386 has more, is unknown.
    assert {row["state"] for row in rows} <= {"kept", "unknown"}
    known = [name for name, row in zip(names, rows) if row["state"] == "kept"]
    assert all(row["found"] == row["limit"] for row in rows if row["state"] == "kept") and len(known) >= 3
    rows = check([f"stack of {name} <= {usage[name] - 1}" for name in known if usage[name] > 0], path, status=1)
    assert all((row["state"], row["breaks"]) == ("broken", 1) for row in rows if row["of"] == "rule")


def test_the_stack_of_functions_with_a_frame_pointer_is_unknown(check, tmp_path):
    usage, path = stack_usage(tmp_path, "gcc", "-O0")
    rows = check([f"stack of {name} <= 100000" for name in usage], path, status=1)
    assert [(row["state"], row["why"]) for row in rows] == [
        ("unknown", f"{name}: it uses a frame pointer, or changes the size of its frame") for name in usage]


def test_the_stack_is_that_of_all_functions_of_the_name(check, tmp_path):
    usage, path = stack_usage(tmp_path, "gcc", "-O2")
    most = max(usage.values())
    assert [row["found"] for row in check([f"stack of * <= {most}"], path)] == [most]
    deepest = [name for name, size in usage.items() if size == most]
    rows = check([f"stack of * <= {most} unless {' '.join(deepest)}"], path)
    assert rows[0]["found"] == max(size for size in usage.values() if size < most)


def test_arguments_are_readable_where_sites_shows_them(run, tmp_path, program):
    """In inlinecall itself. Some are described as on the stack before they are stored there."""
    readable = collections.defaultdict(list)
    for row in map(json.loads, run("sites", "-ap", "--json", program).out.splitlines()):
        if row["ranges"] and not row["part"]:
            for argument in row["params"]:
                name = f"{argument['name']} of {row['function']}@{row['decl_file']}"
                readable[name].append(argument["location"]["kind"] != "unavailable")
    if not readable:
        pytest.skip("no debug information")
    (tmp_path / "rules").write_text("".join(f"argument {name} readable at 100 % of its copies\n" for name in readable))
    _, *rows = map(json.loads, run("check", "--json", tmp_path / "rules", program).out.splitlines())
    found = {row["rule"].split(" readable")[0]: row["found"] for row in rows if row["of"] == "rule"}
    assert found == {f"argument {name}": 100 * sum(copies) // len(copies) for name, copies in readable.items()}


def test_arguments_of_a_function_without_copies_are_not_checked(run, programs, tmp_path):
    (tmp_path / "rules").write_text("argument x of outside readable at 1 % of its copies\n")
    result = run("check", tmp_path / "rules", programs("gcc"))
    assert (result.status, result.err) == (1, "")
    assert result.out.endswith("of its copies: it has no inlined copy, so nothing was checked\n")


LIBRARY = """
#include <signal.h>
#include <stdlib.h>
volatile int sink;
static inline __attribute__((always_inline)) void note(int n) { char *p = malloc(n); sink += *(volatile char *)p; free(p); }
__attribute__((noinline)) static void handler(int n) { note(n); }
__attribute__((noinline)) int quiet(int n) { return n + sink; }
int main(int argc, char **argv) { signal(SIGINT, handler); if (argc > 3) exit(quiet(argc)); return quiet(2); }
"""


@pytest.mark.parametrize("command", [
    ("gcc", "-O0"), ("gcc", "-O2"), ("gcc", "-O0", "-static"), ("gcc", "-O0", "-fno-plt"), ("gcc", "-O2", "-fno-plt", "-no-pie"),
    ("gcc", "-O0", "-fcf-protection"), ("clang", "-O0"), ("clang", "-O2"), ("clang-22", "-O2"), ("clang", "-O2", "-gdwarf-4"),
    ("aarch64-linux-gnu-gcc", "-O0", "-shared", "-fPIC", "-nostdlib"),
], ids=" ".join)
def test_calls_of_library_functions_are_found(check, tmp_path, command):
    """Clang describes no calls of malloc(), free() and exit(), but says that it describes all calls."""
    building.need(command[0])
    (tmp_path / "program.c").write_text(LIBRARY)
    building.command(*command, "-g", "program.c", "-o", "program", cwd=tmp_path)
    expected = {("malloc", "handler"): 1, ("free", "handler"): 1, ("printf", "handler"): 0, ("malloc", "quiet"): 0,
                ("malloc", "main"): 0, ("exit", "main"): 1, ("quiet", "main"): 2, ("signal", "main"): 1}
    rows = check([f"no call of {callee} from {host}" for callee, host in expected], tmp_path / "program", status=1)
    assert [row["breaks"] for row in rows if row["of"] == "rule"] == list(expected.values())
    assert {row["state"] for row in rows if row["of"] == "rule"} == {"kept", "broken"}


ALIASES = """
#include <stdlib.h>
static void do_free(void *) __attribute__((weakref("free")));
__attribute__((noipa)) void real_put(void *p) { free(p); }
void put(void *) __attribute__((alias("real_put")));
int g;
__attribute__((noinline)) void first(void *p) { do_free(p); g++; }
__attribute__((noipa)) void second(void *p) { put(p); g++; }
__attribute__((noipa)) void third(void *p) { __asm__ volatile("call real_put" ::: "memory"); g++; }
int main(int c, char **v) { first(malloc(c)); second(malloc(c)); third(v); return g; }
"""


@pytest.mark.parametrize("command", [("gcc", "-O2"), ("gcc", "-O0")], ids=" ".join)
def test_calls_of_aliases_and_in_assembly_are_found(check, tmp_path, command):
    """GCC describes a call of an alias without a name, and says that it describes all calls."""
    building.need(command[0])
    (tmp_path / "program.c").write_text(ALIASES)
    building.command(*command, "-g", "program.c", "-o", "program", cwd=tmp_path)
    rules = ["no call of free from first", "no call of put from second", "no call of real_put from second",
             "no call of real_put from third", "no call of malloc from second"]
    rows = check(rules, tmp_path / "program", status=1)
    assert [row["breaks"] for row in rows if row["of"] == "rule"] == [1, 1, 1, 1, 0]
    places = [row for row in rows if row["of"] == "place"]
    assert [ALIASES.splitlines()[row["call_line"] - 1].split("(void")[0].split()[-1] for row in places] == [
        "first", "second", "second", "third"]


@pytest.mark.parametrize("command", [("g++", "-O0"), ("g++", "-O2"), ("clang++", "-O0"), ("clang++", "-O2")], ids=" ".join)
def test_names_of_functions_that_only_have_a_symbol_are_those_of_the_source(check, tmp_path, command):
    building.need(command[0])
    (tmp_path / "other.cc").write_text("namespace lib { void log(int) {} struct L { void put(int); }; void L::put(int) {} }")
    (tmp_path / "program.cc").write_text("""namespace lib { void log(int); struct L { void put(int); }; }
    __attribute__((noinline)) int step(int n) { int *p = new int[4]; int *q = new int; *p = n; *q = n;
    lib::log(*p); lib::L().put(*q); delete q; return n + (p == q); }
    int main(int c, char **) { return step(c); }""")
    building.command(command[0], "-shared", "-fPIC", "other.cc", "-o", "libother.so", cwd=tmp_path)
    building.command(*command, "-g", "-fno-builtin", "program.cc", "-L.", "-lother", "-o", "program", cwd=tmp_path)
    names = ["lib::log", "log", "lib::log(int)", "lib::L::put", "L::put", "put", "\"operator new[]\"", "\"operator new\"",
             "\"operator delete\"", "lib::*"]
    rows = check([f"no call of {name} from step" for name in names], tmp_path / "program", status=1)
    assert [row["state"] for row in rows if row["of"] == "rule"] == ["broken"] * len(names)
    rows = check([f"no call of {name} from step" for name in ("put::lib", "L::log", "lib::log(long)", "\"operator delete[]\"")],
                 tmp_path / "program")
    assert {row["state"] for row in rows} == {"kept"}


# Rules of today.

@pytest.mark.parametrize("language", SOURCES)
def test_the_rules_of_today_are_kept_today(run, programs, tmp_path, language):
    program = programs(language)
    result = run("check", "--init", program)
    assert (result.status, result.err) == (0, "") and result.out.count("\n") >= 2
    (tmp_path / "rules").write_text(result.out)
    result = run("check", tmp_path / "rules", program)
    assert (result.status, result.err) == (0, ""), result.out


def test_only_lines_that_fail_are_updated(run, programs, tmp_path):
    rules = tmp_path / "rules"
    rules.write_text("# a comment\n  at most 1  copies of leaf # one\nmid into one\nnever inline leaf\nbytes of leaf <= 5 -- small\n"
                     "never inline nothing\nargument number of leaf readable at 101 % of its copies\n")
    result = run("check", "--update", rules, programs("gcc"))
    assert result.status == 1
    lines = rules.read_text().splitlines()
    assert lines[:4] == ["# a comment", "  at most 3  copies of leaf # one", "mid into one", "# broken: never inline leaf"]
    assert lines[5] == "# no such function: never inline nothing" and " <= 5 " not in lines[4]
    assert "at 101 %" not in lines[6]
    assert run("check", rules, programs("gcc")).status == 0
    before = rules.read_text()
    assert run("check", "--update", rules, programs("gcc")).status == 0 and rules.read_text() == before


def test_functions_of_one_name_in_files_of_one_name_have_one_rule_of_today(run, tmp_path):
    """In one of them it is inlined everywhere, in the other one never."""
    for folder, inlined in (("one", "always_inline"), ("two", "noinline")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "same.c").write_text(
            f"volatile int sink;\nstatic inline __attribute__(({inlined})) int start(int x) {{ return sink += x; }}\n"
            f"int {folder}(int x) {{ return start(x) + start(x + 1); }}\n".replace("volatile", "extern volatile"))
    (tmp_path / "main.c").write_text("volatile int sink; int one(int), two(int);\n"
                                     "int main(int argc, char **argv) { return one(argc) + two(argc); }\n")
    building.command("gcc", "-g", "-O2", "main.c", "one/same.c", "two/same.c", "-o", "program", cwd=tmp_path)
    result = run("check", "--init", tmp_path / "program")
    assert result.out == 'at most 2 copies of "start"@same.c\n'
    (tmp_path / "rules").write_text(result.out)
    assert run("check", tmp_path / "rules", tmp_path / "program").status == 0


def test_included_files_stay(run, programs, tmp_path):
    (tmp_path / "rules").write_text("include more\nat most 1 copies of leaf\n")
    (tmp_path / "more").write_text("at most 0 copies of leaf\n")
    assert run("check", "--update", tmp_path / "rules", programs("gcc")).status == 1
    assert (tmp_path / "rules").read_text() == "include more\nat most 3 copies of leaf\n"
    assert (tmp_path / "more").read_text() == "at most 0 copies of leaf\n"


# Probes.

START = "probe at start of %s hits every call"


def test_probes_of_bpftrace_that_miss_calls(run, programs, tmp_path):
    (tmp_path / "a.bt").write_text("""#!/usr/bin/env bpftrace
// kprobe:leaf
/* uprobe:x:leaf */
BEGIN { printf("kprobe:leaf {"); }
kprobe:partly, uprobe:/bin/program:"leaf" /pid == 3/ { @["}"] = count(); }
kretprobe:mid
{
    @x = 1; // }
}
fentry:module:one,interval:s:1,kprobe:o*e { exit(); }
""")
    result = run("check", "--json", f"--bpftrace={tmp_path / 'a.bt'}", programs("gcc"))
    rows = [json.loads(line) for line in result.out.splitlines()[1:]]
    assert {(row["rule"], row["rule_line"], row["state"]) for row in rows if row["of"] == "rule"} == {
        (START % '"partly"', 5, "kept"), (START % '"leaf"', 5, "broken"), (START % '"mid"', 6, "broken"),
        (START % '"one"', 10, "kept"), (START % "o*e", 10, "kept")}
    assert result.status == 1
    (tmp_path / "b.bt").write_text("kprobe:one+4 { }\nkprobe:one { }\n")
    result = run("check", f"--bpftrace={tmp_path / 'b.bt'}", programs("gcc"))
    assert result.status == 2 and "not at the start of a function: kprobe:one+4" in result.err


@pytest.mark.parametrize("language", SOURCES)
@pytest.mark.parametrize("name", ["LEAF", "MID"])
def test_the_probes_that_see_the_missed_calls_are_named(run, check, programs, tmp_path, language, name):
    name = named(name, language)
    seen = collections.Counter()
    for row in map(json.loads, run("-e", "--json", name, programs(language)).out.splitlines()):
        probes = [f"{entry['symbol']}+0x{entry['offset']:x}" for entry in row["entries"]]
        seen[row["call_line"], ", ".join(probes) or None] += 1
    rows = check([START % name], programs(language), status=1)
    assert collections.Counter((row["call_line"], row["probes"]) for row in rows[1:]) == seen
    text = run("check", tmp_path / "rules", programs(language)).out
    assert all(f", seen at {probes}\t" in text for _, probes in seen if probes)


def test_probes_of_perf_that_miss_calls(run, programs, tmp_path):
    (tmp_path / "list").write_text("# a list\nleaf\nmy=mid number\npartly%return\none@program.c x\np:group/event two+0 a=%di\n"
                                   "r8 module:partly\np outside+0x0\n")
    result = run("check", "--json", f"--probes={tmp_path / 'list'}", programs("gcc"))
    rows = [json.loads(line) for line in result.out.splitlines()[1:]]
    assert {(row["rule"], row["state"]) for row in rows if row["of"] == "rule"} == {
        (START % '"leaf"', "broken"), (START % '"mid"', "broken"), (START % '"partly"', "kept"),
        (START % '"one"', "kept"), (START % '"two"', "kept"), (START % '"outside"', "kept")}
    (tmp_path / "list").write_text("x=program.c:5 number\n")
    result = run("check", "--json", f"--probes={tmp_path / 'list'}", programs("gcc"))
    assert json.loads(result.out.splitlines()[1])["rule"] == "probe program.c:5 hits every call"
    for probe in ("leaf+4", "leaf:3", "leaf;x*", "p:a/b 0x1234", "p leaf+0x10"):
        (tmp_path / "list").write_text(probe + "\n")
        result = run("check", f"--probes={tmp_path / 'list'}", programs("gcc"))
        assert result.status == 2 and "not at the start of a function" in result.err, probe


@pytest.mark.parametrize("command", [("gcc", "-O2"), ("gcc", "-O3"), ("clang", "-O2"), ("gcc", "-O0")], ids=" ".join)
def test_probes_of_lines_miss_copies_without_code_of_them(run, check, tmp_path, command):
    """Every line of a program, beside the places of the line and the ranges of the copies."""
    building.need(command[0])
    source = building.PROGRAMS / "counted.c"
    building.command(*command, "-g", source, "-o", "program", cwd=tmp_path)
    path, count = tmp_path / "program", source.read_text().count("\n")
    copies, stops, owners = (collections.defaultdict(kind) for kind in (list, list, set))
    text = source.read_text().splitlines()
    declared = {text[i - 1].split("(")[0].split("*")[-1].split()[-1]: i for i in range(1, count) if text[i] == "{"}
    for row in map(json.loads, run("-ao", "--json", path).out.splitlines()):
        if row["ranges"] and not row["part"]:
            copies[row["function"]].append([(row["entry"], hex(int(row["entry"], 16) + 1)), *row["ranges"]])
    lines = run("lines", "--json", "--empty", path, f"counted.c:1-{count}").out.splitlines()
    rows = check([f"probe counted.c:{line} hits every call" for line in range(1, count + 1)], path, status=1)
    for row in map(json.loads, lines):
        line, function = row["frames"][0]["line"], row["frames"][0]["function"]
        # A function that is declared after the line has code of it because the compiler mixed up two.
        if function and declared[function] <= line:
            owners[line].add(function)
        if row["is_stmt"]:
            stops[line].append(int(row["address"], 16))
    found = {row["rule_line"]: row for row in rows if row["of"] == "rule"}
    for line, row in found.items():
        assert (row["state"] != "unmatched") == bool(owners[line]), line
        if len(owners[line]) == 1:
            # A function that was never inlined is not listed: its only code has the line.
            missed = [copy for copy in copies.get(owners[line].pop(), [[("0x0", "0xffffffff")]]) if not any(
                int(start, 16) <= address < int(end, 16) for address in stops[line] for start, end in copy)]
            assert row["breaks"] == len(missed), line
    assert {row["state"] for row in found.values()} >= {"kept", "unmatched"}
    if command[1] != "-O0":
        assert "broken" in {row["state"] for row in found.values()}
    assert all(row["what"] == "has no code of the line" for row in rows if row["of"] == "place")


# Formats.

ODD = "never inline \"<&>'%,:#\" -- a & b < c % d"


@pytest.fixture(name="formatted")
def fixture_formatted(run, programs, tmp_path):
    (tmp_path / "rules").write_text(f"never inline leaf -- see the manual\nmid into one\n{ODD}\nat most 2 copies of leaf\n")

    def formatted(form):
        result = run("check", form, "rules", programs("gcc"), cwd=tmp_path)
        assert (result.status, result.err) == (1, "")
        return result.out

    return formatted


def test_tap(formatted):
    lines = formatted("--tap").splitlines()
    assert lines[:2] == ["TAP version 13", "1..4"]
    assert [line for line in lines if not line.startswith("#")][2:] == [
        "not ok 1 - never inline leaf", "ok 2 - mid into one", "not ok 3 - never inline \"<&>'%,:\\#\"",
        "not ok 4 - at most 2 copies of leaf"]
    assert "# see the manual" in lines and any("leaf inlined into two at " in line for line in lines)


def test_junit(formatted):
    suite = xml.etree.ElementTree.fromstring(formatted("--junit"))[0]
    assert (suite.get("tests"), suite.get("failures")) == ("4", "3")
    cases = {case.get("name"): case for case in suite}
    assert list(cases) == ["never inline leaf", "mid into one", "never inline \"<&>'%,:#\"", "at most 2 copies of leaf"]
    assert len(cases["mid into one"]) == 0
    failure = cases["never inline leaf"][0]
    assert failure.get("message") == "broken at 3 places" and "leaf inlined into two" in failure.text
    assert cases["never inline \"<&>'%,:#\""][0].text == "a & b < c % d"


def test_github(formatted):
    lines = formatted("--github").splitlines()
    assert len(lines) == 3 + 1 + 3 and all(line.startswith("::error file=") for line in lines)
    assert any(line.endswith("title=never inline leaf::leaf inlined into one: see the manual") for line in lines)
    assert lines[3] == "::error file=rules,line=3,title=never inline \"<&>'%25%2C%3A#\"::" \
        "no function has the name, so nothing was checked: a & b < c %25 d"


def test_sarif(formatted):
    log = json.loads(formatted("--sarif"))
    assert log["version"] == "2.1.0" and log["runs"][0]["tool"]["driver"]["name"] == "inlinecall"
    results = log["runs"][0]["results"]
    assert [result["ruleId"] for result in results] == ["never inline leaf"] * 3 + ["never inline \"<&>'%,:#\""] + \
        ["at most 2 copies of leaf"] * 3
    for result in results:
        assert set(result) == {"ruleId", "level", "message", "locations", "properties"}
        place = result["locations"][0]["physicalLocation"]
        assert place["artifactLocation"]["uri"] and place["region"]["startLine"] >= 1


@pytest.mark.parametrize("words, message", [
    ((), "no RULES given"), (("rules",), "no FILE given"), (("--init",), "no FILE given"), (("--tap", "--sarif"), "cannot be used"),
    (("--init", "--update", "a"), "--update needs RULES"), (("--html=x", "a", "b"), "--html")])
def test_wrong_usage(run, words, message):
    result = run("check", *words)
    assert result.status == 64 and message in result.err


# Files.

@pytest.mark.parametrize("words", [("check", "rules"), ("check", "--init"), ("affected", "leaf"), ("affected", "--line=a.c:1")],
                         ids=" ".join)
def test_directories_without_files_are_reported(run, tmp_path, words):
    (tmp_path / "rules").write_text("never inline leaf\n")
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty/text").write_text("text\n")
    result = run(*(tmp_path / word if word == "rules" else word for word in words), tmp_path / "empty")
    assert result.status == 2 and "no ELF file, archive or kernel module in this directory" in result.err


@pytest.mark.parametrize("words", [("check", "rules"), ("affected", "leaf"), ("diff",)], ids=" ".join)
def test_fifos_are_refused(run, tmp_path, words):
    (tmp_path / "rules").write_text("never inline leaf\n")
    os.mkfifo(tmp_path / "fifo")
    operands = (tmp_path / "fifo",) * (1 + (words == ("diff",)))
    result = run(*(tmp_path / word if word == "rules" else word for word in words), *operands)
    assert result.status == 2 and "not a regular file" in result.err
