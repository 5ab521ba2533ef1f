"""The files that inlinecall btf encode and btf convert write."""

import os
import resource
import signal
import subprocess

import pytest

import building
from btf_types import Types

PROGRAM = """
volatile int sink;
static inline __attribute__((always_inline)) int leaf(int value)
{
	return sink += value;
}
int main(int argc, char **argv)
{
	(void)argv;
	return leaf(argc);
}
"""
EXTEND = "btf", "encode", "--missing=extend", "--btf=types"


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("made")
    (folder / "a.c").write_text(PROGRAM)
    building.command("gcc", "-g", "-O2", "a.c", "-o", "a", cwd=folder)
    return (folder / "a").read_bytes()


@pytest.fixture
def folder(made, tmp_path):
    """The program, and types that lack all of its functions."""
    (tmp_path / "a").write_bytes(made)
    (tmp_path / "a").chmod(0o750)
    (tmp_path / "types").write_bytes(Types().section())
    return tmp_path


def contents(folder):
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("args, complaint", [
    ((*EXTEND, "--btf-output=more", "-O", "a", "a"), "--output=a would overwrite an input file"),
    ((*EXTEND, "--btf-output=more", "-O", "./types", "a"), "--output=./types would overwrite"),
    ((*EXTEND, "--btf-output=a", "-O", "b", "a"), "--btf-output=a would overwrite"),
    ((*EXTEND, "--into", "-O", "types", "a"), "--output=types would overwrite"),
    ((*EXTEND, "--btf-output=b", "-O", "./b", "a"), "name the same file"),
    ((*EXTEND, "--btf-output=b", "-O", "-", "a"), "the report goes to standard output"),
    ((*EXTEND, "--btf-output=-", "-O", "b", "a"), "the report goes to standard output"),
    (("btf", "convert", "-O", "link", "a"), "--output=link would overwrite"),
    (("btf", "convert", "--symbols-of=a", "-O", "a", "types"), "--output=a would overwrite"),
])
def test_what_is_read_or_written_too_is_not_replaced(run, folder, args, complaint):
    (folder / "link").symlink_to("a")
    before = contents(folder)
    result = run(*args, cwd=folder)
    assert result.status == 64 and complaint in result.err
    assert contents(folder) == before


def test_a_copy_replaces_the_file_and_types_those_that_they_add_to(run, folder):
    assert run(*EXTEND, "--btf-output=types", "-O", "b", "a", cwd=folder).status == 0
    assert run("btf", "dump", "--btf=types", "b", cwd=folder).out.startswith("main+0x")
    assert run("btf", "encode", "--btf=types", "--into", "-O", "a", "a", cwd=folder).status == 0
    assert (folder / "a").stat().st_mode & 0o777 == 0o750


def test_the_report_is_not_replaced(program, folder):
    for output in ("/dev/stdout", "report", "/dev/stderr"):
        with open(folder / "report", "wb") as report:
            result = subprocess.run([program, *EXTEND, "--btf-output=more", "-O", output, "a"],
                                    cwd=folder, stdout=report, stderr=report, check=False)
        assert result.returncode == 64
        assert "the report goes to standard output" in (folder / "report").read_text()


def test_without_a_call_nothing_is_written(run, folder):
    (folder / "before").write_text("before")
    for output in ("before", "new"):
        for args in ((), ("--into",)):
            result = run("btf", "encode", *args, "--btf=types", "-O", output, "a", cwd=folder)
            assert result.status == 1 and "\tleft out: " in result.out
            assert "--missing=extend adds the functions that BTF lacks" in result.err
            assert f"{output} was not written: it would have no calls" in result.err
    run(*EXTEND, "--btf-output=more", "-O", "b", "a", cwd=folder)
    building.command("strip", "a", cwd=folder)
    result = run("btf", "convert", "--format=loc", "--btf=more", "--symbols-of=a", "-O", "before",
                 "b", cwd=folder)
    assert result.status == 1 and "before was not written" in result.err
    assert (folder / "before").read_text() == "before" and not (folder / "new").exists()


def test_both_files_are_written_or_none(run, folder):
    before = contents(folder)
    for args in (("--btf-output=no/more", "-O", "b"), ("--btf-output=more", "-O", "no/b")):
        result = run(*EXTEND, *args, "a", cwd=folder)
        assert result.status == 2 and ": cannot write: " in result.err
        assert contents(folder) == before


@pytest.mark.parametrize("number", [signal.SIGHUP, signal.SIGINT, signal.SIGTERM])
def test_a_signal_leaves_no_temporary_file(preload, program, folder, number):
    environment = preload(f"""
        #include <signal.h>
        int rename(const char *from, const char *to)
        {{
            return raise({int(number)});
        }}
    """)
    before = contents(folder)
    result = subprocess.run([program, *EXTEND, "--btf-output=more", "-O", "b", "a"], cwd=folder,
                            env=environment, check=False,
                            preexec_fn=lambda: signal.signal(number, signal.SIG_DFL))
    assert result.returncode == -number and contents(folder) == before


def test_a_file_that_may_not_be_so_large_leaves_no_temporary_file(program, folder):
    before = contents(folder)

    def limit():
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)
        resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))

    result = subprocess.run([program, *EXTEND, "--into", "-O", "b", "a"], cwd=folder,
                            preexec_fn=limit, check=False)
    assert result.returncode == -signal.SIGXFSZ and contents(folder) == before


def test_a_file_that_becomes_shorter_leaves_no_temporary_file(preload, program, folder):
    environment = preload("""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <unistd.h>
        int mkstemp64(char *name)
        {
            int (*real)(char *) = dlsym(RTLD_NEXT, "mkstemp64");
            return truncate("a", 0) == 0 ? real(name) : -1;
        }
        int mkstemp(char *name)
        {
            return mkstemp64(name);
        }
    """)
    names = set(contents(folder))
    result = subprocess.run([program, *EXTEND, "--into", "-O", "b", "a"], cwd=folder,
                            env=environment, check=False, capture_output=True, text=True)
    assert result.returncode == 2 and "a file was truncated" in result.stderr
    assert set(contents(folder)) == names


def test_names_and_permissions_stay(run, folder):
    long = folder / ("b" * 255)
    (folder / "types").chmod(0o640)
    mask = os.umask(0o077)
    try:
        for _ in range(2):
            assert run(*EXTEND, "--btf-output=types", "-O", long, "a", cwd=folder).status == 0
    finally:
        os.umask(mask)
    assert (folder / "types").stat().st_mode & 0o777 == 0o640
    assert long.stat().st_mode & 0o777 == 0o600


def test_a_type_that_btf_cannot_have_is_the_reason(run, folder):
    (folder / "b.c").write_text(PROGRAM.replace("int value", "_Atomic int *value")
                                .replace("+= value", "+= *value")
                                .replace("leaf(argc)", "leaf((_Atomic int *)argv)"))
    building.command("gcc", "-g", "-O2", "b.c", "-o", "b", cwd=folder)
    result = run(*EXTEND, "--btf-output=more", "-O", "out", "b", cwd=folder)
    assert result.status == 1
    assert "1\tleft out: the callee could not be added to BTF with its types\n" in result.out
