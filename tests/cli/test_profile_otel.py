"""Profiles of OpenTelemetry: what is read says what they say, with the functions that are found here."""

import gzip
import json
import struct
import sys

import pytest

import building
from test_profile_forms import PID, START, answer, by_name, recorded, samples  # noqa: F401  two are fixtures

sys.path.insert(0, str(building.HERE.parent / "damage"))
import otel_messages  # noqa: E402  beside the tests of damage, which need it too
from pprof_messages import Profile, message, number, numbers  # noqa: E402

BIN = "/nonexistent/bin/prog"


def made(samples, mapping, first, path=None, references=True, **build_id):  # noqa: F811
    """The samples in one mapping, whose first byte is at an address; each thread with a process of its own
    resource."""
    data = otel_messages.Data(references)
    of = data.mapping(*mapping, **build_id)
    for thread in sorted({tid for tid, *_ in samples}):
        known = {"process_executable_path": path} if path else {}
        data.resource(process_pid=PID, **known)
        data.profile("cpu-clock", "milliseconds")
        for tid, weight, chain in samples:
            if tid == thread:
                data.sample([data.location(of, first + address, kind="native") for address in chain], [weight],
                            attributes={"thread.id": tid, "thread.name": "busy" if tid == PID else "worker"})
    return data.bytes()


@pytest.mark.parametrize("kind", ["function", "call", "line", "source", "host", "file", "thread"])
def test_otel_has_the_samples_that_perf_has(run, busy, samples, recorded, tmp_path, kind):  # noqa: F811
    """Wherever it is mapped: in a process, or, as the profiler for eBPF has it, as its file numbers addresses."""
    expected = answer(run, recorded, "--json", f"--by={kind}")
    for start, offset, first in ((START, 0, START), (START + 0x1000, 0x1000, START), (0x1000, 0x1000, 0)):
        (tmp_path / "p").write_bytes(made(samples, (str(busy[0]), start, start + 0x100000, offset), first))
        assert answer(run, tmp_path / "p", "--json", f"--by={kind}") == expected


def test_programs_whose_addresses_are_no_offsets_are_found(run, samples, tmp_path):  # noqa: F811
    """The profiler for eBPF has both, and of paths only the name, but that of the program."""
    program = tmp_path / "busy"
    building.command("gcc", "-g", "-O2", "-no-pie", "-Wl,--build-id", building.OURS / "busy.c", "-o", program)
    headers = building.command("readelf", "-lW", program).splitlines()
    _, offset, address, *_ = next(line.split() for line in headers if line.split()[0:1] == ["LOAD"] and "R E" in line)
    build_id = building.command("readelf", "-n", program).split("Build ID: ")[1].split()[0]
    addresses = building.instructions(program)
    moved = [(tid, weight, [addresses[each % len(addresses)] for each in chain]) for tid, weight, chain in samples]
    start, offset = int(address, 16), int(offset, 16)
    assert start - offset >= 0x400000 <= addresses[0]
    found = []
    for name, path in ((str(program), None), ("busy", str(program))):
        (tmp_path / "p").write_bytes(made(moved, (name, start, start + 0x10000, offset), 0, path, gnu=build_id,
                                          htlhash="12" * 16))
        found.append(answer(run, tmp_path / "p", "--json"))
    assert found[0] == found[1] and '"self_inlined":0' in found[0]
    rows = {row["function"]: row for row in map(json.loads, found[0].splitlines()[1:])}
    assert any(row["total_inlined"] > 0 and row["decl_file"] for row in rows.values())
    (tmp_path / "p").write_bytes(made(moved, ("busy", start, start + 0x10000, offset), 0, str(program), gnu="ab" * 20))
    result = run("profile", tmp_path / "p")
    assert result.status == 2 and f"build ID is {build_id}, but the mapping has abab" in result.err


def test_names_without_a_directory_are_below_that_of_the_recording(run, busy, tmp_path):
    """Two programs of one name are not told from each other."""
    data = otel_messages.Data()
    of = data.mapping("busy", 0x1000, 0x9000, 0x1000)
    for folder in ("/one", "/two"):
        data.resource(process_executable_path=f"{folder}/busy")
    data.profile("samples", "count")
    data.sample([data.location(of, busy[1][5], kind="native")], [1])
    (tmp_path / "p").write_bytes(data.bytes())
    assert list(by_name(run, tmp_path / "p", f"--sysroot={busy[0].parent}")[1]) == ["main"]
    result = run("profile", f"--sysroot={tmp_path}", tmp_path / "p")
    assert result.status == 2 and "busy: cannot open" in result.err


@pytest.mark.parametrize("references", [True, False])
def test_all_containers_have_the_same(run, busy, samples, recorded, tmp_path, references):  # noqa: F811
    mapping = (str(busy[0]), START, START + 0x100000, 0)
    expected = answer(run, recorded, "--json", "--by=call")
    whole = made(samples, mapping, START, references=references)
    parts = otel_messages.framed(*(made(part, mapping, START, references=references)
                                   for part in (samples[:100], samples[100:101], samples[101:])))
    empty = otel_messages.framed(b"", otel_messages.Data().bytes())
    for data in (whole, otel_messages.framed(whole), parts, empty + parts + empty):
        for name, stored in (("p", data), ("p.gz", gzip.compress(data))):
            (tmp_path / name).write_bytes(stored)
            assert answer(run, tmp_path / name, "--json", "--by=call") == expected


def test_other_frames_than_machine_code_have_the_names_of_the_profile(run, tmp_path):
    """Whatever their addresses are: positions in Java's bytecode, offsets in a module."""
    data = otel_messages.Data()
    dotnet, kernel, module = data.mapping("app.dll"), data.mapping("vmlinux", gnu="12" * 20), data.mapping("xfs")
    read, write = (data.function(name) for name in ("vfs_read", "xfs_write"))
    java = [(data.function("a.B.c", path="B.java", line=3), 7)]
    data.profile("samples", "count")
    data.sample([data.location(kernel, 0x10, [(read, 0)], "kernel"), data.location(0, 0x10, java, "jvm")], at=[5, 6, 7])
    data.sample([data.location(module, 0x10, [(write, 0)], "kernel"),
                 data.location(dotnet, 0x10, [(data.function("D.e"), 0)], "dotnet"), data.location(0, 0, java, "cpython")],
                at=[8])
    data.sample([data.location(module, 0x10, (), "kernel")], at=[9])
    (tmp_path / "p").write_bytes(data.bytes())
    everything, rows, err = by_name(run, tmp_path / "p", status=2)
    assert err == (f"inlinecall: {tmp_path / 'p'}: 3 kernel locations have only the names in the recording: functions inlined there are unknown\n")
    assert (everything["event"], everything["unit"], everything["self"], everything["self_samples"]) == (None, None, 5, 5)
    assert {name: (row["self"], row["total"], row["file"]) for name, row in rows.items()} == {
        "vfs_read": (3, 3, "[kernel]"), "xfs_write": (1, 1, "[kernel]"), "a.B.c": (0, 4, "[unknown]"),
        "D.e": (0, 1, "app.dll"), None: (1, 1, "[kernel]")}
    assert rows["a.B.c"]["decl_file"] == "B.java" and rows["a.B.c"]["decl_line"] == 3


def test_names_of_the_profile_are_what_is_known_of_files_that_are_not_there(run, tmp_path):
    data = otel_messages.Data()
    of = data.mapping("prog", 0x1000, 0x9000, 0x1000)
    data.resource(process_executable_path=BIN)
    data.profile("samples", "count")
    inner, outer = (data.function(name) for name in ("main.inner", "main.outer"))
    data.sample([data.location(of, 0x1234, [(inner, 3), (outer, 4)], "go")], [2])
    (tmp_path / "p").write_bytes(data.bytes())
    everything, rows, err = by_name(run, tmp_path / "p", status=2)
    assert f"{BIN}: cannot open: No such file or directory; its functions are those in the recording" in err
    assert everything["self"] == 2 and rows["main.inner"]["self_inlined"] == 2 and rows["main.outer"]["total"] == 2


def test_profiles_of_one_type_are_one_event(run, tmp_path):
    data = otel_messages.Data()
    where = [data.location(0, 0, [(data.function("f"), 0)])]
    for i in range(2):
        data.resource(process_pid=i + 1)
        data.profile("samples", "count")
        data.sample(where, at=[5, 6])
        data.sample(where, [10])
        data.profile("off_cpu", "microseconds")
        data.sample(where, [3, 4], [5, 6])
    data.profile("", "")
    (tmp_path / "p").write_bytes(otel_messages.framed(data.bytes(), data.bytes()))
    everything, rows, err = by_name(run, tmp_path / "p")
    assert (everything["event"], everything["self"], rows["f"]["self_samples"]) == (None, 48, 48)
    assert err.count("also has") == 1 and "8 samples of off_cpu" in err
    everything, *_ = by_name(run, tmp_path / "p", "--event=off_cpu")
    assert (everything["unit"], everything["self"], everything["self_samples"]) == ("nanoseconds", 28000, 8)


def test_threads_are_those_of_samples_and_resources(run, tmp_path):
    data = otel_messages.Data()
    data.resource(process_pid=7, process_executable_name="server")
    data.profile("samples", "count")
    data.sample([], [1], attributes={"thread.id": 8, "thread.name": "worker"})
    data.sample([], [2], attributes={"thread.id": 9})
    data.sample([], [4], attributes={"thread.id": 9, "process.pid": 5, "process.executable.name": "other"})
    (tmp_path / "p").write_bytes(data.bytes())
    rows = [json.loads(line) for line in answer(run, tmp_path / "p", "--json", "--by=thread").splitlines()[1:]]
    assert {(row["thread"], row["pid"], row["tid"]): row["self"] for row in rows} == {
        ("worker", 7, 8): 1, ("server", 7, 9): 2, ("other", 5, 9): 4}


def test_what_a_profile_cannot_say_is_told(run, tmp_path):
    data = otel_messages.Data()
    data.profile("samples", "count")
    where = data.location(0, 0, [(data.function("f"), 0)])
    data.sample([where], [4, -3])
    data.sample([where, 99], [5])
    data.sample([where], [1, 1], [7])
    data.sample([where])
    (tmp_path / "p").write_bytes(data.bytes())
    everything, rows, err = by_name(run, tmp_path / "p", status=2)
    assert "1 values are negative" in err and "1 references to missing items" in err
    assert "2 samples have no values, or not one for each of their timestamps" in err
    assert everything["self"] == 11 and rows["f"]["self"] == 11 and rows[None]["total"] == 5


# ---- What is refused

def older(*samples):  # noqa: F811
    """With samples as older versions have them."""
    data = otel_messages.Data()
    data.profile("samples", "count")
    data.add(6, number(1, data.string("thread.id")), message(2, number(3, 7)))
    data.resources[-1][1][-1] += [message(2, *parts) for parts in samples]
    return data


def test_older_versions_are_refused(run, tmp_path):
    """Their samples have other fields, of the same numbers."""
    times = message(5, struct.pack("<Q", 5))
    of_1_9 = {"values and attributes": [numbers(2, [7]), numbers(3, [1])],
              "only values": [numbers(2, [1])],
              "times and attributes": [numbers(3, [1]), times],
              "many values": [numbers(2, [700]), times],
              "a link": [numbers(2, [1]), number(4, 1)]}
    of_1_7 = {"values": [number(1, 1), number(2, 3), numbers(3, [7])], "no first": [number(2, 3)]}
    found = {name: older(parts).bytes() for name, parts in (of_1_9 | of_1_7).items()}
    data = older([numbers(4, [1])])
    profile = data.resources[-1][1][-1]
    profile[0] = message(1, number(1, 1), number(3, 1))
    found["how values add up, until 1.8"] = data.bytes()
    profile[0] = message(1, number(1, 1)) * 2
    found["two types, until 1.7"] = data.bytes()
    profile[0] = message(1, number(1, 1)) + numbers(3, [1, 2])
    found["locations, until 1.7"] = data.bytes()
    profile[0] = message(1, number(1, 1))
    resources = data.bytes()[:-len(message(2, data.dictionary()))]
    found["no dictionary, until 1.5"] = resources
    found["tables, until 1.6"] = resources + message(2, number(1, 1)) + message(3, number(2, 1))
    found["several mappings, until 1.6"] = resources + message(2) * 2
    data.tables[7][0] = numbers(1, [1])
    found["no first stack that is nothing, until 1.7"] = data.bytes()
    for name, stored in found.items():
        for form in (stored, otel_messages.framed(stored)):
            (tmp_path / "p").write_bytes(form)
            result = run("profile", tmp_path / "p")
            assert (result.status, result.out) == (2, ""), name
            assert "not in version 1.10 or 1.11 of the OpenTelemetry protocol" in result.err, name
    sound = older([number(1, 0), numbers(4, [3])]).bytes()
    (tmp_path / "p").write_bytes(otel_messages.framed(sound, found["only values"], sound, b"\x0a"))
    everything, _, err = by_name(run, tmp_path / "p", status=2)
    assert everything["self"] == 6 and "a sample has no values" in err


def test_profiles_of_pprof_are_told_from_others(run, tmp_path):
    """Also without types, which come first, and with types that say nothing."""
    for types in ([("samples", "count")], [("", "")], [("", ""), ("cpu", "nanoseconds")]):
        pprof = Profile(*types)
        pprof.sample([pprof.location(0, 0, [(pprof.function("f"), 0)])], [3] * len(types))
        (tmp_path / "p").write_bytes(pprof.bytes())
        everything, rows, err = by_name(run, tmp_path / "p")
        assert (everything["self"], list(rows)) == (3, ["f"])
        (tmp_path / "p").write_bytes(pprof.bytes()[len(pprof.types):])
        assert "not a perf recording" in run("profile", tmp_path / "p").err
    data = otel_messages.Data()
    for _ in range(2):
        data.resources += [(b"", [])]
        data.profile("samples", "count")
        data.sample([data.location(0, 0, [(data.function("f"), 0)])], [3])
    (tmp_path / "p").write_bytes(message(1) + data.bytes())
    everything, rows, _ = by_name(run, tmp_path / "p")
    assert (everything["self"], list(rows)) == (6, ["f"])


def test_what_is_not_read_is_told(run, tmp_path):
    sound = older([numbers(4, [3])]).bytes()
    (tmp_path / "p").write_bytes(otel_messages.framed(sound) + struct.pack(">I", 4 << 20) + sound)
    everything, _, err = by_name(run, tmp_path / "p", status=2)
    assert everything["self"] == 3 and "unexpected end of data" in err
    (tmp_path / "p").write_bytes(otel_messages.framed(b"\x28\xb5\x2f\xfd" + sound))
    result = run("profile", tmp_path / "p")
    assert result.status == 2 and result.err.endswith(
        f"{tmp_path / 'p'}: individually compressed messages are not supported\n")
    (tmp_path / "p").write_text('{"resourceProfiles":[{"resource":{}}],"dictionary":{}}\n')
    result = run("profile", tmp_path / "p")
    assert result.status == 2 and result.err == (
        f"inlinecall: {tmp_path / 'p'}: OpenTelemetry profiles in JSON are not supported; let the Collector write "
        'them with "format: proto"\n')
