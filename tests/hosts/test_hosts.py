"""The program and its unit tests on other machines: big-endian ones, and such with 32 bits.

Both are cross-compiled against the libraries of this system's release for that machine and run by
qemu's user mode. Their output is compared with that of the program of this machine. Where the program can
trace others, it does so in a virtual machine of that kind.
"""

import os
import platform
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / "tests/cli"), str(ROOT / "tests/oracle")]

import building  # noqa: E402  (found only now)
import guests  # noqa: E402
import kernel_dumps  # noqa: E402
import telling_program  # noqa: E402
import test_trace_values as values  # noqa: E402

# Debian's name of a machine: (triplet, qemu's name, Meson's CPU family, byte order)
HOSTS = {
    "s390x": ("s390x-linux-gnu", "s390x", "s390x", "big"),
    "arm64": ("aarch64-linux-gnu", "aarch64", "aarch64", "little"),
    "i386": ("i686-linux-gnu", "i386", "x86", "little"),
}
LIBRARIES = ("libelf-dev libdeflate-dev libzstd-dev liblz4-dev liblzma-dev libiberty-dev "
             "libcmocka-dev libdebuginfod-dev libcapstone-dev")
# The words of an emulator with a kernel, where that prints, and Debian's package of the kernel.
GUESTS = {"arm64": (["qemu-system-aarch64", "-M", "virt", "-cpu", "cortex-a72"], "ttyAMA0", "linux-image-arm64")}
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


class Host(NamedTuple):
    arch: str
    root: Path     # with the libraries of that machine
    build: Path
    runner: list   # the words that run its programs
    compiler: list

    def libraries(self, program):
        """{path in a root: path here} of what a program needs, and the library that is loaded when it needs that."""
        folders = [*self.root.glob("lib"), *self.root.glob("lib/*-linux-gnu"), *self.root.glob("usr/lib/*-linux-gnu")]
        waiting = [program, *folders[-1].glob("libcapstone.so.?")]
        found = {f"/lib/{path.name}": path for path in waiting[1:]}
        while waiting:
            for name in re.findall(r"\(NEEDED\).*\[(.*)\]", command("readelf", "-d", waiting.pop())):
                if f"/lib/{name}" not in found:
                    found[f"/lib/{name}"] = next(folder / name for folder in folders if (folder / name).exists())
                    waiting.append(found[f"/lib/{name}"])
        return found


@pytest.fixture(scope="module", params=HOSTS)
def host(request, tmp_path_factory):
    arch, (triplet, qemu, family, order) = request.param, HOSTS[request.param]
    if triplet.startswith(platform.machine()):
        pytest.skip("this machine is such a one")
    for tool in ("debootstrap", f"qemu-{qemu}", f"{triplet}-gcc", "meson"):
        building.need(tool)
    if not release() or os.geteuid() != 0:
        pytest.skip("debootstrap needs a release of Debian, and root")
    folder = tmp_path_factory.mktemp(arch)
    root = folder / "root"
    packages = LIBRARIES.split() + ([GUESTS[arch][2], "busybox-static"] if arch in GUESTS else [])
    command("debootstrap", "--foreign", "--variant=minbase", f"--arch={arch}",
            "--include=" + ",".join(packages), release(), root)
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
    yield Host(arch, root, build, runner, [f"{triplet}-gcc", f"--sysroot={root}"])
    shutil.rmtree(folder)


def test_the_unit_tests_pass(host):
    said = command("meson", "test", "-C", host.build, "--no-rebuild", "--no-suite", "pytest", "-t", "40",
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
    asked = 0
    for name in FILES:
        path = building.build(name, tmp_path)
        for words in commands_about(path):
            results = [subprocess.run([*command, *map(str, words)], capture_output=True, check=False)
                       for command in ([program], [*host.runner, str(host.build / "cli/inlinecall")])]
            ours, theirs = [(result.returncode, result.stdout, result.stderr) for result in results]
            assert theirs == ours, words
            asked += 1
    assert asked >= 180


# Programs that print their calls: {name: (source, the functions, words for the compiler)}.
def told_programs(folder):
    for level in values.LEVELS:
        yield f"args{level}", (values.PROGRAM, values.FUNCTIONS, ["-DALWAYS", level])
    for seed in range(1, 13):
        told, source = telling_program.Program(seed), folder / f"told{seed}.c"
        source.write_text(told.text())
        yield source.stem, (source, [name for name, _ in told.functions], [values.LEVELS[seed % 5]])


def test_values_in_a_trace_are_what_a_program_prints(host, tmp_path):
    """Which needs the kernel of that machine."""
    if host.arch not in GUESTS:
        pytest.skip("the program does not trace others on this machine")
    words, console, _ = GUESTS[host.arch]
    try:
        guest = guests.Guest(tmp_path, words, console, host.root / "bin/busybox")
    except kernel_dumps.NoKernel as reason:
        pytest.skip(str(reason))
    guest.add_with(host.libraries(host.build / "cli/inlinecall"), host.build / "cli/inlinecall", "inlinecall")
    programs, script = dict(told_programs(tmp_path)), []
    for name, (source, functions, options) in programs.items():
        command(*host.compiler, "-g", "-w", "-static", *options, "-o", guest.root / name, source)
        selected = " ".join(f"--function={function}" for function in functions)
        fields = f"--fields={','.join(values.MEMBERS)}" if source == values.PROGRAM else ""
        script.append(f"echo '=== {name}'\n"
                      f"inlinecall trace --json -O /rows {fields} {selected} /{name} -- /{name} 12 2>&1\n"
                      f"echo '=== rows {name}'; cat /rows")
    said = guest.boot(next(host.root.glob("boot/vmlinuz-*")), "\n".join(script))
    same = 0
    for name, (_, functions, _) in programs.items():
        calls = values.calls_printed("\n".join(said[name]), functions)
        found, unknown, wrong = values.compare_values(values.calls_seen("\n".join(said[f"rows {name}"])), calls)
        assert calls and not wrong and set(unknown) <= values.REASONS, (name, wrong, unknown)
        same += found
    assert same >= 5000
