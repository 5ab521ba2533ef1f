"""A kernel and a module in small, and what a running kernel would say of them."""

import functools
import platform
import re

import pytest

from building import OURS, command, need

LINKED = 0xffffffff81000000  # where the kernel is linked for
MOVED = 0x1e000000           # KASLR

SCRIPT = """
SECTIONS {
	. = 0;
	.data..percpu : { LONG(0) LONG(0) }
	. = 0xffffffff81000000;
	_text = .;
	_stext = .;
	.text : { *(.text .text.*) do_exit = .; }
	_etext = .;
	.data : { *(.data .data.* .bss .bss.*) }
	.notes : { *(.note.gnu.build-id) }
	/DISCARD/ : { *(.comment .note.* .eh_frame) }
}
PHDRS { percpu PT_LOAD; text PT_LOAD; }
"""
OPTIONS = ("-g", "-Os", "-fno-pie", "-fno-toplevel-reorder", "-fno-asynchronous-unwind-tables",
           "-fcf-protection=none", "-fno-stack-protector", "-ffreestanding")


def _need_x86():
    need("gcc")
    if platform.machine() != "x86_64":
        pytest.skip("the files are made for x86-64")


TABLE = """.data
.globl __start_mcount_loc, __stop_mcount_loc
__start_mcount_loc: .quad {}
__stop_mcount_loc:
.section .init.text, "ax"
.quad 0
"""


def build_kernel(directory, build_id=None, traced=()):
    """Linked high, with per-CPU data in a segment at 0, as x86's is; and with a table of functions that
    it can trace, if any are named."""
    _need_x86()
    script, output = directory / "vmlinux.lds", directory / "vmlinux"
    script.write_text(SCRIPT.replace("{ LONG(0) LONG(0) }", "{ LONG(0) LONG(0) } :percpu")
                      .replace("do_exit = .; }", "do_exit = .; } :text"))
    sources = [("kernel.c", ())] + [("kernel_more.c", (f"-DNUMBER={n}",)) for n in (1, 2)]
    objects = []
    for number, (source, defines) in enumerate(sources):
        objects.append(directory / f"kernel{number}.o")
        command("gcc", *OPTIONS, "-mcmodel=kernel", *defines, "-c", OURS / source,
                "-o", objects[-1])
    if traced:
        table = directory / "table.s"
        table.write_text(TABLE.format(", ".join(traced)))
        objects.append(directory / "table.o")
        command("gcc", "-c", table, "-o", objects[-1])
    command("ld", "-static", "-nostdlib", "-z", "noexecstack", f"--build-id={'0x' + build_id if build_id else 'none'}",
            "-T", script, *objects, "-o", output)
    return output


def build_module(directory, name="my-module.ko"):
    _need_x86()
    output = directory / name
    command("gcc", *OPTIONS, "-mcmodel=kernel", "-c", OURS / "module.c", "-o", output)
    return output


@functools.cache
def symbols(path):
    """{name: [(address, size), ...]} of functions, with the size that a kernel prints: up to the
    next symbol, or if none follows what the file says."""
    rows = re.findall(r"^([0-9a-f]{16})(?: ([0-9a-f]{16}))? [tT] (\S+)$",
                      command("nm", "-n", "-S", path), re.M)
    starts = sorted({int(start, 16) for start, _, _ in rows})
    found = {}
    for start, own, name in rows:
        start = int(start, 16)
        behind = [other for other in starts if other > start]
        size = behind[0] - start if behind else int(own or "0", 16)
        found.setdefault(name, []).append((start, size))
    return found


def symbol(path, name):
    """(address, size) of the only one of that name."""
    (only,) = symbols(path)[name]
    return only


def return_offset(path, caller, callee, number=0):
    """The offset in `caller` of the instruction after its call of `callee`."""
    start, size = symbol(path, caller)
    text = command("objdump", "-d", "--no-show-raw-insn", f"--disassemble={caller}", path)
    lines = [line.strip() for line in text.splitlines()]
    calls = [i for i, line in enumerate(lines)
             if re.search(rf"\b(call|jmp)q? .*<{re.escape(callee)}>", line)]
    rest = [re.match(r"([0-9a-f]+):", line) for line in lines[calls[number] + 1:]]
    behind = next((int(match[1], 16) for match in rest if match), start + size)
    return behind - start


def offset_of(path, function, mnemonic):
    """The offset of the first such instruction in a function."""
    text = command("objdump", "-d", "--no-show-raw-insn", f"--disassemble={function}", path)
    return int(re.search(rf"^ *([0-9a-f]+):\s+{mnemonic}", text, re.M)[1], 16) - symbol(
        path, function)[0]


def mention(path, name, offset, module=None):
    """As a kernel prints it: "reader+0x1f/0x30"."""
    text = f"{name}+{offset:#x}/{symbol(path, name)[1]:#x}"
    return f"{text} [{module}]" if module else text


def frames(run, path, *addresses):
    """What `inlinecall addr` says is at each, as lines of the filter."""
    answers = []
    for line in run("addr", "-s", path, *addresses).out.splitlines():
        address, function, place, *inlined = line.split("\t")
        if address:
            answers.append([])
        answers[-1].append(f"{function} at {place}" + (" (inlined)" if inlined else ""))
    return answers


def stack(run, path, address, *options):
    """The same in the words of `inlinecall addr`, without the address."""
    return run("addr", "-s", *options, path, address).out.split("\t", 1)[1]
