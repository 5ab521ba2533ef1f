"""Programs in C++ and Rust that say which arguments of several types each inlined call received.

They are made as those in C are (argument_program.py); what of an argument is told to `trace` are
its fields, as words.
"""

import random

# What `word` makes of the fields of a value: (offset, size, the expression in C++, in Rust).
SCALAR = "(word){0}", "{0} as u64"


def scalar(size):
    return [(0, size, *SCALAR)]


HALVES = [(0, 8, "(word){0}", "{0} as u64"), (8, 8, "(word)({0} >> 64)", "({0} >> 64) as u64")]
SLICE = [(0, 8, "(word){0}.data", "{0}.as_ptr() as u64"), (8, 8, "{0}.size", "{0}.len() as u64")]
PAIR = [(0, 4, "(word){0}.a", "{0}.a as u64"), (8, 8, "(word){0}.b", "{0}.b as u64")]
SMALL = [(0, 2, "(word){0}.a", "{0}.a as u64"), (2, 1, "(word){0}.b", "{0}.b as u64")]


class Kind:
    """A type: its class in the table, how it is spelled, its fields, a value made of two numbers,
    and a number made of a value; C++ first, then Rust. Without a spelling a language lacks it."""

    def __init__(self, name, types, fields, values, numbers=("(long){0}", "{0} as i64")):
        self.name, self.types, self.fields = name, types, fields
        self.values, self.numbers = values, numbers


KINDS = [
    Kind("integer", ("int", "i32"), scalar(4), ("(int)({0})", "({0}) as i32")),
    Kind("integer", ("unsigned char", "u8"), scalar(1), ("(unsigned char)({0})", "({0}) as i64 as u8")),
    Kind("integer", ("short", "i16"), scalar(2), ("(short)({0})", "({0}) as i16")),
    Kind("integer", ("unsigned long", "u64"), scalar(8), ("(unsigned long)({0})", "({0}) as i64 as u64")),
    Kind("boolean", ("bool", "bool"), scalar(1), ("(({0}) & 1) != 0", "({0}) & 1 != 0")),
    Kind("enumeration", ("Color", "Color"), scalar(1),
         ("({0}) & 1 ? Color::Red : Color::Blue",
          "if ({0}) & 1 != 0 {{ Color::Red }} else {{ Color::Blue }}")),
    Kind("float", ("double", "f64"), [(0, 8, "bits({0})", "{0}.to_bits()")],
         ("(double)({0}) / 2", "({0}) as f64 / 2.0"),
         ("({0} > 4 ? 1l : 2l)", "if {0} > 4.0 {{ 1i64 }} else {{ 2i64 }}")),
    Kind("float", ("float", "f32"), [(0, 4, "bits({0})", "{0}.to_bits() as u64")],
         ("(float)({0})", "({0}) as f32"),
         ("({0} > 4 ? 1l : 2l)", "if {0} > 4.0 {{ 1i64 }} else {{ 2i64 }}")),
    Kind("reference", ("const Node &", "&Node"),
         [(0, 8, "(word)&{0}", "{0} as *const Node as u64")],
         ("nodes[({0}) & 1]", "&NODES[(({0}) & 1) as usize]"), ("{0}.value", "{0}.value")),
    Kind("structure", ("Pair", "Pair"), PAIR,
         ("Pair{{(int)({0}), {1}}}", "Pair {{ a: ({0}) as i32, b: {1} }}"),
         ("({0}.a + {0}.b)", "({0}.a as i64 + {0}.b)")),
    Kind("structure", ("Small", "Small"), SMALL,
         ("Small{{(short)({0}), (signed char)({1})}}", "Small {{ a: ({0}) as i16, b: ({1}) as i8 }}"),
         ("({0}.a + (long){0}.b)", "({0}.a as i64 + {0}.b as i64)")),
    Kind("slice", ("Slice", "&'static [i32]"), SLICE,
         ("Slice{{numbers + (({0}) & 3), (unsigned long)(({1}) & 3)}}", "slice({0}, {1})"),
         ("(long){0}.size", "{0}.len() as i64")),
    Kind("text", (None, "&'static str"), SLICE, (None, "text({0}, {1})"),
         (None, "{0}.len() as i64")),
    Kind("128 bits", ("__int128", "i128"), HALVES,
         ("((__int128)({0}) << 40) + ({1})", "((({0}) as i128) << 40) + ({1}) as i128")),
]

MOST_WORDS = 5

CPP = """typedef unsigned long word;
enum class Color : unsigned char { Red, Green, Blue = 7 };
struct Node { int key; long value; };
struct Pair { int a; long b; };
struct Small { short a; signed char b; };
struct Slice { const int *data; unsigned long size; };
Node nodes[3] = { { 3, 33 }, { 5, 55 }, { 7, 77 } };
static const int numbers[] = { 1, 2, 3, 4, 5, 6, 7, 8 };
volatile long sink;
static inline word bits(double x) { word w; __builtin_memcpy(&w, &x, sizeof(x)); return w; }
static inline word bits(float x) { unsigned w; __builtin_memcpy(&w, &x, sizeof(x)); return w; }
extern "C" __attribute__((noinline)) void trace(word id, word a, word b, word c, word d, word e)
{
	__asm__ volatile("" : : "r"(id), "r"(a), "r"(b), "r"(c), "r"(d), "r"(e) : "memory");
}
extern "C" __attribute__((noinline)) long opaque(long x)
{
	__asm__ volatile("" : "+r"(x) : : "rdi", "rsi", "rdx", "rcx", "r8", "r9", "r10", "r11",
			 "memory");
	return x;
}
"""

RUST = """#![no_std]
#![no_main]
#![allow(unused)]
use core::arch::asm;
use core::slice::from_raw_parts;
#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! { loop {} }
#[derive(Clone, Copy)] #[repr(u8)] pub enum Color { Red, Green, Blue = 7 }
pub struct Node { key: i32, value: i64 }
#[derive(Clone, Copy)] #[repr(C)] pub struct Pair { a: i32, b: i64 }
#[derive(Clone, Copy)] #[repr(C)] pub struct Small { a: i16, b: i8 }
static NODES: [Node; 3] = [Node { key: 3, value: 33 }, Node { key: 5, value: 55 },
                           Node { key: 7, value: 77 }];
static NUMBERS: [i32; 8] = [1, 2, 3, 4, 5, 6, 7, 8];
static TEXT: [u8; 8] = *b"abcdefgh";
#[inline(always)] fn slice(n: i64, m: i64) -> &'static [i32]
{ unsafe { from_raw_parts(NUMBERS.as_ptr().add((n & 3) as usize), (m & 3) as usize) } }
#[inline(always)] fn text(n: i64, m: i64) -> &'static str
{ unsafe { core::str::from_utf8_unchecked(
    from_raw_parts(TEXT.as_ptr().add((n & 3) as usize), (m & 3) as usize)) } }
#[no_mangle] #[inline(never)]
extern "C" fn trace(id: u64, a: u64, b: u64, c: u64, d: u64, e: u64)
{ unsafe { asm!("/* {} {} {} {} {} {} */", in(reg) id, in(reg) a, in(reg) b, in(reg) c, in(reg) d,
                in(reg) e) } }
#[no_mangle] #[inline(never)]
extern "C" fn opaque(mut x: i64) -> i64
{ unsafe { asm!("/* {} */", inout(reg) x, out("rdi") _, out("rsi") _, out("rdx") _, out("rcx") _,
                out("r8") _, out("r9") _, out("r10") _, out("r11") _) }; x }
"""


class Program:
    """Functions that call each other, in C++ or Rust."""

    def __init__(self, seed, traced, is_rust):
        self.random = random.Random(seed)
        self.traced, self.is_rust = traced, int(is_rust)
        self.kinds = [kind for kind in KINDS if kind.types[self.is_rust]]
        self.functions = []  # (name, kinds)
        self.lines = (RUST if is_rust else CPP).splitlines()
        for number in range(self.random.randint(7, 10)):
            self.add_function(number)
        self.add_main()

    def text(self):
        return "\n".join(self.lines) + "\n"

    def say(self, cpp, rust):
        return rust if self.is_rust else cpp

    def number(self, names):
        """An expression for a number."""
        some = self.random.randint(-9, 99)
        numbers = [kind.numbers[self.is_rust].format(name) if kind else name
                   for name, kind in names]
        return self.random.choice([f"opaque({some})", str(some),
                                   *(f"({number}) * 3 + {some}" for number in numbers),
                                   *(f"({number})" for number in numbers)])

    def value(self, kind, names):
        same = [name for name, other in names if other is kind]
        if same and self.random.random() < 0.4:
            return self.random.choice(same)
        return kind.values[self.is_rust].format(self.number(names), self.number(names))

    def trace(self, identity, names):
        words = [field[2 + self.is_rust].format(name)
                 for name, kind in names for field in kind.fields]
        return f"trace({identity}, {', '.join(words + ['0'] * (MOST_WORDS - len(words)))});"

    def call(self, names, target, indent):
        name, kinds = target
        lines = ["{"]
        for i, kind in enumerate(kinds):
            value, spelling = self.value(kind, names), kind.types[self.is_rust]
            lines.append("\t" + self.say(f"{spelling} a{i} = {value};",
                                         f"let a{i}: {spelling} = {value};"))
        if self.traced == "outside":
            lines.append("\t" + self.trace(len(self.lines) + len(lines) + 2,
                                           [(f"a{i}", kind) for i, kind in enumerate(kinds)]))
        lines += [f"\tr += {name}({', '.join(f'a{i}' for i in range(len(kinds)))});", "}"]
        self.lines += ["\t" * indent + line for line in lines]

    def signature(self, number, kinds):
        inline = self.random.choice([0, 0, 1, 2])
        if self.is_rust:
            declared = ", ".join(f"mut p{i}: {kind.types[1]}" for i, kind in enumerate(kinds))
            return f"{['#[inline(always)]', '#[inline]', ''][inline]} fn f{number}({declared}) -> i64"
        declared = ", ".join(f"{kind.types[0]} p{i}" for i, kind in enumerate(kinds))
        words = ["static inline __attribute__((always_inline))", "static inline", "static"]
        return f"{words[inline]} long f{number}({declared})"

    def add_function(self, number):
        kinds, words = [], 0
        while not kinds or (len(kinds) < 4 and self.random.random() < 0.7):
            kind = self.random.choice(self.kinds)
            words += len(kind.fields)
            if words > MOST_WORDS:
                break
            kinds.append(kind)
        names = [(f"p{i}", kind) for i, kind in enumerate(kinds)]
        self.lines += [self.signature(number, kinds), "{",
                       self.say("\tlong r = 0;", "\tlet mut r: i64 = 0;")]
        if self.traced == "inside":
            self.lines.append("\t" + self.trace(number, names))
        self.add_statements(names, self.random.randint(1, 3), 1)
        numbers = [kind.numbers[self.is_rust].format(name) for name, kind in names]
        self.lines += [f"\treturn r + ({numbers[0]});", "}"]
        self.functions.append((f"f{number}", kinds))

    def add_statements(self, names, count, indent):
        pad = "\t" * indent
        for _ in range(count):
            kind = self.random.choice(["call", "call", "call", "if", "loop", "opaque"])
            if kind == "call" and self.functions:
                self.call(names, self.random.choice(self.functions), indent)
            elif kind == "if" and indent < 3:
                number = self.number(names)
                self.lines.append(pad + self.say(f"if (({number}) & 2) {{",
                                                 f"if ({number}) & 2 != 0 {{"))
                self.add_statements(names, 1, indent + 1)
                self.lines.append(f"{pad}}}")
            elif kind == "loop" and indent < 2:
                self.lines.append(pad + self.say(
                    f"for (long i{indent} = 0; i{indent} < 3; i{indent}++) {{",
                    f"for i{indent} in 0..3i64 {{"))
                self.add_statements([*names, (f"i{indent}", None)], 1, indent + 1)
                self.lines.append(f"{pad}}}")
            else:
                self.lines.append(f"{pad}r += opaque({self.random.randint(0, 9)});")

    def add_main(self):
        self.lines += self.say(
            ["int main(int argc, char **argv)", "{", "\tlong r = 0, seen = opaque(5);",
             "\tfor (long i = 0; i < 4; i++) {"],
            ["#[no_mangle] pub extern \"C\" fn main(argc: i32, argv: *const *const u8) -> i32",
             "{", "\tlet mut r: i64 = 0; let mut seen = opaque(5);", "\tfor i in 0..4i64 {"])
        names = [("i", None), ("seen", None), ("r", None)]
        for function in self.functions:
            self.call(names, function, 2)
            self.lines.append("\t\tseen = opaque(seen * 3 + r);")
        self.lines += self.say(["\t}", "\tsink = r;", "\treturn 0;", "}"],
                               ["\t}", "\topaque(r);", "\treturn 0;", "}"])
