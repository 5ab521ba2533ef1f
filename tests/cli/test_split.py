"""Debugging information in other files: .dwo files, packages of them, dwz's supplementary files."""

import json
import shutil
import subprocess

import building
import pytest

PROGRAMS = building.PROGRAMS
SOURCES = [PROGRAMS / "first.c", PROGRAMS / "second.c"]


def build(directory, compiler, version, *flags):
    """The program with its .dwo files beside it: as objects, so that each has a name of its own."""
    building.need(compiler)
    directory.mkdir(exist_ok=True)
    for source in SOURCES:
        subprocess.run([compiler, "-O2", f"-gdwarf-{version}", *flags, "-c", source],
                       cwd=directory, check=True)
    subprocess.run([compiler, "first.o", "second.o", "-o", "program"], cwd=directory, check=True)
    return directory / "program"


def rows(result):
    """What is the same wherever the entries are."""
    kept = [json.loads(line) for line in result.out.splitlines()]
    for row in kept:
        for key in ("file", "die", "die_file"):
            del row[key]
    return sorted(map(json.dumps, kept))


@pytest.fixture(scope="module", params=[("gcc", 4), ("gcc", 5), ("clang", 4), ("clang", 5)],
                ids=lambda param: f"{param[0]}-dwarf{param[1]}")
def split(request, tmp_path_factory):
    """A split program and the same one that is whole."""
    directory = tmp_path_factory.mktemp("split")
    split = build(directory, *request.param, "-gsplit-dwarf")
    whole = directory / "whole"
    objects = []
    for source in SOURCES:
        objects.append(directory / f"whole-{source.stem}.o")
        subprocess.run([request.param[0], "-O2", f"-gdwarf-{request.param[1]}", "-c", source, "-o",
                        objects[-1]], cwd=directory, check=True)
    subprocess.run([request.param[0], *objects, "-o", whole], check=True)
    return split, whole


def move_dwos(program, directory):
    directory.mkdir(exist_ok=True)
    for name in ("first.dwo", "second.dwo"):
        shutil.move(program.parent / name, directory / name)


@pytest.fixture
def moved(split, tmp_path):
    """The program, the whole one, and where its .dwo files are now."""
    program, whole = split
    place = tmp_path / "place"
    move_dwos(program, place)
    yield program, whole, place
    for name in ("first.dwo", "second.dwo"):
        if (place / name).exists():
            shutil.move(place / name, program.parent / name)


def test_the_answer_is_that_of_the_whole_program(run, split):
    program, whole = split
    result = run("-a", "-o", "-c", "--json", program)
    assert (result.status, result.err) == (0, "")
    assert rows(result) == rows(run("-a", "-o", "-c", "--json", whole))
    assert {json.loads(line)["die_file"] for line in result.out.splitlines()} == \
        {str(program.parent / "first.dwo"), str(program.parent / "second.dwo")}
    for jobs in ("-j1", "-j3"):
        assert run(jobs, "-a", "-o", "-c", "--json", program) == result


def test_what_is_missing_is_named_with_where_it_was_looked_for(run, moved):
    program, _, place = moved
    result = run("clamp", program)
    assert (result.status, result.out) == (2, "")
    assert f"are in first.dwo (split DWARF), which was not found, not even in a package: {program.parent}/first.dwo: " \
           "No such file or directory" in result.err
    shutil.copy(place / "second.dwo", program.parent / "first.dwo")
    assert f"{program.parent}/first.dwo: contains units with another dwo_id" in \
        run("clamp", program).err
    (program.parent / "first.dwo").write_bytes(b"no ELF")
    assert "which cannot be read and is not in a package: " \
        f"{program.parent}/first.dwo: not an ELF file" in run("clamp", program).err
    (program.parent / "first.dwo").unlink()


def test_a_directory_can_be_named(run, moved):
    program, whole, place = moved
    result = run("--dwo-dir", program.parent / "none", "--dwo-dir", place, "-a", "--json", program)
    assert (result.status, result.err) == (0, "")
    assert rows(result) == rows(run("-a", "--json", whole))


def test_dwos_beside_a_program_that_moved_are_found(run, moved):
    program, whole, place = moved
    result = run("-a", "--json", shutil.copy(program, place / "elsewhere"))
    assert (result.status, result.err) == (0, "")
    assert rows(result) == rows(run("-a", "--json", whole))


def test_a_package_is_found_beside_the_program_or_named(run, moved, request):
    program, whole, place = moved
    if "gcc-dwarf5" in request.node.name:
        pytest.skip("llvm-dwp 14 does not end on gcc's .dwo files of DWARF 5")
    tool = shutil.which("llvm-dwp") or shutil.which("llvm-dwp-14")
    if not tool:
        pytest.skip("llvm-dwp is not installed")
    package = place / "other.dwp"
    subprocess.run([tool, place / "first.dwo", place / "second.dwo", "-o", package], check=True,
                   timeout=60)
    wanted = rows(run("-a", "--json", whole))
    result = run("--dwp", package, "-a", "--json", program)
    assert (result.status, result.err) == (0, "")
    assert rows(result) == wanted
    copy = shutil.copy(program, place / "copy")
    (place / "first.dwo").rename(program.parent / "first.dwo")  # and the other one is beside it
    (place / "second.dwo").rename(program.parent / "second.dwo")
    shutil.copy(package, place / "copy.dwp")
    assert rows(run("-a", "--json", copy)) == wanted
    (place / "links").mkdir()
    (place / "links" / "tool").symlink_to(copy)
    assert rows(run("-a", "--json", place / "links" / "tool")) == wanted
    package.write_bytes(package.read_bytes()[:100])
    result = run("--dwp", package, "-a", "--json", program)
    assert result.status == 2 and str(package) in result.err
    assert rows(result) == wanted, "the .dwo files still are where they were"
    result = run("--dwp", place / "none", "-a", "--json", program)
    assert result.status == 2 and "No such file or directory" in result.err


@pytest.mark.parametrize("version", [4, 5])
def test_the_skeletons_own_inlining_is_used_where_the_dwo_is_missing(run, tmp_path, version):
    program = build(tmp_path, "clang", version, "-gsplit-dwarf", "-fsplit-dwarf-inlining")
    with_dwo = run("-a", "-s", "--json", program)
    for name in ("first.dwo", "second.dwo"):
        (tmp_path / name).unlink()
    without = run("-a", "-s", "--json", program)
    assert (with_dwo.status, without.status) == (0, 2)
    keys = ("function", "ranges", "call_file", "call_line", "call_column", "host")

    def sites(result):
        loaded = (json.loads(line) for line in result.out.splitlines())
        return sorted(str([row[key] for key in keys]) for row in loaded)

    assert sites(with_dwo) == sites(without) != []


@pytest.mark.parametrize("packed", [False, True], ids=["dwo", "dwp"])
@pytest.mark.parametrize("version", [4, 5])
def test_the_skeletons_lines_are_used_where_the_version_is_unknown(run, tmp_path, version, packed):
    program = build(tmp_path, "clang", version, "-gsplit-dwarf")
    start = next(int(line.split()[0], 16) for line in building.command("nm", program).splitlines()
                 if line.endswith(" T main"))
    whole = run("addr", "-s", program, f"0x{start:x}")
    path = tmp_path / ("program.dwp" if packed else "first.dwo")
    if packed:
        building.need("llvm-dwp")
        dwos = [tmp_path / "first.dwo", tmp_path / "second.dwo"]
        building.command("llvm-dwp", *dwos, "-o", path)
        for dwo in dwos:
            dwo.unlink()
    for section in building.command("readelf", "-SW", path).splitlines():
        if " .debug_info.dwo " in section:
            offset, size = (int(word, 16) for word in section.split("PROGBITS")[1].split()[1:3])
    end = offset + size
    data = bytearray(path.read_bytes())
    while offset < end:
        data[offset + 4:offset + 6] = (255).to_bytes(2, "little")
        offset += 4 + int.from_bytes(data[offset:offset + 4], "little")
    path.write_bytes(data)
    result = run("addr", "-s", program, f"0x{start:x}")
    place = whole.out.splitlines()[-1].split("\t")[-1].rpartition(":")[0]
    assert result.status == 2 and place in result.out, "the column is that of the row"
    assert "255" in result.err or "first.dwo" in result.err


def test_a_dwo_file_alone_is_refused_with_advice(run, split):
    result = run("clamp", split[0].parent / "first.dwo")
    assert (result.status, result.out) == (2, "")
    assert "the program that it belongs to" in result.err


def test_an_object_may_hold_its_own_split_units(run, tmp_path):
    program = build(tmp_path, "clang", 5, "-gsplit-dwarf=single")
    assert not (tmp_path / "first.dwo").exists()
    result = run("-a", "--json", program)
    assert result.status == 0 and result.out != ""
    moved = shutil.move(tmp_path / "first.o", tmp_path / "renamed.o")
    assert run("-a", moved).status == 0
