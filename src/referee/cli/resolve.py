"""Find the entities of a text: who is who.

INPUT is plain text, which is parsed first, or CoNLL-U with HEAD and DEPREL. Several inputs, and the files of folders, are
documents. On a terminal the entities are shown; else, and with -o, annotation is written: as CoNLL-U (CorefUD), or in the
format that the ending of the file names, with offsets into your text where the format has some.

Mentions are those of a CoNLL-U file if it has some, else they are found in the trees; of annotation only the spans are looked
at. Parser and model are for English. For another language, fit a parser with `referee parse fit`, and tables with `referee
resolve fit` (or take `--model rules`, which knows codes of Universal Dependencies only).

Examples
--------
referee resolve story.txt
referee resolve story.txt -o story.conllu --page story.html
referee resolve story.txt -o story.ann
referee resolve chapters/ --show text
referee resolve text.conllu -o out.conllu --explain why.tsv
referee resolve text.conllu --mentions mine.jsonlines -o out.conll
referee resolve text.conllu -o out.conllu --mentions tree --candidates mentions.jsonl
referee resolve key.conllu --strategy pronouns-together -o together.conllu
"""

from __future__ import annotations

import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING

from referee.basics import progress
from referee.basics.exceptions import OptionError
from referee.basics.files import output
from referee.basics.options.choices import QUANTIFIERS, STRATEGIES, WRITABLE
from referee.cli.help import add_format, rare

if TYPE_CHECKING:
    from referee.corpus import Corpus
    from referee.resolver.resolving import Resolution

SHOWN = 30
"""Entities of a document that a terminal shows, unless more are asked for."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("input", metavar="INPUT", nargs="+", help="plain text, CoNLL-U, a folder, or - for standard input")
    show = parser.add_argument_group("what is written")
    show.add_argument("-o", "--output", metavar="FILE", help="write the entities to a file; - is standard output")
    add_format(show, "--to", WRITABLE, "format of the output (default: from its ending, or corefud)")
    show.add_argument("--show", choices=("entities", "text"), help="show all entities, or the text with brackets")
    show.add_argument("--page", metavar="FILE", help="write a page that shows the text, its entities, and why")
    show.add_argument("--explain", metavar="FILE", help="write why, one row a decision (TSV)")
    rare(show).add_argument("--candidates", metavar="FILE", help="write mentions with probabilities, for `phrases score`")
    how = parser.add_argument_group("how it is resolved")
    how.add_argument(
        "--parser", dest="text_parser", metavar="english|chunks|FILE", default="english",
        help="for plain text: trees; chunks by a model of phrases; a file of `parse fit` (default: english)",
    )  # fmt: skip
    how.add_argument(
        "-m", "--model", metavar="MODEL", default="tables", help="tables, rules, rules-mean, or a file (default: tables)"
    )
    how.add_argument("--mentions", metavar="key|tree|FILE", help="those of the input, of the trees, or of another file")
    few = rare(how)
    few.add_argument("--quantifier", choices=QUANTIFIERS, help="how the mentions of an MR count (default: that of the model)")
    few.add_argument("--window", type=int, metavar="NUMBER", help="how many earlier mentions are compared (default: 300)")
    few.add_argument("--memory", type=int, metavar="NUMBER", help="how many MRs are remembered (default: all)")
    few.add_argument(
        "--one-gender", choices=("yes", "no"), help="whether no entity has both he and she (default: as the model says)"
    )
    how.add_argument("--singletons", choices=("keep", "drop"), default="keep", help="entities with one mention (default: keep)")
    how.add_argument(
        "--lexicon", metavar="english|none|FILE",
        help="what words say of what they name: man, woman, thing (default: english for texts in English)",
    )  # fmt: skip
    how.add_argument(
        "--quotations", choices=("yes", "no"), default="yes", help="whether to find out who says what (default: yes)"
    )
    few.add_argument("--synonyms", metavar="FILE", help="heads that are compared as equal: a set a line, commas between words")
    few.add_argument("--strategy", choices=STRATEGIES, metavar="NAME", help=f"a baseline instead: {', '.join(STRATEGIES)}")


def run(args: Namespace) -> int:
    """Resolve, write, and show."""
    from referee.inputs.writing import meant_by_ending
    from referee.resolver.resolving import resolution

    if (args.explain or args.page) and args.strategy:
        option = "--explain" if args.explain else "--page"
        raise OptionError(f"{option} says why a model decides; expected no --strategy")
    if [*args.input, args.mentions, args.synonyms].count("-") > 1 or [args.output, args.explain, args.page].count("-") > 1:
        raise OptionError("- can be read, and written, only once; expected a file for one of them")
    show = args.show or ("entities" if not args.output and not args.to and sys.stdout.isatty() else None)
    if show and (args.to if args.output is None else args.output == "-"):
        raise OptionError("--show and the annotation would both go to standard output; expected -o FILE for the annotation")
    names = ("mentions", "quantifier", "window", "memory", "strategy", "synonyms", "singletons", "lexicon")
    how = {name: getattr(args, name) for name in names} | {"parser": args.text_parser}
    how |= {"one_gender": {"yes": True, "no": False}.get(args.one_gender), "explain": bool(args.explain or args.page)}
    how["quotations"] = args.quotations == "yes"
    paths = [Path(path) for path in args.input]  # never a text
    resolved = resolution(paths if len(paths) > 1 else paths[0], args.model, **how)
    if args.output or not show:
        resolved.write(args.output or "-", format=args.to)
        if args.output and not args.to and (name := meant_by_ending(args.output)):
            args.remarks[args.output] = f" as {name}"
    _write_beside(args, resolved)
    progress.end()
    if show:
        from referee.reports.text import screen
        from referee.reports.who import bracketed, who_is_who

        width = screen(sys.stdout).width
        most = None if args.show else SHOWN
        print(bracketed(resolved.corpus) if show == "text" else who_is_who(resolved.corpus, width, most), end="")
    return 0


def _write_beside(args: Namespace, resolved: Resolution) -> None:
    """Write what is asked for besides the entities."""
    if args.explain and resolved.explanation:
        with output(args.explain) as out:
            resolved.explanation.write(out)
    if args.candidates:
        from referee.parsing.chunks import load_chunks, phrase_candidates, tags_in
        from referee.parsing.parse import CHUNKS
        from referee.phrases.formats.writing import write  # a plain run does not need it, and it is slow to import
        from referee.resolver.candidates import mention_candidates
        from referee.resolver.files import load

        detector = load(args.model).detector or load().detector
        assert detector is not None
        phrases = None
        if resolved.parsed is not None and args.text_parser == CHUNKS:
            phrases = phrase_candidates(resolved.parsed.words, tags_in(resolved.parsed), load_chunks())
        write(mention_candidates(resolved.input.syntax, resolved.input.corpus, detector, phrases), args.candidates)
    if args.page and resolved.explanation:
        from referee.pages.inspector.correctable import correctable  # likewise
        from referee.pages.inspector.inspection import Inspection
        from referee.pages.inspector.reasons import reasons_of_decisions, renamed

        reasons, corpus = reasons_of_decisions(resolved.explanation.rows()), resolved.corpus
        written = _as_written(args, corpus)
        if written is not None:
            reasons, corpus = renamed(reasons, corpus.doc_ids, written.doc_ids), written
        corrects = None if written is None else correctable(written)
        Inspection((), reasons, annotation=corpus, corrects=corrects).save(args.page)


def _as_written(args: Namespace, corpus: Corpus) -> Corpus | None:
    """The annotation as its file has it, which can be corrected; None without a file, or if it has other mentions."""
    from referee.formats.shared.file_warnings import ignore_warnings
    from referee.inputs.reading import read

    if args.output in (None, "-"):
        return None
    with ignore_warnings():  # of what was written just now
        written = read(args.output, format=args.to)
    places = [[(d, each.spans(m)) for m, d in enumerate(each.document.tolist())] for each in (written, corpus)]
    return written if places[0] == places[1] and len(written.doc_ids) == len(corpus.doc_ids) else None
