from pastpaper import Bank

bank = Bank.open("copy")
for path in bank.papers("EXAM/YEAR"):
    bank.paper(path)  # An error says what does not match.
    print(f"{path} matches.")
