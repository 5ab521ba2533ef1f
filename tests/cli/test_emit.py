"""inlinecall emit: what is written, and what is said if it is not."""

import json
import re
import struct

import pytest

import building


def sections(path):
    return re.findall(r"^ *\[ *\d+\] (\S+) +(\S+)", building.command("readelf", "-SW", path),
                      re.MULTILINE)


def build_id(path):
    return re.search(r"Build ID: (\w+)", building.command("readelf", "-n", path))[1]


def test_a_debug_file_has_what_readers_look_for(run, elf, tmp_path):
    output = tmp_path / "out"
    assert run("emit", f"--output={output}", elf("server")) == (0, "", "")
    found = dict(sections(output))
    assert found[".text"] == "NOBITS" and found[".note.gnu.build-id"] == "NOTE"
    assert {".debug_info", ".debug_line", ".debug_aranges", ".symtab"} <= found.keys()
    assert build_id(output) == build_id(elf("server"))
    symbols = building.command("nm", elf("server"))
    wanted = {tuple(line.split()[::2]) for line in symbols.splitlines() if " T " in line}
    symbols = building.command("nm", output)
    assert wanted <= {tuple(line.split()[::2]) for line in symbols.splitlines()}


def places(path):
    """Where sections that are loaded are: address, and offset in the file."""
    listed = building.command("readelf", "-SW", path)
    return {name: place for name, kind, *place, flags in re.findall(
        r"^ *\[ *\d+\] (\S+) +(\S+) +(\w+) (\w+) \w+ \w+ +([A-Z]+) ", listed, re.MULTILINE)
        if "A" in flags and kind != "NOTE" and "bss" not in name}


def test_sections_have_the_place_of_those_of_the_program(run, elf, tmp_path):
    """perf computes from it where the code of static programs is."""
    for name in ("c", "server"):
        assert run("emit", f"--output={tmp_path / 'out'}", elf(name)).status == 0
        wanted, found = places(elf(name)), places(tmp_path / "out")
        assert ".text" in found and found == {key: wanted[key] for key in found}
        assert (tmp_path / "out").stat().st_size < elf(name).stat().st_size


def test_it_is_found_by_the_build_id(run, elf, tmp_path):
    folder = tmp_path / "debug/.build-id/ab"
    folder.mkdir(parents=True)
    stripped = tmp_path / "stripped"
    building.command("strip", "-o", stripped, elf("build-id"))
    run("emit", "-O", folder / "12cd34ef.debug", elf("build-id"))
    assert run("sites", "-a", stripped).status == 2
    found = run("sites", "-a", f"--debug-dir={tmp_path / 'debug'}", stripped)
    wanted = run("sites", "-a", elf("build-id"))
    assert found.status == wanted.status == 0
    assert sorted(found.out.splitlines()) == sorted(wanted.out.splitlines())


def copies(run, path):
    """What is the same wherever the DIEs are; copies of discarded functions are left out."""
    rows = [json.loads(line) for line in run("sites", "-a", "-i", "--json", path).out.splitlines()]
    for row in rows:
        for key in ("file", "die", "die_file", "unit"):
            del row[key]
    return sorted(json.dumps(row) for row in rows if row["ranges"])


def test_what_is_written_of_dies_in_other_files(run, elf, tmp_path):
    for name in ("third", "fourth"):
        building.command("g++", "-g", "-O2", "-gsplit-dwarf", "-c",
                         building.PROGRAMS / f"{name}.cpp", cwd=tmp_path)
    building.command("g++", "third.o", "fourth.o", "-o", "split", cwd=tmp_path)
    shared, _ = building.shared_by_dwz(elf("c++"), tmp_path)
    for path in (tmp_path / "split", shared):
        assert run("emit", f"--output={tmp_path / 'out'}", path) == (0, "", "")
        assert copies(run, path) and copies(run, tmp_path / "out") == copies(run, path)


def test_what_is_written_of_a_line_table_alone(run, elf, tmp_path):
    lines, output = tmp_path / "lines", tmp_path / "out"
    building.command("objcopy", "--remove-section=.debug_info", "--remove-section=.debug_abbrev",
                     "--remove-section=.debug_aranges", "--remove-section=.debug_rnglists",
                     "--remove-section=.debug_loclists", elf("c"), lines)
    assert run("emit", f"--output={output}", lines).status == 0
    symbol = building.symbol_addr(elf("c"), "main")
    place = run("addr", lines, f"0x{symbol}").out.split("\n")[0]
    assert ".c:" in place
    assert run("addr", output, f"0x{symbol}").out.split("\n")[0] == place


@pytest.mark.parametrize("how, kind", [("zlib", "ZLIB"), ("zstd", "ZSTD")])
def test_sections_are_compressed_where_that_helps(run, elf, tmp_path, how, kind):
    plain, packed = tmp_path / "plain", tmp_path / "packed"
    run("emit", f"--output={plain}", elf("c++"))
    assert run("emit", f"--compress={how}", f"--output={packed}", elf("c++")) == (0, "", "")
    assert packed.stat().st_size < plain.stat().st_size * 5 / 6
    listed = building.command("readelf", "-tW", packed)
    info = listed.split(".debug_info\n")[1].split("] .")[0]
    assert kind in info or "COMPRESSED" in info
    found = run("sites", "-a", "--json", packed)
    assert found.status == 0
    assert found.out == run("sites", "-a", "--json", plain).out.replace(str(plain), str(packed))


def test_it_does_not_depend_on_threads(run, elf, tmp_path):
    for name in ("c", "c++", "lto"):
        for jobs in ("1", "4"):
            run("emit", f"-j{jobs}", f"--output={tmp_path / jobs}", elf(name))
        assert (tmp_path / "1").read_bytes() == (tmp_path / "4").read_bytes()


def test_a_file_without_section_headers(run, elf, tmp_path):
    """Its segments stand for the sections: as of a Go program that was packed."""
    building.need("go")
    (tmp_path / "a.go").write_text("package main\n\nfunc main() { println(1) }\n")
    building.command("go", "build", "-ldflags=-s -w", "-o", tmp_path / "a", tmp_path / "a.go")
    data = bytearray((tmp_path / "a").read_bytes())
    data[40:48] = bytes(8)  # e_shoff
    data[58:64] = bytes(6)  # e_shentsize, e_shnum, e_shstrndx
    (tmp_path / "headless").write_bytes(data)
    output = tmp_path / "out"
    assert run("emit", f"--output={output}", tmp_path / "headless").status == 0
    assert dict(sections(output))[".text"] == "NOBITS"
    place = building.symbol_addr(output, "main.main")
    assert run("addr", output, f"0x{place}").out.startswith(f"0x{int(place, 16):x}")
    assert "main.main" in run("addr", output, f"0x{place}").out


def test_names_that_readers_would_trip_over(run, elf, tmp_path):
    """A symbol without a name, and debug information that is loaded."""
    odd, output = tmp_path / "odd", tmp_path / "out"
    building.command("objcopy", "--set-section-flags", ".debug_str=alloc,readonly,contents",
                     elf("server"), odd)
    listed = building.command("readelf", "-SW", odd)
    assert re.search(r"\.debug_str .* A ", listed)
    off, size = re.search(r" \.symtab +SYMTAB +\w+ (\w+) (\w+)", listed).groups()
    last = int(off, 16) + int(size, 16) - 24  # sizeof(Elf64_Sym)
    data = bytearray(odd.read_bytes())
    data[last:last + 4] = bytes(4)  # st_name
    odd.write_bytes(data)
    assert run("emit", f"--output={output}", odd) == (0, "", "")
    found = run("stats", output)
    assert found.status == 0 and found.err == ""


def test_a_name_that_no_text_begins_with_is_said(run, tmp_path):
    source = tmp_path / "a.c"
    source.write_text("int fq(int x) { return x + 1; }\nint main(void) { return fq(-1); }\n")
    building.command("gcc", "-g", source, "-o", tmp_path / "a")
    info = building.section_bytes(tmp_path / "a", ".debug_info", tmp_path)
    assert info.count(b"fq\0") == 1  # in the entry: it is shorter than an offset of .debug_str
    odd = building.with_section(tmp_path / "a", ".debug_info", info.replace(b"fq\0", b"\6q\0"),
                                tmp_path / "odd")
    result = run("emit", f"--output={tmp_path / 'out'}", odd)
    assert result.status == 2
    assert "a name begins with invalid byte 0x06" in result.err
    assert (tmp_path / "out").exists()


def test_functions_that_are_exported_have_symbols(run, tmp_path):
    """Of a stripped library with a line table, which names no functions."""
    source, library, output = tmp_path / "a.c", tmp_path / "a.so", tmp_path / "out"
    source.write_text("int shown(int x) { return x + 1; }\n")
    building.command("gcc", "-g", "-shared", "-nostdlib", "-fPIC", source, "-o", tmp_path / "whole")
    building.command("objcopy", "--strip-all", "--keep-section=.debug_line",
                     "--keep-section=.debug_line_str", tmp_path / "whole", library)
    assert run("emit", f"--output={output}", library).status == 0
    assert " T shown" in building.command("nm", output)


def test_code_outside_of_its_host_is_said(run, tmp_path):
    """Also of DWARF 2, of which that is not reported otherwise: in it no code is in several parts."""
    source = tmp_path / "a.c"
    source.write_text("extern volatile int x; volatile int x;\n"
                      "static inline int leaf(int y) { x = y; return x * y; }\n"
                      "__attribute__((noinline)) int host(int y) { return leaf(y) + 1; }\n"
                      "int main(void) { return host(3); }\n")
    building.command("gcc", "-gdwarf-2", "-gstrict-dwarf", "-O2", source, "-o", tmp_path / "a")
    line = next(line for line in building.command("nm", "-S", tmp_path / "a").splitlines()
                if line.endswith(" host"))
    start, size = (int(word, 16) for word in line.split()[:2])
    info = building.section_bytes(tmp_path / "a", ".debug_info", tmp_path)
    extent = struct.pack("<QQ", start, start + size)
    at = info.rindex(extent)  # of the host; before it, of the unit
    info[at:at + 16] = struct.pack("<QQ", start, start + 1)
    short = building.with_section(tmp_path / "a", ".debug_info", info, tmp_path / "short")
    assert run("emit", f"--output={tmp_path / 'out'}", tmp_path / "a") == (0, "", "")
    result = run("emit", f"--output={tmp_path / 'out'}", short)
    assert result.status == 2 and "is outside the function it was inlined into" in result.err


def test_a_copy_names_the_debug_file(run, elf, tmp_path):
    program, output, copy = tmp_path / "program", tmp_path / "out.debug", tmp_path / "copy"
    building.command("objcopy", "--remove-section=.note.gnu.build-id", elf("server"), program)
    assert run("emit", f"--output={output}", f"--link={copy}", program) == (0, "", "")
    assert copy.stat().st_mode & 0o777 == program.stat().st_mode & 0o777
    building.command("strip", "--keep-section=.gnu_debuglink", copy)
    assert run("sites", "-a", copy).status == 0
    symbol = building.symbol_addr(program, "main")
    assert building.command("addr2line", "-fe", copy, symbol) == building.command(
        "addr2line", "-fe", program, symbol)
    output.write_bytes(output.read_bytes() + b"\0")
    assert "checksum" in run("sites", "-a", copy).err


def test_a_copy_replaces_nothing_that_is_needed(run, elf, tmp_path):
    output = tmp_path / "out"
    result = run("emit", f"--output={output}", f"--link={elf('server')}", elf("server"))
    assert result.status == 64 and "would overwrite an input file" in result.err
    result = run("emit", f"--output={output}", f"--link={tmp_path}/./out", elf("server"))
    assert result.status == 64 and "name the same file" in result.err
    assert not output.exists()
    result = run("emit", f"--output={output}", f"--link={tmp_path}", elf("server"))
    assert result.status == 2 and not output.exists()


def test_relocatable_files_are_refused(run, elf, tmp_path):
    result = run("emit", f"--output={tmp_path / 'out'}", elf("object"))
    assert result.status == 2 and "relocatable code has no addresses" in result.err
    assert not (tmp_path / "out").exists()


def test_nothing_to_write(run, elf, tmp_path):
    source = tmp_path / "a.c"
    source.write_text("int x = 1;\n")
    building.command("gcc", "-g", "-shared", "-nostdlib", source, "-o", tmp_path / "a")
    result = run("emit", f"--output={tmp_path / 'out'}", tmp_path / "a")
    assert result.status == 1 and "was not written: it would be empty" in result.err
    assert not (tmp_path / "out").exists()
    building.command("strip", "-o", tmp_path / "stripped", elf("c"))
    result = run("emit", f"--output={tmp_path / 'out'}", tmp_path / "stripped")
    assert result.status == 2 and "no .debug_info" in result.err


def test_damage_is_said(run, elf, tmp_path):
    damaged = building.with_broken_unit(elf("c"), tmp_path)
    result = run("emit", f"--output={tmp_path / 'out'}", damaged)
    assert result.status == 2 and ".debug_info" in result.err
    assert run("addr", tmp_path / "out", "0x1").status in (0, 1)


def test_what_cannot_be_written(run, elf, tmp_path):
    result = run("emit", f"--output={tmp_path / 'no/out'}", elf("c"))
    assert result.status == 2 and "no/out" in result.err
    result = run("emit", "--output=/dev/full", elf("c"))
    assert result.status == 2


@pytest.mark.parametrize("words, message", [
    (["FILE"], "requires --output=OUT"),
    (["--output=out"], "no FILE given"),
    (["--output=out", "FILE", "FILE"], "more than one FILE given"),
    (["--output=out", "--dwarf=3", "FILE"], "--dwarf"),
    (["--output=out", "--compress=lzma", "FILE"], "--compress must be zlib or zstd"),
    (["--output=out", "--json", "FILE"], "json"),
])
def test_wrong_usage(run, words, message):
    result = run("emit", *words)
    assert result.status == 64 and message in result.err


def test_a_file_is_not_replaced_by_what_is_made_of_it(run, elf):
    result = run("emit", f"--output={elf('c')}", elf("c"))
    assert result.status == 64 and "would overwrite an input file" in result.err


def test_standard_output_is_refused(run, elf, tmp_path):
    """A file named - would be no answer."""
    result = run("emit", "-O", "-", elf("c"), cwd=tmp_path)
    assert result.status == 2 and "cannot write to standard output: a file is needed" in result.err
    assert not (tmp_path / "-").exists()
