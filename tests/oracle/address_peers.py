"""llvm-symbolizer, addr2line and eu-addr2line, asked for all that they print about addresses."""

import functools
import json
import re
import subprocess
import tempfile
from typing import Callable, NamedTuple

from compare import one_slash
from matrix.shop import numbers, version_of

TIMEOUT = 3000
PLACE = re.compile(r"(.*?):(\d+|\?)(?::(\d+))?(?: \((?!discriminator)(?:is_stmt|[a-z_ ]+)\))*"
                   r"(?: \(isa \d+\))?(?: \(discriminator (\d+)\))?$")
ELFUTILS_CALL = re.compile(r" inlined(?: (?:at|from) .*)? in .*$")


class PeerFrame(NamedTuple):
    """Each None if the tool says that it does not know, or does not say."""
    name: str
    file: str
    line: int           # 0 is None
    column: int
    discriminator: int


def known(text):
    return None if text in ("", "??") else text


@functools.lru_cache(1 << 16)
def place_of(text):
    match = PLACE.match(text)
    if not match:
        raise ValueError(f"not a place: {text}")
    file, line, column, discriminator = match.groups()
    return (one_slash(known(file)), int(line) or None if line != "?" else None,
            int(column) or None if column else None, int(discriminator or 0) or None)


def parse_llvm(lines):
    for line in lines:
        frames = json.loads(line).get("Symbol", ())
        yield tuple(PeerFrame(known(frame["FunctionName"]), one_slash(known(frame["FileName"])),
                              frame["Line"] or None, frame["Column"] or None,
                              frame["Discriminator"] or None) for frame in frames)


def parse_gnu(lines):
    """An address, then two lines a frame."""
    stack, name = None, None
    for line in lines:
        line = line.rstrip("\n")
        if name is not None:
            stack.append(PeerFrame(known(name), *place_of(line)))
            name = None
        elif line.startswith("0x"):
            if stack is not None:
                yield tuple(stack)
            stack = []
        else:
            name = line
    if stack is not None:
        yield tuple(stack)


def parse_elfutils(lines):
    """It adds "inlined at ..." to names, which the next frame repeats."""
    for stack in parse_gnu(lines):
        yield tuple(frame._replace(name=known(ELFUTILS_CALL.sub("", frame.name)))
                    if frame.name else frame for frame in stack)


class Peer(NamedTuple):
    tool: str
    names: str           # "short" or "linkage": which of a function's it says
    command: tuple
    parse: Callable      # lines -> a tuple of PeerFrames an address
    section: str         # option before a section's name, or None where there is none
    columns: bool        # whether it prints them
    discriminators: str  # of "all" frames or of the "first"

    @property
    def version(self):
        return numbers(version_of(self.command[0]))

    def words(self, path, section):
        """The command; if it takes no section, there is only one."""
        more = (self.section, section) if section and self.section else ()
        return [*self.command, str(path), *more]


def llvm(names):
    return Peer("llvm-symbolizer", names,
                ("llvm-symbolizer", "--inlines", "--no-demangle", "--output-style=JSON",
                 f"--functions={names}", "--obj"), parse_llvm, None, True, "all")


PEERS = (
    llvm("short"),
    llvm("linkage"),
    Peer("addr2line", "linkage", ("addr2line", "-a", "-f", "-i", "-e"), parse_gnu, "-j", False,
         "first"),
    Peer("eu-addr2line", "linkage", ("eu-addr2line", "-a", "-f", "-i", "-F", "-e"),
         parse_elfutils, "-j", True, "first"),
)


class NoAnswer(Exception):
    """What a tool said instead."""


def ask(peer, path, section, addrs, options=()):
    """Yields a tuple of PeerFrames an address."""
    command = [*peer.words(path, section), *map(str, options)]
    with tempfile.TemporaryFile("w+") as asked, tempfile.TemporaryFile("w+") as complaints:
        asked.writelines(f"{addr:#x}\n" for addr in addrs)
        asked.seek(0)
        process = subprocess.Popen(command, stdin=asked, stdout=subprocess.PIPE, text=True,
                                   stderr=complaints, errors="replace", bufsize=1 << 20)
        try:
            count = 0
            for stack in peer.parse(process.stdout):
                count += 1
                yield stack
            process.stdout.read()
        finally:
            process.stdout.close()
            process.kill()
            process.wait()
        if count != len(addrs):
            complaints.seek(0)
            raise NoAnswer(f"{' '.join(command)}: {count} answers to {len(addrs)} addresses: "
                           f"{complaints.read(300)}")
