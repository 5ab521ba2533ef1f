"""Every row of SFrame is what readelf prints, and what .eh_frame has for the same code."""

import shutil
import subprocess
from pathlib import Path

import pytest

import sframe

SOURCES = Path(__file__).resolve().parent / "programs"

# Stacks that are aligned; the assembler describes them since version 3.
ALIGNED = """\
void use(void *, int);
int aligned(int n, int a, int b, int c, int d, int e, int f, int g)
{
	_Alignas(64) char x[128];
	char y[n];

	use(x, 1);
	use(y, f + g);
	return x[3] + y[2];
}
"""

KINDS = [
    ("gcc", ["-O2"]),
    ("gcc", ["-O0"]),
    ("gcc", ["-O2", "-fno-omit-frame-pointer"]),
    ("aarch64-linux-gnu-gcc", ["-O2"]),
    ("aarch64-linux-gnu-gcc", ["-O2", "-mbranch-protection=pac-ret+leaf+b-key"]),
    ("s390x-linux-gnu-gcc", ["-O2"]),
]


def build(folder, compiler, options):
    """A library of sources that need no headers; skips if the tools cannot do it."""
    if not shutil.which(compiler) or "--sframe" not in subprocess.run(
            ["readelf", "--help"], capture_output=True, text=True, check=False).stdout:
        pytest.skip(f"no {compiler}, or readelf is too old")
    (folder / "aligned.c").write_text(ALIGNED)
    made = subprocess.run(
        [compiler, *options, "-Wa,--gsframe", "-w", "-nostdlib", "-shared", "-fPIC", folder / "aligned.c",
         SOURCES / "first.c", SOURCES / "second.c", "-o", folder / "lib.so"],
        capture_output=True, text=True, check=False)
    if made.returncode != 0:
        pytest.skip(made.stderr.splitlines()[-1])
    return folder / "lib.so"


@pytest.mark.parametrize("compiler, options", KINDS, ids=lambda value: value if isinstance(value, str)
                         else "".join(value))
def test_rows_are_those_of_readelf_and_of_eh_frame(tmp_path, compiler, options):
    path = build(tmp_path, compiler, options)
    tables = sframe.ours(path)
    if ".sframe" not in tables:
        pytest.skip("the assembler writes no SFrame for this machine")
    for differences, count in (sframe.readelf_differences(path, tables[".sframe"]),
                               sframe.eh_frame_differences(tables)):
        assert not differences, "\n".join(differences[:10])
        assert count > 20
