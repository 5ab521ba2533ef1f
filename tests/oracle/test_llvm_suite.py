"""LLVM's own tests of llvm-symbolizer and llvm-addr2line, with inlinecall in their place."""

import os

import pytest

import llvm_suite
import source_packages

pytestmark = pytest.mark.long
ROOT = llvm_suite.ROOT


@pytest.mark.parametrize("version", llvm_suite.versions())
def test_those_of_a_version(version, tmp_path):
    try:
        names = llvm_suite.tests_of(llvm_suite.fetch(version))
    except source_packages.NotThere as why:
        pytest.skip(str(why))
    program = os.path.abspath(os.environ.get("INLINECALL", ROOT / "build/cli/inlinecall"))
    results = llvm_suite.run_all(version, program, names, tmp_path / "ours")
    listed = {result.name for result in results
              if llvm_suite.exception_of(version, result.name)}
    failed = {result.name for result in results if result.outcome == "fail"}
    # What fails here with LLVM's own programs as well says nothing of ours.
    real = llvm_suite.run_all(version, None, sorted(failed - listed), tmp_path / "theirs")
    wrong = {result.name for result in real if result.outcome == "pass"}
    assert len(names) > 100 and sum(result.outcome == "pass" for result in results) > 50
    assert not wrong, f"fail: {sorted(wrong)}"
    passed = {result.name for result in results if result.outcome == "pass"}
    assert not passed & listed, f"pass, but are listed: {sorted(passed & listed)}"
