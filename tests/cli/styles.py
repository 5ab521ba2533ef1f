"""What the tests of the stand-ins for other symbolizers share: programs, and whom to ask."""

import itertools
import os
import re
import shutil
import subprocess

import pytest

import building

HERE = building.OURS
MAN = building.HERE.parents[1] / "man"
PROGRAM = re.compile(r"^\S*(llvm-symbolizer|llvm-addr2line)[-.\d]*: ", re.MULTILINE)
BUILDS = {  # name: (compiler, sources, options)
    "c": ("gcc", ("styles.c",), ("-g", "-O2")),
    "dwarf-4": ("gcc", ("styles.c",), ("-g", "-gdwarf-4", "-O2")),
    "fixed": ("gcc", ("styles.c",), ("-g", "-O2", "-no-pie", "-fno-pie")),
    "32": ("gcc", ("styles.c",), ("-g", "-O2", "-m32")),
    "c++": ("g++", ("styles.cpp",), ("-g", "-O2")),
    "unnamed": ("g++", ("unnamed.cpp",), ("-g", "-O2")),
    "asm": ("gcc", ("styles.c", "styles.s"), ("-g", "-O2")),
    "object": ("gcc", ("styles.c",), ("-g", "-O2", "-c")),
    "clang": ("clang", ("styles.c",), ("-g", "-O2", "-fdebug-info-for-profiling")),
    "clang-4": ("clang", ("styles.c",),
                ("-g", "-gdwarf-4", "-O2", "-fdebug-info-for-profiling")),
    "clang++": ("clang++", ("styles.cpp",), ("-g", "-O2")),
    "lines": ("clang", ("styles.c",), ("-gline-tables-only", "-O0")),
    "bare": ("gcc", ("styles.c",), ("-O2",)),
    "stripped": ("gcc", ("styles.c",), ("-O2", "-s")),
}


@pytest.fixture(scope="session")
def styled(tmp_path_factory):
    """The path of a program of BUILDS, which is built once. Not to be changed."""
    folder, made = tmp_path_factory.mktemp("styles"), {}

    def make(name):
        if name not in made:
            compiler, sources, options = BUILDS[name]
            building.need(compiler)
            building.command(compiler, *options, *(HERE / source for source in sources), "-o",
                             folder / name)
            made[name] = folder / name
        return made[name]

    return make


def functions(path):
    """{name: (start, end)} of the function symbols that have a size."""
    found = {}
    for line in building.command("nm", "-S", "--defined-only", path).splitlines():
        words = line.split()
        if len(words) == 4 and words[2] in "tTwW":
            found[words[3]] = (int(words[0], 16), int(words[0], 16) + int(words[1], 16))
    return found


def addresses(path):
    """Those of all instructions in these functions."""
    inside = sorted(functions(path).values())
    found = re.findall(r"^ +([0-9a-f]+):", building.command("objdump", "-d", path), re.MULTILINE)
    return [address for address in (int(text, 16) for text in found)
            if any(start <= address < end for start, end in inside)]


def combinations(letters):
    """"", "-a", "-f", "-af", ...: every choice of the letters."""
    for count in range(len(letters) + 1):
        for chosen in itertools.combinations(letters, count):
            yield ["-" + "".join(chosen)] if chosen else []


def ask(tool, *arguments, stdin="", cwd=None):
    """(exit status, standard output, standard error) of a tool, which goes by its plain name."""
    result = subprocess.run([str(tool), *map(os.fspath, arguments)], input=stdin, cwd=cwd,
                            capture_output=True, encoding="utf-8", errors="surrogateescape",
                            timeout=60, check=False)
    return result.returncode, result.stdout, PROGRAM.sub(r"\1: ", result.stderr)


def linked(program, folder, name):
    """The program by another name."""
    path = folder / name
    path.symlink_to(program)
    return path


def find_tool(*names):
    for name in names:
        if shutil.which(name):
            return shutil.which(name)
    pytest.skip(f"no {names[0]}")
    return None


# The newest version of LLVM whose answers are known: what a later one says is not compared.
NEWEST_LLVM = 22


def llvm_version(path):
    return int(re.search(r"LLVM version (\d+)", ask(path, "--version")[1])[1])


def need_llvm(path, version):
    """Skips what LLVM's tool answers in another way before that version."""
    if llvm_version(path) < version:
        pytest.skip(f"LLVM {llvm_version(path)} answers in another way than {version}")


def llvm_tools(name):
    """{version: path} of LLVM's tool of that name, from 14 on."""
    found = {}
    for path in [f"{name}-{number}" for number in range(14, NEWEST_LLVM + 1)] + [name]:
        if shutil.which(path):
            found[llvm_version(path)] = shutil.which(path)
    return found


def llvm_tool(name, version):
    """A tool of LLVM 14, or of the newest version that there is; skips without it."""
    found = {number: path for number, path in llvm_tools(name).items()
             if (number == 14 if version == "14" else number >= 19)}
    if not found:
        pytest.skip(f"no {name} of LLVM {version}")
    return found[max(found)]
