from pastpaper import Bank

bank = Bank.open("BASE_URL")  # The key is in API_KEY.
copy = bank.sync("copy", exam="EXAM", years=[YEAR])
print(f"Papers: {copy['papers']}, diagrams: {copy['diagrams']}, all verified.")
