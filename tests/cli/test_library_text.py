"""docs/library.md is true: its pieces of code are those of an example, which does what it says."""

import re
import subprocess
from pathlib import Path

import pytest

import building

ROOT = Path(__file__).resolve().parents[2]


def test_its_code_is_that_of_the_example():
    example = (ROOT / "examples/offsets.c").read_text()
    pieces = re.findall(r"^```c\n(.*?)^```$", (ROOT / "docs/library.md").read_text(),
                        re.DOTALL | re.MULTILINE)
    assert len(pieces) > 3
    for piece in pieces:
        assert piece in example


@pytest.fixture
def offsets(program):
    """Runs the example beside the program."""
    example = Path(program).resolve().parents[1] / "examples/offsets"
    if not example.exists():  # the program is an installed one
        pytest.skip(f"no {example}")

    def run_example(text):
        return subprocess.run([example], input=text, capture_output=True, text=True, check=False)

    return run_example


def file_offset(path, addr):
    """Of an address, by the program headers."""
    for line in building.command("readelf", "-lW", path).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and "E" in line[60:]:
            off, start, size = (int(words[i], 16) for i in (1, 2, 4))
            if start <= addr < start + size:
                return addr - start + off
    raise AssertionError(f"{addr:#x} is in no executable segment")


def test_the_example_names_places_in_several_files(offsets, run, elf, tmp_path):
    asked, wanted = [], []
    for path in elf("c"), elf("c++"):
        starts = re.findall(r"(0x[0-9a-f]+)-0x", run("-a", "--csv", path).out)
        for addr in (int(start, 16) for start in starts[::5]):
            frames = run("addr", path, f"{addr:#x}").out.splitlines()
            names = [re.sub(r"\(\)$", "", frame.split("\t")[1]) for frame in frames]
            marks = ["_[i]" if "\tinlined" in frame else "" for frame in frames]
            wanted.append(";".join(name + mark for name, mark in
                                   reversed(list(zip(names, marks)))))
            asked.append(f"{path} {file_offset(path, addr):#x}")
    result = offsets("\n".join(asked))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == wanted
    assert any("_[i]" in line for line in wanted)


def test_the_example_says_why_it_knows_nothing(offsets, elf, tmp_path):
    stripped = tmp_path / "stripped"
    building.command("strip", "-o", stripped, elf("c"))
    text = building.command("readelf", "-SW", stripped)
    off = re.search(r" \.text +PROGBITS +\w+ (\w+)", text)[1]
    result = offsets(f"{elf('c')} 0xffffff\n{stripped} {off}\n{tmp_path / 'absent'} 1\n")
    assert result.stdout.splitlines()[:2] == ["[not code]", "[no debug information]"]
    assert result.returncode == 2
    assert "absent" in result.stderr
