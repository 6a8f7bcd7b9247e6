"""Small treebanks for the tests of the parser."""

from tests.support.paths import SHARED

NAMES = ("Ann", "Bob", "Carl", "Dora", "Emma", "Fred")
VERBS = {"sees": "see", "likes": "like", "hears": "hear", "knows": "know", "finds": "find"}
NOUNS = {"dogs": "dog", "cats": "cat", "birds": "bird", "books": "book", "cars": "car"}


def row(number, form, lemma, tag, feats, head, deprel):
    upos, _, xpos = tag.partition(" ")
    return "\t".join((str(number), form, lemma, upos, xpos or "_", feats, str(head), deprel, "_", "_"))


def sentences():
    """All of "Ann sees the dogs.": a language without ambiguity."""
    found = []
    for n, name in enumerate(NAMES):
        for v, (verb, verb_lemma) in enumerate(VERBS.items()):
            noun, noun_lemma = list(NOUNS.items())[(n + v) % len(NOUNS)]
            found.append([
                row(1, name, name, "PROPN NNP", "Number=Sing", 2, "nsubj"),
                row(2, verb, verb_lemma, "VERB VBZ", "Person=3", 0, "root"),
                row(3, "the", "the", "DET DT", "Definite=Def", 4, "det"),
                row(4, noun, noun_lemma, "NOUN NNS", "Number=Plur", 2, "obj"),
                row(5, ".", ".", "PUNCT .", "_", 2, "punct"),
            ])  # fmt: skip
    return found


def written(path, rows):
    """Write a treebank; the text of each sentence is that of its forms."""
    blocks = [f"# text = {' '.join(line.split(chr(9))[1] for line in sentence)}\n" + "\n".join(sentence) for sentence in rows]
    path.write_text("# newdoc id = a\n" + "\n\n".join(blocks) + "\n\n", encoding="utf-8")
    return path


GUM_DEV = SHARED / "parse" / "gum-raw.dev.conllu.gz"
