"""Puts a counter at the head of each function of a source: how often it is called is then known
without any debug information.

C and C++ are read after the preprocessor, so that macros and conditions are gone, and Rust as it is.
A counter is one instruction that reads and writes nothing else, so that compilers inline as before.
"""

import posixpath
import re
from typing import NamedTuple

C_COUNTER = '__asm__ __inline__ __volatile__("incq counted_calls+{offset}(%%rip)" ::: "cc");'
RUST_COUNTER = ('unsafe {{ core::arch::asm!("inc qword ptr [rip + counted_calls + {offset}]", '
                'options(nostack, nomem)) }};')

C_TOKEN = re.compile(r"""
  (?P<marker>^\#[ ](?P<line>\d+)[ ]"(?P<file>(?:[^"\\\n]|\\.)*)"[^\n]*\n)
| (?P<directive>^[ \t]*\#[^\n]*\n)
| (?P<literal>(?:u8|[uUL])?R"(?P<end>[^()\\\s]*)\(.*?\)(?P=end)"
    | (?:u8|[uUL])?"(?:[^"\\]|\\.)*" | [uUL]?'(?:[^'\\]|\\.)*')
| (?P<word>[A-Za-z_$][\w$]*)
| (?P<number>\.?\d(?:[eEpP][+-]|'\w|[\w.])*)
| (?P<blank>\s+)
| (?P<sign>::|->|\[\[|.)
""", re.MULTILINE | re.DOTALL | re.VERBOSE)

RUST_TOKEN = re.compile(r"""
  (?P<comment>//[^\n]*)
| (?P<block>/\*)
| (?P<literal>b?r(?P<end>\#*)".*?"(?P=end) | b?"(?:[^"\\]|\\.)*" | b?'(?:[^'\\\n]|\\[^\n]+?)')
| (?P<word>(?:r\#)?[A-Za-z_]\w*)
| (?P<number>\d\w*)
| (?P<blank>\s+)
| (?P<sign>=>|->|::|.)
""", re.DOTALL | re.VERBOSE)

SCOPES = {"class", "struct", "union"}
ATTRIBUTES = {"__attribute__", "__attribute", "alignas", "_Alignas", "__declspec", "noexcept",
              "decltype", "__asm__", "asm", "__typeof__", "requires", "throw"}


class Definition(NamedTuple):
    name: str
    file: str
    line: int  # of the name, as debug information has it
    offset: int  # in the text, after the brace that opens the body


class Function(NamedTuple):
    """What has one counter: a definition, in how many units it may be."""

    name: str
    file: str
    line: int


class Token(NamedTuple):
    kind: str
    text: str
    file: str
    line: int
    end: int


def c_tokens(text, is_ours):
    """The tokens that are in files of the program; those of other headers are skipped."""
    file, line, place, ours = "", 1, 0, False
    while place < len(text):
        match = C_TOKEN.match(text, place)
        kind, word = match.lastgroup, match[0]
        if match["marker"]:
            file, line = posixpath.normpath(match["file"]), int(match["line"])
            ours, place = is_ours(file), match.end()
            if not ours:
                further = re.compile(r'^# \d+ "', re.MULTILINE).search(text, place)
                place = further.start() if further else len(text)
            continue
        if match["literal"]:
            kind = "literal"
        place = match.end()
        if kind in ("word", "number", "literal", "sign") and ours:
            yield Token(kind, word, file, line, place)
        line += word.count("\n")


def after_template(head):
    """Without what stands before a declaration: template parameters and specifiers of access."""
    while head and head[0].text == "template":
        depth, index = 0, 1
        while index < len(head):
            depth += {"<": 1, ">": -1}.get(head[index].text, 0)
            index += 1
            if depth == 0:
                break
        head = head[index:]
    return head


def without_attributes(head):
    """The tokens outside of attributes and the like, with their parentheses."""
    kept, index = [], 0
    while index < len(head):
        if head[index].text in ATTRIBUTES and index + 1 < len(head) and head[index + 1].text == "(":
            index = matching(head, index + 1) + 1
        elif head[index].text == "[[":
            while index < len(head) and head[index].text != "]":
                index += 1
            index += 2
        else:
            kept.append(head[index])
            index += 1
    return kept


def matching(tokens, index):
    depth = 0
    for place in range(index, len(tokens)):
        depth += {"(": 1, ")": -1}.get(tokens[place].text, 0)
        if depth == 0:
            return place
    return len(tokens) - 1


def declarator(head):
    """(its name as a token, the index after its parameters), or None."""
    index = 0
    while index < len(head):
        token = head[index]
        if token.text == "operator":
            name, index = token.text, index + 1
            while index < len(head) and (head[index].text != "(" or name == "operator"):
                if head[index].text == "(":  # operator()
                    name, index = name + "()", index + 2
                    continue
                name += head[index].text
                index += 1
            return token._replace(text=name), matching(head, index) + 1
        if token.text == "(":
            close, before = matching(head, index), head[index - 1] if index else None
            if close == index + 2 and head[index + 1].kind == "word" and \
                    close + 1 < len(head) and head[close + 1].text == "(":  # int (name)(int)
                return head[index + 1], matching(head, close + 1) + 1
            if before is not None and before.kind == "word":
                if index > 1 and head[index - 2].text == "~":
                    before = before._replace(text="~" + before.text)
                return before, close + 1
            index = close
        index += 1
    return None


def kind_of(head):
    """What a brace opens after these tokens: "scope", "function", or "other"."""
    head = without_attributes(after_template(head))
    words = [token.text for token in head]
    if not words:
        return "other", None
    if "namespace" in words or (words[0] == "extern" and len(words) == 2 and
                                head[1].kind == "literal"):
        return "scope", None
    found = declarator(head)
    is_operator = found is not None and found[0].text.startswith("operator")
    depth = 0
    for token in head:
        depth += {"(": 1, ")": -1}.get(token.text, 0)
        if token.text == "=" and depth == 0 and not is_operator:
            return "other", None
    if found is None:
        return ("scope" if SCOPES & set(words) and "enum" not in words else "other"), None
    name, end = found
    if ":" in words[end:] and (head[-1].kind == "word" or words[-1] == ">"):
        return "other", None  # an initialiser of a member
    if {"constexpr", "consteval"} & set(words):
        return "constant", None  # where no assembly may stand
    return "function", name


def c_definitions(text, is_ours):
    """The functions that are defined in files of the program."""
    head, parentheses, scopes, skipped = [], 0, [], None
    for token in c_tokens(text, is_ours):
        sign = token.text if token.kind == "sign" else ""
        if skipped is not None:  # in a body, or in braces that define nothing
            skipped[0] += {"{": 1, "}": -1}.get(sign, 0)
            if skipped[0] == 0:
                head = [] if skipped[1] else head + [token]
                skipped = None
            continue
        parentheses += {"(": 1, ")": -1}.get(sign, 0)
        if parentheses:
            head.append(token)
        elif sign == "{":
            kind, name = kind_of(head)
            if kind == "scope":
                scopes.append("namespace" in [word.text for word in head] or head[0].text == "extern")
                head = []
                continue
            if kind == "function":
                yield Definition(name.text, name.file, name.line, token.end)
            skipped = [1, kind in ("function", "constant")]
        elif sign == "}":
            head = [] if not scopes or scopes.pop() else [token]
        elif sign == ";" or (sign == ":" and len(head) == 1 and
                             head[0].text in ("public", "private", "protected")):
            head = []
        else:
            head.append(token)


def rust_tokens(text, file):
    line, place = 1, 0
    while place < len(text):
        match = RUST_TOKEN.match(text, place)
        place = match.end()
        if match["block"]:
            depth = 1
            while depth:
                mark = re.compile(r"/\*|\*/").search(text, place)
                depth += 1 if mark[0] == "/*" else -1
                place = mark.end()
        elif not match["comment"] and not match["blank"]:
            kind = "literal" if match["literal"] else match.lastgroup
            yield Token(kind, match[0], file, line, place)
        line += text.count("\n", match.start(), place)


def qualifiers(tokens, index):
    """The words before `fn`, as in `pub const unsafe extern "C" fn`."""
    found = set()
    while index and tokens[index - 1].text in ("const", "unsafe", "extern", "async") or \
            index and tokens[index - 1].kind == "literal":
        index -= 1
        found.add(tokens[index].text)
    return found


def rust_definitions(text, file):
    """The functions, but for constant ones and those of macros, in which there can be no counter."""
    tokens = list(rust_tokens(text, file))
    index = 0
    while index < len(tokens):
        token = tokens[index]
        if token.text == "macro_rules" and tokens[index + 1].text == "!":
            index += 3
            depth = 0
            while depth or tokens[index - 1].text not in ("}", ")"):
                depth += {"{": 1, "(": 1, "}": -1, ")": -1}.get(tokens[index].text, 0)
                index += 1
        elif token.text == "fn" and tokens[index + 1].kind == "word":
            name = tokens[index + 1]
            is_constant = "const" in qualifiers(tokens, index)
            depth = 0
            while depth or tokens[index].text not in ("{", ";"):
                depth += {"(": 1, "[": 1, ")": -1, "]": -1}.get(tokens[index].text, 0)
                index += 1
            if tokens[index].text == "{" and not is_constant:
                yield Definition(name.text, file, token.line, tokens[index].end)
        index += 1


def insert(text, definitions, numbers, counter):
    """The text with counters; numbers has the number of each function, and gets those of new ones."""
    pieces, place = [], 0
    for found in definitions:
        number = numbers.setdefault(Function(*found[:3]), len(numbers))
        pieces += [text[place:found.offset], counter.format(offset=8 * number)]
        place = found.offset
    return "".join(pieces) + text[place:]
