"""Independent readers of GSYM and Breakpad files, to compare with. They are slow and trusting.

Both give the functions of a file: a list of Function, by address.
"""

import struct
from typing import NamedTuple


class Call(NamedTuple):
    name: str
    file: str    # where it was called
    line: int
    ranges: list  # [(start, end), ...]
    calls: list   # those inlined into it


class Function(NamedTuple):
    start: int
    end: int
    name: str
    calls: list
    rows: list  # [(address, end, file, line), ...]


class Bytes:
    def __init__(self, data, order, at=0):
        self.data, self.order, self.at = data, order, at

    def number(self, size):
        self.at += size
        return int.from_bytes(self.data[self.at - size:self.at], self.order)

    def uleb(self):
        value = shift = 0
        while True:
            byte = self.number(1)
            value |= (byte & 0x7f) << shift
            shift += 7
            if byte < 0x80:
                return value

    def sleb(self):
        start, value = self.at, self.uleb()
        bits = 7 * (self.at - start)
        return value - (1 << bits) if value >> (bits - 1) else value


class Gsym:
    def __init__(self, data):
        self.order = "little" if data[:4] == struct.pack("<I", 0x4753594d) else "big"
        head = Bytes(data, self.order, 4)
        self.data, self.version, width = data, head.number(2), head.number(1)
        other, base, count = head.number(1), head.number(8), head.number(4)
        self.width = 4 if self.version == 1 else 8
        if self.version == 1:
            strings, size = head.number(4), head.number(4)
            self.id = data[head.at:head.at + other]
            tables = {1: -(-48 // width) * width, 3: strings}
            tables[2] = -(-(tables[1] + count * width) // 4) * 4
            tables[4], first = tables[2] + 4 * count, 0
        else:
            tables = {}
            while kind := head.number(4):
                tables[kind], size = head.number(8), head.number(8)
                if kind == 6:
                    self.id = data[tables[kind]:tables[kind] + size]
            first = tables[5]
        self.strings, files = tables[3], Bytes(data, self.order, tables[4])
        self.files = [self.path(files.number(self.width), files.number(self.width))
                      for _ in range(files.number(4))]
        starts, infos = Bytes(data, self.order, tables[1]), Bytes(data, self.order, tables[2])
        starts = [base + starts.number(width) for _ in range(count)]
        self.functions = [self.function(start, first + infos.number(self.width)) for start in starts]
        for number, function in enumerate(self.functions):  # of an unknown size: up to the next one
            if function.start == function.end:
                end = min((start for start in starts if start > function.start), default=function.end + 1)
                self.functions[number] = function._replace(end=end)

    def string(self, off):
        start = self.strings + off
        return self.data[start:self.data.index(0, start)].decode(errors="surrogateescape")

    def path(self, directory, name):
        directory, name = self.string(directory), self.string(name)
        return f"{directory}/{name}" if directory and directory != "/" else directory + name

    def function(self, start, at):
        info, rows, calls = Bytes(self.data, self.order, at), [], []
        end, name = start + info.number(4), self.string(info.number(self.width))
        while kind := info.number(4):
            size = info.number(4)
            part = Bytes(self.data, self.order, info.at)
            if kind == 1:
                rows = self.rows(part, start, end)
            elif kind == 2:
                calls = self.call(part, start).calls
            info.at += size
        return Function(start, end, name, calls, rows)

    def rows(self, part, addr, end):
        least, most, line, file, starts = part.sleb(), part.sleb(), part.uleb(), 1, []
        while operation := part.number(1):
            if operation == 1:
                file = part.uleb()
                continue
            if operation == 3:
                line += part.sleb()
                continue
            if operation == 2:
                addr += part.uleb()
            else:
                steps, step = divmod(operation - 4, most - least + 1)
                addr, line = addr + steps, line + least + step
            starts.append((addr, self.files[file], line))
        ends = [row[0] for row in starts[1:]] + [end]
        return [(addr, end, file, line) for (addr, file, line), end in zip(starts, ends)]

    def call(self, part, base):
        ranges = []
        for _ in range(part.uleb()):
            start = base + part.uleb()
            ranges.append((start, start + part.uleb()))
        if not ranges:
            return None
        has_calls, name = part.number(1), self.string(part.number(self.width))
        file, line, calls = self.files[part.uleb()], part.uleb(), []
        while has_calls and (inner := self.call(part, ranges[0][0])):
            calls.append(inner)
        return Call(name, file, line, ranges, calls)


class Breakpad:
    def __init__(self, text):
        self.files, self.origins, self.functions, self.symbols, self.stack = {}, {}, [], [], []
        for line in text.splitlines():
            word, _, rest = line.partition(" ")
            if word == "FILE":
                number, _, name = rest.partition(" ")
                self.files[int(number)] = name
            elif word == "INLINE_ORIGIN":
                number, _, name = rest.partition(" ")
                self.origins[int(number)] = name
        for line in text.splitlines():
            self.take(*line.split(" ", 1))

    def take(self, word, rest):
        if word == "MODULE":
            self.module = rest.split(" ", 3)
        elif word == "INFO":
            self.id = bytes.fromhex(rest.split()[1])
        elif word == "FUNC":
            start, size, _, name = rest.split(" ", 3)
            self.open = [[]]
            self.functions.append(Function(int(start, 16), int(start, 16) + int(size, 16), name,
                                           self.open[0], []))
        elif word == "PUBLIC":
            start, _, name = rest.split(" ", 2)
            self.symbols.append((int(start, 16), name))
        elif word == "INLINE":
            depth, line, file, origin, *places = rest.split()
            places = [int(place, 16) for place in places]
            ranges = [(start, start + size) for start, size in zip(places[::2], places[1::2])]
            call = Call(self.origins[int(origin)], self.files[int(file)], int(line), ranges, [])
            del self.open[int(depth) + 1:]
            self.open[-1].append(call)
            self.open.append(call.calls)
        elif word == "STACK":
            self.stack.append(rest)
        elif word not in ("FILE", "INLINE_ORIGIN"):
            size, line, file = rest.split()
            start = int(word, 16)
            self.functions[-1].rows.append((start, start + int(size, 16), self.files[int(file)],
                                            int(line)))


def frames(functions, addr):
    """The frames at an address, innermost first: [(name, file, line), ...]; [] in no function."""
    around = [function for function in functions if function.start <= addr < function.end]
    if not around:
        return []
    function = max(around, key=lambda function: function.start)
    chain, calls = [], function.calls
    while inner := [call for call in calls if any(start <= addr < end for start, end in call.ranges)]:
        chain.append(inner[0])
        calls = inner[0].calls
    row = next(((file, line) for start, end, file, line in function.rows if start <= addr < end),
               ("", 0))
    names = [function.name, *(call.name for call in chain)]
    places = [*((call.file, call.line) for call in chain), row]
    return [(name, *place) for name, place in zip(reversed(names), reversed(places))]


def addresses(functions):
    """The addresses at which frames may change, and the last ones before."""
    found = set()

    def take(calls):
        for call in calls:
            for start, end in call.ranges:
                found.update((start, end - 1, end))
            take(call.calls)

    for function in functions:
        found.update((function.start, function.end - 1, function.end))
        found.update(start for start, *_ in function.rows)
        take(function.calls)
    return sorted(found)


def call_frames(stack):
    """The rows of STACK CFI lines: [(start, end, {name: rule in postfix notation}), ...]"""
    rows, rules, end = [], {}, 0
    for line in stack:
        kind, *words = line.removeprefix("CFI ").split()
        if kind == "INIT":
            start, size, *words = words
            start, rules = int(start, 16), {}
            end = start + int(size, 16)
        else:
            start = int(kind, 16)
            rows[-1] = (rows[-1][0], start, rows[-1][2])
        name = None
        for word in words:
            if word.endswith(":"):
                name = word[:-1]
                rules = {**rules, name: ""}
            else:
                rules[name] = f"{rules[name]} {word}".strip()
        rows.append((start, end, rules))
    return rows
