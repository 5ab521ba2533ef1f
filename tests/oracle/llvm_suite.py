#!/usr/bin/env python3
"""Runs LLVM's own tests of llvm-symbolizer and llvm-addr2line with inlinecall in their place.

    llvm_suite.py [--version N] [--real] [-v] [PATTERN]...

The tests come from Debian's source packages, into the user's cache; the tools that they use
(FileCheck, llvm-mc, ...) are those that are installed. --real runs LLVM's own programs.
"""

import argparse
import concurrent.futures
import errno
import fnmatch
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from source_packages import fetched_source

HERE = Path(__file__).resolve().parent
EXCEPTIONS = HERE / "llvm_suite_exceptions.txt"
ROOT = HERE.parents[1]
PARTS = ("llvm/test/tools/llvm-symbolizer", "llvm/test/DebugInfo", "llvm/test/Support")
ASKS = re.compile(r"RUN:.*llvm-(symbolizer|addr2line)\b")
TARGETS = ("x86", "aarch64", "arm", "csky", "powerpc", "riscv", "webassembly")
FEATURES = {f"{target}-registered-target" for target in TARGETS} | {
    "shell", "zlib", "zstd", "object-emission", "default_triple", "x86_64-linux", "system-linux",
    "target=x86_64-pc-linux-gnu"}


def tools_of(version):
    return Path(f"/usr/lib/llvm-{version}/bin")


def versions():
    """14, and the newest one, if their tools are installed."""
    found = sorted(int(folder.name[5:]) for folder in Path("/usr/lib").glob("llvm-[0-9]*")
                   if folder.name[5:].isdigit() and (folder / "bin/FileCheck").exists() and
                   (folder / "bin/llvm-mc").exists())
    return sorted({number for number in found if number in (14, found[-1])})


def fetch(version):
    """The folder with the tests of a version of LLVM. Old ones leave their release."""
    return fetched_source(f"llvm-toolchain-{version}", f"llvm-tests-{version}", PARTS,
                          suites=("unstable",))


def tests_of(folder):
    """The paths of all tests that run one of the programs."""
    base = folder / "llvm/test"
    return sorted(str(path.relative_to(base)) for path in base.rglob("*")
                  if path.is_file() and "Inputs" not in path.parts and
                  path.suffix in (".test", ".s", ".ll", ".yaml", ".c") and
                  ASKS.search(path.read_text(errors="replace")))


class Listed(NamedTuple):
    versions: set
    pattern: str
    reason: str


def exceptions():
    """Lines of "VERSION[,VERSION] PATTERN REASON"."""
    found = []
    for line in EXCEPTIONS.read_text().splitlines():
        if line and not line.startswith("#"):
            numbers, pattern, reason = line.split(None, 2)
            found.append(Listed(set(numbers.split(",")), pattern, reason))
    return found


def exception_of(version, name):
    """Why a test need not pass; None if it must."""
    for item in exceptions():
        if str(version) in item.versions and fnmatch.fnmatchcase(name, item.pattern):
            return item.reason
    return None


def is_met(text, keyword):
    """Whether all conditions of REQUIRES are met, or none of UNSUPPORTED."""
    words = [word.strip() for line in re.findall(rf"{keyword}:(.*)", text)
             for word in line.split(",")]
    return [word for word in words if word in FEATURES or any(
        "{{" in word and re.fullmatch(re.sub(r"\{\{(.*?)\}\}", r"\1", word), feature)
        for feature in FEATURES)], words


def script_of(path, text, temporary):
    """The RUN lines as a script of bash."""
    substitutions = [
        ("%/s", str(path)), ("%/p", str(path.parent)), ("%/S", str(path.parent)),
        ("%/t", str(temporary)), ("%llc_dwarf", "llc"), ("%python", sys.executable),
        ("%s", str(path)), ("%S", str(path.parent)), ("%p", str(path.parent)),
        ("%t", str(temporary))]
    lines, open_line = [], ""
    for match in re.finditer(r"RUN:\s*(.*)", text):
        line = open_line + match[1].rstrip()
        open_line = line[:-1] if line.endswith("\\") else ""
        if not open_line:
            lines.append(line)
    made = []
    for line in lines:
        # No condition that the tests name, of systems and of Windows, holds here.
        line = re.sub(r"%if \S+ %\{(.*?)%\}(?: %else %\{(.*?)%\})?", lambda m: m[2] or "", line)
        line = re.sub(r"%errc_(E[A-Z]+)",
                      lambda m: f"'{os.strerror(getattr(errno, m[1]))}'", line)
        for old, new in substitutions:
            line = line.replace(old, new)
        made.append(f"{{ {line}; }}" if line.strip() else "")
    return "set -o pipefail\n" + " &&\n".join(filter(None, made)) + "\n"


class Result(NamedTuple):
    name: str
    outcome: str  # "pass", "fail", or "skip"
    output: str


def programs(version, program, folder):
    """A folder with links to the tools, and to what is tried by the names of LLVM's programs."""
    folder.mkdir(parents=True)
    for name in "llvm-symbolizer", "llvm-addr2line":
        if not program:
            (folder / name).symlink_to(tools_of(version) / name)
        elif version == max(versions()):
            (folder / name).symlink_to(program)
        else:
            (folder / name).write_text(
                f'#!/bin/bash\nexec -a {name}-{version} {program} "$@"\n')
            (folder / name).chmod(0o755)
    return folder


def run_test(base, name, version, path_folder, work):
    path = base / "llvm/test" / name
    text = path.read_text(errors="replace")
    met, wanted = is_met(text, "REQUIRES")
    if len(met) < len(wanted) or is_met(text, "UNSUPPORTED")[0]:
        return Result(name, "skip", f"needs {wanted}")
    temporary = work / name.replace("/", "_")
    temporary.mkdir(parents=True, exist_ok=True)
    script = script_of(path, text, temporary / f"{path.name}.tmp")
    environment = {key: value for key, value in os.environ.items()
                   if not key.startswith(("DEBUGINFOD", "LLVM_"))}
    environment["PATH"] = f"{path_folder}:{tools_of(version)}:{os.environ['PATH']}"
    try:
        result = subprocess.run(["bash", "-c", script], cwd=temporary, env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                stderr=subprocess.STDOUT, timeout=120, check=False)
        output, failed = result.stdout.decode(errors="replace"), result.returncode != 0
    except subprocess.TimeoutExpired:
        output, failed = "took too long", True
    return Result(name, "fail" if failed else "pass", f"{script}\n{output}")


def run_all(version, program, names, work):
    """The results of the tests named, with that program, or with LLVM's own for None."""
    base = fetch(version)
    path_folder = programs(version, program, work / "bin")
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(
            lambda name: run_test(base, name, version, path_folder, work), names))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--version", type=int, default=max(versions(), default=0))
    parser.add_argument("--real", action="store_true", help="run LLVM's own programs")
    parser.add_argument("-v", action="store_true", help="print what failed tests wrote")
    parser.add_argument("patterns", nargs="*", metavar="PATTERN")
    arguments = parser.parse_args()
    program = None if arguments.real else os.environ.get("INLINECALL",
                                                         ROOT / "build/cli/inlinecall")
    names = [name for name in tests_of(fetch(arguments.version)) if not arguments.patterns or
             any(pattern in name for pattern in arguments.patterns)]
    with tempfile.TemporaryDirectory() as work:
        results = run_all(arguments.version, program, names, Path(work))
    for result in results:
        reason = exception_of(arguments.version, result.name)
        print(f"{result.outcome}: {result.name}{f' ({reason})' if reason else ''}")
        if arguments.v and result.outcome == "fail":
            print(result.output)
    for outcome in "pass", "fail", "skip":
        print(f"{outcome}: {sum(result.outcome == outcome for result in results)}")


if __name__ == "__main__":
    main()
