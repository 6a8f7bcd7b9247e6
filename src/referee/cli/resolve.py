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

import os
import sys
from argparse import ArgumentParser, Namespace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from referee.basics import progress
from referee.basics.exceptions import OptionError, RefereeError, counted, warn
from referee.basics.files import ending_of, output
from referee.basics.options.choices import ENDINGS, ENTITY_TYPES, QUANTIFIERS, STRATEGIES, WRITABLE
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
    show.add_argument(
        "--show",
        choices=("entities", "text", "people"),
        help="show all entities, the text with brackets, or a table of entities",
    )
    show.add_argument("--speakers", metavar="FILE", help="write who says what, one row a quotation (CSV)")
    show.add_argument(
        "--types", metavar="TYPE,...", help=f"only entities of these types, or all with types: {', '.join(ENTITY_TYPES)}"
    )
    show.add_argument("--page", metavar="FILE", help="write a page that shows the text, its entities, and why")
    show.add_argument("--explain", metavar="FILE", help="write why, one row a decision (TSV, or CSV by its ending)")
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
    few.add_argument("--encoding", metavar="NAME", help="of plain texts, such as cp1252 (default: utf-8)")
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
    from referee.parsing.texts import is_path
    from referee.resolver.resolving import resolution

    if (args.explain or args.page) and args.strategy:
        option = "--explain" if args.explain else "--page"
        raise OptionError(f"{option} says why a model decides; expected no --strategy")
    if [*args.input, args.mentions, args.synonyms].count("-") > 1 or [args.output, args.explain, args.page].count("-") > 1:
        raise OptionError("- can be read, and written, only once; expected a file for one of them")
    show = args.show or ("entities" if not args.output and not args.to and sys.stdout.isatty() else None)
    if show and (args.to if args.output is None else args.output == "-"):
        raise OptionError("--show and the annotation would both go to standard output; expected -o FILE for the annotation")
    names = ("mentions", "quantifier", "window", "memory", "strategy", "synonyms", "singletons", "lexicon", "types", "encoding")
    how = {name: getattr(args, name) for name in names} | {"parser": args.text_parser}
    how |= {"one_gender": {"yes": True, "no": False}.get(args.one_gender), "explain": bool(args.explain or args.page)}
    how["quotations"] = args.quotations == "yes"
    inputs = [Path(name) if is_path(name) else name for name in args.input]
    if args.output and is_folder(args.output):
        return _into_folder(args, inputs, how)
    resolved = resolution(inputs if len(inputs) > 1 else inputs[0], args.model, **how)
    if args.output and not args.to and ending_of(args.output) == ".csv":
        with output(args.output) as out:
            out.write(resolved.people().report("csv"))
    elif args.output or not show:
        resolved.write(args.output or "-", format=args.to)
        if args.output and not args.to and (name := meant_by_ending(args.output)):
            args.remarks[args.output] = f" as {name}"
    _write_beside(args, resolved)
    progress.end()
    if show:
        from referee.reports.text import screen
        from referee.reports.who import bracketed, who_is_who

        if show == "people":
            print(resolved.people())
            return 0
        width = screen(sys.stdout).width
        most = None if args.show else SHOWN
        listed = who_is_who(resolved.corpus, width, most, resolved.titles if resolved.task else {})
        print(bracketed(resolved.corpus) if show == "text" else listed, end="")
    return 0


def is_folder(path: str) -> bool:
    """Whether an output is a folder: it ends with a slash, or is there."""
    return not os.path.basename(path) or os.path.isdir(path)


def _into_folder(args: Namespace, inputs: list[Path | str], how: dict[str, Any]) -> int:
    """Resolve each file for itself, and write it to a folder; those that cannot be resolved are told and left out."""
    from referee.parsing.texts import list_texts
    from referee.resolver.resolving import resolution

    if args.page or args.explain or args.candidates or args.speakers or args.show:
        raise OptionError(
            "with a folder as -o, each file is written alone; expected no --page, --explain, --speakers or --show"
        )
    ending = next((end for end, name in ENDINGS.items() if name == args.to), f".{args.to}") if args.to else ".conllu"
    documents, failed = list_texts(inputs), 0
    for number, (name, source) in enumerate(documents):
        progress.step(f"resolving {name}", number, len(documents))
        target = os.path.join(args.output, f"{name}{ending}")
        try:
            whole = Path(source.name) if os.path.exists(source.name) else source.raw().decode()
            resolved = resolution({name: whole}, args.model, **how)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            resolved.write(target, format=args.to)
        except RefereeError as error:
            failed += 1
            warn(str(error))
    progress.end()
    if failed:
        raise OptionError(
            f"{failed} of {counted(len(documents), 'file')} could not be resolved; the others are in {args.output}"
        )
    return 0


def _write_beside(args: Namespace, resolved: Resolution) -> None:
    """Write what is asked for besides the entities."""
    if args.speakers:
        with output(args.speakers) as out:
            out.write(resolved.quotations().report("csv"))
    if args.explain and resolved.explanation:
        with output(args.explain) as out:
            resolved.explanation.write(out, "," if ending_of(args.explain) == ".csv" else "\t")
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
