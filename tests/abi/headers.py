"""Reads the public headers, as far as a compiled program depends on what they say.

They are plain enough for this: structs of plain fields and of unions, enums, functions marked IC_API
and function types. What is none of these is an error, so nothing is left out.
"""

import re
from dataclasses import dataclass, field


class Unreadable(Exception):
    """A header has something that this reader does not know."""


@dataclass
class Headers:
    structs: dict = field(default_factory=dict)  # name: [(type as in "const char *%s", field)]
    enums: dict = field(default_factory=dict)  # name: [enumerator]
    types: dict = field(default_factory=dict)  # name of a function type: how it is written
    functions: dict = field(default_factory=dict)  # symbol: (returned type, [type of a parameter])


RENAMED = re.compile(r"^[ \t]*#[ \t]*define[ \t]+(ic_\w+)[ \t]+(\1_\d+_\d+)[ \t]*$", re.MULTILINE)
CPLUSPLUS = re.compile(r"^#ifdef __cplusplus$.*?^#endif$", re.MULTILINE | re.DOTALL)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.DOTALL)
DIRECTIVE = re.compile(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*$", re.MULTILINE)
DECLARATOR = re.compile(r"(?P<before>.*?)\b(?P<name>[a-z_]\w*) *(?P<after>(\[\w+\])*)", re.DOTALL)
CALLBACK = re.compile(r"(?P<returns>[^(]*)\( *\* *(?P<name>\w+) *\) *\((?P<parameters>.*)\)")
UNION = re.compile(r"union \{(?P<members>.*)\} *(?P<name>\w+)")
FUNCTION = re.compile(r"IC_API (?P<returns>.*?)\b(?P<name>ic_\w+) *\((?P<parameters>.*)\)"
                      r"( IC_CHECKED)?")
FUNCTION_TYPE = re.compile(r"typedef (?P<returns>.*?)\b(?P<name>ic_\w+) *\((?P<parameters>.*)\)")


def plain(text):
    """One way to write a type, whatever the spaces of the source."""
    return re.sub(r"\* +", "*", " ".join(text.split())).strip()


def split(text, mark):
    """Splits at the marks that are in no brackets."""
    depth, parts = 0, [""]
    for char in text:
        depth += (char in "{(") - (char in "})")
        if char == mark and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [" ".join(part.split()) for part in parts]


def statements(text):
    *whole, rest = split(text, ";")
    if rest:
        raise Unreadable(rest)
    return whole


def read_parameters(text):
    """The types of a function's parameters, without their names."""
    if text.strip() in ("", "void"):
        return []
    types = []
    for parameter in split(text, ","):
        callback, match = CALLBACK.fullmatch(parameter), DECLARATOR.fullmatch(parameter)
        if callback:
            types.append(read_callback(callback) % "")
        elif match and match["before"].strip() and not match["after"]:
            types.append(plain(match["before"]))
        else:
            raise Unreadable(text)
    return types


def read_callback(match):
    parameters = ", ".join(read_parameters(match["parameters"]))
    return f"{plain(match['returns'])} (*%s)({parameters})"


def read_fields(text):
    """The fields of a struct, each as (type with %s in place of the name, name); the members of a
    union in it as "union.member"."""
    for declaration in statements(text):
        if match := CALLBACK.fullmatch(declaration):
            yield read_callback(match), match["name"]
            continue
        if match := UNION.fullmatch(declaration):
            for kind, member in read_fields(match["members"]):
                yield kind, f"{match['name']}.{member}"
            continue
        first, *more = declaration.split(",")
        match = DECLARATOR.fullmatch(first.strip())
        base = match and match["before"].partition("*")[0].rstrip()
        if not base or "{" in declaration:
            raise Unreadable(declaration)
        for declarator in [first.strip()[len(base):], *more]:
            part = DECLARATOR.fullmatch(declarator.strip())
            if not part:
                raise Unreadable(declaration)
            yield plain(f"{base} {part['before']}%s{part['after']}"), part["name"]


def read_declaration(headers, text, renamed):
    if match := re.fullmatch(r"struct (\w+) \{(.*)\}", text):
        headers.structs[match[1]] = list(read_fields(match[2]))
    elif match := re.fullmatch(r"enum (\w+) \{(.*)\}", text):
        names = [part.split("=")[0].strip() for part in match[2].split(",")]
        headers.enums[match[1]] = [name for name in names if name]
    elif match := FUNCTION.fullmatch(text):
        symbol = renamed.get(match["name"], match["name"])
        headers.functions[symbol] = (plain(match["returns"]), read_parameters(match["parameters"]))
    elif match := FUNCTION_TYPE.fullmatch(text):
        parameters = ", ".join(read_parameters(match["parameters"]))
        headers.types[match["name"]] = f"{plain(match['returns'])} ({parameters})"
    elif not re.fullmatch(r"struct \w+", text):
        raise Unreadable(text)


def read(texts):
    """What headers declare, given their texts."""
    headers = Headers()
    for text in texts:
        renamed = dict(RENAMED.findall(text))
        for pattern in CPLUSPLUS, COMMENT, DIRECTIVE:
            text = pattern.sub("", text)
        for declaration in statements(text):
            read_declaration(headers, declaration, renamed)
    return headers


def is_passed_in(kind):
    """Whether a parameter of that type is only read: a value, or a pointer to what is const."""
    pointed, star, _ = kind.rpartition("*")
    if not star:
        return True
    return pointed.rstrip().endswith("const") if "*" in pointed else "const" in pointed.split()


def reached(headers, kinds):
    """Names of the structs, enums and function types that values of these types lead to."""
    names, todo = set(), list(kinds)
    while todo:
        for name in re.findall(r"\bic_\w+", todo.pop()):
            if name in names:
                continue
            names.add(name)
            todo += [kind for kind, _ in headers.structs.get(name, ())]
            todo.append(headers.types.get(name, ""))
    return names
