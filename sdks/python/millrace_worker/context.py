from __future__ import annotations

import threading
from datetime import datetime
from typing import TYPE_CHECKING, Any, Dict, Optional

if TYPE_CHECKING:
    from .attempt_log import AttemptLog


class Context:
    """What a task function knows beside its parameters: name a parameter with this type, and it is passed."""

    def __init__(self, claim: Dict[str, Any], log: "AttemptLog") -> None:
        #: Name of the task.
        self.task: str = claim["task"]
        #: Of the task run in its workflow.
        self.name: str = claim["name"]
        #: ID of the task run.
        self.id: str = claim["id"]
        self.run_id: str = claim["runId"]
        #: From 1.
        self.attempt: int = claim["attempt"]
        #: Attempts right before this one that were lost with their worker: what they did may have been done.
        self.losses: int = claim["losses"]
        #: Parent for your own spans (W3C Trace Context), or None.
        self.traceparent: Optional[str] = claim.get("traceparent")
        #: When the attempt times out.
        self.deadline: Optional[datetime] = _time(claim["deadline"])
        #: Set when the attempt is to stop: its run was cancelled, it timed out, it went to another worker, or this one ends.
        self.cancelled = threading.Event()
        self._log = log

    def log(self, text: str) -> None:
        """Adds to the log of the task run. Waits while there is no room."""
        self._log.add(text)


def _time(text: Optional[str]) -> Optional[datetime]:
    return None if text is None else datetime.fromisoformat(text.replace("Z", "+00:00"))
