"""Files of the distribution, fetched with apt-get once, into the user's cache."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def cache():
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "inlinecall-oracle"


def fetched(package):
    """The folder with a package's files; skips if there is no way to get them."""
    folder = cache() / package
    if folder.is_dir():
        return folder
    fresh = cache() / f"{package}.new"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    run_or_skip(["apt-get", "download", package], fresh)
    archive = next(fresh.glob("*.deb"))
    run_or_skip(["dpkg-deb", "-x", archive.name, "."], fresh)
    archive.unlink()
    return fresh.rename(folder)


def run_or_skip(command, folder):
    if not shutil.which(command[0]):
        pytest.skip(f"no {command[0]}")
    result = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    if result.returncode:
        pytest.skip(f"{' '.join(command)}: {result.stderr.strip() or 'failed'}")
