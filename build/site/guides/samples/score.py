import re
from decimal import Decimal


def score(question, response):
    """The marks of a response: a key, keys joined by commas, or a number. Empty: none."""
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
        ranges = [(each, each) for each in accepted]
        if "answerRange" in question:
            ranges.append((question["answerRange"]["min"], question["answerRange"]["max"]))
        is_right = any(Decimal(low) <= number <= Decimal(high) for low, high in ranges)
        return correct if is_right else incorrect
    chosen = keys_of(given)
    right = [keys for keys in map(keys_of, accepted) if chosen <= keys]
    if chosen in right:
        return correct
    if question["type"] == "msq" and marking.get("partial", 0) > 0 and right:
        return marking["partial"] * len(chosen)
    return incorrect


def keys_of(text):
    return {key.strip() for key in text.split(",")}
