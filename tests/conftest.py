"""What every pytest of the project shares: tests that take minutes run only when asked for."""

import os
import re
import subprocess
from pathlib import Path

import pytest

TRACING = Path("/sys/kernel/tracing")


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the tests marked long")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; skipped without --long")


def pytest_collection_modifyitems(config, items):
    if config.getoption("--long"):
        return
    skip = pytest.mark.skip(reason="takes minutes: pass --long")
    for item in items:
        if "long" in item.keywords:
            item.add_marker(skip)


def _write(path, text):
    handle = os.open(path, os.O_WRONLY | os.O_APPEND)  # open() would seek, which tracefs refuses
    try:
        os.write(handle, text.encode())
    finally:
        os.close(handle)


@pytest.fixture(name="uprobes")
def fixture_uprobes():
    """Defines events of tracefs, runs something, and removes them: the lines of the trace, in a ring
    buffer of our own, if the kernel lets us have one."""
    instance, events = TRACING / f"instances/inlinecall_{os.getpid()}", []
    try:
        if not (TRACING / "uprobe_events").exists():
            subprocess.run(["mount", "-t", "tracefs", "tracefs", TRACING], check=True,
                           capture_output=True)
        instance.mkdir()
    except (OSError, subprocess.SubprocessError) as error:
        pytest.skip(f"uprobes need root and tracefs: {error}")

    def trace(definitions, run):
        for definition in re.findall("^[pr]:.*$", definitions, re.MULTILINE):
            _write(TRACING / "uprobe_events", definition + "\n")
            events.append(definition.split()[0][2:])
            _write(instance / "events" / events[-1] / "enable", "1")
        run()
        return (instance / "trace").read_text().splitlines()

    yield trace
    for event in events:
        if (instance / "events" / event).exists():
            _write(instance / "events" / event / "enable", "0")
            _write(TRACING / "uprobe_events", f"-:{event}\n")
    instance.rmdir()
