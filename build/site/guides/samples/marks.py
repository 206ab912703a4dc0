import json
from pastpaper import Bank

bank = Bank.open("copy")
questions = bank.paper("EXAM/YEAR/SHIFT/SUBJECT")["questions"]
with open("responses.json", encoding="utf-8") as saved:
    # By id of question, in the form of `answer`.
    responses = json.load(saved)
print(f"Total: {sum(bank.score(one, responses.get(one['id'])) for one in questions)}")
