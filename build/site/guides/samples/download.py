import json
import os
import sys

from get import get

year = sys.argv[1] if len(sys.argv) > 1 else "EXAM/YEAR"

_, _, body = get(f"/{year}")
for shift in json.loads(body)["shifts"]:
    os.makedirs(f"copy/{year}/{shift['shift']}", exist_ok=True)
    for subject in shift["subjects"]:
        path = f"{year}/{shift['shift']}/{subject}.json"
        _, _, body = get(f"/{path}")
        with open(f"copy/{path}", "wb") as file:
            file.write(body)
        print(path)
