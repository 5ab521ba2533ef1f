"""inlinecall why: what became of a function, in programs that compilers and linkers make."""

import json
import re
import shutil

import pytest

import building

SOURCE = """\
#include <string.h>
int puts(const char *text);
int assembly(int value);
int without_g(int value, long more);
volatile int sink;
char from[64], to[64];

static inline __attribute__((always_inline)) int fully(int value) { return value * 3 + sink; }
int partly(int value) { sink += value; return value + 1; }
int inlined_only(int value) { sink -= value; return value + 2; }
__attribute__((noinline)) int never(int value) { return value ^ sink; }
static __attribute__((noinline)) int clone(int value, int by)
{
	for (int i = 0; i < by; i++)
		sink += value;
	return sink;
}
int left_out(int value) { return value - sink; }
int alias(int value) __attribute__((alias("never")));
__attribute__((noinline, section(".text.a"))) int same_a(int value) { sink = value; return 7; }
__attribute__((noinline, section(".text.b"))) int same_b(int value) { sink = value; return 7; }
static int one_of_them(int value) { return value + sink; }
static void *choose(void) { return one_of_them; }
int chosen(int value) __attribute__((ifunc("choose")));
__attribute__((weak)) int overridden(int value) { return value + 100 + sink; }
static __attribute__((noinline)) int ours(int value) { return value * sink; }
int call_theirs(int value);
int (*volatile pointer)(int) = partly;

int main(int argc, char **argv)
{
	puts(argv[0]);
	puts("again");
	memcpy(to, from, 8);
	return fully(argc) + partly(argc) + partly(sink) + never(argc) + clone(argc, 4) +
	       clone(sink, 4) + pointer(argc) + inlined_only(argc) + assembly(argc) +
	       same_a(argc) + same_b(argc) + chosen(argc) + overridden(argc) +
	       without_g(argc, 2) + ours(argc) + call_theirs(argc);
}
"""
OTHER = """\
extern volatile int sink;
int overridden(int value) { return value + 200 + sink; }
static __attribute__((noinline)) int ours(int value) { return value / sink; }
int call_theirs(int value) { return ours(value) + 1; }
"""
WITHOUT_G = "int without_g(int value, long more) { return value + (int)more; }\n"
ASSEMBLY = ".globl assembly\n.type assembly, @function\nassembly: ret\n.size assembly, .-assembly\n" \
           ".section .note.GNU-stack,\"\",@progbits\n"
OPTIONS = ("-g", "-O2", "-fno-ipa-icf", "-ffunction-sections", "-no-pie", "-fno-pie")
OBJECTS = ("why.o", "other.o", "without.o", "assembly.o")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    folder = tmp_path_factory.mktemp("why")
    (folder / "why.c").write_text(SOURCE)
    (folder / "other.c").write_text(OTHER)
    (folder / "without.c").write_text(WITHOUT_G)
    (folder / "assembly.s").write_text(ASSEMBLY)
    for source, options in (("why.c", OPTIONS), ("other.c", OPTIONS), ("without.c", ("-O2",)),
                            ("assembly.s", ())):
        building.command("gcc", *options, "-c", source, cwd=folder)
    building.command("gcc", *OPTIONS, "-Wl,--gc-sections", *OBJECTS, "-o", "why", cwd=folder)
    return folder


def verdicts(run, path, name, *options):
    result = run("why", "--json", *options, name, path)
    assert result.status == 0
    assert all(re.search("calls are missing|calls may be|fewer calls", line)
               for line in result.err.splitlines())
    return [json.loads(line) for line in result.out.splitlines()]


def verdict(run, path, name, *options):
    row, = verdicts(run, path, name, *options)
    return row


def symbols_of(path):
    lines = building.command("nm", path).splitlines()
    return [(words[2], int(words[0], 16)) for words in map(str.split, lines) if len(words) == 3]


@pytest.mark.parametrize("name, wanted, inlined", [
    ("fully", "fully", "fully"), ("partly", "partly", "partly"), ("never", "never", "never"),
    ("clone", "never", "never"), ("left_out", "left_out", None), ("alias", "alias", None),
    ("puts", "declared", None), ("assembly", "symbol_only", None), ("main", "never", "never"),
    ("without_g", "symbol_only", None), ("inlined_only", "fully", "fully"),
    ("chosen", "resolver", None), ("choose", "never", "never"), ("call_theirs", "never", "never"),
])
def test_a_function_has_its_verdict(run, folder, name, wanted, inlined):
    row = verdict(run, folder / "why", name)
    assert (row["type"], row["function"], row["verdict"], row["inlined"]) == (
        "verdict", name, wanted, inlined)


@pytest.mark.parametrize("name", ["c", "clang", "c++", "object", "templates", "lto"])
def test_it_agrees_with_statistics_and_counts(run, elf, name):
    keys = ("function", "linkage_name", "decl_line", "inlined", "copies", "without_code",
            "callers", "bytes")

    def numbers(rows):
        return {tuple(row[key] for key in keys) for row in rows}
    _, *groups = [json.loads(line) for line in
                  run("stats", "--json", elf(name)).out.splitlines()]
    named = {group["function"] for group in groups if group["function"]}
    named |= {symbol for symbol, _ in symbols_of(elf(name)) if symbol in ("main", "outside")}
    assert named
    for function in named:
        every = [json.loads(line) for line in run("stats", "--json", f"--function={function}",
                                                  elf(name)).out.splitlines()][1:]
        described = [row for row in verdicts(run, elf(name), function)
                     if row["inlined"] and row["verdict"] not in ("alias", "symbol_only")]
        assert numbers(described) == numbers(row for row in every if row["inlined"])


def test_the_places_to_probe_are_the_entries_of_the_copies(run, folder):
    row = verdict(run, folder / "why", "partly")
    sites = [json.loads(line) for line in
             run("--json", "-p", "partly", folder / "why").out.splitlines()]
    assert [(place["address"], place["symbol"], place["offset"], place["call_line"],
             place["params"]) for place in row["entries"]] == [
        (site["entry"], site["entry_symbol"], site["entry_offset"], site["call_line"],
         site["params"]) for site in sites] != []
    assert row["entered"] == len(sites)
    count, = [json.loads(line) for line in
              run("--count", "--json", "partly", folder / "why").out.splitlines()]
    assert (row["copies"], row["bytes"], row["calls"]) == (
        count["inlined"], count["bytes"], count["calls"])


def test_code_is_where_the_symbols_are(run, folder):
    symbols = dict(symbols_of(folder / "why"))
    for name in ("partly", "never", "assembly", "without_g"):
        code, = verdict(run, folder / "why", name)["code"]
        assert (code["symbol"], int(code["address"], 16)) == (name, symbols[name])
        assert code["kind"] == "entry"
        assert code["described"] == (name not in ("assembly", "without_g"))
        assert (code["params"] is not None) == code["described"]
    clones = {code["symbol"] for code in verdict(run, folder / "why", "clone")["code"]}
    assert clones == {symbol for symbol in symbols if symbol.startswith("clone")}


def test_arguments_are_where_the_calling_convention_has_them(run, folder):
    code, = verdict(run, folder / "why", "partly")["code"]
    parameter, = code["params"]
    assert (parameter["name"], parameter["location"]["text"]) == ("value", "%rdi")
    assert "\tpartly\n\t\tvalue=%rdi\n" in run("why", "partly", folder / "why").out


def test_a_clone_is_one_and_may_be_asked_for_by_its_symbol(run, folder):
    row = verdict(run, folder / "why", "clone")
    if row["code"][0]["symbol"] == "clone":
        pytest.skip("this compiler makes no clone of it")
    assert row["code"][0]["kind"] == "clone"
    assert verdict(run, folder / "why", row["code"][0]["symbol"]) == row


def test_an_alias_names_the_function_and_the_function_the_alias(run, folder):
    assert [other["name"] for other in verdict(run, folder / "why", "alias")["others"]] == ["never"]
    assert [other["name"] for other in verdict(run, folder / "why", "never")["others"]] == ["alias"]
    assert ("  This code is also named alias(): a probe there sees these calls too.\n" in
            run("why", "never", folder / "why").out)


def test_an_indirect_function_is_not_called_where_its_symbol_is(run, folder):
    place, = verdict(run, folder / "why", "chosen")["code"]
    assert (place["kind"], place["described"]) == ("choosing", False)
    assert verdict(run, folder / "why", "choose")["others"] == []
    assert "  This code is not reached by calls:\n" in run("why", "chosen", folder / "why").out


def test_code_that_the_linker_left_out_is_none(run, folder):
    assert verdict(run, folder / "why", "inlined_only")["left_out"] == 1
    assert "  Its own code is described, but is not in this file.\n" in run(
        "why", "inlined_only", folder / "why").out
    assert verdict(run, folder / "why.o", "inlined_only")["verdict"] == "partly"
    assert "  There is nothing to probe in this file.\n" in run("why", "left_out",
                                                               folder / "why").out


def test_an_overridden_definition_sees_no_call(run, folder):
    building.command("gcc", *OPTIONS, *OBJECTS, "-o", "all", cwd=folder)  # with the weak one's code
    weak, strong = sorted(verdicts(run, folder / "all", "overridden"),
                          key=lambda row: row["code"][0]["kind"])
    assert (weak["decl_file"][-5:], weak["code"][0]["kind"], weak["code"][0]["symbol"]) == (
        "why.c", "bypassed", None)
    assert (strong["decl_file"][-7:], strong["code"][0]["symbol"]) == ("other.c", "overridden")
    assert "\tits symbol is elsewhere\n" in run("why", "overridden", folder / "all").out


@pytest.mark.parametrize("linker", ["gold", "lld"])
def test_folded_functions_name_each_other(run, folder, linker):
    if not shutil.which(f"ld.{linker}"):
        pytest.skip(f"no {linker}")
    building.command("gcc", *OPTIONS, f"-fuse-ld={linker}", "-Wl,--icf=all", *OBJECTS, "-o",
                     f"why-{linker}", cwd=folder)
    rows = {name: verdict(run, folder / f"why-{linker}", name) for name in ("same_a", "same_b")}
    for name, row in rows.items():
        other, = set(rows) - {name}
        assert row["verdict"] in ("never", "alias") and row["code"][0]["symbol"] == name
        assert [found["name"] for found in row["others"]] == [other]
    assert rows["same_a"]["code"][0]["address"] == rows["same_b"]["code"][0]["address"]


def test_calls_lead_to_another_file(run, folder):
    assert verdict(run, folder / "why", "puts")["calls"] == 2
    assert "  2 calls to it are known; to probe it, find the file that defines it.\n" in run(
        "why", "puts", folder / "why").out


def test_addresses_of_an_object_are_offsets_in_its_sections(run, folder):
    row = verdict(run, folder / "why.o", "partly")
    assert (row["code"][0]["section"], row["code"][0]["address"]) == (".text.partly", "0x0")
    assert {place["section"] for place in row["entries"]} == {".text.startup.main"}
    assert "\t.text.partly+0x0\tpartly\n" in run("why", "partly", folder / "why.o").out


def test_static_functions_of_one_name_are_two_and_their_symbols_ambiguous(run, folder):
    rows = verdicts(run, folder / "why", "ours")
    places = [place for row in rows for place in row["code"]]
    assert [row["verdict"] for row in rows] == ["never", "never"]
    assert {row["decl_file"].rsplit("/", 1)[1] for row in rows} == {"why.c", "other.c"}
    assert all(place["ambiguous"] and place["symbol"] == "ours" for place in places)
    assert "\tsymbol name is not unique\n" in run("why", "ours", folder / "why").out


SPLIT = """\
volatile int sink;
__attribute__((noinline)) static int heavy(int value) { sink = value; return sink * value; }
__attribute__((noinline)) int parted(int *value)
{
	if (!value)
		return 0;
	for (int i = 0; i < *value; i++)
		sink += heavy(i) + heavy(sink) + heavy(i + 3) / (sink + 1);
	return heavy(sink);
}
int one(int *value) { return parted(value) + 1; }
int two(int *value) { return parted(value) + 2; }
int main(int argc, char **argv) { (void)argv; return one(&argc) + two(&argc) + parted(0); }
"""


def test_a_part_is_no_place_where_calls_arrive(run, tmp_path):
    (tmp_path / "split.c").write_text(SPLIT.replace("__attribute__((noinline)) int parted",
                                                    "static int parted"))
    building.command("gcc", "-g", "-O2", "--param=max-inline-insns-auto=4", "-fpartial-inlining",
                     "split.c", "-o", "split", cwd=tmp_path)
    row = verdict(run, tmp_path / "split", "parted")
    parts = [place for place in row["code"] if ".part." in (place["symbol"] or "")]
    if not parts:
        pytest.skip("this compiler does not split it")
    assert {place["kind"] for place in parts} == {"part"}
    assert row["calls"] == 0  # those of the part are no calls of it
    assert "\ta part that is not called\n" in run("why", "parted", tmp_path / "split").out


CLASSES = """\
volatile int sink;
namespace ns {
struct Thing {
	int value;
	__attribute__((noinline)) Thing(int x);
	__attribute__((noinline)) ~Thing();
	int unused(int x) const;
};
Thing::Thing(int x) : value(x) { sink = x; }
Thing::~Thing() { sink = 0; }
}
static __attribute__((noinline)) int local(int x) { return x * sink; }
int main(int argc, char **) { ns::Thing thing(argc); return thing.value + local(argc); }
"""


@pytest.mark.parametrize("compiler", ["g++", "clang++"])
def test_symbols_of_one_function_in_the_source_are_its_own(run, tmp_path, compiler):
    building.need(compiler)
    (tmp_path / "a.cpp").write_text(CLASSES)
    building.command(compiler, "-g", "-O2", "a.cpp", "-o", "a", cwd=tmp_path)
    for name in ("local", "ns::Thing::Thing", "~Thing"):
        rows = [row for row in verdicts(run, tmp_path / "a", name)
                if "KS0_" not in (row["linkage_name"] or "")]  # the one that copies
        assert [(row["verdict"], row["others"]) for row in rows] == [("never", [])]
    for symbol in ("_ZL5locali", "_ZN2ns5ThingC1Ei", "_ZN2ns5ThingC2Ei"):
        row = verdict(run, tmp_path / "a", symbol)
        assert (row["verdict"], row["code"][0]["described"]) == ("never", True)
    assert verdict(run, tmp_path / "a", "ns::Thing::unused")["verdict"] == "unused"


def test_a_function_of_a_header_has_one_piece_of_code(run, tmp_path):
    (tmp_path / "a.h").write_text("extern volatile int sink;\ninline __attribute__((noinline))"
                                  " int shared(int x) { return x * sink; }\n")
    header = '#include "a.h"\n'
    (tmp_path / "a.cpp").write_text(f"{header}volatile int sink;\nint other(int);\n"
                                    "int main(int argc, char **) { return shared(argc) + other(argc); }\n")
    (tmp_path / "b.cpp").write_text(f"{header}int other(int x) {{ return shared(x); }}\n")
    building.command("g++", "-g", "-O2", "a.cpp", "b.cpp", "-o", "a", cwd=tmp_path)
    codes = [place["address"] for row in verdicts(run, tmp_path / "a", "shared")
             for place in row["code"]]
    assert len(codes) == len(set(codes)) == 1


def test_many_copies_are_counted_and_the_first_ones_listed(run, tmp_path):
    calls = "".join(f"int f{i}(int x) {{ return copied(x + {i}) * 3; }}\n" for i in range(20))
    (tmp_path / "a.c").write_text("volatile int sink;\nstatic inline __attribute__((always_inline))"
                                  f" int copied(int x) {{ return x * sink; }}\n{calls}")
    building.command("gcc", "-g", "-O2", "-c", "a.c", cwd=tmp_path)
    row = verdict(run, tmp_path / "a.o", "copied")
    assert (row["copies"], row["callers"], row["entered"], len(row["entries"])) == (20, 20, 20, 5)
    text = run("why", "copied", tmp_path / "a.o").out
    assert ("  Probe here for the inlined copies, and at 15 more places, which 'inlinecall sites -e'"
            " lists:\n") in text
    assert len(text.splitlines()) <= 15


def test_of_a_damaged_file_only_what_is_certain_is_told(run, folder, tmp_path):
    shutil.copy(folder / "why", tmp_path / "why")
    # A unit whose abbreviations are elsewhere: its functions are not known.
    header = building.command("readelf", "--debug-dump=info", tmp_path / "why")
    unit = [int(offset, 16) for offset in re.findall(r"Compilation Unit @ offset (?:0x)?(\w+):",
                                                     header)][1]
    section = re.search(r"\.debug_info\s+PROGBITS\s+\w+\s+(\w+)",
                        building.command("readelf", "-SW", tmp_path / "why"))
    data = bytearray((tmp_path / "why").read_bytes())
    at = int(section.group(1), 16) + unit + 8
    data[at:at + 4] = (0x7ffffff0).to_bytes(4, "little")
    (tmp_path / "why").write_bytes(data)
    result = run("why", "never", tmp_path / "why")
    assert (result.status, result.out) == (2, "")
    assert "no verdict: part of the file could not be read" in result.err
    result = run("why", "partly", tmp_path / "why")
    assert result.status == 2 and ": partly inlined\n" in result.out
    assert "there may be more copies, calls and code" in result.err


def test_what_has_no_name_is_explained(run, folder):
    result = run("why", "nevr", folder / "why")
    assert (result.status, result.out) == (1, "")
    assert "no function named 'nevr'; similar name" in result.err


def test_a_table_has_a_line_for_each_function(run, folder):
    lines = run("why", "--csv", "--function=partly", "--function=never",
                folder / "why").out.splitlines()
    assert [line.split(",")[6] for line in lines] == ["verdict", "partly", "never"]


def test_options_of_other_commands_are_refused(run, folder):
    assert run("why", "-g", "p*", folder / "why").status == 64
    assert run("why", folder / "why").status == 64
