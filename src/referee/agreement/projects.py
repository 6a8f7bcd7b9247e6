"""Projects of INCEpTION: annotators and documents are told by the folders of an export, `annotation/DOCUMENT/ANNOTATOR.tsv`."""

from __future__ import annotations

import os
import zipfile
from collections.abc import Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from referee.basics.exceptions import FormatError, counted, warn
from referee.basics.options.reading import ReadOptions
from referee.corpus import Corpus
from referee.corpus.editing import concatenate
from referee.formats.shared.source import check_unpacked
from referee.inputs.reading import read

FOLDER = "annotation"
BEFORE = "INITIAL_CAS"
"""What INCEpTION calls the file of what was there before anybody annotated."""


def annotators_of(annotations: Mapping[str, Any], options: ReadOptions) -> dict[str, Any]:
    """The annotations, those of a single project by its annotators; others as they are.

    Raises
    ------
    FormatError
        If a project has no files of WebAnno TSV, or an annotator lacks documents that others have.
    """
    path = next(iter(annotations.values()))
    if len(annotations) > 1 or not isinstance(path, (str, os.PathLike)):
        return dict(annotations)
    if zipfile.is_zipfile(path):
        with TemporaryDirectory() as folder, zipfile.ZipFile(path) as file:
            check_unpacked(os.fspath(path), file)
            file.extractall(folder, [name for name in file.namelist() if name.startswith(f"{FOLDER}/")])
            root = Path(folder, FOLDER)
            return _read(os.fspath(path), root, options) if root.is_dir() else dict(annotations)
    root = Path(path) if Path(path).name == FOLDER else Path(path, FOLDER)
    return _read(os.fspath(path), root, options) if root.is_dir() else dict(annotations)


def _read(source: str, root: Path, options: ReadOptions) -> dict[str, Corpus]:
    """Name of an annotator -> the documents of a project, each called by its folder."""
    files = {
        (file.stem, folder.name): file
        for folder in sorted(root.iterdir())
        if folder.is_dir()
        for file in sorted(folder.glob("*.tsv"))
        if file.stem != BEFORE
    }
    if not files:
        expected = f"expected {FOLDER}/DOCUMENT/ANNOTATOR.tsv: export the project with the secondary format WebAnno TSV"
        raise FormatError(source, None, f"is a project without annotations in WebAnno TSV; {expected}")
    corpora: dict[str, list[Corpus]] = {}
    unread: list[FormatError] = []
    for (annotator, document), file in files.items():
        try:
            corpus = read(file, format="webanno", role="annotation", options=options)
        except FormatError as error:
            place = os.path.join(source, os.path.relpath(file, root.parent))
            unread.append(FormatError(place, error.line, error.problem))
            if not options.skip_bad_files:
                raise unread[0] from None
            continue
        name = os.path.splitext(document)[0]
        corpora.setdefault(annotator, []).append(corpus.on_documents((name,), np.zeros(1, dtype=np.int64)))
    if unread:
        left_out = f"left out {len(unread)} of {counted(len(files), 'file')} that cannot be read"
        warn(f"{source}: {left_out}, the first {unread[0]}")
    return {name: concatenate(parts) for name, parts in corpora.items()}
