"""The commands of the program, in the order of --help, and what their options take."""

import re
from pathlib import Path

BASE = Path(__file__).resolve().parents[2] / "cli/base"
TABLE = (BASE / "commands.def").read_text()
TEXTS = dict(re.findall(r'^COMMAND\((\w+), .*"(.*)"\)$', TABLE, re.MULTILINE))
NAMES = tuple(TEXTS)


def words(option):
    """What the argument of an option may be."""
    row = rf'^OPTION\(\w+, .*"{option}", .*"([\w -]+)"\)$'
    return re.search(row, (BASE / "options.def").read_text(), re.MULTILINE)[1].split()
