"""The types of mentions where the annotation has none: by parts of speech if the file has them, else by the words.

No tree is needed. The *core* of a mention is what stands before its first preposition, relative word or comma; its last word
decides, as *president* in *the president of the United States*. Of parts of speech, a pronoun has the tag of one, a name that
of a proper noun. Of words, a mention of one word from the list of its language is a pronoun, and a mention whose core ends with
a capital letter is a name; where nouns have capitals, or the script has none, names are not told from other nouns.

The lists are of pronouns, and of frequent words by which the language of a document is recognised and a core ends.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import chain, pairwise
from typing import NamedTuple

import numpy as np

from referee.algorithms.arrays import Ints
from referee.corpus.columns import MENTION_TYPES, Columns
from referee.corpus.text import Words

ANNOTATED, TAGS = "the annotation", "parts of speech"


class Language(NamedTuple):
    """The words of a language that tell.

    Parameters
    ----------
    pronouns, frequent : frozenset of str
        In lower case.
    has_capitals : bool
        Whether names, and of nouns only they, begin with a capital letter.
    """

    pronouns: frozenset[str]
    frequent: frozenset[str]
    has_capitals: bool = True


PRONOUNS = {
    "Catalan": """jo em me mi mon ma mos mes meu meva meus meves tu et te ell ella ells elles el la els les li hi en ho si
        es nosaltres vosaltres ens us nostre nostra nostres vostre vostra seu seva seus seves això allò aquest aquesta aquests
        aquestes aquell aquella qui que què qual quals""",
    "Czech": """já mě mne mi mně mnou můj má mé moje mého mému mým ty tě tebe ti tobě tebou tvůj tvá tvé on jeho jej ho
        něho něj mu jemu němu něm jím ním ona jí ji ní ni její ono oni ony jich je jim jimi nich ně nim nimi jejich my nás nám
        námi náš naše našeho naší vy vás vám vámi váš vaše sebe se si sobě sebou svůj svá své svého svému svou svých svým
        svými svoje ten ta to toho tomu tom tím tu té tou ti ty těch těm těmi tento tato toto kdo koho komu kým co čeho čemu
        čím který která které kterého kterému kterém kterým kterou kteří kterých kterými jenž jež jehož jejíž jejichž""",
    "Dutch": """ik mij me mijn jij je jou jouw u uw hij hem zijn zij ze haar het wij we ons onze jullie hun hen zich
        zichzelf elkaar dit dat deze die wie wat welke wiens""",
    "English": """i me my mine myself you your yours yourself yourselves thou thee thy thine thyself he him his himself she her
        hers herself it its itself we us our ours ourselves they them their theirs themselves themself this that these those
        who whom whose which what oneself y'all one's 's all both some each none everyone everybody everything someone
        somebody something anyone anybody anything nobody nothing""",
    "French": """je j' j’ me m' m’ moi mon ma mes mien mienne miens miennes tu te t' t’ toi ton ta tes il elle on lui le
        la l' l’ se s' s’ soi son sa ses sien sienne siens siennes nous notre nos vous votre vos ils elles eux leur leurs les
        y en ce c' c’ ça cela ceci celui celle ceux celles celui-ci celle-ci ceux-ci celles-ci qui que qu' qu’ quoi dont
        lequel laquelle lesquels lesquelles lui-même elle-même eux-mêmes""",
    "German": """ich mich mir mein meine meinem meinen meiner meines du dich dir dein deine deinem deinen deiner deines er
        ihn ihm sein seine seinem seinen seiner seines sie ihr ihre ihrem ihren ihrer ihres es wir uns unser unsere unserem
        unseren unserer unseres euch euer eure eurem euren eurer ihnen sich einander man der die das dem den des dessen deren
        denen dieser diese dieses diesem diesen jener jene jenes jenem jenen wer wen wem wessen was welcher welche welches""",
    "Italian": """io me mi mio mia miei mie tu te ti tuo tua tuoi tue egli lui lo gli ella lei la le esso essa essi esse
        si sé suo sua suoi sue noi ci nostro nostra nostri nostre voi vi vostro vostra vostri vostre loro li ne questo questa
        questi queste quello quella quelli quelle ciò chi che cui quale quali""",
    "Norwegian or Danish": """jeg eg meg mig min mi mitt mit mine du deg dig din di ditt dit dine han ham hans hun ho
        henne hende hennes hendes hennar den det dens dets vi oss os vår vårt våre vores dere jer deres jeres de dei dem deira
        seg sig sin si sitt sit sine man selv denne dette disse hvem hva hvad som hverandre hinanden""",
    "Polish": """ja mnie mię mi mną mój moja moje mojego mojej ty ciebie cię tobie ci tobą twój twoja twoje on jego go
        niego jemu mu niemu nim ona jej niej ją nią ono je nie oni one ich nich im nimi my nas nam nami nasz nasza nasze wy
        was wam wami wasz wasza wasze siebie się sobie sobą swój swoja swoje swojego swojej swoich swoim swoimi ten ta to tego
        tej temu tym tych kto kogo komu kim co czego czemu czym który która które którego której któremu którym których
        którymi""",
    "Portuguese": """eu me mim meu minha meus minhas tu te ti teu tua ele ela eles elas lhe lhes o a os as se si você
        vocês seu sua seus suas dele dela deles delas nós nos nosso nossa nossos nossas vós vos isto isso aquilo este esta
        estes estas esse essa esses essas aquele aquela quem que qual quais cujo cuja""",
    "Russian": """я меня мне мной мною мой моя моё мое мои моего моей моих ты тебя тебе тобой твой твоя твоё твои он его
        него ему нему им ним нём нем она её ее неё нее ей ней ею нею оно они их них ими ними мы нас нам нами наш наша наше
        наши нашего нашей вы вас вам вами ваш ваша ваше ваши себя себе собой свой своя своё свое свои своего своей своему
        своих своим своими свою это этот эта эти этого этой этом тот та то те того той тому тех кто кого кому кем что чего
        чему чем который которая которое которые которого которой которому котором которым которых которыми которую чей""",
    "Spanish": """yo me mí mi mis mío mía míos mías conmigo tú te ti tu tus tuyo tuya usted ustedes él ella ello ellos
        ellas le lo la les los las se sí consigo su sus suyo suya suyos suyas nosotros nosotras nos nuestro nuestra nuestros
        nuestras vosotros vosotras os vuestro vuestra esto eso aquello éste ésta éstos éstas este esta ese esa aquel aquella
        quien quienes que cual cuales cuyo cuya""",
    "Swedish": """jag mig min mitt mina du dig din ditt dina han honom hans hon henne hennes den det dess vi oss vår vårt
        våra ni er ert era de dem deras sig sin sitt sina man denna detta dessa vem vad som varandra""",
    "Turkish": """ben beni bana bende benden benim sen seni sana senin o onu ona onda ondan onun biz bizi bize bizim siz
        sizi size sizin onlar onları onlara onlardan onların kendi kendisi kendisini kendisine kendini kendine kendileri bu
        bunu buna bunun bunlar şu şunu kim kimi kimin ne""",
    "Chinese": """我 你 您 他 她 它 牠 我们 你们 他们 她们 它们 咱们 咱 自己 我們 你們 他們 她們 它們 咱們 这 那 这些 那些
        這 這些 此 其 彼此 谁 誰 双方 本人 大家 人家""",
}
"""Words that alone are a mention: personal, possessive, reflexive, demonstrative, relative and interrogative pronouns."""

FREQUENT = {
    "Catalan": "i de del dels al als a amb per com però va són ha han més un una és no d' l' d’ l’ que",
    "Czech": """a v ve na s z ze do o k i že by za po pro od jako ale když aby jen už byl byla bylo jsou při před mezi až
        nebo není u""",
    "Dutch": """de een en van in op te met voor aan door bij om uit naar over is was werd niet ook als maar er naast tot
        tijdens""",
    "English": """the a an of in on at for from with by to into about over and or but as is are was were be been has had
        have not if than between during after before against through under""",
    "French": """de du des d' d’ à au aux et ou mais en dans sur pour par avec sans un une est sont a ont était pas ne n'
        n’ plus comme entre chez vers sous""",
    "German": """und oder aber in im an am auf aus bei mit nach von vom zu zum zur für über unter vor durch gegen um ist
        war sind hat nicht auch als wie ein eine einem einen einer eines""",
    "Italian": """di del dello della dei degli delle da dal dalla in nel nella nei nelle a al alla ai alle con su sul
        sulla per tra fra e ed o ma un una uno il i è sono ha non come più""",
    "Norwegian or Danish": """og i på av af til for med fra om ved etter efter over under mot mod er var har ikke ikkje at
        en et ein eit men eller å ble blev også når da då""",
    "Polish": "i w we na z ze do o od dla po przez przy przed pod nad za a ale że jest są był była było nie jak oraz lub u",
    "Portuguese": """de do da dos das em no na nos nas a ao à por pelo pela com para sobre entre e ou mas um uma é são foi
        não como mais""",
    "Russian": "и в во на с со к о об от до из у за по для при под над между а но или не как бы был была было были же без",
    "Spanish": """de del en a al con por para sobre entre sin y e o pero el un una unos unas es son era fue ha no como más
        desde hasta""",
    "Swedish": "och i på av till för med från om vid efter över under mot är var har inte att en ett men eller som",
    "Turkish": "ve ile için bir da de gibi ama çok daha olarak olan değil en mi ya veya kadar sonra önce",
    "Chinese": "的 了 在 是 和 与 與 也 都 就 不 有 对 對 从 從 把 被 及 而 但 为 為 于 於 上 中",
}
"""Articles, prepositions, conjunctions and such."""

DETERMINERS = ("DT", "PDT", "WDT", "DET")
"""Tags of what is a pronoun only where it is the whole mention."""

TYPES = {
    **dict.fromkeys(("PRP", "PRP$", "WP", "WP$", "EX", "PN", "PRON", *DETERMINERS), "pronoun"),
    **dict.fromkeys(("NNP", "NNPS", "NR", "PROPN"), "name"),
    **dict.fromkeys(("NN", "NNS", "NT", "CD", "OD", "M", "$", "NOUN", "NUM", "SYM", "ADJ", "JJ", "JJR", "JJS"), "nominal"),
}
"""The type by a tag of the Penn treebanks of English and Chinese, or of Universal Dependencies."""

ENDS = frozenset((
    "IN", "TO", "WDT", "WP", "WP$", "WRB", "VB", "VBD", "VBG", "VBN", "VBP", "VBZ", "MD", ",", ":", ".", "-LRB-", "(",
    "ADP", "SCONJ", "AUX", "VERB", "PUNCT",
))  # fmt: skip
"""Tags at which the core of a mention ends; in Chinese it does not, as all stands before the noun."""

TAGSET = ENDS.union(TYPES, (
    "CC", "FW", "LS", "NFP", "HYPH", "ADD", "AFX", "UH", "RB", "RBR", "RBS", "RP", "POS", "XX", "-RRB-", ")", "``", "''", "#",
    "PRT", "GW", "AD", "AS", "BA", "CS", "DEC", "DEG", "DER", "DEV", "ETC", "IJ", "LB", "LC", "MSP", "ON", "P", "PU", "SB",
    "SP", "VA", "VC", "VE", "VV", "ADV", "CCONJ", "INTJ", "PART", "X",
))  # fmt: skip
"""All tags of these."""

WITHOUT_CAPITALS = ("German", "Chinese")
"""Where names are not told from other nouns."""


@cache
def languages() -> dict[str, Language]:
    """The languages whose words are known, by their names."""
    return {
        name: Language(frozenset(words.split()), frozenset(FREQUENT[name].split()), name not in WITHOUT_CAPITALS)
        for name, words in PRONOUNS.items()
    }


class TypedMentions(NamedTuple):
    """The type of each mention of a corpus, and how it is known.

    Parameters
    ----------
    types : int8, shape (mentions,)
        Numbers of `MENTION_TYPES`.
    source : str
        `ANNOTATED`, `TAGS`, or which words: "English words"; empty if nothing tells them.
    """

    types: Ints
    source: str


def typed_mentions(corpus: Columns, other: Columns | None = None) -> TypedMentions:
    """The types of mentions: annotated ones if there are any, else by parts of speech, else by words.

    A corpus without words has those of the other side.

    >>> from referee import read
    >>> types, source = typed_mentions(read("examples/key.conll"))
    >>> [MENTION_TYPES[n] for n in types.tolist()[:5]], source
    (['name', 'nominal', 'nominal', 'nominal', 'pronoun'], 'English words')
    """
    types = corpus.mention_types_with_zeros
    if types.any():
        return TypedMentions(types, ANNOTATED)
    text = other.text if corpus.text is None and other is not None else corpus.text
    if text is None or corpus.items is not None or not len(types):
        return TypedMentions(types, "")
    edges = np.searchsorted(corpus.document, np.arange(len(corpus.doc_ids) + 1)).tolist()
    start, end = corpus.start.tolist(), corpus.end.tolist()
    spans = [list(zip(start[a:b], end[a:b], strict=True)) for a, b in pairwise(edges)]
    if has_tags(text.words):
        names = [_by_tags(words, mentions) for words, mentions in zip(text.words, spans, strict=True)]
        return TypedMentions(_numbers(names), TAGS)
    of_all = language_of(chain.from_iterable(words.tokens for words in text.words))
    if of_all is None:
        return TypedMentions(types, "")
    spoken = [language_of(words.tokens) or of_all for words in text.words]
    names = [
        _by_words(words, mentions, languages()[name]) for words, mentions, name in zip(text.words, spans, spoken, strict=True)
    ]
    common = Counter(name for name, mentions in zip(spoken, spans, strict=True) if mentions).most_common()
    return TypedMentions(_numbers(names), f"{' and '.join(name for name, _ in common)} words")


def language_of(tokens: Iterable[str]) -> str | None:
    """The language with the most of the pronouns and frequent words; None if fewer than a tenth of the words are such.

    >>> language_of("Anna gardait le phare ; elle y vivait .".split()), language_of("Anna 1 2 3 4 5 6 7 8 9 10".split())
    ('French', None)
    """
    counts = Counter(token.lower() for token in tokens if token[:1].isalpha())
    number = {
        name: sum(n for word, n in counts.items() if word in language.pronouns or word in language.frequent)
        for name, language in languages().items()
    }
    best = max(number, key=number.__getitem__)
    return best if 10 * number[best] > counts.total() else None


def has_tags(words: Sequence[Words]) -> bool:
    """Whether nearly all tokens have a part of speech that is known, and not all one or two, which stand for none."""
    counts = Counter(chain.from_iterable(document.parts_of_speech or ["-"] * len(document.tokens) for document in words))
    return 10 * sum(n for tag, n in counts.items() if tag in TAGSET) > 9 * counts.total() and len(counts) > 2


def _by_tags(words: Words, spans: Iterable[tuple[int, int]]) -> list[str]:
    tags = words.parts_of_speech or ()
    return [_of_tags(tags[start:end]) for start, end in spans]


def _of_tags(tags: Sequence[str]) -> str:
    """The type by the last noun or pronoun of the core."""
    last = ""
    for tag in tags:
        if last and tag in ENDS:
            break
        if tag in TYPES and (tag not in DETERMINERS or len(tags) == 1):
            last = TYPES[tag]
    return last or "other"


def _by_words(words: Words, spans: Iterable[tuple[int, int]], language: Language) -> list[str]:
    tokens, starts = words.tokens, set(words.sentences)
    lower = [token.lower().lstrip("-") for token in tokens]  # in French, also "dit -il"
    closed = language.pronouns | language.frequent
    within = {token for place, token in enumerate(tokens) if place not in starts}
    types = []
    for start, end in spans:
        if language.pronouns.issuperset(lower[start:end]):
            types.append("pronoun")
            continue
        if not language.has_capitals:
            types.append("other")
            continue
        first = next((place for place in range(start, end) if lower[place] not in closed), end - 1)
        after = (place for place in range(first, end) if lower[place] in closed or not any(map(str.isalnum, tokens[place])))
        last = max(next(after, end) - 1, first)
        word = tokens[last]
        is_name = word[:1].isupper() and (last not in starts or word in within or lower[last] not in within)
        types.append("name" if is_name else "nominal")
    return types


def _numbers(documents: Sequence[Sequence[str]]) -> Ints:
    return np.array([MENTION_TYPES.index(name) for document in documents for name in document], dtype=np.int8)
