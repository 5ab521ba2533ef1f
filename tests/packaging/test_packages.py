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
        shutil.copy2(ROOT / name, copy / name, follow_symlinks=False)
    return copy


def exported():
    text = (ROOT / "lib/libinlinecall.map").read_text()
    return set(re.findall(r"^\t(ic_\w+);", text, re.MULTILINE))


def check_examples(examples, folder, flags, library=""):
    """All are compiled with these flags; the one that is asked for its main() finds it."""
    folder.mkdir()
    for source in examples.glob("*.c"):
        command("cc", "-O2", "-g", source, "-o", folder / source.stem, *flags)
    said = command(folder / "addr", folder / "addr", "main", LD_LIBRARY_PATH=str(library))
    assert re.search(r"^  main at .*addr\.c:\d+$", said, re.MULTILINE)


@pytest.fixture(scope="module", params=["shared", "static", "both"])
def installed(request, sources, tmp_path_factory):
    """The kind of library that is installed, and where."""
    folder = tmp_path_factory.mktemp(request.param)
    command("meson", "setup", folder / "build", sources, f"-Ddefault_library={request.param}",
            "-Dtests=disabled", f"--prefix={folder}/usr", "--libdir=lib")
    command("meson", "install", "-C", folder / "build")
    yield request.param, folder / "usr"
    shutil.rmtree(folder)


@pytest.mark.long
def test_the_configuration_ends_with_what_is_built_and_why_the_rest_is_not(sources, tmp_path):
    said = command("meson", "setup", tmp_path, sources, "-Ddefault_library=static",
                   "-Dtests=disabled", "-Ddebuginfod=disabled")
    summary = said[said.index("  Built\n"):said.index("  User defined options")]
    assert len(summary.splitlines()) <= 20
    words = dict(re.findall(r"^    (.*?) *: (.*)$", summary, re.MULTILINE))
    assert words["libraries"] == "static"
    assert words["program"] == "with a copy of the library"
    assert words["tests"] == "no (-Dtests=disabled)"
    assert words["debug servers"] == "no (-Ddebuginfod=disabled)"
    assert "libzstd" in words["compression"]


@pytest.mark.long
def test_the_library_that_is_asked_for_is_installed_and_used(installed):
    kind, folder = installed
    files = files_below(folder)
    assert ("lib/libinlinecall.so" in files) == (kind != "static")
    assert ("lib/libinlinecall.a" in files) == (kind != "shared")
    assert files >= {"bin/inlinecall", "include/inlinecall/inlinecall.h",
                     "lib/pkgconfig/inlinecall.pc", "share/man/man1/inlinecall.1",
                     "share/man/man3/libinlinecall.3", "share/man/man3/ic_image_open.3",
                     "share/doc/inlinecall/library.md", "share/doc/inlinecall/formats/json.md",
                     "share/doc/inlinecall/examples/addr.c",
                     "share/bash-completion/completions/inlinecall",
                     "share/zsh/site-functions/_inlinecall",
                     "share/fish/vendor_completions.d/inlinecall.fish"}
    needed = command("readelf", "-dW", folder / "bin/inlinecall")
    assert ("libinlinecall.so" in needed) == (kind == "shared")


@pytest.mark.long
def test_the_static_library_shows_only_what_is_public(installed):
    kind, folder = installed
    if kind == "shared":
        pytest.skip("there is none")
    symbols = command("nm", "-g", "--defined-only", folder / "lib/libinlinecall.a")
    assert set(re.findall(r"^\w+ [A-Z] (\w+)$", symbols, re.MULTILINE)) == exported()


@pytest.mark.long
def test_programs_are_built_with_the_installed_library(installed, tmp_path):
    """With its headers and nothing else, unless it is static: no other package's are needed."""
    kind, folder = installed
    assert "Requires" not in (folder / "lib/pkgconfig/inlinecall.pc").read_text()
    ask = ["pkg-config", "--cflags", "--libs", "inlinecall"]
    path = str(folder / "lib/pkgconfig")
    where = {"PKG_CONFIG_PATH": path, "PKG_CONFIG_LIBDIR": path}
    examples = folder / "share/doc/inlinecall/examples"
    check_examples(examples, tmp_path / "plain", command(*ask, **where).split(), folder / "lib")
    if kind != "shared":
        flags = command(*ask, "--static", **where).split()
        check_examples(examples, tmp_path / "static", ["-static", *flags])


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
                     "libinlinecall0-dbgsym", "python3-inlinecall", "python3-inlinecall-dbgsym"}
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


@pytest.mark.long
def test_the_package_for_python_is_imported_with_the_library(packages, tmp_path):
    for package in [*packages.glob("python3-inlinecall_*.deb"), *packages.glob("libinlinecall0_*.deb")]:
        command("dpkg-deb", "-x", package, tmp_path)
    [library] = tmp_path.glob("usr/lib/*/libinlinecall.so.0")
    said = command("/usr/bin/python3", "-c", "import inlinecall; print(inlinecall.__file__);"
                   f"print(inlinecall.open('{library}', allow_no_debug=True).symbol('ic_version'))",
                   LD_LIBRARY_PATH=str(library.parent),
                   PYTHONPATH=str(tmp_path / "usr/lib/python3/dist-packages"))
    assert str(tmp_path) in said and "start=" in said


@pytest.mark.long
def test_pip_installs_a_package_with_the_library_in_it(sources, tmp_path):
    """By meson-python, which cannot be downloaded here, but may be installed."""
    python = "/usr/bin/python3"
    if subprocess.run([python, "-c", "import mesonpy"], check=False).returncode:
        pytest.skip("no meson-python")
    command(python, "-m", "venv", "--system-site-packages", tmp_path / "venv")
    command(tmp_path / "venv/bin/pip", "install", "--no-build-isolation", "--no-index",
            sources / "python")
    said = command(tmp_path / "venv/bin/python", "-c",
                   "import inlinecall; print(inlinecall.__file__, inlinecall.version)", cwd=tmp_path)
    assert str(tmp_path) in said


@pytest.mark.long
def test_programs_are_built_with_the_packages(packages, tmp_path):
    for package in packages.glob("libinlinecall*.deb"):
        if "dbgsym" not in package.name:
            command("dpkg-deb", "-x", package, tmp_path)
    [library] = tmp_path.glob("usr/lib/*/libinlinecall.a")
    ask = ["pkg-config", "--cflags", "--libs", "inlinecall"]
    where = {"PKG_CONFIG_PATH": str(library.parent / "pkgconfig"),
             "PKG_CONFIG_SYSROOT_DIR": str(tmp_path)}
    examples = tmp_path / "usr/share/doc/libinlinecall-dev/examples"
    check_examples(examples, tmp_path / "shared", command(*ask, **where).split(), library.parent)
    flags = command(*ask, "--static", **where).split()
    check_examples(examples, tmp_path / "static", ["-static", *flags])
    assert (tmp_path / "usr/share/man/man3/ic_image_open.3.gz").exists()
