"""inlinecall export --postgresql: the same rows as in SQLite, in a server that the tests start."""

import glob
import json
import os
import random
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path

import pytest

import building
from export_rows import TABLES, as_texts, from_sqlite

FILES = ("c", "clang", "c++", "lto", "object", "m32", "parts")


class Server:
    """A server for this test only, on a socket in a folder of its own."""

    def __init__(self, programs, folder):
        self.programs, self.folder = programs, folder
        self.connection = f"host={folder} user=postgres dbname=postgres"
        self.user = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"] if os.geteuid() == 0 else []
        if self.user:
            shutil.chown(folder, "postgres", "postgres")
        self.run("initdb", "-D", folder / "data", "-A", "trust", "-U", "postgres", "-N",
                 "--locale=C", "--encoding=UTF8")

    def run(self, program, *args):
        subprocess.run([*self.user, self.programs / program, *args], check=True, cwd="/",
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def start(self):
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-l", self.folder / "log", "-o",
                 f"-k {self.folder} -c listen_addresses= -c fsync=off", "start")

    def stop(self, mode="fast"):
        self.run("pg_ctl", "-D", self.folder / "data", "-w", "-m", mode, "stop")

    def query(self, text):
        result = subprocess.run([self.programs / "psql", "-qAtX", "-v", "ON_ERROR_STOP=1", "-c",
                                 text, self.connection], capture_output=True, text=True, check=False)
        assert result.returncode == 0, result.stderr
        return result.stdout.splitlines()

    def empty(self):
        self.query("DROP SCHEMA public CASCADE; CREATE SCHEMA public")

    def tables(self):
        """{table: [row as a dict, ...]}, as from_sqlite() has them."""
        rows = {}
        for table in (*TABLES, "paths"):
            rows[table] = [{key: int(value) if isinstance(value, bool) else value
                            for key, value in json.loads(line).items()}
                           for line in self.query(f"SELECT row_to_json({table}) FROM {table}")]
        return rows

    def contents(self):
        return {table: as_texts(rows) for table, rows in self.tables().items()}


@pytest.fixture(name="started", scope="session")
def fixture_started():
    found = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
    program = found[-1] if found else shutil.which("initdb")
    if not program:
        pytest.skip("no PostgreSQL server")
    folder = Path(tempfile.mkdtemp(prefix="ic-pg-", dir="/tmp")) # a socket's path must be short
    server = Server(Path(program).parent, folder)
    server.start()
    yield server
    server.stop("immediate")
    shutil.rmtree(folder)


@pytest.fixture(name="server")
def fixture_server(started):
    started.empty()
    return started


@pytest.fixture(name="many", scope="session")
def fixture_many(tmp_path_factory):
    folder = tmp_path_factory.mktemp("postgresql")
    for name in FILES:
        building.build(name, folder)
    return folder


@pytest.fixture(name="whole", scope="session")
def fixture_whole(program, many, tmp_path_factory):
    """The rows of the same files in SQLite."""
    path = tmp_path_factory.mktemp("whole") / "all.db"
    subprocess.run([program, "export", f"--sqlite={path}", many], check=True)
    return {table: as_texts(rows) for table, rows in from_sqlite(path).items()}


def test_the_rows_are_those_of_sqlite(run, server, many, whole):
    option = f"--postgresql={server.connection}"
    assert run("export", option, many) == (0, "", "")
    assert server.contents() == whole
    assert run("export", option, many) == (0, "", "")
    assert run("export", option, "--replace", many) == (0, "", "")
    assert server.contents() == whole


def test_what_a_file_has_is_known(run, server, many, tmp_path):
    option, less = f"--postgresql={server.connection}", tmp_path / "less"
    path = many / next(path.name for path in sorted(many.iterdir()) if path.suffix == "")
    assert run("emit", "-O", less, path).status == 0
    for file, arguments in (less, False), (path, True), (less, True):
        assert run("export", option, file) == (0, "", "")
        assert bool(server.contents()["arguments"]) == arguments
    whole = server.contents()
    assert run("export", option, "--tables=units", path) == (0, "", "")
    assert server.contents() == whole
    server.empty()
    assert run("export", option, "--tables=units", path) == (0, "", "")
    result = run("export", option, "--tables=ranges", path)
    assert result.status == 2 and "with other tables (files,units)" in result.err


def test_csv_can_be_copied(run, server, many, whole, tmp_path):
    """The CSV files are what COPY takes, into tables that an export of no file created."""
    empty = tmp_path / "empty.c"
    empty.write_text("int x;\n")
    building.command("gcc", "-g", "-c", empty, "-o", tmp_path / "empty.o")
    run("export", f"--postgresql={server.connection}", tmp_path / "empty.o")
    server.query("TRUNCATE " + ", ".join((*TABLES, "paths")))
    assert run("export", f"--csv-dir={tmp_path / 'csv'}", many) == (0, "", "")
    for table in (*TABLES, "paths"):
        server.query(f"\\copy {table} FROM '{tmp_path}/csv/{table}.csv' WITH (FORMAT csv, HEADER)")
    assert server.contents() == whole


def test_the_views_answer_like_those_of_sqlite(run, server, many, tmp_path):
    import sqlite3
    run("export", f"--postgresql={server.connection}", many)
    run("export", f"--sqlite={tmp_path}/all.db", many)
    database = sqlite3.connect(tmp_path / "all.db")
    database.row_factory = sqlite3.Row
    for view in ("inlined_copies", "call_sites", "function_totals"):
        expected = as_texts(dict(row) for row in database.execute(f"SELECT * FROM {view}"))
        found = as_texts({key: int(value) if isinstance(value, bool) else value
                          for key, value in json.loads(line).items()}
                         for line in server.query(f"SELECT row_to_json(v) FROM {view} v"))
        assert found == expected and found
    database.close()


@pytest.mark.parametrize("seed", [pytest.param(seed, marks=[] if seed < 3 else pytest.mark.long)
                                  for seed in range(50)])
def test_killed_exports_can_be_continued(program, server, many, whole, seed):
    words = [program, "export", f"--postgresql={server.connection}", many]
    processes = [subprocess.Popen(words) for _ in range(2)]
    time.sleep(random.Random(seed).uniform(0, 0.4))
    for process in processes:
        process.send_signal(signal.SIGKILL)
        process.wait()
    subprocess.run(words, check=True)
    assert server.contents() == whole


def test_a_restart_of_the_server_costs_what_is_not_there_yet(program, server, many, whole):
    words = [program, "export", f"--postgresql={server.connection}", "--replace", *[many] * 20]
    process = subprocess.Popen(words, stderr=subprocess.PIPE, text=True)
    time.sleep(0.5)
    server.stop("immediate")
    _, messages = process.communicate(timeout=60)
    assert process.returncode == 2 and "PostgreSQL: " in messages
    refused = subprocess.run(words, capture_output=True, text=True, check=False)
    assert refused.returncode == 2 and "PostgreSQL: " in refused.stderr
    server.start()
    subprocess.run(words[:-20] + [many], check=True)
    assert server.contents() == whole


def test_tables_of_another_version_are_refused(run, server, many):
    run("export", f"--postgresql={server.connection}", many / "object")
    server.query("UPDATE inlinecall SET version = 99")
    result = run("export", f"--postgresql={server.connection}", many)
    assert result.status == 2 and "have version 99, not 1" in result.err
