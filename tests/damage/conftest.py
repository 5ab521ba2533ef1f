"""The program that is asked, and an environment without what changes its output."""

import os
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("INLINECALL", str(HERE.parents[1] / "build/cli/inlinecall"))
    if not os.access(path, os.X_OK):
        pytest.fail(f"no program at {path} (set INLINECALL)")
    return os.path.abspath(path)


@pytest.fixture(scope="session")
def environment():
    unwanted = {"NO_COLOR", "POSIXLY_CORRECT", "TERM", "DEBUGINFOD_URLS"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}
