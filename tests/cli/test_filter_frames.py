"""`inlinecall addr --filter`: frames with a function, which says where their file is and of which build,
and frames of kernels. What programs print is in test_filter_logs.py."""

import re

import pytest

import calls
import kernels
from building import command, need


@pytest.fixture(scope="module")
def moved(tmp_path_factory):
    need("gcc")
    path = tmp_path_factory.mktemp("frames") / "prog"
    command("gcc", "-g", "-O1", "-pie", "-fPIE", calls.SOURCE, "-o", path)
    return path


@pytest.fixture(scope="module")
def fixed(tmp_path_factory):
    need("gcc")
    path = tmp_path_factory.mktemp("frames") / "fixed"
    command("gcc", "-g", "-O1", "-no-pie", "-fno-pie", calls.SOURCE, "-o", path)
    return path


@pytest.fixture(scope="module")
def kernel(tmp_path_factory):
    return kernels.build_kernel(tmp_path_factory.mktemp("kernel"))


def functions(follow):
    return [line.split("()")[0] for line in follow]


def after(path, function, callee):
    return calls.call_of(path, function, callee).after


@pytest.fixture(name="note")
def fixture_note():
    return lambda name, path: [f"({name} has another address in {path.name}: the text is from another build)"]


# Text of another build.

def test_a_function_that_is_elsewhere_is_of_another_build(filtered, moved, note):
    """As coredumpctl prints it, and others that have an offset."""
    start = calls.start_of(moved, "callee")
    want = note("outer", moved)
    for text in (f"#0  0x000055d0c0f1b1a7 outer (prog + {start:#x})",
                 f"    #0 0x55d0c0f1b1a7 in outer /src/a.c:1:2 ({moved}+{start:#x})",
                 f"C  [prog+{start:#x}]  outer+0x17"):
        assert filtered(text, moved, status=1) == [want]
        assert functions(filtered(text.replace("outer", "callee"), moved)[0])[-1] == "callee"
    # What has no name says nothing, nor does one that is spelt in a way of its own.
    for name in ("n/a", "??", "<unknown>", "ns::other(int)"):
        text = f"#0  0x000055d0c0f1b1a7 {name} (prog + {start:#x})"
        assert functions(filtered(text, moved)[0])[-1] == "callee"


def test_a_function_of_c_that_the_file_lacks_is_of_another_build(filtered, moved, note, tmp_path):
    text = f"#0  0x000055d0c0f1b1a7 gone (prog + {calls.start_of(moved, 'callee'):#x})"
    assert filtered(text, moved, status=1) == [note("gone", moved)]
    stripped = tmp_path / "prog"
    command("strip", "-o", stripped, moved)
    assert not any("another build" in line for line in filtered(text, stripped, status=2)[0])


def test_a_function_that_is_inlined_there_agrees(filtered, moved):
    address = next(at for at, text in calls.instructions(moved, "callee")
                   if re.search(r"\(%r\w+\)", text) and "rip" not in text)
    for name in ("fault", "callee"):
        text = f"#0  0x000055d0c0f1b1a7 {name} (prog + {address:#x})"
        assert functions(filtered(text, moved)[0]) == ["fault", "callee"]


def test_addresses_of_a_program_that_is_not_moved_are_compared_too(filtered, fixed, note):
    address = after(fixed, "caller", "callee")
    text = f"#1  0x{address:016x} in {{}} (x=1) at calls.c:3"
    assert functions(filtered(text.format("caller"), fixed)[0]) == ["caller"]
    assert filtered(text.format("outer"), fixed, status=1) == [note("outer", fixed)]
    assert functions(filtered(text.format("ns::other"), fixed)[0]) == ["caller"]


# Where a file is.

def test_the_address_has_to_be_as_far_into_its_page_as_the_function(filtered, moved):
    address = 0x55d0c0f1a000 + after(moved, "caller", "callee")
    text = "#1  0x{:016x} in caller (x=1)"
    assert functions(filtered(text.format(address), moved)[0]) == ["caller"]
    assert filtered(text.format(address + 0x100), moved, status=1) == [[]]
    assert filtered(text.format(address).replace("caller", "other"), moved, status=1) == [[]]


def test_a_line_of_the_source_has_to_be_there(filtered, moved):
    address = 0x55d0c0f1a000 + after(moved, "caller", "callee")
    text = f"#1  0x{address:016x} in caller (x=1) at calls.c:"
    right = calls.line_of("int result = callee")
    assert functions(filtered(f"{text}{right}", moved)[0]) == ["caller"]
    assert filtered(f"{text}{right + 7}", moved, status=1) == [[]]


def test_a_function_of_several_pages_is_not_guessed(filtered, tmp_path):
    need("gcc")
    source, path = tmp_path / "large.c", tmp_path / "large"
    source.write_text("int large(int x)\n{\n" + '\tasm volatile("nop; nop; nop; nop");\n' * 1500 +
                      "\treturn x;\n}\nint main(void) { return large(0); }\n")
    command("gcc", "-g", "-O1", source, "-o", path)
    start = calls.start_of(path, "large")
    text = f"#0 0x55d0c0f1{start & 0xfff:04x} large"
    assert filtered(text, path, status=1) == [[]]


def test_arguments_are_no_places(filtered, fixed):
    """GDB prints pointers to functions with their names."""
    start = calls.start_of(fixed, "outer")
    text = (f"#1  0x{after(fixed, 'caller', 'callee'):016x} in caller (f={start:#x} <outer>, "
            f"g={start:#x}) at calls.c:3")
    assert [functions(one) for one in filtered(text, fixed)] == [["caller"]]


def test_a_frame_that_the_text_has_is_not_repeated(filtered, moved, run, tmp_path):
    """One without a column here: as in Go, whose tracebacks are compared in tests/oracle."""
    need("gcc")
    path = tmp_path / "lines"
    command("gcc", "-g", "-O1", "-no-pie", "-gno-column-info", calls.SOURCE, "-o", path)
    address, line = after(path, "caller", "callee"), calls.line_of("int result = callee")
    text = f"#1  0x{address:016x} in {{}} (x=1) at calls.c:{{}}\n"
    for said in (text.format("caller", line), f"    #1 0x{address - 1:x} in caller /src/calls.c:{line}\n"):
        result = run("addr", "--filter", path, stdin=said)
        assert (result.out, result.err, result.status) == (said, "", 0)
    assert functions(filtered(text.format("caller", line + 1), path)[0]) == ["caller"]
    result = run("addr", "-s", "--filter", moved, stdin=f"#2 0x55d0c0f1a{calls.start_of(moved, '_start') + 1 & 0xfff:03x} _start\n")
    assert "??:0" not in result.out and result.status == 1


# Kernels.

def test_stacks_of_crash_are_found_wherever_the_kernel_was(filtered, kernel):
    start = kernels.symbol(kernel, "reader")[0] + kernels.MOVED
    off = kernels.return_offset(kernel, "reader", "work")
    text = (" #6 [ffffb694057a3d90] do_page_fault at ffffffff95476267\n"
            "    [exception RIP: reader+{}]\n"
            "    RIP: ffffffff959affd2  RSP: ffffb694057a3e78  RFLAGS: 00010246\n"
            f" #7 [ffffb694057a3dc0] reader at {start + off:x}\n"
            f" #8 [ffffb694057a3dc8] reader at {start + off:x} [vmlinux]\n")
    for spelt in (str(off), hex(off)):
        follow = filtered(text.format(spelt), kernel)
        assert functions(follow[1]) == ["count", "reader"]
        assert functions(follow[3]) == functions(follow[4]) == ["reader"]


def test_stacks_of_freebsds_kernel_have_return_addresses(filtered, kernel):
    start = kernels.symbol(kernel, "reader")[0]
    off = kernels.return_offset(kernel, "reader", "work")
    text = ("KDB: stack backtrace:\n#0 0xffffffff80b9d607 at kdb_backtrace+0x67\n"
            f"#1 0x{start + off:x} at reader+{off:#x}\n")
    assert functions(filtered(text, kernel)[2]) == ["reader"]
