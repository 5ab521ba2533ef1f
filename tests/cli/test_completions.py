"""The completions of shells know the commands, and the options of each."""

import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import pytest

import commands
import help_texts


@pytest.fixture(scope="session")
def folder(program):
    path = Path(program).parent.parent / "completions"
    if not path.is_dir():
        pytest.skip(f"no completions in {path}: not a build folder")
    return path


@pytest.fixture(scope="session")
def options(run):
    """The long options of a command, as --help has them, each with whether it needs an argument."""

    def read(command):
        found = re.findall(r"^ {2,6}(?:-\w, )?--([\w-]+)(\[?=)?", run(command, "--help").out,
                           re.MULTILINE)
        more = {"style": True} if command == "addr" else {}  # which is another program's then
        return {name: argument == "=" for name, argument in found} | more

    return read


@pytest.fixture(scope="session")
def texts(run):
    """{long option: its text} in the --help of a command."""

    def read(command):
        more = {"style": "as another symbolizer"} if command == "addr" else {}
        return dict(help_texts.read(run(command, "--help").out).options) | more

    return read


def shell(name, script, *args):
    if not shutil.which(name):
        pytest.skip(f"no {name}")
    with tempfile.TemporaryDirectory() as home:  # fish keeps a history
        result = subprocess.run([name, "-c", script, name, *map(str, args)], capture_output=True,
                                env={**os.environ, "HOME": home, "XDG_CONFIG_HOME": home,
                                     "XDG_DATA_HOME": home},
                                text=True, timeout=60, check=False)
    assert (result.returncode, result.stderr) == (0, "")
    return result.stdout


@pytest.fixture(scope="session")
def bash(folder):
    """Completes the last of some words as bash does, which splits them at '='."""
    script = """
        compopt() { :; }
        source "$1"; shift
        COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
        _inlinecall
        printf '%s\\n' "${COMPREPLY[@]}"
    """
    return lambda *words: shell("bash", script, folder / "inlinecall", "inlinecall",
                                *words).split()


@pytest.mark.parametrize("command", commands.NAMES)
def test_bash_completes_the_options_of_a_command(bash, options, command):
    expected = {f"--{name}{'=' * needs}" for name, needs in options(command).items()}
    assert set(bash(command, "--")) == expected
    assert set(bash("--json", command, "--")) == expected
    if command == "sites":
        assert set(bash("--")) == expected


def test_bash_completes_commands_values_and_files(bash, tmp_path):
    (tmp_path / "some").mkdir()
    (tmp_path / "some/file").touch()
    assert set(bash("")) >= {*commands.NAMES, "help"}
    assert bash("help", "") == list(commands.NAMES)
    assert "addr" not in bash("sites", "a")
    assert bash("--color", "=", "a") == ["always", "auto"]
    assert bash("tree", "--charset", "=") == ["ascii", "utf8"]
    assert bash("-j", "") == []
    assert bash("btf", "") == ["dump", "check", "convert", "encode"]
    assert "check" not in bash("btf", "dump", "c")
    assert bash("addr", "--style", "=", "l") == ["llvm", "llvm-14"]
    assert bash("addr", f"{tmp_path}/some/f") == [f"{tmp_path}/some/file"]
    assert bash("--debug-dir", "=", f"{tmp_path}/s") == [f"{tmp_path}/some"]


@pytest.mark.parametrize("command", commands.NAMES)
def test_zsh_hands_the_options_of_a_command_to_its_completer(folder, options, texts, command):
    script = """
        _arguments() { printf '%s\\n' "$@" }
        words=(inlinecall "$2" --); CURRENT=3
        source "$1"
    """
    specs = shell("zsh", script, folder / "_inlinecall", command)
    names = re.findall(r"^(?:\(-\w --[\w-]+\)|\*)?--([\w-]+)(=-?)?\[", specs, re.MULTILINE)
    assert {name: argument == "=" for name, argument in names} == options(command)
    found = re.findall(r"^(?:\(-\w --[\w-]+\)|\*)?--([\w-]+)[=-]*\[((?:[^\]\\]|\\.)*)\]", specs, re.MULTILINE)
    assert {name: re.sub(r"\\(.)", r"\1", text) for name, text in found} == texts(command)


@pytest.mark.parametrize("command", commands.NAMES)
def test_fish_completes_the_options_of_a_command(folder, texts, command):
    completed = shell("fish", "source $argv[2]; complete -C \"inlinecall $argv[3] --\"",
                      folder / "inlinecall.fish", command)
    found = dict(line.removeprefix("--").split("\t") for line in completed.splitlines())
    assert {name.split("=")[0]: text for name, text in found.items()} == texts(command)


def test_fish_completes_commands_and_values(folder):
    words = shell("fish", "source $argv[2]; complete -C 'inlinecall '; "
                  "complete -C 'inlinecall tree --charset='; complete -C 'inlinecall btf '; "
                  "complete -C 'inlinecall addr --style='", folder / "inlinecall.fish")
    found = {line.split("\t")[0] for line in words.splitlines()}
    assert found >= {*commands.NAMES, "help", "--charset=ascii", "--charset=utf8", "dump", "check",
                     "convert", "encode", "--style=gnu", "--style=llvm"}
    words = shell("fish", "source $argv[2]; complete -C 'inlinecall help '",
                  folder / "inlinecall.fish")
    assert sorted(words.split()) == sorted(commands.NAMES)
