"""How `inlinecall backtrace -v` writes values, beside gdb: enumerators, flags, characters, floating-point
numbers and wide integers. Without optimisation all of them are known."""

import os
import shutil
import subprocess

import pytest

import backtraces

DRIVERS = {"kinds.c": {"gcc": "gcc", "clang": "clang"},
           "scoped.cpp": {"gcc": "g++", "clang": "clang++"}}


@pytest.mark.parametrize("compiler", ("gcc", "clang"))
@pytest.mark.parametrize("flags", ((), ("-gdwarf-4",), ("-fdebug-types-section",), ("-m32",)), ids=str)
@pytest.mark.parametrize("source, count", (("kinds.c", 59), ("scoped.cpp", 10)))
def test_values_are_written_as_by_gdb(compiler, flags, source, count, tmp_path, inlinecall):
    driver = DRIVERS[source][compiler]
    for tool in (driver, "gdb"):
        if not shutil.which(tool):
            pytest.skip(f"no {tool}")
    program = tmp_path / "values"
    made = subprocess.run([driver, "-g", "-O0", "-w", *flags, backtraces.SOURCES / source, "-o",
                           program], capture_output=True, text=True, check=False)
    if made.returncode:
        pytest.skip(made.stderr.splitlines()[-1])
    try:
        core = backtraces.make_core([program], tmp_path)
    except backtraces.NoCore as reason:
        pytest.skip(str(reason))
    theirs = backtraces.printed_by_gdb("gdb_values.py", program, core)
    rows, status, messages = backtraces.ours("-v", "--core", core)
    assert (status, messages) == (0, "")
    ours = {frame["function"].split("::")[-1]:
            {argument["name"]: argument["value"] for argument in frame["arguments"]}
            for frame in list(rows.values())[0]["frames"]
            if os.path.basename(frame["file"] or "") == source and frame["function"] != "main"}
    assert sum(map(len, ours.values())) == count
    assert ours == {name: theirs[name] for name in ours}
