from __future__ import annotations

from typing import Optional


class TerminalError(Exception):
    """The attempt fails, and no other follows whatever the retry policy says: it would fail in the same way."""


class MachineFault(Exception):
    """This machine can't run the attempt now. Another attempt follows without using up a retry, at most five in a row."""


class ServiceError(Exception):
    """An answer of the service that is no success."""

    def __init__(self, status: int, message: str, retry_after: Optional[float] = None) -> None:
        super().__init__(message)
        self.status = status
        self.retry_after = retry_after

    @property
    def is_temporary(self) -> bool:
        """The same request may succeed later."""
        return self.status >= 500 or self.status in (408, 429)
