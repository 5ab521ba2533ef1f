"""An answer does not depend on the questions before it in the same process."""

import json
import subprocess

import pytest

DEPTH, HOSTS, OTHERS = 40, 10, 100_000  # questions of other frames


def source():
    """Functions of three parameters, each inlined into the next."""
    inline = "static inline __attribute__((always_inline)) int"
    parameters = "(int a, int b, int c)"
    yield "extern int v;"
    yield f'{inline} f0{parameters} {{ v += a + b * c; __asm__ volatile("nop"); return a; }}'
    for i in range(1, DEPTH):
        yield f"{inline} f{i}{parameters} {{ int r = f{i - 1}(a + {i}, c, b); v ^= r; return r; }}"
    for i in range(HOSTS):
        yield f"int host{i}{parameters} {{ return f{DEPTH - 1}(a, b, c); }}"


@pytest.fixture(name="file", params=["deep", "c", "c++", "clang"])
def fixture_file(request, elf):
    return request.getfixturevalue("deep") if request.param == "deep" else elf(request.param)


@pytest.fixture(scope="module")
def deep(tmp_path_factory):
    directory = tmp_path_factory.mktemp("questions")
    (directory / "deep.c").write_text("\n".join(source()) + "\n")
    subprocess.run(["gcc", "-O1", "-g", "-c", "deep.c", "-o", "deep.o"], cwd=directory, check=True)
    return directory / "deep.o"


@pytest.mark.parametrize("options", [["-p"], ["-pp"]], ids=["arguments", "lists"])
def test_answers_are_the_same_twice_in_another_order_and_after_many_others(run, file, options):
    rows = [json.loads(line) for line in run("-a", "-e", "--json", file).out.splitlines()]
    addrs = sorted({row["entry"] for row in rows if row["entry"]})[:60]
    assert len(addrs) >= 10
    # By itself, each address in a process of its own.
    alone = {addr: run("addr", *options, file, addr) for addr in addrs}
    wanted = "".join(alone[addr].out for addr in addrs)
    assert {(answer.status, answer.err) for answer in alone.values()} == {(0, "")}
    assert "not read" not in wanted
    for order in addrs * 2, addrs[::-1] * 2:
        result = run("addr", *options, file, stdin="\n".join(order) + "\n")
        assert (result.status, result.err) == (0, "")
        assert result.out == "".join(alone[addr].out for addr in order)
    frames = max(1, wanted.count("inlined") // len(addrs))  # an address asks for so many
    before = [addrs[i % len(addrs)] for i in range(OTHERS // frames)]
    result = run("addr", *options, file, stdin="\n".join(before + addrs) + "\n")
    assert (result.status, result.err) == (0, "")
    assert result.out.endswith(wanted)
