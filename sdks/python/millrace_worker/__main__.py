"""`python -m millrace_worker definition MODULE [TASK]`: prints the documents of the tasks of a module."""

import importlib
import json
import os
import sys

from .definition import definition_of
from .tasks import Task


def main() -> int:
    if len(sys.argv) not in (3, 4) or sys.argv[1] != "definition":
        print("usage: python -m millrace_worker definition MODULE [TASK]", file=sys.stderr)
        return 2
    sys.path.insert(0, os.getcwd())
    module = importlib.import_module(sys.argv[2][:-3] if sys.argv[2].endswith(".py") else sys.argv[2])
    found = [one for one in vars(module).values() if isinstance(one, Task)]
    chosen = [one for one in found if len(sys.argv) == 3 or one.name == sys.argv[3]]
    if not chosen:
        print(f"{sys.argv[2]} has no task{' ' + sys.argv[3] if len(sys.argv) == 4 else ''}", file=sys.stderr)
        return 1
    print("\n---\n".join(json.dumps(definition_of(one), indent=2) for one in chosen))
    return 0


if __name__ == "__main__":
    sys.exit(main())
