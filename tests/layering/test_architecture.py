"""ARCHITECTURE.md names files and functions that there are."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TEXT = (ROOT / "ARCHITECTURE.md").read_text()


def found(name):
    """Where a file of that name is: code and headers are named without their first folder."""
    folders = ROOT, ROOT / "lib", ROOT / "cli", ROOT / "include"
    return next((folder / name for folder in folders if (folder / name).exists()), None)


def test_its_files_exist():
    names = set(re.findall(r"`([a-z_]+/[\w/]+\.(?:[ch]|def|py))`", TEXT))
    assert len(names) > 40
    assert not [name for name in sorted(names) if not found(name)]


def test_its_ten_functions_are_where_it_says():
    section = TEXT.partition("## One run")[2].partition("##")[0]
    functions = re.findall(r"`(\w+)` \(`([\w/.]+)`\)", section)
    assert len(functions) == 11  # ten, and that of the other way
    for name, file in functions:
        assert re.search(rf"^(?!\t)[\w\s*]+\b{name}\(", found(file).read_text(), re.MULTILINE), name


def test_its_ladder_has_every_room_above_what_it_uses():
    picture = TEXT.partition("```\n")[2].partition("```")[0]
    floor_of = {}  # the line of a folder, counted from above
    for number, line in enumerate(picture.splitlines()):
        for cell in re.split(r" {2,}(?=\w+ {2,}\S)", line):
            floor_of[cell.split()[0]] = number
    assert set(floor_of) == {path.name for path in (ROOT / "lib").iterdir() if path.is_dir()} | {"cli"}
    for readme in (ROOT / "lib").rglob("README.md"):
        folder = readme.relative_to(ROOT / "lib").parts[0]
        uses = re.search(r"^Uses: (.*)\.$", readme.read_text(), re.MULTILINE)[1]
        for other in set() if uses == "nothing" else {name.split("/")[0] for name in uses.split(", ")}:
            assert other == folder or floor_of[other] > floor_of[folder], f"{folder} uses {other}"


def test_it_can_be_read_in_ten_minutes():
    assert len(TEXT.split()) <= 1500


def test_files_in_the_readmes_of_rooms_exist():
    readmes = [path for top in ("lib", "cli") for path in (ROOT / top).rglob("README.md")]
    assert len(readmes) > 50
    missing = []
    for readme in readmes:
        text = readme.read_text()
        assert 10 <= text.count("\n") <= 30, readme
        missing += [(str(readme), name)
                    for name in re.findall(r"`([\w/]+\.(?:[ch]|def|py|js|css|html))`", text)
                    if not (readme.parent / name).exists() and not found(name)]
    assert not missing
