import json
import os
import random
import re
import sys
import time
from http.client import HTTPException
from urllib.error import HTTPError
from urllib.request import Request, urlopen

SERVICE = "BASE_URL"
KEY = os.environ.get("API_KEY") or sys.exit("Set API_KEY to your key.")
MAX_WAIT = 60  # Seconds. When the monthly quota is used up, waiting would take days.
MAX_TRIES = 5
not_before = 0.0  # The time of the next request, in seconds since 1970.


def get(path):
    """Gets a path. Retries where it helps, and stops the program where it does not."""
    global not_before
    tries = 1
    while True:
        wait_until_allowed()
        status, body = send(path)
        if status == 200:
            return body
        if status == 429:
            continue  # Not an error: the response says how long to wait.
        message = f"{path}: {status or 'no response'}, {body.decode(errors='replace')}"
        if 0 < status < 500:
            sys.exit(message)
        if tries == MAX_TRIES:
            sys.exit(f"{message}. Gave up after {tries} tries.")
        # Exponential backoff with jitter, so that clients do not all retry at once.
        not_before = max(not_before, time.time() + random.uniform(0, 2 ** (tries - 1)))
        tries += 1


def wait_until_allowed():
    wait = not_before - time.time()
    if wait > MAX_WAIT:
        moment = time.strftime("%Y-%m-%d %H:%M", time.gmtime(not_before))
        sys.exit(f"No request is left until {moment} UTC. Run this again then.")
    time.sleep(max(0, wait))


def send(path):
    """Sends one request. Status 0: there was no complete response."""
    request = Request(SERVICE + path, headers={"Authorization": f"Bearer {KEY}"})
    try:
        try:
            response = urlopen(request, timeout=30)
        except HTTPError as error:
            response = error  # A response as well, with status, headers and body.
        with response:
            update_wait(response.status, response.headers)
            return response.status, response.read()
    except (OSError, HTTPException) as error:
        return 0, str(error).encode()


def update_wait(status, headers):
    """Waits as long as Retry-After says, or until a limit that is used up has requests again."""
    global not_before
    # "rate";r=0;t=1 means: no requests left, more in one second.
    limits = re.findall(r";r=(\d+);t=(\d+)", headers.get("RateLimit", ""))
    waits = [int(seconds) for left, seconds in limits if left == "0"]
    retry_after = headers.get("Retry-After", "")
    waits.append(int(retry_after) if retry_after.isdecimal() else int(status == 429))
    not_before = max(not_before, time.time() + max(waits))


year = sys.argv[1] if len(sys.argv) > 1 else "EXAM/YEAR"

for shift in json.loads(get(f"/{year}"))["shifts"]:
    os.makedirs(f"copy/{year}/{shift['shift']}", exist_ok=True)
    for subject in shift["subjects"]:
        path = f"{year}/{shift['shift']}/{subject}.json"
        body = get(f"/{path}")
        with open(f"copy/{path}", "wb") as file:
            file.write(body)
        print(path)
