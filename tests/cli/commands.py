"""The commands of the program, in the order of --help."""

import re
from pathlib import Path

TABLE = (Path(__file__).resolve().parents[2] / "cli/base/commands.def").read_text()
TEXTS = dict(re.findall(r'^COMMAND\((\w+), .*"(.*)"\)$', TABLE, re.MULTILINE))
NAMES = tuple(TEXTS)
