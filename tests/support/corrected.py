"""Random changes of a document, as a page writes them, and what they make of it by the words of the specification alone."""

from random import Random

from referee.corpus.addresses import addresses_of


class Slow:
    """A document as a list of mentions with their entities; each operation looks through all of it."""

    def __init__(self, corpus, document):
        here = corpus.mentions_in(document, document + 1)
        self.addresses = addresses_of(corpus, document)
        self.mentions = [(corpus.spans(m), corpus.entity_ids[int(corpus.entity[m])]) for m in range(here.start, here.stop)]
        self.ids = {name for _, name in self.mentions}
        self.words = corpus.text.words[document]

    def change(self, random: Random):
        """A change that can be made, which is made; None if there is none of the kind that was drawn."""
        op = random.choice(["move", "move", "move", "add", "remove", "span", "merge", "comment"])
        names = sorted({name for _, name in self.mentions})
        new = next(f"new{n}" for n in range(1, 1000) if f"new{n}" not in self.ids)
        if not self.mentions:
            op = "add"
        spans, name = random.choice(self.mentions) if self.mentions else (None, None)
        if op == "merge":
            if len(names) < 2:
                return None
            into = random.choice([other for other in names if other != name])
            moved = [each for each in self.mentions if each[1] == name]
            self.mentions = [each for each in self.mentions if each[1] != name]
            for each, _ in moved:
                self._enter(each, into)
            return {"op": "merge", "entity": name, "into": into}
        if op == "add":
            where, to = self._place(random), random.choice([*names, new])
            if where is None or (where, to) in self.mentions:
                return None
            self.ids.add(to)
            self.mentions.append((where, to))
            return {"op": "add", "mention": self._mention(where), "to": to}
        place = self.mentions.index((spans, name))
        mention = self._mention(spans)
        if op == "comment":
            return {"op": "comment", "mention": mention, "in": name, "text": "see guidelines 3.2"}
        if op == "remove":
            del self.mentions[place]
            return {"op": "remove", "mention": mention, "from": name}
        if op == "move":
            to = random.choice([other for other in [*names, new] if other != name])
            self.ids.add(to)
            del self.mentions[place]
            self._enter(spans, to)
            return {"op": "move", "mention": mention, "from": name, "to": to}
        where = self._place(random)
        if where is None or where == spans:
            return None
        del self.mentions[place]
        self._enter(where, name)
        return {"op": "span", "mention": mention, "in": name, "spans": written(self.addresses.address(where))}

    def _enter(self, spans, name):
        if (spans, name) not in self.mentions:
            self.mentions.append((spans, name))

    def _mention(self, spans):
        return {"spans": written(self.addresses.address(spans)), "text": self.addresses.text(spans)}

    def _place(self, random: Random):
        """Words of one sentence that are no mention yet."""
        sentences = [*self.words.sentences, len(self.words.tokens)]
        first = random.randrange(len(sentences) - 1)
        start = random.randrange(sentences[first], sentences[first + 1])
        end = random.randrange(start, min(start + 4, sentences[first + 1])) + 1
        return None if any(spans == ((start, end),) for spans, _ in self.mentions) else ((start, end),)

    def grouped(self):
        """The entities: sets of spans."""
        return sorted(sorted(spans for spans, name in self.mentions if name == one) for one in {n for _, n in self.mentions})


def written(address):
    """An address as JSON has it."""
    return [part if isinstance(part, str) else list(part) for part in address]


def grouped(corpus, document):
    """The entities of a document of a corpus: sets of spans."""
    entities = corpus.entities_in(document, document + 1)
    return sorted(sorted(corpus.spans(m) for m in corpus.mentions_of(e)) for e in range(entities.start, entities.stop))


def as_file(corpus, documents, by="Kim"):
    """A file of corrections of a key."""
    from referee.corpus.addresses import digests

    of_documents = {name: {"done": False, "changes": changes} for name, changes in documents.items()}
    return {"corrections": 1, "key": {"name": "key", "digest": digests(corpus)}, "by": by, "documents": of_documents}
