"""What systems are called: by their files, without endings, and with as many folders as tell them apart."""

import pytest

import referee
from referee import OptionError
from referee.basics.system_names import name_of, names_of, system_meant
from tests.support.command import referee as command

KEY = '[["a", "b", "c"], ["d"]]'
GOOD, BAD = '[["a", "b"], ["c"], ["d"]]', '[["a", "d"], ["c"], ["b"]]'


@pytest.fixture
def here(tmp_path):
    for name, text in {"key.json": KEY, "p1/out.json": GOOD, "p2/out.json": BAD, "last.v2.json": GOOD}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    return tmp_path


@pytest.mark.parametrize(
    ("paths", "names"),
    [
        (["a.conll", "b.jsonlines.gz"], ["a", "b"]),
        (["/x/p1/out.conll", "/x/p2/out.csv"], ["p1/out", "p2/out"]),
        (["p1/run/out.conll", "p2/run/out.conll", "p3/last"], ["p1/run/out", "p2/run/out", "last"]),
        (["out.conll", "../out.conll"], ["out", "../out"]),
        (["x/out.conll", "x/out.conll.gz"], ["out.conll", "out.conll.gz"]),
        (["system.v1", "system.v2"], ["system.v1", "system.v2"]),
        (["llama-3.1", "llama-3.2", ".hidden", "-"], ["llama-3.1", "llama-3.2", ".hidden", "stdin"]),
        (["/", "x/"], ["/", "x"]),
    ],
)
def test_names_are_as_long_as_it_takes_to_tell_files_apart(paths, names):
    assert names_of(paths) == names


def test_a_folder_has_no_ending(tmp_path):
    (tmp_path / "system.large").mkdir()
    assert name_of(f"{tmp_path}/system.large/") == "system.large"
    assert name_of(f"{tmp_path}/system.small") == "system"


@pytest.mark.parametrize("paths", [["a.conll", "a.conll"], ["a.conll", "./a.conll"], ["-", "-"]])
def test_one_file_twice_is_refused_with_the_remedy(paths):
    with pytest.raises(OptionError, match=r"^found '.*' twice; expected different files, or --names$"):
        names_of(paths)


@pytest.mark.parametrize("given", ["out1", "x/out1.conll", "./x/out1.conll", "out1.conll"])
def test_a_baseline_is_a_name_or_a_file(given):
    assert system_meant(given, {"out1": "x/out1.conll", "out2": "x/out2.conll"}) == "out1"


def test_what_means_two_systems_means_none():
    assert system_meant("out.conll", {"p1/out": "p1/out.conll", "p2/out": "p2/out.conll"}) == "out.conll"


@pytest.mark.parametrize("verb", ["score", "compare", "agree", "correlate"])
def test_all_verbs_call_a_system_the_same(here, verb):
    files = ["key.json", "p1/out.json", "p2/out.json", "last.v2.json"]
    how = ["-m", "links,b_cubed", *(["--ranks"] if verb == "correlate" else [])]
    done = command(verb, *(files if verb != "agree" else files[1:]), *how, cwd=here)
    assert done.status == 0, done.err
    assert {"p1/out", "p2/out", "last.v2"} <= set(done.out.split())
    assert ".json" not in done.out


def test_the_python_door_calls_them_so_too(here):
    files = [here / "p1/out.json", str(here / "p2/out.json"), referee.read(here / "last.v2.json")]
    found = referee.compare(here / "key.json", files, baseline=str(here / "p2/out.json"), metrics=["links"])
    assert (found.systems, found.baseline) == (("p1/out", "p2/out", "last.v2"), "p2/out")
    assert referee.score(here / "key.json", here / "p1/out.json").name == "out"
    page = referee.inspect(here / "key.json", *files)
    assert [e.name for e in page.evaluations] == ["p1/out", "p2/out", "last.v2"]


def test_corpora_have_the_names_of_their_files_if_these_are_the_same_in_all(here):
    corpora = ["--corpus", "x=key.json,p1/out.json,last.v2.json", "--corpus", "y=key.json,p2/out.json,last.v2.json"]
    alike = command("compare", *corpora, "-m", "links", "--baseline", "last.v2", cwd=here)
    assert alike.status == 0, alike.err
    assert "out − last.v2 (macro): links " in alike.out
    corpora[3] = "y=key.json,last.v2.json,p2/out.json"
    other = command("compare", *corpora, "-m", "links", cwd=here)
    assert "system 2 − system 1 (macro): links " in other.out
