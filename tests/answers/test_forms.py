"""The forms in which language models answer are read as what they say, refused, or counted; never as something else."""

# ruff: noqa: E501  -- answers as they are written
from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from referee import Answer, RefereeError, read, score
from referee.answers.documents import UNREAD, WITHOUT
from referee.formats.shared.source import Source
from referee.scoring.evaluation import Evaluation
from tests.answers.test_answers import KEY as DOCUMENT
from tests.support.paths import SHARED
from tests.support.warned import recorded, silenced

KEY = read(Source("key.jsonlines", json.dumps(DOCUMENT).encode()))
LISTS = '[["Anna", "She", "Her"], ["a new car", "it", "the car", "it"], ["Her brother Tom"]]'
NAMED = '{"Anna": ["Anna", "She", "Her"], "car": ["a new car", "it", "the car", "it"], "Tom": ["Her brother Tom"]}'
VALUES = json.loads(NAMED)
NUMBERED = '1. Anna: "Anna", "She", "Her"\n2. the car: "a new car", "it", "the car", "it"\n3. Tom: "Her brother Tom"'
INDENTED = json.dumps(json.loads(NAMED), indent=2)
MARKED = "[Anna]_1 bought [a new car]_2. [She]_1 likes [it]_2 because [the car]_2 is fast. [[Her]_1 brother Tom]_3 drives [it]_2 too."
MENTIONS = [
    (0, 1, 1, "Anna"), (2, 5, 2, "a new car"), (6, 7, 1, "She"), (8, 9, 2, "it"), (10, 12, 2, "the car"),
    (15, 18, 3, "Her brother Tom"), (15, 16, 1, "Her"), (19, 20, 2, "it"),
]  # fmt: skip
"""Start, end, entity and string, in the order of the text."""
SENTENCE = [1, 1, 2, 2, 2, 3, 3, 3]
NAME = {1: "Anna", 2: "the car", 3: "Tom"}


def lines(line: str, head: str = "") -> str:
    """A line for each mention: `{m}` is the string, `{e}` its entity, `{n}` the name of that, `{s}` the sentence."""
    rows = [line.format(m=m, e=e, n=NAME[e], s=s) for (_, _, e, m), s in zip(MENTIONS, SENTENCE, strict=True)]
    return "\n".join([head, *rows] if head else rows)


def rows(*keys: str) -> list[dict[str, object]]:
    """A record for each mention, with a key for the string, one for the entity, and one for the sentence if it is given."""
    values = [(m, e, s) for (_, _, e, m), s in zip(MENTIONS, SENTENCE, strict=True)]
    return [dict(zip(keys, of, strict=False)) for of in values]


def grouped(head: str, before: str, between: str, after: str, quote: str = "") -> str:
    """The lists in lines, each with the name of its entity if the head has `{n}`, or its number if it has `{e}`."""
    groups = json.loads(LISTS)
    return "\n".join(
        head.format(n=NAME[e], e=e) + before + between.join(f"{quote}{m}{quote}" for m in of) + after
        for e, of in enumerate(groups, 1)
    )


def marked(opening: str, closing: str) -> str:
    """The text with marks, in which `{e}` is the entity."""
    words = [word for sentence in _words() for word in sentence]
    for start, end, e, _ in sorted(MENTIONS, key=lambda m: (m[0], -m[1]), reverse=True):
        words[start] = opening.format(e=e) + words[start]
        words[end - 1] += closing.format(e=e)
    return " ".join(words).replace(" .", ".")


def _words() -> list[list[str]]:
    [document] = KEY.text.words
    edges = [*document.sentences, len(document.tokens)]
    return [list(document.tokens[a:b]) for a, b in itertools.pairwise(edges)]


PLAIN = {
    "lists": LISTS,
    "by name": NAMED,
    "on many lines": INDENTED,
    "chains": f'{{"coreference_chains": {LISTS}}}',
    "groups": f'{{"groups": {LISTS}}}',
    "by number": '{"clusters": {"0": ["Anna", "She", "Her"], "1": ["a new car", "it", "the car", "it"], "2": ["Her brother Tom"]}}',
    "ids": NAMED.replace('"Anna":', '"E1":').replace('"car":', '"E2":').replace('"Tom":', '"E3":'),
    "name and mentions": '[{"entity": "Anna", "mentions": ["Anna", "She", "Her"]}, {"entity": "the car", "mentions": '
    '["a new car", "it", "the car", "it"]}, {"entity": "Tom", "mentions": ["Her brother Tom"]}]',
    "representative": '{"clusters": [{"id": 0, "representative": "Anna", "mentions": ["Anna", "She", "Her"]}, {"id": 1, '
    '"representative": "a new car", "mentions": ["a new car", "it", "the car", "it"]}, {"id": 2, "mentions": ["Her brother Tom"]}]}',
    "pairs of name and list": '[["Anna", ["Anna", "She", "Her"]], ["the car", ["a new car", "it", "the car", "it"]], '
    '["Tom", ["Her brother Tom"]]]',
    "singletons apart": '{"clusters": [["Anna", "She", "Her"], ["a new car", "it", "the car", "it"]], "singletons": '
    '["Her brother Tom"]}',
    "explained": '[{"mentions": ["Anna", "She", "Her"], "explanation": "\\"She\\" is \\"Anna\\""}, {"mentions": ["a new car", '
    '"it", "the car", "it"], "explanation": "\\"it\\" is \\"a new car\\""}, {"mentions": ["Her brother Tom"], "explanation": "-"}]',
    "by document": f'{{"d1": {NAMED}}}',
    "document within": f'{{"document_id": "d1", "coreference": {{"entities": {LISTS}}}}}',
    "wrapped": f'{{"status": "success", "result": {{"clusters": {LISTS}}}, "error": null}}',
    "text repeated": f'{{"input": "Anna bought a new car. She likes it.", "output": {{"clusters": {LISTS}}}}}',
    "as a string": json.dumps({"answer": LISTS}),
    "twice encoded": json.dumps(NAMED),
    "an object a mention": json.dumps(rows("mention", "cluster_id")),
    "with sentences": json.dumps({"mentions": rows("text", "entity", "sentence")}),
    "pairs of string and entity": json.dumps([[m, e] for _, _, e, m in MENTIONS]),
    "pairs of entity and string": json.dumps([[e, m] for _, _, e, m in MENTIONS]),
    "spans beside strings": json.dumps([{"text": m, "start": a, "end": b, "entity_id": e} for a, b, e, m in MENTIONS]),
    "last tokens beside strings": json.dumps(
        [{"text": m, "start": a, "end": b - 1, "entity_id": e} for a, b, e, m in MENTIONS]
    ),
    "antecedents": json.dumps(
        [
            {"id": n, "mention": m, "antecedent": before}
            for n, ((*_, m), before) in enumerate(zip(MENTIONS, [None, None, 0, 1, 3, None, 2, 4], strict=True))
        ]
    ),
    "JSON lines": "\n".join(json.dumps(of) for of in json.loads(LISTS)),
    "JSON lines of mentions": "\n".join(map(json.dumps, rows("mention", "entity_id", "sentence"))),
    "comments and commas": NAMED.replace("], ", "], // so\n  ").replace("]}", "],\n}"),
    "bare keys": NAMED.replace('"Anna":', "anna:").replace('"car":', "car:").replace('"Tom":', "tom:").replace('"', "'"),
    "Python": "[('Anna', 'She', 'Her'), ('a new car', 'it', 'the car', 'it'), ('Her brother Tom',)]",
    "sets": "[{('Anna', 1), ('She', 2), ('Her', 3)}, {('a new car', 1), ('it', 2), ('the car', 2), ('it', 3)}, "
    "{('Her brother Tom', 3)}]",
    "no outer brackets": LISTS[1:-1],
    "YAML": grouped("{n}:\n  - ", "", "\n  - ", ""),
    "YAML of entities": "entities:\n" + grouped("  - name: {n}\n    mentions:\n      - ", "", "\n      - ", "", '"'),
    "commas": grouped("Entity {e}: ", "", ", ", ""),
    "quotes": grouped("Cluster {e}: ", "", ", ", "", '"'),
    "brackets": grouped("Cluster {e} ({n}): ", "[", ", ", "]"),
    "braces": grouped("Chain {e} = ", "{", ", ", "}"),
    "semicolons": grouped("{n}: ", "", "; ", ""),
    "slashes": grouped("- ", "", " / ", ""),
    "bare lines": grouped("", "", ", ", ""),
    "bare brackets": grouped("", "[", ", ", "]"),
    "curly quotes": grouped("{n}: ", "“", "”, “", "”"),
    "guillemets": grouped("{n} : ", "« ", " », « ", " »"),
    "Chinese": grouped("实体{e}:", "「", "」、「", "」"),
    "backticks": grouped("- **{n}**: ", "", ", ", "", "`"),
    "bold names": grouped("* **{n}** – ", "", ", ", "", '"'),
    "headings": grouped("### Entity {e}: {n}\n- ", "", "\n- ", "\n"),
    "bullets in bullets": grouped("- {n}\n  - ", "", "\n  - ", ""),
    "mentions with labels": grouped("{e}. **{n}**\n   - Type: OBJECT\n   - Mentions: ", "", ", ", "", '"'),
    "sentences in brackets": NAMED.replace('She"', 'She (S2)"').replace('Anna",', 'Anna (S1)",').replace('Her"]', 'Her (S3)"]'),
    "a mention a line": lines('"{m}" -> {n}'),
    "numbered mentions": lines('- "{m}" (sentence {s}) → Entity {e}'),
    "table": lines("| {m} | {e} |", "| Mention | Entity |\n|---|---|"),
    "table of lists": "| Entity | Mentions |\n|---|---|\n" + grouped("| {n} | ", "", ", ", " |"),
    "CSV": lines("{m},{e}", "mention,entity"),
    "CSV of lists": "entity,mentions\n" + grouped("{n},", '"', ", ", '"'),
    "tabs": lines("{m}\t{e}", "mention\tentity_id"),
    "marks behind": MARKED,
    "marks with bars": marked("[", "|{e}]"),
    "marks with numbers": marked("[", "]({e})"),
    "marks before": marked("[{e}: ", "]"),
    "elements": marked('<entity id="{e}">', "</entity>"),
    "numbered elements": marked("<{e}>", "</{e}>"),
    "raised marks": marked("[", "]^{e}"),
    "marks in JSON": json.dumps({"doc_id": "d1", "text": MARKED}),
    "marks in lines": MARKED.replace(". ", ".\n"),
    "entities": json.dumps(
        {"entities": [{"id": n, "name": name, "mentions": of} for n, (name, of) in enumerate(VALUES.items())]}
    ),
    "clusters of objects": json.dumps(
        {"clusters": [{"entity": n, "mentions": [{"text": m} for m in of]} for n, of in VALUES.items()]}
    ),
    "antecedents as strings": json.dumps(
        [
            {"mention": "Anna", "antecedent": None},
            {"mention": "a new car", "antecedent": None},
            {"mention": "She", "antecedent": "Anna"},
            {"mention": "it", "antecedent": "a new car"},
            {"mention": "the car", "antecedent": "it"},
            {"mention": "Her", "antecedent": "She"},
            {"mention": "Her brother Tom", "antecedent": None},
            {"mention": "it", "antecedent": "the car"},
        ]
    ),
    "an entity a line": "\n".join(json.dumps({"entity": n, "mentions": of}) for n, of in VALUES.items()),
    "strings with commas": json.dumps({name: ", ".join(of) for name, of in VALUES.items()}),
    "with a document": json.dumps({"doc_key": "d1", "prediction": json.loads(LISTS)}),
    "empty entity": json.dumps({"clusters": [*json.loads(LISTS), []]}),
    "sentences": json.dumps(
        [
            [["Anna", 1], ["She", 2], ["Her", 3]],
            [["a new car", 1], ["it", 2], ["the car", 2], ["it", 3]],
            [["Her brother Tom", 3]],
        ]
    ),
    "words": json.dumps(
        [
            [["Anna", 0], ["She", 6], ["Her", 15]],
            [["a new car", 2], ["it", 8], ["the car", 10], ["it", 19]],
            [["Her brother Tom", 15]],
        ]
    ),
    "a mapping of Python": str(VALUES),
    "sets without quotes": "{Anna, She, Her}, {a new car, it, the car, it}, {Her brother Tom}",
    "curly quotes everywhere": "{“Anna”: [“Anna”, “She”, “Her”], “car”: [“a new car”, “it”, “the car”, “it”], “Tom”: [“Her brother Tom”]}",
    "numbered without quotes": "1. Anna: Anna, She, Her\n2. car: a new car, it, the car, it\n3. Tom: Her brother Tom",
    "numbered without names": '1. "Anna", "She", "Her"\n2. "a new car", "it", "the car", "it"\n3. "Her brother Tom"',
    "bullets": "**Entity 1 (Anna):**\n- Anna\n- She\n- Her\n\n**Entity 2:**\n- a new car\n- it\n- the car\n- it\n\n**Entity 3:**\n- Her brother Tom",
    "nested": '1. **Anna**\n   - "Anna" (sentence 1)\n   - "She" (sentence 2)\n   - "Her" (sentence 3)\n2. **Car**\n   - "a new car"\n   - "it"\n   - "the car"\n   - "it"\n3. **Tom**\n   - "Her brother Tom"',
    "headings alone": "## Anna\n- Anna\n- She\n- Her\n## The car\n- a new car\n- it\n- the car\n- it\n## Tom\n- Her brother Tom\n",
    "YAML without quotes": "clusters:\n  - name: Anna\n    mentions:\n      - Anna\n      - She\n      - Her\n  - name: car\n    mentions:\n      - a new car\n      - it\n      - the car\n      - it\n  - name: Tom\n    mentions:\n      - Her brother Tom\n",
    "arrows": "Anna → She → Her\na new car → it → the car → it\nHer brother Tom",
    "words in brackets": "Anna (0), She (6), Her (15)\na new car (2-4), it (8), the car (10-11), it (19)\nHer brother Tom (15-17)",
    "lines to ids": lines("{m}: E{e}"),
    "numbers in any order": json.dumps(
        [
            [["She", 2], ["Anna", 1], ["Her", 3]],
            [["a new car", 1], ["it", 3], ["it", 2], ["the car", 2]],
            [["Her brother Tom", 3]],
        ]
    ),
    "numbers in any order by name": json.dumps(
        {
            "Anna": [["Anna", 1], ["Her", 3], ["She", 2]],
            "car": [["a new car", 1], ["the car", 2], ["it", 2], ["it", 3]],
            "Tom": [["Her brother Tom", 3]],
        }
    ),
    "an object a sentence": json.dumps(
        [
            {
                "sentence": n,
                "mentions": [{"text": m, "entity": e} for (*_, e, m), s in zip(MENTIONS, SENTENCE, strict=True) if s == n],
            }
            for n in (1, 2, 3)
        ]
    ),
    "a mapping a sentence": json.dumps(
        {f"S{n}": {m: e for (*_, e, m), s in zip(MENTIONS, SENTENCE, strict=True) if s == n} for n in (1, 2, 3)}
    ),
    "pairs by sentence": json.dumps(
        {f"S{n}": [[m, f"E{e}"] for (*_, e, m), s in zip(MENTIONS, SENTENCE, strict=True) if s == n] for n in (1, 2, 3)}
    ),
    "sentences of entities": '{"Anna": {"S1": ["Anna"], "S2": ["She"], "S3": ["Her"]}, "car": {"S1": ["a new car"], '
    '"S2": ["it", "the car"], "S3": ["it"]}, "Tom": {"S3": ["Her brother Tom"]}}',
    "another name of mentions": json.dumps(
        [{"no": n, "entity": e, "coreferences": of} for n, (e, of) in enumerate(VALUES.items())]
    ),
    "an unknown name of mentions": json.dumps(
        [{"no": n, "entity": e, "variants": of} for n, (e, of) in enumerate(VALUES.items())]
    ),
    "full stops": grouped("- {n}: ", "", ", ", "."),
    "numbers before": '- Anna: S1: "Anna", S2: "She", S3: "Her"\n- car: S1: "a new car", S2: "it", S2: "the car", S3: "it"\n'
    '- Tom: S3: "Her brother Tom"',
    "pairs in lines": "- (Anna, 1), (She, 2), (Her, 3)\n- (a new car, 1), (it, 2), (the car, 2), (it, 3)\n- (Her brother Tom, 3)",
    "long chains": "Anna -> She -> Her\na new car -> it -> the car -> it\nHer brother Tom",
    "quoted chains": grouped("- ", "", " = ", "", '"'),
    "single brackets": grouped("- ", "", " -> ", "").replace(" -> ", "] -> [").replace("- ", "- [").replace("\n", "]\n") + "]",
    "names and dashes": grouped("{n} - ", "", ", ", ""),
    "mentions below": grouped("Entity {e}: {n}\nMentions: ", "", ", ", "\n"),
    "sentences of bullets": "**Anna**:\n- S1: Anna\n- S2: She\n- S3: Her\n**car**:\n- S1: a new car\n- S2: it\n- S2: the car\n- S3: it\n"
    "**Tom**:\n- S3: Her brother Tom",
    "entity and mention a line": "\n".join(f"E{e}: {m}" for *_, e, m in MENTIONS),
    "elements by code": "<e1>Anna</e1> bought <e2>a new car</e2>. <e1>She</e1> likes <e2>it</e2> because <e2>the car</e2> is fast. <e3><e1>Her</e1> brother Tom</e3> drives <e2>it</e2> too.",
}
"""Answers that need no word."""

COUNTED = {
    "fence": f"```json\n{NAMED}\n```",
    "fence that is not closed": f"```json\n{INDENTED}",
    "courtesies": f"Sure! Here are the clusters:\n\n```json\n{NAMED}\n```\n\nHope this helps!",
    "sentence with quotes": f'The pronoun "She" refers to "Anna", "it" to "a new car".\n\n{NAMED}',
    "explained behind": f'{NAMED}\n\n**Explanation:**\n1. "Anna", "She", "Her" are the same woman.\n2. "it" is the car.',
    "note with brackets": f"{LISTS}\n\nNote: [it] could refer to something else, but {{the car}} is the most natural reading.",
    "draft": f'Draft:\n[["Anna", "She"], ["a new car", "it"]]\n\nI missed some. Corrected:\n{LISTS}',
    "three drafts": f'[["Anna"]]\n[["Anna", "She"], ["a new car", "it"]]\nActually, the complete answer is:\n{LISTS}',
    "repeated": f"{NAMED}\n\n{NAMED}\n\n{NAMED}",
    "list and JSON": f"{NUMBERED}\n\nIn JSON format:\n\n```json\n{INDENTED}\n```",
    "thoughts": f'<think>"Anna" is a person. Maybe ["a new car", "it"]? Or [["Anna", "it"]].</think>\n{NAMED}',
    "thoughts that only end": f'"Anna" is a person. Maybe ["a new car", "it"]?\n</think>\n\n{NAMED}',
    "reasoning": f'Reasoning: "She" is Anna, and ["a new car", "it"].\n\nFinal answer: {NAMED}',
    "thoughts before marks": f"<think>[Anna]_1 ... [She]_1 ... fine</think>\n{MARKED}",
    "a later answer is cut off": f'{LISTS}\n\nAgain:\n[["Anna", "She", "Her"], ["a new ca',
    "remarks": NAMED.replace('"She"', '"She (Anna)"'),
}
"""Answers with more than the answer: what is left out is counted."""


AROUND = [f"Here are the entities:\n\n{NUMBERED}", f"{NUMBERED}\n\nIn total there are 3 entities and 8 mentions."]


def scored(said: str | Path | Answer) -> Evaluation:
    with silenced():
        return score(KEY, said)


def written(folder: Path, text: str) -> Path:
    path = folder / "answer.txt"
    path.write_text(text, encoding="utf-8")
    return path


@pytest.mark.parametrize("form", PLAIN)
def test_answers_are_read_as_they_are_meant(form: str, tmp_path: Path) -> None:
    for found in (scored(written(tmp_path, PLAIN[form])), scored(Answer(PLAIN[form]))):
        assert found["lea"].value == 1.0
        assert not found.pair.repairs


@pytest.mark.parametrize("form", COUNTED)
def test_what_is_beside_the_answer_is_left_out_and_counted(form: str, tmp_path: Path) -> None:
    for found in (scored(written(tmp_path, COUNTED[form])), scored(Answer(COUNTED[form]))):
        assert found["lea"].value == 1.0
        assert found.pair.repairs
        assert "repaired:" in found.signature


@pytest.mark.parametrize("text", AROUND)
def test_sentences_around_lists_in_lines_are_no_entities(text: str, tmp_path: Path) -> None:
    for found in (scored(written(tmp_path, text)), scored(Answer(text))):
        assert found["lea"].value == 1.0


@pytest.mark.parametrize("value", [json.loads(LISTS), json.loads(NAMED), {"d1": json.loads(LISTS)}, {"d1": MARKED}])
def test_answers_may_be_values(value: list[object] | dict[str, object]) -> None:
    assert scored(Answer(value))["lea"].value == 1.0


TEXT = "Anna bought a new car. She likes it because the car is fast. Her brother Tom drives it too."
TASK = f"List the entities.\n\nText: {TEXT}"
REFUSED = {
    "the text": TEXT,
    "the text in lines": TEXT.replace(". ", ".\n"),
    "prose": "The text is about Anna, who bought a new car. She likes it. Tom, who is her brother, drives it too.",
    "an error": '{"error": {"message": "Rate limit reached for the model", "type": "tokens", "code": "rate_limit_exceeded"}}',
    "a request": json.dumps(
        {"custom_id": "d1", "method": "POST", "url": "/v1", "body": {"messages": [{"role": "user", "content": TASK}]}}
    ),
    "a configuration": "model: large\ntemperature: 0.0\nmetrics:\n  - muc\n  - lea\n",
    "code": "import json\n\nwith open('a.json') as file:\n    data = json.load(file)\nprint(data['clusters'])\n",
    "another table": "name,age,city\nAnna,31,Berlin\nTom,28,Bonn\n",
    "names": '{"entities": ["Anna", "car"]}',
    "names with types": '{"entities": [{"id": 1, "name": "Anna", "type": "PERSON"}, {"id": 2, "name": "car", "type": "OBJECT"}]}',
    "descriptions": '{"Anna": "a woman", "car": "a vehicle", "Tom": "the brother"}',
    "a number": "There are 3 entities in the text.",
    "numbers": '{"entities": 3, "mentions": 8}',
    "scores": '{"muc": {"p": 90.0, "r": 88.1, "f1": 89.0}, "lea": {"p": 80.0, "r": 78.1, "f1": 79.0}}',
    "spans that end before they begin": '{"clusters": [[[0, 1], [4, 2]]]}',
    "spans before the text": '{"clusters": [[[-1, 0], [6, 7]]]}',
    "pronouns replaced": TEXT.replace("She", "Anna").replace("it", "the car"),
    "a page of an error": "<html><head><title>502 Bad Gateway</title></head><body><h1>502 Bad Gateway</h1></body></html>",
    "the tokens in lines": "Anna bought a new car .\nShe likes it because the car is fast .\nHer brother Tom drives it too .",
    "sentences about entities": "She refers to Anna, and it refers to the car. Tom is her brother.",
    "names of entities": '{"entities": ["Anna", "car", "Tom"]}',
    "objects without mentions": '{"entities": [{"id": 1, "name": "Anna", "type": "PERSON"}]}',
    "a request of lists": '{"custom_id": "d1", "body": {"messages": [{"role": "user", "content": "[[\\"Anna\\", \\"She\\"]]"}]}}',
    "a list of other things": "- eggs\n- milk, bread\n- 3 apples",
    "code of lists": "def f(x):\n    return [x, 'y', \"it\"]\n",
    "a list of numbers": "[3, 4, 5]",
    "thoughts that do not end": f'<think>"Anna" is a person. Maybe {NAMED[:60]}',
}


@pytest.mark.parametrize("form", REFUSED)
def test_what_is_no_answer_is_refused(form: str, tmp_path: Path) -> None:
    with pytest.raises(RefereeError) as caught:
        scored(written(tmp_path, REFUSED[form]))
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("form", REFUSED)
def test_what_is_said_to_be_an_answer_has_no_entities_then(form: str) -> None:
    """Nothing of it becomes a mention: it is refused, or counted."""
    try:
        found = scored(Answer(REFUSED[form]))
    except RefereeError as error:
        assert "\n" not in str(error)
    else:
        assert len(found.pair.unfiltered.response.start) == 0
        assert sum(number for what, number in found.pair.repairs.items() if what in (WITHOUT, UNREAD)) == 1


OTHERS = {
    "the text of others": '{"entities": [["Maria", "she"], ["a small dog", "the dog"], ["Paul", "he"]]}',
    "marks in the text of others": "[Maria]_1 owns [a small dog]_2. [She]_1 walks [it]_2 every day, says [Paul]_3.",
}


@pytest.mark.parametrize("form", OTHERS)
def test_answers_about_another_text_are_refused_or_counted(form: str, tmp_path: Path) -> None:
    for said in (written(tmp_path, OTHERS[form]), Answer(OTHERS[form])):
        try:
            found = scored(said)
        except RefereeError as error:
            assert "\n" not in str(error)
        else:
            assert found["lea"].value < 0.5
            assert "repaired:" in found.signature


EMPTY = ["[]", "{}", '{"entities": []}', '{"clusters": null}', '{"mentions": []}', '{"d1": []}', "[[]]", '{"d1": {}}']
WORDS = [
    "None.",
    "**Answer:** No coreference clusters were found.",
    "I'm sorry, but I can't help with that.",
    "None",
    "There are no coreferring mentions in this text.",
    "I'm sorry, but I cannot help with that.",
    "N/A",
    "null",
]


@pytest.mark.parametrize("text", EMPTY)
def test_an_answer_may_have_no_entities(text: str, tmp_path: Path) -> None:
    for said in (written(tmp_path, text), Answer(text)):
        found = scored(said)
        assert (len(found.pair.unfiltered.response.start), dict(found.pair.repairs)) == (0, {})


@pytest.mark.parametrize("text", WORDS)
def test_a_refusal_in_words_is_counted(text: str, tmp_path: Path) -> None:
    for said in (written(tmp_path, text), Answer(text)):
        found = scored(said)
        assert len(found.pair.unfiltered.response.start) == 0
        assert found.pair.repairs == {WITHOUT: 1}


FIELD = SHARED / "field" / "answers"
FOUND = sorted(path for path in FIELD.glob("*/*.txt") if path.name not in ("README.txt", "answer.txt"))
FOUND += FIELD.glob("tagged-bar-zero/answer.txt")


@pytest.mark.skipif(not FOUND, reason="needs ../shared/field/answers")
@pytest.mark.parametrize("path", FOUND, ids=lambda path: f"{path.parent.name}/{path.name}")
def test_answers_of_the_field_are_read_or_refused(path: Path) -> None:
    """One has a document that its key does not have, which is warned of."""
    [key] = path.parent.glob("key*.jsonlines")
    with recorded() as caught:
        try:
            value = score(key, path)["lea"]
        except RefereeError as error:
            assert "\n" not in str(error) and path.name == "10_token_offsets_incl.txt"
        else:
            strange = any("their mentions count as spurious" in str(warning.message) for warning in caught)
            assert value.recall == 1.0
            assert value.precision == 1.0 or strange


SAME = {
    "a chain of antecedents": "She -> Anna\nHer -> She\nit -> a new car\nthe car -> it\nHer brother Tom -> Her brother Tom",
    "singletons in lines": "Chains:\n1. Anna, She, Her\n2. a new car, it, the car, it\nSingletons: Her brother Tom",
    "singletons below": "Coreference chains:\n- Anna, She, Her\n- a new car, it, the car, it\n\nSingletons:\n- Her brother Tom",
    "an unknown key of the entity": json.dumps({"mentions": rows("text", "coref_chain")}),
    "objects of one entity": json.dumps({"clusters": [{str(n): of} for n, of in enumerate(VALUES.values())]}),
    "sentences with their texts": json.dumps(
        {
            "sentences": [
                {"id": n, "text": "...", "mentions": [r for r in rows("text", "entity", "sentence") if r.pop("sentence") == n]}
                for n in (1, 2, 3)
            ]
        }
    ),
}
"""Answers that were something else."""


@pytest.mark.parametrize("form", [name for name in SAME if name != "a chain of antecedents"])
def test_answers_that_were_something_else(form: str, tmp_path: Path) -> None:
    for found in (scored(written(tmp_path, SAME[form])), scored(Answer(SAME[form]))):
        assert found["lea"].value == 1.0


def test_antecedents_in_lines_are_no_names() -> None:
    """A car is in one entity with what is called `it`, which comes last in the text, too."""
    found = scored(Answer(SAME["a chain of antecedents"].replace("\nthe car -> it", "\nthe car -> it\nit -> the car")))
    assert found["lea"].value == 1.0


FENCES = "\n".join(f"**{name}**\n```json\n{json.dumps(of)}\n```" for name, of in VALUES.items())
AMBIGUOUS = {
    "names": '{"1": "Anna", "2": "a new car", "3": "Her brother Tom"}',
    "names in lines": "Anna (also: She, Her)\nit (also: the car, it)",
}


def test_a_fence_for_each_entity_is_one_answer() -> None:
    found = scored(Answer(FENCES))
    assert found["lea"].value == 1.0 and "6 code fences" not in found.signature


@pytest.mark.parametrize("form", AMBIGUOUS)
def test_what_could_be_names_or_mentions_is_counted_or_refused(form: str) -> None:
    found = scored(Answer(AMBIGUOUS[form]))
    assert found.pair.repairs


@pytest.mark.parametrize("answer", [[[["Anna", "She"]], [["Tom", "he"]]], [{"d1": [["Anna", "She"]]}, {"d2": [["Tom", "he"]]}]])
def test_a_list_of_documents_is_in_the_order_of_the_key_or_by_name(answer: list[object]) -> None:
    names = (("d1", ["Anna", "sat", "She"]), ("d2", ["Tom", "ran", "he"]))
    key = [{"doc_key": name, "sentences": [words], "clusters": [[[0, 0], [2, 2]]]} for name, words in names]
    with silenced():
        assert score(key, Answer(answer))["lea"].value == 1.0
        with pytest.raises(RefereeError, match="lacks the name of a document"):
            score(key, Answer([{"Anna": ["Anna", "She"]}, {"Tom": ["Tom", "he"]}]))
