import json
import sys

from score import score

file = sys.argv[1] if len(sys.argv) > 1 else "copy/EXAM/YEAR/SHIFT/physics.json"
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
