"""A Linux kernel in QEMU that runs a script: so it traces itself with `inlinecall trace -k`, while a program makes
known calls of the kernel's functions."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import kernel_dumps
from kernel_dumps import NoKernel, run

MEMORY = "3072"  # MiB: all files are in it
SOURCE = Path(__file__).resolve().parent / "programs/kernel_calls.c"
INIT = """#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tracefs tracing /sys/kernel/tracing
mount -t debugfs debug /sys/kernel/debug
mount -t devtmpfs dev /dev
echo "READY"
sh /script 2>&1
echo "=== log"
dmesg | grep -v 'Command line'
echo "=== end"
poweroff -f
"""


class Calls(NamedTuple):
    """Of an inlined function of the kernel: those that the program makes, and no other."""
    function: str
    condition: str  # of `trace --where`
    fetched: str    # what a probe of tracefs prints of them
    value: tuple    # (name, text) of an argument of each


CALLS = [Calls("fdget_pos", "fd == 77", "fd=77", ("fd", "77")),
         Calls("fdget_raw", "fd == 77", "fd=77", ("fd", "77")),
         Calls("fdget", "fd == 77", "fd=77", ("fd", "77")),
         Calls("__set_open_fd", "fd == 91", "fd=91", ("fd", "91")),
         Calls("timespec64_valid", "ts->tv_nsec == 12347", "", ("ts->tv_nsec", "12347"))]


class Machine:
    def __init__(self, directory, modules=()):
        for tool in ("qemu-system-x86_64", "busybox", "cpio", "apt-get", "dpkg-deb", "gcc", "objcopy"):
            if not shutil.which(tool):
                raise NoKernel(f"no {tool}")
        self.directory, self.root, self.data = directory, directory / "root", directory / "data"
        self.vmlinux = kernel_dumps.vmlinux()
        self.release = self.vmlinux.name.split("-", 1)[1]
        self.kernel, self.modules = kernel_dumps.unpack_kernel(self.release, directory, modules)
        for folder in ("bin", "proc", "sys", "dev"):
            (self.root / folder).mkdir(parents=True)
        shutil.copy(shutil.which("busybox"), self.root / "bin/busybox")
        (self.root / "bin/sh").symlink_to("busybox")
        (self.root / "init").write_text(INIT)
        (self.root / "init").chmod(0o755)
        for module in self.modules:
            shutil.copy(module, self.root)

    def add_tracer(self, program):
        """`inlinecall`, the kernel that it reads, and a program that makes known calls."""
        run(["objcopy", "--remove-section=.rela*", self.vmlinux, self.root / "vmlinux"])  # half of it
        run(["gcc", "-O1", "-static", "-o", self.root / "calls", SOURCE])
        self.add_program(program, "inlinecall")

    def add_table(self, program):
        """The kernel without DWARF, and a table of its inlined calls with the types."""
        run(["objcopy", "--strip-debug", self.root / "vmlinux", self.root / "bare"])
        run([program, "btf", "encode", "--missing=extend", "-O", self.root / "table", "--btf-output",
             self.root / "types", self.vmlinux])

    def add_program(self, program, name):
        """With the libraries that it needs, and the one that it loads when it needs that."""
        shutil.copy(program, self.root / "bin" / name)
        paths = re.findall(r"(/\S+) \(", run(["ldd", program], text=True).stdout)
        paths += re.findall(r"libcapstone\S+ .*=> (/\S+)", run(["/sbin/ldconfig", "-p"], text=True).stdout)
        for path in paths:
            place = self.root / path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(path, place)

    def run(self, script):
        """{heading: lines}, of what the script prints behind lines "=== heading". What it writes to /dev/ttyS1 is in
        the file `data`."""
        (self.root / "script").write_text(script)
        names = "\n".join(str(path.relative_to(self.root)) for path in self.root.rglob("*"))
        initrd, serial = self.directory / "initrd", self.directory / "serial"
        with initrd.open("wb") as file:
            subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=self.root, input=names.encode(),
                           stdout=file, check=True)
        serial.unlink(missing_ok=True)
        words = ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", "max", "-smp", "2", "-m",
                 MEMORY, "-nodefaults", "-display", "none", "-no-reboot", "-kernel", self.kernel,
                 "-initrd", initrd, "-append", "console=ttyS0 loglevel=1", "-serial", f"file:{serial}",
                 "-serial", f"file:{self.data}"]
        with subprocess.Popen([*map(str, words)], stdout=subprocess.DEVNULL) as process:
            try:
                kernel_dumps.wait_for(serial, process, b"READY")
                process.wait(1200)
            finally:
                process.kill()
        parts, text = {}, serial.read_text(errors="replace").replace("\r", "")
        for part in text.split("=== ")[1:]:
            heading, _, rest = part.partition("\n")
            parts[heading] = rest.splitlines()
        assert "end" in parts, text[-2000:]
        return parts
