"""The pages of sizes, trees and statistics show the numbers of their JSON, in a browser."""

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
