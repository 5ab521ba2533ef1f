"""The manual pages, --help and the program know the same options."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

import commands
import help_texts

MAN = Path(__file__).resolve().parents[2] / "man"
PAGES = sorted(MAN.glob("*.1"))
# Of what stands in for other programs, and is as they are: see test_style_gnu.py and
# test_style_llvm.py.
STAND_INS = [MAN / "inlinecall-addr2line.1", MAN / "inlinecall-llvm-symbolizer.1"]


@pytest.fixture(scope="session", params=commands.NAMES)
def name_of_command(request):
    return request.param


@pytest.fixture(scope="session")
def manual(name_of_command):
    """{long option: its short form, or None} of the page of a command."""
    text = (MAN / f"inlinecall-{name_of_command}.1").read_text()
    items = re.findall(r"^\.It (?:Fl (\w) , )?Fl -([\w-]+)(.*)$", text, re.MULTILINE)
    return {name: (short or None, "Ar" in argument) for short, name, argument in items}


@pytest.fixture(scope="session")
def helped(run, name_of_command):
    """The same of --help."""
    lines = re.findall(r"^ +(?:-(\w), )?--([\w-]+)(\[?=[A-Z]+\]?)?  ",
                       run(name_of_command, "--help").out, re.MULTILINE)
    return {name: (short or None, argument != "") for short, name, argument in lines}


def test_the_manual_and_help_have_the_same_options(manual, helped):
    assert len(helped) > 6
    assert manual == helped


def test_the_program_takes_every_option_of_the_manual(run, name_of_command, manual, tmp_path):
    """Without operands: it complains of these, or of an option's argument, but not of the option."""
    for name, (short, argument) in manual.items():
        if name in ("help", "version", "explain", "filter"):  # which need no operand
            continue
        for option in (f"--{name}=x" if argument else f"--{name}",
                       short and (f"-{short}x" if argument and short != "k" else f"-{short}")):
            if option:
                result = run(name_of_command, option, cwd=tmp_path)
                assert result.status in (2, 64), option
                assert not re.search("(unrecognized|invalid|ambiguous) option|option .* argument", result.err), option


def test_every_command_is_in_help_and_in_the_manual(run):
    assert set(help_texts.read(run("--help").out).commands) == set(commands.NAMES)
    page = (MAN / "inlinecall.1").read_text()
    assert set(re.findall(r"^\.It Cm (\w+)$", page, re.MULTILINE)) == set(commands.NAMES)


def options_of(run, command):
    """[(letter or '', name), ...] of --help."""
    return re.findall(r"^ +(?:-(\w), )?--([\w-]+)", run(command, "--help").out, re.MULTILINE)


def test_a_letter_and_a_name_mean_the_same_in_all_commands(run):
    pairs = {pair for command in commands.NAMES for pair in options_of(run, command)}
    letters = [letter for letter, _ in pairs if letter]
    names = [name for _, name in pairs]
    assert len(letters) > 10
    assert {letter for letter in letters if letters.count(letter) > 1} == {"k", "p"}
    assert len(set(names)) == len(names)


def test_the_list_of_letters_in_the_manual_is_what_the_commands_take(run):
    page = (MAN / "inlinecall.1").read_text()
    rows = re.findall(r"^\.It Fl (\w) , Fl -([\w-]+)\n.*\(([\w, ]+)\)\.$", page, re.MULTILINE)
    taken = {}
    for command in commands.NAMES:
        for letter, name in options_of(run, command):
            if letter:
                taken.setdefault((letter, name), []).append(command)
    expected = [(letter, name, "all" if len(takers) == len(commands.NAMES) else ", ".join(takers))
                for (letter, name), takers in taken.items()]
    assert sorted(rows) == sorted(expected)
    assert [row[0] for row in rows] == sorted((row[0] for row in rows),
                                              key=lambda letter: (letter.lower(), letter))


def test_every_exit_status_of_help_is_in_the_manual(run):
    for page in set(PAGES) - set(STAND_INS):
        command = page.stem.partition("-")[2] or "sites"
        statuses = help_texts.read(run(command, "--help").out).statuses
        assert re.findall(r"(?:^|; )(\d+) \w+", statuses) == ["0", "1", "2", "64"]
        assert re.findall(r"^\.It (\d+)$", page.read_text(), re.MULTILINE) == ["0", "1", "2", "64"]


@pytest.mark.skipif(not shutil.which("mandoc"), reason="no mandoc")
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_a_page_is_without_faults(page):
    result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", str(page)],
                            capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "")


def test_every_page_is_installed():
    listed = re.findall(r"'([\w-]+\.1)'", (MAN / "meson.build").read_text())
    assert sorted(listed) == [page.name for page in PAGES]


def test_the_outputs_in_the_manual_are_in_the_transcripts():
    transcripts = (Path(__file__).parent / "golden/ring").glob("*.t")
    golden = [line for path in transcripts for line in path.read_text().splitlines()]
    for page in set(PAGES) - set(STAND_INS):
        for block in re.findall(r"^\.Bd -literal\n(.*?)^\.Ed", page.read_text(),
                                re.MULTILINE | re.DOTALL):
            assert set(block.replace("\\e", "\\").splitlines()) <= set(golden)
