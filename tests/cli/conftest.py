"""What the tests of the command share: the program, and files to ask it about."""

import os
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

import building

ROOT = Path(__file__).resolve().parents[2]


def pytest_addoption(parser):
    parser.addoption("--update", action="store_true",
                     help="rewrite the transcripts in tests/cli/golden")


class Result(NamedTuple):
    status: int
    out: str
    err: str

    @property
    def headings(self):
        """The lines that name a function's declaration, or a file."""
        return [line for line in self.out.splitlines() if not line.startswith("\t")]

    @property
    def sites(self):
        """[(range, call, caller, ...), ...] of the default output."""
        return [tuple(line.split("\t")[1:]) for line in self.out.splitlines()
                if line.startswith("\t")]


@pytest.fixture(scope="session")
def program():
    path = os.environ.get("INLINECALL", str(ROOT / "build/cli/inlinecall"))
    if not os.access(path, os.X_OK):
        pytest.fail(f"no program at {path} (set INLINECALL)")
    return os.path.abspath(path)


@pytest.fixture(scope="session")
def plain_environment():
    """Ours, without what changes the output."""
    unwanted = {"NO_COLOR", "POSIXLY_CORRECT", "TERM"}
    return {name: value for name, value in os.environ.items() if name not in unwanted}


@pytest.fixture(scope="session")
def run(program, plain_environment):
    """Runs `inlinecall ARGUMENT...`; bytes that are not UTF-8 become surrogates."""

    def run_program(*args, stdin="", cwd=None, **environment):
        result = subprocess.run([program, *map(os.fspath, args)], cwd=cwd, input=stdin,
                                env={**plain_environment, **environment}, capture_output=True,
                                encoding="utf-8", errors="surrogateescape", timeout=20,
                                check=False)
        return Result(result.returncode, result.stdout, result.stderr)

    return run_program


@pytest.fixture(scope="session")
def busy(tmp_path_factory):
    """(a program, [address, and offset, of each instruction of its own code])"""
    path = tmp_path_factory.mktemp("busy") / "busy"
    building.command("gcc", "-g", "-O2", "-pie", "-fPIE", building.OURS / "busy.c", "-o", path)
    addresses = building.instructions(path)
    assert len(addresses) > 50
    return path, addresses


@pytest.fixture
def preload(program, plain_environment, tmp_path):
    """Makes an environment in which functions of a C text stand before the C library's."""

    def make(text):
        source, library = tmp_path / "preload.c", tmp_path / "preload.so"
        source.write_text(text)
        building.need("gcc")
        building.command("gcc", "-shared", "-fPIC", source, "-o", library, "-ldl")
        environment = {**plain_environment, "LD_PRELOAD": str(library)}
        if subprocess.run([program, "--version"], env=environment, capture_output=True,
                          check=False).stderr:
            pytest.skip("this build takes no LD_PRELOAD")
        return environment

    return make


@pytest.fixture(scope="session")
def elf(tmp_path_factory):
    """The path of a file that is built once: see building.BUILDS. Not to be changed."""
    directory = tmp_path_factory.mktemp("elf")
    made = {}

    def make(name):
        if name not in made:
            made[name] = building.build(name, directory)
        return made[name]

    return make


@pytest.fixture(scope="session")
def filtered(run):
    """What follows each line of a text: [[frame, ...], ...]. The lines themselves are unchanged."""

    def run_filter(text, *args, status=0):
        result = run("addr", "-s", "--filter", *args, stdin=text)
        assert result.status == status, result.err
        lines, follow = text.splitlines(), []
        rest = result.out.splitlines()
        for number, line in enumerate(lines):
            assert rest.pop(0) == line
            own = []
            while rest and (number + 1 == len(lines) or rest[0] != lines[number + 1]):
                own.append(rest.pop(0).strip())
            follow.append(own)
        assert not rest
        return follow

    return run_filter
