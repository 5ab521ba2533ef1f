#!/usr/bin/python3
"""Writes docs/compatibility.csv and its page anew, or shows how a cell of it came about.

usage: scripts/compatibility [--show] [CELL...]

CELL is a regular expression for names of cells; without any, all are built. A cell whose tools
are not installed, or whose file cannot be made, keeps the row that it has. With --show nothing is
written: the commands that build a cell are printed, and what differs. Exit status 1: a file could
not be made.
"""

import argparse
import concurrent.futures
import os
import re
import shlex
import subprocess
import sys
import tempfile

from matrix import document, shop
from matrix.cell import every_cell
from matrix.verdicts import Judge


def chosen(patterns):
    return [cell for cell in every_cell()
            if not patterns or any(re.fullmatch(pattern, cell.id) for pattern in patterns)]


def judged(cells, place):
    """(cell, its Result or None, its Shop or why there is no result)"""
    judge = Judge(place)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        futures = [(cell, None if shop.missing(cell.needs) else pool.submit(judge.judge, cell))
                   for cell in cells]
        for cell, future in futures:
            if future is None:
                yield cell, None, f"no {shop.missing(cell.needs)}", False
                continue
            try:
                yield cell, future.result(), None, False
            except (shop.ToolFailed, subprocess.SubprocessError, AssertionError, RuntimeError,
                    ValueError) as error:
                yield cell, None, str(error), True


def show(cells):
    for cell in cells:
        with tempfile.TemporaryDirectory() as directory:
            place = shop.Shop(directory)
            for _, result, problem, _ in judged([cell], place):
                print(f"== {cell.id}: {cell.what}")
                for folder, words in place.commands:
                    print(f"cd {folder} && {shlex.join(words)}")
                if problem:
                    print(problem)
                else:
                    print(f"-- {result.instances} instances;", ", ".join(
                        f"{tool}: {verdict}" for tool, verdict in result.verdicts.items()))
                    print(*result.detail, sep="\n")
    return 0


def write(cells):
    rows, versions = document.read()
    failed = 0
    with tempfile.TemporaryDirectory() as directory:
        for cell, result, problem, is_failure in judged(cells, shop.Shop(directory)):
            if result:
                rows[cell.id] = document.Row(result.instances, result.verdicts)
                versions |= document.current_versions([cell])
            else:
                print(f"{cell.id}: kept: {problem}", file=sys.stderr)
            failed += is_failure
    names = {cell.id for cell in every_cell()}
    used = {tool for cell in every_cell() for tool in document.tools_of(cell)}
    used |= {*document.DECODERS, *document.TOOLS}
    document.write({name: row for name, row in rows.items() if name in names},
                   {tool: version for tool, version in versions.items() if tool in used})
    return 1 if failed else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", action="store_true", help="print what is behind the cells")
    parser.add_argument("cells", nargs="*", metavar="CELL", help="regular expression for names")
    options = parser.parse_args()
    cells = chosen(options.cells)
    if not cells:
        parser.error("no cell has such a name")
    return show(cells) if options.show else write(cells)


if __name__ == "__main__":
    sys.exit(main())
