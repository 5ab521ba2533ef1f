"""The --help of a command is about that command, and can be read on a narrow terminal."""

import re

import pytest

import commands
import help_texts

# Words, and the commands whose --help has them.
SUBJECTS = {
    r"findings?|severity": "lint",
    r"rules?": "check lint",
    r"probes?": "check probe sites why",
    r"tracers?": "probe",
    r"tracefs|bpftrace": "check probe",
    r"trac(e|es|ed|ing)|Ctrl-C|histograms?": "trace",
    r"profiles?|profilers?|recordings?|samples?|flame graphs?": "profile",
    r"cores?": "backtrace",
    r"stacks?": "backtrace profile trace",
    r"trees?|icicles?": "tree",
    r"treemaps?": "diff sizes",
    r"SAVES": "sizes",
    r"breakpoints?|SOURCE:FIRST-LAST": "lines",
    r"call frame|CFA": "backtrace cfi",
    r"oops": "addr",
    r"LOC_PARAM|bpftool|encode|convert": "btf",
    r"BTF": "addr btf probe sites stats trace",
}


@pytest.fixture(scope="session")
def outputs(run):
    return {command: run(command, "--help").out for command in commands.NAMES}


@pytest.fixture(params=commands.NAMES)
def command(request):
    return request.param


@pytest.fixture
def out(outputs, command):
    return outputs[command]


def test_lines_have_at_most_80_columns(out):
    for line in out.splitlines():
        assert len(line) <= 80 and line == line.rstrip() and line.isprintable(), line


def test_options_and_their_texts_are_in_columns(out):
    """The text of an option stands in its column, at least two blanks after the name; or in the
    next line, if the name is too long."""
    groups = re.findall(r"^(?:Which|What|Other) .*:\n((?: .*\n)+)", out, re.MULTILINE)
    lines = [line for group in groups for line in group.splitlines()]
    assert len(lines) > 10
    for line in lines:
        if line.startswith(" " * help_texts.COLUMN):
            assert line[help_texts.COLUMN] != " ", line
            continue
        found = re.fullmatch(r"(  (?:-\w, |    )--[a-z-]+(?:\[=[A-Z]+\]|=[A-Z]+)?)(?: {2,}(\S.*))?", line)
        assert found, line
        if found[2]:
            assert found.start(2) == help_texts.COLUMN, line
        else:
            assert len(found[1]) > help_texts.COLUMN - 2, line


def test_other_lists_are_in_columns(out):
    """Those of the commands, and of what a command prints or does."""
    lists = re.findall(r"(?:^  \w.*\n)+", out, re.MULTILINE)
    for lines in lists:
        found = re.findall(r"^(  \w+ {2,})\S", lines, re.MULTILINE)
        assert len(found) == len(lines.splitlines()), lines
        assert len({len(name) for name in found}) == 1, lines


def test_each_option_is_explained_once(out):
    names, texts = zip(*help_texts.read(out).options)
    assert len(names) > 6
    assert len(set(names)) == len(names)
    assert len(set(texts)) == len(texts)
    for text in texts:
        assert re.match(r"[a-z]|DWARF|JSON", text) and not text.endswith("."), text


@pytest.mark.parametrize("words", SUBJECTS)
def test_help_has_only_the_subjects_of_its_command(outputs, words):
    """The list of commands has more. A command whose --help no longer has a word of a row must
    be removed from it."""
    found = set()
    for command, out in outputs.items():
        read = help_texts.read(out)
        text = " ".join([read.usage, read.statuses, *(text for _, text in read.options)])
        text = re.sub(r"inlinecall \w+|--[\w-]+", "", text)
        if re.search(rf"\b({words})\b", text, re.IGNORECASE):
            found.add(command)
    assert found == set(SUBJECTS[words].split())


def test_help_names_no_other_command(out, command):
    read = help_texts.read(out)
    text = " ".join([read.usage, *(text for _, text in read.options)])
    assert set(re.findall(rf"(?:inlinecall |')({'|'.join(commands.NAMES)})\b", text)) <= {command}


def test_help_lists_the_commands_in_groups(outputs):
    assert help_texts.read(outputs["sites"]).commands == commands.TEXTS
    listed = outputs["sites"].split("The commands")[1]
    groups = re.findall(r"^([A-Z].*):\n((?:  \w+ .*\n)+)$", listed, re.MULTILINE)
    sizes = [len(lines.splitlines()) for _, lines in groups]
    assert sum(sizes) == len(commands.NAMES) and len(sizes) == 5 and min(sizes) > 1


@pytest.mark.parametrize("option, texts", [
    ("limit", {"lint": "findings", "probe": "probes", "trace": "calls"}),
    ("by", {"stats": "'caller'", "sizes": "'crate'", "profile": "'thread'"}),
    ("count", {"sites": "per function", "trace": "each copy"}),
])
def test_an_option_of_several_commands_has_a_text_for_each(outputs, option, texts):
    found = {command: dict(help_texts.read(outputs[command]).options)[option] for command in texts}
    for command, word in texts.items():
        assert [other for other, text in found.items() if word in text] == [command]
