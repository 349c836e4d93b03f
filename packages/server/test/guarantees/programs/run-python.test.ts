import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { stepPrograms } from "./run-program.ts";

const run = stepPrograms();
const hasPython = spawnSync("python3", ["--version"]).status === 0;

describe.runIf(hasPython)("with Python on the machine", () => {
  test("standard output is the result without its last line end, arguments keep their quotes, and the log shows both", async () => {
    const pythonScript = "import sys\nprint(sys.argv[1:])\nprint('done')\n";
    const outcome = await run("run-python", { pythonScript, pythonArguments: `one "two three" 'a"b' c\\ d` });
    expect(outcome).toMatchObject({ code: 0, results: { output: `['one', 'two three', 'a"b', 'c d']\ndone` } });
    expect(outcome.output).toContain("done\n");
  });

  test("the exit code of the script is kept, and so is what it printed", async () => {
    const outcome = await run("run-python", { pythonScript: "print('half')\nraise SystemExit(7)" });
    expect(outcome).toMatchObject({ code: 7, results: { output: "half" } });
  });

  test("output and errors stand in the order of writing, and only output is the result", async () => {
    const pythonScript = `
import os, sys, logging
for i in range(6):
    print("out", i)
    print("err", i, file=sys.stderr)
logging.warning("log")
sys.stdout.write("half ")
sys.stderr.write("é" * 20000 + "\\n")
os.write(1, b"raw\\n")
sys.stderr.buffer.write(b"\\xff\\n")
os.system("echo child")
raise ValueError("end")
`;
    const { code, output, results } = await run("run-python", { pythonScript }, { LC_ALL: "C.UTF-8" }, { isMerged: true });
    expect(code).toBe(1);
    const pairs = [0, 1, 2, 3, 4, 5].map((index) => `out ${index}\nerr ${index}\n`).join("");
    const [before, trace] = output.split("Traceback");
    expect(before).toBe(`${pairs}WARNING:root:log\nhalf ${"é".repeat(20_000)}\nraw\n\ufffd\nchild\n`);
    expect(trace).toMatch(/^ \(most recent call last\):\n {2}File "[^"]*pythonScript", line 12, in <module>\n.*ValueError: end\n$/s);
    expect(results["output"]).toBe(`${[0, 1, 2, 3, 4, 5].map((index) => `out ${index}\n`).join("")}half raw\nchild`);
  });

  test("the script is the main program: its name, folder and arguments, and what it starts by itself", async () => {
    const pythonScript = `
import multiprocessing, sys, os
def twice(n):
    sys.stderr.write("work %d\\n" % n)
    return 2 * n
if __name__ == "__main__":
    print(__file__ == sys.argv[0], sys.path[0] == os.path.dirname(__file__), sorted(n for n in dir() if not n.startswith("__")))
    with multiprocessing.get_context("fork").Pool(2) as pool:
        print(pool.map(twice, range(4)))
    def broken(: pass
`;
    const broken = await run("run-python", { pythonScript }, {}, { isMerged: true });
    expect(broken.code).toBe(1);
    expect(broken.output).toMatch(/^ {2}File "[^"]*pythonScript", line 10\n.*SyntaxError/s);
    const { code, results, output } = await run(
      "run-python",
      { pythonScript: pythonScript.replace("    def broken(: pass\n", "") },
      {},
      { isMerged: true },
    );
    expect({ code, results }).toEqual({
      code: 0,
      results: { output: "True True ['multiprocessing', 'os', 'sys', 'twice']\n[0, 2, 4, 6]" },
    });
    expect(output.match(/work \d/g)).toHaveLength(4);
  });

  test("output goes to a file when one is named", async () => {
    const outcome = await run("run-python", { pythonScript: "print('x' * 2000000)", outputFilePath: "out/text" });
    expect(outcome).toMatchObject({ code: 0, results: { output: "" } });
    expect(readFileSync(join(outcome.folder, "out/text"), "utf8")).toHaveLength(2_000_001);
  });

  test("more output than a result can hold fails clearly", async () => {
    const outcome = await run("run-python", { pythonScript: "print('x' * 2000000)" });
    expect(outcome.code).toBe(1);
    expect(outcome.errors).toContain("the script printed over 1 MiB");
  });

  test("packages that the machine lacks are named before the script starts", async () => {
    const outcome = await run("run-python", {
      pythonScript: "print('started')",
      pythonPackages: "no-such-package-here==1.0\n# a comment\n",
    });
    expect(outcome).toMatchObject({ code: 1, output: "", results: {} });
    expect(outcome.errors).toContain("packages not on this machine: no-such-package-here==1.0. This task has no network to install them");
  });

  test("a quote without its end is refused", async () => {
    const outcome = await run("run-python", { pythonScript: "1", pythonArguments: 'a "b' });
    expect(outcome.errors).toContain("parameter pythonArguments has a quote or backslash without its end at character 3");
  });
});

test("a machine without Python says so", async () => {
  const outcome = await run("run-python", { pythonScript: "1" }, { PATH: "/nowhere" });
  expect(outcome).toMatchObject({ code: 1, results: {} });
  expect(outcome.errors).toContain("python3 is not on this machine (looked in /nowhere)");
});

test("an empty script is refused", async () => {
  expect((await run("run-python", {})).errors).toContain("parameter pythonScript is empty");
});
