"""Files written again with other entities: what does not change keeps its bytes, and what changes is read back."""

import gzip
import json
import re
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from random import Random

import numpy as np
import pytest

from referee import convert, read, write
from referee.basics.exceptions import FormatError, OptionError, RefereeError, RefereeWarning
from referee.formats.shared.changes import Changes
from referee.formats.shared.file_warnings import ignore_warnings
from referee.formats.shared.source import Source
from referee.inputs.registry import FORMATS, load_format
from referee.inputs.rewriting import rewritten_file
from tests.support.edits import KINDS, edited
from tests.support.paths import SHARED
from tests.support.samples import samples

NAMES = [name for name in FORMATS if load_format(name).rewriting]
KITS = {
    "corefud": [*SHARED.glob("corefud/**/*.conllu"), *SHARED.glob("field/**/*.conllu")],
    "conll": [*SHARED.glob("conformance/reference-tests/*"), *SHARED.glob("field/**/*.conll")],
    "brat": [*SHARED.glob("field/**/*.ann")],
    "webanno": [*SHARED.glob("field/**/*.tsv")],
    "jsonlines": [*SHARED.glob("field/**/*.jsonl*")],
    "labelstudio": [*SHARED.glob("field/**/*.json")],
}


def files(name, folder):
    """Paths of a format: those beside this file, samples, which are written into a folder, and those of kits."""
    yield from sorted(path for path in (Path(__file__).parent / "rewritten" / name).glob("*") if path.suffix != ".txt")
    for number, sample in enumerate(samples(name)):
        for file, content in sample.items():
            (folder / str(number)).mkdir(exist_ok=True)
            (folder / str(number) / file).write_bytes(content)
        yield folder / str(number) / next(iter(sample))
    yield from sorted(path for path in KITS[name] if path.is_file() and path.stat().st_size < 30_000)


def readable(name, path):
    """The file and its annotation; None if it is of another format, wrong, or of CorefUD 0.x, which gets Entity."""
    try:
        with ignore_warnings():
            source = Source(path)
            before = read(source, format=name)
            source.check_encoding()
            is_whole = before.text is None or before.text.words is not None
    except RefereeError:
        return None
    is_old = b"ClusterId=" in source.raw() and b"Entity=" not in source.raw()
    return (source, before) if is_whole and not is_old else None


@pytest.fixture(scope="module")
def every_file(tmp_path_factory):
    def named(name):
        pairs = (readable(name, path) for path in files(name, tmp_path_factory.mktemp(name)))
        return [pair for pair in pairs if pair is not None]

    return {name: named(name) for name in NAMES}


every_name = pytest.mark.parametrize("name", NAMES)
pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")


@every_name
def test_with_the_same_entities_no_byte_changes(name, every_file):
    rewrite = import_module(load_format(name).rewriting).rewrite
    assert len(every_file[name]) > 1
    for source, before in every_file[name]:
        assert rewrite(source, Changes(before, before)) == source.raw().decode(), source.name


@every_name
def test_other_entities_are_read_back_and_nothing_else_changes(name, every_file):
    for seed, (source, before) in enumerate(every_file[name] * (1 + 200 // len(every_file[name]))):
        random = Random(seed)
        after = before
        for _ in range(random.choice([1, 1, 3])):
            after = edited(after, random.choice(KINDS), random)
        try:
            text = rewritten_file(source, before, after, name)  # which reads it, and compares the entities
        except FormatError as error:
            assert re.search(r"cross|is complete|has no word pieces|inside of a token", error.problem), (source.name, error)
        else:
            assert rest(name, text.removeprefix("\ufeff")) == rest(name, source.raw().decode()), source.name


def rest(name, text):
    """A file without its coreference."""
    if name in ("jsonlines", "labelstudio"):
        place, values = 0, []
        while text[place:].strip():
            value, place = json.JSONDecoder().raw_decode(text, re.compile(r"\s*").match(text, place).end())
            values.append(without_coreference(value))
        return values
    lines = text.split("\n")
    if name == "corefud":
        lines = [re.sub(r"(?<=[\t|])(Entity|Bridge|SplitAnte|Split)=[^|\r]*\|?", "", line) for line in lines]
        return [
            re.sub(r"\|?(\r?)$", r"\1", re.sub(r"\t_(\r?)$", r"\t\1", line)) for line in lines if "global.Entity" not in line
        ]
    if name == "conll":
        return [re.sub(r"[^\s]+(\s*)$", r"\1", line) if line[:1] != "#" else line for line in lines]
    if name == "webanno":
        return ["\t".join(line.split("\t")[:3]) if re.match("[0-9]+-", line) else line for line in lines]
    return sum(line[:1] not in ("T", "R", "*", "E", "A", "N", "#") for line in lines)


def without_coreference(value):
    """A value of JSON without its clusters and results."""
    if isinstance(value, dict):
        names = ("clusters", "entity_types", "characters", "predicted_clusters", "span_clusters", "result")
        return {key: without_coreference(part) for key, part in value.items() if key not in names}
    return [*map(without_coreference, value)] if isinstance(value, list) else value


HEADER = "# newdoc id = d\n# global.Entity = GRP-etype-infstat-salience-minspan-link-identity\n"


def changed(text, name, change, tmp_path, ending=""):
    """What becomes of a file whose annotation is changed by a function."""
    path = tmp_path / f"d{ending or load_format(name).endings[-1]}"
    path.write_bytes(text.encode())
    write(change(read(path)), tmp_path / f"out{path.suffix}", like=path)
    return (tmp_path / f"out{path.suffix}").read_bytes().decode()


def moved(mention, entity):
    """A function that moves a mention to the entity of another one; to a new one for -1."""

    def change(corpus):
        entities = corpus.entity.copy()
        entities[mention] = entities[entity] if entity >= 0 else len(corpus.entity_ids)
        types = None if corpus.entity_types is None else [*corpus.entity_types, "new"]
        order = np.append(corpus.file_order, len(corpus.file_order))
        return replace(
            corpus, entity=entities, entity_ids=[*corpus.entity_ids, "x"], entity_types=types, file_order=order
        ).in_reading_order()

    return change


def without(mention):
    return lambda corpus: corpus.select(np.arange(len(corpus.document)) != mention)


def typed(corpus):
    """The corpus with another type for its first entity, and the first word as head of its first mention."""
    head = None if corpus.head is None else np.where(np.arange(len(corpus.head)) == 0, corpus.start, corpus.head)
    return replace(corpus, entity_types=["new", *list(corpus.entity_types)[1:]], head=head)


def row(number, word, misc):
    return f"{number}\t{word}\t{word}\tNOUN\tNN\tCase=Nom\t0\troot\t_\t{misc}\n"


CHAINS = "#FORMAT=WebAnno TSV 3.3\n#T_CH=x.CoreferenceLink|referenceType|referenceRelation\n#T_SP=x.Y|z\n\n#Text=a b\n"
CHANGED = {
    "a mention moves: type and identity are of the entity, all else of the mention": (
        "corefud",
        moved(1, 0),
        HEADER
        + row(1, "Ann", "Entity=(1-person-new-s-1-ana-Ann)|SpaceAfter=No")
        + row(2, "it", "Entity=(2-place-giv-n-1-coref-Rome)"),
        HEADER
        + row(1, "Ann", "Entity=(1-person-new-s-1-ana-Ann)|SpaceAfter=No")
        + row(2, "it", "Entity=(1-person-giv-s-1-coref-Ann)"),
    ),
    "links follow the ids of entities": (
        "corefud",
        moved(2, 0),
        "# global.Entity = eid-etype-head-other\n"
        + row(1, "a", "Entity=(e1-x-1-)")
        + row(2, "b", "Entity=(e2-x-1-)\r")
        + row(3, "c", "Bridge=e2<e3:part|Entity=(e3-x-1-y)"),
        "# global.Entity = eid-etype-head-other\n"
        + row(1, "a", "Entity=(e1-x-1-)")
        + row(2, "b", "Entity=(e2-x-1-)\r")
        + row(3, "c", "Bridge=e2<e1:part|Entity=(e1-x-1-y)"),
    ),
    "a type and a head are changed where they stand": (
        "corefud",
        typed,
        "# global.Entity = eid-etype-head-other\n" + row(1, "a", "Entity=(e1-x-2-y") + row(2, "b", "Entity=e1)(e1-x-1-)"),
        "# global.Entity = eid-etype-head-other\n" + row(1, "a", "Entity=(e1-new-1-y") + row(2, "b", "Entity=e1)(e1-new-1-)"),
    ),
    "a new entity has the next number": (
        "conll",
        moved(1, -1),
        "a\t0\t0\tAnn\t(4)\na\t0\t1\tshe\t(4)",
        "a\t0\t0\tAnn\t(4)\na\t0\t1\tshe\t(5)",
    ),
    "nothing is what the file has for it": (
        "conll",
        without(0),
        "1  Ann  (4)  \r\n2  saw  _\n3  her  (4)\n",
        "1  Ann  _  \r\n2  saw  _\n3  her  (4)\n",
    ),
    "clusters that stay, and all else, are as they are written": (
        "jsonlines",
        moved(1, -1),
        '{"x": 1.0, "tokens":["a","b","c"], "clusters": [[[0,0], [1,1]],  [[2,2]]], "y": "\\u00e9"}\n',
        '{"x": 1.0, "tokens":["a","b","c"], "clusters": [[[0, 0]],  [[2,2]],  [[1, 1]]], "y": "\\u00e9"}\n',
    ),
    "a chain is numbered anew": (
        "webanno",
        without(0),
        CHAINS + "1-1\t0-1\ta\tpr[1]\tcoref->1-1\tq\t\n1-2\t2-3\tb\tpr[1]\t*->1-2\t_\t\n",
        CHAINS + "1-1\t0-1\ta\t_\t_\tq\t\n1-2\t2-3\tb\tpr[1]\t*->1-1\t_\t\n",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", CHANGED)
def test_what_changes_is_the_least(case, tmp_path):
    name, change, before, after = CHANGED[case]
    ending = {"webanno": ".tsv", "conll": ".conll", "jsonlines": ".jsonlines"}.get(name, "")
    assert changed(before, name, change, tmp_path, ending) == after


def test_what_needs_a_mention_of_brat_goes_with_it(tmp_path):
    for file in (Path(__file__).parent / "rewritten" / "brat").iterdir():
        (tmp_path / file.name).write_bytes(file.read_bytes())
    corpus = read(tmp_path / "d.ann")
    bob = next(m for m in range(len(corpus.document)) if corpus.text.words[0].tokens[corpus.start[m]] == "Bob")
    write(without(bob)(corpus), f"{tmp_path}/out/", like=tmp_path / "d.ann")
    before, after = (path.read_bytes().decode().split("\n") for path in (tmp_path / "d.ann", tmp_path / "out" / "d.ann"))
    gone = [line.split("\t")[0] for line in before if line not in after]
    assert gone == ["T5", "R7", "E1", "A1", "#1"] and [line for line in before if line in after] == after
    assert (tmp_path / "out" / "d.txt").read_bytes() == (tmp_path / "d.txt").read_bytes()


def test_what_a_file_cannot_say_there_is_counted(tmp_path):
    (tmp_path / "key.tsv").write_text(CHAINS + "1-1\t0-1\ta\tpr[1]\t*->1-1\tq\t\n1-2\t2-3\tb\t_\t_\t_\t\n")
    corpus = replace(read(tmp_path / "key.tsv"), entity_types=["person"])
    with pytest.warns(RefereeWarning, match=r"without what webanno cannot say there: entity types \(1\)"):
        write(corpus, tmp_path / "out.tsv", like=tmp_path / "key.tsv")


@pytest.mark.parametrize(("mark", "ending"), [(b"", ""), (b"\xef\xbb\xbf", ""), (b"", ".gz")])
def test_a_conversion_into_the_same_format_copies(mark, ending, tmp_path):
    text = mark + (Path(__file__).parent / "rewritten" / "corefud" / "1.conllu").read_bytes()
    source, target = tmp_path / f"a.conllu{ending}", tmp_path / f"b.conllu{ending}"
    opened = gzip.open if ending else open
    with opened(source, "wb") as file:
        file.write(text)
    convert(source, target)
    with opened(target, "rb") as file:
        assert file.read() == text


def test_files_of_a_folder_keep_their_names(tmp_path):
    for name in ("a.conllu", "b/c.conllu"):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_text("# a comment\n" + row(1, "Ann", "Entity=(e1)|X=1"))
        text = (tmp_path / "in" / name).read_text()
        (tmp_path / "in" / name).write_text("# global.Entity = eid-etype\n" + text)
    convert(tmp_path / "in", tmp_path / "out", to="corefud")
    convert(tmp_path / "in", tmp_path / "joined.conllu")
    lines = (tmp_path / "joined.conllu").read_text().split("\n")
    assert [line for line in lines if line[:8] == "# newdoc"] == ["# newdoc id = a", "# newdoc id = b/c"]
    rest_of = (tmp_path / "in" / "a.conllu").read_text().split("\n")
    assert [line for line in lines if line and line[:8] != "# newdoc"] == [*filter(None, rest_of)] * 2
    corpus = read(tmp_path / "in")
    write(without(0)(corpus), tmp_path / "other", like=tmp_path / "in")
    for name in ("a.conllu", "b/c.conllu"):
        assert (tmp_path / "out" / name).read_bytes() == (tmp_path / "in" / name).read_bytes()
    assert "Entity=" not in (tmp_path / "other" / "a.conllu").read_text().split("\n", 1)[1]
    assert (tmp_path / "other" / "b" / "c.conllu").read_bytes() == (tmp_path / "in" / "b" / "c.conllu").read_bytes()


JSON = '{"sentences": [["Ann", "saw"]], "speakers": [["a", "b"]], "clusters": [[[0, 0]]]'
JOINED = {
    "conll": (
        ("x 0 0 Ann NNP (1)\nx 0 1 ran VBD -\n", "#begin document (y); part 000\ny\t0\t0\tBo\tNNP\t(1)\n#end document\n"),
        (
            "#begin document (a)\nx 0 0 Ann NNP (1)\nx 0 1 ran VBD -\n#end document\n\n"
            "#begin document (y); part 000\ny\t0\t0\tBo\tNNP\t(1)\n#end document\n"
        ),
    ),
    "jsonlines": (
        (f"{JSON}}}\n", f'{JSON}, "doc_key": "y"}}\n{JSON}}}'),
        f'{JSON}, "doc_key": "a"}}\n{JSON}, "doc_key": "y"}}\n{JSON}, "doc_key": "b#2"}}\n',
    ),
}


@pytest.mark.parametrize("name", JOINED)
def test_files_of_a_folder_become_one_with_all_their_columns(name, tmp_path):
    texts, whole = JOINED[name]
    (tmp_path / "in").mkdir()
    for stem, text in zip("ab", texts, strict=True):
        (tmp_path / "in" / f"{stem}.{name}").write_text(text)
    convert(tmp_path / "in", tmp_path / f"out.{name}")
    assert (tmp_path / f"out.{name}").read_text() == whole
    assert read(tmp_path / f"out.{name}").doc_ids == read(tmp_path / "in").doc_ids


DOCUMENT = "#begin document (x)\na\t0\t0\tAnn\t(1)\n#end document\n"
REFUSED = {
    "other words": ("a\t0\t0\tBob\t(1)\n", "out.conll", FormatError, "has other words in document '#1' than"),
    "other documents": (DOCUMENT, "out.conll", FormatError, "has document 'x'; expected"),
    "another ending": ("a\t0\t0\tAnn\t(1)\n", "out.jsonlines", OptionError, "found an ending of jsonlines for what is written"),
}


@pytest.mark.parametrize("case", REFUSED)
def test_what_is_no_change_of_the_file_is_refused(case, tmp_path):
    text, target, error, message = REFUSED[case]
    (tmp_path / "key.conll").write_text("a\t0\t0\tAnn\t(1)\n")
    (tmp_path / "other.conll").write_text(text)
    with pytest.raises(error, match=re.escape(message)):
        write(read(tmp_path / "other.conll"), tmp_path / target, like=tmp_path / "key.conll")
    assert not (tmp_path / target).exists()


def test_a_format_that_is_not_written_again_is_refused(tmp_path):
    (tmp_path / "key.csv").write_text("item,entity\na,1\nb,1\n")
    with pytest.raises(OptionError, match=r"key.csv is csv, which is not written again with other entities; expected .*brat"):
        write(read(tmp_path / "key.csv"), tmp_path / "out.csv", like=tmp_path / "key.csv")
