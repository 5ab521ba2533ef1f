"""Profiles of other tools: what is read from pprof's and from folded stacks says what they say, with the
functions that are found here."""

import collections
import gzip
import json
import lzma
import random
import re
import sys

import pytest

import building
from styles import find_tool

sys.path.insert(0, str(building.HERE.parent / "damage"))
import pprof_messages  # noqa: E402  beside the tests of damage, which need it too
import recordings  # noqa: E402

START, PID = 0x550000000000, 70


@pytest.fixture(scope="module")
def samples(busy):
    """[(thread, milliseconds, [address, ...] as they are looked up), ...]"""
    chosen = random.Random(2)
    found = []
    for _ in range(500):
        chain = chosen.choices(busy[1][1:], k=chosen.randrange(1, 6))
        found.append((PID + chosen.randrange(2), chosen.randrange(1, 1000),
                      [address - (i > 0) for i, address in enumerate(chain)]))
    return found


@pytest.fixture(scope="module")
def recorded(tmp_path_factory, busy, samples):
    """The same samples as a recording of perf."""
    return write_recording(tmp_path_factory.mktemp("recorded"), busy[0], [
        (tid, weight, [address + (i > 0) for i, address in enumerate(chain)]) for tid, weight, chain in samples])


def write_recording(folder, path, samples):
    records = [recordings.comm(PID, PID, "busy"), recordings.comm(PID, PID + 1, "worker"),
               recordings.mapping(PID, START, 0x100000, 0, path)]
    records += [recordings.sample(PID, tid, 10 + i, weight * 1000000, [START + address for address in chain])
                for i, (tid, weight, chain) in enumerate(samples)]
    data = folder / "perf.data"
    data.write_bytes(recordings.recording(records))
    return data


def made(samples, mapping, first, packed=True):
    """A profile with these samples in one mapping, whose first byte is at an address."""
    profile = pprof_messages.Profile(("samples", "count"), ("cpu-clock", "milliseconds"))
    of = profile.mapping(*mapping)
    locations = {address: profile.location(of, first + address)
                 for address in sorted({address for *_, chain in samples for address in chain})}
    for tid, weight, chain in samples:
        profile.sample([locations[address] for address in chain], [1, weight],
                       [("comm", "busy" if tid == PID else "worker"), ("pid", PID), ("thread_id", tid)], packed)
    return profile.bytes()


def answer(run, path, *options):
    result = run("profile", *options, path)
    assert (result.status, result.err) == (0, "")
    return result.out


@pytest.mark.parametrize("kind", ["function", "call", "line", "source", "host", "file", "thread"])
def test_pprof_has_the_samples_that_perf_has(run, busy, samples, recorded, tmp_path, kind):
    path = tmp_path / "p"
    expected = answer(run, recorded, "--json", f"--by={kind}")
    for bias, offset in ((START, 0), (START + 0x1000, 0x1000)):
        path.write_bytes(made(samples, (str(busy[0]), bias, bias + 0x100000, offset), START))
        assert answer(run, path, "--json", f"--by={kind}") == expected


def test_pprof_has_addresses_as_a_file_numbers_them(run, samples, recorded, tmp_path):
    """A program whose addresses are no offsets."""
    building.command("gcc", "-g", "-O2", "-no-pie", building.OURS / "busy.c", "-o", tmp_path / "busy")
    addresses = building.instructions(tmp_path / "busy")
    assert addresses[0] > 0x400000
    of = dict(zip(sorted({address for *_, chain in samples for address in chain}), addresses))
    moved = [(tid, weight, [of.get(address, addresses[5]) for address in chain]) for tid, weight, chain in samples]
    (tmp_path / "p").write_bytes(made(moved, (str(tmp_path / "busy"),), 0))
    (tmp_path / "q").write_bytes(made(moved, (str(tmp_path / "busy"), 0x400000, 0x500000, 0), 0))
    found = answer(run, tmp_path / "p", "--json")
    assert found == answer(run, tmp_path / "q", "--json") and '"function":"work"' in found.replace("()", "")


def test_a_name_without_a_directory_is_below_the_root_of_the_recording(run, busy, samples, recorded, tmp_path):
    (tmp_path / "p").write_bytes(made(samples, ("busy", START, START + 0x100000, 0), START))
    found = answer(run, tmp_path / "p", "--json", f"--sysroot={busy[0].parent}")
    assert found == answer(run, recorded, "--json").replace(f'"file":"{busy[0]}"', '"file":"busy"')
    result = run("profile", f"--sysroot={tmp_path}", tmp_path / "p")
    assert result.status == 2 and "busy: cannot open: No such file or directory" in result.err


def test_lists_are_packed_or_not_and_files_compressed_or_not(run, busy, samples, recorded, tmp_path):
    expected = answer(run, recorded, "--folded")
    mapping = (str(busy[0]), START, START + 0x100000, 0)
    for i, data in enumerate([made(samples, mapping, START), made(samples, mapping, START, packed=False)]):
        (tmp_path / f"{i}").write_bytes(data)
        (tmp_path / f"{i}.gz").write_bytes(gzip.compress(data))
        assert answer(run, tmp_path / f"{i}", "--folded") == expected
        assert answer(run, tmp_path / f"{i}.gz", "--folded") == expected
    assert run("profile", "--folded", "-", stdin=expected).out == expected


def test_what_is_written_can_be_read_again(run, recorded, tmp_path):
    folded, written = answer(run, recorded, "--folded"), tmp_path / "p.pb.gz"
    answer(run, recorded, f"--pprof={written}")
    assert answer(run, written, "--json") == answer(run, recorded, "--json")
    assert answer(run, written, "--folded") == folded
    (tmp_path / "folded").write_text(folded)
    assert answer(run, tmp_path / "folded", "--folded") == folded
    answer(run, tmp_path / "folded", f"--pprof={written}")
    assert answer(run, written, "--folded") == folded


@pytest.mark.parametrize("compress", [gzip.compress, lzma.compress])
def test_parts_that_were_compressed_by_themselves_are_one_file(run, tmp_path, compress):
    parts = [b"main;f 5\nmain;", b"", b"g 2\n", b""]
    (tmp_path / "folded").write_bytes(b"".join(map(compress, parts)) + bytes(8))
    assert answer(run, tmp_path / "folded", "--folded") == "main;f 5\nmain;g 2\n"
    (tmp_path / "folded").write_bytes(b"".join(map(compress, parts)) + b"something else")
    result = run("profile", tmp_path / "folded")
    assert (result.status, result.out) == (2, "") and "or followed by other data" in result.err


def by_name(run, path, *options, status=0):
    result = run("profile", "--json", *options, path)
    assert result.status == status
    everything, *rows = map(json.loads, result.out.splitlines())
    return everything, {row["function"]: row for row in rows}, result.err


def test_what_has_no_address_has_the_names_of_the_profile(run, tmp_path):
    profile = pprof_messages.Profile(("samples", "count"))
    mapping = profile.mapping("app.py")
    functions = [profile.function("inner", path="app.py", line=3), profile.function("outer", path="app.py", line=9),
                 profile.function("", "_ZN2ns3topEv")]
    low = profile.location(mapping, 0, [(functions[0], 4), (functions[1], 10)])
    top = profile.location(0, 0, [(functions[2], 0)])
    profile.sample([low, top], [7])
    profile.sample([top], [2])
    (tmp_path / "p").write_bytes(profile.bytes())
    everything, rows, err = by_name(run, tmp_path / "p")
    assert (everything["event"], everything["unit"], everything["self"], err) == (None, None, 9, "")
    inner = rows["inner"]
    assert (inner["self"], inner["self_inlined"], inner["decl_file"], inner["decl_line"]) == (7, 7, "app.py", 3)
    assert inner["hosts"] == [{"function": "outer", "total": 7}] and inner["file"] == "app.py"
    assert (rows["ns::top"]["total"], rows["ns::top"]["self"]) == (9, 2)
    lines = {(row["source"], row["line"]) for row in
             map(json.loads, answer(run, tmp_path / "p", "--json", "--by=line").splitlines()[1:])}
    assert lines == {("app.py", 4), ("app.py", 10), (None, None)}
    assert answer(run, tmp_path / "p").startswith("9 samples\n")


def test_names_of_the_profile_are_what_is_known_of_files_that_are_not_there(run, tmp_path):
    profile = pprof_messages.Profile(("samples", "count"))
    mapping = profile.mapping("/nonexistent/lib.so", 0x1000, 0x9000, 0, "ab" * 20)
    named = profile.location(mapping, 0x1234, [(profile.function("named"), 0)])
    profile.sample([named], [1])
    (tmp_path / "p").write_bytes(profile.bytes())
    _, rows, err = by_name(run, tmp_path / "p", status=2)
    assert list(rows) == ["named"]
    assert err == ("inlinecall: /nonexistent/lib.so: cannot open: No such file or directory; its functions are those in the recording\n")
    profile.sample([profile.location(mapping, 0x1238)], [1])
    (tmp_path / "p").write_bytes(profile.bytes())
    _, rows, err = by_name(run, tmp_path / "p", status=2)
    assert set(rows) == {"named", None}
    assert err.count("\n") == 1 and "/nonexistent/lib.so: cannot open" in err


def test_a_file_that_is_there_and_cannot_be_read_is_told_though_the_profile_has_names(run, tmp_path):
    (tmp_path / "lib.so").write_text("not a program")
    profile = pprof_messages.Profile(("samples", "count"))
    mapping = profile.mapping(str(tmp_path / "lib.so"), 0x1000, 0x9000)
    profile.sample([profile.location(mapping, 0x1234, [(profile.function("named"), 0)])], [1])
    (tmp_path / "p").write_bytes(profile.bytes())
    _, rows, err = by_name(run, tmp_path / "p", status=2)
    assert list(rows) == ["named"] and "its functions are those in the recording" in err


@pytest.mark.parametrize("build_id", ["ab" * 21, "ab" * 32, "abc", "Go/build-ID"])
def test_build_ids_that_are_not_compared_are_told(run, busy, tmp_path, build_id):
    profile = pprof_messages.Profile(("samples", "count"))
    mapping = profile.mapping(str(busy[0]), 0x1000, 0x9000, 0, build_id)
    profile.sample([profile.location(mapping, 0x1000 + busy[1][1])], [1])
    (tmp_path / "p").write_bytes(profile.bytes())
    everything, _, err = by_name(run, tmp_path / "p", status=2)
    assert everything["self"] == 1
    assert "1 build IDs are longer than 20 bytes, or not hexadecimal: their files are not checked\n" in err


def test_the_beginning_of_a_build_id_is_another_one(run, tmp_path):
    """A linker may have written a longer one than perf keeps."""
    building.command("gcc", "-g", "-O2", f"-Wl,--build-id=0x{'ab' * 32}", building.OURS / "busy.c", "-o", tmp_path / "busy")
    profile = pprof_messages.Profile(("samples", "count"))
    mapping = profile.mapping(str(tmp_path / "busy"), 0x1000, 0x9000, 0, "ab" * 20)
    profile.sample([profile.location(mapping, 0x1000 + building.instructions(tmp_path / "busy")[0])], [1])
    (tmp_path / "p").write_bytes(profile.bytes())
    _, rows, err = by_name(run, tmp_path / "p", status=2)
    assert set(rows) == {None} and "build ID" in err


def test_each_type_of_values_is_an_event(run, tmp_path):
    profile = pprof_messages.Profile(("alloc_objects", "count"), ("alloc_space", "bytes"),
                                     ("inuse_objects", "count"), ("inuse_space", "bytes"), ("delay", "seconds"),
                                     default="inuse_space")
    where = profile.location(0, 0, [(profile.function("f"), 0)])
    profile.sample([where], [5, 500, 3, 300, 7])
    profile.sample([where], [1, 10, 0, 0, 0])
    (tmp_path / "p").write_bytes(profile.bytes())
    everything, _, err = by_name(run, tmp_path / "p")
    assert (everything["event"], everything["unit"], everything["self"], everything["self_samples"]) == (
        "inuse_space", "bytes", 300, 3)
    assert len(re.findall(r"also has (\d+) samples of (\w+); see --event", err)) == 4
    for event, unit, weight, count in (("alloc_objects", None, 6, 6), ("alloc_space", "bytes", 510, 6),
                                       ("inuse_objects", None, 3, 3), ("delay", "nanoseconds", 7000000000, 1)):
        everything, _, _ = by_name(run, tmp_path / "p", f"--event={event}")
        assert (everything["unit"], everything["self"], everything["self_samples"]) == (unit, weight, count)
    assert run("profile", tmp_path / "p").out.startswith("3 samples of inuse_space, 300 bytes\n")


def test_what_a_profile_cannot_say_is_told(run, tmp_path):
    profile = pprof_messages.Profile(("samples", "count"), ("cpu", "nanoseconds"))
    where = profile.location(0, 0, [(profile.function("f"), 0)])
    profile.sample([where], [1, 10])
    profile.sample([where], [1, -3])
    profile.sample([where, 99], [1, 5])
    (tmp_path / "p").write_bytes(profile.bytes())
    everything, rows, err = by_name(run, tmp_path / "p", status=2)
    assert "1 values are negative" in err and "1 references to missing items" in err
    assert everything["self"] == 15 and rows["f"]["self"] == 15 and rows[None]["total"] == 5


def test_go_counts_the_same_in_its_own_profiles(run, tmp_path):
    """Its functions are those that are found here, if the program has debugging information."""
    building.need("go")
    building.command("go", "build", "-o", tmp_path / "profiled", building.OURS / "profiled.go")
    building.command(tmp_path / "profiled", tmp_path)
    for name, options in (("cpu.pb.gz", ()), ("heap.pb.gz", ("-sample_index=inuse_space",))):
        unit = "ms" if name.startswith("cpu") else "B"
        table = building.command("go", "tool", "pprof", "-top", f"-unit={unit}", "-nodecount=10000", "-nodefraction=0",
                                 "-edgefraction=0", *options, tmp_path / name)
        expected = {}
        for line in table[table.index("flat%"):].splitlines()[1:]:
            flat, _, _, total, _, function = line.split(None, 5)
            expected[function.removesuffix(" (inline)").replace(" ", "")] = (
                float(flat.removesuffix(unit)), float(total.removesuffix(unit)))
        everything, rows, _ = by_name(run, tmp_path / name)
        scale = 1e6 if unit == "ms" else 1
        found = {function: (row["self"] / scale, row["total"] / scale) for function, row in rows.items()}
        assert everything["unknown"] == 0 and "main.spin" in found
        assert sum(flat for flat, _ in expected.values()) > 0
        assert found == expected
        assert unit != "ms" or found["main.inner"][0] > 0 and rows["main.inner"]["self_inlined"] > 0


# ---- Folded stacks

def test_folded_stacks_are_added_up(run, tmp_path):
    text = ("main;f;g_[i];h_[i] 5\n\nmain;f;g_[i] 2\r\nmain;read_[k];copy_[i] 4\nmain 1\n"
            "main;ns::f(int, char);operator<; 3\n")
    (tmp_path / "folded").write_text(text)
    everything, rows, err = by_name(run, tmp_path / "folded")
    assert (everything["self"], everything["event"], err) == (15, None, "")
    sums = {name: (row["self"], row["total"], row["total_inlined"]) for name, row in rows.items()}
    assert sums == {"main": (1, 15, 0), "f": (0, 7, 0), "g": (2, 7, 7), "h": (5, 5, 5), "read": (0, 4, 0),
                    "copy": (4, 4, 4), "ns::f(int, char)": (0, 3, 0), "operator<": (3, 3, 0)}
    assert rows["h"]["hosts"] == [{"function": "f", "total": 5}] and rows["copy"]["file"] == "[kernel]"
    assert answer(run, tmp_path / "folded", "--folded").splitlines() == sorted(
        line.rstrip("\r").replace("; 3", " 3") for line in text.splitlines() if line)


def test_differences_of_folded_stacks_have_two_events(run, tmp_path):
    """As difffolded.pl writes them: flamegraph.pl draws the second count."""
    path = tmp_path / "folded"
    path.write_text("main;f 10 12\n\nmain;g 3 0\nmain;h 0 4\n")
    everything, rows, err = by_name(run, path)
    assert (everything["event"], everything["self"]) == ("after", 16)
    assert {name: row["total"] for name, row in rows.items()} == {"main": 16, "f": 12, "h": 4}
    assert err == f"inlinecall: {path}: also has 13 samples of before; see --event\n"
    everything, rows, _ = by_name(run, path, "--event=before")
    assert {name: row["total"] for name, row in rows.items()} == {"main": 13, "f": 10, "g": 3}
    # A line that is cut short, or has not both counts, is told.
    path.write_text("main;f 10 12\nmain;g 3 1\nmain;g 3")
    assert "1 lines are not stacks with two counts, the first is line 3" in by_name(run, path, status=2)[2]
    path.write_text("main;f 10 12\nmain;g 31\nmain;h 1 1\n")
    assert "1 lines are not stacks with two counts, the first is line 2" in by_name(run, path, status=2)[2]
    # Names may end in numbers if most do not.
    path.write_text("main;worker 1 12\nmain;g 3\n")
    everything, rows, err = by_name(run, path)
    assert (everything["event"], set(rows), err) == (None, {"main", "worker 1", "g"}, "")


def test_places_in_files_are_looked_up_in_folded_stacks(run, busy, samples, recorded, tmp_path):
    expected = collections.Counter()
    for line in answer(run, recorded, "--folded").splitlines():
        stack, weight = line.rsplit(" ", 1)
        expected[stack.split(";", 1)[1]] += int(weight) // 1000000
    (tmp_path / "folded").write_text("".join(
        ";".join(f"{busy[0]}+{hex(address + (i > 0))}" for i, address in reversed(list(enumerate(chain)))) + f" {weight}\n"
        for _, weight, chain in samples))
    found = answer(run, tmp_path / "folded", "--folded").splitlines()
    assert {stack: int(count) for stack, count in (line.rsplit(" ", 1) for line in found)} == expected


# ---- The text of perf script

def known(run, path, *options):
    """({(function, what): weight}, all samples)"""
    everything, *found = map(json.loads, answer(run, path, "--json", *options).splitlines())
    sums = collections.Counter()
    for row in found:
        for key in ("self", "total", "total_inlined"):
            sums[row["function"], key] += row[key]
    assert sum(weight for (_, key), weight in sums.items() if key == "self") == everything["whole"]
    return sums, everything


@pytest.mark.parametrize("options", [[], ["--show-mmap-events"], ["-F", "comm,tid,time,event,ip,sym,symoff,dso,period"],
                                     ["-F", "comm,pid,tid,event,ip,sym,dso,period"],
                                     ["-F", "+srcline"], ["-F", "-time,-event"], ["-F", "-event"],
                                     ["-F", "-comm"], ["-F", "-comm,-time,-event"],
                                     ["-F", "comm,pid,tid,ip,sym,dso,period"]])
def test_text_of_perf_has_what_its_recording_has(run, busy, tmp_path, options):
    """Where code is described: between functions perf has the name of the one before. Newer versions print
    addresses in memory (6.12), which can be looked up if the text says what was mapped there."""
    path, addresses = busy
    near = sorted({each for address in addresses for each in (address, address - 1)})
    rows = map(json.loads, run("addr", "--json", path, *map(hex, near)).out.splitlines())
    described = {int(row["address"], 16) for row in rows
                 if row["frames"] and all(frame["file"] and frame["function"] for frame in row["frames"])}
    addresses = [address for address in addresses if {address, address - 1} <= described]
    chosen = random.Random(3)
    chains = [chosen.choices(addresses, k=chosen.randrange(1, 6)) for _ in range(500)]
    recorded = write_recording(tmp_path, path, [(PID, 5, chain) for chain in chains])
    text = building.command(find_tool("perf"), "script", "--no-inline", *options, "-i", recorded)
    (tmp_path / "text").write_text(text)
    if f"{START >> 20:x}" in text and "PERF_RECORD_MMAP" not in text:
        everything, rows, err = by_name(run, tmp_path / "text", status=2)
        assert everything["self_samples"] == 500 and "work" in rows
        assert "frames have only the names from perf: the text has no mappings for them" in err
        return
    found, expected = known(run, tmp_path / "text"), known(run, recorded)
    assert found[0] == expected[0]
    unknown = {"event": None, "unit": None} if "cpu-clock" not in text else {"event": None}  # or with modifiers
    assert found[1] | unknown == expected[1] | unknown
    if "busy" in text.split(None, 1)[0]:
        assert run("profile", "--folded", "-", stdin=text).out == answer(run, recorded, "--folded")


@pytest.mark.parametrize("fields, time", [("comm,tid,ip,sym,dso", None), ("tid,ip,sym", None),
                                          ("comm,tid,event,ip,sym", "cpu-clock:HG"), ("pid,time,ip", None)])
def test_fields_that_perf_leaves_out_are_known_to_be_missing(run, tmp_path, fields, time):
    """Threads have names as those of perf's columns."""
    data = tmp_path / "perf.data"
    data.write_bytes(recordings.recording([
        recordings.comm(7, 7, "busy 3"), recordings.comm(7, 123456, "5 busy"), recordings.mapping(7, START, 4096, 0, "/no"),
        *(recordings.sample(7, tid, 10 + tid, 5000, [START + 5, START + 9]) for tid in (7, 7, 123456))]))
    text = building.command(find_tool("perf"), "script", "-F", fields, "-i", data)
    everything, *rows = map(json.loads, run("profile", "--json", "--by=thread", "-", stdin=text).out.splitlines())
    assert (everything["event"], everything["self"], everything["self_samples"]) == (time, 3, 3)
    tids = {(row["thread"], row["tid"]): row["self"] for row in rows}
    names = ("busy 3", "5 busy") if "comm" in fields else (None, None)
    assert tids == ({(names[0], 7): 2, (names[1], 123456): 1} if "tid" in fields else {(None, 7): 3})


def test_samples_that_have_no_thread_are_told(run, tmp_path):
    data = write_recording(tmp_path, "/nonexistent", [(PID, 5, [16, 32])] * 3)
    for fields in ("ip,sym,dso", "comm,ip,sym,dso", "time,event,ip,sym"):
        text = building.command(find_tool("perf"), "script", "-F", fields, "-i", data)
        result = run("profile", "-", stdin=text)
        assert (result.status, result.out) == (2, "")
        assert "lines are not perf script output, the first is line" in result.err
        assert "; samples need a thread ID (perf script -F +tid)\n" in result.err


def as_text(samples, bias, label):
    """Text as perf has it, of addresses in memory. `label` names the function at an address."""
    text = ""
    for i, (tid, weight, chain) in enumerate(samples):
        text += f"{'busy' if tid == PID else 'worker'} {PID}/{tid} [000] 1.{i:06}: {weight * 1000000} cpu-clock: \n"
        for depth, address in enumerate(chain):
            text += f"\t{bias + address + (depth > 0):16x} {label(address)} (PROGRAM)\n"
        text += "\n"
    return text


def test_addresses_in_the_text_of_perf_are_those_of_what_it_says_was_mapped(run, busy, samples, recorded, tmp_path):
    mapped = (f"busy {PID} 0.5: PERF_RECORD_MMAP2 {PID}/{PID}: [{START:#x}(0x100000) @ 0 fe:00 1 2]: r-xp {busy[0]}\n")
    text = as_text(samples, START, lambda address: "[unknown]").replace("PROGRAM", str(busy[0]))
    (tmp_path / "text").write_text(mapped + text)
    assert answer(run, tmp_path / "text", "--folded") == answer(run, recorded, "--folded")
    (tmp_path / "text").write_text(text.replace("[unknown]", "name+0x1"))
    everything, rows, err = by_name(run, tmp_path / "text", status=2)
    assert set(rows) == {"name"} and everything["self_samples"] == len(samples)
    frames = sum(len(chain) for *_, chain in samples)
    assert f"{frames} frames have only the names from perf" in err


@pytest.mark.parametrize("mapped", ["0xfffffffffffff000(0x2000) @ 0", "0x1000(0x2000) @ 0xfffffffffffff000"])
def test_mappings_beyond_the_last_address_are_told(run, tmp_path, mapped):
    (tmp_path / "text").write_text(f"a 7 0.5: PERF_RECORD_MMAP2 7/7: [{mapped} fe:00 1 2]: r-xp /a\n"
                                   "a 7 1.5: 3 cycles:  10 f+0x1 (//anon)\n")
    everything, _, err = by_name(run, tmp_path / "text", status=2)
    assert everything["self"] == 3 and "1 lines are not perf script output, the first is line 1\n" in err


def test_offsets_in_the_text_of_perf_count_if_the_name_is_there(run, busy, tmp_path):
    """Else they are of another file, or no offsets."""
    start = int(re.search(r"^(\w+) T work$", building.command("nm", busy[0]), re.MULTILINE)[1], 16)
    for label, is_right in (("work+0x10", True), ("work+0x11", False), ("elsewhere+0x10", False)):
        text = as_text([(PID, 1, [start + 0x10])], 0, lambda address, label=label: label)
        (tmp_path / "text").write_text(text.replace("PROGRAM", str(busy[0])))
        _, rows, err = by_name(run, tmp_path / "text", status=0 if is_right else 2)
        assert err == ("" if is_right else f"inlinecall: {busy[0]}: not the file that was recorded: 1 locations are in a different function than in the recording\n")
        assert is_right or [(name, row["decl_file"]) for name, row in rows.items()] == [(label.split("+")[0], None)]


def test_one_line_has_a_sample_without_a_stack_or_what_it_is_of(run, busy, tmp_path):
    work = int(re.search(r"^(\w+) T work$", building.command("nm", busy[0]), re.MULTILINE)[1], 16)
    mapped = f"busy 7 0.5: PERF_RECORD_MMAP2 7/7: [{START:#x}(0x100000) @ 0 fe:00 1 2]: r-xp {busy[0]}\n"
    frame = f"{START + work + 1:x} work+0x1 ({busy[0]})"
    (tmp_path / "text").write_text(mapped + f"busy 7 1.5: 3 cycles:  {frame}\n")
    (tmp_path / "more").write_text(mapped + f"busy 7 1.5: 3 cycles:  7f00deadbeef\n\t{frame}\n\t{frame}\n\n")
    for name in ("text", "more"):
        everything, rows, err = by_name(run, tmp_path / name)
        assert (everything["unknown"], everything["self"], err) == (0, 3, "")
        assert rows["work"]["decl_file"] and rows["work"]["total"] == 3
    (tmp_path / "text").write_text(f"busy 7 1.5: 3 cycles:  {frame}\n")
    assert "1 frames have only the names" in by_name(run, tmp_path / "text", status=2)[2]


def test_programs_that_are_called_as_numbers_are_no_frames(run, tmp_path):
    (tmp_path / "text").write_text("".join(
        f"  dd  1234 [000] 1.{i}: 100 cycles:  {0x1000 + i:x} main+0x1 (//anon)\n" for i in range(4)))
    everything, rows, _ = by_name(run, tmp_path / "text")
    assert (everything["self"], everything["self_samples"], list(rows)) == (400, 4, ["main"])


def test_one_address_in_no_file_may_be_several_functions(run, tmp_path):
    (tmp_path / "text").write_text("a 1 1.5: 5 cycles:  10 foo+0x1\nb 2 1.6: 7 cycles:  10 bar+0x1\n")
    profile = pprof_messages.Profile(("samples", "count"))
    for name, count in (("foo", 5), ("bar", 7)):
        profile.sample([profile.location(0, 0x10, [(profile.function(name), 0)])], [count])
    (tmp_path / "p").write_bytes(profile.bytes())
    for name in ("text", "p"):
        _, rows, _ = by_name(run, tmp_path / name)
        assert {name: row["self"] for name, row in rows.items()} == {"foo": 5, "bar": 7}


def test_long_headers_and_names_with_colons_are_those_of_perf(run, tmp_path):
    (tmp_path / "text").write_text("# a line of the header\n" * 300 +
                                   "My big thread: 12/13 [000] 1.2: 9 cycles: \n\t10 f+0x1 ([anon:v8])\n\n")
    everything, rows, err = by_name(run, tmp_path / "text")
    assert (everything["self"], rows["f"]["file"], err) == (9, "[anon:v8]", "")


def test_stacks_of_any_depth_are_kept(run, tmp_path):
    names = [f"f{i}" for i in range(70000)]
    (tmp_path / "folded").write_text(";".join(names) + " 5\n")
    profile = pprof_messages.Profile(("samples", "count"))
    locations = [profile.location(0, 0, [(profile.function(name), 0)]) for name in names]
    profile.sample(locations[::-1], [5])
    (tmp_path / "p").write_bytes(profile.bytes())
    for name in ("folded", "p"):
        rows = map(json.loads, answer(run, tmp_path / name, "--json").splitlines()[1:])
        assert [row["function"] for row in rows if row["self"] > 0] == [names[-1]]


def test_text_without_periods_has_no_time(run, tmp_path):
    (tmp_path / "text").write_text("a 7 1.5: cpu-clock: \n\t10 f+0x1 (//anon)\n\n")
    assert answer(run, tmp_path / "text").startswith("1 sample of cpu-clock\n")
    (tmp_path / "text").write_text("a 7 1.5: cpu-clock: \n\t10 f+0x1 (//anon)\n\nb 7 1.5: cpu-clock: \n\t10 g+0x")
    assert "the text ends in the middle of a line" in by_name(run, tmp_path / "text", status=2)[2]


def test_functions_that_perf_found_to_be_inlined_are_kept(run, tmp_path):
    (tmp_path / "text").write_text(
        "a 7 1.5: 3 cycles: \n\t10 g (inlined)\n\t10 f+0x10 (//anon)\n\t15 alone+0x2 (inlined)\n\t20 main+0x2 (//anon)\n\n"
        "a 7 1.6: 2 cycles:  20 main+0x2 (//anon)\nno line\n")
    everything, rows, err = by_name(run, tmp_path / "text", status=2)
    assert "1 lines are not perf script output, the first is line 8" in err
    sums = {name: (row["self"], row["total"], row["total_inlined"]) for name, row in rows.items()}
    assert sums == {"g": (3, 3, 3), "f": (0, 3, 0), "main": (2, 5, 0), "alone": (0, 3, 0)}
    assert (everything["event"], everything["self"], everything["self_samples"]) == ("cycles", 5, 2)


# ---- What is none

def test_lines_that_are_no_stacks_are_told(run, tmp_path):
    (tmp_path / "folded").write_text("a;b 3\nnothing\na;c x\na 99999999999999999999999\n7\na;c 4\n" + "a 1\n" * 3)
    everything, _, err = by_name(run, tmp_path / "folded", status=2)
    assert everything["self"] == 10
    assert "4 lines are not stacks with a count, the first is line 2" in err
    (tmp_path / "folded").write_text("a;b 3\n;; 12\n")
    everything, _, err = by_name(run, tmp_path / "folded", status=2)
    assert everything["self"] == 3 and "the first is line 2" in err


def test_counts_that_are_no_whole_numbers_are_told(run, tmp_path):
    path = tmp_path / "folded"
    path.write_text("a;b 3\na;c 1.5\na;d 2.00\na;e 4.\na;f .5\na;g 1.2.3\na;h 0.25\n")
    everything, rows, err = by_name(run, path, status=2)
    assert everything["self"] == 9 and set(rows) == {"a", "b", "d", "e"}
    assert f"{path}: 2 lines have a count that is not a whole number, the first is line 2\n" in err
    assert "2 lines are not stacks with a count, the first is line 5\n" in err
    path.write_text("a;b 1.5\na;c 2.5\n")
    result = run("profile", path)
    assert (result.status, result.out) == (2, "")
    assert "2 lines have a count that is not a whole number, the first is line 1\n" in result.err


def test_a_last_line_without_an_end_may_be_cut_short(run, tmp_path):
    """Perf ends all lines, but not all tools that write folded stacks do."""
    path = tmp_path / "folded"
    path.write_text("a;b 3\na;c 12")
    everything, _, err = by_name(run, path)
    assert everything["self"] == 15
    assert err == (f"inlinecall: {path}: the text does not end with a newline: if it is truncated, the last count may be wrong\n")
    path.write_text("a;b 3\na;c 12\n")
    assert by_name(run, path)[2] == ""
    path.write_text("")
    assert run("profile", path).status == 2


TEXTS = {
    "stacks with": b"main;f;g_[i] 5\nmain;h 3\njava;run 4\nmain 1\n" * 3,
    "stacks with two": b"main;f 5 6\nmain;h 3 1\njava;run 4 4\nmain 1 3\n" * 2,
    "perf script output": b"busy 3    70 [002]     0.000002:       5000 cycles: \n"
                          b"\t            3000 f+0x1 (//anon)\n\t            4000 main (//anon)\n\n" * 4,
    "not perf script": b"busy 3    70 \n\t            3000 f+0x1 (//anon)\n\n" * 4}


@pytest.mark.parametrize("form", TEXTS)
def test_a_byte_that_is_no_character_does_not_make_another_form_of_a_text(run, tmp_path, form):
    chosen = random.Random(4)
    for _ in range(150):
        data = bytearray(TEXTS[form])
        data[chosen.randrange(len(data))] = chosen.randrange(32)
        (tmp_path / "text").write_bytes(data)
        result = run("profile", tmp_path / "text")
        assert result.out and "pprof" not in result.err, bytes(data)
        assert all(form in line for line in result.err.splitlines() if " lines are n" in line), bytes(data)


def test_frames_of_all_stacks_are_in_proportion_to_the_file(run, tmp_path):
    """Many frames may be at one location, which has many inlined functions."""
    profile = pprof_messages.Profile(("samples", "count"))
    function = profile.function("f", "", "a.c", 1)
    location = profile.location(profile.mapping("/bin/nothing", 0x1000, 0x2000), 0x1100,
                                [(function, line) for line in range(1, 1000)])
    profile.sample([location] * 5000, [1])
    (tmp_path / "p").write_bytes(profile.bytes())
    result = run("profile", "--folded", tmp_path / "p")
    assert result.status == 2 and "more than 16 inlined functions for each recorded frame" in result.err
    profile.sample([location] * 5, [1])
    assert run("profile", tmp_path / "p").out


def test_profiles_of_pprof_are_no_text(run, tmp_path):
    """Whichever of their parts comes first, and whichever byte is changed."""
    profile = pprof_messages.Profile(("samples", "count"))
    for i in range(40):
        profile.sample([profile.location(0, 0, [(profile.function(f"a_function_of_some_length_{i}"), 0)])], [1])
    data, chosen = profile.bytes(), random.Random(4)
    for _ in range(300):
        changed = bytearray(data)
        changed[chosen.randrange(len(data))] = chosen.randrange(256)
        (tmp_path / "p").write_bytes(changed)
        assert " lines " not in run("profile", tmp_path / "p").err.replace("lines are left out: their locations have too many", "")
    at = data.index(b"\x32\x00")  # the first string
    (tmp_path / "p").write_bytes(data[at:] + data[:at])
    assert answer(run, tmp_path / "p").startswith("40 samples\n")


def test_what_is_no_profile_is_refused(run, tmp_path):
    for data in (b"a text that is none\n", b"a line 7\n" + 2 * b"lines of something else\n", b"\0" * 100, b"\x0a\x04\x08\x01", b"\x7fELF" + bytes(60)):
        (tmp_path / "p").write_bytes(data)
        result = run("profile", tmp_path / "p")
        assert (result.status, result.out) == (2, "")
        assert result.err == (f"inlinecall: {tmp_path / 'p'}: not a perf recording, perf script output, a pprof or OpenTelemetry profile, or folded stacks\n")
    result = run("profile", "-")
    assert (result.status, result.out, result.err) == (2, "", "inlinecall: standard input: nothing to read\n")
