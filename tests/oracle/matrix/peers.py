"""The symbolizers of others, asked for the inline stack at many addresses by one process."""

import json
import re
import subprocess
from typing import Callable, NamedTuple

TIMEOUT = 120
POSITION = re.compile(r"^(.*?):(\d+|\?)(?::\d+)?(?: \(.*\))?$")


class Peer(NamedTuple):
    tool: str
    command: Callable  # (path, section) -> words; the addresses go to its standard input
    parse: Callable    # its standard output -> a list of stacks, [(name, line), ...] each
    takes_section: bool


def parse_llvm(text):
    stacks = []
    for line in text.splitlines():
        frames = json.loads(line).get("Symbol", ())
        stacks.append([(frame["FunctionName"], frame["Line"]) for frame in frames])
    return stacks


def parse_gnu(text):
    """An address, then two lines a frame. elfutils adds "inlined at ..." to names."""
    stacks, name = [], None
    for line in text.splitlines():
        if line.startswith("0x"):
            stacks.append([])
            name = None
        elif name is None:
            name = re.split(" inlined (?:at|in) ", line)[0]
        else:
            position = POSITION.match(line)
            number = position.group(2) if position else "?"
            if stacks:
                stacks[-1].append((name, int(number) if number != "?" else 0))
            name = None
    return stacks


def llvm(path, _):
    return ("llvm-symbolizer", f"--obj={path}", "--inlines", "--functions=linkage",
            "--no-demangle", "--output-style=JSON")


def binutils(path, section):
    return ("addr2line", "-a", "-f", "-i", *(("-j", section) if section else ()), "-e", path)


def elfutils(path, section):
    return ("eu-addr2line", "-a", "-f", "-i", *(("-j", section) if section else ()), "-e", path)


PEERS = (Peer("llvm-symbolizer", llvm, parse_llvm, False),
         Peer("addr2line", binutils, parse_gnu, True),
         Peer("eu-addr2line", elfutils, parse_gnu, True))


def ask(peer, subject, places):
    """{(section, address): stack} as far as it answers, its first command, what it complained of.

    It may fail and exit with 0; so only what it prints counts.
    """
    answers, first, errors = {}, None, ""
    for section in sorted({section for section, _ in places}, key=str):
        addrs = [addr for where, addr in places if where == section]
        tool, *arguments = map(str, peer.command(subject.path, section))
        command = [subject.peer_tools.get(peer.tool, tool), *arguments,
                   *map(str, subject.peer_options.get(peer.tool, ()))]
        first = first or f"echo {addrs[0]:#x} | {' '.join(command)}"
        try:
            result = subprocess.run(command, input="".join(f"{addr:#x}\n" for addr in addrs),
                                    capture_output=True, text=True, errors="replace",
                                    timeout=TIMEOUT, check=False)
            stacks = peer.parse(result.stdout)
        except (subprocess.TimeoutExpired, ValueError) as error:
            errors += str(error)
            continue
        errors += result.stderr
        # They answer in order; an answer too few says that it is not known which is missing.
        if len(stacks) == len(addrs):
            answers.update(zip(((section, addr) for addr in addrs), stacks))
    return answers, first, errors
