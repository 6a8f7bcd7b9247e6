"""Texts with trees, for tests of the resolver: written by hand, and random ones."""

from hypothesis import strategies as st

from referee.formats.shared.source import Source
from referee.resolver.constraints import Constraints
from referee.resolver.kinds import ANY, HE, IT, NARRATOR, PERSON, SHE, SPEAKER
from referee.resolver.synonyms import synonyms_of
from referee.resolver.text import annotated_mentions, read_input
from tests.support.paths import SHARED

KIT = SHARED / "resolve"
HEADER = "# newdoc id = {}\n# global.Entity = eid-etype-head-other\n"

ANN = """
Ann    Ann   PROPN Number=Sing|Gender=Fem                      2 nsubj (a)
met    meet  VERB  _                                           0 root  _
Bob    Bob   PROPN Number=Sing|Gender=Masc                     2 obj   (b)
.      .     PUNCT _                                           2 punct _

She    she   PRON  Number=Sing|Gender=Fem|Person=3|PronType=Prs 2 nsubj (c)
saw    see   VERB  _                                           0 root  _
him    he    PRON  Number=Sing|Gender=Masc|Person=3|PronType=Prs 2 obj (d)
in     in    ADP   _                                           6 case  _
the    the   DET   Definite=Def|PronType=Art                   6 det   (e
garden garden NOUN Number=Sing                                 2 obl   e)
.      .     PUNCT _                                           2 punct _

The    the   DET   Definite=Def|PronType=Art                   2 det   (f
garden garden NOUN Number=Sing                                 3 nsubj f)
was    be    VERB  _                                           0 root  _
hers   she   PRON  Number=Sing|Gender=Fem|Person=3|Poss=Yes|PronType=Prs 3 obj (g)
"""

APPOSITION = """
Ann    Ann   PROPN Number=Sing 6 nsubj (a
,      ,     PUNCT _           4 punct _
a      a     DET   Definite=Ind|PronType=Art 4 det (b
nurse  nurse NOUN  Number=Sing 1 appos a)b)
,      ,     PUNCT _           4 punct _
sang   sing  VERB  _           0 root  _
"""

COPULA = """
Ann    Ann   PROPN Number=Sing 4 nsubj (a)
is     be    AUX   _           4 cop   _
a      a     DET   Definite=Ind|PronType=Art 4 det (b
nurse  nurse NOUN  Number=Sing 0 root  b)
"""

SPEAKERS = """
# speaker = Ann
# addressee = Bob
I      I     PRON  Number=Sing|Person=1|PronType=Prs 2 nsubj (a)
saw    see   VERB  _                                 0 root  _
you    you   PRON  Person=2|PronType=Prs             2 obj   (b)

# speaker = Bob
# addressee = Ann
You    you   PRON  Person=2|PronType=Prs             2 nsubj (c)
saw    see   VERB  _                                 0 root  _
me     I     PRON  Number=Sing|Person=1|PronType=Prs 2 obj   (d)
"""

ZERO = """
Ann    Ann   PROPN Number=Sing                       2 nsubj (a)
came   come  VERB  _                                 0 root  _

sang   sing  VERB  _                                 0 root  _
1.1:   _     PRON  Number=Sing|Person=3|PronType=Prs 1 nsubj (b)
"""


def conllu(text, name="d"):
    """A document of CoNLL-U from lines of form, lemma, UPOS, FEATS, HEAD, DEPREL and Entity."""
    lines = [HEADER.format(name)]
    number = 0
    for line in text.strip().splitlines():
        if not line.strip():
            lines.append("\n")
            number = 0
        elif line.startswith("#"):
            lines.append(line + "\n")
        else:
            form, lemma, upos, feats, head, deprel, entity = line.split()
            misc = "_" if entity == "_" else f"Entity={entity}"
            if form.endswith(":") and form != ":":
                row = (form[:-1], "_", lemma, upos, "_", feats, "_", "_", f"{head}:{deprel}", misc)
            else:
                number += 1
                row = (str(number), form, lemma, upos, "_", feats, head, deprel, "_", misc)
            lines.append("\t".join(row) + "\n")
    return "".join(lines) + "\n"


def given(text, name="x"):
    """A text of CoNLL-U with the mentions that it has."""
    read = read_input(Source(name, data=text.encode()))
    return read, annotated_mentions(read.syntax, read.corpus)


NOUNS = [("dog", "NOUN", "Number=Sing"), ("dogs", "NOUN", "Number=Plur"), ("Ann", "PROPN", "Number=Sing|Gender=Fem"),
         ("Lee", "PROPN", "_"), ("she", "PRON", "Gender=Fem|Number=Sing|Person=3|PronType=Prs"),
         ("he", "PRON", "Gender=Masc|Number=Sing|Person=3|PronType=Prs"),
         ("it", "PRON", "Number=Sing|Person=3|PronType=Prs"), ("I", "PRON", "Number=Sing|Person=1|PronType=Prs"),
         ("this", "PRON", "Number=Sing|PronType=Dem"), ("who", "PRON", "PronType=Rel"),
         ("ran", "VERB", "_"), ("old", "ADJ", "_")]  # fmt: skip

SYNONYMS = st.sampled_from([None, synonyms_of([["dog", "Lee", "old"], ["Ann", "Lee"]])])


@st.composite
def documents(draw, name="d"):
    """A document of random words, trees and mentions, in CoNLL-U."""
    lines = [HEADER.format(name)]
    entity = 0
    for _ in range(draw(st.integers(1, 4))):
        size = draw(st.integers(1, 6))
        order = draw(st.permutations(range(1, size + 1)))
        parent = {order[0]: 0, **{t: order[draw(st.integers(0, n))] for n, t in enumerate(order[1:])}}
        spans = draw(st.sets(st.tuples(st.integers(1, size), st.integers(1, size)).map(lambda s: (min(s), max(s))), max_size=4))
        opening = {}
        closing = {}
        for first, last in sorted(spans, key=lambda s: (s[0], -s[1])):
            entity += 1
            alone = first == last
            opening.setdefault(first, []).append(f"(e{entity}--1-" + ")" * alone)
            if not alone:
                closing.setdefault(last, []).insert(0, f"e{entity})")
        if draw(st.booleans()):
            lines.append(f"# speaker = {draw(st.sampled_from(['A', 'B']))}\n")
        for t in range(1, size + 1):
            form, upos, feats = draw(st.sampled_from(NOUNS))
            deprel = (
                draw(st.sampled_from(["nsubj", "obj", "det", "appos", "amod", "conj", "nmod:poss", "acl:relcl"]))
                if parent[t]
                else "root"
            )
            brackets = "".join(closing.get(t, []) + opening.get(t, []))
            misc = f"Entity={brackets}" if brackets else "_"
            lines.append("\t".join((str(t), form, form, upos, "_", feats, str(parent[t]), deprel, "_", misc)) + "\n")
        lines.append("\n")
    return "".join(lines)


def random_constraints(mentions, random):
    """What mentions may be, a few pairs that are not one, and a few that are; of mentions of one document."""
    n = len(mentions.document)
    possible = random.choice([ANY, ANY, HE, SHE, IT, PERSON, NARRATOR, SPEAKER], n)
    apart, joined = {}, {}
    for i in range(n):
        before = [j for j in range(i) if mentions.document[j] == mentions.document[i]]
        if before and random.random() < 0.3:
            apart[i] = {int(j): "argument" for j in random.choice(before, 2)}
        if before and random.random() < 0.1:
            joined[i] = int(random.choice(before))
    return Constraints(possible, apart, joined)
