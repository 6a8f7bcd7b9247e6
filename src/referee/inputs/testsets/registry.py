"""Test sets whose licences allow that everyone downloads them: `ENTRIES`.

Each is a fixed revision. Its digest was computed from the files of that revision, so another content is refused wherever it
comes from.
"""

from __future__ import annotations

from typing import NamedTuple

GUM = "https://raw.githubusercontent.com/UniversalDependencies/UD_English-GUM/8e1cfe2bcf8a268a6d4a7a49c083222f5e13d9c5"
GAP = "https://raw.githubusercontent.com/google-research-datasets/gap-coreference/83135f26025cdd705c04f77e940d0c9201116b80"
LITBANK = "https://codeload.github.com/dbamman/litbank/tar.gz/3e50db0ffc033d7ccbb94f4d88f6b99210328ed8"
FR_LITBANK = "https://codeload.github.com/lattice-8094/fr-litbank/tar.gz/4b197890473b89726243585dd53f5641d8afb1f1"

GUM_LICENCE = "CC BY-NC-SA 4.0; most texts CC BY 4.0"
GUM_PAPER = "Zeldes, Amir (2017). The GUM Corpus. Language Resources and Evaluation 51(3)"
GAP_PAPER = "Webster, Kellie et al. (2018). Mind the GAP. TACL 6"


class Entry(NamedTuple):
    """A test set.

    Attributes
    ----------
    title : str
        What it is, with its version.
    url : str
        The file, or an archive (.tar.gz) that has the files.
    digest : str
        SHA-256 of the file; of several, of the lines that ``sha256sum *`` prints in the folder, in the order of bytes.
    size : int
        Bytes to download, about.
    licence : str
        Of the annotation and the texts.
    paper : str
        What to cite.
    members : str
        The folder in the archive, below its first folder, whose files are the test set; empty for a file.
    """

    title: str
    url: str
    digest: str
    size: int
    licence: str
    paper: str
    members: str = ""


ENTRIES = {
    "gum-test": Entry(
        "GUM, test part of Universal Dependencies 2.16 (English, 30 documents)",
        f"{GUM}/en_gum-ud-test.conllu",
        "fe95c0e744f81cdf2a307ce522604ecc05cd359c7c6d1abaa3a46c85d024f34c",
        2_917_494,
        GUM_LICENCE,
        GUM_PAPER,
    ),
    "gum-dev": Entry(
        "GUM, development part of Universal Dependencies 2.16 (English, 30 documents)",
        f"{GUM}/en_gum-ud-dev.conllu",
        "581997015a2d878ad49619032d265a9753e1b6b03d75ca18b04a00bb9ee8991d",
        2_914_819,
        GUM_LICENCE,
        GUM_PAPER,
    ),
    "litbank": Entry(
        "LitBank, revision 3e50db0 (English fiction, 100 documents)",
        LITBANK,
        "b2e3d13ca54a3051f9664c14ea0544c20bb4b21cb1a1b45083648ac41ba60c8d",
        29_300_000,
        "CC BY 4.0",
        "Bamman, David; Lewke, Olivia; Mansoor, Anya (2020). An Annotated Dataset of Coreference in English Literature. LREC",
        "coref/conll",
    ),
    "fr-litbank": Entry(
        "French LitBank, revision 4b19789 (French fiction of 1731 to 1937, 21 documents, three by Balzac)",
        FR_LITBANK,
        "4a7b9de8b611b6358f87f0bdca1fe5e2c232cdef1baf022b96a7cb80b47b60e9",
        16_000_000,
        "CC BY-SA (4.0 or 2.0 FR: its page names both)",
        "Mélanie-Becquet, Frédérique et al. (2024). BookNLP-fr, the French Versant of BookNLP. JCLS 3",
        "sacr",
    ),
    "gap-test": Entry(
        "GAP, test part (English, 2,000 pronouns)",
        f"{GAP}/gap-test.tsv",
        "1c35e36d5b14f6313ec3f6cd67b275de282595dd59e59390e00cfff9897a6819",
        1_075_889,
        "Apache-2.0; texts of Wikipedia CC BY-SA 3.0",
        GAP_PAPER,
    ),
    "gap-validation": Entry(
        "GAP, validation part (English, 454 pronouns)",
        f"{GAP}/gap-validation.tsv",
        "2d784f66b390404f554704b9aef6dcde8845e79dda9886b8391cf7e9a24fdb98",
        245_089,
        "Apache-2.0; texts of Wikipedia CC BY-SA 3.0",
        GAP_PAPER,
    ),
}
