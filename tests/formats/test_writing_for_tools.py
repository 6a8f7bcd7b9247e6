"""Files for annotation tools: a file or two for each document, in a folder if there are several."""

import os
from dataclasses import replace

import numpy as np
import pytest

from referee import inputs, score
from referee.basics.exceptions import FormatError, OptionError
from referee.corpus.lossy import without
from tests.support.command import referee
from tests.support.paths import EXAMPLES
from tests.support.reading import read_text

KEY, RESPONSE = EXAMPLES / "key.conll", EXAMPLES / "response.conll"
TOOLS = ("webanno", "brat", "labelstudio")


def corpus_of(*words, name="d"):
    """A document with a mention that is its first word."""
    rows = "".join(f"{name} 0 {n} {word} {'(1)' if n == 0 else '-'}\n" for n, word in enumerate(words))
    return read_text(f"#begin document ({name}); part 000\n{rows}\n#end document\n", "conll")


@pytest.mark.parametrize("tool", TOOLS)
def test_a_response_written_for_a_tool_scores_as_before(tool, tmp_path):
    target = tmp_path / "out"
    inputs.write(inputs.read(RESPONSE), target, format=tool)
    assert inputs.detect(target) == tool
    before, after = score(KEY, RESPONSE), score(KEY, target)
    assert {name: before[name].value for name in before.metrics} == {name: after[name].value for name in before.metrics}


@pytest.mark.parametrize("tool", TOOLS)
def test_the_command_writes_them_too(tool, tmp_path):
    done = referee("convert", RESPONSE, tmp_path / "out", "--to", tool)
    assert (done.status, done.err) == (0, "")
    assert referee("validate", tmp_path / "out").status == 0


def test_names_with_slashes_are_folders_and_are_read_again(tmp_path):
    corpus = replace(inputs.read(RESPONSE), doc_ids=("nw/wsj/0001_0", "bc/cnn_0"))
    inputs.write(corpus, tmp_path / "out", format="brat")
    assert sorted(str(path.relative_to(tmp_path)) for path in tmp_path.rglob("*.ann")) == [
        "out/bc/cnn_0.ann",
        "out/nw/wsj/0001_0.ann",
    ]
    assert inputs.read(tmp_path / "out").select_documents(np.array([1, 0])) == corpus


def test_a_single_document_is_a_file_and_in_a_folder_it_keeps_its_name(tmp_path):
    corpus = corpus_of("Ann", "left", name="x")
    inputs.write(corpus, tmp_path / "a.ann")
    assert sorted(os.listdir(tmp_path)) == ["a.ann", "a.txt"]
    assert (tmp_path / "a.ann").read_text() == "T1\tMention 0 3\tAnn\n#1\tAnnotatorNotes T1\ttokens: blanks\n"
    assert (tmp_path / "a.txt").read_text() == "Ann left\n"
    inputs.write(corpus, f"{tmp_path}/folder/", format="webanno")
    assert inputs.read(tmp_path / "folder") == corpus


def test_a_mention_in_two_lines_or_parts_is_written_in_parts(tmp_path):
    text = "# newdoc id = d\n# global.Entity = eid-etype-head-other\n1\tOld\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1[1/2]-group-1-)\n"
    text += "2\tand\t_\t_\t_\t_\t0\t_\t_\t_\n3\tmen\t_\t_\t_\t_\t0\t_\t_\tEntity=(e1[2/2]-group-1-)\n\n"
    inputs.write(without(read_text(text), ["heads"]), tmp_path / "a.ann")
    assert (tmp_path / "a.ann").read_text().startswith("T1\tgroup 0 3;8 11\tOld men\n")


def test_a_text_that_is_there_already_is_not_replaced(tmp_path):
    (tmp_path / "a.txt").write_text("My diary\n")
    with pytest.raises(OptionError, match=r"a\.txt is there already, with another text; expected another name, or a folder"):
        inputs.write(corpus_of("Ann"), tmp_path / "a.ann")
    (tmp_path / "a.txt").write_text("Ann\n")
    inputs.write(corpus_of("Ann"), tmp_path / "a.ann")


@pytest.mark.parametrize(
    ("name", "problem"),
    [
        ("../../up", "document '../../up' cannot be written as a file's name"),
        ("/etc/x", "cannot be written as a file's name"),
        ("a//b", "cannot be written as a file's name"),
        (".hidden", "cannot be written as a file's name"),
        ("a\\b", "cannot be written as a file's name"),
        ("a\0b", "cannot be written as a file's name"),
        ("x" * 300, "cannot be written as a file's name"),
        ("ORCHARD", "documents 'ORCHARD' and 'orchard' cannot be told apart"),
    ],
)
@pytest.mark.parametrize("tool", ["webanno", "brat"])
def test_names_that_files_cannot_have_are_refused_before_anything_is_written(tool, name, problem, tmp_path):
    corpus = replace(inputs.read(RESPONSE), doc_ids=(name, "orchard"))
    with pytest.raises(FormatError) as caught:
        inputs.write(corpus, tmp_path / "out", format=tool)
    assert problem in str(caught.value)
    assert not os.listdir(tmp_path)


def test_a_folder_with_files_and_standard_output_are_refused(tmp_path):
    (tmp_path / "x").write_text("x")
    with pytest.raises(OptionError, match="is not empty; expected a new folder"):
        inputs.write(inputs.read(RESPONSE), tmp_path, format="webanno")
    with pytest.raises(OptionError, match="is a file; expected a new folder"):
        inputs.write(inputs.read(RESPONSE), tmp_path / "x", format="webanno")
    with pytest.raises(OptionError, match="expected a folder for 2 documents"):
        inputs.write(inputs.read(RESPONSE), "-", format="webanno")
    with pytest.raises(OptionError, match="brat has two files"):
        inputs.write(corpus_of("Ann"), "-", format="brat")


@pytest.mark.parametrize("tool", TOOLS)
@pytest.mark.parametrize("token", ["\u00a0", "\u2028", ""])
def test_tokens_that_a_tool_would_not_show_are_refused(tool, token, tmp_path):
    clusters = f'{{"doc_key": "d", "sentences": [["Ann", "{token}"]], "clusters": [[[0, 0]]]}}'
    with pytest.raises(FormatError, match=f"which {tool} cannot hold"):
        inputs.write(read_text(clusters), tmp_path / "out", format=tool)


@pytest.mark.parametrize("tool", ["brat", "labelstudio"])
def test_types_that_cannot_be_read_again_are_refused(tool, tmp_path):
    corpus = replace(corpus_of("Ann"), entity_types=["Mention"])
    with pytest.raises(FormatError, match=f"1 entity type .*'Mention'.*, which {tool} cannot hold"):
        inputs.write(corpus, tmp_path / "out", format=tool)


def test_links_are_written_as_they_are_listed(tmp_path):
    (tmp_path / "d.txt").write_text("a b c\n")
    (tmp_path / "d.ann").write_text(
        "T1\tX 0 1\ta\nT2\tX 2 3\tb\nT3\tX 4 5\tc\nR1\tCoref Arg1:T3 Arg2:T1\nR2\tCoref Arg1:T2 Arg2:T1\n"
    )
    corpus = inputs.read(tmp_path / "d.ann")
    inputs.write(corpus, tmp_path / "e.ann")
    relations = [line for line in (tmp_path / "e.ann").read_text().splitlines() if line.startswith("R")]
    assert relations == ["R1\tCoreference Arg1:T3 Arg2:T1", "R2\tCoreference Arg1:T2 Arg2:T1"]


def test_a_folder_that_is_a_file_is_named(tmp_path):
    (tmp_path / "x").write_text("x")
    with pytest.raises(OptionError, match=r"^cannot write .*x/a\.ann: not a directory$"):
        inputs.write(corpus_of("Ann"), tmp_path / "x" / "a.ann")
