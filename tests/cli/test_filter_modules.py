"""`inlinecall addr --filter`: how modules are found, and which build they are of."""

import os
import shutil
import subprocess

import pytest

import kernels
from building import command, need
from kernels import LINKED, mention

READ = ["count() at module.c:9:8 (inlined)", "module_read() at module.c:14:2"]
RELEASE = "6.1.0-1-amd64"
HEADER = f"CPU: 1 PID: 512 Comm: cat Tainted: G           OE      {RELEASE} #1  Debian 6.1.1-1"


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    return kernels.build_kernel(tmp_path_factory.mktemp("kernel"))


@pytest.fixture(scope="module")
def module(tmp_path_factory):
    return kernels.build_module(tmp_path_factory.mktemp("module"))


@pytest.fixture(scope="module")
def text(module):
    return mention(module, "module_read", 3, "my_module")


# Opened when they are mentioned.

@pytest.fixture(scope="module")
def opened(program, kernel):
    """The modules among the files that are opened."""
    need("strace")

    def trace(text, *args):
        result = subprocess.run(["strace", "-f", "-e", "trace=openat,open", program, "addr",
                                 "--filter", *map(str, args)], input=text, capture_output=True,
                                text=True, timeout=60, check=False)
        if "ptrace" in result.stderr:
            pytest.skip("nothing can be traced here")
        lines = [line for line in result.stderr.splitlines() if ".ko" in line]
        return [line.split('"')[1] for line in lines if "O_DIRECTORY" not in line]

    return trace


def test_modules_are_opened_when_they_are_mentioned(opened, kernel, module, text, tmp_path):
    paths = []
    for number in range(50):
        paths.append(tmp_path / f"other{number}.ko")
        paths[-1].symlink_to(module)
    wanted = tmp_path / "my-module.ko"
    wanted.symlink_to(module)
    for files in (paths + [wanted], [tmp_path]):
        assert opened("nothing\n", kernel, *files) == []
        assert set(opened(f"{text}\n{text}\n", kernel, *files)) == {str(wanted)}
        assert opened(mention(kernel, "work", 1), kernel, *files) == []
    # Without a kernel, a symbol may be any module's: of those that are named.
    assert len(set(opened("module_read+0x3", *paths[:3]))) == 3


def test_a_module_that_cannot_be_read_is_reported_if_it_is_mentioned(run, kernel, text, tmp_path):
    path = tmp_path / "my_module.ko"
    path.write_text("no ELF file")
    result = run("addr", "--filter", kernel, path, stdin="nothing\n")
    assert (result.status, result.out) == (1, "nothing\n")
    assert "not an ELF file" not in result.err
    result = run("addr", "--filter", kernel, path, stdin=f"{text}\n{text}\n")
    assert (result.status, result.out) == (2, f"{text}\n{text}\n")
    assert result.err.splitlines()[0] == f"inlinecall: {path}: not an ELF file"
    assert result.err.count("not an ELF file") == 1
    result = run("addr", "--filter", kernel, tmp_path / "gone.ko", stdin="nothing\n")
    assert result.status == 2 and "gone.ko: cannot open: No such file" in result.err


# Directories.

def test_a_directory_is_searched_for_modules(filtered, kernel, module, text, tmp_path):
    deep = tmp_path / "kernel" / "drivers"
    deep.mkdir(parents=True)
    (deep / "notes.txt").write_text("no module")
    (deep / ".my-module.ko.cmd").write_text("no module")
    (deep / "my_module.ko.cmd").write_text("no module")
    (deep / "up").symlink_to(tmp_path)
    assert filtered(text, kernel, tmp_path, status=1) == [[]]
    (deep / "my-module.ko").symlink_to(module)
    assert filtered(text, kernel, tmp_path) == [READ]
    assert filtered(text, tmp_path) == [READ]
    line = f"\t{0xffffffffc0a00003:x} module_read+0x3 ([my_module])"
    assert filtered(line, kernel, tmp_path) == [READ]


@pytest.mark.parametrize("tool, suffix", [("xz", "xz"), ("zstd", "zst"), ("gzip", "gz")])
def test_modules_may_be_compressed(filtered, kernel, module, text, tmp_path, tool, suffix):
    need(tool)
    shutil.copy(module, tmp_path / "my-module.ko")
    command(tool, tmp_path / "my-module.ko")
    (tmp_path / "my-module.ko").unlink(missing_ok=True)
    assert filtered(text, kernel, tmp_path) == [READ]
    assert filtered(text, kernel, tmp_path / f"my-module.ko.{suffix}") == [READ]


def test_a_module_that_is_named_comes_before_those_in_directories(filtered, kernel, module, text,
                                                                  tmp_path):
    (tmp_path / "my-module.ko").write_text("no ELF file")
    assert filtered(text, kernel, tmp_path, module) == [READ]


def test_an_unknown_module_is_named_once(run, kernel, tmp_path):
    result = run("addr", "--filter", kernel, tmp_path, stdin="a+0x1/0x2 [xfs]\n" * 2)
    assert (result.status, result.err) == (1, "inlinecall: no FILE for these modules: [xfs]\n")


def test_a_directory_that_cannot_be_searched_is_reported(run, kernel, text, tmp_path):
    if os.geteuid() == 0:
        pytest.skip("root can read everything")
    tmp_path.chmod(0)
    result = run("addr", "--filter", kernel, tmp_path, stdin=text)
    tmp_path.chmod(0o700)
    assert result.status == 2 and "Permission denied" in result.err


def test_names_of_files_are_not_read_from_the_text(run, kernel):
    result = run("addr", "--filter", kernel, "-", stdin="text\n")
    assert (result.status, result.out) == (64, "")
    assert "standard input" in result.err and "directory" in result.err


# Releases.

def module_of(release, module, directory):
    folder = directory / "lib" / "modules" / release / "kernel"
    folder.mkdir(parents=True)
    shutil.copy(module, folder / "my-module.ko")
    return folder / "my-module.ko"


@pytest.mark.parametrize("header", [
    HEADER, f"[    0.000000] Linux version {RELEASE} (debian-kernel@lists.debian.org) (gcc-12)",
    f"CPU: 0 UID: 0 PID: 1 Comm: x y Not tainted {RELEASE} #23 PREEMPT(voluntary)"])
def test_modules_of_the_release_are_found_where_they_are_installed(run, filtered, kernel, module,
                                                                   text, tmp_path, header):
    module_of(RELEASE, module, tmp_path)
    option = f"--debug-dir={tmp_path}"
    assert filtered(f"{header}\n{text}", option, kernel) == [[], READ]
    result = run("addr", option, "--filter", kernel, stdin=f"{header.replace('6.1', '6.2')}\n{text}")
    assert result.status == 1 and result.err.endswith("[my_module]\n")
    # Text that names another release from some line on.
    other = header.replace("6.1.0", "6.2.0")
    follow = filtered("\n".join((text, header, text, other, text, header, text)), option, kernel)
    assert follow == [[], [], READ, [], [], [], READ]


def test_a_release_that_comes_again_is_not_looked_for_again(opened, kernel, module, text, tmp_path):
    own = module_of(RELEASE, module, tmp_path)
    other = module_of("6.2.0-1-amd64", module, tmp_path)
    headers = [HEADER, HEADER.replace("6.1.0", "6.2.0")] * 2
    follow = "".join(f"{header}\n{text}\n" for header in headers)
    assert opened(follow, f"--debug-dir={tmp_path}", kernel) == [str(own), str(other)]


def test_a_directory_in_another_has_its_modules_once(opened, kernel, module, text, tmp_path):
    path = module_of(RELEASE, module, tmp_path)
    assert opened(text, kernel, tmp_path, path.parent) == [str(path)]


def test_of_several_releases_in_a_directory_that_of_the_text_is_taken(filtered, kernel, module, text,
                                                                      tmp_path):
    module_of(RELEASE, module, tmp_path)
    module_of("6.2.0-1-amd64", module, tmp_path).write_text("no ELF file")
    assert filtered(f"{HEADER}\n{text}", kernel, tmp_path) == [[], READ]
    assert filtered(text, kernel, tmp_path, status=2) == [READ]


@pytest.mark.parametrize("release", ["../../../etc", "..", ".", "a/b"])
def test_a_release_is_a_name(filtered, kernel, module, text, tmp_path, release):
    module_of("6.1", module, tmp_path)
    header = HEADER.replace(RELEASE, release)
    assert filtered(f"{header}\n{text}", f"--debug-dir={tmp_path}", kernel, status=1) == [[], []]


# Builds.

ID = "0123456789abcdef0123456789abcdef01234567"
OTHER = "fedcba9876543210fedcba9876543210fedcba98"
NOTE = f"""
	.section .note.gnu.build-id,"a",@note
	.long 4, 20, 3
	.asciz "GNU"
	{"".join(f".byte 0x{ID[i:i + 2]};" for i in range(0, 40, 2))}
"""


@pytest.fixture(scope="module")
def built(module, tmp_path_factory):
    """The module with a build ID."""
    directory = tmp_path_factory.mktemp("built")
    (directory / "note.s").write_text(NOTE)
    command("gcc", "-c", "note.s", "-o", "note.o", cwd=directory)
    path = directory / "my-module.ko"
    command("ld", "-r", module, directory / "note.o", "-o", path)
    return path


def test_a_module_of_another_build_is_refused(filtered, kernel, module, built, text):
    note = f"(from another build than my-module.ko, whose build ID is {ID})"
    assert filtered(text.replace("]", f" {ID}]"), kernel, built) == [READ]
    assert filtered(text.replace("]", f" {ID.upper()}]"), kernel, built) == [READ]
    assert filtered(text.replace("]", f" {OTHER}]"), kernel, built, status=1) == [[note]]
    assert filtered(text, kernel, built) == [READ]
    # A file without a build ID does not say which it is.
    assert filtered(text.replace("]", f" {OTHER}]"), kernel, module) == [READ]
    # Of several files it is the one of that build.
    assert filtered(text.replace("]", f" {ID}]"), kernel, module, built) == [READ]


@pytest.fixture(scope="module")
def built_kernel(tmp_path_factory):
    return kernels.build_kernel(tmp_path_factory.mktemp("built-kernel"), build_id=ID)


def test_a_kernel_of_another_build_is_refused(filtered, built_kernel, module, text):
    work, note = ["work() at kernel.c:14:8"], [
        f"(from another build than vmlinux, whose build ID is {ID})"]
    place = mention(built_kernel, "work", 0)
    for line, same in ((f"{place} [vmlinux {ID}]", True), (f"{place} [vmlinux {OTHER}]", False)):
        assert filtered(line, built_kernel, status=0 if same else 1) == [work if same else note]
    header = HEADER.replace(" Debian", f"{ID} Debian")
    assert filtered(f"{header}\n{place}", built_kernel) == [[], work]
    other = header.replace(ID, OTHER)
    assert filtered(f"{other}\n{place}\n[<{LINKED:x}>]\n{text}", built_kernel, module) == [
        [], note, note, READ]
    assert filtered(f"{other}\n{place}\n{header}\n{place}\n{HEADER}\n{place}", built_kernel) == [
        [], note, [], work, [], work]


# Where they are loaded.

def test_loaded_modules_are_opened_for_an_address(filtered, opened, kernel, module, tmp_path):
    start = 0xffffffffc0a00000
    kallsyms = tmp_path / "kallsyms"
    kallsyms.write_text(f"{LINKED:x} T _text\n{start:x} t module_read\t[my_module]\n")
    directory = tmp_path / "modules"
    directory.mkdir()
    for name in ("my-module.ko", "other.ko"):
        (directory / name).symlink_to(module)
    option, line = f"--kallsyms={kallsyms}", f"0x{start + 3:x}\n"
    assert filtered(line, option, kernel, directory) == [READ]
    assert filtered(line, option, kernel, directory / "other.ko", module) == [READ]
    assert set(opened(line, option, kernel, directory)) == {str(directory / "my-module.ko")}
    assert set(opened(mention(kernel, "work", 0), option, kernel, directory)) == set()


def test_a_module_that_is_refused_answers_no_address(run, kernel, module, tmp_path):
    """Also not by the sections that were placed before it showed that it is of another build."""
    start = 0xffffffffc0a00000
    kallsyms = tmp_path / "kallsyms"
    kallsyms.write_text(f"{LINKED:x} T _text\n{start:x} t module_read\t[my_module]\n"
                        f"{start + 16:x} t module_read\t[my_module]\n")
    directory = tmp_path / "modules"
    directory.mkdir()
    (directory / "my-module.ko").symlink_to(module)
    line = f"0x{start + 3:x}\n"
    result = run("addr", "--filter", f"--kallsyms={kallsyms}", kernel, directory, stdin=line)
    assert (result.status, result.out) == (2, line)
    assert "a different build of the module" in result.err


@pytest.mark.parametrize("option", ["--kallsyms", "--modules"])
def test_a_list_without_lines_is_not_read_to_its_end(run, kernel, module, option):
    result = run("addr", "--filter", f"{option}=/dev/zero", kernel, module, stdin="0xffffffffc0a00003\n")
    assert result.status == 2 and "/dev/zero: a line is longer than 1048576 bytes" in result.err
