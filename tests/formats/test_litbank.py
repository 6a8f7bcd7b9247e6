import pytest

from referee import inputs
from referee.basics.exceptions import FormatError
from referee.formats.shared.source import Source
from tests.support.reading import entities_of, source_of

# Two sentences of Bleak House, shortened, in the notation of LitBank's coref/tsv.
TEXT = "Fog on Lincoln 's Inn Hall .\n\nIt is a great hall , and she knew it .\n"
TABLE = """MENTION\tT1\t0\t2\t0\t5\tLincoln 's Inn Hall\tFAC\tPROP
MENTION\tT2\t2\t0\t2\t0\tIt\tFAC\tPRON
MENTION\tT3\t2\t2\t2\t4\ta great hall\tFAC\tNOM
MENTION\tT4\t2\t7\t2\t7\tshe\tPER\tPRON
COREF\tT1\tLincoln__s_Inn_Hall-0
COREF\tT2\tLincoln__s_Inn_Hall-0
COREF\tT4\tshe-1
COP\tT3\tT2
"""


pytestmark = pytest.mark.filterwarnings("ignore:.*ignored .* other than coreference")


def files(folder, table, text=TEXT):
    (folder / "bleak.ann").write_text(table)
    (folder / "bleak.txt").write_text(text)
    return str(folder / "bleak.ann")


def test_offsets_count_sentences_and_their_tokens_and_ends_are_inclusive(tmp_path):
    path = files(tmp_path, TABLE)
    assert inputs.detect(Source(path)) == "litbank"
    corpus = inputs.read(path)
    assert entities_of(corpus) == {"#1": {"Lincoln__s_Inn_Hall-0": [(2, 6), (7, 8)], "T3": [(9, 12)], "she-1": [(14, 15)]}}
    document = corpus.documents["#1"]
    assert [m.text for m in document.mentions] == ["Lincoln 's Inn Hall", "It", "a great hall", "she"]
    assert list(document.sentences) == [0, 7]  # the line without words is a sentence of the file, but not of the text


def test_kinds_are_classes_and_categories_types(tmp_path):
    corpus = inputs.read(files(tmp_path, TABLE))
    assert corpus.mention_types.tolist() == [3, 2, 4, 2]  # name, pronoun, nominal, pronoun
    assert list(corpus.entity_types) == ["FAC", "FAC", "PER"]


def test_a_mention_without_coref_is_a_singleton_even_if_an_entity_bears_its_id(tmp_path):
    corpus = inputs.read(files(tmp_path, TABLE.replace("she-1", "T3")))
    assert entities_of(corpus)["#1"] == {"Lincoln__s_Inn_Hall-0": [(2, 6), (7, 8)], "T3#": [(9, 12)], "T3": [(14, 15)]}


def test_a_folder_names_documents_by_their_files(tmp_path):
    files(tmp_path, TABLE)
    assert inputs.read(str(tmp_path)).doc_ids == ("bleak",)


def test_the_text_must_be_there(tmp_path):
    (tmp_path / "alone.ann").write_text(TABLE)
    with pytest.raises(FormatError, match=r"needs the file alone\.txt beside it"):
        inputs.read(str(tmp_path / "alone.ann"))
    with pytest.raises(FormatError, match=r"needs the file x\.txt beside it"):
        inputs.read(source_of(TABLE), format="litbank")


@pytest.mark.parametrize(
    ("bad", "problem"),
    [
        ("MENTION\tT9\t0\t2", r"found 'MENTION\\tT9\\t0\\t2'; expected MENTION with 8 fields"),
        ("QUOTE\tQ1\tshe-1", "found 'QUOTE"),
        ("MENTION\tT9\t3\t0\t3\t0\tIt\tFAC\tPRON", "found token 0 of sentence 3; the text has none"),
        ("MENTION\tT9\t1\t0\t1\t0\tIt\tFAC\tPRON", "found token 0 of sentence 1; the text has none"),
        ("MENTION\tT9\t0\t7\t0\t7\tIt\tFAC\tPRON", "found token 7 of sentence 0; the text has none"),
        ("MENTION\tT9\t0\t-1\t0\t1\tIt\tFAC\tPRON", "found token -1 of sentence 0"),
        (f"MENTION\tT9\t{'9' * 30}\t0\t0\t1\tIt\tFAC\tPRON", "found token 0 of sentence 9999"),
        ("MENTION\tT9\t0\t2\t0\t1\tIt\tFAC\tPRON", "mention T9 ends before it begins"),
        ("MENTION\tT9\t0\t0\t0\t0\tfog\tFAC\tNOM", "found the words 'fog', but the text has 'Fog' there"),
        ("MENTION\tT9\t0\t0\t0\t0\tFog\tFAC\tNOUN", "found the kind 'NOUN'; expected PROP, NOM or PRON"),
        ("MENTION\tT1\t0\t0\t0\t0\tFog\tFAC\tNOM", "mention T1 is there already"),
        ("COREF\tT9\tx-3", "COREF names T9, which is no mention"),
        ("COREF\tT1\tx-3", "mention T1 is in Lincoln__s_Inn_Hall-0 already"),
    ],
)
def test_a_fault_names_line_and_problem(tmp_path, bad, problem):
    path = files(tmp_path, f"{TABLE}{bad}\n")
    with pytest.raises(FormatError, match=rf"bleak\.ann:9: {problem}"):
        inputs.read(path, format="litbank")
    assert len(inputs.validate(path, format="litbank")) == 1


def test_a_fault_in_the_text_names_the_text(tmp_path):
    path = files(tmp_path, TABLE)
    (tmp_path / "bleak.txt").write_bytes(TEXT.encode() + b"caf\xe9\n")
    with pytest.raises(FormatError, match=r"bleak\.txt:4: found the byte 0xe9; expected UTF-8"):
        inputs.read(path)
