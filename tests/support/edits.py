"""Corpora with random changes of their entities, as people make them who correct an annotation."""

from dataclasses import replace
from random import Random

import numpy as np

from referee.corpus import Corpus
from referee.corpus.schema import Numbers, parts_of

KINDS = ("move", "merge", "split", "remove", "add")


def edited(corpus: Corpus, kind: str, random: Random) -> Corpus:
    """The corpus with one mention or entity changed; the same one where nothing can be."""
    size = len(corpus.document)
    if not size:
        return corpus
    mention = random.randrange(size)
    document, entity = int(corpus.document[mention]), int(corpus.entity[mention])
    others = [e for e, d in enumerate(corpus.entity_document.tolist()) if d == document and e != entity]
    if kind == "remove":
        return corpus.select(np.arange(size) != mention)
    if kind == "add":
        last = int(corpus.end[corpus.document == document].max())  # without words, those that mentions have
        words = corpus.text.words[document] if corpus.text else None
        sentences = [*words.sentences, len(words.tokens)] if words else [0, last]
        first = random.randrange(len(sentences) - 1)
        start = random.randrange(sentences[first], max(sentences[first] + 1, sentences[first + 1]))
        end = random.randrange(start, min(start + 4, sentences[first + 1])) + 1
        if (document, start, end) in zip(corpus.document.tolist(), corpus.start.tolist(), corpus.end.tolist(), strict=True):
            return corpus
        return _with_mention(corpus, document, start, end, random.choice([entity, len(corpus.entity_ids)]))
    entities = corpus.entity.copy()
    if kind == "split":
        return _with_entity(corpus, mention, len(corpus.entity_ids))
    if not others:
        return corpus
    if kind == "move":
        return _with_entity(corpus, mention, random.choice(others))
    entities[entities == entity] = random.choice(others)
    return replace(corpus, entity=entities, links=None).in_reading_order()


def _with_entity(corpus: Corpus, mention: int, entity: int) -> Corpus:
    entities = corpus.entity.copy()
    entities[mention] = entity
    return replace(_with_entities(corpus, entity), entity=entities, links=None).in_reading_order()


def _with_entities(corpus: Corpus, entity: int) -> Corpus:
    """The corpus with a new entity if it has none of this number."""
    if entity < len(corpus.entity_ids):
        return corpus
    types = None if corpus.entity_types is None else [*corpus.entity_types, corpus.entity_types[0]]
    order = np.append(corpus.file_order, len(corpus.file_order))
    referring = None if corpus.referring is None else np.append(corpus.referring, True)
    ids = [*corpus.entity_ids, "new"]
    return replace(corpus, entity_ids=ids, entity_types=types, file_order=order, referring=referring)


def _with_mention(corpus: Corpus, document: int, start: int, end: int, entity: int) -> Corpus:
    values = {"document": document, "start": start, "end": end, "entity": entity}
    columns = {
        name: np.append(column, np.full_like(column[:1], values.get(name, part.fill)), axis=0)
        for name, part, column in parts_of(corpus)
        if isinstance(part, Numbers) and part.rows == "mention"
    }
    return replace(_with_entities(corpus, entity), **columns, links=None).in_reading_order()
