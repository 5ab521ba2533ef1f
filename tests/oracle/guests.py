"""Linux in QEMU, with a folder of files as its root: it runs a script, whose output tells what happened."""

import shutil
import subprocess

import kernel_dumps

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


class Guest:
    """`words` are those of the emulator, `console` is where its kernel prints."""

    def __init__(self, directory, words, console, busybox):
        for tool in (words[0], "cpio"):
            if not shutil.which(tool):
                raise kernel_dumps.NoKernel(f"no {tool}")
        self.directory, self.root, self.words, self.console = directory, directory / "root", words, console
        for folder in ("bin", "proc", "sys", "dev"):
            (self.root / folder).mkdir(parents=True)
        shutil.copy(busybox, self.root / "bin/busybox")
        (self.root / "bin/sh").symlink_to("busybox")
        (self.root / "init").write_text(INIT)
        (self.root / "init").chmod(0o755)

    def add_with(self, libraries, program, name):
        """`libraries`: {path in the guest: path here}."""
        shutil.copy(program, self.root / "bin" / name)
        for path, here in libraries.items():
            place = self.root / path.lstrip("/")
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(here, place)

    def boot(self, kernel, script):
        """{heading: lines}, of what the script prints behind lines "=== heading"."""
        (self.root / "script").write_text(script)
        names = "\n".join(str(path.relative_to(self.root)) for path in self.root.rglob("*"))
        initrd, serial = self.directory / "initrd", self.directory / "serial"
        with initrd.open("wb") as file:
            subprocess.run(["cpio", "-o", "-H", "newc", "--quiet"], cwd=self.root, input=names.encode(),
                           stdout=file, check=True)
        serial.unlink(missing_ok=True)
        # All files are in its memory.
        words = [self.words[0], "-accel", "tcg,thread=multi", "-smp", "2", "-m", "3072", "-nodefaults",
                 "-display", "none", "-no-reboot", "-kernel", kernel, "-initrd", initrd, "-append",
                 f"console={self.console} loglevel=1", "-serial", f"file:{serial}", *self.words[1:]]
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
