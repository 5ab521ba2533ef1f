"""Run by gdb: prints the arguments of the frames of a core as JSON, as it would print them in a
backtrace (gdb -batch -x gdb_values.py PROGRAM CORE)."""

import json

import gdb


def arguments(frame):
    return {symbol.name: symbol.value(frame).format_string()
            for symbol in frame.block() if symbol.is_argument}


def main():
    found, frame = {}, gdb.newest_frame()
    while frame:
        if frame.function():
            found[frame.function().name.split("(")[0]] = arguments(frame)
        frame = frame.older()
    print("\nJSON " + json.dumps(found))


main()
