"""Random corrections put into files of the formats that are written again: the key is as they say, all else stays."""

import json
import re
from random import Random

import pytest
from hypothesis import settings

from referee import correct, read
from referee.basics.exceptions import FormatError
from referee.formats.shared.file_warnings import ignore_warnings
from referee.inputs.registry import FORMATS, load_format
from tests.inputs.test_rewriting import files, readable, rest
from tests.support.corrected import Slow, as_file, grouped

NAMES = [name for name in FORMATS if load_format(name).rewriting]
pytestmark = pytest.mark.filterwarnings("ignore::referee.RefereeWarning")
CANNOT = re.compile(r"cross|is complete|has no word pieces|inside of a token|would be of other entities|one span|appears twice")
"""What a format cannot say."""


@pytest.mark.parametrize("name", NAMES)
def test_the_key_is_as_the_changes_say_and_all_else_stays(name, tmp_path):
    pairs = (readable(name, path) for path in files(name, tmp_path))
    sources = [pair for pair in pairs if pair is not None and pair[1].text is not None]
    random = Random(name)
    corrected_files = 0
    for seed in range(2 * settings().max_examples):
        source, before = sources[seed % len(sources)]
        slow = {d: Slow(before, d) for d, words in enumerate(before.text.words) if len(words.tokens)}
        changes = {before.doc_ids[d]: [] for d in slow}
        for _ in range(random.choice([1, 2, 6])):
            document = random.choice(sorted(slow))
            change = slow[document].change(random)
            if change:
                changes[before.doc_ids[document]].append(change)
        path = tmp_path / "x.corrections.json"
        path.write_text(json.dumps(as_file(before, changes)))
        with ignore_warnings():
            corrected = correct(source.path, path, key_format=name)
        for document, of_one in slow.items():
            assert grouped(corrected.corpus, document) == of_one.grouped(), (source.path, changes)
        target = tmp_path / f"new{seed}" / source.path.rpartition("/")[2]
        target.parent.mkdir()
        try:
            corrected.write(target)
        except FormatError as error:
            assert CANNOT.search(error.problem), (source.path, error)
            continue
        after = read(target, format=name)
        assert [grouped(after, d) for d in slow] == [of_one.grouped() for of_one in slow.values()], (source.path, changes)
        assert rest(name, target.read_bytes().decode().removeprefix("\ufeff")) == rest(name, source.raw().decode()), source.path
        corrected_files += 1
    assert corrected_files > settings().max_examples // 2
