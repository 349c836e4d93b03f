from __future__ import annotations

import http.client
import json
import logging
import signal
import threading
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Callable, Dict, Iterable, List, Optional, Union

from .attempt_log import AttemptLog
from .context import Context
from .errors import MachineFault, ServiceError, TerminalError
from .protocol import Protocol
from .tasks import Task

MOST_CLAIMS = 100
MOST_REPORTS = 100
POLL_SECONDS = 20
LONGEST_PAUSE_SECONDS = 10
#: An attempt that takes longer than that hears of its cancellation within this time.
BEAT_WAIT_SECONDS = 1
_unreachable = (OSError, http.client.HTTPException)
_log = logging.getLogger("millrace_worker")


class _Running:
    def __init__(self, claim: Dict[str, Any], context: Context, log: AttemptLog) -> None:
        self.claim, self.context, self.log = claim, context, log

    @property
    def name(self) -> Dict[str, Any]:
        return {"id": self.claim["id"], "attempt": self.claim["attempt"]}


class Worker:
    """Claims attempts of its tasks while it has free slots, runs each in a thread, and reports their ends.

    Ends that come while a report is under way are reported together with the next one, which also claims what fills the slots that
    they leave, so that a chain of tasks costs one request for each. A claim that waits fills the others. A slot is free, runs an
    attempt, or is set aside for a request under way: so two requests never fill the same one.
    """

    def __init__(
        self,
        *,
        url: str,
        team: str,
        token: str,
        tasks: Iterable[Union[Task, Callable[..., Any]]],
        concurrency: int = 10,
        name: Optional[str] = None,
        lease_seconds: int = 30,
        grace_seconds: float = 30,
    ) -> None:
        made = [one if isinstance(one, Task) else Task(one) for one in tasks]
        self._tasks = {one.name: one for one in made}
        self._concurrency, self._name = concurrency, name
        self._lease_seconds, self._grace_seconds = lease_seconds, grace_seconds
        self._protocol, self._claims = Protocol(url, team, token), Protocol(url, team, token)
        self._changed = threading.Condition()
        self._id: Optional[str] = None
        self._running: Dict[str, _Running] = {}
        self._ended: List[Dict[str, Any]] = []
        self._reporting: List[Dict[str, Any]] = []
        self._reserved = 0
        self._is_stopping = False
        self._is_over = False
        self._failure: Optional[BaseException] = None
        self._pool = ThreadPoolExecutor(max_workers=concurrency, thread_name_prefix="millrace-task")

    def run(self) -> None:
        """Works until `stop` is called, or SIGTERM or SIGINT comes. Raises ServiceError that no further try would fix."""
        previous = self._catch_signals()
        threads = [threading.Thread(target=one, daemon=True) for one in (self._keep_claiming, self._keep_reporting, self._keep_beating)]
        for thread in threads:
            thread.start()
        try:
            while not self._is_stopping:
                with self._changed:
                    self._changed.wait(0.2)
            self._drain()
        finally:
            self._is_over = True
            self._leave()
            self._pool.shutdown(wait=False)
            for signum, handler in previous.items():
                signal.signal(signum, handler)
        if self._failure is not None:
            raise self._failure

    def stop(self) -> None:
        """Claims nothing more; `run` returns when what runs has ended, or the grace period has."""
        self._is_stopping = True

    def _catch_signals(self) -> Dict[int, Any]:
        if threading.current_thread() is not threading.main_thread():
            return {}
        return {signum: signal.signal(signum, lambda *_: self.stop()) for signum in (signal.SIGTERM, signal.SIGINT)}

    @property
    def _free(self) -> int:
        return self._concurrency - len(self._running) - len(self._ended) - self._reserved

    def _keep_claiming(self) -> None:
        failures = 0
        while not self._is_stopping:
            with self._changed:
                self._changed.wait_for(lambda: self._free > 0 or self._is_stopping, 1)
                wanted = min(self._free, MOST_CLAIMS)
                if wanted <= 0 or self._is_stopping:
                    continue
                self._reserved += wanted
            try:
                claims = self._claim(wanted)
                failures = 0
            except (ServiceError, *_unreachable) as error:
                claims = []
                failures += 1
                if not self._is_stopping:
                    self._get_over(error, failures)
            with self._changed:
                self._reserved -= wanted
                for claim in claims:
                    self._start(claim)
                self._changed.notify_all()

    def _claim(self, wanted: int) -> List[Dict[str, Any]]:
        known = self._id
        who = {"name": self._name, "leaseSeconds": self._lease_seconds} if known is None else {"worker": known}
        # The first claim does not wait: whatever comes after it needs the id.
        wait = 0 if known is None else POLL_SECONDS
        answer = self._claims.post("claim", {**who, "tasks": list(self._tasks), "max": wanted, "wait": wait})
        if known is None:
            for warning in answer.get("warnings", []):
                _log.warning("%s", warning)
        self._id = answer["worker"]
        return answer["attempts"]

    def _get_over(self, error: BaseException, failures: int) -> None:
        if isinstance(error, ServiceError) and error.status == 404 and self._id is not None:
            return self._forget()
        if isinstance(error, ServiceError) and not error.is_temporary:
            self._failure = error
            self._is_stopping = True
            return
        pause = min(getattr(error, "retry_after", None) or 0.1 * 2**failures, LONGEST_PAUSE_SECONDS)
        _log.warning("the service could not be asked for tasks (%s); trying again in %.1f s", error, pause)
        self._pause(pause)

    def _pause(self, seconds: float) -> None:
        end = time.monotonic() + seconds
        while time.monotonic() < end and not self._is_over:
            time.sleep(min(0.1, seconds))

    def _forget(self) -> None:
        """Our lease was over for so long that we are forgotten, and with us all that we held."""
        with self._changed:
            self._id = None
            for running in self._running.values():
                running.context.cancelled.set()

    def _start(self, claim: Dict[str, Any]) -> None:
        log = AttemptLog(self._protocol, claim, lambda: self._id)
        running = _Running(claim, Context(claim, log), log)
        self._running[claim["id"]] = running
        self._pool.submit(self._run_one, running)

    def _run_one(self, running: _Running) -> None:
        end = self._call(running)
        lines = running.log.close()
        outcome = {**running.name, **end, **({"lines": lines} if lines else {})}
        with self._changed:
            # Given back, it may have come again as a new attempt.
            if self._running.get(running.claim["id"]) is running:
                del self._running[running.claim["id"]]
            self._ended.append(outcome)
            self._changed.notify_all()

    def _call(self, running: _Running) -> Dict[str, Any]:
        try:
            results = self._tasks[running.claim["task"]].run(running.claim["params"], running.context)
            try:
                json.dumps(results, allow_nan=False)
            except (TypeError, ValueError) as error:
                raise TerminalError(f"what the task returned can't be written as JSON: {error}") from error
            return {"status": "succeeded", "results": results}
        except MachineFault as error:
            return {"status": "released", "fault": True, "message": _words(error)}
        except TerminalError as error:
            return {"status": "failed", "retry": False, "message": _words(error)}
        except Exception as error:  # noqa: BLE001: whatever a task raises is its failure
            running.log.add(traceback.format_exc())
            return {"status": "failed", "message": _words(error)}

    def _keep_reporting(self) -> None:
        failures = 0
        while not self._is_over:
            with self._changed:
                self._changed.wait_for(lambda: self._ended or self._is_over, 1)
                batch = self._reporting = self._take_batch()
                self._reserved += len(batch)
            if not batch:
                continue
            claims: List[Dict[str, Any]] = []
            try:
                claims = self._complete(batch)
                failures = 0
            except (ServiceError, *_unreachable) as error:
                failures += 1
                if isinstance(error, ServiceError) and not error.is_temporary:
                    self._give_up(batch, error)
                else:
                    with self._changed:
                        self._ended[:0] = batch
                    _log.warning("the ends of %d attempts could not be reported (%s); trying again", len(batch), error)
                    self._pause(min(0.1 * 2**failures, LONGEST_PAUSE_SECONDS))
            with self._changed:
                self._reserved -= len(batch)
                self._reporting = []
                for claim in claims:
                    self._start(claim)
                self._changed.notify_all()

    def _take_batch(self) -> List[Dict[str, Any]]:
        """As many as fit into one request."""
        characters = count = 0
        for outcome in self._ended[:MOST_REPORTS]:
            characters += len(json.dumps(outcome))
            if count > 0 and characters > 2_000_000:
                break
            count += 1
        batch = self._ended[:count]
        del self._ended[:count]
        return batch

    def _complete(self, batch: List[Dict[str, Any]]) -> List[Dict[str, Any]]:
        claim = None if self._is_stopping else {"tasks": list(self._tasks), "max": len(batch)}
        answer = self._protocol.post("complete", {"worker": self._id or _nobody, "attempts": batch, "claim": claim})
        for end in answer["completed"]:
            # Of what was cancelled or timed out the task has heard.
            if not end["recorded"] and end.get("status") in (None, "lost"):
                _log.warning("attempt %s of task run %s went to another worker before it ended here", end["attempt"], end["id"])
        return answer["claimed"]

    def _give_up(self, batch: List[Dict[str, Any]], error: ServiceError) -> None:
        """What the service does not take, such as results that are too large, is a failure of its attempt."""
        for outcome in batch:
            name = {"id": outcome["id"], "attempt": outcome["attempt"]}
            tries = [outcome] if len(batch) > 1 else []
            for end in [*tries, {**name, "status": "failed", "retry": False, "message": str(error)[:2000]}]:
                try:
                    self._protocol.post("complete", {"worker": self._id or _nobody, "attempts": [end]})
                    break
                except (ServiceError, *_unreachable) as again:
                    _log.warning("the end of attempt %s of task run %s was refused: %s", end["attempt"], end["id"], again)

    def _keep_beating(self) -> None:
        beat_at = 0.0
        while not self._is_over:
            with self._changed:
                # The service would take ends that it has not heard of for claims that never arrived.
                unreported = [{"id": end["id"], "attempt": end["attempt"]} for end in [*self._reporting, *self._ended]]
                held = [*unreported, *(running.name for running in self._running.values())][:1000]
                logs = [running.log for running in self._running.values()]
            is_due = time.monotonic() - beat_at > self._lease_seconds / 3
            if self._id is None or (not held and not is_due):
                self._pause(0.2)
                continue
            try:
                answer = self._protocol.post("heartbeat", {"worker": self._id, "attempts": held, "wait": BEAT_WAIT_SECONDS if held else 0})
                beat_at = time.monotonic()
                self._cancel(answer["ended"])
                # Those that take their time to stop are named again, and answered at once.
                if answer["ended"]:
                    self._pause(0.2)
            except ServiceError as error:
                if error.status == 404:
                    self._forget()
                self._pause(1)
            except _unreachable:
                self._pause(1)
            for log in logs:
                log.flush()

    def _cancel(self, ended: List[Dict[str, Any]]) -> None:
        for end in ended:
            running = self._running.get(end["id"])
            if running is not None and running.claim["attempt"] == end["attempt"]:
                running.context.cancelled.set()

    def _drain(self) -> None:
        """Lets what runs end within the grace period; the rest is given back."""
        self._claims.abort()
        with self._changed:
            self._changed.wait_for(lambda: not self._running and not self._ended and self._reserved == 0, self._grace_seconds)
            for running in self._running.values():
                running.context.cancelled.set()

    def _leave(self) -> None:
        known, self._id = self._id, None
        if known is None:
            return
        try:
            self._protocol.post("leave", {"worker": known})
        except (ServiceError, *_unreachable) as error:
            _log.warning("the worker could not say that it ends (%s); its lease will expire", error)


#: Of a worker that was forgotten: what it reports is refused for each attempt.
_nobody = "00000000-0000-0000-0000-000000000000"


def _words(error: BaseException) -> str:
    return (str(error) or type(error).__name__)[:2000]
