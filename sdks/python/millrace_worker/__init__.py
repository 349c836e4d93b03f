"""Run your own functions as tasks of Millrace workflows, in your own process.

    from millrace_worker import Secret, Worker, task

    @task
    def greet(name: str, times: int = 1) -> dict:
        return {"greeting": " ".join([f"hello {name}"] * times)}

    Worker(url="http://127.0.0.1:8080", team="my-team", token="...", tasks=[greet]).run()

A function is a task: its name is the task's, with hyphens for underscores, and its type hints are its parameters.
Only the standard library is needed.
"""

from .context import Context
from .definition import definition_of
from .errors import MachineFault, ServiceError, TerminalError
from .tasks import Secret, Task, task
from .worker import Worker

__all__ = ["Context", "MachineFault", "Secret", "ServiceError", "Task", "TerminalError", "Worker", "definition_of", "task"]
