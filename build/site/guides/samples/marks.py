import json
import re
import sys
import unicodedata
from decimal import Decimal


def score(question, response):
    """The marks of a response: a key, keys joined by commas, a number, or a text. Empty: none."""
    marking = question.get("marking", {"correct": 1})
    correct = marking["correct"]
    incorrect = marking.get("incorrect", 0)
    accepted = question.get("accepted", [question["answer"]])
    if question.get("dropped"):
        return 0
    given = response.strip()
    if given == "":
        return marking.get("unanswered", 0)
    if question["type"] == "numerical":
        if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)", given):
            return incorrect
        number = Decimal(given)
        most = Decimal(question.get("tolerance", "0"))
        ranges = [(Decimal(each) - most, Decimal(each) + most) for each in accepted]
        if "answerRange" in question:
            ranges.append((question["answerRange"]["min"], question["answerRange"]["max"]))
        is_right = any(Decimal(low) <= number <= Decimal(high) for low, high in ranges)
        return correct if is_right else incorrect
    if question["type"] == "text":
        is_same = comparable(given) in map(comparable, accepted)
        return correct if is_same else incorrect
    # A type that this program does not know.
    if question["type"] not in ("mcq", "msq"):
        return 0
    chosen = keys_of(given)
    right = [keys for keys in map(keys_of, accepted) if chosen <= keys]
    if chosen in right:
        return correct
    if question["type"] == "msq" and marking.get("partial", 0) > 0 and right:
        return marking["partial"] * len(chosen)
    return incorrect


def comparable(text):
    return "".join(unicodedata.normalize("NFC", text).lower().split())


def keys_of(text):
    return {key.strip() for key in text.split(",")}


file = sys.argv[1] if len(sys.argv) > 1 else "copy/EXAM/YEAR/SHIFT/SUBJECT.json"
responses_file = sys.argv[2] if len(sys.argv) > 2 else "responses.json"
with open(file, encoding="utf-8") as paper:
    questions = json.load(paper)["questions"]
# By id of question, in the form of `answer`.
with open(responses_file, encoding="utf-8") as saved:
    responses = json.load(saved)

total = 0
for question in questions:
    marks = score(question, responses.get(question["id"], ""))
    print(f"{question.get('number', question['id'])}: {marks}")
    total += marks
print(f"Total: {total}")
