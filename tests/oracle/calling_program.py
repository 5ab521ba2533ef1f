"""Random programs in C whose functions call one another in the ways that compilers change most.

In loops of a few rounds, which are unrolled and peeled; in both branches of a condition, which are merged;
behind conditions that were decided before, whose jumps are threaded; and themselves, which becomes a loop.
"""

HEAD = """\
static int data[64];
__attribute__((noinline)) static void use(int x) { __asm__ volatile("" : : "r"(x) : "memory"); }
"""
LEAVES = 3  # functions that loops call: so that programs end soon
CONDITIONS = ("x > y", "s & 1", "x < 0", "y == 3", "data[x & 63] > s", "x > 5", "s & 2", "y < 4", "x == y")
ROUNDS = "2", "3", "4", "5", "8", "15", "(y & 7)", "(x & 15)"
WHOLE = (("return x * 31 + y;",), ("return x ^ y;",), ("return x > y ? x : y;",),
         ("return data[x & 63] + y;",), ("if (y <= 0)", "\treturn x;", "return {name}(x + y, (y & 7) - 1);"),
         ("if (y <= 0)", "\treturn x;", "return {name}(x + y, (y & 15) - 2);"),
         ("if ((x & 7) < 2)", "\treturn y;", "return {name}((x & 7) - 1, y) + {name}((x & 7) - 2, y);"),
         ("int s = 0;", "for (; s < (y & 15); s++)", "\tif (data[s] == x)", "\t\treturn s;", "return -1;"))


class Program:
    """A unit; its function run_SEED() calls the others."""

    def __init__(self, seed):
        self.state = seed
        self.name = f"run_{seed}"
        self.functions = []
        self.lines = HEAD.splitlines()
        for number in range(6 + self.below(4)):
            self.add_function(f"f{number}_{seed}")
        self.add_run()

    def text(self):
        return "\n".join(self.lines) + "\n"

    def below(self, count):
        """A number of a sequence that is the same for each Python (Numerical Recipes, 7.1)."""
        self.state = (self.state * 1664525 + 1013904223) & 0xffffffff
        return (self.state >> 8) % count

    def one_of(self, items):
        return items[self.below(len(items))]

    def call(self, is_in_loop, *arguments):
        functions = self.functions[:LEAVES] if is_in_loop else self.functions[-4:]
        if not functions:
            return arguments[0] if arguments else "x"
        first = self.one_of(("x", "y", f"x + {1 + self.below(9)}", "y - x", "data[x & 63]", "s",
                             str(self.below(20))))
        second = self.one_of(("y", "x", "s", "s & 7", str(1 + self.below(12))))
        return f"{self.one_of(functions)}({', '.join(arguments or (first, second))})"

    def loop(self, depth, loops):
        i = "ijk"[loops]
        body = self.one_of(([f"s += data[{i}];"], [f"s ^= {self.call(True)};"],
                            [f"s += {self.call(True, f'data[{i}]', 's')};"],
                            [f"data[{i}] = {self.call(True, f'data[{i}]', i)};"], None))
        return [f"for (int {i} = 0; {i} < {self.one_of(ROUNDS)}; {i}++) {{",
                *(body or self.statement(depth + 1, loops + 1)), "}"]

    def statement(self, depth, loops):
        """Its lines."""
        kind = self.below(16)
        if kind in (0, 1) and depth < 3:
            return [f"if ({self.one_of(CONDITIONS)}) {{", *self.statement(depth + 1, loops),
                    "} else {", *self.statement(depth + 1, loops), "}"]
        if kind in (2, 3) and depth < 3:
            return [f"if ({self.one_of(CONDITIONS)}) {{", *self.statement(depth + 1, loops), "}"]
        if kind in (4, 5, 6) and loops < 2:
            return self.loop(depth, loops)
        if kind == 7 and depth < 3:
            return ["switch (x & 3) {", "case 0:", *self.statement(depth + 1, loops), "break;",
                    "case 1:", *self.statement(depth + 1, loops), "break;",
                    "default:", *self.statement(depth + 1, loops), "}"]
        if kind == 8:
            return [f"if ({self.one_of(CONDITIONS)})",
                    f"return {self.one_of(('s', 'x', '-1', self.call(loops > 0)))};"]
        if kind == 9 and loops < 2:
            return [f"while (s > {10 + self.below(40)}) {{", "s >>= 1;",
                    f"data[s & 63] = {self.call(True)};", "}"]
        if kind == 10:
            return ["use(s);"]
        if kind in (11, 12):
            return [self.one_of((f"s = s * {3 + self.below(28)} + x;", f"s ^= y << {1 + self.below(5)};"))]
        return [f"s += {self.call(loops > 0)};"]

    def add_function(self, name):
        form = self.one_of(("static inline", "static inline", "static", "static",
                            "__attribute__((noinline)) static"))
        if self.below(3) == 0:
            body = [line.format(name=name) for line in self.one_of(WHOLE)]
        else:
            body = ["int s = x;"]
            for _ in range(1 + self.below(4)):
                body += self.statement(0, 0)
            body.append("return s;")
        self.lines += [f"{form} int {name}(int x, int y)", "{", *("\t" + line for line in body), "}"]
        self.functions.append(name)

    def add_run(self):
        calls = [f"\t\ttotal += {name}(k * 5, k);" for name in self.functions[-4:]]
        self.lines += [f"long {self.name}(void)", "{", "\tlong total = 0;",
                       "\tfor (int i = 0; i < 64; i++)", "\t\tdata[i] = (i * 7) & 31;",
                       "\tfor (int k = 0; k < 7; k++) {", *calls, "\t}", "\treturn total;", "}"]


def main_of(programs):
    return "\n".join(["#include <stdio.h>", *(f"long {one.name}(void);" for one in programs),
                      "int main(void)", "{",
                      *(f'\tprintf("%ld\\n", {one.name}());' for one in programs), "\treturn 0;", "}", ""])
