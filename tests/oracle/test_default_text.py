"""The text of `inlinecall --parts FUNCTION FILE`, rebuilt from llvm-dwarfdump and compared by bytes.

    DECL_FILE:DECL_LINE                               an abstract instance whose copies have code
    \t[0xSTART - 0xEND]\tCALL_FILE:CALL_LINE:COLUMN\tCALLER()    a range of a copy

with a fourth field for "same copy" (all ranges of a copy but its first) and "entry 0xENTRY" (at the
range that holds the entry, or else the first; not if the first range starts with it).
The abstract instances are in file order, the copies of each too, the ranges of each in DWARF
order. CALLER is the function symbol that wholly holds the range, else the host's name in DWARF.
Several symbols may hold it (a constructor's two names): then any of them will do.
Which copies are marked as parts of a function, test_statistics.py looks at.
"""

import bisect
import re
import subprocess

import pytest

import builds
import compare
import instances

FORMS = ("plain-O2", "Os", "m32", "flto", "thinlto", "strict", "gc-bfd", "gc-lld", "no-pie",
         "object-sections", "with-4")
FILES = [build for build in builds.matrix() if build.name in FORMS]


class Symbols:
    """Which function symbols hold a range."""

    def __init__(self, path, sections):
        self.symbols = instances.function_symbols(path, sections)
        self.starts = [symbol.start for symbol in self.symbols]
        self.longest = max((symbol.end - symbol.start for symbol in self.symbols), default=0)

    def holding(self, start, end, section):
        first = bisect.bisect_left(self.starts, start - self.longest)
        last = bisect.bisect_right(self.starts, start)
        return {symbol.name for symbol in self.symbols[first:last]
                if end <= symbol.end and symbol.section in (None, section)}


def position(path, line):
    return f"{compare.one_slash(path) or '??'}:{(line or 0) if path else 0}"


def place(site):
    column = f":{site.call_column}" if site.call_column else ""
    return position(site.call_file, site.call_line) + column


def address(addr, section):
    return f"{section}+{addr:#x}" if section else f"{addr:#x}"


def expected_lines(sites, symbols):
    """[(text before the caller, the callers that are right, text behind), ...]"""
    lines = []
    by_origin = {}
    for site in sorted(sites, key=lambda site: site.die):
        by_origin.setdefault(site.origin, []).append(site)
    for _, copies in sorted(by_origin.items()):
        if any(site.ranges for site in copies):
            lines.append((position(copies[0].decl_file, copies[0].decl_line), None, ""))
        for site in copies:
            for number, (start, end, section) in enumerate(site.ranges):
                text = f"\t[{address(start, section)} - {address(end, section)}]\t{place(site)}\t"
                lines.append((text, symbols.holding(start, end, section) or {site.host},
                              remark(site, number)))
    return lines


def remark(site, number):
    words = ["same copy"] if number > 0 else []
    first = site.ranges[0]
    # A copy is entered in the section of its entry; without one nothing says which that is.
    section = site.entry_section
    holding = next((i for i, (start, end, other) in enumerate(site.ranges)
                    if site.entry is not None and other == section and start <= site.entry < end),
                   0)
    if number == holding and (site.entry, section) != (first[0], first[2]):
        words.append("entry " + (address(site.entry, section) if site.entry is not None else "?"))
    return "\t" + ", ".join(words) if words else ""


def differs(expected, line):
    before, callers, behind = expected
    if callers is None:
        return line != before
    return line not in {f"{before}{caller}(){behind}" for caller in callers}


def difference(function, expected, text):
    """The first line that is not as expected, from both sides; None if there is none."""
    lines = text.split("\n")
    if lines.pop() != "":
        return f"{function}: the last line has no end"
    for number, (wanted, line) in enumerate(zip(expected, lines), 1):
        if differs(wanted, line):
            return f"{function}, line {number}:\n  oracle  {wanted}\n  program {line!r}"
    if len(expected) != len(lines):
        return f"{function}: {len(expected)} lines expected, {len(lines)} printed"
    return None


@pytest.mark.parametrize("build", builds.params(FILES))
def test_the_text_is_that_of_the_oracle(build, built, recorded, inlinecall):
    path = str(built(build))
    symbols = Symbols(path, instances.Sections(path))
    by_function = {}
    for site in recorded(build):
        if site.type == "site":
            by_function.setdefault(site.function, []).append(site)
    # "operator()" is "operator()<int>" too.
    by_function = {name: [site for other, sites in by_function.items() for site in sites
                          if other == name or (name and name.endswith("()") and
                                               other and other.startswith(name + "<"))]
                   for name in by_function}
    wrong = []
    for function, sites in by_function.items():
        expected = expected_lines(sites, symbols)
        result = subprocess.run([compare.program(), "--parts", function, path], capture_output=True,
                                text=True, check=False)
        text = re.sub(r"\tpart(, |$)", lambda mark: "\t" if mark[1] else "", result.stdout,
                      flags=re.MULTILINE)
        wrong.append(difference(function, expected, text))
        # Copies without code alone: whether that is "nothing found" (1) is the program's to say.
        if result.returncode not in ((0,) if expected else (0, 1)):
            wrong.append(f"{function}: exit status {result.returncode}: {result.stderr}")
    assert not any(wrong), "\n".join(filter(None, wrong))
