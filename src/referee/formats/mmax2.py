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
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from referee.algorithms.components import components
from referee.basics.exceptions import FormatError, shortened
from referee.corpus import Corpus, CorpusBuilder, Spans
from referee.corpus.editing import join
from referee.formats.shared import safe_xml
from referee.formats.shared.documents import cycle
from referee.formats.shared.file_warnings import warn_file
from referee.formats.shared.format import Format
from referee.formats.shared.safe_xml import Element
from referee.formats.shared.source import OnError, Source

SETS = ("coref_class", "coref_set")
POINTERS = ("ref", "anaphor_antecedent", "antecedent", "identical_antecedent", "single_phrase_antecedent")
BRIDGING = ("related_phrase", "bridging_antecedent")
SPLIT = ("multiple_phrase_antecedents",)
LEVELS = ("coref", "np", "primmark", "phrase")
UNREAD = re.compile(r"[a-z_]{0,40}antecedents?(?:_2)?|related_phrase_2")
"""Attributes of antecedents that are not read, if they are none of the others here."""
NOTHING = ("", "empty", "none", "not_set")
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
        root = safe_xml.parse(source)
        words = root.find("words")
        named = os.path.basename((words.text if words else "").strip().replace("\\", "/"))
        stem = os.path.basename(source.path.removesuffix(".gz")).removesuffix(".mmax")
        self.words = named or f"{stem}_words.xml"
        self.words = self.words.replace("$", stem)
        self.stems = (stem, self.words.removesuffix(".xml").removesuffix("_words"))
        self.paths = self._common_paths()

    def read_words(self) -> Element:
        folder = self._folder("basedata")
        if self.words not in self._listed(folder):
            raise FormatError(self.source.name, None, f"needs the words in {self.words}; found none in {folder or '.'}")
        return safe_xml.parse(Source(os.path.join(folder, self.words)))

    def read_levels(self) -> dict[str, tuple[str, Element]]:
        """The file and the root of each level, by its name."""
        folder = self._folder("markables")
        listed = self._listed(folder)
        files: dict[str, str] = {}
        for element in self.paths.walk():
            if element.tag == "level":
                names = (element.text.strip().replace("$", stem) for stem in self.stems)
                files |= {file: element.get("name") or file for file in names if file in listed}
        levels = {level: (file, safe_xml.parse(Source(os.path.join(folder, file)))) for file, level in files.items()}
        for file in listed:
            for stem in self.stems if file not in files else ():
                if file.startswith(stem + "_") and file.endswith("_level.xml"):
                    root = safe_xml.parse(Source(os.path.join(folder, file)))
                    levels[file[len(stem) + 1 : -len("_level.xml")]] = file, root
                    break
        return levels

    def _folder(self, name: str) -> str:
        """The folder that common_paths.xml says, or else of this name in any case, or else that of the project."""
        element = self.paths.find("basedata_path" if name == "basedata" else "markable_path")
        said = element.text.strip().replace("\\", "/") if element else ""
        if said and (found := self._said(said)):
            return found
        paths = (os.path.join(self.folder, file) for file in self._listed(self.folder) if file.lower() == name)
        return next(filter(os.path.isdir, paths), self.folder)

    def _common_paths(self) -> Element:
        """What the common_paths.xml says by which MMAX2 finds folders and levels; an empty element if there is none."""
        file = next((file for file in self._listed(self.folder) if file.lower() == "common_paths.xml"), None)
        return safe_xml.parse(Source(os.path.join(self.folder, file))) if file else Element("common_paths", {}, 0)

    def _said(self, said: str) -> str | None:
        """The folder at a path relative to the project's, in capital or small letters; None if it is absolute or not there."""
        first, *others = said.split("/")  # in an XML file, whatever the system
        if (not first and others) or ":" in said:
            return None
        folder = self.folder
        for part in (first, *others):
            if part == "..":
                folder = os.path.join(folder, part)
            elif part not in ("", "."):
                listed = self._listed(folder)
                same = (file for file in (part, *listed) if file.lower() == part.lower() and file in listed)
                folder = next(filter(os.path.isdir, (os.path.join(folder, file) for file in same)), "")
                if not folder:
                    return None
        return os.path.normpath(folder)

    def _listed(self, folder: str) -> list[str]:
        try:
            return sorted(os.listdir(folder or "."))
        except OSError as error:
            problem = f"cannot list its folder {folder or '.'}: {(error.strerror or str(error)).lower()}"
            raise FormatError(self.source.name, None, problem) from None


@dataclass
class _MmaxMark:
    level: str
    id: str
    element: Element
    parts: Spans
    number: int = -1


class _Project:
    """The words and the markables of a project, and the corpus that they make."""

    def __init__(self, source: Source, on_error: OnError) -> None:
        files = _ProjectFiles(source)
        self.on_error = on_error
        self.source = source
        self.troubles: Counter[tuple[str, str]] = Counter()
        self.words = [e for e in files.read_words().walk() if e.tag == "word"]
        self.tokens = [" ".join(e.text.split()) for e in self.words]
        self.place = {e.get("id"): n for n, e in enumerate(self.words)}
        if len(self.place) < len(self.words):
            twice = next(e for n, e in enumerate(self.words) if self.place[e.get("id")] != n)
            on_error(None, f"{files.words}, line {twice.line}: found the word id {twice.get('id')!r} twice; expected each once")
        self.levels = files.read_levels()
        self.sets, self.level = self._choose()

    def _choose(self) -> tuple[bool, str]:
        """Whether entities are sets, and the level that has them."""
        for names in (SETS, POINTERS):
            found = {
                level: [value for e in _elements(root) for name in names if (value := e.attributes.get(name)) is not None]
                for level, (_, root) in self.levels.items()
            }
            if any(found.values()):
                most = max(found, key=lambda level: (sum(v not in NOTHING for v in found[level]), len(found[level])))
                return names is SETS, most
        if level := next((name for name in LEVELS if name in self.levels), None):
            return True, level
        known, attributes = ", ".join(self.levels) or "none", ", ".join((*SETS, *POINTERS))
        problem = f"has no level with coreference (levels: {known}); expected one with any of the attributes {attributes}"
        raise FormatError(self.source.name, None, problem)

    def corpus(self) -> Corpus:
        builder = CorpusBuilder(self.source.name)
        builder.document("", self.tokens, self._sentences())
        markables = self._markables()
        links = [] if self.sets else list(self._links(markables))
        if self.sets:
            labels = [next((v for name in SETS if (v := m.element.get(name)) not in NOTHING), m.id) for m in markables.values()]
        else:
            ids = [m.id if m.level == self.level else f"{m.level}:{m.id}" for m in markables.values()]
            labels = [ids[root] for root in components(len(ids), ((a.number, b.number) for a, b in links))]
        referents = {label for label, m in zip(labels, markables.values(), strict=True) if not _is_idle(m.element)}
        for label, m in zip(labels, markables.values(), strict=True):
            head, minimum, kind = self._head(m), self._minimum(m), _mention_type(m.element)
            refers = label in referents
            builder.mention(0, 0, label, spans=m.parts, head=head, minimum_span=minimum, mention_type=kind, referring=refers)
        for a, b in links:
            builder.link(a.number, b.number)
        self._relate(builder, markables, labels)
        for (text, noun), count in (+self.troubles).items():
            warn_file(self.source.name, text, noun, count)
        self._tell_unused(markables)
        return builder.corpus()

    def _tell_unused(self, markables: Mapping[tuple[str, str], _MmaxMark]) -> None:
        """Warn of annotation of coreference that is not read."""
        levels, attributes, kinds = Counter[str](), Counter[str](), Counter[str]()
        for level, (_, root) in self.levels.items():
            for e in _elements(root):
                read = (level, _plain(e.get("id"))) in markables
                if level != self.level and not read:
                    levels[level] += any(e.get(name) not in NOTHING for name in (*SETS, *POINTERS))
                elif e.get("coreftype", "ident") != "ident":
                    kinds[e.get("coreftype")] += 1
                given = {name for name, value in e.attributes.items() if value not in NOTHING}
                unread = (name for name in given.difference(POINTERS, BRIDGING, SPLIT) if UNREAD.fullmatch(name))
                attributes.update(unread if read else ())
        warn_file(self.source.name, "left out {} of coreference in other levels ({names})", "markable", +levels)
        warn_file(self.source.name, "left out {} whose coreftype is not ident ({names})", "markable", kinds)
        warn_file(self.source.name, "ignored {} of markables ({names})", "attribute", attributes)

    def _markables(self) -> dict[tuple[str, str], _MmaxMark]:
        """The markables of the level, and those of others that are antecedents, numbered in the order of the file."""
        every: dict[tuple[str, str], _MmaxMark] = {}
        for level, (file, root) in self.levels.items():
            for element in _elements(root):
                id_ = _plain(element.get("id"))
                if element.get("coreftype", "ident") != "ident":
                    continue
                if (parts := self._parts(element.get("span"))) is None:
                    self.troubles["left out {} of words that are not there", "markable"] += level == self.level
                elif (level, id_) not in every:
                    every[level, id_] = _MmaxMark(level, id_, element, parts)
                elif level == self.level:
                    found = f"found the markable id {shortened(id_)!r} twice"
                    self.on_error(None, f"{file}, line {element.line}: {found}; expected each once")
        chosen = {key: m for key, m in every.items() if key[0] == self.level}
        if not self.sets:
            pending = list(chosen.values())
            for m in pending:  # which grows
                for key in _pointed(m, POINTERS)[:1]:
                    if key in every and key not in chosen:
                        chosen[key] = every[key]
                        pending.append(every[key])
        for number, m in enumerate(chosen.values()):
            m.number = number
        return chosen

    def _links(self, markables: Mapping[tuple[str, str], _MmaxMark]) -> Iterator[tuple[_MmaxMark, _MmaxMark]]:
        for m in markables.values():
            keys = _pointed(m, POINTERS)
            self.troubles["took the first antecedent of {} with several", "markable"] += len(keys) > 1
            if keys and m.element.get("type") != "bridge":
                antecedent = markables.get(keys[0])
                if antecedent is None or antecedent is m:
                    self.troubles["left out {} to what is no other markable", "pointer"] += 1
                else:
                    yield m, antecedent

    def _relate(self, builder: CorpusBuilder, markables: Mapping[tuple[str, str], _MmaxMark], labels: Sequence[str]) -> None:
        """Add bridging and split antecedents."""
        pairs = []
        for m in markables.values():
            bridging = [(key, "") for key in _pointed(m, POINTERS)[:1] if m.element.get("type") == "bridge"]
            relation = m.element.get("related_rel")
            bridging += [(key, "" if relation in NOTHING else relation) for key in _pointed(m, BRIDGING)]
            elements = _pointed(m, SPLIT)
            known = [key for key in (*(key for key, _ in bridging), *elements) if key in markables]
            self.troubles["left out {} to what is no other markable", "pointer"] += len(bridging) + len(elements) - len(known)
            for key, relation in bridging:
                if key in markables:
                    builder.bridge(m.number, markables[key].number, relation)
            pairs += [(labels[m.number], labels[markables[key].number]) for key in elements if key in markables]
        if found := cycle(pairs):
            chain = " < ".join(map(shortened, found))
            self.on_error(None, f"an entity is among its own split antecedents: {chain}; expected none")
            return
        for whole, element in pairs:
            builder.split_antecedent(builder.entity(whole), builder.entity(element))

    def _sentences(self) -> list[int]:
        starts = {0} if self.tokens else set()
        if level := next((name for name in ("sentence", "sentences") if name in self.levels), ""):
            spans = (self._parts(e.get("span")) for e in _elements(self.levels[level][1]))
            starts |= {parts[0][0] for parts in spans if parts}
        else:
            starts |= {n for n, e in enumerate(self.words) if e.get("alppos", e.get("pos")) == "0"}
        return sorted(starts)

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

    def _minimum(self, m: _MmaxMark) -> tuple[int, int] | None:
        ids = m.element.get("min_ids")
        if ids in NOTHING:
            return self._once(m.element.get("min_words"), m)
        parts = self._parts(ids)
        if parts and m.parts[0][0] <= parts[0][0] and parts[-1][1] <= m.parts[-1][1]:
            return parts[0][0], parts[-1][1]
        self.troubles["left out {} not within the markable", "minimum span"] += 1
        return None

    def _head(self, m: _MmaxMark) -> int | None:
        found = self._once(m.element.get("head"), m)
        return found[0] if found and found[1] == found[0] + 1 else None

    def _once(self, text: str, m: _MmaxMark) -> tuple[int, int] | None:
        """Where these words stand in the markable; None if nowhere, or if the last of them is there more than once."""
        words = text.lower().split()
        places = self._places.get(words[-1], []) if words else []
        first = bisect_left(places, m.parts[0][0])
        found = [p for p in places[first : first + 2] if p < m.parts[-1][1]]
        if len(found) != 1:
            return None
        start, end = found[0] + 1 - len(words), found[0] + 1
        return (start, end) if start >= m.parts[0][0] and [t.lower() for t in self.tokens[start:end]] == words else None

    @cached_property
    def _places(self) -> dict[str, list[int]]:
        places: dict[str, list[int]] = {}
        for n, token in enumerate(self.tokens):
            places.setdefault(token.lower(), []).append(n)
        return places


def _elements(root: Element) -> Iterator[Element]:
    return (e for e in root.walk() if e.tag == "markable")


def _plain(id_: str) -> str:
    """The id without leading zeros, which references may lack."""
    return re.sub(r"_0+(?=[0-9])", "_", id_.strip())


def _pointed(m: _MmaxMark, names: Iterable[str]) -> list[tuple[str, str]]:
    """Levels and ids of the markables that the first of these attributes points at."""
    value = next((v for name in names if (v := m.element.get(name)) not in NOTHING), "")
    found = (pointer.strip().rpartition(":") for pointer in value.split(";") if pointer.strip() not in NOTHING)
    return [(level or m.level, _plain(id_)) for level, _, id_ in found]


def _is_idle(element: Element) -> bool:
    return element.get("reference") == "non_referring" or element.get("type") == "pleonastic"


def _mention_type(element: Element) -> str:
    found = (MENTION_TYPES.get((name, element.get(name).lower()), "") for name in ("np_form", "mention"))
    return next(filter(None, found), "")


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
