"""An external worker as a user writes it. Arguments: url, team, token, seconds of its lease. Says on its output what it does."""

import sys
import time
from typing import Optional

from millrace_worker import Context, Secret, TerminalError, Worker, task


def say(text: str) -> None:
    print(text, flush=True)


@task(results=["greeting"])
def greet(name: str, times: int = 1, loud: Optional[bool] = None) -> dict:
    greeting = " ".join([f"hello {name}"] * times)
    return {"greeting": greeting.upper() if loud else greeting}


@task
def login(password: Secret, context: Context) -> dict:
    context.log(f"signing in with {password}")
    return {"used": password}


@task
def flaky(context: Context) -> dict:
    if context.attempt == 1:
        raise RuntimeError("the gate is shut")
    return {"attempt": context.attempt}


@task
def hopeless() -> None:
    raise TerminalError("there is no gate")


@task
def wait(context: Context) -> None:
    say(f"waiting {context.attempt}")
    context.log("waiting")
    context.cancelled.wait()
    say("stopped")


@task
def brief(ms: str) -> dict:
    say("brief")
    time.sleep(int(ms) / 1000)
    return {"done": True}


if __name__ == "__main__":
    url, team, token, lease = sys.argv[1:5]
    worker = Worker(url=url, team=team, token=token, tasks=[greet, login, flaky, hopeless, wait, brief], lease_seconds=int(lease), grace_seconds=10)
    say("started")
    worker.run()
    say("ended")
