"""A small GSYM file costs little, whatever its functions share; and what is wrong in it is said."""

import struct

import pytest

from test_costs import check_costs

COUNT = 20000
END = struct.pack("<II", 0, 0)


def uleb(number):
    done = b""
    while number > 127:
        done += bytes([number & 127 | 128])
        number >>= 7
    return done + bytes([number])


def part(kind, content):
    return struct.pack("<II", kind, len(content)) + content


def call(ranges, children=b""):
    return (uleb(len(ranges) // 2) + ranges + bytes([children != b""]) + struct.pack("<I", 1) + uleb(1) + uleb(3) +
            (children + b"\0" if children else b""))


PARTS = {
    "parts": part(99, b"") * COUNT,
    "ranges": part(2, call(b"\0\x10" * COUNT)),
    "calls": part(2, call(b"\0\x10", call(b"\0\x08") * COUNT)),
    "lines": part(1, b"\x7f\1\1" + b"\5" * COUNT + b"\0"),  # all of the function's first address
    "merged": part(3, struct.pack("<I", COUNT) + (struct.pack("<III", 16, 16, 1) + END) * COUNT),
}


def gsym(parts, step):
    """A file of functions `step` bytes apart, all with one and the same description."""
    addrs = b"".join(struct.pack("<I", i * step) for i in range(COUNT))
    files = struct.pack("<IIIII", 2, 0, 0, 0, 1)
    strings_off = 48 + 8 * COUNT + len(files)
    infos = struct.pack("<I", strings_off + 3) * COUNT
    header = struct.pack("<IHBBQIII20x", 0x4753594d, 1, 4, 0, 0x1000, COUNT, strings_off, 3)
    return header + addrs + infos + files + b"\0f\0" + struct.pack("<II", 16, 1) + parts + END


@pytest.mark.parametrize("command", ["stats", "addr", "lines"])
@pytest.mark.parametrize("step", [16, 0])
@pytest.mark.parametrize("shared", PARTS)
def test_functions_of_gsym_may_share_what_they_have(program, tmp_path, shared, step, command):
    (tmp_path / "file").write_bytes(gsym(PARTS[shared], step))
    check_costs(program, tmp_path, command=[command], operands={"addr": ["0x1000"], "lines": ["f:3"]}.get(command, ()),
                statuses=(0, 1, 2))


@pytest.mark.parametrize("old, new, said", [
    (struct.pack("<IIIII", 2, 0, 0, 0, 1), struct.pack("<IIIII", 2, 0, 0, 0, 9999), "a source file, or its name, is not"),
    (struct.pack("<IIIII", 2, 0, 0, 0, 1), struct.pack("<IIIII", 1, 0, 0, 0, 1), "a source file, or its name, is not"),
    (part(2, call(b"\0\x10", call(b"\0\x08"))), part(2, call(b"\0\x10", call(b"\0\x08")) + b"\0\0"),
     "inlined calls end before their part"),
])
def test_damage_in_gsym_is_said(run, tmp_path, old, new, said):
    whole = gsym(part(2, call(b"\0\x10", call(b"\0\x08"))) + part(1, b"\x7f\1\1\5\0"), 16)
    (tmp_path / "file").write_bytes(whole)
    assert run("addr", tmp_path / "file", "0x1000")[::2] == (0, "")
    assert old in whole
    (tmp_path / "file").write_bytes(whole.replace(old, new))
    result = run("addr", tmp_path / "file", "0x1000")
    assert result.status == 2 and said in result.err
