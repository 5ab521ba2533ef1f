"""What is really inlined in a file, by an independent decoder, and the stacks that follow."""

from collections import Counter
from typing import NamedTuple

import compare
import dwarfdump
import instances
import readelf

READERS = {"dwarfdump": dwarfdump, "readelf": readelf}
# Of compare.FIELDS all but the first three: where the entry is, and the unit, are the container's.
COMPARED = slice(3, None)


class Frame(NamedTuple):
    names: frozenset  # any of them is right
    line: int         # of the call of the frame before; 0 is unknown. None in the first


class Truth(NamedTuple):
    instances: Counter  # of tuples, compare.FIELDS[COMPARED]
    stacks: dict        # {(section or None, address): [acceptable stack, ...]}


def read(paths, reader):
    records = [record for path in paths for record in instances.read(str(path), READERS[reader])]
    sites = [record for record in records if record.type == "site"]
    if reader == "readelf":
        sites = [site._replace(ranges=without_sections(site.ranges)) for site in sites]
    symbols = [symbol for path in paths
               for symbol in instances.function_symbols(str(path), instances.Sections(str(path)))]
    return Truth(Counter(compare.from_oracle(site)[COMPARED] for site in sites),
                 stacks_of(sites, symbols))


def without_sections(ranges):
    return tuple((start, end, None) for start, end, _ in ranges)


def stacks_of(sites, symbols):
    """At the first address of every range of every instance: the innermost instance there, and
    those around it. Where several are equally deep, any of them is right."""
    spans = {}  # section -> [(start, end, what)]
    for site in sites:
        for start, end, section in site.ranges:
            spans.setdefault(section, ([], []))[0].append((start, end, site))
    for symbol in symbols:
        if symbol.section in spans:
            spans[symbol.section][1].append((symbol.start, symbol.end, symbol.name))
    return {(section, addr): acceptable(holding, frozenset(names))
            for section, (ranges, named) in spans.items()
            for addr, holding, names in sweep(ranges, named)}


def sweep(ranges, named):
    """(address, sites that hold it, symbols that hold it) for each start of a range."""
    ranges.sort(key=lambda span: span[:2])
    named.sort(key=lambda span: span[:2])
    open_ranges, open_names, next_name = [], [], 0
    at = 0
    while at < len(ranges):
        addr = ranges[at][0]
        open_ranges = [span for span in open_ranges if span[1] > addr]
        while at < len(ranges) and ranges[at][0] == addr:
            open_ranges.append(ranges[at])
            at += 1
        while next_name < len(named) and named[next_name][0] <= addr:
            open_names.append(named[next_name])
            next_name += 1
        open_names = [span for span in open_names if span[1] > addr]
        yield addr, [site for _, _, site in open_ranges], [name for _, _, name in open_names]


def acceptable(sites, symbols):
    deepest = max(len(site.chain) for site in sites)
    return [stack(site, symbols) for site in sites if len(site.chain) == deepest]


def stack(site, symbols):
    """Innermost first. A host may also be called what the symbol table calls it: f.cold."""
    frames = [Frame(names_of(site.function, site.linkage_name), None)]
    line = site.call_line or 0
    for call in site.chain:
        frames.append(Frame(names_of(call.function, call.linkage_name), line))
        line = call.call_line or 0
    frames.append(Frame(names_of(site.host, site.host_linkage_name) | symbols, line))
    return frames


def names_of(*names):
    return frozenset(name for name in names if name)
