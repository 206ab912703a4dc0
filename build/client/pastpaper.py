"""Reads the papers of a question bank: from its API, from a mirror or from a pack (.zip).

One file for Python 3.8 or later, without dependencies. The names are those of client.mjs:

    from pastpaper import Bank
    bank = Bank.open("https://api.example.org", key="pfx_...")
    questions = bank.select(exam="neet", topic="Optics", count=20, seed=1)

Every error is a PastpaperError, with a code and a sentence that says what to do.
"""

import hashlib
import http.client
import io
import json
import os
import random
import re
import sys
import time
import unicodedata
import urllib.error
import urllib.parse
import urllib.request
import zipfile
from decimal import Decimal

__all__ = ["Bank", "PastpaperError", "score"]

TIMEOUT = 60  # Seconds without a byte. A slower service counts as down.
LONGEST_WAIT = 300  # Seconds. The client waits for nothing longer, such as a month's quota.
ATTEMPTS = 8
FAILURES = 3  # Packs in a row that fail before the service counts as down.
MOST_PAPERS = 2  # Of one year, one by one. If more are needed, one request brings the whole year.
MAX_BODY = 2**30
FILE = re.compile(
    r"[a-z][a-z0-9]*/\d{4}/(?:index\.json|\d{4}-\d\d-\d\d-s[1-9]\d*/"
    r"(?:[a-z][a-z0-9-]*(?:\.[A-Za-z0-9-]+)?\.json|diagrams/[A-Za-z0-9][A-Za-z0-9._-]*))"
)


class PastpaperError(Exception):
    """`code`: address, key, quota, not-found, unavailable, damaged, input, file-system or incomplete."""

    def __init__(self, code, message):
        super().__init__(message)
        self.code = code


class _Retry(Exception):
    def __init__(self, reason, seconds=0.0):
        super().__init__(reason)
        self.seconds = seconds


# Marks


def score(question, response):
    """The marks of a response: a key, keys joined by commas, a number, or a text. Empty or None: none.

    Without a marking, a right response gets 1 and any other 0.
    """
    marking = question.get("marking", {"correct": 1})
    correct = marking["correct"]
    incorrect = marking.get("incorrect", 0)
    accepted = question.get("accepted", [question["answer"]])
    if question.get("dropped"):
        return 0
    given = (response or "").strip()
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
        is_same = _comparable(given) in map(_comparable, accepted)
        return correct if is_same else incorrect
    # A type that this program does not know.
    if question["type"] not in ("mcq", "msq"):
        return 0
    chosen = _keys(given)
    right = [keys for keys in map(_keys, accepted) if chosen <= keys]
    if chosen in right:
        return correct
    if question["type"] == "msq" and marking.get("partial", 0) > 0 and right:
        return marking["partial"] * len(chosen)
    return incorrect


def _comparable(text):
    return "".join(unicodedata.normalize("NFC", text).lower().split())


def _keys(text):
    return {key.strip() for key in text.split(",")}


def _list(value):
    return [value] if isinstance(value, str) else list(value)


# Requests


class _Service:
    """Requests within the limits of the account, repeated where that helps."""

    def __init__(self, address, key):
        parts = urllib.parse.urlsplit(address)
        if parts.scheme not in ("http", "https") or not parts.hostname or "@" in parts.netloc:
            raise PastpaperError(
                "address",
                f'"{address}" is not the address of a service. Use one such as https://api.example.org.',
            )
        if key and not re.fullmatch(r"[A-Za-z0-9._~+/-]+=*", key):
            raise PastpaperError(
                "key", "The key contains characters that no API key has. Remove spaces and quotes."
            )
        self.base = address.rstrip("/")
        self.key = key
        self.not_before = 0.0
        self.windows = []
        self.ended = []
        self.quota = None

        class NoRedirect(urllib.request.HTTPRedirectHandler):
            def redirect_request(self, *_):
                return None  # To protect the key.

        self.opener = urllib.request.build_opener(NoRedirect)

    def get(self, path, read=lambda body: body):
        """The result of `read`, which raises _Retry for a damaged body; None for 404."""
        url = f"{self.base}/{path}"
        for attempt in range(1, ATTEMPTS + 1):
            try:
                body = self._send(url, path.endswith(".zip") or path.count("/") > 2)
                return None if body is None else read(body)
            except _Retry as problem:
                wait = problem.seconds + random.random() * min(30, 2 ** (attempt - 1))
                if problem.seconds > LONGEST_WAIT:
                    raise self._later(problem.seconds) from None
                if attempt == ATTEMPTS:
                    raise PastpaperError(
                        "unavailable",
                        f"{url}: {problem}. Tried {attempt} times. Is that the address of the service, "
                        "and is it up? Try again later.",
                    ) from None
                time.sleep(wait)

    def _send(self, url, protected):
        headers = {"Accept-Encoding": "identity"}
        if protected:
            if not self.key:
                raise PastpaperError(
                    "key",
                    f"{url} requires an API key. Create one in the dashboard of the service, and set the "
                    'environment variable API_KEY to it, or pass it: Bank.open(address, key="...").',
                )
            self._wait()
            headers["Authorization"] = f"Bearer {self.key}"
        try:
            request = urllib.request.Request(url, headers=headers)
            with self.opener.open(request, timeout=TIMEOUT) as response:
                self._count(protected, response.headers)
                body = response.read(MAX_BODY + 1)
                length = response.headers.get("Content-Length")
        except urllib.error.HTTPError as error:
            self._count(protected, error.headers)
            status = error.code
            if status == 404:
                return None
            if status == 401 or status == 403:
                raise PastpaperError(
                    "key",
                    f"{url}: the API key is unknown, revoked or expired ({status}). Use the whole key, as "
                    "shown when it was created, or create a new one in the dashboard of the service.",
                ) from None
            if status in (408, 429) or status >= 500:
                seconds = _retry_after(error.headers)
                raise _Retry(f"status {status}", 0 if protected else seconds) from None
            raise PastpaperError(
                "address", f"{url}: unexpected status {status}. Is that the address of the service?"
            ) from None
        except (OSError, http.client.HTTPException) as error:
            self._count(protected, {})
            raise _Retry(str(getattr(error, "reason", error)) or "the connection broke") from None
        if length is not None and len(body) != int(length):
            raise _Retry("the response was cut short")
        return body

    def _wait(self):
        now = time.monotonic()
        if self.not_before - now > LONGEST_WAIT:
            raise self._later(self.not_before - now)
        self.ended = [one for one in self.ended if now - one < LONGEST_WAIT]
        waits = [self.not_before - now]
        for requests, span in self.windows:
            if len(self.ended) >= requests:
                waits.append(self.ended[-requests] + span + 0.025 - now)
        time.sleep(max(0.0, *waits))

    def _count(self, protected, headers):
        if not protected:
            return
        now = time.monotonic()
        self.ended.append(now)
        windows = [
            (int(quota), float(span))
            for quota, span in re.findall(r";q=(\d+);w=(\d+)", headers.get("RateLimit-Policy") or "")
        ]
        short = [one for one in windows if one[0] > 0 and one[1] <= LONGEST_WAIT]
        self.windows = short or self.windows
        closed = [_retry_after(headers)]
        for left, reset in re.findall(r";r=(\d+);t=(\d+)", headers.get("RateLimit") or ""):
            if left == "0":
                closed.append(float(reset))
        if max(closed) > 0:
            self.not_before = max(self.not_before, now + max(closed))

    @staticmethod
    def _later(seconds):
        when = time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(time.time() + min(seconds, 1e9)))
        return PastpaperError(
            "quota", f"The quota is used up. The service allows the next request at {when}. Try again then."
        )


def _retry_after(headers):
    text = headers.get("Retry-After") or "0"
    return float(text) if text.isdigit() else 0.0


# Responses


def _checksum(value):
    if not isinstance(value, bytes):
        # RFC 8785, for the values of the API.
        text = json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        value = text.encode()
    return hashlib.sha256(value).hexdigest()[:12]


def _json(body, **expected):
    try:
        value = json.loads(body.decode())
        fits = all(value[field] == wanted for field, wanted in expected.items())
    except (ValueError, KeyError, TypeError):
        fits = False
    if not fits:
        raise _Retry("the response is damaged, or of something else")
    return value


def _year(body, exam, year):
    value = _json(body, exam=exam, year=year)
    for one in value["shifts"]:
        if not all(FILE.fullmatch(path) for path in _papers_of(f"{exam}/{year:04}", one)):
            raise _Retry("the response contains an invalid name")
    return value


def _papers_of(year_path, shift):
    names = [*shift["subjects"], *(f"{t['subject']}.{t['language']}" for t in shift.get("translations", []))]
    return [f"{year_path}/{shift['shift']}/{name}.json" for name in names]


def _paper(body, path):
    exam, year, shift, name = path[: -len(".json")].split("/")
    paper = _json(body, exam=exam, year=int(year), shift=shift, subject=name.split(".")[0])
    if _checksum(paper["questions"]) != paper["metadata"]["checksum"]:
        raise _Retry("the questions do not match their checksum")
    return paper


def _diagrams_in(paper):
    """The diagrams of a paper, by the names of their files."""
    owners = [*paper.get("passages", []), *paper["questions"]]
    return {one["file"]: one for owner in owners for one in _diagrams_of(owner)}


def _diagrams_of(owner):
    return owner["diagrams"] + [o["diagram"] for o in owner.get("options", []) if "diagram" in o]


def _unpack(body):
    try:
        with zipfile.ZipFile(io.BytesIO(body)) as pack:
            entries = [one for one in pack.infolist() if FILE.fullmatch(one.filename)]
            if sum(one.file_size for one in entries) > 2 * MAX_BODY:
                raise _Retry("the pack is too large")
            return {one.filename: pack.read(one) for one in entries}
    except (zipfile.BadZipFile, RuntimeError, EOFError, ValueError):
        raise _Retry("the response is not a complete ZIP file") from None


class _Files:
    """The files of a mirror or pack, which answer like a service."""

    def __init__(self, name, paths, read):
        self.name = name
        self.paths = sorted(path for path in paths if FILE.fullmatch(path))
        self.papers = [path for path in self.paths if path.count("/") == 3 and path.endswith(".json")]
        self.read = read
        if not self.papers:
            raise PastpaperError(
                "input",
                f"{name} has no papers. Open the address of a service, a folder that sync or pastpaper pull "
                "wrote, or a pack (.zip).",
            )

    def get(self, path, read=lambda body: body):
        body = self._body(path)
        try:
            return None if body is None else read(body)
        except _Retry as problem:
            raise PastpaperError("damaged", f"{self.name}: {path}: {problem}. Run sync again.") from None

    def _body(self, path):
        for file in (path, f"{path}/index.json"):
            if file in self.paths:
                return self.read(file)
        codes = sorted({paper.split("/")[0] for paper in self.papers})
        if path in codes:
            return json.dumps({"exam": path, "years": self._below(path)}).encode()
        if path != "exams.json":
            return None
        exams = [{"exam": e, "label": e, "years": self._below(e), "url": f"/{e}"} for e in codes]
        return json.dumps({"exams": exams}).encode()

    def _below(self, exam):
        years = {int(one.split("/")[1]) for one in self.papers if one.startswith(f"{exam}/")}
        return sorted(years, reverse=True)


# The bank


class Bank:
    """The papers of a bank. Everything is requested once: open the bank again to see a new release."""

    def __init__(self, source):
        self._source = source
        self._kept = {}
        self._places = {}

    @classmethod
    def open(cls, source, key=None):
        """Opens the address of a service, the folder of a mirror, or a pack: the path or bytes of a ZIP file.

        `key`: for questions of a service; default: the environment variable API_KEY.
        """
        if isinstance(source, bytes):
            return cls._of_pack("The pack", source)
        source = os.fspath(source)
        if re.match(r"https?:", source, re.IGNORECASE):
            return cls(_Service(source, key or os.environ.get("API_KEY")))
        try:
            if source.endswith(".zip"):
                with open(source, "rb") as file:
                    return cls._of_pack(source, file.read())
            if not os.path.isdir(source):
                raise FileNotFoundError("it does not exist")
        except OSError as error:
            raise PastpaperError(
                "input",
                f'"{source}" is not the address of a service (https://api.example.org), and cannot be read as '
                f"the folder of a mirror or a pack: {error}.",
            ) from None
        paths = [
            os.path.relpath(os.path.join(folder, name), source).replace(os.sep, "/")
            for folder, _, names in os.walk(source)
            for name in names
        ]
        return cls(_Files(source, paths, lambda path: _read(os.path.join(source, path)) or b""))

    @classmethod
    def _of_pack(cls, name, body):
        try:
            files = _unpack(body)
        except _Retry as problem:
            raise PastpaperError("damaged", f"{name}: {problem}.") from None
        return cls(_Files(name, list(files), files.__getitem__))

    def exams(self):
        """The exams of the bank, with their years."""
        found = self._once("exams.json", lambda: self._source.get("exams.json", _json))
        if found is None:
            raise PastpaperError("not-found", "The service has no /exams.json (404). Check its address.")
        return found["exams"]

    def years(self, exam):
        """The years of an exam, newest first."""
        _require(r"[a-z][a-z0-9]*", exam, "an exam, such as neet")
        found = self._once(exam, lambda: self._source.get(exam, lambda body: _json(body, exam=exam)))
        if found is None:
            raise PastpaperError("not-found", f"There is no exam {exam} (404). Check the exam code.")
        return found["years"]

    def shifts(self, exam, year):
        """The shifts of a year in chronological order, as the API describes them."""
        return self._year(exam, year)["shifts"]

    def papers(self, scope):
        """The paths of the papers of an exam, a year or a shift: "neet", "neet/2024", "neet/2024/s1"."""
        _require(
            r"[a-z][a-z0-9]*(/\d{4}(/[^/]+)?)?", scope, "an exam, a year or a shift, such as neet/2024"
        )
        exam, *rest = scope.split("/")
        paths = []
        for year in [int(rest[0])] if rest else self.years(exam):
            for shift in self.shifts(exam, year):
                if len(rest) < 2 or shift["shift"] == self._resolve(exam, year, rest[1]):
                    paths += _papers_of(f"{exam}/{year:04}", shift)
        return [path[: -len(".json")] for path in paths]

    def paper(self, path):
        """Reads a paper, and verifies its checksum. `path` has any name of the shift: "neet/2024/s1/physics"."""
        _require(
            r"[a-z][a-z0-9]*/\d{4}/[^/]+/[A-Za-z0-9.-]+",
            path,
            "the path of a paper, such as neet/2024/s1/physics",
        )
        exam, year, shift, name = re.sub(r"\.json$", "", path).split("/")
        return self._paper(f"{exam}/{year}/{self._resolve(exam, int(year), shift)}/{name}.json")

    def question(self, id):
        """Finds a question by its id."""
        if id not in self._places:
            years = [(one["exam"], year) for one in self.exams() for year in one["years"]]
            # Ids often name their exam and year.
            years.sort(key=lambda one: -2 * (one[0] in id) - (str(one[1]) in id))
            for exam, year in years:
                for entry in self._index(exam, year):
                    if entry["id"] == id:
                        return self._question(entry)
            raise PastpaperError("not-found", f'The bank has no question "{id}". Check the id.')
        return self._question({"id": id, **self._places[id]})

    def select(
        self,
        *,
        exam=None,
        years=None,
        subject=None,
        topic=None,
        difficulty=None,
        type=None,
        count=None,
        seed=None,
        except_=(),
    ):
        """Selects questions. The same seed gives the same questions, in every language.

        They are in the order of the papers; with a count or seed, in random order. Dropped questions are left out.
        """
        fields = {"subject": subject, "topic": topic, "difficulty": difficulty, "type": type}
        wanted = {name: _list(values) for name, values in fields.items() if values is not None}
        omitted = {one if isinstance(one, str) else one["id"] for one in except_}
        order = [
            entry
            for code in ([exam] if exam else [one["exam"] for one in self.exams()])
            for year in dict.fromkeys(self.years(code) if years is None else years)
            for entry in self._index(code, year)
            if entry["id"] not in omitted
            and not entry.get("dropped")
            and all(entry[name] in values for name, values in wanted.items())
        ]
        if count is not None or seed is not None:
            start = random.random() if seed is None else seed
            order.sort(key=lambda one: hashlib.sha256(f"{start}:{one['id']}".encode()).hexdigest())
        self._prepare(order[:count])
        selected = []
        for entry in order:
            if len(selected) == count:
                break
            question = self._question(entry)
            if not question.get("dropped"):
                selected.append(question)
        return selected

    def score(self, question, response):
        """The marks of a response, as the function `score`."""
        return score(question, response)

    def place(self, question):
        """The exam, year, shift and subject of a question that this bank has read."""
        if question["id"] in self._places:
            return self._places[question["id"]]
        raise PastpaperError("input", f'Read the question "{question["id"]}" from this bank first.')

    def diagram(self, question, file):
        """The bytes of a diagram of a question, an option or a passage, verified."""
        place = self.place(question)
        diagram = _diagrams_in(self._paper(_path(place))).get(file)
        if diagram is None:
            raise PastpaperError("not-found", f'{_path(place)} has no diagram "{file}".')
        path = f"{_path(place).rsplit('/', 1)[0]}/diagrams/{file}"
        body = self._once(path, lambda: self._file(path, lambda body: body))
        if body is None or _checksum(body) != diagram["checksum"]:
            raise PastpaperError("damaged", f"{path} does not match its checksum. Open the bank again.")
        return body

    def media(self, question):
        """What shows a question: its passage, if it has one, and data URLs of all diagrams by their files."""
        import base64

        paper = self._paper(_path(self.place(question)))
        passages = [one for one in paper.get("passages", []) if one["id"] == question.get("passage")]
        urls = {}
        for owner in [question, *passages]:
            for one in _diagrams_of(owner):
                data = base64.b64encode(self.diagram(question, one["file"])).decode()
                urls[one["file"]] = f"data:{one['mediaType']};base64,{data}"
        return {"passage": passages[0] if passages else None, "diagram": urls}

    def page(self, questions):
        """An HTML page that shows questions, to answer in a browser: write it to a file, and open that."""
        if not isinstance(self._source, _Service):
            raise PastpaperError("input", "A page needs /docs/render.mjs of a service: open its address.")
        shown = [{**self.media(one), "question": one} for one in questions]
        text = json.dumps(shown, ensure_ascii=False).replace("<", "\\u003c")
        return f"""<!doctype html>
<meta charset="utf-8">
<title>Questions</title>
<body>
<script type="module">
import '{self._source.base}/docs/render.mjs';
for (const one of {text})
  document.body.append(Object.assign(document.createElement('pastpaper-question'), one));
</script>
"""

    def sync(self, folder, *, exam, years=None):
        """Mirrors an exam, or some of its years. One request brings most of a year, later syncs request only
        shifts that changed. If it is interrupted, the next sync continues. Returns counts.
        """
        if not isinstance(self._source, _Service):
            raise PastpaperError("input", "Only the bank of a service can be mirrored.")
        try:
            return _Sync(self._source, os.fspath(folder), exam, years).run()
        except OSError as error:
            raise PastpaperError(
                "file-system", f"The file system rejected a file: {error}. Completed files are kept."
            ) from None

    def changes(self, since=None):
        """The releases since one of them, its id or a date (ISO 8601), newest first, with the questions that changed."""
        feed = self._source.get("changes.json", _json)
        if feed is None:
            raise PastpaperError("not-found", "There is no list of changes here: only services have one.")
        items = [
            {
                "id": one["id"],
                "date": one.get("date_published", ""),
                "papers": one.get("_pastpaper", {}).get("papers", []),
            }
            for one in feed["items"]
        ]
        if since is None:
            return items
        if re.match(r"\d{4}-\d\d-\d\d", since):
            return [one for one in items if one["date"] > since]
        for index, one in enumerate(items):
            if one["id"] == since:
                return items[:index]
        raise PastpaperError(
            "not-found",
            f'The service does not list the release "{since}" (any more). Run sync, which compares everything.',
        )

    def _year(self, exam, year):
        path = f"{exam}/{year:04}"
        _require(r"[a-z][a-z0-9]*/\d{4}", path, "an exam and a year, such as neet/2024")
        found = self._once(
            path, lambda: self._source.get(path, lambda body: _year(body, exam, year))
        )
        if found is None:
            years = ", ".join(map(str, self.years(exam)))
            raise PastpaperError("not-found", f"{path} does not exist (404). The years of {exam}: {years}.")
        return found

    def _resolve(self, exam, year, name):
        names = [one["shift"] for one in self.shifts(exam, year)]
        ordinal = re.fullmatch(r"s([1-9]\d*)", name)
        if name in names:
            return name
        if ordinal and int(ordinal[1]) <= len(names):
            return names[int(ordinal[1]) - 1]
        for one in names:
            if name and (one.startswith(name) or re.match(r"\d\d-\d\d", name) and one[5:].startswith(name)):
                return one
        raise PastpaperError(
            "not-found", f'{exam}/{year} has no shift "{name}". Its shifts: {", ".join(names)}.'
        )

    def _index(self, exam, year):
        path = f"{exam}/{year:04}/questions.json"

        def load():
            index = self._source.get(path, lambda body: _json(body, exam=exam, year=year))
            if index is not None:
                return [{**one, "exam": exam, "year": year} for one in index["questions"]]
            place = {"exam": exam, "year": year}
            shifts = self.shifts(exam, year)
            if isinstance(self._source, _Service):
                raise PastpaperError("not-found", f"{path} does not exist (404). Check the address.")
            return [
                {**one, **place, "shift": shift["shift"], "subject": subject}
                for shift in shifts
                for subject in shift["subjects"]
                for paper in [f"{exam}/{year:04}/{shift['shift']}/{subject}.json"]
                if paper in self._source.paths  # A pack may have one shift of a year.
                for one in self._paper(paper)["questions"]
            ]

        return self._once(path, load)

    def _prepare(self, entries):
        papers = {_path(one) for one in entries} - set(self._kept)
        years = ["/".join(path.split("/")[:2]) for path in papers]
        for year in set(years):
            if years.count(year) > MOST_PAPERS:
                pack = f"{year}/all.zip"
                self._once(pack, lambda: self._source.get(pack, _unpack))

    def _question(self, entry):
        for question in self._paper(_path(entry))["questions"]:
            if question["id"] == entry["id"]:
                return question
        raise PastpaperError(
            "damaged", f"The service has a new release without \"{entry['id']}\". Open the bank again."
        )

    def _paper(self, path):
        def load():
            paper = self._file(path, lambda body: _paper(body, path))
            if paper is None:
                raise PastpaperError("not-found", f"{path} does not exist (404). See bank.papers().")
            if "language" not in paper:
                place = {field: paper[field] for field in ("exam", "year", "shift", "subject")}
                self._places.update((one["id"], place) for one in paper["questions"])
            return paper

        return self._once(path, load)

    def _file(self, path, read):
        pack = self._kept.get("/".join(path.split("/")[:2]) + "/all.zip") or {}
        if path in pack:
            return read(pack[path])
        return self._source.get(path, read)

    def _once(self, name, work):
        if name not in self._kept:
            self._kept[name] = work()
        return self._kept[name]


def _path(place):
    return f"{place['exam']}/{place['year']:04}/{place['shift']}/{place['subject']}.json"


def _require(pattern, text, what):
    if not re.fullmatch(pattern, text):
        raise PastpaperError("input", f'"{text}" is not {what}.')


def _read(file):
    try:
        with open(file, "rb") as opened:
            return opened.read()
    except (FileNotFoundError, NotADirectoryError):
        return None


# The mirror


class _Sync:
    """Files appear when they are complete. A manifest lists what syncs wrote: they replace and remove nothing else."""

    def __init__(self, service, folder, exam, years):
        _require(r"[a-z][a-z0-9]*", exam, "an exam, such as neet")
        self.service = service
        self.folder = folder
        self.exam = exam
        self.years = years
        self.written = {"papers": 0, "diagrams": 0, "bytes": 0}
        self.failures = 0
        self.manifest = self._at(".pull-manifest.jsonl")
        self.pack = self._at(".pull-pack.zip")
        os.makedirs(folder, exist_ok=True)
        text = self._manifest_text()
        self.listed = _files_in(text)
        if text and not text.endswith("\n"):
            self._append("\n")

    def run(self):
        for _ in range(ATTEMPTS):
            years = self._metadata()
            paths, outdated, problem = set(), [], None
            for path, _, year in years:
                for shift in year["shifts"]:
                    files, problem_here = self._check(path, shift, lambda one: _read(self._at(one)))
                    if problem_here is None:
                        paths.update(files)
                    else:
                        outdated.append((path, shift))
                        problem = problem or problem_here
            if not outdated:
                return self._finish(years, paths)
            problem = self._download(years, outdated) or problem
        raise PastpaperError(
            "incomplete", f"{problem} The mirror is not complete yet; complete files are kept. Run sync again."
        )

    def _at(self, path):
        return os.path.join(self.folder, *path.split("/"))

    def _metadata(self):
        exam = self.exam

        def all_years():
            found = self.service.get(exam, lambda body: _json(body, exam=exam))
            if found is None:
                raise PastpaperError("not-found", f"The service has no {exam} (404). Check the exam code.")
            return found["years"]

        years = []
        for year in all_years() if self.years is None else self.years:
            path = f"{exam}/{year:04}"
            found = self.service.get(path, lambda body: (body, _year(body, exam, year)))
            if found is None:
                names = ", ".join(map(str, all_years()))
                raise PastpaperError("not-found", f"{exam} has no year {year}. Its years: {names}.")
            years.append((path, *found))
        return years

    def _check(self, year, shift, read):
        """The paths of the files of a shift, and what is wrong with them: None if nothing is."""
        folder = f"{year}/{shift['shift']}"
        paths = _papers_of(year, shift)
        sums, diagrams = {}, {}
        for path in paths:
            body = read(path)
            if body is None:
                return paths, f"{path} is missing."
            try:
                paper = _paper(body, path)
            except _Retry as problem:
                return paths, f"{path}: {problem}."
            sums[path] = paper["metadata"]["checksum"]
            for file, one in _diagrams_in(paper).items():
                diagrams[f"{folder}/diagrams/{file}"] = one["checksum"]
        own = {subject: sums[f"{folder}/{subject}.json"] for subject in shift["subjects"]}
        is_same = _checksum(own) == shift["checksum"] and all(
            sums[f"{folder}/{one['subject']}.{one['language']}.json"] == one["checksum"]
            for one in shift.get("translations", [])
        )
        if not is_same:
            return paths, f"{folder}: its papers do not match the checksum of the shift."
        for path, checksum in diagrams.items():
            body = read(path) if FILE.fullmatch(path) else None
            if body is None or _checksum(body) != checksum:
                return paths, f"{path} is missing, or does not match its checksum."
        return [*paths, *diagrams], None

    def _download(self, years, outdated):
        """Raises why the first pack cannot be had, after the others. Returns one that the service does not have:
        a new release may not have the shift.
        """
        mismatch, failure = None, None
        stored = _read(self.pack)
        if stored is not None:
            outdated = self._unpack(stored, outdated)
        for path, _, year in years:
            missing = [one for one in outdated if one[0] == path]
            is_most = len(missing) > 1 and len(missing) * 2 > len(year["shifts"])
            if is_most and self._take(f"{path}/all.zip", missing) is None:
                continue
            for one in missing:
                problem = self._take(f"{path}/{one[1]['shift']}.zip", [one])
                if problem and problem.code == "not-found":
                    mismatch = mismatch or problem
                else:
                    failure = failure or problem
        if failure:
            raise failure
        return mismatch

    def _take(self, path, shifts):
        """Requests a pack, and writes shifts of it. Returns why it cannot be had, if others may be."""
        try:
            body = self.service.get(path, lambda body: (_unpack(body), body)[1])
        except PastpaperError as error:
            self.failures += 1
            if error.code != "unavailable" or self.failures == FAILURES:
                raise
            return error
        self.failures = 0
        if body is None:
            return PastpaperError("not-found", f"{path}: the service lists it, but does not have it (404).")
        self._write_file(self.pack, body)
        self._unpack(body, shifts)
        return None

    def _unpack(self, body, shifts):
        """Writes the shifts of a pack that are as the metadata says. Returns the others."""
        others = []
        try:
            files = _unpack(body)
        except _Retry:
            files = {}
        for year, shift in shifts:
            paths, problem = self._check(year, shift, files.get)
            if problem:
                others.append((year, shift))
            else:
                for path in paths:
                    self._write(path, files[path])
        _remove(self.pack)
        return others

    def _write(self, path, body):
        if _read(self._at(path)) == body:
            return self._list([path])
        if path not in self.listed and os.path.lexists(self._at(path)):
            # Another sync may have written it just now.
            self.listed |= _files_in(self._manifest_text())
        if path not in self.listed and os.path.lexists(self._at(path)):
            raise PastpaperError(
                "file-system",
                f"{self._at(path)} already exists and was not written by a sync. Move it, or choose another folder.",
            )
        self._list([path])
        self._write_file(self._at(path), body)
        if not path.endswith("/index.json"):
            self.written["papers" if path.endswith(".json") else "diagrams"] += 1
            self.written["bytes"] += len(body)
        return None

    def _write_file(self, file, body):
        draft = self._at(f".draft-{os.getpid()}-{random.getrandbits(64):x}")
        os.makedirs(os.path.dirname(file), exist_ok=True)
        try:
            with open(draft, "wb") as opened:
                opened.write(body)
                opened.flush()
                os.fsync(opened.fileno())
            os.replace(draft, file)
        finally:
            if os.path.exists(draft):
                os.remove(draft)

    def _manifest_text(self):
        return (_read(self.manifest) or b"").decode(errors="replace")

    def _list(self, paths):
        added = [path for path in paths if path not in self.listed]
        self.listed.update(added)
        self._append(_lines(added))

    def _append(self, text):
        with open(self.manifest, "a", encoding="utf-8") as opened:
            opened.write(text)

    def _finish(self, years, paths):
        self._list(paths)
        papers = sum(path.endswith(".json") for path in paths)
        for path, body, _ in years:
            self._write(f"{path}/index.json", body)
        wanted = {*paths, *(f"{path}/index.json" for path, _, _ in years)}
        scopes = [f"{self.exam}/"] if self.years is None else [f"{path}/" for path, _, _ in years]
        unwanted = {one for one in self.listed - wanted if one.startswith(tuple(scopes))}
        for one in unwanted:
            _remove(self._at(one))
        if unwanted:
            # Another sync may have added lines.
            kept = (self.listed | _files_in(self._manifest_text())) - unwanted
            self._write_file(self.manifest, _lines(sorted(kept)).encode())
        return {
            "shifts": sum(len(year["shifts"]) for _, _, year in years),
            "papers": papers,
            "diagrams": len(paths) - papers,
            "removed": sum(not one.endswith("/index.json") for one in unwanted),
            "downloaded": self.written,
        }


def _files_in(manifest):
    named = re.findall(r'^\{"file":"([^"]+)"\}$', manifest, re.MULTILINE)
    return {path for path in named if FILE.fullmatch(path)}


def _remove(file):
    try:
        os.remove(file)
    except (FileNotFoundError, NotADirectoryError):
        pass


def _lines(paths):
    return "".join(json.dumps({"file": one}, separators=(",", ":")) + "\n" for one in paths)


if __name__ == "__main__":
    sys.exit("Import this file: from pastpaper import Bank")
