"""What `referee app` writes, and what it refuses."""

import hashlib
import io
import json
import zipfile

import pytest

from referee.basics.exceptions import OptionError
from referee.cli.app import OFFERED, offered
from referee.pages.app.pyodide import CORE, NETWORK
from referee.pages.app.site import package_zip, write_site
from tests.support.command import referee
from tests.support.paths import EXAMPLES


def pyodide_like(folder):
    folder.mkdir()
    for name in (*CORE, "pyodide.asm.js"):
        (folder / name).write_text(name)
    (folder / "numpy.whl").write_text("numpy")
    entry = {"file_name": "numpy.whl", "sha256": hashlib.sha256(b"numpy").hexdigest(), "depends": []}
    (folder / "pyodide-lock.json").write_text(json.dumps({"packages": {"numpy": entry}}))
    return folder


def test_a_site_without_a_folder_loads_pyodide_and_nothing_else_from_the_network(tmp_path):
    done = referee("app", "-o", str(tmp_path / "site"))
    assert (done.status, done.out) == (0, "")
    index = (tmp_path / "site" / "index.html").read_text()
    assert '<meta name="description" content="Scores coreference and entity resolution in your browser.' in index
    assert "default-src 'none'" in index and f"connect-src 'self' {NETWORK};" in index
    assert json.loads((tmp_path / "site" / "settings.json").read_text())["pyodide"] == NETWORK
    assert "http" not in index.replace(NETWORK, "").replace("http-equiv", "").replace("http.server", "").replace(
        "http://www.w3.org/2000/svg", ""
    )


def test_a_site_with_a_folder_names_no_address(tmp_path):
    write_site(str(tmp_path / "site"), offered(), str(pyodide_like(tmp_path / "pyodide")))
    index = (tmp_path / "site" / "index.html").read_text()
    assert NETWORK not in index and "connect-src 'self';" in index
    assert (tmp_path / "site" / "pyodide" / "numpy.whl").read_text() == "numpy"


def test_the_package_in_it_is_whole_and_always_the_same():
    archive = package_zip()
    names = zipfile.ZipFile(io.BytesIO(archive)).namelist()
    assert {"referee/cli/browser.py", "referee/pages/inspector/assets/main.js", "referee/metrics/muc.py"} <= set(names)
    assert {"referee/reports/shell.py", "referee/reports/shell.css", "referee/pages/inspector/assets/styles/page.css"} <= set(
        names
    )
    assert not [name for name in names if name.endswith(".pyc") or name.startswith("referee/pages/app/")]
    assert archive == package_zip()


@pytest.mark.parametrize("missing", [*CORE, "pyodide.asm.js", "numpy.whl"])
def test_a_folder_without_a_file_of_pyodide_is_refused(tmp_path, missing):
    (pyodide_like(tmp_path / "pyodide") / missing).unlink()
    with pytest.raises(OptionError, match=f"found no {missing}; expected a folder with Pyodide"):
        write_site(str(tmp_path / "site"), {}, str(tmp_path / "pyodide"))
    assert not (tmp_path / "site").exists()


@pytest.mark.parametrize("text", ["", "[]", '{"packages": {}}'])
def test_a_list_of_packages_that_cannot_be_read_is_refused(tmp_path, text):
    (pyodide_like(tmp_path / "pyodide") / "pyodide-lock.json").write_text(text)
    with pytest.raises(OptionError, match="files that cannot be read"):
        write_site(str(tmp_path / "site"), {}, str(tmp_path / "pyodide"))


def test_another_numpy_than_the_list_names_is_refused(tmp_path):
    (pyodide_like(tmp_path / "pyodide") / "numpy.whl").write_text("another")
    with pytest.raises(OptionError, match="another SHA-256"):
        write_site(str(tmp_path / "site"), {}, str(tmp_path / "pyodide"))


def test_a_folder_that_cannot_be_written_is_a_mistake_in_one_line(tmp_path):
    (tmp_path / "file").write_text("")
    done = referee("app", "-o", str(tmp_path / "file" / "site"))
    assert done.status == 2 and len(done.errors) == 1


def test_every_option_of_the_page_is_one_of_the_command():
    for verb, names in OFFERED.items():
        found = offered()[verb]
        assert isinstance(found, dict)
        assert [option["name"] for option in found["options"][: found["first"]]] == list(names)
        assert not any(option["name"] in ("--output", "--report", "--help") for option in found["options"])


def test_the_options_of_a_task_are_filled_in_and_its_key_is_not_there(tmp_path):
    done = referee("app", "-o", str(tmp_path / "site"), "--task", str(EXAMPLES / "task.toml"))
    assert done.status == 0
    assert "<h1>Lighthouses <small>" in (tmp_path / "site" / "index.html").read_text()
    settings = (tmp_path / "site" / "settings.json").read_text()
    verbs = json.loads(settings)["verbs"]
    filled = {verb: {o["name"]: o["value"] for o in of["options"] if o["value"]} for verb, of in verbs.items()}
    task = {"--metrics": "conll,muc,b_cubed,ceaf_e", "--singletons": "drop"}
    assert {verb: values for verb, values in filled.items() if values} == dict.fromkeys(("score", "compare", "inspect"), task)
    assert "key.conll" not in settings.replace("referee score key.conll", "")


def test_what_the_page_does_not_have_is_refused_in_a_task(tmp_path):
    (tmp_path / "task.toml").write_text('by = "genre"\nmetadata = "documents.tsv"\n')
    done = referee("app", "-o", str(tmp_path / "site"), "--task", str(tmp_path / "task.toml"))
    assert (done.status, "found metadata in" in done.err) == (2, True)
