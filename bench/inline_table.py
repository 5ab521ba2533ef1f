#!/usr/bin/env python3
"""Makes a table of inlined calls as large as a kernel's, to be timed.

Usage: bench/inline_table.py PROGRAM VMLINUX TYPES TABLE

TYPES becomes the .BTF of VMLINUX with the functions that are inlined in it, as PROGRAM counts them,
and TABLE a .BTF.inline in the RFC's form with 450,000 calls of them, as often as they are inlined,
with 480,000 parameters. Callers and offsets are made up, the same in every run: only the sizes
matter.
"""

import csv
import random
import struct
import subprocess
import sys
import tempfile

CALLS, PARAMETERS = 450000, 480000


def output(*words):
    return subprocess.run(words, check=True, stdout=subprocess.PIPE, text=True).stdout


def callers(vmlinux):
    """{name: size} of the functions of which there is one symbol."""
    found = {}
    for line in output("nm", "-S", vmlinux).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tT" and "." not in words[3]:
            found[words[3]] = 0 if words[3] in found else int(words[1], 16)
    return {name: size for name, size in found.items() if size}


def extended(btf, names):
    """(the BTF with a FUNC for each name, {name: its number}); those that it has are kept."""
    header, types_size, strings_off, strings_size = 24, *struct.unpack_from("<3I", btf, 12)
    types = btf[header:header + types_size]
    strings = bytearray(btf[header + strings_off:header + strings_off + strings_size])
    extra = {1: 4, 3: 12, 4: -12, 5: -12, 6: -8, 13: -8, 14: 4, 15: -12, 17: 4, 19: -12}
    numbers, number, at = {}, 1, 0
    while at < len(types):
        name, info, _ = struct.unpack_from("<3I", types, at)
        kind, count = info >> 24 & 31, info & 0xffff
        if kind == 12:
            numbers.setdefault(strings[name:strings.index(0, name)].decode(), number)
        size = extra.get(kind, 0)
        at += 12 + (size if size >= 0 else -size * count)
        number += 1
    added = []
    for name in names:
        if name not in numbers:
            added.append(struct.pack("<6I", 0, 13 << 24, 0, len(strings), 12 << 24, number))
            strings += name.encode() + b"\0"
            numbers[name] = number + 1
            number += 2
    types += b"".join(added)
    return (struct.pack("<HBB5I", 0xeb9f, 1, 0, 24, 0, len(types), len(types), len(strings)) +
            types + bytes(strings)), numbers


def main():
    program, vmlinux, types_path, table_path = sys.argv[1:]
    pick = random.Random(1)
    told = output(program, "-a", "--count", "--csv", vmlinux)
    counts = {row["function"]: int(row["inlined"]) for row in csv.DictReader(told.splitlines())}
    hosts = callers(vmlinux)
    with tempfile.NamedTemporaryFile() as section:
        subprocess.run(["objcopy", "-O", "binary", "--only-section=.BTF", "--set-section-flags",
                        ".BTF=alloc", vmlinux, section.name], check=True)
        btf, numbers = extended(open(section.name, "rb").read(), [*counts, *hosts])
    names = list(hosts)
    records = []
    for callee in pick.choices(list(counts), counts.values(), k=CALLS):
        host = pick.choice(names)
        records.append((host, pick.randrange(hosts[host]), callee))
    records.sort()
    places, left = [], PARAMETERS
    for number, (host, offset, callee) in enumerate(records):
        count = min(pick.choice((0, 1, 1, 2)) if left < CALLS - number else 2, left)
        left -= count
        places.append(struct.pack(f"<IIIH{count}I", numbers[callee], numbers[host], offset, count,
                                  *(3 * pick.randrange(16) + 1 for _ in range(count))))
    calls = b"".join(places)
    locations = b"\0" + b"".join(bytes((9, number, 0)) for number in range(16))
    open(types_path, "wb").write(btf)
    open(table_path, "wb").write(
        struct.pack("<HBB5I", 0xeb9f, 1, 0, 24, 0, len(calls), len(calls), len(locations)) +
        calls + locations)


main()
