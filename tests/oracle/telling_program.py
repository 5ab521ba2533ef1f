"""Random programs in C whose inline functions print what they were called with.

A function prints a line on standard error, "NAME<tab>ARGUMENT=VALUE...": first of all, after it has
used its arguments, or before it uses them a last time. Functions call those before them; arguments are
of many types, and so many that some of them are on the stack.
"""

import random

TYPES = {"char": "%d", "signed char": "%d", "unsigned char": "%u", "short": "%d",
         "unsigned short": "%u", "int": "%d", "unsigned": "%u", "long": "%ld",
         "unsigned long": "%lu", "_Bool": "%d", "enum color": "%d", "const char *": "%s",
         "struct node *": "0x%lx", "double": "%.17g", "float": "%.9g"}
NO_INTEGERS = "const char *", "struct node *", "double", "float"
HEAD = """#include <stdio.h>
struct node { int key; long value; struct node *next; };
enum color { RED = 1, GREEN = 5, BLUE = -9 };
long sink;
static struct node nodes[4];
static const char *const words[] = { "zero", "one", "two", "three", "four", "five", "six", "seven" };
__attribute__((noinline)) static long use(long value)
{
	sink += value * 3;
	__asm__ volatile("" : "+m"(sink));
	return sink;
}
__attribute__((noinline)) static double use_double(double value)
{
	use((long)value);
	return value * 1.5;
}
"""
TAIL = """int main(void)
{
	for (int i = 0; i < 4; i++)
		nodes[i].next = &nodes[(i + 1) & 3];
	for (int i = 1; i < 6; i++)
		host(i * 37, i / 7.0, &nodes[i & 3], words[i]);
	return 0;
}
"""


class Program:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.functions = []  # (name, types)
        self.lines = HEAD.splitlines()
        for number in range(self.random.randint(5, 8)):
            self.add_function(f"f{number}")
        self.add_host()

    def text(self):
        return "\n".join(self.lines) + "\n" + TAIL

    def value(self, kind, names):
        """An expression of a type, of names with their types."""
        choose = self.random.choice
        same = [name for name, of in names if of == kind]
        integers = [name for name, of in names if of not in NO_INTEGERS]
        number = choose(integers) if integers else str(self.random.randint(0, 99))
        if kind == "const char *":
            return choose([f"words[(unsigned){number} & 7]", *same])
        if kind == "struct node *":
            return choose([f"&nodes[(unsigned){number} & 3]", *same, *(f"{n}->next" for n in same)])
        if kind in ("double", "float"):
            return choose([f"{number} / 3.0", f"{number} * 1.25", *same, *(f"{n} * 2" for n in same)])
        if kind == "_Bool":
            return choose([f"{number} > {self.random.randint(-5, 50)}", f"!{number}"])
        if kind == "enum color":
            return choose(["RED", "GREEN", "BLUE", f"{number} & 1 ? BLUE : GREEN"])
        return choose([number, f"{number} + {self.random.randint(-300, 300)}",
                       f"{number} * {self.random.randint(2, 9)}", f"-{number}", f"use({number})",
                       f"{number} ^ {self.random.randint(1, 255)}",
                       str(self.random.randint(-999, 999))])

    def call(self, function, names):
        name, types = function
        return f"{name}({', '.join(self.value(kind, names) for kind in types)})"

    def uses(self, names):
        for name, kind in self.random.sample(names, len(names)):
            if self.random.random() < 0.3:
                continue
            if kind == "const char *":
                ways = "s += %s[0];", "use((long)%s);"
            elif kind == "struct node *":
                ways = "s += %s->key;", "%s->value += 3;", "use((long)%s);"
            elif kind in ("double", "float"):
                ways = ("s += (long)use_double(%s);",)
            else:
                ways = "s += use(%s);", "s ^= %s * 7L;", "use(%s);"
            self.lines.append("\t" + self.random.choice(ways) % name)

    def tell(self, function, names):
        casts = {"struct node *": "(unsigned long)", "float": "(double)"}
        form = function + "".join(f"\\t{name}={TYPES[kind]}" for name, kind in names)
        values = "".join(f", {casts.get(kind, '')}{name}" for name, kind in names)
        self.lines.append(f'\tfprintf(stderr, "{form}\\n"{values});')

    def add_function(self, function):
        types = [self.random.choice(list(TYPES)) for _ in range(self.random.randint(1, 9))]
        names = [(f"a{i}", kind) for i, kind in enumerate(types)]
        is_inline = self.random.random() < 0.85
        told = self.random.randrange(3)
        attributes = "inline __attribute__((always_inline))" if is_inline else \
            "__attribute__((noinline))"
        parameters = ", ".join(f"{kind} {name}" for name, kind in names)
        self.lines += [f"static {attributes} long {function}({parameters})", "{", "\tlong s = 0;"]
        if told == 0:
            self.tell(function, names)
        self.uses(names)
        if told == 1:
            self.tell(function, names)
        for called in self.random.sample(self.functions, min(len(self.functions),
                                                             self.random.randint(0, 2))):
            self.lines.append(f"\ts += {self.call(called, names)};")
        if told == 2:
            self.tell(function, names)
        self.uses(names)
        if told < 2:
            for name, kind in names:
                if kind in ("int", "long", "short", "unsigned") and self.random.random() < 0.3:
                    self.lines.append(f"\t{name} += 5;\n\ts += use({name});")
        self.lines += ["\treturn s;", "}"]
        self.functions.append((function, types))

    def add_host(self):
        names = [("k", "int"), ("d", "double"), ("node", "struct node *"), ("word", "const char *")]
        self.lines += ["__attribute__((noinline)) static long host(int k, double d, "
                       "struct node *node, const char *word)", "{", "\tlong s = 0;"]
        for _ in range(self.random.randint(2, 4)):
            self.lines.append(f"\ts += {self.call(self.random.choice(self.functions), names)};")
        self.lines += ["\treturn s;", "}"]
