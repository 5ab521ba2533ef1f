"""The README is true: its transcripts can be replayed, and its links lead somewhere.

A transcript is a block marked ```console. Where it shows addresses, those and what was inlined at
all are the compiler's choice: then the lines must be of the forms that the README shows. Any other
transcript is replayed by bytes.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
PROGRAM = os.environ.get("INLINECALL", str(ROOT / "build/cli/inlinecall"))

FORMS = (  # of the lines of a report
    r"[^\t ]+\.[ch]:\d+",
    r"\t\[0x[0-9a-f]+ - 0x[0-9a-f]+\]\t\S+:\d+:\d+\t\w+\(\)( < \w+\(\) \S+:\d+:\d+)*"
    r"(\t(same copy)?(, )?(entry 0x[0-9a-f]+)?)?",
    r"\t\[0x[0-9a-f]+ - 0x[0-9a-f]+\]\t-\t\S+\(\)\tout of line",
    r"0x[0-9a-f]+\t\S+\(\)\t[^\t ]+\.[ch]:\d+(:\d+)?( \(discriminator \d+\))?(\tinlined)?",
    r"0x[0-9a-f]+\t\?\?",
    r"  BYTES\t    OWN\tADDRESS\tFUNCTION\tPLACE\tRANGES",
    r" *\d+\t *\d+\t0x[0-9a-f]+\t\S+\(\)\t[^\t ]+\.[ch]:\d+(\t(\[0x[0-9a-f]+ - 0x[0-9a-f]+\] ?)+)?",
    r" *\d+\t *\d+\t0x[0-9a-f]+\t[ |`─│├└-]+ \S+\(\)\t[^\t ]+\.[ch]:\d+(:\d+)?",
)


def transcripts():
    """(command, output) of each command of each transcript."""
    for block in re.findall(r"^```console\n(.*?)^```$", README, re.DOTALL | re.MULTILINE):
        for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
            command, _, output = step.partition("\n")
            yield command, output


def json_keys(text):
    return re.findall(r'^    "(\w+)":', text, re.MULTILINE)


def form_of(line):
    return next((form for form in FORMS if re.fullmatch(form, line)), None)


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    """Runs all commands in one shell, as a reader would; gives their outputs in order."""
    folder = tmp_path_factory.mktemp("readme")
    for name in "bin/inlinecall", "build/cli/inlinecall":
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).symlink_to(os.path.abspath(PROGRAM))
    if subprocess.run([PROGRAM, "ic_cursor_u8", PROGRAM], capture_output=True,
                      check=False).returncode:
        pytest.skip(f"{PROGRAM} does not contain the library, or has no debug information")
    mark = "-- the next command --"
    commands = [command for command, _ in transcripts()]
    script = "".join(f"{command}\nstatus=$?\necho '{mark}'\n(exit $status)\n"
                     for command in commands)
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", LC_ALL="C")
    run = subprocess.run(["sh"], input=script, cwd=folder, env=environment, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    outputs = run.stdout.split(mark + "\n")
    return dict(enumerate(outputs[:len(commands)]))


@pytest.mark.parametrize("number", range(len(list(transcripts()))))
def test_a_transcript_holds(replay, number):
    command, shown = list(transcripts())[number]
    printed = replay[number]
    if "json.tool" in command:
        assert json_keys(printed) == json_keys(shown)
    elif "0x" in shown:
        forms = {form_of(line) for line in printed.splitlines()}
        assert None not in forms, printed
        assert forms >= {form_of(line) for line in shown.splitlines()}, printed
    else:
        assert printed == shown


def test_there_are_transcripts_of_both_kinds():
    shown = [output for _, output in transcripts()]
    assert any("0x" in output for output in shown) and any("0x" not in output for output in shown)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_a_link_leads_somewhere(link):
    assert (ROOT / link).exists()
