import hashlib
import json


def canonical(value):
    """Canonical JSON (RFC 8785) of strings, numbers, true, lists and objects."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def checksum(data):
    """Computes the checksum of bytes."""
    return hashlib.sha256(data).hexdigest()[:CHECKSUM_LENGTH]


def diagrams_of(paper):
    """The diagrams of the passages, questions and options of a paper."""
    for each in paper.get("passages", []) + paper["questions"]:
        yield from each["diagrams"]
        for option in each.get("options", []):
            if "diagram" in option:
                yield option["diagram"]
