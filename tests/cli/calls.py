"""programs/calls.c, in which each call is followed by an inlined function of the next line, and where
its calls return to."""

import functools
import re
import shutil
from typing import NamedTuple

from building import OURS, command, need

SOURCE = OURS / "calls.c"
CALLERS = ("caller", "outer")  # of callee(), of caller()

# name: the options of clang; all of them link with lld
MACHINES = {
    "arm": ("--target=armv7a-linux-gnueabihf", "-marm"),
    "thumb": ("--target=armv7a-linux-gnueabihf", "-mthumb"),
    "aarch64": ("--target=aarch64-linux-gnu",),
    "i386": ("--target=i386-linux-gnu",),
    "x86-64": ("--target=x86_64-linux-gnu",),
    "micromips": ("--target=mipsel-linux-gnu", "-mmicromips", "-mips32r2"),
    "mips": ("--target=mips-linux-gnu",),
    "ppc64le": ("--target=powerpc64le-linux-gnu",),
    "riscv64": ("--target=riscv64-linux-gnu", "-march=rv64gc", "-mno-relax"),
}
DELAYED = ("mips", "micromips")  # one more instruction is executed before the call


def build_bare(name, directory):
    """For another machine, whose libraries it needs none of."""
    need("clang")
    need("ld.lld")
    path = directory / f"calls-{name}"
    command("clang", *MACHINES[name], "-fuse-ld=lld", "-nostdlib", "-ffreestanding", "-static",
            "-fno-pic", "-g", "-O1", "-DBARE", SOURCE, "-o", path)
    return path


class Call(NamedTuple):
    call: int   # the address of the instruction
    after: int  # what it returns to


@functools.cache
def _disassembled(path):
    """{function: [(address, text), ...]}"""
    tool = "llvm-objdump" if shutil.which("llvm-objdump") else "objdump"
    need(tool)
    code, lines = {}, []
    for line in command(tool, "-d", "--no-show-raw-insn", path).splitlines():
        heading = re.match(r"[0-9a-f]+ <((?!\.L).+)>:", line)  # not a label, as .L0 of Clang 19
        instruction = re.match(r" *([0-9a-f]+):\s*(\S.*)", line)
        if heading:
            lines = code.setdefault(heading[1], [])
        elif instruction:
            lines.append((int(instruction[1], 16), instruction[2]))
    return code


def call_of(path, function, callee, delayed=False):
    """The first call of `callee` in `function`."""
    lines = _disassembled(path)[function]
    number = next(i for i, (_, text) in enumerate(lines)
                  if re.search(rf"<{callee}(\+0x8)?>", text) or text.startswith("jalr")
                  or not callee and re.match(r"call.*\*", text))
    return Call(lines[number][0], lines[number + 1 + delayed][0])


def instructions(path, function):
    """[(address, text), ...]"""
    return _disassembled(path)[function]


def start_of(path, function):
    return instructions(path, function)[0][0]


def line_of(text):
    """The number of the line of calls.c that begins with a text."""
    lines = SOURCE.read_text().splitlines()
    return next(number for number, line in enumerate(lines, 1) if line.strip().startswith(text))
