"""The stacks that inlinecall prints beside those that gdb finds."""

import json
import os
import re
import resource
import subprocess
from pathlib import Path

import compare

HERE = Path(__file__).resolve().parent
SOURCES = HERE / "stacks"
PATIENCE = 120  # seconds, of a program that may wait for others


class NoCore(Exception):
    """The machine does not leave core files where a test can find them."""


def build(compiler, flags, source, output):
    if not Path(output).exists():
        subprocess.run([compiler, "-g", *flags, "-pthread", SOURCES / source, "-o", output],
                       check=True, capture_output=True)
    return output


def limit_core():
    resource.setrlimit(resource.RLIMIT_CORE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


def make_core(words, directory):
    """The core of a program that aborts, as the kernel writes it."""
    process = subprocess.Popen([*map(str, words)], cwd=directory, preexec_fn=limit_core,
                               stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    status = process.wait(PATIENCE)
    cores = [path for path in Path(directory).glob("core*") if path.name in
             ("core", f"core.{process.pid}")]
    if status >= 0 or not cores:
        raise NoCore(f"{words} left no core (status {status})")
    core = Path(directory) / f"of-{'-'.join(map(str, words[1:]))}"
    cores[0].rename(core)
    return core


def ours(*words):
    """({thread: row}, status, messages) of `inlinecall backtrace --json`."""
    result = subprocess.run([compare.program(), "backtrace", "--json", *map(str, words)],
                            capture_output=True, text=True, timeout=PATIENCE, check=False)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    return ({row["tid"]: row for row in rows if row["type"] == "thread"}, result.returncode,
            result.stderr)


def printed_by_gdb(script, *words):
    """What a script of ours has gdb print."""
    result = subprocess.run(["gdb", "-batch", "-nx", *map(str, words), "-x", HERE / script],
                            capture_output=True, text=True,
                            env={**os.environ, "DEBUGINFOD_URLS": ""}, timeout=PATIENCE,
                            check=False)
    lines = [line for line in result.stdout.splitlines() if line.startswith("JSON ")]
    if not lines:
        raise RuntimeError(result.stdout + result.stderr)
    return json.loads(lines[0][5:])


def gdbs(*words):
    """{thread: [frame, ...]} of gdb."""
    threads = printed_by_gdb("gdb_backtraces.py", *words)
    return {int(tid): frames for tid, frames in threads.items()}


def plain_name(name):
    """Without scopes, parameters and what they are templates of: the last word of a name."""
    name = re.sub(r"\(anonymous namespace\)|\(lambda\([^)]*\)#\d+\)", "", name or "")
    name = name.split("(")[0]
    while "<" in name and not name.startswith("operator"):
        shorter = re.sub(r"<[^<>]*>", "", name)
        if shorter == name:
            break
        name = shorter
    return name.split("::")[-1].split(" ")[-1]


def in_one_form(frame):
    """A frame of gdb as (kind, address or None if inlined, name, file, line)."""
    described = frame["is_described"]
    return (frame["kind"], None if frame["kind"] == "inlined" else frame["address"],
            plain_name(frame["name"]) if described else None,
            os.path.basename(frame["file"]) if described and frame["file"] else None,
            frame["line"] if described and frame["file"] else None)


def our_form(frame):
    kind = ("inlined" if frame["inlined"] else "signal" if frame["signal"] else "normal")
    return (kind, None if frame["inlined"] else int(frame["address"], 16),
            plain_name(frame["function"]), os.path.basename(frame["file"] or "") or None,
            frame["line"] or None)


def same(left, right):
    """Whether a frame of ours is that of gdb, of which only the address may be known.

    Names and lines are compared in our programs only: of aliases in libc and of operators gdb has
    other names, and what it has of inlined templates test_addresses.py does not find by brute force.
    """
    if left[0] != right[0] or left[1] != right[1]:
        return False
    if right[0] == "signal" or right[2] is None or not (SOURCES / (right[3] or "none")).exists():
        return True
    return "operator" in (left[2], right[2]) or left[2:] == right[2:]


def differences(row, frames, with_line=True):
    """Where a stack differs, as text. Frames of tail calls are left out: test_made_tail_calls.py
    compares them. gdb's last frame is none if it is at address 0 or has no code. At a place that has
    several rows of the line table gdb prefers those that begin statements: without `with_line` the
    line of the first frame is not compared."""
    theirs = [in_one_form(frame) for frame in frames if frame["kind"] not in ("tail call", "error")]
    while theirs and theirs[-1][1] == 0:
        theirs.pop()
    mine = [our_form(frame) for frame in row["frames"] if frame["found"] != "tail_call"]
    found = []
    for number in range(max(len(mine), len(theirs))):
        left = mine[number] if number < len(mine) else None
        right = theirs[number] if number < len(theirs) else None
        if number == 0 and not with_line and left and right:
            left, right = left[:4] + (0,), right[:4] + (0,)
        if left is None or right is None or not same(left, right):
            found.append(f"thread {row['tid']} #{number}: {left} but {right} ({row['end']})")
            if left is None or right is None or left[1] != right[1]:
                break
    return found
