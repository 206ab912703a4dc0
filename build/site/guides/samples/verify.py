import json
import os
import sys
from urllib.request import urlopen

from checksum import canonical, checksum

SERVICE = "BASE_URL"
folder = sys.argv[1] if len(sys.argv) > 1 else "copy/EXAM/YEAR/SHIFT"
of_papers = {}  # The checksum of each subject's paper, as computed.
faults = []
year = None
diagrams = 0


def read(path):
    with open(path, "rb") as file:
        return file.read()


def compare(name, found, due):
    if found != due:
        faults.append(f"{name} has the checksum {found}, not {due}.")


for name in sorted(file for file in os.listdir(folder) if file.endswith(".json")):
    try:
        paper = json.loads(read(f"{folder}/{name}"))
        year = f"{paper['exam']}/{paper['year']}"
        of_papers[paper["subject"]] = checksum(canonical(paper["questions"]))
        compare(name, of_papers[paper["subject"]], paper["metadata"]["checksum"])
        for question in paper["questions"]:
            for diagram in question["diagrams"]:
                file = f"{folder}/diagrams/{diagram['file']}"
                if os.path.exists(file):
                    compare(diagram["file"], checksum(read(file)), diagram["checksum"])
                    diagrams += 1
    except (ValueError, KeyError, TypeError) as error:
        faults.append(f"{name} is no whole paper: {error}")

# The checksums of shifts are public: they show that the papers are the service's own.
shift = os.path.basename(folder)
with urlopen(f"{SERVICE}/{year}") as response:
    shifts = {each["shift"]: each["checksum"] for each in json.load(response)["shifts"]}
compare(f"The shift {shift}", checksum(canonical(of_papers)), shifts.get(shift))

if faults:
    sys.exit("\n".join(faults))
print(f"{shift} is right. Papers: {len(of_papers)}, diagrams: {diagrams}.")
