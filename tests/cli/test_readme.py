"""The README is true: its transcripts can be replayed, and its links lead somewhere.

A transcript is a block marked ```console. Where it shows addresses, those and what was inlined at
all are the compiler's choice: then the lines must be of the forms that the README shows, and the
functions and files that it names must be those of the program. Any other transcript is replayed by
bytes. `pytest tests/cli/test_readme.py --update` writes what is printed now.
"""

import json
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
    r"\t\[0x[0-9a-f]+ - 0x[0-9a-f]+\]\t\S+:\d+:\d+\t[\w.]+\(\)( < [\w.]+\(\) \S+:\d+:\d+)*"
    r"(\t(same copy)?(, )?(entry 0x[0-9a-f]+)?)?",
    r"\t\[0x[0-9a-f]+ - 0x[0-9a-f]+\]\t-\t\S+\(\)\tout of line",
    r"\t0x[0-9a-f]+\t[\w.]+\+0x[0-9a-f]+\t\S+:\d+:\d+\t\w+\(\)",
    r"\t\t[\w.]+=\S.*",
    r"INLINED\t    OUT\t  CALLS\t  BYTES\tFUNCTION\tPLACE",
    r"( *\d+\t){4}\w+\(\)\t[^\t ]+\.[ch]:\d+",
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


def with_outputs(outputs):
    """The README with these outputs of its commands, in order."""
    outputs = iter(outputs)

    def replace(block):
        steps = re.split(r"^\$ ", block[1], flags=re.MULTILINE)[1:]
        return "```console\n" + "".join(f"$ {step.partition(chr(10))[0]}\n{next(outputs)}"
                                        for step in steps) + "```"

    return re.sub(r"^```console\n(.*?)^```$", replace, README, flags=re.DOTALL | re.MULTILINE)


@pytest.fixture(scope="module")
def replay(request, tmp_path_factory):
    """Runs all commands in one shell, as a reader would; gives their outputs and exit statuses in
    order."""
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
    if subprocess.run([PROGRAM, "-a", PROGRAM], capture_output=True, check=False).returncode:
        pytest.skip(f"{PROGRAM} has no debug information of its own, which the examples show")
    update = request.config.getoption("--update", default=False)
    mark = "-- the next command, after the status"
    script = "".join(f"{command}\nstatus=$?\necho '{mark}' $status\n(exit $status)\n"
                     for command, _ in transcripts())
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}",
                       LC_ALL="C.UTF-8" if update else "C")
    run = subprocess.run(["sh"], input=script, cwd=folder, env=environment, text=True,
                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
    # What is not certain depends on the compiler.
    said = re.sub("(?m)^inlinecall: .*calls may be.*\n", "", run.stdout)
    parts = re.split(rf"{mark} (\d+)\n", said)
    if update:
        (ROOT / "README.md").write_text(with_outputs(parts[:-1:2]))
        pytest.skip("the README was written")
    return list(zip(parts[::2], map(int, parts[1::2])))


@pytest.fixture(scope="module")
def functions():
    """Those of the program: inlined, with code of their own, or called."""
    run = subprocess.run([PROGRAM, "--count", "--json", "-g", "*", PROGRAM], capture_output=True,
                         text=True, check=True)
    return {json.loads(line)["function"] for line in run.stdout.splitlines()}


def named_functions(text):
    """Without the suffixes of clones."""
    return {name.partition(".")[0] for name in re.findall(r"([\w.]+)\(\)", text)}


@pytest.mark.parametrize("number", range(len(list(transcripts()))))
def test_a_transcript_holds(replay, functions, number):
    command, shown = list(transcripts())[number]
    printed, status = replay[number]
    assert status == (1 if shown.startswith("inlinecall: ") else 0), printed
    if "json.tool" in command:
        assert json_keys(printed) == json_keys(shown)
    elif "0x" in shown or "BYTES" in shown:
        forms = {form_of(line) for line in printed.splitlines()}
        assert None not in forms, printed
        assert forms >= {form_of(line) for line in shown.splitlines()}, printed
        assert named_functions(shown) <= functions
        files = {path.name for folder in ("cli", "lib") for path in (ROOT / folder).rglob("*.[ch]")}
        assert set(re.findall(r"(\w+\.[ch]):\d", shown)) <= files
    else:  # every function that is added may be among the nearest names
        parts = [text.partition("; the nearest names are ") for text in (printed, shown)]
        assert parts[0][:2] == parts[1][:2]
        assert set(parts[1][2].split(", ")[:1]) <= set(parts[0][2].split(", "))


def test_there_are_transcripts_of_both_kinds():
    shown = [output for _, output in transcripts()]
    assert any("0x" in output for output in shown) and any("0x" not in output for output in shown)


@pytest.mark.parametrize("link", sorted(set(re.findall(r"\]\(([^)#:]+)\)", README))))
def test_a_link_leads_somewhere(link):
    assert (ROOT / link).exists()
