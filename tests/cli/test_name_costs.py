"""What a query for names costs, whatever the names are: instructions, as multiples of those that
reading everything takes. Counted by valgrind, so that a busy machine does not matter."""

import csv
import io
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


@pytest.fixture(name="instructions")
def fixture_instructions(program):
    """How many a command takes."""
    if not shutil.which("valgrind"):
        pytest.skip("no valgrind")

    def count(*words):
        counted = subprocess.run(
            ["valgrind", "--tool=cachegrind", "--cache-sim=no", "--cachegrind-out-file=/dev/null",
             program, *words], capture_output=True, text=True, errors="replace", check=False)
        found = re.search(r"I +refs: +([\d,]+)", counted.stderr)
        if not found:
            pytest.skip("valgrind cannot run this program")
        return int(found.group(1).replace(",", ""))

    return count


def common_names(run, path):
    """The functions with the most copies."""
    counted = run("-a", "--count", "--csv", path).out
    names = [row["function"] for row in csv.DictReader(io.StringIO(counted))]
    return [name for name in dict.fromkeys(names) if re.fullmatch(r"\w+", name)][:20]


@pytest.mark.parametrize("make", [cxx, pytest.param(rust, marks=pytest.mark.long),
                                  pytest.param(go, marks=pytest.mark.long),
                                  pytest.param(kernel, marks=pytest.mark.long),
                                  pytest.param(module, marks=pytest.mark.long)])
def test_no_name_costs_much_more_than_reading_everything(run, instructions, tmp_path, make):
    path = make(tmp_path)
    common = common_names(run, path)
    everything = instructions("-j1", "--strict", "--count", common[0], path)
    questions = [(1.1, [name]) for name in [common[0], common[-1]]]
    questions += [(2, [name]) for name in NAMES + NOWHERE]  # which need not be there
    questions += [(2.1, list(pattern)) for pattern in PATTERNS]
    questions += [(1.6, [f"--function={name}" for name in common])]
    questions += [(1.6, ["why", common[0]]), (1.6, ["why", common[-1]])]
    questions += [(2.5, ["why", *[f"--function={name}" for name in common]])]
    costs = [(words, limit, instructions("-j1", *words, path) / everything)
             for limit, words in questions]
    assert [(words, limit, round(cost, 2)) for words, limit, cost in costs if cost > limit] == []
