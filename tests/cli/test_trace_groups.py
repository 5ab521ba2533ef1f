"""What a trace adds up in the kernel, against the counts that a program keeps of itself."""

import fcntl
import json
import os
import pty
import re
import struct
import subprocess
import termios
from pathlib import Path

import pytest

import building

PROGRAM = Path(__file__).resolve().parent / "programs/grouped.c"
STRINGS = ["even", "odd", "a string of more than thirty-two bytes"]


@pytest.fixture(name="grouped", scope="module", params=["gcc -fno-ipa-sra", "clang"])
def fixture_grouped(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("grouped") / "grouped"
    building.command(*request.param.split(), "-O2", "-g", "-pthread", "-o", path, PROGRAM)
    return path


@pytest.fixture(name="trace", scope="module")
def fixture_trace(run, grouped):
    """Runs `inlinecall trace`, if this machine lets us."""
    result = run("trace", "--count", "leaf", grouped, "--", grouped, "1")
    if result.status == 2 and re.search("requires root|too old|without support", result.err):
        pytest.skip(f"tracing needs root and BPF: {result.err}")
    return lambda *args: run("trace", *args)


def truth_of(result):
    """What the program printed: a dictionary for each line."""
    lines = [line for line in result.err.splitlines() if line.startswith("thread=")]
    return [{key: value if key == "host" else int(value)
             for key, value in (pair.split("=") for pair in line.split())} for line in lines]


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines()]


def messages_of(result):
    return [line for line in result.err.splitlines() if line.startswith("inlinecall: ")]


def test_no_call_is_lost_that_is_counted_by_its_arguments(trace, grouped):
    """More calls than fit in the ring buffer, most of which the condition rejects."""
    result = trace("--count", "--json", "--where=n == -3", "leaf", grouped, "--", grouped, "150000")
    wanted = {host: sum(line["count"] for line in truth_of(result)
                        if line["n"] == -3 and line["host"] == host) for host in ("one", "two")}
    assert result.status == 0 and not messages_of(result)
    assert {row["copy"]["host"]: (row["hits"], row["lost"]) for row in rows_of(result)} == \
        {host: (count, 0) for host, count in wanted.items()}


def test_calls_that_a_condition_rejects_need_no_room(trace, grouped):
    result = trace("--json", "--where=n == 99", "leaf", grouped, "--", grouped, "150000")
    assert result.status == 1 and " lost: " not in result.err


CONDITIONS = {
    "n == 1 || n == -3": lambda line: line["n"] in (1, -3),
    "!(n < 0) && s ~ \"*d*\"": lambda line: line["n"] >= 0 and "d" in STRINGS[line["s"]],
    "n > 2 || s == \"a string of more than thirty-two bytes\"":
        lambda line: line["n"] > 2 or line["s"] == 2,
    "s !~ \"a *\" && (n & 1)": lambda line: line["s"] != 2 and line["n"] & 1,
    "s ~ \"?dd\" || s ~ \"[d-f]v*\"": lambda line: line["s"] < 2,
    "item->kind & 1": lambda line: line["kind"] & 1,
    "(item->kind & 3) == 2 && !n": lambda line: line["kind"] == 2 and line["n"] == 0,
    "item->kind > n": lambda line: line["kind"] > line["n"],
    "n >= item->kind || item->kind == 2":
        lambda line: line["n"] >= line["kind"] or line["kind"] == 2,
    "n > -1000000000000 && item->kind < 300 && item->kind != -1": lambda line: True,
    "n < -1000000000000 || item->kind == 256": lambda line: False,
    "n > 0.5 && n < 2.5": lambda line: line["n"] in (1, 2),
    "comm == \"grouped\" && pid != tid && cpu < 4096": lambda line: True,
    "comm ~ \"x*\" || @pid == tid": lambda line: False,
}


@pytest.mark.parametrize("where", CONDITIONS)
def test_conditions_choose_what_the_program_says(trace, grouped, where):
    fields = ["--fields=kind"] if "kind" not in where else []
    result = trace("--json", "--where", where, *fields, "leaf", grouped, "--", grouped, "600")
    truth = [line for line in truth_of(result) if CONDITIONS[where](line)]
    calls = sum(line["count"] for line in truth)
    assert result.status == (0 if calls else 1)
    assert not calls or not messages_of(result)
    assert len(rows_of(result)) == calls
    for host in ("one", "two"):
        assert sum(row["copy"]["host"] == host for row in rows_of(result)) == \
            sum(line["count"] for line in truth if line["host"] == host)
    counted = trace("--count", "--json", "--where", where, "leaf", grouped, "--", grouped, "600")
    assert sum(row["hits"] for row in rows_of(counted)) == calls
    assert counted.status == result.status and "left out" not in counted.err


@pytest.mark.parametrize("size", ["1", "40"])
def test_conditions_compare_more_than_is_printed(trace, grouped, size):
    where = f'--where=s == "{STRINGS[2]}"'
    result = trace("--json", f"--string-bytes={size}", where, "leaf", grouped, "--", grouped, "50")
    texts = {row["arguments"][1]["text"] for row in rows_of(result)}
    assert len(rows_of(result)) == sum(line["count"] for line in truth_of(result)
                                       if line["s"] == 2) > 0
    assert {text.split(" ", 1)[1] for text in texts} == {
        '"a"...' if size == "1" else f'"{STRINGS[2]}"'}


def test_what_cannot_be_compared_is_left_out_and_said(trace, tmp_path):
    program, source = tmp_path / "lost", tmp_path / "lost.c"
    source.write_text("""
        static volatile int sink;
        __attribute__((noinline, pure)) static int twice(int n) { return 2 * n + sink; }
        static inline __attribute__((always_inline)) void leaf(int n, int unused)
        { sink += n; sink += n; sink += n; }
        __attribute__((noinline)) void host(int n) { leaf(n, twice(n)); sink += n; }
        int main(void) { for (int i = 0; i < 9; i++) host(i); }
    """)
    building.command("gcc", "-O2", "-g", "-o", program, source)
    copy = json.loads(trace("--json", "--limit=1", "leaf", program, "--", program).out)
    assert copy["arguments"][1]["why"], copy
    result = trace("--count", "--where=unused == 1", "leaf", program, "--", program)
    assert result.status == 2
    assert "9 calls left out: an argument of --where was unavailable" in result.err
    for where, calls in (("n == 1 || unused == 1", 1), ("n == 1 && unused == 1", 0)):
        result = trace("--count", "--json", "--where", where, "leaf", program, "--", program)
        assert sum(row["hits"] for row in rows_of(result)) == calls
        assert f"{8 if calls else 1} calls left out" in result.err


# How a key of --by is found in what the program prints.
KEYS = {
    "n": lambda line: str(line["n"]),
    "s": lambda line: f'"{STRINGS[line["s"]]}"',
    "item->kind": lambda line: str(line["kind"]),
    "host": lambda line: line["host"],
    "function": lambda line: "leaf",
    "comm": lambda line: "grouped",
}


def groups_of(result):
    """{(key, ...): row}, and the row for all."""
    *rows, total = rows_of(result)
    assert {row["type"] for row in rows} <= {"group"} and total["type"] == "total"
    groups = {tuple(key["value"] or key["text"] for key in row["keys"]): row for row in rows}
    assert len(groups) == len(rows) == total["groups"]
    assert sum(row["count"] for row in rows) == total["count"]
    return groups, total


def wanted_of(result, keys):
    """What the program printed of each group: [count, sum, least, most]."""
    wanted = {}
    for line in truth_of(result):
        group = wanted.setdefault(tuple(KEYS[key](line) for key in keys), [0, 0, [], []])
        for i, key in enumerate(("count", "sum")):
            group[i] += line[key]
        group[2].append(line["least"])
        group[3].append(line["most"])
    return {key: [count, total, min(least), max(most)]
            for key, (count, total, least, most) in wanted.items()}


@pytest.mark.parametrize("by", ["n", "s", "host,n", "item->kind,s,n", "function,comm",
                                "n,s,item->kind,host,comm,function"])
def test_groups_are_those_that_the_program_counts(trace, grouped, by):
    """In two threads, with sums, and conditions."""
    keys = by.split(",")
    result = trace("--json", "--by", by, "--sum=item->size", "leaf", grouped, "--", grouped,
                   "3000", "2")
    groups, total = groups_of(result)
    assert result.status == 0 and not messages_of(result) and total["left_out"] == 0
    assert {key: [row["count"], int(row["sum"]), int(row["least"]), int(row["most"])]
            for key, row in groups.items()} == wanted_of(result, keys)
    assert all(row["measured"] == row["count"] for row in groups.values())
    assert [int(row["sum"]) for row in groups.values()] == sorted(
        (int(row["sum"]) for row in groups.values()), reverse=True)
    for row in groups.values():
        assert abs(float(row["mean"]) - int(row["sum"]) / row["count"]) <= 0.01


def test_groups_are_of_calls_that_meet_a_condition(trace, grouped):
    result = trace("--json", "--by=n,s", "--where=n < 0 && (item->kind == 1 || s ~ \"*dd\")",
                   "leaf", grouped, "--", grouped, "2000")
    groups, _ = groups_of(result)
    wanted = {}
    for line in truth_of(result):
        if line["n"] < 0 and (line["kind"] == 1 or line["s"] == 1):
            key = KEYS["n"](line), KEYS["s"](line)
            wanted[key] = wanted.get(key, 0) + line["count"]
    assert {key: row["count"] for key, row in groups.items()} == wanted


def test_a_million_calls_are_counted_by_key(trace, grouped):
    result = trace("--json", "--by=n", "leaf", grouped, "--", grouped, "200000", "2")
    groups, _ = groups_of(result)
    assert not messages_of(result)
    assert {key: row["count"] for key, row in groups.items()} == {
        key: count for key, (count, *_) in wanted_of(result, ["n"]).items()}


@pytest.mark.parametrize("by", ["pid", "tid", "cpu", "@pid,@tid"])
def test_groups_by_thread_and_processor(trace, grouped, by):
    result = trace("--json", "--by", by, "leaf", grouped, "--", grouped, "500", "2")
    groups, total = groups_of(result)
    assert total["count"] == 1000
    if by != "cpu":
        assert [row["count"] for row in groups.values()] == [1000] if by == "pid" else [500, 500]


def test_histograms_of_groups(trace, grouped):
    result = trace("--json", "--by=host", "--hist=n", "leaf", grouped, "--", grouped, "2000")
    groups, _ = groups_of(result)
    limits = {-4: "-7", -3: "-3", -2: "-3", -1: "-1", 0: "0", 1: "1", 2: "2", 3: "2"}
    for host in ("one", "two"):
        wanted = {}
        for line in truth_of(result):
            if line["host"] == host:
                wanted[limits[line["n"]]] = wanted.get(limits[line["n"]], 0) + line["count"]
        assert {bucket["from"]: bucket["count"] for bucket in groups[host,]["buckets"]} == wanted


def test_what_has_no_room_is_counted(trace, grouped):
    result = trace("--json", "--by=n,s,item->kind", "--max-groups=10", "leaf", grouped, "--",
                   grouped, "2000")
    groups, total = groups_of(result)
    assert len(groups) == 10 and result.status == 2
    assert total["count"] + total["left_out"] == 2000 and total["left_out"] > 0
    assert f"{total['left_out']} calls are in no group" in result.err
    wanted = wanted_of(result, ["n", "s", "item->kind"])
    assert all(row["count"] <= wanted[key][0] for key, row in groups.items())


def test_only_the_largest_groups_are_printed(trace, grouped):
    options = ["--by=n", "leaf", grouped, "--", grouped, "500"]
    lines = trace("--limit=3", *options).out.splitlines()
    assert len(lines) == 5 and lines[3].strip() == "500\ttotal of 8 groups"
    assert lines[4] == "... 5 more (--limit=all)"
    every = trace("--limit=all", *options).out.splitlines()
    assert len(every) == 9 and every[8].strip() == "500\ttotal"
    *rows, rest = trace("--json", "--limit=3", *options).out.splitlines()
    assert len(rows) == 4 and json.loads(rest) == {"type": "limit", "file": str(grouped), "left_out": 5}
    counts = [int(line.split("\t")[0]) for line in lines[:3]]
    assert counts == sorted(counts, reverse=True)


def test_stacks_are_added_up(trace, grouped):
    result = trace("--json", "--by=stack", "leaf", grouped, "--", grouped, "400")
    groups, total = groups_of(result)
    wanted = wanted_of(result, ["host"])
    assert total["count"] == 400 and len(groups) == 2
    for (stack,), row in groups.items():
        *outer, host, function = stack.split(";")
        assert function == "leaf" and "run" in outer and row["count"] == wanted[host,][0]
    folded = trace("--folded", "--by=n,stack", "leaf", grouped, "--", grouped, "400")
    lines = [re.fullmatch(r"(-?\d);(.*;leaf) (\d+)", line) for line in folded.out.splitlines()]
    assert all(lines) and sum(int(line[3]) for line in lines) == 400
    first = trace("--folded", "--limit=1", "--by=n,stack", "leaf", grouped, "--", grouped, "400")
    assert first.out.count("\n") == 1 and f"{len(lines) - 1} stacks left out by --limit" in first.err


def test_intervals_begin_anew(trace, grouped):
    result = trace("--json", "--interval=0.1", "--by=host", "leaf", grouped, "--", grouped, "60000")
    rows = rows_of(result)
    times = [row["time"] for row in rows if row["type"] == "total"]
    assert times == sorted(times) and len(times) >= 3
    counts = {}
    for row in rows:
        if row["type"] == "group":
            host = row["keys"][0]["text"]
            counts[host] = counts.get(host, 0) + row["count"]
    assert counts == {host: count for (host,), (count, *_) in wanted_of(result, ["host"]).items()}


def test_keys_that_are_no_arguments_are_refused(trace, grouped):
    for options, words in ((["--by=none"], "no argument 'none'"),
                           (["--by=item->none"], "no argument or member 'item->none'"),
                           (["--by=n,item[0]"], "'item[0]' cannot be a key"),
                           (["--sum=none"], "no argument 'none'")):
        result = trace(*options, "leaf", grouped, "--", grouped, "3")
        assert result.status == 64 and words in result.err


def test_arguments_hide_words(trace, tmp_path):
    program, source = tmp_path / "hides", tmp_path / "hides.c"
    source.write_text("""
        static volatile int sink;
        static inline __attribute__((always_inline)) void leaf(int pid) { sink += pid; sink ^= pid; }
        __attribute__((noinline)) void host(int n) { leaf(n); }
        int main(void) { for (int i = 0; i < 6; i++) host(i & 1); }
    """)
    building.command("gcc", "-O2", "-g", "-fno-ipa-cp", "-o", program, source)
    groups, _ = groups_of(trace("--json", "--by=pid", "leaf", program, "--", program))
    assert {key: row["count"] for key, row in groups.items()} == {("0",): 3, ("1",): 3}
    groups, _ = groups_of(trace("--json", "--by=@pid", "leaf", program, "--", program))
    assert [row["count"] for row in groups.values()] == [6]
    result = trace("--count", "--where=pid == 1", "leaf", program, "--", program)
    assert result.out.split()[0] == "3"


def test_memory_that_the_program_never_touched_is_read(trace, tmp_path):
    """Constants, in the file and across pages, and data that is mapped but not resident."""
    program, source = tmp_path / "absent", tmp_path / "absent.c"
    source.write_text("""
        #include <stddef.h>
        struct item { long number; const char *name; };
        static const char before[(1 << 20) - 4] = { 1 }, name[] = "across two pages";
        static struct item items[200000] = { [99990] = { 42, name }, [199990] = { 43, name } };
        static volatile long sink;
        static inline __attribute__((always_inline)) void leaf(const struct item *item, const char *text)
        { __asm__ volatile("" :: "r"(item), "r"(text)); sink++; }
        __attribute__((noinline)) void host(const struct item *item, const char *text)
        { leaf(item, text); sink = (long)before; }
        int main(void) { host(&items[99990], name); host(&items[199990], name + 1); return 0; }
    """)
    building.command("gcc", "-O2", "-g", "-no-pie", "-o", program, source)  # without relocations
    result = trace("--json", "--fields=number,name", "leaf", program, "--", program)
    values = [{argument["name"]: argument["text"].split(" ", 1)[-1] for argument in row["arguments"]}
              for row in rows_of(result)]
    for value, number, text in zip(values, (42, 43), ("across two pages", "cross two pages"), strict=True):
        assert value["item->number"] == str(number) and value["text"] == f'"{text}"'
        assert value["item->name"] == '"across two pages"'
    groups, _ = groups_of(trace("--json", "--by=item->name", "--sum=item->number", "leaf", program,
                                "--", program))
    assert {key: row["sum"] for key, row in groups.items()} == {('"across two pages"',): "85"}


def build(tmp_path, text):
    program, source = tmp_path / "program", tmp_path / "program.c"
    source.write_text(text)
    building.command("gcc", "-O2", "-g", "-o", program, source)
    return program


NUMBERS = """
    enum e { ZERO, ONE };
    __attribute__((noipa)) void leaf(unsigned u, int n, long m, char c)
    { __asm__ volatile("" :: "r"(u), "r"(n), "r"(m), "r"(c) : "memory"); }
    __attribute__((noipa)) void leaf_of_enum(enum e n) { __asm__ volatile("" :: "r"(n) : "memory"); }
    int main(void)
    {
        for (int i = 0; i < 30; i++) { leaf(i, i - 20, i - 20, (char)(i & 1)); leaf_of_enum(i & 1); }
        return 0;
    }
"""


@pytest.mark.parametrize("where, wanted", [
    ("(u & 3) >= n", lambda i: (i & 3) >= i - 20),
    ("(u & 3) >= m", lambda i: (i & 3) >= i - 20),
    ("n & 1 > m", lambda i: (i & 1) > i - 20),
    ("u > n", lambda i: True),
    ("c == '\\0'", lambda i: not i & 1),
    ("c == '\\x01' || c == '\\002'", lambda i: i & 1),
])
def test_numbers_are_compared_by_their_value(trace, tmp_path, where, wanted):
    program = build(tmp_path, NUMBERS)
    result = trace("--count", "--json", "--where", where, "leaf", program, "--", program)
    assert rows_of(result)[0]["hits"] == sum(map(bool, map(wanted, range(30))))


def test_conditions_may_be_nested(trace, tmp_path):
    """The kernel's verifier follows all ways through the program."""
    program, where, wanted = build(tmp_path, NUMBERS), "n == 0", "n == 0"
    for i in range(15):
        where = f"n == {i + 1} {'||' if i % 2 else '&&'} ({where})"
        wanted = f"n == {i + 1} {'or' if i % 2 else 'and'} ({wanted})"
    result = trace("--count", "--json", "--where", where, "leaf", program, "--", program)
    assert rows_of(result)[0]["hits"] == sum(eval(wanted, {"n": i - 20}) for i in range(30)), result.err


def test_values_of_several_types_are_not_added_up(trace, tmp_path):
    program = build(tmp_path, NUMBERS)
    for options in (["--by=n"], ["--sum=n"]):
        result = trace("-g", *options, "leaf*", program, "--", program)
        assert result.status == 64 and "'n' has several types" in result.err
    groups, _ = groups_of(trace("--json", "--by=n", "leaf_of_enum", program, "--", program))
    assert {key: row["count"] for key, row in groups.items()} == {("0",): 15, ("1",): 15}


def test_a_trace_goes_on_though_an_interval_lacks_something(trace, tmp_path):
    program = build(tmp_path, """
        #include <unistd.h>
        struct s { int v; };
        __attribute__((noipa)) void leaf(struct s *p) { __asm__ volatile("" :: "r"(p) : "memory"); }
        int main(void)
        {
            struct s s = { 5 };
            for (int i = 0; i < 20; i++) { leaf(i == 3 ? 0 : &s); usleep(20000); }
            return 0;
        }
    """)
    result = trace("--json", "--interval=0.1", "--sum=p->v", "leaf", program, "--", program)
    totals = [row for row in rows_of(result) if row["type"] == "total"]
    assert result.status == 2 and "1 calls without a value of 'p->v'" in result.err
    assert sum(row["count"] for row in totals) == 20 and len(totals) >= 3
    assert sum(int(row["sum"] or 0) for row in totals) == 19 * 5


def test_stacks_that_come_too_fast_do_not_keep_the_trace(trace, tmp_path):
    program = build(tmp_path, """
        __attribute__((noipa)) void leaf(long n) { __asm__ volatile("" :: "r"(n) : "memory"); }
        int main(void) { for (long i = 0;; i++) leaf(i); }
    """)
    result = trace("--json", "--by=stack", "--duration=1", "leaf", program, "--", program)
    groups, total = groups_of(result)
    assert result.status == 2 and " calls lost: " in result.err and len(groups) == 1
    assert total["count"] > 100


@pytest.mark.parametrize("option, rank", [
    ("--avg", lambda row: -float(row["mean"])), ("--min-of", lambda row: int(row["least"])),
    ("--max-of", lambda row: -int(row["most"]))])
def test_groups_are_sorted_by_what_is_measured(trace, grouped, option, rank):
    result = trace("--json", "--by=n,s", f"{option}=item->size", "leaf", grouped, "--", grouped, "900")
    groups, _ = groups_of(result)
    ranks = [rank(row) for row in groups.values()]
    assert ranks == sorted(ranks) and len(set(ranks)) > 5
    assert {key: [row["count"], int(row["sum"]), int(row["least"]), int(row["most"])]
            for key, row in groups.items()} == wanted_of(result, ["n", "s"])


def test_keys_are_one_cell_of_a_table(trace, tmp_path):
    program = build(tmp_path, """
        struct s { char *p; };
        __attribute__((noipa)) void leaf(const char *s, struct s *t)
        { __asm__ volatile("" :: "r"(s), "r"(t) : "memory"); }
        int main(void) { leaf("a;b=c", 0); return 0; }
    """)
    table = trace("--csv", "--by=s,t.p", "leaf", program, "--", program).out.splitlines()
    cell = '"s=""a\\;b\\=c"";t.p=<its memory could not be read>"'
    assert table[1].split(",", 3)[3].startswith(cell), table[1]


def test_enumerations_are_not_mixed(trace, tmp_path):
    program = build(tmp_path, """
        enum a { A0, A1 }; enum b { B0, B1 };
        __attribute__((noipa)) void f_a(enum a e) { __asm__ volatile("" :: "r"(e) : "memory"); }
        __attribute__((noipa)) void f_b(enum b e) { __asm__ volatile("" :: "r"(e) : "memory"); }
        int main(void) { f_a(A1); f_b(B1); return 0; }
    """)
    result = trace("-g", "--by=e", "f_*", program, "--", program)
    assert result.status == 64 and "'e' has several types" in result.err
    assert "e=A1" in trace("--by=e", "f_a", program, "--", program).out


def test_values_that_cannot_be_printed_have_that_reason(trace, tmp_path):
    program = build(tmp_path, """
        __attribute__((noipa)) void leaf(long double *f) { __asm__ volatile("" :: "r"(f) : "memory"); }
        int main(void) { long double f = 1.5; leaf(&f); return 0; }
    """)
    result = trace("--by=f[0]", "leaf", program, "--", program)
    assert "f[0]=<of a type that cannot be printed>" in result.out
    refused = trace("--where=f[0] & 1", "leaf", program, "--", program)
    assert refused.status == 64 and "'f[0]' cannot be compared with that value" in refused.err


def test_a_larger_ring_loses_less(trace, tmp_path):
    program = build(tmp_path, """
        __attribute__((noipa)) void leaf(long n) { __asm__ volatile("" :: "r"(n) : "memory"); }
        int main(void) { for (long i = 0; i < 20000; i++) leaf(i); return 0; }
    """)
    options = ["--by=stack", "leaf", program, "--", program]
    small, large = (trace("--json", f"--ring-size={size}", *options) for size in (1, 256))
    assert small.status == 2 and " calls lost: " in small.err
    assert large.status == 0 and groups_of(large)[1]["count"] == 20000


def test_an_interval_fills_the_screen(program, trace, grouped):
    """As many groups as there is room for, and the screen is cleared before."""
    trace("--count", "leaf", grouped, "--", grouped, "1")  # skips if it is not possible
    master, terminal = pty.openpty()
    fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 12, 200, 0, 0))
    with subprocess.Popen([program, "trace", "--interval=0.1", "--by=n,s", "leaf", grouped, "--",
                           grouped, "40000"], stdout=terminal, stderr=subprocess.DEVNULL) as process:
        os.close(terminal)
        text = b""
        while True:
            try:
                text += os.read(master, 65536)
            except OSError:  # the other end is closed
                break
        assert process.wait() == 0
    screens = re.sub(r"\x1b\[\d*m", "", text.decode()).split("\x1b[H\x1b[2J")[1:]
    assert len(screens) >= 3
    for screen in screens:
        lines = screen.splitlines()
        assert re.fullmatch(r"\d\d:\d\d:\d\d", lines[0]) and len(lines) < 12
        while lines[-1].startswith("... "):
            assert len(lines) > 8
            lines.pop()
        assert re.search(r"^ *\d+\ttotal", lines[-1]), screen
    assert sum("total of 24 groups" in screen for screen in screens) >= 2


NULLS = """
volatile int sink;
__attribute__((noinline)) void put(const char *text, int n) { sink += n + (text ? text[0] : 0); }
int main(void)
{
	const char *texts[] = { "x", 0, "", "odd", 0, "x", 0 };
	for (int i = 0; i < 7; i++)
		put(texts[i], i);
	return 0;
}
"""


@pytest.mark.parametrize("flags", ["gcc -O1", "gcc -O1 -m32"])
def test_a_null_pointer_is_no_text(run, tmp_path, flags):
    (tmp_path / "a.c").write_text(NULLS)
    program = tmp_path / "a"
    building.command(*flags.split(), "-g", "-o", program, tmp_path / "a.c")
    result = run("trace", "--json", "--by=text", "put", program, "--", program)
    if "requires root" in result.err:
        pytest.skip("tracing needs root and BPF")
    rows = [json.loads(line) for line in result.out.splitlines()]
    assert {row["keys"][0]["text"]: row["count"] for row in rows if row["type"] == "group"} == {
        "0x0": 3, '"x"': 2, '""': 1, '"odd"': 1}
    for condition, count in (('text == "x"', 2), ('text != "x"', 5), ('text ~ "o*"', 1), ('text !~ "?*d"', 6),
                             ('text == ""', 1), ("text == NULL", 3), ('!(text == "x")', 5)):
        result = run("trace", "--json", "--count", f"--where={condition}", "put", program, "--", program)
        assert sum(json.loads(line)["hits"] for line in result.out.splitlines()) == count, condition
        assert (result.status, result.err) == (0, "")
