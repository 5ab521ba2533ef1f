#!/usr/bin/env python3
"""Unwinds the same recorded stacks by inlinecall, libunwind and others, in one run.

Usage: bench/stacks.py DIRECTORY [NAME=PROGRAM]...

DIRECTORY has the benchmarks that were built. 1,000 stacks each of a Python program and of clang are
recorded while they run. `PROGRAM --list RECORDING` prints the program counters of each stack, and
`PROGRAM RECORDING` what a step costs, as bench_stacks does; bench/recording.h has the format.
Printed are the differences in the program counters, and the medians of runs of each program in turn, in
CPU time: machines are shared.
"""

import os
import re
import statistics
import subprocess
import sys
import tempfile

SAMPLES, ROUNDS, SHOWN = 1000, 9, 3

PYTHON = """
import json, random, re

def fibonacci(n):
    return n if n < 2 else fibonacci(n - 1) + fibonacci(n - 2)

class Item:
    def __init__(self, key):
        self.key = key
    def __lt__(self, other):
        return self.key < other.key

while True:
    fibonacci(18)
    text = json.dumps({str(i): [i, {"a": i * 1.5, "b": "x" * 5}] for i in range(500)}, indent=1)
    json.loads(text)
    re.sub(r"(\\w+)\\s*:\\s*(\\d+)", lambda match: match.group(2) + match.group(1), text)
    sorted(Item(random.random()) for _ in range(800))
"""

CLANG = """
#include <algorithm>
#include <map>
#include <regex>
#include <string>
template <int N> struct number { int value[N + 1]; };
template <int N> int work(const std::string &text)
{
    std::map<std::string, number<N>> all;
    std::vector<std::pair<int, number<N>>> sorted;
    for (std::sregex_iterator i(text.begin(), text.end(), std::regex("[a-z]+")), end; i != end; ++i)
        all[i->str()].value[0]++;
    for (auto &[name, one] : all)
        sorted.emplace_back(one.value[0], one);
    std::sort(sorted.begin(), sorted.end(),
              [](auto &left, auto &right) { return left.first < right.first; });
    if constexpr (N > 0)
        return sorted[0].first + work<N - 1>(text);
    return 0;
}
int main(int argc, char **argv) { return work<100>(argv[argc - 1]); }
"""


def record(directory, name, command, recorder):
    """The path of a recording of a command; None if there is no such program."""
    path = os.path.join(directory, name)
    try:
        process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    except FileNotFoundError:
        print(f"{name}: not installed")
        return None
    try:
        process.wait(0.3)  # until it is past its dynamic linker
    except subprocess.TimeoutExpired:
        pass
    recorded = subprocess.run([recorder, str(process.pid), str(SAMPLES), path], check=False)
    process.kill()
    process.wait()
    if recorded.returncode != 0:
        print(f"{name}: ended before there were {SAMPLES} stacks")
    return path


def compare(programs, path):
    """Prints which stacks differ from the first program's."""
    stacks = {name: subprocess.run([program, "--list", path], check=True, stdout=subprocess.PIPE,
                                   text=True).stdout.splitlines()
              for name, program in programs.items()}
    own = next(iter(stacks.values()))
    counters = [counter for stack in own for counter in stack.split()]
    print(f"{len(own)} stacks, {len(counters)} frames at {len(set(counters))} addresses")
    for name, others in list(stacks.items())[1:]:
        differing = [(mine, other) for mine, other in zip(own, others) if mine != other]
        print(f"{name}: {len(differing)} stacks differ")
        for mine, other in differing[:SHOWN]:
            same = os.path.commonprefix([mine.split(), other.split()])
            print(f"  after {len(same)} frames, at {same[-1] if same else '-'}: "
                  f"{' '.join(mine.split()[len(same):][:4]) or 'the end'}, but "
                  f"{' '.join(other.split()[len(same):][:4]) or 'the end'}")


def measure(programs, path):
    times = {name: [] for name in programs}
    for _ in range(ROUNDS):
        for name, program in programs.items():
            told = subprocess.run([program, path], check=True, stdout=subprocess.PIPE,
                                  text=True).stdout
            times[name].append([float(number) for number in re.findall(r"_ns ([0-9.]+)", told)])
    medians = {name: [statistics.median(column) for column in zip(*rows)]
               for name, rows in times.items()}
    own = next(iter(medians.values()))
    print(f"{'ns for a step':24}{'first round':>18}{'warm':>18}{'cold':>18}")
    for name, row in medians.items():
        print(f"{name:24}" + "".join(f"{time:9.0f} ({time / mine:5.2f})"
                                     for time, mine in zip(row, own)))


def main():
    built = sys.argv[1]
    programs = {"inlinecall": os.path.join(built, "bench_stacks"),
                "libunwind": os.path.join(built, "bench_libunwind"),
                **dict(peer.split("=", 1) for peer in sys.argv[2:])}
    programs = {name: program for name, program in programs.items() if os.path.exists(program)}
    with tempfile.TemporaryDirectory() as directory:
        source = os.path.join(directory, "source.cc")
        with open(source, "w", encoding="utf-8") as file:
            file.write(CLANG)
        commands = {"python3": ["/usr/bin/python3", "-c", PYTHON],
                    "clang": ["clang++", "-std=c++17", "-O2", "-c", source, "-o", "/dev/null"]}
        for name, command in commands.items():
            path = record(directory, name, command, os.path.join(built, "bench_record"))
            if path:
                print(f"\n{name}: ", end="", flush=True)
                compare(programs, path)
                measure(programs, path)


main()
