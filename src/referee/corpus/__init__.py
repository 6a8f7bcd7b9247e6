"""A corpus of annotated documents as columns, and what makes and changes one."""

from referee.corpus.builder import CorpusBuilder
from referee.corpus.columns import MENTION_TYPES, Spans
from referee.corpus.corpus import FEATURES, Corpus
from referee.corpus.text import RawText, Text, Words
from referee.corpus.views import VIEWS, Mention

__all__ = ["FEATURES", "MENTION_TYPES", "VIEWS", "Corpus", "CorpusBuilder", "Mention", "RawText", "Spans", "Text", "Words"]
