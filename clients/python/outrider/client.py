"""What sends the operations of ``operations.py``: retries that repeat nothing, pages, refusals."""

from __future__ import annotations

import json
import re
import secrets
import time
import urllib.request
from collections.abc import Iterator, Mapping
from email.utils import parsedate_to_datetime
from http.client import HTTPException, HTTPMessage, HTTPResponse
from typing import IO, Any
from urllib.error import HTTPError
from urllib.parse import quote, urlencode

from .operations import Operations, Upload, __version__

DEFAULT_URL = "http://127.0.0.1:8480"
TIMEOUT_SECONDS = 60.0
TRIES_MAX = 4
PAUSE_SECONDS = 0.5
PAUSE_SECONDS_MAX = 30.0
BUSY = (429, 503)


class OutriderError(Exception):
    """What the server refused, in its own words."""

    type: str
    """A stable name, such as ``validation_error``; ``unknown`` where a proxy has answered."""
    message: str
    """For people; may change."""
    field: str | None
    """Dotted path into the body or the query, such as ``send_window.timezone``."""
    status: int
    request_id: str | None
    """To find the request in the server's log."""

    def __init__(self, body: Any, status: int, request_id: str | None) -> None:
        known: dict[str, Any] = body if isinstance(body, dict) else {}
        self.type = known.get("type", "unknown")
        self.message = known.get("message", f"The server responded with status {status}.")
        self.field = known.get("field")
        self.status = status
        self.request_id = request_id
        super().__init__(self.message if self.field is None else f"{self.field}: {self.message}")


class OutriderUnreachable(Exception):
    """No response at all: the server is away, or the network, or it took too long. See ``__cause__``."""


class _Record(dict[str, Any]):
    """A record with the version that it was read in."""

    etag: str | None = None


def etag_of(record: Mapping[str, Any]) -> str | None:
    """The version of a record as an operation returned it, for ``if_match``; None where it has none."""
    return record.etag if isinstance(record, _Record) else None


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    """The API redirects nobody, and a key must not follow to another server."""

    def redirect_request(
        self,
        req: urllib.request.Request,
        fp: IO[bytes],
        code: int,
        msg: str,
        headers: HTTPMessage,
        newurl: str,
    ) -> None:
        return None


class Outrider(Operations):
    """One server with one key. Threads may share it."""

    def __init__(
        self,
        key: str | None = None,
        url: str = DEFAULT_URL,
        *,
        tries: int = TRIES_MAX,
        timeout: float = TIMEOUT_SECONDS,
        opener: urllib.request.OpenerDirector | None = None,
    ) -> None:
        """
        :param key: ``outrider_live_…`` or ``outrider_test_…``.
        :param url: The server, without ``/api/v1``.
        :param tries: How often a request is tried in all, where trying again may help.
        :param timeout: Seconds without anything from the server before it counts as away.
        :param opener: Instead of urllib's own, for a proxy or certificates.
        """
        self._key = key
        self._base = url.rstrip("/") + "/api/v1"
        self._tries = tries
        self._timeout = timeout
        self._opener = opener or urllib.request.build_opener(_NoRedirects)

    def _call(
        self,
        method: str,
        path: str,
        *,
        parts: tuple[str, ...] = (),
        query: Mapping[str, object] | None = None,
        body: object = None,
        upload: tuple[Upload, str] | None = None,
        idempotency_key: str | None = None,
        if_match: str | None = None,
        file: bool = False,
    ) -> Any:
        data: bytes | IO[bytes] | None = None
        headers = {"User-Agent": f"outrider-python/{__version__}"}
        if self._key is not None:
            headers["Authorization"] = f"Bearer {self._key}"
        if upload is not None:
            content, headers["Content-Type"] = upload
            data = content.encode() if isinstance(content, str) else content
        elif body is not None or method == "PATCH":
            data = json.dumps({} if body is None else body).encode()
            headers["Content-Type"] = "application/json"
        if method == "POST" and (idempotency_key is not None or self._tries > 1):
            headers["Idempotency-Key"] = idempotency_key or secrets.token_hex(16)
        if if_match is not None:
            headers["If-Match"] = if_match
        request = urllib.request.Request(
            self._base + _filled(path, parts) + _query(query or {}),
            data=data,
            headers=headers,
            method=method,
        )
        return self._try(request, data, file)

    def _try(self, request: urllib.request.Request, data: bytes | IO[bytes] | None, file: bool) -> Any:
        """
        The first response that trying again would not better. What was refused with 429 or 503 was not
        done; a connection that broke may have done it, so only what can be repeated is sent again: a
        POST has a key.
        """
        stream = None if data is None or isinstance(data, bytes) else data
        start = stream.tell() if stream is not None and stream.seekable() else 0
        tries = 1 if stream is not None and not stream.seekable() else self._tries
        tried = 0
        while True:
            tried += 1
            pause = PAUSE_SECONDS * 2 ** (tried - 1)
            try:
                return _answer(self._opener.open(request, timeout=self._timeout), file)
            except HTTPError as refused:
                with refused:
                    error = _refusal(refused)
                if tried >= tries or refused.code not in BUSY:
                    raise error from None
                pause = max(pause, _retry_after(refused.headers.get("Retry-After")))
            except (OSError, HTTPException) as broken:
                if tried >= tries or request.get_method() in ("DELETE", "PUT"):
                    raise OutriderUnreachable("The server is not responding.") from broken
            time.sleep(min(pause, PAUSE_SECONDS_MAX))
            if stream is not None:
                stream.seek(start)

    def _pages(self, path: str, parts: tuple[str, ...], query: Mapping[str, object]) -> Iterator[Any]:
        """
        Every record of a list, page after page: by cursor where there is one, or else by how many have
        come. A list that does not say whether there is more has more while its pages are full.
        """
        at: dict[str, object] = {}
        seen = 0
        while True:
            page = self._call("GET", path, parts=parts, query={**query, **at})
            known: dict[str, Any] = page if isinstance(page, dict) else {"data": page}
            data = known["data"]
            yield from data
            seen += len(data)
            has_more = known.get("hasMore", 0 < len(data) == query.get("limit"))
            if not has_more or known.get("next_cursor", "") is None:
                return
            after = known.get("next_cursor")
            at = {"offset": seen} if after is None else {"after": after}


def _filled(path: str, parts: tuple[str, ...]) -> str:
    """An empty part would ask for something else."""
    left = list(parts)

    def fill(name: re.Match[str]) -> str:
        part = left.pop(0)
        if part == "":
            raise ValueError(f"{name[1]} is required")
        return quote(part, safe="")

    return re.sub(r"\{(\w+)\}", fill, path)


def _query(query: Mapping[str, object]) -> str:
    given = {
        name: str(value).lower() if isinstance(value, bool) else value
        for name, value in query.items()
        if value is not None
    }
    return f"?{urlencode(given)}" if given else ""


def _answer(response: HTTPResponse, file: bool) -> Any:
    if file:
        return response
    with response:
        text = response.read()
        if not text:
            return None
        value = _json(text)
        if value is None:
            raise OutriderError(None, response.status, response.headers.get("X-Request-Id"))
        if not isinstance(value, dict):
            return value
        record = _Record(value)
        record.etag = response.headers.get("ETag")
        return record


def _refusal(refused: HTTPError) -> OutriderError:
    try:
        body = _json(refused.read())
    except (OSError, HTTPException):
        body = None
    return OutriderError(body, refused.code, refused.headers.get("X-Request-Id"))


def _json(text: bytes) -> Any:
    """None for what is no JSON: a page of a proxy."""
    try:
        return json.loads(text)
    except ValueError:
        return None


def _retry_after(header: str | None) -> float:
    """Seconds or a date; 0 for neither."""
    if header is None:
        return 0.0
    if header.isdecimal():
        return float(header)
    try:
        return max(parsedate_to_datetime(header).timestamp() - time.time(), 0.0)
    except ValueError:
        return 0.0
