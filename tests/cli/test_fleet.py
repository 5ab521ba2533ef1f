"""The scripts of examples/fleet: many packages into one database, with engines that exist."""

import os
import shutil
import socket
import sqlite3
import subprocess
import time
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FLEET = ROOT / "examples/fleet"
SOURCES = ROOT / "tests/oracle/programs"


def command(*words, **more):
    return subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True, **more)


@pytest.fixture(name="debs", scope="session")
def fixture_debs(tmp_path_factory):
    """Four packages with debug files: two of them have the same one."""
    if not shutil.which("dpkg-deb"):
        pytest.skip("no dpkg-deb")
    folder = tmp_path_factory.mktemp("debs")
    debs = []
    for name, option in (("one", "-O1"), ("two", "-O2"), ("three", "-O3"), ("again", "-O2")):
        root = folder / name
        (root / "DEBIAN").mkdir(parents=True)
        (root / "DEBIAN/control").write_text(f"Package: {name}-dbg\nVersion: 1.0\nArchitecture: amd64\n"
                                             "Maintainer: nobody <nobody@invalid>\nDescription: a test\n")
        target = root / "usr/lib/debug"
        target.mkdir(parents=True)
        command("gcc", "-g", option, SOURCES / "first.c", SOURCES / "second.c", "-o", target / "file.debug",
                cwd=folder)
        debs.append(folder / f"{name}.deb")
        command("dpkg-deb", "-b", root, debs[-1])
    return debs


@pytest.fixture(name="environment")
def fixture_environment(program, tmp_path):
    return {**os.environ, "INLINECALL": program, "TMPDIR": str(tmp_path), "PROCESSES": "2"}


def check(database):
    rows = sqlite3.connect(database)
    packages = dict(rows.execute("SELECT package, file FROM paths WHERE path = './usr/lib/debug/file.debug'"))
    assert set(packages) == {f"{name}-dbg_1.0_amd64" for name in ("one", "two", "three", "again")}
    assert packages["two-dbg_1.0_amd64"] == packages["again-dbg_1.0_amd64"]
    assert len(set(packages.values())) == 3
    assert rows.execute("SELECT COUNT(*) FROM files").fetchone() == (3,)
    for query in (FLEET / "questions.sql").read_text().split(";")[:-1]:
        rows.execute(query).fetchall()


@pytest.mark.parametrize("engine", ["parallel", "xargs"])
def test_on_one_machine(debs, environment, tmp_path, engine):
    if engine == "parallel" and not shutil.which("parallel"):
        pytest.skip("no GNU parallel")
    if engine == "xargs": # without parallel
        (tmp_path / "bin").mkdir()
        for tool in ("sh", "xargs", "nproc", "realpath", "dirname", "mktemp", "rm", "mkdir", "dpkg-deb", "tar", "wc",
                     "sed", "xz", "zstd", "gzip"):
            if shutil.which(tool):
                (tmp_path / "bin" / tool).symlink_to(shutil.which(tool))
        environment["PATH"] = str(tmp_path / "bin")
    words = [FLEET / "with-parallel", f"--sqlite={tmp_path / 'all.db'}"]
    lines = "".join(f"{deb}\n" for deb in debs)
    for _ in range(2): # again, it costs nothing
        command(*words, input=lines, env=environment, cwd=tmp_path)
        check(tmp_path / "all.db")
    failed = subprocess.run(words, input="/no/such.deb\n", env=environment, cwd=tmp_path, capture_output=True,
                            text=True, check=False)
    assert failed.returncode == 1 and "/no/such.deb" in (tmp_path / "failed.tsv").read_text()


@pytest.mark.skipif(not Path("/usr/lib/python3/dist-packages/distributed").exists(), reason="no Dask")
def test_with_dask(debs, environment, tmp_path):
    """A scheduler and two workers, one of which is killed and replaced."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    address = f"tcp://127.0.0.1:{port}"
    python = "/usr/bin/python3"

    def start(*words):
        return subprocess.Popen([python, "-m", *words], env=environment, cwd=tmp_path, stdout=subprocess.DEVNULL,
                                stderr=subprocess.DEVNULL)

    def worker():
        return start("distributed.cli.dask_worker", address, "--nthreads", "1", "--no-dashboard")

    started = [start("distributed.cli.dask_scheduler", "--host", "127.0.0.1", "--port", str(port), "--no-dashboard"),
               worker(), worker()]
    try:
        engine = subprocess.Popen([python, FLEET / "with_dask.py", address, f"--sqlite={tmp_path / 'all.db'}"],
                                  env=environment, cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                  stderr=subprocess.PIPE, text=True)
        time.sleep(3)
        started[1].kill()
        started.append(worker())
        out, messages = engine.communicate("".join(f"{deb}\n" for deb in debs), timeout=120)
        assert (engine.returncode, out) == (0, "4 of 4 packages exported\n"), messages
        check(tmp_path / "all.db")
        failed = subprocess.run([python, FLEET / "with_dask.py", address, f"--sqlite={tmp_path / 'all.db'}"],
                                input="/no/such.deb\n", env=environment, cwd=tmp_path, capture_output=True, text=True,
                                timeout=120, check=False)
        assert failed.returncode == 1 and "/no/such.deb: status" in failed.stderr
    finally:
        for process in started:
            process.kill()
            process.wait()
