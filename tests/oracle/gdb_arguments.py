"""Run by gdb: stops a program at addresses, and writes down the registers and what is in memory.

The plan is a JSON file named by ARGUMENTS_PLAN: the program, the addresses to stop at, and `trace`.
At an address of `entries` the registers, the canonical frame address and the top of the stack are
written; at one of `hosts`, where functions begin, the registers that they were entered with; in
`trace` its arguments and where it returns to. Each stop is a line of JSON in the plan's output.
"""

import json
import os

import gdb  # pylint: disable=import-error

REGISTERS = ["rax", "rdx", "rcx", "rbx", "rsi", "rdi", "rbp", "rsp", "r8", "r9", "r10", "r11",
             "r12", "r13", "r14", "r15"]
ARGUMENTS = ["rdi", "rsi", "rdx", "rcx", "r8"]
MOST_STOPS = 20000


def registers():
    frame = gdb.newest_frame()
    return {name: int(frame.read_register(name)) & (1 << 64) - 1 for name in REGISTERS}


def frame_address():
    frame = gdb.newest_frame()
    while frame.type() == gdb.INLINE_FRAME:
        frame = frame.older()
    return int(frame.older().read_register("rsp")) & (1 << 64) - 1


def word_at(addr):
    memory = gdb.selected_inferior().read_memory(addr, 8)
    return int.from_bytes(bytes(memory), "little")


def memory_at(addr, size):
    try:
        return bytes(gdb.selected_inferior().read_memory(addr, size)).hex()
    except gdb.MemoryError:
        return ""


def arguments_at(addr):
    """The arguments as gdb has them, by function, of all copies that are there."""
    found, block = {}, gdb.block_for_pc(addr)
    while block and not block.is_static:
        if block.function:
            values = found.setdefault(block.function.name, {})
            for symbol in block:
                if symbol.is_argument:
                    try:
                        value = int(symbol.value(gdb.newest_frame()))
                        values[symbol.name] = value & (1 << 64) - 1
                    except gdb.error:  # optimised out
                        pass
        block = block.superblock
    return found


def main():
    with open(os.environ["ARGUMENTS_PLAN"], encoding="ascii") as file:
        plan = json.load(file)
    gdb.execute("set pagination off")
    gdb.execute("set confirm off")
    gdb.execute("set backtrace past-main on")
    gdb.execute("set startup-with-shell off")
    gdb.execute("set disable-randomization on")
    for addr in sorted({*plan["entries"], *plan["hosts"], plan["trace"]}):
        gdb.Breakpoint(f"*{addr:#x}", internal=True)
    entries, hosts = set(plan["entries"]), set(plan["hosts"])
    gdb.execute("run > /dev/null", to_string=True)
    with open(plan["output"], "w", encoding="ascii") as output:
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
                stop["gdb"] = arguments_at(stop["pc"])
                stop["data"] = [[addr, memory_at(addr, size)] for addr, size in plan["data"]]
            output.write(json.dumps(stop) + "\n")
            gdb.execute("continue", to_string=True)
        output.write(json.dumps("end") + "\n")


main()
