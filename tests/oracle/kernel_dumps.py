"""Dumps of a Linux kernel that QEMU runs, and what the kernel itself prints of its stacks."""

import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

MEMORY = "256"   # MiB
PATIENCE = 300   # seconds until the kernel has done something, without hardware virtualisation
INIT = """#!/bin/sh
/bin/busybox mkdir -p /proc
/bin/busybox mount -t proc proc /proc
echo 1 > /proc/sys/kernel/sysrq
/bin/busybox insmod /qemu_fw_cfg.ko
for word in $(/bin/busybox cat /proc/cmdline); do
	case $word in do=*) what=${word#do=} ;; esac
done
echo "READY $what"
case $what in
panic) echo c > /proc/sysrq-trigger ;;
read) (while :; do /bin/busybox cat /proc/meminfo >/dev/null; done) &
	/bin/busybox dd if=/dev/urandom of=/dev/null bs=1M ;;
user) (while :; do :; done) & while :; do :; done ;;
esac
/bin/busybox sleep 1000
"""
FRAME = re.compile(r"\] (?:RIP: 0010:| +)([\w.]+)\+0x([0-9a-f]+)/0x[0-9a-f]+$")
OFFSET = re.compile(r"Kernel Offset: (?:0x([0-9a-f]+) from|disabled)")


class NoKernel(Exception):
    """There is no kernel here to boot, or no machine to boot it on."""


def run(words, **options):
    return subprocess.run([*map(str, words)], check=True, capture_output=True, **options)


def vmlinux():
    """That of Debian's package, as scripts/fetch-kernel leaves it."""
    cache = Path(os.environ.get("XDG_CACHE_HOME", Path.home() / ".cache")) / "inlinecall"
    found = sorted(cache.glob("linux-image-*-amd64-dbg/usr/lib/debug/boot/vmlinux-*"))
    if not found:
        raise NoKernel("no kernel with debug information: run scripts/fetch-kernel")
    return found[-1]


def unpack_kernel(release, directory, modules=("qemu_fw_cfg",)):
    """The image and modules, from the package of the same release."""
    for package in (f"linux-image-{release}-unsigned", f"linux-image-{release}"):
        if subprocess.run(["apt-get", "download", package], cwd=directory, capture_output=True,
                          check=False).returncode == 0:
            break
    else:
        raise NoKernel(f"apt-get knows no linux-image-{release}")
    package = next(directory.glob("linux-image-*.deb"))
    archive = subprocess.Popen(["dpkg-deb", "--fsys-tarfile", package], stdout=subprocess.PIPE)
    run(["tar", "-x", "--wildcards", "*/vmlinuz-*", *(f"*/{name}.ko" for name in modules)], stdin=archive.stdout,
        cwd=directory)
    archive.wait()
    package.unlink()
    return next(directory.glob("boot/vmlinuz-*")), [next(directory.rglob(f"{name}.ko")) for name in modules]


class Machine:
    """What is needed to boot the kernel."""

    def __init__(self, directory):
        for tool in ("qemu-system-x86_64", "busybox", "cpio", "apt-get", "dpkg-deb"):
            if not shutil.which(tool):
                raise NoKernel(f"no {tool}")
        self.directory = directory
        self.vmlinux = vmlinux()
        self.kernel, (module,) = unpack_kernel(self.vmlinux.name.split("-", 1)[1], directory)
        root = directory / "root"
        (root / "bin").mkdir(parents=True)
        shutil.copy(shutil.which("busybox"), root / "bin/busybox")
        (root / "bin/sh").symlink_to("busybox")
        shutil.copy(module, root)
        (root / "init").write_text(INIT)
        (root / "init").chmod(0o755)
        names = "\n".join(str(path.relative_to(root)) for path in root.rglob("*"))
        self.initrd = directory / "initrd"
        self.initrd.write_bytes(run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=root,
                                    input=names.encode()).stdout)

    def dump(self, what, options="", processor="qemu64", form="", nmi=False, device=True):
        """(dump, what the kernel printed) once it does something."""
        serial, monitor = self.directory / "serial", self.directory / "monitor"
        output = self.directory / "vmcore"
        for path in (serial, monitor, output):
            path.unlink(missing_ok=True)
        words = ["qemu-system-x86_64", "-accel", "tcg,thread=multi", "-cpu", processor, "-smp",
                 "2", "-m", MEMORY, "-nodefaults", "-display", "none", "-no-reboot",
                 *(["-device", "vmcoreinfo"] if device else []), "-kernel", self.kernel, "-initrd",
                 self.initrd, "-append", f"console=ttyS0 do={what} {options}", "-serial",
                 f"file:{serial}", "-monitor", f"unix:{monitor},server,nowait"]
        with subprocess.Popen([*map(str, words)], stdout=subprocess.DEVNULL) as process:
            try:
                wait_for(serial, process, b"end Kernel panic" if what == "panic"
                         else b"READY " + what.encode())
                time.sleep(3)
                with Monitor(monitor) as asked:
                    if nmi:
                        asked.ask("nmi")
                        wait_for(serial, process, b"end Kernel panic")
                        time.sleep(1)
                    asked.ask("stop")
                    answer = asked.ask(f"dump-guest-memory {form} {output}")
                    assert output.exists(), answer
            finally:
                process.kill()
        return output, serial.read_text(errors="replace")


def wait_for(serial, process, text):
    end = time.monotonic() + PATIENCE
    while not (serial.exists() and text in serial.read_bytes()):
        if time.monotonic() > end or process.poll() is not None:
            raise NoKernel(f"the kernel does not boot here: {text.decode()} was not printed")
        time.sleep(0.5)


class Monitor:
    """QEMU's, for people."""

    def __init__(self, path):
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(PATIENCE)
        self.socket.connect(str(path))
        self.read()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.socket.close()

    def read(self):
        answer = b""
        while not answer.endswith(b"(qemu) "):
            part = self.socket.recv(1 << 16)
            if not part:
                break
            answer += part
        return answer.decode(errors="replace")

    def ask(self, command):
        self.socket.sendall(command.encode() + b"\n")
        return self.read()


def symbols(path):
    """{name: [address, ...]}"""
    found = {}
    for line in run(["nm", path], text=True).stdout.splitlines():
        addr, kind, name = line.rsplit(None, 2) if line.count(" ") > 1 else ("0", "", "")
        if kind in "tTwW" and kind:
            found.setdefault(name, set()).add(int(addr, 16))
    return found


def kernels_stack(printed, names):
    """[{addresses that a line may mean}, ...] of the stack that a panic prints, from the function
    that called panic() on. What the kernel itself is not sure of has a question mark."""
    offset = OFFSET.search(printed)
    bias = int(offset[1], 16) if offset and offset[1] else 0
    text = printed[printed.index("Kernel panic"):]
    frames = []
    for line in text[text.index("Call Trace:"):].splitlines():
        match = FRAME.search(line.rstrip())
        if match and " ? " not in line:
            frames.append((match[1], {addr + int(match[2], 16) + bias
                                      for addr in names.get(match[1], ())}))
    first = [name for name, _ in frames].index("panic")
    return [addrs for _, addrs in frames[first + 1:]]
