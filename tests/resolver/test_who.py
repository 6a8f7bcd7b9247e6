"""Who is who in short texts: genders, names, speakers and quotations, by hand."""

import numpy as np
import pytest

import referee
from referee.basics.exceptions import FormatError
from referee.formats.shared.source import Source
from referee.resolver.constraints import Constraints, Ledger, task_of
from referee.resolver.files import load
from referee.resolver.inputs import trees_of
from referee.resolver.kinds import HE, NARRATOR, SHE, kind_of_name, with_kinds
from referee.resolver.lexicon import KINDS_OF_WORDS, lexicon_of
from referee.resolver.resolving import resolution
from referee.resolver.text import mentions_for, read_input
from tests.support.command import referee as command

pytestmark = pytest.mark.filterwarnings("ignore:.* of speakers are no words of the text")

PARIS = "“Where are you going?” asked Ann.\n\n“I am going home,” said Bob.\n\n“May I come with you?”\n\n“You may.”"
LABELS = "ANN: Do you like my hat, Bob?\nBOB: I like your hat.\nANN: You are kind. I thank you.\nBOB: I am always kind.\n"
PLAY = "ANN. Can you hear me?\n\nBOB. I can.\n\nANN. I thank you.\n\nBOB. I am Bob.\n"
DASHES = "— I go, Tom said.\n\n— Are you ill? asked Ann.\n\n-- No, I am not. \n\n- Take my hat! she cried. He took her hat.\n"
LETTER = "“I am late,\n\n“and I am ill,” said Ann to Bob."


def together(text, first, second, **how):
    """Whether two mentions are one; `I#2` is the second I."""
    corpus = referee.resolve({"d": text}, **how)
    places = []
    for name in (first, second):
        words, _, number = name.partition("#")
        mentions = sorted(
            (m for e in corpus.documents["d"].entities for m in e.mentions if m.text == words), key=lambda m: m.start
        )
        chosen = mentions[int(number or 1) - 1]
        places.append((chosen.start, chosen.end))
    ids = {(m.start, m.end): e.id for e in corpus.documents["d"].entities for m in e.mentions}
    return ids[places[0]] == ids[places[1]]


@pytest.mark.parametrize(
    ("text", "first", "second", "expected"),
    [
        ("Mr. Bennet sat down. She was tired.", "Mr. Bennet", "She", False),
        ("Mrs. Long came in. She was late.", "Mrs. Long", "She", True),
        ("The Queen spoke to the Duke. He bowed.", "the Duke", "He", True),
        ("John met Mary. She laughed.", "Mary", "She", True),
        ("A letter lay on the table. He ran away.", "A letter", "He", False),
        ("The engineer repaired the machine. It works again.", "the machine", "It", True),
        ("Tom saw Bob. He hit him.", "He", "him", False),
        ("Tom left. They were sad.", "Tom", "They", False),
        ("John blamed himself.", "John", "himself", True),
        ("His father left. He was sad.", "His father", "His", False),
        ("Sherlock Holmes lit a pipe. Mr. Holmes was pleased.", "Sherlock Holmes", "Mr. Holmes", True),
        ("Jane Bennet met Elizabeth Bennet.", "Jane Bennet", "Elizabeth Bennet", False),
        ("John Smith married Mary Smith. Mrs. Smith was rich.", "Mary Smith", "Mrs. Smith", True),
        ("John Smith married Mary Smith. Mrs. Smith was rich.", "John Smith", "Mrs. Smith", False),
        ("Aunt Polly saw Uncle Silas. She was angry.", "Aunt Polly", "She", True),
        ("Yesterday Will met Jane. He gave her a book.", "Will", "He", True),
        ("“I am late,” said Ann. “I am not,” said Bob.", "I", "Ann", True),
        ("“I am late,” said Ann. “I am not,” said Bob.", "I", "I#2", False),
        ('"I shall go," replied his wife. Tom smiled.', "I", "his wife", True),
        ("I met George. “I am ill,” he said.", "George", "I#2", True),
        ("I met George. “I am ill,” he said.", "I", "I#2", False),
        ("“He is a fool,” said Peter.", "He", "Peter", False),
        ("Tom smiled. “I am ill.”", "Tom", "I", True),
        ("‘I am late,’ said Ann. ‘I am not,’ said Bob.", "I", "Ann", True),
        (PARIS, "you", "Bob", True),
        (PARIS, "I#2", "Ann", True),
        (PARIS, "You", "Ann", True),
        (LETTER, "I", "Ann", True),
        (LETTER, "I#2", "Ann", True),
        (LABELS, "you", "I", True),
        (LABELS, "Bob", "I", True),
        (LABELS, "my", "you", False),
        (PLAY, "you", "I", True),
        (PLAY, "I", "I#2", False),
        (DASHES, "I", "Tom", True),
        (DASHES, "you", "Tom", True),
        (DASHES, "I#2", "Tom", True),
        (DASHES, "her", "my", True),
        (DASHES, "I", "my", False),
    ],
)  # fmt: skip
def test_who_is_who(text, first, second, expected):
    assert together(text, first, second) is expected


def test_without_quotations_nobody_speaks():
    text = "“I am late,” said Ann. “I am not,” said Bob."
    assert not together(text, "I", "Ann", quotations=False)
    assert "quotations:no" in resolution(text, quotations=False).signature


def test_a_lexicon_of_the_user(tmp_path):
    (tmp_path / "words").write_text("# mine\nwoman: sentry\nshe: she her\nhe: he him\n")
    text = "The sentry met the man. She smiled."
    assert together(text, "The sentry", "She", lexicon=tmp_path / "words")
    assert "lexicon:none" in resolution(text, lexicon="none").signature
    (tmp_path / "text.txt").write_text(text)
    done = command("resolve", str(tmp_path / "text.txt"), "--lexicon", str(tmp_path / "words"), "--quotations", "no", "-o", "-")
    assert f"lexicon:{tmp_path / 'words'} " in done.out
    assert "| quotations:no |" in done.out


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "has no words"),
        ("woman aunt\n", ":1: found 'woman aunt'; expected a line"),
        ("wife: aunt\n", ":1: no kind of words"),
    ],
)
def test_files_that_are_no_lexicon_are_refused(tmp_path, text, problem):
    (tmp_path / "words").write_text(text)
    with pytest.raises(FormatError, match=problem):
        lexicon_of(tmp_path / "words")


def test_the_lexicon_is_used_for_english_alone():
    norwegian = "\n".join(
        f"{n}\t{word}\t{word}\t{tag}\t_\t_\t{n - 1}\tdep\t_\t_"
        for n, (word, tag) in enumerate(
            [
                ("Hun", "PRON"),
                ("så", "VERB"),
                ("ham", "PRON"),
                ("på", "ADP"),
                ("veien", "NOUN"),
                ("og", "CCONJ"),
                ("lo", "VERB"),
            ],
            1,
        )
    )
    source = Source("x", f"# newdoc id = d\n{norwegian}\n\n".encode())
    assert "lexicon:none" in resolution(source, "rules", mentions="tree").signature


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("mrs. long", "woman"), ("dr. ann lee", "woman"), ("captain wentworth", "person"), ("ann", "woman"),
        ("tom brown", "man"),
        ("paris", "place"), ("may", ""), ("monday", "time"), ("germany", "place"), ("lee", ""), ("main street", "thing"),
        ("j. smith", ""),
    ],
)  # fmt: skip
def test_what_a_name_names(name, kind):
    assert kind_of_name(tuple(name.split()), lexicon_of("english")) == kind


def test_no_word_of_the_lexicon_has_two_kinds_of_a_noun():
    english = lexicon_of("english")
    assert {*english.nouns.values()} <= {*KINDS_OF_WORDS}
    assert not {"baby", "ship", "number", "creature"} & english.nouns.keys()


def test_an_mr_may_be_what_all_its_mentions_may_be():
    label = [0, 1, 2]
    ledger = Ledger(Constraints(np.array([HE | SHE, SHE, HE])), label)
    ledger.attach(0, 0)
    assert ledger.bar(1, 0) == ""
    ledger.attach(1, 0)
    assert ledger.bar(2, 0) == "kind"


def test_speakers_without_a_mention_are_one_each():
    found = resolution("ANN: I am late. I am ill.\nBOB: I am not.\nANN: I go.\nBOB: I stay.\n", explain=True)
    said = [[m.text for m in e.mentions] for e in found.corpus.documents["text"].entities if e.mentions[0].text == "I"]
    assert sorted(map(len, said)) == [2, 3]
    assert {row["antecedent"] for row in found.explanation.rows() if row["rule"] == "speaker: label"} == {"ANN", "BOB"}


def test_a_task_leaves_out_who_is_decided_last():
    parsed = referee.parse("“I am late,” said Ann.")
    read = read_input(trees_of(parsed, None).source)
    english = lexicon_of("english")
    mentions = with_kinds(read.syntax, mentions_for(read, "tree", load().detector)[0].mentions, english)
    task = task_of(read.syntax, mentions, english, one_gender=True)
    assert len(task.decided) == len(mentions.document) - 1
    assert (mentions.kind > 0).all()
    assert task.possible.tolist() == [NARRATOR, SHE]


STORY = "I met Ann Lee in Paris. “I am late,” said Ann. “So am I,” said Tom Brown. Ann smiled. I went home."


def test_people_have_names_types_and_quotations():
    people = resolution({"d": STORY}).people().people
    assert [(p.name, p.type, p.mentions, p.names, p.nouns, p.pronouns, p.quotations, p.start) for p in people] == [
        ("Ann", "person", 4, 3, 0, 1, 1, 6),
        ("I (narrator)", "person", 2, 0, 0, 2, 0, 0),
        ("Tom Brown", "person", 2, 1, 0, 1, 1, 54),
        ("Paris", "place", 1, 1, 0, 0, 0, 17),
    ]
    quotes = referee.resolver.resolution({"d": STORY}).quotations().quotes
    assert [(q.text, q.name, q.rule) for q in quotes] == [
        ("I am late,", "Ann", "verb of speech after it"),
        ("So am I,", "Tom Brown", "verb of speech after it"),
    ]
    assert STORY[quotes[0].start : quotes[0].end] == "I am late,"


@pytest.mark.parametrize(("types", "names"), [("person", 3), (["place"], 1), ("all", 4), ("person,place", 4), ("time", 0)])
def test_types_choose_entities_and_are_written(types, names):
    corpus = referee.resolve(STORY, types=types)
    assert len(corpus.entity_ids) == names
    assert set(corpus.entity_types or ()) <= {"person", "place"}


@pytest.mark.parametrize(
    "how", [{"types": "person", "lexicon": "none"}, {"types": "person,all"}, {"types": "men"}, {"encoding": "x"}]
)
def test_what_cannot_be_is_refused(how):
    with pytest.raises(ValueError, match=r"expected|known"):
        referee.resolve(STORY, **how)


def test_a_folder_in_and_a_folder_out(tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "a.txt").write_text("Ann met Bob.")
    (tmp_path / "in" / "b.txt").write_bytes("Ann is in a café.".encode("cp1252"))
    done = command("resolve", str(tmp_path / "in"), "-o", f"{tmp_path / 'out'}/")
    assert (done.status, [path.name for path in (tmp_path / "out").iterdir()]) == (2, ["a.conllu"])
    assert "1 of 2 files could not be resolved" in done.err
    done = command("resolve", str(tmp_path / "in"), "-o", f"{tmp_path / 'out'}/", "--encoding", "cp1252", "--to", "brat")
    assert done.status == 0
    assert (tmp_path / "out" / "b.ann").is_file()


def test_a_text_as_an_argument_and_tables_of_people(tmp_path):
    assert command("resolve", "Ann met Bob. She saw him.", "--show", "entities").out == "Ann: She · 2\nBob: him · 2\n"
    done = command("resolve", STORY, "-o", str(tmp_path / "p.csv"), "--speakers", str(tmp_path / "q.csv"))
    assert done.status == 0
    assert (tmp_path / "p.csv").read_text().splitlines()[1] == "e2,Ann,person,4,3,0,1,1,6"
    assert (tmp_path / "q.csv").read_text().count("verb of speech") == 2


def test_an_explanation_is_csv_by_its_ending_with_words_as_they_are_written(tmp_path):
    assert command("resolve", STORY, "-o", str(tmp_path / "o.conllu"), "--explain", str(tmp_path / "why.csv")).status == 0
    lines = (tmp_path / "why.csv").read_text().splitlines()
    assert lines[0].startswith("document,start,end,text,decision,")
    assert lines[2].startswith("text,2,4,Ann Lee,new,e2,")
