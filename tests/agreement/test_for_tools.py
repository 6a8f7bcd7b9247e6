"""From annotations to a tool and back: what is to be adjudicated, and documents for a second annotation."""

import json

import pytest

from referee import RefereeWarning, inputs, read
from referee.agreement import sample
from referee.basics.exceptions import OptionError
from referee.corpus import CorpusBuilder
from referee.corpus.lossy import blank
from referee.inputs.registry import load_format
from tests.support.command import referee
from tests.support.paths import EXAMPLES

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"

STILL = "of the type undecided, still to be adjudicated: join each to its entity, delete it or give another type"


def documents(*annotations):
    """Documents d0, d1, ... of the words a b c, each with these clusters."""
    return [
        {"doc_key": f"d{n}", "sentences": [["a", "b", "c"]], "clusters": json.loads(clusters)}
        for n, clusters in enumerate(annotations)
    ]


def written(path, *annotations):
    path.write_text("".join(json.dumps(document) + "\n" for document in documents(*annotations)))
    return path


@pytest.fixture
def two(tmp_path):
    """Two annotators, of whom only the first has the mention c."""
    return written(tmp_path / "a.jsonl", "[[[0,0],[1,1]],[[2,2]]]"), written(tmp_path / "b.jsonl", "[[[0,0],[1,1]]]")


def test_an_adjudication_is_told_as_unfinished_by_every_verb_until_it_is_done(two, tmp_path):
    assert referee("agree", *two, "--adjudicate", "todo.ann", cwd=tmp_path).status == 0
    said = f"referee: warning: todo.ann: has 1 mention {STILL}"
    for call in (("validate", "todo.ann"), ("score", two[0], "todo.ann", "-q"), ("convert", "todo.ann", "x.jsonlines")):
        done = referee(*call, cwd=tmp_path)
        assert done.status == 0 and said in done.errors, call
    assert "has entity types, which conll cannot hold" in referee("convert", "todo.ann", "x.conll", cwd=tmp_path).err
    left_out = referee("convert", "todo.ann", "x.conll", "--lossy", cwd=tmp_path)
    assert left_out.status == 0 and said in left_out.errors

    with (tmp_path / "todo.ann").open("a", encoding="utf-8") as file:
        file.write("R9\tCoreference Arg1:T3 Arg2:T1\n")  # the annotator joins c to a, and leaves the label
    assert "undecided" not in referee("validate", "todo.ann", cwd=tmp_path).err
    done = referee("convert", "todo.ann", "final.conll", cwd=tmp_path)
    assert done.status == 0 and "undecided" not in done.err
    assert read(tmp_path / "final.conll").entity.tolist() == [0, 0, 0]


def test_the_files_of_a_folder_are_counted_together(tmp_path):
    both = written(tmp_path / "a.jsonl", "[[[0,0]],[[2,2]]]", "[[[0,0]]]"), written(tmp_path / "b.jsonl", "[]", "[[[1,1]]]")
    assert referee("agree", *both, "--adjudicate", "todo", "--to", "brat", cwd=tmp_path).status == 0
    with pytest.warns(RefereeWarning) as caught:
        read(tmp_path / "todo")
    first = tmp_path / "todo" / "d0.ann"
    assert [str(w.message) for w in caught] == [f"{tmp_path / 'todo'}: has 4 mentions {STILL} (in 2 files, the first {first})"]


def test_nothing_is_written_if_one_of_two_files_is_refused(two, tmp_path):
    """The folder, and what the writer of a format refuses itself."""
    done = referee("agree", *two, "--merged", "m.conll", "--adjudicate", "todo.conll", cwd=tmp_path)
    assert done.status == 2 and "such as todo/ --to brat" in done.err and "lossy" not in done.err
    blanks = [tmp_path / "c.jsonl", tmp_path / "d.jsonl"]
    for path, source in zip(blanks, two, strict=True):
        path.write_text(source.read_text().replace('"b"', '"b b"'))
    done = referee("agree", *blanks, "--merged", "m.conll", "--adjudicate", "todo.ann", cwd=tmp_path)
    assert done.status == 2 and "or --lossy (lossy=True) to leave that out" in done.err
    assert not [path for path in tmp_path.iterdir() if path.suffix != ".jsonl"]
    assert referee("agree", *blanks, "--adjudicate", "todo.ann", "--lossy", cwd=tmp_path).status == 0
    assert (tmp_path / "todo.ann").exists()


def test_records_that_are_undecided_have_no_file_but_a_list(tmp_path):
    for name, rows in {"a": "x,1\ny,1\nz,2\n", "b": "x,1\ny,2\nz,3\n"}.items():
        (tmp_path / f"{name}.csv").write_text(f"item,entity\n{rows}")
    done = referee("agree", "a.csv", "b.csv", "--adjudicate", "todo.csv", cwd=tmp_path)
    assert done.status == 2 and "2 undecided mentions from others; referee agree --by undecided lists them" in done.err


# A random sample of one annotation.


def test_a_random_sample_is_drawn_from_one_annotation(tmp_path):
    path = written(tmp_path / "a.jsonl", *["[[[0,0],[1,1]]]"] * 10)
    chosen = sample(path, random=4, seed=2)
    assert [(d.why, d.mentions) for d in chosen.documents] == [("random", 2)] * 4
    assert [*chosen.corpus.doc_ids] == [d.document for d in chosen.documents] and chosen.of == 10
    assert sample([path], 0, random=4, seed=2).to_rows() == chosen.to_rows()
    assert {d for seed in range(60) for d in sample(path, random=1, seed=seed).corpus.doc_ids} == {f"d{n}" for n in range(10)}
    assert set(chosen.to_rows()[0]) == {"document", "why", "mentions"}
    assert "harder" not in str(chosen) and "seed:2" in chosen.signature


@pytest.mark.parametrize("numbers", [(None, 0), (1, 1), (0, -1)])
def test_disagreement_is_not_of_one_annotation(numbers):
    with pytest.raises(OptionError, match=r"^found 1 annotation with .*; expected --random alone, of 1 or more"):
        sample(KEY, numbers[0], random=numbers[1])
    with pytest.raises(OptionError, match=r"^found --random 3; expected at most 2 documents"):
        sample(KEY, random=3)


@pytest.mark.parametrize("to", [name for name in inputs.written() if "words" in load_format(name).writable])
def test_documents_are_written_blank_for_an_independent_annotation(to, tmp_path):
    done = referee("sample", KEY, "--random", 2, "--write", "next", "--to", to, "--blank", cwd=tmp_path)
    assert done.status == 0
    again, key = read(tmp_path / "next", format=to), read(KEY)
    assert len(again.document) == 0 and len(again.doc_ids) == 2
    assert again.text is not None and key.text is not None
    assert [[*words.tokens] for words in again.text.words] == [[*words.tokens] for words in key.text.words]


def test_several_annotations_are_written_blank_too(tmp_path):
    done = referee("sample", KEY, RESPONSE, "-n", 2, "--write", "next.conll", "--blank", cwd=tmp_path)
    assert done.status == 0 and len(read(tmp_path / "next.conll").document) == 0
    with_undecided = referee("sample", KEY, RESPONSE, "-n", 2, "--write", "more.conll", cwd=tmp_path)
    assert with_undecided.status == 2 and "undecided mentions from others" in with_undecided.err


def test_blank_has_words_and_nothing_else():
    corpus = read(EXAMPLES / "ferry.conllu")
    assert len(corpus.features) > 3
    assert blank(corpus).features == {"spans", "words"}
    assert blank(corpus).doc_ids == corpus.doc_ids and len(blank(corpus).document) == 0
    builder = CorpusBuilder("x")
    builder.document("d")
    builder.item("a", "1")
    with pytest.raises(OptionError, match=r"^x: found no words"):
        blank(builder.corpus())


def test_the_single_annotation_keeps_what_the_format_holds(tmp_path):
    source = EXAMPLES / "ferry.conllu"
    done = referee("sample", source, "--random", 1, "--write", "a.jsonl", cwd=tmp_path)
    assert done.status == 0 and "left out what jsonlines cannot hold: heads (31) and mention types (31)" in done.err
    done = referee("sample", source, "--random", 1, "--write", "a.conllu", cwd=tmp_path)
    assert done.status == 0 and read(tmp_path / "a.conllu") == read(source)


def test_options_of_a_file_need_the_file():
    for option in (["--blank"], ["--to", "brat"]):
        assert f"{option[0]} is for --write; expected both, or neither" in referee("sample", KEY, *option).err


CONLLU = """# newdoc id = d
# global.Entity = eid-etype-head-other
# sent_id = s
1	Ann	Ann	PROPN	NNP	_	2	nsubj	_	Entity=(e1-person-1-x)
2	saw	see	VERB	VBD	_	0	root	_	_
3	her	her	PRON	PRP$	_	4	det	_	Entity=(e2-dog-2-(e1-person-1-)
4	dog	dog	NOUN	NN	_	2	obj	_	Entity=e2)|SpaceAfter=No

"""


def test_the_file_of_the_first_annotator_is_written_again(tmp_path):
    others = CONLLU.replace("(e1-person-1-x)", "(e3-person-1-)"), CONLLU
    for name, text in zip(("a", "b", "c"), (CONLLU, *others), strict=True):
        (tmp_path / f"{name}.conllu").write_text(text)
    three, two = ([f"{name}.conllu" for name in names] for names in ("abc", "ab"))
    assert referee("agree", *three, "--merged", "m.conllu", cwd=tmp_path).status == 0
    assert (tmp_path / "m.conllu").read_text() == CONLLU
    assert referee("agree", *two, "--adjudicate", "t.conllu", cwd=tmp_path).status == 0
    tie = "a for, b against one entity with “{0}” ({1}); candidates: “{0}” ×1 (a), an entity of its own (b)"
    notes = "|Undecided=e1: " + tie.format("her", "2-3"), "|Undecided=e3: " + tie.format("Ann", "0-1")
    undecided = CONLLU.replace("(e1-person-1-x)", f"(e1-undecided-1-x){notes[0]}")
    undecided = undecided.replace("(e1-person-1-)", f"(e3-undecided-1-){notes[1]}")
    assert (tmp_path / "t.conllu").read_text() == undecided
