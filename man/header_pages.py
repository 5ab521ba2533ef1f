#!/usr/bin/env python3
"""Makes the manual pages of the library from the comments of its public headers.

usage: header_pages.py --list HEADER...          prints PAGE, and FUNCTION PAGE for its functions
       header_pages.py FOLDER OVERVIEW HEADER... writes the pages and the overview into FOLDER

The page of inlinecall/extra/rows.h is inlinecall_extra_rows(3). The overview is a page in which the
lines @CORE@ and @EXTRA@ stand for lists of the others. A declaration that cannot be parsed and a
function without a comment are errors.
"""

import itertools
import os
import re
import sys
import time
from pathlib import Path
from typing import NamedTuple

NOT_DECLARATIONS = re.compile(r"^#ifdef __cplusplus\n.*?^#endif\n|^#if defined.*?^#endif\n|"
                              r"^#(?!define \w+ +\w+[ \n])[^\n]*\n", re.MULTILINE | re.DOTALL)
DECLARATION = re.compile(r"""
    (?P<comment>/\*\*.*?\*/)
    | //[^\n]*
    | \#define\ (?P<constant>IC_\w+)\ +(?P<value>\w+)(?:\ +(?P<beside>/\*\*<.*?\*/))?\n
    | (?P<type>(?:struct|enum)\ (?P<tag>\w+))\s*(?:\{(?P<body>.*?)\})?;
    | (?P<typedef>typedef\ [^;(]*?(?P<alias>ic_\w+)\([^;]*);
    | IC_API\s(?P<result>[^;()]*?)(?P<function>ic_\w+)\((?P<arguments>[^;]*)\)(?:\sIC_CHECKED)?;
    """, re.VERBOSE | re.DOTALL)
# The comments before a member, the member, and what is beside it: lines of // that are indented
# further than a member continue that.
MEMBER = re.compile(r"""
    (?P<before>(?:/\*\*.*?\*/\s*|//[^\n]*\n\s*)*)
    (?P<member>(?:[^;,/{]|,(?=[^/]*;)|\{[^}]*\})+)[;,]?
    (?P<beside>[\ \t]*(?:/\*\*<.*?\*/|//[^\n]*(?:\n\t[\ \t]+//[^\n]*)*))?\s*
    """, re.VERBOSE | re.DOTALL)


class Block(NamedTuple):
    """A part of a comment."""
    kind: str  # "text", "item" of a list, "code", "param" or "return"
    text: str
    names: str = ""  # of a "param"


class Declared(NamedTuple):
    kind: str  # "function", "type", "constant" or "member"
    name: str
    text: str  # its declaration; only the result of a function, the value of a constant
    comment: list
    parts: list  # arguments of a function, members of a type


class Header(NamedTuple):
    name: str  # as it is included
    comment: list
    declared: list
    text: str

    @property
    def page(self):
        return self.name.removesuffix(".h").replace("/", "_")

    @property
    def is_extra(self):
        return "/extra/" in self.name

    def of_kind(self, kind):
        return [one for one in self.declared if one.kind == kind]


def fail(header, what):
    raise SystemExit(f"header_pages.py: {header}: {what}")


# From text to declarations.

def join(text):
    return " ".join(text.split())


def parse_comment(comment):
    blocks = []
    is_new = True  # the next line begins a block
    for line in re.sub(r"\s*\*/", "", comment).splitlines():
        line = re.sub(r"^\s*(?:/\*\*<?|//|\*)?", "", line)
        tagged = re.match(r"\s*(?:@(param|return)|(-))\s+(.*)", line)
        if line.startswith("\t"):
            code = line[1:].expandtabs().rstrip()
            if blocks and blocks[-1].kind == "code":
                code = f"{blocks.pop().text}\n{code}"
            blocks.append(Block("code", code))
            is_new = True
        elif not line.strip():
            is_new = True
        elif tagged and tagged[1] == "param":
            names, text = re.match(r"((?:\w+, )*\w+)\s*(.*)", tagged[3]).groups()
            blocks.append(Block("param", text, names))
            is_new = False
        elif tagged and (tagged[1] or is_new or blocks[-1].kind == "item"):
            blocks.append(Block("return" if tagged[1] else "item", join(tagged[3])))
            is_new = False
        elif is_new:
            blocks.append(Block("text", join(line)))
            is_new = False
        else:
            blocks[-1] = blocks[-1]._replace(text=f"{blocks[-1].text} {join(line)}")
    return blocks


def parse_members(header, body):
    """The members of a struct, or the enumerators of an enum."""
    members = []
    at = len(body) - len(body.lstrip())
    while at < len(body):
        match = MEMBER.match(body, at)
        if not match:
            fail(header, f"cannot parse the member {join(body[at:at + 60])}")
        comment = parse_comment(match["before"]) + parse_comment(match["beside"] or "")
        text = join(match["member"])
        members.append(Declared("member", text.split()[-1], text, comment, []))
        at = match.end()
    return members


def parse_declaration(header, match, comment):
    if match["constant"]:
        comment = parse_comment(comment or match["beside"] or "")
        return Declared("constant", match["constant"], match["value"], comment, [])
    if match["function"]:
        arguments = re.split(r",\s*(?![^()]*\))", match["arguments"])
        return Declared("function", match["function"], join(match["result"]),
                        parse_comment(comment), [join(argument) for argument in arguments])
    if match["typedef"]:
        text = join(match["typedef"])
        return Declared("type", match["alias"], text, parse_comment(comment), [])
    body = match["body"] or ""
    beside = re.match(r"[ \t]*(//[^\n]*)", body)  # beside the brace: on the type
    if beside:
        comment, body = beside[1], body[beside.end():]
    return Declared("type", match["tag"], match["type"], parse_comment(comment),
                    parse_members(header, body))


def parse_header(path):
    text = path.read_text(encoding="utf-8")
    name = re.search(r"inlinecall/(?:extra/)?\w+\.h$", path.as_posix())[0]
    head = re.match(r"(?://[^\n]*\n)+", text)[0]
    code = NOT_DECLARATIONS.sub("", text[len(head):])
    declared = []
    comment = ""
    at = 0
    while code[at:].strip():
        at += len(code[at:]) - len(code[at:].lstrip())
        match = DECLARATION.match(code, at)
        if not match:
            fail(name, f"cannot parse {join(code[at:at + 60])}")
        at = match.end()
        if match["comment"]:
            comment = match["comment"]
            continue
        if not match[0].startswith("//"):
            one = parse_declaration(name, match, comment)
            if one.kind == "function" and all(block.kind == "return" for block in one.comment):
                fail(name, f"nothing says what {one.name}() does")
            if one.kind != "type" or one.comment or one.parts:
                declared.append(one)
        comment = ""
    return Header(name, parse_comment(head), declared, text)


# From declarations to mdoc(7).

def escape(text):
    text = text.replace("\\", "\\e")
    return re.sub(r"(?<![A-Za-z])-|-(?![A-Za-z])", r"\\-", text)


def escape_code(text):
    return re.sub("['`^~]", lambda match: {"'": r"\(aq", "`": r"\(ga", "^": r"\(ha",
                                           "~": r"\(ti"}[match[0]],
                  text.replace("\\", "\\e").replace("-", "\\-"))


def prose_lines(text):
    """A paragraph, a line for each sentence."""
    marked = ""
    for number, part in enumerate(text.split("`")):
        if number % 2:
            marked += f"\\fI{part}\\fP" if part.isidentifier() else f"\\fB{escape_code(part)}\\fP"
        else:
            marked += re.sub(r"\b(ic_\w+)\(\)", r"\\fB\1\\fP()", escape(part))
    lines = re.split(r"(?<=[\w)\"P][.?!]) +(?=[A-Z(\"\\])", marked)
    return [("\\&" if line[0] in ".'" else "") + line for line in lines]


def paragraph(lines):
    return [".Pp"] if lines else []


def list_lines(entries, options=""):
    """A list with tags: entries are (macro and its arguments, lines)."""
    lines = [f".Bl -tag -width Ds{options}"]
    for tag, body in entries:
        lines += [f".It {tag}", *body]
    return lines + [".El"]


def param_entry(param):
    return f"Fa {param.names}".replace(",", " ,"), prose_lines(param.text)


def block_lines(blocks):
    """The lines of a comment, without what a function returns."""
    lines = []
    for kind, alike in itertools.groupby(blocks, lambda block: block.kind):
        if kind == "param":
            lines += paragraph(lines) + list_lines(map(param_entry, alike), " -compact")
        elif kind == "item":
            lines.append(".Bl -dash")
            for block in alike:
                lines += [".It", *prose_lines(block.text)]
            lines.append(".El")
        elif kind == "code":
            for block in alike:
                code = ["\\&" + escape_code(line) for line in block.text.splitlines()]
                lines += [".Bd -literal", *code, ".Ed"]
        elif kind == "text":
            for block in alike:
                lines += paragraph(lines) + prose_lines(block.text)
    return lines


def function_entry(function):
    return f"Fn {function.name}", block_lines(function.comment)


def returns(function):
    return " ".join(block.text for block in function.comment if block.kind == "return")


def return_entry(function):
    return f"Fn {function.name}", prose_lines(returns(function))


def member_entry(member):
    comment = [block._replace(kind="text", text=f"Returns {block.text}")
               if block.kind == "return" else block for block in member.comment]
    macro = "Dv" if member.name.startswith("IC_") else "Va"
    return f'{macro} "{member.text}"', block_lines(comment)


def type_entry(declared):
    lines = block_lines(declared.comment)
    if declared.parts:
        lines += paragraph(lines) + list_lines(map(member_entry, declared.parts), " -compact")
    return f'Vt "{declared.text}"', lines


def constant_entry(constant):
    return f"Dv {constant.name} Pq Li {constant.text}", block_lines(constant.comment)


def title(header):
    """The first sentence of its comment."""
    text = header.comment[0].text.replace("`", "").split(". ")[0].rstrip(".:")
    return text if text[1].isupper() else text[0].lower() + text[1:]


def names_of(header):
    names = {header.name}
    for one in header.declared:
        names |= {one.name, *(part.name for part in one.parts if one.kind == "type")}
    return names


def related(header, headers):
    """The pages of the headers with something that this one mentions, and of its other tier."""
    words = set(re.findall(r"\b(?:ic|IC)_\w+|\binlinecall/[\w/]+\.h\b", header.text))
    words |= {header.name.replace("/extra/", "/"), header.name.replace("/", "/extra/")}
    return [other.page for other in headers if other is not header and words & names_of(other)]


def name_lines(header):
    names = [header.page, *(function.name for function in header.of_kind("function"))]
    return [*(f".Nm {name} ," for name in names[:-1]), f".Nm {names[-1]}", f".Nd {title(header)}"]


def synopsis_lines(header):
    lines = [f".In {header.name}"]
    for function in header.of_kind("function"):
        lines += [f'.Ft "{function.text}"', f".Fo {function.name}",
                  *(f'.Fa "{argument}"' for argument in function.parts), ".Fc"]
    return lines


def description_lines(header):
    first = header.comment[0].text
    is_title = first.endswith(".") and ". " not in first
    lines = block_lines(header.comment[1:] if is_title else header.comment)
    if header.is_extra:
        lines += paragraph(lines)
        lines += ["This header may change from version to version: see", ".Xr libinlinecall 3 ."]
    for heading, kind, entry in (("Functions", "function", function_entry),
                                 ("Types", "type", type_entry),
                                 ("Constants", "constant", constant_entry)):
        if header.of_kind(kind):
            lines += [f".Ss {heading}", *list_lines(map(entry, header.of_kind(kind)))]
    return lines


def page_lines(header, headers, date):
    lines = [f".Dd {date}", f".Dt {header.page.upper()} 3", ".Os",
             ".Sh NAME", *name_lines(header),
             ".Sh SYNOPSIS", *synopsis_lines(header),
             ".Sh DESCRIPTION", *description_lines(header)]
    returning = list(filter(returns, header.of_kind("function")))
    if returning:
        lines += [".Sh RETURN VALUES", *list_lines(map(return_entry, returning))]
    see = sorted([*related(header, headers), "libinlinecall"])
    return lines + [".Sh SEE ALSO", *(f".Xr {page} 3 ," for page in see[:-1]), f".Xr {see[-1]} 3"]


def overview_lines(template, headers, date):
    lines = [f".Dd {date}"]
    for line in template.read_text(encoding="utf-8").splitlines():
        if line in ("@CORE@", "@EXTRA@"):
            entries = [(f"Xr {header.page} 3", prose_lines(title(header))) for header in headers
                       if header.is_extra == (line == "@EXTRA@")]
            lines += list_lines(entries, " -compact")
        else:
            lines.append(line)
    return lines


def main(arguments):
    is_list = arguments[0] == "--list"
    files = [Path(file) for file in arguments[1 if is_list else 2:]]
    parsed = [parse_header(file) for file in files]
    headers = [header for header in parsed if header.declared]  # the others only include these
    if is_list:
        for header in headers:
            print(header.page)
            for function in header.of_kind("function"):
                print(function.name, header.page)
        return
    folder, template = Path(arguments[0]), Path(arguments[1])
    # As other generators of pages do, so that builds of a package can be reproduced.
    seconds = os.environ.get("SOURCE_DATE_EPOCH") or max(file.stat().st_mtime for file in files)
    date = time.strftime("%B %d, %Y", time.gmtime(int(seconds))).replace(" 0", " ")
    pages = {header.page: page_lines(header, headers, date) for header in headers}
    pages[template.name.split(".")[0]] = overview_lines(template, headers, date)
    for page, lines in pages.items():
        (folder / f"{page}.3").write_text("\n".join(lines) + "\n", encoding="utf-8")


main(sys.argv[1:])
