"""Asking for one name finds what reading everything finds, for every name."""

import os
import subprocess
from pathlib import Path

import pytest

import builds
import compare
from test_kernel_text import kernel  # noqa: F401  (a fixture)

# Beside INLINECALL, in the same build directory.
COMPARE_NAMES = Path(compare.program()).resolve().parents[1] / "tests/oracle/compare_names"


def check(path, every=1):
    if not COMPARE_NAMES.exists():  # the program is an installed one
        pytest.skip(f"no {COMPARE_NAMES}")
    result = subprocess.run([COMPARE_NAMES, path, str(every)], stdout=subprocess.PIPE, text=True,
                            check=False)
    *differences, last = result.stdout.splitlines()
    assert result.returncode == 0 and not differences, "\n".join(differences[:10])
    assert int(last.split()[0]) > 0, "nothing was inlined: nothing was compared"


@pytest.mark.parametrize("build", builds.params())
def test_every_name_of_a_build_finds_all_its_sites(build, built):
    check(built(build))


def test_every_name_of_the_program_itself_finds_all_its_sites():
    check(compare.program())


# All 33,445 of the kernel take half an hour: EVERY_NAME=1 asks for them.
EVERY = int(os.environ.get("EVERY_NAME", "25"))


@pytest.mark.long
@pytest.mark.parametrize("name", ["vmlinux-*", "xfs.ko", "amdgpu.ko"])
def test_every_name_of_a_kernel_finds_all_its_sites(name, kernel):  # noqa: F811
    (path,) = kernel.rglob(name)
    check(path, EVERY)
