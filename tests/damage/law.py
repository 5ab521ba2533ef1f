"""The law of damage: the answer of the undamaged file, or a message that names what is damaged.

A command on a damaged file prints what it prints of the sound one, with the same status; or it
reports, with status 2, where the file could not be read. It never prints less without a word, and
never states a cause that a damaged file cannot tell.
"""

import json
import os
import re
import select
import signal
import subprocess
from typing import NamedTuple

# What is known only of a file that was read.
CAUSES = re.compile(r"optimi[sz]ed away|never inlined|no function is called|nothing was inlined"
                    r"|no copy|similar name|has no code|compiled without -g|stripped")
ENDS_EARLY = re.compile(rb'no more frames: |"end":"(?!outermost frame")')
SECONDS = 20
ALL_ASKED = ("gcc-5", "gcc-4", "clang-5", "dwo-5", "dwp-5", "object-gcc", "module", "riscv64")


class Command(NamedTuple):
    name: str
    words: tuple
    stdin: str = ""
    drop_in: bool = False  # says "??", with the status of the program that it stands in for


class Answer(NamedTuple):
    status: int
    out: bytes
    err: str


def ask(command, environment):
    """Runs a command; its output as bytes. Takes a quarter less time than with subprocess.run()."""
    files = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
    try:
        os.write(files[0], command.stdin.encode())
        os.lseek(files[0], 0, os.SEEK_SET)
        actions = [(os.POSIX_SPAWN_DUP2, file, number) for number, file in enumerate(files)]
        pid = os.posix_spawnp(command.words[0], command.words, environment, file_actions=actions)
        status = wait_for(pid, command)
        out, err = (os.pread(file, os.fstat(file).st_size, 0) for file in files[1:])
    finally:
        for file in files:
            os.close(file)
    return Answer(status, out, err.decode(errors="replace"))


def wait_for(pid, command):
    """The exit status of a process, negative for a signal."""
    handle = os.pidfd_open(pid)
    is_late = not select.select([handle], [], [], SECONDS)[0]
    os.close(handle)
    if is_late:
        os.kill(pid, signal.SIGKILL)
    status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
    if is_late:
        raise subprocess.TimeoutExpired(command.words, SECONDS)
    return status


def places_of(program, sample, environment):
    """[(address or section+offset), ...] in copies of a function, and where its calls are."""
    function = function_of(sample)
    out = subprocess.run([program, "--json", "-o", function, sample.asked], env=environment,
                         capture_output=True, check=False).stdout
    rows = [json.loads(line) for line in out.splitlines()]
    found = []
    for row in rows[:2] + rows[-1:]:
        for start, _ in row["ranges"][:1]:
            found.append(f"{row['section']}+{start}" if row["section"] else start)
    return list(dict.fromkeys(found))


def _symbol(sample):
    """ "main+0x5/0xSIZE", as an oops has it, or None without symbols."""
    out = subprocess.run(["llvm-nm", "-S", sample.path], capture_output=True, text=True,
                         check=False).stdout
    match = re.search(r"^[0-9a-f]+ ([0-9a-f]+) [tT] (main|loops)$", out, re.MULTILINE)
    return f"{match[2]}+0x5/{int(match[1], 16):#x}" if match else None


def function_of(sample):
    if sample.asks == "go":
        return "main.leaf"
    return "clamp" if "types" not in sample.name else "hidden"


def stack_commands(sample, program):
    return [
        Command("backtrace", (program, "backtrace", "--core", sample.asked, *sample.kernel)),
        Command("backtrace-v", (program, "backtrace", "-vv", "--json", "--core", sample.asked,
                                *sample.kernel)),
        Command("backtrace-group", (program, "backtrace", "--group", "--core", sample.asked,
                                    *sample.kernel)),
    ]


def table_commands(sample, program):
    dwarf = os.path.join(os.path.dirname(sample.asked), "dwarf.o")
    convert = ('cd "${1%/*}" && "$0" btf convert --format=$2 --output=converted "$1" && '
               '"$0" btf dump --btf="$1" converted')
    return [
        Command("btf-dump", (program, "btf", "dump", sample.asked)),
        Command("btf-raw", (program, "btf", "dump", "--raw", sample.asked)),
        Command("btf-check", (program, "btf", "check", sample.asked)),
        Command("btf-against", (program, "btf", "check", f"--against={dwarf}", sample.asked)),
        Command("btf-rfc", ("sh", "-c", convert, program, sample.asked, "rfc")),
        Command("btf-loc", ("sh", "-c", convert, program, sample.asked, "loc")),
        Command("sites-a", (program, "-a", "-e", "-p", sample.asked)),
        Command("sites", (program, "-p", function_of(sample), sample.asked)),
        Command("btf-inline", (program, "-a", "-p", f"--btf-inline={sample.asked}", dwarf)),
        Command("stats-p", (program, "stats", "-p", sample.asked)),
    ]


def go_commands(sample, program, environment):
    places = places_of(program, sample, environment)
    return [
        Command("sites", (program, "main.leaf", sample.asked)),
        Command("sites-e", (program, "-e", "-o", "--json", "main.leaf", sample.asked)),
        Command("sites-a", (program, "--json", "-a", "-o", sample.asked)),
        Command("tree", (program, "tree", "main.main", sample.asked)),
        Command("lines", (program, "lines", sample.asked, "inlined.go:16")),
        Command("addr", (program, "addr", sample.asked, *places)),
        Command("addr-go", (program, "addr", "--source=go", sample.asked, *places)),
        Command("addr-name", (program, "addr", sample.asked, "main.main")),
        Command("why", (program, "why", "main.leaf", sample.asked)),
        Command("stats", (program, "stats", sample.asked)),
        Command("probe", (program, "probe", "main.leaf", sample.asked)),
        Command("cfi", (program, "cfi", sample.asked, "main.main")),
    ]


def commands_for(sample, program, environment):
    """What is asked of a sample: every command, the stand-ins, and the library's examples."""
    if sample.asks == "stacks":
        return stack_commands(sample, program)
    if sample.asks == "go":
        return go_commands(sample, program, environment)
    if sample.asks == "tables":
        return table_commands(sample, program)
    one = sample.member or sample.asked
    function, places = function_of(sample), places_of(program, sample, environment)
    source = "third.cpp:20" if "types" in sample.name else "shapes.h:16"
    symbol = _symbol(sample)
    examples = os.path.join(os.path.dirname(os.path.dirname(program)), "examples")
    found = [
        Command("sites", (program, function, sample.asked)),
        Command("sites-a", (program, "-a", sample.asked)),
        Command("sites-json", (program, "--json", "-a", "-o", "-c", sample.asked)),
        Command("tree", (program, "tree", "-a", sample.asked)),
        Command("lines", (program, "lines", one, source)),
        Command("addr", (program, "addr", one, *places)),
        Command("addr-json", (program, "addr", "-C", "--json", one, *places)),
        Command("addr-name", (program, "addr", one, "main")),
        Command("gnu", (program, "addr", "--style=gnu", "-afi", "-e", one, *places),
                drop_in=True),
        Command("llvm", (program, "addr", "--style=llvm", f"--obj={one}", *places),
                drop_in=True),
    ]
    found += [Command(f"addr-{number}", (program, "addr", one, place))
              for number, place in enumerate(places[:2])]
    if symbol:
        found.append(Command("filter", (program, "addr", "--filter", one),
                             f"RIP: 0010:{symbol}\nCall Trace:\n {symbol}\n"))
    if sample.name in ALL_ASKED:
        found += other_commands(function, places, program, sample)
    if os.access(os.path.join(examples, "sites"), os.X_OK) and not sample.member:
        found.append(Command("example-sites", (os.path.join(examples, "sites"), function,
                                               sample.asked)))
        found += [Command("example-addr", (os.path.join(examples, "addr"), sample.asked, place))
                  for place in places[:1]]
    return found


def other_commands(function, places, program, sample):
    """What is asked of a few samples: each takes as long as all other commands."""
    one = sample.member or sample.asked
    return [
        Command("sites-e", (program, "-e", "-o", "--json", function, sample.asked)),
        Command("sites-p", (program, "-p", "-p", function, sample.asked)),
        Command("count", (program, "--count", "-a", sample.asked)),
        Command("why", (program, "why", function, sample.asked)),
        Command("stats", (program, "stats", sample.asked)),
        Command("stats-p", (program, "stats", "-p", sample.asked)),
        Command("sizes", (program, "sizes", "--limit=all", sample.asked)),
        Command("affected", (program, "affected", function, sample.asked)),
        Command("check", (program, "check", "--init", sample.asked)),
        Command("diff", (program, "diff", "--limit=all", sample.asked, sample.asked)),
        Command("probe", (program, "probe", function, one)),
        Command("probe-exit", (program, "probe", "--exit", function, one)),
        Command("addr-p", (program, "addr", "-p", one, *places)),
        Command("cfi", (program, "cfi", one)),
        Command("cfi-raw", (program, "cfi", "--raw", one)),
        Command("emit", ("sh", "-c", 'cd "${1%/*}" && "$0" emit --output=emitted "$1" && '
                                     '"$0" -a -o emitted', program, one)),
        Command("export", (program, "export", sample.asked)),
        Command("lint", (program, "lint", one)),
    ]


def is_finding(command, answer):
    """Whether damage is what the command reports."""
    return command.name in ("lint", "btf-check", "btf-against") and answer.status == 1 and answer.out


def plain(out):
    """Without how a frame was found, which is a word itself: by its code if nothing else describes it."""
    return re.sub(rb'"found":"(call_frames|code)"', b"", out)


def broken(command, sound, answer, names):
    """How an answer about a damaged file breaks the law; None if it holds it.

    `names` are what a message may call the damaged part: one of them must be in it.
    """
    if answer.status < 0:
        return f"signal {signal.Signals(-answer.status).name}"
    said = [line for line in answer.err.splitlines() if line not in sound.err.splitlines()]
    if CAUSES.search(answer.err) and not CAUSES.search(sound.err):
        return "a cause that is not known"
    if (answer.status, plain(answer.out)) == (sound.status, plain(sound.out)) or is_finding(command, answer):
        return None
    if answer.status not in ((0, 1, 2) if command.drop_in else (2,)):
        return "another answer without a word" if not said else "another answer"
    if command.drop_in and b"??" in answer.out and not answer.err:
        return None  # which is how those that it stands in for say that something is not known
    if command.name.startswith("backtrace") and ENDS_EARLY.search(answer.out):
        return None  # which is the message of a stack
    if not said:
        return "no message"
    if not any(name in line for line in said for name in names):
        return "a message that does not name it"
    return None
