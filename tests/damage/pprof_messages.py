"""Profiles of pprof, made field by field: what is in them is known."""


def varint(number):
    out = b""
    number &= (1 << 64) - 1
    while number >= 0x80:
        out += bytes([number & 0x7f | 0x80])
        number >>= 7
    return out + bytes([number])


def number(field, value):
    return varint(field << 3) + varint(value) if value else b""


def message(field, *parts):
    body = b"".join(parts)
    return varint(field << 3 | 2) + varint(len(body)) + body


def numbers(field, values):
    return message(field, *map(varint, values))


class Profile:
    """Its bytes are in the order of the field numbers, as most programs write them."""

    def __init__(self, *types, default=None):
        self.strings = {"": 0}
        self.types = b"".join(message(1, number(1, self.string(kind)), number(2, self.string(unit)))
                              for kind, unit in types)
        self.samples = self.mappings = self.locations = self.functions = b""
        self.counts = [0, 0, 0]
        self.end = number(14, self.string(default)) if default else b""

    def string(self, text):
        return self.strings.setdefault(text, len(self.strings))

    def next(self, kind):
        self.counts[kind] += 1
        return self.counts[kind]

    def mapping(self, path, start=0, limit=0, offset=0, build_id=""):
        known = self.next(0)
        self.mappings += message(3, number(1, known), number(2, start), number(3, limit), number(4, offset),
                                 number(5, self.string(path)), number(6, self.string(build_id)))
        return known

    def function(self, name, system_name="", path="", line=0):
        known = self.next(1)
        self.functions += message(5, number(1, known), number(2, self.string(name)),
                                  number(3, self.string(system_name)), number(4, self.string(path)), number(5, line))
        return known

    def location(self, mapping, address, lines=()):
        """`lines` is of (function, line), the innermost first."""
        known = self.next(2)
        self.locations += message(4, number(1, known), number(2, mapping), number(3, address),
                                  *(message(4, number(1, function), number(2, line)) for function, line in lines))
        return known

    def sample(self, locations, values, labels=(), packed=True):
        """`locations` the innermost first; `labels` of (key, text or number)."""
        lists = [numbers(1, locations), numbers(2, values)] if packed else [
            varint(field << 3) + varint(value) for field, list_ in ((1, locations), (2, values)) for value in list_]
        self.samples += message(2, *lists, *(
            message(3, number(1, self.string(key)),
                    number(2, self.string(value)) if isinstance(value, str) else number(3, value))
            for key, value in labels))

    def bytes(self):
        strings = b"".join(message(6, text.encode()) for text in self.strings)
        return self.types + self.samples + self.mappings + self.locations + self.functions + strings + self.end
