#!/usr/bin/env python3
"""Holds that programs which were compiled before still run: CONTRIBUTING.md, "The public
interface".

usage: check_abi.py program HEADER...
       check_abi.py check|write ROOT LAYOUT LIBRARY HEADER...

`program` prints the source of a program that prints the LAYOUT of structs and enums, which only the
compiler knows. `check` compares this, the functions of the headers and the symbols of the LIBRARY
with the tables of ROOT/tests/abi, and prints what is wrong; exit status 1 if anything is, 77 on
machines that the tables are not of. `write` writes the table of the version under way.

A table abi_MAJOR_MINOR.def has a line for each thing that this version added or changed:

    struct NAME SIZE {OFFSET FIELD; ...}
    enum NAME SIZE {ENUMERATOR=VALUE ...}
    type NAME RETURNED (PARAMETERS)
    function SYMBOL NODE RETURNED (PARAMETERS)
"""

import pathlib
import re
import subprocess
import sys

import headers as reader

ADVICE = 'CONTRIBUTING.md, "The public interface", has the rule.'
NEW_NAME = "it needs a new name"
PROGRAM = """#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

{includes}

int main(void)
{{
	if (sizeof(void *) != 8) // the tables are of 64-bit machines
		return 0;
{lines}
	return 0;
}}
"""


def program(headers, names):
    """The source of a program that prints the lines of structs and enums."""
    lines = []
    for name, fields in headers.structs.items():
        text = " ".join(f"%zu {kind % field};" for kind, field in fields)
        values = "".join(f", offsetof(struct {name}, {field})" for _, field in fields)
        lines.append(f'\tprintf("struct {name} %zu {{{text}}}\\n", sizeof(struct {name}){values});')
    for name, enumerators in headers.enums.items():
        text = " ".join(f"{enumerator}=%jd" for enumerator in enumerators)
        values = "".join(f", (intmax_t){enumerator}" for enumerator in enumerators)
        lines.append(f'\tprintf("enum {name} %zu {{{text}}}\\n", sizeof(enum {name}){values});')
    includes = "\n".join(f"#include <inlinecall/{name}>" for name in names)
    return PROGRAM.format(includes=includes, lines="\n".join(lines))


def key(line):
    """What a line is about: "struct ic_frame"."""
    return " ".join(line.split()[:2])


def exports(library):
    """The symbols that a shared library defines, and their version nodes."""
    listed = subprocess.run(["readelf", "--dyn-syms", "-W", library], stdout=subprocess.PIPE,
                            text=True, check=True).stdout
    return dict(re.findall(r" (?:FUNC|OBJECT) .* (?!UND|ABS)\S+ ([\w.]+)@@?([\w.]+)$", listed,
                           re.MULTILINE))


def today(headers, layout, nodes):
    """The lines of the headers as they are, by what they are about."""
    lines = layout.splitlines()
    lines += [f"type {name} {text}" for name, text in headers.types.items()]
    lines += [f"function {symbol} {nodes.get(symbol, '-')} {returned} ({', '.join(kinds)})"
              for symbol, (returned, kinds) in headers.functions.items()]
    return {key(line): line for line in lines}


def read_tables(folder):
    """The tables, oldest first, as [((major, minor), {what: line})]."""
    tables = []
    for path in folder.glob("abi_*_*.def"):
        version = tuple(map(int, re.findall(r"\d+", path.name)))
        lines = [line for line in path.read_text().splitlines() if line and line[0] != "#"]
        tables.append((version, {key(line): line for line in lines}))
    return sorted(tables)


def version_of(root):
    """The version under way, and whether it was released."""
    text = (root / "include/inlinecall/version.h").read_text()
    version = tuple(int(re.search(rf"IC_VERSION_{part} (\d+)", text)[1])
                    for part in ("MAJOR", "MINOR"))
    changes = (root / "CHANGELOG.md").read_text()
    return version, bool(re.search(rf"^## {version[0]}\.{version[1]}\b", changes, re.MULTILINE))


def added(tables, version, now):
    """What a version adds to those before it."""
    known = {}
    for number, table in tables:
        if number < version:
            known.update(table)
    return {what: line for what, line in now.items() if known.get(what) != line}


def enumerators(line):
    return set(re.findall(r"\w+=-?\d+", line))


def compare_enums(released, now):
    for what, line in released.items():
        if what.startswith("enum ") and what in now:
            for lost in sorted(enumerators(line) - enumerators(now[what])):
                yield f"{what}: {lost} is what programs were compiled with"


def compare_functions(headers, released, now):
    """Each function that has kept its symbol must mean the same by it."""
    for symbol, (returned, kinds) in headers.functions.items():
        what = f"function {symbol}"
        if what not in released:
            continue
        if released[what] != now[what]:
            yield f"{what}: {NEW_NAME}, since it was\n  {released[what]}"
            continue
        passed = reader.reached(headers, filter(reader.is_passed_in, kinds))
        for name in sorted(reader.reached(headers, [returned, *kinds])):
            for thing in f"struct {name}", f"type {name}":
                if thing in now and released.get(thing) != now[thing]:
                    yield f"{what}: {NEW_NAME}, since it reaches {thing}, which has changed"
            thing = f"enum {name}"
            if name in passed and thing in now and released.get(thing) != now[thing]:
                yield f"{what}: {NEW_NAME}, since it takes {thing}, which has more values"


def compare_nodes(version, table):
    """What a version adds is in its own node: the loader then knows who needs that version."""
    node = "INLINECALL_{}.{}".format(*version)
    for what, line in table.items():
        if what.startswith("function ") and line.split()[2] != node:
            yield f"{what}: it belongs into the node {node}"


def compare_exports(known, now, nodes):
    """No symbol of any version may vanish, or be exported without a header that declares it."""
    for what, line in known.items():
        kind, symbol, node = line.split()[:3]
        if kind == "function" and nodes.get(symbol) != node:
            yield f"{what}: the library must export {symbol}@@{node}, and has {nodes.get(symbol)}"
    for symbol in sorted(nodes):
        if f"function {symbol}" not in {**known, **now}:
            yield f"function {symbol}: the library exports it, and no header declares it"


def check(headers, tables, version, is_released, now, nodes):
    """What is wrong, a line each."""
    known = {}
    for number, table in tables:
        known.update(table)
        yield from compare_nodes(number, table)
        if number < version or is_released:
            yield from compare_enums(known, now)
            yield from compare_functions(headers, known, now)
    for what, line in now.items():
        if known.get(what) != line:
            yield f"{what}: {'changed' if what in known else 'new'}\n  {line}"
    for what in known:
        if not what.startswith("function ") and what not in now:
            yield f"{what}: it is in no header any more"
    yield from compare_exports(known, now, nodes)


def write(path, table):
    lines = [f"# Written by ninja -C build write-abi: {ADVICE}", *table.values()]
    path.write_text("\n".join(lines) + "\n")


def main():
    command, *arguments = sys.argv[1:]
    if command == "program":
        paths = [pathlib.Path(path) for path in arguments]
        headers = reader.read(path.read_text() for path in paths)
        print(program(headers, [path.name for path in paths]))
        return 0
    root, layout, library = map(pathlib.Path, arguments[:3])
    headers = reader.read(pathlib.Path(path).read_text() for path in arguments[3:])
    if not layout.read_text():
        print("the tables are of 64-bit machines")
        return 77
    (version, is_released), tables = version_of(root), read_tables(root / "tests/abi")
    nodes = exports(library)
    now = today(headers, layout.read_text(), nodes)
    path = root / "tests/abi" / "abi_{}_{}.def".format(*version)
    name = "{}.{}".format(*version)
    if command == "write":
        if is_released:
            print(f"{name} is released, and its table stays as it is. {ADVICE}")
            return 1
        for symbol in sorted(headers.functions.keys() - nodes.keys()):
            print(f"{symbol} is declared, and lib/libinlinecall.map does not have it")
        if headers.functions.keys() - nodes.keys():
            return 1
        write(path, added(tables, version, now))
        return 0
    findings = list(dict.fromkeys(check(headers, tables, version, is_released, now, nodes)))
    for finding in findings:
        print(finding)
    if findings and is_released:
        print(f"{name} is released: raise the version, which has a table of its own. {ADVICE}")
    elif findings:
        print(f"If that is meant: {name} is not released, and `ninja -C build write-abi` writes "
              f"{path.relative_to(root)} anew. {ADVICE}")
    return 1 if findings else 0


if __name__ == "__main__":
    try:
        sys.exit(main())
    except reader.Unreadable as declaration:
        sys.exit(f"headers.py cannot read this in the public headers: {declaration}")
