"""ELF files for tests that do not compare whole texts."""

import re
import resource
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
PROGRAMS = HERE.parent / "oracle" / "programs"
OURS = HERE / "programs"

# name: (compiler, sources, options)
BUILDS = {
    "c": ("gcc", ("first.c", "second.c"), ("-O2", "-Wl,--build-id=none")),
    "clang": ("clang", ("first.c", "second.c"), ("-O2",)),
    "c++": ("g++", ("third.cpp", "fourth.cpp"), ("-O2",)),
    "templates": ("g++", (OURS / "templates.cpp",), ("-O2", "-c")),
    "lto": ("gcc", ("first.c", "second.c"), ("-O2", "-flto")),
    "split": ("gcc", ("first.c",), ("-O2", "-c", "-gsplit-dwarf")),
    "tail-call": ("gcc", (OURS / "tail_call.c",), ("-O2", "-c")),
    "object": ("gcc", ("first.c",), ("-O2", "-c")),
    "sections": ("gcc", ("first.c",), ("-O2", "-c", "-ffunction-sections")),
    "m32": ("gcc", ("first.c",), ("-O2", "-c", "-m32")),
    "build-id": ("gcc", ("first.c", "second.c"), ("-O2", "-Wl,--build-id=0xab12cd34ef")),
    # debuginfod's server does not see a build-id whose size is odd.
    "server": ("gcc", ("first.c", "second.c"), ("-O2", "-Wl,--build-id=0x0123456789abcdef")),
    "parts": ("gcc", (OURS / "parts.c",), ("-O2",)),
    "partitions": ("gcc", (OURS / "partitions.c",), ("-O2", "-flto", "-flto-partition=max")),
    "nothing-inlined": ("gcc", ("first.c",), ("-O0", "-c", "-Dalways_inline=unused")),
}


def command(*words, cwd=None):
    """Runs a tool of the toolchain; what it prints is in the failure."""
    result = subprocess.run([str(word) for word in words], cwd=cwd, stdout=subprocess.PIPE,
                            stderr=subprocess.STDOUT, text=True, check=False)
    if result.returncode:
        raise RuntimeError(f"{' '.join(map(str, words))}\n{result.stdout}")
    return result.stdout


def instructions(path):
    """The addresses of the instructions in .text; of a PIE they are offsets in the file, too."""
    text = command("objdump", "-d", "--no-show-raw-insn", "-j", ".text", path)
    return [int(address, 16) for address in re.findall(r"^ +([0-9a-f]+):\t", text, re.MULTILINE)]


def need(tool):
    if not shutil.which(tool):
        pytest.skip(f"no {tool}")


def shared_by_dwz(path, directory, *options):
    """A copy of the file whose entries dwz moved to a supplementary file, and that file: shared
    with three more copies, since dwz moves what several files have."""
    need("dwz")
    copies = [shutil.copy(path, directory / name) for name in ("one", "two", "three", "four")]
    common = directory / "common"
    command("dwz", "-m", common, *options, *copies)
    if not common.exists():
        pytest.skip("dwz found nothing to share")
    return copies[0], common


def build(name, directory):
    compiler, sources, options = BUILDS[name]
    need(compiler)
    output = directory / name
    command(compiler, "-g", *options, *(PROGRAMS / source for source in sources), "-o", output)
    return output


def section_bytes(path, section, scratch):
    """A copy of the section, as it is in the file."""
    dump = scratch / "section.bin"
    command("objcopy", "--dump-section", f"{section}={dump}", path, scratch / "unused")
    return bytearray(dump.read_bytes())


def with_section(path, section, data, output):
    """A copy of the file at `output`, with other bytes in a section."""
    replacement = output.with_name(output.name + ".section")
    replacement.write_bytes(data)
    command("objcopy", "--update-section", f"{section}={replacement}", path, output)
    return output


def second_unit(info):
    """The offset of the second unit in the bytes of a .debug_info."""
    return 4 + int.from_bytes(info[:4], "little")


def with_broken_unit(path, scratch):
    """A copy of which the second unit has a version that does not exist."""
    info = section_bytes(path, ".debug_info", scratch)
    version_off = second_unit(info) + 4
    info[version_off:version_off + 2] = b"\x63\x00"
    return with_section(path, ".debug_info", info, scratch / "broken")


def symbol_addr(path, name):
    """The address of a symbol, as nm has it: "0000000000001139"."""
    return next(words[0] for words in map(str.split, command("nm", path).splitlines())
                if len(words) == 3 and words[2] == name)


def make_core(directory, *words):
    """The core that a program leaves, with what kernels write into it if nobody says otherwise."""

    def set_limits():
        resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
        Path("/proc/self/coredump_filter").write_text("0x33")

    subprocess.run([*map(str, words)], cwd=directory, check=False, stdout=subprocess.DEVNULL,
                   preexec_fn=set_limits)
    found = [*directory.glob("core*")]
    if not found:
        pytest.skip("the kernel leaves no core in the working directory")
    return found[0]
