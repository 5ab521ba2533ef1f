"""Whole outputs, byte for byte: the transcripts in golden/.

A transcript is a text with comments ("# ...") and commands ("$ ..."). Below a command is all that
it printed: standard output as it is, then standard error with "2> " before each line, and at last
its exit status in brackets where that is not 0. Blank lines end it. `pytest tests/cli --update`
writes what is printed now; the diff is then to be reviewed.
"""

import platform
import shutil
import subprocess
from pathlib import Path

import pytest

GOLDEN = Path(__file__).resolve().parent / "golden"
TRANSCRIPTS = sorted(GOLDEN.glob("*/*.t"))


def without_outputs(text):
    """The lines that a person wrote: comments, commands and blank lines."""
    inside = False
    for line in text.splitlines():
        if line.startswith("$ ") or not line:
            inside = line != ""
            yield line
        elif not inside:
            yield line


def printed_by(line, directory, environment):
    result = subprocess.run(["sh", "-c", line], cwd=directory, env=environment,
                            capture_output=True, text=True, timeout=20, check=False)
    yield from result.stdout.splitlines()
    yield from (f"2> {message}" for message in result.stderr.splitlines())
    if result.returncode:
        yield f"[{result.returncode}]"


def replayed(text, directory, environment):
    lines = []
    for line in without_outputs(text):
        lines.append(line)
        if line.startswith("$ "):
            lines.extend(printed_by(line[2:], directory, environment))
    return "\n".join(lines) + "\n"


@pytest.mark.skipif(platform.machine() != "x86_64" or not shutil.which("as"),
                    reason="the assembly is x86-64's")
@pytest.mark.parametrize("transcript", TRANSCRIPTS, ids=lambda path: path.parent.name)
def test_the_transcript_is_what_is_printed(transcript, request, program, plain_environment,
                                           tmp_path):
    for source in (*transcript.parent.glob("*.s"), *transcript.parent.glob("*.patch"), *transcript.parent.glob("*.rules")):
        shutil.copy(source, tmp_path)
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/inlinecall").symlink_to(program)
    environment = {**plain_environment, "PATH": f"{tmp_path}/bin:{plain_environment['PATH']}"}
    text = replayed(transcript.read_text(), tmp_path, environment)
    if request.config.getoption("--update", default=False):
        transcript.write_text(text)
    assert text == transcript.read_text()


def test_there_are_transcripts():
    assert TRANSCRIPTS
