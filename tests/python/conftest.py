"""The package as the build made it, and a program to ask about."""

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
RING = ROOT / "tests/cli/golden/ring"


@pytest.fixture(scope="session", name="command")
def fixture_command():
    return Path(os.environ.get("INLINECALL", ROOT / "build/cli/inlinecall")).resolve()


@pytest.fixture(scope="session", name="package_folder")
def fixture_package_folder(command):
    folder = command.parents[1] / "python"
    if not list((folder / "inlinecall").glob("_native*.so")):
        pytest.skip("the Python package was not built (-Dpython=enabled)")
    return folder


@pytest.fixture(scope="session", name="inlinecall")
def fixture_inlinecall(package_folder):
    sys.path.insert(0, str(package_folder))
    return importlib.import_module("inlinecall")


@pytest.fixture(scope="session", name="ring")
def fixture_ring(tmp_path_factory):
    """A small program, always the same code."""
    folder = tmp_path_factory.mktemp("ring")
    subprocess.run(["as", "--64", "-o", folder / "ring.o", RING / "ring.s"], check=True)
    subprocess.run(["ld", "-e", "queue_send", "--defsym=pending=0x500000", "-Ttext=0x401000", "-o",
                    folder / "ring", folder / "ring.o"], check=True)
    return folder / "ring"
