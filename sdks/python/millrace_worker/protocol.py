from __future__ import annotations

import http.client
import json
import socket
import ssl
import threading
from typing import Any, Dict, Optional
from urllib.parse import quote, urlsplit

from .errors import ServiceError

#: Longer than any request waits.
TIMEOUT_SECONDS = 60


class Protocol:
    """The requests of the service that a worker makes: docs/external-workers.md describes them for any language.

    Each thread keeps a connection of its own.
    """

    def __init__(self, url: str, team: str, token: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise ValueError(f"url is {url!r}; it must be like https://millrace.example.com")
        self._is_secure = parts.scheme == "https"
        self._host, self._port = parts.hostname, parts.port
        self._base = f"{parts.path.rstrip('/')}/api/v2/team/{quote(team, safe='')}/external"
        self._headers = {"authorization": f"Bearer {token}", "content-type": "application/json"}
        self._local = threading.local()
        self._is_aborted = False
        self._last: Optional[http.client.HTTPConnection] = None

    def post(self, what: str, body: Dict[str, Any]) -> Any:
        """Raises ServiceError for an answer that is no success, and OSError or HTTPException where there is none."""
        payload = json.dumps({name: value for name, value in body.items() if value is not None}).encode()
        kept = getattr(self._local, "connection", None)
        try:
            status, headers, text = self._send(kept or self._connect(), what, payload)
        except (OSError, http.client.HTTPException):
            self.close()
            if kept is None or self._is_aborted:
                raise
            # A connection that was kept may have been closed meanwhile.
            status, headers, text = self._send(self._connect(), what, payload)
        if 200 <= status < 300:
            return json.loads(text) if text else None
        raise ServiceError(status, _message(text), _number(headers.get("retry-after")))

    def _send(self, connection: http.client.HTTPConnection, what: str, payload: bytes) -> Any:
        connection.request("POST", f"{self._base}/{what}", payload, self._headers)
        response = connection.getresponse()
        text = response.read().decode()
        if response.will_close:
            self.close()
        return response.status, response.headers, text

    def _connect(self) -> http.client.HTTPConnection:
        if self._is_secure:
            connection: http.client.HTTPConnection = http.client.HTTPSConnection(
                self._host, self._port, timeout=TIMEOUT_SECONDS, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(self._host, self._port, timeout=TIMEOUT_SECONDS)
        self._local.connection = self._last = connection
        return connection

    def abort(self) -> None:
        """Ends the request of another thread, the only one that uses this object."""
        self._is_aborted = True
        sock = self._last.sock if self._last is not None else None
        try:
            if sock is not None:
                sock.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def close(self) -> None:
        """The connection of this thread."""
        connection = getattr(self._local, "connection", None)
        self._local.connection = None
        if connection is not None:
            connection.close()


def _message(text: str) -> str:
    try:
        return str(json.loads(text)["message"])
    except (ValueError, KeyError, TypeError):
        return text[:500]


def _number(text: Optional[str]) -> Optional[float]:
    try:
        return float(text) if text is not None else None
    except ValueError:
        return None
