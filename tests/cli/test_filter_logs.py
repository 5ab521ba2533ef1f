"""`inlinecall addr --filter` on what programs print of their stacks: a text of each program in logs/, in
which the addresses are those of programs/calls.c, built here. No line may be off by one.

The texts were printed by these programs or, where there was none to run, follow their source. What they
say of other files, as of a C library, is as it was. In a text, {caller} is what the call in caller()
returns to, {pc} where callee() faults, in one that is inlined. With C before the name it is a byte
less, which is in the call; with L it is in memory, with f_ in the file, with b_ from the first segment,
with o_ from the start of the function; "line_" is the line in the source."""

import re
import struct
from pathlib import Path

import pytest

import calls
from building import command, need

LOGS = Path(__file__).resolve().parent / "logs"
LINKS = {"pie": ("-pie", "-fPIE"), "fixed": ("-no-pie", "-fno-pie")}
CALLS = {"caller": ("callee", "int result = callee"), "outer": ("caller", "int result = caller"),
         "main": ("outer", "int result = outer")}
BIAS = 0x55d0c0f1a000


def segments(path):
    """[(offset, address, size, is code), ...] of what is loaded."""
    return [(*(int(number, 16) for number in row[:3]), "E" in row[3]) for row in re.findall(
        r"^ +LOAD +0x(\w+) 0x(\w+) 0x\w+ 0x\w+ 0x(\w+) (R?.?E?)", command("readelf", "-lW", path), re.M)]


# Without an offset, where a file that is moved has an address is known by the function; not by one that
# is only inlined there, nor by one that the file does not have.
NAMES_ONLY = ("asan-symbolized", "lldb", "valgrind")
FIXED_ONLY = ("chromium", "gcc-ice")


class Program:
    """A build of calls.c, and what the texts may have of it."""

    def __init__(self, path, link):
        self.path, self.link = path, link
        loads = segments(path)
        lowest, bias = min(load[1] for load in loads) & ~0xfff, BIAS if link == "pie" else 0
        (code,) = (load for load in loads if load[3])
        fault = next(address for address, text in calls.instructions(path, "callee")
                     if re.match(r"movl?\s+\(%r\w+\),|addl?\s+\(%r\w+\)", text))
        places = {"pc": ("callee", fault)}
        for name, (callee, _) in CALLS.items():
            places[name] = name, calls.call_of(path, name, callee).after
        self.values = {"path": str(path), "name": path.name, "base": lowest + bias,
                       "text": (code[1] & ~0xfff) + bias,
                       "text_size": ((code[1] & 0xfff) + code[2] + 0xfff) & ~0xfff,
                       "id": re.search(r"Build ID: (\w+)", command("readelf", "-n", path))[1],
                       "line_pc": calls.line_of("return *p + 1"),
                       "line_fault": calls.line_of("return fault(nowhere)")}
        for name, (function, address) in places.items():
            for lead, number in (("", address), ("C", address - 1)):
                self.values |= {lead + name: number, f"L{lead}{name}": number + bias,
                                f"f_{lead}{name}": number - code[1] + code[0],
                                f"b_{lead}{name}": number - lowest}
            self.values[f"o_{name}"] = address - calls.start_of(path, function)
        for name, (_, text) in CALLS.items():
            self.values[f"line_{name}"] = calls.line_of(text)

    def fill(self, log):
        """The text, and which place each of its lines has: {number: name}."""
        template, places = (LOGS / f"{log}.txt").read_text(), {}
        for number, line in enumerate(template.splitlines()):
            found = re.search(r"\{(?:[bfo]_)?L?C?(pc|caller|outer|main)\b", line)
            is_inlined = self.link == "pie" and log in NAMES_ONLY and re.search(r"\bfault\b", line)
            if found and not is_inlined and not re.search(r"libother|ERROR: |^fault\(|pc=0x", line):
                places[number] = found[1]
        return template.format(**self.values), places


@pytest.fixture(scope="module")
def built_for(tmp_path_factory):
    need("gcc")
    directory, made = tmp_path_factory.mktemp("logs"), {}

    def build(link):
        if link not in made:
            path = directory / f"calls-{link}"
            command("gcc", "-g", "-O1", *LINKS[link], "-Wl,--build-id", calls.SOURCE, "-o", path)
            made[link] = Program(path, link)
        return made[link]

    return build


def answer(follow):
    """(function, ...) of the frames, and the line of the innermost one."""
    names = tuple(line.split("() at")[0] for line in follow)
    return names, follow and int(re.search(r"calls\.c:(\d+)", follow[0])[1])


@pytest.mark.parametrize("link", LINKS)
@pytest.mark.parametrize("log", sorted(path.stem for path in LOGS.glob("*.txt")))
def test_each_frame_of_a_log_is_answered_with_its_own_line(filtered, built_for, log, link):
    built = built_for(link)
    if link == "pie" and log in FIXED_ONLY:
        pytest.skip("its addresses are those of a program that is not moved")
    text, places = built.fill(log)
    want = {"pc": (("fault", "callee"), built.values["line_pc"])} | {
        name: ((name,), built.values[f"line_{name}"]) for name in CALLS}
    got = {number: answer(follow) for number, follow in enumerate(filtered(text, "--no-open", built.path))
           if follow and not re.search(r"ERROR: |pc=0x|^fault\(", text.splitlines()[number])}
    assert got == {number: want[name] for number, name in places.items()}
