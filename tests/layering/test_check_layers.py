"""Each rule of check_layers.py fires on a tree that breaks it, and on nothing else."""

import pathlib
import subprocess
import sys

import pytest

CHECK = pathlib.Path(__file__).with_name("check_layers.py")

SOUND = {
    "lib/base/README.md": "# base\n\nUses: nothing.\n",
    "lib/base/cursor.h": "#include <stdint.h>\n",
    "lib/base/cursor.c": '#include "base/cursor.h"\n#include "inlinecall/error.h"\n'
                         "int ic_cursor_read(void)\n{\n}\n",
    "lib/text/README.md": "Uses: nothing.\n",
    "lib/text/demangle.c": "#include <libiberty/demangle.h>\n",
    "lib/elf/image/README.md": "Uses: base.\n",
    "lib/elf/image/image.h": '#include <inlinecall/image.h>\n#include "base/cursor.h"\n',
    "lib/elf/image/image.c": '#include <gelf.h>\n#include <libdeflate.h>\n#include "elf/image/image.h"\n'
                             "void ic_image_open(void)\n{\n\tic_cursor_read();\n}\n",
    "lib/dwarf/units/README.md": "Uses: base.\n",
    "lib/dwarf/units/form.c": '#include "dwarf/units/forms.def"\n#include "base/cursor.h"\n'
                              "// ic_image_open() is called by others.\n",
    "lib/dwarf/units/forms.def": "FORM(addr)\n",
    "include/inlinecall/image.h": "#include <inlinecall/error.h>\n",
    "cli/README.md": "Uses: base.\n",
    "cli/main.c": '#include <inlinecall/inlinecall.h>\n#include "base/cli.h"\n',
    "cli/base/README.md": "Uses: nothing.\n",
    "cli/base/cli.h": "",
}


def check(root, files):
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    run = subprocess.run([sys.executable, CHECK, root], capture_output=True, text=True)
    assert not run.stderr
    return run.returncode, run.stdout


def function(lines):
    return "int f(void)\n{\n" + "\t;\n" * (lines - 2) + "}\n"


def test_a_sound_tree_has_no_findings(tmp_path):
    assert check(tmp_path, SOUND) == (0, "10 files, 0 findings\n")


def test_the_limits_themselves_are_allowed(tmp_path):
    files = {"lib/base/wide.h": "struct wide {\n" + "\tint a, b[2];\n" * 12 + "};\n"
                                "void f(int a, int b, int c, int d, int (*e)(int, int), int g);\n",
             "lib/base/w_row.h": "struct ic_w_row {\n" + "\tint a;\n" * 30 + "};\n",
             "lib/base/a.c": "\n" * 600, "lib/base/b.c": function(60)}
    files |= {f"lib/text/{number}.c": "\n" * 140 for number in range(24)}
    assert check(tmp_path, SOUND | files)[0] == 0


@pytest.mark.parametrize("name, text, finding", [
    ("lib/dwarf/units/unit.c", '\n#include "elf/image/image.h"\n',
     "lib/dwarf/units/unit.c:2: includes elf/image/image.h, "
     "elf/image/ is not among what lib/dwarf/units/README.md names\n"),
    ("lib/dwarf/units/unit.c", "\nint a(void)\n{\n\treturn ic_image_open();\n}\n",
     "lib/dwarf/units/unit.c:4: calls ic_image_open(), "
     "elf/image/ is not among what lib/dwarf/units/README.md names\n"),
    ("lib/text/README.md", "\nUses: base.\n",
     "lib/text/README.md:2: names base, the room does not need it\n"),
    ("lib/text/text.c", '# include "text.h"\n', 'includes are written from lib/ on: "text/text.h"'),
    ("lib/text/text.c", "char *s = strerror(1); // strerror(2)\n",
     "lib/text/text.c:1: calls strerror(), base/error.h has ic_error_text()\n"),
    ("lib/odd/text.c", "", "lib/odd/README.md:1: does not say what the room uses"),
    ("cli/base/cmd_at.c", '#include "query/find/frames.h"\n', "cli/ sees its own rooms"),
    ("cli/base/cmd_at.c", '#include "cli.h"\n', 'includes are written from cli/ on: "base/cli.h"'),
    ("include/inlinecall/index.h", '#include "model/index.h"\n', "public headers include"),
    ("lib/text/scan.c", "#include <elf.h>\n", "libelf is reached from lib/elf/ only"),
    ("cli/base/cmd_at.c", "#include <libelf.h>\n", "libelf is reached from lib/elf/ only"),
    ("lib/dwarf/units/unit.c", "#include <zstd.h>\n", "decompressed in lib/elf/ only"),
    ("lib/text/target.c", "#include <lz4frame.h>\n", "decompressed in lib/elf/ only"),
    ("lib/text/text.c", "#include <demangle.h>\n", "from lib/text/demangle.c only"),
    ("lib/base/long.c", "\n" * 601, "lib/base/long.c:600: the file has 601 lines, "),
    ("lib/base/wide.c", "\nint f(int a, int b, int c, int d, int (*e)(int, int), int g, int h)\n{\n}\n",
     "lib/base/wide.c:2: f() has 7 parameters, at most 6 can be told apart\n"),
    ("lib/base/wide.h", "struct wide {\n" + "\tint a, b;\n" * 13 + "};\n",
     "lib/base/wide.h:1: struct wide has 26 members, at most 25 can be overlooked\n"),
    ("cli/base/cmd_at.c", "\nstatic int read_all(void);\n\nstatic struct a *look(int (*b)(void),\n\t\t\tint c)\n{\n}\n",
     "cli/base/cmd_at.c:4: defines look(), a static function has a verb and a noun\n"),
    ("tests/unit/test_long.c", function(61), "test_long.c:2: the function has 61 lines, "),
])
def test_a_broken_rule_is_found(tmp_path, name, text, finding):
    status, output = check(tmp_path, SOUND | {name: text})
    assert finding in output
    assert status == 1 and output.endswith(" 1 findings\n")


@pytest.mark.parametrize("files, finding", [
    ({f"lib/text/{number}.c": "" for number in range(25)}, "lib/text:1: the room has 26 files, "),
    ({f"lib/text/{number}.h": "\n" * 500 for number in range(7)}, "lib/text:1: the room has 3501 lines, "),
])
def test_a_room_that_is_too_large_is_found(tmp_path, files, finding):
    status, output = check(tmp_path, SOUND | files)
    assert finding in output
    assert status == 1 and output.endswith(" 1 findings\n")


CALLS = "int ic_a(void)\n{\n\treturn ic_b();\n}\n", "int ic_b(void)\n{\n\treturn ic_a();\n}\n"


@pytest.mark.parametrize("files", [
    {"lib/base/a.h": '#include "base/b.h"\n', "lib/base/b.h": '#include "base/a.h"\n'},
    {"lib/base/a.h": "", "lib/base/a.c": '#include "base/b.h"\n',
     "lib/base/b.h": "", "lib/base/b.c": '#include "base/a.h"\n'},
    {"lib/base/a.c": CALLS[0], "lib/base/b.c": CALLS[1]},
])
def test_a_circle_of_files_is_found_once(tmp_path, files):
    status, output = check(tmp_path, SOUND | files)
    assert "closes a circle: base/a -> base/b -> base/a, " in output
    assert status == 1 and output.endswith(" 1 findings\n")


def test_a_circle_of_rooms_is_found(tmp_path):
    files = {"lib/one/a.h": "", "lib/one/b.h": '#include "two/a.h"\n',
             "lib/two/a.h": "", "lib/two/b.h": '#include "one/a.h"\n',
             "lib/one/README.md": "Uses: two.\n", "lib/two/README.md": "Uses: one.\n"}
    status, output = check(tmp_path, SOUND | files)
    assert "closes a circle: one -> two -> one, rooms need each other in one direction" in output
    assert status == 1 and output.endswith(" 1 findings\n")


def test_a_circle_of_the_program_is_found(tmp_path):
    files = {"cli/base/a.h": '#include "base/b.h"\n', "cli/base/b.h": "",
             "cli/base/b.c": '#include "base/a.h"\n'}
    status, output = check(tmp_path, SOUND | files)
    assert "closes a circle: base/a -> base/b -> base/a, " in output
    assert status == 1
