"""Programs of functions that call each other last, at random, and say which were entered with what.

`tail_calls.py SEED...` prints what inlinecall shows of each, beside what was entered."""

import os
import random
import subprocess
import sys

import backtraces

COUNT = 8       # functions of a program
LONGEST = 7     # that are entered on one way
HEAD = """
#define NOINLINE __attribute__((noinline))
#define INLINE static inline __attribute__((always_inline))
extern volatile long sink;
void say(const char *name, long n, long m);
int next(void);
void waits(void);
"""
MAIN = HEAD + """
#include <stdio.h>
#include <unistd.h>
volatile long sink;
static const char *script;
void say(const char *name, long n, long m) { printf("%s %ld %ld\\n", name, n, m); }
int next(void) { return *script ? *script++ - '0' : 9; }
NOINLINE void waits(void) { puts("here"); fflush(stdout); pause(); sink++; }
long f0(long n, long m);
int main(int argc, char **argv)
{
	script = argv[1];
	long result = f0(argc + 40, 3);
	printf("%ld\\n", result);
}
"""


class Call:
    """A tail call of the source: kind is "direct", "indirect" or "inlined"."""

    def __init__(self, source, target, kind):
        self.source, self.target, self.kind = source, target, kind


class Program:
    """Functions 0 to COUNT - 1, in two units; 0 is the first that is called."""

    def __init__(self, seed):
        choose = random.Random(seed)
        self.calls = [[] for _ in range(COUNT)]
        self.stops = [choose.random() < 0.5 for _ in range(COUNT)]
        # Most calls lead on; some back, so that there are circles.
        for source in range(COUNT):
            for _ in range(choose.choice((1, 1, 1, 2, 2, 3))):
                target = choose.randrange(source + 1, COUNT + 1) if choose.random() < 0.85 \
                    else choose.randrange(1, COUNT)
                if target not in (source, COUNT):
                    kind = choose.choices(("direct", "indirect", "inlined"), (24, 1, 6))[0]
                    self.calls[source].append(Call(source, target, kind))
            if not self.calls[source]:
                self.stops[source] = True
        self.static = [number > 0 and choose.random() < 0.4 for number in range(COUNT)]
        self.unit = [choose.randrange(2) for _ in range(COUNT)]
        for calls in self.calls:
            for call in calls:
                if self.unit[call.source] != self.unit[call.target]:
                    self.static[call.target] = False
        self.choose = choose

    def has_choice(self, function):
        return self.stops[function] + len(self.calls[function]) > 1

    def write(self, unit):
        lines = [HEAD]
        for function in range(COUNT):
            if not self.static[function] or self.unit[function] == unit:
                static = "static " if self.static[function] else ""
                lines.append(f"{static}long f{function}(long n, long m);")
        for function in range(COUNT):
            if self.unit[function] == unit:
                lines += self.write_function(function)
        return "\n".join(lines) + "\n"

    def write_function(self, function):
        static = "static " if self.static[function] else ""
        lines, body = [], [f'\tsay("f{function}", n, m);']
        for number, call in enumerate(self.calls[function]):
            values = ("n + 1, 7", "m, n", "5, n * 2")[number]
            name = f"f{call.target}"
            if call.kind == "indirect":
                name = f"pointer{function}_{number}"
                lines.append(f"static long (*volatile {name})(long, long) = f{call.target};")
            elif call.kind == "inlined":
                name = f"within{function}_{number}"
                lines.append(f"INLINE long {name}(long n, long m) "
                             f"{{ sink = n; return f{call.target}(m, n - 1); }}")
            text = f"return {name}({values});"
            body.append(f"\tcase {number}: {text}" if self.has_choice(function) else f"\t{text}")
        if self.has_choice(function):
            body[1:] = ["\tswitch (next()) {", *body[1:]]
            body.append("\t}")
        if self.stops[function]:
            body.append("\twaits();\n\treturn sink;")
        elif self.has_choice(function):
            body.append("\t__builtin_unreachable();")
        return [*lines, f"{static}NOINLINE long f{function}(long n, long m)", "{", *body, "}"]

    def build(self, directory, compiler, flags, library=False):
        for name, text in (("main.c", MAIN), ("one.c", self.write(0)), ("two.c", self.write(1))):
            (directory / name).write_text(text)
        units = [directory / "one.c", directory / "two.c"]
        words = [compiler, "-g", "-w", *flags]
        if library:
            subprocess.run([*words, "-fPIC", "-shared", *units, "-o", directory / "libfs.so"],
                           check=True, capture_output=True)
            units = [directory / "libfs.so", f"-Wl,-rpath,{directory}", "-rdynamic"]
        subprocess.run([*words, directory / "main.c", *units, "-o", directory / "program"],
                       check=True, capture_output=True)
        return directory / "program"

    def make_script(self):
        """What the program is told so that it stops after some calls, or None."""
        at, script = 0, ""
        for _ in range(LONGEST):
            ends = self.stops[at] and (not self.calls[at] or self.choose.random() < 0.25)
            if ends:
                return script + ("9" if self.has_choice(at) else "")
            if not self.calls[at]:
                return None
            number = self.choose.randrange(len(self.calls[at]))
            script += str(number) if self.has_choice(at) else ""
            at = self.calls[at][number].target
        return script + ("9" if self.has_choice(at) else "") if self.stops[at] else None

    def reaches(self, first, last, without=None):
        """Whether a way leads from one function to another, or may, without one call."""
        seen, found = {first}, [first]
        while found:
            for call in self.calls[found.pop()]:
                if call is without:
                    continue
                if call.target == last or call.kind == "indirect":
                    return True
                if call.target not in seen:
                    seen.add(call.target)
                    found.append(call.target)
        return False

    def certain(self, first, last):
        """The functions that must have made a tail call, by the source."""
        return set() if first == last else {call.source for calls in self.calls for call in calls
                if call.kind != "indirect" and not self.reaches(first, last, call)}

    def has_edge(self, first, second):
        return any(call.target == second for call in self.calls[first])


def is_part(some, all_of_them):
    rest = iter(all_of_them)
    return all(item in rest for item in some)


class Run:
    """What a program has said, the frames of our stack between main and waits(), outermost first.
    If the program `is_closed`, its calls are not bound by the dynamic linker."""

    def __init__(self, program, path, script, is_closed, with_gdb):
        self.program, self.is_closed = program, is_closed
        process = subprocess.Popen([path, script], stdout=subprocess.PIPE, text=True)
        self.entered = []
        try:
            while (line := process.stdout.readline()) not in ("here\n", ""):
                name, n, m = line.split()
                self.entered.append((name, n, m))
            rows, self.status, self.messages = backtraces.ours("-v", "-p", process.pid)
            self.theirs = backtraces.gdbs("-p", process.pid)[process.pid] if with_gdb else []
        finally:
            process.kill()
            process.wait()
        frames = rows[process.pid]["frames"]
        names = [frame["function"] for frame in frames]
        self.frames = frames[names.index("waits") + 1:names.index("main") + 1][::-1]
        self.values = self.hidden = 0

    def check(self):
        """What is wrong, as text."""
        wrong = [] if self.status == 0 else [self.messages]
        hosts = [frame for frame in self.frames[1:] if not frame["inlined"]]
        shown = [frame["function"] for frame in hosts]
        entered = [name for name, _, _ in self.entered]
        gaps = [frame["callee"] for frame in self.frames if frame["callee"]]
        self.hidden = sum(frame["found"] == "tail_call" for frame in hosts)
        if not is_part(shown, entered) or shown[-1] != entered[-1]:
            wrong.append(f"{shown} of {entered}")
        if self.is_closed and not gaps:
            numbers = [int(name[1:]) for name in shown]
            if shown[0] != entered[0] or not all(map(self.program.has_edge, numbers, numbers[1:])):
                wrong.append(f"{shown} has no gap, of {entered}")
        for frame in self.frames:
            pairs = zip(["main", *entered], entered)
            host = next(other["function"] for other in self.frames
                        if other["address"] == frame["address"] and not other["inlined"])
            if frame["callee"] and (host, frame["callee"]) not in pairs:
                wrong.append(f"{host} calls {frame['callee']}, of {entered}")
        wrong += self.check_values(hosts[-1])
        ours = {int(frame["address"], 16) for frame in hosts if frame["found"] == "tail_call"}
        for frame in self.theirs:
            if frame["kind"] == "tail call" and frame["address"] not in ours:
                wrong.append(f"gdb has {frame}")
        return wrong

    def check_values(self, innermost):
        _, *last = self.entered[-1]
        for argument, value in zip(innermost["arguments"], last):
            if argument["value"] is not None:
                self.values += argument["how"] == "entry_value"
                if argument["value"] != value:
                    yield f"{innermost['function']}: {argument} but {value}"

    def missing(self):
        """The functions that are certain by the source, and not shown."""
        if not self.is_closed:
            return []
        first, last = (int(self.entered[at][0][1:]) for at in (0, -1))
        shown = {frame["function"] for frame in self.frames}
        return [f"f{number}" for number in self.program.certain(first, last)
                if f"f{number}" not in shown]


def run_all(directory, compiler, flags, seed, count, library=False, with_gdb=0):
    program = Program(seed)
    path = program.build(directory, compiler, flags, library)
    scripts = []
    for _ in range(200):
        script = program.make_script()
        if script and script not in scripts and len(scripts) < count:
            scripts.append(script)
    is_bound = "-Wl,-z,now" in flags and os.uname().machine == "x86_64"  # for good, and known
    return [Run(program, path, script, not library or is_bound, number < with_gdb)
            for number, script in enumerate(scripts)]


def main():
    import pathlib
    import tempfile

    for seed in map(int, sys.argv[1:]):
        for compiler in ("gcc", "clang"):
            with tempfile.TemporaryDirectory() as directory:
                for run in run_all(pathlib.Path(directory), compiler, ["-O2"], seed, 6):
                    print(seed, compiler, " ".join(" ".join(one) + "," for one in run.entered))
                    print("   ", " ".join(f"{frame['function']}{'*' * (frame['found'] == 'tail_call')}"
                                          f"{'>' + frame['callee'] if frame['callee'] else ''}"
                                          for frame in run.frames), run.check(), run.missing(),
                          run.values)


if __name__ == "__main__":
    main()
