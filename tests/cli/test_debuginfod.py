"""Debug files from servers: --debuginfod, against servers of our own on this machine."""

import contextlib
import http.server
import os
import re
import shutil
import socket
import subprocess
import threading
import time
import urllib.error
import urllib.request

import pytest

import building
import recordings
from test_streams import on_a_terminal

ID = "0123456789abcdef"


@pytest.fixture(scope="module", autouse=True)
def built(run, tmp_path_factory):
    if "without debuginfod" in run("--help").out:
        pytest.skip("inlinecall was built without debuginfod")
    cache = str(tmp_path_factory.mktemp("cache"))
    if "there is no lib" in run("--debuginfod", "x", "/bin/sh", DEBUGINFOD_URLS="file:///gone",
                                DEBUGINFOD_CACHE_PATH=cache).err:
        pytest.skip("no libdebuginfod to be loaded")


def free_port():
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@pytest.fixture
def stripped(elf, tmp_path):
    """(a stripped program with a build-id, its debug file in a directory for a server)"""
    program, debug = tmp_path / "program", tmp_path / "store" / "program.debug"
    debug.parent.mkdir()
    building.command("objcopy", "--only-keep-debug", elf("server"), debug)
    building.command("objcopy", "--strip-all", elf("server"), program)
    return program, debug


@pytest.fixture
def ask(run, tmp_path):
    """Runs inlinecall with servers, and with a home and a cache of its own."""

    def run_program(*args, urls="", **environment):
        return run(*args, HOME=str(tmp_path / "home"), DEBUGINFOD_URLS=urls,
                   DEBUGINFOD_CACHE_PATH=str(tmp_path / "cache"), **environment)

    return run_program


def answers(url):
    """Whether the server has the debug file by now; it looks through its directory first."""
    try:
        with urllib.request.urlopen(f"{url}/buildid/{ID}/debuginfo", timeout=5):
            return True
    except (urllib.error.URLError, OSError):
        return False


@pytest.fixture
def server(stripped, tmp_path):
    """The URL of a debuginfod that has the debug file."""
    if not shutil.which("debuginfod"):
        pytest.skip("no debuginfod")
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    environment = {**os.environ, "HOME": str(tmp_path / "server"), "DEBUGINFOD_URLS": "",
                   "DEBUGINFOD_CACHE_PATH": str(tmp_path / "server")}
    with open(tmp_path / "server.log", "wb") as log, subprocess.Popen(
            ["debuginfod", "-F", str(stripped[1].parent), "-d", str(tmp_path / "db.sqlite"),
             "-p", str(port), "-t", "1", "-c", "1"],
            env=environment, stdout=log, stderr=log, cwd=tmp_path) as process:
        try:
            deadline = time.monotonic() + 30
            while not answers(url):
                assert process.poll() is None, (tmp_path / "server.log").read_text()
                assert time.monotonic() < deadline, (tmp_path / "server.log").read_text()
                time.sleep(0.2)
            yield url
        finally:
            process.terminate()


@contextlib.contextmanager
def serve(answer):
    """A server that calls answer(handler) for each request; gives (URL, paths of the requests)."""
    asked = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)
            with contextlib.suppress(OSError):
                answer(self)

        def log_message(self, *args):
            pass

    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler) as made:
        made.daemon_threads = True
        threading.Thread(target=made.serve_forever, daemon=True).start()
        try:
            yield f"http://127.0.0.1:{made.server_port}", asked
        finally:
            made.shutdown()


def send(handler, data, status=200):
    handler.send_response(status)
    handler.send_header("Content-Length", str(len(data)))
    handler.end_headers()
    handler.wfile.write(data)


def test_a_debug_file_comes_from_a_server(ask, run, elf, stripped, server):
    program, debug = stripped
    result = ask("-i", "--debuginfod", "clamp", program, urls=server)
    assert (result.status, result.err) == (0, "")
    assert result.out == run("-i", "clamp", elf("server")).out


def test_addresses_are_answered_from_a_server_too(ask, run, elf, stripped, server):
    addr = "0x" + re.search(r"(\w+) T loops", building.command("nm", elf("server")))[1]
    result = ask("addr", "--debuginfod", stripped[0], addr, urls=server)
    assert (result.status, result.err) == (0, "")
    assert result.out == run("addr", elf("server"), addr).out


def test_what_no_server_has_is_asked_for_once_and_symbols_are_left(ask, run, elf, tmp_path):
    building.command("objcopy", "--strip-debug", elf("server"), tmp_path / "program")
    with serve(lambda handler: send(handler, b"", 404)) as (url, asked):
        result = ask("addr", "--debuginfod", tmp_path / "program", "loops", urls=url)
    assert len(asked) == 1
    assert result.status == 2 and "debuginfod: no server has it" in result.err
    assert result.out == run("addr", tmp_path / "program", "loops").out
    assert result.out.endswith("\tloops()\t??:0\n")


def test_what_was_fetched_is_kept(ask, stripped, server):
    program, _ = stripped
    first = ask("--debuginfod", "clamp", program, urls=server)
    assert first.status == 0
    assert ask("--debuginfod", "clamp", program, urls="http://127.0.0.1:9") == first


def test_nobody_is_asked_without_the_option(ask, stripped):
    with serve(lambda handler: send(handler, b"", 404)) as (url, asked):
        result = ask("clamp", stripped[0], urls=url)
        assert result.status == 2 and "debuginfod" not in result.err
        assert asked == []


def test_nobody_is_asked_about_what_is_here(ask, elf, stripped):
    program, debug = stripped
    place = debug.parent / ".build-id" / ID[:2] / f"{ID[2:]}.debug"
    place.parent.mkdir(parents=True)
    debug.rename(place)
    with serve(lambda handler: send(handler, b"", 404)) as (url, asked):
        for args in (elf("c"),), (f"--debug-dir={debug.parent}", program):
            assert ask("--debuginfod", "clamp", *args, urls=url).status == 0
        assert asked == []


def test_what_no_server_has_is_said_and_asked_for_by_its_build_id_alone(ask, stripped):
    with serve(lambda handler: send(handler, b"", 404)) as (url, asked):
        result = ask("--debuginfod", "clamp", stripped[0], urls=url)
    assert (result.status, result.out) == (2, "")
    assert result.err.endswith("  debuginfod: no server has it\n")
    assert set(asked) == {f"/buildid/{ID}/debuginfo"}


def test_a_server_that_is_down_is_said(ask, stripped):
    result = ask("--debuginfod", "clamp", stripped[0], urls=f"http://127.0.0.1:{free_port()}")
    assert result.status == 2
    assert result.err.endswith("  debuginfod: Connection refused\n")


def test_without_servers_that_is_said(ask, stripped):
    result = ask("--debuginfod", "clamp", stripped[0])
    assert result.status == 2
    assert result.err.endswith("  debuginfod: not queried: DEBUGINFOD_URLS is not set\n")


def test_without_servers_the_cache_is_used(ask, elf, stripped, tmp_path):
    path = tmp_path / "cache" / ID / "debuginfo"
    path.parent.mkdir(parents=True)
    shutil.copy(stripped[1], path)
    whole = ask("clamp", elf("build-id"))
    assert ask("clamp", stripped[0]).status == 2
    assert ask("--debuginfod", "clamp", stripped[0]).out == whole.out != ""
    path.write_bytes(b"")  # what no server had
    assert "debuginfod: not queried: " in ask("--debuginfod", "clamp", stripped[0]).err


def test_the_line_about_servers_is_there_however_much_was_tried(ask, stripped):
    directories = [f"--debug-dir=/a/directory/of/some/length/{number}" for number in range(32)]
    result = ask("--debuginfod", *directories, "clamp", stripped[0])
    assert result.err.endswith("  debuginfod: not queried: DEBUGINFOD_URLS is not set\n")


@pytest.mark.parametrize("data, reason", [(b"<html>", "not an ELF file"),
                                          (None, "has no build ID")])
def test_what_a_server_sends_must_be_of_the_same_build(ask, elf, stripped, tmp_path, data, reason):
    wrong = elf("c").read_bytes() if data is None else data
    with serve(lambda handler: send(handler, wrong)) as (url, _):
        result = ask("--debuginfod", "clamp", stripped[0], urls=url)
    assert (result.status, result.out) == (2, "")
    assert re.search(rf"  {tmp_path}/cache/{ID}/debuginfo: {reason}\n", result.err)


def test_a_supplementary_file_comes_from_a_server_too(ask, elf, tmp_path):
    copy, common = building.shared_by_dwz(elf("lto"), tmp_path)
    whole = ask("clamp", copy)
    link = building.section_bytes(copy, ".gnu_debugaltlink", tmp_path)
    build_id = link[link.index(0) + 1:].hex()
    content = common.read_bytes()
    common.unlink()
    with serve(lambda handler: send(handler, content)) as (url, asked):
        assert ask("clamp", copy, urls=url).status == 2
        assert ask("--debuginfod", "clamp", copy, urls=url) == whole
    assert asked == [f"/buildid/{build_id}/debuginfo"]
    # The cache has it from then on, for all files that share it.
    assert ask("clamp", tmp_path / "two").status == 2
    assert ask("--debuginfod", "clamp", tmp_path / "two").out == whole.out
    other = ask("--debuginfod", "clamp", tmp_path / "two")  # by the cache
    assert (other.status, other.err) == (0, "")


def send_slowly(handler):
    """A header, and then a byte now and then."""
    handler.send_response(200)
    handler.send_header("Content-Length", str(3 << 20))
    handler.end_headers()
    for _ in range(100):
        handler.wfile.write(b"x")
        time.sleep(0.2)


@pytest.mark.parametrize("answer", [lambda handler: time.sleep(15), send_slowly])
def test_the_seconds_are_a_budget_for_all_files(ask, elf, stripped, tmp_path, answer):
    other = tmp_path / "other"
    building.command("gcc", "-O2", "-g", "-Wl,--build-id=0x1234567890",
                     *(building.PROGRAMS / name for name in ("first.c", "second.c")), "-o", other)
    building.command("strip", other)
    with serve(answer) as (url, asked):
        began = time.monotonic()
        result = ask("--debuginfod=2", "clamp", stripped[0], elf("c"), other, urls=url)
        took = time.monotonic() - began
    assert 2 <= took < 6
    assert result.status == 2
    assert result.out == f"{elf('c')}:\n" + ask("clamp", elf("c")).out
    assert "  debuginfod: gave up after the 2 s for servers\n" in result.err
    assert result.err.endswith("  debuginfod: not queried: the time limit of 2 s is used up\n")
    assert set(asked) == {f"/buildid/{ID}/debuginfo"}


def test_a_terminal_sees_what_is_waited_for(program, plain_environment, stripped, tmp_path):
    with serve(send_slowly) as (url, _):
        printed, _ = on_a_terminal(
            [program, "--debuginfod=3", "clamp", str(stripped[0])],
            {**plain_environment, "DEBUGINFOD_URLS": url, "HOME": str(tmp_path),
             "DEBUGINFOD_CACHE_PATH": str(tmp_path / "cache")}, "stderr")
    assert re.search(rf"\r\033\[K{stripped[0]}: requesting its debug file: 0\.0 of 3\.1 MB",
                     printed)
    assert printed.split("requesting")[-1].count("\r\033[K") == 1  # wiped before the message


@pytest.mark.parametrize("value", ["0", "86401", "-1", "x", ""])
def test_the_seconds_are_a_number(run, elf, value):
    result = run(f"--debuginfod={value}", "clamp", elf("c"))
    assert (result.status, result.out) == (64, "")
    assert f"--debuginfod must be a number from 1 to 86400, not '{value}'" in result.err


def test_a_recorded_program_that_is_gone_comes_from_a_server(ask, tmp_path):
    program = tmp_path / "busy"
    building.command("gcc", "-g", "-O2", "-Wl,--build-id", building.OURS / "busy.c", "-o", program)
    build_id = re.search(r"Build ID: (\w+)", building.command("readelf", "-n", program))[1]
    data, content = tmp_path / "perf.data", program.read_bytes()
    data.write_bytes(recordings.recording([
        recordings.mapping(7, 0x10000, 0x100000, 0, program, bytes.fromhex(build_id)),
        *[recordings.sample(7, 7, 1, 1, [0x10000 + offset]) for offset in building.instructions(program)]]))
    expected = ask("profile", "--folded", data)
    assert "_[i] " in expected.out
    program.unlink()
    with serve(lambda handler: send(handler, *((content, 200) if handler.path.endswith("/executable")
                                               else (b"", 404)))) as (url, asked):
        assert ask("profile", "--folded", "--debuginfod", data, urls=url) == expected
    assert f"/buildid/{build_id}/executable" in asked
    other = tmp_path / "cache"
    shutil.rmtree(other)
    with serve(lambda handler: send(handler, b"", 404)) as (url, asked):
        result = ask("profile", "--folded", "--debuginfod", data, urls=url)
    assert result.status == 2 and f"{program}" in result.err and "debuginfod: no server has it" in result.err
