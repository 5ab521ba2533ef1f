"""The manual pages that man/header_pages.py makes from the public headers."""

import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
HEADERS = sorted((ROOT / "include/inlinecall").rglob("*.h"))
HEADER = r"""// Things. They never change.
//
// A thing has a size.
#ifndef INLINECALL_THING_H
#define INLINECALL_THING_H

#include <inlinecall/other.h>

#ifdef __cplusplus
extern "C" {
#endif

struct ic_thing;

/** How many there can be. */
#define IC_THING_MOST 72

/** What a thing is. */
enum ic_thing_kind {
	IC_THING_NONE, // nothing, which
		       // takes two lines
	/** Before it. */
	IC_THING_SMALL,
	IC_THING_LARGE /**< beside it */
};

struct ic_thing_options {
	const char *name, *path; /**< both; NULL
				    if not known */
	/** Is called for each thing.
	 *
	 *  @param size  In bytes.
	 *  @return false to stop. */
	bool (*visit)(void *context,
		      uint64_t size);
};

/**
 * Makes a thing of `name`:
 *
 *	.a\n      as it is
 *
 * - for ic_thing_free(),
 *   later. Or
 * - `-x`.
 *
 * @param options, size  Of both. Not kept.
 * @param err            [out] Why not.
 *
 * @return The thing; NULL if
 *         there is none.
 *
 * Time: short.
 */
IC_API struct ic_thing *ic_thing_new(const struct ic_thing_options *options, size_t size,
				     void (*done)(void *context, int status),
				     struct ic_error *err) IC_CHECKED;

/** Frees it. */
IC_API void ic_thing_free(struct ic_thing *thing);
#endif
"""
PAGE = r"""NAME
     inlinecall_thing, ic_thing_new, ic_thing_free - things

SYNOPSIS
     #include <inlinecall/thing.h>

     struct ic_thing *
     ic_thing_new(const struct ic_thing_options *options, size_t size,
         void (*done)(void *context, int status), struct ic_error *err);

     void
     ic_thing_free(struct ic_thing *thing);

DESCRIPTION
     Things.  They never change.

     A thing has a size.

   Functions
     ic_thing_new()
             Makes a thing of name:

             .a\n      as it is

             -   for ic_thing_free(), later.  Or

             -   -x.

             options, size
                     Of both.  Not kept.
             err     [out] Why not.

             Time: short.

     ic_thing_free()
             Frees it.

   Types
     enum ic_thing_kind
             What a thing is.

             IC_THING_NONE
                     nothing, which takes two lines
             IC_THING_SMALL
                     Before it.
             IC_THING_LARGE
                     beside it

     struct ic_thing_options
             const char *name, *path
                     both; NULL if not known
             bool (*visit)(void *context, uint64_t size)
                     Is called for each thing.

                     size    In bytes.

                     Returns false to stop.

   Constants
     IC_THING_MOST (72)
             How many there can be.

RETURN VALUES
     ic_thing_new()
             The thing; NULL if there is none.
"""


def make(*arguments):
    return subprocess.run([sys.executable, ROOT / "man/header_pages.py", *map(str, arguments)],
                          capture_output=True, text=True, check=False)


@pytest.fixture(name="pages", scope="module")
def fixture_pages(tmp_path_factory):
    folder = tmp_path_factory.mktemp("man3")
    result = make(folder, ROOT / "man/libinlinecall.3.in", *HEADERS)
    assert result.returncode == 0, result.stderr
    return folder


def write_header(folder, text):
    (folder / "inlinecall").mkdir()
    header = folder / "inlinecall/thing.h"
    header.write_text(text)
    return header


def rendered(page):
    if not shutil.which("mandoc"):
        pytest.skip("no mandoc")
    result = subprocess.run(["mandoc", "-T", "ascii", "-O", "width=80", str(page)],
                            capture_output=True, text=True, check=True)
    return re.sub(".\b", "", result.stdout)


def test_every_function_has_a_page(pages):
    functions = {}
    for line in make("--list", *HEADERS).stdout.splitlines():
        name, *page = line.split()
        assert (pages / f"{name if not page else page[0]}.3").exists()
        functions |= {name: page[0]} if page else {}
    exported = re.findall(r"^\t(ic_\w+);", (ROOT / "lib/libinlinecall.map").read_text(), re.MULTILINE)
    assert len(exported) > 300
    assert set(functions) == set(exported)
    for name, page in functions.items():
        assert f"\n.Fo {name}\n" in (pages / f"{page}.3").read_text()


def test_the_pages_are_without_faults(pages):
    if not shutil.which("mandoc"):
        pytest.skip("no mandoc")
    assert len(list(pages.iterdir())) > 50
    result = subprocess.run(["mandoc", "-T", "lint", "-W", "warning", *pages.iterdir()],
                            capture_output=True, text=True, check=False)
    assert (result.returncode, result.stdout) == (0, "")


def test_a_page_has_what_the_header_says(pages):
    page = rendered(pages / "inlinecall_symbolizer.3")
    assert "#include <inlinecall/symbolizer.h>" in page
    assert ("     ic_symbolizer_frames_at(struct ic_symbolizer *symbolizer, uint64_t addr,\n"
            "         struct ic_frame *frames, size_t capacity);\n") in page
    assert "Finds the frames at an address, from the innermost inlined function" in page
    assert "may change" not in page
    assert "may change from version to version" in rendered(pages / "inlinecall_extra_symbolizer.3")


def test_every_form_of_comment_is_in_the_page(tmp_path):
    header = write_header(tmp_path, HEADER)
    result = make(tmp_path, ROOT / "man/libinlinecall.3.in", header)
    assert result.returncode == 0, result.stderr
    page = rendered(tmp_path / "inlinecall_thing.3")
    assert page[page.index("NAME"):page.index("SEE ALSO")].split() == PAGE.split()


@pytest.mark.parametrize("text, message", [
    ("// Things.\n\nIC_API void ic_thing_free(void);\n", "nothing says what ic_thing_free() does"),
    ("// Things.\n\nint what;\n", "cannot parse int what;"),
    ("// Things.\n\nenum ic_a {\n\tIC_A /* why */\n};\n", "cannot parse the member /* why */"),
])
def test_what_is_not_understood_is_an_error(tmp_path, text, message):
    result = make("--list", write_header(tmp_path, text))
    assert (result.returncode, result.stderr) == (1, f"header_pages.py: inlinecall/thing.h: {message}\n")


def test_the_program_in_the_overview_compiles(pages, tmp_path):
    page = (pages / "libinlinecall.3").read_text()
    program = re.search(r"^\.Bd -literal\n(.*?)^\.Ed", page, re.MULTILINE | re.DOTALL)[1]
    (tmp_path / "program.c").write_text(program.replace("\\e", "\\"))
    result = subprocess.run(["cc", "-fsyntax-only", "-Wall", "-Wextra", "-Werror",
                             "-I", ROOT / "include", tmp_path / "program.c"],
                            capture_output=True, text=True, check=False)
    assert result.returncode == 0, result.stderr
