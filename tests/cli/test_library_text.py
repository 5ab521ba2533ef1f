"""docs/library.md is true: its pieces of code are those of examples, which do what it says."""

import csv
import json
import os
import re
import subprocess
from pathlib import Path

import pytest

import building

ROOT = Path(__file__).resolve().parents[2]


def test_its_code_is_that_of_the_examples():
    example = "".join((ROOT / f"examples/{name}.c").read_text()
                      for name in ("addr", "large", "log", "offsets", "process", "profile", "sites", "stack"))
    pieces = re.findall(r"^```c\n(.*?)^```$", (ROOT / "docs/library.md").read_text(),
                        re.DOTALL | re.MULTILINE)
    assert len(pieces) > 3
    for piece in pieces:
        assert piece in example


@pytest.mark.parametrize("path", sorted(ROOT.glob("*.md")) + sorted((ROOT / "docs").rglob("*.md")),
                         ids=lambda path: path.stem)
def test_code_in_documents_begins_and_ends(path):
    is_code = False
    for line in path.read_text().splitlines():
        if line.startswith("```"):
            assert not (is_code and line[3:]), line  # the end of code names no language
            is_code = not is_code
    assert not is_code


@pytest.fixture
def run_example(program):
    """Runs an example beside the program."""
    examples = Path(program).resolve().parents[1] / "examples"
    if not examples.exists():  # the program is an installed one
        pytest.skip(f"no {examples}")

    def run_named(name, *args, stdin, stdout=subprocess.PIPE):
        return subprocess.run([examples / name, *args], input=stdin, stdout=stdout,
                              stderr=subprocess.PIPE, text=True, check=False)

    return run_named


@pytest.fixture
def offsets(run_example):
    return lambda text: run_example("offsets", stdin=text)


def file_offset(path, addr):
    """Of an address, by the program headers."""
    for line in building.command("readelf", "-lW", path).splitlines():
        words = line.split()
        if words[:1] == ["LOAD"] and "E" in line[60:]:
            off, start, size = (int(words[i], 16) for i in (1, 2, 4))
            if start <= addr < start + size:
                return addr - start + off
    raise AssertionError(f"{addr:#x} is in no executable segment")


def starts_in(run, path, step):
    """Where ranges of inlined code start, each STEPth of them."""
    starts = re.findall(r"(0x[0-9a-f]+)-0x", run("-a", "--csv", path).out)
    return [int(start, 16) for start in starts[::step]]


def stack_at(run, path, addr):
    """What the program says of an address, in the examples' words: without parameters."""
    frames = json.loads(run("addr", "-C", "--json", path, f"{addr:#x}").out)["frames"]
    mangled = [frame["linkage_name"] or frame["function"] for frame in frames]
    names = building.command("c++filt", "-p", *mangled).splitlines()
    return ";".join(name + "_[i]" * frame["inlined"]
                    for name, frame in reversed(list(zip(names, frames))))


def test_the_example_names_places_in_several_files(offsets, run, elf, tmp_path):
    asked, wanted = [], []
    for path in elf("c"), elf("c++"):
        for addr in starts_in(run, path, 5):
            wanted.append(stack_at(run, path, addr))
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


@pytest.fixture
def process(program, elf):
    """One that runs, of the program: it waits for an address."""
    with subprocess.Popen([program, "addr", elf("c")], stdin=subprocess.PIPE,
                          stdout=subprocess.PIPE, text=True) as child:
        child.stdin.write("0\n")
        child.stdin.flush()
        child.stdout.readline()  # now all of its libraries are there
        yield child
        child.stdin.close()


def code_mappings(pid):
    """(path, offset, start, end) of each."""
    for line in Path(f"/proc/{pid}/maps").read_text().splitlines():
        words = line.split(maxsplit=5)
        if "x" in words[1] and len(words) > 5:
            start, end = (int(word, 16) for word in words[0].split("-"))
            yield words[5], int(words[2], 16), start, end


def test_the_example_names_addresses_of_a_process(run_example, run, process, program):
    asked, wanted = [], []
    for path, off, start, end in code_mappings(process.pid):
        if not path.startswith(str(Path(program).parents[1])):
            continue
        for addr in starts_in(run, path, 29):
            at = file_offset(path, addr)
            if off <= at < off + end - start:
                asked.append(start + at - off)
                wanted.append(f"{stack_at(run, path, addr)}\t{path}")
    assert any("_[i]" in line for line in wanted)
    result = run_example("process", str(process.pid), stdin="\n".join(map(hex, asked)))
    assert result.returncode == 0, result.stderr
    assert result.stdout.splitlines() == wanted


def test_the_example_names_what_is_in_no_file_of_the_process(run_example, process):
    mappings = {path: range(start, end, 16)
                for path, _, start, end in code_mappings(process.pid)}
    libc = next(path for path in mappings if "libc.so" in path)
    asked = [mappings[libc][1000], 0x10, *mappings["[vdso]"]]
    result = run_example("process", str(process.pid), stdin="\n".join(map(hex, asked)))
    lines = result.stdout.splitlines()
    assert len(lines) == len(asked)
    assert lines[0].endswith("\t" + libc)
    assert lines[1] == "[not code]\t"
    assert all(line.endswith("\t[vdso]") for line in lines[2:])
    # Others may not read the memory of a process that they did not start.
    names = ("__vdso_", "__kernel_") if os.geteuid() == 0 else ("__vdso_", "__kernel_", "[made by")
    assert any(line.startswith(names) for line in lines[2:])


def test_the_example_puts_functions_into_a_log(run_example, run, elf):
    path, log, wanted = elf("c"), [], []
    symbols = [line.split() for line in building.command("nm", "-S", path).splitlines()]
    for addr in starts_in(run, path, 5):
        start, size, name = next((int(words[0], 16), int(words[1], 16), words[3])
                                 for words in symbols if len(words) == 4
                                 and 0 <= addr - int(words[0], 16) < int(words[1], 16))
        log.append(f"pc : {name}+{addr - start:#x}/{size:#x}")
        names = reversed(stack_at(run, path, addr).split(";"))
        wanted += [log[-1]] + [name.replace("_[i]", " (inlined)") for name in names]
    result = run_example("log", path, stdin="\n".join(log) + "\nno place\n")
    assert result.returncode == 0, result.stderr
    lines = [re.sub(r"^ {4}(\w+) at \S+?:\d+", r"\1", line) for line in result.stdout.splitlines()]
    assert lines == wanted + ["no place"]
    assert any(line.endswith(" (inlined)") for line in lines)


def test_the_example_lists_the_members_of_an_archive(run_example, elf, tmp_path):
    path = tmp_path / "lib.a"
    building.command("ar", "qc", path, elf("object"))
    alone = run_example("sites", "clamp", elf("object"), stdin="")
    result = run_example("sites", "clamp", path, stdin="")
    assert alone.stdout
    assert (result.returncode, result.stdout, result.stderr) == (0, alone.stdout, "")
    path.write_bytes(path.read_bytes()[:-100])
    result = run_example("sites", "clamp", path, stdin="")
    assert result.returncode == 2
    assert str(path) in result.stderr


def test_the_example_asks_the_kernel_too(run_example):
    """Whatever this machine hides, and whatever files it has."""
    result = run_example("process", "kernel", stdin="10\nffffffffff5ff000\n")
    if result.returncode == 0:
        assert result.stdout.splitlines() == ["[not code]\t"] * 2
    else:
        assert (result.returncode, result.stdout) == (1, "")
        assert "/proc/kallsyms" in result.stderr


def test_the_example_says_that_there_is_no_such_process(run_example):
    result = run_example("process", str(2**22 + 1), stdin="")
    assert (result.returncode, result.stdout) == (1, "")
    assert f"/proc/{2**22 + 1}/maps" in result.stderr


def code_size(ranges):
    """Of a cell of CSV."""
    return sum(int(end, 16) - int(start, 16)
               for start, end in re.findall(r"(0x[0-9a-f]+)-(0x[0-9a-f]+)", ranges))


def test_the_example_lists_large_copies_of_several_files_in_one_table(run_example, run, elf):
    paths = [str(elf(name)) for name in ("c", "c++")]
    heading, *rows = csv.reader(run("-a", "-C", "--csv", *paths).out.splitlines())
    ranges, part = heading.index("ranges"), heading.index("part")
    rows = [row for row in rows if row[part] == "false"]
    least = sorted(code_size(row[ranges]) for row in rows)[len(rows) // 2]
    result = run_example("large", str(least), *paths, stdin="")
    assert result.returncode == 0, result.stderr
    wanted = [row for row in rows if code_size(row[ranges]) >= least]
    assert list(csv.reader(result.stdout.splitlines())) == [heading, *wanted]
    assert 0 < len(wanted) < len(rows)
    assert {row[heading.index("file")] for row in wanted} == set(paths)


def test_the_example_with_one_table_goes_on_after_a_file_that_cannot_be_read(run_example, elf):
    result = run_example("large", "1", "absent", str(elf("c")), stdin="")
    assert result.returncode == 2
    assert "absent" in result.stderr
    assert len(result.stdout.splitlines()) > 1


def test_the_example_says_that_its_table_cannot_be_written(run_example, elf):
    with open("/dev/full", "w", encoding="utf-8") as full:
        result = run_example("large", "1", str(elf("c")), stdin="", stdout=full)
    assert result.returncode == 2
    assert result.stderr == "cannot write the report: No space left on device\n"


def test_the_example_of_stacks_prints_its_own(run_example):
    result = run_example("stack", stdin="")
    if ": cannot trace: " in result.stderr:
        pytest.skip(result.stderr.strip())
    assert result.returncode == 0
    assert re.search(r"^0x[0-9a-f]+ main$", result.stdout, re.MULTILINE)


def test_the_example_prints_its_own_stack(run_example):
    result = run_example("stack", stdin="")
    assert result.returncode == 0, result.stderr
    *frames, end = result.stdout.splitlines()
    names = [frame.split(" ")[1] for frame in frames]
    assert "main" in names
    assert names[-1] == "_start"
    assert end == "outermost frame"
