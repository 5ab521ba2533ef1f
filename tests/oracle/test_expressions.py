"""Location expressions that calculate: our evaluator and GDB give the same values."""

import os
import random
import shutil
import struct
import subprocess
from pathlib import Path

import compare
import pytest

COUNT = 2000
# Name of two letters, size, encoding (DW_ATE_*): of each a base type.
TYPES = [("u1", 1, 8), ("s1", 1, 6), ("u2", 2, 7), ("s2", 2, 5), ("u4", 4, 7), ("s4", 4, 5),
         ("u8", 8, 7), ("s8", 8, 5), ("f4", 4, 4), ("f8", 8, 4)]
ROOT = b"\x01t\0\x0c"  # abbreviation, name, language: C99
HEADER = 11  # of a unit of DWARF 4, with 32-bit offsets
U8 = 6  # in TYPES
ABBREV = bytes([1, 0x11, 1, 0x03, 0x08, 0x13, 0x0b, 0, 0,              # a unit: name, language
                2, 0x24, 0, 0x03, 0x08, 0x0b, 0x0b, 0x3e, 0x0b, 0, 0,  # a type: name, size, encoding
                3, 0x34, 0, 0x03, 0x08, 0x49, 0x13, 0x02, 0x18, 0, 0,  # a variable: name, type,
                0])                                                    # location
CONSTANTS = [0, 1, 2, 3, 7, 100, 255, 256, 0x7fffffff, 0x80000000, 0xffffffff, 0x123456789abcdef,
             2**64 - 1, 2**64 - 2, 2**64 - 100, 2**64 - 2**31]
SHL, SHR, SHRA, MOD, NEG = 0x24, 0x25, 0x26, 0x1d, 0x1f
INTEGER = [0x1a, 0x21, 0x27]  # and, or, xor
EITHER = [0x1b, 0x1c, 0x1e, 0x22]  # div, minus, mul, plus
COMPARE = [0x29, 0x2a, 0x2b, 0x2c, 0x2d, 0x2e]
ABS, NOT = 0x19, 0x20


def offset_of(type_number):
    return HEADER + len(ROOT) + type_number * 6


def constant(rng, kind):
    """A number of the type, None being the generic one."""
    if kind is None:
        return b"\x0e" + struct.pack("<Q", rng.choice(CONSTANTS))
    _, size, encoding = TYPES[kind]
    if encoding == 4:
        number = rng.choice([0.5, 1.0, -1.0, 3.25, -7.75, 1e6, 0.1, -1e-3])
        data = struct.pack("<f" if size == 4 else "<d", number)
    else:
        data = struct.pack("<Q", rng.choice(CONSTANTS))[:size]
    return bytes([0xf4, offset_of(kind), size]) + data  # GNU_const_type: the unit is of DWARF 4


def is_float(kind):
    return kind is not None and TYPES[kind][2] == 4


def is_signed(kind):
    return kind is not None and TYPES[kind][2] in (5, 6)


def operation(rng, kind):
    """Arithmetic with a constant. GDB's remainder of signed numbers is that of a floor, not of a
    compiler's division, it takes one by zero, and its minus 0.0 is 0.0: not asked for."""
    code = constant(rng, kind)
    if is_float(kind):
        return code + bytes([*rng.choice([[], [NEG]]), rng.choice(EITHER)])
    code += bytes([rng.choice(EITHER + INTEGER)])
    if not is_signed(kind) and rng.random() < 0.1:
        size = 8 if kind is None else TYPES[kind][1]
        seven = bytes([0x37]) if kind is None else bytes([0xf4, offset_of(kind), size, 7]) + bytes(
            size - 1)
        code += seven + bytes([MOD])
    return code


def convert(kind):
    return bytes([0xf7, 0 if kind is None else offset_of(kind)])


def calculation(rng):
    """An expression that leaves a generic number."""
    kind = rng.choice([None, None, *range(len(TYPES))])
    code = constant(rng, kind)
    for _ in range(rng.randrange(1, 8)):
        choice = rng.random()
        if choice < 0.5:
            code += operation(rng, kind)
        elif choice < 0.6 and kind is None:
            # Of other types GDB's result has another sign than the number had.
            code += bytes([0x30 + rng.randrange(32), rng.choice([SHL, SHR, SHRA])])
        elif choice < 0.7:
            code += bytes([ABS if is_float(kind) else rng.choice([ABS, NEG, NOT])])
        elif choice < 0.8:
            code += constant(rng, kind) + bytes([rng.choice(COMPARE)])
            kind = None
        elif not is_float(kind):  # not from one: what does not fit has no value
            kind = rng.choice([None, *range(len(TYPES))])
            code += convert(kind)
        elif rng.random() < 0.5:
            kind = 17 - kind  # the other of the two
            code += convert(kind)
    if is_float(kind):  # as its bits
        kind = U8 - 2 if TYPES[kind][1] == 4 else U8
        code += bytes([0xf9, offset_of(kind)])
    return code + (b"" if kind is None else convert(None)) + b"\x9f"


def uleb(number):
    out = b""
    while number > 127:
        out += bytes([number & 127 | 128])
        number >>= 7
    return out + bytes([number])


def program(directory, expressions):
    """A program with a variable for each expression: v0, v1 and so on."""
    dies = ROOT + b"".join(b"\x02" + name.encode() + bytes([0, size, encoding])
                           for name, size, encoding in TYPES)
    for number, code in enumerate(expressions):
        dies += (b"\x03v%d\0" % number + struct.pack("<I", offset_of(U8)) + uleb(len(code)) + code)
    dies += b"\0"
    unit = struct.pack("<HIB", 4, 0, 8) + dies
    source = directory / "expressions.s"
    sections = {".debug_info": struct.pack("<I", len(unit)) + unit, ".debug_abbrev": ABBREV}
    lines = ["\t.globl main", "main:", "\t.byte 0xc3"]
    for name, data in sections.items():
        lines.append(f'\t.section {name},"",@progbits')
        lines += ["\t.byte " + ",".join(map(str, data[at:at + 64]))
                  for at in range(0, len(data), 64)]
    lines.append('\t.section .note.GNU-stack,"",@progbits\n')
    source.write_text("\n".join(lines))
    subprocess.run(["gcc", source, "-o", directory / "expressions"], check=True)
    return directory / "expressions"


ASK = """import gdb
for number in range(%d):
    try:
        print("%%x" %% (int(gdb.parse_and_eval("v%%d" %% number)) & 0xffffffffffffffff))
    except gdb.error as error:
        print("error: %%s" %% str(error).splitlines()[0])
"""


def answers_of_gdb(path, count):
    script = path.with_suffix(".py")
    script.write_text(ASK % count)
    run = subprocess.run(["gdb", "-nx", "-batch", "-x", script, path], capture_output=True, text=True,
                         check=True)
    return run.stdout.splitlines()[-count:]


def takes_low_bytes(directory):
    """Whether GDB does so where it converts a negative number to a smaller type: GDB 16 takes those
    of the absolute value, and loses signs elsewhere too."""
    s2, u1 = 3, 0
    code = bytes([0xf4, offset_of(s2), 2, 0xef, 0xcd]) + convert(u1) + convert(None) + b"\x9f"
    return answers_of_gdb(program(directory, [code]), 1) == ["ef"]


def our_answers(expressions):
    program_path = Path(compare.program()).parents[1] / "tests" / "oracle" / "evaluate_lines"
    types = [f"{offset_of(i)}:{size}:{encoding}" for i, (_, size, encoding) in enumerate(TYPES)]
    run = subprocess.run([program_path, *types], capture_output=True, text=True, check=True,
                         input="".join(code.hex() + "\n" for code in expressions))
    return run.stdout.splitlines()


@pytest.mark.skipif(not shutil.which("gdb") or os.uname().machine != "x86_64",
                    reason="no gdb, or no x86-64")
def test_calculations_are_those_of_gdb(tmp_path):
    if not takes_low_bytes(tmp_path):
        pytest.skip("this GDB converts negative numbers wrongly")
    rng = random.Random(1)
    expressions = [calculation(rng) for _ in range(COUNT)]
    theirs = answers_of_gdb(program(tmp_path, expressions), COUNT)
    ours = our_answers(expressions)
    assert len(ours) == len(theirs) == COUNT
    different = [f"{code.hex()}: {our}, GDB {their}"
                 for code, our, their in zip(expressions, ours, theirs)
                 if our != their and not (our.startswith("error") and their.startswith("error"))]
    assert not different, "\n".join(different[:20])
    assert sum(not our.startswith("error") for our in ours) > COUNT * 0.8
