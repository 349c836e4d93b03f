import { expect } from "vitest";
import { makeJob, type Promises, run, type Scenario } from "./scenario.ts";

/** A program that writes 1 MiB every 20 ms, forever, to a file that it has prepared. */
function writer(prepare: string): string {
  return `exec "$NODE" -e 'const fs = require("fs"); const chunk = Buffer.alloc(1 << 20, 1); ${prepare}; setInterval(() => fs.writeSync(file, chunk), 20);'`;
}

function stopsAtLimit(name: string, script: string, message: RegExp, needs: keyof Promises = "scratchSizes"): Scenario {
  return {
    name,
    needs,
    async check(bench) {
      const { outcome, texts } = await run(bench, makeJob(script, { timeoutMs: 30_000 }));
      expect({ ...outcome, errors: texts() }).toMatchObject({ status: "failed", reason: "WorkspaceFull", errors: [] });
      expect(outcome.message).toMatch(message);
      expect(await bench.leftovers()).toEqual([]);
    },
  };
}

const chain = 'for (let i = 0; i < 60; i++) { const name = "d".repeat(100); fs.mkdirSync(name); process.chdir(name); }';

/** A thread with its own table of open files (CLONE_FILES is 0x400): the table of the process does not show what it writes. */
const threadThatHides = `#!/usr/bin/env python3
import ctypes, os, threading, time, traceback
def hide():
    try:
        write()
    except BaseException:
        traceback.print_exc()
        os._exit(125)
def write():
    if ctypes.CDLL(None, use_errno=True).unshare(0x400) != 0:
        os._exit(126)
    file = os.open("gone", os.O_CREAT | os.O_WRONLY)
    os.unlink("gone")
    while True:
        os.write(file, b"x" * (1 << 20))
        time.sleep(0.02)
threading.Thread(target=hide, daemon=True).start()
time.sleep(25)
`;

/** Where a step may try to hide the files that it writes. */
export const diskScenarios: Scenario[] = [
  stopsAtLimit(
    "files that were deleted and are still open count",
    writer('const file = fs.openSync("gone", "w"); fs.unlinkSync("gone")'),
    /its scratch folder contains .*in files that were deleted and are still open/,
    "openFiles",
  ),
  stopsAtLimit(
    "a file that is deeper than any path can say counts",
    writer(`${chain} const file = fs.openSync("deep", "w")`),
    /its scratch folder contains .*more than/,
  ),
  stopsAtLimit(
    "a file in a folder without permissions counts",
    writer(
      'fs.mkdirSync("closed/inner", { recursive: true }); const file = fs.openSync("closed/inner/big", "w"); fs.chmodSync("closed", 0)',
    ),
    /its scratch folder contains .*more than/,
  ),
  {
    ...stopsAtLimit(
      "empty files count, by their number",
      `exec "$NODE" -e 'const fs = require("fs"); let i = 0; setInterval(() => { for (const end = i + 300; i < end; i++) fs.writeFileSync("f" + i, ""); }, 20);'`,
      /its scratch folder contains more than the 10000 files and folders allowed/,
    ),
    once: true,
  },
  {
    name: "files that only one thread has open, and that were deleted, count",
    needs: "openFiles",
    async check(bench, skip) {
      const { outcome, texts } = await run(bench, makeJob(threadThatHides, { timeoutMs: 30_000 }));
      if (outcome.exitCode === 127) return skip("this machine has no python3");
      if (outcome.exitCode === 126) return skip("a step may not call unshare here");
      expect(outcome, texts().join("\n")).toMatchObject({ status: "failed", reason: "WorkspaceFull" });
      expect(outcome.message).toMatch(/its scratch folder contains .*in files that were deleted and are still open/);
    },
  },
];
