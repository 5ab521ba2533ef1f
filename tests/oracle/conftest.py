"""What the oracle tests share."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).resolve().parent))

import compare  # noqa: E402  (found only now)
import dwarfdump  # noqa: E402
import instances  # noqa: E402
from packages import ROOT  # noqa: E402


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """Makes a build once; skips, saying so, if a tool is missing."""
    directory = tmp_path_factory.mktemp("oracle")
    made = {}

    def make(build):
        if build.missing():
            pytest.skip(f"no {build.missing()}")
        if build not in made:
            made[build] = build.make(directory)
        return made[build]

    return make


@pytest.fixture(scope="session")
def recorded(built):
    """What llvm-dwarfdump says of a build, asked for once: that is most of the time here."""
    records = {}

    def read(build):
        if build not in records:
            records[build] = list(instances.read(str(built(build)), dwarfdump))
        return records[build]

    return read


@pytest.fixture(scope="session")
def counted_folder(tmp_path_factory):
    """For programs with counters, which are made once."""
    return tmp_path_factory.mktemp("counted")


@pytest.fixture(scope="session")
def inlinecall():
    if not os.access(compare.program(), os.X_OK):
        pytest.fail(f"no program at {compare.program()} (set INLINECALL)")


@pytest.fixture(scope="session")
def kernel():
    """The folder with a kernel and its modules; skips if there is no way to get them."""
    result = subprocess.run([ROOT / "scripts" / "fetch-kernel"], capture_output=True, text=True,
                            check=False)
    if result.returncode:
        pytest.skip(result.stderr.strip().splitlines()[-1])
    return Path(result.stdout.strip())
