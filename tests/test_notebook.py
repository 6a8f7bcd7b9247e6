"""What notebooks show, by executing one."""

import pytest

KEY = "[{'Ann', 'she', 'her'}, {'the boat', 'it'}]"
RESPONSE = "[{'Ann', 'she'}, {'the boat', 'it', 'her'}]"


@pytest.fixture(scope="module")
def shown():
    """The output of each cell, by its type."""
    nbclient = pytest.importorskip("nbclient")
    nbformat = pytest.importorskip("nbformat")
    pytest.importorskip("ipykernel")
    cells = [f"from referee import inspect, score\nscore({KEY}, {RESPONSE})", f"inspect({KEY}, {RESPONSE})"]
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    return [cell["outputs"][0]["data"] for cell in notebook.cells]


@pytest.mark.filterwarnings("ignore")  # of Jupyter's own
def test_an_evaluation_shows_its_scores(shown):
    """B³ recall: (2 · 2/3 + 1/3 + 2) / 5 = 11/15."""
    assert "<table" in shown[0]["text/html"]
    assert "73.33" in shown[0]["text/html"]


@pytest.mark.filterwarnings("ignore")
def test_an_inspection_shows_its_page_in_a_frame(shown):
    assert shown[1]["text/html"].startswith("<iframe")
    assert "Content-Security-Policy" in shown[1]["text/html"]
