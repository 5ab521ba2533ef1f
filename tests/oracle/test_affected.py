"""Which functions contain code of others, as the disassembly of marked sources shows."""

import json
import shutil
import subprocess

import pytest

import compare
from marked_sources import Marks, without_cold
from source_packages import NotThere, fetched_source

pytestmark = pytest.mark.usefixtures("inlinecall")
BUILDS = [("gcc", ("-O2",)), ("gcc", ("-O3",)), ("gcc", ("-Os",)), ("gcc", ("-O1",)), ("clang", ("-O2",)),
          ("clang", ("-O3",)), ("clang", ("-Os",))]


MATRIX = pytest.mark.parametrize("compiler, flags", BUILDS,
                                 ids=lambda value: value if isinstance(value, str) else value[0])


def our_hosts(path, names):
    """{function: the symbols that inlinecall affected lists}"""
    hosts = {}
    for first in range(0, len(names), 64):
        some = [f"--function={name}" for name in names[first:first + 64]]
        result = subprocess.run([compare.program(), "affected", "--json", *some, str(path)], capture_output=True, text=True,
                                check=False)
        assert (result.stderr, result.returncode in (0, 1)) == ("", True)
        for row in map(json.loads, result.stdout.splitlines()):
            if row["of"] == "host" and row["bytes"]:  # of a copy without code, the mark is gone too
                hosts.setdefault(row["function"], set()).update(
                    without_cold(symbol["name"]) for symbol in row["symbols"])
    return hosts


def check(marks, path):
    """Returns how many functions contain code of others."""
    names = marks.functions()
    found, wanted = our_hosts(path, names), marks.hosts(path)
    different = {}
    for name in names:
        ours, marked = found.get(name, set()), wanted.get(name, set())
        # The mark is at the start, which a part of a function that was split may lack.
        ours = {symbol for symbol in ours if symbol in marked or ".part." not in symbol}
        if ours != marked:
            different[name] = sorted(ours - marked), sorted(marked - ours)
    assert not different, f"{len(different)} functions: (only ours, only marked): {list(different.items())[:8]}"
    return sum(len(wanted[name]) for name in names if name in wanted)


def compile_marked(folder, sources, compiler, flags, output="program.o", link=("-r", "-nostdlib")):
    if not shutil.which(compiler):
        pytest.skip(f"no {compiler}")
    if compiler == "gcc":  # identical functions that it folds may have code without debugging information
        flags = (*flags, "-fno-ipa-icf")
    subprocess.run([compiler, "-g", "-w", *flags, *link, *map(str, sources), "-o", output], cwd=folder, check=True)
    return folder / output


def marked_copy(source, folder, keep=lambda path: True):
    marks = Marks()
    for path in sorted(source.rglob("*.[ch]")):
        if keep(path):
            to = folder / path.relative_to(source)
            to.parent.mkdir(parents=True, exist_ok=True)
            to.write_text(marks.mark(path.read_text(errors="surrogateescape")), errors="surrogateescape")
    return marks


def source_of(*package):
    try:
        return fetched_source(*package)
    except NotThere as reason:
        pytest.skip(str(reason))


@pytest.mark.long
@MATRIX
def test_lua(tmp_path, compiler, flags):
    source = source_of("lua5.4", "lua5.4", ("src/*",))
    marks = marked_copy(source / "src", tmp_path)
    units = [path for path in sorted(tmp_path.glob("*.c")) if path.name not in ("lua.c", "luac.c")]
    assert check(marks, compile_marked(tmp_path, units, compiler, flags)) > 800


@pytest.mark.long
@MATRIX
def test_zstd(tmp_path, compiler, flags):
    source = source_of("libzstd", "zstd", ("lib/*",))
    marks = marked_copy(source / "lib", tmp_path, lambda path: "legacy" not in path.parts)
    units = [path for folder in ("common", "compress", "decompress") for path in sorted((tmp_path / folder).glob("*.c"))]
    assert check(marks, compile_marked(tmp_path, units, compiler, (*flags, "-DZSTD_DISABLE_ASM"))) > 1500
