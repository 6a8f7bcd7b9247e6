"""The keys of the objects in which language models answer, and of the logs of interfaces, without case and signs."""

from __future__ import annotations

import re


def words(text: str) -> tuple[str, ...]:
    """The words of a text, an earlier one before a later one."""
    return tuple(text.split())


def folded_key(key: object) -> str:
    """A key without case and signs: `cluster_id` is `clusterId`."""
    return re.sub(r"[\W_]+", "", str(key)).casefold()


ENTITIES = words("""clusters entities chains coreference coreferences coref corefs coreferencechains coreferenceclusters
    corefclusters corefchains clusterstextmentions clustersstrings predictedclusters entityclusters mentionclusters
    groups coreferencegroups referents entitylist characters""")
MENTIONS = words("""mentions strings spans mentionlist mentionslist members references refs expressions phrases
    occurrences texts""")
WORDS = words("""text mention mentiontext string span quote word words phrase expression surface surfaceform surfacetext""")
LABELS = words("""cluster clusterid clusteridx clusternumber entity entityid entityname entitynumber chain chainid
    corefid corefclusterid coref coreferenceid coreferenceclusterid group groupid referent referentid canonical
    canonicalname set setid label""")
ANTECEDENTS = words("""antecedentid antecedent antecedenttext refersto resolvesto coreferentwith coreferswith
    antecedentmention""")
SENTENCES = words("""sentence sent sentenceid sentid sentenceindex sentenceidx sentencenumber sentenceno s line""")
STARTS = words("""start starttoken tokenstart tokenindex tokenid wordindex wordid begin from offset position pos index
    idx startchar charstart startoffset startindex startidx tokenoffset charoffset span spans offsets range tokens
    tokenspan indices""")
WRAPPERS = words("""finalanswer answer final output result response arguments parameters prediction results predictions
    documents answers outputs annotations data sentences""")
"""Keys of documents, or of one."""
DOCUMENTS = words("dockey docid documentid document doc docname customid textid sampleid")
NAMES = words("id name key file filename")
ATTRIBUTES = words("id name type entitytype category gender number canonicalname description role ner kind")
"""Keys of what an entity is."""
REMARKS = words("""reasoning explanation thought thoughts note notes comment comments rationale analysis text summary
    description confidence justification language title status model warning input instruction prompt""")
"""Keys of sentences that are not of the answer."""
ECHOES = words("tokens text words sentences passage document")
"""Keys of the text itself, beside the entities."""
SINGLETONS = words("singletons singleton singletonmentions singletonclusters")
UNCOUNTED = {*REMARKS, *ATTRIBUTES, *LABELS, *DOCUMENTS, *NAMES}
"""Keys of strings that are no mentions."""

OF_RECORDS = words("samples requeststates results responses records rows instances data logs outputs predictions")
"""Keys of lists of records, each of a document."""

FIRST = words("choices candidates completions generations outputs resps filteredresps sequences results responses predictions")
"""Keys of lists with answers to one question."""

CARRIERS = words("""filteredresps result response body choices candidates message delta output outputs completions
    generations content parts messages conversations conversation toolcalls functioncall function arguments args input
    completion generatedtext outputtext generation answer finalanswer prediction predictedoutput modeloutput modelanswer
    modelresponse llmoutput llmresponse assistant text tagged value resps refusal kwargs raw rawoutput""")
"""Where an answer may stand in an object, what goes before first."""

PASSED = words("""prompt prompts question questions instruction instructions inputs context system user query request
    requests target targets gold golden goldstandard reference references expected expectedoutput ideal label labels
    groundtruth doc document source story passage sourcetext inputtext fewshot examples demonstrations thinking
    reasoning reasoningcontent thought thoughts redactedthinking rationale scratchpad analysis logprobs usage error
    metadata tools schema responseformat key""")
"""Keys of what the model did not say, or of its thoughts."""

GOLD = words("gold golden goldstandard reference references expected expectedoutput ideal target targets groundtruth prompt")
"""Keys of what was asked for, or should have been answered."""

PROMPTS = ("prompt", "question", "input", "instruction", "query")
ASSISTANTS = ("assistant", "model", "gpt", "bot", "ai", "chatbot", "chatgpt")
THOUGHTS = ("thinking", "reasoning", "redactedthinking", "thought", "reasoningcontent")
IDS = (*DOCUMENTS, "recordid", "key", "id", "name", "instanceid", "file", "filename", "uid", "idx", "index")
