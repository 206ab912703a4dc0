import hashlib
import json


def canonical(value):
    """Canonical JSON (RFC 8785) of strings, integers, true, lists and objects."""
    text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
    return text.encode()


def checksum(data):
    """Computes the checksum of bytes."""
    return hashlib.sha256(data).hexdigest()[:CHECKSUM_LENGTH]
