"""inlinecall addr --filter on what Go prints: each place has the frames that the runtime prints."""

import os
import re
import shutil
import signal
import subprocess
from pathlib import Path

import compare
import pytest

SOURCES = Path(__file__).resolve().parent / "go_traces"

pytestmark = pytest.mark.skipif(not shutil.which("go"), reason="Go is not installed")


@pytest.fixture(scope="session", params=["", "-s -w"], ids=["dwarf", "stripped"])
def program(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("go_traces")
    shutil.copy(SOURCES / "main.go", folder)
    (folder / "go.mod").write_text("module example.com/traces\ngo 1.18\n")
    env = {**os.environ, "GOFLAGS": ""}
    env.setdefault("GOCACHE", str(folder / "cache"))
    subprocess.run(["go", "build", f"-ldflags={request.param}", "-o", "traces", "."], cwd=folder,
                   env=env, check=True, capture_output=True)
    return folder / "traces"


def traceback(program, how, level):
    """What the program prints when it panics, or is told to quit."""
    env = {**os.environ, "GOTRACEBACK": level}
    with subprocess.Popen([program, how], env=env, text=True, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE) as process:
        if how in ("wait", "spin"):
            assert process.stdout.readline() == "ready\n"
            process.send_signal(signal.SIGQUIT)
        return process.communicate(timeout=60)[1]


def filtered(program, text):
    result = subprocess.run([compare.program(), "addr", "--filter", program], input=text,
                            capture_output=True, text=True, check=False)
    assert not result.stderr and result.returncode == 0
    return result.stdout


FRAME = re.compile(r"^\s+ (\S+)\(\) at (\S+:\d+)( \(inlined\))?$")
FUNCTION = re.compile(r"^(?:created by )?(\S+?)(\([^()]*\))?(?: in goroutine \d+)?$")
PLACE = re.compile(r"^\t(\S+:\d+)( .*)?$")


def is_hidden(frame, level):
    """The runtime shows its own functions only at the level "system", unless they are exported."""
    return level == "all" and frame[2] and re.match(r"runtime\.[a-z]", frame[0])


def compare_frames(output, level):
    """Compares the frames below each place with the lines before it; the number of places."""
    inlined, function, wanted, found, places = [], None, None, [], 0
    for line in [*output.splitlines(), "end"]:
        frame, place = FRAME.match(line), PLACE.match(line)
        if frame and wanted is not None:
            found.append((frame[1], frame[2], bool(frame[3])))
            continue
        if wanted is not None and len(found) > len(wanted):
            found = [frame for frame in found if frame[:2] in wanted or not is_hidden(frame, level)]
        if wanted is not None and (found or len(wanted) > 1):  # one frame is in the text already
            # Instances of generic functions have names of their own in DWARF.
            assert [(re.sub(r"\[.*\]", "[...]", name), at) for name, at, _ in found] == wanted
            assert [is_inlined for *_, is_inlined in found] == [True] * (len(found) - 1) + [False]
        if wanted is not None:
            wanted, found, places = None, [], places + 1
        if place and function:
            name = "runtime.gopanic" if function[1] == "panic" else function[1]
            if function[2] == "(...)":
                inlined.append((name, place[1]))
            else:
                wanted, inlined = [*inlined, (name, place[1])], []
        function = None if place else FUNCTION.match(line)
    return places


@pytest.mark.parametrize("level", ["all", "system"])
@pytest.mark.parametrize("how", ["panic", "nil", "wait", "spin"])
def test_tracebacks_have_the_frames_of_the_runtime(program, how, level):
    output = filtered(program, traceback(program, how, level))
    assert compare_frames(output, level) > (2 if level == "all" else 20)


def test_logs_may_have_something_before_it(program):
    text = traceback(program, "panic", "all")
    logged = "".join(f"Nov 23 21:07:18 host traces[71]: {line}\n" for line in text.splitlines())
    assert filtered(program, logged).count("(inlined)") == filtered(program, text).count(
        "(inlined)") > 0


def test_a_traceback_of_another_build_is_said(program):
    text = traceback(program, "panic", "all")
    place = re.search(r"main\.go:(\d+) \+0x", text)
    line = int(place[1])
    other = text.replace(f"main.go:{line} +0x", "main.go:9 +0x", 1)
    output = filtered(program, other)
    assert f"(line {line} in traces: the text is from another build)" in output


def test_profiles_have_the_frames_of_the_runtime(program):
    text = subprocess.run([program, "profiles"], capture_output=True, text=True, check=True).stdout
    output = filtered(program, text).splitlines()
    lines = [number for number, line in enumerate(output) if line.startswith("#\t0x")]
    assert len(lines) > 5
    for number in lines:
        _, _, label, *_, place = output[number].split("\t")
        frames = []
        for line in output[number + 1:]:
            if not FRAME.match(line):
                break
            frames.append(FRAME.match(line).groups())
        assert not frames or (label.split("+0x")[0], place) in [
            (name, at) for name, at, _ in frames]
    stacks = [number for number, line in enumerate(output) if " @ 0x" in line]
    assert stacks
    for number in stacks:  # what is returned to is after the call, which the next lines have
        calls = [line for line in output[number + 1:number + 40] if line.startswith("#\t0x")]
        assert calls[0].split("\t")[-1] in "\n".join(output[number:number + 10])
