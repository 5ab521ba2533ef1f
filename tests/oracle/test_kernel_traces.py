"""`inlinecall trace -k` and the kprobes that `inlinecall probe` defines, in a kernel that makes known
calls of its inlined functions."""

import json
import re
from pathlib import Path

import pytest

import compare
import kernel_dumps
import kernel_traces

pytestmark = pytest.mark.long
COUNT = 40
FETCHED = [calls for calls in kernel_traces.CALLS if calls.fetched]  # of arguments, not of members
PROGRAM = Path(__file__).resolve().parent.parent / "cli/programs/grouped.c"
# Of traces of that program; each as keys of groups.
PROGRAM_OPTIONS = {"n": "--by=n --sum='item->size'", "host,s": "--by=host,s --hist=n",
                   "s": "--by=s --where='n > 0 || s ~ \"*dd\"'"}


# What else is traced of programs: (words after `trace --json`, the number of calls).
FEATURES = {"lines": ("--line=stepped.c:35 /stepped -- /stepped 2", 5),
            "buffers": ("--bytes=buffer,length put /buffers -- /buffers", 5),
            "all members": ("--fields='*' use /members -- /members", 12),
            "strings of C++": ("plain /lengths -- /lengths", 8),
            "children": ("--children leaf /grouped -- sh -c '/grouped 20 2; /grouped 20 2'", 80)}
# Numbers that are written to the parameter of traced_module.c, and what is traced of it then.
NUMBERS = range(1, 10)
MODULE = Path(__file__).resolve().parent / "programs/traced_module.c"
MODULE_TRACES = {"calls": "--fields=size,name take", "line": "--fields=size,name --line=traced_module.c:18",
                 "condition": "--where='number > 2 && text ~ \"[3-5]\"' take",
                 "groups": "--by=host,word --sum=number take", "stack": "--stack take", "exits": "--exit first"}
SOURCES = {"stepped": "stepped.c", "buffers": "buffers.c", "members": "members.c", "lengths": "lengths.cc"}


def script_of_program(keys):
    return (f"echo '=== program {keys}'\n"
            f"inlinecall trace --json {PROGRAM_OPTIONS[keys]} leaf /grouped -- /grouped 2000 2 2>&1")


def script_of_table(calls):
    return (f"echo '=== table {calls.function}'\n"
            f"inlinecall trace -k --json --btf-inline=/table --btf=/types --where '{calls.condition}' "
            f"{calls.function} /bare -- /calls {COUNT} 2>&1 | cat")


def script_of_module():
    write = "for i in {numbers}; do echo $i >/sys/module/traced_module/parameters/number; done"
    yield f"echo '{write.format(numbers=' '.join(map(str, NUMBERS)))}' >/write; insmod /traced_module.ko"
    for name, words in MODULE_TRACES.items():
        yield f"echo '=== module {name}'; dmesg -c >/dev/null"
        yield f"inlinecall trace -k --json {words} /traced_module.ko -- sh /write 2>&1 | cat; dmesg"
    yield "rmmod traced_module; echo '=== module gone'"
    yield "inlinecall trace -k take /traced_module.ko -- sh /write >/out 2>&1; status=$?; cat /out; echo $status"


def script_of(calls):
    name = calls.function
    fields = "" if calls.fetched else f"--fields={calls.value[0].split('->')[1]} "
    trace = f"inlinecall trace -k --json --where '{calls.condition}'"
    parts = [f"echo '=== count {name}'",
             f"{trace} --count {name} /vmlinux -- /calls {COUNT} 2>/err",
             f"echo '=== said {name}'", "cat /err",
             f"echo '=== calls {name}'",
             f"{trace} {fields}{name} /vmlinux -- /calls {COUNT} 2>/dev/null",
             f"echo '=== groups {name}'",
             f"{trace} --by='comm,{calls.value[0]}' --sum='{calls.value[0]}' {name} /vmlinux -- /calls {COUNT} 2>/dev/null"]
    if calls.fetched:
        parts += [f"echo '=== tracefs {name}'",
                  f"inlinecall probe {name} /vmlinux >/probes 2>/dev/null",
                  "cd /sys/kernel/tracing",
                  "cat /probes >>kprobe_events",
                  "for e in events/inlinecall_*; do echo 1 >$e/enable; done",
                  f"/calls {COUNT}",
                  "for e in events/inlinecall_*; do echo 0 >$e/enable; done",
                  f"grep -c '{calls.fetched}\\b' trace",
                  "echo >trace", "echo >kprobe_events", "cd /"]
    return "\n".join(parts)


@pytest.fixture(name="printed", scope="module")
def fixture_printed(tmp_path_factory, inlinecall):
    try:
        machine = kernel_traces.Machine(tmp_path_factory.mktemp("kernel"))
        machine.add_tracer(compare.program())
        machine.add_table(compare.program())
        kernel_dumps.run(["gcc", "-O2", "-g", "-fno-ipa-sra", "-static", "-pthread", "-o",
                          machine.root / "grouped", PROGRAM])
        machine.add_module(MODULE)
        for name, source in SOURCES.items():
            kernel_dumps.run(["g++" if source.endswith(".cc") else "gcc", "-O1", "-g", "-static", "-o",
                              machine.root / name, PROGRAM.with_name(source)])
        return machine.run("\n".join([*map(script_of, kernel_traces.CALLS),
                                      *map(script_of_table, FETCHED),
                                      "echo '=== stacks'",
                                      "inlinecall trace -k --json --stack --where 'fd == 77' fdget_pos /vmlinux "
                                      f"-- /calls {COUNT} 2>/dev/null",
                                      "for more in '' --with-own; do echo \"=== own$more\"",
                                      "inlinecall trace -k --json $more --duration=1 timespec64_valid /vmlinux "
                                      "2>/dev/null; done",
                                      "echo '=== stopped'",
                                      "inlinecall trace -k --count -g 'kmalloc*' /vmlinux 2>/err & tracer=$!",
                                      "until grep -q . /sys/kernel/debug/kprobes/list || "
                                      "! kill -0 $tracer; do :; done",  # some probes are set
                                      "kill -TERM $tracer; wait $tracer; status=$?; cat /err; echo $status",
                                      "ulimit -n 64; echo '=== many'",
                                      "inlinecall trace -k --csv --count --duration=1 fdget /vmlinux | wc -l",
                                      *map(script_of_program, PROGRAM_OPTIONS),
                                      *script_of_module(),
                                      *(f"inlinecall trace --json -O /out {words} >/dev/null 2>/err\n"
                                        f"echo '=== feature {name}'\ncat /out /err"
                                        for name, (words, _) in FEATURES.items()),
                                      "echo '=== left'",
                                      "cat /sys/kernel/debug/kprobes/list /sys/kernel/tracing/kprobe_events"]))
    except kernel_dumps.NoKernel as reason:
        pytest.skip(str(reason))


def rows_of(lines):
    return [json.loads(line) for line in lines if line.startswith("{")]


@pytest.mark.parametrize("calls", kernel_traces.CALLS, ids=lambda calls: calls.function)
def test_calls_are_those_that_the_program_makes(calls, printed):
    counted = rows_of(printed[f"count {calls.function}"])
    assert sum(row["hits"] for row in counted) == COUNT, printed[f"said {calls.function}"]
    name, text = calls.value
    rows = rows_of(printed[f"calls {calls.function}"])
    values = [argument["text"] for row in rows for argument in row["arguments"]
              if argument["name"] == name]
    assert values == [text] * COUNT
    assert {row["command"] for row in rows} == {"calls"}


@pytest.mark.parametrize("calls", kernel_traces.CALLS, ids=lambda calls: calls.function)
def test_the_kernel_adds_up_its_own_calls(calls, printed):
    (group, total) = rows_of(printed[f"groups {calls.function}"])
    value = int(calls.value[1])
    assert [key["text"] for key in group["keys"]] == ["calls", str(value)]
    assert group["count"] == total["count"] == COUNT and int(group["sum"]) == COUNT * value


STRINGS = ["even", "odd", "a string of more than thirty-two bytes"]


@pytest.mark.parametrize("keys", PROGRAM_OPTIONS)
def test_programs_are_added_up_by_this_kernel_too(keys, printed):
    lines = printed[f"program {keys}"]
    *rows, total = rows_of(lines)
    wanted = {}
    for line in lines:
        if not line.startswith("thread="):
            continue
        values = dict(pair.split("=") for pair in line.split())
        values["s"] = f'"{STRINGS[int(values["s"])]}"'
        if "where" in PROGRAM_OPTIONS[keys] and int(values["n"]) <= 0 and values["s"] != '"odd"':
            continue
        key = tuple(values[key] for key in keys.split(","))
        wanted[key] = wanted.get(key, 0) + int(values["count"])
    assert {tuple(key["value"] or key["text"] for key in row["keys"]): row["count"] for row in rows} == wanted
    assert total["count"] == sum(wanted.values()) > 0, lines[-3:]


def taken(lines):
    """[{argument: text}, ...] of the calls of take() that the module prints."""
    return [dict(re.findall(r"(\w+)=(\S+)", line)) for line in lines if "take number=" in line]


def check_taken(row, call):
    """Compares arguments with what is printed; members behind an address that GCC computes are not read."""
    seen = {argument["name"]: argument["text"] for argument in row["arguments"]}
    names = {"number": "number", "word": "word", "size": "item->size", "name": "item->name", "text": "text"}
    for name, of_row in names.items():
        text = seen[of_row]
        if text is None:
            assert of_row.startswith("item->") and row["copy"]["host"] == "first"
        else:
            assert text.split(" ")[-1].strip('"') == call[name], (row, call)


@pytest.mark.parametrize("name", ["calls", "line"])
def test_calls_in_a_module_are_those_that_it_prints(name, printed):
    rows, calls = rows_of(printed[f"module {name}"]), taken(printed[f"module {name}"])
    assert len(rows) == len(calls) == 2 * len(NUMBERS), printed[f"module {name}"]
    for row, call in zip(rows, calls):
        check_taken(row, call)
    items = [int(argument["text"], 0) for row in rows for argument in row["arguments"] if argument["name"] == "item"]
    assert [item - items[1] for item in items] == [  # always the second one, or that of the number
        0 if int(call["number"]) < 0 else 16 * (int(call["number"]) % 3 - 1) for call in calls]


def test_a_condition_on_what_a_module_has(printed):
    rows, calls = rows_of(printed["module condition"]), taken(printed["module condition"])
    wanted = [call["number"] for call in calls if int(call["number"]) > 2 and call["text"] in "345"]
    assert [row["arguments"][0]["text"] for row in rows] == wanted and len(wanted) == 3


def test_calls_in_a_module_are_added_up(printed):
    *rows, total = rows_of(printed["module groups"])
    sums = {}
    for call in taken(printed["module groups"]):
        key = ("second" if int(call["number"]) < 0 else "first", call["word"])
        count, added = sums.get(key, (0, 0))
        sums[key] = count + 1, added + int(call["number"])
    assert {tuple(key["text"].split(" ")[-1].strip('"') for key in row["keys"]): (row["count"], int(row["sum"]))
            for row in rows} == sums
    assert total["count"] == 2 * len(NUMBERS)


def test_stacks_from_a_module(printed):
    rows = rows_of(printed["module stack"])
    assert len(rows) == 2 * len(NUMBERS)
    for row in rows:
        assert [frame["function"] for frame in row["stack"]][:4] == ["take", row["copy"]["host"], "set",
                                                                     "param_attr_store"]


def test_a_function_of_a_module_returns_to_its_caller(printed):
    rows = rows_of(printed["module exits"])
    assert len(rows) == 2 * len(NUMBERS)
    for row in rows[::2]:
        assert [frame["function"] for frame in row["callers"]] == ["set"]


def test_a_module_must_be_loaded(printed):
    assert "module traced_module is not in the list of loaded modules" in printed["module gone"][0]
    assert printed["module gone"][-1] == "2"


@pytest.mark.parametrize("calls", FETCHED, ids=lambda calls: calls.function)
def test_a_table_of_inlined_calls_is_enough(calls, printed):
    """The kernel's file has no DWARF then."""
    rows = rows_of(printed[f"table {calls.function}"])
    name, text = calls.value
    values = [argument["text"] for row in rows for argument in row["arguments"] if argument["name"] == name]
    assert values == [text] * COUNT, printed[f"table {calls.function}"]
    assert [row["copy"]["host"] for row in rows] == [row["copy"]["host"] for row
                                                     in rows_of(printed[f"calls {calls.function}"])]


@pytest.mark.parametrize("name", FEATURES)
def test_programs_are_traced_by_this_kernel_too(name, printed):
    rows = rows_of(printed[f"feature {name}"])
    assert len(rows) == FEATURES[name][1], printed[f"feature {name}"][-3:]


@pytest.mark.parametrize("calls", FETCHED, ids=lambda calls: calls.function)
def test_so_are_those_of_the_probes_that_are_defined(calls, printed):
    assert int(printed[f"tracefs {calls.function}"][-1]) == COUNT


def test_stacks_go_up_to_the_system_call(printed):
    rows = rows_of(printed["stacks"])
    assert len(rows) == COUNT
    for row in rows:
        assert "outermost" in row["stack_end"], row
        functions = [frame["function"] for frame in row["stack"]]
        assert functions[0] == "ksys_lseek" and functions[-2:] == ["do_syscall_64", "entry_SYSCALL_64"]


def test_the_tracers_own_calls_are_asked_for(printed):
    """It sleeps between looks at what was traced."""
    own, all_calls = ([row for row in rows_of(printed[heading]) if row["command"] == "inlinecall"]
                      for heading in ("own", "own--with-own"))
    assert not own and all_calls


def test_setting_probes_can_be_stopped(printed):
    assert "interrupted before all probes were set" in "\n".join(printed["stopped"])
    assert printed["stopped"][-1] == "2"


def test_more_probes_than_open_files(printed):
    assert int(printed["many"][-1]) > 64, printed["many"]


def test_nothing_is_left(printed):
    assert printed["left"] == []
    assert not [line for line in printed["log"] if "WARNING" in line or "notrace" in line]
