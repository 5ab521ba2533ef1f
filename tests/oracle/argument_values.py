"""What a location is worth at a stop: the text that inlinecall prints of it, evaluated."""

import re

WORD = (1 << 64) - 1


class Unknown(Exception):
    """The value cannot be had from what was written down at the stop."""


class Stop:
    """Registers and memory at a stop of gdb_arguments.py."""

    def __init__(self, stop, entered, frame_is_cfa):
        self.frame_is_cfa = frame_is_cfa  # the frame base is: so has GCC it on x86-64
        self.registers, self.cfa = stop["registers"], stop["cfa"]
        self.parts = [(stop["base"], bytes.fromhex(stop["stack"]))]
        self.parts += [(addr, bytes.fromhex(data)) for addr, data in stop["data"]]
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
        return computed(text.partition(": ")[2], size, stop)
    if text.startswith("{"):
        if re.fullmatch(r"\{[0-9a-f]{2}( [0-9a-f]{2})*\}", text):
            return int.from_bytes(bytes.fromhex(text[1:-1]), "little")
        return pieces_of(text, stop)
    if kind == "memory":
        _, address, _ = load_parts(text)
        return stop.memory(sum_of(address, stop), size)
    return sum_of(text, stop)


# ---- Expressions

def signed(value, size=8):
    value &= (1 << 8 * size) - 1
    return value - (1 << 8 * size) if value >> (8 * size - 1) else value


BINARY = {
    "plus": lambda a, b: a + b, "minus": lambda a, b: a - b, "mul": lambda a, b: a * b,
    "and": lambda a, b: a & b, "or": lambda a, b: a | b, "xor": lambda a, b: a ^ b,
    "shl": lambda a, b: a << b if b < 64 else 0, "shr": lambda a, b: a >> b if b < 64 else 0,
    "shra": lambda a, b: signed(a) >> min(b, 63),
    "eq": lambda a, b: a == b, "ne": lambda a, b: a != b,
    "lt": lambda a, b: signed(a) < signed(b), "gt": lambda a, b: signed(a) > signed(b),
    "le": lambda a, b: signed(a) <= signed(b), "ge": lambda a, b: signed(a) >= signed(b),
}


def operations(text):
    """The operations of an expression: commas inside of parentheses are theirs."""
    depth, start = 0, 0
    for i, char in enumerate(text):
        depth += {"(": 1, ")": -1}.get(char, 0)
        if depth == 0 and text.startswith(", DW_OP", i):
            yield text[start:i]
            start = i + 2
    yield text[start:]


TYPES = {"char": (1, True), "signed char": (1, True), "unsigned char": (1, False),
         "short int": (2, True), "short unsigned int": (2, False), "int": (4, True),
         "unsigned int": (4, False), "long int": (8, True), "long unsigned int": (8, False),
         "_Bool": (1, False), "word": (8, False)}


def converted(value, operand):
    """The value as DW_OP_convert makes it of that type: '(0x2a) "int"'."""
    match = re.fullmatch(r'\(?0x\w+\)?(?: "(.*)")?', operand)
    name = match and match[1]
    if name is None:
        return value  # the generic type
    llvm = re.fullmatch(r"DW_ATE_(un)?signed(?:_char)?_(\d+)", name)
    if llvm and int(llvm[2]) % 8 == 0:
        size, is_signed = int(llvm[2]) // 8, not llvm[1]
    elif name in TYPES:
        size, is_signed = TYPES[name]
    else:
        raise Unknown(f"type {name}")
    if size > 8:
        raise Unknown(f"type {name}")
    return signed(value, size) & WORD if is_signed else value & (1 << 8 * size) - 1


def computed(text, size, stop):
    stack, is_value, is_typed = [], False, False
    for operation in operations(text):
        name, _, operand = operation.removeprefix("DW_OP_").partition(" ")
        if match := re.fullmatch(r"(\w+)([+-]\d+)", operand):
            operand = match[2]
            stack.append((stop.register(match[1]) + int(operand)) & WORD)
        elif match := re.fullmatch(r"lit(\d+)", name):
            stack.append(int(match[1]))
        elif re.fullmatch(r"const\w+", name) and name != "const_type":
            stack.append(int(operand.split()[0], 0) & WORD)
        elif name == "plus_uconst":
            stack.append((stack.pop() + int(operand, 0)) & WORD)
        elif name in BINARY:
            # A debugger does not compute with a value of some type and one of the generic type.
            if is_typed:
                raise Unknown("arithmetic on types")
            right, left = stack.pop(), stack.pop()
            stack.append(int(BINARY[name](left, right)) & WORD)
        elif name in ("neg", "not", "abs"):
            value = stack.pop()
            stack.append({"neg": -value, "not": ~value, "abs": abs(signed(value))}[name] & WORD)
        elif name == "dup":
            stack.append(stack[-1])
        elif name == "swap":
            stack[-1], stack[-2] = stack[-2], stack[-1]
        elif name == "deref":
            stack.append(stop.memory(stack.pop(), 8))
        elif name == "deref_size":
            stack.append(stop.memory(stack.pop(), int(operand, 0)))
        elif match := re.fullmatch(r"(?:GNU_)?entry_value\(DW_OP_reg\d+ (\w+)\)", operation[6:]):
            stack.append(stop.entry_register(match[1]))
        elif name == "convert":
            stack.append(converted(stack.pop(), operand))
            is_typed = '"' in operand
        elif name == "addr":
            stack.append(int(operand.split()[0], 0))
        elif name == "fbreg" and stop.frame_is_cfa:
            stack.append((stop.cfa + int(operand)) & WORD)
        elif name == "call_frame_cfa":
            stack.append(stop.cfa)
        elif name == "stack_value":
            is_value = True
        else:
            raise Unknown(operation)
    return stack[-1] if is_value else stop.memory(stack[-1], size)
