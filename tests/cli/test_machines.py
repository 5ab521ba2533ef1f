"""Relocatable files of the machines whose relocations are known, and one that is not."""

import re
import shutil

import pytest

import building

MACHINES = ["x86_64", "x86_64-linux-gnux32", "x86_64-unknown-freebsd", "i386", "aarch64",
            "aarch64_be", "armv7", "armebv7", "riscv32", "riscv64", "s390x", "powerpc", "powerpc64",
            "powerpc64le", "mips", "mipsel", "mips64-linux-gnuabi64", "mips64el-linux-gnuabi64",
            "mips64-linux-gnuabin32", "sparc", "sparcv9", "hexagon-unknown-elf", "bpfel", "bpfeb"]


@pytest.fixture
def cross_compiled(tmp_path):
    """first.c for another machine: clang needs neither its headers nor its libraries."""
    building.need("clang")

    def compile_for(machine, *options):
        path = tmp_path / f"{machine}.o"
        has_system = "-" in machine or machine.startswith("bpf")
        target = machine if has_system else f"{machine}-linux-gnu"
        try:
            building.command("clang", f"--target={target}", "-fintegrated-as", "-O2", "-g", "-c",
                             *options,
                             building.PROGRAMS / "first.c", "-o", path)
        except RuntimeError as error:
            pytest.skip(f"this clang cannot compile for {machine}: {error}")
        return path

    return compile_for


@pytest.mark.parametrize("dwarf", ["-gdwarf-4", "-gdwarf-5"])
@pytest.mark.parametrize("machine", MACHINES)
def test_an_object_of_any_known_machine_is_answered(run, cross_compiled, machine, dwarf):
    result = run("-s", "guarded", cross_compiled(machine, dwarf))
    assert (result.status, result.err) == (0, "")
    assert result.headings == ["shapes.h:43"]
    for code, call, caller, *_ in result.sites:
        assert code.startswith("[.text+0x")
        assert re.fullmatch(r"first\.c:4[34](:\d+)?", call)
        assert caller in ("splits()", "dies_by_gc()", "main()")


def descriptors(path):
    """{offset in .opd: offset of the code}, to which symbols of 64-bit PowerPC's first ABI point."""
    sections = building.command("readelf", "-rW", path).split("\nRelocation section ")
    text = next(text for text in sections if text.startswith("'.rela.opd'"))
    entries = re.findall(r"^([0-9a-f]+) .* R_PPC64_ADDR64 .* \.text\S* \+ ([0-9a-f]+)$", text, re.M)
    return {int(offset, 16): int(addend, 16) for offset, addend in entries}


@pytest.mark.parametrize("machine", MACHINES)
def test_ranges_lie_within_the_symbols_that_are_said_to_hold_them(run, cross_compiled, machine):
    path = cross_compiled(machine)
    code = descriptors(path) if machine == "powerpc64" else {}
    symbols = {}
    for line in building.command("readelf", "-sW", path).splitlines():
        words = line.split()
        if len(words) >= 8 and words[3] == "FUNC":
            start = int(words[1], 16)
            start = code.get(start, start)
            symbols[words[-1]] = (start, start + int(words[2], 0))
    sites = run("-a", path).sites
    assert sites
    for code, _, caller, *_ in sites:
        start, end = (int(part.split("+")[1], 16) for part in code.strip("[]").split(" - "))
        assert symbols[caller[:-2]][0] <= start < end <= symbols[caller[:-2]][1]


def test_an_object_of_an_unknown_machine_is_refused_clearly(run, cross_compiled):
    result = run("guarded", cross_compiled("lanai"))
    assert (result.status, result.out) == (2, "")
    assert "machine" in result.err and "relocat" in result.err


def test_a_32_bit_object_of_gcc_is_answered(run, elf):
    assert run("-s", "guarded", elf("m32")).headings == ["shapes.h:43"]


@pytest.fixture
def compact(tmp_path):
    """first.c with plain relocations or, by LLVM 19 and later, with compact ones."""
    clang = next(filter(shutil.which, (f"clang-{version}" for version in range(30, 18, -1))), None)
    if not clang:
        pytest.skip("no clang here makes compact relocations")

    def compile_with(*options):
        path = tmp_path / "first.o"
        building.command(clang, "-O2", "-g", "-c", *options, building.PROGRAMS / "first.c",
                         "-o", path)
        return path

    return compile_with


CREL = "-Wa,--crel,--allow-experimental-crel"


@pytest.mark.parametrize("options", [(), ("-m32",), ("-gdwarf-4", "-ffunction-sections")])
def test_compact_relocations_are_read_like_others(run, compact, options):
    plain = run("--json", "-a", "-o", "-c", compact(*options))
    assert run("--json", "-a", "-o", "-c", compact(*options, CREL)) == plain
    assert plain.status == 0 and plain.out


def test_compact_relocations_that_are_damaged_are_reported(run, compact):
    path = compact(CREL)
    line = next(line for line in building.command("readelf", "-SW", path).splitlines()
                if " .crel.debug_info " in line)
    offset = int(re.search(r" 0{16} ([0-9a-f]{6}) ", line)[1], 16)
    data = bytearray(path.read_bytes())
    data[offset] ^= 0x40  # eight relocations more or less
    path.write_bytes(data)
    result = run("-a", path)
    assert result.status == 2 and ".crel.debug_info: " in result.err
