"""Small files that ask for work without end: each lets a few bytes be used over and over.

None may cost more than some seconds of CPU or a few hundred MiB, a hundred times what they take;
without the bounds that each is about, they take minutes or gigabytes.
"""

import resource
import struct
import subprocess

import pytest

SECONDS, BYTES = 10, 600 << 20
TEXT = (".text", 8, 6, 0x1000, b"", 0x10000000)  # SHT_NOBITS, allocated and executable


def section(name, data):
    return (name, 1, 0, 0, data, len(data))


def elf_file(sections, file_type=2):
    """A file for x86-64, linked (2) or an object (1), with these sections: (name, type, flags,
    address, data, size)."""
    sections = [("", 0, 0, 0, b"", 0), *sections]
    unique = dict.fromkeys(name for name, *_ in sections[1:])
    names = b"\0" + b"".join(name.encode() + b"\0" for name in unique) + b".shstrtab\0"
    sections.append((".shstrtab", 3, 0, 0, names, len(names)))
    body, headers = bytearray(64), bytearray()
    places = {}
    for number, (name, kind, flags, address, data, size) in enumerate(sections):
        at = places.get(name) or names.index(b"\0" + name.encode() + b"\0") + 1 if name else 0
        places[name] = at
        link = 0
        if number == 0 and len(sections) > 0xff00:  # more than fit in the file's header
            size, link = len(sections), len(sections) - 1
        headers += struct.pack("<IIQQQQIIQQ", at, kind, flags, address, len(body), size, link, 0,
                               1, 0)
        body += data
    count, last = len(sections), len(sections) - 1
    if count > 0xff00:
        count, last = 0, 0xffff
    body[:64] = b"\x7fELF\2\1\1" + bytes(9) + struct.pack(
        "<HHIQQQIHHHHHH", file_type, 62, 1, 0, 0, len(body), 0, 64, 0, 0, 64, count, last)
    return bytes(body + headers)


def uleb(number):
    low, rest = number & 0x7f, number >> 7
    return bytes([low | 0x80]) + uleb(rest) if rest else bytes([low])


def abbrev(code, tag, children, *attributes):
    return (uleb(code) + uleb(tag) + bytes([children]) +
            b"".join(uleb(name) + uleb(form) for name, form in attributes) + b"\0\0")


def unit(entries, version=4, addr_size=8):
    return struct.pack("<IHIB", 7 + len(entries), version, 0, addr_size) + entries


def unit5(entries):
    return struct.pack("<IHBBI", 8 + len(entries), 5, 1, 8, 0) + entries


def tables_of_two_sizes():
    """Units that take turns in how large their addresses are."""
    info = (unit(b"", 2, 0) + unit(b"", 3, 16)) * 200000
    return {".debug_info": info, ".debug_abbrev": bytes(16)}


def attributes_without_bytes():
    abbrevs = abbrev(1, 0x11, 1) + abbrev(2, 0x1d, 0, *[(0x34, 0x19)] * 200000) + b"\0"
    return {".debug_info": unit(b"\1" + b"\2" * 200000 + b"\0"), ".debug_abbrev": abbrevs}


def string_without_an_end():
    abbrevs = abbrev(1, 0x11, 1) + abbrev(2, 0x39, 1, (0x03, 0x0e)) + b"\0"
    return {".debug_info": unit(b"\1" + b"\2\0\0\0\0\0" * 200000 + b"\0"),
            ".debug_abbrev": abbrevs, ".debug_str": b"a" * (20 << 20)}


def line_header_for_all():
    """One table of a hundred thousand files, and as many units that name one of them."""
    abbrevs = (abbrev(1, 0x11, 1, (0x10, 0x17)) +
               abbrev(2, 0x1d, 0, (0x58, 0x0b), (0x11, 0x01)) + b"\0")
    info = unit(b"\1" + bytes(4) + b"\2\1" + struct.pack("<Q", 0x1000) + b"\0") * 100000
    header = b"\1\1\1\xfb\x0e\1" + b"\0" + b"a\0\0\0\0" * 100000 + b"\0"
    line = struct.pack("<IHI", 6 + len(header), 4, len(header)) + header
    return {".debug_info": info, ".debug_abbrev": abbrevs, ".debug_line": line}


def line_table(program):
    header = b"\1\1\1\xfb\x0e\1" + b"\0" + b"a\0\0\0\0" + b"\0"
    return struct.pack("<IHI", 6 + len(header) + len(program), 4, len(header)) + header + program


def row_at(addr):
    return b"\0\x09\2" + struct.pack("<Q", addr) + b"\1"


CALL_ABBREVS = (abbrev(1, 0x11, 1, (0x10, 0x17)) + abbrev(2, 0x2e, 1, (0x11, 0x01), (0x12, 0x07)) +
                abbrev(3, 0x48, 0, (0x7d, 0x01), (0x7f, 0x13)) + b"\0")


def unit_of_calls(addresses):
    function = b"\2" + struct.pack("<QQ", 0x1000, 0x1000000)
    calls = b"".join(b"\3" + struct.pack("<QI", addr, 16) for addr in addresses)
    return unit(b"\1" + bytes(4) + function + calls + b"\0\0")


def line_program_for_all():
    """One table of a million rows, and twenty thousand units of one call each that have it."""
    return {".debug_info": unit_of_calls([0x1008]) * 20000, ".debug_abbrev": CALL_ABBREVS,
            ".debug_line": line_table(row_at(0x1000) + b"\x15" * (1 << 20) + b"\0\1\1")}


def rows_that_hold_all_calls():
    """Every second row is around all calls."""
    rows = (row_at(0x1000) + row_at(0x800000)) * 100000
    return {".debug_info": unit_of_calls(range(0x200000, 0x200000 + 200000)),
            ".debug_abbrev": CALL_ABBREVS, ".debug_line": line_table(rows + b"\0\1\1")}


def range_list_for_all():
    abbrevs = abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 0, (0x55, 0x17)) + b"\0"
    ranges = b"\5" + struct.pack("<Q", 0x1000) + b"\4\1\2" * 30000 + b"\0"
    return {".debug_info": unit5(b"\1\2" + struct.pack("<I", 12) + b"\0") * 30000,
            ".debug_abbrev": abbrevs,
            ".debug_rnglists": struct.pack("<IHBBI", 8 + len(ranges), 5, 8, 0, 0) + ranges}


def copies_in_a_function_of_many_ranges():
    """All copies are in the last range; after them is a DIE that nobody can read."""
    count = 300000
    abbrevs = (abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 0, (0x20, 0x0b)) +
               abbrev(3, 0x2e, 1, (0x55, 0x17)) +
               abbrev(4, 0x1d, 0, (0x31, 0x13), (0x11, 0x01), (0x12, 0x0b)) + b"\0")
    head = b"\1\2\1"
    copy = b"\4" + struct.pack("<IQB", 13, 0x1000 + 4 * (count - 1), 1)
    ranges = (struct.pack("<HBBI", 5, 8, 0, 0) + b"\5" + struct.pack("<Q", 0x1000) +
              b"".join(b"\4" + uleb(4 * i) + uleb(4 * i + 2) for i in range(count)) + b"\0")
    return {".debug_info": unit5(head + b"\3" + struct.pack("<I", 12) + copy * count + b"\5"),
            ".debug_abbrev": abbrevs,
            ".debug_rnglists": struct.pack("<I", len(ranges)) + ranges}


def name_in_every_message():
    """Split units, each reported with a name of a megabyte."""
    abbrevs = abbrev(1, 0x11, 0, (0x2130, 0x0e)) + b"\0"
    return {".debug_info": unit(b"\1\0\0\0\0") * 100000, ".debug_abbrev": abbrevs,
            ".debug_str": b"a" * (1 << 20) + b"\0"}


def name_of_every_skeleton():
    """The same for those that may be skeletons: each ends the same megabyte."""
    abbrevs = abbrev(1, 0x11, 0, (0x2130, 0x0e)) + b"\0"
    info = b"".join(unit(b"\1" + struct.pack("<I", i)) for i in range(50000))
    return {".debug_info": info, ".debug_abbrev": abbrevs, ".debug_addr": bytes(16),
            ".debug_str": b"a" * (1 << 20) + b"\0"}


def skeleton(name, dwo_id):
    return unit(b"\1" + name.encode() + b"\0" + struct.pack("<Q", dwo_id))


SKELETON_ABBREVS = abbrev(1, 0x11, 0, (0x2130, 0x08), (0x2131, 0x07)) + b"\0"


def file_under_many_names():
    """Skeletons that each name a file; all of these are links to the program itself."""
    info = b"".join(skeleton(f"{i:x}", i) for i in range(10000))
    return {".debug_info": info, ".debug_abbrev": SKELETON_ABBREVS, ".debug_addr": bytes(16),
            ".debug_info.dwo": skeleton("", 1 << 40) * 20000,
            ".debug_abbrev.dwo": SKELETON_ABBREVS}


def skeletons_of_one_file():
    info = b"".join(skeleton("file", i) for i in range(100000))
    return {".debug_info": info, ".debug_abbrev": SKELETON_ABBREVS, ".debug_addr": bytes(16),
            ".debug_info.dwo": info, ".debug_abbrev.dwo": SKELETON_ABBREVS}


def scopes_of_type_units():
    """Type units of one signature, and scopes that take their names from it."""
    abbrevs = (abbrev(1, 0x11, 1) + abbrev(2, 0x13, 1, (0x69, 0x20)) + abbrev(3, 0x41, 1) +
               abbrev(4, 0x13, 0, (0x03, 0x08)) + b"\0")
    types = struct.pack("<IHIBQI", 24, 4, 0, 8, 5, 24) + b"\3\4a\0\0"
    scopes = b"\1" + (b"\2" + struct.pack("<Q", 5) + b"\0") * 200000 + b"\0"
    return {".debug_info": unit(scopes), ".debug_abbrev": abbrevs, ".debug_types": types * 100000}


def origin_of_many_attributes():
    """An entry that a hundred thousand functions of another unit are copies of."""
    abbrevs = (abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 0, (0x11, 0x01), (0x31, 0x10)) +
               abbrev(3, 0x2e, 0, (0x03, 0x08), *[(0x34, 0x0b)] * 50000) + b"\0")
    origin = unit(b"\1\3a\0" + bytes(50000) + b"\0")
    copy = b"\2" + struct.pack("<QI", 0x1000, 12)
    return {".debug_info": origin + unit(b"\1" + copy * 100000 + b"\0"), ".debug_abbrev": abbrevs}


def padding():
    return {".debug_info": bytes(20 << 20), ".debug_abbrev": bytes(16)}


def object_of_many_sections():
    """An object with a .debug_info for each of many groups, which are relocated one by one."""
    abbrevs = abbrev(1, 0x11, 0) + b"\0"
    return [(".debug_info", unit(b"\1"))] * 60000 + [(".debug_abbrev", abbrevs)]


def range_list_for_all_sections():
    """The same list in each of as many sections of units."""
    made = range_list_for_all()
    units = made.pop(".debug_info")
    size = len(units) // 30000
    return [*((".debug_info", units[:size]) for _ in range(30000)), *made.items()]


@pytest.mark.parametrize("make", [
    tables_of_two_sizes, attributes_without_bytes, string_without_an_end, line_header_for_all,
    line_program_for_all, rows_that_hold_all_calls, range_list_for_all,
    copies_in_a_function_of_many_ranges, name_in_every_message, name_of_every_skeleton,
    file_under_many_names, skeletons_of_one_file, scopes_of_type_units, origin_of_many_attributes,
    padding, object_of_many_sections, range_list_for_all_sections],
    ids=lambda make: make.__name__)
def test_a_small_file_costs_little(program, tmp_path, make):
    made = make()
    items = made.items() if isinstance(made, dict) else made
    (tmp_path / "file").write_bytes(elf_file([TEXT, *(section(*item) for item in items)],
                                             1 if make.__name__.startswith("object") else 2))
    check_costs(program, tmp_path, "-c")


def check_costs(program, directory, *options, command=("sites", "-a"), operands=(),
                statuses=(1, 2)):
    def limit():
        resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
        resource.setrlimit(resource.RLIMIT_DATA, (BYTES, BYTES))

    with open(directory / "messages", "wb") as messages:
        status = subprocess.run([program, command[0], "-j1", *command[1:], *options,
                                 directory / "file", *operands],
                                stdout=subprocess.DEVNULL, stderr=messages, preexec_fn=limit,
                                check=False).returncode
    assert status in statuses
    assert b"out of memory" not in (directory / "messages").read_bytes()


def test_a_package_of_many_slots_costs_little(program, tmp_path):
    """Its rows are one and the same unit, under as many ids."""
    slots, columns = 200000, struct.pack("<II", 1, 3)
    index = (struct.pack("<IIII", 2, 2, 1, slots) +
             b"".join(struct.pack("<Q", i) for i in range(slots)) + struct.pack("<I", 1) * slots +
             columns + struct.pack("<IIII", 0, 0, 1 << 30, 1 << 30))
    info = b"".join(skeleton("file", i) for i in range(100000))
    (tmp_path / "file").write_bytes(elf_file([
        TEXT, section(".debug_info", info), section(".debug_abbrev", SKELETON_ABBREVS),
        section(".debug_addr", bytes(16))]))
    (tmp_path / "file.dwp").write_bytes(elf_file([
        section(".debug_info.dwo", info), section(".debug_abbrev.dwo", SKELETON_ABBREVS),
        section(".debug_cu_index", index)]))
    check_costs(program, tmp_path)


def test_segments_of_the_same_bytes_cost_little(program, tmp_path):
    """Where there are no sections, Go's tables are searched for in what is loaded."""
    count, size, base = 40000, 4 << 20, 0x400000
    header = (b"\x7fELF\2\1\1" + bytes(9) +
              struct.pack("<HHIQQQIHHHHHH", 2, 62, 1, base, 64, 0, 0, 64, 56, count, 0, 0, 0))
    segment = struct.pack("<IIQQQQQQ", 1, 4, 0, base, base, size, size, 4096)
    (tmp_path / "file").write_bytes((header + segment * count).ljust(size, b"\1"))
    check_costs(program, tmp_path)


def test_symbols_of_many_sections_cost_little(program, tmp_path):
    """Names are looked for among those of sections first; numbers without one are refused."""
    count = 40000
    (tmp_path / "file.s").write_text("".join(
        f'.section .text.x{i},"ax"\n.type x{i},@function\nx{i}: nop\n.size x{i}, 1\n'
        for i in range(count)))
    subprocess.run(["gcc", "-c", "-Wa,-g", "file.s", "-o", "file.o"], cwd=tmp_path, check=True)
    for name, status in ("x", 0), ("f", 2):
        result = subprocess.run([program, "addr", "file.o"], cwd=tmp_path, text=True,
                                input="".join(f"{name}{i}\n" for i in range(count)),
                                stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, check=False,
                                preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (3, 3)))
        assert result.returncode == status
        assert result.stdout.count("\n") == count


def test_an_object_of_many_units_of_its_own_costs_little(program, tmp_path):
    """Each of its sections needs relocations, and the only ones come last."""
    relocs = struct.pack("<QQq", 1, 1 << 32 | 1, 0)
    data = bytearray(elf_file([
        (".text", 1, 6, 0, b"\xc3", 1), section(".debug_abbrev", b"\0"),
        (".symtab", 2, 0, 0, bytes(24) + struct.pack("<IBBHQQ", 0, 3, 0, 1, 0, 0), 48),
        (".strtab", 3, 0, 0, b"\0", 1), *[section(".debug_info", unit(b""))] * 60000,
        (".rela.debug_info", 4, 0, 0, relocs, len(relocs))], file_type=1))
    headers, = struct.unpack_from("<Q", data, 40)
    for number, link, info in (3, 4, 2), (60005, 3, 5):
        struct.pack_into("<II", data, headers + 64 * number + 40, link, info)
    (tmp_path / "file").write_bytes(data)
    check_costs(program, tmp_path)


def symbols_and_functions(symbol, count):
    """So many symbols of one name, at code that nothing describes, and as many functions f@0, f@1,
    ... that were inlined."""
    abbrevs = (abbrev(1, 0x11, 1) + abbrev(2, 0x2e, 0, (0x03, 0x08), (0x20, 0x0b)) +
               abbrev(3, 0x2e, 1, (0x03, 0x08), (0x11, 0x01), (0x12, 0x07)) +
               abbrev(4, 0x1d, 0, (0x31, 0x13), (0x11, 0x01), (0x12, 0x07)) + b"\0")
    functions, copies = bytearray(), bytearray()
    for number in range(count):
        copies += b"\4" + struct.pack("<IQQ", 12 + len(functions), 0x1001, 4)
        functions += b"\2f@%d\0\1" % number
    host = b"\3main\0" + struct.pack("<QQ", 0x1000, 16)
    names = b"\0" + symbol.encode() + b"\0"
    symbols = bytes(24) + struct.pack("<IBBHQQ", 1, 0x12, 0, 1, 0x1100, 16) * count
    data = bytearray(elf_file([
        TEXT, (".symtab", 2, 0, 0, symbols, len(symbols)), (".strtab", 3, 0, 0, names, len(names)),
        section(".debug_abbrev", abbrevs),
        section(".debug_info", unit(b"\1" + functions + host + copies + b"\0\0"))]))
    headers, = struct.unpack_from("<Q", data, 40)
    struct.pack_into("<II", data, headers + 64 * 2 + 40, 3, 1)
    struct.pack_into("<Q", data, headers + 64 * 2 + 56, 24)
    return bytes(data)


def test_symbols_of_one_name_cost_little(program, tmp_path):
    """Names that differ only in a version have the same symbols."""
    (tmp_path / "file").write_bytes(symbols_and_functions("f@x", 40000))
    check_costs(program, tmp_path, command=("stats",), statuses=(0,))


def test_the_functions_of_a_line_cost_little_if_units_overlap(program, tmp_path):
    """Each unit claims a little less, none has a function, and all rows cover all of that."""
    abbrevs = (abbrev(1, 0x11, 0, (0x10, 0x17), (0x11, 0x01), (0x12, 0x07)) +
               abbrev(2, 0x11, 0, (0x11, 0x01), (0x12, 0x07)) + b"\0")
    info = unit(b"\1" + struct.pack("<IQQ", 0, 0x1000, 0x800000)) + b"".join(
        unit(b"\2" + struct.pack("<QQ", 0x1000 + i, 0x800000 - 2 * i)) for i in range(20000))
    row = b"".join(b"\0\x09\2" + struct.pack("<Q", addr) + code for addr, code in
                   ((0x1000, b"\6"), (0x900000, b"\0\1\1")))  # in line 1, and the end
    (tmp_path / "file").write_bytes(elf_file([
        TEXT, section(".debug_abbrev", abbrevs), section(".debug_info", info),
        section(".debug_line", line_table(row * 20000))]))
    check_costs(program, tmp_path, command=("lines",), operands=("a:1",), statuses=(2,))


MANY_COPIES = """.file 1 "h.c"
.text
main:
.rept 1000
.loc 1 7 5 is_stmt 1
.endr
nop
nop
end:
.section .debug_abbrev,"",@progbits
.byte 1, 0x11, 1, 0x25, 8, 0x10, 0x17, 0x11, 1, 0x12, 7, 0, 0
.byte 2, 0x2e, 0, 3, 8, 0x3a, 0xb, 0x3b, 0xb, 0x39, 0xb, 0x20, 0xb, 0, 0
.byte 3, 0x2e, 1, 3, 8, 0x11, 1, 0x12, 7, 0, 0
.byte 4, 0x1d, 0, 0x31, 0x13, 0x11, 1, 0x12, 7, 0x58, 0xb, 0x59, 0xb, 0, 0
.byte 0
.section .debug_info,"",@progbits
unit:
.4byte last - . - 4
.2byte 4
.4byte .debug_abbrev
.byte 8
.byte 1
.string "GNU C17 12.2.0"
.4byte .debug_line
.8byte main, end - main
inlined:
.byte 2
.string "f"
.byte 1, 3, 9, 3
.byte 3
.string "main"
.8byte main, end - main
.rept 20000
.byte 4
.4byte inlined - unit
.8byte main, 1
.byte 1, 9
.endr
.byte 0, 0
last:
"""


def test_copies_that_begin_at_one_address_cost_little(program, tmp_path):
    """And many rows of the line table are there."""
    (tmp_path / "file.s").write_text(MANY_COPIES)
    subprocess.run(["gcc", "-c", "file.s", "-o", "file.o"], cwd=tmp_path, check=True)
    subprocess.run(["ld", "-e", "main", "file.o", "-o", "file"], cwd=tmp_path, check=True)
    check_costs(program, tmp_path, "-e")
