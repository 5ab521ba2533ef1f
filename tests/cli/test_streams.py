"""Where output goes: pipes that close, devices that are full, terminals."""

import os
import pty
import re
import signal
import subprocess

import pytest


# Pipes and devices.

def shell(program, line, *args, **options):
    return subprocess.run(["bash", "-c", line, "sh", program, *map(str, args)],
                          capture_output=True, text=True, timeout=20, check=False, **options)


@pytest.mark.parametrize("form", [[], ["--json"], ["--csv"]])
def test_a_reader_that_has_enough_ends_it_quietly(program, elf, form):
    result = shell(program, '"$@" | head -n 1; echo ${PIPESTATUS[0]}', "-a", "-o", "-c", *form,
                   *[elf("c")] * 50)
    first, status = result.stdout.splitlines()
    assert first and int(status) in (0, 128 + signal.SIGPIPE)
    assert result.stderr == ""


@pytest.mark.parametrize("ignored", [False, True])
@pytest.mark.parametrize("args", [("clamp",), ("-a", "--json"), ("-a", "--csv")])
def test_a_reader_that_never_reads_ends_it_quietly(program, elf, args, ignored):
    """With SIGPIPE ignored, as under some parents, the write fails instead."""
    reader, writer = os.pipe()
    os.close(reader)
    result = subprocess.run([program, *args, elf("c")], stdout=writer, stderr=subprocess.PIPE,
                            restore_signals=not ignored, timeout=20, check=False)
    os.close(writer)
    assert result.stderr == b""
    assert result.returncode in (-signal.SIGPIPE, 128 + signal.SIGPIPE)


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full")
@pytest.mark.parametrize("args", [("clamp", "FILE"), ("-a", "--json", "FILE"), ("--help",),
                                  ("--version",)])
def test_output_that_cannot_be_written_is_an_error(program, elf, args):
    args = [elf("c") if arg == "FILE" else arg for arg in args]
    with open("/dev/full", "wb") as full:
        result = subprocess.run([program, *args], stdout=full, stderr=subprocess.PIPE, text=True,
                                timeout=20, check=False)
    assert result.returncode == 2
    assert "No space left on device" in result.stderr


def test_messages_come_behind_the_output_that_they_follow(program, elf):
    result = shell(program, '"$@" 2>&1', "clamp", elf("c"), "gone", elf("c"))
    lines = result.stdout.splitlines()
    complaint = next(line for line in lines if "gone" in line)
    headings = [number for number, line in enumerate(lines) if line == f"{elf('c')}:"]
    assert headings[0] < lines.index(complaint) < headings[1]


def test_a_list_that_cannot_be_read_is_status_2(program, elf, tmp_path):
    result = shell(program, f'"$@" < {tmp_path}', "clamp", elf("c"), "-")  # a directory
    assert result.returncode == 2
    assert result.stderr.startswith("inlinecall: ")


# Colours.

def read_all(terminal):
    parts = []
    while True:
        try:
            part = os.read(terminal, 65536)
        except OSError:  # EIO: the other end is closed
            part = b""
        if not part:
            return b"".join(parts).replace(b"\r\n", b"\n").decode()
        parts.append(part)


def on_a_terminal(command, environment, stream="stdout"):
    """(what is printed on a terminal, what else is printed)"""
    try:
        terminal, end = pty.openpty()
    except OSError as error:  # a container without /dev/pts
        pytest.skip(f"no terminal to be had: {error}")
    streams = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, stream: end}
    with subprocess.Popen(command, env=environment, **streams) as process:
        os.close(end)
        printed = read_all(terminal)
        other = process.communicate(timeout=20)
    os.close(terminal)
    return printed, (other[0] or other[1] or b"").decode()


ESCAPE = re.compile(r"\033\[[0-9;]*[A-Za-z]")


@pytest.fixture
def colored(program, elf, plain_environment):
    """What is printed on a terminal."""

    def run_program(*args, **environment):
        command = [program, *args, "-s", "-i", "clamp", str(elf("c"))]
        return on_a_terminal(command, {**plain_environment, **environment})[0]

    return run_program


def test_a_terminal_gets_colours_and_the_same_text(run, elf, colored):
    printed = colored()
    assert ESCAPE.search(printed)
    assert ESCAPE.sub("", printed) == run("-s", "-i", "clamp", elf("c")).out


def test_every_colour_ends_on_its_line(colored):
    for line in colored().splitlines():
        assert ESCAPE.findall(line)[-1] in ("\033[m", "\033[0m")


def test_what_is_not_a_terminal_gets_no_colours(run, elf):
    assert "\033" not in run("-o", "-i", "clamp", elf("c")).out


@pytest.mark.parametrize("environment", [{"NO_COLOR": "1"}, {"NO_COLOR": "0"}, {"TERM": "dumb"}])
def test_the_environment_turns_colours_off(colored, environment):
    assert "\033" not in colored(**environment)


def test_an_empty_no_color_says_nothing(colored):
    assert "\033" in colored(NO_COLOR="")


def test_color_always_and_never_override(run, elf, colored):
    assert "\033" in run("--color=always", "clamp", elf("c"), NO_COLOR="1").out
    assert "\033" not in colored("--color=never")
    assert "\033" in colored("--color=auto")
    assert "\033" not in colored("--color=auto", NO_COLOR="1")


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_data_is_never_coloured(run, elf, form):
    assert "\033" not in run(form, "--color=always", "clamp", elf("c")).out


# Progress.

HURRY = """
#include <time.h>
int clock_gettime(clockid_t clock, struct timespec *time)
{
	static _Atomic int seconds; // two a call
	(void)clock;
	*time = (struct timespec){ .tv_sec = seconds += 2 };
	return 0;
}
"""


@pytest.fixture
def hurried_environment(preload):
    """An environment in which seconds pass while the program works."""
    return preload(HURRY)


def test_long_work_shows_progress_and_wipes_it(program, elf, hurried_environment):
    command = [program, "-j1", "clamp", str(elf("c"))]
    printed, _ = on_a_terminal(command, hurried_environment, "stderr")
    assert re.search(rf"\r\033\[K{re.escape(str(elf('c')))}: \d+ %", printed)
    assert printed.endswith("\r\033[K")


def test_progress_moves_no_terminal_by_the_name_of_a_file(program, elf, tmp_path,
                                                          hurried_environment):
    name = tmp_path / "a\033[2Jb"
    name.symlink_to(elf("c"))
    printed, _ = on_a_terminal([program, "-j1", "clamp", str(name)], hurried_environment, "stderr")
    assert "a?[2Jb: " in printed and "\033[2J" not in printed


def test_short_work_shows_no_progress(program, elf, plain_environment):
    printed, output = on_a_terminal([program, "clamp", str(elf("c"))], plain_environment, "stderr")
    assert printed == "" and output


def test_progress_is_for_terminals(program, elf, hurried_environment):
    result = subprocess.run([program, "-j1", "clamp", elf("c")], env=hurried_environment,
                            capture_output=True, timeout=20, check=False)
    assert (result.returncode, result.stderr) == (0, b"")
