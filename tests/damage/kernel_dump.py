"""A small dump as kdump leaves of a kernel: of a program that is linked where a kernel is.

Its stack is real. The same objects, linked at low addresses, crash as a program; what its core has of
the registers and the stack is then moved to where the kernel has it.
"""

import re
import struct
import subprocess

LOW, HIGH = 0x10000000, 0xffffffff81000000  # where the two are linked
STACK = 0xffffc90000000000
PHYSICAL = 0x1000000
STACK_SIZE = 0x1000
KERNEL_CODE, REGISTERS = 0x10, 112  # of NT_PRSTATUS: a segment, and where its registers begin
RIP, CS, RSP = 16, 17, 19
PT_LOAD, PT_NOTE, NT_PRSTATUS = 1, 4, 1
SOURCE = """
static inline __attribute__((always_inline)) int inlined(int n) {
	__builtin_trap();
	return n;
}
__attribute__((noinline)) int leaf(int n) { return n > 2 ? inlined(n) + 1 : n; }
__attribute__((noinline)) int middle(int n) { return leaf(n + 1) + 1; }
__attribute__((noinline)) int start_kernel(int n) { return middle(n + 2) * 2; }
__asm__(".globl _start\\n.type _start, @function\\n_start:\\n.cfi_startproc\\n.cfi_undefined rip\\n"
	"mov $5, %edi\\ncall start_kernel\\nud2\\n.cfi_endproc\\n.size _start, . - _start\\n");
"""
FLAGS = ("-g", "-O2", "-mcmodel=kernel", "-fno-pie", "-ffreestanding", "-fno-stack-protector",
         "-fasynchronous-unwind-tables")


def build(run, folder):
    """The program that crashes, and the kernel."""
    (folder / "kernel.c").write_text(SOURCE, encoding="ascii")
    run("gcc", *FLAGS, "-c", "kernel.c", cwd=folder)
    for name, start in ("low", LOW), ("vmlinux", HIGH):
        run("ld", "--build-id", "-z", "max-page-size=0x1000",
            f"-Ttext-segment={start:#x}", "kernel.o", "-o", name, cwd=folder)


def segments(data):
    """[(type, offset, address, size in the file), ...] of a 64-bit ELF file."""
    start, = struct.unpack_from("<Q", data, 32)
    size, count = struct.unpack_from("<HH", data, 54)
    found = (struct.unpack_from("<IIQQQQ", data, start + size * i) for i in range(count))
    return [(kind, offset, address, in_file) for kind, _, offset, address, _, in_file in found]


def status_of(core):
    """The content of NT_PRSTATUS."""
    at, = (offset for kind, offset, _, _ in segments(core) if kind == PT_NOTE)
    name, size, kind = struct.unpack_from("<III", core, at)
    assert kind == NT_PRSTATUS
    start = at + 12 + (name + 3) // 4 * 4
    return bytearray(core[start:start + size])


def note(name, kind, content):
    def padded(text):
        return text + b"\0" * (-len(text) % 4)
    return struct.pack("<III", len(name) + 1, len(content), kind) + padded(name + b"\0") + padded(content)


def dump_of(core, kernel):
    """The dump, from the core of the program and the kernel's file."""
    status = status_of(core)
    words = list(struct.unpack_from("<27Q", status, REGISTERS))
    pointer = words[RSP]
    kind, offset, start, size = next(found for found in segments(core) if found[0] == PT_LOAD
                                     and found[2] <= pointer < found[2] + found[3])
    top = min(pointer + STACK_SIZE, start + size)
    stack = core[offset + pointer - start:offset + top - start]

    def moved(value):
        if LOW <= value < LOW + 0x100000:
            return value - LOW + HIGH
        return value - pointer + STACK if pointer <= value < top else value

    words = [moved(word) for word in words]
    words[CS] = KERNEL_CODE
    struct.pack_into("<27Q", status, REGISTERS, *words)
    stack = b"".join(struct.pack("<Q", moved(word)) for word, in struct.iter_unpack("<Q", stack))
    build_id = re.search(rb"GNU\0(.{20})", kernel, re.DOTALL)[1].hex()
    notes = note(b"CORE", NT_PRSTATUS, bytes(status)) + note(b"VMCOREINFO", 0, (
        f"OSRELEASE=6.1.0\nBUILD-ID={build_id}\nPAGESIZE=4096\nKERNELOFFSET=0\n").encode())
    loaded = [(address, kernel[at:at + size]) for kind, at, address, size in segments(kernel)
              if kind == PT_LOAD] + [(STACK, stack)]
    return write(notes, loaded)


def write(notes, loaded):
    headers, content = [], b""
    begin = 64 + 56 * (1 + len(loaded))
    headers.append(struct.pack("<IIQQQQQQ", PT_NOTE, 0, begin, 0, 0, len(notes), len(notes), 4))
    content += notes
    physical = PHYSICAL
    for address, data in loaded:
        headers.append(struct.pack("<IIQQQQQQ", PT_LOAD, 7, begin + len(content), address, physical,
                                   len(data), len(data), 0))
        content += data
        physical += (len(data) + 0xfff) // 0x1000 * 0x1000
    header = b"\x7fELF\2\1\1" + b"\0" * 9 + struct.pack(
        "<HHIQQQIHHHHHH", 4, 62, 1, 0, 64, 0, 0, 64, 56, len(headers), 0, 0, 0)
    return header + b"".join(headers) + content
