#!/usr/bin/python3
"""Prints what an oracle reads in a file, a record a line: show.py dwarfdump|readelf FILE..."""

import sys

import dwarfdump
import instances
import readelf

READERS = {"dwarfdump": dwarfdump, "readelf": readelf}


def main():
    if len(sys.argv) < 3 or sys.argv[1] not in READERS:
        sys.exit(__doc__)
    for path in sys.argv[2:]:
        for record in instances.read(path, READERS[sys.argv[1]]):
            print(record)


if __name__ == "__main__":
    main()
