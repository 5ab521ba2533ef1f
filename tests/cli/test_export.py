"""inlinecall export: everything as tables, into SQLite and CSV, and as JSON lines."""

import csv
import json
import os
import random
import signal
import sqlite3
import subprocess
import time

import pytest

import building
from export_rows import SITES, TABLES, Export, as_texts, from_sqlite, printed_sites

FILES = ("c", "clang", "c++", "templates", "lto", "split", "tail-call", "object", "sections", "m32",
         "parts", "partitions", "nothing-inlined")


# Text in JSON, numbers in a database.
ADDRESSES = ("address", "die", "entry", "known_from", "position", "return_address", "start")


@pytest.fixture(name="export")
def fixture_export(run, tmp_path):
    """Exports into a database, and returns its tables."""

    def export(*args, status=0, database="all.db"):
        path = tmp_path / database
        result = run("export", f"--sqlite={path}", *args)
        assert (result.status, result.out) == (status, "")
        return from_sqlite(path)

    return export


@pytest.mark.parametrize("name", FILES)
def test_the_rows_are_those_of_sites(run, export, tmp_path, name):
    path = building.build(name, tmp_path)
    tables = export(path)
    printed = run(*SITES, path)
    assert printed.err == ""
    expected = as_texts(printed_sites(printed.out))
    assert expected
    named = [site for site in Export(tables).sites() if site["function"]]
    assert as_texts(named) == expected


def read_csv(path):
    """Numbers as numbers, and NULL, an empty cell without quotes, as None."""
    with open(path, newline="") as lines:
        for row in csv.DictReader(lines):
            yield {key: None if value == "" else int(value) if value.lstrip("-").isdigit()
                   else {"true": 1, "false": 0}.get(value, value) for key, value in row.items()}


@pytest.mark.parametrize("name", ("c++", "object", "clang"))
def test_csv_has_the_rows_of_the_database(run, export, tmp_path, name):
    path = building.build(name, tmp_path)
    tables = export(path, "--package=libc++ 1")
    result = run("export", f"--csv-dir={tmp_path / 'csv'}", "--package=libc++ 1", path)
    assert result == (0, "", "")
    for table in (*TABLES, "paths"):
        rows = list(read_csv(tmp_path / "csv" / f"{table}.csv"))
        texts = [{key: None if value in (None, "") else value if not str(value).isdigit()
                  else int(value) for key, value in row.items()} for row in tables[table]]
        assert as_texts(rows) == as_texts(texts)


@pytest.mark.parametrize("name", ("c++", "object"))
def test_json_lines_have_the_rows_of_the_database(run, export, tmp_path, name):
    path = building.build(name, tmp_path)
    tables = export(path)
    rows = [json.loads(line) for line in run("export", path).out.splitlines()]
    for table in TABLES:
        of_table = [row for row in rows if row.get("type") == table[:-1]]
        assert all(row["file"] == str(path) for row in of_table)
        expected = [{key: value for key, value in row.items()
                     if key not in ("file", "id" if table == "files" else "", "tables",
                                    "exported_by")} for row in tables[table]]
        for row in of_table:
            del row["type"], row["file"]
            for key, value in row.items():
                if isinstance(value, bool):
                    row[key] = int(value)
                elif key in ADDRESSES and value is not None:
                    number = int(value, 16)
                    row[key] = number - 2**64 if number >= 2**63 else number
        assert as_texts(of_table) == as_texts(expected)


def test_a_file_is_exported_once(run, export, tmp_path):
    first = building.build("clang", tmp_path)
    copy = tmp_path / "copy"
    copy.write_bytes(first.read_bytes())
    before = export(first, "--package=one")
    after = export(first, copy, "--package=two")
    assert [row["id"] for row in after["files"]] == [row["id"] for row in before["files"]]
    assert {(row["path"], row["package"]) for row in after["paths"]} == {
        (str(first), "one"), (str(first), "two"), (str(copy), "two")}
    del before["paths"], after["paths"]
    assert after == before
    database = sqlite3.connect(tmp_path / "all.db")
    database.execute("UPDATE functions SET name = 'changed'")
    database.commit()
    database.close()
    assert {row["name"] for row in export(first)["functions"]} == {"changed"}
    replaced = export(first, "--replace")
    del replaced["paths"]
    assert replaced == before


def test_other_tables_replace_a_file(export, tmp_path):
    path = building.build("c", tmp_path)
    some = export(path, "--tables=functions,instances")
    assert {table for table in TABLES if some[table]} == {"files", "functions", "instances"}
    assert {row["arguments"] for row in some["instances"]} == {None}
    assert some["files"][0]["tables"] == "files,functions,instances"
    everything = export(path)
    assert len(everything["files"]) == 1 and everything["arguments"]


def test_tables_are_not_lost_without_a_word(run, export, tmp_path):
    path = building.build("c", tmp_path)
    whole = export(path)
    assert whole["arguments"]
    assert export("--tables=units,functions", path) == whole
    some = export("--tables=units,functions", path, database="some.db")
    result = run("export", f"--sqlite={tmp_path / 'some.db'}", "--tables=ranges", path)
    assert result.status == 2 and "with other tables (files,units,functions); --replace exports it again" in result.err
    assert from_sqlite(tmp_path / "some.db") == some
    assert export(path, database="some.db")["arguments"] == whole["arguments"]
    assert export("--replace", "--tables=ranges", path)["arguments"] == []


@pytest.mark.parametrize("form", [(), ("--format=gsym",), ("--format=breakpad",)])
def test_a_file_with_less_does_not_keep_the_whole_one_out(run, export, tmp_path, form):
    path, less = building.build("c", tmp_path), tmp_path / "less"
    assert run("emit", *form, "-O", less, path).status == 0
    few = export(less)
    assert few["instances"] and not few["arguments"] == export(path)["arguments"]
    whole = export(less)  # which adds its path
    assert whole["arguments"] == export(path, database="other.db")["arguments"] != few["arguments"]


def test_files_without_build_id_are_told_apart(export, tmp_path):
    one, other = building.build("object", tmp_path), building.build("sections", tmp_path)
    tables = export(one, other)
    assert len({row["id"] for row in tables["files"]}) == 2
    assert {row["build_id"] for row in tables["files"]} == {None}


def test_problems_are_exported_and_reported_again(run, export, tmp_path):
    path = building.build("c", tmp_path)
    section = building.section_bytes(path, ".debug_info", tmp_path)
    section[-40:] = b"\xff" * 40
    (tmp_path / "info").write_bytes(section)
    building.command("objcopy", "--update-section", f".debug_info={tmp_path / 'info'}", path)
    tables = export(path, status=2)
    count = len([row for row in tables["problems"] if not row["note"]])
    assert count > 0
    again = run("export", f"--sqlite={tmp_path / 'all.db'}", path)
    assert again.status == 2 and f"incomplete: problems: {count}" in again.err


def test_names_that_are_not_utf8_are_replaced(export, tmp_path):
    (tmp_path / "a.c").write_bytes(b"static inline __attribute__((always_inline)) int add(int x)\n"
                                   b"{ return x + 1; }\nint main(int c, char **v)\n"
                                   b"{ (void)v; return add(c); }\n")
    path = tmp_path / "named"
    building.command("gcc", "-g", "-O2", tmp_path / "a.c", "-o", path)
    path.write_bytes(path.read_bytes().replace(b"add\0", b"a\xffd\0"))
    assert "a\ufffdd" in {row["name"] for row in export(path)["functions"]}


def test_directories_and_archives(run, export, tmp_path):
    folder = tmp_path / "folder"
    folder.mkdir()
    one, other = building.build("object", folder), building.build("sections", tmp_path)
    building.command("ar", "rc", folder / "lib.a", other)
    paths = {row["path"] for row in export(folder)["paths"]}
    assert paths == {str(one), f"{folder}/lib.a(sections)"}


def test_refusals(run, tmp_path):
    path = building.build("object", tmp_path)
    other = tmp_path / "other.db"
    database = sqlite3.connect(other)
    database.execute("CREATE TABLE mine (x)")
    database.commit()
    database.close()
    result = run("export", f"--sqlite={other}", path)
    assert result.status == 2 and "a database of another program" in result.err
    assert run("export", f"--sqlite={tmp_path}/no/such", path).status == 2
    assert run("export", f"--csv-dir={path}", path).status == 2
    assert run("export", "--tables=colours", path).status == 64
    assert run("export", "--package=a", path).status == 64
    assert run("export", "--replace", path).status == 64
    assert run("export", "--replace", f"--csv-dir={tmp_path}/csv", path).status == 64
    assert run("export", "--sqlite=a", "--csv-dir=b", path).status == 64
    assert run("export", "--sqlite=a", "--json", path).status == 64
    assert run("export").status == 64
    missing = run("export", f"--sqlite={tmp_path}/new.db", tmp_path / "missing", path)
    assert missing.status == 2 and len(from_sqlite(tmp_path / "new.db")["files"]) == 1


def everything_of(path):
    """All rows of a database, in one order."""
    return {table: as_texts(rows) for table, rows in from_sqlite(path).items()}


@pytest.fixture(name="many", scope="session")
def fixture_many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("many")
    for name in FILES:
        if name != "split": # whose .dwo file has no debug information of its own
            building.build(name, folder)
    return folder


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[] if seed < 5 else pytest.mark.long)
                                  for seed in range(50)])
def test_killed_exports_can_be_continued(program, many, tmp_path, seed):
    """Two processes export the same files at the same time, and are killed at some moment."""
    whole, database = tmp_path / "whole.db", tmp_path / "killed.db"
    subprocess.run([program, "export", f"--sqlite={whole}", many], check=True)
    words = [program, "export", f"--sqlite={database}", many]
    moment = random.Random(seed).uniform(0, 0.12)
    processes = [subprocess.Popen(words) for _ in range(2)]
    time.sleep(moment)
    for process in processes:
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(words, check=True)
    assert everything_of(database) == everything_of(whole)


def test_several_processes_share_a_database(program, many, tmp_path):
    words = [program, "export", f"--sqlite={tmp_path / 'shared.db'}", many]
    processes = [subprocess.Popen(words) for _ in range(4)]
    assert [process.wait(60) for process in processes] == [0] * 4
    subprocess.run([program, "export", f"--sqlite={tmp_path / 'whole.db'}", many], check=True)
    assert everything_of(tmp_path / "shared.db") == everything_of(tmp_path / "whole.db")


@pytest.mark.skipif(os.geteuid() != 0, reason="mounts a small file system")
def test_csv_files_are_not_replaced_by_none(run, tmp_path):
    path = building.build("c", tmp_path)
    assert run("export", f"--csv-dir={tmp_path}/csv", path).status == 0
    before = {file.name: file.read_bytes() for file in (tmp_path / "csv").iterdir()}
    assert run("export", f"--csv-dir={tmp_path}/csv", tmp_path / "missing").status == 2
    assert {file.name: file.read_bytes() for file in (tmp_path / "csv").iterdir()} == before


def test_a_wait_for_other_writers_is_said(program, run, tmp_path):
    path = building.build("c", tmp_path)
    run("export", f"--sqlite={tmp_path}/a.db", path)
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with subprocess.Popen([program, "export", "--replace", f"--sqlite={tmp_path}/a.db", path], stderr=subprocess.PIPE,
                          text=True) as process:
        assert "waiting for another process that writes to it" in process.stderr.readline()
        other.execute("COMMIT")
        assert process.wait(20) == 0


def test_a_full_disk_costs_what_is_not_there_yet(run, many, tmp_path):
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=400k", "tmpfs", disk],
                             check=False, capture_output=True)
    if mounted.returncode:
        pytest.skip("cannot mount")
    try:
        full = run("export", f"--sqlite={disk / 'all.db'}", many)
        assert full.status == 2 and "full" in full.err
        building.command("mount", "-o", "remount,size=40m", disk)
        assert run("export", f"--sqlite={disk / 'all.db'}", many) == (0, "", "")
        run("export", f"--sqlite={tmp_path / 'whole.db'}", many)
        assert everything_of(disk / "all.db") == everything_of(tmp_path / "whole.db")
    finally:
        building.command("umount", disk)
