"""`inlinecall addr --filter`: the files that the text names are opened, by path and by build ID."""

import os
import re
import shutil

import pytest

import calls
from building import command, need


@pytest.fixture(name="built", scope="session")
def fixture_program(tmp_path_factory):
    need("gcc")
    path = tmp_path_factory.mktemp("open") / "prog"
    command("gcc", "-g", "-O1", "-pie", "-fPIE", "-Wl,--build-id", calls.SOURCE, "-o", path)
    return path


def build_id(path):
    return re.search(r"Build ID: (\w+)", command("readelf", "-n", path))[1]


def offset(path):
    return calls.call_of(path, "caller", "callee").after - 1


def functions(follow):
    return [line.split("()")[0] for line in follow]


def asan(path, off, identifier=None):
    text = f"    #1 0x55d0c0f1b1a7  ({path}+{off:#x})"
    return f"{text} (BuildId: {identifier})" if identifier else text


def test_files_are_opened_by_the_paths_of_the_text(filtered, built):
    off = offset(built)
    start = calls.start_of(built, "caller")
    for text in (asan(built, off), f"{built}(+{off + 1:#x})[0x55d0c0f1b1a7]",
                 f"{built}(caller+{off + 1 - start:#x})[{0x55d0c0f1a000 + off + 1:#x}]",
                 f"  Binary file \"{built}\", at +{off + 1:#x} [0x5b27f7d85cbd]",
                 f"\t{off:16x} caller+{off - start:#x} ({built})",
                 f"#2  0x{0x55d0c0f1a000 + off + 1:016x} in caller () from {built}",
                 f" > {built}(caller+0x1) [{off:#x}]"):
        assert functions(filtered(text)[0]) == ["caller"], text
        assert filtered(text, "--no-open", "/bin/true", status=2) == [[]]


def test_a_relative_path_is_from_the_current_directory(run, built):
    off = offset(built)
    for where, status in ((built.parent, 0), (built.parent.parent, 1)):
        result = run("addr", "--filter", stdin=f"./prog(+{off + 1:#x})[0x55d0c0f1b1a7]\n", cwd=where)
        assert result.status == status
    assert "./prog: No such file or directory" in result.err


def test_without_files_none_may_be_opened(run):
    result = run("addr", "--filter", "--no-open")
    assert result.status == 64 and "no FILE given" in result.err
    for option in ("--no-open", "--sysroot=/"):
        result = run("addr", option, "/bin/true", "0x1")
        assert result.status == 64 and "requires --filter" in result.err


def test_a_name_without_a_path_needs_a_file(run, built):
    off = offset(built)
    text = f"#1  0x000055d0c0f1b1a7 caller (prog + {off:#x})\n"
    result = run("addr", "--filter", stdin=text)
    assert result.status == 1 and result.out == text
    assert "prog: its path is not in the text; give it as a FILE" in result.err
    assert "caller()" in run("addr", "--filter", built, stdin=text).out
    # coredumpctl has the path of the program above its stack.
    assert "caller()" in run("addr", "--filter", stdin=f"    Executable: {built}\n{text}").out


def test_what_was_given_comes_first(filtered, built, tmp_path):
    """A path that is not there, or of another file, whose name is that of a FILE."""
    off = offset(built)
    (tmp_path / "prog").write_text("no program")
    for directory in ("/nowhere", tmp_path):
        assert functions(filtered(asan(f"{directory}/prog", off), built)[0]) == ["caller"]


def test_a_file_with_the_build_id_of_the_text_is_meant_whatever_its_name(filtered, built, tmp_path):
    off, identifier, other = offset(built), build_id(built), tmp_path / "renamed"
    shutil.copy(built, other)
    for lead in ("/nowhere/", ""):
        text = asan(f"{lead}prog", off, identifier)
        assert functions(filtered(text, other)[0]) == ["caller"]
        assert filtered(asan("/nowhere/prog", off, "00" * 20), other, status=1) == [[]]
    # eu-stack -b names no file at all.
    text = f"    [{identifier}]@0x55d0c0f1a000+{off:#x}"
    assert functions(filtered(text, other)[0]) == ["caller"]
    assert filtered(text.replace(identifier, "00" * 20), other, status=1) == [[]]


def test_a_file_of_another_build_is_refused(run, built):
    off = offset(built)
    text = asan(built, off, "00" * 20) + "\n"
    result = run("addr", "--filter", stdin=text)
    assert result.status == 1 and result.out == text
    assert f"{built}: from another build, whose build ID is {build_id(built)}" in result.err


def test_a_debug_file_is_found_by_its_build_id(filtered, run, built, tmp_path):
    """If the path has no file, or one of another build."""
    off, identifier = offset(built), build_id(built)
    debug = tmp_path / ".build-id" / identifier[:2] / f"{identifier[2:]}.debug"
    debug.parent.mkdir(parents=True)
    command("objcopy", "--only-keep-debug", built, debug)
    for path in ("/nowhere/prog", "prog", "/bin/true"):
        text = asan(path, off, identifier)
        assert functions(filtered(text, f"--debug-dir={tmp_path}")[0]) == ["caller"]
        result = run("addr", "--filter", f"--debug-dir={tmp_path}", stdin=text)
        assert (result.status, result.err) == (0, "")
        assert run("addr", "--filter", stdin=text).status == 1
    shutil.copy(built, debug)  # of another build ID than its name says
    command("objcopy", "--remove-section=.note.gnu.build-id", debug)
    assert filtered(asan("/nowhere/prog", off, identifier), f"--debug-dir={tmp_path}", status=1) == [[]]


@pytest.fixture(name="root")
def fixture_root(built, tmp_path):
    """Another machine's files, with links that lead out of it when they are followed here."""
    root = tmp_path / "root"
    (root / "opt/real").mkdir(parents=True)
    shutil.copy(built, root / "opt/real/prog")
    (root / "opt/absolute").symlink_to("/opt/real")
    (root / "opt/relative").symlink_to("../opt/real")
    (root / "opt/above").symlink_to("../../../../opt/real/prog")
    (root / "opt/loop").symlink_to("/opt/loop")
    return root


def test_files_of_another_machine_are_below_a_directory(filtered, root, built):
    off = offset(built)
    for path in ("/opt/real/prog", "/opt/absolute/prog", "/opt/relative/prog", "/opt/above",
                 "/opt/../../opt/./real/prog", "opt/real/prog", "/opt/absolute/../real/prog"):
        for sysroot in (root, f"{root}/"):
            follow = filtered(asan(path, off), f"--sysroot={sysroot}")
            assert functions(follow[0]) == ["caller"], path
    for path in (built, "/opt/loop", "/opt/loop/prog", "/opt/nowhere", "/opt"):
        assert filtered(asan(path, off), f"--sysroot={root}", status=1) == [[]]


def test_debug_files_of_another_machine_are_below_it_too(filtered, root, built):
    identifier = build_id(built)
    debug = root / "usr/lib/debug/.build-id" / identifier[:2] / f"{identifier[2:]}.debug"
    debug.parent.mkdir(parents=True)
    command("objcopy", "--only-keep-debug", built, debug)
    command("strip", root / "opt/real/prog")
    for text in (asan("/opt/real/prog", offset(built)),
                 asan("/gone", offset(built), identifier)):
        assert functions(filtered(text, f"--sysroot={root}")[0]) == ["caller"]


def test_only_regular_files_are_opened(run, tmp_path):
    """None that blocks, and none that does something when it is opened."""
    fifo = tmp_path / "fifo"
    os.mkfifo(fifo)
    text = "".join(f"{path}(+0x12)[0x55d0c0f1b1a7]\n"
                   for path in (fifo, tmp_path, "/dev/zero", "/dev/tty", "/proc/self/mem",
                                "/proc/kcore", "/sys/kernel/notes", "/etc/passwd"))
    result = run("addr", "--filter", stdin=text)
    assert result.status == 1 and result.out == text
    assert f"{fifo}: not a regular file" in result.err


def test_a_text_does_not_open_files_without_end(run, tmp_path, built):
    paths = [tmp_path / f"prog{number}" for number in range(100)]
    for path in paths:
        path.symlink_to(built)
    off = offset(built)
    text = "".join(asan(path, off) + "\n" for path in paths)
    result = run("addr", "--filter", stdin=text)
    assert result.out.count("caller()") == 64
    assert "too many files" in result.err and "and 28 more files" in result.err
    text = "".join(asan(f"/nowhere/{number}", off) + "\n" for number in range(20000))
    result = run("addr", "--filter", stdin=text)
    assert result.status == 1 and "and 1016 more files" in result.err


def test_names_of_files_cannot_control_a_terminal(run):
    text = "\033[31m/x/\033[2J(+0x12)[0x55d0c0f1b1a7]\n"
    result = run("addr", "--filter", stdin=text)
    assert result.out == text and "\033" not in result.err


def test_a_file_without_debug_information_is_no_complaint(filtered, built, tmp_path):
    """Most C libraries have none: nobody asked for that one."""
    stripped = tmp_path / "prog"
    command("strip", "--strip-debug", "-o", stripped, built)
    assert filtered(asan(stripped, offset(built))) == [["caller() at ??:0"]]
