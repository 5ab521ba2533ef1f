"""What is installed: by Meson, for each kind of library, and as Debian's packages."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def command(*args, cwd=None, **environment):
    """Runs a command; its output if it succeeds."""
    result = subprocess.run(list(map(str, args)), cwd=cwd, env={**os.environ, **environment},
                            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                            errors="replace", check=False)
    assert result.returncode == 0, result.stdout[-6000:]
    return result.stdout


def files_below(folder):
    return {str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir()}


@pytest.fixture(scope="module")
def sources(tmp_path_factory):
    """A copy of what is in the repository, without its history."""
    copy = tmp_path_factory.mktemp("packages") / "inlinecall"
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True,
                            check=False)
    if listed.returncode:
        pytest.skip("not in a git repository")
    for name in filter(None, listed.stdout.split("\0")):
        (copy / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(ROOT / name, copy / name)
    return copy


@pytest.mark.long
@pytest.mark.parametrize("kind", ["shared", "static", "both"])
def test_the_library_that_is_asked_for_is_installed_and_used(sources, tmp_path, kind):
    command("meson", "setup", tmp_path / "build", sources, f"-Ddefault_library={kind}",
            "-Dtests=disabled", "--prefix=/usr", "--libdir=lib")
    command("meson", "install", "-C", tmp_path / "build", DESTDIR=tmp_path / "root")
    installed = files_below(tmp_path / "root/usr")
    assert ("lib/libinlinecall.so" in installed) == (kind != "static")
    assert ("lib/libinlinecall.a" in installed) == (kind != "shared")
    assert installed >= {"bin/inlinecall", "include/inlinecall/inlinecall.h",
                         "lib/pkgconfig/inlinecall.pc", "share/man/man1/inlinecall.1",
                         "share/man/man3/libinlinecall.3", "share/man/man3/ic_image_open.3",
                         "share/doc/inlinecall/formats/json.md",
                         "share/bash-completion/completions/inlinecall",
                         "share/zsh/site-functions/_inlinecall",
                         "share/fish/vendor_completions.d/inlinecall.fish"}
    needed = command("readelf", "-dW", tmp_path / "root/usr/bin/inlinecall")
    assert ("libinlinecall.so" in needed) == (kind == "shared")


@pytest.mark.long
def test_a_program_is_built_with_the_installed_library(sources, tmp_path):
    """With its headers and nothing else: what is installed needs no other package's."""
    command("meson", "setup", tmp_path / "build", sources, "-Ddefault_library=shared",
            "-Dtests=disabled", f"--prefix={tmp_path}/usr", "--libdir=lib")
    command("meson", "install", "-C", tmp_path / "build")
    library = tmp_path / "usr/lib"
    path = str(library / "pkgconfig")
    assert "Requires" not in (library / "pkgconfig/inlinecall.pc").read_text()
    flags = command("pkg-config", "--cflags", "--libs", "inlinecall", PKG_CONFIG_PATH=path,
                    PKG_CONFIG_LIBDIR=path).split()
    command("cc", sources / "examples/sites.c", "-o", tmp_path / "sites", *flags)
    listed = subprocess.run([tmp_path / "sites", "no_such", tmp_path / "sites"], text=True,
                            env={**os.environ, "LD_LIBRARY_PATH": str(library)},
                            capture_output=True, check=False)
    assert re.search(r"no \.debug_info", listed.stderr)


@pytest.fixture(scope="module")
def packages(sources):
    for tool in "dpkg-buildpackage", "dh", "lintian":
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    command("dpkg-buildpackage", "-b", "-us", "-uc", cwd=sources)
    return sources.parent


@pytest.mark.long
def test_debian_packages_are_clean(packages):
    names = {path.name.split("_")[0] for path in packages.glob("*.deb")}
    assert names == {"inlinecall", "inlinecall-dbgsym", "libinlinecall-dev", "libinlinecall0",
                     "libinlinecall0-dbgsym"}
    [changes] = packages.glob("*.changes")
    said = command("lintian", "--allow-root", "--fail-on", "error,warning", "--display-level",
                   ">=warning", changes)
    assert said == ""


@pytest.mark.long
def test_the_suite_passes_against_the_installed_program(packages, tmp_path):
    for package in packages.glob("*inlinecall*.deb"):
        if "dbgsym" not in package.name:
            command("dpkg-deb", "-x", package, tmp_path)
    [library] = tmp_path.glob("usr/lib/*/libinlinecall.so")
    said = command(sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", ROOT / "tests/cli",
                   INLINECALL=str(tmp_path / "usr/bin/inlinecall"),
                   LD_LIBRARY_PATH=str(library.parent))
    assert int(re.search(r"(\d+) passed", said)[1]) > 900
