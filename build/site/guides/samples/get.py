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
LONGEST_WAIT = 60  # Seconds. A spent month takes days: it is not slept through.
MOST_TRIES = 5
not_before = 0.0  # When the next request may go, in seconds since 1970.


def get(path, fields=None):
    """Gets a path, with fields beside the key; stops where trying again is no use."""
    global not_before
    tries = 1
    while True:
        wait_for_turn()
        status, headers, body = ask(path, fields)
        if status in (200, 304):
            return status, headers, body
        if status == 429:
            continue  # No failure: the answer said how long to wait.
        said = f"{path}: {status or 'no answer'}, {body.decode(errors='replace')}"
        if 0 < status < 500:
            sys.exit(said)
        if tries == MOST_TRIES:
            sys.exit(f"{said}. Gave up after {tries} tries.")
        # Exponential backoff with jitter, so that not all come again at once.
        not_before = max(not_before, time.time() + random.uniform(0, 2 ** (tries - 1)))
        tries += 1


def wait_for_turn():
    wait = not_before - time.time()
    if wait > LONGEST_WAIT:
        moment = time.strftime("%Y-%m-%d %H:%M", time.gmtime(not_before))
        sys.exit(f"No request is left until {moment} UTC. Run this again then.")
    time.sleep(max(0, wait))


def ask(path, fields):
    """One request. Status 0: no whole answer came."""
    headers = {"Authorization": f"Bearer {KEY}", **(fields or {})}
    request = Request(SERVICE + path, headers=headers)
    try:
        try:
            response = urlopen(request, timeout=30)
        except HTTPError as error:
            response = error  # An answer all the same, with status, fields and body.
        with response:
            heed(response.status, response.headers)
            return response.status, response.headers, response.read()
    except (OSError, HTTPException) as error:
        return 0, {}, str(error).encode()


def heed(status, headers):
    """Notes how long to wait: as Retry-After says, or until what is spent comes back."""
    global not_before
    # "rate";r=0;t=1 says: none left, more in one second.
    limits = re.findall(r";r=(\d+);t=(\d+)", headers.get("RateLimit", ""))
    waits = [int(seconds) for left, seconds in limits if left == "0"]
    told = headers.get("Retry-After", "")
    waits.append(int(told) if told.isdecimal() else int(status == 429))
    not_before = max(not_before, time.time() + max(waits))
