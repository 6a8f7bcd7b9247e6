"""Write the prompts that ask a language model who is who in the documents of a key, or of a plain text.

OUT is a folder with a prompt a document, if it has no ending; a batch file of chat completions, if it ends in .jsonl; the
messages of each document as JSON, if it ends in .json; else one text. `referee score KEY ANSWERS` scores answers, and the
output of a batch as it is; documents go by the names of files, by custom_id, or by headings (### NAME).

Examples
--------
referee prompts key.conll
referee prompts key.conll -o prompts
referee prompts key.conll -o batch.jsonl --model gpt-5
referee prompts brat/ -o messages.json --form quotes
referee score key.conll batch_output.jsonl
"""

from __future__ import annotations

import json
import os
import re
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping

from referee.basics.exceptions import OptionError, counted, shortened
from referee.basics.files import folder_written_whole, output
from referee.basics.options.choices import ANSWERS, READABLE
from referee.basics.options.reading import ReadOptions
from referee.cli import document_options, scoring_options, table_options
from referee.cli.help import add_format, rare

ENDINGS = {"": "text", ".txt": "text", ".md": "text", ".jsonl": "batch", ".json": "messages"}
"""What is written, by the ending of the file."""

NO_NAME = re.compile(r"[^-_.#=@\w]")
"""What a name of a file does not have here."""


def add_arguments(parser: ArgumentParser) -> None:
    """Add the arguments of the verb."""
    parser.add_argument("key", metavar="KEY", help="an annotation in any format, or a plain text")
    what = parser.add_argument_group("prompts")
    what.add_argument("-o", "--output", metavar="OUT", default="-", help="a folder or file (default: standard output)")
    what.add_argument(
        "--to", choices=tuple(dict.fromkeys(ENDINGS.values())), help="what is written (default: by the ending of OUT, or text)"
    )
    what.add_argument(
        "--form", choices=ANSWERS, default="tagged",
        help="the answer: the text with marks (tagged), or lists of strings by entity (quotes) (default: tagged)",
    )  # fmt: skip
    what.add_argument("--model", metavar="NAME", help="the model, which each line of a batch names")
    what.add_argument("--prompt", metavar="FILE", help="a prompt of your own, in which {text} stands for the text")
    document_options.add_arguments(what)
    files = parser.add_argument_group("files")
    add_format(files, "--format", READABLE, "format of KEY (default: detected)")
    table_options.add_skipping(rare(files))


def run(args: Namespace) -> int:
    """Write the prompts."""
    from referee.compat.prompts import batch, messages, prompts
    from referee.inputs.key_text import key_text
    from referee.inputs.load import read_corpus
    from referee.matching.selecting import selected_alone

    ending = os.path.splitext(args.output)[1]
    if args.to is None and ending not in ENDINGS:
        raise OptionError(f"found {args.output}; expected a folder, a file that ends in .txt, .json or .jsonl, or --to")
    to = args.to or ENDINGS[ending]
    if (to == "batch") != (args.model is not None):
        problem = "a batch names a model" if to == "batch" else f"--model is for a batch; found {to}"
        raise OptionError(f"{problem}: expected {'--model NAME' if to == 'batch' else 'OUT.jsonl, or --to batch'}")
    scoring_options.check_files([args.key])
    template = None if args.prompt is None else _prompt(args.prompt)
    options, _ = ReadOptions.of_sides(args.format, **table_options.reading(args))
    key = read_corpus(args.key, options) if args.format else key_text(args.key)
    made = prompts(selected_alone(key, options.documents), args.form, template)
    if to == "text" and _is_folder(args.output):
        _write_folder(made, args.output)
    else:
        with output(args.output) as out:
            if to == "batch":
                out.writelines(json.dumps(line, ensure_ascii=False) + "\n" for line in batch(made, args.model))
            elif to == "messages":
                out.write(json.dumps(messages(made), ensure_ascii=False, indent=1) + "\n")
            else:
                out.write("\n".join(f"### {name}\n\n{prompt}" if len(made) > 1 else prompt for name, prompt in made.items()))
    if args.output != "-":
        args.remarks[args.output] = f": {counted(len(made), 'prompt')}"
    return 0


def _prompt(path: str) -> str:
    try:
        with open(path, encoding="utf-8-sig") as file:
            return file.read()
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "is no text in UTF-8"
        raise OptionError(f"{path}: cannot be read: {(reason or str(error)).lower()}") from None


def _is_folder(path: str) -> bool:
    return path != "-" and (not os.path.splitext(path)[1] or os.path.isdir(path))


def _write_folder(prompts: Mapping[str, str], folder: str) -> None:
    """Write a file for each document, which is called like it."""
    files = {name: NO_NAME.sub("_", name) + ".txt" for name in prompts}
    if len(set(files.values())) < len(files):
        same = next(name for name, file in files.items() if list(files.values()).count(file) > 1)
        raise OptionError(f"two files would be called {shortened(files[same])}; expected another OUT, such as prompts.jsonl")
    with folder_written_whole(folder) as partial:
        for name, file in files.items():
            with output(os.path.join(partial, file)) as out:
                out.write(prompts[name])
