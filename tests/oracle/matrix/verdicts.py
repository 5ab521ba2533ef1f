"""What came of asking: of us about every instance, of the peers about every stack."""

import json
import subprocess
import threading
from collections import Counter
from typing import NamedTuple

import compare
from instances import Sections
from matrix import peers, truth

RIGHT, FAILS, NOTHING = "right", "fails", "-"
TIMEOUT = 120


class Result(NamedTuple):
    instances: int
    verdicts: dict  # {"inlinecall" or a peer: text}
    detail: list    # what differs, for people


class Judge:
    """Remembers what the decoders said: several containers share one twin."""

    def __init__(self, shop):
        self.shop = shop
        self.known = {}
        self.lock = threading.Lock()

    def truth_of(self, paths, reader):
        key = paths, reader
        if key not in self.known:  # two threads may do it both, which is no harm
            self.known[key] = truth.read(paths, reader)
        return self.known[key]

    @staticmethod
    def stacks(subject, expected):
        """In an object without its section an address is none that one could ask about."""
        blind = subject.reader == "readelf" and Sections(str(subject.path)).relocatable
        return {} if blind else expected.stacks

    def judge(self, cell):
        subject = cell.make(self.shop)
        expected = self.truth_of(subject.twins or (subject.path,), subject.reader)
        if bool(expected.instances) != subject.has_instances:
            raise AssertionError(f"{cell.id}: {expected.instances.total()} instances by the"
                                 " decoder: nothing would be compared")
        ours, detail = judge_ours(subject, expected.instances)
        verdicts = {"inlinecall": ours}
        for peer in peers.PEERS:
            verdicts[peer.tool], more = judge_peer(peer, subject, self.stacks(subject, expected))
            detail += more
        return Result(expected.instances.total(), verdicts, detail)


def ask_ours(subject):
    """(Counter of instances, exit status, what was said on standard error)"""
    command = [compare.program(), "-a", *map(str, subject.options), "--json", str(subject.path)]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace",
                            timeout=TIMEOUT, check=False)
    rows = [json.loads(line) for line in result.stdout.splitlines()]
    found = Counter()
    for row in rows:
        one = compare.from_json(row)
        if subject.reader == "readelf":
            one = tuple(truth.without_sections(value) if name == "ranges" else value
                        for name, value in zip(compare.FIELDS, one))
        found[one[truth.COMPARED]] += 1
    return found, result.returncode, command, result.stderr


def judge_ours(subject, expected):
    found, status, command, errors = ask_ours(subject)
    # Nothing to be found is an answer too.
    statuses = (subject.status,) if expected or subject.status else (0, 1)
    missing, extra = expected - found, found - expected
    detail = []
    if missing or extra or status not in statuses:
        detail = ["inlinecall: " + " ".join(command), f"  exit status {status}",
                  *(f"  {line}" for line in errors.splitlines()[:5]),
                  *(f"  not found: {shown(one)}" for one in list(missing)[:5]),
                  *(f"  not in it: {shown(one)}" for one in list(extra)[:5])]
    if missing or extra:
        if not found:
            return FAILS, detail
        wrong = max(missing.total(), extra.total())
        return f"wrong {wrong} of {expected.total()}", detail
    return (RIGHT if status in statuses else f"right, but exit {status}"), detail


def shown(one):
    fields = compare.FIELDS[truth.COMPARED]
    return ", ".join(f"{name} {compare.shown(value)}" for name, value in zip(fields, one)
                     if value not in (None, ()))


def judge_peer(peer, subject, stacks):
    if not stacks:
        return NOTHING, []
    answers, command, errors = peers.ask(peer, subject, sorted(stacks, key=str))
    if not any(says_something(stack) for stack in answers.values()):
        return FAILS, [f"{peer.tool}: {command}", f"  {errors.strip()[:200]}"]
    wrong = [where for where, accepted in stacks.items()
             if not any(same(one, answers.get(where, ())) for one in accepted)]
    if not wrong:
        return RIGHT, []
    detail = [f"{peer.tool}: {command}"]
    for section, addr in sorted(wrong, key=str)[:3]:
        detail.append(f"  at {section or ''}+{addr:#x}: {answers.get((section, addr))}")
        detail += [f"    expected {[(sorted(f.names), f.line) for f in one]}"
                   for one in stacks[section, addr]]
    return f"wrong {len(wrong)} of {len(stacks)}", detail


def says_something(stack):
    """More than the symbol table can: a line, or an inlined function."""
    return len(stack) > 1 or any(line for _, line in stack)


def same(expected, answer):
    """The innermost frame's line is the line table's, which was not asked about."""
    return (len(expected) == len(answer) and
            is_host(expected[-1].names, answer[-1][0]) and
            all(name in frame.names for frame, (name, _) in zip(expected[:-1], answer)) and
            all(frame.line in (None, line) for frame, (_, line) in zip(expected, answer)))


def is_host(names, name):
    """A symbol may have more to its name than the DWARF does: far.1, f.cold, f.constprop.0."""
    return name in names or any(name.startswith(f"{one}.") for one in names)
