"""Each rule of check_layers.py fires on a tree that breaks it, and on nothing else."""

import pathlib
import subprocess
import sys

import pytest

CHECK = pathlib.Path(__file__).with_name("check_layers.py")

SOUND = {
    "lib/base/cursor.h": "#include <stdint.h>\n",
    "lib/base/cursor.c": '#include "base/cursor.h"\n#include "inlinecall/error.h"\n',
    "lib/base/demangle.c": "#include <libiberty/demangle.h>\n",
    "lib/elf/image.h": '#include <inlinecall/image.h>\n#include "base/cursor.h"\n',
    "lib/elf/image.c": '#include <gelf.h>\n#include <libdeflate.h>\n#include "elf/image.h"\n',
    "lib/dwarf/form.c": '#include "dwarf/forms.def"\n#include "base/cursor.h"\n',
    "lib/dwarf/forms.def": "FORM(addr)\n",
    "lib/report/words.c": "#include <stdint.h>\n",
    "include/inlinecall/image.h": "#include <inlinecall/error.h>\n",
    "cli/main.c": '#include <inlinecall/inlinecall.h>\n#include "cli.h"\n',
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
    files = {"lib/base/a.c": "\n" * 600, "lib/base/b.c": function(80)}
    assert check(tmp_path, files)[0] == 0


@pytest.mark.parametrize("name, text, finding", [
    ("lib/dwarf/unit.c", '\n#include "elf/image.h"\n',
     "lib/dwarf/unit.c:2: includes elf/image.h, dwarf/ may include from base\n"),
    ("lib/base/text.c", '#include "model/index.h"\n',
     "lib/base/text.c:1: includes model/index.h, base/ may include from no other folder\n"),
    ("lib/base/text.c", '# include "text.h"\n', 'includes are written from lib/ on: "base/text.h"'),
    ("lib/base/text.c", "char *s = strerror(1); // strerror(2)\n",
     "lib/base/text.c:1: calls strerror(), base/error.h has ic_error_text()\n"),
    ("lib/odd/text.c", "", "lib/odd/text.c:1: is in no layer"),
    ("lib/text.c", "", "lib/text.c:1: is in no layer"),
    ("cli/cmd_at.c", '#include "query/frames.h"\n', "cli/ sees its own folder"),
    ("include/inlinecall/index.h", '#include "model/index.h"\n', "public headers include"),
    ("lib/scan/scan.c", "#include <elf.h>\n", "libelf is reached from lib/elf/ only"),
    ("cli/cmd_at.c", "#include <libelf.h>\n", "libelf is reached from lib/elf/ only"),
    ("lib/dwarf/unit.c", "#include <zstd.h>\n", "decompressed in lib/elf/ only"),
    ("lib/unwind/target.c", "#include <lz4frame.h>\n", "decompressed in lib/elf/ only"),
    ("lib/report/text.c", "#include <demangle.h>\n", "from lib/base/demangle.c only"),
    ("lib/elf/cursor.c", "", "lib/elf/cursor.c:1: shares its name with lib/base/cursor.c, "),
    ("lib/base/long.c", "\n" * 601, "lib/base/long.c:600: the file has 601 lines, "),
    ("tests/unit/test_long.c", function(81), "test_long.c:2: the function has 81 lines, "),
])
def test_a_broken_rule_is_found(tmp_path, name, text, finding):
    status, output = check(tmp_path, SOUND | {name: text})
    assert finding in output
    assert status == 1 and output.endswith(" 1 findings\n")


@pytest.mark.parametrize("files", [
    {"lib/base/a.h": '#include "base/b.h"\n', "lib/base/b.h": '#include "base/a.h"\n'},
    {"lib/base/a.h": "", "lib/base/a.c": '#include "base/b.h"\n',
     "lib/base/b.h": "", "lib/base/b.c": '#include "base/a.h"\n'},
])
def test_a_circle_is_found_once(tmp_path, files):
    status, output = check(tmp_path, SOUND | files)
    assert "closes a circle: base/a -> base/b -> base/a, " in output
    assert status == 1 and output.endswith(" 1 findings\n")


def test_a_circle_of_the_program_is_found(tmp_path):
    files = {"cli/a.h": '#include "b.h"\n', "cli/b.h": "", "cli/b.c": '#include "a.h"\n'}
    status, output = check(tmp_path, SOUND | files)
    assert "closes a circle: a -> b -> a, " in output
    assert status == 1
