import pytest

from referee import inputs
from referee.basics.exceptions import FormatError
from referee.corpus.columns import MENTION_TYPES
from tests.support.reading import entities_of, source_of

# The beginning of BookNLP's example of Emma, its columns shortened to what it says of the first mentions.
ENTITIES = """\
COREF	start_token	end_token	prop	cat	text
123	0	1	PROP	PER	Emma Woodhouse
403	5	6	NOM	LOC	the world
123	8	8	PRON	PER	She
"""
HEADER = (
    "paragraph_ID	sentence_ID	token_ID_within_sentence	token_ID_within_document	word	lemma	byte_onset	"
    "byte_offset	POS_tag	fine_POS_tag	dependency_relation	syntactic_head_ID	event\n"
)
WORDS = [(0, "Emma"), (0, "Woodhouse"), (0, "had"), (0, "lived"), (0, "in"), (0, "the"), (0, "world"), (0, "."), (1, "She")]
TOKENS = HEADER + "".join(f"0\t{s}\t{n}\t{n}\t{word}\t{word}\t0\t0\tX\tX\tdep\t0\tO\n" for n, (s, word) in enumerate(WORDS))


@pytest.fixture
def emma(tmp_path):
    (tmp_path / "emma.entities").write_text(ENTITIES)
    (tmp_path / "emma.tokens").write_text(TOKENS)
    return tmp_path / "emma.entities"


def test_mentions_are_read_with_the_words_beside_them(emma):
    corpus = inputs.read(emma)
    assert entities_of(corpus) == {"#1": {"123": [(0, 2), (8, 9)], "403": [(5, 7)]}}
    document = corpus.documents["#1"]
    assert [m.text for m in document.mentions] == ["Emma Woodhouse", "the world", "She"]
    assert list(document.sentences) == [0, 8]
    assert list(corpus.entity_types or ()) == ["PER", "LOC"]
    assert [MENTION_TYPES[c] for c in corpus.mention_types.tolist()] == ["name", "nominal", "pronoun"]


def test_mentions_without_coreference_are_entities_of_their_own(emma):
    emma.write_text(ENTITIES.replace("123\t", "-1\t"))
    assert [len(e.mentions) for e in inputs.read(emma).documents["#1"].entities] == [1, 1, 1]


def test_a_missing_file_of_words_is_named(emma):
    (emma.parent / "emma.tokens").unlink()
    with pytest.raises(FormatError, match=r"needs the file emma\.tokens beside it; found none"):
        inputs.read(emma)
    with pytest.raises(FormatError, match="beside it; found none"):
        inputs.read(source_of(ENTITIES))


@pytest.mark.parametrize(
    ("row", "problem"),
    [
        ("1\t7\t9\tNOM\tPER\tx", "found the tokens '7' to '9'; expected 0 <= start_token <= end_token < 9"),
        ("1\t3\t2\tNOM\tPER\tx", "found the tokens '3' to '2'"),
        ("1\t-1\t2\tNOM\tPER\tx", "found the tokens '-1' to '2'"),
        ("1\t1000000000000000000000000\t2\tNOM\tPER\tx", "found the tokens '1000"),
        ("1\tx\t2\tNOM\tPER\tx", "found the tokens 'x' to '2'"),
        ("1\t2", "has 2 columns; expected at least 5, separated by tabs"),
    ],
)
def test_a_fault_names_line_and_problem(emma, row, problem):
    emma.write_text(f"{ENTITIES}{row}\n")
    with pytest.raises(FormatError, match=f"emma.entities:5: {problem}"):
        inputs.read(emma)
    assert len(inputs.validate(emma)) == 1


@pytest.mark.parametrize(
    ("tokens", "problem"),
    [
        (TOKENS.replace("\t3\t3\tlived", "\t3\t4\tlived"), "emma.tokens:5: found token_ID_within_document '4'; expected 3"),
        (TOKENS.replace("\tword\t", "\tform\t"), "emma.tokens:1: found no column word; expected sentence_ID, "),
        (TOKENS.replace("\tdep\t0\tO\n", "", 1), "emma.tokens:2: has|emma.tokens:3: found token_ID"),
    ],
)
def test_a_fault_in_the_words_names_their_file(emma, tokens, problem):
    (emma.parent / "emma.tokens").write_text(tokens)
    with pytest.raises(FormatError, match=problem):
        inputs.read(emma)


def test_other_tables_are_not_taken_for_it():
    assert inputs.detect(source_of("item\tentity\na\t1\n")) == "tsv"
