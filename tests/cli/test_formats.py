"""JSON lines and CSV are what docs/formats says, and hold what the text holds."""

import csv
import functools
import io
import json
import os
import re
from pathlib import Path

import pytest

import building

FORMATS = Path(__file__).resolve().parents[2] / "docs" / "formats"
RING = Path(__file__).resolve().parent / "golden/ring"
ADDRESS = re.compile(r"0x(0|[1-9a-f][0-9a-f]*)")
FILES = ["c", "c++", "object", "sections", "templates"]


def rows_of(result):
    return [json.loads(line) for line in result.out.splitlines()]


def whole_rows(result):
    """Without parts of functions, which the text leaves out."""
    return [row for row in rows_of(result) if not row["part"]]


@pytest.fixture(scope="session")
def rows(run, elf):
    """Every row there is of all files."""
    return [row for name in FILES for row in rows_of(run("--json", "-a", "-o", "-c", elf(name)))]


@functools.cache
def documented(heading):
    """{key: (type, may be null)} of a table in docs/formats/json.md, in its order."""
    lines = iter((FORMATS / "json.md").read_text().splitlines())
    next(line for line in lines if line.startswith(f"| {heading} |"))
    next(lines)
    keys = {}
    for line in lines:
        if not line.startswith("|"):
            return keys
        name, kind, _, null = (cell.strip() for cell in line.strip("|").split("|"))
        keys[name.strip("`")] = (kind, null != "never")
    return keys


def is_of_type(value, kind, least):
    if kind == "address":
        return isinstance(value, str) and ADDRESS.fullmatch(value)
    if kind == "number":
        return isinstance(value, int) and value >= least and value is not True
    return isinstance(value, {"string": str, "array": list, "boolean": bool}[kind])


def check(row, keys, least=1):
    assert list(row) == list(keys)
    for key, (kind, may_be_null) in keys.items():
        may_be_least = 0 if key == "entry_offset" else least
        assert is_of_type(row[key], kind, may_be_least) or (row[key] is None and may_be_null), (key, row)


# JSON.

def test_the_keys_are_those_of_the_document_in_its_order(rows):
    keys = documented("key")
    of_others = {key: keys[key] for key in keys if key not in ("return", "tail")}
    assert {row["type"] for row in rows} == {"site", "copy", "call"}
    for row in rows:
        check(row, keys if row["type"] == "call" else of_others)


@pytest.mark.parametrize("options", [("-a",), ("-C", "-s", "-g", "*")])
@pytest.mark.parametrize("name", FILES)
def test_a_count_has_the_keys_of_the_document_in_its_order(run, elf, name, options):
    counts = rows_of(run("--count", "--json", *options, elf(name)))
    assert counts
    for count in counts:
        check(count, documented("key of a function"), least=0)


@pytest.mark.parametrize("by", ["function", "caller", "file", "unit"])
@pytest.mark.parametrize("name", FILES)
def test_statistics_have_the_keys_of_the_document_in_its_order(run, elf, name, by):
    total, *groups = rows_of(run("stats", "--json", f"--by={by}", elf(name)))
    assert (total["by"], {group["by"] for group in groups}) == ("all", {by})
    for row in (total, *groups):
        check(row, documented("key of a statistic"), least=0)


@pytest.mark.parametrize("by", ["function", "template", "source", "section"])
@pytest.mark.parametrize("name", FILES)
def test_sizes_have_the_keys_of_the_document_in_its_order(run, elf, name, by):
    total, *groups = rows_of(run("sizes", "--json", f"--by={by}", elf(name)))
    assert (total["by"], {group["by"] for group in groups}) == ("all", {by})
    keys = documented("key of a size")
    for row in (total, *groups):
        saving = row["saving"]  # may be negative
        check({**row, "saving": saving and abs(saving)}, keys, least=0)


@pytest.mark.parametrize("words", [("sizes",), ("sizes", "--by=section"), ("stats",), ("stats", "--by=caller")],
                         ids=" ".join)
@pytest.mark.parametrize("name", FILES)
def test_csv_of_numbers_holds_what_json_holds(run, elf, name, words):
    expected = [{key: "" if value is None else str(value) for key, value in row.items()}
                for row in rows_of(run(*words, "--json", elf(name)))]
    assert table(run(*words, "--csv", elf(name))) == expected


def test_rules_have_the_keys_of_the_document_in_its_order(run, elf, tmp_path):
    (tmp_path / "rules").write_text("never inline clamp -- a reason\nnever inline nothing\nat most 0 copies of clamp\n")
    rows = rows_of(run("check", "--json", tmp_path / "rules", elf("c"), elf("object")))
    assert {row["of"] for row in rows} == {"all", "rule", "place"}
    for row in rows:
        check(row, documented("key of a rule"), least=0)
    expected = [{key: "" if value is None else str(value) for key, value in row.items()} for row in rows]
    assert table(run("check", "--csv", tmp_path / "rules", elf("c"), elf("object"))) == expected


def test_affected_functions_have_the_keys_of_the_document_in_its_order(run, elf):
    words = ("clamp", elf("object"), f"--build=other={elf('c')}")
    rows = rows_of(run("affected", "--json", *words))
    assert [row["of"] for row in rows].count("total") == 2 and "host" in {row["of"] for row in rows}
    for row in rows:
        check(row, documented("key of an affected function"), least=0)
    expected = [{key: str(value).lower() if isinstance(value, bool) else "" if value is None else str(value)
                 for key, value in row.items() if key != "symbols"} for row in rows]
    assert table(run("affected", "--csv", *words)) == expected


def test_changes_have_the_keys_of_the_document_in_its_order(run, elf):
    words = ("-p", "--min-bytes=0", elf("c"), elf("templates"))
    total, *changes = rows_of(run("diff", "--json", *words))
    assert total["of"] == "all" and changes and {row["of"] for row in changes} == {"function"}
    for row in (total, *changes):
        signed = {key: abs(row[key]) for key in ("explained", "grown")}
        check({**row, **signed}, documented("key of a change"), least=0)
        for path in row["paths"]:
            check(path, documented("key of a path"), least=0)
    flat = [{key: "" if value is None else str(value) for key, value in row.items()
             if key not in ("paths", "arguments")} for row in (total, *changes)]
    assert table(run("diff", "--csv", *words)) == flat


def test_changed_arguments_have_the_keys_of_the_document_in_its_order(run, tmp_path):
    source = """int use(int), look(int) __attribute__((pure));
    static inline int f(int n, int m) { return use(n) + M; }
    int host(int n) { return f(n, look(n)); }"""
    for name in ("m", "0"):
        (tmp_path / f"{name}.c").write_text(source.replace("M;", f"{name};"))
        building.command("gcc", "-O2", "-g", "-c", f"{name}.c", cwd=tmp_path)
    rows = rows_of(run("diff", "-p", "--json", tmp_path / "m.o", tmp_path / "0.o"))
    arguments = [argument for row in rows for argument in row["arguments"]]
    assert arguments
    for argument in arguments:
        check(argument, documented("key of a changed argument"), least=0)


def tabled(heading):
    """The words in the first column of a table in docs/formats/json.md."""
    table = (FORMATS / "json.md").read_text().split(f"\n| {heading} |")[1].split("\n\n")[0]
    return [line.split("|")[1].strip().strip("`") for line in table.splitlines()[2:]]


@pytest.mark.parametrize("name", FILES)
def test_verdicts_have_the_keys_and_words_of_the_document_in_its_order(run, elf, rows, name):
    functions = sorted({row["function"] for row in rows if row["file"] == str(elf(name))})
    names = [f"--function={function}" for function in functions[:60]]
    verdicts = rows_of(run("why", "--json", *names, elf(name)))
    assert len(verdicts) >= len(names) > 0
    for row in verdicts:
        check(row, documented("key of a verdict"), least=0)
        assert row["verdict"] in tabled("verdict")
        for place in row["code"] + row["entries"]:
            check(place, documented("key of a place"), least=0)
            assert place["kind"] in tabled("kind of a place")
            for parameter in place["params"] or []:
                assert parameter["location"]["text"]
        assert all(set(other) == {"name"} for other in row["others"])


@pytest.mark.parametrize("name", FILES)
def test_probes_have_the_keys_of_the_document_in_its_order(run, elf, name):
    probes = rows_of(run("probe", "--json", "-g", "*", elf(name)))
    assert probes
    for row in probes:
        check(row, documented("key of a probe"), least=0)
        assert (row["definition"] is None) != (row["why_not"] is None)


@pytest.mark.parametrize("name", FILES)
def test_arguments_have_the_keys_and_names_of_the_document_in_its_order(run, elf, name):
    text = (FORMATS / "json.md").read_text().split("### Arguments")[1].split("\n## ")[0]
    rows_of_arguments = rows_of(run("stats", "-p", "--json", elf(name)))
    for row in rows_of_arguments:
        check(row, documented("key of arguments"), least=0)
    assert [row["by"] for row in rows_of_arguments] == ["all"] + 6 * ["category"] + 20 * ["shape"]
    for by in ("category", "shape"):
        table = text.split(f"\n| {by} |")[1].split("\n\n")[0]
        names = re.findall(r"`([^`]+)`", " ".join(line.split("|")[1] for line in
                                                  table.splitlines()[2:]))
        assert sorted(names) == sorted(row["name"] for row in rows_of_arguments
                                       if row["by"] == by)


def test_the_keys_of_a_link_are_those_of_the_document(rows):
    links = [link for row in rows for link in row["chain"]]
    assert links
    for link in links:
        check(link, documented("key of a link"))


def test_a_range_is_two_addresses_and_perhaps_a_section(rows):
    for row in rows:
        for start, end, *section in row["ranges"]:
            assert ADDRESS.fullmatch(start) and ADDRESS.fullmatch(end)
            assert int(start, 16) < int(end, 16)
            assert len(section) <= 1 and row["section"] not in section


def test_a_range_elsewhere_names_its_section(run, elf):
    elsewhere = {(row["section"], parts[2])
                 for row in rows_of(run("--json", "-f", "first.c", "clamp", elf("object")))
                 for parts in row["ranges"] if len(parts) > 2}
    assert (".text", ".text.unlikely") in elsewhere
    assert elsewhere <= {(".text", ".text.unlikely"), (".text.startup", ".text.unlikely")}


def test_linked_files_have_no_sections_and_relocatable_ones_have(run, elf):
    assert {row["section"] for row in rows_of(run("--json", "clamp", elf("c")))} == {None}
    sections = {row["section"] for row in rows_of(run("--json", "clamp", elf("sections")))}
    assert {".text.kept_out_of_line", ".text.recursion"} <= sections


def test_copies_without_code_are_kept(rows):
    assert any(row["type"] == "site" and not row["ranges"] for row in rows)


def test_out_of_line_copies_and_calls_are_there_only_when_asked_for(run, elf):
    def types(*options):
        return {row["type"] for row in rows_of(run("--json", "-a", *options, elf("c")))}

    assert types() == {"site"}
    assert types("-o") == {"site", "copy"}
    assert types("-c") == {"site", "call"}


def test_the_chain_is_there_without_being_asked_for_and_without_the_host(run, elf):
    row = next(row for row in rows_of(run("--json", "clamp", elf("c"))) if len(row["chain"]) == 2)
    assert [link["function"] for link in row["chain"]] == ["scale", "area"]
    assert row["host"] == "main"


def test_demangling_leaves_linkage_names_alone(run, elf):
    plain, demangled = (rows_of(run("--json", *options, "norm", elf("c++")))
                        for options in ((), ("-C",)))
    assert {row["function"] for row in plain} == {"norm"}
    assert {row["function"] for row in demangled} == {"geometry::Point::norm() const"}
    assert [row["linkage_name"] for row in plain] == [row["linkage_name"] for row in demangled]
    assert {"_Z10dies_by_gci"} < {row["symbol"] for row in plain}
    assert {"dies_by_gc(int)"} < {row["symbol"] for row in demangled}


def test_base_names_are_for_source_files_alone(run, elf):
    row = rows_of(run("--json", "-s", "clamp", elf("c")))[0]
    assert (row["decl_file"], row["call_file"]) == ("shapes.h", "shapes.h")
    assert {link["call_file"] for link in row["chain"]} == {"shapes.h", "first.c"}
    assert "/" in row["file"] and "/" in row["unit"]


@pytest.fixture
def latin_1(elf, tmp_path):
    """A file with names that are not UTF-8, in a path that is not either."""
    names = building.section_bytes(elf("c"), ".debug_str", tmp_path)
    names = names.replace(b"kept_out_of_line\0", b"gr\xf6\xdfe_\xff_of_line\0")
    path = building.with_section(elf("c"), ".debug_str", names, tmp_path / "names")
    return path.rename(os.fsdecode(os.fsencode(tmp_path) + b"/na\xefve"))


def test_json_is_utf_8_whatever_the_names_are(run, latin_1):
    result = run("--json", "-a", latin_1)
    result.out.encode("utf-8")  # no byte was left that is not
    found = {row["function"] for row in rows_of(result)}
    assert "gr\ufffd\ufffde_\ufffd_of_line" in found
    assert {row["file"][-5:] for row in rows_of(result)} == {"na\ufffdve"}


def test_text_and_csv_print_names_as_they_are(run, latin_1):
    name = os.fsdecode(b"gr\xf6\xdfe_\xff_of_line")
    assert f",{name}," in run("--csv", "-a", latin_1).out
    assert f"\t{name}() < " in run("-a", "-i", latin_1).out
    assert run(name, latin_1).sites


# CSV.

def table(result):
    return list(csv.DictReader(io.StringIO(result.out)))


def test_the_columns_are_the_keys(run, elf):
    for options in ((), ("-c",)):
        heading = run("--csv", *options, "clamp", elf("c")).out.splitlines()[0]
        assert heading.split(",") == list(documented("key"))


def test_there_is_one_heading_for_all_files(run, elf):
    lines = run("--csv", "clamp", elf("c"), elf("object")).out.splitlines()
    assert [number for number, line in enumerate(lines) if line.startswith("type,")] == [0]


def cell(key, value):
    """A value of JSON as CSV has it."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return str(value).lower()
    if key == "ranges":
        return " ".join(f"{section[0]}+{start}-{end}" if section else f"{start}-{end}"
                        for start, end, *section in value)
    if key == "chain":
        return " < ".join(link["function"] or "" for link in value)
    return str(value)


@pytest.mark.parametrize("options", [(), ("-o", "-c"), ("-C", "-s", "-o", "-c")])
@pytest.mark.parametrize("name", FILES)
def test_csv_holds_what_json_holds(run, elf, name, options):
    expected = rows_of(run("--json", "-a", *options, elf(name)))
    found = table(run("--csv", "-a", *options, elf(name)))
    keys = documented("key")
    assert [{key: cell(key, row.get(key)) for key in keys} for row in expected] == found


# Text.

def call_of(row):
    if row["type"] == "copy":
        return "-"
    column = f":{row['call_column']}" if row["call_column"] else ""
    return f"{row['call_file'] or '??'}:{row['call_line'] or 0}{column}"


def remark(row, number):
    """The fourth field of the line of a range: the entry, unless the first range starts with it,
    stands with the range that holds it, or else with the first."""
    section = row["section"] + "+" if row["section"] else ""
    words = ["out of line"] if row["type"] == "copy" else []
    if number > 0:
        words.append("same copy")
    entry = row["entry"] and int(row["entry"], 16)
    holds = [entry is not None and len(parts) == 2 and
             int(parts[0], 16) <= entry < int(parts[1], 16) for parts in row["ranges"]]
    if number == (holds.index(True) if True in holds else 0) and not (
            number == 0 and holds[0] and row["entry"] == row["ranges"][0][0]):
        words.append(f"entry {section}{row['entry']}" if row["entry"] else "entry ?")
    return ", ".join(words)


@pytest.mark.parametrize("options", [(), ("-o",), ("-s",)])
@pytest.mark.parametrize("name", FILES)
def test_text_holds_the_ranges_of_json(run, elf, name, options):
    def address(row, addr, section):
        return f"{section or row['section']}+{addr}" if row["section"] else addr

    expected = []
    for row in whole_rows(run("--json", "-a", *options, elf(name))):
        for number, (start, end, *section) in enumerate(row["ranges"]):
            ends = [address(row, addr, section and section[0]) for addr in (start, end)]
            expected.append((f"[{ends[0]} - {ends[1]}]", call_of(row), remark(row, number)))
    found = run("-a", *options, elf(name)).sites
    assert [(*site[:2], ", ".join(site[3:])) for site in found] == expected
    assert any("same copy" in site[-1] for site in found)


LINE = re.compile(r"""
    (?:\S.*:\d+)                                              # a heading
    |\t\[(\S+\+)?(0x[0-9a-f]+|\?)\ -\ (\S+\+)?(0x[0-9a-f]+|\?)\]  # a range
     \t(?:-|\S.*:\d+)                                         # of a call
     \t[^\t]+(?:\t(?:(?:out\ of\ line(?:,\ )?|(?:tail\ )?call$)?  # in a function, and remarks
     (?:same\ copy(?:,\ )?)?(?:entry\ (?:(\S+\+)?0x[0-9a-f]+|\?))?))?
""", re.VERBOSE)


def test_a_tail_call_is_called_so(run, elf):
    fields = {site[2:] for site in run("-c", "-s", "outer", elf("tail-call")).sites}
    assert fields == {("jumps()", "tail call"), ("calls()", "call")}
    rows = rows_of(run("-c", "--json", "outer", elf("tail-call")))
    assert {(row["host"], row["tail"]) for row in rows} == {("jumps", True), ("calls", False)}


@pytest.mark.parametrize("options", [(), ("-i",), ("-o", "-c"), ("-i", "-C", "-s", "-c", "-o")])
@pytest.mark.parametrize("name", FILES)
def test_text_keeps_to_its_grammar(run, elf, name, options):
    lines = run("-a", *options, elf(name)).out.splitlines()
    assert lines and not lines[0].startswith("\t") and lines[-1].startswith("\t")
    assert [line for line in lines if not LINE.fullmatch(line)] == []


@pytest.mark.parametrize("options", [(), ("-o", "-c"), ("-s", "-C", "-o", "-c")])
@pytest.mark.parametrize("name", FILES)
def test_entries_are_those_of_json(run, elf, name, options):
    expected = []
    for row in rows_of(run("-e", "--json", "-a", *options, elf(name))):
        section = row["section"] + "+" if row["section"] else ""
        remarks = {"site": [], "copy": ["out of line"],
                   "call": ["tail call" if row.get("tail") else "call"]}[row["type"]]
        if row["entry"] is None and row.get("return"):
            remarks.append(f"returns to {section}{row['return']}")
        if row.get("counted_elsewhere"):
            remarks.append("counted at another copy")
        if row["part"] or not (row["ranges"] or row["type"] == "call"):
            continue
        for number, entry in enumerate(row.get("entries") or [
                {"address": row["entry"], "symbol": row["entry_symbol"],
                 "offset": row["entry_offset"]}]):
            words = remarks + ["same copy"] * (number > 0)
            expected.append((section + entry["address"] if entry["address"] else "?",
                             f"{entry['symbol']}+{entry['offset']:#x}" if entry["symbol"] else "?",
                             call_of(row), row["host"], *([", ".join(words)] if words else [])))
    found = [(*site[:3], site[3].removesuffix("()"), *site[4:])
             for site in run("-e", "-a", *options, elf(name)).sites]
    assert found == [(*line[:3], line[3].removesuffix("()"), *line[4:]) for line in expected]


def test_keys_of_entries_are_those_of_the_document(run, elf):
    wanted = [key for key in documented("key") if key not in ("return", "tail")]
    wanted += documented("key with -e")
    rows = rows_of(run("-e", "-o", "--json", "-a", elf("c")))
    assert rows and all(list(row) == wanted for row in rows)
    doubts = [doubt for row in rows for doubt in row["doubts"] or []]
    assert doubts and all(list(doubt) == ["kind", "address", "target"] for doubt in doubts)
    assert {doubt["kind"] for doubt in doubts} <= {"passed by", "loop", "repeated"}


@pytest.mark.parametrize("name", ["c", "c++", "lto", "object"])
def test_an_entry_is_at_its_offset_in_its_symbol(run, elf, name):
    symbols = {(words[2], int(words[0], 16)) for words in
               map(str.split, building.command("nm", elf(name)).splitlines()) if len(words) == 3}
    rows = [row for row in rows_of(run("--json", "-a", "-o", elf(name))) if row["entry_symbol"]]
    assert len(rows) > 10
    assert {(row["entry_symbol"], int(row["entry"], 16) - row["entry_offset"])
            for row in rows} <= symbols


def test_a_heading_is_never_without_lines(run, elf):
    lines = run("-a", elf("c++")).out.splitlines()
    for line, following in zip(lines, lines[1:]):
        assert line.startswith("\t") or following.startswith("\t")


def transcripts(document):
    """[(command, [line, ...]), ...] of the examples in a document."""
    text = (FORMATS / document).read_text()
    for block in re.findall(r"^```console\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        command, *lines = block.splitlines()
        yield command, lines


@pytest.mark.parametrize("document", ["json.md", "text.md"])
def test_the_examples_of_the_documents_are_in_the_transcripts(document):
    golden = "".join(path.read_text() for path in RING.glob("*.t"))
    assert list(transcripts(document))
    for command, lines in transcripts(document):
        assert "\n".join([command, *lines]) + "\n" in golden


# Stacks.

@pytest.fixture(scope="session")
def addresses(elf):
    """Arguments for `inlinecall addr`: all of .text, a file at a time."""

    def make(name):
        section = building.command("readelf", "-SW", elf(name))
        size = int(re.search(r" \.text +\S+ +\w+ \w+ (\w+)", section)[1], 16)
        return [elf(name), *(f".text+{offset:#x}" for offset in range(size + 1)), "no"]

    return make


@pytest.mark.parametrize("options", [(), ("-C", "-s"), ("-R",)])
@pytest.mark.parametrize("name", FILES)
def test_a_stack_has_the_keys_of_the_document_in_its_order(run, addresses, name, options):
    stacks = rows_of(run("addr", "--json", *options, *addresses(name)))
    assert len(stacks) == len(addresses(name)) - 1
    assert {stack["type"] for stack in stacks} == {"stack"}
    for stack in stacks:
        check(stack, documented("key of a stack"), least=0)
        for frame in stack["frames"]:
            check(frame, documented("key of a frame"), least=0)
        inlined = [frame["inlined"] for frame in stack["frames"]]
        assert inlined == [True] * (len(inlined) - 1) + [False] * (len(inlined) > 0)


STACK_LINE = re.compile(r"""
    (?:(?:\S+\+)?0x[0-9a-f]+|no)?\t(?:\?\?|        # an address, and what is at it: unknown
     [^\t]+\t[^\t]+:\d+(?::[1-9]\d*)?(?:\ \(discriminator\ [1-9]\d*\))?(?:\tinlined)?)
""", re.VERBOSE)


@pytest.mark.parametrize("options", [(), ("-C", "-s"), ("-R",)])
@pytest.mark.parametrize("name", FILES)
def test_the_text_of_stacks_keeps_to_its_grammar(run, addresses, name, options):
    lines = run("addr", *options, *addresses(name)).out.splitlines()
    assert [line for line in lines if not STACK_LINE.fullmatch(line)] == []
    starts = [line for line in lines if not line.startswith("\t")]
    assert len(starts) == len(addresses(name)) - 1
    for line, following in zip(lines, lines[1:]):
        assert line.endswith("\tinlined") == following.startswith("\t")


@pytest.mark.parametrize("name", ["c", "object"])
def test_the_text_of_stacks_and_json_say_the_same(run, addresses, name):
    text = run("addr", *addresses(name)).out
    lines = []
    for stack in rows_of(run("addr", "--json", *addresses(name))):
        section = f"{stack['section']}+" if stack["section"] else ""
        head = section + stack["address"] if stack["address"] else "no"
        for frame in stack["frames"]:
            place = f"{frame['file'] or '??'}:{frame['line']}"
            place += f":{frame['column']}" if frame["column"] else ""
            number = frame["discriminator"]
            place += f" (discriminator {number})" if number else ""
            function = f"{frame['function']}()" if frame["function"] else "??"
            lines.append("\t".join([head, function, place, *["inlined"] * frame["inlined"]]))
            head = ""
        if not stack["frames"]:
            lines.append(f"{head}\t??")
    assert text.splitlines() == lines


@pytest.mark.parametrize("name", FILES)
def test_csv_of_stacks_has_a_row_a_frame_with_what_json_has(run, addresses, name):
    arguments = addresses(name)
    rows = list(csv.DictReader(io.StringIO(run("addr", "--csv", *arguments).out)))
    expected = []
    for stack in rows_of(run("addr", "--json", *arguments)):
        for number, frame in enumerate(stack["frames"] or [{}]):
            expected.append({
                "type": "stack", "file": stack["file"], "end": "", "section": stack["section"] or "",
                "address": "no" if stack["address"] is None else stack["address"],
                "is_stmt": "", "frame": str(number), "source": frame.get("file") or "",
                **{key: str(frame.get(key) or "") for key in (
                    "function", "linkage_name", "line", "column", "discriminator")},
                "inlined": str(frame["inlined"]).lower() if frame else "",
                **{key: "" if stack[key] is None else str(stack[key]) for key in (
                    "symbol", "symbol_offset", "symbol_size")}})
    assert rows == expected


def test_csv_has_one_heading_however_many_answers_there_are(run, elf):
    streamed = run("addr", "--csv", elf("c"), stdin="1\n2\n").out.splitlines()
    assert len(streamed) == 3 and streamed[0].startswith("type,file,address,")
    lines = run("lines", "--csv", elf("c"), "first.c:1", "first.c:2").out.splitlines()
    assert [line for line in lines if line.startswith("type,")] == lines[:1]


def renamed(elf, tmp_path, name):
    """The C program with other bytes for the five letters of clamp."""
    data = elf("c").read_bytes()
    assert data.count(b"\0clamp\0") > 0
    path = tmp_path / "renamed"
    path.write_bytes(data.replace(b"\0clamp\0", b"\0" + name + b"\0"))
    return path


def test_control_characters_of_unicode_do_not_reach_a_terminal(run, elf, tmp_path):
    path = renamed(elf, tmp_path, b"a\x1b\xc2\x9bb")  # ESC and CSI
    for form, wanted in ((), "a??b"), (("--csv",), "a??b"), (("--json",), "a\\u001b\x9bb"):
        out = run("-a", "-n", *form, path).out
        assert wanted in out and "\x1b" not in out
        assert ("\x9b" in out) == (form == ("--json",))


def test_an_empty_name_is_printed_as_one_that_is_not_known(run, elf, tmp_path):
    path = renamed(elf, tmp_path, b"\0lamp")
    out = run("-a", "-i", "-n", path).out
    assert "??()" in out
    assert not re.search(r"(^|[\t <])\(\)", out, re.MULTILINE)
