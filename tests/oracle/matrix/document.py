"""docs/compatibility.csv and the page about it: written from results, and read back by the test that
keeps them true."""

import csv
import io
import re
from pathlib import Path
from typing import NamedTuple

from matrix import peers
from matrix.cell import FAMILIES, every_cell
from matrix.shop import version_of

ROOT = Path(__file__).resolve().parents[3]
DATA = ROOT / "docs" / "compatibility.csv"
PATH = DATA.with_suffix(".md")
NOTES = Path(__file__).resolve().parent / "notes.txt"
TOOLS = ("inlinecall", *(peer.tool for peer in peers.PEERS))
DECODERS = ("llvm-dwarfdump", "readelf")

HEAD = """\
# Compatibility

Programs are built by each compiler and put into each kind of container. inlinecall is then asked
for every inlined instance, and other symbolizers for the inline stacks.
[compatibility.csv](compatibility.csv) has a line for each file. `scripts/compatibility` writes it and
this page; a test builds the files again if their tools are installed, and fails if a line is not true.
`scripts/compatibility --show CELL` prints how a file is built, the queries, and the differences.

**inlinecall** is run as `inlinecall -a --json FILE`. It is right if it prints exactly the
instances that an independent decoder (llvm-dwarfdump or readelf, as text) finds: function, linkage
name, position of the declaration, file, line and column of the call, every range in order, entry,
host, and the chain of calls in between; and if its exit status is right. If no decoder reads
a container, the decoder reads the *twin*: the same code without the container.

**The symbolizers** are asked for the inline stack at the first address of *every* range of every
such instance (not a sample), by one process per file: `llvm-symbolizer --inlines`, binutils'
`addr2line -fi` and elfutils' `eu-addr2line -fi`. An answer is right if it has all frames, from the
innermost instance to the function that contains the code, each with its name, linkage name or, for the
last, symbol, and with the line of each call. The innermost line, which comes from the line table, does
not count. These queries are what those tools are made for, and less than inlinecall is asked.

- *right*: all of them are right
- *wrong N of M*: N of M instances (of M addresses, for the symbolizers) are missing or wrong
- *fails*: there is no instance in the answer; for a symbolizer, only symbols
- *-*: there was nothing to ask
- a name in brackets is that of a [note](#notes), which explains the result
"""


class Row(NamedTuple):
    """What the document says of a cell; without the names of notes."""
    instances: int
    verdicts: dict  # of TOOLS


class Note(NamedTuple):
    name: str
    cells: re.Pattern
    tools: tuple
    text: str

    def explains(self, cell, tool):
        return tool in self.tools and self.cells.fullmatch(cell) is not None


def read_notes():
    """notes.txt says itself how it is written."""
    notes = []
    for line in re.sub(r"\n +", " ", NOTES.read_text()).splitlines():
        if line and not line.startswith("#"):
            name, cells, tools, text = line.split(" | ", 3)
            notes.append(Note(name, re.compile(cells), tuple(tools.split(", ")), text))
    return notes


def needs_note(verdict):
    return verdict.startswith(("wrong", "fails", "right,"))


def names_of(notes, cell, tool, verdict):
    """Of the notes that explain it: " [zstd] [sections]"."""
    if not needs_note(verdict):
        return ""
    return "".join(f" [{note.name}]" for note in notes if note.explains(cell, tool))


def table(head, rows):
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    return "\n".join(lines + ["| " + " | ".join(map(str, row)) + " |" for row in rows]) + "\n"


def render(rows, versions):
    """The page. `rows`: {cell's name: Row}; `versions`: {tool: version}."""
    notes = read_notes()
    cells = every_cell()
    parts = [HEAD, "## Summary\n", "The number of files that each tool reads without an error.\n",
             summary(cells, rows), "## The files\n"]
    for name, (title, introduction, _) in FAMILIES.items():
        if any(cell.family == name and cell.id in rows for cell in cells):
            parts.append(wrapped(f"**{title}**: {introduction}"))
    parts += ["## Notes\n", *(wrapped(f"**{note.name}**: {' and '.join(note.tools)}: {note.text}")
                              for note in notes),
              "## Versions\n", made_with(versions)]
    return "\n".join(parts)


def render_data(rows):
    """The lines, in the order of the families."""
    notes = read_notes()
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("group", "cell", "what it is", "instances", *TOOLS))
    cells = every_cell()  # which knows the families
    for name, (title, _, _) in FAMILIES.items():
        for cell in cells:
            if cell.family == name and cell.id in rows:
                writer.writerow((title, *row_of(cell, rows[cell.id], notes)))
    return out.getvalue()


def summary(cells, rows):
    lines = []
    for name, (title, _, _) in FAMILIES.items():
        found = [rows[cell.id] for cell in cells if cell.family == name and cell.id in rows]
        if found:
            lines.append((title, *(score(found, tool) for tool in TOOLS)))
    lines.append(("all", *(score(list(rows.values()), tool) for tool in TOOLS)))
    return table(("", *TOOLS), lines)


def score(rows, tool):
    asked = [row.verdicts[tool] for row in rows if row.verdicts[tool] != "-"]
    return f"{asked.count('right')} of {len(asked)}"


def row_of(cell, row, notes):
    return (cell.id, cell.what, row.instances,
            *(row.verdicts[tool] + names_of(notes, cell.id, tool, row.verdicts[tool])
              for tool in TOOLS))


def wrapped(text, width=100):
    lines, line = [], ""
    for word in text.split():
        if line and len(line) + 1 + len(word) > width:
            lines.append(line)
            line = word
        else:
            line = f"{line} {word}" if line else word
    return "\n".join((*lines, line)) + "\n"


def made_with(versions):
    by_version = {}
    for tool, version in sorted(versions.items()):
        by_version.setdefault(version, []).append(tool)
    return table(("version", "tools"),
                 sorted((version, ", ".join(tools)) for version, tools in by_version.items()))


def tools_of(cell):
    return [need.partition(">=")[0] for need in cell.needs]


def current_versions(cells):
    tools = {tool for cell in cells for tool in tools_of(cell)} | set(DECODERS) | set(TOOLS[1:])
    return {tool: version_of(tool) for tool in tools if version_of(tool)}


VERSION_ROW = re.compile(r"\| ([^| ]+) \| ([^|]*) \|")


def parse(data, page):
    """(rows, versions), as render() takes them."""
    rows, versions = {}, {}
    for line in csv.DictReader(io.StringIO(data)):
        rows[line["cell"]] = Row(int(line["instances"]),
                                 {tool: re.sub(r" \[[a-z0-9-]+\]", "", line[tool]) for tool in TOOLS})
    _, _, end = page.partition("\n## Versions\n")
    for version, tools in VERSION_ROW.findall(end):
        if version != "version":
            versions.update((tool, version) for tool in tools.split(", "))
    return rows, versions


def read():
    return parse(DATA.read_text(), PATH.read_text()) if DATA.exists() else ({}, {})


def write(rows, versions):
    DATA.write_text(render_data(rows))
    PATH.write_text(render(rows, versions))
