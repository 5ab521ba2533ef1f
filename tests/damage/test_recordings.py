"""A recording of perf, or a profile of pprof or OpenTelemetry, that is damaged costs what is damaged, and a message
with status 2."""

import json
import os
import struct
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent / "cli"))

import building  # noqa: E402
import otel_messages
import pprof_messages
import recordings

PROGRAM = os.environ.get("INLINECALL", str(HERE.parents[1] / "build/cli/inlinecall"))
PID, START, COUNT, CODE = 70, 0x550000000000, 24, 0xffffffffc0001000


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """(bytes, where its records begin, what is said of it)"""
    folder = tmp_path_factory.mktemp("sound")
    building.command("gcc", "-g", "-O2", "-pie", "-fPIE", building.OURS / "busy.c", "-o", folder / "busy")
    text = building.instructions(folder / "busy")[0]
    records = [recordings.comm(PID, PID, "busy"), recordings.mapping(PID, START, 0x100000, 0, folder / "busy")]
    records += [recordings.kernel_code(CODE, 0x100, "bpf_prog_one"),
                recordings.sample(PID, PID, 9, 3, [CODE + 0x10, CODE + 0x20], recordings.KERNEL_MARK)]
    records += [recordings.sample(PID, PID, 10 + i, 100 + i, [START + text + 7 * i, START + text + 64])
                for i in range(COUNT)]
    data = recordings.recording(records)
    starts = [len(data) - sum(map(len, records[i:])) for i in range(len(records))]
    answer = ask(folder, data)
    assert answer[0] == 0 and not answer[2] and json.loads(answer[1].splitlines()[0])["self_samples"] == COUNT + 1
    assert b'"function":"bpf_prog_one"' in answer[1]
    return data, starts, answer


def ask(folder, data):
    (folder / "perf.data").write_bytes(data)
    result = subprocess.run([PROGRAM, "profile", "--json", "perf.data"], cwd=folder, capture_output=True, timeout=20,
                            check=False)
    return result.returncode, result.stdout, result.stderr


def check(folder, sound, damaged):
    """`damaged` is of (what was done, bytes)."""
    wrong = []
    for what, data in damaged:
        status, out, err = ask(folder, data)
        told = status == 2 and err.startswith(b"inlinecall: ")
        if not 0 <= status <= 2 or not (told or (status, out, err) == sound[2]):
            wrong.append((what, status, len(out.splitlines()), err[:120]))
    assert not wrong, "\n".join(map(str, wrong))


def changed(data, form, at, value):
    copy = bytearray(data)
    struct.pack_into(form, copy, at, value)
    return bytes(copy)


def test_a_recording_that_ends_early_is_said_to(sound, tmp_path):
    data, starts, _ = sound
    check(tmp_path, sound, [(size, data[:size]) for size in range(len(data)) if size % 8 == 0 or size in starts])


@pytest.mark.parametrize("size", [0, 1, 4, 7, 16, 0xfff8, 0xffff])
def test_a_record_of_another_size_is_said_to_be_wrong(sound, tmp_path, size):
    data, starts, _ = sound
    check(tmp_path, sound, [(start, changed(data, "<H", start + 6, size)) for start in starts])


@pytest.mark.parametrize("value", [0, 1, 0x7fffffffffffffff, 0xffffffffffffffff])
def test_a_header_that_makes_no_sense_is_said_to(sound, tmp_path, value):
    data, _, _ = sound
    fields = range(8, 104 - 32, 8)  # sizes and offsets; behind them are bits of what else there is
    check(tmp_path, sound, [(field, changed(data, "<Q", field, value)) for field in fields])


@pytest.mark.parametrize("count", [4, 1000, 1 << 61, (1 << 64) - 1])
def test_a_chain_that_is_longer_than_its_record_is_said_to_be(sound, tmp_path, count):
    data, starts, _ = sound
    check(tmp_path, sound, [(start, changed(data, "<Q", start + 8 + 40, count)) for start in starts[3:]])


@pytest.fixture(scope="module")
def sound_pprof(sound, tmp_path_factory):
    """(bytes, nothing, what is said of it): of addresses, of names without one, and of both."""
    folder = tmp_path_factory.mktemp("sound-pprof")
    building.command("gcc", "-g", "-O2", "-pie", "-fPIE", building.OURS / "busy.c", "-o", folder / "busy")
    text = building.instructions(folder / "busy")[0]
    profile = pprof_messages.Profile(("samples", "count"), ("cpu", "nanoseconds"))
    mapping = profile.mapping(str(folder / "busy"), START, START + 0x100000)
    named = [(profile.function(name, path="a.py", line=3), 7) for name in ("inner", "outer")]
    places = [profile.location(mapping, START + text + 7 * i) for i in range(8)]
    places += [profile.location(0, 0, named), profile.location(0, 0x1010, named)]
    for i in range(COUNT):
        profile.sample([places[i % len(places)], places[i // 3]], [1, 100 + i], [("tid", PID)])
    data = profile.bytes()
    answer = ask(folder, data)
    assert answer[0] == 0 and not answer[2]
    return data, None, answer


@pytest.fixture(scope="module")
def sound_otel(tmp_path_factory):
    """The same as OpenTelemetry has it."""
    folder = tmp_path_factory.mktemp("sound-otel")
    building.command("gcc", "-g", "-O2", "-pie", "-fPIE", building.OURS / "busy.c", "-o", folder / "busy")
    text = building.instructions(folder / "busy")[0]
    data = otel_messages.Data()
    data.resource(process_pid=PID, process_executable_path=str(folder / "busy"))
    mapping = data.mapping("busy", START, START + 0x100000)
    named = [(data.function(name, path="a.py", line=3), 7) for name in ("inner", "outer")]
    places = [data.location(mapping, START + text + 7 * i, kind="native") for i in range(4)]
    places += [data.location(0, 0, named), data.location(0, 0x1010, named, "jvm")]
    for kind, unit, at in ("samples", "count", [5, 6]), ("cpu", "nanoseconds", []):
        data.profile(kind, unit)
        for i in range(COUNT // 4):
            data.sample([places[i % len(places)], places[i]], () if at else [100 + i], at, {"thread.id": PID})
    answer = ask(folder, data.bytes())
    assert answer[0] == 0 and b"samples of cpu; see --event" in answer[2]
    return data.bytes(), None, answer


@pytest.mark.parametrize("form", ["sound_pprof", "sound_otel"])
def test_a_profile_that_ends_early_is_said_to(form, request, tmp_path):
    """Also between two messages: what others refer to is missing."""
    sound = request.getfixturevalue(form)
    check(tmp_path, sound, [(size, sound[0][:size]) for size in range(2, len(sound[0]))])


@pytest.mark.parametrize("form", ["sound_pprof", "sound_otel"])
def test_bytes_that_are_not_those_of_a_profile_do_no_harm(form, request, tmp_path):
    data = request.getfixturevalue(form)[0]
    for at in range(len(data)):
        for value in (0, 0x7f, 0xff):
            status, _, err = ask(tmp_path, changed(data, "B", at, value))
            assert 0 <= status <= 2 and (status < 2 or err.startswith(b"inlinecall: "))


def test_messages_of_other_lengths_are_said_to_be_wrong(sound_otel, tmp_path):
    data = otel_messages.framed(sound_otel[0])
    assert ask(tmp_path, data) == sound_otel[2]
    check(tmp_path, sound_otel, [(size, changed(data, ">I", 0, size)) for size in (
        *range(0, len(data) - 4, 9), len(data) - 5, len(data) - 3, 1 << 20, (1 << 27) - 1, 1 << 27, (1 << 32) - 1)])
