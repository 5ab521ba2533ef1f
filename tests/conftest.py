"""What every pytest of the project shares: which tests run, as some take minutes."""

import collections
import datetime
import os
import re
import subprocess
import zlib
from pathlib import Path

import pytest

TRACING = Path("/sys/kernel/tracing")
TURNS = 5  # days in which --long has run all long cases
OF_BUILDS = 10


def pytest_addoption(parser):
    parser.addoption("--long", action="store_true", help="also run the tests marked long")
    parser.addoption("--whole", action="store_true",
                     help="with --long: also what is not in turn today")


def pytest_configure(config):
    config.addinivalue_line("markers", "long: takes minutes; skipped without --long, which runs a fifth of "
                                       "these cases, others each day; --whole runs all")
    config.addinivalue_line("markers", f"sampled(n): without --long only n of its cases; {OF_BUILDS} in "
                                       "tests/oracle, where cases are builds")


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


def left_out(cases):
    """Of the cases of a test, those that are not in its sample: by their names, as every n-th case would
    have the same few values of a parameter."""
    sampled = cases[0].get_closest_marker("sampled")
    most = sampled.args[0] if sampled else OF_BUILDS if "oracle" in cases[0].path.parts else len(cases)
    return sorted(cases, key=lambda item: zlib.crc32(item.name.encode()))[most:]


def skip(items, reason):
    for item in items:
        item.add_marker(pytest.mark.skip(reason=reason))


def pytest_collection_modifyitems(config, items):
    long = [item for item in items if "long" in item.keywords]
    if not config.getoption("--long"):
        skip(long, "takes minutes: pass --long")
        tests = collections.defaultdict(list)
        for item in items:
            if "long" not in item.keywords:
                tests[item.nodeid.partition("[")[0]].append(item)
        for cases in tests.values():
            skip(left_out(cases), "one of many alike: pass --long")
    elif not config.getoption("--whole"):
        skip((item for item in long if turn_of(item) != today()), "not in turn today: pass --whole")


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
