"""Profiles: samples at known addresses are added up as `addr` has the functions there, and real ones as
their program says."""

import collections
import csv
import gzip
import io
import json
import os
import random
import re
import shutil
import subprocess
import sys
import uuid
from pathlib import Path

import pytest

import building
from styles import find_tool

sys.path.insert(0, str(building.HERE.parent / "damage"))
import recordings  # noqa: E402  beside the tests of damage, which need it too

START, PID = 0x550000000000, 70


def frames_of(row):
    return [(frame["function"].split("(")[0] if frame["function"] else None, frame["file"], frame["line"],
             frame["inlined"]) for frame in row["frames"]] or [(None, None, 0, False)]


@pytest.fixture(scope="module")
def frames_at(run, busy):
    """{(address, is_caller): [(function, file, line, inlined), ...], the innermost first} by `addr`. What seems to
    return to the first byte of a function was interrupted there, unless a function is known to end before it."""
    path, addresses = busy
    everything = sorted({near for address in addresses for near in (address, address - 1)})
    out = run("addr", "--json", "-C", path, *map(hex, everything)).out
    found = {int(row["address"], 16): row for row in map(json.loads, out.splitlines())}
    answers = {}
    for address in addresses:
        own, before = found[address], found[address - 1]
        host = frames_of(before)[-1]
        is_known = host[0] and (host[1] or before["symbol_size"])
        is_entry = own["symbol_offset"] == 0 and not is_known
        answers[address, False] = frames_of(own)
        answers[address, True] = frames_of(own if is_entry else before)
    return answers


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, busy):
    """(perf.data, [(thread, weight, [address, ...]), ...]) of random stacks."""
    path, addresses = busy
    chosen = random.Random(1)
    samples = []
    for _ in range(3000):
        depth = chosen.randrange(1, 6)
        samples.append((PID + chosen.randrange(2), chosen.randrange(1, 1000),
                        chosen.choices(addresses[1:], k=depth)))
    records = [recordings.comm(PID, PID, "busy"), recordings.comm(PID, PID + 1, "worker"),
               recordings.mapping(PID, START, 0x100000, 0, path)]
    records += [recordings.sample(PID, tid, 10 + i, weight, [START + address for address in chain])
                for i, (tid, weight, chain) in enumerate(samples)]
    data = tmp_path_factory.mktemp("recorded") / "perf.data"
    data.write_bytes(recordings.recording(records))
    return data, samples


def stack_of(frames_at, chain):
    """[(function, file, line, inlined, host), ...] of all frames, the innermost first."""
    frames = []
    for i, address in enumerate(chain):
        here = frames_at[address, i > 0]
        frames += [(*frame, here[-1][0]) for frame in here]
    return frames


def rows(run, data, *options):
    result = run("profile", "--json", *options, data)
    assert result.status == 0
    assert all("stacks lack outer frames" in line or "no debug information for " in line
               for line in result.err.splitlines())
    everything, *others = map(json.loads, result.out.splitlines())
    assert everything["by"] == "all"
    return everything, others


@pytest.fixture(scope="module")
def by_hand(frames_at, recorded):
    """Sums by kind of group: {key: [self, total, total where it was inlined]}."""
    sums = collections.defaultdict(lambda: collections.defaultdict(lambda: [0, 0, 0]))
    for tid, weight, chain in recorded[1]:
        stack = stack_of(frames_at, chain)
        keys = {"function": [frame[0] for frame in stack],
                "line": [frame[1:3] for frame in stack],
                "source": [frame[1] for frame in stack],
                "host": [frame[0] for frame in stack if not frame[3]],
                "thread": [tid] * len(stack)}
        for kind, names in keys.items():
            sums[kind][names[0]][0] += weight
            for name in set(names):
                sums[kind][name][1] += weight
        for i, frame in enumerate(stack):
            if frame[0] not in [inner[0] for inner in stack[:i]]:
                sums["function"][frame[0]][2] += weight * frame[3]
    return sums


KEYS = {"function": lambda row: row["function"], "host": lambda row: row["function"],
        "line": lambda row: (row["source"], row["line"] or 0), "source": lambda row: row["source"],
        "thread": lambda row: row["tid"]}


@pytest.mark.parametrize("kind", KEYS)
def test_samples_are_added_up_as_by_hand(run, recorded, by_hand, kind):
    everything, found = rows(run, recorded[0], f"--by={kind}")
    assert everything["unit"] == "nanoseconds"
    assert everything["self"] == sum(weight for _, weight, _ in recorded[1])
    sums = {KEYS[kind](row): [row["self"], row["total"], row["total_inlined"]] for row in found}
    assert len(sums) == len(found)
    expected = {(key if kind != "line" else (key[0], key[1] or 0)): value
                for key, value in by_hand[kind].items()}
    assert {key: value[:2] for key, value in sums.items()} == {
        key: value[:2] for key, value in expected.items()}
    if kind == "function":
        assert sums == expected
        assert sum(value[2] for value in sums.values()) > 0


def test_what_is_inlined_is_in_its_hosts(run, recorded):
    for row in rows(run, recorded[0])[1]:
        assert sum(host["total"] for host in row["hosts"]) == row["total_inlined"]
        assert row["self_inlined"] <= row["self"] <= row["total"]


def test_callers_and_callees_are_those_of_the_innermost_call(run, recorded, frames_at):
    callers, callees = collections.Counter(), collections.Counter()
    for _, weight, chain in recorded[1]:
        names = [frame[0] for frame in stack_of(frames_at, chain)]
        if "twice" in names:
            i = names.index("twice")
            callers[names[i + 1] if i + 1 < len(names) else None] += weight
            callees[names[i - 1] if i > 0 else None] += weight
    assert len(callers) > 0 and len(callees) > 1
    for option, expected in (("--callers=twice", callers), ("--callees=twice", callees)):
        _, found = rows(run, recorded[0], option)
        totals = collections.Counter()
        for row in found:  # that nobody is known and that a function has no name are two
            totals[row["function"]] += row["total"]
        assert totals == expected
        assert found == sorted(found, key=lambda row: -row["total"])


def test_calls_are_told_apart_by_their_lines(run, recorded, frames_at):
    calls = collections.Counter()
    for _, weight, chain in recorded[1]:
        stack = stack_of(frames_at, chain)
        for call in {(inner[0], *outer[:3]) for inner, outer in zip(stack, stack[1:])}:
            calls[call] += weight
    _, found = rows(run, recorded[0], "--by=call")
    sums = {(row["function"], row["caller"], row["call_file"], row["call_line"] or 0): row["total"]
            for row in found if row["caller"]}
    assert sums == {call: total for call, total in calls.items() if call[1]}


def test_folded_stacks_have_every_sample(run, recorded, frames_at, busy):
    expected = collections.Counter()
    for tid, weight, chain in recorded[1]:
        frames = [f"{frame[0]}_[i]" if frame[3] else frame[0] or f"?? in {busy[0]}"
                  for frame in stack_of(frames_at, chain)]
        expected[";".join(["busy" if tid == PID else "worker", *reversed(frames)])] += weight
    lines = run("profile", "--folded", recorded[0]).out.splitlines()
    found = {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in lines}
    assert found == expected


# ---- Forms of others

def varint(message, at):
    value = shift = 0
    while True:
        byte = message[at]
        value |= (byte & 0x7F) << shift
        shift, at = shift + 7, at + 1
        if byte < 0x80:
            return value, at


def numbers(packed):
    found, at = [], 0
    while at < len(packed):
        number, at = varint(packed, at)
        found.append(number)
    return found


def fields(message):
    """[(field, value), ...] of a message of Protocol Buffers: numbers, and bytes."""
    found, at = [], 0
    while at < len(message):
        key, at = varint(message, at)
        value, at = varint(message, at)
        if key & 7 == 2:
            value, at = message[at:at + value], at + value
        else:
            assert key & 7 == 0
        found.append((key >> 3, value))
    return found


class Pprof:
    """A profile of pprof."""

    def __init__(self, path):
        message = fields(gzip.decompress(path.read_bytes()))
        self.strings = [value.decode() for field, value in message if field == 6]
        assert self.strings[0] == ""
        self.samples = [self.group(value) for field, value in message if field == 2]
        self.mappings, self.locations, self.functions = (
            {dict(fields(value))[1]: self.group(value) for field, value in message if field == number}
            for number in (3, 4, 5))
        self.types = [tuple(self.strings[number] for _, number in fields(value))
                      for field, value in message if field == 1]

    @staticmethod
    def group(message):
        groups = collections.defaultdict(list)
        for field, value in fields(message):
            groups[field].append(value)
        return groups

    def lines(self, location):
        """[(function, source, line), ...] of a location, the innermost first."""
        for line in map(dict, map(fields, self.locations[location][4])):
            function = self.functions[line[1]]
            yield (self.strings[function[2][0]], self.strings[function.get(4, [0])[0]], line.get(2, 0))

    def stacks(self):
        """[(labels, [location, ...], samples, weight), ...]"""
        for sample in self.samples:
            labels = {}
            for label in map(dict, map(fields, sample[3])):
                labels[self.strings[label[1]]] = self.strings[label[2]] if 2 in label else label[3]
            yield labels, numbers(sample[1][0]), *numbers(sample[2][0])


def test_pprof_has_every_sample_with_its_inlined_functions(run, recorded, frames_at, busy, tmp_path):
    expected = collections.Counter()
    for tid, weight, chain in recorded[1]:
        stack = [(name, source or "", line or 0)
                 for name, source, line, *_ in stack_of(frames_at, chain) if name]
        expected[tid, tuple(stack)] += weight
    result = run("profile", f"--pprof={tmp_path / 'p.pb.gz'}", recorded[0])
    assert (result.status, result.out) == (0, "")
    profile = Pprof(tmp_path / "p.pb.gz")
    assert profile.types == [("samples", "count"), ("cpu-clock", "nanoseconds")]
    found, samples = collections.Counter(), 0
    for labels, locations, count, weight in profile.stacks():
        assert labels["pid"] == PID and labels["thread"] == ("busy" if labels["tid"] == PID else "worker")
        stack = [line for location in locations for line in profile.lines(location)]
        found[labels["tid"], tuple(stack)] += weight
        samples += count
    assert found == expected and samples == len(recorded[1])
    (mapping,) = profile.mappings.values()
    assert profile.strings[mapping[5][0]] == str(busy[0]) and mapping[2] == [START]
    assert all(mapping[flag] == [1] for flag in (7, 8, 9, 10))
    addresses = {location[3][0] - START for location in profile.locations.values()}
    called = {address for _, _, chain in recorded[1] for address in chain[1:]}
    interrupted = {address for address in called if frames_at[address, True] == frames_at[address, False] and
                   address - 1 not in addresses}
    assert addresses == {chain[0] for *_, chain in recorded[1]} | interrupted | {
        address - 1 for address in called - interrupted}
    assert 0 < len(interrupted) < len(called) / 10


def test_go_says_the_same_of_what_is_written_for_pprof(run, recorded, tmp_path):
    if not shutil.which("go"):
        pytest.skip("no go")
    run("profile", f"--pprof={tmp_path / 'p.pb.gz'}", recorded[0])
    table = building.command("go", "tool", "pprof", "-top", "-unit=ns", "-nodecount=10000", "-nodefraction=0",
                             "-edgefraction=0", tmp_path / "p.pb.gz")
    found = {}
    for line in table[table.index("flat%"):].splitlines()[1:]:
        flat, _, _, total, _, name = line.split(None, 5)
        found[name.removesuffix(" (inline)")] = (float(flat.removesuffix("ns")), float(total.removesuffix("ns")))
    names = {row["function"]: (row["self"], row["total"]) for row in rows(run, recorded[0])[1] if row["function"]}
    assert {name: sums for name, sums in found.items() if name in names} == names


def test_speedscope_has_every_sample(run, recorded, frames_at):
    expected = collections.Counter()
    for tid, weight, chain in recorded[1]:
        names = [frame[0] or "??" for frame in stack_of(frames_at, chain)]
        expected["busy" if tid == PID else "worker", *reversed(names)] += weight
    written = json.loads(run("profile", "--speedscope=-", recorded[0]).out)
    (profile,) = written["profiles"]
    frames = written["shared"]["frames"]
    assert (profile["type"], profile["unit"], profile["startValue"]) == ("evented", "nanoseconds", 0)
    found, stack, last = collections.Counter(), [], 0
    for event in profile["events"]:
        found[tuple(frames[number]["name"] for number in stack)] += event["at"] - last
        last = event["at"]
        if event["type"] == "O":
            stack.append(event["frame"])
        else:
            assert stack.pop() == event["frame"]
    assert not stack and last == profile["endValue"]
    assert +found == expected
    assert len({(frame["name"], frame.get("file"), frame.get("line")) for frame in frames}) == len(frames)


def firefox_stacks(thread, strings):
    """[(names from the outermost on, (depth of inlining, symbol, line) of the innermost, weight), ...]"""
    frames, functions = thread["frameTable"], thread["funcTable"]
    for table in (frames, functions, *(thread[name] for name in ("stackTable", "resourceTable", "nativeSymbols"))):
        assert {len(column) for column in table.values() if isinstance(column, list)} <= {table["length"]}
    samples = thread["samples"]
    assert len(samples["stack"]) == len(samples["weight"]) == len(samples["time"]) == samples["length"]
    for stack, weight in zip(samples["stack"], samples["weight"]):
        names, innermost = [], thread["stackTable"]["frame"][stack]
        while stack is not None:
            names.append(strings[functions["name"][frames["func"][thread["stackTable"]["frame"][stack]]]])
            assert thread["stackTable"]["prefix"][stack] is None or thread["stackTable"]["prefix"][stack] < stack
            stack = thread["stackTable"]["prefix"][stack]
        symbol = frames["nativeSymbol"][innermost]
        yield tuple(reversed(names)), (
            frames["inlineDepth"][innermost], frames["category"][innermost], frames["line"][innermost],
            None if symbol is None else strings[thread["nativeSymbols"]["name"][symbol]]), weight


def test_the_firefox_profiler_has_every_sample_with_its_inlined_functions(run, recorded, frames_at, busy):
    expected = collections.Counter()
    for tid, weight, chain in recorded[1]:
        stack = stack_of(frames_at, chain)
        name, _, line, inlined, host = stack[0]
        depth = len([frame for frame in frames_at[chain[0], False]]) - 1
        expected[tid, tuple(frame[0] or f"?? in {busy[0]}" for frame in reversed(stack)),
                 (depth, 2 if inlined else 1, line or None, host)] += weight
        assert (depth > 0) == inlined and (name or not inlined)
    written = json.loads(run("profile", "--firefox=-", recorded[0]).out)
    strings = written["shared"]["stringArray"]
    assert len(set(strings)) == len(strings) and written["meta"]["preprocessedProfileVersion"] == 57
    assert [category["name"] for category in written["meta"]["categories"]][2] == "Inlined"
    found = collections.Counter()
    for thread in written["threads"]:
        assert (thread["name"], thread["pid"]) == ("busy" if thread["tid"] == PID else "worker", str(PID))
        assert thread["samples"]["weightType"] == "tracing-ms"
        for names, innermost, weight in firefox_stacks(thread, strings):
            found[thread["tid"], names, innermost] += round(weight * 1000000)
    assert found == expected
    (library,) = written["libs"]
    assert (library["path"], library["codeId"], library["breakpadId"]) == (str(busy[0]), None, "")


@pytest.mark.parametrize("has_times", [True, False])
def test_the_firefox_profiler_has_the_times_of_samples(run, busy, tmp_path, has_times):
    times = {PID: [5000000, 7000000, 7500000], PID + 1: [4000000, 9000001]}
    data = tmp_path / "perf.data"
    chosen = [(time if has_times else 0, tid) for tid, ticks in times.items() for time in ticks]
    data.write_bytes(recordings.recording([
        recordings.mapping(PID, START, 0x100000, 0, busy[0]),
        *[recordings.sample(PID, tid, time, 250000, [START + busy[1][20]]) for time, tid in chosen]]))
    written = json.loads(run("profile", "--firefox=-", data).out)
    found = {thread["tid"]: (thread["samples"]["time"], thread["samples"]["weight"]) for thread in written["threads"]}
    if has_times:  # in milliseconds since the first
        assert found == {PID: ([1, 3, 3.5], [0.25] * 3), PID + 1: ([0, 5.000001], [0.25] * 2)}
    else:
        assert found == {PID: ([0], [0.75]), PID + 1: ([0], [0.5])}
    assert written["meta"]["interval"] == 0.25


def test_a_first_time_of_0_is_one(run, tmp_path):
    (tmp_path / "text").write_text("".join(f"a 7 {time}: 250000 cpu-clock: \n\t401136 f+0x6 (/nowhere)\n\n"
                                           for time in ("0.000000", "0.250000")))
    (thread,) = json.loads(run("profile", "--firefox=-", tmp_path / "text").out)["threads"]
    assert thread["samples"]["time"] == [0, 250]


def test_files_have_the_ids_that_symbol_servers_of_mozilla_know(run, busy, tmp_path):
    build_id = bytes.fromhex(re.search(r"Build ID: (\w+)", building.command("readelf", "-n", busy[0]))[1])
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([recordings.mapping(PID, START, 0x100000, 0, busy[0], build_id),
                                           recordings.sample(PID, PID, 1, 5, [START + busy[1][20]])]))
    (library,) = json.loads(run("profile", "--firefox=-", data).out)["libs"]
    assert library["codeId"] == build_id.hex()
    assert library["breakpadId"] == uuid.UUID(bytes_le=build_id[:16]).hex.upper() + "0"


def test_names_that_are_no_text_are_written_as_text(run, tmp_path):
    name = b"a;\"</script>\xff\n\\"
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([recordings.comm(PID, PID, name),
                                           recordings.sample(PID, PID, 1, 5, [START])]))
    assert run("profile", f"--pprof={tmp_path / 'p'}", f"--speedscope={tmp_path / 's'}",
               f"--firefox={tmp_path / 'f'}", "--folded", data).status == 0
    assert json.loads((tmp_path / "f").read_text())["threads"][0]["name"] == 'a;"</script>\ufffd\n\\'
    assert [labels["thread"] for labels, *_ in Pprof(tmp_path / "p").stacks()] == ['a;"</script>?\n\\']
    frames = json.loads((tmp_path / "s").read_text())["shared"]["frames"]
    assert frames[0]["name"] == 'a;"</script>\ufffd\n\\'


def test_forms_are_written_each_to_its_own_file(run, recorded, tmp_path):
    path = tmp_path / "out"
    for options in ([f"--pprof={path}", f"--speedscope={path}"], ["--folded", "--pprof=-"],
                    [f"--pprof={path}", "--json"], [f"--pprof={path}", "--limit=3"],
                    [f"--pprof={recorded[0]}"], [f"--pprof={path}", f"--pprof={path}2"]):
        result = run("profile", *options, recorded[0])
        assert (result.status, result.out) == (64, "") and not path.exists()
    result = run("profile", f"--pprof={tmp_path / 'none' / 'out'}", recorded[0])
    assert result.status == 2 and "cannot write" in result.err
    result = run("profile", f"--pprof={path}", "--speedscope=-", recorded[0])
    assert result.status == 0 and json.loads(result.out) and Pprof(path).samples


# ---- Tables

def test_csv_has_the_same_rows(run, recorded):
    everything, found = rows(run, recorded[0])
    table = list(csv.DictReader(io.StringIO(run("profile", "--csv", recorded[0]).out)))
    assert len(table) == len(found) + 1
    for row, line in zip([everything, *found], table):
        assert {key: "" if value is None else str(value) for key, value in row.items()
                if key != "hosts"} == line


def test_text_has_shares_and_only_the_first_lines(run, recorded):
    everything, found = rows(run, recorded[0])
    result = run("profile", "-s", "--limit=3", recorded[0])
    first, heading, *lines, rest = result.out.splitlines()
    assert rest == f"... {len(found) - 3} more (--limit=all)"
    assert first.startswith("3000 samples of cpu-clock, 0.001 s")
    assert heading.split("\t")[0] == "   SELF" and len(lines) == 3
    for row, line in zip(found, lines):
        fields = line.split("\t")
        assert abs(float(fields[0].strip("%")) - 100 * row["self"] / everything["whole"]) <= 0.05001
        assert fields[3] == f"{row['function']}()"
    few = run("profile", "--min-percent=20", "--limit=all", recorded[0]).out.splitlines()[2:]
    assert len(few) == sum(row["total"] >= everything["whole"] * 0.2 for row in found) < len(found)


def test_what_is_not_there_is_said(run, recorded, tmp_path):
    result = run("profile", "--callers=nobody", recorded[0])
    assert (result.status, result.out) == (1, "") and "nobody" in result.err
    result = run("profile", "--event=cycles", recorded[0])
    assert (result.status, result.out) == (64, "") and "cycles" in result.err
    result = run("profile", cwd=tmp_path)
    assert (result.status, result.out) == (2, "") and "perf.data" in result.err
    result = run("profile", building.OURS / "busy.c")
    assert (result.status, result.out) == (2, "") and "not a perf recording" in result.err
    for options in (["--by=function", "--callers=f"], ["--by=weather"], ["--min-percent=101"],
                    ["--folded", "--json"], ["a", "b"]):
        assert run("profile", *options).status == 64


def test_the_example_prints_the_first_functions(program, run, recorded):
    example = Path(program).resolve().parents[1] / "examples/profile"
    if not example.exists():  # the program is an installed one
        pytest.skip("no examples")
    lines = building.command(example, recorded[0]).splitlines()
    assert lines == [f"{row['self']}\t{row['total_inlined']}\t{row['function'] or '??'}"
                     for row in rows(run, recorded[0])[1][:10]]


def test_a_file_that_is_gone_or_another_is_said(run, tmp_path, busy):
    path = tmp_path / "gone"
    shutil.copy(busy[0], path)
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([
        recordings.mapping(PID, START, 0x100000, 0, path),
        recordings.sample(PID, PID, 1, 1, [START + busy[1][20]])]))
    assert run("profile", data).status == 0
    path.unlink()
    result = run("profile", data)
    assert result.status == 2 and f"{path}" in result.err
    assert "??() in" in result.out
    (tmp_path / "root" / tmp_path.relative_to("/")).mkdir(parents=True)
    shutil.copy(busy[0], tmp_path / "root" / path.relative_to("/"))
    assert run("profile", f"--sysroot={tmp_path / 'root'}", data).status == 0


def test_a_file_that_was_replaced_is_found_in_what_perf_has_kept(run, tmp_path):
    program, home = tmp_path / "busy", tmp_path / "home"
    home.mkdir()
    building.command("gcc", "-g", "-O2", "-Wl,--build-id", building.OURS / "busy.c", "-o", program)
    building.need("perf")
    building.command("env", f"HOME={home}", "perf", "record", "-q", "-e", "cpu-clock:u", "-F", "499", "-o",
                     tmp_path / "perf.data", program)
    expected = run("profile", "--folded", tmp_path / "perf.data", HOME=str(tmp_path))
    assert expected.status == 0 and "_[i] " in expected.out
    building.command("gcc", "-O2", "-Wl,--build-id", building.OURS / "asks_time.c", "-o", program)
    for change in lambda: None, program.unlink:
        change()
        assert run("profile", "--folded", tmp_path / "perf.data", HOME=str(home)) == expected
        result = run("profile", "--folded", tmp_path / "perf.data", HOME=str(tmp_path))
        assert result.status == 2 and str(program) in result.err
        assert run("profile", "--folded", f"--debug-dir={home / '.debug'}", tmp_path / "perf.data",
                   HOME=str(tmp_path)) == expected


def test_there_may_be_as_many_debug_directories_as_options_take(run, tmp_path):
    dirs = [f"--debug-dir={tmp_path / str(i)}" for i in range(32)]
    data, home = tmp_path / "perf.data", tmp_path / "home"
    program, build_id = tmp_path / "busy", None
    building.command("gcc", "-g", "-O2", "-Wl,--build-id", building.OURS / "busy.c", "-o", program)
    build_id = re.search(r"Build ID: (\w+)", building.command("readelf", "-n", program))[1]
    address = building.instructions(program)[20]
    data.write_bytes(recordings.recording([
        recordings.mapping(PID, START, 0x100000, 0, program, bytes.fromhex(build_id)),
        recordings.sample(PID, PID, 1, 1, [START + address])]))
    expected = run("profile", "--folded", data)
    place = home / ".debug/.build-id" / build_id[:2] / build_id[2:]
    place.mkdir(parents=True)
    program.rename(place / "elf")
    assert run("profile", "--folded", *dirs, data, HOME=str(home)) == expected
    assert run("profile", "--folded", *dirs, "--debug-dir=/more", data).status == 64


def test_what_perf_has_kept_of_debug_files_is_used(run, tmp_path):
    program, home = tmp_path / "busy", tmp_path / "home"
    building.command("gcc", "-g", "-O2", "-Wl,--build-id", building.OURS / "busy.c", "-o", program)
    build_id = re.search(r"Build ID: (\w+)", building.command("readelf", "-n", program))[1]
    place = home / ".debug/.build-id" / build_id[:2] / build_id[2:]
    place.mkdir(parents=True)
    addresses = building.instructions(program)
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([
        recordings.mapping(PID, START, 0x100000, 0, program, bytes.fromhex(build_id)),
        *[recordings.sample(PID, PID, 1, 1, [START + addr]) for addr in addresses]]))
    expected = run("profile", "--folded", data, HOME=str(tmp_path))
    assert "_[i] " in expected.out
    building.command("objcopy", "--only-keep-debug", program, place / "debug")
    building.command("strip", program)
    assert "_[i] " not in run("profile", "--folded", data, HOME=str(tmp_path)).out
    assert run("profile", "--folded", data, HOME=str(home)) == expected
    building.command("mv", program, place / "elf")
    assert run("profile", "--folded", data, HOME=str(home)) == expected


def test_code_of_compilers_has_the_names_that_they_write_down(run, tmp_path):
    """Below the root of another machine, so that the files are ours."""
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([
        recordings.comm(PID, PID, "vm"), recordings.mapping(PID, START, 0x1000, 0, "//anon"),
        recordings.sample(PID, PID, 1, 5, [START + 0x10, START + 0x100]),
        recordings.sample(PID, PID, 2, 3, [START + 0x200])]))
    (tmp_path / "tmp").mkdir()
    listed = tmp_path / "tmp" / f"perf-{PID}.map"
    listed.write_text(f"{START:x} 20 outer->middle->inner\n{START + 0xf0:x} 100 caller\n")
    everything, found = rows(run, data, f"--sysroot={tmp_path}")
    sums = {row["function"]: (row["self"], row["total"], row["total_inlined"]) for row in found}
    assert sums == {"inner": (5, 5, 5), "middle": (0, 5, 5), "outer": (0, 5, 0), "caller": (0, 5, 0), None: (3, 3, 0)}
    assert everything["unknown"] == 3
    folded = run("profile", "--folded", f"--sysroot={tmp_path}", data)
    assert folded.out == "vm;?? in //anon 3\nvm;caller;outer;middle_[i];inner_[i] 5\n"
    if os.geteuid() == 0:
        os.chown(listed, 12345, 12345)
        result = run("profile", f"--sysroot={tmp_path}", data)
        assert result.status == 2 and "owned by neither the current user nor root" in result.err
        os.chown(listed, 0, 0)
    listed.write_text(listed.read_text() + "no line of a list\n")
    result = run("profile", f"--sysroot={tmp_path}", data)
    assert result.status == 2 and "1 of its lines or records are invalid" in result.err
    assert run("profile", data).status == 0


def test_node_is_known_by_its_lists_and_dumps(run, tmp_path):
    """By names: node 18 writes freed memory into its dumps in place of some paths."""
    building.need("node")
    (tmp_path / "spin.js").write_text(
        "function hot(n) { let s = 0; for (let i = 0; i < n; i++) s = (s * 31 + i) | 0; return s; }\n"
        "let t = 0; for (let i = 0; i < 10000; i++) t ^= hot(100000);\n")  # ten times what node itself takes
    for option in ("--perf-basic-prof", "--perf-prof"):
        result = subprocess.run([find_tool("perf"), "record", "-q", "-k", "mono", "-g", "-e", "cpu-clock:u", "-o",
                                 "perf.data", "node", option, "spin.js"], cwd=tmp_path, capture_output=True,
                                check=False)
        if result.returncode:
            pytest.skip(f"perf may not record here: {result.stderr[:200]}")
        everything, found = rows(run, tmp_path / "perf.data")
        hot = sum(row["self"] for row in found if re.match(r"JS:.hot ", row["function"] or ""))
        assert hot > 0.5 * everything["whole"]
    for path in Path("/tmp").glob("perf-*.map"):
        if str(tmp_path) in path.read_text(errors="replace"):
            path.unlink()


def record(folder, program, *options, output="perf.data"):
    """Records a program of ours with perf."""
    building.command("gcc", "-g", "-O2", "-fno-omit-frame-pointer", building.OURS / program, "-o",
                     folder / "program")
    with open(folder / "out", "wb") as out:
        result = subprocess.run([find_tool("perf"), "record", "-q", *options, "-o", output, "./program"],
                                cwd=folder, stdout=out, stderr=subprocess.PIPE, check=False)
    if output == "-":
        (folder / "perf.data").write_bytes((folder / "out").read_bytes())
    if result.returncode or not (folder / "perf.data").exists():
        pytest.skip(f"perf may not record here: {result.stderr[:200]}")


@pytest.mark.parametrize("chains", ["fp", "dwarf", "fp,pipe", "fp,packed"])
def test_a_real_recording_has_the_shares_that_its_program_measures(run, tmp_path, chains):
    record(tmp_path, "shares.c", "-e", "cpu-clock:u", "-F", "997", "--call-graph", chains.split(",")[0],
           *(["-z"] if "packed" in chains else []), output="-" if "pipe" in chains else "perf.data")
    shares = collections.Counter()
    everything, found = rows(run, tmp_path / "perf.data")
    for row in found:
        shares[row["function"]] = row["self"] / everything["whole"]
    assert everything["self_samples"] > 500
    for name, expected in (("most", 0.5), ("some", 0.3), ("rest", 0.2)):
        assert abs(shares[name] - expected) < 0.07, shares
    inlined = {row["function"]: row["total_inlined"] == row["total"] for row in found}
    assert inlined["most"] and inlined["some"] and not inlined["rest"]


def test_text_of_perf_has_the_same_stacks(run, tmp_path):
    record(tmp_path, "shares.c", "-e", "cpu-clock:u", "-F", "997", "-g")
    text = building.command(find_tool("perf"), "script", "--no-inline", "-i", tmp_path / "perf.data")
    filtered = run("addr", "--filter=perf", tmp_path / "program", stdin=text)
    assert filtered.status == 0 and " (inlined)\n" in filtered.out
    assert "".join(line for line in filtered.out.splitlines(True) if "(inlined)" not in line) == text
    found, stack, period = collections.Counter(), [], 0
    for line in [*filtered.out.splitlines(), ""]:  # as stackcollapse-perf.pl reads it
        if sample := re.match(r"\S.* (\d+) cpu-clock:u: *$", line):
            period = int(sample[1])
        elif frame := re.match(r"\s+[0-9a-f]+ (.+?)(\.\w+\.\d+)?(\+0x[0-9a-f]+)? \((.*)\)$", line):
            stack.append(frame[1] + ("_[i]" if frame[4] == "inlined" else ""))
        elif not line and stack:
            found[";".join(["program", *reversed(stack)])] += period
            stack = []
    folded = run("profile", "--folded", tmp_path / "perf.data").out.splitlines()
    expected = {line.rpartition(" ")[0]: int(line.rpartition(" ")[2]) for line in folded}
    # Of what libraries do, perf may have another name for the same address.
    functions = {row["function"] for row in rows(run, tmp_path / "perf.data")[1]
                 if (row["decl_file"] or "").endswith("shares.c")}
    ours = [stack for stack in expected if stack.rpartition(";")[2].removesuffix("_[i]") in functions]
    assert sum(expected[stack] for stack in ours) > 0.9 * sum(expected.values())
    assert {stack: found[stack] for stack in ours} == {stack: expected[stack] for stack in ours}


def test_rows_of_equal_weight_do_not_depend_on_what_came_first(run, tmp_path):
    """Two functions of a name in two files, each in one sample: without the files, by their paths."""
    samples = [f"program 1 1.000000: 1 cycles:u:\n\t {address} same+0x4 ({tmp_path}/{name}.so)\n\n"
               for address, name in (("1004", "a"), ("2004", "b"))]
    shown = [run("profile", "--json", "-", stdin="".join(texts)).out
             for texts in (samples, samples[::-1])]
    files = [json.loads(line)["file"] for line in shown[0].splitlines()[1:]]
    assert files == [f"{tmp_path}/a.so", f"{tmp_path}/b.so"]
    assert shown[0] == shown[1]


def test_code_that_the_kernel_maps_into_programs_is_known(run, tmp_path):
    record(tmp_path, "asks_time.c", "-e", "cpu-clock:u", "-F", "997", "-g")
    everything, found = rows(run, tmp_path / "perf.data")
    asked = {row["function"]: row["self"] for row in found if row["file"] == "[vdso]"}
    assert "__vdso_clock_gettime" in asked and sum(asked.values()) > 0.2 * everything["whole"]
    written = tmp_path / "p.pb.gz"
    assert run("profile", f"--pprof={written}", "--folded", tmp_path / "perf.data").status == 0
    assert rows(run, written) == (everything, found)


def test_a_kernel_of_another_machine_is_found_by_its_release(run, tmp_path):
    source, vmlinux = tmp_path / "a.c", tmp_path / "root/boot/vmlinux-6.1.0-other"
    source.write_text("__asm__(\".globl _text\\n_text:\");\n"
                      "static inline __attribute__((always_inline)) void pause_there(void) { __asm__(\"pause\"); }\n"
                      "void idle(void) { for (;;) pause_there(); }\n")
    vmlinux.parent.mkdir(parents=True)
    text, moved = 0xffffffff81000000, 0x12000000
    building.command("gcc", "-g", "-O2", "-fno-pic", "-mcmodel=kernel", "-nostdlib", "-static", "-Wl,--build-id=none",
                     f"-Wl,-Ttext={text:#x},-e,idle", source, "-o", vmlinux)
    (address,) = [int(line.split()[0], 16) for line in building.command("nm", vmlinux).splitlines()
                  if line.endswith(" idle")]
    data = tmp_path / "perf.data"

    def record_kernel(release, named):
        data.write_bytes(recordings.recording([
            *([recordings.kernel_mapping(text + moved, 0x1000, text + moved, "[kernel.kallsyms]_text")] if named else []),
            recordings.kernel_mapping(0xffffffffc0100000, 0x1000, 0, "[other]"),
            recordings.sample(PID, PID, 1, 5, [address + moved], recordings.KERNEL_MARK),
            recordings.sample(PID, PID, 2, 5, [0xffffffffc0100010], recordings.KERNEL_MARK)], release))

    record_kernel("6.1.0-other", True)
    result = run("profile", "--folded", f"--sysroot={tmp_path / 'root'}", data)
    assert result.status == 2 and "??;idle_[k];pause_there_[i] 5\n" in result.out
    assert result.err == "inlinecall: [kernel]: module other: no file found\n"
    result = run("profile", "--folded", data)
    assert result.status == 2 and "idle" not in result.out
    assert "[kernel]: kernel 6.1.0-other: no file found\n" in result.err
    text_of_perf = tmp_path / "text"
    text_of_perf.write_text(
        "# os release : 6.1.0-other\n"
        f"swapper 0 0.000000: PERF_RECORD_MMAP -1/0: [{text + moved:#x}(0x1000) @ {text + moved:#x}]: x [kernel.kallsyms]_text\n"
        "swapper 0 0.000000: PERF_RECORD_MMAP -1/0: [0xffffffffc0100000(0x1000) @ 0]: x [other]\n"
        f"a 7 0.000001: 5 cpu-clock: \n\t{address + moved:x} idle+0x0 ([kernel.kallsyms])\n\n"
        "a 7 0.000002: 5 cpu-clock: \n\tffffffffc0100010 [unknown] ([other])\n\n")
    result = run("profile", "--folded", f"--sysroot={tmp_path / 'root'}", text_of_perf)
    assert result.status == 2 and "a;idle_[k];pause_there_[i] 5\n" in result.out
    assert result.err == "inlinecall: [kernel]: module other: no file found\n"
    building.command("strip", vmlinux)
    result = run("profile", "--folded", f"--sysroot={tmp_path / 'root'}", data)
    assert result.status == 2 and f"{vmlinux}: load address is unknown\n" in result.err
    record_kernel("6.1.0-other", False)
    assert "its load address is unknown" in run("profile", f"--sysroot={tmp_path / 'root'}", data).err
    record_kernel("", True)
    assert "the release of the kernel is unknown" in run("profile", f"--sysroot={tmp_path / 'root'}", data).err


def test_code_that_may_be_of_another_kernel_is_not_known(run, tmp_path):
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([recordings.mapping(PID, START, 0x1000, 0, "[vdso]"),
                                           recordings.sample(PID, PID, 1, 5, [START + 0x10])]))
    result = run("profile", data)
    assert result.status == 0 and "; 100.0% in unknown functions" in result.out
    assert "??() in [vdso]" in result.out


@pytest.mark.parametrize("more", [False, True])
def test_the_last_place_of_a_file_may_have_been_interrupted(run, busy, frames_at, tmp_path, more):
    path, addresses = busy
    (entry,) = [int(line.split()[0], 16) for line in building.command("nm", path).splitlines()
                if line.endswith(" work")]
    assert frames_at[entry, True] == frames_at[entry, False]
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([
        recordings.mapping(PID, START, 0x100000, 0, path),
        recordings.sample(PID, PID, 1, 5, [START + addresses[0], START + entry]),
        *([recordings.sample(PID, PID, 2, 7, [START + addresses[-1]])] if more else [])]))
    assert any(line.endswith(" 5") and ";work;" in line for line in run("profile", "--folded", data).out.splitlines())


def test_files_without_debug_information_are_named(run, busy, tmp_path):
    data, stripped = tmp_path / "perf.data", tmp_path / "busy"
    building.command("strip", "-g", busy[0], "-o", stripped)
    shares = {busy[0]: 30, stripped: 70}
    symbols = {int(line.split()[0], 16) for line in building.command("nm", stripped).splitlines()
               if line.endswith(" work")}
    (address,) = symbols
    data.write_bytes(recordings.recording([
        record for i, (path, weight) in enumerate(shares.items())
        for record in (recordings.mapping(PID, START + i * 0x100000, 0x100000, 0, path),
                       recordings.sample(PID, PID, 1, weight, [START + i * 0x100000 + address]))]))
    result = run("profile", data)
    assert result.status == 0 and "; 70.0% without debug information\n" in result.out
    assert result.err == (f"inlinecall: {data}: no debug information for {stripped} (70.0%): inlined functions are "
                          "unknown there\n")
    found = rows(run, data, "--by=file")
    assert (found[0]["no_debug"], found[0]["unknown"]) == (70, 0)
    assert {row["file"]: row["no_debug"] for row in found[1]} == {str(stripped): 70, str(busy[0]): 0}
    assert rows(run, data, "--callers=work")[1][0]["no_debug"] is None
    building.command("strip", stripped)
    result = run("profile", data)
    assert "; 70.0% in unknown functions; 70.0% without debug information\n" in result.out
    assert f"no debug information for {stripped} (70.0%)" in result.err


def test_each_event_is_asked_for_by_its_name(run, tmp_path):
    record(tmp_path, "busy.c", "-e", "cpu-clock:u,page-faults:u", "-F", "99")
    result = run("profile", "--json", tmp_path / "perf.data")
    assert json.loads(result.out.splitlines()[0])["event"] == "cpu-clock:u"
    assert re.search(r"also has \d+ samples of page-faults:u; see --event", result.err)
    result = run("profile", "--json", "--event=page-faults:u", tmp_path / "perf.data")
    everything = json.loads(result.out.splitlines()[0])
    assert result.status == 0 and everything["event"] == "page-faults:u"
    assert everything["unit"] is None
    assert 0 < everything["self_samples"] < 10000


def test_the_manual_and_help_have_the_same_options(run):
    page = (building.HERE.parents[1] / "man/inlinecall-profile.1").read_text()
    manual = set(re.findall(r"^\.It (?:Fl \w , )?Fl -([\w-]+)", page, re.MULTILINE))
    assert manual == set(re.findall(r"^ +(?:-\w, )?--([\w-]+)", run("profile", "--help").out, re.MULTILINE))
