"""Files that are small and ask for much memory: what each costs is in docs/hostile-files.md.

Run as a script, it writes them to a directory.
"""

import struct
import sys
import zlib
from pathlib import Path

from test_costs import TEXT, abbrev, elf_file, line_table, row_at, section, unit

ZLIB, ZSTD = 1, 2
FIRST = 0x1000  # the address where code begins; every file is asked for what is there


def compressed(name, kind, data, size):
    """A section that says that its data becomes `size` bytes."""
    data = struct.pack("<IIQQ", kind, 0, size, 1) + data
    return (name, 1, 0x800, 0, data, len(data))


def zlib_section(name, chunk, times):
    """`chunk` over and over: what compresses a chunk by itself does so again."""
    packer = zlib.compressobj(9)
    start = packer.compress(b"") + packer.flush(zlib.Z_FULL_FLUSH)
    one = packer.compress(chunk) + packer.flush(zlib.Z_FULL_FLUSH)
    check = 1
    for _ in range(times):
        check = zlib.adler32(chunk, check)
    data = start + one * times + b"\3\0" + struct.pack(">I", check)
    return compressed(name, ZLIB, data, len(chunk) * times)


def zstd_section(name, start, byte, size):
    """Some bytes, then one byte over and over: four bytes of the file for 128 KiB of it."""
    blocks = [(0, len(start), start)] if start else []
    left = size - len(start)
    while left > 0:
        blocks.append((1, min(left, 128 << 10), byte))
        left -= blocks[-1][1]
    frame = struct.pack("<IBQ", 0xfd2fb528, 0xe0, size)
    for number, (kind, length, data) in enumerate(blocks):
        header = length << 3 | kind << 1 | (number + 1 == len(blocks))
        frame += struct.pack("<I", header)[:3] + data
    return compressed(name, ZSTD, frame, size)


ABBREVS = abbrev(1, 0x11, 0) + b"\0"
CHUNK = 100000  # units in what is compressed at once


def units(one):
    """Four million of them."""
    return zlib_section(".debug_info", one * CHUNK, 4000000 // CHUNK)


def units_of_no_known_version():
    return [units(struct.pack("<IHIB", 7, 0, 0, 8)), section(".debug_abbrev", ABBREVS)]


def units_without_a_root():
    return [units(unit(b"\0")), section(".debug_abbrev", ABBREVS)]


def units_of_nothing():
    return [units(unit(b"\1")), section(".debug_abbrev", ABBREVS)]


def units_without_abbreviations():
    return [units(unit(b"\1")), section(".debug_abbrev", bytes(16))]


def program(name_form, name):
    """A function with another inlined into it, which has that name."""
    abbrevs = (abbrev(1, 0x11, 1, (0x11, 1), (0x12, 7)) +
               abbrev(2, 0x2e, 0, (0x03, name_form), (0x20, 0x0b)) +
               abbrev(3, 0x2e, 1, (0x03, 0x08), (0x11, 1), (0x12, 7)) +
               abbrev(4, 0x1d, 0, (0x31, 0x13), (0x11, 1), (0x12, 7)) + b"\0")
    root = b"\1" + struct.pack("<QQ", FIRST, 0x100)
    inlined = b"\4" + struct.pack("<IQQ", 11 + len(root), FIRST, 0x10)
    info = (root + b"\2" + name + b"\1" + b"\3host\0" + struct.pack("<QQ", FIRST, 0x100) + inlined +
            b"\0\0")
    return [section(".debug_info", unit(info)), section(".debug_abbrev", abbrevs)]


def strings_that_nobody_reads():
    return [*program(0x08, b"small\0"), zstd_section(".debug_str", b"", b"\0", 3 << 30)]


def strings_that_are_read():
    return [*program(0x0e, struct.pack("<I", 1)),
            zstd_section(".debug_str", b"\0small\0", b"\0", 3 << 30)]


HOST_ABBREVS = (abbrev(1, 0x11, 1) + abbrev(2, 0x1d, 0) +
                abbrev(3, 0x2e, 1, (0x11, 1), (0x12, 7)) + b"\0")
HOST = b"\1\3" + struct.pack("<QQ", FIRST, 0x100)


def entries_of_3_gb():
    """Units of a megabyte each, of which all is inlined subroutines."""
    one = unit(HOST + b"\2" * (1 << 20) + b"\0\0")
    return [zlib_section(".debug_info", one, (3 << 30) // len(one)),
            section(".debug_abbrev", HOST_ABBREVS)]


def entries_of_one_byte():
    """A unit of 200 MB, each byte of which is an inlined subroutine."""
    size = 200 << 20
    start = struct.pack("<IHIB", size - 4, 4, 0, 8) + HOST
    return [zstd_section(".debug_info", start, b"\2", size),
            section(".debug_abbrev", HOST_ABBREVS)]


def rows_of_one_byte():
    """The same of a line table."""
    size = 200 << 20
    abbrevs = abbrev(1, 0x11, 0, (0x10, 0x17), (0x11, 1), (0x12, 7)) + b"\0"
    info = unit(b"\1" + bytes(4) + struct.pack("<QQ", FIRST, 1 << 27))
    start = line_table(row_at(FIRST))
    start = struct.pack("<I", size - 4) + start[4:]
    return [section(".debug_info", info), section(".debug_abbrev", abbrevs),
            zstd_section(".debug_line", start, b"\x4b", size)]


def attributes_of_two_bytes():
    """An abbreviation of a hundred million attributes."""
    return [section(".debug_info", unit(b"\1")),
            zstd_section(".debug_abbrev", b"\1\x11\0", b"\1", 200 << 20)]


def abbreviations_of_five_bytes():
    """Forty million of them, in tables of ten thousand that as many units share in turn."""
    table = b"".join(abbrev(code, 0x34, 0, (0x49, 0x13)) for code in range(1, 10001))
    return [section(".debug_info", unit(b"\1")), zlib_section(".debug_abbrev", table, 2500)]


def sections_of_units():
    """400,000 sections called .debug_info, in 25 MB."""
    return [*[section(".debug_info", b"")] * 400000, section(".debug_abbrev", ABBREVS)]


FILES = (units_of_no_known_version, units_without_a_root, units_of_nothing,
         units_without_abbreviations, strings_that_nobody_reads, strings_that_are_read,
         entries_of_3_gb, entries_of_one_byte, rows_of_one_byte, attributes_of_two_bytes,
         abbreviations_of_five_bytes, sections_of_units)


def write(make, directory):
    path = Path(directory) / make.__name__
    path.write_bytes(elf_file([TEXT, *make()]))
    return path


if __name__ == "__main__":
    for made in FILES:
        print(write(made, sys.argv[1]))
