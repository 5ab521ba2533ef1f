"""inlinecall addr with addresses from standard input."""

import os
import signal
import subprocess
import time

import pytest


@pytest.fixture
def session(program, elf, plain_environment):
    """Starts `inlinecall addr` with pipes on both sides."""
    started = []

    def start(*args):
        process = subprocess.Popen([program, "addr", *args, elf("c")], stdin=subprocess.PIPE,
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE, bufsize=0,
                                   env=plain_environment)
        started.append(process)
        return process

    yield start
    for process in started:
        process.kill()
        process.wait()
        for stream in process.stdin, process.stdout, process.stderr:
            stream.close()


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_an_answer_comes_before_the_next_question(session, run, elf, form):
    process = session(*form)
    for text in "loops", "0x1", "nowhere", "main+0x4":
        process.stdin.write(f"{text}\n".encode())
        expected = run("addr", *form, elf("c"), text).out.encode()
        answer = b""
        while len(answer) < len(expected):
            part = os.read(process.stdout.fileno(), 65536)
            assert part
            answer += part
        assert answer == expected
    process.stdin.close()
    assert process.stdout.read() == b""
    assert process.wait(timeout=20) == 0


def test_a_line_may_come_in_parts(session):
    process = session("-s")
    for part in b"0", b"x", b"1\n0x", b"2\n":
        process.stdin.write(part)
        time.sleep(0.01)
    assert process.communicate(timeout=20)[0] == b"0x1\t??\n0x2\t??\n"


def test_a_batch_is_answered_as_one_by_one(run, elf):
    texts = ["loops", "0x1", "main+0x4", "loops", "splits+0x10", "nowhere"] * 3
    together = run("addr", elf("c"), stdin="\n".join(texts) + "\n")
    assert together.out == "".join(run("addr", elf("c"), text).out for text in texts)
    assert together == run("addr", elf("c"), *texts)


@pytest.mark.parametrize("form", [(), ("--json",)])
def test_many_lines_are_answered_in_their_order(run, elf, form):
    """Of several times what is read at once, so that lines are cut in two."""
    numbers = [(number * 7919) % 0x3000 for number in range(40000)]
    result = run("addr", *form, elf("c"), stdin="".join(f"{number:#x}\n" for number in numbers))
    assert (result.status, result.err) == (0, "")
    if form:
        printed = [line.split('"address":"')[1].split('"')[0] for line in result.out.splitlines()]
    else:
        printed = [line.split("\t")[0] for line in result.out.splitlines() if line[0] != "\t"]
    assert printed == [f"{number:#x}" for number in numbers]


def test_the_last_line_needs_no_end(run, elf):
    assert run("addr", elf("c"), stdin="loops\n0x1") == run("addr", elf("c"), stdin="loops\n0x1\n")


def test_blanks_around_an_address_are_passed_over(run, elf):
    assert run("addr", elf("c"), stdin=" \tloops\t \r\n") == run("addr", elf("c"), "loops")


def test_an_empty_line_has_its_answer(run, elf):
    result = run("addr", elf("c"), stdin="0x1\n\n \n0x2\n")
    assert (result.status, result.out) == (2, "0x1\t??\n??\t??\n??\t??\n0x2\t??\n")


def test_nothing_to_answer_is_nothing_found(run, elf):
    assert run("addr", elf("c"), stdin="") == (1, "", "")


def test_a_line_without_end_costs_one_answer(run, elf):
    result = run("addr", elf("c"), stdin="0x1\n" + "z" * 5_000_000 + "\n0x2\n")
    first, long, last = result.out.splitlines()
    assert (result.status, first, last) == (1, "0x1\t??", "0x2\t??")
    assert long == "z" * 60 + "...\t??"
    assert result.err.count("\n") == 1


@pytest.mark.parametrize("size", [65534, 65535, 65536, 65537, 131071, 131072])
def test_a_line_may_end_where_the_buffer_does(run, elf, size):
    result = run("addr", elf("c"), stdin="0" * (size - 2) + "1\n0x2\n")
    lines = result.out.splitlines()
    assert len(lines) == 2 and lines[1] == "0x2\t??"
    assert lines[0] == ("0x1\t??" if size <= 65536 else "0" * 60 + "...\t??")


def test_bytes_that_end_no_line_are_no_end_of_an_address(run, elf):
    assert run("addr", elf("c"), stdin="0x1\0 or more\n").out == "0x1? or more\t??\n"


def test_what_cannot_be_read_is_named(program, elf, tmp_path):
    directory = os.open(tmp_path, os.O_RDONLY)
    result = subprocess.run([program, "addr", elf("c")], stdin=directory, capture_output=True,
                            text=True, timeout=20, check=False)
    os.close(directory)
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr == ("inlinecall: cannot read addresses from standard input: "
                             "Is a directory\n")


@pytest.mark.parametrize("ignored", [False, True])
@pytest.mark.parametrize("form", [(), ("--json",)])
def test_a_reader_that_never_reads_ends_it_quietly(program, elf, form, ignored):
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([program, "addr", *form, elf("c")], input=b"0x1\n" * 1000,
                            stdout=writer, stderr=subprocess.PIPE, restore_signals=not ignored,
                            timeout=20, check=False)
    os.close(writer)
    assert result.stderr == b""
    assert result.returncode in (-signal.SIGPIPE, 128 + signal.SIGPIPE)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
def test_output_that_cannot_be_written_is_an_error(program, elf):
    with open("/dev/full", "wb") as full:
        result = subprocess.run([program, "addr", elf("c"), "loops"], stdout=full,
                                stderr=subprocess.PIPE, text=True, timeout=20, check=False)
    assert result.returncode == 2
    assert "No space left on device" in result.stderr
