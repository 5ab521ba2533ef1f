"""Every site, copy and call of a distribution's debug files and of a kernel. With --long only.

Packages are fetched with apt-get once, into the user's cache.
"""

import subprocess

import pytest

import compare
import dwarfdump
import readelf
from packages import fetched

KERNEL_FILES = ("vmlinux-*", "amdgpu.ko", "i915.ko", "xfs.ko", "ext4.ko", "btrfs.ko", "nfsd.ko",
                "kvm.ko", "mac80211.ko", "nouveau.ko", "bluetooth.ko")
# llvm-dwarfdump 14 recurses without end over the name of a type in libstdc++.
PACKAGES = (("libc6-dbg", dwarfdump), ("valgrind-dbg", dwarfdump), ("python3.11-dbg", dwarfdump),
            ("libstdc++6-12-dbg", readelf))

pytestmark = pytest.mark.long


def has_dwarf_of_its_own(path):
    """What is in a supplementary file of dwz, the oracles do not read."""
    with open(path, "rb") as file:
        if file.read(4) != b"\x7fELF":
            return False
    text = subprocess.run(["readelf", "-SW", str(path)], capture_output=True, check=False).stdout
    return b".debug_info" in text and b".gnu_debugaltlink" not in text


def differences(paths, reader):
    lines = []
    for path in paths:
        comparison, status = compare.compare(path, reader, str(path))
        print(path, comparison.counts)
        lines += comparison.differences[:20]
        if status not in (0, 1):  # 1: no site
            lines.append(f"{path}: exit status {status}")
    return lines


@pytest.mark.parametrize("package, reader", PACKAGES, ids=[name for name, _ in PACKAGES])
def test_a_package_is_read_as_the_oracle_reads_it(package, reader, inlinecall):
    paths = sorted(path for path in fetched(package).rglob("*")
                   if path.is_file() and not path.is_symlink() and has_dwarf_of_its_own(path))
    assert paths, f"{package} has no file with DWARF"
    lines = differences(paths, reader)
    assert not lines, "\n".join(lines[:50])


@pytest.mark.parametrize("name", KERNEL_FILES)
def test_a_kernel_is_read_as_the_oracle_reads_it(name, kernel, inlinecall):
    paths = sorted(kernel.rglob(name))
    assert paths, f"no {name} under {kernel}"
    lines = differences(paths, dwarfdump)
    assert not lines, "\n".join(lines[:50])
