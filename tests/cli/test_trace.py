"""Live tracing: the calls that programs print."""

import collections
import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

import building
from kernels import build_kernel

PROGRAM = Path(__file__).resolve().parent / "programs/traced.c"
COLORS = {1: "RED", 2: "GREEN", -4: "BLUE"}


@pytest.fixture(name="traced", scope="module")
def fixture_traced(tmp_path_factory):
    path = tmp_path_factory.mktemp("traced") / "traced"
    building.command("gcc", "-O2", "-g", "-pthread", "-o", path, PROGRAM)
    return path


def of_flags(*short, more=()):
    """Flags of builds; with more of them in long runs."""
    return pytest.mark.parametrize("flags", [
        *short, *(pytest.param(flags, marks=pytest.mark.long) for flags in more)])


@of_flags("gcc -O2 -flto", "clang -O2", "gcc -O2 -m32", more=["gcc -O3 -flto", "gcc -O2 -gdwarf-4", "clang -O1 -m32"])
def test_calls_are_seen_whatever_compiled_them(trace, tmp_path, flags):
    program, (compiler, *options) = tmp_path / "traced", flags.split()
    building.command(compiler, *options, "-g", "-pthread", "-o", program, PROGRAM)
    result = trace("--json", "-g", "[lp][le]a[if]*", program, "--", program)
    hits, printed = hits_of(result), printed_by_program(result)
    assert result.status == 0 and len(hits) == len(printed) == 15
    for hit, line in zip(hits, printed):
        values = [argument["value"] for argument in hit["arguments"]]
        assert hit["function"] == line[0]
        if hit["function"] == "leaf":  # color, text, number, letter
            for number, place in ((0, 1), (2, 3), (3, 4)):
                assert values[number] in (None, line[place])


@pytest.fixture(name="trace", scope="module")
def fixture_trace(run, traced):
    """Runs `inlinecall trace`, if this machine lets us."""
    result = run("trace", "--count", "leaf", traced, "--", traced, "quiet")
    if result.status == 2 and re.search("needs root|too old|without it", result.err):
        pytest.skip(f"tracing needs root and BPF: {result.err}")
    return lambda *args, **environment: run("trace", *args, **environment)


@pytest.fixture(name="several", scope="module")
def fixture_several(trace, tmp_path_factory):
    """A program, and a library that it uses: both have copies of one function."""
    del trace
    folder, source = tmp_path_factory.mktemp("several"), PROGRAM.with_name("several.c")
    program, library = folder / "several", folder / "libseveral.so"
    building.command("gcc", "-O2", "-g", "-fPIC", "-shared", "-DLIBRARY", "-o", library, source)
    building.command("gcc", "-O2", "-g", "-o", program, source, library, f"-Wl,-rpath,{folder}")
    return program, library


def test_several_files_are_traced_in_the_order_of_time(trace, several):
    result = trace("--json", "shared", *several, "--", several[0])
    hits = hits_of(result)
    seen = [[(argument["name"], argument["value"]) for argument in hit["arguments"]] for hit in hits]
    printed = [re.findall(r"(\w+)=(\d+)", line) for line in result.err.splitlines()]
    assert result.status == 0 and seen == printed and len(seen) == 300
    assert [hit["file"] for hit in hits] == [str(several[dict(call)["where"] != "1"]) for call in printed]
    assert [hit["time"] for hit in hits] == sorted(hit["time"] for hit in hits)
    assert len(hits_of(trace("--json", "--limit=8", "shared", *several, "--", several[0]))) == 8


def test_several_files_have_their_own_tables(trace, several):
    result = trace("--count", "shared", *several, "--", several[0])
    counts = re.findall(r"^(\S+):$|^ *(\d+)\t0x", result.out, re.M)
    assert counts == [(str(several[0]), ""), ("", "100"), (str(several[1]), ""), ("", "100"), ("", "100")]
    result = trace("--json", "--by=where", "--sum=number", "shared", *several, "--", several[0])
    groups = {(row["file"], row["keys"][0]["value"]): (row["count"], row["sum"])
              for row in map(json.loads, result.out.splitlines()) if row["type"] == "group"}
    assert groups == {(str(several[0]), "1"): (100, "4950"), (str(several[1]), "2"): (100, "9900"),
                      (str(several[1]), "3"): (100, "10000")}


def test_a_line_in_several_files(trace, several):
    result = trace("--json", "--line=several.c:9", *several, "--", several[0])
    assert len(hits_of(result)) == result.err.count("number=") == 300


def test_one_of_several_files_may_have_nothing(trace, several):
    result = trace("--json", "once_more", *several, "--", several[0])
    assert result.status == 0 and len(hits_of(result)) == 100
    assert trace("nothing", *several).status == 1
    result = trace("--json", "shared", *several, "/nowhere", "--", several[0])
    assert result.status == 2 and len(hits_of(result)) == 300 and "/nowhere: cannot open" in result.err


def test_one_of_several_files_may_lack_an_argument(trace, several, traced):
    result = trace("--json", "--where=where == 1", "--function=shared", "--function=leaf", several[0], traced,
                   "--", several[0])
    assert result.status == 2 and f"{traced}: not traced: filter: no argument 'where'" in result.err
    assert len(hits_of(result)) == 100


def test_a_file_twice_is_a_command_without_dashes(trace, several):
    result = trace("shared", several[0], several[0])
    assert result.status == 64 and "is given twice; put COMMAND after --" in result.err


@pytest.fixture(name="old_kernel", scope="module")
def fixture_old_kernel(tmp_path_factory):
    """The environment of a program that finds a kernel before Linux 6.6, which sets probes one by one."""
    path = tmp_path_factory.mktemp("kernel") / "old_kernel.so"
    building.command("gcc", "-D_GNU_SOURCE", "-shared", "-fPIC", "-O2", "-o", path,
                     PROGRAM.with_name("old_kernel.c"), "-ldl")
    return {"LD_PRELOAD": str(path)}


def hits_of(result):
    return [row for row in map(json.loads, result.out.splitlines()) if row["type"] == "hit"]


def printed_by_program(result):
    return [line.split() for line in result.err.splitlines() if not line.startswith("inlinecall: ")]


def told(hit):
    """A call as the program prints it."""
    values = {argument["name"]: argument for argument in hit["arguments"]}
    string = re.fullmatch(r'0x\w+ "(.*)"', values["text"]["text"])[1]
    if hit["function"] == "plain":
        return ["plain", string, values["number"]["value"]]
    color = values["color"]
    assert color["text"] == COLORS[int(color["value"])]
    return ["leaf", color["value"], string, values["number"]["value"], values["letter"]["value"]]


@pytest.mark.parametrize("is_old", [False, True], ids=["at once", "one by one"])
def test_the_calls_that_a_program_prints_are_seen(trace, traced, old_kernel, is_old):
    result = trace("--json", "-g", "[lp][le]a[if]*", traced, "--", traced,
                   **(old_kernel if is_old else {}))
    hits, printed = hits_of(result), printed_by_program(result)
    assert result.status == 0
    assert [told(hit) for hit in hits] == printed and len(printed) == 15
    assert len({hit["pid"] for hit in hits}) == 1 and {hit["command"] for hit in hits} == {"traced"}
    assert [hit["time"] for hit in hits] == sorted(hit["time"] for hit in hits)


def test_each_call_is_of_the_right_copy(run, trace, traced):
    sites = [json.loads(line) for line in run("--json", "leaf", traced).out.splitlines()]
    by_entry = {site["entry"]: site for site in sites}
    hits = hits_of(trace("--json", "leaf", traced, "--", traced))
    lines = PROGRAM.read_text().splitlines()
    for number, hit in enumerate(hits):
        site, copy = by_entry[hit["copy"]["entry"]], hit["copy"]
        assert [copy[key] for key in ("call_file", "call_line", "call_column", "host", "chain")] == [
            site[key] for key in ("call_file", "call_line", "call_column", "host", "chain")]
        assert copy["inlined"] and ("colors[" in lines[copy["call_line"] - 1]) == (number % 2 == 0)


MEMBERS = ("next->small,flag,small,wide,whole,at.y,other->first,name,letters[3],color,ratio,is_last,"
           "[1],pair.second,first,second,three,many,reals,next.many[5],grid")


@of_flags("gcc -O2", "gcc -O1 -gdwarf-3", "clang -O2",
          more=["gcc -O3 -gdwarf-4", "clang -O1 -gdwarf-4"])
def test_members_are_those_that_a_program_prints(trace, tmp_path, flags):
    program, (compiler, *options) = tmp_path / "members", flags.split()
    building.command(compiler, "-g", *options, "-o", program, PROGRAM.parent / "members.c")
    result = trace("--json", "--fields", MEMBERS, "use", program, "--", program)
    hits, printed = hits_of(result), [dict(pair.split("=", 1) for pair in line.split("\t"))
                                      for line in result.err.splitlines()]
    assert result.status == 0 and len(hits) == len(printed) == 12
    known = 0
    for hit, values in zip(hits, printed):
        traced = {argument["name"]: argument["text"] for argument in hit["arguments"]}
        missing = {name for name in values if traced[name] is None}
        assert {name: re.sub(" '.*'$", "", traced[name]) for name in values if name not in missing} == {
            name: value for name, value in values.items() if name not in missing}
        assert re.match(r"\{\.\.\.\} at 0x", traced["node->grid"])
        known += len(values) - len(missing)
    assert known >= 12 * 17


NODE = ["next", "flag", "small", "wide", "whole", "at", "pair", "other", "name", "letters", "three", "many",
        "reals", "grid", "color", "ratio", "is_last"]


@of_flags("gcc -O2", "clang -O2", "gcc -O0")
def test_all_members_are_those_named_one_by_one(trace, tmp_path, flags):
    program, (compiler, *options) = tmp_path / "members", flags.split()
    building.command(compiler, "-g", *options, "-o", program, PROGRAM.parent / "members.c")

    def members(fields):
        return [{argument["name"]: re.sub("0x[0-9a-f]+", "", argument["text"] or argument["why"])
                 for argument in hit["arguments"] if argument["name"] not in ("node", "number", "pair")}
                for hit in hits_of(trace("--json", "--fields", fields, "use", program, "--", program))]

    everything = members("*")
    assert everything == members(",".join([*NODE, "first", "second"])) and len(everything) == 12
    assert list(everything[0]) == [*(f"node->{name}" for name in NODE), "pair.first", "pair.second"]
    assert members("other->*")[0].keys() == {"node->other->first", "node->other->second"}
    result = trace("--fields=*.x", "use", program, "--", program)
    assert result.status == 64 and "'*.x' is not a member path" in result.err


def test_all_members_are_also_those_of_bases_and_no_more_than_fit(run, tmp_path):
    source, program = tmp_path / "a.cc", tmp_path / "a"
    numbers = "\n".join(f"int n{number};" for number in range(70))
    source.write_text(f"""
struct base {{ int kept; static int shared; virtual ~base() {{}} }};
struct derived : base {{ union {{ int one; float other; }}; struct {{ char deep; }} named; }};
struct large {{ {numbers} }};
int base::shared;
__attribute__((noinline)) int plain(derived *d) {{ return d->kept; }}
__attribute__((noinline)) int wide(large *l) {{ return l->n0; }}
int main() {{ derived d; large l {{}}; return plain(&d) + wide(&l); }}
""")
    building.command("g++", "-g", "-O1", "-o", program, source)
    result = run("probe", "--fields=*", "plain", program)
    words = result.out.splitlines()[-1].split()
    assert [word.split("=")[0] for word in words[2:]] == ["d", "d__kept", "d__one", "d__other", "d__named"]
    result = run("probe", "--fields=*", "wide", program)
    assert result.status == 2 and "has more members than can be read; the others are left out" in result.err
    assert "l__n62=" in result.out and "n63" not in result.out


@of_flags("gcc -O2", "clang -O0", "gcc -O1 -m32")
def test_buffers_are_as_long_as_their_lengths_say(trace, tmp_path, flags):
    program = tmp_path / "buffers"
    building.command(*flags.split(), "-g", "-o", program, PROGRAM.with_name("buffers.c"))

    def shown(function, name, *options):
        result = trace("--json", *options, function, program, "--", program)
        printed = [line.split(" ")[1:] for line in result.err.splitlines() if line.split(" ")[0] == function]
        texts = [next(argument["text"] for argument in hit["arguments"] if argument["name"] == name)
                 for hit in hits_of(result)]
        return [re.search("{(.*)}", text)[1].split() if "{" in text else [] for text in texts], printed

    found, printed = shown("put", "buffer", "--bytes=buffer,length", "--string-bytes=512")
    assert found == printed and [len(line) for line in found] == [6, 3, 0, 200, 0]
    found, printed = shown("put", "buffer", "--bytes=buffer,length", "--string-bytes=100")
    assert found[3] == [*printed[3][:99], f"{printed[3][99]}..."]
    found, printed = shown("post", "message->data", "--bytes=message->data,message->size")
    assert found == printed and len(found) == 5
    found, _ = shown("post", "message->letters", "--bytes=message.letters,message.used")
    assert found == [["61", "62"]] * 5
    found, _ = shown("put", "buffer", "--bytes=buffer,length", '--where=buffer ~ "he*"')
    assert found == [printed for printed in [b"hello\n".hex(" ").split()]]


@pytest.mark.parametrize("buffer, error", [
    ("buffer", "'buffer' is not a buffer and its length"), ("buffer,", "is not a buffer and its length"),
    ("buffer,none", "'buffer,none' are not a pointer and an integer"),
    ("length,buffer", "'length,buffer' are not a pointer and an integer"),
])
def test_what_is_no_buffer_is_refused(trace, tmp_path, buffer, error):
    program = tmp_path / "buffers"
    building.command("gcc", "-g", "-O2", "-o", program, PROGRAM.with_name("buffers.c"))
    result = trace("--bytes", buffer, "put", program, "--", program)
    assert result.status == 64 and error in result.err and not result.out


def test_conditions_are_on_members_too(trace, tmp_path):
    program = tmp_path / "members"
    building.command("gcc", "-g", "-O2", "-o", program, PROGRAM.parent / "members.c")
    for where, count in [("node->next->small < -3", 4), ('node->name == "nac"', 2),
                         ('node->name == "01234567"', 2), ("node->flag == 1 && node->color == GREEN", 4),
                         ("node.wide >= 0xfe00000004", 4), ("node.next != NULL", 12)]:
        result = trace("--json", "--where", where, "--fields=next.small,name", "use", program, "--",
                       program)
        assert (result.status, len(hits_of(result))) == (0, count), result.err


@pytest.mark.parametrize("options, error", [
    (["--fields=flag,none"], "no argument has a member 'none'"),
    (["--fields=a..b"], "'a..b' is not a member path"),
    (["--where=node->flags == 1"], "no argument or member 'node->flags'"),
    (["--where=other->flag == 1"], "no argument or member 'other->flag'"),
    (["--where=node->reals > 1"], "'node->reals' cannot be compared with that"),
    (["--count", "--fields=flag"], "--fields selects what is printed of calls"),
])
def test_members_that_are_none_are_refused(trace, tmp_path, options, error):
    program = tmp_path / "members"
    building.command("gcc", "-g", "-O2", "-o", program, PROGRAM.parent / "members.c")
    result = trace(*options, "use", program, "--", program)
    assert result.status == 64 and error in result.err and not result.out


def returned(row):
    """The end of a call as the program prints it."""
    value = row["result"]
    string = re.search('"(.*)"', value["text"])
    return f"{row['function']} {string[0] if string else value['value']}"


@of_flags("gcc -O2", "gcc -O2 -flto", "clang -O2", "gcc -O2 -m32", more=["gcc -O1", "clang -O1"])
def test_results_are_those_that_a_program_prints(trace, tmp_path, flags):
    program, (compiler, *options) = tmp_path / "returned", flags.split()
    building.command(compiler, "-g", *options, "-o", program, PROGRAM.parent / "returned.c")
    result = trace("--json", "--exit", "-r", "^(of|used|unused)_", program, "--", program)
    rows = [row for row in map(json.loads, result.out.splitlines()) if row["type"] == "exit"]
    unknown = {row["function"] for row in rows if "result" in row and row["result"]["why"]}
    seen = [returned(row) for row in rows if "result" in row and not row["result"]["why"]
            and row["function"] != "unused_local"]
    printed = [line for line in result.err.splitlines() if line.split()[0] not in unknown]
    assert result.status == 0
    assert unknown == {"of_pair", "of_double", *(["unused_local"] if flags != "gcc -O1" else []),
                       *(["used_local"] if compiler == "clang" else [])}
    assert {row["function"] for row in rows if "result" not in row} == {"of_nothing"}
    # The end of of_int(), which of_another() jumps to, is seen before its own.
    assert collections.Counter(seen) == collections.Counter(
        printed + [line.replace("another", "int") for line in printed if "another" in line])


def strings_of(hit):
    """The strings of arguments by their names; None if only the address is known."""
    strings = {}
    for argument in hit["arguments"]:
        found = re.fullmatch(r'0x\w+(?: "(.*)")?', argument["text"])
        strings[argument["name"]] = found and found[1]
    return strings


def strings_of_text(hit):
    return re.search(r'"(.*)"', hit["arguments"][0]["text"])[1]


@pytest.fixture(name="strings", scope="module")
def fixture_strings(tmp_path_factory):
    path = tmp_path_factory.mktemp("strings") / "strings"
    building.command("gcc", "-O2", "-g", "-o", path, PROGRAM.with_name("strings.c"))
    return path


def test_strings_are_known_by_the_type_not_by_its_name(trace, strings):
    hits = hits_of(trace("--json", "-g", "--fields=first,last,nick", "[bi][yn]_*", strings,
                         "--", strings))
    text = "some text"
    assert [strings_of(hit) for hit in hits] == [
        {letter: text[i:] for i, letter in enumerate("abcd")},
        {"a": text, "b": text[1:], "c": text[2:], "none": None},
        {"person": None, "person->first": text, "person->last": text[1:],
         "person->nick": text[5:]},
    ]


def test_constant_strings_are_read_from_the_file(trace, strings):
    wanted = 'never read \\"by\\" the program'
    hits = hits_of(trace("--json", "untouched", strings, "--", strings))
    assert [strings_of_text(hit) for hit in hits] == [wanted] * 3
    cut = hits_of(trace("--json", "--string-bytes=5", "untouched", strings, "--", strings))
    assert [strings_of_text(hit) for hit in cut] == ["never"] * 3
    constant = 'never read \\"by\\" the program'
    for where, count in ((f'text == "{constant}"', 3), (f'text != "{constant}"', 0),
                         ('text != "never"', 3), ('text == "never"', 0),
                         (f'text == "{constant}" && number == 1', 1)):
        result = trace("--json", "--where=" + where, "untouched", strings, "--", strings)
        assert len(hits_of(result)) == count and "left out" not in result.err


def test_conditions_are_on_strings_of_such_types(trace, strings):
    for where, count in ('a == "some text"', 1), ('a != "some text"', 0), ('b == "ome text"', 1):
        result = trace("--json", "--where=" + where, "by_name", strings, "--", strings)
        assert len(hits_of(result)) == count


def buckets_of(values):
    """[(from, to, count), ...] by powers of two, from the least on."""
    def limits(value):
        least = 1 << abs(value).bit_length() >> 1
        most = max(2 * least - 1, 0)
        return (-most, -least) if value < 0 else (least, most)
    return sorted((*bucket, count)
                  for bucket, count in collections.Counter(map(limits, values)).items())


@pytest.mark.parametrize("argument, options", [
    ("number", []), ("letter", []), ("color", []), ("number", ["--where=number > 1"])])
def test_histograms_are_of_the_values_that_a_program_prints(trace, traced, argument, options):
    values = collections.defaultdict(list)
    for hit in hits_of(trace("--json", *options, "leaf", traced, "--", traced)):
        value = {each["name"]: each["value"] for each in hit["arguments"]}[argument]
        values[hit["copy"]["entry"]].append(int(value))
    result = trace("--json", f"--hist={argument}", "--by=copy", *options, "leaf", traced, "--", traced)
    *rows, total = [json.loads(line) for line in result.out.splitlines()]
    assert result.status == 0 and len(rows) == len(values)
    for row in rows:
        found = [(int(bucket["from"]), int(bucket["to"]), bucket["count"])
                 for bucket in row["buckets"]]
        copy = values[row["keys"][0]["value"]]
        assert found == buckets_of(copy)
        assert (row["count"], row["measured"]) == (len(copy), len(copy))
        assert [int(row[key]) for key in ("sum", "least", "most")] == [sum(copy), min(copy), max(copy)]
    table = trace("--csv", f"--hist={argument}", "--by=copy", *options, "leaf", traced, "--", traced).out
    assert [line.split(",")[-3:] for line in table.splitlines()[1:]] == [
        [bucket["from"], bucket["to"], str(bucket["count"])]
        for row in [*rows, total] for bucket in row["buckets"]]


def test_a_histogram_of_a_member_needs_no_other_option(trace, tmp_path):
    program = tmp_path / "members"
    building.command("gcc", "-g", "-O2", "-o", program, PROGRAM.parent / "members.c")
    result = trace("--hist=node->next->small", "use", program, "--", program)
    assert result.status == 0
    assert re.findall(r"(-?\d+) \.\. (-?\d+) +(\d+)\t", result.out) == [
        ("-7", "-4", "4"), ("-3", "-2", "4"), ("-1", "-1", "2"), ("0", "0", "2")]
    for argument, error in [("none", "no argument 'none'"), ("pair", "'pair' cannot be added up"),
                            ("node->none", "no argument or member 'node->none'")]:
        result = trace(f"--hist={argument}", "use", program, "--", program)
        assert result.status == 64 and error in result.err


@pytest.mark.parametrize("flags", [[], ["-ldflags=-s -w"]], ids=["with DWARF", "stripped"])
def test_calls_of_go_are_those_that_a_program_prints(trace, tmp_path, flags):
    building.need("go")
    program = tmp_path / "traced_go"
    building.command("env", "CGO_ENABLED=0", "go", "build", *flags, "-o", program,
                     PROGRAM.with_name("traced.go"))
    result = trace("--json", "-r", "^main[.](leaf|plain)$", program, "--", program)
    hits, printed = hits_of(result), printed_by_program(result)
    assert result.status == 0 and len(printed) == 18
    assert [hit["function"] for hit in hits] == ["main." + line[0] for line in printed]
    inlined = [hit for hit in hits if hit["copy"]["inlined"]]
    assert len(inlined) == 12 and {hit["copy"]["host"] for hit in inlined} == {"main.calls"}
    assert len({hit["copy"]["call_line"] for hit in inlined}) == 2
    if flags:
        assert {hit["arguments"] for hit in hits} == {None}
        return
    known = 0
    for hit, line in zip(hits, printed):
        values = {argument["name"]: argument["value"] for argument in hit["arguments"]}
        truth = line[2] if hit["function"] == "main.plain" else line[1]
        known += values["number"] == truth
        assert values["number"] in (truth, None)
    assert known >= 6


def test_only_the_running_kernel_is_traced(run, traced, tmp_path):
    kernel = build_kernel(tmp_path, build_id="0123456789abcdef0123456789abcdef01234567")
    result = run("trace", "-k", "leaf", kernel)
    assert result.status == 2 and re.search("a different build|a different kernel|hide|/proc/kallsyms",
                                            result.err), result.err
    result = run("trace", "-k", "leaf", traced)
    assert result.status == 2 and "not a kernel" in result.err
    for options in (["--kernel=ks"], ["--with-own"], ["-k", "--pid=1"]):
        assert run("trace", *options, "leaf", traced).status == 64


def test_more_arguments_than_are_read_have_that_reason(trace, tmp_path):
    source, program = tmp_path / "many.c", tmp_path / "many"
    names = [f"p{i}" for i in range(45)]
    source.write_text(f"long sum(long {', long '.join(names)}) {{ return p0 + p44; }}\n"
                      "int main(int argc, char **argv) { return "
                      f"(int)sum({', '.join(str(1000 + i) for i in range(45))}) == argc; }}\n")
    building.command("gcc", "-O1", "-g", "-fno-inline", "-fno-ipa-sra", "-fno-ipa-cp", "-o",
                     program, source)
    hit, = hits_of(trace("--json", "--exit", "sum", program, "--", program))
    assert [argument["value"] for argument in hit["arguments"][:32]] == [
        str(1000 + i) for i in range(32)]
    assert {argument["why"] for argument in hit["arguments"][32:]} == {
        "more arguments than can be traced"}
    assert len(hit["arguments"]) == 45
    result = trace("--where=p44 > 0", "sum", program, "--", program)
    assert result.status == 2 and "1 calls left out" in result.err


def test_members_of_classes_hide_those_of_their_bases(trace, tmp_path):
    source, program = tmp_path / "a.cc", tmp_path / "a"
    source.write_text("""
struct A { int x, pad; };
struct B : A { int x, y; };
struct C { int z; };
struct D : A, C { static int pad; int own; };
struct E : B, C { int e; };
int D::pad = 7;
__attribute__((noinline)) int f(B *b, D *d, E *e, const int &r)
{ asm volatile("" : : "r"(b), "r"(d), "r"(e) : "memory"); return b->x + r; }
int main()
{
	B b; D d; E e; int r = 42;
	b.A::x = 1; b.A::pad = 2; b.x = 3; d.A::pad = 4; d.x = 5; d.z = 6;
	e.A::x = 8; e.B::x = 9; e.z = 10;
	return f(&b, &d, &e, r) == 0;
}
""")
    building.command("g++", "-O1", "-g", "-o", program, source)
    hit, = hits_of(trace("--json", "--fields=x,pad,z,[0]", "f", program, "--", program))
    values = {argument["name"]: argument["value"] for argument in hit["arguments"]}
    assert {name: value for name, value in values.items() if "->" in name} == {
        "b->x": "3", "b->pad": "2", "d->x": "5", "d->z": "6", "e->x": "9", "e->z": "10",
        "e->pad": values["e->pad"]}
    assert values["r[0]"] == "42"
    result = trace("--where=r == 42", "f", program, "--", program)
    assert result.status == 64 and "'r' cannot be compared with that" in result.err


def test_that_no_call_was_seen_is_said(trace, traced):
    result = trace("leaf", traced, "--", "true")
    assert result.status == 1 and "no calls seen" in result.err
    assert trace("-ftraced.k/x.c", "leaf", traced, "--", traced, "quiet").status in (0, 1)


def test_text_is_one_line_a_call(trace, traced):
    result = trace("-s", "leaf", traced, "--", traced)
    lines = [line for line in result.out.splitlines() if re.match(r" *\d+\.\d{6} ", line)]
    assert len(lines) == 10
    assert re.fullmatch(r" +0\.\d{6} traced \d+ leaf\(color=BLUE, text=0x\w+ \"n2\", number=-2, "
                        r"letter=99 'c'\) < (main|calls)\(\) traced.c:\d+:\d+.*", lines[4])


def test_calls_of_threads_are_in_their_order(trace, traced):
    hits = hits_of(trace("--json", "leaf", traced, "--", traced, "threads"))
    numbers = collections.defaultdict(list)
    for hit in hits:
        assert hit["pid"] != hit["tid"]
        numbers[hit["tid"]].append(int(told(hit)[3]))
    assert sorted(numbers.values()) == [[thread * 1000 + i for i in range(500)]
                                        for thread in range(4)]


@pytest.mark.parametrize("what, caller", [("quiet", "main"), ("threads", "thread")])
def test_stacks_are_whole_though_the_command_has_ended(trace, traced, what, caller):
    hits = hits_of(trace("--json", "--stack", "--limit=50", "leaf", traced, "--", traced, what))
    for hit in hits:
        names = [frame["function"] for frame in hit["stack"]]
        inlined = [frame["inlined"] for frame in hit["stack"]]
        assert names[0] == "leaf" and caller in names and inlined[0] and hit["stack_end"]
        assert hit["stack"][1]["line"] == hit["copy"]["call_line"]
        assert hit["stack"][0]["address"].endswith(hit["copy"]["entry"][-3:])
        assert re.search("_start|clone|^$", names[-1] or "")  # some C libraries have no symbols
    assert len(hits) == (10 if what == "quiet" else 50)


@pytest.mark.skipif(not shutil.which("strace"), reason="no strace")
def test_a_command_that_cannot_be_held_is_reported(trace, program, traced):
    assert trace("--stack", "--limit=1", "leaf", traced, "--", traced, "quiet").status == 0
    result = subprocess.run(["strace", "-f", "-o", "/dev/null", program, "trace", "--stack", "leaf",
                             traced, "--", traced, "quiet"],
                            capture_output=True, text=True, timeout=60, check=False)
    if "ptrace" in result.stderr and "strace:" in result.stderr:
        pytest.skip(f"strace cannot trace: {result.stderr}")
    assert result.returncode == 2, result.stderr
    assert f"cannot hold {traced} with ptrace" in result.stderr


def test_a_stack_that_was_not_copied_far_enough_says_so(trace, traced):
    result = trace("--stack=512", "leaf", traced, "--", traced, "deep")
    assert re.search(r"^    no more frames: .*cannot read", result.out, re.MULTILINE), result.out


def test_counts_are_those_of_the_copies(trace, traced):
    result = trace("--count", "--json", "-g", "[lp]*", traced, "--", traced, "quiet")
    rows = [json.loads(line) for line in result.out.splitlines()]
    counts = {(row["function"], row["copy"]["inlined"], row["copy"]["call_line"]): row["hits"]
              for row in rows}
    assert result.status == 0 and {row["lost"] for row in rows} == {0}
    assert sorted(counts.values()) == [0, 0, 5, 5, 5]  # the copies of other modes are not executed
    assert counts["plain", False, None] == 5
    text = trace("--count", "leaf", traced, "--", traced, "quiet").out.splitlines()
    assert len(text) == 3 and sum(re.match(r" +5\t0x\w+\tleaf\(\) < ", line) is not None
                                  for line in text) == 2
    assert text[2].strip() == "10\ttotal, 2 copies without calls"


def test_only_some_calls(trace, traced):
    assert len(hits_of(trace("--json", "--limit=3", "leaf", traced, "--", traced))) == 3
    hits = hits_of(trace("--json", "--sample=2", "leaf", traced, "--", traced))
    assert [told(hit)[3] for hit in hits] == ["0", "0", "-2", "20000000000", "-4", "40000000000"]
    assert len(hits_of(trace("--json", "--in=calls", "plain", traced, "--", traced))) == 0


@pytest.mark.parametrize("where, wanted", [
    ("number < -1", ["-2", "-3", "-4"]),  # computed from registers: not by the kernel
    ("letter == 'z' && number >= 20000000000", ["20000000000", "30000000000", "40000000000"]),
    ('text == "n3"', ["-3"]),
    ('color == BLUE && text != "n1"', ["-2"]),
    ("color != GREEN", ["0", "-2", "-3"]),
])
def test_calls_are_chosen_by_their_arguments(trace, traced, where, wanted):
    result = trace("--json", "--where", where, "leaf", traced, "--", traced)
    assert result.status == 0 and [told(hit)[3] for hit in hits_of(result)] == wanted


def test_conditions_that_cannot_be_decided_are_said(trace, traced):
    result = trace("--count", "--json", "--where=letter == 'z'", "leaf", traced, "--", traced, "quiet")
    assert sorted(json.loads(line)["hits"] for line in result.out.splitlines()) == [0, 0, 0, 5]
    for where, words in (("none == 1", "no argument 'none'"), ("number =", "expected ==, !="),
                         ("color == NONE", "'color' cannot be compared with that"),
                         ('number == "x"', "'number' cannot be compared with that")):
        result = trace("--where", where, "leaf", traced, "--", traced)
        assert result.status == 64 and words in result.err


def test_strings_are_cut(trace, traced):
    for size, text in ((1, '"n"...'), (2, '"n0"'), (3, '"n0"'), (512, '"n0"')):
        hits = hits_of(trace("--json", f"--string-bytes={size}", "--limit=1", "leaf", traced, "--",
                             traced))
        assert hits[0]["arguments"][1]["text"].split(" ")[1] == text


def start(program, *args):
    return subprocess.Popen([program, *map(str, args)], stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.PIPE)


@pytest.fixture(name="staying")
def fixture_staying(traced):
    with start(traced, "stays") as process:
        assert process.stdout.readline() == "here\n"
        yield process
        process.kill()


def test_one_process_is_traced_until_a_signal_comes(program, trace, traced, staying):
    del trace  # it says whether this can be done
    with start(traced, "stays") as other, start(program, "trace", "--json", "-p", staying.pid,
                                                "leaf", traced) as tracer:
        rows = [json.loads(tracer.stdout.readline()) for _ in range(20)]
        tracer.send_signal(signal.SIGINT)
        rest = tracer.stdout.read().splitlines()
        assert (tracer.wait(10), other.poll()) == (0, None)
        assert "traced until Ctrl-C" in tracer.stderr.read()
        other.kill()
    assert {row["pid"] for row in [*rows, *map(json.loads, rest)]} == {staying.pid}


def test_a_process_needs_no_file(trace, traced, tmp_path):
    """Not even one that is there."""
    copy = tmp_path / "copy"
    shutil.copy(traced, copy)
    with start(copy, "stays") as process:
        copy.unlink()
        for function in (["leaf"], ["--function=leaf"]):
            hits = hits_of(trace("--json", "--limit=2", f"-p{process.pid}", *function))
            assert [hit["pid"] for hit in hits] == [process.pid] * 2
        process.kill()


def test_a_trace_ends_with_its_process(program, trace, traced, staying):
    """Even if its parent does not wait for it."""
    del trace
    with start(program, "trace", "--json", "-p", staying.pid, "leaf", traced) as tracer:
        tracer.stdout.readline()
        staying.kill()
        tracer.stdout.read()
        assert tracer.wait(20) == 0


def test_a_thread_is_no_process(trace):
    with subprocess.Popen(["python3", "-c", "import threading, time; threading.Thread(target=time.sleep, "
                           "args=(30,)).start(); print('here', flush=True); time.sleep(30)"],
                          stdout=subprocess.PIPE) as process:
        process.stdout.readline()
        [thread] = {int(name) for name in os.listdir(f"/proc/{process.pid}/task")} - {process.pid}
        result = trace(f"-p{thread}", "leaf")
        process.kill()
    assert result.status == 2 and f"{thread} is a thread; give the ID of its process" in result.err


@pytest.mark.parametrize("options", [["--stack"], ["--where=s ~ \"*none*\""], ["--exit"],
                                     ["--count", "--where=s ~ \"*none*\""]])
def test_calls_that_come_too_fast_do_not_keep_the_trace(trace, tmp_path, options):
    program, source = tmp_path / "program", tmp_path / "program.c"
    source.write_text("""
        __attribute__((noipa)) void leaf(const char *s) { __asm__ volatile("" :: "r"(s) : "memory"); }
        int main(void) { for (;;) leaf("text"); }
    """)
    building.command("gcc", "-O2", "-g", "-o", program, source)
    began = time.monotonic()
    result = trace(*options, "-O", "/dev/null", "--duration=0.5", "leaf", program, "--", program)
    assert result.status in (0, 1, 2) and time.monotonic() - began < 20


def test_the_command_keeps_its_output(trace, traced, tmp_path):
    output = tmp_path / "calls"
    before = time.time()
    result = trace("--clock", "--limit=3", "-O", output, "leaf", traced, "--", "sh", "-c",
                   f"echo its own; exec {traced}")
    lines = output.read_text().splitlines()
    assert result.out == "its own\n" and len(lines) == 3
    clocks = [re.match(r"(\d\d):(\d\d):(\d\d\.\d{6}) traced ", line) for line in lines]
    assert all(clocks)
    rows = hits_of(trace("--json", "--limit=3", "leaf", traced, "--", traced))
    assert all(before <= row["wall"] / 1e9 <= time.time() for row in rows)
    assert all(0 <= row["cpu"] < os.cpu_count() for row in rows)
    refused = trace("-O", tmp_path / "none/calls", "leaf", traced, "--", traced)
    assert refused.status == 2 and "none/calls: cannot open: No such file" in refused.err


def test_all_processes_are_traced_for_some_time(trace, traced, staying):
    with start(traced, "stays") as other:
        result = trace("--json", "--duration=0.5", "leaf", traced)
        other.kill()
    assert {hit["pid"] for hit in hits_of(result)} == {staying.pid, other.pid}


def test_a_killed_trace_leaves_nothing_behind(program, trace, traced, staying):
    code = [line for line in Path(f"/proc/{staying.pid}/maps").read_text().splitlines()
            if " r-xp " in line and line.endswith(str(traced))]
    start_addr, end_addr = (int(part, 16) for part in code[0].split()[0].split("-"))

    def read_code():
        with open(f"/proc/{staying.pid}/mem", "rb") as memory:
            memory.seek(start_addr)
            return memory.read(end_addr - start_addr)

    before = read_code()
    with start(program, "trace", "leaf", traced) as tracer:
        tracer.stdout.readline()
        assert read_code() != before  # the kernel's breakpoints
        tracer.kill()
        tracer.wait(10)
    deadline = time.monotonic() + 10
    while read_code() != before and time.monotonic() < deadline:
        time.sleep(0.05)
    assert read_code() == before and staying.poll() is None
    del trace


def test_the_command_ends_the_trace(trace, traced, tmp_path):
    assert trace("leaf", traced, "--", traced, "quiet").status == 0
    assert trace("leaf", traced, "--", "true").status == 1  # no calls seen
    result = trace("leaf", traced, "--", tmp_path / "none")
    assert result.status == 2 and ": No such file" in result.err


def test_who_may_not_trace_is_told_what_it_needs(program, trace, traced):
    building.need("setpriv")
    result = subprocess.run(["setpriv", "--bounding-set=-all", "--inh-caps=-all", program, "trace",
                             "leaf", traced], capture_output=True, text=True, check=False)
    assert result.returncode == 2
    assert "tracing requires root, or the capabilities CAP_BPF and CAP_PERFMON" in result.stderr
    del trace


def test_what_cannot_be_traced_is_refused(run, elf, traced, tmp_path):
    result = run("trace", "scale", elf("object"))
    assert result.status == 2 and "relocatable files have no addresses" in result.err
    result = run("trace", "nothing_like_that", traced)
    assert result.status == 1 and "nothing_like_that" in result.err
    debug = tmp_path / "traced.debug"
    building.command("objcopy", "--only-keep-debug", traced, debug)
    result = run("trace", "leaf", debug)
    assert result.status == 2 and "nothing to trace" in result.err


@pytest.mark.parametrize("args, words", [
    (["--interval=1", "leaf", "a", "b"], "--interval can be used with only one FILE"),
    (["leaf", "a", "--"], "no COMMAND after --"),
    (["-p1", "leaf", "a", "--", "b"], "--pid and COMMAND cannot be used together"),
    (["--duration=x", "leaf", "a"], "--duration must be a number of seconds"),
    (["--csv", "--stack", "leaf", "a"], "--stack cannot be used with --csv"),
    (["--exit", "--by=pid", "leaf", "a"], "--exit prints where calls end"),
    (["--latency", "--by=stack", "leaf", "a"], "--stack and --exit cannot be used together"),
    (["--count", "--limit=3", "leaf", "a"], "--count prints all copies; --limit requires --by"),
    (["--by=@x", "leaf", "a"], "by '@x': expected function, host"),
    (["--sum=a", "--avg=b", "leaf", "a"], "only one of --sum"),
    (["--by=pid", "--sample=2", "leaf", "a"], "--sample leaves calls out"),
    (["--max-groups=2", "leaf", "a"], "--max-groups requires --by"),
    (["--by=pid", "--folded", "leaf", "a"], "--folded requires --by=stack"),
    (["--interval=0", "leaf", "a"], "--interval must be a number of seconds"),
])
def test_wrong_usage(run, args, words):
    result = run("trace", *args)
    assert result.status == 64 and words in result.err


def paired(hits):
    """Checks that each call is followed by its exit, and gives the durations by copy."""
    under_way, durations = collections.defaultdict(list), collections.defaultdict(list)
    for row in hits:
        stack = under_way[row["tid"]]
        if row["type"] == "hit":
            stack.append(row)
            continue
        entry = stack.pop()
        assert entry["copy"] == row["copy"] and entry["function"] == row["function"]
        assert row["duration"] == row["time"] - entry["time"] > 0 and row["exit"]
        durations[row["copy"]["entry"]].append(row["duration"])
    assert not any(under_way.values())
    return durations


@pytest.mark.parametrize("options", [[], ["old kernel"], ["--sample=3"], ["--where=number != 2"]],
                         ids=["at once", "one by one", "sample", "where"])
@pytest.mark.parametrize("what", ["quiet", "threads"])
def test_each_call_is_followed_by_its_exit(trace, traced, old_kernel, options, what):
    environment = old_kernel if options == ["old kernel"] else {}
    result = trace("--json", "--exit", *([] if environment else options), "-g", "[lp][le]a[if]*", traced,
                   "--", traced, what, **environment)
    rows = [json.loads(line) for line in result.out.splitlines()]
    calls = sum(row["type"] == "hit" for row in rows)
    assert sum(map(len, paired(rows).values())) == calls >= 4


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_conditional_jumps_leave_if_they_do(trace, run, tmp_path, compiler):
    left = tmp_path / "left"
    building.command(compiler, "-O2", "-g", "-w", "-o", left, PROGRAM.parent / "left.c")
    names = [f"--function={name}" for name in ("plain", "pick", "deep", "rare", "third")]
    probes = [json.loads(line) for line in run("probe", "--exit", "--json", *names, left).out.splitlines()]
    doubtful = {row["event"].split("_exit")[0] for row in probes if row["doubt"]}
    several = {row["event"].split("_entry_")[0] for row in probes if "_entry_" in row["event"]}
    certain = {row["address"] for row in probes
               if row["at"] == "entry" and row["event"].split("_entry_")[0] not in doubtful | several}
    result = trace("--json", "--exit", *names, "--function=say", left, "--", "sh", "-c",
                   f"exec {left} > /dev/null")
    rows = [json.loads(line) for line in result.out.splitlines()]
    said = None
    for row in rows:  # the last that a copy does is to say that it is left, or in rare() "odd"
        if row["function"] == "say":
            said = row["arguments"][0]["text"] if row["type"] == "hit" else said
        elif row["type"] == "exit" and row["copy"]["entry"] in certain:
            assert said.endswith((f'"-{row["function"]}"', '"odd"')), (said, row)
    counts = collections.Counter((row["type"], row["copy"]["entry"]) for row in rows)
    for entry in certain:
        assert counts["hit", entry] == counts["exit", entry], entry
    assert len(certain) >= 5 and sum(counts["exit", entry] for entry in certain) >= 20
    recursive = [row["duration"] for row in rows
                 if row["function"] == "third" and row["type"] == "exit"]
    assert recursive == sorted(recursive) and len(recursive) == 3  # the outermost is left last


def test_latencies_are_those_of_the_exits(trace, traced):
    result = trace("--latency", "--json", "--by=copy", "leaf", traced, "--", traced, "threads")
    row, total = [json.loads(line) for line in result.out.splitlines()]
    assert row["count"] == row["measured"] == total["count"] == 2000
    buckets = row["buckets"]
    assert sum(bucket["count"] for bucket in buckets) == row["count"]
    assert int(row["least"]) <= float(row["mean"]) <= int(row["most"])
    assert int(buckets[0]["from"]) <= int(row["least"]) <= int(buckets[0]["to"])
    assert int(buckets[-1]["from"]) <= int(row["most"]) <= int(buckets[-1]["to"])
    text = trace("--latency", "leaf", traced, "--", traced, "threads").out
    assert re.search(r"^ +2000\tfunction=leaf\t[\d.]+ us to [\d.]+ us, mean [\d.]+ us\n"
                     r"( +[\d.]+ us +\d+\t#*\n)+", text, re.MULTILINE), text
    by_thread = trace("--latency", "--json", "--by=tid", "leaf", traced, "--", traced, "threads")
    assert sorted(json.loads(line)["count"] for line in by_thread.out.splitlines()) == [500] * 4 + [2000]


@pytest.mark.parametrize("options", [["--exit", "--stack"], ["--latency", "--count"]])
def test_what_excludes_exits_is_said(run, traced, options):
    result = run("trace", *options, "leaf", traced)
    assert result.status == 64 and result.err


@of_flags("gcc -O2", "clang -O1", "gcc -O2 -m32", more=["gcc -O0", "gcc -O2 -fcf-protection", "clang -O3"])
def test_callers_are_where_functions_return_to(trace, tmp_path, flags):
    path = tmp_path / "returns"
    building.command(*flags.split(), "-g", "-o", path, PROGRAM.with_name("returns_to.c"))
    result = trace("--json", "-r", "^(leaf|host|leaves_by_jump|compare)$", path,
                   "--", path)
    hits = hits_of(result)
    told = [(hit["function"], int(hit["callers"][0]["address"], 0)) for hit in hits]
    assert told == [(name, int(address, 0)) for name, address in printed_by_program(result)]
    names = {hit["function"]: [frame["function"] for frame in hit["callers"]] for hit in hits}
    assert names["host"] == ["main"] and names["compare"] == [None]
    text = trace("-r", "^(host|compare)$", path, "--", path).out
    assert re.search(r" host\(n=0\) < main\(\) \S+returns_to.c:41", text)
    assert re.search(r" compare\(.*\) < 0x[0-9a-f]+$", text, re.MULTILINE)
    first = next(hit for hit in hits if hit["function"] == "leaf")
    assert [frame["function"] for frame in first["callers"]] == ["inlined", "host"]
    assert first["callers"][0]["line"] == 15
