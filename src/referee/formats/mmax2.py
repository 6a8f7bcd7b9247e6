"""MMAX2 projects: a .mmax file, the words in the folder Basedata, levels of markables in the folder Markables.

::

    maz-1.mmax                            <mmax_project><words>maz-1_words.xml</words></mmax_project>
    Basedata/maz-1_words.xml              <word id="word_1">Dagmar</word> <word id="word_2">Ziegler</word> ...
    Markables/maz-1_sentence_level.xml    <markable id="markable_1" span="word_1..word_9"/> ...
    Markables/maz-1_coref_level.xml       <markable id="markable_7" span="word_1..word_2" coref_class="set_4"/>
                                          <markable id="markable_8" span="word_5,word_8..word_9" coref_class="set_4"/> ...

The file to read is the .mmax file; a folder of these has a document for each, called like it. Folders are where the file
`common_paths.xml` beside the .mmax file says, relative to it (`basedata_path`, `markable_path`; absolute paths of another
machine are not followed), or else are called as above, in capital or small letters; so are the files of levels, with `$` for
the project's name. A project describes its attributes itself, so corpora have their own, of which these are known:

``span``
    words and ranges of words, with commas between the parts of a discontinuous markable; the last word of a range may lack
    its ``word_``
``coref_class``, ``coref_set``
    markables with the same value are an entity; without, or with ``empty``, one is alone
``ref``, ``anaphor_antecedent``, ``antecedent``, ``identical_antecedent``, ``single_phrase_antecedent``
    an antecedent, ``markable_3`` or, in another level, ``secmark:markable_3``: a link. Entities are what is linked. Of several
    antecedents with ``;`` between them (ambiguity) the first counts, with a warning. With ``type="bridge"`` (COREA) it is
    bridging.
``related_phrase``, ``related_rel``, ``bridging_antecedent``
    bridging to that markable, and the relation (ARRAU)
``multiple_phrase_antecedents``
    split antecedents (ARRAU)
``min_ids``, ``min_words``
    the minimum span that a response may give, by ids, or else by words, if these stand in the markable once
``head``
    the word that is the head, if it stands in the markable once
``reference="non_referring"`` (ARRAU), ``type="pleonastic"`` (ParCor)
    non-referring, if all markables of the entity are
``np_form``, ``mention``
    the mention type: ``ne`` is a name, ``pper`` a pronoun, ``defnp`` nominal, ... (Potsdam Commentary Corpus), ``pronoun``
    (ParCor)

The level that is read is the one with the most markables in sets; if no level has sets, the one with the most antecedents, with
what these are in other levels; if none has these either, coref, np, primmark or phrase, where then nothing corefers. All its
markables count, singletons too, but those whose ``coreftype`` is not ``ident`` (WikiCoref). These, markables of words that are
not there, sets and antecedents of other levels, and attributes such as ARRAU's ``segment_antecedent`` are left out, with
warnings. Sentences are the level sentence or sentences, or begin with the words whose ``alppos`` or ``pos`` is
0 (COREA). Read only.

References
----------
Müller and Strube (2003), "Multi-level annotation in MMAX"; files of ParCorFull and of the Potsdam Commentary Corpus 2;
for ARRAU, COREA, SoNaR and WikiCoref programs that convert them.

Notes
-----
Where these disagree:

* Converters of COREA and SoNaR take the part with the head of a discontinuous markable, or its last part: here all its parts.
* They take ``type="pred"`` for coreference, as is done here, though it is predication.
* ARRAU's ``segment_antecedent`` (discourse deixis) and second interpretations (``..._2``) are not read.
"""

from __future__ import annotations

import os
import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from referee.algorithms.components import components
from referee.basics.exceptions import FormatError, shortened
from referee.corpus import Corpus, CorpusBuilder, Spans
from referee.corpus.editing import join
from referee.formats.shared.documents import cycle
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.safe_xml import Element, elements, parse
from referee.formats.shared.source import OnError, Source

SETS = ("coref_class", "coref_set")
POINTERS = ("ref", "anaphor_antecedent", "antecedent", "identical_antecedent", "single_phrase_antecedent")
BRIDGING = ("related_phrase", "bridging_antecedent")
SPLIT = ("multiple_phrase_antecedents",)
LEVELS = ("coref", "np", "primmark", "phrase")
UNREAD = re.compile(r"[a-z_]{0,40}antecedents?(?:_2)?|related_phrase_2")
"""Attributes of antecedents that are not read, if they are none of the others here."""
NOTHING = ("", "empty", "none", "not_set")
NO_TARGET = ("left out {} to what is no other markable", "pointer")
MENTION_TYPES = {
    ("np_form", "ne"): "name", ("np_form", "pper"): "pronoun", ("np_form", "ppos"): "pronoun", ("np_form", "pds"): "pronoun",
    ("np_form", "defnp"): "nominal", ("np_form", "indefnp"): "nominal", ("mention", "pronoun"): "pronoun",
}  # fmt: skip


def sniff(head: str) -> bool:
    """Whether it is the file of a project."""
    return bool(re.search(r"<mmax_project\b", head))


def read(source: Source, on_error: OnError) -> Corpus:
    """Read a project with its words and levels."""
    return _Project(source, on_error).corpus()


class _ProjectFiles:
    """The files of a project."""

    def __init__(self, source: Source) -> None:
        if source.data is not None and not os.path.exists(source.path):
            problem = "needs the files of its project beside it; expected a path, not standard input"
            raise FormatError(source.name, None, problem)
        self.source = source
        self.folder = os.path.dirname(source.path)
        words = parse(source).find("words")
        stem = os.path.basename(source.path.removesuffix(".gz")).removesuffix(".mmax")
        name = os.path.basename((words.text if words else "").strip().replace("\\", "/"))
        self.words = (name or f"{stem}_words.xml").replace("$", stem)
        self.stems = (stem, self.words.removesuffix(".xml").removesuffix("_words"))
        common = next((file for file in self._list(self.folder) if file.lower() == "common_paths.xml"), None)
        self.paths = parse(Source(os.path.join(self.folder, common))) if common else Element("common_paths", {}, 0)

    def read_words(self) -> list[Element]:
        folder = self._find_folder("basedata", "basedata_path")
        if self.words not in self._list(folder):
            raise FormatError(self.source.name, None, f"needs the words in {self.words}; found none in {folder or '.'}")
        return elements(Source(os.path.join(folder, self.words)), "word")

    def read_levels(self) -> dict[str, tuple[str, list[Element]]]:
        """The file and the markables of each level, by its name."""
        folder = self._find_folder("markables", "markable_path")
        files = self._list(folder)
        levels: dict[str, str] = {}
        for element in self.paths.walk():
            if element.tag == "level":
                names = (element.text.strip().replace("$", stem) for stem in self.stems)
                levels |= {file: element.get("name") or file for file in names if file in files}
        for file in files:
            stem = next((stem for stem in self.stems if file.startswith(stem + "_") and file.endswith("_level.xml")), None)
            if stem is not None:
                levels.setdefault(file, file[len(stem) + 1 : -len("_level.xml")])
        return {level: (file, elements(Source(os.path.join(folder, file)), "markable")) for file, level in levels.items()}

    def _find_folder(self, name: str, tag: str) -> str:
        """The folder that common_paths.xml says, or else of this name in any case, or else that of the project."""
        element = self.paths.find(tag)
        written = element.text.strip().replace("\\", "/") if element else ""  # whatever the system
        is_relative = written and ":" not in written and written[0] != "/"
        folder = self._follow(written) if is_relative else None
        return os.path.normpath(folder) if folder is not None else self._follow(name) or self.folder

    def _follow(self, written: str) -> str | None:
        """The folder at a path from the project's, in capital or small letters; None if it is not there."""
        folder = self.folder
        for part in written.split("/"):
            if part == "..":
                folder = os.path.join(folder, part)
            elif part not in ("", "."):
                files = [file for file in self._list(folder) if file.lower() == part.lower()]
                files.sort(key=part.__ne__)
                folders = (os.path.join(folder, file) for file in files)
                inside = next(filter(os.path.isdir, folders), None)
                if inside is None:
                    return None
                folder = inside
        return folder

    def _list(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(folder or "."))
        except OSError as error:
            problem = f"cannot list its folder {folder or '.'}: {(error.strerror or str(error)).lower()}"
            raise FormatError(self.source.name, None, problem) from None


@dataclass(slots=True)
class _Markable:
    level: str
    id: str
    element: Element
    parts: Spans
    number: int = -1

    def first(self, *names: str) -> str:
        """The first of these attributes that says something; "" without one."""
        return next((value for name in names if (value := self.element.get(name)) not in NOTHING), "")

    def targets(self, *names: str) -> list[tuple[str, str]]:
        """Levels and ids of the markables that the first of these attributes points at."""
        pointers = (p.strip().rpartition(":") for p in self.first(*names).split(";") if p.strip() not in NOTHING)
        return [(level or self.level, _plain(id_)) for level, _, id_ in pointers]

    def has(self, name: str, value: str) -> bool:
        return self.element.get(name) == value


class _Project:
    """The words and the markables of a project, and the corpus that they make."""

    def __init__(self, source: Source, on_error: OnError) -> None:
        files = _ProjectFiles(source)
        self.on_error = on_error
        self.source = source
        self.losses: Counter[tuple[str, str]] = Counter()
        words = files.read_words()
        self.tokens = [" ".join(word.text.split()) for word in words]
        self.firsts = {n for n, word in enumerate(words) if word.get("alppos", word.get("pos")) == "0"}
        self.place = {word.get("id"): n for n, word in enumerate(words)}
        self.places: dict[str, list[int]] = {}
        for n, token in enumerate(self.tokens):
            self.places.setdefault(token.lower(), []).append(n)
        if len(self.place) < len(words):
            twice = next(word for n, word in enumerate(words) if self.place[word.get("id")] != n)
            on_error(None, f"{files.words}, line {twice.line}: found the word id {twice.get('id')!r} twice; expected each once")
        self.levels = files.read_levels()
        self.has_sets, self.level = self._choose_level()

    def _choose_level(self) -> tuple[bool, str]:
        """Whether entities are sets, and the level that has them."""
        for names in (SETS, POINTERS):
            values = {
                level: [e.attributes[name] for e in markables for name in names if name in e.attributes]
                for level, (_, markables) in self.levels.items()
            }
            if any(values.values()):
                most = max(values, key=lambda level: (sum(v not in NOTHING for v in values[level]), len(values[level])))
                return names is SETS, most
        if level := next((name for name in LEVELS if name in self.levels), None):
            return True, level
        levels, attributes = ", ".join(self.levels) or "none", ", ".join((*SETS, *POINTERS))
        problem = f"has no level with coreference (levels: {levels}); expected one with any of the attributes {attributes}"
        raise FormatError(self.source.name, None, problem)

    def corpus(self) -> Corpus:
        builder = CorpusBuilder(self.source.name)
        builder.document("", self.tokens, self._sentences())
        by_key = self._markables()
        markables = list(by_key.values())
        if self.has_sets:
            links = []
            labels = [m.first(*SETS) or m.id for m in markables]
        else:
            links = self._links(by_key)
            ids = [m.id if m.level == self.level else f"{m.level}:{m.id}" for m in markables]
            labels = [ids[root] for root in components(len(ids), links)]
        idle = [m.has("reference", "non_referring") or m.has("type", "pleonastic") for m in markables]
        referents = {label for label, is_idle in zip(labels, idle, strict=True) if not is_idle}
        for label, m in zip(labels, markables, strict=True):
            head = self._find(m.element.get("head"), m)
            types = (MENTION_TYPES.get((name, m.element.get(name).lower())) for name in ("np_form", "mention"))
            builder.mention(
                0,
                0,
                label,
                spans=m.parts,
                head=head[0] if head and head[1] == head[0] + 1 else None,
                minimum_span=self._minimum(m),
                mention_type=next(filter(None, types), ""),
                referring=label in referents,
            )
        for one, other in links:
            builder.link(one, other)
        self._relate(builder, by_key, labels)
        for (text, noun), count in (+self.losses).items():
            warn_file(self.source.name, text, noun, count)
        self._warn_of_unread(by_key)
        return builder.corpus()

    def _warn_of_unread(self, markables: Mapping[tuple[str, str], _Markable]) -> None:
        """Warn of annotation of coreference that is not read."""
        levels, attributes, kinds = Counter[str](), Counter[str](), Counter[str]()
        for level, (_, inside) in self.levels.items():
            for e in inside:
                is_read = (level, _plain(e.get("id"))) in markables
                if level != self.level and not is_read:
                    levels[level] += any(e.get(name) not in NOTHING for name in (*SETS, *POINTERS))
                elif e.get("coreftype", "ident") != "ident":
                    kinds[e.get("coreftype")] += 1
                if is_read:
                    names = {name for name, value in e.attributes.items() if value not in NOTHING}
                    attributes.update(filter(UNREAD.fullmatch, names.difference(POINTERS, BRIDGING, SPLIT)))
        warn_file(self.source.name, "left out {} of coreference in other levels ({names})", "markable", +levels)
        warn_file(self.source.name, "left out {} whose coreftype is not ident ({names})", "markable", kinds)
        warn_file(self.source.name, "ignored {} of markables ({names})", "attribute", attributes)

    def _markables(self) -> dict[tuple[str, str], _Markable]:
        """The markables of the level, and those of others that are antecedents, numbered in the order of the file."""
        every: dict[tuple[str, str], _Markable] = {}
        for level, (file, inside) in self.levels.items():
            for element in inside:
                id_ = _plain(element.get("id"))
                if element.get("coreftype", "ident") != "ident":
                    continue
                if (parts := self._parts(element.get("span"))) is None:
                    self.losses["left out {} of words that are not there", "markable"] += level == self.level
                elif (level, id_) not in every:
                    every[level, id_] = _Markable(level, id_, element, parts)
                elif level == self.level:
                    problem = f"found the markable id {shortened(id_)!r} twice; expected each once"
                    self.on_error(None, f"{file}, line {element.line}: {problem}")
        markables = {key: m for key, m in every.items() if key[0] == self.level}
        if not self.has_sets:
            pending = list(markables.values())
            for m in pending:  # which grows
                for key in m.targets(*POINTERS)[:1]:
                    if key in every and key not in markables:
                        markables[key] = every[key]
                        pending.append(every[key])
        for number, m in enumerate(markables.values()):
            m.number = number
        return markables

    def _links(self, markables: Mapping[tuple[str, str], _Markable]) -> list[tuple[int, int]]:
        """Each markable that has an antecedent, with it."""
        links = []
        for m in markables.values():
            keys = m.targets(*POINTERS)
            self.losses["took the first antecedent of {} with several", "markable"] += len(keys) > 1
            if keys and not m.has("type", "bridge"):
                antecedent = markables.get(keys[0])
                if antecedent is None or antecedent is m:
                    self.losses[NO_TARGET] += 1
                else:
                    links.append((m.number, antecedent.number))
        return links

    def _relate(self, builder: CorpusBuilder, markables: Mapping[tuple[str, str], _Markable], labels: Sequence[str]) -> None:
        """Add bridging and split antecedents."""
        pairs = []
        for m in markables.values():
            bridging = [(key, "") for key in m.targets(*POINTERS)[:1] if m.has("type", "bridge")]
            bridging += [(key, m.first("related_rel")) for key in m.targets(*BRIDGING)]
            for key, relation in bridging:
                if key in markables:
                    builder.bridge(m.number, markables[key].number, relation)
            elements = m.targets(*SPLIT)
            self.losses[NO_TARGET] += sum(key not in markables for key in (*(key for key, _ in bridging), *elements))
            pairs += [(labels[m.number], labels[markables[key].number]) for key in elements if key in markables]
        if circle := cycle(pairs):
            chain = " < ".join(map(shortened, circle))
            self.on_error(None, f"an entity is among its own split antecedents: {chain}; expected none")
            return
        for whole, element in pairs:
            builder.split_antecedent(builder.entity(whole), builder.entity(element))

    def _sentences(self) -> list[int]:
        starts = {0} if self.tokens else set()
        level = next((name for name in ("sentence", "sentences") if name in self.levels), None)
        if level is None:
            return sorted(starts | self.firsts)
        spans = (self._parts(e.get("span")) for e in self.levels[level][1])
        return sorted(starts | {parts[0][0] for parts in spans if parts})

    def _parts(self, span: str) -> Spans | None:
        """The words of a span; None if there are not all there."""
        parts = []
        for part in span.split(","):
            first, _, last = part.strip().partition("..")
            last = last or first
            if last.isdecimal():
                last = f"{first.rpartition('_')[0]}_{last}"
            start, end = self.place.get(first), self.place.get(last)
            if start is None or end is None or end < start:
                return None
            parts.append((start, end + 1))
        return join(parts)

    def _minimum(self, m: _Markable) -> tuple[int, int] | None:
        ids = m.first("min_ids")
        if not ids:
            return self._find(m.element.get("min_words"), m)
        parts = self._parts(ids)
        if parts and m.parts[0][0] <= parts[0][0] and parts[-1][1] <= m.parts[-1][1]:
            return parts[0][0], parts[-1][1]
        self.losses["left out {} not within the markable", "minimum span"] += 1
        return None

    def _find(self, text: str, m: _Markable) -> tuple[int, int] | None:
        """Where these words stand in the markable; None if nowhere, or if the last of them is there more than once."""
        words = text.lower().split()
        places = self.places.get(words[-1], []) if words else []
        first = bisect_left(places, m.parts[0][0])
        inside = [place for place in places[first : first + 2] if place < m.parts[-1][1]]
        if len(inside) != 1:
            return None
        start, end = inside[0] + 1 - len(words), inside[0] + 1
        return (start, end) if start >= m.parts[0][0] and [t.lower() for t in self.tokens[start:end]] == words else None


def _plain(id_: str) -> str:
    """The id without leading zeros, which references may lack."""
    return re.sub(r"_0+(?=[0-9])", "_", id_.strip())


FORMAT = Format(
    "mmax2",
    __doc__,
    (
        *("spans", "words", "links", "heads", "minimum spans", "mention types"),
        *("discontinuous mentions", "non-referring", "bridging", "split antecedents"),
    ),
    sniff,
    read,
    is_project=True,
)
