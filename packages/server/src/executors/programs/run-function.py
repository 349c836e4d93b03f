# Runs a task whose script is a function (steps/function-step.ts), in Python. The same as run-function.mjs beside it, which describes how
# jobs are received and reported:
#
#   python3 run-function.py FUNCTION [JOB]
import asyncio
import inspect
import json
import os
import re
import sys
import traceback
import types

JOB_PIPE = 9
NAME_OF_RESULT = re.compile(r"[A-Za-z0-9_][\w.-]{0,199}\Z", re.ASCII)


class Problem(Exception):
    """What is wrong with the script, rather than in it."""


def serve(script):
    os.set_inheritable(JOB_PIPE, False)
    main = None
    text = b""
    while True:
        piece = os.read(JOB_PIPE, 4096)
        if not piece:
            return 0
        text += piece
        line, found, _ = text.partition(b"\n")
        if not found:
            continue
        text = b""
        nonce, file = line.decode().split(" ")
        job = read_job(file)
        replace_variables(job["variables"])
        answer("\x1e%s begun\n" % nonce)
        code, main = run(script, job, main)
        if code != 0:
            return code
        answer("\x1e%s done\n" % nonce)


def read_job(file):
    with open(file, encoding="utf-8") as opened:
        return json.load(opened)


def replace_variables(variables):
    """What the script set itself does not stay."""
    for name in [name for name in os.environ if name not in variables]:
        del os.environ[name]
    os.environ.update(variables)


def answer(text):
    data = text.encode()
    while data:
        data = data[os.write(1, data) :]


def run(script, job, main):
    try:
        os.makedirs(job["folder"], exist_ok=True)
        os.chdir(job["folder"])
        main = main or load(script)
        returned = main(job["params"], job["context"])
        if inspect.isawaitable(returned):
            returned = asyncio.run(awaited(returned))
        for name, text in texts_of(returned):
            with open(os.path.join(job["results"], name), "w", encoding="utf-8", newline="") as opened:
                opened.write(text)
        return 0, main
    except SystemExit as end:
        return exit_code(end.code), None
    except Problem as problem:
        print(problem, file=sys.stderr)
        return 1, None
    except BaseException:
        traceback.print_exc()
        return 1, None
    finally:
        flush()


async def awaited(value):
    return await value


def exit_code(code):
    """As the interpreter does. A function that leaves with 0 has not returned, so its process ends, too."""
    if code is None:
        code = 0
    if not isinstance(code, int):
        print(code, file=sys.stderr)
        code = 1
    flush()
    os._exit(code & 255)


def flush():
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass


def load(script):
    module = types.ModuleType("task")
    module.__file__ = script
    sys.modules["task"] = module
    with open(script, encoding="utf-8") as opened:
        exec(compile(opened.read(), script, "exec"), module.__dict__)
    main = getattr(module, "main", None)
    if not callable(main):
        raise Problem("the script defines no function main; write: def main(params, context): ...")
    return main


def texts_of(returned):
    if returned is None:
        return []
    if not isinstance(returned, dict):
        what = type(returned).__name__
        raise Problem("the function returned a %s; it must return a dict with a member for each result, or nothing" % what)
    for name in returned:
        if not isinstance(name, str) or not NAME_OF_RESULT.match(name):
            raise Problem("the function returned the member %r, which is no name of a result: letters, digits, _, - and dots" % (name,))
    return [(name, text_of(value)) for name, value in returned.items()]


def text_of(value):
    """Text as it is, nothing as empty text, the rest as JSON: as parameters come."""
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, separators=(",", ":"))


if __name__ == "__main__":
    sys.stdout.reconfigure(line_buffering=True)
    if len(sys.argv) == 2:
        os._exit(serve(sys.argv[1]))
    ended, _ = run(sys.argv[1], read_job(sys.argv[2]), None)
    # Threads that the function has left behind are not waited for, as in a kept sandbox.
    os._exit(ended)
