"""Prompts that ask a language model for coreference, and the texts of documents to put into them.

Two forms of answers tell equal strings apart, called as the formats by which they are read:

* ``tagged``: the text is repeated, with marks such as ``[Anna](#1)``;
* ``quotes``: lists of strings by entity, each string with the number of its sentence. It is shorter than the text.

What is a mention, the guidelines of a key decide. A prompt says it in general terms: add what is special to your key, such as
that entities with one mention are not marked.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from referee.basics.exceptions import MismatchError, OptionError, check_name
from referee.basics.names import check_call
from referee.corpus import Corpus
from referee.corpus.detokenising import as_written
from referee.corpus.text import Words
from referee.inputs.load import read_corpus

TAGGED = """\
Find out who is who in a text. Repeat the text word for word, and mark each expression that refers to somebody or something: \
put it into square brackets, and behind it the number of what it refers to, as in [Anna](#1). Expressions that refer to the \
same have the same number. Expressions may stand within others. Answer with the marked text alone.

Text:
Anna called her brother. He was asleep, and she was angry with him.

Answer:
[Anna](#1) called [[her](#1) brother](#2). [He](#2) was asleep, and [she](#1) was angry with [him](#2).

Text:
{text}

Answer:
"""

QUOTES = """\
Find out who is who in a text whose sentences are numbered. Answer with JSON alone: a list for each person or thing, which has \
all expressions that refer to it, in the order of the text, each as it is written there and with the number of its sentence.

Text:
1: Anna called her brother.
2: He was asleep, and she was angry with him.

Answer:
[[["Anna", 1], ["her", 1], ["she", 2]], [["her brother", 1], ["He", 2], ["him", 2]]]

Text:
{text}

Answer:
"""

COMPLETIONS = "/v1/chat/completions"
"""Where a batch is sent to."""

PROMPTS = {"quotes": QUOTES, "tagged": TAGGED}
"""Form of the answer -> the prompt; ``{text}`` stands for the text."""


@check_call()
def prompts(key: object, form: str = "tagged", prompt: str | None = None) -> dict[str, str]:
    """Return the prompt for each document of a key, by its name.

    The text is that of the file where that is known, else the tokens with blanks where people write them.

    Parameters
    ----------
    key : Corpus, path or value
        The documents, as `referee.score` takes a key.
    form : str
        How the model is asked to answer, one of `PROMPTS`.
    prompt : str or None
        A prompt of your own, in which ``{text}`` stands for the text; None for that of `PROMPTS`.

    Raises
    ------
    MismatchError
        If the key has no words.
    UnknownNameError
        If there is no such form.
    OptionError
        If a prompt of your own has no place for the text.

    Examples
    --------
    >>> from referee import read
    >>> from referee.formats.shared.source import Source
    >>> tom = b'{"doc_key": "d1", "sentences": [["Tom", "left", "."], ["He", "ran", "."]], "clusters": [[[0, 0], [3, 3]]]}'
    >>> key = read(Source("key.json", tom))
    >>> print(prompts(key, "quotes")["d1"][-40:])
    <BLANKLINE>
    Text:
    1: Tom left.
    2: He ran.
    <BLANKLINE>
    Answer:
    <BLANKLINE>
    """
    check_name("form of answers", form, PROMPTS)
    key = read_corpus(key)
    if key.text is None:
        raise MismatchError(f"{key.source} has no words; expected a key with the text that a model is asked about")
    if prompt is not None and "{text}" not in prompt:
        raise OptionError("the prompt has no {text}; expected that where the text stands")
    return {
        name: (prompt or PROMPTS[form]).replace("{text}", _text(words, _empty_nodes(key, document), numbered=form == "quotes"))
        for document, (name, words) in enumerate(zip(key.doc_ids, key.text.words, strict=True))
    }


def messages(prompts: Mapping[str, str]) -> dict[str, list[dict[str, str]]]:
    """Return each prompt as the messages of a chat, by the name of its document."""
    return {name: [{"role": "user", "content": prompt}] for name, prompt in prompts.items()}


def batch(prompts: Mapping[str, str], model: str) -> list[dict[str, object]]:
    """Return the lines of a batch file of chat completions: `custom_id` is the name of the document.

    >>> batch({"d1": "Who is who?"}, "gpt-5")[0]["custom_id"]
    'd1'
    """
    bodies = {name: {"model": model, "messages": chat} for name, chat in messages(prompts).items()}
    return [{"custom_id": name, "method": "POST", "url": COMPLETIONS, "body": body} for name, body in bodies.items()]


def _text(words: Words, left_out: set[int], *, numbered: bool) -> str:
    """The text as its file has it where that is known, else a sentence a line; a number begins each line of `numbered` ones."""
    if words.raw is not None and not numbered:
        return words.raw.text.strip()
    lines = []
    for first, after in pairwise([*words.sentences, len(words.tokens)]):
        tokens = [token for token in range(first, after) if token not in left_out]
        if words.raw is None:
            lines.append(as_written(words.tokens[token] for token in tokens).text)
        elif tokens:
            lines.append(" ".join(words.raw.text[words.raw.start[tokens[0]] : words.raw.end[tokens[-1]]].split()))
        else:
            lines.append("")
    return "\n".join(f"{number}: {line}" for number, line in enumerate(lines, start=1)) if numbered else "\n".join(lines)


def _empty_nodes(key: Corpus, document: int) -> set[int]:
    """The tokens of a document that are no words of the text."""
    if key.empty_nodes is None:
        return set()
    nodes: Sequence[int] = key.empty_nodes.node[key.empty_nodes.document == document].tolist()
    return set(nodes)
