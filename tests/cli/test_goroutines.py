"""The goroutines that no thread runs, of processes and cores, against what Go's runtime says of them."""

import collections
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import building

PROGRAM = Path(__file__).resolve().parent / "programs/goroutines.go"
pytestmark = pytest.mark.skipif(not shutil.which("go"), reason="no go")

CALLS_C = """
package main

// #include <unistd.h>
// static int waits(void) { write(1, "waits\\n", 6); return pause() + 1; }
import "C"

func calls(n int) {
	if n > 0 {
		calls(n - 1)
		return
	}
	C.waits()
}

func main() { calls(2) }
"""


def build(path, *options):
    building.command("go", "build", *options, "-o", path, PROGRAM)
    return path


def told_by_go(text):
    """{goroutine: (state, [(function, file:line), ...])}"""
    found = {}
    for number, state, frames in re.findall(r"^goroutine (\d+) \[(.*?)\]:\n((?:.+\n)*)", text, re.MULTILINE):
        calls = re.findall(r"^(?!created by)(\S.*)\(.*\)\n\t(\S+:\d+)", frames, re.MULTILINE)
        found[int(number)] = state, calls
    return found


def rows_of(result):
    return {row["goroutine"]: row for row in map(json.loads, result.out.splitlines())
            if row["type"] == "goroutine"}


def without_runtime(frames):
    return [frame for frame in frames if not re.match(r"runtime\.|.*\.runtime_", frame[0])]


def frames_of(row):
    return [(frame["function"], f"{frame['file']}:{frame['line']}") for frame in row["frames"]]


def check(rows, told):
    assert len(told) >= 8 and told.keys() <= rows.keys()
    for number, (state, calls) in told.items():
        row = rows[number]
        assert row["state"] == state and row["tid"] is None and row["end"] == "outermost frame"
        ours = without_runtime(frames_of(row))
        if re.match(r"main\.main\.(func|gowrap)\d+", ours[-1][0]) and ours[-1] not in calls:
            ours.pop()  # Go shows no functions that it made for "go f()"
        assert ours == without_runtime(calls), number


class Process:
    """The program, until it sleeps, with what it prints."""

    def __init__(self, path):
        self.process = subprocess.Popen([path], stdout=subprocess.PIPE, text=True)
        self.text = "".join(iter(self.process.stdout.readline, "end\n"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.wait()
        self.process.stdout.close()


@pytest.mark.parametrize("options", [[], ["-gcflags=-N -l"], ["-buildmode=pie"]], ids=["plain", "unoptimised", "pie"])
def test_goroutines_of_a_process(run, tmp_path, options):
    with Process(build(tmp_path / "goroutines", *options)) as process:
        for _ in range(100):  # the first one prints, and then sleeps
            result = run("backtrace", "--json", "--pid", str(process.process.pid))
            if 1 in rows_of(result):
                break
        grouped = run("backtrace", "--group", "--pid", str(process.process.pid))
        threads = run("backtrace", "--json", "--no-goroutines", "--pid", str(process.process.pid))
    told = told_by_go(process.text)
    told.pop(1)
    assert (result.status, result.err) == (0, "")
    check(rows_of(result), told)
    states = collections.Counter(state for state, _ in told.values())
    assert re.search(rf"^goroutine \d+ \d+ \d+ \(chan receive\), {states['chan receive']} goroutines$", grouped.out,
                     re.MULTILINE)
    assert not rows_of(threads) and '"type":"thread"' in threads.out


def test_goroutines_of_a_core(run, tmp_path):
    path = build(tmp_path / "goroutines")
    core = building.make_core(tmp_path, "sh", "-c", f"GOTRACEBACK=crash exec {path} crash 2> {tmp_path}/told")
    result = run("backtrace", "--json", "--core", core)
    told = told_by_go((tmp_path / "told").read_text())
    threads = [row for row in map(json.loads, result.out.splitlines()) if row["type"] == "thread"]
    assert result.status == 0
    # What crashed is on a thread, behind the handler of the signal.
    crashed = [name for name, _ in frames_of(threads[0])]
    assert crashed[-3:] == ["main.main", "runtime.main", "runtime.goexit"]
    assert any(frame["signal"] for frame in threads[0]["frames"])
    told.pop(1)
    check(rows_of(result), {number: (state.split(",")[0], calls) for number, (state, calls) in told.items()
                            if "main." in str(calls)} | {})


def test_without_what_describes_them_there_is_a_note(run, tmp_path):
    for flags, why in (("-w", "the DWARF does not describe runtime.g.goid"), ("-s -w", "no symbol runtime.allgs")):
        with Process(build(tmp_path / "goroutines", f"-ldflags={flags}")) as process:
            result = run("backtrace", "--json", "--pid", str(process.process.pid))
        assert not rows_of(result)
        assert f"goroutines that no thread runs are not shown: {why}" in result.err


def test_a_goroutine_that_calls_c_has_its_stack(run, tmp_path):
    (tmp_path / "calls.go").write_text(CALLS_C)
    result = subprocess.run(["go", "build", "-o", "calls", "calls.go"], cwd=tmp_path, capture_output=True, text=True,
                            check=False)
    if result.returncode:
        pytest.skip(f"no cgo: {result.stderr}")
    with subprocess.Popen([tmp_path / "calls"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "waits\n"
        result = run("backtrace", "--json", "--pid", str(process.pid))
        process.kill()
    row = rows_of(result)[1]
    names = [name for name, _ in frames_of(row)]
    assert re.fullmatch(r"on thread \d+", row["state"])
    assert names[-6:] == ["main.calls", "main.calls", "main.calls", "main.main", "runtime.main", "runtime.goexit"]
    thread = next(row for row in map(json.loads, result.out.splitlines())
                  if row["type"] == "thread" and f"on thread {row['tid']}" == rows_of(result)[1]["state"])
    assert "waits" in [name for name, _ in frames_of(thread)]


BUSY = """
package main

import (
	"os"
	"runtime"
	"time"
)

var kept [][]byte

func clocks() int64 { return time.Now().UnixNano() }

func busy() {
	for {
		if os.Args[1] == "clocks" {
			clocks()
		} else {
			kept = append(kept[:len(kept)%1000], make([]byte, 10000))
			runtime.GC()
		}
	}
}

func main() {
	os.Stdout.WriteString("busy\\n")
	go busy()
	busy()
}
"""


@pytest.mark.parametrize("what", ["clocks", "collects"])
def test_stacks_are_whole_whatever_stack_a_thread_is_on(run, tmp_path, what):
    (tmp_path / "busy.go").write_text(BUSY)
    building.command("go", "build", "-o", "busy", "busy.go", cwd=tmp_path)
    whole, cut = 0, []
    with subprocess.Popen([tmp_path / "busy", what], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout.readline() == "busy\n"
            for _ in range(20):
                result = run("backtrace", "--json", "--pid", str(process.pid))
                rows = [*map(json.loads, result.out.splitlines())]
                ends = {row["end"] for row in rows} - {"outermost frame"}
                assert (result.status, result.err) == (2 if ends else 0, "")
                if ends:  # a thread was in the few instructions that change stacks
                    cut.append(rows)
                    continue
                assert all(name for row in rows for name, _ in frames_of(row))
                stacks = [[name for name, _ in frames_of(row)] for row in rows]
                whole += len([stack for stack in stacks if "main.busy" in stack]) == 2
        finally:
            process.kill()
    assert whole >= 10  # not while a thread is in gogo, which continues one
    assert len(cut) <= 2, cut


FIRST = """
package main

type thing struct{ count int }

//go:noinline
func (t *thing) counted() int { return t.count }

func main() { println((*thing)(nil).counted()) }
"""


def test_the_first_instruction_of_a_function_may_crash(run, tmp_path):
    (tmp_path / "first.go").write_text(FIRST)
    building.command("go", "build", "-o", "first", "first.go", cwd=tmp_path)
    core = building.make_core(tmp_path, "sh", "-c", f"GOTRACEBACK=crash exec {tmp_path}/first 2> /dev/null")
    result = run("backtrace", "--json", "--core", core)
    names = [name for name, _ in frames_of(json.loads(result.out.splitlines()[0]))]
    assert names[-5:] == ["runtime.sigpanic", "main.(*thing).counted", "main.main", "runtime.main", "runtime.goexit"]


CALLBACK = """
package main

// #include <unistd.h>
// extern int answers(int);
// static int asks(int n) { return answers(n) + 1; }
// static int waits(void) { write(1, "waits\\n", 6); return pause() + 1; }
import "C"

//export answers
func answers(n C.int) C.int {
	if n == 0 {
		return C.waits()
	}
	return C.asks(n - 1)
}

func main() { C.asks(2) }
"""


def test_callbacks_from_c_have_what_called_them(run, tmp_path):
    (tmp_path / "callback.go").write_text(CALLBACK.replace("static int", "static inline int"))
    result = subprocess.run(["go", "build", "-o", "callback", "callback.go"], cwd=tmp_path, capture_output=True,
                            text=True, check=False)
    if result.returncode:
        pytest.skip(f"no cgo: {result.stderr}")
    with subprocess.Popen([tmp_path / "callback"], stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout.readline() == "waits\n"
        result = run("backtrace", "--json", "--pid", str(process.pid))
        process.kill()
    row = next(row for row in rows_of(result).values() if row["state"].startswith("on thread"))
    names = [name for name, _ in frames_of(row)]
    assert names.count("main.answers") == 3 and names[-2:] == ["runtime.main", "runtime.goexit"]
    assert "main.main" in names


OVERFLOWS = """
package main

import "runtime/debug"

func deeper(n int) int { return deeper(n+1) + n }

func main() {
	debug.SetMaxStack(100000)
	println(deeper(0))
}
"""


def test_a_goroutine_is_shown_although_its_thread_handles_a_signal(run, tmp_path):
    """The thread had left the goroutine's stack, which has no more room, before the signal came."""
    (tmp_path / "overflows.go").write_text(OVERFLOWS)
    building.command("go", "build", "-o", "overflows", "overflows.go", cwd=tmp_path)
    core = building.make_core(tmp_path, "sh", "-c", f"GOTRACEBACK=crash exec {tmp_path}/overflows 2> /dev/null")
    row = rows_of(run("backtrace", "--json", "--core", core))[1]
    names = [name for name, _ in frames_of(row)]
    assert row["state"].startswith("on thread ") and names[-3:] == ["main.main", "runtime.main", "runtime.goexit"]
    assert names.count("main.deeper") > 100


LIBRARY = """
package main

import "C"

//export waits
func waits() { println("waits"); select {} }

func main() {}
"""


USES = "void waits(void);\nint main(void) { waits(); return 0; }\n"


@pytest.mark.parametrize("mode, library", [("c-archive", "libgo.a"), ("c-shared", "libgo.so")])
def test_code_of_go_in_a_program_of_c(run, tmp_path, mode, library):
    """Its goroutines are found in the program, and said to be missing in a library."""
    (tmp_path / "library.go").write_text(LIBRARY)
    (tmp_path / "uses.c").write_text(USES)
    made = subprocess.run(f"go build -buildmode={mode} -o {library} library.go && "
                          f"gcc uses.c {library} -pthread -Wl,-rpath,. -o uses", shell=True, cwd=tmp_path,
                          capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(f"no cgo: {made.stderr}")
    with subprocess.Popen([tmp_path / "uses"], cwd=tmp_path, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr.readline() == "waits\n"
        result = run("backtrace", "--json", "--pid", str(process.pid))
        quiet = run("backtrace", "--json", "--no-goroutines", "--pid", str(process.pid))
        process.kill()
    stacks = [[name for name, _ in frames_of(row)] for row in rows_of(result).values()]
    assert any("main.waits" in stack for stack in stacks) == (mode == "c-archive")
    assert ("the program is not one of Go, but uses code of Go" in result.err) == (mode == "c-shared")
    assert not rows_of(quiet) and quiet.err == ""
