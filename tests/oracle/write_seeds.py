#!/usr/bin/python3
"""Writes real files as first inputs of the fuzz targets that take whole files.

usage: tests/oracle/write_seeds.py DIR

The files are those of the matrix, each also without debug information and without symbols, if they
are small: fuzzers are slow with others. Each goes to DIR/TARGET. Cells whose tools are not installed
are left out.
"""

import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from matrix import shop
from matrix.cell import every_cell

MOST_BYTES = 60_000
# By target, the bytes that stand before the file: see the head of each.
TARGETS = {"fuzz_addr": b"", "fuzz_file": b"", "fuzz_alloc": b"\x02\x40\x00"}


STRIPS = {"no-debug": "--strip-debug", "stripped": "--strip-all"}


def stripped(path, room, option):
    """The file with less in it; None if the tool cannot do that."""
    bare = room / f"program{option}"
    tool = shutil.which("llvm-strip") or shutil.which("strip")
    result = subprocess.run([tool, option, "-o", bare, path], stdout=subprocess.DEVNULL,
                            stderr=subprocess.DEVNULL, check=False)
    return bare if result.returncode == 0 and bare.exists() else None


def make(cell, place):
    """{name: bytes} of a cell."""
    path = Path(cell.make(place).path)
    room = place.room()
    files = {cell.id: path}
    for name, option in STRIPS.items():
        files[f"{cell.id}-{name}"] = stripped(path, room, option)
    return {name: file.read_bytes() for name, file in files.items()
            if file and file.stat().st_size < MOST_BYTES}


def write(directory, files):
    for target, choice in TARGETS.items():
        (directory / target).mkdir(parents=True, exist_ok=True)
        for name, content in files.items():
            (directory / target / f"matrix-{name}").write_bytes(choice + content)


def main():
    directory = Path(sys.argv[1])
    count = 0
    with tempfile.TemporaryDirectory() as temporary, \
            concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        place = shop.Shop(temporary)
        futures = {cell: pool.submit(make, cell, place) for cell in every_cell()
                   if not shop.missing(cell.needs)}
        for cell, future in futures.items():
            try:
                files = future.result()
            except (shop.ToolFailed, subprocess.SubprocessError) as error:
                print(f"{cell.id}: {error}", file=sys.stderr)
                continue
            write(directory, files)
            count += len(files)
    print(f"{count} files of the matrix")
    return 0 if count else 1


if __name__ == "__main__":
    sys.exit(main())
