"""Recordings of perf, made byte by byte: what was sampled is known."""

import os
import struct

IDENTIFIER, IP, TID, TIME, CHAIN, PERIOD = 1 << 16, 1, 2, 4, 1 << 5, 1 << 8
KERNEL_MARK, USER_MARK = (1 << 64) - 128, (1 << 64) - 512
EVENT = 1  # its number
ATTR_SIZE, HEADER_SIZE = 64, 104


def record(kind, misc, body):
    body += b"\0" * (-len(body) % 8)
    return struct.pack("<IHH", kind, misc, 8 + len(body)) + body


def text(name):
    name = os.fsencode(name)
    return name + b"\0" * (8 - len(name) % 8)


def comm(pid, tid, name):
    return record(3, 2 | 1 << 13 if pid == tid else 2, struct.pack("<II", pid, tid) + text(name))


def mapping(pid, start, size, offset, path, build_id=b""):
    file = struct.pack("<BxH20s", len(build_id), 0, build_id) if build_id else struct.pack("<QQQ", 0, 0, 0)
    return record(10, 2 | (1 << 14 if build_id else 0), struct.pack("<IIQQQ", pid, pid, start, size, offset) + file +
                  struct.pack("<II", 5, 2) + text(path))


def kernel_code(start, size, name):
    """Code that the kernel made itself, as of a BPF program."""
    return record(17, 1, struct.pack("<QIHH", start, size, 1, 0) + text(name))


def sample(pid, tid, time, weight, chain, mark=USER_MARK):
    """`chain` is of addresses in the program, the innermost first; callers are return addresses."""
    addresses = [mark, *chain]
    return record(9, 1 if mark == KERNEL_MARK else 2, struct.pack("<QQIIQQQ", EVENT, chain[0], pid, tid, time, weight, len(addresses)) +
                  struct.pack(f"<{len(addresses)}Q", *addresses))


def kernel_mapping(start, size, offset, path):
    """Where the kernel was, as "[kernel.kallsyms]_text" with the address of that symbol as the offset, or a module."""
    return record(1, 1, struct.pack("<IIQQQ", 0xffffffff, 0, start, size, offset) + text(path))


def recording(records, release=""):
    """The bytes of perf.data: of one event, the clock of the processor; with the release of the kernel."""
    attr = struct.pack("<IIQQQQQ", 1, ATTR_SIZE, 0, 1, IDENTIFIER | IP | TID | TIME | CHAIN | PERIOD, 0, 0)
    attr += b"\0" * (ATTR_SIZE - len(attr))
    data = b"".join(records)
    ids, attrs = HEADER_SIZE, HEADER_SIZE + 8
    first = attrs + ATTR_SIZE + 16
    feature = struct.pack("<I", len(text(release))) + text(release)
    features = struct.pack("<QQ", first + len(data) + 16, len(feature)) + feature if release else b""
    header = b"PERFILE2" + struct.pack("<QQQQQQQQ4Q", HEADER_SIZE, ATTR_SIZE + 16, attrs, ATTR_SIZE + 16,
                                       first, len(data), 0, 0, 1 << 4 if release else 0, 0, 0, 0)
    return header + struct.pack("<Q", EVENT) + attr + struct.pack("<QQ", ids, 8) + data + features
