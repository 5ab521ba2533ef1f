"""Every section of every sample is damaged in turn, and every command is asked: see law.py."""

import pytest

import elf_edit
import law
import samples
import untold

# What scripts/check has time for.
SHORT_SAMPLES = ("gcc-5", "clang-4", "object-gcc", "dwo-5", "btf-loc")
SHORT_KINDS = ("zeros", "ones", "half-size", "no-offset", "huge-info", "next-link", "type-nobits")
SHORT_COMMANDS = ("sites", "sites-json", "sites-p", "addr", "lines", "llvm", "cfi", "example-addr",
                  "btf-dump", "btf-rfc")


def is_about_debugging(section):
    return section.name == ".text" or any(part in section.name for part in
                                          ("debug", ".BTF", "eh_frame", ".symtab", ".strtab", ".shstrtab"))


def judge(sample, section, kind, data, asked):
    """The breaks of the law by the commands, [(what, command), ...]; `asked` is [(command, answer
    of the sound file, environment), ...]."""
    sample.damaged.write_bytes(data)
    found = []
    for command, sound, environment in asked:
        how = law.broken(command, sound, law.ask(command, environment),
                         untold.names(section))
        if how and not untold.reason(kind, section, sample.name, command.name):
            found.append(f"{sample.name}: {section} {kind}: {command.name}: {how}")
    return found


def damages(sample, data, sections, kinds):
    """Yields (section, kind, damaged bytes)."""
    for section in elf_edit.Elf(data, sample.base).sections:
        if not sections(section):
            continue
        for kind in elf_edit.kinds_for(section):
            if kinds is None or kind in kinds:
                yield section.name, kind, elf_edit.damaged(data, sample.base, section.number, kind)
    if sample.asks == "stacks" and sample.damaged.suffix != ".debug":
        for segment, kind, damaged in elf_edit.damaged_segments(data, sample.base):
            if kinds is None or kind in kinds:
                yield str(segment), kind, damaged
    for kind in elf_edit.FILE_DAMAGES:
        yield "ELF header", kind, elf_edit.damaged_file(data, sample.base, kind)


def check(name, folder, program, environment, sections, kinds, commands):
    sample = samples.make(name, folder / name)
    data = sample.damaged.read_bytes()
    asked = [(command, law.ask(command, environment), environment)
             for command in law.commands_for(sample, program, environment)
             if commands is None or command.name in commands]
    assert any(sound.status == 0 for _, sound, _ in asked)
    found = []
    for section, kind, damaged in damages(sample, data, sections, kinds):
        if damaged != data:
            found += judge(sample, section, kind, damaged, asked)
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", SHORT_SAMPLES)
def test_no_answer_is_poorer_without_a_word(name, tmp_path, program, environment):
    check(name, tmp_path, program, environment, is_about_debugging, SHORT_KINDS, SHORT_COMMANDS)


@pytest.mark.long
@pytest.mark.parametrize("name", samples.SAMPLES)
def test_no_answer_to_any_question_is_poorer_without_a_word(name, tmp_path, program, environment):
    check(name, tmp_path, program, environment, lambda section: True, None, None)
