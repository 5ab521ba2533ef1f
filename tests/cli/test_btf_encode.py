"""inlinecall btf encode: the table of inlined calls that a file's DWARF has."""

import collections
import json
import re
import shutil
import struct

import pytest

import building
from btf_types import Types

PROGRAM = """
struct pair { long first, second; };
volatile int sink;
static inline __attribute__((always_inline)) int leaf(int value, const int factor, char unused)
{
	sink = value;
	return value * factor + sink;
}
static inline __attribute__((always_inline)) long mid(const struct pair *pair, unsigned long count)
{
	for (unsigned long i = 0; i < count; i++)
		sink += leaf(sink, 7, 'a');
	return pair->second + leaf((int)pair->first, -3, 'b');
}
static inline __attribute__((always_inline)) long whole(struct pair pair, int n)
{
	sink = n;
	return pair.first ^ n;
}
static inline __attribute__((always_inline)) void none(void)
{
	sink++;
}
__attribute__((noinline)) long top(struct pair *pair, int n)
{
	none();
	return mid(pair, (unsigned long)n) + leaf(n, n, 'c') + whole(*pair, n);
}
int main(int argc, char **argv)
{
	struct pair pair = { argc, (long)argv };
	none();
	return (int)top(&pair, argc) + leaf(argc, 9, 'd');
}
"""


def sites(run, path):
    """The inlined calls as `sites -p` has them, those with code."""
    lines = run("sites", "-a", "-p", "--json", path).out.splitlines()
    return [row for row in map(json.loads, lines) if row["ranges"]]


def starts(path):
    lines = building.command("nm", path).splitlines()
    return {name: int(addr, 16) for addr, _, name in (line.split() for line in lines
                                                      if len(line.split()) == 3)}


def functions(run, path, leave_out=(), order="<"):
    """A .BTF with every function of the file but some, whose types have the right sizes."""
    types, integers = Types(order), {}

    def integer(size, signed):
        if (size, signed) not in integers:
            integers[size, signed] = types.integer(f"i{size}{signed}", size, signed)
        return integers[size, signed]

    done = {}
    for row in sites(run, path):
        done[row["function"]] = [(p["name"], p["size"], p.get("signed", False))
                                 for p in row["params"]]
    done["top"] = [("pair", 8, False), ("n", 4, True)]
    done["main"] = [("argc", 4, True), ("argv", 8, False)]
    for name, parameters in done.items():
        if name not in leave_out:
            numbers = [(text, integer(size, bool(signed))) for text, size, signed in parameters]
            types.function(name, numbers)
    return types


@pytest.fixture(scope="module", params=["gcc", "clang"])
def built(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("encode")
    (folder / "a.c").write_text(PROGRAM)
    building.command(request.param, "-g", "-O2", "-no-pie", "a.c", "-o", "a", cwd=folder)
    return folder / "a"


@pytest.fixture
def typed(types, built, tmp_path):
    """The program with a .BTF."""
    building.command("objcopy", "--add-section", f".BTF={types}", built, tmp_path / "typed")
    return tmp_path / "typed"


@pytest.fixture
def types(run, built, tmp_path):
    (tmp_path / "types").write_bytes(functions(run, built).section())
    return tmp_path / "types"


def rows(run, *args):
    return [json.loads(line) for line in run("btf", "dump", "--json", *args).out.splitlines()]


def known(location, size):
    """What a table can say of a location, without the type."""
    kind, text = location["kind"], location["text"]
    if kind == "memory" and size in (1, 2, 4, 8) and not re.search("CFA|entry|&", text):
        return kind, re.sub(r"^\*\(.*? \*\)", "", text)
    return (kind, text) if kind in ("constant", "register") else ("unavailable", "unavailable")


def test_every_call_is_there_with_what_is_known_at_its_entry(run, typed, tmp_path):
    result = run("btf", "encode", "--into", "--output", tmp_path / "out", typed)
    assert (result.status, result.err) == (0, "")
    start = starts(typed)
    wanted = collections.Counter(
        (row["host"], hex(int(row["entry"], 16) - start[row["host"]]), row["function"],
         tuple(known(p["location"], p["size"]) for p in row["params"]))
        for row in sites(run, typed))
    found = collections.Counter(
        (row["host"], row["offset"], row["function"],
         tuple(known(p["location"], p["size"]) for p in row["params"]))
        for row in rows(run, tmp_path / "out"))
    assert found == wanted and len(wanted) > 5
    assert sum(kind == "register" for key in found for kind, _ in key[3]) > 3
    counts = dict(reversed(line.split("\t")) for line in result.out.splitlines())
    assert int(counts["inlined calls"]) >= sum(wanted.values())
    assert sum(wanted.values()) == len(rows(run, tmp_path / "out"))


def test_the_table_is_sound_and_the_same_every_time(run, built, types, tmp_path):
    for name in ("one", "two"):
        run("btf", "encode", "--btf", types, "-O", tmp_path / name, built)
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    result = run("btf", "check", "--btf", types, tmp_path / "one")
    assert (result.status, result.out, result.err) == (0, "", "")


def test_kinds_are_written_too(run, built, types, tmp_path):
    result = run("btf", "encode", "--format=loc", "--btf", types, "-O", tmp_path / "out", built)
    assert result.status == 0
    result = run("btf", "check", "--btf", types, tmp_path / "out")
    assert (result.status, result.out, result.err) == (0, "", "")
    entries = sorted(int(row["entry"], 16) for row in sites(run, built))
    text = [line.split() for line in building.command("readelf", "-SW", built).splitlines()]
    (start,) = [int(words[words.index(".text") + 2], 16) for words in text if ".text" in words]
    found = rows(run, "--btf", types, tmp_path / "out")
    for section in {row["section"] for row in found}:
        assert section in ("inline.text", "inline.text.startup")
    assert sorted(start + int(row["offset"], 16) for row in found) == entries


def test_into_a_copy_adds_the_section_and_keeps_the_rest(run, typed, tmp_path):
    out, before = tmp_path / "out", typed.read_bytes()
    assert run("btf", "encode", "--into", "--output", out, typed).status == 0
    after = out.read_bytes()
    names = [line.split() for line in building.command("readelf", "-SW", typed).splitlines()
             if ".shstrtab" in line]
    kept = int(names[0][names[0].index("STRTAB") + 2], 16)  # what ends the file is the table that has one more name
    assert len(before) > kept > 1000 and after[64:kept] == before[64:kept]
    assert out.stat().st_mode == typed.stat().st_mode
    run("btf", "encode", "--output", tmp_path / "raw", typed)
    building.command("objcopy", "--dump-section", f".BTF.inline={tmp_path / 'dumped'}", out,
                     tmp_path / "copy")
    assert (tmp_path / "dumped").read_bytes() == (tmp_path / "raw").read_bytes()
    assert "arning" not in building.command("readelf", "-SlsW", out)
    # Once more: the section is replaced, not doubled.
    assert run("btf", "encode", "--into", "-O", out, out).status == 0
    assert building.command("readelf", "-SW", out).count(".BTF.inline") == 1


def test_what_btf_lacks_is_left_out_or_has_no_number(run, built, tmp_path):
    (tmp_path / "types").write_bytes(functions(run, built, leave_out=("leaf",)).section())
    args = "btf", "encode", "--btf", tmp_path / "types", "-O", tmp_path / "out"
    leaves = sum(row["function"] == "leaf" for row in sites(run, built))
    result = run(*args, built)
    assert result.status == 0
    assert f"{leaves}\tleft out: the callee is not in BTF\n" in result.out
    assert all(row["function"] != "leaf" for row in rows(run, "--btf", tmp_path / "types",
                                                         tmp_path / "out"))
    result = run(*args, "--missing=zero", built)
    assert f"{leaves}\twritten without the inlined function, which BTF lacks\n" in result.out
    assert len(rows(run, "--btf", tmp_path / "types", tmp_path / "out")) == len(sites(run, built))


def spelt(text):
    return re.sub(r"\s|\b(int|long|unsigned)\b", "", text)  # BTF's names of numbers are DWARF's


@pytest.mark.parametrize("form", ["rfc", "loc"])
@pytest.mark.parametrize("order", ["<", ">"])
def test_what_btf_lacks_is_added(run, built, tmp_path, form, order):
    if order == ">":
        built = tmp_path / "built"
        (tmp_path / "a.c").write_text(PROGRAM)
        building.command("clang", "--target=powerpc64-linux-gnu", "-g", "-O2", "-c",
                         tmp_path / "a.c", "-o", built)
    types = Types(order)
    integer = types.integer("int", 4, True)
    kept = types.function("leaf", [("value", integer), ("factor", integer), ("unused", integer)])
    types.function("mid", [("pair", integer)])
    (tmp_path / "few").write_bytes(types.section())
    args = "btf", "encode", f"--format={form}", "--missing=extend"
    result = run(*args, "--btf", tmp_path / "few", "-O", tmp_path / "out",
                 "--btf-output", tmp_path / "more", built)
    assert (result.status, result.err) == (0, "")
    before, after = (tmp_path / "few").read_bytes(), (tmp_path / "more").read_bytes()
    assert after[24:24 + len(types.types)] == before[24:24 + len(types.types)]
    status, counts = checked(run, built, tmp_path / "more", tmp_path / "out")
    assert status == 0
    assert counts["calls are in both"] == len(sites(run, built))
    assert "calls are to functions that BTF lacks" not in counts
    wanted = {row["function"]: [spelt(p["type"]) for p in row["params"]]
              for row in sites(run, built)}
    found = {row["function"]: ([spelt(p["type"]) for p in row["params"]], row["function_id"])
             for row in rows(run, "--btf", tmp_path / "more", tmp_path / "out")}
    assert found.pop("leaf")[1] == kept
    assert {name: texts for name, (texts, _) in found.items()} == {
        name: texts for name, texts in wanted.items() if name != "leaf"}


def test_a_function_with_an_empty_name_is_left_out(run, built, tmp_path):
    """In BTF that is no name."""
    building.command("objcopy", "--dump-section", f".debug_str={tmp_path / 'strings'}", built,
                     tmp_path / "same")
    strings = (tmp_path / "strings").read_bytes()
    changed, count = re.subn(rb"(^|\0)main\0", rb"\1\0ain\0", strings)
    assert count == 1
    (tmp_path / "strings").write_bytes(changed)
    building.command("objcopy", "--update-section", f".debug_str={tmp_path / 'strings'}", built,
                     tmp_path / "nameless")
    types = Types()
    types.integer("int", 4, True)
    (tmp_path / "few").write_bytes(types.section())
    result = run("btf", "encode", "--format=rfc", "--missing=extend", "--btf", tmp_path / "few", "-O",
                 tmp_path / "out", "--btf-output", tmp_path / "more", tmp_path / "nameless")
    assert (result.status, result.err) == (0, "")
    _, counts = checked(run, tmp_path / "nameless", tmp_path / "more", tmp_path / "out")
    assert counts["calls are in both"] and counts["calls are to functions that BTF lacks"]
    assert "calls are not in the DWARF" not in counts


def test_a_table_may_have_the_functions_that_its_types_lack(run, built, tmp_path):
    """As the kernel's: the types of a kernel that runs are read only. The same calls are there as with
    the functions added to the types."""
    types = Types()
    integer = types.integer("int", 4, True)
    types.function("leaf", [("value", integer), ("factor", integer), ("unused", integer)])
    (tmp_path / "few").write_bytes(types.section())
    args = "btf", "encode", "--format=loc", "--missing=extend", "--btf", tmp_path / "few", "-O"
    result = run(*args, tmp_path / "table", built)
    assert (result.status, result.err) == (0, "")
    assert re.search(r"^\d+\tfunctions added to BTF$", result.out, re.MULTILINE)
    assert run(*args, tmp_path / "apart", "--btf-output", tmp_path / "more", built).out == result.out
    status, counts = checked(run, built, tmp_path / "few", tmp_path / "table")
    assert status == 0 and counts["calls are in both"] == len(sites(run, built))
    assert run("btf", "check", "--btf", tmp_path / "few", tmp_path / "table") == (0, "", "")
    assert rows(run, "--btf", tmp_path / "few", tmp_path / "table") == [
        {**row, "file": str(tmp_path / "table")}
        for row in rows(run, "--btf", tmp_path / "more", tmp_path / "apart")]
    # Read without the types that it is split on, it is refused.
    result = run("btf", "dump", tmp_path / "table")
    assert result.status == 2 and result.err


def test_added_types_are_the_types_of_the_copy(run, built, tmp_path):
    (tmp_path / "few").write_bytes(Types().section())
    building.command("objcopy", "--add-section", f".BTF={tmp_path / 'few'}", built, tmp_path / "a")
    result = run("btf", "encode", "--missing=extend", "--into", "-O", tmp_path / "b",
                 tmp_path / "a")
    assert (result.status, result.err) == (0, "")
    result = run("btf", "check", "--against", tmp_path / "b", tmp_path / "b")
    assert result.status == 0 and f"{len(sites(run, built))}\tcalls are in both\n" in result.out
    dump = run("btf", "dump", tmp_path / "b").out
    assert "mid(const struct pair * pair=" in dump
    # Nothing is added twice.
    result = run("btf", "encode", "--missing=extend", "--into", "-O", tmp_path / "c",
                 tmp_path / "b")
    assert "added to BTF" not in result.out
    assert (tmp_path / "c").read_bytes() == (tmp_path / "b").read_bytes()


def test_of_several_functions_the_one_with_the_same_types_is_meant(run, built, tmp_path):
    types = functions(run, built, leave_out=("none", "leaf"))
    other = types.function("leaf", [("value", 1), ("factor", 1)])
    wrong = types.integer("long", 8, True)
    right = types.integer("int", 4, True)
    letter = types.integer("char", 1, True)
    constant = types.add(None, 10, 0, right)
    names = "value", "factor", "unused"
    types.function("leaf", list(zip(names, (wrong, constant, letter))))
    meant = types.function("leaf", list(zip(names, (right, constant, letter))))
    types.function("none", [])
    types.function("none", [])
    (tmp_path / "types").write_bytes(types.section())
    result = run("btf", "encode", "--btf", tmp_path / "types", "-O", tmp_path / "out", built)
    assert "\tleft out: several functions in BTF match the callee\n" in result.out
    found = {row["function"]: row["function_id"] for row in rows(run, "--btf", tmp_path / "types",
                                                            tmp_path / "out")}
    assert found["leaf"] == meant and "none" not in found and other != meant


def test_a_function_with_other_parameters_is_another_one(run, built, tmp_path):
    types = functions(run, built, leave_out=("leaf",))
    types.function("leaf", [("value", 1)])
    (tmp_path / "types").write_bytes(types.section())
    result = run("btf", "encode", "--btf", tmp_path / "types", "-O", tmp_path / "out", built)
    assert "\tleft out: the callee is in BTF only with other parameters\n" in result.out


def test_nothing_is_left_half_written(run, built, types, tmp_path):
    (tmp_path / "folder").mkdir()
    out = tmp_path / "folder" / "out"
    out.write_text("before")
    result = run("btf", "encode", "-O", out, built)
    assert result.status == 2
    assert "no section .BTF" in result.err and "pahole -J" in result.err
    assert "--btf" in result.err
    result = run("btf", "encode", "--btf", types, "-O", out, tmp_path / "types")
    assert result.status == 2
    assert [path.name for path in (tmp_path / "folder").iterdir()] == ["out"]
    assert out.read_text() == "before"
    result = run("btf", "encode", "--btf", types, "-O", tmp_path / "folder", built)
    assert result.status == 2 and "not a regular file" in result.err
    result = run("btf", "encode", "--btf", types, "-O", tmp_path / "no" / "out", built)
    assert result.status == 2 and "cannot write" in result.err


class Table:
    """A table in the RFC's form, little-endian, that can be changed."""

    def __init__(self, path):
        data = path.read_bytes()
        *_, calls_size, locations_off, _ = struct.unpack_from("<8xIIII", data)
        self.locations, self.calls, at = data[24 + locations_off:], [], 24
        while at < 24 + calls_size:
            *call, count = struct.unpack_from("<IIIH", data, at)
            at += 14
            self.calls.append((*call, list(struct.unpack_from(f"<{count}I", data, at))))
            at += 4 * count

    def write(self, path):
        calls = b"".join(struct.pack(f"<IIIH{len(places)}I", *call, len(places), *places)
                         for *call, places in self.calls)
        header = struct.pack("<HBB5I", 0xeb9f, 1, 0, 24, 0, len(calls), len(calls),
                             len(self.locations))
        path.write_bytes(header + calls + self.locations)


def checked(run, built, types, path):
    """The counts of `btf check --against` by what they are of."""
    result = run("btf", "check", "--btf", types, "--against", built, path)
    assert result.err == ""
    lines = [line.split("\t") for line in result.out.splitlines()]
    return result.status, {line[1]: int(line[0]) for line in lines}


@pytest.mark.parametrize("form", ["rfc", "loc"])
def test_what_was_encoded_does_not_differ(run, built, types, tmp_path, form):
    run("btf", "encode", f"--format={form}", "--btf", types, "-O", tmp_path / "out", built)
    status, counts = checked(run, built, types, tmp_path / "out")
    assert status == 0
    assert counts.pop("parameters have a location that the format cannot express", 0) < 4
    assert counts.pop("parameters are the same") > 8
    assert counts == {"calls are in both": len(sites(run, built))}


def test_a_call_outside_of_any_function_is_where_it_is(run, types, tmp_path):
    building.need("gcc")
    (tmp_path / "a.c").write_text(PROGRAM)
    building.command("gcc", "-g", "-O2", "-no-pie", "-dA", "-S", "a.c", cwd=tmp_path)
    text = (tmp_path / "a.s").read_text()
    # The DIEs of functions with code become blocks.
    damaged, count = re.subn(r"\.uleb128 0x2e(?=\t# \(TAG: DW_TAG_subprogram\)\n"
                             r"(?:(?!TAG).*\n)*?.*DW_AT_frame_base)", ".uleb128 0xb", text)
    assert count > 0
    (tmp_path / "a.s").write_text(damaged)
    building.command("gcc", "-no-pie", "a.s", "-o", "a", cwd=tmp_path)
    encoded = run("btf", "encode", "--format=loc", "--btf", types, "-O", tmp_path / "out",
                  tmp_path / "a")
    assert len(sites(run, tmp_path / "a")) > 5 and encoded.status == 0
    status, counts = checked(run, tmp_path / "a", types, tmp_path / "out")
    assert counts["calls are in both"] == len(sites(run, tmp_path / "a")) and status == 0
    assert "calls are not in the DWARF" not in counts


def test_each_difference_is_of_its_sort(run, built, types, tmp_path):
    run("btf", "encode", "--btf", types, "-O", tmp_path / "out", built)
    path = tmp_path / "changed"

    def differs(change):
        table = Table(tmp_path / "out")
        change(table)
        table.write(path)
        status, counts = checked(run, built, types, path)
        assert status == 1
        return counts

    def with_register(table):
        return next(call for call in table.calls
                    for place in call[3] if table.locations[place] == 9)

    def elsewhere(table):
        places = with_register(table)[3]
        number = next(i for i, place in enumerate(places) if table.locations[place] == 9)
        table.locations += bytes((9, 200, 0))
        places[number] = len(table.locations) - 3

    def unavailable(table):
        places = with_register(table)[3]
        places[next(i for i, place in enumerate(places) if table.locations[place] == 9)] = 0

    def more(table):
        table.calls[-1][3].append(0)

    def missing(table):
        table.calls.pop(0)

    def moved(table):
        table.calls[0] = (*table.calls[0][:2], table.calls[0][2] + 0x1000, table.calls[0][3])

    assert differs(elsewhere)["parameters have a different location"] == 1
    assert differs(unavailable)["parameters are unavailable, but have a location in the DWARF"] == 1
    assert differs(more)["calls have a different number of parameters"] == 1
    assert differs(missing)["calls are missing"] == 1
    counts = differs(moved)
    assert counts["calls are missing"] == counts["calls are not in the DWARF"] == 1


def test_an_encoder_that_takes_the_lowest_address_is_told(run, built, types, tmp_path):
    start = starts(built)
    run("btf", "encode", "--btf", types, "-O", tmp_path / "out", built)
    lowest = {(row["host"], int(row["entry"], 16) - start[row["host"]]):
              min(int(first, 16) for first, _ in row["ranges"]) - start[row["host"]]
              for row in sites(run, built)}
    table, names = Table(tmp_path / "out"), rows(run, "--btf", types, tmp_path / "out")
    moved = 0
    for number, (call, row) in enumerate(zip(table.calls, names)):
        offset = lowest[row["host"], call[2]]
        moved += offset != call[2]
        table.calls[number] = (*call[:2], offset, call[3])
    table.write(tmp_path / "changed")
    status, counts = checked(run, built, types, tmp_path / "changed")
    assert counts.get("calls are at their lowest address, not their entry", 0) == moved
    assert counts["calls are in both"] == len(names) - moved
    assert status == (1 if moved else 0)


def test_a_location_that_there_is_not_is_told(run, types, built, tmp_path):
    run("btf", "encode", "--btf", types, "-O", tmp_path / "out", built)
    table = Table(tmp_path / "out")
    table.locations += bytes((9, 3, 0))
    rfc = sum(place == 0 for call in table.calls for place in call[3])
    for call in table.calls:
        call[3][:] = [place or len(table.locations) - 3 for place in call[3]]
    table.write(tmp_path / "changed")
    _, counts = checked(run, built, types, tmp_path / "changed")
    assert sum(counts.get(what, 0) for what in (
        "parameters have a location, but none in the DWARF",
        "parameters have a different kind of location than in the DWARF",
        "parameters have a different location")) == rfc


@pytest.mark.parametrize("first, second", [("rfc", "loc"), ("loc", "rfc")])
def test_there_and_back_only_what_is_reported_is_lost(run, built, types, tmp_path, first, second):
    args = "btf", "convert", "--btf", types, "--symbols-of", built, "-O"
    run("btf", "encode", f"--format={first}", "--btf", types, "-O", tmp_path / "one", built)
    one = run(*args, tmp_path / "two", f"--format={second}", tmp_path / "one")
    assert (one.status, one.err) == (0, "")
    status, counts = checked(run, built, types, tmp_path / "two")
    assert status == 0 and counts["calls are in both"] == len(sites(run, built))
    two = run(*args, tmp_path / "three", f"--format={first}", tmp_path / "two")
    assert (two.status, two.err) == (0, "")
    lost = sum(int(line.split("\t")[0]) for line in (one.out + two.out).splitlines()
               if "lost" in line or "left out" in line)
    before = rows(run, "--btf", types, tmp_path / "one")
    after = rows(run, "--btf", types, tmp_path / "three")
    keys = [[json.dumps({name: value for name, value in row.items() if name != "file"})
             for row in table] for table in (before, after)]
    differing = collections.Counter(keys[0]) - collections.Counter(keys[1])
    assert sum(differing.values()) <= lost and len(before) == len(after)
    if lost == 0:
        assert (tmp_path / "one").read_bytes() == (tmp_path / "three").read_bytes()


def renamed(built, path, *names):
    """The program with other names of its symbols; its DWARF has the old ones."""
    building.command("objcopy", *(f"--redefine-sym={name}" for name in names), built, path)
    return path


def test_a_function_that_is_only_a_clone_begins_there(run, built, types, tmp_path):
    cloned = renamed(built, tmp_path / "cloned", "top=top.constprop.0")
    result = run("btf", "encode", "--btf", types, "-O", tmp_path / "one", cloned)
    assert result.status == 0 and "symbol of their own" not in result.out
    args = "btf", "convert", "--btf", types, "--symbols-of", cloned, "-O"
    for before, after, form in (("one", "two", "loc"), ("two", "three", "rfc")):
        result = run(*args, tmp_path / after, f"--format={form}", tmp_path / before)
        assert result.status == 0 and "left out" not in result.out
    assert len(rows(run, "--btf", types, tmp_path / "three")) == len(sites(run, built))
    assert checked(run, cloned, types, tmp_path / "two")[0] == 0


def test_code_of_a_function_whose_symbol_is_of_another_is_told(run, built, types, tmp_path):
    inside = sum(row["host"] == "top" for row in sites(run, built))
    # As of a weak function that another one overrides.
    other = renamed(built, tmp_path / "other", "top=overridden", "main=top")
    result = run("btf", "encode", "--btf", types, "-O", tmp_path / "out", other)
    assert result.status == 0
    told = "written, in functions without a symbol of their own or with an ambiguous name"
    assert f"{len(sites(run, built))}\t{told}\n" in result.out and inside > 0
    # An address is an address: it is converted, and does not differ.
    result = run("btf", "convert", "--btf", types, "--symbols-of", other, "--format=loc", "-O",
                 tmp_path / "two", tmp_path / "out")
    left_out = len(sites(run, built)) - inside
    assert f"{left_out}\tleft out: the caller has no symbol" in result.out
    assert checked(run, other, types, tmp_path / "two")[1]["calls are in both"] == inside


def test_converting_needs_to_know_where_functions_are(run, built, types, tmp_path):
    run("btf", "encode", "--btf", types, "-O", tmp_path / "one", built)
    args = "btf", "convert", "--format=loc", "-O", tmp_path / "out"
    result = run(*args, "--btf", types, tmp_path / "one")
    assert result.status == 2 and "needs the symbols of the file; name it with --symbols-of" in result.err
    result = run(*args, tmp_path / "one")
    assert result.status == 2 and "BTF types are needed to name functions; name their file with --btf" in result.err
    assert not (tmp_path / "out").exists()
    building.command("strip", built, "-o", tmp_path / "stripped")
    result = run(*args, "--btf", types, "--symbols-of", tmp_path / "stripped", tmp_path / "one")
    assert result.status == 1 and "no symbol" in result.out
    # In the same form nothing is needed, and nothing changes.
    result = run("btf", "convert", "--btf", types, "-O", tmp_path / "same", tmp_path / "one")
    assert result.status == 0
    assert (tmp_path / "same").read_bytes() == (tmp_path / "one").read_bytes()


def test_numbers_are_compared_with_the_addresses_that_they_are(run, tmp_path):
    """The RFC's form has addresses as numbers, in a program that is always at its own addresses;
    what is converted from it keeps them, where the kinds could tell them apart."""
    (tmp_path / "a.c").write_text("""
const char *volatile sink;
static inline __attribute__((always_inline)) void note(const char *text) { sink = text; }
int main(void) { note("abc"); return 0; }
""")
    path = tmp_path / "a"
    building.command("gcc", "-g", "-O2", "-no-pie", "-fno-pie", "a.c", "-o", path, cwd=tmp_path)
    known, types = Types(), tmp_path / "types"
    known.function("main", [])
    types.write_bytes(known.section())
    btf, numbers, kinds = tmp_path / "btf", tmp_path / "numbers", tmp_path / "kinds"
    run("btf", "encode", "--missing=extend", "--btf", types, "--btf-output", btf, "-O", numbers,
        path)
    run("btf", "convert", "--format=loc", "--btf", btf, "--symbols-of", path, "-O", kinds, numbers)
    assert re.search(r"text=0x[0-9a-f]+\)", run("btf", "dump", "--btf-base", btf, kinds).out)
    result = run("btf", "check", "--btf-base", btf, "--against", path, kinds)
    assert result.status == 0 and "elsewhere" not in result.out, result.out


@pytest.mark.parametrize("args", [("gcc", "-m32"), ("clang", "--target=powerpc64-linux-gnu"),
                                  ("clang", "--target=mips-linux-gnu")])
def test_files_of_other_machines_get_the_section(run, tmp_path, args):
    (tmp_path / "a.c").write_text(PROGRAM)
    building.command(*args, "-g", "-O2", "-c", "a.c", "-o", "a", cwd=tmp_path)
    big = building.command("readelf", "-h", tmp_path / "a").count("big endian")
    types, others = (functions(run, tmp_path / "a", order=order) for order in ("<>", "><")[big])
    (tmp_path / "types").write_bytes(types.section())
    (tmp_path / "others").write_bytes(others.section())
    result = run("btf", "encode", "--btf", tmp_path / "others", "--missing=extend", "--into", "-O",
                 tmp_path / "b", tmp_path / "a")
    assert result.status == 2 and not (tmp_path / "b").exists()
    assert "the byte order of the types differs from that of the file" in result.err
    args = "btf", "encode", "--btf", tmp_path / "types"
    assert run(*args, "--into", "-O", tmp_path / "b", tmp_path / "a").status == 0
    assert run(*args, "-O", tmp_path / "raw", tmp_path / "a").status == 0
    assert "arning" not in building.command("readelf", "-SW", tmp_path / "b")
    building.command("llvm-objcopy", f"--dump-section=.BTF.inline={tmp_path / 'dumped'}",
                     tmp_path / "b", tmp_path / "c")
    assert (tmp_path / "dumped").read_bytes() == (tmp_path / "raw").read_bytes()
    assert (tmp_path / "raw").read_bytes()[0] == (0xeb if big else 0x9f)
    status, counts = checked(run, tmp_path / "a", tmp_path / "types", tmp_path / "raw")
    assert status == 0 and counts["calls are in both"] == len(sites(run, tmp_path / "a"))


@pytest.mark.skipif(not shutil.which("pahole"), reason="no pahole")
def test_the_types_of_pahole_are_enough(run, built, tmp_path):
    shutil.copy(built, tmp_path / "a")
    building.command("pahole", "-J", "a", cwd=tmp_path)
    result = run("btf", "encode", "--into", "-O", tmp_path / "b", tmp_path / "a")
    # It leaves out functions without a symbol: all that were inlined.
    assert result.status == 1 and "the callee is not in BTF" in result.out


@pytest.mark.parametrize("args, complaint", [
    (("encode", "a"), "btf encode requires --output=OUT"),
    (("encode", "--output=b"), "no FILE given"),
    (("encode", "--raw", "-O", "b", "a"), "btf encode does not take --raw"),
    (("encode", "--missing=all", "-O", "b", "a"), "--missing must be skip, zero or extend, not 'all'"),
    (("convert", "a"), "btf convert requires --output=OUT"),
    (("convert", "-O", "b", "--into", "a"), "btf convert does not take options of btf encode"),
    (("encode", "-O", "b", "--symbols-of=a", "a"), "btf encode does not take --symbols-of"),
    (("encode", "--missing=extend", "-O", "b", "a"),
     "--missing=extend requires --into, --btf-output for the types, or --format=loc"),
    (("encode", "--btf-output=c", "-O", "b", "a"), "--btf-output requires --missing=extend"),
    (("encode", "--missing=extend", "--btf-output=c", "--into", "-O", "b", "a"),
     "--btf-output cannot be used with --into"),
    (("encode", "--format=xml", "-O", "b", "a"), "--format must be rfc or loc, not 'xml'"),
    (("dump", "-O", "b", "a"), "btf dump does not take options of btf encode"),
    (("check", "--into", "a"), "btf check does not take options of btf encode"),
    (("check", "-j1", "a"), "btf check does not read DWARF without --against"),
    (("dump", "-j1", "a"), "btf dump does not read DWARF"),
    (("dump", "--against=b", "a"), "btf dump does not take --against"),
])
def test_wrong_arguments_are_said_to_be_so(run, args, complaint):
    result = run("btf", *args)
    assert result.status == 64 and complaint in result.err


@pytest.fixture
def archive(built, types, tmp_path):
    """An archive with the program, which has a .BTF; and the name of that member."""
    shutil.copy(built, tmp_path / "member")
    building.command("objcopy", "--add-section", f".BTF={types}", tmp_path / "member")
    building.command("ar", "rc", tmp_path / "lib.a", tmp_path / "member")
    return f"{tmp_path / 'lib.a'}(member)"


def test_every_file_can_be_the_member_of_an_archive(run, built, types, archive, tmp_path):
    one, two = tmp_path / "one", tmp_path / "two"
    assert run("btf", "encode", "--into", "-O", one, archive).status == 0
    building.command("ar", "rc", tmp_path / "tables.a", one)
    table = f"{tmp_path / 'tables.a'}(one)"
    wanted = [{**row, "file": None} for row in rows(run, one)]
    assert [{**row, "file": None} for row in rows(run, table)] == wanted and wanted
    result = run("btf", "check", "--against", archive, "--btf", archive, table)
    assert result.status == 0 and f"{len(wanted)}\tcalls are in both\n" in result.out
    result = run("btf", "convert", "--format=loc", "--symbols-of", archive, "-O", two, table)
    assert (result.status, result.err) == (0, "")
    assert len(rows(run, "--btf", types, two)) == len(wanted)
    result = run("btf", "dump", f"{tmp_path / 'lib.a'}(other)")
    assert result.status == 2 and "other" in result.err


TALLY = ["type", "file", "of", "what", "count", "first", "second", "third"]


def tallies(result):
    """The rows; they say what the text says."""
    found = [json.loads(line) for line in result.out.splitlines()]
    assert all(list(row) == TALLY and row["type"] == "tally" for row in found)
    return found


def text_of(row):
    places = [row[key] for key in ("first", "second", "third") if row[key]]
    more = " ..." if places and row["count"] > 3 else ""
    return f"{row['count']}\t{row['what']}" + (f"\tat {' '.join(places)}{more}" if places else "")


def test_summaries_are_json_too(run, built, types, tmp_path):
    encode = "btf", "encode", "--btf", types, "-O", tmp_path / "out"
    convert = ("btf", "convert", "--btf", types, "--symbols-of", built, "--format=loc", "-O",
               tmp_path / "two", tmp_path / "out")
    check = "btf", "check", "--btf", types, "--against", built, tmp_path / "out"
    for command, of in (((*encode, built), {"call", "parameter"}), (convert, {"call", "parameter"}),
                        (check, {"call", "parameter"})):
        found = tallies(run(*command, "--json"))
        assert [text_of(row) for row in found] == run(*command).out.splitlines()
        assert {row["of"] for row in found} == of
        table = run(*command, "--csv").out.splitlines()
        assert table[0] == ",".join(TALLY) and len(table) == len(found) + 1
    found = tallies(run(*encode[:4], "-O", tmp_path / "out", "--missing=extend", "--btf-output",
                        tmp_path / "more", "--json", built))
    assert found[0]["what"] == "inlined calls" and found[0]["file"] == str(built)


def test_faults_and_differences_have_their_places_in_json(run, built, types, tmp_path):
    run("btf", "encode", "--btf", types, "-O", tmp_path / "out", built)
    table = Table(tmp_path / "out")
    table.calls = [(99, *call[1:]) for call in table.calls]
    table.write(tmp_path / "changed")
    command = "btf", "check", "--btf", types, "--against", built, tmp_path / "changed"
    result = run(*command, "--json")
    found = tallies(result)
    assert result.status == 1 and found[0]["of"] == "fault" and found[0]["first"] == "0x18"
    assert [text_of(row) for row in found] == run(*command).out.splitlines()
    (missing,) = [row for row in found if row["what"] == "calls are missing"]
    assert missing["of"] == "call" and missing["count"] == len(sites(run, built))


def test_types_that_are_split_on_others_need_them(run, tmp_path):
    """As those of a kernel's module: what they are split on is named, or in .BTF.base."""
    (tmp_path / "a.c").write_text("volatile int sink;\n"
                                  "static inline __attribute__((always_inline)) void leaf(int n) { sink = n; }\n"
                                  "void host(int n) { leaf(n); }\n")
    path = tmp_path / "a.o"
    building.command("gcc", "-g", "-O2", "-c", tmp_path / "a.c", "-o", path)
    base, split = Types(), Types()
    integer = base.integer("int", 4, True)
    split.strings, before = b"", len(base.strings)
    proto = split.words(0, 13 << 24 | 1, 0, before, integer)
    split.strings = b"n\0leaf\0host\0"
    split.types = (proto + split.words(before + 2, 12 << 24, integer + 1) +
                   split.words(before + 7, 12 << 24, integer + 1))
    (tmp_path / "base").write_bytes(base.section())
    (tmp_path / "split").write_bytes(split.section())
    building.command("objcopy", "--add-section", f".BTF={tmp_path / 'split'}", path)
    for more in ((), ("--missing=extend", "--btf-output", tmp_path / "types")):
        result = run("btf", "encode", *more, "-O", tmp_path / "out", path)
        assert result.status == 2 and "split BTF" in result.err and "--btf-base" in result.err
        assert not (tmp_path / "out").exists() and not (tmp_path / "types").exists()
    assert "split BTF" in run("btf", "dump", "--btf", tmp_path / "split", tmp_path / "split").err
    result = run("btf", "encode", "--btf-base", tmp_path / "base", "-O", tmp_path / "named", path)
    assert (result.status, result.err) == (0, "")
    building.command("objcopy", "--add-section", f".BTF.base={tmp_path / 'base'}", path)
    result = run("btf", "encode", "-O", tmp_path / "own", path)
    assert (result.status, result.err) == (0, "")
    assert (tmp_path / "own").read_bytes() == (tmp_path / "named").read_bytes()
    assert "leaf(" in run("btf", "dump", "--btf", path, tmp_path / "own").out
    (tmp_path / "damaged").write_bytes(base.section()[:-3])
    building.command("objcopy", "--update-section", f".BTF.base={tmp_path / 'damaged'}", path)
    result = run("btf", "encode", "-O", tmp_path / "none", path)
    assert result.status == 2 and ".BTF.base: " in result.err
