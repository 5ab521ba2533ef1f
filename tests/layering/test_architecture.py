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
    assert len(names) > 80
    assert not [name for name in sorted(names) if "NAME" not in name and not found(name)]


def test_its_ten_functions_are_where_it_says():
    (sentence,) = re.findall(r"In ten functions,.*?What they do:", TEXT, re.DOTALL)
    functions = re.findall(r"`(\w+)`\s+\(`([\w/.]+)`\)", sentence)
    assert len(functions) == 10
    for name, file in functions:
        assert re.search(rf"^(?!\t)[\w\s*]+\b{name}\(", found(file).read_text(), re.MULTILINE), name


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
