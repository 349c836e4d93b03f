from __future__ import annotations

import http.client
import threading
import time
from typing import Any, Callable, Dict, List, Optional

from .errors import ServiceError
from .protocol import Protocol

MOST_LINES = 5_000
MOST_CHARACTERS = 1_000_000
LONGEST_LINE = 65_000
PAUSE_SECONDS = 0.3


class AttemptLog:
    """Lines of one attempt. They are sent by the thread that writes them, now and then and when there are many; the last ones go
    with the end of the attempt, so that an attempt that says little costs no request of its own.
    """

    def __init__(self, protocol: Protocol, claim: Dict[str, Any], worker: Callable[[], Optional[str]]) -> None:
        self._protocol, self._worker = protocol, worker
        self._attempt = {"id": claim["id"], "attempt": claim["attempt"]}
        self._lock = threading.Lock()
        self._lines: List[str] = []
        self._characters = 0
        self._sent_at = time.monotonic()

    def add(self, text: str) -> None:
        with self._lock:
            for line in (text[:-1] if text.endswith("\n") else text).split("\n"):
                for at in range(0, max(1, len(line)), LONGEST_LINE):
                    self._append(line[at : at + LONGEST_LINE])
            if time.monotonic() - self._sent_at > PAUSE_SECONDS:
                self._send()

    def _append(self, line: str) -> None:
        if len(self._lines) >= MOST_LINES or self._characters + len(line) > MOST_CHARACTERS:
            self._send()
        self._lines.append(line)
        self._characters += len(line)

    def flush(self) -> None:
        """What has waited for a while; called by the worker, for functions that say something and then work on."""
        with self._lock:
            if self._lines and time.monotonic() - self._sent_at > PAUSE_SECONDS:
                self._send()

    def close(self) -> List[str]:
        """What is left for the request that ends the attempt."""
        with self._lock:
            if self._characters > MOST_CHARACTERS / 10:
                self._send()
            lines, self._lines = self._lines, []
            return lines

    def _send(self) -> None:
        """A log that can't be sent must not end the attempt: it is tried for a while, and then left."""
        lines, self._lines, self._characters = self._lines, [], 0
        self._sent_at = time.monotonic()
        if not lines:
            return
        for tries in range(5):
            try:
                self._protocol.post("log", {"worker": self._worker(), "attempts": [{**self._attempt, "lines": lines}]})
                return
            except (OSError, http.client.HTTPException, ServiceError):
                time.sleep(0.2 * 2**tries)
