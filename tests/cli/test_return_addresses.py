"""`inlinecall addr -R`: where calls are, by what they return to."""

import pytest

import calls
from building import command


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    directory = tmp_path_factory.mktemp("bare")
    return lambda name: calls.build_bare(name, directory)


@pytest.mark.parametrize("machine", calls.MACHINES)
def test_the_call_is_found_by_its_return_address(run, bare, machine):
    """On ARM and MIPS, bit 0 says which instruction set the caller is of."""
    path = bare(machine)
    _, address = calls.call_of(path, "caller", "callee", machine in calls.DELAYED)
    want = f"caller()\tcalls.c:{calls.line_of('int result = callee')}:"
    if machine == "micromips":
        want = "caller()\tcalls.c:"  # Clang gives what is in the slot after the call another line
    start = calls.start_of(path, "caller")
    bits = (0, 1) if machine in ("thumb", "micromips") else (0,)
    for text in [f"{address | bit:#x}" for bit in bits] + [
            f"caller+{(address | bit) - start:#x}" for bit in bits]:
        result = run("addr", "-s", "-R", path, text)
        (line,) = result.out.splitlines()
        assert line.split("\t", 1)[1].startswith(want), text


def test_what_ends_a_function_may_be_a_call_in_thumb(run, tmp_path):
    source, path = tmp_path / "gone.c", tmp_path / "gone"
    source.write_text("extern int value;\n"
                      "__attribute__((noinline, noreturn)) void gone(int x)\n"
                      "{ for (;;) value = x; }\n"
                      "__attribute__((noinline)) int last(int x) { gone(x); }\n"
                      "void _start(void) { last(1); }\nint value;\n")
    try:
        command("clang", *calls.MACHINES["thumb"], "-fuse-ld=lld", "-nostdlib", "-static", "-g",
                "-O1", "-ffunction-sections", source, "-o", path)
    except RuntimeError as error:
        pytest.skip(f"this clang cannot compile for ARM: {error}")
    size = next(int(line.split()[1], 16) for line in command("nm", "-S", path).splitlines()
                if line.endswith(" last"))
    for bit in (0, 1):
        result = run("addr", "-s", "-R", path, f"last+{size + bit:#x}")
        assert result.out.split("\t")[1] == "last()", result.err


def test_parameters_are_at_addresses_of_the_file(run, bare):
    """What is printed of a location's range does not depend on the bit of the address."""
    path = bare("thumb")
    _, address = calls.call_of(path, "outer", "caller")
    plain, marked = (run("addr", "-s", "-R", "-pp", path, f"{address | bit:#x}").out
                     for bit in (0, 1))
    assert plain.split("\n", 1)[1] == marked.split("\n", 1)[1] and "\tx\t" in plain
