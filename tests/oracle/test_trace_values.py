"""Values of arguments in a live trace, compared with what the program itself prints.

`programs/args.c` has a line for each call with its arguments, as the inline function that was called
saw them; so have random programs (`telling_program.py`). `inlinecall trace` may say that it has no
value, for reasons that are listed here; a value that it has must be that one.
"""

import collections
import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import compare
import telling_program

PROGRAM = Path(__file__).resolve().parent / "programs/args.c"
SOURCE = PROGRAM.read_text()
FUNCTIONS = re.findall(r"^INLINE [\w ]+?(\w+)\(", SOURCE, re.M)
MEMBERS = sorted(set(re.findall(r"\b(?:p->|person\.|three\.|[vw]\.)([\w.>\[\]-]+)=%", SOURCE)))
LEVELS = ["-O0", "-O1", "-O2", "-O3", "-Os"]
REASONS = {"optimised out", "not here", "not stored yet", "computed", "not read",
           "in a register that is not recorded, such as a floating-point register",
           "the entry value of a register",
           "unreadable"}  # Clang forgets to read what it has spilled

# Where compilers say something else than is true, and the code at the entry does not tell it.
KNOWN = [
    # Clang leaves out the store of a member that is used in a register only.
    ("clang", "-O3", "in_memory", "three.a"),
    # GCC takes the number for the _Bool that is made of it.
    ("gcc", "-O2", "of_kinds", "g"),
    ("gcc", "-O3", "of_kinds", "g"),
]

# Random programs of which Clang 14 says what is not true, and cannot be seen to be wrong; or which
# enter copies in another order than they print.
CLANG_SEEDS = {
    34: "code of a copy is moved before the copy that comes first, and so is its entry",
    37: "a slot of four bytes is said to have the eight of an unsigned long",
    57: "an argument is said to be what it is changed to later",
}


def trace(path, functions, *options, rounds=1):
    names = [f"--function={function}" for function in functions]
    result = subprocess.run([compare.program(), "trace", "--json", *options, *names, path, "--",
                             path, str(rounds)],
                            capture_output=True, text=True, check=False, timeout=120)
    if "tracing requires root" in result.stderr or "the kernel may be too old" in result.stderr:
        pytest.skip(result.stderr)
    assert result.returncode == 0, result.stderr
    return result


def calls_printed(text, functions):
    """The calls that the program prints: by function, their arguments by name, in their order."""
    calls = collections.defaultdict(list)
    for line in text.splitlines():
        function, *fields = line.split("\t")
        if function in functions:
            calls[function].append(dict(field.split("=", 1) for field in fields))
    return calls


def calls_seen(text):
    calls = collections.defaultdict(list)
    for row in map(json.loads, text.splitlines()):
        if row["type"] == "hit":
            calls[row["function"]].append(row)
    return calls


def is_same(argument, wanted):
    """Whether a value is what the program prints."""
    string = re.search(r'"(.*)"$', argument["text"])
    value = string[1] if string else argument["value"] or argument["text"]
    if argument["type"] in ("double", "float"):
        return float(value) == float(wanted)
    return value == wanted or (value == "0x0" and wanted == "(null)")


def compare_values(hits, calls):
    """How many values are the same, why others are not known, and what is wrong."""
    same, unknown, wrong = 0, collections.Counter(), []
    for function, wanted in calls.items():
        assert len(hits[function]) == len(wanted), function
        for hit, values in zip(hits[function], wanted):
            for argument in hit["arguments"]:
                if argument["name"] not in values:
                    continue
                if argument["text"] is None:
                    unknown[argument["why"]] += 1
                elif is_same(argument, values[argument["name"]]):
                    same += 1
                else:
                    wrong.append((function, argument["name"], argument["text"],
                                  values[argument["name"]], hit["copy"]["entry"]))
    return same, unknown, wrong


def build(path, source, compiler, *options):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    subprocess.run([compiler, "-g", "-w", *options, "-o", path, source], check=True)


def check(tmp_path, compiler, level, options, rounds):
    path = tmp_path / "args"
    build(path, PROGRAM, compiler, level, *options)
    result = trace(path, FUNCTIONS, "--fields=" + ",".join(MEMBERS), rounds=rounds)
    same, unknown, wrong = compare_values(calls_seen(result.stdout),
                                          calls_printed(result.stderr, FUNCTIONS))
    known = {of[2:] for of in KNOWN if of[:2] == (compiler, level)}
    assert not [value for value in wrong if value[:2] not in known]
    assert set(unknown) <= REASONS
    return same, unknown


@pytest.mark.parametrize("always", [True, False], ids=["always inlined", "as the compiler likes"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_values_are_what_the_program_prints(compiler, level, always, tmp_path, inlinecall):
    same, unknown = check(tmp_path, compiler, level, ["-DALWAYS"] if always else [], rounds=12)
    assert same >= 1000, unknown


@pytest.mark.long
@pytest.mark.parametrize("options", ["-fPIE -pie", "-no-pie", "-fno-omit-frame-pointer", "-gdwarf-4",
                                     "-march=x86-64-v3", "-fstack-protector-all",
                                     "-fcf-protection"])
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
def test_values_with_other_options(compiler, level, options, tmp_path, inlinecall):
    same, unknown = check(tmp_path, compiler, level, ["-DALWAYS", *options.split()], rounds=30)
    assert same >= 2000, unknown


def check_random(tmp_path, seed, compiler, level):
    program, path, source = telling_program.Program(seed), tmp_path / "told", tmp_path / "told.c"
    source.write_text(program.text())
    build(path, source, compiler, level)
    functions = [name for name, _ in program.functions]
    result = trace(path, functions)
    same, unknown, wrong = compare_values(calls_seen(result.stdout),
                                          calls_printed(result.stderr, functions))
    assert not wrong or (compiler == "clang" and seed in CLANG_SEEDS), wrong[:5]
    assert set(unknown) <= REASONS
    return same


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("seed", range(3))
def test_values_of_random_programs(seed, compiler, tmp_path, inlinecall):
    assert check_random(tmp_path, seed, compiler, "-O2") >= 50


@pytest.mark.long
@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("first", range(10, 110, 10))
def test_values_of_more_random_programs(first, compiler, level, tmp_path, inlinecall):
    assert sum(check_random(tmp_path, seed, compiler, level)
               for seed in range(first, first + 10)) >= 500
