"""Each rule of check_abi.py fires on headers that break it, and on nothing else."""

import check_abi
import headers as reader
import pytest

BEFORE = """
#define SOME 1
struct ic_file; /* nobody knows what is in it */
enum ic_kind { IC_KIND_A, IC_KIND_B = 7, };
enum ic_state { IC_STATE_GOOD, IC_STATE_BAD };
typedef bool ic_call(void *context, struct ic_part part);
struct ic_part { uint32_t line, column; };
struct ic_options {
	enum ic_kind kind; // what is wanted
	ic_call *call;
	bool (*progress)(void *context, unsigned long long done);
};
struct ic_answer {
	const char *const *names, *text;
	enum ic_state state;
	const struct ic_part *parts;
	char message[8];
	union {
		int64_t number;
		const char *word;
	} at;
	bool last;
};
IC_API struct ic_file *ic_file_open(const char *path, const struct ic_options *options) IC_CHECKED;
IC_API void ic_file_ask(struct ic_file *file, uint64_t addr,
			struct ic_answer *answers);
IC_API size_t ic_file_size(const struct ic_file *file);
IC_API void ic_file_visit(struct ic_file *file, bool (*visit)(void *context, enum ic_kind kind),
			  void *context);
IC_API const char *ic_version(void);
"""


def lines_of(text, nodes):
    """Headers, and their lines: with 8 bytes a field, which the rules do not care about."""
    headers = reader.read([text])
    layout = []
    for name, fields in headers.structs.items():
        parts = " ".join(f"{8 * i} {kind % field};" for i, (kind, field) in enumerate(fields))
        layout.append(f"struct {name} {8 * len(fields)} {{{parts}}}")
    for name, values in headers.enums.items():
        parts = " ".join(f"{value}={i}" for i, value in enumerate(values))
        layout.append(f"enum {name} 4 {{{parts}}}")
    return headers, check_abi.today(headers, "\n".join(layout), nodes)


def nodes_of(text, node="INLINECALL_0.1"):
    return {symbol: node for symbol in reader.read([text]).functions}


def check(before, after, nodes=None, is_released=True):
    """What is wrong with headers after others, whose table stays if they were released."""
    _, table = lines_of(before, nodes_of(before))
    nodes = nodes or {**nodes_of(after, "INLINECALL_0.2"), **nodes_of(before)}
    headers, now = lines_of(after, nodes)
    tables = [((0, 1), table)]
    version = (0, 2) if is_released else (0, 1)
    if is_released:
        tables.append((version, check_abi.added(tables, version, now)))
    findings = check_abi.check(headers, tables, version, False, now, nodes)
    return [finding.split("\n")[0] for finding in findings]


def changed(old, new):
    assert old in BEFORE
    return BEFORE.replace(old, new)


def renamed(text, *functions):
    return "".join(f"#define {name} {name}_0_2\n" for name in functions) + text


def test_headers_are_read():
    headers, now = lines_of(BEFORE, nodes_of(BEFORE))
    assert list(now.values()) == [
        "struct ic_part 16 {0 uint32_t line; 8 uint32_t column;}",
        "struct ic_options 24 {0 enum ic_kind kind; 8 ic_call *call; "
        "16 bool (*progress)(void *, unsigned long long);}",
        "struct ic_answer 64 {0 const char *const *names; 8 const char *text; "
        "16 enum ic_state state; 24 const struct ic_part *parts; 32 char message[8]; "
        "40 int64_t at.number; 48 const char *at.word; 56 bool last;}",
        "enum ic_kind 4 {IC_KIND_A=0 IC_KIND_B=1}",
        "enum ic_state 4 {IC_STATE_GOOD=0 IC_STATE_BAD=1}",
        "type ic_call bool (void *, struct ic_part)",
        "function ic_file_open INLINECALL_0.1 struct ic_file * "
        "(const char *, const struct ic_options *)",
        "function ic_file_ask INLINECALL_0.1 void (struct ic_file *, uint64_t, struct ic_answer *)",
        "function ic_file_size INLINECALL_0.1 size_t (const struct ic_file *)",
        "function ic_file_visit INLINECALL_0.1 void "
        "(struct ic_file *, bool (*)(void *, enum ic_kind), void *)",
        "function ic_version INLINECALL_0.1 const char * ()",
    ]
    assert check(BEFORE, BEFORE) == []
    source = check_abi.program(headers, ["part.h"])
    assert "sizeof(struct ic_part), offsetof(struct ic_part, line)" in source
    assert "#include <inlinecall/part.h>" in source


@pytest.mark.parametrize("text", ["struct ic_a { unsigned flag : 1; };",
                                  "struct ic_a { union { int a; float b; }; };",
                                  "struct ic_a { struct { int a; }; };",
                                  "IC_API void ic_a(int);",
                                  "static inline int ic_a(void) { return 1; }", "int ic_a;",
                                  "typedef struct ic_a ic_a;", "struct ic_a { int a; }"])
def test_what_is_not_known_is_no_header(text):
    with pytest.raises(reader.Unreadable):
        reader.read([text])


@pytest.mark.parametrize("kind, passed", [("int", True), ("struct ic_a", True),
                                          ("const char *", True), ("char *", False),
                                          ("char **", False),
                                          ("const char **", False), ("const char *const *", True)])
def test_what_a_parameter_brings_is_known(kind, passed):
    assert reader.is_passed_in(kind) == passed


ASK = "function ic_file_ask: it needs a new name, since it "
OPEN = "function ic_file_open: it needs a new name, since it "


@pytest.mark.parametrize("old, new, findings", [
    # A struct that is filled in, even if it stays as large; one reached through another.
    ("bool last;", "bool last, more;", [ASK + "reaches struct ic_answer, which has changed"]),
    ("message[8]", "message[4]", [ASK + "reaches struct ic_answer, which has changed"]),
    ("uint32_t line, column;", "uint32_t line, column, tag;",
     [OPEN + "reaches struct ic_part, which has changed",
      ASK + "reaches struct ic_part, which has changed"]),
    # One that is passed in.
    ("	ic_call *call;", "	ic_call *call, *other;",
     [OPEN + "reaches struct ic_options, which has changed"]),
    ("unsigned long long done)", "unsigned done)",
     [OPEN + "reaches struct ic_options, which has changed"]),
    ("ic_call(void *context", "ic_call(const void *context",
     [OPEN + "reaches type ic_call, which has changed"]),
    # Values of enums: new ones may be given, but not taken.
    ("IC_KIND_B = 7,", "IC_KIND_B, IC_KIND_C",
     [OPEN + "takes enum ic_kind, which has more values"]),
    ("IC_STATE_BAD", "IC_STATE_BAD, IC_STATE_NONE", []),
    ("IC_STATE_GOOD,", "IC_STATE_NONE, IC_STATE_GOOD,",
     ["enum ic_state: IC_STATE_BAD=1 is what programs were compiled with",
      "enum ic_state: IC_STATE_GOOD=0 is what programs were compiled with"]),
    # Functions.
    ("uint64_t addr", "uint32_t addr",
     [ASK + "was", "function ic_file_ask: it belongs into the node INLINECALL_0.2"]),
    ("size_t ic_file_size(const struct ic_file *file);", "size_t ic_file_new(void);", []),
    ("struct ic_file;", "struct ic_new { int a; };", []),
])
def test_what_programs_were_compiled_with_stays(old, new, findings):
    assert check(BEFORE, changed(old, new)) == findings


def test_what_has_a_new_name_may_change():
    more = changed("bool last;", "bool last, more;")
    assert check(BEFORE, renamed(more, "ic_file_ask")) == []
    more = more.replace("IC_KIND_B = 7", "IC_KIND_B = 7, IC_KIND_C")
    assert check(BEFORE, renamed(more, "ic_file_ask", "ic_file_open")) == []


def test_what_goes_away_is_found():
    found = check(BEFORE, changed("enum ic_state state;", "int state;").replace(
        "enum ic_state { IC_STATE_GOOD, IC_STATE_BAD };", ""))
    assert "enum ic_state: it is in no header any more" in found


def test_symbols_neither_vanish_nor_move():
    nodes = nodes_of(BEFORE)
    less = {symbol: node for symbol, node in nodes.items() if symbol != "ic_version"}
    gone = changed("IC_API const char *ic_version(void);", "")
    assert check(BEFORE, gone, nodes) == []
    lost = "function ic_version: the library must export ic_version@@INLINECALL_0.1, and has None"
    assert check(BEFORE, gone, less) == [lost]
    moved = check(BEFORE, BEFORE, {**nodes, "ic_version": "INLINECALL_0.2"})
    assert moved[0] == "function ic_version: it needs a new name, since it was"
    after = BEFORE + "IC_API void ic_new(void);"
    late = check(BEFORE, after, nodes_of(after))
    assert late == ["function ic_new: it belongs into the node INLINECALL_0.2"]
    more = check(BEFORE, BEFORE, {**nodes, "ic_secret": "INLINECALL_0.1"})
    assert more == ["function ic_secret: the library exports it, and no header declares it"]


def test_what_was_not_released_may_change_with_its_table():
    more = changed("bool last;", "bool last, more;")
    assert check(BEFORE, more, is_released=False) == ["struct ic_answer: changed"]


def test_a_table_has_what_its_version_added(tmp_path):
    _, table = lines_of(BEFORE, nodes_of(BEFORE))
    after = renamed(changed("bool last;", "bool last, more;"), "ic_file_ask")
    _, now = lines_of(after, nodes_of(after, "INLINECALL_0.2") | nodes_of(BEFORE))
    check_abi.write(tmp_path / "abi_0_1.def", check_abi.added([], (0, 1), table))
    tables = check_abi.read_tables(tmp_path)
    assert tables == [((0, 1), table)]
    check_abi.write(tmp_path / "abi_0_2.def", check_abi.added(tables, (0, 2), now))
    added = check_abi.read_tables(tmp_path)[1]
    assert added[0] == (0, 2)
    assert list(added[1]) == ["struct ic_answer", "function ic_file_ask_0_2"]


@pytest.mark.parametrize("heading, is_released", [("## Unreleased", False), ("## 0.10", False),
                                                  ("## 0.1", True), ("## 0.1.0, 2026", True)])
def test_the_changes_tell_what_is_released(tmp_path, heading, is_released):
    (tmp_path / "include/inlinecall").mkdir(parents=True)
    (tmp_path / "include/inlinecall/version.h").write_text(
        "#define IC_VERSION_MAJOR 0\n#define IC_VERSION_MINOR 1\n")
    (tmp_path / "CHANGELOG.md").write_text(f"# Changes\n\n{heading}\n")
    assert check_abi.version_of(tmp_path) == ((0, 1), is_released)
