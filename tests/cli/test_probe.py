"""Definitions of probes, and what tracers see with them: the calls that a program prints."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import building
import commands
import kernels

PROGRAM = Path(__file__).resolve().parent / "programs/probed.c"
TRACING = Path("/sys/kernel/tracing")
TRACERS = commands.words("for")
BUILDS = [("gcc", "-O2"), *(pytest.param((compiler, level), marks=pytest.mark.long)
                            for compiler in ("gcc", "clang") for level in ("-O1", "-O3"))]


@pytest.fixture(name="probed", scope="module", params=BUILDS, ids="".join)
def fixture_probed(request, tmp_path_factory):
    compiler, level = request.param
    path = tmp_path_factory.mktemp("probed") / f"probed_{os.getpid()}"
    building.command(compiler, level, "-g", "-w", "-o", path, PROGRAM)
    return path


def calls_of(lines):
    """[{argument: number}, ...] of lines with "leaf", perhaps with the event's number."""
    found = [re.search(r"\bleaf(?:_\d+)?:?(?= |$)(.*)", line) for line in lines]
    return [{name: int(value, 0) for name, value in re.findall(r"(\w+)=(-?\w+)", line[1])}
            for line in found if line]


def check_calls(seen, printed):
    """Each call is seen, in order, with no wrong argument; some may lack."""
    assert len(seen) == len(printed) == 9
    for call, truth in zip(seen, printed):
        assert call == {name: truth[name] for name in call}
    assert sum(map(len, seen)) >= 24  # of 45


@pytest.fixture(name="stopped")
def fixture_stopped(run, tmp_path):
    """Runs a program in GDB with probes: the definitions, and the lines that both print."""
    building.need("gdb")

    def stopped(*words):
        script = tmp_path / "probes.gdb"
        script.write_text(run("probe", "--for=gdb", *words).out)
        result = subprocess.run(["gdb", "-q", "-nx", "-batch", "-x", script, "-ex", "run", words[-1]],
                                capture_output=True, text=True, timeout=60, check=True,
                                env={**os.environ, "DEBUGINFOD_URLS": ""})
        return script.read_text(), result.stdout.splitlines()

    return stopped


def test_gdb_sees_the_calls_that_the_program_prints(stopped, probed):
    _, lines = stopped("leaf", probed)
    check_calls(calls_of(line for line in lines if "leaf_" in line),
                calls_of(line for line in lines if line.startswith("leaf ")))


@pytest.fixture(name="traced")
def fixture_traced(uprobes):
    """Runs a program with these events: the lines of the trace, and its output."""
    def trace(definitions, program):
        output = []
        lines = uprobes(definitions, lambda: output.append(building.command(program)))
        return lines, output[0].splitlines()

    return trace


def test_uprobes_see_the_calls_that_the_program_prints(run, probed, traced):
    lines, printed = traced(run("probe", "leaf", probed).out, probed)
    lines = [re.sub(r"\(0x\w+\)", "", line) for line in lines]
    check_calls(calls_of(lines), calls_of(printed))


def test_uprobes_see_members(run, tmp_path, traced):
    program = tmp_path / f"members_{os.getpid()}"
    building.command("gcc", "-O2", "-g", "-o", program, PROGRAM.with_name("members.c"))
    result = run("probe", "--fields=whole,letters[3],next->pair.second,flag,wide,small", "use", program)
    assert (result.status, result.err) == (0, "")
    assert result.out.count("node->small: signed bit-fields are not supported") == 2
    lines, _ = traced(result.out, program)
    seen = [[int(value) for value in found] for line in lines
            if (found := re.findall(r" node__\w+=(-?\d+)", line))]
    assert seen == [[-1000000 * i, -i, 0, i & 1, 0xfe00000000 + i] for i in range(6) for _ in "12"]
    line = 1 + PROGRAM.with_name("members.c").read_text().splitlines().index(
        "\tsink += pair.first;")
    result = run("probe", "--json", "--fields=whole", f"--line=members.c:{line}", program)
    definitions = [json.loads(row)["definition"] for row in result.out.splitlines()]
    assert any("node__whole=+16(" in definition for definition in definitions), result.out
    result = run("probe", "--fields=whole,none", "use", program)
    assert result.status == 2 and "no argument has a member 'none'" in result.err and result.out


@pytest.fixture(name="strings", scope="module")
def fixture_strings(tmp_path_factory):
    path = tmp_path_factory.mktemp("strings") / f"strings_{os.getpid()}"
    building.command("gcc", "-O2", "-g", "-w", "-o", path, PROGRAM.with_name("strings.c"))
    return path


STRING_OPTIONS = ["--fields=first,last,nick,[0]", "--function=by_name", "--function=by_sign",
                  "--function=in_structure", "--function=main"]


def check_strings(lines, program):
    seen = {found[1]: dict(re.findall(r' (\w+)="([^"]*)"', line))
            for line in lines if (found := re.search(r"\b([a-z_]+)_\d+:? ", line))}
    assert seen == {
        "main": {"argv_0_": str(program)},
        "by_name": {"a": "some text", "b": "ome text", "c": "me text", "d": "e text"},
        "by_sign": {"a": "some text", "b": "ome text", "c": "me text"},
        "in_structure": {"person__first": "some text", "person__last": "ome text",
                         "person__nick": "text"},
    }


def test_uprobes_see_strings(run, strings, traced):
    lines, _ = traced(run("probe", *STRING_OPTIONS, strings).out, strings)
    check_strings(lines, strings)


def test_gdb_sees_strings(stopped, strings):
    check_strings(stopped(*STRING_OPTIONS, strings)[1], strings)


def test_uprobes_see_functions_return(run, tmp_path, traced):
    program = tmp_path / f"left_{os.getpid()}"
    building.command("gcc", "-O2", "-g", "-w", "-o", program, PROGRAM.with_name("left.c"))
    result = run("probe", "--exit", "--function=third", "--function=plain", program)
    assert re.search("^r:\\S+/third_\\d+_exit ", result.out, re.MULTILINE)
    lines, printed = traced(result.out, program)
    events = [found[1] for line in lines if (found := re.search(r": (\w+): \(0x", line))]
    stack = []
    for event in events:
        if event.endswith("_exit"):
            assert stack.pop() + "_exit" == event
        else:
            stack.append(event)
    assert not stack
    for name in ("third", "plain"):
        assert (sum(event.startswith(name) for event in events) ==
                2 * printed.count("+" + name) > 0)


def test_perf_defines_the_probes(run, probed, traced):
    building.need("perf")
    commands = run("probe", "--for=perf", f"--event-group=perf_{os.getpid()}", "one", probed)
    del traced  # it needs what that needs
    name = f"perf_{os.getpid()}:one_1"
    definition = commands.out.replace("one_1", f"one_{os.getpid()}")
    name = name.replace("one_1", f"one_{os.getpid()}")
    try:
        subprocess.run(["sh", "-e"], input=definition, text=True, check=True, capture_output=True)
        assert re.search(rf"p:{name.replace(':', '/')} {probed}:0x\w+ a=%di:s32",
                         (TRACING / "uprobe_events").read_text())
    finally:
        subprocess.run(["perf", "probe", "-q", "-d", name], check=False, capture_output=True)


@pytest.mark.parametrize("tracer", TRACERS)
def test_every_copy_has_a_probe_for_every_tracer(run, probed, tracer):
    result = run("probe", "--json", f"--for={tracer}", "leaf", probed)
    rows = [json.loads(line) for line in result.out.splitlines()]
    sites = [json.loads(line) for line in run("--json", "leaf", probed).out.splitlines()]
    assert result.status == 0
    assert all(line.endswith("calls may be missing") for line in result.err.splitlines())
    assert [row["address"] for row in rows] == [site["entry"] for site in sites] and len(rows) == 3
    assert len({row["event"] for row in rows}) == 3
    assert [row["chain"] for row in rows] == [site["chain"] for site in sites]
    text = run("probe", f"--for={tracer}", "leaf", probed).out.splitlines()
    assert [row["definition"] for row in rows] == [line for line in text
                                                   if line in {row["definition"] for row in rows}]


@pytest.mark.parametrize("tracer", ["tracefs", "perf", "bpftrace", "systemtap", "libbpf"])
@pytest.mark.parametrize("name", ["a b#c", 'a"b', "a\nb", "a\\b"])
def test_a_path_that_a_tracer_could_read_otherwise_is_refused(run, probed, tmp_path, tracer, name):
    shutil.copy(probed, tmp_path / name)
    result = run("probe", f"--for={tracer}", "leaf", tmp_path / name)
    if (tracer, name) in (("libbpf", "a b#c"), ("tracefs", 'a"b'), ("tracefs", "a\\b")):
        assert result.status == 0  # it reads nothing else in these
        return
    assert result.status == 2 and "copies not probed" in result.err
    for line in result.out.splitlines():
        assert line.startswith(("#", "//"))


def test_what_max_leaves_out_is_said(run, probed):
    result = run("probe", "--limit=2", "leaf", probed)
    assert len(re.findall("^p:", result.out, re.MULTILINE)) == 2
    assert "1 of 3 probes left out (--limit=2)" in result.err


def test_a_debug_file_alone_has_no_offsets(run, probed, tmp_path):
    debug = tmp_path / "probed.debug"
    building.command("objcopy", "--only-keep-debug", probed, debug)
    result = run("probe", "leaf", debug)
    assert result.status == 2 and "its code is not in the file" in result.err
    assert not re.search("^p:", result.out, re.MULTILINE)


def test_a_tracer_must_be_known(run, probed):
    result = run("probe", "--for=strace", "leaf", probed)
    assert result.status == 64 and "--for must be tracefs, perf," in result.err


LINE = 1 + PROGRAM.read_text().splitlines().index(
    "	return a * 3 + b + (int)limit + flag + sink;")


def test_gdb_sees_every_copy_of_a_line(run, stopped, probed):
    definitions, lines = stopped(f"--line=probed.c:{LINE}", probed)
    seen = calls_of(line for line in lines if "leaf_" in line)
    printed = calls_of(line for line in lines if line.startswith("leaf "))
    if "unnamed_" in definitions:
        pytest.skip("the compiler has lost the name of a copy: GCC 16")
    rows = [json.loads(line) for line in
            run("lines", "-b", "--empty", "--json", probed, f"probed.c:{LINE}").out.splitlines()]
    calls = {(row["frames"][1]["line"], row["frames"][1]["column"]) for row in rows}
    assert len(rows) >= 3 and len(seen) >= len(printed)
    if len(calls) == len(rows):  # else one of them has several statements there
        check_calls(seen, printed)


@pytest.mark.parametrize("tracer", TRACERS)
def test_every_place_of_a_line_has_a_probe(run, probed, tracer):
    result = run("probe", "--json", f"--for={tracer}", f"--line=probed.c:{LINE}", probed)
    rows = [json.loads(line) for line in result.out.splitlines()]
    places = [json.loads(line) for line in
              run("lines", "-b", "--empty", "--json", probed, f"probed.c:{LINE}").out.splitlines()]
    assert (result.status, result.err) == (0, "")
    assert [row["address"] for row in rows] == sorted({place["address"] for place in places},
                                                      key=lambda addr: int(addr, 16))
    for row in rows:
        assert (row["at"], row["line"], row["inlined"]) == ("line", LINE, True)
        place = next(place for place in places if place["address"] == row["address"])
        assert row["frames"] == place["frames"] and row["host"] == row["frames"][-1]["function"]
        assert row["function"] == row["frames"][0]["function"]
        if row["function"]:  # GCC 16 loses the name of some copies
            assert [param["name"] for param in row["params"]] == ["a", "b", "c", "limit", "flag"]
    assert rows[0]["function"] == "leaf"


@pytest.mark.parametrize("option", ["-g", "-r", "--function=leaf", "--in=one", "-f*.c",
                                    "--only-inlined", "--exit"])
def test_options_about_functions_make_no_sense_for_a_line(run, probed, option):
    result = run("probe", option, f"--line=probed.c:{LINE}", probed)
    assert result.status == 64 and "--line selects all code of a line" in result.err


@pytest.mark.parametrize("line", ["probed.c", ":3", "probed.c:0", "probed.c:x", "probed.c:3x"])
def test_a_line_must_be_one(run, probed, line):
    result = run("probe", f"--line={line}", probed)
    assert result.status == 64 and "--line expects SOURCE:LINE" in result.err


@pytest.mark.parametrize("line, why", [
    ("probed.c:1", "no code at probed.c:1; the next line with code is "),
    ("probed.c:9999", "no code at probed.c:9999 or after it"),
    ("other.c:1", "no code from a source file named 'other.c'")])
def test_why_a_line_has_no_probe_is_said(run, probed, line, why):
    result = run("probe", f"--line={line}", probed)
    assert (result.status, result.out) == (1, "") and why in result.err


def test_a_line_of_a_relocatable_file_has_its_section(run, probed, tmp_path):
    building.command("gcc", "-O2", "-g", "-w", "-c", "-o", tmp_path / "a.o", PROGRAM)
    result = run("probe", "--json", "--for=gdb", f"--line=probed.c:{LINE}", tmp_path / "a.o")
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert len(rows) == 3 and all(row["section"] == ".text" and row["symbol"] for row in rows)


def test_arguments_are_where_they_are_stored_from_after_the_entry(run, tmp_path):
    source, program = tmp_path / "a.c", tmp_path / "a"
    source.write_text("int f(int a, char b, long *c) { return a + b + (int)c[0]; }\n"
                      "int main(int n, char **v) { long l = 0; return f(n, **v, &l); }\n")
    for compiler in "gcc", "clang":
        building.need(compiler)
        building.command(compiler, "-O0", "-g", "-o", program, source)
        assert "a=%rdi, b=%rsi, c=%rdx" in run("-p", "f", program, "--out-of-line").out
        result = run("probe", "--for=tracefs", "f", program)
        assert re.search(r" a=%di:s32 b=%si:s8 c=%dx:x64$", result.out, re.M)


HOSTILE = """
static inline __attribute__((always_inline)) int leaf_name(int x) { return x * 3; }
__attribute__((noinline)) int host_name(int x) { return leaf_name(x + 1) + leaf_name(x * 2); }
int main(int argc, char **argv) { return host_name(argc); }
"""


def hostile(tmp_path, leaf, host):
    """A program whose debug information has these names."""
    building.need("gcc")
    (tmp_path / "named.c").write_text(HOSTILE)
    building.command("gcc", "-O2", "-g", "-S", "named.c", cwd=tmp_path)
    code = (tmp_path / "named.s").read_bytes()
    for old, new in ((b"leaf_name", leaf), (b"host_name", host)):
        escaped = "".join(f"\\{byte:03o}" for byte in new).encode()
        code = code.replace(b'.string\t"' + old + b'"', b'.string\t"' + escaped + b'"', 1)
    (tmp_path / "named.s").write_bytes(code)
    building.command("gcc", "-o", "named", "named.s", cwd=tmp_path)
    return tmp_path / "named"


@pytest.mark.parametrize("tracer", TRACERS)
def test_names_stay_in_the_comments(run, tmp_path, tracer):
    """They neither end one, nor continue it, nor send codes to a terminal."""
    path = hostile(tmp_path, b"leaf;touch x;'`id`\xc2\x9b31m\n$(id)*/", b"host ??/")
    result = run("probe", f"--for={tracer}", "-g", "leaf*", path)
    comments = [line for line in result.out.splitlines() if ", called at " in line]
    assert len(comments) == 2
    for line in comments:
        assert "\x9b" not in line and not line.endswith(("\\", "??/")) and "**/" not in line
        if tracer == "perf":
            assert not set(line[1:]) & set(";'`$()<>|&!")


def test_a_shell_without_comments_runs_no_name(run, tmp_path):
    """Typed into zsh, # begins none."""
    building.need("zsh")
    path = hostile(tmp_path, b"leaf;touch made;", b"host\ntouch made;")
    (tmp_path / "perf").write_text("#!/bin/sh\n")
    (tmp_path / "perf").chmod(0o755)
    subprocess.run(["zsh", "-f", "-i"], input=run("probe", "--for=perf", "-g", "leaf*", path).out,
                   text=True, cwd=tmp_path, capture_output=True, check=False,
                   env={**os.environ, "PATH": f"{tmp_path}:{os.environ['PATH']}"})
    assert not (tmp_path / "made").exists()


def test_a_comment_is_shorter_than_a_line_of_the_kernel(run, tmp_path):
    long = b"x" * 1200
    path = hostile(tmp_path, b"leaf" + long, b"host" + long)
    for words in (("-g", "leaf*", path), ("--line", "named.c:2", path)):
        lines = run("probe", *words).out.splitlines()
        assert any("..." in line for line in lines) and max(map(len, lines)) < 2000


def test_a_path_that_the_kernel_takes_apart_is_refused(run, tmp_path):
    """A letter with byte 0xa0, which is a blank for it."""
    folder = tmp_path / "\u00e0"
    folder.mkdir()
    path = hostile(folder, b"leaf", b"host")
    for tracer in ("tracefs", "perf"):
        result = run("probe", f"--for={tracer}", "leaf", path)
        assert "the path cannot be written " in result.out and result.out.count("not probed") == 2
    (tmp_path / "\u00e9").mkdir()
    other = shutil.copy(path, tmp_path / "\u00e9" / "named")
    assert "not probed" not in run("probe", "leaf", other).out


def test_functions_that_a_kernel_does_not_trace_have_no_probes(run, tmp_path):
    for traced, hosts in ((("reader",), {"reader"}), (("reader", "do_syscall"), {"reader", "do_syscall"}),
                          ((), {"reader", "do_syscall"})):
        folder = tmp_path / f"of{len(traced)}"
        folder.mkdir()
        path = kernels.build_kernel(folder, traced=traced)
        result = run("probe", "--json", "count", path)
        rows = [json.loads(line) for line in result.out.splitlines()]
        reasons = {row["host"]: row["why_not"] for row in rows}
        assert {host for host, reason in reasons.items() if not reason} >= hosts
        left_out = {host for host, reason in reasons.items() if reason and "notrace" in reason}
        assert left_out == (reasons.keys() - hosts if traced else set())
        if traced == ("reader",):
            assert "cannot be traced (notrace)" in result.err
