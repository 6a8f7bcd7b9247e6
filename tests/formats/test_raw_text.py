"""A corpus that knows the text of its tokens: formats with offsets of characters write that text, and offsets into it."""

import json
import os
import re
import warnings
from collections import Counter
from pathlib import Path
from tempfile import TemporaryDirectory
from xml.sax.saxutils import quoteattr

import numpy as np
import pytest
from hypothesis import given, strategies as st

from referee import inputs
from referee.basics.exceptions import FormatError, OptionError, RefereeWarning
from referee.corpus import CorpusBuilder, RawText
from referee.corpus.editing import concatenate
from referee.corpus.lossy import without
from referee.inputs.writing import convert
from tests.support.raw_texts import entities_in, entities_of_raw, inked, raw_cases, raw_of
from tests.support.reading import read_again, read_text, source_of, written

WRITTEN = ("brat", "labelstudio", "webanno")
SEVERAL = "ignore:.*found [0-9]+ mentions? of a part of a token:referee.RefereeWarning"


def story(text, *tokens, mentions):
    """A document with tokens at their places, and entities of spans of tokens."""
    builder = CorpusBuilder("story")
    forms, start, end = zip(*tokens, strict=True)
    builder.document("", list(forms), [0], raw=RawText(text, np.array(start), np.array(end)))
    for number, of in enumerate(mentions):
        for span in of:
            builder.mention(*span, str(number))
    return builder.corpus()


ANN = story("Ann  saw\r\nit.\n", ("Ann", 0, 3), ("saw", 5, 8), ("it", 10, 12), (".", 12, 13), mentions=[[(0, 1)], [(1, 3)]])


@pytest.mark.filterwarnings(SEVERAL)
@pytest.mark.parametrize("name", WRITTEN)
@given(case=raw_cases())
def test_what_is_written_has_the_text_and_the_places_of_the_mentions(name, case):
    again = read_again(case.corpus(), name)
    assert raw_of(again).text == case.text
    assert entities_of_raw(again) == entities_in(case.text, case.spans)


@pytest.mark.filterwarnings(SEVERAL)
@pytest.mark.parametrize("name", WRITTEN)
@given(case=raw_cases())
def test_written_again_it_has_the_same_tokens_and_the_same_bytes(name, case):
    once = read_again(case.corpus(), name)
    twice = read_again(once, name)
    assert twice == once
    assert written(twice, name) == written(once, name)


@given(case=raw_cases(parted=False, shared=False), other=raw_cases(), name=st.sampled_from(WRITTEN))
def test_documents_keep_their_texts_in_a_folder(case, other, name):
    corpus = concatenate([case.corpus("a"), other._replace(mentions=[]).corpus("b")])
    again = read_again(corpus, name)
    assert [raw_of(again, n).text for n in range(2)] == [case.text, other.text]
    assert entities_of_raw(again) == entities_in(case.text, case.spans)


# How other programs store a text with mentions: a text, and spans of characters with their entities.


def units(text, offset):
    """The UTF-16 units before a character."""
    return len(text[:offset].encode("utf-16-le")) // 2


def links(spans):
    """Each mention with the one before it in its entity."""
    last = {}
    pairs = []
    for n, (*_, entity) in enumerate(spans):
        if entity in last:
            pairs.append((n, last[entity]))
        last[entity] = n
    return pairs


def doccano(text, spans):
    entities = [{"id": n, "label": "X", "start_offset": a, "end_offset": b} for n, (a, b, _) in enumerate(spans)]
    relations = [{"id": n, "from_id": a, "to_id": b, "type": "coref"} for n, (a, b) in enumerate(links(spans))]
    return json.dumps({"id": 1, "text": text, "entities": entities, "relations": relations, "Comments": []})


def prodigy(text, spans):
    given = [{"start": a, "end": b, "label": "X"} for a, b, _ in spans]
    relations = [{"child_span": given[a], "head_span": given[b], "label": "COREF"} for a, b in links(spans)]
    return json.dumps({"text": text, "spans": given, "relations": relations, "_input_hash": 1, "answer": "accept"})


def fastcoref(text, spans):
    clusters = {}
    for a, b, entity in spans:
        clusters.setdefault(entity, []).append((a, b))
    return json.dumps({"text": text, "clusters": list(clusters.values())})


def labelstudio(text, spans):
    def region(n, a, b):
        value = {"start": a, "end": b, "text": text[a:b], "labels": ["X"]}
        return {"id": str(n), "type": "labels", "from_name": "label", "to_name": "text", "value": value}

    result = [region(n, a, b) for n, (a, b, _) in enumerate(spans)]
    result += [{"type": "relation", "from_id": str(a), "to_id": str(b), "direction": "right"} for a, b in links(spans)]
    return json.dumps([{"id": 1, "data": {"text": text}, "annotations": [{"completed_by": 1, "result": result}]}])


def uima(text, spans):
    after = {earlier: later for later, earlier in links(spans)}
    structures = [{"%ID": 1, "%TYPE": "uima.cas.Sofa", "sofaID": "x", "sofaString": text}]
    for n, (a, b, _) in enumerate(spans):
        link = {"%ID": 100 + n, "%TYPE": "x.CoreferenceLink", "@sofa": 1, "begin": units(text, a), "end": units(text, b)}
        structures.append(link | ({"@next": 100 + after[n]} if n in after else {}))
        if n not in after.values():
            structures.append({"%ID": 200 + n, "%TYPE": "x.CoreferenceChain", "@first": 100 + n})
    return json.dumps({"%TYPES": {}, "%FEATURE_STRUCTURES": structures, "%VIEWS": {}})


def attribute(text):
    return quoteattr(text, {"\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def corefannotator(text, spans):
    head = '<xmi:XMI xmlns:v2="http:///de/unistuttgart/ims/coref/annotator/api/v2.ecore" xmlns:xmi="x" xmlns:cas="y">'
    entities = "".join(f'<v2:Entity xmi:id="{100 + e}" Label="e{e}"/>' for e in sorted({e for *_, e in spans}))
    mentions = "".join(
        f'<v2:Mention xmi:id="{10 + 2 * n}" Entity="{100 + e}" Surface="{11 + 2 * n}"/>'
        f'<v2:MentionSurface xmi:id="{11 + 2 * n}" Mention="{10 + 2 * n}" begin="{units(text, a)}" end="{units(text, b)}"/>'
        for n, (a, b, e) in enumerate(spans)
    )
    return f'{head}{entities}{mentions}<cas:Sofa xmi:id="1" sofaID="_InitialView" sofaString={attribute(text)}/></xmi:XMI>'


OTHERS = {
    "doccano": doccano,
    "prodigy": prodigy,
    "fastcoref": fastcoref,
    "labelstudio": labelstudio,
    "uima": uima,
    "corefannotator": corefannotator,
}


def glozz(text, spans):
    def position(edge, offset):
        return f'<{edge}><singlePosition index="{units(text, offset)}"/></{edge}>'

    of = "".join(
        f'<unit id="u{n}"><characterisation><type>M</type><featureSet><feature name="REF">e{e}</feature></featureSet>'
        f"</characterisation><positioning>{position('start', a)}{position('end', b)}</positioning></unit>"
        for n, (a, b, e) in enumerate(spans)
    )
    return f"<annotations>{of}</annotations>"


@pytest.mark.parametrize("name", OTHERS)
@given(case=raw_cases(control=False, shared=False), target=st.sampled_from(WRITTEN))
def test_a_text_of_another_program_is_written_as_it_is(name, target, case):
    spans = list(dict.fromkeys(case.spans)) if name != "prodigy" else list({span[:2]: span for span in case.spans}.values())
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*found no coreference between", RefereeWarning)
        corpus = inputs.read(source_of(OTHERS[name](case.text, spans)), format=name)
    assert raw_of(corpus).text == case.text
    assert entities_of_raw(corpus) == entities_in(case.text, spans)
    again = read_again(without(corpus, ["links"] if target == "webanno" else []), target)
    assert raw_of(again).text == case.text
    assert entities_of_raw(again) == entities_in(case.text, spans)


@given(case=raw_cases(control=False, shared=False))
def test_glozz_has_its_text_in_a_file_of_its_own(case):
    with TemporaryDirectory() as folder:
        Path(folder, "a.aa").write_bytes(glozz(case.text, case.spans).encode())
        Path(folder, "a.ac").write_bytes(case.text.encode())
        corpus = inputs.read(Path(folder, "a.aa"), format="glozz")
        inputs.write(corpus, Path(folder, "b.ann"))
        assert Path(folder, "b.txt").read_bytes() == case.text.encode()
    assert entities_of_raw(corpus) == entities_in(case.text, case.spans)


def test_brat_writes_the_text_byte_for_byte_and_no_note(tmp_path):
    inputs.write(ANN, tmp_path / "a.ann")
    assert (tmp_path / "a.txt").read_bytes() == b"Ann  saw\r\nit.\n"
    assert (tmp_path / "a.ann").read_bytes() == b"T1\tMention 0 3\tAnn\nT2\tMention 5 8;10 12\tsaw it\n"


def test_a_text_that_is_there_already_stays_the_same_file(tmp_path):
    there = tmp_path / "a.txt"
    there.write_bytes(b"\xef\xbb\xbfAnn  saw\r\nit.\n")
    os.utime(there, ns=(1, 1))
    inputs.write(ANN, tmp_path / "a.ann")
    assert (there.read_bytes(), there.stat().st_mtime_ns) == (b"\xef\xbb\xbfAnn  saw\r\nit.\n", 1)
    there.write_bytes(b"Ann saw it .\n")
    with pytest.raises(OptionError, match="is there already, with another text"):
        inputs.write(ANN, tmp_path / "a.ann")


def test_lines_that_end_in_carriage_returns_are_read_again(tmp_path):
    inputs.write(story("a\rb", ("a", 0, 1), ("b", 2, 3), mentions=[[(0, 2)]]), tmp_path / "a.ann")
    assert (tmp_path / "a.ann").read_text() == "T1\tMention 0 1;2 3\ta b\n"
    inputs.write(inputs.read(tmp_path / "a.ann"), tmp_path / "b.ann")
    assert (tmp_path / "b.txt").read_bytes() == b"a\rb"


def test_a_text_of_tokens_keeps_its_note_when_it_is_written_again(tmp_path):
    (tmp_path / "a.txt").write_text("Ann 's -LRB- dog\n")
    (tmp_path / "a.ann").write_text("T1\tX 0 6\tAnn 's\n#1\tAnnotatorNotes T1\ttokens: blanks\n")
    corpus = inputs.read(tmp_path / "a.ann")
    inputs.write(corpus, tmp_path / "b.ann")
    assert inputs.read(tmp_path / "b.ann") == corpus
    assert list(corpus.documents["#1"].tokens) == ["Ann", "'s", "-LRB-", "dog"]


def test_webanno_has_a_row_for_each_piece_of_the_text_and_offsets_in_utf_16_units(tmp_path):
    # "du" is two words, "dog-\nma" is one; 😀 has two units.
    corpus = story(
        "\t😀 du dog-\nma.  x\n",
        *[("😀", 1, 2), ("de", 3, 5), ("le", 3, 5), ("dogma", 6, 13), (".", 13, 14), ("x", 16, 17)],
        mentions=[[(1, 2), (2, 3)], [(2, 4)]],
    )
    warned = (
        r"^story: found 3 mentions of a part of a token, such as `le` of the French `du`: written with the whole token, as "
        r"webanno has places in the text; 1 mention became equal to another of the entity$"
    )
    with pytest.warns(RefereeWarning, match=warned):
        inputs.write(corpus, tmp_path / "a.tsv", format="webanno")
    text = (tmp_path / "a.tsv").read_text()
    assert text.split("\n\n", 1)[1].splitlines() == [
        "#Before=\\t",
        "",
        "#Text=😀 du dog-",
        "#Text=ma.  x",
        "#Text=",
        "1-1\t1-3\t😀\t_\t_\t",
        "1-2\t4-6\tdu\t*[1]|*[1]|*[2]\t*->1-1|*->1-2|*->2-1\t",
        "1-3\t7-11\tdog-\t*[2]\t*->2-1\t",
        "1-4\t12-14\tma\t*[2]\t*->2-1\t",
        "1-5\t14-15\t.\t_\t_\t",
        "1-6\t17-18\tx\t_\t_\t",
    ]


def test_mentions_of_a_part_of_a_token_are_told_once_for_all_documents(tmp_path):
    one = story("du x", ("de", 0, 2), ("le", 0, 2), ("x", 3, 4), mentions=[[(1, 2)], [(0, 2)], [(2, 3)]])
    both = concatenate([one.on_documents((name,), np.array([0])) for name in "ab"])
    with pytest.warns(RefereeWarning) as warned:
        inputs.write(both, tmp_path / "x", format="brat")
    assert len(warned) == 1
    assert str(warned[0].message).endswith("written with the whole token, as brat has places in the text")
    assert "found 2 mentions of a part" in str(warned[0].message)
    assert (tmp_path / "x" / "b.ann").read_text() == "T1\tMention 0 2\tdu\nT2\tMention 0 2\tdu\nT3\tMention 3 4\tx\n"


def test_a_text_of_inception_has_blanks_where_it_says_nothing():
    # As its Tsv3XDeserializer does: a line end after each sentence, and blanks up to the next.
    head = "#FORMAT=WebAnno TSV 3.3\n#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n\n"
    text = head + "\n#Text=A\\tb\n1-1\t2-3\tA\t*[1]\t*->1-1\t\n1-2\t4-5\tb\t_\t_\t\n\n#Text=C.\n2-1\t8-9\tC\t_\t_\t\n"
    corpus = read_text(text)
    assert raw_of(corpus).text == "  A\tb\n  C."
    assert raw_of(corpus).start.tolist() == [2, 4, 8]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("#Text=A b\n", ""),
        ("4-5\tC", "2-3\tC"),
        ("2-3\tb", "0-1\tb"),
    ],
)
def test_a_text_that_does_not_fit_the_rows_is_none(old, new):
    head = "#FORMAT=WebAnno TSV 3.3\n#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n\n"
    text = head + "\n#Text=A b\n1-1\t0-1\tA\t*[1]\t*->1-1\t\n1-2\t2-3\tb\t_\t_\t\n\n#Text=C\n2-1\t4-5\tC\t_\t_\t\n"
    words, without = (corpus.text and corpus.text.words[0] for corpus in map(read_text, (text, text.replace(old, new))))
    assert words and words.raw
    assert without and without.raw is None
    assert without.tokens == words.tokens


def test_gum_counts_characters():
    head = "#FORMAT=WebAnno TSV 3.3\n#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n\n"
    rows = "1-1\t0-1\t😀\t*[1]\t*->1-1\t\n1-2\t{}\tb\t_\t_\t\n"
    for offsets in ("1-2", "2-3"):
        assert raw_of(read_text(f"{head}\n#Text=😀b\n{rows}".format(offsets).replace("0-1", f"0-{offsets[0]}"))).text == "😀b"


def test_label_studio_keeps_tokens_that_are_those_of_the_text():
    text = "Ann's dog"
    corpus = story(text, ("Ann", 0, 3), ("'s", 3, 5), ("dog", 6, 9), mentions=[[(0, 2)]])
    task = json.loads(written(corpus, "labelstudio"))[0]
    assert task["data"] == {"text": text, "tokens": ["Ann", "'s", "dog"], "sentences": [0]}
    assert read_again(corpus, "labelstudio") == corpus
    other = story("du x", ("de", 0, 2), ("le", 0, 2), ("x", 3, 4), mentions=[[(0, 2)]])
    assert json.loads(written(other, "labelstudio"))[0]["data"] == {"text": "du x"}


def test_sacr_has_a_text_without_its_marks(tmp_path):
    inputs.write(read_text("{Ann Ann}'s {Dog dog},\nyes.\n\nShe.\n", "sacr"), tmp_path / "a.ann")
    assert (tmp_path / "a.txt").read_text() == "Ann's dog, yes.\nShe.\n"


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("brat", "a\0", r"1 character of the text .*'\\x00' .*, which brat cannot hold"),
        ("webanno", "a\0", r"1 character of the text .*'\\x00' .*, which webanno cannot hold"),
        ("labelstudio", "a\ud800", r"1 character of the text .*'\\ud800'"),
        ("brat", "a ", "1 mention of nothing but blanks"),
    ],
)
def test_a_text_that_a_file_cannot_have_is_refused(name, text, problem, tmp_path):
    place = text.index("a")
    corpus = story(
        text, ("a", place, place + 1), ("b", place + 1, len(text)), mentions=[[(1, 2)] if text == "a " else [(0, 1)]]
    )
    with pytest.raises(FormatError, match=problem):
        inputs.write(corpus, tmp_path / "x", format=name)
    assert not os.listdir(tmp_path)


@st.composite
def brat_files(draw):
    """A text as people have it, and spans that begin and end anywhere."""
    pieces = [
        "Ann",
        "Paris",
        "ian",
        ".",
        " ",
        "  ",
        "\t",
        "\n",
        "\r\n",
        "\n\n",
        "e\u0301",
        "😀",
        "\xa0",
        "\u2028",
        "\u200b",
        "\\n",
    ]
    text = draw(st.sampled_from(["", "\ufeff"])) + "".join(draw(st.lists(st.sampled_from(pieces), max_size=12)))
    place = st.integers(text.startswith("\ufeff"), len(text))
    spans = (sorted(span) for span in draw(st.lists(st.tuples(place, place), max_size=5)))
    return text, [(a, b) for a, b in spans if text[a:b].strip()]


@given(brat_files())
def test_a_text_of_brat_comes_back_byte_by_byte_by_way_of_any_tool(case):
    text, spans = case
    with TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "a.txt").write_bytes(text.encode())
        words = ("".join(text[a:b].splitlines(keepends=True)) for a, b in spans)
        lines = (f"T{n}\tX {a} {b}\t{' '.join(w.split())}\n" for n, ((a, b), w) in enumerate(zip(spans, words, strict=True)))
        (folder / "a.ann").write_text("".join(lines), encoding="utf-8")
        expected = Counter(inked(text, a, b) for a, b in spans)
        for number, steps in enumerate(
            (["brat"], ["webanno", "brat"], ["labelstudio", "brat"], ["webanno", "webanno", "brat"])
        ):
            source = folder / "a.ann"
            for step, to in enumerate(steps):
                target = folder / f"{number}{step}.{'ann' if to == 'brat' else 'x'}"
                convert(source, target, to=to)
                source = target
            assert source.with_suffix(".txt").read_bytes() == text.encode()
            found = re.findall(r"^T[0-9]+\tX ([0-9; ]+)\t", source.read_text(encoding="utf-8"), re.MULTILINE)
            parts = ([tuple(map(int, part.split())) for part in places.split(";")] for places in found)
            assert Counter(tuple(n for a, b in of for n in inked(text, a, b)) for of in parts) == expected


@given(brat_files())
def test_the_lines_of_text_of_webanno_come_back_byte_by_byte(case):
    text, _ = case
    start, end = np.array([m.span() for m in re.finditer(r"\S+", text)], dtype=np.int64).reshape(-1, 2).T
    builder = CorpusBuilder("x")
    builder.document("", re.findall(r"\S+", text), [0] if len(start) else [], raw=RawText(text, start, end))
    once = written(builder.corpus(), "webanno")
    twice = written(read_text(once, "webanno"), "webanno")
    assert re.findall("^#Text=.*", twice, re.MULTILINE) == re.findall("^#Text=.*", once, re.MULTILINE)


def test_brat_takes_a_byte_order_mark_for_no_token(tmp_path):
    tokens = ("\ufeff", 0, 1), ("a", 1, 2)
    with pytest.raises(FormatError, match=r"1 mention of a byte order mark .*, which brat cannot hold"):
        inputs.write(story("\ufeffa", *tokens, mentions=[[(0, 1)], [(1, 2)]]), tmp_path / "x", format="brat")
    assert not os.listdir(tmp_path)
    with pytest.warns(RefereeWarning, match="left out what brat cannot hold: 1 mention of a byte order mark"):
        inputs.write(story("\ufeffa", *tokens, mentions=[[(0, 1)], [(0, 2)]]), tmp_path / "x", format="brat", lossy=True)
    assert (tmp_path / "x.txt").read_bytes() == "\ufeffa".encode()
    again = inputs.read(tmp_path / "x", format="brat")
    assert raw_of(again).text == "\ufeffa"
    assert again.words(0) == ["a"]
    assert len(again.document) == 1


@pytest.mark.parametrize("name", ["jsonlines", "clusters"])
@given(case=raw_cases())
def test_formats_with_tokens_do_not_look_at_the_text(name, case):
    case = case._replace(mentions=case.mentions[:1])
    builder = CorpusBuilder("story")
    builder.document("d", case.tokens, case.sentences)
    for first, last, entity in case.mentions:
        builder.mention(first, last + 1, f"e{entity}")
    assert case.corpus("d") == builder.corpus()
    assert written(case.corpus("d"), name) == written(builder.corpus(), name)
