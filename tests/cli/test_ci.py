"""docs/ci.md: its rules and its commands, as far as they can be run without the services."""

import re
import xml.etree.ElementTree

import pytest

import building

TEXT = (building.HERE.parents[1] / "docs/ci.md").read_text()
SOURCE = """
#include <stdlib.h>
#include <signal.h>
volatile int sink;
__attribute__((noinline)) void device_reset(int x) { sink = x; }
static inline __attribute__((always_inline)) int checksum(int x) { return x * 31 + sink; }
static inline __attribute__((always_inline)) void ring_put(int x) { sink = checksum(x); }
void on_signal(int x) { sink = x; }
int main(int argc, char **argv) { signal(2, on_signal); ring_put(argc); if (sink) device_reset(argc); return checksum(3); }
"""


@pytest.fixture(name="folder")
def fixture_folder(tmp_path):
    (tmp_path / "prog.c").write_text(SOURCE)
    (tmp_path / "inlining.rules").write_text(next(block for block in re.findall(r"```\n(.*?)```", TEXT, re.DOTALL)))
    (tmp_path / "base").mkdir()
    for path in ("prog", "base/prog"):
        building.command("gcc", "-O2", "-g", "prog.c", "-o", path, cwd=tmp_path)
    return tmp_path


def shell(program, line, folder, plain_environment):
    return building.subprocess.run(["sh", "-c", line], cwd=folder, capture_output=True, text=True, check=False,
                                   env={**plain_environment, "GITHUB_STEP_SUMMARY": str(folder / "summary"),
                                        "PATH": f"{building.Path(program).parent}:{plain_environment['PATH']}"})


def test_each_command_runs(program, plain_environment, folder):
    lines = re.findall(r"(?:- run: |^    - |^\t)(inlinecall .*)$", TEXT, re.MULTILINE)
    assert len(lines) == 4
    for line in lines:
        result = shell(program, line, folder, plain_environment)
        assert (result.returncode, result.stderr) == (0, ""), (line, result)
    assert (folder / "summary").read_text().startswith("**Changed:** 0 functions")
    assert xml.etree.ElementTree.parse(folder / "inlining.xml").getroot()[0].get("tests") == "4"


def test_the_makefile_fails_if_a_rule_is_broken(program, plain_environment, folder):
    building.need("make")
    (folder / "Makefile").write_text(re.search(r"```make\n(.*?)```", TEXT, re.DOTALL)[1])
    assert shell(program, "make check-inlining", folder, plain_environment).returncode == 0
    with open(folder / "inlining.rules", "a", encoding="utf-8") as rules:
        rules.write("never inline ring_put\n")
    result = shell(program, "make check-inlining", folder, plain_environment)
    assert result.returncode == 2 and "never inline ring_put: broken" in result.stdout


def test_the_snippets_are_yaml():
    yaml = pytest.importorskip("yaml")
    documents = [yaml.safe_load(text) for text in re.findall(r"```yaml\n(.*?)```", TEXT, re.DOTALL)]
    assert len(documents) == 3 and documents[2]["inlining"]["artifacts"]["reports"] == {"junit": "inlining.xml"}
