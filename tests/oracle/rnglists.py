"""Range lists of DWARF 5, decoded here from the bytes that `readelf -R` prints.

Needed because `readelf -wR` of binutils 2.40 shows only the first list of a table that has no
offset array (all of gcc's), and forgets the base address of a unit whose low_pc is an addrx.
DWARF 5, 7.25 (.debug_rnglists) and 7.27 (.debug_addr).
"""

import subprocess

END, BASE_X, START_END_X, START_LENGTH_X, OFFSET_PAIR, BASE, START_END, START_LENGTH = range(8)


def section_bytes(path, name):
    """With the relocations applied and decompressed."""
    text = subprocess.run(["readelf", "-z", "-R", name, path], stdout=subprocess.PIPE,
                          stderr=subprocess.DEVNULL, text=True, errors="replace").stdout
    return b"".join(bytes.fromhex(row) for row in hex_rows(text))


def hex_rows(text):
    """The columns of a hex dump: "  0x00000000 01020304 05060708 ... ASCII"."""
    for line in text.splitlines():
        if line.startswith("  0x"):
            start = line.index(" ", 2) + 1
            yield line[start:start + 36].strip()


class RangeLists:
    def __init__(self, path):
        with open(path, "rb") as file:
            self.order = "little" if file.read(6)[5] == 1 else "big"
        self.lists = section_bytes(path, ".debug_rnglists")
        self.addrs = section_bytes(path, ".debug_addr")

    def read(self, offset, addr_size, base, addr_base):
        """[(start, end), ...] of the list at `offset`, in its order."""
        ranges = []
        take = Cursor(self.lists, offset, addr_size, self.order)

        def indexed():
            at = addr_base + take.uleb() * addr_size
            return int.from_bytes(self.addrs[at:at + addr_size], self.order)

        while (kind := take.byte()) != END:
            if kind == BASE_X:
                base = indexed()
            elif kind == BASE:
                base = take.address()
            elif kind == START_END_X:
                ranges.append((indexed(), indexed()))
            elif kind == START_LENGTH_X:
                start = indexed()
                ranges.append((start, start + take.uleb()))
            elif kind == OFFSET_PAIR:
                ranges.append((base + take.uleb(), base + take.uleb()))
            elif kind == START_END:
                ranges.append((take.address(), take.address()))
            elif kind == START_LENGTH:
                start = take.address()
                ranges.append((start, start + take.uleb()))
            else:
                raise ValueError(f"range list at {offset:#x}: entry of kind {kind}")
        return ranges


class Cursor:
    def __init__(self, data, at, addr_size, order):
        self.data = data
        self.at = at
        self.addr_size = addr_size
        self.order = order

    def byte(self):
        self.at += 1
        return self.data[self.at - 1]

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def address(self):
        self.at += self.addr_size
        return int.from_bytes(self.data[self.at - self.addr_size:self.at], self.order)
