import hashlib
import json


def canonical(value):
    """Canonical JSON (RFC 8785) of texts, whole numbers, true, lists and objects."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def checksum(data):
    """Of bytes."""
    return hashlib.sha256(data).hexdigest()[:CHECKSUM_LENGTH]
