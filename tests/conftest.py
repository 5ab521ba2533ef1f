"""What every pytest of the project shares: tests that take minutes run only when asked for."""

import pytest


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
