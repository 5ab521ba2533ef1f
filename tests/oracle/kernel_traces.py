"""A Linux kernel in QEMU that runs a script: so it traces itself with `inlinecall trace -k`, while a program makes
known calls of the kernel's functions."""

import re
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

import guests
import kernel_dumps
from kernel_dumps import NoKernel, run

SOURCE = Path(__file__).resolve().parent / "programs/kernel_calls.c"


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


class Machine(guests.Guest):
    def __init__(self, directory, modules=()):
        for tool in ("busybox", "apt-get", "dpkg-deb", "gcc", "objcopy"):
            if not shutil.which(tool):
                raise NoKernel(f"no {tool}")
        self.data = directory / "data"  # what the script writes to /dev/ttyS1
        super().__init__(directory, ["qemu-system-x86_64", "-cpu", "max", "-serial", f"file:{self.data}"],
                         "ttyS0", shutil.which("busybox"))
        self.vmlinux = kernel_dumps.vmlinux()
        self.release = self.vmlinux.name.split("-", 1)[1]
        self.kernel, self.modules = kernel_dumps.unpack_kernel(self.release, directory, modules)
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

    def add_module(self, source):
        """Builds a module for the kernel, with the headers of its package."""
        headers = self.directory / "headers"
        headers.mkdir()
        names = [f"linux-headers-{self.release}"]
        depends = subprocess.run(["apt-cache", "depends", *names], capture_output=True, text=True, check=False)
        names += re.findall(r"Depends: (linux-(?:headers|kbuild)\S+)", depends.stdout)
        if subprocess.run(["apt-get", "download", *names], cwd=headers, capture_output=True,
                          check=False).returncode != 0:
            raise NoKernel(f"apt-get knows no {names[0]}")
        for package in headers.glob("*.deb"):
            run(["dpkg-deb", "-x", package, headers])
        tree = headers / f"usr/src/{names[0]}"
        makefile = (tree / "Makefile").read_text().replace("/usr/src/", f"{headers}/usr/src/")
        (tree / "Makefile").write_text(makefile)
        shutil.copy(source, headers)
        (headers / "Makefile").write_text(f"obj-m := {source.stem}.o\n")
        run(["make", "-C", tree, f"M={headers}", "modules"])
        shutil.copy(headers / f"{source.stem}.ko", self.root)

    def add_program(self, program, name):
        """With the libraries that it needs, and the one that it loads when it needs that."""
        paths = re.findall(r"(/\S+) \(", run(["ldd", program], text=True).stdout)
        paths += re.findall(r"libcapstone\S+ .*=> (/\S+)", run(["/sbin/ldconfig", "-p"], text=True).stdout)
        self.add_with({path: path for path in paths}, program, name)

    def run(self, script):
        return self.boot(self.kernel, script)
