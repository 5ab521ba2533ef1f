"""Takes the --help of a command apart."""

import re
from typing import NamedTuple

COLUMN = 26  # where the texts of options begin


class Help(NamedTuple):
    usage: str      # all before the options, without the list of commands
    commands: dict  # {command: text}, of the one that lists them
    options: list   # [(long name, text), ...]
    statuses: str


def join(lines):
    return " ".join(line.strip() for line in lines)


def read(out):
    rest, statuses = out.split("\nExit status: ")
    before, *groups = re.split(r"\n\n(?=.+:\n +-)", rest)
    usage, *listed = before.split("\n\nThe commands")
    commands = dict(re.findall(r"^  (\w+) +(\S.*)$", "".join(listed), re.MULTILINE))
    options = []
    for line in "\n".join(groups).splitlines():
        if found := re.match(r" {2,6}(?:-\w, )?--([\w-]+)\S*(.*)", line):
            options.append((found[1], [found[2]]))
        elif line.startswith(" " * COLUMN):
            options[-1][1].append(line)
    return Help(usage, commands, [(name, join(lines).strip()) for name, lines in options],
                join(statuses.splitlines()))
