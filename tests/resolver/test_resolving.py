"""Texts of a few mentions, decided by hand; what must not matter to a decision; what is written."""

import csv
import io
import re

import numpy as np
import pytest
from hypothesis import given as draws, strategies as st

import referee
from referee.basics.exceptions import FormatError, MismatchError, OptionError, RefereeWarning
from referee.corpus import Corpus
from referee.formats.shared.source import Source
from referee.resolver.memory import QUANTIFIERS
from referee.resolver.resolving import resolution
from referee.resolver.tables import TABLES
from tests.support.command import referee as command
from tests.support.examples import examples
from tests.support.trees import ANN, APPOSITION, COPULA, KIT, SPEAKERS, ZERO, conllu, documents

pytestmark = pytest.mark.filterwarnings("ignore:.*expected one type for each entity")  # in GUM
kit = pytest.mark.skipif(not KIT.is_dir(), reason="the resolver kit is absent")


PLACE = ("start", "end")


def entities(text, model="rules", **how):
    """Sets of mentions, each with its tokens and where it starts."""
    corpus = resolution(Source("x", data=text.encode()), model, **how).corpus
    return {frozenset(f"{m.text}@{m.start}" for m in e.mentions) for d in corpus.documents.values() for e in d.entities}


def sets(*groups):
    return {frozenset(group.split(" + ")) for group in groups}


@pytest.mark.parametrize("model", ["rules", "rules-mean"])
def test_pronouns_agree_and_heads_match(model):
    found = entities(conllu(ANN), model)
    assert found == sets("Ann@0 + She@4 + hers@14", "Bob@2 + him@6", "the garden@8 + The garden@11")


PRONOUNS = """
Lee    Lee   PROPN Number=Sing                                    2 nsubj (a)
sang   sing  VERB  _                                              0 root  _

She    she   PRON  Gender=Fem|Number=Sing|Person=3|PronType=Prs   2 nsubj (b)
sang   sing  VERB  _                                              0 root  _

He     he    PRON  Gender=Masc|Number=Sing|Person=3|PronType=Prs  2 nsubj (c)
sang   sing  VERB  _                                              0 root  _
"""


@pytest.mark.parametrize("model", ["rules", "rules-mean", "tables"])
def test_he_and_she_are_not_one(model):
    assert entities(conllu(PRONOUNS), model) == sets("Lee@0 + She@2", "He@4")


def test_a_setting_is_true_or_false():
    for call in (referee.resolve, referee.resolver.fit):
        with pytest.raises(OptionError, match="found one_gender='no'; expected True, False or None"):
            call("x.conllu", one_gender="no")


def test_where_nouns_have_gender_rules_let_things_be_he_and_she():
    nouns = conllu(PRONOUNS).replace("PROPN\t_\tNumber=Sing", "NOUN\t_\tGender=Masc|Number=Sing")
    for one_gender, said in ((None, "no"), (True, "yes")):
        found = resolution(Source("x", data=nouns.encode()), "rules", one_gender=one_gender)
        assert f"one-gender:{said}" in found.signature


def test_an_explanation_names_the_entity_of_another_gender():
    for model in ("rules", "tables"):
        found = resolution(Source("x", data=conllu(PRONOUNS).encode()), model, explain=True)
        *others, he = found.explanation.rows()
        assert (he["text"], he["decision"], he["barred_entity"]) == ("He", "new", "e1")
        assert float(he["barred"]) >= float(he["new"])
        assert [why["barred_entity"] for why in others] == ["", ""]


@examples(0.5)
@draws(st.data(), st.sampled_from(["rules", "rules-mean", "tables"]), st.sampled_from(QUANTIFIERS))
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_no_entity_has_both_he_and_she(data, model, quantifier):
    text = "".join(data.draw(documents(name=f"d{n}")) for n in range(data.draw(st.integers(1, 3))))
    found = resolution(Source("x", data=text.encode()), model, mentions="tree", quantifier=quantifier)
    for document in found.corpus.documents.values():
        for entity in document.entities:
            assert not {"he", "she"} <= {mention.text for mention in entity.mentions}


@kit
@pytest.mark.parametrize("model", ["rules", "rules-mean", "tables"])
@pytest.mark.parametrize("mentions", ["key", "tree"])
def test_no_entity_of_gum_has_both_he_and_she(model, mentions):
    found = resolution(KIT / "gum.dev.conllu.gz", model, mentions=mentions)
    he, she = ({"he", "him", "his", "himself"}, {"she", "her", "hers", "herself"})
    for document in found.corpus.documents.values():
        for entity in document.entities:
            said = {mention.text.lower() for mention in entity.mentions}
            assert not said & he or not said & she


@pytest.mark.parametrize(
    ("text", "options", "expected"),
    [
        (APPOSITION, {}, ["Ann , a nurse@0 + a nurse@2"]),
        (COPULA, {}, ["Ann@0 + a nurse@2"]),
        (SPEAKERS, {}, ["I@0 + You@3", "you@2 + me@5"]),  # I of one speaker is you of the other
        (ZERO, {}, ["Ann@0 + _@3"]),  # a mention like others
        (PRONOUNS, {"one_gender": False}, ["Lee@0 + She@2 + He@4"]),
    ],
    ids=["apposition", "predicate", "speakers", "zero", "he and she"],
)
def test_what_is_one_by_rules(text, options, expected):
    assert entities(conllu(text), "rules", **options) == sets(*expected)


RELATIVES = """
les     le      DET  Definite=Def|Number=Plur|PronType=Art 2 det       (a
gens    gens    NOUN Number=Plur                           9 nsubj     a)
que     que     PRON PronType=Rel                          5 obj       (b)
je      je      PRON Number=Sing|Person=1|PronType=Prs     5 nsubj     _
crois   croire  VERB _                                     2 acl:relcl _
et      et      CCONJ _                                    8 cc        _
qui     qui     PRON PronType=Rel                          8 nsubj     (c)
mentent mentir  VERB _                                     5 conj      _
savent  savoir  VERB _                                     0 root      _
qui     qui     PRON PronType=Int                          11 nsubj    (d)
ment    mentir  VERB _                                     9 ccomp     _

c'      ce      PRON Number=Sing|Person=3|PronType=Dem     3 nsubj     _
est     être    AUX  _                                     3 cop       _
moi     moi     PRON Number=Sing|Person=1|PronType=Prs     0 root      (e)
qui     qui     PRON PronType=Rel                          5 nsubj     (f)
dis     dire    VERB _                                     3 acl:relcl _
ce      ce      PRON PronType=Dem                          5 obj       (g)
que     que     PRON PronType=Rel                          9 obj       (h)
je      je      PRON Number=Sing|Person=1|PronType=Prs     9 nsubj     _
pense   penser  VERB _                                     6 acl:relcl _
qui     qui     PRON PronType=Rel                          9 obj       (i)
"""


@pytest.mark.parametrize("model", ["rules", "rules-mean"])
def test_a_relative_pronoun_refers_to_the_noun_that_its_clause_modifies(model):
    found = entities(conllu(RELATIVES), model, quantifier="any")
    assert found == sets("les gens@0 + que@2 + qui@6", "qui@9", "moi@13 + qui@14", "ce@16 + que@17", "qui@20")


def test_forms_are_compared_without_hyphens_and_with_one_apostrophe():
    rows = ["L’ L’ PRON Person=3 2 obj (a)", "vit voir VERB _ 0 root _", "-elle -elle PRON Person=3 2 nsubj (b)", ""]
    rows += ["L' L' PRON Person=3 2 obj (c)", "vit voir VERB _ 0 root _", "elle elle PRON Person=3 2 nsubj (d)"]
    assert entities(conllu("\n".join(rows)), strategy="strings") == sets("L’@0 + L'@3", "-elle@2 + elle@5")


@pytest.mark.parametrize(
    ("strategy", "sizes"),
    [("apart", [1] * 7), ("together", [7]), ("strings", [2, 1, 1, 1, 1, 1]), ("heads", [2, 1, 1, 1, 1, 1]),
     ("nearest", [3, 2, 2]), ("pronouns-together", [3, 1, 1, 1, 1]), ("key", [1] * 7)],
)  # fmt: skip
def test_the_sizes_of_entities_by_strategies(strategy, sizes):
    found = entities(conllu(ANN), strategy=strategy)
    assert sorted(map(len, found), reverse=True) == sizes


def scrambled(text):
    """The same spans with other ids, other fields, and brackets in another order."""
    number = iter(range(10_000, 0, -1))

    def other(match):
        brackets = re.findall(r"\([^()]+\)|\([^()]+|[^()]+\)", match[1])
        opening = [
            f"(x{next(number)}-place-1-{n}" + (")" if b.endswith(")") else "") for n, b in enumerate(brackets) if b[0] == "("
        ]
        return "Entity=" + "".join([b for b in brackets if b[0] != "("] + opening)

    # Brackets that close must name what they close: spans of one word only are renamed, the rest keep their ids.
    words = re.sub(r"Entity=((?:\([^()\s|]+\))+)(?=\s|\|)", other, text)
    return words.replace("e1", "q7").replace("(b", "(z9")


@pytest.mark.parametrize("model", ["rules", "tables"])
def test_nothing_of_the_key_but_spans_is_read(model):
    text = conllu(ANN)
    assert scrambled(text) != text
    assert entities(scrambled(text), model) == entities(text, model)


@kit
@pytest.mark.parametrize("model", ["rules", "tables"])
def test_nothing_of_a_key_of_gum_but_spans_is_read(model, tmp_path):
    key = referee.read(KIT / "gum-by.dev.conllu.gz")
    one = tmp_path / "one.conllu"
    random = np.random.default_rng(0)
    text = resolution(KIT / "gum-by.dev.conllu.gz", strategy="key")
    text.write(one)
    shuffled = tmp_path / "two.conllu"
    label = np.arange(len(key.document))  # every mention an entity of its own, with another number
    random.shuffle(label)
    names = {f"e{n + 1}": f"{m}x" for n, m in enumerate(label.tolist())}
    apart = tmp_path / "apart.conllu"
    resolution(KIT / "gum-by.dev.conllu.gz", strategy="apart").write(apart)
    shuffled.write_text(re.sub(r"\be[0-9]+\b(?=[-)])", lambda m: names[m[0]], apart.read_text()))
    outputs = []
    for path in (one, apart, shuffled):
        out = tmp_path / "out.conllu"
        resolution(path, model).write(out)
        rows = re.sub(r"# generator.*\n", "", out.read_text()).splitlines()
        outputs.append([sorted(re.split(r"(?<=\))|(?=\()|=", row)) for row in rows])  # brackets that stay keep their order
    assert outputs[0] == outputs[1] == outputs[2]


@kit
@pytest.mark.parametrize("model", ["rules", "rules-mean", "tables"])
@pytest.mark.parametrize("mentions", ["key", "tree"])
def test_documents_one_by_one_give_what_they_give_together(model, mentions):
    text = Source(KIT / "gum-by.dev.conllu.gz").raw().decode()
    first, *rest = re.split(r"(?=# newdoc)", text)[1:5]
    together = resolution(Source("x", data=(first + "".join(rest)).encode()), model, mentions=mentions).corpus
    for name, document in zip(together.doc_ids, [first, *rest], strict=True):
        alone = resolution(Source("x", data=document.encode()), model, mentions=mentions).corpus
        assert alone == together.select_documents(np.array([together.doc_ids.index(name)]))


def test_every_line_column_comment_and_other_attribute_is_kept(tmp_path):
    text = conllu(ANN).replace("Entity=(b)", "Bridge=a<b|Entity=(b)|SpaceAfter=No").replace("# newdoc", "# text = x\n# newdoc")
    text = text.replace("met\tmeet", "met-\tmeet").replace(
        "1\tAnn\tAnn", "1-2\tAnnmet\t_\t_\t_\t_\t_\t_\t_\tTypo=Yes\n1\tAnn\tAnn"
    )
    text += "# a last comment\n"
    path = tmp_path / "in.conllu"
    path.write_text(text)
    resolution(path, "rules").write(path)
    out = path.read_text()
    stripped = [re.sub(r"(Entity|Bridge)=[^|\n]*\|?", "", line).replace("\t\n", "\t_\n") for line in (text, out)]
    kept = [line for line in stripped[1].splitlines() if not line.startswith("# generator")]
    assert [line.removesuffix("_") for line in kept] == [line.removesuffix("_") for line in stripped[0].splitlines()]
    assert "Entity=(e2--1-)|SpaceAfter=No" in out
    assert referee.score(path, path)["mentions"].f1 == 1


def test_lines_that_end_with_carriage_returns_keep_them(tmp_path):
    path = tmp_path / "in.conllu"
    path.write_bytes(conllu(ANN).replace("\n", "\r\n").encode())
    resolution(path, "rules").write(path)
    lines = path.read_bytes().split(b"\n")
    assert all(line.endswith(b"\r") for line in lines if line[:1].isdigit())
    assert len(referee.read(path).entity_ids) == 3


def test_a_text_without_annotation_gets_mentions_from_its_trees():
    bare = re.sub(r"Entity=\S+", "_", conllu(ANN)).replace("# global.Entity = eid-etype-head-other\n", "")
    assert entities(bare, "rules") == sets("Ann@0 + She@4 + hers@14", "Bob@2 + him@6", "the garden@8 + The garden@11")


@pytest.mark.filterwarnings("ignore:.*left out of")
def test_gzip_in_and_out_and_other_formats(tmp_path):
    path = tmp_path / "in.conllu"
    path.write_text(conllu(ANN))
    for name in ("out.conllu.gz", "out.conll", "out.jsonl"):
        corpus = referee.resolve(path, "rules", output=tmp_path / name)
        assert referee.score(corpus, tmp_path / name)["conll"].f1 == 1


@pytest.mark.filterwarnings("ignore:.*left out of")
def test_mentions_of_another_file(tmp_path):
    path, other = tmp_path / "in.conllu", tmp_path / "mine.jsonl"
    path.write_text(conllu(ANN))
    referee.resolve(path, "rules", output=other)
    bare = tmp_path / "bare.conllu"
    bare.write_text(re.sub(r"Entity=\S+", "_", conllu(ANN)))
    assert referee.resolve(bare, "rules", mentions=str(other)) == referee.resolve(path, "rules")
    zero = tmp_path / "zero.conllu"
    zero.write_text(conllu(ZERO))
    other.write_text('{"doc_key": "d", "sentences": [["Ann", "came"], ["sang"]], "clusters": [[[0, 0], [2, 2]]]}\n')
    assert [m.text for m in referee.resolve(zero, "rules", mentions=str(other)).documents["d"].mentions] == ["Ann", "sang"]
    spans = Corpus(("d",), *(np.array(column) for column in ([0], [2], [9], [0])), entity_ids=["x"]).in_reading_order()
    with pytest.raises(OptionError, match="has a mention behind the last word"):
        referee.resolve(zero, "rules", mentions=spans)
    other.write_text('{"doc_key": "d", "sentences": [["Eve", "came"], ["sang"]], "clusters": [[[0, 0], [2, 2]]]}\n')
    with pytest.raises(MismatchError, match="found 'Eve'"):
        referee.resolve(zero, "rules", mentions=str(other))


def row(**columns):
    cells = {"id": "1", "form": "Ann", "lemma": "Ann", "upos": "PROPN", "xpos": "_", "feats": "_", "head": "0"}
    cells = cells | {"deprel": "root", "deps": "_", "misc": "Entity=(a)"} | columns
    return "# newdoc id = d\n# global.Entity = eid-etype-head-other\n" + "\t".join(cells.values()) + "\n\n"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (row(head="_", deprel="_"), "has no trees"),
        (conllu(COPULA).replace("\t4\t", "\t0\t"), "has no trees (no HEAD names a word)"),
        (row(head="7"), "x:3: found the HEAD '7'; expected 0 for a root, or a word of the sentence, from 1 to 1"),
        (row(head="1"), "x:3: found HEADs that run in a circle"),
        (row(head="-1"), "x:3: found the HEAD '-1'"),
        (row(misc="Entity=(a)|Entity=(b)"), "x:3: found Entity= twice"),
        ("", "x: is empty; expected CoNLL-U"),
        ("Ann PROPN\n", "x: is no CoNLL-U"),
    ],
)
def test_bad_trees_are_refused(text, message):
    with pytest.raises(FormatError, match=re.escape(message)):
        resolution(Source("x", data=text.encode()), "rules")


def test_features_that_are_none_are_not_used():
    with pytest.warns(RefereeWarning, match="2 features in FEATS not written as Name=Value"):
        assert entities(row(feats="Case|Number=Sing|Gender"), "rules") == sets("Ann@0")


def test_other_parts_of_speech_are_no_trees_of_ud():
    with pytest.raises(FormatError, match=r"100% of the parts of speech \(NNP\) are none of Universal Dependencies"):
        resolution(Source("x", data=row(upos="NNP").encode()), "rules", mentions="tree")


@pytest.mark.parametrize("header", ["# global.Entity = etype-identity\n", ""])
def test_entities_without_ids_do_not_matter_if_mentions_come_from_trees(header, tmp_path):
    text = conllu(ANN).replace("# global.Entity = eid-etype-head-other\n", header).replace("Entity=(b)", "Entity=(ORG")
    with pytest.raises(FormatError, match=r"global\.Entity"):
        resolution(Source("x", data=text.encode()), "rules")
    found = resolution(Source("x", data=text.encode()), "rules", mentions="tree")
    plain = resolution(Source("x", data=re.sub(r"Entity=\S+", "_", text).encode()), "rules", mentions="tree")
    assert found.corpus == plain.corpus
    found.write(tmp_path / "out.conllu")
    assert referee.read(tmp_path / "out.conllu") == found.corpus


def test_zeros_are_no_unknown_pronouns(recwarn):
    resolution(Source("x", data=conllu("\n\n".join([ZERO] * 12)).encode()), "tables")
    assert not [w for w in recwarn if "pronouns" in str(w.message)]


def test_mentions_of_the_input_must_be_there():
    with pytest.raises(OptionError, match="has no mentions"):
        resolution(Source("x", data=row(misc="_").encode()), "rules", mentions="key")


@pytest.mark.parametrize(
    "text", [row(), row(misc="_"), conllu(ANN) + conllu(APPOSITION, "e"), "# newdoc id = d\n" + row()[16:]]
)
@pytest.mark.parametrize("model", ["rules", "tables"])
@pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
def test_documents_with_few_mentions_or_none(text, model, tmp_path):
    found = resolution(Source("x", data=text.encode()), model)
    found.write(tmp_path / "out.conllu")
    assert referee.read(tmp_path / "out.conllu") == found.corpus


def test_repeated_and_discontinuous_mentions(tmp_path):
    text = conllu(ANN).replace("Entity=(a)", "Entity=(a)(a2)").replace("Entity=(e", "Entity=(e[1/2])").replace("Entity=e)", "_")
    text = text.replace("3\twas\tbe\tVERB\t_\t_\t0\troot\t_\t_", "3\twas\tbe\tVERB\t_\t_\t0\troot\t_\t_")
    text = re.sub(r"(7\t\.\t\.\tPUNCT.*)\t_\n", r"\1\tEntity=(e[2/2])\n", text, count=1)
    found = resolution(Source("x", data=text.encode()), "rules")
    found.write(tmp_path / "out.conllu")
    again = referee.read(tmp_path / "out.conllu")
    assert again == found.corpus
    assert again.fragment_lists == ((), ((8, 9), (10, 11)))


@pytest.mark.parametrize("quantifier", ["any", "mean", "all", "last", "first"])
@pytest.mark.parametrize("model", ["rules", "tables"])
def test_an_explanation_computed_again_gives_the_decision(model, quantifier):
    text = (conllu(ANN) + conllu(SPEAKERS, "e") + conllu(APPOSITION, "f")).encode()
    again(resolution(Source("x", data=text), model, quantifier=quantifier, explain=True), model)
    found = again(resolution(STORY, model, quantifier=quantifier, explain=True), model)
    assert {"reflexive", "name", "speaker: verb of speech after it", ""} == {why["rule"] for why in found}
    assert {"kind", ""} <= {why["barred_rule"] for why in found}


STORY = (
    "Mr. Bennet met Mrs. Bennet. She was tired. A letter lay on the table. He saw it. She saw her. He blamed himself. "
    "“I am late,” said Mr. Bennet. Mrs. Bennet smiled."
)


def again(found, model):
    """Compute each decision again from the rows of the explanation, and give these."""
    out = io.StringIO()
    found.explanation.write(out)
    rows = list(csv.DictReader(io.StringIO(out.getvalue()), delimiter="\t"))
    assert len(rows) == len(found.label)
    may_be = {}
    for why in rows:
        of_document, bits = may_be.setdefault(why["document"], {}), {*why["may_be"].split()}
        if why["rule"].startswith("speaker: "):
            continue
        common = of_document.get(why["entity"], bits) & bits
        if why["rule"] or why["decision"] == "attached":
            assert why["entity"] in of_document
            assert common
        if why["rule"]:
            at = [other["entity"] for other in rows if [other[n] for n in PLACE] == [why[f"antecedent_{n}"] for n in PLACE]]
            assert why["entity"] in at
        if why["barred_entity"]:
            assert (why["barred_rule"] == "kind") == (not of_document[why["barred_entity"]] & bits)
        of_document[why["entity"]] = common
        if why["rule"]:
            continue
        parts = {name: float(value) for name, _, value in (p.partition("=") for p in why["contributions"].split())}
        score, new = float(why["score"] or "-inf"), float(why["new"])
        assert why["decision"] == ("attached" if score >= new else "new")
        if model == "tables":
            of_new = sum(value for name, value in parts.items() if TABLES[name].kind == "new")
            assert of_new == pytest.approx(new)
            assert why["score"] == "" or sum(parts.values()) - of_new == pytest.approx(score)
        elif why["score"]:
            parts.pop("activation")
            assert np.prod(list(parts.values())) == pytest.approx(score)
    joined = {}
    for why in rows:
        joined.setdefault((why["document"], why["entity"]), []).append((int(why["start"]), int(why["end"])))
    assert sorted(joined.values()) == sorted(
        [(m.start, m.end) for m in e.mentions] for d in found.corpus.documents.values() for e in d.entities
    )
    return rows


def test_probabilities_of_mentions_can_be_scored(tmp_path):
    (tmp_path / "in.conllu").write_text(conllu(ANN))
    options = ("--mentions", "tree", "-o", "out.conllu", "--candidates", "mentions.jsonl")
    assert command("resolve", "in.conllu", *options, cwd=tmp_path).status == 0
    done = command("phrases", "score", "in.conllu", "mentions.jsonl", "--untyped", "-r", "csv", cwd=tmp_path)
    assert (done.status, done.err) == (0, "")
    scores = {row["metric"]: row for row in csv.DictReader(io.StringIO(done.out))}
    assert float(scores["expected"]["recall"]) > 0.8


def test_a_model_of_another_language_is_a_warning():
    text = "".join(conllu(ANN.replace("she ", "hun ").replace("he ", "han "), f"d{n}") for n in range(4))
    with pytest.warns(
        RefereeWarning, match="100% of the pronouns are unknown to the model tables; expected a model of the same"
    ):
        entities(text, "tables")


def test_the_command_resolves_and_says_why(tmp_path):
    (tmp_path / "in.conllu").write_text(conllu(ANN))
    done = command("resolve", "in.conllu", "--model", "rules", "--explain", "why.tsv", cwd=tmp_path)
    assert done.status == 0
    assert "Entity=(e1--1-)" in done.out
    assert "# generator = referee resolve | model:rules" in done.out
    assert len((tmp_path / "why.tsv").read_text().splitlines()) == 8
    piped = command("resolve", "-", "-m", "rules", stdin=conllu(ANN).encode(), cwd=tmp_path)
    assert piped.out == done.out
