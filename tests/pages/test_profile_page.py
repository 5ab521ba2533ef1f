"""The page of a profile shows the numbers of its table, and does what its tools say, in a browser."""

import json
import os
import random
import re
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent / "cli"), str(HERE.parent / "damage")]
import building  # noqa: E402
import recordings  # noqa: E402

START, PID = 0x550000000000, 70
HOSTILE = "</script><script>document.title='taken'</script><img src=x onerror=\"document.title='taken'\"><!--"


@pytest.fixture(scope="module")
def recorded(tmp_path_factory):
    """Random stacks of a program, some of a thread that is called like a script."""
    folder = tmp_path_factory.mktemp("recorded")
    building.command("gcc", "-g", "-O2", "-pie", "-fPIE", building.OURS / "busy.c", "-o", folder / "busy")
    addresses = building.instructions(folder / "busy")
    chosen = random.Random(2)
    records = [recordings.comm(PID, PID, "busy"), recordings.comm(PID, PID + 1, HOSTILE),
               recordings.mapping(PID, START, 0x100000, 0, folder / "busy")]
    records += [recordings.sample(PID, PID + (i % 10 == 0), 10 + i, chosen.randrange(1, 1000),
                                  [START + address for address in chosen.choices(addresses[1:], k=1 + i % 6)])
                for i in range(2000)]
    (folder / "perf.data").write_bytes(recordings.recording(records))
    return folder / "perf.data"


@pytest.fixture(scope="module")
def inlinecall():
    return os.environ.get("INLINECALL", building.HERE.parents[1] / "build/cli/inlinecall")


@pytest.fixture(scope="module")
def functions(inlinecall, recorded):
    everything, *rows = map(json.loads, building.command(inlinecall, "profile", "--json", recorded).splitlines())
    return everything, rows


@pytest.fixture(name="page")
def fixture_page(browser, recorded, inlinecall, tmp_path):
    building.command(inlinecall, "profile", f"--html={tmp_path / 'page.html'}", recorded)
    browser.open(tmp_path / "page.html")
    yield browser
    assert browser.complaints() == []


def shares(page):
    """[[function, share, ...], ...] as the table has them."""
    return page.run("document.querySelector('#more').hidden || document.querySelector('#more').click();"
                    "return [...document.querySelectorAll('#table tbody tr')]"
                    ".map((row) => [...row.cells].map((cell) => cell.textContent))")


def percent(part, whole):
    share = 100 * part / whole
    return "<0.1%" if 0 < share < 0.05 else f"{int(share * 10 + 0.5) / 10:.1f}%"


def test_the_table_is_that_of_the_text(page, functions):
    everything, rows = functions
    found = shares(page)
    assert len(found) == len(rows) > 10
    for cells, row in zip(found, rows):
        assert cells[0] == (row["function"] or f"?? in {row['file']}")
        for cell, key in zip(cells[1:], ("self", "total", "total_inlined")):
            assert abs(float(cell.strip("<%")) - 100 * row[key] / everything["whole"]) <= 0.0501


def test_the_boxes_have_every_sample(page, functions):
    everything, rows = functions
    totals = page.run("""
        const { whole, functions } = page.data, sums = {};
        let all = 0;
        for (let i = 0; i < whole.count; i++) {
            all += whole.self[i];
            const name = page.data.nameOf(whole.name[i]);
            if (whole.name[i] >= 0)
                sums[whole.name[i]] = (sums[whole.name[i]] || 0) + whole.self[i];
        }
        return [all, functions.map((_, i) => sums[i] || 0), [...whole.children(-1)].map((i) => whole.total[i])]""")
    assert totals[0] == everything["whole"] == sum(totals[2])
    assert totals[1] == [row["self"] for row in rows]


def test_a_chosen_function_is_shown_wherever_it_is(page, functions):
    everything, rows = functions
    for number, row in enumerate(rows):
        if not row["function"]:
            continue
        page.run("page.choose(arguments[0])", number)
        found = page.run("return document.querySelector('#found').textContent")
        assert found.split(" in ")[0] == percent(row["total"], everything["whole"])
        assert page.run("return document.querySelector('#details b').textContent") == row["function"]
        if row["hosts"]:
            words = page.run("return document.querySelector('#details').textContent")
            assert f"Inlined into {row['hosts'][0]['function']} " in words
    assert page.run("return document.querySelectorAll('tr.chosen').length") == 1


def test_searching_adds_up_what_is_found(page):
    page.type("#search", "mix")
    text = page.run("return document.querySelector('#found').textContent")
    assert re.fullmatch(r"\d+\.\d% in \d+ places?", text)
    assert {cells[0] for cells in shares(page)} == {"mix"}
    page.run("page.search('/^(mix|fold)$/')")
    assert {cells[0] for cells in shares(page)} == {"mix", "fold"}
    page.run("page.search('/(/')")
    assert shares(page) == []
    page.click("#reset")
    assert page.run("return document.querySelector('#found').textContent") == ""
    assert len(shares(page)) > 10


def test_without_inlined_functions_their_hosts_have_their_time(page, inlinecall, recorded):
    page.click("#inlined")
    found = page.run("""
        const { tree } = page, sums = {};
        for (let i = 0; i < tree.count; i++)
            sums[page.data.nameOf(tree.name[i])] = (sums[page.data.nameOf(tree.name[i])] || 0) + tree.self[i];
        return [sums, [...tree.flags].some((flags) => flags & 1)]""")
    assert not found[1]
    assert {name: weight for name, weight in found[0].items() if weight} == {
        row["function"] or f"?? in {row['file']}": row["self"]
        for row in map(json.loads, building.command(inlinecall, "profile", "--json", "--by=host",
                                                    recorded).splitlines()[1:]) if row["self"]}


def test_a_box_is_zoomed_into_and_out_of(page):
    page.click("#canvas", 20, 30)  # the second row: what the first program calls
    assert page.run("return page.tree.depth[page.base]") == 1
    assert page.run("return document.querySelectorAll('#path button').length") == 3
    page.click("#path button")
    assert page.run("return page.base") == -1
    page.run("document.querySelector('#canvas').focus()")
    for key, name in (("ArrowDown", 40), ("ArrowDown", 40), ("Enter", 13)):
        page.command("Input.dispatchKeyEvent", type="keyDown", key=key, windowsVirtualKeyCode=name)
    assert page.run("return page.base") == page.run("return page.current") > 0
    page.command("Input.dispatchKeyEvent", type="keyDown", key="Backspace", windowsVirtualKeyCode=8)
    assert page.run("return page.tree.depth[page.base]") == 0
    page.command("Input.dispatchKeyEvent", type="keyDown", key="Escape", windowsVirtualKeyCode=27)
    assert page.run("return page.base") == -1


def test_what_is_drawn_is_where_it_is_looked_up(page):
    wrong = page.run("""
        const wrong = [];
        for (const box of page.view.boxes()) {
            const found = page.view.at(box.x + box.w / 2, box.y + box.h / 2);
            if (!found || found.node !== box.node)
                wrong.push(box.node);
        }
        return wrong""")
    assert wrong == []


def test_names_are_text(page):
    assert page.run("return document.title") == "busy - inlinecall"
    assert HOSTILE in page.run("return [...page.tree.children(-1)].map((i) => page.data.nameOf(page.tree.name[i]))")
    page.run("page.zoom([...page.tree.children(-1)].find((i) => page.data.nameOf(page.tree.name[i])[0] === '<'))")
    assert HOSTILE in page.run("return document.querySelector('#path').textContent")
    assert page.run("return document.querySelectorAll('img, script').length") == 2  # the data, and the script
    assert page.run("return document.title") == "busy - inlinecall"


def test_nothing_else_is_loaded(page):
    assert page.run("return performance.getEntriesByType('resource').length") == 0
    assert page.run("""return fetch('https://example.org/').then(() => 'loaded', () => 'refused')""") == "refused"
    assert any("Content Security Policy" in line["message"] for line in page.complaints())


@pytest.mark.parametrize("width", [1440, 400])
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_it_fits_in_any_window_and_scheme(page, tmp_path, width, scheme):
    page.open(tmp_path / "page.html", width=width, scheme=scheme)
    assert page.run("return document.documentElement.scrollWidth") <= width
    light = page.run("return getComputedStyle(document.body).backgroundColor") == "rgb(255, 255, 255)"
    assert light == (scheme == "light")


def test_of_very_many_boxes_the_largest_are_shown_and_all_add_up(browser, inlinecall, recorded, tmp_path):
    addresses = building.instructions(recorded.parent / "busy")[1:]
    chosen = random.Random(4)
    records = [recordings.comm(PID, PID, "busy"), recordings.mapping(PID, START, 0x100000, 0, recorded.parent / "busy")]
    records += [recordings.sample(PID, PID, 10 + i, 1, [START + at for at in chosen.choices(addresses, k=30)])
                for i in range(3000)]
    (tmp_path / "perf.data").write_bytes(recordings.recording(records))
    building.command(inlinecall, "profile", f"--html={tmp_path / 'page.html'}", tmp_path / "perf.data")
    browser.open(tmp_path / "page.html")
    found = browser.run("""
        const { tree } = page, small = [...tree.flags].filter((flags) => flags & 4).length;
        return [tree.count - small, [...tree.children(-1)].map((i) => tree.total[i]),
                [...Array(tree.count).keys()].every((node) =>
                    [...tree.children(node)].filter((i) => tree.flags[i] & 4).length <= 1)]""")
    assert found == [50000, [3000], True]
    assert "smallest boxes are merged" in browser.run("return document.querySelector('#notes').textContent")
    assert browser.complaints() == []


def test_columns_are_sorted_by_a_click(page):
    page.click("#table th:nth-child(3) button")
    totals = page.run("return page.table.order.map((i) => page.data.functions[i][5])")
    assert totals == sorted(totals, reverse=True)
    page.click("#table th:nth-child(1) button")
    names = page.run("return page.table.order.map((i) => page.data.nameOf(i))")
    assert names == sorted(names)
