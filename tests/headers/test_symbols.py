"""What the public headers declare is what the library exports, and the other way round."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def declared(headers):
    names = set()
    for header in headers:
        text = re.sub(r"/\*.*?\*/|//[^\n]*", " ", header.read_text(), flags=re.DOTALL)
        for declaration in re.findall(r"\bIC_API\b([^;{]*);", text):
            names.add(re.search(r"\b(ic_\w+)\s*\(", declaration)[1])
    return names


def exported():
    lines = (ROOT / "lib/libinlinecall.map").read_text().splitlines()
    return [line.strip("\t;") for line in lines if re.match(r"\tic_", line)]


def test_what_is_declared_is_exported():
    names = exported()
    assert len(names) > 300
    assert names == sorted(names)
    assert set(names) == declared((ROOT / "include/inlinecall").rglob("*.h"))


def test_what_is_promised_can_be_learnt_in_an_hour():
    names = declared(headers=(ROOT / "include/inlinecall").glob("*.h"))
    assert 60 <= len(names) <= 80
    for header in (ROOT / "include/inlinecall").glob("*.h"):
        if header.name != "extra.h":
            assert "#include <inlinecall/extra" not in header.read_text(), header


def test_every_header_is_installed():
    folder = ROOT / "include/inlinecall"
    listed = re.findall(r"'([\w/]+\.h)'", (folder / "meson.build").read_text())
    assert sorted(listed) == sorted(str(path.relative_to(folder)) for path in folder.rglob("*.h"))


def test_the_extra_headers_are_in_one():
    folder = ROOT / "include/inlinecall"
    included = re.findall(r"#include <inlinecall/(extra/\w+\.h)>", (folder / "extra.h").read_text())
    assert sorted(included) == sorted(str(path.relative_to(folder)) for path in folder.glob("extra/*.h"))
