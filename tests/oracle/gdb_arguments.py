"""Run by gdb: stops a program at addresses, and writes down the registers and what is in memory.

The plan is a JSON file named by ARGUMENTS_PLAN: the addresses to stop at, and `trace`. At an address
of `entries`, which have the functions and some addresses of the copies entered there, the registers, the canonical frame address, the top of the stack, what is in memory and
the arguments as gdb has them are written; at one of `hosts`, where functions begin, the registers that
they were entered with; in `trace` its arguments and where it returns to. Each stop is a line of JSON in
the plan's output; the first line is the memory that stays as it is.
"""

import json
import os
import re
import struct

import gdb  # pylint: disable=import-error

REGISTERS = ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
             "r12", "r13", "r14", "r15"]
ARGUMENTS = ["rdi", "rsi", "rdx", "rcx", "r8", "r9"]
MOST_STOPS = 20000
WORD = (1 << 64) - 1


def registers():
    frame = gdb.newest_frame()
    return {name: int(frame.read_register(name)) & WORD for name in REGISTERS}


def vectors():
    frame = gdb.newest_frame()
    halves = [frame.read_register(f"xmm{i}")["v2_int64"] for i in range(16)]
    return [(int(pair[1]) & WORD) << 64 | int(pair[0]) & WORD for pair in halves]


def frame_address():
    frame = gdb.newest_frame()
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return int(frame.older().read_register("rsp")) & WORD


def word_at(addr):
    memory = gdb.selected_inferior().read_memory(addr, 8)
    return int.from_bytes(bytes(memory), "little")


def memory_at(addr, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(addr, size)).hex()
    except gdb.MemoryError:
        return ""


def bytes_of(value):
    """The bytes of a value in memory as digits, with dots for those between the fields, and fields
    that are optimised out; gdb.error if all of it is."""
    kind = value.type.strip_typedefs()
    if kind.code in (gdb.TYPE_CODE_REF, gdb.TYPE_CODE_RVALUE_REF):
        return int(value.referenced_value().address).to_bytes(8, "little").hex()
    if kind.code == gdb.TYPE_CODE_STRUCT:
        whole = [".."] * kind.sizeof
        for field in kind.fields():
            try:
                part = bytes_of(value[field])
            except gdb.error:
                continue
            start = field.bitpos // 8
            whole[start:start + len(part) // 2] = [part[i:i + 2] for i in range(0, len(part), 2)]
        return "".join(whole)
    if kind.code == gdb.TYPE_CODE_FLT:
        return struct.pack("<d" if kind.sizeof == 8 else "<f", float(value)).hex()
    number = int(value) if kind.sizeof <= 8 else int(value.format_string(format="x"), 16)
    return (number & (1 << 8 * kind.sizeof) - 1).to_bytes(kind.sizeof, "little").hex()


def blocks_at(addr):
    """The functions at an address, and their blocks, innermost first."""
    block = gdb.block_for_pc(addr)
    while block and not block.is_static:
        if block.function:
            yield re.sub(r"\(.*", "", block.function.name).split("::")[-1], block
        block = block.superblock


def arguments_at(copies):
    """The bytes of the arguments as gdb has them, by function. A copy is looked for at all given
    addresses, since gdb does not find it at each if it has several ranges."""
    found = {}
    for function, addrs in copies:
        values = found.setdefault(function, {})
        block = next((block for addr in addrs for name, block in blocks_at(addr)
                      if name == function), ())
        for symbol in block:
            if symbol.is_argument and symbol.name not in values:
                try:
                    values[symbol.name] = bytes_of(symbol.value(gdb.newest_frame()))
                except (gdb.error, OverflowError, ValueError):  # optimised out, or not read
                    pass
    return found


def main():
    with open(os.environ["ARGUMENTS_PLAN"], encoding="ascii") as file:
        plan = json.load(file)
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set backtrace past-main on")
    gdb.execute("set startup-with-shell off")
    gdb.execute("set disable-randomization on")
    for addr in sorted({*map(int, plan["entries"]), *plan["hosts"], plan["trace"]}):
        gdb.Breakpoint(f"*{addr:#x}", internal=True)
    entries = {int(addr): copies for addr, copies in plan["entries"].items()}
    hosts = set(plan["hosts"])
    gdb.execute("run > /dev/null", to_string=True)
    with open(plan["output"], "w", encoding="ascii") as output:
        output.write(json.dumps([[addr, memory_at(addr, size)]
                                 for addr, size in plan["constants"]]) + "\n")
        for _ in range(MOST_STOPS):
            if gdb.selected_inferior().pid == 0:
                break
            stop = {"pc": int(gdb.newest_frame().read_register("pc")), "registers": registers()}
            if stop["pc"] == plan["trace"]:
                stop["arguments"] = [stop["registers"][name] for name in ARGUMENTS]
                stop["returns"] = word_at(stop["registers"]["rsp"])
            if stop["pc"] in hosts:
                stop["host"] = stop["registers"]["rsp"] + 8
            if stop["pc"] in entries:
                stop["cfa"] = frame_address()
                stop["base"] = stop["registers"]["rsp"] - 256
                stop["stack"] = memory_at(stop["base"], 1024)
                stop["gdb"] = arguments_at(entries[stop["pc"]])
                stop["vectors"] = vectors()
                stop["data"] = [[addr, memory_at(addr, size)] for addr, size in plan["data"]]
            output.write(json.dumps(stop) + "\n")
            gdb.execute("continue", to_string=True)
        output.write(json.dumps("end") + "\n")


main()
