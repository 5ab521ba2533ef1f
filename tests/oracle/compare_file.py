#!/usr/bin/python3
"""Compares `inlinecall sites -a -o -c --json FILE` with an oracle, for any files on disk.

usage: compare_file.py [--oracle dwarfdump|readelf] [--against-readelf] FILE...

Streams: a kernel of 174 MB .debug_info takes some minutes and stays well below 4 GB. With
--against-readelf the two oracles are compared with each other and the program is not run.
Exit status 1: there is a difference that known_differences.txt does not explain.
"""

import argparse
import sys
import time
from pathlib import Path

import compare
import dwarfdump
import instances
import readelf

READERS = {"dwarfdump": dwarfdump, "readelf": readelf}
EXIT_ANSWERED = (0, 1)  # 1: no site


def without_sections(site, relocatable):
    """readelf names no section for an address, so it does not say either whose rows a call in a
    relocatable file is among."""
    site = site._replace(ranges=tuple((start, end, None) for start, end, _ in site.ranges),
                         return_pc=site.return_pc and (site.return_pc[0], None))
    if relocatable and site.type == "call":
        return site._replace(call_file=None, call_line=None, call_column=None)
    return site


def row_without_sections(row, relocatable):
    if relocatable and row["type"] == "call":
        row = {**row, "call_file": None, "call_line": None, "call_column": None}
    one = list(compare.from_json(row))
    ranges, back = compare.FIELDS.index("ranges"), compare.FIELDS.index("return")
    one[ranges] = tuple((start, end, None) for start, end, _ in one[ranges])
    one[back] = one[back] and (one[back][0], None)
    return tuple(one)


def compare_with_readelf(path, options=compare.EVERYTHING):
    """The program beside readelf, all but the sections. With the program's exit status."""
    run = compare.Program(path, options)
    relocatable = instances.Sections(path).relocatable
    comparison = compare.Comparison(
        Path(path).name, from_row=lambda row: row_without_sections(row, relocatable))
    records = compare.asked_for(instances.sites(str(path), readelf, compare.types(options)),
                                options)
    comparison.run((without_sections(site, relocatable) for site in records), run.rows())
    return comparison, run.status


def compare_oracles(path, records=None):
    """`records` are llvm-dwarfdump's, if they are known already."""
    relocatable = instances.Sections(path).relocatable
    comparison = compare.Comparison(
        path, from_row=lambda site: compare.from_oracle(without_sections(site, relocatable)))
    first = records if records is not None else instances.read(path, dwarfdump)
    return comparison.run((without_sections(site, relocatable) for site in first),
                          instances.read(path, readelf)), 0


def report(path, comparison, status, seconds):
    counts = ", ".join(f"{count} {what}" for what, count in comparison.counts.items())
    print(f"{path}: {counts}; exit status {status}; {seconds:.1f} s")
    for line in comparison.differences[:20]:
        print(f"  {line}")
    sys.stdout.flush()


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--oracle", choices=READERS, default="dwarfdump")
    parser.add_argument("--against-readelf", action="store_true")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    different = 0
    for path in options.files:
        begin = time.monotonic()
        if options.against_readelf:
            comparison, status = compare_oracles(path)
        elif options.oracle == "readelf":
            comparison, status = compare_with_readelf(path)
        else:
            comparison, status = compare.compare(path, READERS[options.oracle], path)
        report(path, comparison, status, time.monotonic() - begin)
        different += comparison.counts["different"] + (status not in EXIT_ANSWERED)
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
