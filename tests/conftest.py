"""What every pytest of the project shares: which tests run, as some take minutes."""

import datetime
import os
import re
import subprocess
import zlib
from pathlib import Path

import pytest

TRACING = Path("/sys/kernel/tracing")
TURNS = 5  # days in which --long has run all long cases


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the tests marked long")
    parser.addoption("--whole", action="store_true",
                     help="with --long: also what is not in turn today")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; skipped without --long, which runs a fifth of "
                                       "these cases, others each day; --whole runs all")
    config.addinivalue_line("markers", "sampled(n): without --long only one in n of its cases")


def pytest_report_header(config):
    if config.getoption("--long") and not config.getoption("--whole"):
        return f"long cases in turn: part {today()} of {TURNS}"
    return None


def today():
    return datetime.date.today().toordinal() % TURNS


def turn_of(item):
    """By the parameters, so that tests of one thing, which share it, have their turn on one day."""
    name, _, parameters = item.name.partition("[")
    return zlib.crc32((parameters or name).encode()) % TURNS


def why_not(item, number, config):
    """Why a test is not run today; `number` is that of its case."""
    is_long, is_whole = config.getoption("--long"), config.getoption("--whole")
    sampled = item.get_closest_marker("sampled")
    # By their names: every n-th case would have the same few values of a parameter.
    if not is_long and sampled and number and zlib.crc32(item.name.encode()) % sampled.args[0]:
        return "one of many alike: pass --long"
    if not is_long and "long" in item.keywords:
        return "takes minutes: pass --long"
    if not is_whole and "long" in item.keywords and turn_of(item) != today():
        return "not in turn today: pass --whole"
    return None


def pytest_collection_modifyitems(config, items):
    counts = {}
    for item in items:
        name = item.nodeid.partition("[")[0]
        number = counts[name] = counts.get(name, -1) + 1
        reason = why_not(item, number, config)
        if reason:
            item.add_marker(pytest.mark.skip(reason=reason))


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
