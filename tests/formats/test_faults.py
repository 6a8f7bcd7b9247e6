"""Faults of text formats: one table of what is wrong in a file, and of the message that names the place and the problem."""

import json

import pytest

from referee.basics.exceptions import FormatError
from tests.formats.test_allennlp import OBAMA
from tests.formats.test_corenlp import ANN, XML, damaged, mention
from tests.formats.test_ecb import DOCUMENT
from tests.formats.test_fastcoref import ALICE
from tests.formats.test_jsonlines import GOOD
from tests.formats.test_maverick import ROME
from tests.formats.test_preco import DOG
from tests.formats.test_uima import XMI
from tests.formats.test_webanno import GUM
from tests.support.reading import faults_of, read_text
from tests.support.samples import texts

FAULTS = {
    ("sacr", "x:5: ", "{Ann She} saw\nus.\n\n{Bob He} saw\nBAD\n"): [
        ("she} left", "found } without a mention that is open"),
        ("{Ann she left", "mention of Ann is never closed"),
        ("{Ann }", "mention of Ann has no text"),
        ("{Ann {Bob } }", "mention of Bob has no text"),
        ("{ she", "found '{ she'; expected a name and a blank behind the brace"),
        ("{Ann", "found '{Ann'; expected a name"),
        ('{Ann:head="0 she', "found '{Ann:head=\"0 she'; expected a name"),
        ("#textid: d\na\n#textid: d\n", "^x:7: document 'd' appears twice"),
    ],
    ("links", "x:2: ", "X-Y\nBAD\nZ-Y\n"): [
        ("G-H-H-I", "found 'G-H-H-I'; expected a link A-B"),
        ("word", "found 'word'; expected a link A-B"),
        ("A-", "found 'A-'"),
        ("A---B", "found 'A---B'"),
        ("a--b--c", "found 'a--b--c'"),
        ("A-A", "found 'A-A'; expected a link A-B of two different"),
        ("{A B", "found no '}'"),
        ("<A-B", "found no '>'"),
        ("A}", "found 'A'"),
        ("} A-B", "found '}'; expected it only after its opening bracket"),
        ("{A {B}}", "found '{'; expected '}' first"),
        ("<{A}>", "found '{'; expected '>' first"),
        ("{A>", "found '>'"),
        ("{}", "found '{}'; expected at least one mention"),
        ("# document d\n# document d", "^x:3: document 'd' appears twice"),
    ],
    ("preco", "x:2: .*", f"{json.dumps(DOG)}\nBAD\n"): [
        ("7", "found 7; expected an object with `sentences` and `mention_clusters`"),
        ('{"id": "d", "sentences": [["a"]]}', "document 'd': found no `mention_clusters`"),
        ('{"sentences": [["a"]], "mention_clusters": {}}', r"`mention_clusters` is \{\}; expected a list of clusters"),
        ('{"sentences": [["a"]], "mention_clusters": [7]}', "cluster 0: found 7; expected a list of spans"),
        ('{"sentences": ["a"], "mention_clusters": []}', "expected a list of lists of words"),
        ('{"sentences": [[1]], "mention_clusters": []}', "expected a list of lists of words"),
        ('{"mention_clusters": []}', "`sentences` is null; expected a list of lists of words"),
        ('{"sentences": [["a"]], "mention_clusters": [[[0, 0, 2]]]}', r"found \[0, 0, 2\]; .* 0 <= begin < end <= 1"),
        ('{"sentences": [["a"]], "mention_clusters": [[[0, 0, 0]]]}', r"found \[0, 0, 0\]; .*\(ends are exclusive\)"),
        ('{"sentences": [["a"]], "mention_clusters": [[[1, 0, 1]]]}', "0 <= sentence < 1"),
        ('{"sentences": [["a"]], "mention_clusters": [[[-1, 0, 1]]]}', r"found \[-1, 0, 1\]"),
        ('{"sentences": [["a"]], "mention_clusters": [[[0, 0, true]]]}', r"found \[0, 0, true\]"),
        ('{"sentences": [["a"]], "mention_clusters": [[[0, 1000000000000000000000000000000, 1]]]}', "found "),
        ('{"sentences": [["a"]], "mention_clusters": [[[0, 1]]]}', r"found \[0, 1\]; expected \[sentence, begin, end\]"),
        (json.dumps(DOG), "document 'd1' appears twice"),
        ('{"sentences": ', "is not JSON: "),
        ("[" * 100_000, "is not JSON that can be read"),
    ],
    ("maverick", "x:2: .*", f"{json.dumps(ROME)}\nBAD\n"): [
        ('"maverick"', "expected an object with `tokens` and `clusters_token_offsets`"),
        ('{"clusters_token_offsets": []}', "found no `tokens`"),
        ('{"tokens": "a b", "clusters_token_offsets": []}', '`tokens` is "a b"; expected a list of words'),
        ('{"tokens": ["a"], "clusters_token_offsets": null}', "found no `clusters_token_offsets`"),
        (
            '{"tokens": ["a"], "clusters_token_offsets": [[[0, 1]]]}',
            r"cluster 0: found the span \[0, 1\]; .*0 <= start <= end < 1",
        ),
        ('{"tokens": ["a", "b"], "clusters_token_offsets": [[[1, 0]]]}', r"found the span \[1, 0\]"),
        ('{"tokens": ["a", "b"], "clusters_token_offsets": [[[0, 0, 1]]]}', r"found the span \[0, 0, 1\]"),
        ('{"tokens": ["a", "b"], "clusters_token_offsets": [[{"start": 0}]]}', "found the span"),
        ('{"tokens": ["a", "b"], "clusters_token_offsets": [[[0.0, 1]]]}', r"found the span \[0.0, 1\]"),
    ],
    ("arrau", "x:2: .*", "a B-markable_1=set_1\nBAD\n"): [
        ("b B-markable_1=set_1", "markable_1 begins on line 1 already"),
        ("b I-markable_2=set_1", "markable_2 goes on but never began"),
        ("b I-markable_1=set_2", "markable_1 is of set_1 on line 1, and of set_2 here"),
        ("b B-markable_2=1", "the markable 'B-markable_2=1'; expected one such as"),
        ("b O", "the markable 'O'"),
        ("b B-markable_2=set_2@B-markable_3=set_2 referring", "1 value of REFERENCE for 2 markables"),
        ("b B-markable_2=set_2 word_2@word_2 x referring", "2 values of MIN for 1 markable;"),
        ("b B-markable_2=set_2 first x referring", "the MIN 'first'"),
        (f"b B-markable_2=set_2 word_{'9' * 30} x referring", "the MIN 'word_9+'"),
    ],
    ("corenlp", "x:2: .*", f"{json.dumps(ANN)}\nBAD\n"): [
        (damaged(sentences=[["a"]]), "`sentences` is not what it should be; expected a list of objects with `tokens`"),
        (damaged(corefs=None), "found no `corefs`; .* run CoreNLP with the annotator coref"),
        (damaged(corefs={"1": 5}), "chain 1: found 5; expected a list of mentions"),
        (damaged(corefs={"1": [5]}), "chain 1: found 5; expected a mention"),
        (
            damaged(corefs={"1": [mention(3, 1, 2, 1, "LIST")]}),
            "found the tokens 1 to 2 of sentence 3; expected a sentence from 1 to 2",
        ),
        (damaged(corefs={"1": [mention(0, 1, 2, 1, "LIST")]}), "sentence 0"),
        (damaged(corefs={"1": [mention(1, 0, 2, 1, "LIST")]}), "found the tokens 0 to 2"),
        (damaged(corefs={"1": [mention(1, 2, 2, 1, "LIST")]}), "found the tokens 2 to 2"),
        (
            damaged(corefs={"1": [mention(1, 7, 9, 1, "LIST")]}),
            "found the tokens 7 to 9 of sentence 1; .* 1 <= start < end <= 8",
        ),
        (damaged(corefs={"1": [mention(10**30, 1, 2, 1, "LIST")]}), "sentence 1000"),
        (damaged(corefs={"1": [{"startIndex": "1"}]}), "found the tokens -1 to -1 of sentence -1"),
        (damaged(sentences=[{"tokens": [{}]}], corefs={}), r"found the token \{\}; expected an object with a `word`"),
        (json.dumps(ANN), "document 'ann.txt' appears twice"),
    ],
    ("gap", "x:2: ", "d-1\tTRUE\tFALSE\nBAD\nd-3\tTRUE\tFALSE\n"): [
        ("d-2\tTRUE", "found 2 columns; expected 3, separated by tabs: id, a-coref, b-coref"),
        ("d-2", "found 1 column; expected 3"),
        ("d-2\tTRUE\tFALSE\t", "found 4 columns; expected 3"),
        ("d-2\t1\tFALSE", "found '1' in the column A-coref; expected TRUE or FALSE"),
        ("d-2\tTRUE\t", "found '' in the column B-coref; expected TRUE or FALSE"),
        ("\tTRUE\tFALSE", "found no ID; expected one in every row"),
        ("d-1\tTRUE\tFALSE", "document 'd-1' appears twice"),
    ],
    ("fastcoref", "x:2: .*", f"{json.dumps(ALICE)}\nBAD\n"): [
        ('{"text": 7, "clusters": []}', "`text` is 7; expected a string"),
        ('{"clusters": []}', "`text` is null; expected a string"),
        ('{"text": "Ann"}', "found no `clusters`"),
        ('{"text": "Ann", "clusters": [[[0, 4]]]}', r"cluster 0: found the span \[0, 4\]; .*0 <= start < end <= 3"),
        ('{"text": "Ann", "clusters": [[[-1, 2]]]}', r"found the span \[-1, 2\]"),
        ('{"text": "Ann", "clusters": [[[0, 1000000000000000000000000000000]]]}', r"found the span \[0, 1"),
        ('{"text": "Ann", "clusters": [["Ann"]]}', 'found the span "Ann"; expected two character offsets'),
        ('{"text": "Ann", "clusters": [[[0, true]]]}', r"found the span \[0, true\]"),
    ],
    ("allennlp", "x:2: .*", f"{json.dumps(OBAMA)}\nBAD\n"): [
        ("[7]", "found 7; expected an object with `document` and `clusters`"),
        ('{"document": "a b", "clusters": []}', '`document` is "a b"; expected a list of words'),
        ('{"document": ["a"]}', "found no `clusters`"),
        ('{"document": ["a"], "clusters": [[[0, 1]]]}', r"found the span \[0, 1\]; .*0 <= start <= end < 1"),
        ('{"document": ["a"], "clusters": [[0, 0]]}', "found the span 0; expected two token offsets"),
    ],
    ("webanno", "x:23: ", f"{GUM}BAD\n"): [
        ("4-1\t47-48\tx\t_\t_\t_", "found 6 columns; expected 7: 3, and those of the header's layers"),
        ("4-1\t47-48\tx\t_\t_\t_\t_\tx", "found 8 columns; expected 7"),
        ("nothing", "found 'nothing'; expected sentence-token, begin-end and token"),
        ("4-x\t47-48\tx\t_\t_\t_\t_", "found '4-x 47-48"),
        ("3-6\t47-48\tx\t_\t_\t_\t_", "found token 3-6; expected 3-5: a row is missing, or twice there"),
        ("4-2\t47-48\tx\t_\t_\t_\t_", "found token 4-2; expected 4-1: a row is missing"),
        ("4-1\t47-49\tx\t_\t_\t_\t_", "found 47-49 for 'x'; expected the offsets of its 1 character"),
        ("#Text=y\n4-1\t47-48\tx\t_\t_\t_\t_", "has no 'x' at its place in #Text=; expected the words of the rows below"),
        (f"4-1\t47-{'9' * 30}\tx\t_\t_\t_\t_", "found '4-1 47-999"),
        ("3-4.1\t43-99\tx\t_\t_\t_\t_", "found 3-4.1 at 43-99; expected a part of the token before it"),
        ("3-3.1\t40-41\tm\t_\t_\t_\t_", "found 3-3.1 at 40-41; expected a part of the token before it"),
        ("3-4.1\t44-44\t\t*\t*\t_\t_", "found an annotation of no character"),
        ("4-1\t47-48\tx\t*\t*\tcoref\t_", "found 1 relation of Coref from 0 places; expected as many"),
        ("4-1\t47-48\tx\t*\t*\tcoref\tI", "found 'I'; expected where a relation comes from"),
        ("4-1\t47-48\tx\t*\t*\tcoref\t1-2", "relates the annotation 1-2, which is not there"),
        ("4-1\t47-48\tx\t_\t_\tcoref\t1-1", "relates the annotation 4-1, which is not there"),
        ("4-1\t47-48\tx\t*\t*\tcoref\t4-1", "relates the annotation 4-1 to itself"),
    ],
    ("muc", "x:2: ", "BAD\nBAD\n"): [('<DOC DOCNO="d"></DOC>', "document 'd' appears twice")],
    ("muc", "x:2: ", '<COREF ID="1">a</COREF> <COREF ID="2" REF="1">b</COREF>\nBAD\n'): [
        ('<COREF ID="3" REF="9">it</COREF>', "COREF 3 refers to '9', which is no mention"),
        ('<COREF ID="3" REF="3">it</COREF>', "COREF 3 refers to itself"),
        ('<COREF ID="1">it</COREF>', "COREF 1 is there already, on line 1"),
        ('<COREF ID="3">it', "COREF 3 is never closed"),
        ("it</COREF>", "found </COREF> without a COREF that is open"),
        ('<COREF ID="3"></COREF>', "COREF 3 has no words"),
        ("<COREF>it</COREF>", "found a COREF without ID"),
        ('<COREF ID="3" MIN="">it</COREF>', "COREF 3 has an empty MIN"),
        ('<COREF ID="3" MIN>it</COREF>', "found 'MIN' in a tag"),
        ('it <COREF ID="3', "found '<COREF'; expected '>'"),
    ],
    ("jsonlines", "x:2: .*", f"{GOOD}\nBAD\n"): [
        ('{"doc_key": "d", ', "is not JSON: "),
        ('{"doc_key": "d", "doc_key": "e"}', "the key 'doc_key' appears twice"),
        ("[" * 100_000, "is not JSON that can be read"),
        ("17", "found 17; expected a document"),
        ("null", "found null; expected an object or a list"),
        (r'{"tokens": ["\ud800"], "clusters": []}', "half of a surrogate pair"),
        (GOOD, "document 'nw/wsj/01/wsj_0174_0' appears twice"),
        ('{"doc_key": "d", "tokens": ["a"]}', "document 'd': found no clusters"),
        ('{"doc_key": "d", "tokens": ["a"], "clusters": {"0": []}}', "expected a list of clusters"),
        ('{"doc_key": "d", "tokens": ["a"], "clusters": [7]}', "cluster 0: found 7; expected a list of spans"),
        (
            '{"doc_key": "d", "tokens": ["a"], "clusters": [[[0, 1]]]}',
            r"document 'd': cluster 0: found the span \[0, 1\].* < 1",
        ),
        ('{"doc_key": "d", "tokens": ["a"], "clusters": [[[-1, 0]]]}', r"found the span \[-1, 0\]"),
        ('{"doc_key": "d", "tokens": ["a", "b"], "clusters": [[[1, 0]]]}', r"found the span \[1, 0\]"),
        ('{"doc_key": "d", "tokens": ["a"], "clusters": [[[0, true]]]}', r"found the span \[0, true\]"),
        ('{"doc_key": "d", "tokens": ["a"], "clusters": [[[0, 0, 0]]]}', r"found the span \[0, 0, 0\]"),
        ('{"doc_key": "d", "clusters": [[[0, 99999999999999999999]]]}', r"found the span \[0, 9"),
        ('{"cased_words": ["a"], "span_clusters": [[[0, 0]]]}', r"found the span \[0, 0\].* 0 <= start < end <= 1"),
        ('{"text": "He waves", "clusters": [[[0, 2]]]}', "its spans count characters; expected `sentences` or `tokens`"),
        ('{"sentences": ["He waves"], "clusters": []}', "expected a list of lists of words"),
        ('{"tokens": [1], "clusters": []}', "expected a list of words"),
        ('{"tokens": ["a"], "sent_id": [], "clusters": []}', "`sent_id`.*each of the 1 words"),
        ('{"tokens": ["a"], "entity_types": [], "clusters": [[[0, 0]]]}', "expected a list of 1 types"),
        ('{"tokens": ["a"], "subtoken_map": [0, 0], "clusters": []}', "2 entries for 1 word pieces"),
        ('{"tokens": ["a", "b"], "subtoken_map": [1, 0], "clusters": []}', "word numbers that never decrease"),
    ],
    ("clusters", "", "BAD"): [
        ('[["a"],\n["b",]]', "^x:2: is not JSON: "),
        ("null", "^x:1: found null"),
        ("17", "^x: found 17; expected .*clusters"),
        ('{"a": "1", "b": "1"}', "^x: found .*; expected "),
        ('{"documents": [[["a"]]]}', "^x: `documents` is "),
        ('{"documents": {"d": 7}}', "^x: document 'd': found 7; expected "),
        ('{"type": "tree", "clusters": []}', '^x: found {"type": "tree"'),
        ('{"clusters": {"0": ["a"], "0": ["b"]}}', "^x:1: .*the key '0' appears twice"),
        ('{"clusters": {"7": "a"}}', '^x: cluster 7: found "a"; expected a list of mentions'),
        ("[[[4, 4]]]", r"^x: cluster 0: found the mention \[4, 4\]; expected \[4, 5\].* exclusive; jsonlines is .* inclusive"),
        ("[[[4, 3]]]", r"^x: cluster 0: found the mention \[4, 3\]; expected a name or a span"),
        ("[[[-1, 3]]]", r"^x: cluster 0: found the mention \[-1, 3\]"),
        ("[[[0, 1, 2]]]", r"^x: cluster 0: found the mention \[0, 1, 2\]"),
        ("[[[0, 99999999999999999999]]]", "^x: cluster 0: found the mention"),
        ("[[[0, true]]]", r"^x: cluster 0: found the mention \[0, true\]"),
        ("[[true]]", "^x: cluster 0: found the mention true"),
        ("[[null]]", "^x: cluster 0: found the mention null"),
        ('[["a", [0, 1]]]', r"^x: cluster 0: found the mention \[0, 1\]; expected a name, like the mentions before it"),
        ('[[[0, 1]], ["a"]]', '^x: cluster 1: found the mention "a"; expected a span, like'),
        ('{"mentions": ["a"], "links": [["a", "b"]]}', r'^x: links: found "b" in \["a", "b"\]; expected one of the `mentions`'),
        ('{"mentions": ["a"], "links": [["a", "a"]]}', r'^x: links: found \["a", "a"\]; expected two different mentions'),
        ('{"mentions": ["a"], "links": [7]}', "^x: links: found 7; expected two different mentions"),
        ('{"mentions": "ab", "links": []}', "^x: `mentions` and `links` are not what they should be"),
    ],
    ("ecb", "x:", DOCUMENT): [
        ('doc_name="1_11ecb.xml" ', "", "2: found no `doc_name`; expected a <Document> with a `doc_name`"),
        ('t_id="2" sentence', 't_id="1" sentence', "4: found the t_id '1' again; expected each once"),
        ('<token_anchor t_id="5"/>', '<token_anchor t_id="55"/>', "17: found the token '55' in markable 25; expected a t_id"),
        ('m_id="25"  >', 'm_id="24"  >', "17: found the m_id '24' again; expected each once"),
        ('<source m_id="30" />', '<source m_id="99" />', "32: found the markable '99' in a relation; expected an m_id"),
        ('<source m_id="30" />', '<source m_id="24" />', "32: found the mention 24 in a relation again; expected it in one"),
        ("</Relations>", "", "39: is no well-formed XML: mismatched tag"),
    ],
    ("uima", "", XMI): [
        ('first="21"', 'first="99"', r"x:15: chain 20 has the link 99, which is none of the file"),
        ('end="5" next', 'end="500" next', r"x:17: link 21 goes from 3 to 500; expected offsets with begin <= end <= 27"),
        ("</xmi:XMI>", "", r"x:23: is no well-formed XML"),
        ("<xmi:XMI", '<!DOCTYPE x [<!ENTITY a "a">]><xmi:XMI', r"x:2: declares an XML entity"),
    ],
    ("corenlp", ".*", XML): [
        ("<end>4</end><head>2", "<end>40</end><head>2", "19: chain 0: found the tokens 1 to 40 of sentence 1"),
        ("<sentence>1</sentence>", "<sentence>١٢٣٤٥٦٧٨٩٠</sentence>", "19: chain 0: found the tokens 1 to 4 of sentence -1"),
        ("<word>My</word>", "<lemma>my</lemma>", "8: found a token without a <word>"),
        ("</root>", "", "no element found|is no well-formed XML"),
        ("<?xml-stylesheet", '<!DOCTYPE r [<!ENTITY e "x">]><?xml-stylesheet', "2: declares an XML entity"),
    ],
    ("corefannotator", ".*", texts("corefannotator")[0]): [
        ('Entity="6" Surface', 'Entity="99" Surface', "x:7: mention 21 is of the entity 99; expected the id of an Entity"),
        (
            'begin="8" end="11"',
            'begin="8" end="999"',
            "x:11: MentionSurface 31 goes from 8 to 999; expected begin <= end <= 34",
        ),
        ('begin="8" end="11"', 'begin="-8" end="11"', "MentionSurface 31 goes from -8 to 11"),
        ('Mention="20"', 'Mention="2"', "x:6: mention 20 has no words; expected a MentionSurface, or begin and end"),
        ('Members="5 6"', 'Members="9"', "found the groups 9 in 9; expected no group that is its own member"),
        ("sofaString", "string", "has no Sofa with a sofaString"),
        ("<cas:NULL", '<!DOCTYPE x [<!ENTITY a "a">]><cas:NULL', "is no well-formed XML"),
    ],
    ("naf", "", texts("naf")[0]): [
        (
            '<target id="t4"/></span>\n',
            '<target id="t9"/></span>\n',
            "x:21: coref co1 has a span with the target t9; expected ids of terms",
        ),
        ('<target id="t4"/></span>\n', "</span>\n", "x:21: coref co1 has a span with no target"),
        ('<target id="w3"/>', '<target id="w9"/>', "x:14: term t3 is of w9; expected ids of wf"),
        ('wf id="w2"', 'wf id="w1"', "x:7: found the wf w1; expected each with an id of its own"),
        ('id="co2"', 'id="co1"', "x:23: found the coref co1 again"),
        ("<NAF", '<!DOCTYPE x [<!ENTITY a SYSTEM "/etc/passwd">]><NAF', "x:2: declares an XML entity"),
    ],
}
"""Of a format, how messages begin and a text: rows of what stands in place of BAD in the text, or of a piece of it and what
stands in its place; and how the message goes on. A pattern that begins with ^ is of all of the message."""

SEVERAL = ("allennlp", "ecb", "naf", "sacr")
"""Formats where one fault may lead to others."""

CASES = [
    (name, text.replace("BAD", row[0]) if len(row) == 2 else text.replace(row[0], row[1], 1), begin, row[-1])
    for (name, begin, text), rows in FAULTS.items()
    for row in rows
]


@pytest.mark.parametrize(("name", "text", "begin", "problem"), CASES, ids=[f"{case[0]}-{n}" for n, case in enumerate(CASES)])
def test_a_fault_names_place_and_problem(name, text, begin, problem):
    with pytest.raises(FormatError, match=problem if problem.startswith("^") else f"^{begin}{problem}"):
        read_text(text, name)
    faults = faults_of(text, name)
    assert len(faults) == 1 or (faults and name in SEVERAL)
