#!/usr/bin/env python3
"""Times the stacks of a process with 100 threads and 20 shared libraries, beside gdb and eu-stack.

Usage: bench/backtrace.py PROGRAM BENCH_UNWIND

Five runs of each, in turn, and the least; then how long the process was stopped, and what a step of
unwinding costs.
"""

import os
import shutil
import subprocess
import sys
import tempfile
import time

LIBRARIES, THREADS, ROUNDS = 20, 100, 5

LIBRARY = """
int go{number}(int depth, int (*next)(int));
static inline __attribute__((always_inline)) int step{number}(int depth, int (*next)(int))
{{ volatile char room[64]; room[depth & 63] = 1; return next(depth - 1) + room[depth & 63]; }}
int go{number}(int depth, int (*next)(int)) {{ return step{number}(depth, next) + 1; }}
"""

PROGRAM = """
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
{declarations}
typedef int go(int, int (*)(int));
static go *const all[] = {{ {names} }};
static int down(int depth)
{{
    if (depth == 0)
        for (;;)
            pause();
    return all[depth % {libraries}](depth, down) + 1;
}}
static void *run(void *number) {{ down(10 + (int)(intptr_t)number % 20); return number; }}
int main(void)
{{
    pthread_t thread;
    for (intptr_t i = 1; i < {threads}; i++)
        pthread_create(&thread, NULL, run, (void *)i);
    sleep(1);
    puts("here");
    fflush(stdout);
    run((void *)0);
}}
"""


def build(directory):
    """The program, with its libraries beside it."""
    for number in range(LIBRARIES):
        source = os.path.join(directory, f"go{number}.c")
        with open(source, "w", encoding="utf-8") as file:
            file.write(LIBRARY.format(number=number))
        subprocess.run(["gcc", "-g", "-O2", "-shared", "-fPIC", source, "-o",
                        os.path.join(directory, f"libgo{number}.so")], check=True)
    source = os.path.join(directory, "threads.c")
    with open(source, "w", encoding="utf-8") as file:
        file.write(PROGRAM.format(
            declarations="\n".join(f"extern int go{number}(int, int (*)(int));"
                                   for number in range(LIBRARIES)),
            names=", ".join(f"go{number}" for number in range(LIBRARIES)),
            libraries=LIBRARIES, threads=THREADS))
    path = os.path.join(directory, "threads")
    subprocess.run(["gcc", "-g", "-O2", "-pthread", source, f"-L{directory}",
                    *(f"-lgo{number}" for number in range(LIBRARIES)),
                    f"-Wl,-rpath,{directory}", "-o", path], check=True)
    return path


def wall(command):
    began = time.monotonic()
    subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, check=False,
                   env={**os.environ, "DEBUGINFOD_URLS": ""})
    return (time.monotonic() - began) * 1000


def main():
    program, bench_unwind = sys.argv[1:]
    with tempfile.TemporaryDirectory() as directory:
        process = subprocess.Popen([build(directory)], stdout=subprocess.PIPE)
        process.stdout.readline()
        pid = str(process.pid)
        commands = {"inlinecall backtrace": [program, "backtrace", "-p", pid],
                    "eu-stack -i": ["eu-stack", "-i", "-p", pid],
                    "eu-stack": ["eu-stack", "-p", pid],
                    "gdb": ["gdb", "-batch", "-nx", "-p", pid, "-ex", "thread apply all bt"]}
        commands = {name: words for name, words in commands.items() if shutil.which(words[0])}
        times = {name: [] for name in commands}
        for _ in range(ROUNDS):
            for name, words in commands.items():
                times[name].append(wall(words))
        for name, list_of in times.items():
            print(f"{name:24} {min(list_of):9.1f} ms  (to {max(list_of):.1f})")
        for _ in range(3):
            print(subprocess.run([bench_unwind, pid], check=True, capture_output=True,
                                 text=True).stdout, end="")
        process.kill()


main()
