"""`inlinecall diff` beside a count of what llvm-dwarfdump's DIEs say."""

import re
import subprocess

import pytest

import builds
import changes
import packages


def pairs():
    """Each build as DWARF 5 beside the plain one of its compiler and language, and these by levels."""
    for build in builds.matrix():
        if build.dwarf != 5 or build.dwarf_of_second or build.name == "plain-O2":
            continue
        if build.name in ("m32-object", "object", "object-sections", "object-gz", "g1"):
            continue  # of one unit only, or without calls
        is_first = build.name in ("plain-O1", "plain-O3", "Os", "flto")
        yield pytest.param(build, id=build.id(), marks=[] if is_first else [pytest.mark.long])


@pytest.mark.parametrize("build", pairs())
def test_changes_are_those_of_the_dies(build, built, inlinecall):
    plain = builds.Build(build.compiler, build.language, 5, "plain-O2", ("-O2",))
    for old, new in ((plain, build), (build, plain)):
        lines, functions = changes.differences(built(old), built(new))
        assert functions > 1, "nothing was inlined: nothing was compared"
        assert not lines, "\n".join(lines[:10])


@pytest.mark.parametrize("language", ["c", "c++"])
def test_changes_between_compilers_are_those_of_the_dies(language, built, inlinecall):
    lines, functions = changes.differences(*(built(builds.Build(compiler, language, 5, "plain-O2", ("-O2",)))
                                             for compiler in ("gcc", "clang")))
    assert functions > 1 and not lines, "\n".join(lines[:10])


def kernels():
    """The oldest and the newest kernel for clouds that apt serves with debug information, as paths; the smallest
    that there are."""
    listed = subprocess.run(["apt-cache", "pkgnames", "linux-image-"], capture_output=True, text=True, check=False)
    names = [(tuple(map(int, re.findall(r"\d+", name))), name) for name in listed.stdout.split()
             if re.fullmatch(r"linux-image-[\d.]+-\d+-cloud-amd64-dbg", name)]
    if len(names) < 2:
        pytest.skip("apt knows no two kernels")
    for _, name in (min(names), max(names)):
        folder = packages.cache() / name
        if not folder.is_dir():
            folder.with_suffix(".new").mkdir(parents=True, exist_ok=True)
            packages.run_or_skip(["sh", "-c", f"apt-get download {name} && dpkg-deb --fsys-tarfile *.deb | "
                                              "tar -x --wildcards '*/boot/vmlinux*' && rm *.deb"],
                                 folder.with_suffix(".new"))
            folder.with_suffix(".new").rename(folder)
        yield next(folder.rglob("vmlinux-*"))


@pytest.mark.long
def test_changes_of_two_kernels_are_those_of_the_dies(inlinecall):
    old, new = kernels()
    lines, functions = changes.differences(old, new)
    assert functions > 10000
    assert not lines, "\n".join(lines[:20])
