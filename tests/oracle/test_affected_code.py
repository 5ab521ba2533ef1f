"""`inlinecall affected` beside counters that are built into programs: the disassembly shows which functions
contain the counter of a function, and so code of it."""

import collections
import re
import subprocess

import pytest

import counted_programs
import counters
from source_packages import NotThere

pytestmark = pytest.mark.usefixtures("inlinecall")
MOST_NAMES = 64  # that are asked for at a time


def params():
    for program in counted_programs.ALL.values():
        for build in program.builds():
            yield pytest.param(program, build, id=f"{program.name} {build}",
                               marks=[pytest.mark.long] if program.is_long else [])


class Symbols:
    """The functions of a program: aliases have one name, and code that is rarely executed that of its
    function."""

    def __init__(self, program):
        text = subprocess.run(["nm", str(program)], check=True, stdout=subprocess.PIPE, text=True).stdout
        self.starts = collections.defaultdict(set)
        for address, name in re.findall(r"(?m)^([0-9a-f]+) [tTwW] (.*)$", text):
            self.starts[int(address, 16)].add(name)
        self.first = {name: min(names) for names in self.starts.values() for name in names if ".cold" not in name}
        self.sorted = sorted(self.starts)

    def name(self, name):
        name = re.sub(r"\.cold(\.\d+)?$", "", name)
        return self.first.get(name, name)

    def at(self, address):
        return self.name(min(self.starts[max(start for start in self.sorted if start <= address)]))


def counted_in(made, symbols):
    """{number of a counter: the functions that contain it}"""
    return {number: {symbols.at(int(address, 16)) for address in addresses}
            for number, addresses in counters.counter_addresses(made.program).items()}


def affected(made, symbols):
    """{number of a counter: the functions that contain code of its function}"""
    asked = sorted({row["linkage_name"] or row["function"]
                    for row in counters.printed("--count", "--json", *made.functions, made.program)[0]})
    numbers, found = counters.Numbers(made.counters), collections.defaultdict(set)
    for first in range(0, len(asked), MOST_NAMES):
        names = [f"--function={name}" for name in asked[first:first + MOST_NAMES]]
        rows, result = counters.printed("affected", "--json", *names, made.program)
        assert (result.stderr, result.returncode) == ("", 0)
        for row in rows:
            number = numbers.find(row["function"], row["decl_file"], row["decl_line"])
            if row["of"] == "host" and row["bytes"] and number is not None:  # of a copy without code nothing is left
                found[number] |= {symbols.name(symbol["name"]) for symbol in row["symbols"]}
    return found


def without_start(made, symbols, function):
    """Functions with code of a function that lacks its start, where the counter is: parts that GCC split off, in a
    function of their own or inlined; and the destructor of an abstract class that frees the object, which Clang makes
    a trap."""
    whole, part = set(), set()
    for row in counters.printed("sites", "--json", "--parts", f"--function={function.name}", made.program)[0]:
        if row["symbol"]:  # it has code
            (part if row["part"] else whole).add(symbols.name(row["symbol"]))
    return lambda name: ".part." in name or name.endswith("D0Ev") or name in part - whole


def is_described(made, function, host):
    """Whether the DIE of an out-of-line function has copies of a function, or is the function."""
    text = subprocess.run(["llvm-dwarfdump", f"--name={host}", "-c", str(made.program)], check=True,
                          stdout=subprocess.PIPE, text=True).stdout
    return f'"{function.name}"' in text or host == function.name


def differences(made):
    """[(function, only ours, only counted)], and how many functions contain counters."""
    symbols = Symbols(made.program)
    counted, ours = counted_in(made, symbols), affected(made, symbols)
    different = []
    for number, function in enumerate(made.counters):
        if function.name == "void":
            continue  # one that returns a pointer to a function, whose name was not found in the source
        more = ours.get(number, set()) - counted.get(number, set())
        fewer = counted.get(number, set()) - ours.get(number, set())
        if more:
            lacks_start = without_start(made, symbols, function)
            more = {name for name in more if not lacks_start(name)}
        # Clang describes no copy all of whose instructions, but the counter, were merged with others.
        fewer = {name for name in fewer if is_described(made, function, name)}
        if more or fewer:
            different.append((function.name, function.line, sorted(more), sorted(fewer)))
    return different, sum(map(len, counted.values()))


@pytest.mark.parametrize("program, build", params())
def test_functions_with_a_counter_are_affected(program, build, counted_folder):
    try:
        made = counted_programs.make(program, build, counters.folder_of(counted_folder, program, build))
    except NotThere as why:
        pytest.skip(str(why))
    different, count = differences(made)
    print(f"{program.name} {build}: {len(made.counters)} functions, counters in {count}")
    assert count >= len(made.counters) // 2 and not different, different[:10]
