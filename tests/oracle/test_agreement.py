"""All commands count the same copies and bytes of each function."""

from pathlib import Path

import pytest

import agreement
import builds
import counted_programs
import counters
from packages import fetched
from source_packages import NotThere
from test_distribution import has_dwarf_of_its_own

OURS = [program for program in counted_programs.ALL.values() if not program.is_long]
REAL = [("lua", "gcc -O3"), ("zstd", "clang -O2"), ("sqlite", "gcc -O2"), ("ninja", "gcc -O2"),
        ("ninja", "clang -O3"), ("regex-syntax", "rustc -O")]
PACKAGES = ("libc6-dbg", "valgrind-dbg", "python3.11-dbg", "libstdc++6-12-dbg")
# Of packages with many files the largest ones.
FILES_OF_PACKAGE = 3


def agrees(path, copies):
    lines, functions, found = agreement.differences(path)
    print(f"{path}: {functions} functions, {found} copies")
    assert found >= copies, "too little was inlined: too little was compared"
    assert not lines, "\n".join(lines[:20])


@pytest.mark.parametrize("build", builds.params(
    build for build in builds.matrix()
    if build.name in ("plain-O2", "plain-O3", "object-sections") and build.dwarf == 5))
def test_commands_agree_on_a_build(build, built, inlinecall):
    agrees(built(build), 2)


@pytest.mark.parametrize("program, build", [
    pytest.param(program, program.builds()[0], id=program.name,
                 marks=[pytest.mark.long] if program.name.endswith(".rs") else [])
    for program in OURS])
def test_commands_agree_on_a_program_of_ours(program, build, tmp_path, inlinecall):
    agrees(made(program, build, tmp_path), 20)


@pytest.mark.long
@pytest.mark.parametrize("name, build", REAL, ids=[" ".join(pair) for pair in REAL])
def test_commands_agree_on_a_real_program(name, build, tmp_path, inlinecall):
    agrees(made(counted_programs.ALL[name], build, tmp_path), 1000)


def made(program, build, folder):
    """The program without counters."""
    try:
        return counted_programs.make(program, build,
                                     counters.folder_of(folder, program, build)).plain
    except NotThere as why:
        pytest.skip(str(why))


@pytest.mark.long
@pytest.mark.parametrize("package", PACKAGES)
def test_commands_agree_on_a_package(package, inlinecall):
    paths = [path for path in fetched(package).rglob("*")
             if path.is_file() and not path.is_symlink() and has_dwarf_of_its_own(path)]
    assert paths, f"{package} has no file with DWARF"
    for path in sorted(paths, key=lambda path: -path.stat().st_size)[:FILES_OF_PACKAGE]:
        agrees(path, 100)


@pytest.mark.long
def test_commands_agree_on_a_kernel(kernel, inlinecall):
    vmlinux, = kernel.rglob("vmlinux-*")
    agrees(Path(vmlinux), 100000)
