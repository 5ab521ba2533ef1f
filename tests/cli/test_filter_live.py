"""`inlinecall addr --filter` below what debuggers and other programs print of programs/calls.c here and now:
nothing is given but the text, and each frame of its functions has the line of its call."""

import os
import re
import signal
import subprocess
import time

import pytest

import calls
from building import command, need

LINES = {"caller": "int result = callee", "outer": "int result = caller", "main": "int result = outer"}


@pytest.fixture(name="build", scope="module")
def fixture_build(tmp_path_factory):
    need("gcc")
    directory = tmp_path_factory.mktemp("live")

    def build(*options, compiler="gcc", sources=(calls.SOURCE,), name="prog"):
        path = directory / "-".join((name, compiler, *(re.sub(r"\W", "", text) for text in options)))
        try:
            command(compiler, "-g", "-O1", *sources, *options, "-o", path)
        except RuntimeError as error:
            pytest.skip(f"cannot be built here: {error}")
        return path

    return build


def output(*words, seconds=60, **environment):
    result = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, timeout=seconds,
                            stderr=subprocess.STDOUT, text=True, check=False, errors="replace",
                            env={**os.environ, **environment})
    return result.stdout


def check(run, text, *args, exact=True):
    """Compares the frames of the functions of calls.c, which are those of callers."""
    result = run("addr", "-s", "--filter", *args, stdin=text)
    assert result.status == 0, result.err + text
    lines, found = text.splitlines(), {}
    rest = result.out.splitlines()
    for number, line in enumerate(lines):
        assert rest.pop(0) == line
        while rest and (number + 1 == len(lines) or rest[0] != lines[number + 1]):
            frame = re.match(r"\s+(\w+)\(\) at calls\.c:(\d+)\S*( .*inlined\))?", rest.pop(0))
            if frame:
                found.setdefault(frame[1], set()).add(int(frame[2]))
    assert "after" not in found, result.out
    for name, lead in LINES.items():
        assert found.get(name, {calls.line_of(lead)} if name == "main" else None) == {
            calls.line_of(lead)}, result.out
    if exact:
        assert found["callee"] == {calls.line_of("return fault(nowhere)")}, result.out
        assert found.get("fault", {calls.line_of("return *p + 1")}) == {
            calls.line_of("return *p + 1")}


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_gdb(run, build, link):
    need("gdb")
    path = build(link)
    text = output("gdb", "-q", "-batch", "-nx", "-ex", "run", "-ex", "bt", path)
    check(run, text, path, exact=False)


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_lldb(run, build, link):
    need("lldb")
    path = build(link)
    text = output("lldb", "-b", "-o", "run", "-k", "bt", "-k", "quit", path)
    if "frame #1" not in text:
        pytest.skip("lldb starts no programs here")
    check(run, text, path)


@pytest.mark.parametrize("options", [(), ("-a",), ("-m",), ("-a", "-m"), ("-b",), ("-v",)])
def test_eu_stack(run, build, options, tmp_path):
    need("eu-stack")
    source = tmp_path / "calls.c"
    source.write_text(calls.SOURCE.read_text().replace("return *p + 1;", "for (;;) value++;"))
    path = build(sources=(source,), name="wait")
    with subprocess.Popen([path]) as process:
        time.sleep(0.3)
        text = output("eu-stack", *options, "-p", process.pid)
        process.send_signal(signal.SIGKILL)
    if "caller" not in text:
        pytest.skip("eu-stack reads no processes here")
    check(run, text, path, exact=False)


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_valgrind(run, build, link):
    need("valgrind")
    path = build(link)
    check(run, output("valgrind", path), path)


@pytest.mark.parametrize("compiler", ["gcc", "clang"])
@pytest.mark.parametrize("kind", ["address", "thread"])
@pytest.mark.parametrize("symbolize", ["0", "1"])
def test_sanitizers(run, build, compiler, kind, symbolize):
    need(compiler)
    path = build(f"-fsanitize={kind}", compiler=compiler)
    options = f"symbolize={symbolize}"
    text = output(path, ASAN_OPTIONS=options, TSAN_OPTIONS=options)
    if "#1 " not in text:
        pytest.skip("this sanitizer does not run here")
    check(run, text, path)


HANDLER = """
#include <execinfo.h>
#include <signal.h>
#include <unistd.h>
static void handle(int number)
{
	void *frames[32];
	backtrace_symbols_fd(frames, backtrace(frames, 32), 1);
	_exit(number);
}
__attribute__((constructor)) static void begin(void) { signal(SIGSEGV, handle); }
"""


@pytest.mark.parametrize("link", ["-pie", "-no-pie", "-rdynamic"])
def test_backtrace_symbols(run, build, link, tmp_path):
    (tmp_path / "handler.c").write_text(HANDLER)
    path = build(link, sources=(calls.SOURCE, tmp_path / "handler.c"), name="handler")
    check(run, output(path))


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_strace(run, build, link):
    need("strace")
    text = output("strace", "-k", "-e", "trace=exit_group", build(link))
    if "caller+" not in text:
        pytest.skip("this strace prints no stacks")
    check(run, text)


def in_cpp(build, name, text, tmp_path, *libraries, compiler="g++", link="-no-pie"):
    need(compiler)
    source, part = tmp_path / f"{name}.cc", tmp_path / "calls.o"
    source.write_text(text)
    command("gcc", "-g", "-O1", "-fPIE", "-DNO_MAIN", "-c", calls.SOURCE, "-o", part)
    return build(link, *libraries, compiler=compiler, sources=(source, part), name=name)


@pytest.mark.parametrize("link", ["-pie", "-no-pie"])
def test_glog(run, build, tmp_path, link):
    path = in_cpp(build, "glog", """
#include <glog/logging.h>
extern "C" int outer(int);
int main(int, char **argv)
{
	google::InitGoogleLogging(argv[0]);
	google::InstallFailureSignalHandler();
	return outer(1);
}
""", tmp_path, "-lglog", link=link)
    check(run, output(path), path)


def test_boost(run, build, tmp_path):
    path = in_cpp(build, "boost", """
#include <boost/stacktrace.hpp>
#include <csignal>
#include <iostream>
extern "C" int outer(int);
static void handle(int) { std::cout << boost::stacktrace::stacktrace() << std::flush; _exit(1); }
int main() { signal(SIGSEGV, handle); return outer(1); }
""", tmp_path, "-ldl")
    check(run, output(path))


def test_backward(run, build, tmp_path):
    path = in_cpp(build, "backward", """
#include <backward.hpp>
extern "C" int outer(int);
int main() { backward::SignalHandling handling; return outer(1); }
""", tmp_path)
    check(run, output(path))


def test_the_kernel(run, build):
    """Its log has the fault of a program that is not moved, or is: both have what is needed."""
    path = build("-pie", name="faulting")
    output(path)
    text = "".join(line + "\n" for line in output("dmesg").splitlines()
                   if f" {path.name[:15]}" in line and "segfault at" in line)
    if not text:
        pytest.skip("the kernel's log does not have it, or cannot be read")
    result = run("addr", "-s", "--filter", path, stdin=text)
    assert "callee() at calls.c:" in result.out


def test_java(run, tmp_path):
    for tool in ("java", "javac", "gcc"):
        need(tool)
    (tmp_path / "T.java").write_text("""
public class T {
	static native int run(int x);
	public static void main(String[] words) { System.load(words[0]); run(1); }
}
""")
    (tmp_path / "jni.c").write_text("""
int outer(int);
int Java_T_run(void *env, void *type, int x) { return outer(x) + 1; }
""")
    library = tmp_path / "libcalls.so"
    command("gcc", "-g", "-O1", "-shared", "-fPIC", "-DNO_MAIN", calls.SOURCE, tmp_path / "jni.c",
            "-o", library)
    command("javac", "T.java", cwd=tmp_path)
    log = tmp_path / "hs_err.log"
    output("java", f"-XX:ErrorFile={log}", "-cp", tmp_path, "T", library)
    if not log.exists():
        pytest.skip("this JVM writes no log")
    result = run("addr", "-s", "--filter", library, stdin=log.read_text())
    assert f"fault() at calls.c:{calls.line_of('return *p + 1')}" in result.out
    assert "after()" not in result.out


def test_gfortran(run, tmp_path):
    need("gfortran")
    (tmp_path / "main.f90").write_text("""
program p
  interface
    integer(4) function outer(x) bind(c)
      integer(4), value :: x
    end function
  end interface
  print *, outer(1)
end program
""")
    part, path = tmp_path / "calls.o", tmp_path / "prog"
    command("gcc", "-g", "-O1", "-DNO_MAIN", "-c", calls.SOURCE, "-o", part)
    command("gfortran", "-g", "-fbacktrace", tmp_path / "main.f90", part, "-o", path)
    text = output(path)
    if " in caller" not in text:
        pytest.skip("this runtime names no functions")
    check(run, text, path)
