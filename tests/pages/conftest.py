"""A browser for all tests of pages."""

import pytest

import browser as browsers


@pytest.fixture(scope="session")
def browser():
    with browsers.started() as found:
        if not found:
            pytest.skip("no chromium with its driver here")
        yield found
