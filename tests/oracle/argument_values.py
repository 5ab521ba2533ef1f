"""What a location is worth at a stop: the text that inlinecall prints of it, evaluated, if it is
not an expression."""

import re

WORD = (1 << 64) - 1


class Unknown(Exception):
    """The value cannot be had from what was written down at the stop."""


class Stop:
    """Registers and memory at a stop of gdb_arguments.py."""

    def __init__(self, stop, entered, constants):
        self.registers, self.cfa = stop["registers"], stop["cfa"]
        self.parts = [(stop["base"], bytes.fromhex(stop["stack"]))]
        self.parts += [(addr, bytes.fromhex(data)) for addr, data in [*stop["data"], *constants]]
        self.entered = entered  # the registers with which the function was entered, by its CFA

    def register(self, name):
        if name not in self.registers:
            raise Unknown(name)
        return self.registers[name]

    def entry_register(self, name):
        if self.cfa not in self.entered:
            raise Unknown("where the function was entered")
        return self.entered[self.cfa][name]

    def memory(self, addr, size):
        for start, data in self.parts:
            if start <= addr and addr + size <= start + len(data):
                return int.from_bytes(data[addr - start:addr - start + size], "little")
        raise Unknown(f"memory at {addr:#x}")


def closing(text, start):
    """Where the parenthesis ends that begins at `start`."""
    depth = 0
    for i in range(start, len(text)):
        depth += {"(": 1, ")": -1}.get(text[i], 0)
        if depth == 0:
            return i
    raise ValueError(text)


def load_parts(text):
    """The type and the address of "*(TYPE *)(ADDRESS)", and what follows."""
    end = closing(text, 1)
    last = closing(text, end + 1)
    return text[2:end], text[end + 2:last], text[last + 1:]


def sum_of(text, stop):
    """A sum: a register, an address, a number or a load, and an offset."""
    if text.startswith("*("):
        kind, address, rest = load_parts(text)
        size = int(re.fullmatch(r"u(\d+) \*", kind)[1]) // 8
        value = stop.memory(sum_of(address, stop), size)
    else:
        match = re.match(r"%(\w+)|CFA|entry\(%(\w+)\)|&?(0x[0-9a-f]+)|(-?\d+)", text)
        if not match:
            raise ValueError(text)
        rest = text[match.end():]
        if match[1]:
            value = stop.register(match[1])
        elif match[2]:
            value = stop.entry_register(match[2])
        elif match[3] or match[4]:
            value = int(match[3] or match[4], 0)
        else:
            value = stop.cfa
    return (value + (int(rest, 0) if rest else 0)) & WORD


def pieces_of(text, stop):
    value, shift = 0, 0
    for piece in text[1:-1].split(", "):
        where, size = piece.rsplit(":", 1)
        if where == "unavailable" or not size.isdigit():
            raise Unknown(piece)
        value |= (value_of(where, "memory" if where.startswith("*") else "", int(size), stop)
                  & (1 << 8 * int(size)) - 1) << shift
        shift += 8 * int(size)
    return value


def value_of(text, kind, size, stop):
    """The value of an argument of `size` bytes, as an unsigned number; None if there is none."""
    if text.startswith("unavailable"):
        return None
    if text.startswith("computed"):
        raise Unknown("an expression")
    if text.startswith("{"):
        if re.fullmatch(r"\{[0-9a-f]{2}( [0-9a-f]{2})*\}", text):
            return int.from_bytes(bytes.fromhex(text[1:-1]), "little")
        return pieces_of(text, stop)
    if kind == "memory":
        _, address, _ = load_parts(text)
        return stop.memory(sum_of(address, stop), size)
    return sum_of(text, stop)
