"""Where the files of the matrix are made: runs tools, each command once."""

import concurrent.futures
import hashlib
import os
import re
import shutil
import subprocess
import threading
from pathlib import Path

PROGRAMS = Path(__file__).resolve().parents[1] / "programs"
OURS = PROGRAMS / "matrix"
TIMEOUT = 300


class ToolFailed(Exception):
    """A tool could not make what a recipe asked for. Not a verdict on anybody."""


class Shop:
    """Every command runs in a folder of its own, so that what it writes beside its output (.dwo
    files) is found again, and no two commands write to one file."""

    def __init__(self, directory):
        self.directory = Path(directory)
        self.lock = threading.Lock()
        self.made = {}      # command -> Future of the path
        self.commands = []  # as they were run, for people
        self.rooms = 0

    def make(self, *command, output, cwd=None):
        """Runs `command` and gives the path of `output`, which it must write; the same command is
        run once. What it makes is shared: not to be changed."""
        words = tuple(map(str, command))
        key = words, output, cwd
        with self.lock:
            future = self.made.get(key)
            mine = future is None
            if mine:
                future = self.made[key] = concurrent.futures.Future()
        if mine:
            try:
                future.set_result(self._make(words, output, cwd))
            except BaseException as error:  # whoever waits for it must hear of it
                future.set_exception(error)
        return future.result()

    def _make(self, words, output, cwd):
        name = hashlib.sha256("\0".join((*words, output)).encode()).hexdigest()[:16]
        folder = cwd or self.directory / name
        folder.mkdir(exist_ok=True)
        self.run(*words, cwd=folder)
        path = folder / output
        if not path.exists():
            raise ToolFailed(f"{' '.join(words)}\nwrote no {output}")
        return path

    def run(self, *command, cwd):
        words = [str(word) for word in command]
        with self.lock:
            self.commands.append((cwd, words))
        environment = {**os.environ, "LC_ALL": "C", "CGO_ENABLED": "0", "GOFLAGS": "",
                       "GOCACHE": str(self.directory / "go-cache"), "GO111MODULE": "off"}
        result = subprocess.run(words, cwd=cwd, stdin=subprocess.DEVNULL, env=environment,
                                stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                errors="replace", timeout=TIMEOUT, check=False)
        if result.returncode:
            raise ToolFailed(f"in {cwd}: {' '.join(words)}\n{result.stdout}")
        return result.stdout

    def room(self):
        """A new empty folder, for what is changed after it was made."""
        with self.lock:
            self.rooms += 1
            folder = self.directory / f"room{self.rooms}"
        folder.mkdir()
        return folder

    def copy(self, path, room, name=None):
        with self.lock:
            self.commands.append((room, ["cp", str(path), name or path.name]))
        return Path(shutil.copy(path, room / (name or path.name)))

    def compiled(self, driver, sources, *flags, suffix=""):
        """One object a source."""
        return [self.make(driver, *flags, "-c", source, "-o", f"{source.stem}{suffix}.o",
                          output=f"{source.stem}{suffix}.o")
                for source in sources]

    def linked(self, driver, objects, *flags, output="program"):
        return self.make(driver, *flags, *objects, "-o", output, output=output)


VERSION = re.compile(r"\d+(?:\.\d+)+")
ASK_VERSION = {"go": ("version",), "dwz": ("-v",)}
_versions = {}


def version_of(tool):
    """"12.2.0"; None if there is no such tool."""
    if tool not in _versions:
        path = shutil.which(tool)
        text = ""
        if path:
            result = subprocess.run([path, *ASK_VERSION.get(tool, ("--version",))], text=True,
                                    stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False)
            text = result.stdout
        # A package's version in parentheses comes before the tool's own.
        found = VERSION.search(re.sub(r"\([^)]*\)", "", text)) or VERSION.search(text)
        _versions[tool] = found.group(0) if found else ("unknown" if path else None)
    return _versions[tool]


def missing(needs):
    """The first of the tools ("gcc", "rustc>=1.88") that the machine lacks, or None."""
    for need in needs:
        tool, _, least = need.partition(">=")
        version = version_of(tool)
        if version is None or least and numbers(version) < numbers(least):
            return need
    return None


def numbers(version):
    return tuple(int(part) for part in version.split(".") if part.isdigit())
