"""A .BTF that is made type by type."""

import struct


class Types:
    def __init__(self, order="<"):
        self.order, self.types, self.strings, self.count = order, b"", b"\0", 0

    def words(self, *words):
        return struct.pack(f"{self.order}{len(words)}I", *words)

    def string(self, text):
        self.strings += text.encode() + b"\0"
        return len(self.strings) - len(text) - 1

    def add(self, name, kind, count, size, *words):
        """Returns the number of the type."""
        self.types += self.words(self.string(name) if name else 0, kind << 24 | count, size, *words)
        self.count += 1
        return self.count

    def integer(self, name, size, signed):
        return self.add(name, 1, 0, size, signed << 24 | 8 * size)

    def function(self, name, parameters):
        """`parameters` are pairs of a name and the number of a type."""
        words = [word for text, number in parameters for word in (self.string(text), number)]
        return self.add(name, 12, 0, self.add(None, 13, len(parameters), 0, *words))

    def section(self):
        header = struct.pack(f"{self.order}HBB", 0xeb9f, 1, 0)
        header += self.words(24, 0, len(self.types), len(self.types), len(self.strings))
        return header + self.types + self.strings
