"""Every row and instruction of call frame information is what readelf and llvm-dwarfdump print."""

import shutil
import subprocess
from pathlib import Path

import pytest

import call_frames
import compare

GO = """\
package main

import "fmt"

func main() { fmt.Println("frames") }
"""


def check(path):
    """Compares a file; returns the number of its rows."""
    frames = call_frames.ours(path)
    differences, rows = call_frames.readelf_differences(path, frames)
    assert not differences, "\n".join(differences[:10])
    differences, _ = call_frames.llvm_differences(path, frames)
    assert not differences, "\n".join(differences[:10])
    differences, instructions = call_frames.instruction_differences(path)
    assert not differences, "\n".join(differences[:10])
    assert instructions > 0
    return rows


def output(*words, cwd=None):
    return subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=True).stdout.strip()


def library(name):
    found = output("gcc", "-print-file-name=" + name) if shutil.which("gcc") else name
    if found == name:  # what it prints if there is none
        pytest.skip(f"no {name}")
    return found


@pytest.mark.parametrize("name", ["libc.so.6", "libstdc++.so.6"])
def test_libraries_are_read_as_others_do(inlinecall, name):
    assert check(library(name)) > 1000


def test_the_program_itself_is_read_as_others_do(inlinecall):
    check(compare.program())


@pytest.mark.long
def test_gdb_is_read_as_others_do(inlinecall):
    if not Path("/usr/bin/gdb").exists():
        pytest.skip("no gdb")
    assert check("/usr/bin/gdb") > 10000


@pytest.mark.long
def test_the_compiler_of_rust_is_read_as_others_do(inlinecall):
    if not shutil.which("rustc"):
        pytest.skip("no rustc")
    root = Path(output("rustc", "--print", "sysroot"))
    found = sorted((root / "lib").glob("librustc_driver-*.so"))
    if not found:
        pytest.skip("no librustc_driver")
    assert check(found[-1]) > 10000


@pytest.mark.long
def test_a_program_in_go_is_read_as_others_do(inlinecall, tmp_path):
    if not shutil.which("go"):
        pytest.skip("no go")
    (tmp_path / "main.go").write_text(GO)
    output("go", "build", "-o", "frames", "main.go", cwd=tmp_path)
    assert check(tmp_path / "frames") > 1000


@pytest.mark.long
def test_a_kernel_is_read_as_others_do(inlinecall, kernel):
    (path,) = kernel.rglob("vmlinux-*")
    check(path)
