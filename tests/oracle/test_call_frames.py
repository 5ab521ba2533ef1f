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


# Functions with and without an LSDA, so of several CIEs.
THROWS = """\
void may_throw();
struct object { ~object(); };
void first() { object one; may_throw(); }
int second(int number) { return number * 3; }
void third() { object one; may_throw(); may_throw(); }
int fourth(int number) { may_throw(); return number; }
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


# Beside INLINECALL, in the same build directory.
COMPARE_FRAMES = Path(compare.program()).resolve().parents[1] / "tests/oracle/compare_frames"


def check_index(path):
    """The row of every address is the same by .eh_frame_hdr and by reading all FDEs; returns how
    many were compared, none if it has no call frame information, and whether the index was enough
    for all code."""
    if not COMPARE_FRAMES.exists():
        pytest.skip(f"no {COMPARE_FRAMES}")
    text = subprocess.run([COMPARE_FRAMES, path], capture_output=True, text=True, check=False).stdout
    assert "differs" not in text, text[:1000]
    words = text.split()
    return (int(words[1]), words[3] == "0") if words else (0, False)


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


@pytest.mark.parametrize("name", ["libc.so.6", "libstdc++.so.6"])
def test_an_index_finds_what_reading_all_does(name):
    count, is_enough = check_index(library(name))
    assert count > 10000 and is_enough


@pytest.mark.parametrize("linker", ["bfd", "gold", "lld", "mold"])
@pytest.mark.parametrize("bits", [32, 64])
def test_the_index_of_every_linker_is_enough(tmp_path, linker, bits):
    source = tmp_path / "some.cc"
    source.write_text(THROWS)
    words = ["clang++", f"-m{bits}", f"-fuse-ld={linker}", "-O1", "-shared", "-fPIC", "-nostdlib",
             "-o", "some.so", source]
    if not shutil.which("clang++") or subprocess.run(words, cwd=tmp_path, stderr=subprocess.DEVNULL,
                                                     check=False).returncode:
        pytest.skip(f"no {linker}")
    count, is_enough = check_index(tmp_path / "some.so")
    assert count > 10 and is_enough


@pytest.mark.long
def test_the_indexes_of_all_programs_find_what_reading_all_does():
    compared = enough = 0
    for folder in ("/usr/bin", "/usr/lib/x86_64-linux-gnu"):
        for path in Path(folder).iterdir():
            if path.is_file() and not path.is_symlink() and path.read_bytes()[:4] == b"\x7fELF":
                count, is_enough = check_index(path)
                compared += count
                enough += is_enough
    assert compared > 100000 and enough > 100


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
