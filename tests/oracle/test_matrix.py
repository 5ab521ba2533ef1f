"""That docs/compatibility.csv is true: its files are built and asked about again."""

import concurrent.futures
import os

import pytest

from matrix import document, shop
from matrix.cell import every_cell
from matrix.verdicts import Judge

CELLS = every_cell()
BY_NAME = {cell.id: cell for cell in CELLS}


@pytest.fixture(scope="session")
def written():
    """What the document says: (rows, versions of tools)."""
    return document.read()


@pytest.fixture(scope="session")
def results(request, tmp_path_factory):
    """{cell's name: future}, of all cells that will be asked for: begun at once, on all cores."""
    judge = Judge(shop.Shop(tmp_path_factory.mktemp("matrix")))
    wanted = [item.callspec.params["cell"] for item in request.session.items
              if getattr(item, "originalname", "") == "test_the_document_is_true_of"
              and not item.get_closest_marker("skip")]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        yield {cell.id: pool.submit(judge.judge, cell) for cell in wanted
               if not shop.missing(cell.needs)}
        pool.shutdown(cancel_futures=True)


def same_tools(tools, versions):
    return all(shop.version_of(tool) == versions.get(tool) for tool in tools)


def is_long(cell):
    """Those of DWARF 4 too, if there is the same of DWARF 5."""
    return cell.long or (cell.id.endswith("-4") and f"{cell.id[:-1]}5" in BY_NAME)


@pytest.mark.parametrize("cell", [
    pytest.param(cell, id=cell.id, marks=[pytest.mark.long] if is_long(cell) else [])
    for cell in CELLS])
def test_the_document_is_true_of(cell, results, written, inlinecall):
    missing = shop.missing(cell.needs)
    if missing:
        pytest.skip(f"no {missing}")
    rows, versions = written
    assert cell.id in rows, "run scripts/compatibility"
    row = rows[cell.id]
    result = results[cell.id].result()
    makers = [*document.tools_of(cell), *document.DECODERS]
    now, then = result.verdicts["inlinecall"], row.verdicts["inlinecall"]
    told = "\n".join((f"scripts/compatibility --show {cell.id}", *result.detail))
    # Another compiler makes other instances; what was right must be right there too.
    if then == "right" or same_tools(makers, versions):
        assert now == then, told
    if same_tools(makers, versions):
        assert result.instances == row.instances, told
    for tool in document.TOOLS[1:]:
        if same_tools([tool, *makers], versions):
            assert (tool, result.verdicts[tool]) == (tool, row.verdicts[tool]), told


def test_the_document_is_what_the_script_writes(written):
    """So it has no row too many, its sums are right, and its notes are those of notes.txt."""
    rows, versions = written
    assert rows.keys() == BY_NAME.keys()
    assert document.PATH.read_text() == document.render(rows, versions)
    assert document.DATA.read_text() == document.render_data(rows)


def test_what_is_not_right_has_a_note_and_each_note_a_use(written):
    rows, _ = written
    notes = document.read_notes()
    faults = [(name, tool) for name, row in rows.items() for tool in document.TOOLS
              if document.needs_note(row.verdicts[tool])]
    assert [fault for fault in faults if not any(note.explains(*fault) for note in notes)] == []
    assert [note.text for note in notes if not any(note.explains(*fault) for fault in faults)] == []
