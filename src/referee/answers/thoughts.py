"""Which part of what a model said is its answer: not its thoughts, and not what stands before "Final answer:"."""

from __future__ import annotations

import re
from collections import Counter

THOUGHTS = "thoughts left out"
BEFORE = "texts before the final answer left out"
FENCES = "code fences removed"
PROSE = "passages beside the answer left out"

FENCE = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*\n(?P<text>.*?)(?:^[ \t]*(?:```|~~~)[ \t]*$|\Z)", re.MULTILINE | re.DOTALL)
FENCE_SIGN = re.compile(r"^[ \t]*(?:```|~~~)[^`\n]*$\n?", re.MULTILINE)

_NAMES = r"think(?:ing)?|thoughts?|reasoning|analysis|reflection|scratchpad|inner_monologue|seed:think|draft|planning"
THOUGHT = re.compile(
    rf"<(?P<name>{_NAMES})\b[^<>]{{0,200}}>.*?(?:</(?P=name)\s*>|\Z)"
    r"|\[THINK\].*?(?:\[/THINK\]|\Z)|◁think▷.*?(?:◁/think▷|\Z)"
    r"|<\|channel\|>(?:analysis|commentary).*?(?:<\|end\|>|<\|return\|>|(?=<\|channel\|>)|\Z)",
    re.DOTALL | re.IGNORECASE,
)
END_OF_THOUGHT = re.compile(rf"</(?:{_NAMES})\s*>|\[/THINK\]|◁/think▷|\[/INST\]", re.IGNORECASE)
"""The end of a thought whose beginning was part of the question."""

SIGNS = re.compile(r"<\|start\|>\s*assistant|<\|[a-z_]{1,30}\|>(?:\s*final\s*(?=<\|message\|>))?", re.IGNORECASE)
"""Special tokens of models."""

ELEMENT = re.compile(
    r"<(?P<name>answer|final_answer|finalanswer|final|output|result|response)>(?P<text>.*?)(?:</(?P=name)\s*>|\Z)",
    re.DOTALL | re.IGNORECASE,
)
MARKER = re.compile(
    r"^Assistant:|^(?:[^\w\n]|_){0,20}(?:(?:here(?: is|'s)|this is) )?(?:the |my )?"
    r"(?:final|corrected|revised|updated|improved) (?:final )?"
    r"(?:answer|output|result|version|response|list|annotation|text|(?:coreference )?(?:clusters|chains|entities))\b"
    r"[^\n:]{0,60}?(?::|[^\w\n]{0,20}$)",
    re.MULTILINE | re.IGNORECASE,
)


def without_thoughts(text: str, repairs: Counter[str]) -> str:
    """The text without thoughts; of an element such as `<answer>`, what is inside.

    >>> without_thoughts("<think>[Tom]?</think> Tom saw <answer>it</answer>.", Counter())
    'it'
    """
    if "<" not in text and "[" not in text and "◁" not in text:
        return text
    text, thoughts = THOUGHT.subn("", text)
    *before, text = END_OF_THOUGHT.split(text)
    repairs[THOUGHTS] += thoughts + len(before)
    if "<|" in text:
        text = SIGNS.sub("", text)
    elements = [match["text"] for match in ELEMENT.finditer(text) if match["text"].strip()]
    if elements:
        outside = ELEMENT.sub("", text)
        repairs[BEFORE] += len(elements) - 1 + bool(outside.strip())
        text = elements[-1]
    return text


def final_part(text: str) -> str | None:
    r"""What stands behind the last "Final answer:", if there is such a line.

    >>> final_part("Draft: [a]\n**Final answer:**\n[b]")
    '\n[b]'
    """
    ends = [match.end() for match in MARKER.finditer(text)]
    return text[ends[-1] :].removeprefix("**") if ends else None
