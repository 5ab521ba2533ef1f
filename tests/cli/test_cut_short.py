"""A file that becomes shorter while it is mapped: whoever reads it then gets SIGBUS."""

import os
import shutil
import subprocess

import pytest


@pytest.mark.parametrize("name, arguments, status", [
    ("inlinecall", ("addr",), 2), ("addr2line", ("-fie",), 1),
    ("llvm-symbolizer", ("--obj",), 1)])
def test_a_file_that_is_cut_short_ends_the_program_with_a_message(program, elf, tmp_path, name,
                                                                  arguments, status):
    (tmp_path / name).symlink_to(program)
    copy = shutil.copy(elf("c"), tmp_path / "copy")
    command = [tmp_path / name, *arguments, copy]
    if name == "llvm-symbolizer":
        command = [tmp_path / name, f"--obj={copy}"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                          stderr=subprocess.PIPE, bufsize=0) as process:
        process.stdin.write(b"0x1000\n")
        assert os.read(process.stdout.fileno(), 65536)
        os.truncate(copy, 64)
        addresses = subprocess.run(["nm", elf("c")], capture_output=True, check=True).stdout
        process.stdin.write(b"".join(b"0x" + line.split()[0] + b"\n"
                                     for line in addresses.splitlines() if b" T " in line.upper()))
        _, messages = process.communicate(timeout=20)
        assert process.returncode == status
    assert messages.decode().endswith("inlinecall: a file was truncated while it was being read; "
                                      "the output may be incomplete\n")
