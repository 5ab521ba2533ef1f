"""Tables of inlined calls that answer in place of DWARF."""

import json
import platform
import shutil

import pytest

import btf_tables
import building
from btf_types import Types

SOURCE = """
#define INLINE static inline __attribute__((always_inline))
INLINE long leaf(long count) { return count * 3 + 1; }
INLINE long mid(long value, long factor) { return leaf(value) * factor; }
__attribute__((noinline)) long top(long a, long b) { return mid(a, 7) / (mid(b, a) | 1); }
__attribute__((noinline)) long other(long a) { return a > 100 ? top(a, a) : leaf(a + 5); }
int main(int argc, char **argv) { (void)argv; return (int)(top(argc, 2) + other(argc)); }
"""


def rows(result):
    return [json.loads(line) for line in result.out.splitlines()]


def add_table(folder, types, table, program="bare", to="table"):
    (folder / "types").write_bytes(types)
    (folder / "inline").write_bytes(table)
    building.command("objcopy", "--add-section", ".BTF=types", "--add-section",
                     ".BTF.inline=inline", program, to, cwd=folder)
    return folder / to


@pytest.fixture(scope="module")
def files(run, tmp_path_factory):
    """dwarf; bare, the same without; table, which has a table of what is inlined in dwarf."""
    building.need("objcopy")
    if platform.machine() != "x86_64":
        pytest.skip("registers are those of x86-64")
    folder = tmp_path_factory.mktemp("tables")
    (folder / "a.c").write_text(SOURCE)
    building.command("gcc", "-O2", "-g", "-Wl,--build-id=none", "a.c", "-o", "dwarf", cwd=folder)
    building.command("objcopy", "--strip-debug", "dwarf", "bare", cwd=folder)
    sites = rows(run("sites", "-a", "-p", "--json", folder / "dwarf"))
    hosts = [rows(run("sites", "-o", "-p", "--json", host, folder / "dwarf"))
             for host in sorted({row["host"] for row in sites})]
    (folder / "types").write_bytes(btf_tables.types_of(sum(hosts, sites)))
    result = run("btf", "encode", "--btf", folder / "types", folder / "dwarf", "-O",
                 folder / "inline")
    assert result.status == 0, result.err
    add_table(folder, (folder / "types").read_bytes(), (folder / "inline").read_bytes())
    return folder


def key(row):
    # Tables do not say why something is not available.
    params = [(param["name"], param["location"]["text"].split(" (")[0])
              for param in row["params"]]
    return row["function"], row["entry"], row["host"], row["entry_symbol"], params


def test_sites_are_those_of_the_dwarf(run, files):
    args = "sites", "-a", "-p", "--json"
    result = run(*args, files / "table")
    assert result.status == 0
    assert result.err == (f"inlinecall: {files}/table: no DWARF; its .BTF.inline has no call "
                          "lines, ranges or chains\n")
    wanted = rows(run(*args, files / "dwarf"))
    assert sorted(map(key, rows(result))) == sorted(map(key, wanted))
    for row in rows(result):
        assert row["ranges"] is None and row["chain"] is None and row["call_line"] is None
        assert all(param["type"] == "long" and param["encoding"] == "integer"
                   for param in row["params"])


def test_text_says_what_is_not_known(run, files):
    result = run("sites", "-p", "leaf", files / "table")
    assert result.headings == ["??:0"]
    entries = sorted(row["entry"] for row in rows(run("--json", "leaf", files / "dwarf")))
    sites = [site for site in result.sites if site[0].startswith("[")]
    assert sorted(site[0] for site in sites) == [f"[{entry} - ?]" for entry in entries]
    assert {site[1] for site in sites} == {"??:0"}
    assert "\t\tcount=%rdi+5" in result.out.splitlines()
    assert run("-e", "leaf", files / "table").out.count("other+0x") == 1
    lines = run("--csv", "leaf", files / "table").out.splitlines()
    assert len(lines) == 1 + len(entries) and ",,,," in lines[1]


def test_a_table_beside_a_file_is_only_read_on_request(run, files):
    table = "--btf-inline", files / "inline", "--btf", files / "types"
    result = run("--json", "leaf", *table, files / "bare")
    assert (result.status, result.err) == (0, "")
    assert rows(result)[0]["ranges"] is None
    assert rows(run("--json", "leaf", *table, files / "dwarf"))[0]["ranges"] is None
    both = files / "both"
    building.command("objcopy", "--add-section", ".BTF=types", "--add-section",
                     ".BTF.inline=inline", "dwarf", both, cwd=files)
    assert rows(run("--json", "leaf", both))[0]["ranges"]
    result = run("--json", "leaf", "--btf-inline", files / "inline", both)
    assert result.status == 0 and rows(result)[0]["ranges"] is None
    result = run("leaf", "--btf-inline", files / "inline", files / "bare")
    assert result.status == 2 and "use --btf to name a file that has it" in result.err
    assert run("leaf", *table, files / "bare", files / "bare").status == 64


def test_without_a_table_the_message_is_what_it_was(run, files):
    result = run("leaf", files / "bare")
    assert result.status == 2 and "no .debug_info" in result.err
    building.command("objcopy", "--add-section", ".BTF=types", "bare", "types-only", cwd=files)
    result = run("leaf", files / "types-only")
    assert result.status == 2 and "no .debug_info" in result.err


def test_counts_have_no_bytes(run, files):
    result = run("--count", "-a", files / "table")
    wanted = run("--count", "-a", "--json", files / "dwarf")
    counts = {row["function"]: row["inlined"] for row in rows(wanted)}
    lines = [line.split("\t") for line in result.out.splitlines()[1:]]
    assert {line[4]: int(line[0]) for line in lines} == {f"{name}()": count
                                                        for name, count in counts.items()}
    assert {line[3].strip() for line in lines} == {"?"}
    row = rows(run("--count", "--json", "leaf", files / "table"))[0]
    assert (row["bytes"], row["calls"], row["without_code"]) == (None, None, None)


UNSAID = ("decl_file", "decl_line", "without_code", "self_bytes", "bytes", "out_of_line",
          "out_of_line_bytes")


@pytest.mark.parametrize("by", ["function", "caller"])
def test_statistics_have_what_a_table_says(run, files, by):
    args = "stats", "--json", "--by", by
    wanted = rows(run(*args, files / "dwarf"))
    result = run(*args, files / "table")
    assert result.status == 0
    assert wanted[0].pop("never") == rows(result)[0]["never"] + 1  # BTF has no main
    assert all(row[key] is None for row in rows(result) for key in UNSAID)
    names = {row["function"] for row in wanted}
    plain = [{key: value for key, value in row.items() if key not in (*UNSAID, "file")}
             for row in (*rows(result), *wanted)]
    del plain[0]["never"]
    plain = [json.dumps(row) for row in plain]
    assert sorted(plain[:len(wanted)]) == sorted(plain[len(wanted):])
    assert {"leaf", "mid"} < names if by == "function" else {"top", "other"} < names


def test_statistics_of_a_table_as_text_say_what_is_not_known(run, files):
    lines = run("stats", files / "table").out.splitlines()
    wanted = run("stats", files / "dwarf").out.splitlines()
    assert (lines[0], lines[3]) == (wanted[0], wanted[3])
    assert lines[2] == "functions\t2 never inlined, 0 partly, 2 fully"
    code = int(wanted[1].split()[4].rstrip(","))
    assert lines[1] == f"code\t? bytes of {code}"
    assert all(line.split("\t")[1:3] == ["      ?", "      ?"] for line in lines[4:])
    assert lines[4].endswith("\tfully\tleaf()\t??")
    both = run("stats", files / "table", files / "dwarf").out.splitlines()
    assert "code\t? bytes of" in "\n".join(both[both.index("total:"):])


def test_arguments_of_a_table_are_counted_by_its_locations(run, files):
    args = "stats", "-p", "--json"
    found = {(row["by"], row["name"]): row["arguments"] for row in rows(run(*args, files / "table"))}
    places = [param["location"] for row in rows(run("-a", "-p", "--json", files / "table"))
              for param in row["params"]]
    unavailable = sum(place["kind"] == "unavailable" for place in places)
    sums = sum(place["text"].count("+") for place in places)
    constants = sum(place["kind"] == "constant" for place in places)
    assert found["all", None] == len(places) and sums > 0 and constants > 0
    assert found.get(("shape", "unavailable"), 0) == found["category", "empty"] == unavailable
    assert found["shape", "number"] == found["category", "literal"] == constants
    assert found["shape", "register value"] == sums
    # Of DWARF it is known why.
    assert "unavailable" not in run(*args, files / "dwarf").out


def test_what_statistics_of_a_table_cannot_have_is_said(run, files):
    for option in ("--by=file", "--by=unit"):
        result = run("stats", option, files / "table")
        assert (result.status, result.out) == (2, "")
        assert "has neither source files nor units" in result.err
    for option in ("--sort=self", "--sort=bytes"):
        result = run("stats", option, files / "table")
        assert result.status == 2 and "does not contain the sizes of copies" in result.err
    result = run("stats", "-f", "a.c", files / "table")
    assert result.status == 2 and "so -f counts none" in result.err
    result = run("stats", "--function=mid", "--in=other", files / "table")
    assert result.status == 1
    assert "mid: not in the table of inlined calls into matching functions" in result.err


def test_what_a_table_cannot_have_is_said(run, files):
    result = run("-c", "leaf", files / "table")
    assert result.status == 2 and "so -c lists none" in result.err
    result = run("-f", "a.c", "leaf", files / "table")
    assert result.status == 2 and "so -f lists none" in result.err
    result = run("top", files / "table")
    assert result.status == 1
    assert "not in the table of inlined calls; -o lists its out-of-line code" in result.err
    result = run("toq", files / "table")
    assert result.status == 1
    assert "no function in BTF (which may lack inlined functions) named 'toq'; " \
           "similar name: top" in result.err
    result = run("-o", "top", files / "table")
    copy = rows(run("-o", "--json", "top", files / "table"))[0]
    wanted = rows(run("-o", "--json", "top", files / "dwarf"))[0]
    assert result.status == 0 and copy["ranges"] == wanted["ranges"]


def test_an_entry_is_in_the_copy_and_other_addresses_are_said_to_be_unsure(run, files):
    row = rows(run("--json", "--in", "other", "leaf", files / "dwarf"))[0]
    entry = int(row["entry"], 16)
    result = run("addr", files / "table", row["entry"], hex(entry + 1))
    assert result.status == 2
    assert result.out == (f"{row['entry']}\tleaf()\t??:0\tinlined\n\tother()\t??:0\n"
                          f"{hex(entry + 1)}\tother()\t??:0\n")
    assert "has the entries of copies, not their ranges" in result.err
    result = run("addr", "-p", files / "table", row["entry"])
    assert result.out.splitlines()[1] == "\t\tcount=%rdi+5"
    result = run("addr", "--btf-inline", files / "inline", "--btf", files / "types",
                 files / "dwarf", row["entry"])
    assert result.out.startswith(f"{row['entry']}\tleaf()\t??:0\tinlined\n")
    assert run("addr", "--filter", "--btf-inline", files / "inline", files / "bare").status == 64


def test_static_functions_of_one_name_have_no_address(run, files, tmp_path):
    shutil.copy(files / "bare", tmp_path)
    types = Types()
    proto = types.add(None, 13, 0, 0)
    leaf, caller = types.add("leaf", 12, 0, proto), types.add("nowhere", 12, 0, proto)
    table = add_table(tmp_path, types.section(), btf_tables.table([(leaf, caller, 4, ())]))
    result = run("--json", "leaf", table)
    assert result.status == 2
    assert ".BTF.inline+0x18: calls without an address: no symbol has the name of their caller, " \
           "for example 'nowhere'; 1 in all" in result.err
    assert [(row["entry"], row["host"]) for row in rows(result)] == [(None, "nowhere")]
    assert [row["copies"] for row in rows(run("stats", "--json", table))] == [1, 1]
    result = run("leaf", table)
    assert result.sites == [("[? - ?]", "??:0", "nowhere()")]
    # That says nothing of other functions.
    result = run("nowhere", table)
    assert result.status == 1
    assert "calls without an address" not in result.err
    assert "not in the table of inlined calls" in result.err


def leaf_types():
    types = Types()
    number = types.integer("long", 8, True)
    return types, types.function("leaf", [("count", number)]), types.function("other", [])


@pytest.mark.parametrize("command", [("sites", "leaf"), ("sites", "-a"), ("stats",)])
def test_a_damaged_call_is_reported(run, files, tmp_path, command):
    shutil.copy(files / "bare", tmp_path)
    types, leaf, other = leaf_types()
    for place, locations, what in ((1, b"\0\x0c\0", "a location cannot be read"),
                                   (1, b"\0\x09\x05\0", None),
                                   (2, b"\0\x09\0\0", "a location begins in the middle of an operator")):
        table = add_table(tmp_path, types.section(),
                          btf_tables.table([(leaf, other, 0, (place,))], locations))
        result = run(*command, "-p", table)
        assert result.status == (2 if what else 0), result.err
        assert ("calls are damaged, or do not match the BTF types" in result.err) == bool(what)
        assert not what or f"for example '{what}'; 1 in all" in result.err
    table = add_table(tmp_path, types.section(), btf_tables.table([(leaf, other, 0, (9,))]))
    result = run(*command, table)
    assert result.status == 2 and "refer to missing types or locations" in result.err
    table = add_table(tmp_path, types.section(), btf_tables.table([(leaf, other, 0, ())]))
    result = run(*command, table)
    assert result.status == 2 and "a different number of parameters" in result.err


@pytest.mark.parametrize("command", [("sites", "leaf"), ("sites", "-a")])
def test_calls_of_what_btf_does_not_have_are_reported(run, files, tmp_path, command):
    shutil.copy(files / "bare", tmp_path)
    types, leaf, other = leaf_types()
    table = add_table(tmp_path, types.section(),
                      btf_tables.table([(0, other, 0, ()), (leaf, other, 4, (0,))]))
    result = run(*command, table)
    assert result.status == 2
    assert ".BTF.inline+0x18: calls are to functions that are not in BTF; 1 in all" in result.err
    result = run("btf", "check", table)
    assert (result.status, result.out) == (0, "")


@pytest.mark.parametrize("function", ["leaf", "mid"])
def test_calls_are_traced_by_a_table(run, files, function):
    """Also in a program without DWARF, as often and with the same values."""
    def trace(*options, name):
        result = run("trace", "--json", *options, function, files / name, "--", files / name)
        if result.status == 2 and "requires root" in result.err:
            pytest.skip("tracing needs root and BPF")
        return result, [(row["copy"]["entry"], row["copy"]["host"],
                         [(argument["name"], argument["value"]) for argument in row["arguments"]])
                        for row in rows(result)]

    _, wanted = trace(name="dwarf")
    result, calls = trace("--btf-inline", files / "inline", "--btf", files / "types", name="bare")
    assert calls == wanted and len(calls) > 1
    assert "calls may be missing: the function around it is unknown" in result.err
    assert trace(name="table")[1] == wanted
    few = "--where", {"leaf": "count < 3", "mid": "factor == 7"}[function]
    assert trace(*few, name="table")[1] == trace(*few, name="dwarf")[1] != wanted


def test_probes_are_defined_by_a_table(run, files):
    def definitions(name):
        lines = run("probe", "leaf", files / name).out.splitlines()
        return [line.split(" ", 2)[1:] for line in lines if line.startswith("p:")]

    wanted = sorted(words[1:] for words in definitions("dwarf"))
    assert sorted(words[1:] for words in definitions("table")) == wanted and len(wanted) > 1


def test_a_table_has_no_members(run, files):
    for command in ("probe", "trace"):
        result = run(command, "--fields=a", "leaf", files / "table")
        assert "a table of inlined calls does not say where members of arguments are, such as 'a'" in result.err
