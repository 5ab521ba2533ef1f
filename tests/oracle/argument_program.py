"""Programs in C that say which arguments each inlined call received.

A program is made of random functions that call each other. What a call passes is told to `trace`,
which is not inlined: by the function that was called (`inside`), or by its caller, just before
(`outside`). In the first case the arguments are needed, so the compiler keeps them; in the second
it may have dropped them, or changed the registers.
"""

import random

TYPES = [("char", "c"), ("signed char", "c"), ("unsigned char", "c"), ("short", "s"),
         ("unsigned short", "s"), ("int", "i"), ("unsigned", "i"), ("long", "l"),
         ("unsigned long", "l"), ("_Bool", "b"), ("const char *", "p"), ("enum color", "e"),
         ("struct node *", "n")]

HEAD = """#include <stddef.h>
typedef unsigned long word;
enum color { RED, GREEN, BLUE = 7 };
struct node { int key; long value; struct node *next; };
struct node nodes[3] = { { 3, 33, &nodes[1] }, { 5, 55, &nodes[2] }, { 7, 77, &nodes[0] } };
static const char text[] = "abcdefghijklmnopqrstuvwxyz";
volatile long sink;
__attribute__((noinline, noclone)) void trace(word id, word a, word b, word c, word d)
{
	__asm__ volatile("" : : "r"(id), "r"(a), "r"(b), "r"(c), "r"(d) : "memory");
}
__attribute__((noinline, noclone)) long opaque(long x)
{
	__asm__ volatile("" : "+r"(x) : : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11",
			 "memory");
	return x;
}
"""


class Program:
    def __init__(self, seed, traced):
        self.random = random.Random(seed)
        self.traced = traced  # "inside" or "outside"
        self.functions = []  # (name, types)
        self.lines = HEAD.splitlines()
        self.sites = 0
        for number in range(self.random.randint(6, 9)):
            self.add_function(number)
        self.add_main()

    def text(self):
        return "\n".join(self.lines) + "\n"

    def value(self, kind, names):
        """An expression for an argument of that kind."""
        choose = self.random.choice
        numbers = [name for name, of in names if of in "csilbe"]
        number = f"{choose(numbers)} + {self.random.randint(-3, 9)}" if numbers else "4"
        if kind == "p":
            texts = [name for name, of in names if of == "p"]
            return choose([f"text + ({number} & 7)", *texts, "text + 3", "text"])
        if kind == "n":
            nodes = [name for name, of in names if of == "n"]
            return choose([f"{choose(nodes)}->next" if nodes else "&nodes[1]", *nodes,
                           f"&nodes[({number}) & 1]", "&nodes[2]"])
        if kind == "e":
            return choose(["GREEN", f"({number}) & 1 ? RED : BLUE"])
        nodes = [f"{name}->{choose(['key', 'value'])}" for name, of in names if of == "n"]
        return choose([number, number, str(self.random.randint(-200, 200)), f"opaque({number})",
                       f"({number}) * 3 + 1", f"-({number})", *numbers, *nodes])

    def call(self, names, target, indent):
        """The lines of a call, of which the last is in one line by itself."""
        name, types = target
        self.sites += 1
        arguments = [self.value(kind, names) for _, kind in types]
        lines = ["{"]
        lines += [f"\t{type_name} a{i} = {argument};"
                  for i, ((type_name, _), argument) in enumerate(zip(types, arguments))]
        passed = ", ".join(f"a{i}" for i in range(len(types)))
        if self.traced == "outside":
            lines.append("\t" + self.trace_call(str(len(self.lines) + len(lines) + 2),
                                                [f"a{i}" for i in range(len(types))]))
        lines += [f"\tr += {name}({passed});", "}"]
        self.lines += ["\t" * indent + line for line in lines]

    @staticmethod
    def trace_call(identity, names):
        words = [f"(word){name}" for name in names] + ["0"] * (4 - len(names))
        return f"trace({identity}, {', '.join(words)});"

    def add_function(self, number):
        name = f"f{number}"
        types = [self.random.choice(TYPES) for _ in range(self.random.randint(1, 4))]
        names = [(f"p{i}", kind) for i, (_, kind) in enumerate(types)]
        declared = ", ".join(f"{type_name} p{i}" for i, (type_name, _) in enumerate(types))
        inline = self.random.choice(["static inline __attribute__((always_inline))",
                                     "static inline", "static"])
        self.lines.append(f"{inline} long {name}({declared})")
        self.lines += ["{", "\tlong r = 0;"]
        if self.traced == "inside":
            self.lines.append("\t" + self.trace_call(str(number), [name for name, _ in names]))
        self.add_statements(names, self.random.randint(1, 3), 1)
        numbers = [name for name, kind in names if kind in "csilbe"]
        self.lines += [f"\treturn r{''.join(' + ' + name for name in numbers[:2])};", "}"]
        self.functions.append((name, types))

    def add_statements(self, names, count, indent):
        pad = "\t" * indent
        numbers = [name for name, kind in names if kind in "csil"]
        for _ in range(count):
            kind = self.random.choice(["call", "call", "call", "if", "loop", "set", "opaque"])
            if kind == "call" and self.functions:
                self.call(names, self.random.choice(self.functions), indent)
            elif kind == "if" and numbers and indent < 3:
                self.lines.append(f"{pad}if ({self.random.choice(numbers)} & "
                                  f"{self.random.choice([1, 2, 4])}) {{")
                self.add_statements(names, 1, indent + 1)
                self.lines.append(f"{pad}}}")
            elif kind == "loop" and indent < 2:
                self.lines.append(f"{pad}for (int i{indent} = 0; i{indent} < "
                                  f"{self.random.randint(2, 3)}; i{indent}++) {{")
                self.add_statements([*names, (f"i{indent}", "i")], 1, indent + 1)
                self.lines.append(f"{pad}}}")
            elif kind == "set" and numbers:
                name = self.random.choice(numbers)
                self.lines.append(f"{pad}{name} = {name} * 2 + 1;")
            else:
                self.lines.append(f"{pad}r += opaque({self.random.randint(0, 9)});")

    def add_main(self):
        self.lines += ["int main(int argc, char **argv)", "{", "\tlong r = 0;",
                       "\tstruct node *node = &nodes[argc & 1];", "\tlong seen = opaque(5);",
                       "\tconst char *name = argv[0] + 1;",
                       "\tfor (int i = 0; i < 4; i++) {"]
        names = [("argc", "i"), ("i", "i"), ("node", "n"), ("seen", "l"), ("name", "p")]
        for function in self.functions:
            self.call(names, function, 2)
            self.lines.append("\t\tseen = opaque(seen * 3 + r);")
            self.add_statements(names, 1, 2)
        self.lines += ["\t}", "\tsink = r;", "\treturn 0;", "}"]
