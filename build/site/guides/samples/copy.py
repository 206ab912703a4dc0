import json
import os
import sys

from checksum import canonical, checksum, diagrams_of
from get import get

year = sys.argv[1] if len(sys.argv) > 1 else "EXAM/YEAR"
folder = sys.argv[2] if len(sys.argv) > 2 else "copy"
downloaded = 0


def paper_of(data):
    """Parses a paper. None: it is damaged, or does not match its checksum."""
    try:
        paper = json.loads(data)
        expected = paper["metadata"]["checksum"]
        return paper if checksum(canonical(paper["questions"])) == expected else None
    except (ValueError, KeyError, TypeError):
        return None


def checksum_of(papers):
    """The checksum of a shift with these papers."""
    sums = {name: paper and paper["metadata"]["checksum"] for name, paper in papers.items()}
    return checksum(canonical(sums))


def update(path, local):
    """Gets the current paper. A 304 means that the local one is current."""
    stored = tags.get(path)
    if local and stored and stored["checksum"] == local["metadata"]["checksum"]:
        status, headers, body = get(f"/{path}", {"If-None-Match": stored["tag"]})
    else:
        status, headers, body = get(f"/{path}")
    if status == 304:
        return local
    paper = paper_of(body) or sys.exit(f"{path} arrived damaged. Run this again.")
    save(path, body)
    tags[path] = {"tag": headers["ETag"], "checksum": paper["metadata"]["checksum"]}
    write_atomically("tags.json", json.dumps(tags).encode())
    return paper


def update_diagram(path, expected):
    local = read(path)
    if local is not None and checksum(local) == expected:
        return
    _, _, body = get(f"/{path}")
    if checksum(body) != expected:
        sys.exit(f"{path} arrived damaged, or has just changed. Run this again.")
    save(path, body)


def save(path, body):
    global downloaded
    write_atomically(path, body)
    downloaded += 1


def write_atomically(path, body):
    """An interrupted program leaves no incomplete file under this name."""
    file = f"{folder}/{path}"
    os.makedirs(os.path.dirname(file), exist_ok=True)
    with open(f"{file}.part", "wb") as part:
        part.write(body)
    os.replace(f"{file}.part", file)


def read(path):
    """Reads a file. None: it does not exist."""
    try:
        with open(f"{folder}/{path}", "rb") as file:
            return file.read()
    except FileNotFoundError:
        return None


# The ETag of each paper, and the checksum of the paper with this ETag.
tags = json.loads(read("tags.json") or "{}")
_, _, body = get(f"/{year}")
for shift in json.loads(body)["shifts"]:
    place = f"{year}/{shift['shift']}"
    papers = {name: paper_of(read(f"{place}/{name}.json")) for name in shift["subjects"]}
    if checksum_of(papers) != shift["checksum"]:
        papers = {name: update(f"{place}/{name}.json", papers[name]) for name in papers}
        if checksum_of(papers) != shift["checksum"]:
            sys.exit(f"{place} is changing. Run this again later.")
    for paper in papers.values():
        for diagram in diagrams_of(paper):
            update_diagram(f"{place}/diagrams/{diagram['file']}", diagram["checksum"])
    for translation in shift.get("translations", []):
        path = f"{place}/{translation['subject']}.{translation['language']}.json"
        local = paper_of(read(path))
        if not local or local["metadata"]["checksum"] != translation["checksum"]:
            update(path, local)
print(f"{folder} has all of {year}. Files downloaded: {downloaded}.")
