import hashlib
import json
import os
import sys
from urllib.request import urlopen


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


SERVICE = "BASE_URL"
folder = sys.argv[1] if len(sys.argv) > 1 else "copy/EXAM/YEAR/SHIFT"
checksums = {}  # The computed checksum of each subject.
mismatches = []
year = None
diagrams = 0


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compare(name, actual, expected):
    if actual != expected:
        mismatches.append(f"{name} has the checksum {actual}, not {expected}.")


for name in sorted(file for file in os.listdir(folder) if file.endswith(".json")):
    try:
        paper = json.loads(read(f"{folder}/{name}"))
        year = f"{paper['exam']}/{paper['year']}"
        actual = checksum(canonical(paper["questions"]))
        if "language" not in paper:  # A translation is not part of the shift's checksum.
            checksums[paper["subject"]] = actual
        compare(name, actual, paper["metadata"]["checksum"])
        for diagram in diagrams_of(paper):
            file = f"{folder}/diagrams/{diagram['file']}"
            if os.path.exists(file):
                compare(diagram["file"], checksum(read(file)), diagram["checksum"])
                diagrams += 1
    except (ValueError, KeyError, TypeError) as error:
        mismatches.append(f"{name} is not a complete paper: {error}")

# The checksums of shifts are public: they show that the papers are those of the service.
shift = os.path.basename(folder)
with urlopen(f"{SERVICE}/{year}") as response:
    shifts = {each["shift"]: each["checksum"] for each in json.load(response)["shifts"]}
compare(f"The shift {shift}", checksum(canonical(checksums)), shifts.get(shift))

if mismatches:
    sys.exit("\n".join(mismatches))
print(f"{shift} matches. Papers: {len(checksums)}, diagrams: {diagrams}.")
