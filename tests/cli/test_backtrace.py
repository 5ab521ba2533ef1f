"""`inlinecall backtrace`: what a user sees of processes and of cores, and what targets see of it."""

import csv
import json
import os
import re
import shutil
import signal
import struct
import subprocess
import time
from pathlib import Path

import pytest

import building

SOURCE = Path(__file__).resolve().parent / "programs" / "stays.c"
OTHER = "int main(void) { return 0; }\n"


@pytest.fixture(scope="module")
def stays(tmp_path_factory):
    building.need("gcc")
    path = tmp_path_factory.mktemp("backtrace") / "stays"
    building.command("gcc", "-g", "-O2", "-w", "-pthread", SOURCE, "-o", path)
    return path


def await_sleep(pid):
    """Waits until all threads of a process sleep: until then they are on their way there."""
    for _ in range(1000):
        states = [Path(path, "stat").read_text().rpartition(")")[2].split()[0]
                  for path in Path(f"/proc/{pid}/task").iterdir()]
        if set(states) <= set("SDZ"):
            return
        time.sleep(0.01)
    pytest.fail(f"threads of {pid} still run: {states}")


@pytest.fixture
def start():
    """Starts a program that says when it is there; all end with the test."""
    started = []

    def begin(*words, wait=True):
        process = subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        started.append(process)
        if wait:
            assert process.stdout.readline() == b"here\n"
            await_sleep(process.pid)
        return process

    yield begin
    for process in started:
        process.kill()
        process.wait()


@pytest.fixture(scope="module")
def cores(stays, tmp_path_factory):
    """Makes the core of `stays WHAT` once, or several of them."""
    directory = tmp_path_factory.mktemp("cores")

    def make(what, number=1):
        path = directory / f"{what}-{number}"
        return path if path.exists() else building.make_core(directory, stays, what).rename(path)

    return make


def state(pid):
    """The state of a process, and the process that traces it."""
    text = Path(f"/proc/{pid}/status").read_text()
    return (re.search(r"^State:\s+(\w)", text, re.M)[1],
            int(re.search(r"^TracerPid:\s+(\d+)", text, re.M)[1]))


def frames_of(text):
    """[(function, whether inlined), ...] of the text of one thread."""
    return [(match[1], bool(match[2])) for match in
            re.finditer(r"^#\d+ +0x[0-9a-f]{16} (\S+\(\))[^\n]*?( \(inlined\))?$", text, re.M)]


def test_the_text_has_the_frames_and_those_inlined(run, stays, start):
    process = start(stays)
    result = run("backtrace", "-p", str(process.pid))
    assert (result.status, result.err) == (0, "")
    lines = result.out.splitlines()
    assert lines[0] == f"thread {process.pid} (stays)"
    names = frames_of(result.out)
    at = names.index(("waits()", False))
    assert names[at:at + 4] == [("waits()", False), ("inlined()", True), ("outer()", False),
                                ("main()", False)]
    inlined = next(line for line in lines if "inlined()" in line)
    assert re.fullmatch(rf"#\d +0x[0-9a-f]{{16}} inlined\(\) at {SOURCE}:\d+:\d+ \(inlined\)", inlined)
    assert "no more frames" not in result.out


def test_an_object_has_these_keys_in_this_order(run, stays, start):
    process = start(stays)
    result = run("backtrace", "--json", f"--pid={process.pid}")
    row = json.loads(result.out)
    assert list(row) == ["type", "core", "pid", "tid", "name", "goroutine", "state", "signal", "frames", "end",
                         "others"]
    assert row["pid"] == row["tid"] == process.pid and row["signal"] is row["core"] is None
    for frame in row["frames"]:
        assert list(frame) == ["address", "module", "function", "linkage_name", "offset", "file",
                               "line", "column", "inlined", "found", "signal", "callee", "jit"]
    inlined = next(frame for frame in row["frames"] if frame["inlined"])
    assert inlined["function"] == "inlined" and inlined["module"] == str(stays)


def test_a_table_has_a_line_for_each_frame(run, stays, start):
    process = start(stays)
    table = [*csv.DictReader(run("backtrace", "--csv", "-p", process.pid and str(process.pid))
                             .out.splitlines())]
    assert [row["frame"] for row in table] == [str(number) for number in range(len(table))]
    assert "outer" in [row["function"] for row in table]


def test_threads_are_all_printed_or_one_or_those_alike_together(run, stays, start):
    process = start(stays, "threads")
    pid = str(process.pid)
    rows = [json.loads(line) for line in run("backtrace", "--json", "-p", pid).out.splitlines()]
    assert len(rows) == 4 and rows[0]["tid"] == process.pid
    other = str(rows[2]["tid"])
    one = run("backtrace", "--json", "-p", pid, "-t", other)
    assert one.status == 0 and [json.loads(line)["tid"] for line in one.out.splitlines()] == [
        rows[2]["tid"]]
    groups = [json.loads(line) for line in
              run("backtrace", "--json", "--group", "-p", pid).out.splitlines()]
    assert [len(row["others"]) for row in groups] == [0, 2]
    assert all(list(other.items())[0] == ("core", None) and list(other) == ["core", "tid", "goroutine"]
               for other in groups[1]["others"])
    assert re.search(r"^thread \d+ \d+ \d+ \(stays\), 3 threads$",
                     run("backtrace", "--group", "-p", pid).out, re.M)
    wrong = run("backtrace", "-p", pid, "-t", str(os.getpid()))
    assert wrong.status == 2 and f"no thread {os.getpid()}" in wrong.err


def test_not_more_frames_than_wanted_are_printed(run, stays, start):
    process = start(stays)
    result = run("backtrace", "--limit=2", "-p", str(process.pid))
    assert result.status == 0 and result.out.endswith("     no more frames: more than 2 frames\n")
    whole = run("backtrace", "-p", str(process.pid)).out
    limited = {limit: run("backtrace", f"--limit={limit}", "-p", str(process.pid)).out for limit in range(1, 20)}
    enough = min(limit for limit, out in limited.items() if out == whole)
    assert enough > 2 and all((out == whole) == (limit >= enough) for limit, out in limited.items())
    assert limited[enough - 1].endswith(f"more than {enough - 1} frames\n")


@pytest.mark.parametrize("words, message", [
    ((), "neither --pid nor --core is given"),
    (("-p", "1", "--core=x"), "--pid and --core cannot be used together"),
    (("--core=x", "--core=y", "-p", "1"), "--pid and --core cannot be used together"),
    (("-p", "1", "x"), "--pid takes no operand"),
    (("--core=x", "y", "z"), "more than one PROGRAM given"),
    (("--core=x", "-t", "1"), "--tid requires --pid"),
    (("-p", "1", "--sysroot=/"), "--sysroot requires --core"),
    (("-p", "none"), "--pid"), (("-p", "0"), "--pid"), (("-p", "99999999999"), "--pid"),
])
def test_what_cannot_be_asked_is_wrong_usage(words, message, run):
    result = run("backtrace", *words)
    assert result.status == 64 and message in result.err and not result.out


def test_why_a_process_has_no_stack_is_said(run):
    ended = subprocess.Popen(["true"])
    while state(ended.pid)[0] != "Z":
        time.sleep(0.01)
    asked = [(4194304, "no such process"), (ended.pid, "is a zombie: it has exited")]
    if Path("/proc/2/stat").exists() and "(kthreadd)" in Path("/proc/2/stat").read_text():
        asked.append((2, "is a kernel thread"))
    for pid, why in asked:
        result = run("backtrace", "-p", str(pid))
        assert (result.status, result.out) == (2, "")
        assert f"process {pid}: {why}" in result.err
    ended.wait()


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_another_tracer_is_named_as_the_cause(run, stays, start):
    process = start(stays)
    tracer = start("strace", "-p", process.pid, wait=False)
    for _ in range(100):
        if state(process.pid)[1]:
            break
        time.sleep(0.05)
    result = run("backtrace", "-p", str(process.pid))
    assert result.status == 2 and "already traced" in result.err and not result.out
    assert state(process.pid)[1] == tracer.pid


@pytest.mark.skipif(os.geteuid() != 0, reason="not root, who can become another user")
def test_another_user_is_named_as_the_cause(program, stays, start):
    process = start(stays)
    try:
        result = subprocess.run([program, "backtrace", "-p", str(process.pid)], user=65534, cwd="/",
                                capture_output=True, text=True, timeout=60, check=False)
    except PermissionError as error:
        pytest.skip(f"the program is out of reach of other users: {error}")
    assert (result.returncode, result.stdout) == (2, "")
    assert (f"process {process.pid}: cannot open its program: Permission denied (this requires the same user, "
            "or CAP_SYS_PTRACE)") in result.stderr


def test_the_process_goes_on_whenever_we_are_killed(program, stays, start):
    process = start(stays, "counts", wait=False)
    for number in range(60):
        ours = subprocess.Popen([program, "backtrace", "-p", str(process.pid)],
                                stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        time.sleep(number * 0.0005)
        ours.send_signal(signal.SIGKILL if number % 2 else signal.SIGINT)
        ours.wait()
        for _ in range(100):
            if state(process.pid) == ("R", 0):
                break
            time.sleep(0.01)
        assert state(process.pid) == ("R", 0)
    assert process.poll() is None


def test_a_process_that_was_stopped_stays_so(run, stays, start):
    process = start(stays)
    process.send_signal(signal.SIGSTOP)
    time.sleep(0.05)
    for _ in range(3):
        result = run("backtrace", "-p", str(process.pid))
        assert result.status == 0 and "outer()" in result.out
        time.sleep(0.05)
        assert state(process.pid) == ("T", 0)
    process.send_signal(signal.SIGCONT)
    time.sleep(0.05)
    assert state(process.pid) == ("S", 0)


def test_signals_on_their_way_are_delivered(run, start, tmp_path):
    """A process that gets many signals while it is stopped again and again loses none: each of these
    is delivered, however many there are."""
    building.need("gcc")
    (tmp_path / "counts.c").write_text("""
        #include <signal.h>
        #include <stdio.h>
        #include <unistd.h>
        static volatile sig_atomic_t count;
        static void handler(int number) { (void)number; count++; }
        int main(void)
        {
            signal(SIGRTMIN, handler);
            puts("here");
            fflush(stdout);
            while (count < 40)
                usleep(100);
            return 3;
        }""")
    building.command("gcc", tmp_path / "counts.c", "-o", tmp_path / "counts")
    process = start(tmp_path / "counts")
    for number in range(40):
        process.send_signal(signal.SIGRTMIN)
        if number % 2:
            run("backtrace", "-p", str(process.pid))
        time.sleep(0.01)
    assert process.wait(10) == 3


def test_a_thread_that_does_not_stop_is_not_waited_for(run, stays, start):
    process = start(stays, "vfork")
    began = time.monotonic()
    result = run("backtrace", "-p", str(process.pid))
    assert time.monotonic() - began < 10
    assert result.status == 2 and "it may be in uninterruptible sleep" in result.err
    assert state(process.pid) == ("D", 0)
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
    for child in children:
        os.kill(int(child), signal.SIGKILL)


def test_a_process_whose_first_thread_has_ended_has_the_others(run, start, tmp_path):
    building.need("gcc")
    (tmp_path / "ends.c").write_text("""
        #include <pthread.h>
        #include <stdio.h>
        #include <unistd.h>
        static void *stay(void *unused)
        {
            usleep(100000);
            puts("here");
            fflush(stdout);
            for (;;)
                pause();
            return unused;
        }
        int main(void)
        {
            pthread_t thread;
            pthread_create(&thread, NULL, stay, NULL);
            pthread_exit(NULL);
        }""")
    building.command("gcc", "-g", "-pthread", tmp_path / "ends.c", "-o", tmp_path / "ends")
    process = start(tmp_path / "ends")
    result = run("backtrace", "-p", str(process.pid))
    assert (result.status, result.err) == (0, "")
    assert [line.split()[0] for line in result.out.splitlines()].count("thread") == 1
    assert "stay()" in result.out


def test_a_program_that_was_deleted_is_still_read(run, stays, start, tmp_path):
    copy = tmp_path / "copy"
    shutil.copy(stays, copy)
    process = start(copy)
    copy.unlink()
    result = run("backtrace", "-p", str(process.pid))
    assert (result.status, result.err) == (0, "")
    assert ("inlined()", True) in frames_of(result.out)


def test_the_core_of_a_process_has_the_signal(run, stays, cores):
    core = cores("abort")
    result = run("backtrace", "--core", core)
    assert (result.status, result.err) == (0, "")
    assert re.match(r"thread \d+ \(stays\), signal 6 SIGABRT\n", result.out)
    assert run("backtrace", "--core", core, stays).out == result.out


@pytest.mark.parametrize("tool", ["zstd", "xz", "gzip", "lz4"])
def test_a_core_may_be_compressed(tool, run, cores, tmp_path):
    building.need(tool)
    core = cores("abort")
    shutil.copy(core, tmp_path / "core")
    # lz4 would write to the pipe if it were not said that there may be several files.
    building.command(tool, "-q", *["-m"] * (tool == "lz4"), tmp_path / "core")
    packed = next(path for path in tmp_path.iterdir() if path.name != "core")
    assert run("backtrace", "--core", packed) == run("backtrace", "--core", core)
    assert run("backtrace", "--max-memory=100M", "--core", packed) == run("backtrace", "--core", core)
    assert run("backtrace", "--max-memory=40K", "--core", packed) == (
        2, "", f"inlinecall: {packed}: compressed with {tool}, and larger than the memory limit of "
               "40 KiB when decompressed; decompress it first\n")
    packed.write_bytes(packed.read_bytes()[:-100])
    assert run("backtrace", "--core", packed) == (
        2, "", f"inlinecall: {packed}: compressed with {tool}, and cannot be decompressed: "
               "damaged, or followed by other data\n")


def test_several_cores_are_printed_one_after_the_other(run, stays, cores):
    paths = [cores("abort"), cores("noise"), cores("abort", 2)]
    single = [run("backtrace", "--core", path) for path in paths]
    words = [word for path in paths for word in ("--core", path)]
    result = run("backtrace", *words)
    assert result.out == "\n".join(f"{path}:\n{one.out}" for path, one in zip(paths, single))
    assert (result.status, result.err) == (2, single[1].err)
    assert run("backtrace", *words, stays).out == result.out
    alike = run("backtrace", "--core", paths[0], "--core", paths[2])
    assert (alike.status, alike.err) == (0, "")
    for form in ("--json", "--csv"):
        rows = run("backtrace", form, *words).out.splitlines()
        wanted = [run("backtrace", form, "--core", path).out.splitlines() for path in paths]
        if form == "--csv":
            assert all(lines[0] == rows[0] for lines in wanted)
            wanted = [rows[:1], *[lines[1:] for lines in wanted]]
        else:
            assert [json.loads(row)["core"] for row in rows] == [str(path) for path in paths]
        assert rows == [row for lines in wanted for row in lines]


def test_a_core_that_cannot_be_opened_costs_only_itself(run, stays, cores, tmp_path):
    core, none = cores("abort"), tmp_path / "none"
    one = run("backtrace", "--core", core)
    for options in ((), ("--group",)):
        for words in (("--core", none, "--core", core), ("--core", core, "--core", none)):
            result = run("backtrace", *options, *words)
            assert (result.status, result.out) == (2, f"{core}:\n{one.out}")
            assert result.err.startswith(f"inlinecall: {none}: ") and result.err.count("\n") == 1
        result = run("backtrace", *options, "--csv", "--core", none, "--core", none)
        assert (result.status, result.out, result.err.count("\n")) == (2, "", 2)


def test_groups_are_of_all_cores(run, stays, cores):
    """Wherever the program was loaded."""
    first, second, other = cores("abort"), cores("abort", 2), cores("noise")
    words = ("--group", "--core", first, "--core", other, "--core", second)
    rows = [json.loads(line) for line in run("backtrace", "--json", *words).out.splitlines()]
    assert [row["core"] for row in rows] == [str(first), str(other)]
    alone = json.loads(run("backtrace", "--json", "--core", second).out)
    assert rows[0]["others"] == [{"core": str(second), "tid": alone["tid"], "goroutine": None}]
    assert not rows[1]["others"]
    assert rows[0]["frames"] == json.loads(run("backtrace", "--json", "--core", first).out)["frames"]
    result = run("backtrace", *words)
    assert result.status == 2
    assert result.out.startswith(
        f"thread {rows[0]['tid']} (stays), signal 6 SIGABRT, 2 threads\n"
        f"     {first}: {rows[0]['tid']}\n     {second}: {alone['tid']}\n#0 ")
    assert f"\n\nthread {rows[1]['tid']} (stays), signal 11 SIGSEGV\n     {other}: " in result.out


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_the_files_of_several_cores_are_opened_once(program, stays, cores, tmp_path):
    for options in ((), ("--group",)):
        subprocess.run(["strace", "-f", "-e", "trace=openat", "-o", tmp_path / "calls", program,
                        "backtrace", *options, "--core", cores("abort"), "--core",
                        cores("abort", 2)], stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)  # ASan refuses to be traced
        assert (tmp_path / "calls").read_text().count(f'"{stays}"') == 1


def test_a_core_without_its_option_is_seen_to_be_one(run, cores):
    path = cores("abort")
    for words in ((path,), (path, "program")):
        result = run("backtrace", *words)
        assert result.status == 64 and f"{path} is a core file; use --core={path}" in result.err


def test_what_is_no_core_is_refused(run, stays, tmp_path):
    (tmp_path / "text").write_text("no core\n" * 100)
    for path, message in ((stays, "not a core file"), (tmp_path / "text", "not an ELF file"),
                          (tmp_path / "none", "No such file"), (tmp_path, "")):
        result = run("backtrace", "--core", path)
        assert result.status == 2 and message in result.err and not result.out


def test_of_a_core_that_is_cut_short_what_is_left_is_printed(run, cores, tmp_path):
    whole = cores("abort").read_bytes()
    text = run("backtrace", "--core", cores("abort")).out
    cut = tmp_path / "cut"
    seen = set()
    for part in range(0, 100, 4):
        cut.write_bytes(whole[:len(whole) * part // 100])
        result = run("backtrace", "--core", cut)
        assert result.status == 2 and result.err
        seen.add(bool(result.out))
        if result.out:
            assert result.out.splitlines()[:2] == text.splitlines()[:2]
    assert True in seen


def test_a_program_with_another_build_id_is_not_believed(run, cores, tmp_path):
    (tmp_path / "other.c").write_text(OTHER)
    building.command("gcc", "-g", "-Wl,--build-id", tmp_path / "other.c", "-o", tmp_path / "other")
    result = run("backtrace", "--core", cores("abort"), tmp_path / "other")
    assert result.status == 2 and "build ID" in result.err and str(tmp_path / "other") in result.err
    assert "main()" not in result.out


ABORTS = r"""
#include <stdlib.h>
__attribute__((noinline)) static void fails(int code) { if (code) abort(); }
int main(int count, char **words) { fails(count); return count + NUMBER + !words; }
__asm__(".section .note.maker,\"a\",@note\n.long 4, 4, 7\n.asciz \"Was\"\n.long " NOTE "\n.text");
"""


def test_a_program_without_a_build_id_is_compared_with_what_was_mapped(run, tmp_path):
    """As those of Go, and of toolchains that do not ask the linker for one."""
    (tmp_path / "aborts.c").write_text(ABORTS)
    program, kept = tmp_path / "program", tmp_path / "kept"

    def build(*words, number=1, note=1):
        building.command("gcc", "-g", "-O1", "-Wl,--build-id=none", f"-DNUMBER={number}",
                         f'-DNOTE="{note}"', *words, tmp_path / "aborts.c", "-o", program)

    build()
    core = building.make_core(tmp_path, program).rename(tmp_path / "of-abort")
    before = program.stat()
    sound = run("backtrace", "--core", core)
    assert (sound.status, sound.err) == (0, "") and ("fails()", False) in frames_of(sound.out)

    # Only the first page is in the core: ld 2.44 puts notes behind the code.
    place = re.search(r"\.note\.maker +NOTE +\w+ (\w+)", building.command("readelf", "-SW", program))
    others = [([], {"note": 2})] if int(place[1], 16) < 0x1000 else []
    for words, numbers in ((["-static"], {}), (["-rdynamic"], {}), *others):
        build(*words, **numbers)
        result = run("backtrace", "--core", core)
        assert result.status == 2 and f"{program}: not the file that was mapped" in result.err
        assert ("fails()", False) not in frames_of(result.out)

    build(number=2)  # which nothing in the first page tells
    result = run("backtrace", "--core", core)
    assert result.status == 0 and result.out == sound.out
    assert result.err.count("modified after the core was written") == 1

    building.command("strip", "-o", kept, program)
    kept.replace(program)
    os.utime(program, ns=(before.st_atime_ns, before.st_mtime_ns))
    result = run("backtrace", "--core", core)
    assert (result.status, result.err) == (0, "") and "/program+0x" in result.out


def test_a_debug_file_that_cannot_be_used_is_named(run, stays, tmp_path):
    """It costs lines and inlined functions, for which there is no other sign."""
    program, debug_dir = tmp_path / "stripped", tmp_path / "debug"
    identity = re.search(r"Build ID: (..)(\w+)", building.command("readelf", "-n", stays))
    debug = debug_dir / ".build-id" / identity[1] / f"{identity[2]}.debug"
    debug.parent.mkdir(parents=True)
    building.command("objcopy", "--only-keep-debug", stays, debug)
    building.command("strip", "-o", program, stays)
    core = building.make_core(tmp_path, program, "abort")
    words = ("backtrace", "--debug-dir", debug_dir, "--core", core)
    sound = run(*words)
    assert sound.status == 0 and not sound.err and "stays.c:" in sound.out
    whole = debug.read_bytes()
    for damaged, reason in ((whole[:3000], "truncated: "), (b"no ELF file", "not an ELF file"),
                            (Path("/bin/true").read_bytes(), "has another build ID")):
        debug.write_bytes(damaged)
        result = run(*words)
        assert result.status == 2 and "stays.c:" not in result.out
        assert f"  {debug}: " in result.err and reason in result.err
        assert result.err.count(reason) == 1
    debug.unlink()
    missing = run(*words)
    assert missing.status == 0 and not missing.err


def test_a_program_of_a_core_that_is_gone_is_found_by_its_build_id(run, tmp_path):
    building.need("gcc")
    program, other = tmp_path / "stays", tmp_path / "other"
    building.command("gcc", "-g", "-O2", "-pthread", "-Wl,--build-id", SOURCE, "-o", program)
    core = building.make_core(tmp_path, program, "abort")
    expected = run("backtrace", "--core", core)
    assert "stays.c:" in expected.out and not expected.err
    build_id = re.search(r"Build ID: (\w+)", building.command("readelf", "-n", program))[1]
    place = tmp_path / "debug/.build-id" / build_id[:2] / build_id[2:]
    place.parent.mkdir(parents=True)
    program.rename(other)
    assert str(program) in run("backtrace", "--core", core).err
    place.symlink_to(other)
    assert run("backtrace", f"--debug-dir={tmp_path / 'debug'}", "--core", core) == expected
    shutil.copy("/bin/true", program)
    assert run("backtrace", f"--debug-dir={tmp_path / 'debug'}", "--core", core) == expected


def test_what_is_wrong_with_a_file_is_said_once(run, tmp_path):
    """It is read for its functions, and for its call frames, here without a table of these."""
    building.need("gcc")
    program = tmp_path / "stays"
    building.command("gcc", "-g", "-O2", "-pthread", "-Wl,--no-eh-frame-hdr", SOURCE, "-o", program)
    core = building.make_core(tmp_path, program, "abort")
    image, start = bytearray(program.read_bytes()), int(building.symbol_addr(program, "main"), 16)
    table, = struct.unpack_from("<Q", image, 40)  # e_shoff
    for at in range(table, len(image) - 63, 64):
        flags, address, _, size = struct.unpack_from("<QQQQ", image, at + 8)
        if address <= start < address + size:
            struct.pack_into("<Q", image, at + 8, flags & ~4)  # SHF_EXECINSTR
    program.write_bytes(image)
    result = run("backtrace", "--core", core)
    assert result.status == 2 and result.err.count("not marked as code") == 1


WITHOUT_INFORMATION = """
int leaf(int), pushes(int);
__asm__(".text\\n.type leaf,%function\\nleaf: TRAP\\n.size leaf,.-leaf\\n"
	".type pushes,%function\\npushes: PUSH; TRAP\\n.size pushes,.-pushes\\n");
__attribute__((noinline)) int calls(int n) { return (n > 1 ? pushes(n) : leaf(n)) + 1; }
__attribute__((noinline)) int outer(int n) { return calls(n) + 1; }
int main(int argc, char **argv) { return outer(argc) + 1; }
"""


def test_code_without_information_has_the_caller_that_a_call_to_it_tells(run, tmp_path):
    """As a thread has none where it begins, and as assembly often has none."""
    building.need("gcc")
    machine = os.uname().machine
    if machine not in ("x86_64", "aarch64"):
        pytest.skip("calls of this machine are not known")
    trap, push = (("ud2", "push %rax") if machine == "x86_64" else ("udf #0", "nop"))
    source = tmp_path / "without.c"
    source.write_text(WITHOUT_INFORMATION.replace("TRAP", trap).replace("PUSH", push))
    building.command("gcc", "-O2", "-g", "-fomit-frame-pointer", source, "-o", tmp_path / "without")
    for words, function in (((), "leaf()"), (("x",), "pushes()")):
        folder = tmp_path / function[:-2]
        folder.mkdir()
        core = building.make_core(folder, tmp_path / "without", *words)
        result = run("backtrace", "--core", core)
        assert [name for name, _ in frames_of(result.out.replace(" (found by return address)", ""))][:4] == [
            function, "calls()", "outer()", "main()"]
        # On x86 the code up to there is read: the caller is certain.
        is_guess = machine != "x86_64"
        assert result.status == 0 and result.out.count("found by return address") == is_guess
        found = [frame["found"] for frame in
                 json.loads(run("backtrace", "--json", "--core", core).out)["frames"]]
        assert found[:3] == ["given", "call" if is_guess else "code", "call_frames"]


STUB = """
#include <stdio.h>
__attribute__((noinline)) int calls(const char *text) { return puts(text) + 1; }
__attribute__((noinline)) int leaves(const char *text) { return puts(text); }
int main(int argc, char **argv)
{
	unsigned char *code = (unsigned char *)(argc > 1 ? leaves : calls);
	while (*code != (argc > 1 ? 0xe9 : 0xe8)) // jmp, call
		code++;
	code += 5 + *(int *)(code + 1); // the stub
	if (*code == 0xf3) // endbr64
		code += 4;
	*(long *)(code + 6 + *(int *)(code + 2)) = 1l << 62; // no address: its jump faults
	return (argc > 1 ? leaves(argv[1]) : calls(argv[0])) + 1;
}
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="the program is written for x86-64")
@pytest.mark.parametrize("words", ((), ("-fcf-protection=full", "-Wl,-z,force-ibt")), ids=" ".join)
def test_a_stub_of_dynamic_linking_has_a_name_and_a_caller(words, run, tmp_path):
    """lld writes no call frame information for them."""
    for tool in ("clang", "ld.lld"):
        building.need(tool)
    source = tmp_path / "stub.c"
    source.write_text(STUB)
    building.command("clang", "-O2", "-g", "-fuse-ld=lld", "-Wl,-z,lazy", *words, source, "-o", tmp_path / "stub")
    for arguments, callers in (((), ["puts@plt()", "calls()", "main()"]),
                               (("x",), ["puts@plt()", "leaves()", "main()"])):
        folder = tmp_path / str(len(arguments))
        folder.mkdir()
        core = building.make_core(folder, tmp_path / "stub", *arguments)
        result = run("backtrace", "-s", "--core", core)
        names = [name for name, _ in frames_of(result.out)]
        assert names[:3] == callers or (arguments and names[:2] == [callers[0], callers[2]]), result.out
        assert result.status == 0 and "found by" not in result.out and not result.err
        frame = json.loads(run("backtrace", "--json", "--core", core).out)["frames"][0]
        assert (frame["function"], frame["offset"]) == ("puts@plt", 0)


@pytest.fixture(scope="module")
def compiles(tmp_path_factory):
    building.need("gcc")
    if os.uname().machine not in ("x86_64", "aarch64"):
        pytest.skip("the program is not written for this machine")
    path = tmp_path_factory.mktemp("compiles") / "compiles"
    building.command("gcc", "-g", "-O1", "-fno-omit-frame-pointer", SOURCE.parent / "compiles.c", "-o", path)
    return path


def named_frames(text):
    return re.findall(r"^#\d+ +0x[0-9a-f]{16} (.*?)\(\)(?: at \S+)?(?: in \S+)?((?: \(.*?\))*)$", text, re.M)


def test_functions_that_a_process_compiled_have_the_names_of_its_list(run, start, compiles):
    process = start(compiles, "")
    try:
        result = run("backtrace", "-s", "-p", str(process.pid))
        assert result.status == 0 and not result.err
        frames = named_frames(result.out)
        at = [name for name, _ in frames].index("waits")
        assert frames[at + 1][0] == "compiled a:1" and frames[at + 1][1].startswith(" (JIT)")
        assert frames[at + 2][0] == "main" and result.out.count("(JIT)") == 1
        rows = json.loads(run("backtrace", "--json", "-p", str(process.pid)).out)["frames"]
        assert [(row["function"], row["offset"] > 0) for row in rows if row["jit"]] == [("compiled a:1", True)]
        table = csv.DictReader(run("backtrace", "--csv", "-p", str(process.pid)).out.splitlines())
        assert [row["function"] for row in table if row["jit"] == "true"] == ["compiled a:1"]
    finally:
        os.unlink(f"/tmp/perf-{process.pid}.map")


def test_functions_of_a_jitdump_have_lines_too(run, start, compiles, tmp_path):
    process = start(compiles, "", tmp_path)
    try:
        result = run("backtrace", "-s", "-p", str(process.pid))
        assert " compiled by dump() at code.x:42 (JIT)" in result.out
        assert result.status == 0 and not result.err
        os.truncate(tmp_path / f"jit-{process.pid}.dump", 40)
        assert " compiled a:1() (JIT)" in run("backtrace", "-p", str(process.pid)).out
    finally:
        os.unlink(f"/tmp/perf-{process.pid}.map")


def test_a_list_that_is_wrong_or_missing_costs_only_names(run, start, compiles):
    process = start(compiles, "what\n")
    try:
        result = run("backtrace", "-s", "-p", str(process.pid))
        assert result.status == 2 and "compiled a:1()" in result.out
        assert f"/tmp/perf-{process.pid}.map: 1 of its lines are invalid" in result.err
    finally:
        os.unlink(f"/tmp/perf-{process.pid}.map")
    process = start(compiles)
    result = run("backtrace", "-s", "-p", str(process.pid))
    assert result.status == 0 and not result.err and "(JIT)" not in result.out


@pytest.mark.skipif(os.geteuid() != 0, reason="not root, who can be another user")
def test_a_list_of_another_user_is_not_believed(run, start, compiles):
    process = start(compiles, "")
    try:
        os.chown(f"/tmp/perf-{process.pid}.map", 1234, 1234)
        result = run("backtrace", "-s", "-p", str(process.pid))
        assert result.status == 2 and "(JIT)" not in result.out
        assert "owned by neither the user of the process nor root" in result.err
    finally:
        os.unlink(f"/tmp/perf-{process.pid}.map")


def test_the_list_of_a_container_is_found_in_it(run, compiles, tmp_path):
    """Where the process has another number, and another /tmp."""
    building.need("unshare")
    script = "exec 3<$0; mount -t tmpfs tmpfs /tmp && exec /proc/self/fd/3 ''"
    words = ["unshare", "--user", "--map-root-user", "--mount", "--pid", "--fork", "sh", "-c", script, compiles]
    with subprocess.Popen([*map(str, words)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        try:
            if process.stdout.readline() != b"here\n":
                pytest.skip("no namespaces can be made")
            pid = int(Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()[0])
            await_sleep(pid)
            result = run("backtrace", "-s", "-p", str(pid))
            assert " compiled a:1() (JIT)" in result.out
            assert not Path(f"/tmp/perf-{pid}.map").exists()
        finally:
            for child in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split():
                os.kill(int(child), signal.SIGKILL)
            process.kill()


@pytest.mark.skipif(not shutil.which("node"), reason="no node")
def test_functions_of_node_have_names(run, tmp_path):
    script = tmp_path / "spin.js"
    script.write_text("function fib(n) { return n < 2 ? n : fib(n - 1) + fib(n - 2); }\n"
                      "setTimeout(() => { console.log('here'); for (;;) fib(20); }, 300);\nfib(28);\n")
    with subprocess.Popen(["node", "--perf-basic-prof", script], stdout=subprocess.PIPE, cwd=tmp_path) as process:
        try:
            assert process.stdout.readline() == b"here\n"
            time.sleep(0.5)
            result = run("backtrace", "-s", "-p", str(process.pid), "-t", str(process.pid))
            assert re.search(r"fib \S+spin.js:1:13\(\) \(JIT\)", result.out), result.out
        finally:
            process.kill()
            Path(f"/tmp/perf-{process.pid}.map").unlink(missing_ok=True)


CONTEXT = """
#include <stdlib.h>
#include <ucontext.h>
static char stack[65536];
static ucontext_t first, other;
__attribute__((noinline)) static void inner(int n) { if (n) abort(); }
static void begins(void) { inner(1); }
int main(void)
{
	getcontext(&other);
	other.uc_stack.ss_sp = stack;
	other.uc_stack.ss_size = sizeof(stack);
	other.uc_link = &first;
	makecontext(&other, begins, 0);
	return swapcontext(&first, &other);
}
"""


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="others have another function there")
def test_a_stack_of_makecontext_is_whole(run, tmp_path):
    """It returns to the first instruction of a function that nothing calls."""
    building.need("gcc")
    (tmp_path / "context.c").write_text(CONTEXT)
    building.command("gcc", "-O1", "-g", tmp_path / "context.c", "-o", tmp_path / "context")
    result = run("backtrace", "--core", building.make_core(tmp_path, tmp_path / "context"))
    names = [name for name, _ in frames_of(result.out)]
    assert names[names.index("inner()"):] == ["inner()", "begins()", "__start_context()"]
    assert (result.status, result.err) == (0, "")


SMASHED = """
#include <string.h>
__attribute__((noinline)) int parse(const char *text, unsigned long size)
{
	char kept[16];
	memcpy(kept, text, size);
	__asm__ volatile("" ::"r"(kept) : "memory");
	return *(volatile int *)0 + kept[0];
}
__attribute__((noinline)) int request(const char *text, unsigned long size)
{
	return parse(text, size) + 1;
}
int main(int argc, char **argv)
{
	static const char zeros[128];
	return request(zeros, argc * 96);
}
"""


def test_a_return_address_that_was_overwritten_with_zeros_is_not_the_end(run, tmp_path):
    building.need("gcc")
    (tmp_path / "smashed.c").write_text(SMASHED)
    building.command("gcc", "-O1", "-g", "-w", "-fno-stack-protector", "-fno-builtin-memcpy",
                     "-U_FORTIFY_SOURCE", tmp_path / "smashed.c", "-o", tmp_path / "smashed")
    result = run("backtrace", "--core", building.make_core(tmp_path, tmp_path / "smashed"))
    assert result.status == 2 and frames_of(result.out) == [("parse()", False)]
    assert "no more frames: the return address is 0: " in result.out


def test_a_stack_of_noise_ends_with_its_reason(run, cores):
    result = run("backtrace", "--core", cores("noise"))
    assert result.status == 2
    assert frames_of(result.out)[0][0] == "overwrites()"
    assert "     no more frames: " in result.out and result.out.count("#") < 10


def values_of(thread):
    """{function: {argument: (value, how)}}"""
    return {frame["function"]: {argument["name"]: (argument["value"], argument["how"])
                                for argument in frame["arguments"]}
            for frame in thread["frames"] if frame["arguments"]}


def ask_values(run, path, *options):
    """What the program says of arguments before it waits, between blanks or tabs, and the answer."""
    words = path if isinstance(path, list) else [path]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    try:
        said = {}
        while (line := process.stdout.readline()) not in ("here\n", ""):
            function, *pairs = line.strip().split("\t" if "\t" in line else None)
            said[function] = dict(pair.split("=") for pair in pairs)
        await_sleep(process.pid)
        return said, run("backtrace", "-v", *options, "-p", str(process.pid))
    finally:
        process.kill()
        process.wait()


@pytest.mark.parametrize("compiler", ("gcc", "clang"))
@pytest.mark.parametrize("options", (("-O0",), ("-O1",), ("-O2",), ("-O2", "-gdwarf-4"), ("-O3",),
                                     ("-O2", "-m32")), ids=" ".join)
def test_arguments_have_the_values_that_functions_were_called_with(compiler, options, run, tmp_path):
    building.need(compiler)
    path = tmp_path / "values"
    built = subprocess.run([compiler, "-g", *options, SOURCE.with_name("values.c"), "-o", path],
                           capture_output=True, check=False)
    if built.returncode:
        pytest.skip(f"cannot build with {' '.join(options)}")
    said, result = ask_values(run, path, "--json")
    assert said.keys() == {"jumps", "floating", "middle", "innermost", "inlined"}
    shown = values_of(json.loads(result.out))
    count = 0
    for function, arguments in said.items():
        for name, value in arguments.items():
            found, how = shown.get(function, {}).get(name, (None, None))
            assert (found is None) == (how is None)
            if found is not None:
                assert found.split(" ")[0] == value, (function, name, how)
                count += 1
    if options == ("-O0",):
        assert count == sum(map(len, said.values()))
        assert shown["innermost"]["text"][0].endswith(' "a text\\012"')
        assert re.fullmatch(r"{\.\.\.} at 0x[0-9a-f]+", shown["floating"]["pair"][0])
    assert count >= 2


def values_by_how(said, shown):
    """{how: arguments that are shown}, which must all be what was said."""
    counts = {}
    for function, arguments in said.items():
        for name, value in arguments.items():
            found, how = shown.get(function, {}).get(name, (None, None))
            assert found in (None, value), (function, name, how)
            counts[how] = counts.get(how, 0) + 1
    return counts


@pytest.mark.parametrize("compiler", ("gcc", "clang"))
@pytest.mark.parametrize("options", (("-O0",), ("-O1",), ("-O2",), ("-O3",), ("-Os",),
                                     ("-O2", "-m32")), ids=" ".join)
def test_enumerators_and_wide_integers_are_those_that_functions_were_called_with(
        compiler, options, run, tmp_path):
    building.need(compiler)
    path = tmp_path / "kinds"
    built = subprocess.run([compiler, "-g", "-w", *options, SOURCE.with_name("kinds.c"), "-o", path],
                           capture_output=True, check=False)
    if built.returncode:
        pytest.skip(f"cannot build with {' '.join(options)}")
    said, result = ask_values(run, path, "--json")
    assert [len(said[name]) for name in ("outer", "middle", "innermost", "inlined")] == [3, 4, 3, 4]
    shown = values_of(json.loads(result.out))
    counts = values_by_how(said, shown)
    if options == ("-O0",):
        assert counts == {"memory": 14}
    if "-m32" not in options:  # of which newer clangs say less
        assert counts.get(None, 0) <= 5
        assert shown["inlined"]["colour"][0] == "MINUS"
        assert shown["middle"]["flags"][0] == "(READ | WRITE | unknown: 0x20)"


def test_values_in_pieces_are_put_together(run, tmp_path):
    """Of registers, memory and constants, and of bits; not if a part is lacking. What is said to be in
    several registers in all of a function GCC has not followed."""
    building.need("gcc")
    path = tmp_path / "pieces"
    built = subprocess.run(["gcc", "-nostdlib", "-static", SOURCE.with_name("pieces.s"), "-o", path],
                           capture_output=True, check=False)
    if built.returncode or os.uname().machine != "x86_64":
        pytest.skip("the program is written for x86-64")
    _, result = ask_values(run, path, "--json")
    low, high = 0x1122334455667788, 0x99aabbccddeeff00
    assert values_of(json.loads(result.out))["waits"] == {
        "wide": (str(high << 64 | low), "pieces"), "parts": (str(7 << 32 | 0x9abcdef0), "pieces"),
        "bits": (str((low >> 4 & 0xfff | (high >> 8 & 0xfffff) << 12) - (1 << 32)), "pieces"),
        "bytes": (str(0xabcd | (low & (1 << 48) - 1) << 16), "pieces"),
        "lacks": (None, None), "few": (None, None), "moved": (None, None)}


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="other ABIs keep other registers")
@pytest.mark.parametrize("compiler", ("gcc", "clang"))
@pytest.mark.parametrize("options", (("-O1",), ("-O2",), ("-O2", "-gdwarf-4"), ("-O2", "-m32"),
                                     ("-O2", "-fno-omit-frame-pointer")), ids=" ".join)
def test_callers_know_their_variables_floats_and_whom_they_call_by_pointer(compiler, options, run,
                                                                          tmp_path):
    building.need(compiler)
    path = tmp_path / "callers_know"
    built = subprocess.run([compiler, "-g", "-w", *options, SOURCE.with_name("callers_know.c"), "-o",
                            path], capture_output=True, check=False)
    if built.returncode:
        pytest.skip(f"cannot build with {' '.join(options)}")
    said, result = ask_values(run, path, "--json")
    counts = values_by_how(said, values_of(json.loads(result.out)))
    if "-m32" not in options and compiler == "gcc" and options != ("-O1",):
        assert counts["entry_value"] >= 5 and None not in counts  # registers have the others


@pytest.fixture(scope="module")
def bound(tmp_path_factory):
    """Builds the program of bound.c and its library."""

    def make(compiler, *options):
        building.need(compiler)
        directory = tmp_path_factory.mktemp("bound")
        source, library = SOURCE.with_name("bound.c"), directory / "libbound.so"
        words = (compiler, "-g", "-O2", "-w", *options, source, "-o")
        building.command(*words, library, "-fPIC", "-shared", "-DLIBRARY")
        building.command(*words, directory / "bound", library, f"-Wl,-rpath,{directory}")
        return directory / "bound"

    return make


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="only there calls are followed")
@pytest.mark.parametrize("compiler", ("gcc", "clang"))
@pytest.mark.parametrize("options, is_bound", [
    (("-Wl,-z,now",), True), (("-Wl,-z,now", "-fcf-protection"), True), (("-Wl,-z,lazy",), False),
    (("-Wl,-z,now", "-Wl,-z,norelro"), False), (("-Wl,-z,lazy", "-fno-plt"), True)], ids=str)
def test_callers_in_other_files_know_values_if_calls_stay_bound(compiler, options, is_bound, bound,
                                                                run):
    """Clang calls by a register instead of a PLT; the program that says what its functions received
    is believed, not how it was compiled."""
    path = bound(compiler, *options)
    said, result = ask_values(run, path, "--json")
    shown = values_of(json.loads(result.out))
    counts = values_by_how(said, shown)
    if compiler == "gcc" or "-fno-plt" not in options:
        assert counts == ({"entry_value": 3} if is_bound else {None: 3})
        assert (shown["taken"]["number"][0] == "33") == is_bound


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="only there calls are followed")
@pytest.mark.parametrize("linking, is_bound", (("-Wl,-z,now", True), ("-Wl,-z,lazy", False)))
def test_tail_calls_between_files_are_shown_if_calls_stay_bound(linking, is_bound, bound, run):
    """What a function was called with that another one has jumped to, that one knows. Who called by a
    pointer does not say whom."""
    path = bound("gcc", linking)
    said, result = ask_values(run, [path, "by_pointer"], "--json")
    assert said.keys() == {"by_pointer", "passes_on", "received", "taken"}
    row = json.loads(result.out)
    assert values_by_how(said, values_of(row)) == ({None: 2, "entry_value": 3} if is_bound
                                                   else {None: 5})
    left = [frame["function"] for frame in row["frames"] if frame["found"] == "tail_call"]
    assert ("passes_on" in left) == is_bound


@pytest.mark.parametrize("linking", ("-Wl,-z,separate-code", "-Wl,-z,noseparate-code", "-no-pie"))
def test_strings_that_a_core_leaves_out_are_read_from_the_file(linking, run, tmp_path):
    building.need("gcc")
    (tmp_path / "ends.c").write_text("""
        #include <stdlib.h>
        static char changed[] = "before";
        void ends(const char *constant, char *variable) { abort(); }
        int main(void) { changed[0] = 'B'; ends("a constant", changed); }""")
    program = tmp_path / "ends"
    building.command("gcc", "-g", "-O0", "-w", "-Wl,--build-id", linking, tmp_path / "ends.c", "-o",
                     program)
    core = building.make_core(tmp_path, program)
    result = run("backtrace", "-v", "--core", core)
    assert re.search(r' ends \(constant=0x[0-9a-f]+ "a constant", variable=0x[0-9a-f]+ "Before"\)',
                     result.out)
    # Bytes of another file that took its place are none of the process's.
    building.command("gcc", "-g", "-O1", "-w", "-Wl,--build-id", linking, tmp_path / "ends.c", "-o",
                     program)
    result = run("backtrace", "-v", "--core", core)
    assert result.status == 2 and "a constant" not in result.out


def test_values_are_in_the_text_and_those_of_callers_are_marked(run, tmp_path):
    building.need("gcc")
    path = tmp_path / "values"
    building.command("gcc", "-g", "-O2", SOURCE.with_name("values.c"), "-o", path)
    _, result = ask_values(run, path)
    middle = next(line for line in result.out.splitlines() if " middle (" in line)
    assert re.search(r" middle \(large=(large@entry=)?2, small=(small@entry=)?-7, "
                     r"letter=(letter@entry=)?120 'x', ", middle)
    assert "@entry=" in result.out
