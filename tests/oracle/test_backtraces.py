"""`inlinecall backtrace` beside gdb: cores that the kernel writes, live processes, and every
instruction of prologues and epilogues beside a shadow stack."""

import os
import re
import shutil
import signal
import subprocess
import time

import pytest

import backtraces
from packages import ROOT

STACKS = ("above", "nested", "overflow", "thread_alternate", "thread_overflow")  # of handlers
IN_C = ("inlined", "recursion", "signal", "fault", "alternate", *STACKS, "leaf", "null", "callback",
        "threads")
IN_CPP = ("unwinding", "handler", "not_caught", "lambda")
ENDS = ("null", "not_caught")  # there is no way to stay there
BUILDS = [("gcc", ("-O0",)), ("gcc", ("-O2",)), ("gcc", ("-m32", "-O2")), ("clang", ("-O0",)),
          ("clang", ("-O2",)), ("gcc", ("-O3", "-fomit-frame-pointer", "-static")),
          ("clang", ("-O1", "-fno-omit-frame-pointer")), ("gcc", ("-Os", "-m32", "-fPIE", "-pie")),
          ("gcc", ("-O2", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables"))]
SHORT = {0, 1, 2, 4}
DRIVERS = {"gcc": "g++", "clang": "clang++"}


def cases():
    for number, (compiler, flags) in enumerate(BUILDS):
        for source, places in (("situations.c", IN_C), ("exceptions.cpp", IN_CPP)):
            if source == "exceptions.cpp" and ("-m32" in flags or number > 5):
                continue  # there is no 32-bit libstdc++
            for where in places:
                yield pytest.param(compiler, flags, source, where,
                                   marks=[] if number in SHORT and
                                   (where not in STACKS or number == 1) else pytest.mark.long,
                                   id=f"{compiler}{''.join(flags)}-{where}")


@pytest.fixture(scope="module")
def built(tmp_path_factory):
    directory = tmp_path_factory.mktemp("stacks")

    def make(compiler, flags, source):
        driver = DRIVERS[compiler] if source.endswith(".cpp") else compiler
        for tool in (driver, "gdb"):
            if not shutil.which(tool):
                pytest.skip(f"no {tool}")
        try:
            return backtraces.build(driver, flags, source,
                                    directory / f"{source[:3]}-{driver}{''.join(flags)}")
        except subprocess.CalledProcessError as error:
            if "-m32" in flags:
                pytest.skip("no 32-bit libraries")
            raise AssertionError(error.stderr.decode()) from error

    return make


@pytest.fixture
def core_of(tmp_path):
    def make(*words):
        try:
            return backtraces.make_core(words, tmp_path)
        except backtraces.NoCore as reason:
            pytest.skip(str(reason))

    return make


@pytest.fixture
def staying():
    """Starts programs that stay somewhere; they end with the test."""
    started = []

    def start(*words, stopped=False):
        process = subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE)
        started.append(process)
        assert process.stdout.readline() == b"here\n"
        time.sleep(0.05)
        if stopped:
            os.kill(process.pid, signal.SIGSTOP)
            time.sleep(0.05)
        return process.pid

    yield start
    for process in started:
        process.kill()
        process.wait()


def equal(rows, theirs, with_line=True):
    assert rows.keys() == theirs.keys()
    found = [text for tid in theirs
             for text in backtraces.differences(rows[tid], theirs[tid], with_line)]
    assert not found, "\n".join(found[:10])


@pytest.mark.parametrize("compiler, flags, source, where", cases())
def test_stacks_in_cores_are_those_of_gdb(compiler, flags, source, where, built, core_of,
                                          inlinecall):
    program = built(compiler, flags, source)
    core = core_of(program, where)
    rows, status, messages = backtraces.ours("--core", core)
    equal(rows, backtraces.gdbs(program, "-c", core))
    assert [row for row in rows.values() if row["end"] != "outermost frame"] == []
    assert (status, messages) == (0, "")


@pytest.mark.parametrize("compiler, flags, source, where", cases())
def test_stacks_of_live_threads_are_those_of_gdb(compiler, flags, source, where, built, staying,
                                                 inlinecall):
    if where in ENDS:
        pytest.skip("the program cannot stay there")
    pid = staying(built(compiler, flags, source), where, "stay", stopped=where == "leaf")
    rows, status, messages = backtraces.ours("-p", pid)
    # Of several rows of the line table at an address gdb prefers one that begins a statement.
    equal(rows, backtraces.gdbs("-p", pid), with_line=where != "leaf")
    assert (status, messages) == (0, "")


def test_a_thread_in_the_vdso_is_unwound(built, staying, inlinecall):
    pid = staying(built("gcc", ("-O2",), "situations.c"), "vdso", "stay", stopped=True)
    rows, status, messages = backtraces.ours("-p", pid)
    assert (status, messages) == (0, "")
    names = [frame["function"] for frame in rows[pid]["frames"]]
    assert "in_vdso" in names and "main" in names
    equal(rows, backtraces.gdbs("-p", pid), with_line=False)


@pytest.mark.parametrize("flags", [("-O0",), ("-O2",), ("-m32", "-O2")], ids="".join)
def test_code_of_no_file_is_passed_by_its_frame_pointer(flags, built, core_of, inlinecall):
    """gdb takes the wrong words of the stack for its frames: it has no code there to look at. By the
    code itself it is as here: `in_jit` called it, and it called `arrive`."""
    core = core_of(built("gcc", flags, "situations.c"), "jit")
    rows, status, messages = backtraces.ours("--core", core)
    frames = list(rows.values())[0]["frames"]
    names = [frame["function"] for frame in frames]
    at = names.index("arrive")
    assert names[at:at + 3] == ["arrive", None, "in_jit"]
    assert [frame["found"] for frame in frames[at:at + 3]] == ["call_frames", "call_frames",
                                                               "frame_pointer"]
    assert (status, messages) == (0, "")


STEPPED = [("gcc", ("-O0",)), ("gcc", ("-O2",)), ("gcc", ("-O2", "-Wl,-z,now")),
           ("gcc", ("-O3", "-fomit-frame-pointer")), ("gcc", ("-Os",)), ("clang", ("-O0",)),
           ("clang", ("-O2",)), ("gcc", ("-O2", "-fcf-protection=full")),
           ("gcc", ("-m32", "-O0")), ("gcc", ("-m32", "-O2")), ("clang", ("-m32", "-O2")),
           # Their PLT has no call frame information.
           ("gcc", ("-O2", "-static")), ("clang", ("-O2", "-fuse-ld=lld")),
           ("clang", ("-O2", "-fuse-ld=lld", "-fcf-protection=full", "-Wl,-z,force-ibt")),
           ("clang", ("-O2", "-fuse-ld=lld", "-m32", "-fPIE", "-pie"))]


def step(program, *options):
    """({verdict: count}, lines) of step_unwind."""
    stepper = ROOT / "build/tests/oracle/step_unwind"
    if not stepper.exists() or "INLINECALL" in os.environ:
        stepper = os.path.join(os.path.dirname(os.environ.get("INLINECALL", "")),
                               "../tests/oracle/step_unwind")
    if not os.access(stepper, os.X_OK):
        pytest.skip("no step_unwind: the tests are not built")
    result = subprocess.run([stepper, *options, program], capture_output=True, text=True,
                            timeout=300, check=False)
    if result.returncode == 77:
        pytest.skip("x86 only")
    lines = result.stdout.splitlines()
    assert lines and lines[-1].startswith("steps "), result.stdout + result.stderr
    words = lines[-1].split()
    return dict(zip(words[::2], map(int, words[1::2]))), lines[:-1]


@pytest.mark.parametrize("compiler, flags", STEPPED, ids=lambda value: "".join(value))
def test_every_instruction_has_the_frames_of_the_shadow_stack(compiler, flags, built):
    """From main on through the program, its PLT, the dynamic linker, libc and a signal handler.

    In 32-bit code there are instructions whose call frame information is missing or wrong: those of
    the start files' __x86.get_pc_thunk.*, which have none, and of string functions that libc has in
    assembly, which push registers without saying so. There the file is wrong, not its reader.
    """
    program = built(compiler, flags, "steps.c")
    counts, wrong = step(program)
    assert counts["steps"] > 1500 and counts["program"] > 300 and counts["signals"] == 1
    if "-m32" in flags:
        thunks = thunk_addresses(program)
        wrong = [line for line in wrong if "/libc.so" not in line.split(":")[0] and
                 not any(start <= int(line.split(":")[0].rsplit("+", 1)[1], 16) < start + 4
                         for start in thunks)]
    assert not wrong, "\n".join(wrong[:10])


NO_INFORMATION = ("-g0", "-fno-asynchronous-unwind-tables", "-fno-unwind-tables")
BARE = [("musl-gcc", ("-O2", "-static")), ("musl-gcc", ("-Os", "-static")),
        ("gcc", ("-O2", "-static")), ("gcc", ("-O2", "-fomit-frame-pointer")),
        ("clang", ("-O1", "-fomit-frame-pointer")),
        ("gcc", ("-O0",)), ("clang", ("-O0",)), ("gcc", ("-O3", "-static"))]


@pytest.mark.parametrize("compiler, flags", [
    pytest.param(*case, marks=[] if number in (0, 2) else pytest.mark.long,
                 id=case[0] + "".join(case[1])) for number, case in enumerate(BARE)])
def test_functions_without_information_have_their_callers(compiler, flags, built):
    """Also those of libc, in programs of musl, and those called through pointers, such as main. Only in
    the middle of the code that returns from a signal the stack is not known."""
    program = built(compiler, (*NO_INFORMATION, *flags), "steps.c")
    counts, lines = step(program, "--from-start")
    assert counts["steps"] > 1500 and counts["signals"] == 1
    assert counts["wrong"] == 0, [line for line in lines if line.startswith("wrong")][:10]
    assert counts["short"] + counts["guessed"] <= 1, lines


@pytest.mark.parametrize("compiler, flags", [
    pytest.param(*case, marks=[] if number == 0 else pytest.mark.long, id=case[0] + "".join(case[1]))
    for number, case in enumerate([("gcc", ("-O2", "-static")), ("gcc", ("-O0",)), ("gcc", ("-O2",)),
                                   ("gcc", ("-Os", "-fcf-protection=full")), ("clang", ("-O2",))])])
def test_what_code_shows_is_never_wrong_in_libc_and_the_dynamic_linker_either(compiler, flags, built):
    """Nothing has call frame information here. Some of their code uses instructions that are not
    followed: stacks end there, or go on with a guess that is marked."""
    counts, lines = step(built(compiler, flags, "steps.c"), "--from-start", "--no-frames")
    assert counts["steps"] > 1500 and counts["signals"] == 1
    assert counts["wrong"] == 0, [line for line in lines if line.startswith("wrong")][:10]
    assert counts["short"] + counts["guessed"] < counts["steps"] * 0.95


def thunk_addresses(program):
    symbols = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout
    return [int(line.split()[0], 16) for line in symbols.splitlines() if "get_pc_thunk" in line]


MACHINES = [("aarch64-linux-gnu", "qemu-aarch64"), ("s390x-linux-gnu", "qemu-s390x"),
            ("powerpc64le-linux-gnu", "qemu-ppc64le"), ("powerpc64-linux-gnu", "qemu-ppc64"),
            ("powerpc-linux-gnu", "qemu-ppc"),
            ("riscv64-linux-gnu", "qemu-riscv64"), ("i686-linux-gnu", "qemu-i386"),
            ("x86_64-linux-gnu", "qemu-x86_64")]


def left_core(machine, qemu, folder, *flags):
    """The core of a program that faults below some frames, and the program."""
    for tool in (f"{machine}-gcc", qemu):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    program = folder / "bare"
    made = subprocess.run([f"{machine}-gcc", "-nostdlib", "-static", "-fno-stack-protector", *flags,
                           backtraces.SOURCES / "bare.c", "-o", program],
                          capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(made.stderr.splitlines()[-1])
    subprocess.run([qemu, program], cwd=folder, preexec_fn=backtraces.limit_core, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    cores = list(folder.glob("qemu_*.core"))
    if not cores:
        pytest.skip(f"{qemu} left no core")
    return cores[0], program


@pytest.mark.parametrize("flags", [("-O0",), ("-O2",), ("-O2", "-fPIE", "-static-pie")],
                         ids="".join)
@pytest.mark.parametrize("machine, qemu", MACHINES, ids=lambda value: value.split("-linux")[0])
def test_cores_of_other_machines_have_the_calls_of_the_program(machine, qemu, flags, tmp_path,
                                                               inlinecall):
    """QEMU writes no note of the mapped files: the program is named. It leaves no core for RISC-V,
    and none of floating-point registers, in which functions for s390x keep others without -O."""
    if machine == "powerpc-linux-gnu" and "-static-pie" in flags:
        pytest.skip("it would have to relocate itself")
    core, program = left_core(machine, qemu, tmp_path, "-g", "-fasynchronous-unwind-tables", *flags)
    rows, status, messages = backtraces.ours("--core", core, program)
    frames = list(rows.values())[0]["frames"]
    if "register r11 is unknown" in list(rows.values())[0]["end"] and flags == ("-O0",):
        assert machine.startswith("s390x") and len(frames) == 3 and status == 2
        return
    assert [frame["function"] for frame in frames] == (
        ["innermost", "leaf", "middle"] + 6 * ["recursion"] + ["outermost", "_start"])
    assert [frame["inlined"] for frame in frames] == [True] + 10 * [False]
    assert {frame["found"] for frame in frames} == {"given", "call_frames"}
    assert (status, messages) == (0, "")


@pytest.mark.parametrize("flags", ["-O0", "-O1", "-O2"])
@pytest.mark.parametrize("machine, qemu", [case for case in MACHINES if "powerpc" in case[0]],
                         ids=lambda value: value.split("-linux")[0])
def test_frames_of_power_are_linked(machine, qemu, flags, tmp_path):
    core, program = left_core(machine, qemu, tmp_path, "-fno-asynchronous-unwind-tables", flags)
    rows, status, messages = backtraces.ours("--core", core, program)
    frames = list(rows.values())[0]["frames"]
    assert [frame["function"] for frame in frames] == (
        ["leaf", "middle"] + 6 * ["recursion"] + ["outermost", "_start"])
    assert {frame["found"] for frame in frames[1:]} <= {"frame_pointer", "call"}
    assert messages == "" and status in (0, 2)


RESTORERS = [("gcc", (), ()), ("gcc", ("-DSIGINFO",), ()), ("gcc", ("-m32",), ()),
             ("gcc", ("-m32", "-DSIGINFO"), ()),
             ("aarch64-linux-gnu-gcc", (), ("qemu-aarch64",)),
             ("s390x-linux-gnu-gcc", (), ("qemu-s390x",)),
             ("s390x-linux-gnu-gcc", ("-DSIGINFO",), ("qemu-s390x",)),
             ("powerpc64le-linux-gnu-gcc", (), ("qemu-ppc64le",)),
             ("powerpc64-linux-gnu-gcc", (), ("qemu-ppc64",)),
             *[(compiler, (*flags, place), runner) for place in ("-DBELOW", "-DABOVE")
               for compiler, flags, runner in
               [("gcc", (), ()), ("gcc", ("-m32",), ()), ("gcc", ("-m32", "-DSIGINFO"), ()),
                ("aarch64-linux-gnu-gcc", (), ("qemu-aarch64",))]]]


@pytest.mark.parametrize("compiler, flags, runner", RESTORERS, ids=str)
def test_what_a_handler_returns_to_is_known_by_its_code(compiler, flags, runner, tmp_path):
    for tool in (compiler, *runner):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    if compiler == "gcc" and os.uname().machine != "x86_64":
        pytest.skip("the program is written for other processors")
    program = tmp_path / "restorer"
    made = subprocess.run([compiler, "-g", "-O2", "-nostdlib", "-static", "-fno-stack-protector",
                           "-fasynchronous-unwind-tables", *flags,
                           backtraces.SOURCES / "restorer.c", "-o", program],
                          capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(made.stderr.splitlines()[-1])
    subprocess.run([*runner, program], cwd=tmp_path, preexec_fn=backtraces.limit_core, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    cores = list(tmp_path.glob("qemu_*.core" if runner else "core*"))  # QEMU itself leaves one too
    if not cores:
        pytest.skip("no core was left")
    rows, status, messages = backtraces.ours("--core", cores[0], program)
    frames = list(rows.values())[0]["frames"]
    assert [frame["signal"] for frame in frames].index(True) == 1
    assert [frame["function"] for frame in frames if not frame["inlined"]][2:] == [
        "raises", "outer", "_start"]
    assert {frame["found"] for frame in frames} == {"given", "call_frames"}
    assert (status, messages) == (0, "")
