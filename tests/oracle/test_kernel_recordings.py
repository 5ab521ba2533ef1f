"""Recordings of a kernel that does not run here, with modules: `inlinecall profile` on this machine beside what perf
said on the other one, of every sample."""

import bisect
import itertools
import re
import shutil
import subprocess
import tarfile
from collections import Counter
from pathlib import Path

import pytest

import compare
import kernel_dumps
import kernel_traces

pytestmark = pytest.mark.long
WEIGHT = 2000000  # nanoseconds
MODULES = ("brd", "crc16", "mbcache", "jbd2", "crc32c_generic", "libcrc32c", "ext4")
SCRIPT = """
for module in brd crc16 mbcache jbd2 crc32c_generic libcrc32c ext4; do insmod /$module.ko; done
mke2fs /dev/ram0 >/dev/null
mkdir /disk && mount -t ext4 /dev/ram0 /disk
cat >/work <<'END'
for i in 1 2 3; do
	dd if=/dev/zero of=/disk/file bs=4k count=1000 2>/dev/null; sync; rm /disk/file
	for j in 1 2 3 4 5 6 7 8; do mkdir /disk/$j; ls -lR /disk >/dev/null; rmdir /disk/$j; done
done
END
perf record -q -a -g -e cpu-clock -F 500 -o /perf.data -- sh /work
echo "=== samples"
perf script -i /perf.data --no-inline -F ip,sym 2>/dev/null
cat /proc/kallsyms >/kallsyms
stty -F /dev/ttyS1 raw
tar czf /dev/ttyS1 perf.data kallsyms
"""


class Recorded:
    def __init__(self, directory):
        perf = sorted(Path("/usr/bin").glob("perf_[0-9]*")) or [shutil.which("perf")]
        if not perf[-1]:
            raise kernel_dumps.NoKernel("no perf")
        machine = kernel_traces.Machine(directory, MODULES)
        machine.add_program(perf[-1], "perf")
        self.printed = machine.run(SCRIPT)["samples"]
        with tarfile.open(machine.data) as files:
            files.extractall(directory)
        self.directory, self.vmlinux, self.release = directory, machine.vmlinux, machine.release
        self.kallsyms, self.modules = directory / "kallsyms", machine.modules
        text = next(line.split()[0] for line in self.kallsyms.read_text().splitlines() if line.endswith(" T _text"))
        self.symbols = Symbols(self.vmlinux, int(text, 16))
        self.expected = stacks_of_perf(self.printed, self.symbols)
        self.build_id = re.search(r"Build ID: (\w+)", subprocess.run(
            ["readelf", "-n", self.vmlinux], capture_output=True, text=True, check=True).stdout)[1]

    def profile(self, *words):
        return subprocess.run([compare.program(), "profile", *map(str, words), str(self.directory / "perf.data")],
                              capture_output=True, text=True, check=False, env={"HOME": "/nonexistent"})

    def stacks(self, *words):
        result = self.profile("--folded", *words)
        return stacks_of_profile(result.stdout, WEIGHT, self.symbols), result.stderr


def sysroot_of(directory, recorded, vmlinux):
    """A root with the files of the other machine's kernel, and its debug files."""
    boot, modules = directory / "usr/lib/debug/boot", directory / "lib/modules" / recorded.release
    boot.mkdir(parents=True)
    modules.mkdir(parents=True)
    (boot / recorded.vmlinux.name).symlink_to(vmlinux)
    for module in recorded.modules:
        shutil.copy(module, modules)
    return directory


@pytest.fixture(name="recorded", scope="module")
def fixture_recorded(tmp_path_factory):
    try:
        return Recorded(tmp_path_factory.mktemp("kernel"))
    except kernel_dumps.NoKernel as reason:
        pytest.skip(str(reason))


class Symbols:
    """Of the kernel's file: perf calls code by the last symbol before it, which may be a label in a function, or
    another name of it."""

    def __init__(self, vmlinux, start):
        lines = subprocess.run(["nm", "-S", "--defined-only", vmlinux], capture_output=True, text=True,
                               check=True).stdout.splitlines()
        words = [line.split() for line in lines]
        self.offset = start - next(int(addr, 16) for addr, *_, name in words if name == "_text")
        self.rows = sorted((int(addr, 16), int(size[0], 16), name) for addr, *size, kind, name in words
                           if size and kind in "tTwW")
        self.starts = [row[0] for row in self.rows]
        self.name_of = {name: self.at(int(addr, 16) + self.offset) or name for addr, *_, name in words}

    def at(self, addr):
        """The function there, by the first of its names; None if the file has none."""
        addr -= self.offset
        last = bisect.bisect_right(self.starts, addr)
        covering = [row for row in self.rows[max(0, last - 50):last] if addr < row[0] + row[1]]
        return covering[0][2] if covering else None

    def is_entry(self, addr):
        place = bisect.bisect_left(self.starts, addr - self.offset)
        return place < len(self.starts) and self.starts[place] == addr - self.offset

    def named(self, name):
        return self.name_of.get(name, name)


def plain(name):
    """Without what compilers add to the names of parts and clones."""
    return re.sub(r"\.(isra|constprop|part|cold)(\.\d+)?", "", name)


def stacks_of_perf(lines, symbols):
    """Of each sample the kernel's functions on its stack, the innermost first, each as a set: what returns to the
    beginning of a function may be the end of the one before it, or be interrupted there."""
    stacks, stack, is_exact = [], [], True
    for line in [*lines, ""]:
        words = line.split()
        if words and int(words[0], 16) >> 63:
            addr = int(words[0], 16)
            own = symbols.at(addr) or words[1].partition("+")[0]
            before = own if is_exact else symbols.at(addr - 1) or own
            if words[1] != "[unknown]":  # of the program: no address
                stack.append({plain(before), plain(own)} if symbols.is_entry(addr) else {plain(before)})
            is_exact = False
        elif not words:
            stacks += [stack] if stack else []
            stack, is_exact = [], True
    return stacks


def stacks_of_profile(text, weight, symbols):
    """The same of folded stacks: what is inlined belongs to its host."""
    stacks = Counter()
    for line in text.splitlines():
        frames, _, total = line.rpartition(" ")
        names = [name.removesuffix("_[k]") for name in frames.split(";") if name.endswith("_[k]")]
        stacks[tuple(plain(symbols.named(name)) for name in reversed(names))] += int(total) // weight
    del stacks[()]
    return stacks


def compare_stacks(found, expected):
    """Both what was found and was not expected, and the contrary."""
    left, missing = Counter(found), []
    for stack in sorted(expected, key=lambda names: sum(len(name) for name in names)):  # the certain ones first
        match = next((names for names in itertools.product(*stack) if left[names] > 0), None)
        if match:
            left[match] -= 1
        else:
            missing.append(stack)
    return [*(+left)][:3], missing[:3]


def test_every_stack_is_what_perf_said_there(recorded, tmp_path):
    found, said = recorded.stacks(f"--sysroot={sysroot_of(tmp_path, recorded, recorded.vmlinux)}")
    assert len(recorded.expected) > 500
    assert any({"ext4_readdir"} in stack for stack in recorded.expected)
    assert compare_stacks(found, recorded.expected) == ([], [])
    assert "[kernel]" not in said


def test_inlined_functions_are_found(recorded, tmp_path):
    result = recorded.profile(f"--sysroot={sysroot_of(tmp_path, recorded, recorded.vmlinux)}", "--folded")
    assert "do_syscall_64_[k];do_syscall_x64_[i];__x64_sys_" in result.stdout


@pytest.mark.parametrize("end", [".debug", "/debug", "/elf", ""])
def test_the_kernel_is_found_by_its_build_id(recorded, tmp_path, end):
    place = tmp_path / ".build-id" / recorded.build_id[:2] / f"{recorded.build_id[2:]}{end}"
    place.parent.mkdir(parents=True)
    place.symlink_to(recorded.vmlinux)
    found, said = recorded.stacks(f"--debug-dir={tmp_path}")
    of_kernel = [stack for stack in recorded.expected
                 if all(symbol in recorded.symbols.name_of for names in stack for symbol in names)]
    assert of_kernel and not compare_stacks(found, of_kernel)[1]
    assert "module ext4: no file found" in said and f"kernel {recorded.release}" not in said


def test_functions_are_known_by_the_list_that_perf_has_kept(recorded, tmp_path):
    place = tmp_path / ".build-id" / recorded.build_id[:2] / recorded.build_id[2:]
    place.mkdir(parents=True)
    shutil.copy(recorded.kallsyms, place)
    found, _ = recorded.stacks(f"--debug-dir={tmp_path}")
    assert compare_stacks(found, recorded.expected) == ([], [])


def test_another_list_of_the_same_kernel_is_not_used(recorded, tmp_path):
    place = tmp_path / ".build-id" / recorded.build_id[:2] / recorded.build_id[2:]
    place.mkdir(parents=True)
    (place / "kallsyms").write_text(re.sub(r"(?m)^(\w+)(\w)(\w{5}) ", r"\g<1>0\3 ", recorded.kallsyms.read_text()))
    found, said = recorded.stacks(f"--debug-dir={tmp_path}")
    assert not any("do_syscall_64" in stack for stack in found)
    assert f"kernel {recorded.release}: no file found" in said


def test_another_build_is_refused(recorded, tmp_path):
    source, other = tmp_path / "a.s", tmp_path / "vmlinux"
    source.write_text(".globl _text, _start\n.text\n_text:\n_start: .skip 4096\n")
    subprocess.run(["gcc", "-nostdlib", "-static", "-Wl,--build-id", "-o", other, source], check=True)
    found, said = recorded.stacks(f"--sysroot={sysroot_of(tmp_path / 'root', recorded, other)}")
    assert not any("do_syscall_64" in stack for stack in found)
    assert f"but the mapping has {recorded.build_id}" in said


def test_without_files_it_is_said_once(recorded):
    result = recorded.profile()
    assert result.returncode == 2
    assert result.stderr.count(f"[kernel]: kernel {recorded.release}: no file found") == 1
    assert result.stderr.count("module ext4: no file found") == 1
