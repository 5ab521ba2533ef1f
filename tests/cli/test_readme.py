"""The README and the guide are true: transcripts are replayed byte by byte, and links lead somewhere.

A transcript is a block marked ```console. All are of one program, whose assembly is committed, so that
no compiler's version changes them. `pytest cli/test_readme.py --update` writes what is printed now.
"""

import os
import re
import subprocess
from pathlib import Path

import pytest

import building
from commands import NAMES

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
GUIDE = ROOT / "docs/guide.md"
DOCUMENTS = [ROOT / "README.md", ROOT / "ARCHITECTURE.md", ROOT / "CONTRIBUTING.md",
             *sorted((ROOT / "docs").glob("*.md"))]
PROGRAM = os.environ.get("INLINECALL", str(ROOT / "build/cli/inlinecall"))
CRASH = ("ring[233]: segfault at 8 ip 0000000000401070 sp 00007ffd1c6e8c40 error 6 in "
         "ring[401000+1000]\n")
TRANSCRIPT = re.compile(r"^```console\n(.*?)^```$", re.DOTALL | re.MULTILINE)


def commands(block):
    """(command, output) of each command of a transcript."""
    for step in re.split(r"^\$ ", block, flags=re.MULTILINE)[1:]:
        command, _, output = step.partition("\n")
        yield command, output


BLOCKS = [(path, block) for path in (ROOT / "README.md", GUIDE)
          for block in TRANSCRIPT.findall(path.read_text())]
TRANSCRIPTS = [list(commands(block)) for _, block in BLOCKS]


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    """Runs the commands of a transcript in one shell, as a reader would; gives their outputs."""
    folder = tmp_path_factory.mktemp("readme")
    source = ROOT / "tests/cli/programs/ring.s"
    try:
        building.command("as", "--64", "-o", folder / "ring.o", source)
        building.command("ld", "-m", "elf_x86_64", "-Ttext=0x401000", "-e", "send_text",
                         "-o", folder / "ring", folder / "ring.o")
    except subprocess.CalledProcessError:
        pytest.skip("the assembler here is of another machine")
    (folder / "crash.txt").write_text(CRASH)
    (folder / "bin").mkdir()
    (folder / "bin/inlinecall").symlink_to(os.path.abspath(PROGRAM))
    environment = dict(os.environ, PATH=f"{folder}/bin:{os.environ['PATH']}", LC_ALL="C.UTF-8")
    mark = "-- the next command --\n"

    def run(transcript):
        script = "".join(f"{command}\nstatus=$?\necho '{mark[:-1]}'\n(exit $status)\n"
                         for command, _ in transcript)
        shell = subprocess.run(["sh"], input=script, cwd=folder, env=environment, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
        return shell.stdout.split(mark)[:-1]

    return run


@pytest.mark.parametrize("number", range(len(TRANSCRIPTS)))
def test_a_transcript_holds(replay, number, request):
    outputs = replay(TRANSCRIPTS[number])
    if request.config.getoption("--update", default=False):
        block = "".join(f"$ {command}\n{output}"
                        for (command, _), output in zip(TRANSCRIPTS[number], outputs))
        path, old = BLOCKS[number]
        path.write_text(path.read_text().replace(f"```console\n{old}```", f"```console\n{block}```"))
        pytest.skip(f"{path.name} was written")
    assert outputs == [output for _, output in TRANSCRIPTS[number]]


def test_the_program_has_the_guide():
    shown = subprocess.run([PROGRAM, "guide"], capture_output=True, text=True, check=True)
    assert shown.stdout == GUIDE.read_text() and not shown.stderr
    assert subprocess.run([PROGRAM, "guide", "me"], capture_output=True, check=False).returncode == 64


def test_the_guide_names_every_command():
    text = GUIDE.read_text()
    missing = [name for name in NAMES if f"inlinecall {name}" not in text and f"`{name}`" not in text]
    assert missing == []


def test_it_is_short():
    assert len(TRANSCRIPTS) >= 5
    assert README.count("\n") <= 150


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(document):
    links = re.findall(r"\]\(([^)#:\s]+)(?:#[^)]*)?\)", document.read_text())
    assert not [link for link in links if not (document.parent / link).exists()]


def test_the_index_has_all_documents():
    index = (ROOT / "docs/README.md").read_text()
    documents = [path.relative_to(ROOT / "docs").as_posix()
                 for folder in ("docs", "docs/formats") for path in (ROOT / folder).glob("*.md")]
    assert not [name for name in documents if name != "README.md" and f"({name})" not in index]
