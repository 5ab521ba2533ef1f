#!/usr/bin/env python3
"""Runs an old program with a library whose structs have grown, and a new one with the old library.

usage: run_programs.py PROGRAM LIBRARY LAYOUT FOLDER NEW_PROGRAM NEW_LIBRARY NEW_LAYOUT NEW_FOLDER

The folders have the headers, and the layouts are theirs. Prints what is wrong; exit status 1 if
anything is, 77 on machines that check_abi does not know.
"""

import os
import pathlib
import re
import subprocess
import sys

import check_abi
import grow
import headers as reader

RENAMED = sorted(name for _, _, names in grow.GROWN.values() for name in names)


def run(program, library):
    """Runs a program with a library; about itself."""
    environment = {**os.environ, "LD_LIBRARY_PATH": str(library.parent)}
    result = subprocess.run([program, program], env=environment, capture_output=True, text=True,
                            errors="replace", check=False)
    return result.returncode, result.stdout, result.stderr


def run_all(old_program, new_program, old_library, new_library):
    """What is wrong with how the programs run, a line each."""
    before, after = run(old_program, old_library), run(old_program, new_library)
    if before[0] != 0 or before[1].count("area.isra.") != 5 or "index: " not in before[1]:
        yield f"the old program with the old library: {before}"
    if after != before:
        yield f"the old program with the new library: {after}, before {before}"
    status, printed, errors = run(new_program, new_library)
    if status != 0 or printed.count("size right") != 6 or not printed.endswith("none, error 4\n"):
        yield f"the new program with the new library: {status}, {printed}, {errors}"
    status, printed, errors = run(new_program, old_library)
    # musl knows no versions: it misses the symbol.
    if status == 0 or printed or not re.search(r"INLINECALL_99\.0|_99_0: symbol not found", errors):
        yield f"the new program with the old library: {status}, {printed}, {errors}"


def read_headers(folder):
    return [path.read_text() for path in sorted(folder.glob("*.h"))]


def broken(released, texts, layout, nodes):
    """What old programs miss with a library of these headers and symbols."""
    headers = reader.read(texts)
    now = check_abi.today(headers, layout, nodes)
    return [*check_abi.compare_functions(headers, released, now),
            *check_abi.compare_exports({**released, **now}, now, nodes)]


def check_rule(library, layout, folder, new_library, new_layout, new_folder):
    """What check_abi says of headers that have grown by the rule, and of such without new names, if
    it is not what it must say."""
    released = check_abi.today(reader.read(read_headers(folder)), layout,
                               check_abi.exports(library))
    texts, nodes = read_headers(new_folder), check_abi.exports(new_library)
    for finding in broken(released, texts, new_layout, nodes):
        yield f"of structs that have grown by the rule: {finding}"
    texts = [re.sub(r"#define ic_\w+ ic_\w+_99_0\n", "", text) for text in texts]
    nodes = {symbol: node for symbol, node in nodes.items() if not symbol.endswith("_99_0")}
    findings = broken(released, texts, new_layout, nodes)
    pattern = rf"^function (\w+): {check_abi.NEW_NAME}"
    found = sorted(re.findall(pattern, "\n".join(findings), re.MULTILINE))
    if found != RENAMED or len(findings) != len(RENAMED):
        yield f"of structs that have grown without new names: {findings}"


def main():
    paths = list(map(pathlib.Path, sys.argv[1:]))
    program, library, layout, folder, new_program, new_library, new_layout, new_folder = paths
    if not layout.read_text():
        print("the tables are of 64-bit machines")
        return 77
    findings = [*run_all(program, new_program, library, new_library),
                *check_rule(library, layout.read_text(), folder, new_library,
                            new_layout.read_text(), new_folder)]
    print("\n".join(findings))
    return 1 if findings else 0


if __name__ == "__main__":
    sys.exit(main())
