"""The program and its unit tests on other machines: big-endian ones, and such with 32 bits.

Both are cross-compiled against the libraries of this system's release for that machine and run by
qemu's user mode. Their output is compared with that of the program of this machine.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/cli"))

import building  # noqa: E402  (found only now)

# Debian's name of a machine: (triplet, qemu's name, Meson's CPU family, byte order)
HOSTS = {
    "s390x": ("s390x-linux-gnu", "s390x", "s390x", "big"),
    "arm64": ("aarch64-linux-gnu", "aarch64", "aarch64", "little"),
    "i386": ("i686-linux-gnu", "i386", "x86", "little"),
}
LIBRARIES = ("libelf-dev libdeflate-dev libzstd-dev liblz4-dev liblzma-dev libiberty-dev "
             "libcmocka-dev libdebuginfod-dev libcapstone-dev")
FILES = ("c", "c++", "templates", "lto", "tail-call", "object", "sections", "m32", "split",
         "nothing-inlined")

pytestmark = pytest.mark.long


def command(*args, **options):
    result = subprocess.run(list(map(str, args)), stdout=subprocess.PIPE, text=True,
                            stderr=subprocess.STDOUT, check=False, **options)
    assert result.returncode == 0, result.stdout[-4000:]
    return result.stdout


def release():
    text = Path("/etc/os-release").read_text()
    found = re.search(r"^VERSION_CODENAME=(\w+)", text, re.MULTILINE)
    return found[1] if found else None


@pytest.fixture(scope="module")
def program():
    path = os.environ.get("INLINECALL", str(ROOT / "build/cli/inlinecall"))
    if not os.access(path, os.X_OK):
        pytest.fail(f"no program at {path} (set INLINECALL)")
    return os.path.abspath(path)


def unpack(root):
    """Takes what debootstrap fetched apart: nothing of another machine has to run for that."""
    for package in sorted((root / "var/cache/apt/archives").glob("*.deb")):
        command("dpkg-deb", "-x", package, root)
    for path in root.glob("**/*"):  # links to /... are meant within the root
        if path.is_symlink() and os.readlink(path).startswith("/"):
            target = root / os.readlink(path)[1:]
            path.unlink()
            path.symlink_to(target)


@pytest.fixture(scope="module", params=HOSTS)
def host(request, tmp_path_factory):
    """A build folder for another machine, and the words that run its programs."""
    arch, (triplet, qemu, family, order) = request.param, HOSTS[request.param]
    if triplet.startswith(platform.machine()):
        pytest.skip("this machine is such a one")
    for tool in ("debootstrap", f"qemu-{qemu}", f"{triplet}-gcc", "meson"):
        building.need(tool)
    if not release() or os.geteuid() != 0:
        pytest.skip("debootstrap needs a release of Debian, and root")
    folder = tmp_path_factory.mktemp(arch)
    root = folder / "root"
    command("debootstrap", "--foreign", "--variant=minbase", f"--arch={arch}",
            "--include=" + LIBRARIES.replace(" ", ","), release(), root)
    unpack(root)
    runner = [f"qemu-{qemu}", "-L", str(root)]
    [pkgconfig] = root.glob("usr/lib/*/pkgconfig")
    (folder / "cross.ini").write_text(
        "[binaries]\n"
        f"c = ['{triplet}-gcc', '--sysroot={root}']\n"
        f"ar = '{triplet}-ar'\nstrip = '{triplet}-strip'\n"
        "pkgconfig = 'pkg-config'\npkg-config = 'pkg-config'\n"
        f"exe_wrapper = {runner}\n"
        f"[properties]\nneeds_exe_wrapper = true\nsys_root = '{root}'\npkg_config_libdir = '{pkgconfig}'\n"
        f"[host_machine]\nsystem = 'linux'\ncpu_family = '{family}'\ncpu = '{family}'\n"
        f"endian = '{order}'\n")
    build = folder / "build"
    command("meson", "setup", build, ROOT, "--cross-file", folder / "cross.ini",
            "--buildtype=debugoptimized", "-Dtests=enabled")
    command("ninja", "-C", build)
    yield build, runner
    shutil.rmtree(folder)


def test_the_unit_tests_pass(host):
    build, _ = host
    said = command("meson", "test", "-C", build, "--no-rebuild", "--no-suite", "pytest", "-t", "10",
                   "--print-errorlogs")
    assert int(re.search(r"^Ok: +(\d+)", said, re.MULTILINE)[1]) > 80


def commands_about(path):
    """Questions about a file, as arguments."""
    symbols = [line.split()[2] for line in building.command("nm", "--defined-only", path).splitlines()
               if len(line.split()) == 3 and line.split()[1] in "tT"][:20]
    yield "addr", path, *symbols
    yield "addr", "--json", path, *(f"{name}+0x4" for name in symbols)
    yield "addr", "--style=gnu", "-fipe", path, "0x0", "0x10", "0x1139"
    yield "addr", "--style=llvm", "--obj=" + str(path), "0x0", "0x10", "0x1139"
    for words in (), ("-i", "-C"), ("-o", "-c", "-s"), ("-e",), ("--count",):
        yield "-a", *words, path
    for words in ("--json",), ("--csv",):
        yield "-a", "-o", "-c", *words, path
    for words in (), ("--json",), ("--csv", "-C"):
        yield "tree", "-a", *words, path
    for line in 3, 10, 20, 43:
        yield "lines", "-s", path, f"first.c:{line}"
    yield "clamp", path
    yield "no_such_function", path


def test_the_answers_are_those_of_this_machine(host, program, tmp_path):
    build, runner = host
    asked = 0
    for name in FILES:
        path = building.build(name, tmp_path)
        for words in commands_about(path):
            results = [subprocess.run([*command, *map(str, words)], capture_output=True, check=False)
                       for command in ([program], [*runner, str(build / "cli/inlinecall")])]
            ours, theirs = [(result.returncode, result.stdout, result.stderr) for result in results]
            assert theirs == ours, words
            asked += 1
    assert asked >= 180
