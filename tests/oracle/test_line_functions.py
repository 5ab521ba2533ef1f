"""The functions that nvcc's line tables say were inlined, beside eu-readelf."""

import json
import re
import shutil
import subprocess
from pathlib import Path

import pytest

import compare

SOURCE = Path(__file__).resolve().parent / "programs" / "kernels.cu"
PRINT_ROWS = Path(compare.program()).resolve().parents[1] / "tests/oracle/print_rows"


@pytest.fixture(scope="module")
def cubin(tmp_path_factory):
    for tool in ("nvcc", "eu-readelf"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    path = tmp_path_factory.mktemp("cubin") / "kernels.cubin"
    subprocess.run(["nvcc", "-arch=sm_90", "-lineinfo", "-cubin", SOURCE, "-o", path], check=True)
    return path


def printed_rows(path):
    """[(address, line, file, number of the call's row, function), ...]"""
    text = subprocess.run([PRINT_ROWS, path], stdout=subprocess.PIPE, text=True, check=True).stdout
    for line in text.splitlines():
        assert not line.startswith("problem"), line
        if line.startswith("table"):
            continue
        addr, number, _, file, *_ = line.split()
        context = re.search(r" at (\d+)", line)
        function = re.search(r" in (\S+)", line)
        yield (int(addr, 16), int(number), int(file), int(context[1]) if context else 0,
               function[1] if function else None)


def expected_rows(path):
    """The same, from the opcodes as eu-readelf shows them. It does not number rows; that nvcc does
    so from the start of the sequence is seen in the lines of the calls: see below."""
    text = subprocess.run(["eu-readelf", "--debug-dump=line", path], stdout=subprocess.PIPE,
                          text=True, check=True).stdout
    addr = context = emitted = sequence = 0
    file = line = 1
    function = None
    for what in re.findall(r"^ \[ *[0-9a-f]+\] (.*)", text.partition("statements:")[2], re.M):
        if address := re.search(r"(?:address to|address by \d+ to|address\+\d+ =) (\w+)", what):
            addr = int(address[1], 0)
        if number := re.search(r"line(?: by constant -?\d+ to|[-+]\d+ =) (\d+)", what):
            line = int(number[1])
        if number := re.search(r"set file to (\d+)", what):
            file = int(number[1])
        if inlined := re.search(r"inlined context (\d+), function name (\S+)", what):
            context, function = int(inlined[1]), inlined[2]
        ends = "end of sequence" in what
        if ends or re.match(r"copy|special", what):
            emitted += 1
            inside = context > 0 and not ends
            yield (addr, line, file, sequence + context if inside else 0,
                   function if inside else None)
        if ends:
            addr = context = 0
            file = line = 1
            sequence = emitted


def test_they_are_those_of_eu_readelf(cubin):
    rows = list(printed_rows(cubin))
    assert rows == list(expected_rows(cubin))
    assert len({function for *_, function in rows}) > 3


def test_the_row_of_a_call_has_the_line_of_a_call(cubin):
    lines = SOURCE.read_text().splitlines()
    rows = list(printed_rows(cubin))
    for *_, context, function in rows:
        if context:
            called = re.search(r"(cube|square|blend)", function)[1]
            assert re.search(called + r"(<\d+>)?\(", lines[rows[context - 1][1] - 1])


def kernels(path):
    """The symbols of the kernels, in the order of their sequences: that of the addresses' places in
    .debug_line, which only relocations tell apart."""
    text = subprocess.run(["readelf", "-rW", path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, check=True).stdout
    part = re.search(r"'\.rela\.debug_line'.*?\n\n", text, re.S)[0]
    return [name for _, name in sorted(re.findall(r"^([0-9a-f]{16}) .* (\S+) \+ 0$", part, re.M))]


def expected_stacks(path):
    """(symbol, address, [(linkage name, line), ...]) for every row with code."""
    rows, names = list(expected_rows(path)), kernels(path)
    for (addr, line, _, context, function), (end, *_) in zip(rows, rows[1:]):
        if addr < end:
            stack = [(function or names[0], line)]
            while context:
                _, line, _, context, function = rows[context - 1]
                stack.append((function or names[0], line))
            yield names[0], addr, stack
        elif addr > end:  # that was the end of a sequence
            names.pop(0)


def test_addresses_have_the_stacks_of_their_rows(cubin):
    expected = list(expected_stacks(cubin))
    command = [compare.program(), "addr", "--json", cubin]
    command += [f".text.{symbol}+{addr:#x}" for symbol, addr, _ in expected]
    out = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    found = [[(frame["linkage_name"], frame["line"]) for frame in json.loads(line)["frames"]]
             for line in out.splitlines()]
    assert found == [stack for *_, stack in expected]
    assert max(map(len, found)) > 2
