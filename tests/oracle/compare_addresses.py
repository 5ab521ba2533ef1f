#!/usr/bin/python3
"""Compares the frames at every address of a file with those of the DWARF: the program's, which
must be equal, and those of other tools, which may differ where a rule says why (address_rules.py).

usage: compare_addresses.py [--oracle dwarfdump|readelf] [--peers | --program] FILE...
"""

import argparse
import json
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from typing import NamedTuple

import address_case
import address_peers
import address_rules
import compare
import dwarfdump
import readelf
from addresses import Frame, Truth
from instances import run_readelf

READERS = {"dwarfdump": dwarfdump, "readelf": readelf}
MOST_SHOWN = 20


class Asked(NamedTuple):
    """A file, and what is true of it."""
    path: str
    truth: Truth             # of the file, or of one with the same code that others can read
    options: tuple = ()      # of inlinecall
    peer_options: dict = {}  # {tool: (option, ...)}
    peer_tools: dict = {}    # {tool: the program that is it here}


class Result:
    def __init__(self):
        self.counts = Counter()
        self.differences = []

    def differ(self, *lines):
        self.counts["different"] += 1
        if self.counts["different"] <= MOST_SHOWN:
            self.differences.append("\n".join(map(str, lines)))


def spelt(section, addr):
    return f"{section}+{addr:#x}" if section else f"{addr:#x}"


# ---- The program

def program_rows(asked, addresses):
    """What it prints, all addresses asked at once; its exit status is not our concern here."""
    command = [compare.program(), "addr", "--json", *map(str, asked.options), str(asked.path)]
    with tempfile.TemporaryFile("w+") as source:
        source.writelines(f"{spelt(*where)}\n" for where in addresses)
        source.seek(0)
        with subprocess.Popen(command, stdin=source, stdout=subprocess.PIPE, bufsize=1 << 20,
                              stderr=subprocess.DEVNULL) as process:
            yield from map(json.loads, process.stdout)


def frame_from_json(frame):
    return Frame(frame["function"], frame["linkage_name"], compare.one_slash(frame["file"]),
                 frame["line"], frame["column"], frame["discriminator"], frame["inlined"])


def without_version(name):
    """readelf writes the version of a symbol of .dynsym after its name."""
    return re.sub(r"@.*", "", name) if name else name


def is_right(truth, section, addr, got):
    expected = tuple(frame._replace(file=compare.one_slash(frame.file))
                     for frame in truth.frames(section, addr))
    if got == expected:
        return True
    if len(got) != 1 or len(expected) != 1 or truth.instance_at(section, addr):
        return False
    # Of several symbols of that place any will do.
    name = without_version(got[0].function)
    return (name in truth.symbols.names_at(section, addr) and
            got[0]._replace(function=None, linkage_name=None) ==
            expected[0]._replace(function=None, linkage_name=None))


def section_said(truth, addr):
    """Programs for CUDA are linked, and yet each of their sections begins at 0."""
    is_cuda = truth.sections.machine.startswith("NVIDIA")
    return truth.sections.name_before(addr) if is_cuda else None


def compare_rows(asked, addresses, rows):
    result = Result()
    rows = iter(rows)
    for section, addr in addresses:
        row = next(rows, None)
        if row is None:
            result.differ(f"{asked.path}: no answer for {spelt(section, addr)} and what follows")
            break
        got = tuple(map(frame_from_json, row["frames"]))
        result.counts["addresses"] += 1
        result.counts["frames"] += len(got)
        where = row["type"], int(row["address"], 16), row["section"]
        said = section or section_said(asked.truth, addr)
        if where != ("stack", addr, said) or not is_right(asked.truth, section, addr, got):
            result.differ(f"{asked.path} {spelt(section, addr)}: DWARF says",
                          *asked.truth.frames(section, addr), f"the program says {where}", *got)
    if next(rows, None) is not None:
        result.differ(f"{asked.path}: more answers than addresses")
    return result


def compare_program(asked, addresses):
    return compare_rows(asked, addresses, program_rows(asked, addresses))


# ---- The others

def by_section(addresses):
    found = {}
    for section, addr in addresses:
        found.setdefault(section, []).append(addr)
    return found


# {tool: machines all of whose relocations it applies}; another machine's tool does its own.
RELOCATES = {"addr2line": ("X86-64", "80386"),
             "eu-addr2line": ("X86-64", "80386", "AArch64", "ARM", "PowerPC", "S/390", "Sparc",
                              "Alpha")}


def without_units(truth):
    """True for objects in which llvm-symbolizer finds no unit at all. It applies no relocations to
    .debug_aranges; for RISC-V the lengths have some too, and are 0 without."""
    return ("RISC-V" in truth.sections.machine and
            "'.rela.debug_aranges'" in run_readelf("-rW", truth.path))


def askable(peer, truth, section, addrs, tool):
    """The addresses of a section that the peer can be asked about. In objects, a peer that takes
    no section answers for the first section and the first unit that reach so far; and if
    relocations are not applied, there are other addresses."""
    if section is None:
        return addrs
    if peer.section is None:
        units = [unit for unit in truth.units if unit.tag == "compile_unit"]
        with_code = [name for name, size in truth.sections.sizes.items() if size]
        if len(units) > 1 and with_code != [section] or without_units(truth):
            return []
        return [addr for addr in addrs if truth.sections.first_with(addr) == section]
    applied = tool != peer.tool or any(machine in truth.sections.machine
                                       for machine in RELOCATES[peer.tool])
    return addrs if applied else []


# Of a section of an object: eu-addr2line takes half an hour for the 320,000 of xfs.ko.
MOST_IN_OBJECTS = {"eu-addr2line": 5000}


def some_for(peer, section, addrs):
    most = MOST_IN_OBJECTS.get(peer.tool, len(addrs)) if section else len(addrs)
    return addrs if len(addrs) <= most else sorted(random.Random(1).sample(addrs, most))


def compare_peers(asked, addresses):
    """Where an object's section ends another one begins for others, so that they are asked only
    about what is in it."""
    result = Result()
    view = address_case.View(asked.truth, asked.path)
    for section, addrs in by_section(addresses).items():
        if section is not None:
            addrs = [addr for addr in addrs if asked.truth.is_code(section, addr)]
        for peer in address_peers.PEERS:
            tool = asked.peer_tools.get(peer.tool, peer.command[0])
            some = askable(peer, asked.truth, section, addrs, tool)
            if some:
                local = peer._replace(command=(tool, *peer.command[1:]))
                compare_peer(result, asked, view, local, section, some_for(peer, section, some))
    return result


def compare_peer(result, asked, view, peer, section, addrs):
    options = asked.peer_options.get(peer.tool, ())
    try:
        for addr, got in zip(addrs, address_peers.ask(peer, asked.path, section, addrs, options)):
            case = address_case.Case(view, peer, section, addr, got)
            rules = address_rules.explain(case)
            if rules is None:
                result.differ(f"{peer.tool} {asked.path} {spelt(section, addr)}: should say",
                              *case.standard().frames, "says", *got)
            result.counts[peer.tool] += 1
            result.counts.update(rules or ())
    except (address_peers.NoAnswer, ValueError) as error:
        result.differ(error)


def main():
    parser = argparse.ArgumentParser(usage=__doc__.splitlines()[-1].removeprefix("usage: "))
    parser.add_argument("--oracle", choices=READERS, default="dwarfdump")
    only = parser.add_mutually_exclusive_group()
    only.add_argument("--peers", action="store_true")
    only.add_argument("--program", action="store_true")
    parser.add_argument("files", nargs="+", metavar="FILE")
    options = parser.parse_args()
    different = 0
    for path in options.files:
        asked = Asked(path, Truth(path, READERS[options.oracle]))
        addresses = asked.truth.addresses()
        for run, wanted in ((compare_program, not options.peers),
                            (compare_peers, not options.program)):
            if wanted:
                begin = time.monotonic()
                result = run(asked, addresses)
                counts = ", ".join(f"{count} {what}" for what, count in result.counts.items())
                print(f"{path}: {counts}; {time.monotonic() - begin:.1f} s")
                print("\n".join(result.differences), flush=True)
                different += result.counts["different"]
    return 1 if different else 0


if __name__ == "__main__":
    sys.exit(main())
