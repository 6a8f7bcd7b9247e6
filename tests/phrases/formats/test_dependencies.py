"""Treebanks of Universal Dependencies as chunks: what is read, what is refused, and models that are fitted to them."""

import gzip

import pytest

from referee.basics.exceptions import FormatError
from referee.formats.shared.source import Source
from referee.phrases.formats.reading import detect, read
from tests.support.command import referee as command

ROWS = """# newdoc id = a
# global.Entity = eid-etype-head-other
1\tThe\tthe\tDET\tDT\t_\t2\tdet\t_\tEntity=(e1
2\tcat\tcat\tNOUN\tNN\t_\t3\tnsubj\t_\tEntity=e1)
3\tslept\tsleep\tVERB\tVBD\t_\t0\troot\t_\t_

1\tShe\tshe\tPRON\tPRP\t_\t2\tnsubj\t_\tEntity=(e1)
2\tpurred\tpurr\tVERB\tVBD\t_\t0\troot\t_\t_
2.1\tsoftly\tsoftly\tADV\tRB\t_\t_\t_\t2:advmod\t_
3\t.\t.\tPUNCT\t.\t_\t2\tpunct\t_\t_

"""


def source(text):
    return Source("bank.conllu", text.encode())


def test_chunks_tags_and_the_names_of_sentences():
    found = read(source(ROWS), format="dependencies")
    assert found.triples() == [[("NP", 0, 2), ("VP", 2, 3)], [("NP", 0, 1), ("VP", 1, 2), ("Null", 2, 3)]]
    assert found.sentences.tags == [["DET.DT", "NOUN.NN", "VERB.VBD"], ["PRON.PRP", "VERB.VBD", "PUNCT.."]]
    assert found.sentences.words == [["The", "cat", "slept"], ["She", "purred", "."]]
    assert found.sentences.ids == read(source(ROWS), format="mentions").sentences.ids == ("a:1", "a:2")


def test_tags_are_upos_where_no_word_has_an_xpos():
    lines = [line.split("\t") for line in ROWS.split("\n")]
    bare = "\n".join("\t".join([*cells[:4], "_", *cells[5:]]) if len(cells) > 1 else cells[0] for cells in lines)
    assert read(source(bare), format="dependencies").sentences.tags == [["DET", "NOUN", "VERB"], ["PRON", "VERB", "PUNCT"]]


def test_without_its_name_the_file_is_one_of_mentions():
    assert detect(source(ROWS)) == "mentions"


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        (
            "3\tnsubj\t_\tEntity=e1)",
            "4\tnsubj\t_\tEntity=e1)",
            "bank.conllu:4: found the HEAD '4'; expected 0 for a root, or a",
        ),
        ("0\troot\t_\t_\n\n1\tShe", "_\t_\t_\t_\n\n1\tShe", "bank.conllu:5: found the HEAD '_'; expected 0 for a root"),
        ("0\troot\t_\t_\n\n1\tShe", "2\troot\t_\t_\n\n1\tShe", "bank.conllu:.: found HEADs that run in a circle"),
    ],
)
def test_wrong_trees_are_refused_with_their_line(old, new, message):
    assert ROWS.count(old) == 1
    with pytest.raises(FormatError, match=message):
        read(source(ROWS.replace(old, new)), format="dependencies")


def test_the_shipped_model_needs_tags_and_no_trees(tmp_path):
    lines = [line.split("\t") for line in ROWS.split("\n")]
    bare = "\n".join("\t".join([*cells[:6], "_", "_", *cells[8:]]) if len(cells) > 1 else cells[0] for cells in lines)
    (tmp_path / "in.conllu").write_text(bare)
    done = command("phrases", "predict", "chunks", "in.conllu", "--format", "dependencies", "--parse", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert [line.split()[-1] for line in done.out.split("\n") if line] == ["B-NP", "I-NP", "B-VP", "B-NP", "B-VP", "O"]


def test_tags_of_another_kind_are_refused(tmp_path):
    (tmp_path / "in.txt").write_text("The DT B-NP\ncat NN I-NP\n")
    done = command("phrases", "predict", "chunks", "in.txt", cwd=tmp_path)
    assert done.status == 2
    assert "in.txt: model C does not know 100% of the tags, such as DT; expected tags such as ADJ." in done.err


def test_a_model_is_fitted_to_a_treebank_and_predicts_its_chunks(tmp_path):
    (tmp_path / "bank.conllu").write_text(ROWS)
    with gzip.open(tmp_path / "second.conllu.gz", "wt") as file:
        file.write(ROWS)
    options = ("--second", "second.conllu.gz", "--format", "dependencies", "-o", "model.json")
    assert command("phrases", "fit", "bank.conllu", "--model", "S(C)", *options, cwd=tmp_path).status == 0
    options = ("--format", "dependencies", "-o", "candidates.jsonl")
    assert command("phrases", "predict", "model.json", "bank.conllu", *options, cwd=tmp_path).status == 0
    parse = command("phrases", "predict", "model.json", "bank.conllu", "--format", "dependencies", "--parse", cwd=tmp_path)
    assert parse.out.split("\n")[:3] == ["The DET.DT B-NP", "cat NOUN.NN I-NP", "slept VERB.VBD B-VP"]
    score = (
        "phrases",
        "score",
        "bank.conllu",
        "candidates.jsonl",
        "--key-format",
        "dependencies",
        "-q",
        "-m",
        "bits_per_sentence",
    )
    done = command(*score, cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    assert 0 < float(done.out) < 3 * 3 * 4  # a bit a candidate is what guessing costs: 6 spans a sentence, of 3 categories
