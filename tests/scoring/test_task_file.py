"""The file of a task: what it says is what options of the command say."""

import re

import pytest

import referee
from referee.basics.exceptions import FormatError
from referee.scoring.task_file import KEYS, OPTIONS, read_task
from tests.support.command import told
from tests.support.paths import EXAMPLES

TASK = """\
name = "Two texts"
key = "gold/key.conll"
profile = "conll-8.01"
metrics = ["muc", "lea"]
by = "document"

[options]
singletons = "drop"
items = "union"
beta = 2
documents = ["light*", "orchard"]
zero_division = nan

[limits]
lea = 40
muc.recall = 70.5
"""


@pytest.fixture
def here(tmp_path):
    """A folder with a task, its key in another folder, and responses."""
    (tmp_path / "gold").mkdir()
    (tmp_path / "gold/key.conll").write_text((EXAMPLES / "key.conll").read_text())
    for name in ("response.conll", "second.jsonlines"):
        (tmp_path / name).write_text((EXAMPLES / name).read_text())
    (tmp_path / "task.toml").write_text(TASK)
    (tmp_path / "open.toml").write_text(TASK.replace('key = "gold/key.conll"\n', ""))
    return tmp_path


def test_what_it_says(here):
    task = read_task(here / "task.toml")
    assert (task.name, task.key, task.grouping) == ("Two texts", str(here / "gold/key.conll"), {"by": "document"})
    assert task.limits == {"lea": 40, "muc.recall": 70.5}
    assert task.options["metrics"] == ["muc", "lea"]
    e = referee.score(task.key, here / "response.conll", **task.options)
    assert (e.options.profile, e.options.singletons, e.options.beta) == ("conll-8.01", "drop", 2)
    assert read_task(here / "open.toml").key is None


OPTIONS_OF_TASK = (
    *("--profile", "conll-8.01", "-m", "muc,lea", "--singletons", "drop", "--items", "union", "--beta", "2"),
    *("--documents", "light*", "--documents", "orchard", "--zero-division", "nan"),
)


@pytest.mark.parametrize("files", [["--task", "task.toml"], ["gold/key.conll", "--task", "open.toml"]])
def test_the_command_does_as_with_its_options(here, files):
    responses = ("response.conll", "second.jsonlines")
    limits = ("--by", "document", "--fail-under", "lea=40,muc.recall=70.5")
    plain = told("score", "gold/key.conll", *responses, *OPTIONS_OF_TASK, *limits, cwd=here)
    done = told("score", *files, *responses, cwd=here)
    assert done.status in (0, 1)
    assert done == plain._replace(out=done.out)
    assert done.out.replace(str(here) + "/", "") == plain.out
    plain = told("compare", "gold/key.conll", *responses, *OPTIONS_OF_TASK, "--by", "document", cwd=here)
    assert told("compare", *files, *responses, cwd=here).out == plain.out
    accepted = told("validate", *responses, "--key", "gold/key.conll", *OPTIONS_OF_TASK, cwd=here)
    keys = ["--key", files[0]] * (len(files) > 2)
    assert told("validate", *keys, *files[-2:], *responses, cwd=here) == accepted


def test_options_of_the_command_go_before(here):
    done = told("score", "--task", "task.toml", "response.conll", "-m", "muc", "--profile", "ua-2.0", cwd=here)
    assert "| muc | " in done.out
    assert "profile:ua-2.0" in done.out


def test_limits_are_those_of_fail_under(here):
    (here / "task.toml").write_text(TASK.replace("lea = 40", "lea = 99"))
    done = told("score", "--task", "task.toml", "response.conll", cwd=here)
    assert (done.status, "lea is " in done.err) == (1, True)


def test_a_board_has_its_name_and_key(here):
    done = told("board", "--task", "task.toml", "response.conll", "second.jsonlines", "-o", "site", cwd=here)
    assert done.status == 0
    assert "<h1>Two texts</h1>" in (here / "site/index.html").read_text()
    done = told("board", "gold/key.conll", "-o", "other", cwd=here)
    assert (done.status, "found no response" in done.err) == (2, True)


def test_files_are_validated_alone_where_nobody_names_a_key(here):
    done = told("validate", "--task", "open.toml", "response.conll", cwd=here)
    assert (done.status, "response.conll: no errors" in done.out) == (0, True)
    assert told("validate", "--task", "open.toml", "response.conll", "--match", "head", cwd=here).status == 2


def test_the_key_is_no_response(here):
    done = told("score", "--task", "task.toml", "gold/key.conll", "response.conll", cwd=here)
    assert (done.status, "is the key that task.toml names; expected responses alone" in done.err) == (2, True)


WORDS = "".join(f"{n}\tAnn\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1-person-1)\n" for n in (1, 2)) + "\n"


def test_importance_by_type_is_a_table(tmp_path):
    (tmp_path / "task.toml").write_text("[options]\nlea_importance = {person = 2}\n")
    assert read_task(tmp_path / "task.toml").options["lea_importance"] == {"person": 2}
    (tmp_path / "key.conllu").write_text("# global.Entity = eid-etype-head\n# newdoc id = d\n# sent_id = 1\n" + WORDS)
    done = told("score", "key.conllu", "key.conllu", "--task", "task.toml", "-m", "lea", cwd=tmp_path)
    assert (done.status, "lea:person=2" in done.out) == (0, True)


WRONG = [
    ("nmae = 'x'", "no key of a task named 'nmae'; did you mean name"),
    ("singletons = 'drop'", "found singletons among the keys of the task; expected it below [options]"),
    ("metrics = ['mucc']", "no metric named 'mucc'"),
    ("metrics = 3", "metrics: found 3; expected names, as a text or a list"),
    ("key = ['a']", "key: found ['a']; expected a text"),
    ("profile = 'conll-9'", "no profile named 'conll-9'"),
    ("[options]\nsingeltons = 'drop'", "no option of a task named 'singeltons'; did you mean singletons"),
    ("[options]\nrepeated-mentions = 'merge'", "no option of a task named 'repeated-mentions'; did you mean repeated_mentions"),
    ("[options]\nprofile = 'ua-2.0'", "no option of a task named 'profile'"),
    ("[options]\nsingletons = 'no'", "singletons is keep or drop"),
    ("[options]\nbeta = 'x'", "beta is a number above 0"),
    ("[limits]\nconl = 40", "no metric named 'conl'"),
    ("[limits]\nconll = 0.4", "0.4"),
    ("[limits]\nconll = '40'", "limits.conll: found '40'; expected a percentage"),
    ("[limits]\nmuc.recal = 40", "no side named 'recal'"),
    ("options = 3", "options: found 3; expected a table"),
    ("name = 'x'\nkey = ]", "task.toml:2: is no TOML"),
]


@pytest.mark.parametrize(("text", "problem"), WRONG, ids=[text.replace("\n", " ") for text, _ in WRONG])
def test_what_is_no_task_is_refused_with_what_is_meant(tmp_path, text, problem):
    path = tmp_path / "task.toml"
    path.write_text(text)
    with pytest.raises(FormatError, match=re.escape(problem)) as raised:
        read_task(path)
    assert str(raised.value).startswith(str(path))


def test_every_option_of_a_task_is_one_of_each_verb_that_takes_tasks(here):
    from referee.cli.main import parser

    for verb in ("score", "compare", "validate", "board"):
        args = parser(verb).parse_args([verb, "x", "-o", "y"] if verb == "board" else [verb, "x"])
        assert {*vars(args)} >= OPTIONS, verb
    assert {"options", "limits", "by"} <= {*KEYS}


def test_without_a_reader_of_toml_the_message_names_the_extra(here, monkeypatch):
    import referee.basics.toml as module

    monkeypatch.setattr(module, "import_module", lambda name: (_ for _ in ()).throw(ModuleNotFoundError(name)))
    done = told("score", "--task", "task.toml", "response.conll", cwd=here)
    assert (done.status, done.err) == (
        2,
        "referee: error: a TOML file on Python 3.10 needs an extra: pip install 'referee[toml]'\n",
    )
