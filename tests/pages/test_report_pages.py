"""The pages of sizes, trees, statistics and changes show the numbers of their JSON, in a browser."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli")]
import building  # noqa: E402

PROGRAM = os.environ.get("INLINECALL", str(building.HERE.parents[1] / "build/cli/inlinecall"))


def inlinecall(*arguments):
    return subprocess.run([PROGRAM, *map(str, arguments)], capture_output=True, text=True, check=False)


def rows(*arguments):
    return [json.loads(line) for line in inlinecall(*arguments, "-C", "--json").stdout.splitlines()]


@pytest.fixture(name="opened")
def fixture_opened(browser, tmp_path):
    """Opens the page of a command."""

    def opened(*arguments):
        result = inlinecall(*arguments, f"--html={tmp_path / 'page.html'}")
        assert (result.returncode, result.stdout, result.stderr) == (0, "", "")
        browser.open(tmp_path / "page.html")
        return browser

    yield opened
    assert browser.complaints() == []


def test_the_treemap_has_every_byte(opened):
    page = opened("sizes", PROGRAM)
    everything, *groups = rows("sizes", PROGRAM)
    assert page.run("return page.data.total") == everything["code"]
    found = page.run("""
        const { tree, data } = page, sums = data.functions.map(() => 0);
        for (let i = 0; i < tree.count; i++)
            if (tree.name[i] >= 0)
                sums[tree.name[i]] += tree.self[i];
        return data.functions.map((row, i) => [data.nameOf(i), ...row.slice(4, 9), sums[i]])""")
    names = {"padding": "(padding)", "linkage": "(linkage)"}
    assert found == [[names.get(group["kind"]) or group["function"] or "??", group["self"], group["self_inlined"],
                      group["total"], group["copies"], group["saving"], group["self"]]
                     for group in sorted(groups, key=lambda group: -group["self"])]
    assert page.run("return document.title") == f"{PROGRAM} - inlinecall"


def test_boxes_are_as_large_as_their_bytes_and_inside_their_directories(opened):
    page = opened("sizes", PROGRAM)
    found = page.run("""
        const { tree, view } = page, at = new Map(), wrong = [];
        let leaves = 0;
        for (const box of view.boxes()) {
            at.set(box.node, box);
            const around = at.get(tree.parent[box.node]);
            if (around && (box.x < around.x || box.y < around.y || box.x + box.w > around.x + around.w + 0.01 ||
                           box.y + box.h > around.y + around.h + 0.01))
                wrong.push(box.node);
            const found = view.at(box.x + box.w / 2, box.y + box.h - 0.1);
            if (!box.isGroup && found.node !== box.node)
                wrong.push(-box.node);
            leaves += !box.isGroup;
        }
        const [first, second] = [...tree.children(-1)].map((node) => at.get(node));
        return [wrong, leaves, first.w * first.h / tree.total[first.node],
                second.w * second.h / tree.total[second.node]]""")
    assert found[0] == [] and found[1] > 500
    assert abs(found[2] / found[3] - 1) < 0.001


def test_directories_can_be_zoomed_into(opened):
    page = opened("sizes", PROGRAM)
    page.run("page.zoom([...page.tree.children(-1)].sort((a, b) => page.tree.total[b] - page.tree.total[a])[0])")
    assert page.run("return [...page.view.boxes()].every((box) => box.node >= page.base && "
                    "box.node < page.tree.end[page.base])")
    page.click("#path button")
    assert page.run("return page.base") == -1


def test_several_files_are_side_by_side(opened, tmp_path):
    copy = tmp_path / "copy"
    shutil.copy(PROGRAM, copy)
    page = opened("sizes", PROGRAM, copy)
    assert page.run("return document.title") == "2 files - inlinecall"
    assert page.run("return [...page.tree.children(-1)].map((i) => page.data.nameOf(page.tree.name[i]).split('/').pop())") \
        == [os.path.basename(PROGRAM), "copy"]
    assert page.run("return page.data.total") == 2 * rows("sizes", PROGRAM)[0]["code"]


def test_what_is_small_is_added_up(opened, tmp_path):
    many = "int huge(int x) { for (int i = 0; i < x; i++) x ^= i * x; return x; }\n" + "".join(f"int f{i}(int x) {{ return x * {i} + {i % 7}; }}\n" for i in range(12500))
    (tmp_path / "many.c").write_text(many)
    building.command("gcc", "-g", "-c", "many.c", cwd=tmp_path)
    page = opened("sizes", tmp_path / "many.o")
    everything = rows("sizes", tmp_path / "many.o")[0]
    assert page.run("return page.data.total") == everything["code"]
    assert page.run("return page.data.functions.length") <= 12003
    assert page.run("return page.data.nameOf(page.data.functions.length - 1)") == "(501 smaller functions)"
    assert "huge" in page.run("return page.data.functions.map((_, i) => page.data.nameOf(i))")
    assert "are merged" in page.run("return document.querySelector('#notes').textContent")


def test_a_tree_is_an_icicle(opened):
    page = opened("tree", "-a", PROGRAM)
    trees = [row for row in rows("tree", "-a", "--min-bytes=1", PROGRAM)]
    found = page.run("""
        const { tree, data } = page;
        return [...Array(tree.count).keys()].map((i) =>
            [tree.depth[i], data.nameOf(tree.name[i]), tree.flags[i] & 1, tree.self[i]])""")
    assert found == [[row["depth"], row["function"], int(row["inlined"]), row["own_bytes"]] for row in trees]
    sums = page.run("return page.data.functions.map((row, i) => [page.data.nameOf(i), row[4], row[5]])")
    assert sum(own for _, own, _ in sums) == sum(row["own_bytes"] for row in trees)
    assert sum(copies for *_, copies in sums) == sum(row["inlined"] for row in trees)


def test_of_many_copies_the_largest_are_shown_and_all_add_up(opened, tmp_path):
    # One object ten times: the compiler would take half a minute for all of it.
    (tmp_path / "few.c").write_text(
        "#define F __attribute__((used)) static int\n"
        + "".join(f"static inline int g{i}(int x) {{ return x * {i} + 7; }}\n" for i in range(100))
        + "".join(f"F f{i}(int x) {{ return {' ^ '.join(f'g{j}(x + {j})' for j in range(100))}; }}\n" for i in range(52))
        + "F last(int x) { for (int i = 0; i < x; i++) x ^= i * g1(x); return x; }\n")
    building.command("gcc", "-g", "-O1", "-finline-functions", "-c", "few.c", cwd=tmp_path)
    building.command("ld", "-r", *10 * ["few.o"], "-o", "many.o", cwd=tmp_path)
    page = opened("tree", "-a", tmp_path / "many.o")
    trees = rows("tree", "-a", "--min-bytes=1", tmp_path / "many.o")
    assert len(trees) > 50000
    assert page.run("return page.data.total") == sum(row["own_bytes"] for row in trees)
    assert page.run("return [...page.tree.flags].filter((flags) => !(flags & 4)).length") == 50000
    # All trees that are not there are one box, and what is missing in one is one box there.
    assert page.run("""return [...page.tree.children(-1)].filter((i) => page.tree.flags[i] & 4).length""") <= 1
    assert page.run("""return [...Array(page.tree.count).keys()].every((node) =>
        [...page.tree.children(node)].filter((i) => page.tree.flags[i] & 4).length <= 1)""")
    assert "last" in page.run("return page.data.functions.map((_, i) => page.data.nameOf(i))")
    assert "smallest boxes are merged" in page.run("return document.querySelector('#notes').textContent")


def test_names_are_text_in_pages_of_files_too(opened, tmp_path):
    name = "a<script>b.c"
    (tmp_path / name).write_text("int f(int x) { return x * 3; }\n")
    building.command("gcc", "-g", "-O1", "-c", name, "-o", "x.o", cwd=tmp_path)
    page = opened("sizes", tmp_path / "x.o")
    assert page.run("return document.querySelectorAll('script').length") == 2
    assert page.run("return [...Array(page.tree.count).keys()].some((i) => page.data.nameOf(page.tree.name[i]).includes('<script>'))")


def test_statistics_are_a_table(opened):
    page = opened("stats", PROGRAM)
    assert page.run("return getComputedStyle(document.querySelector('#graph')).display") == "none"
    assert page.run("return page.data.functions.map((row, i) => [page.data.nameOf(i), ...row.slice(4, 8)])") == [
        [row["function"], row["copies"], row["self_bytes"], row["bytes"], row["callers"]]
        for row in rows("stats", PROGRAM)[1:]]
    page.run("page.search('/^ic_load/')")
    cells = page.run("return [...document.querySelectorAll('#table tbody tr')].map((row) => row.cells[0].textContent)")
    assert cells and all(cell.startswith("ic_load") for cell in cells)


# Changes between two builds.

CHANGED = """
volatile int sink;
static inline __attribute__((always_inline)) int leaf(int x) { sink += x; return x * 3 + sink MORE; }
__attribute__((noinline)) int one(int x) { return leaf(x) + leaf(x + 1); }
__attribute__((noinline)) int two(int x) { return x * 2 LESS; }
#ifdef NEW
__attribute__((noinline)) int three(int x) { sink ^= x; return x * sink * 7; }
#else
__attribute__((noinline)) int gone(int x) { sink |= x; return x * sink * 5; }
#endif
int main(void) { return one(sink) + two(sink); }
"""


@pytest.fixture(scope="module")
def builds(tmp_path_factory):
    """Two builds in different directories, of which one has a name that is no markup."""
    folder, programs = tmp_path_factory.mktemp("builds"), []
    for name, flags in (("a<script>old", ("-DMORE=", "-DLESS=* x * sink * x + sink")),
                        ("new", ("-DMORE=* sink * x", "-DLESS=", "-DNEW"))):
        (folder / name / "src/deep").mkdir(parents=True)
        (folder / name / "src/deep/a.c").write_text(CHANGED)
        building.command("gcc", "-g", "-O1", *flags, folder / name / "src/deep/a.c", "-o", "main", cwd=folder / name)
        programs.append(folder / name / "main")
    return programs


def changes(builds, *arguments):
    output = inlinecall("diff", "--json", *arguments, *builds).stdout
    return [json.loads(line) for line in output.splitlines()]


@pytest.fixture(name="opened_changes")
def fixture_opened_changes(browser, builds, tmp_path):
    """Opens the page of changes."""

    def opened(*arguments, **how):
        result = inlinecall("diff", *arguments, f"--html={tmp_path / 'page.html'}", *builds)
        assert (result.returncode, result.stdout, result.stderr) == (1, "", "")
        browser.open(tmp_path / "page.html", **how)
        return browser

    yield opened
    assert browser.complaints() == []


@pytest.mark.parametrize("what", ["function", "source", "directory", "template"])
def test_changes_are_those_of_the_table(opened_changes, builds, what):
    page = opened_changes("--min-bytes=0", f"--by={what}")
    total, *rows_ = changes(builds, "--min-bytes=0", f"--by={what}")
    name = "function" if what == "function" else "group"
    shown = page.run("return [...document.querySelectorAll('#table tbody tr')]"
                     ".map((row) => [...row.cells].map((cell) => cell.textContent))")
    assert shown == [[row[name], f"{row['explained'] + row['grown']:+,}".replace("+0", "0"),
                      f"{row['new_copies'] - row['old_copies']:+,}".replace("+0", "0"), row["kinds"].replace(",", ", ")]
                     for row in rows_]
    assert page.run("return document.querySelector('#table th').textContent") == \
        {"source": "Source file"}.get(what, what.capitalize())
    summary = page.run("return document.querySelector('#what').textContent")
    assert f"{total['functions']} functions changed" in summary
    assert f"{total['old_code']:,} → {total['new_code']:,} bytes of code" in summary
    assert page.run("return document.title") == f"{builds[0]} -> {builds[1]} - inlinecall"


def test_boxes_are_as_large_as_the_bytes_that_came_or_went(opened_changes, builds):
    page = opened_changes("--min-bytes=0")
    found = page.run("""
        const { tree, data, view } = page;
        return [...view.boxes()].filter((box) => tree.name[box.node] >= 0).map((box) =>
            [data.nameOf(tree.name[box.node]), tree.net[box.node], box.w * box.h / tree.self[box.node]])""")
    net = {row["function"]: row["explained"] + row["grown"] for row in changes(builds, "--min-bytes=0")[1:]}
    assert {name: bytes_ for name, bytes_, _ in found} == {name: bytes_ for name, bytes_ in net.items() if bytes_}
    areas = [area for *_, area in found]
    assert len(areas) > 3 and max(areas) / min(areas) < 1.001
    # All files are in one directory, with the sum of its functions, also those that only the old build has.
    assert page.run("return [...page.tree.children(-1)].length") == 1
    assert page.run("return page.data.nameOf(page.tree.name[0])").endswith("/new/src/deep/a.c")
    assert page.run("return page.tree.net[0]") == sum(net.values())


def brightness(color):
    parts = [part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4
             for part in (channel / 255 for channel in color)]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_what_grew_is_red_and_what_shrank_green(opened_changes, scheme):
    page = opened_changes("--min-bytes=0", scheme=scheme)
    boxes = page.run("""
        const { tree, view, canvas, context } = page, image = context.getImageData(0, 0, canvas.width, canvas.height);
        return [...view.boxes()].filter((box) => tree.name[box.node] >= 0).map((box) => {
            const at = 4 * (Math.floor(box.y + box.h - 4) * canvas.width + Math.floor(box.x + box.w - 4));
            return [tree.net[box.node], [...image.data.slice(at, at + 3)]];
        })""")
    ink = page.run("const color = getComputedStyle(document.documentElement).getPropertyValue('--box-ink').trim();"
                   "return [1, 3, 5].map((at) => parseInt(color.slice(at, at + 2), 16))")
    assert {net > 0 for net, _ in boxes} == {True, False}
    for net, color in boxes:
        red, green, blue = color
        assert red > green + 30 and red > blue + 30 if net > 0 else green > red + 30 and green > blue + 10
        low, high = sorted((brightness(color), brightness(ink)))
        assert (high + 0.05) / (low + 0.05) > 4.5  # WCAG 2.1, 1.4.3


def test_a_chosen_change_is_described(opened_changes, builds):
    page = opened_changes("--min-bytes=0")
    leaf = next(row for row in changes(builds, "--min-bytes=0") if row["function"] == "leaf")
    page.run("page.choose(page.data.functions.findIndex((_, i) => page.data.nameOf(i) === 'leaf'))")
    details = page.run("return document.querySelector('#details').textContent")
    assert f"{leaf['new_decl_file']}:{leaf['new_decl_line']}" in details
    assert leaf["kinds"].replace(",", ", ") in details and f"{leaf['new_copies']} copies" in details
    assert f"{leaf['old_bytes']} → {leaf['new_bytes']} bytes" in details
    assert page.run("return document.querySelector('#found').textContent") == \
        f"{leaf['explained'] + leaf['grown']:+} bytes in 1 place"


def test_changes_can_be_sorted_by_how_they_changed(opened_changes):
    page = opened_changes("--min-bytes=0")
    page.run("page.table.sort(3)")
    kinds = page.run("return [...document.querySelectorAll('#table tbody tr')].map((row) => row.cells[3].textContent)")
    assert kinds == sorted(kinds) and len(set(kinds)) > 1


def test_too_many_changes_are_counted(browser, tmp_path):
    for folder, more in (("old", ""), ("new", "+ x * x")):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "many.c").write_text("".join(
            f"int f{i}(int x) {{ return x * {i + 3} {more}; }}\n" for i in range(12010)))
        building.command("gcc", "-g", "-c", "many.c", cwd=tmp_path / folder)
    page = tmp_path / "page.html"
    operands = tmp_path / "old/many.o", tmp_path / "new/many.o"
    assert inlinecall("diff", "--min-bytes=0", f"--html={page}", *operands).returncode == 1
    browser.open(page)
    assert browser.run("return page.data.functions.length") == 12000
    assert browser.run("return document.querySelector('#notes').textContent") == "10 more changes are not shown"
    assert browser.complaints() == []


def test_without_a_change_there_is_no_treemap(browser, builds, tmp_path):
    page = tmp_path / "page.html"
    assert inlinecall("diff", f"--html={page}", builds[0], builds[0]).returncode == 0
    browser.open(page)
    assert browser.run("return getComputedStyle(document.querySelector('#graph')).display") == "none"
    assert "0 functions changed" in browser.run("return document.querySelector('#what').textContent")
    assert browser.complaints() == []


@pytest.mark.parametrize("width", [1440, 400])
@pytest.mark.parametrize("what", ["function", "directory"])
def test_pages_of_changes_fit_in_any_window(opened_changes, width, what):
    page = opened_changes("--min-bytes=0", f"--by={what}", width=width)
    assert page.run("return document.documentElement.scrollWidth") <= width


def test_a_page_of_changes_replaces_no_build(builds, tmp_path):
    copy = tmp_path / "program"
    shutil.copy(builds[1], copy)
    for operands in ((copy, builds[0]), (builds[0], copy)):
        result = inlinecall("diff", f"--html={copy}", *operands)
        assert result.returncode == 64 and "would overwrite" in result.stderr
    assert copy.read_bytes() == builds[1].read_bytes()
    kept = tmp_path / "kept"
    kept.write_text("kept")
    assert inlinecall("diff", f"--html={kept}", copy, tmp_path / "none").returncode == 2
    assert kept.read_text() == "kept"


@pytest.mark.parametrize("width", [1440, 400])
@pytest.mark.parametrize("command", [("sizes",), ("tree", "-a"), ("stats",)])
def test_pages_fit_in_any_window(opened, tmp_path, command, width):
    page = opened(*command, PROGRAM)
    page.open(tmp_path / "page.html", width=width)
    assert page.run("return document.documentElement.scrollWidth") <= width


def test_a_page_is_whole_or_not_there(tmp_path):
    copy = tmp_path / "program"
    shutil.copy(PROGRAM, copy)
    for arguments in (["--json"], ["--csv"]):
        result = inlinecall("sizes", f"--html={tmp_path / 'page'}", *arguments, copy)
        assert result.returncode == 64 and not (tmp_path / "page").exists()
    result = inlinecall("sizes", f"--html={copy}", copy)
    assert result.returncode == 64 and copy.read_bytes() == Path(PROGRAM).read_bytes()
    assert inlinecall("stats", "-p", f"--html={tmp_path / 'page'}", copy).returncode == 64
    result = inlinecall("sizes", f"--html={tmp_path / 'none' / 'page'}", copy)
    assert result.returncode == 2 and "cannot write" in result.stderr
    kept = tmp_path / "kept"
    kept.write_text("kept")
    assert inlinecall("sizes", f"--html={kept}", tmp_path / "none").returncode == 2
    assert kept.read_text() == "kept"
    kept.unlink()
    result = inlinecall("sizes", "--html=-", copy)
    assert result.returncode == 0 and result.stdout.startswith("<!DOCTYPE html>")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["program"]
