"""Tail calls by execution: what programs say that they have entered, and with what, beside the stacks.

A frame that is shown has made its tail call. Where no function is said to be missing, only circles
are. All that is certain by the source is shown, and all that gdb shows. No argument that the caller
knows has another value than the function was entered with.
"""

import os
import shutil
import subprocess

import pytest

import backtraces
import tail_calls

FLAGS = [("-O2",), ("-O3",), ("-Os",), ("-O2", "-gdwarf-4"), ("-O1",), ("-O2", "-fPIC"),
         ("-O2", "-m32"), ("-O2", "-fno-plt"), ("-O3", "-Wl,-z,now")]


def compare(tmp_path, compiler, flags, seed, library=False, count=5):
    for tool in (compiler, "gdb"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    try:
        runs = tail_calls.run_all(tmp_path, compiler, flags, seed, count, library,
                                  with_gdb=0 if library else 2)
    except subprocess.CalledProcessError as error:
        if "-m32" in flags:
            pytest.skip("no 32-bit libraries")
        raise AssertionError(error.stderr.decode()) from error
    for run in runs:
        assert not run.check() and not run.missing(), (run.entered, run.frames)
    return runs


@pytest.mark.parametrize("compiler", ("gcc", "clang"))
def test_tail_calls_are_those_that_were_made(compiler, tmp_path, inlinecall):
    runs = compare(tmp_path, compiler, ("-O2",), seed=3)
    assert sum(run.hidden for run in runs) >= 6


def test_calls_that_the_dynamic_linker_binds_are_not_believed(tmp_path, inlinecall):
    compare(tmp_path, "gcc", ("-O2",), seed=10, library=True)


@pytest.mark.skipif(os.uname().machine != "x86_64", reason="only there calls are followed")
def test_calls_that_stay_bound_are_believed(tmp_path, inlinecall):
    runs = compare(tmp_path, "gcc", ("-O2", "-Wl,-z,now"), seed=3, library=True)
    assert sum(run.hidden for run in runs) >= 6


@pytest.mark.long
@pytest.mark.parametrize("library", (False, True))
@pytest.mark.parametrize("compiler", ("gcc", "clang"))
@pytest.mark.parametrize("seed", range(20, 62))
def test_tail_calls_of_more_programs(seed, compiler, library, tmp_path, inlinecall):
    compare(tmp_path, compiler, FLAGS[seed % len(FLAGS)], seed, library)


MACHINES = [("aarch64-linux-gnu", "qemu-aarch64"), ("i686-linux-gnu", "qemu-i386"),
            ("s390x-linux-gnu", "qemu-s390x"), ("powerpc64le-linux-gnu", "qemu-ppc64le"),
            ("powerpc64-linux-gnu", "qemu-ppc64")]


@pytest.mark.parametrize("machine, qemu", [
    pytest.param(*pair, marks=[] if number < 2 else pytest.mark.long, id=pair[0].split("-")[0])
    for number, pair in enumerate(MACHINES)])
@pytest.mark.parametrize("version", ("-gdwarf-4", "-gdwarf-5"))
def test_tail_calls_of_other_machines(version, machine, qemu, tmp_path, inlinecall):
    for tool in (f"{machine}-gcc", qemu):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    program = tmp_path / "bare"
    made = subprocess.run([f"{machine}-gcc", "-g", version, "-O2", "-nostdlib", "-static",
                           "-fno-stack-protector", "-fasynchronous-unwind-tables",
                           backtraces.SOURCES / "bare_tail_calls.c", "-o", program],
                          capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(made.stderr.splitlines()[-1])
    subprocess.run([qemu, program], cwd=tmp_path, preexec_fn=backtraces.limit_core, check=False,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=60)
    cores = list(tmp_path.glob("qemu_*.core"))
    if not cores:
        pytest.skip(f"{qemu} left no core")
    rows, status, messages = backtraces.ours("-v", "--core", cores[0], program)
    frames = list(rows.values())[0]["frames"]
    assert [(frame["function"], frame["found"], frame["callee"]) for frame in frames] == [
        ("last", "given", None), ("third", "tail_call", None), ("within", "tail_call", "second"),
        ("first", "tail_call", None), ("_start", "call_frames", None)]
    assert [frame["inlined"] for frame in frames] == [False, False, True, False, False]
    # By the calls alone: 7 and 8 are not known to be what second() had.
    assert all(argument["value"] in (None, "9") for argument in frames[0]["arguments"])
    assert status == 0 and not messages
