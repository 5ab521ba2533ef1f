"""What a query for names costs, whatever the names are, as multiples of what reading everything
takes. CPU time shows which questions are far below their limit; of the others valgrind counts the
instructions, so that a busy machine does not matter."""

import csv
import io
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

PROGRAMS = Path(__file__).resolve().parent / "programs"
KERNELS = Path.home() / ".cache/inlinecall"

# Names that need not be there: then everything is read once more to say which are like them.
NAMES = ["get", "max", "read", "init", "a", "begin", "std::move", "operator()", "operator==", "~vector",
         "vector<int>", "std::string", "_M_data"]
NOWHERE = ["nosuch_name", "~nosuch", "foo::get", "operator%"]
NEAR = 0.7  # of a limit
PATTERNS = [("-r", ".*get.*"), ("-r", "(a|b)*c+d?.*get.*(x|y)*"), ("-r", "^read|^write"), ("-g", "*get*")]


def build(tmp_path, command):
    if not shutil.which(command[0]):
        pytest.skip(f"no {command[0]}")
    subprocess.run(command, check=True, cwd=tmp_path, capture_output=True)
    return tmp_path / "program"


def cxx(tmp_path):
    return build(tmp_path, ["g++", "-O1", "-g", PROGRAMS / "many_names.cc", "-o", "program"])


def rust(tmp_path):
    return build(tmp_path, ["rustc", "-O", "-g", PROGRAMS / "many_names.rs", "-o", "program"])


def go(tmp_path):
    return build(tmp_path, ["go", "build", "-o", "program", PROGRAMS / "many_names.go"])


def kernel(_):
    """The files of 16 MiB and more, of which units are chosen by name."""
    found = sorted(KERNELS.glob("*/**/vmlinux*"))
    return found[-1] if found else pytest.skip("scripts/fetch-kernel has not been run")


def module(_):
    found = sorted(KERNELS.glob("*/**/nouveau.ko"))
    return found[-1] if found else pytest.skip("scripts/fetch-kernel has not been run")


def instructions(program, words):
    """How many a command takes."""
    counted = subprocess.run(
        ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
         program, *words], capture_output=True, text=True, errors="replace", check=False)
    found = re.search(r"I +refs: +([\d,]+)", counted.stderr)
    return int(found.group(1).replace(",", "")) if found else pytest.skip("valgrind cannot run it")


def cpu_time(program, words):
    """The least of three runs, in seconds."""
    def run_once():
        child = subprocess.Popen([program, *words], stdout=subprocess.DEVNULL,
                                 stderr=subprocess.DEVNULL)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        return usage.ru_utime + usage.ru_stime
    return min(run_once() for _ in range(3))


def common_names(run, path):
    """The functions with the most copies."""
    counted = run("-a", "--count", "--csv", path).out
    names = [row["function"] for row in csv.DictReader(io.StringIO(counted))]
    return [name for name in dict.fromkeys(names) if re.fullmatch(r"[\w.]+", name)][:20]


# `why` also reads the line tables, and code, that tell where copies are entered.
# Of common names, names that need not be there, patterns, 20 names at once, `why`, and that of 20.
LIMITS = {cxx: (1.1, 1.5, 2, 1.2, 2.2, 4.2), rust: (1.1, 1.6, 2.2, 1.4, 2.2, 3.3),
          go: (1.1, 1.9, 1.7, 1.3, 3, 5.2), kernel: (1.1, 1.6, 2, 1.4, 1.4, 2.4),
          module: (1.1, 2.2, 2, 1.4, 1.1, 1.6)}  # 2.11 is "a", which is in most strings


@pytest.mark.parametrize("make", [cxx, *(pytest.param(make, marks=pytest.mark.long)
                                         for make in (rust, go, kernel, module))])
def test_no_name_costs_much_more_than_reading_everything(run, program, tmp_path, make):
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind")
    path = make(tmp_path)
    common = common_names(run, path)
    several = [f"--function={name}" for name in common]
    of_common, of_name, of_pattern, of_several, of_why, of_why_several = LIMITS[make]
    questions = [(of_common, [name]) for name in [common[0], common[-1]]]
    questions += [(of_name, [name]) for name in NAMES + NOWHERE]
    questions += [(of_pattern, list(pattern)) for pattern in PATTERNS]
    questions += [(of_several, several), (of_why_several, ["why", *several])]
    questions += [(of_why, ["why", common[0]]), (of_why, ["why", common[-1]])]
    questions = [(limit, words, ["why", "-j1", *words[1:], path] if words[0] == "why"
                  else ["-j1", *words, path]) for limit, words in questions]
    everything = ["-j1", "--strict", "--count", common[0], path]
    second = min(cpu_time(program, everything) for _ in range(3))
    near = [(limit, words, command) for limit, words, command in questions
            if cpu_time(program, command) > NEAR * limit * second]
    all_instructions = instructions(program, everything)
    costs = [(words, limit, instructions(program, command) / all_instructions)
             for limit, words, command in near]
    assert [(words, limit, round(cost, 2)) for words, limit, cost in costs if cost > limit] == []
