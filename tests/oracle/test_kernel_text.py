"""The text that a real kernel and its modules would print, expanded. With --long only.

What is printed of a place is what `inlinecall addr` says of its address, which other tests compare
with other tools. Here it is asked whether the text is understood: the sizes of symbols are made as
a kernel makes them.
"""

import collections
import random
import re
import subprocess
from pathlib import Path

import pytest

import compare

ROOT = Path(__file__).resolve().parents[2]
MODULES = ("xfs.ko", "kvm.ko", "bluetooth.ko")
SAMPLES = 2000

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def kernel():
    result = subprocess.run([ROOT / "scripts" / "fetch-kernel"], capture_output=True, text=True,
                            check=False)
    if result.returncode:
        pytest.skip(result.stderr.strip().splitlines()[-1])
    return Path(result.stdout.strip())


def output(*words, text=None):
    return subprocess.run([str(word) for word in words], input=text, capture_output=True, text=True,
                          check=False).stdout


def symbols(path):
    """[(section, address, size up to the next symbol there, name), ...] of what is in code; of
    several names of an address the first one."""
    code = set(re.findall(r"^ *\d+ (\S+) .*\n.*\bCODE\b", output("objdump", "-h", path), re.M))
    rows = re.findall(r"^([0-9a-f]{16}) (.{7}) (\S+)\t([0-9a-f]{16}) (?:\.hidden )?(\S+)$",
                      output("objdump", "-t", path), re.M)
    places = collections.defaultdict(dict)
    for address, flags, section, _, name in rows:
        if section in code and "d" not in flags:
            places[section].setdefault(int(address, 16), name)
    for section, names in sorted(places.items()):
        starts = sorted(names)
        for start, behind in zip(starts, starts[1:]):
            yield section, start, behind - start, names[start]


def sampled(path):
    """[(section, address, the text that a kernel prints), ...]"""
    chance = random.Random(str(path.name))
    every = list(symbols(path))
    for section, start, size, name in chance.sample(every, min(SAMPLES, len(every))):
        offset = chance.randrange(size)
        yield section, start + offset, f"{name}+{offset:#x}/{size:#x}"


def frames_of_text(text, path):
    """[[frame, ...], ...] of lines that begin with one blank."""
    answers = []
    for line in output(compare.program(), "addr", "--filter", path, text=text).splitlines():
        if line.startswith("     "):
            answers[-1].append(line.strip())
        else:
            answers.append([])
    return answers


def frames_of_addresses(addresses, path):
    answers = []
    for line in output(compare.program(), "addr", path,
                       text="".join(f"{address}\n" for address in addresses)).splitlines():
        address, function, *rest = line.split("\t")
        if address:
            answers.append([])
        if rest:
            answers[-1].append(f"{function} at {rest[0]}" + (" (inlined)" if rest[1:] else ""))
    return answers


def kind(text, got, want, several):
    """How what is printed relates to what is known of the address."""
    name = text.split("+")[0]
    if got == want:
        return "same"
    if got and got[0].startswith("("):
        return "ambiguous" if name in several else "of another size"
    if not got and (not want or want[0].endswith(" at ??:0")):
        return "nothing but the symbol"
    if len(got) == len(want) == 1 and want[0] == got[0].replace(f"{name}()", "??", 1):
        return "padding"
    return "different"


def check(path, module):
    places = list(sampled(path))
    names = collections.Counter(name for _, _, _, name in symbols(path))
    several = {name for name, count in names.items() if count > 1}
    suffix = f" [{module}]" if module else ""
    got = frames_of_text("".join(f" {text}{suffix}\n" for _, _, text in places), path)
    want = frames_of_addresses([f"{section}+{address:#x}" if module else f"{address:#x}"
                                for section, address, _ in places], path)
    assert len(got) == len(want) == len(places)
    kinds = collections.Counter()
    wrong = []
    for (_, _, text), one, other in zip(places, got, want):
        found = kind(text, one, other, several)
        kinds[found] += 1
        if found in ("different", "of another size"):
            wrong.append((text, one, other))
    print(path.name, dict(kinds))
    return kinds, wrong


def test_every_symbol_of_a_kernel_is_understood(kernel, inlinecall):
    (path,) = kernel.rglob("vmlinux-*")
    kinds, wrong = check(path, None)
    # Labels of assembler, inside of functions or at their ends, cut these short.
    wrong = [one for one in wrong if not any(".S:" in frame for frame in one[2])]
    assert not wrong, wrong[:10]
    assert kinds["same"] > 0.8 * SAMPLES and kinds["ambiguous"] < 0.02 * SAMPLES


@pytest.mark.parametrize("name", MODULES)
def test_every_symbol_of_a_module_is_understood(kernel, inlinecall, name):
    (path,) = kernel.rglob(name)
    kinds, wrong = check(path, name.removesuffix(".ko"))
    assert not wrong, wrong[:10]
    assert kinds["same"] > 0.7 * sum(kinds.values())
