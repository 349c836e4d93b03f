import { expect } from "vitest";
import { makeJob, run, type Scenario, startJob } from "./scenario.ts";

/** What steps print. */
export const outputScenarios: Scenario[] = [
  {
    name: "output comes as lines in order, with their times, also the last one without an end",
    async check(bench) {
      const startedAt = Date.now();
      const { lines, texts } = await run(
        bench,
        makeJob('i=0; while [ $i -lt 3000 ]; do echo "line $i"; i=$((i+1)); done; echo oops >&2; printf last'),
      );
      expect(texts()).toEqual([...Array.from({ length: 3000 }, (_, index) => `line ${index}`), "oops", "last"]);
      expect(new Set(lines.map(({ stream }) => stream))).toEqual(new Set(["output"]));
      const times = lines.map((line) => line.at);
      expect(times).toEqual([...times].sort((left, right) => left - right));
      expect(times[0]).toBeGreaterThanOrEqual(startedAt);
      expect(times.at(-1)).toBeLessThanOrEqual(Date.now());
    },
  },
  {
    name: "what a shell and its programs write to standard output and standard error comes in the order of writing",
    async check(bench) {
      const script =
        'i=0; while [ $i -lt 500 ]; do echo "out $i"; echo "error $i" >&2; i=$((i+1)); done; printf "a\\n"; ls /no/such >&2 || :; cat "$0.none" || echo z';
      const { texts } = await run(bench, makeJob(script));
      expect(texts().slice(0, 1_000)).toEqual(pairs(500));
      expect(texts().slice(1_000)).toEqual(["a", expect.stringContaining("/no/such"), expect.stringContaining(".none"), "z"]);
    },
  },
  {
    name: "what a program without a shell writes to both comes in the order of writing, also by two processes and in parts of a line",
    async check(bench) {
      const { outcome, texts } = await run(bench, makeJob([{ script: writeBoth }, { script: writeInTurns }]));
      expect(outcome.message).toBe("");
      expect(texts()).toEqual([...pairs(500), "one line in four parts", ...pairs(50)]);
    },
  },
  {
    name: "output may be opened by name, as tee /dev/stderr does",
    async check(bench) {
      const script =
        "test -e /proc/self || { echo no proc; exit 0; }; echo a > /dev/stdout; echo b | tee /dev/stderr > /dev/null; echo c >> /dev/stdout";
      const { outcome, texts } = await run(bench, makeJob(script));
      expect(outcome.message).toBe("");
      if (!texts().includes("no proc")) expect(texts()).toEqual(["a", "b", "c"]);
    },
  },
  {
    name: "bytes that are no text, control characters and endless lines come out as safe text",
    once: true,
    async check(bench) {
      const { texts } = await run(bench, makeJob("printf 'nul\\000 bell\\007 bad\\377 é\\n'; head -c 40000 /dev/zero | tr '\\0' x"));
      const [first, ...parts] = texts();
      expect(first).toBe("nul␀ bell␇ bad\ufffd é");
      expect(parts.map((part) => part.length)).toEqual([16_384, 16_384, 40_000 - 2 * 16_384]);
    },
  },
  {
    name: "secrets are masked, also when they come in pieces, over several lines or encoded",
    once: true,
    async check(bench) {
      const secret = 'p4ss"w/rd é';
      const key = "-----BEGIN KEY-----\nQUJDREVGR0hJSktM\n-----END KEY-----";
      const job = makeJob([{ script: printSecrets, args: [secret, key] }], { secrets: [secret, key] });
      const { outcome, texts } = await run(bench, job);
      expect(outcome.message).toBe("");
      const all = texts().join("\n");
      for (const part of [
        secret,
        encodeURIComponent(secret),
        Buffer.from(secret).toString("base64").slice(0, 10),
        "QUJDREVGR0hJSktM",
        "p4ss",
      ]) {
        expect(all).not.toContain(part);
      }
      expect(texts()[0]).toBe("a *** b");
      expect(texts().at(-1)).toBe("error with ***");
    },
  },
  {
    name: "output beyond the limit is dropped with a line that says so, and the task goes on",
    once: true,
    async check(bench) {
      const job = makeJob([{ script: "yes 0123456789 | head -c 5000000" }, { script: "echo not shown; exit 3" }]);
      job.limits = { ...job.limits, outputBytes: 100_000 };
      const { outcome, texts } = await run(bench, job);
      expect(texts().join("\n").length).toBeLessThanOrEqual(100_000);
      expect(texts().length).toBeGreaterThan(9_000);
      expect(texts("system")[0]).toContain("OutputLimit: the task run reached its limit of 100000 bytes of output");
      expect(outcome).toMatchObject({ status: "failed", exitCode: 3 });
    },
  },
  {
    name: "endless short lines are bounded by their number, and others get their turn meanwhile",
    once: true,
    async check(bench) {
      const job = makeJob([{ script: "yes '' | head -c 3000000" }, { script: "echo not shown" }]);
      job.limits = { ...job.limits, outputBytes: 4_000_000 };
      const turns: number[] = [];
      const timer = setInterval(() => turns.push(performance.now()), 5);
      const { outcome, texts } = await run(bench, job);
      clearInterval(timer);
      expect(texts().length).toBe(62_500);
      expect(texts("system")[0]).toContain("OutputLimit: the task run reached its limit of 62500 lines of output");
      expect(outcome.status).toBe("succeeded");
      expect(turns.length).toBeGreaterThan(1);
    },
  },
  {
    name: "one endless line is cut into lines of the log, and ends at the limit",
    once: true,
    async check(bench) {
      const job = makeJob([{ script: "head -c 20000000 /dev/zero | tr '\\0' x; echo end >&2" }]);
      job.limits = { ...job.limits, outputBytes: 1_000_000 };
      const { outcome, texts } = await run(bench, job);
      expect(outcome.status).toBe("succeeded");
      expect(texts().every((text) => text.length <= 16_384 && /^x+$/.test(text))).toBe(true);
      expect(texts().join("").length).toBe(1_000_000);
      expect(texts("system").join()).toContain("OutputLimit: the task run reached its limit of 1000000 bytes of output");
    },
  },
  {
    name: "a step that prints faster than it is read does not make the service grow",
    once: true,
    async check(bench) {
      const before = process.memoryUsage();
      let peakBytes = 0;
      const job = makeJob("yes 0123456789012345678901234567890123456789 | head -c 100000000");
      job.limits = { ...job.limits, outputBytes: 1_000_000_000 };
      let count = 0;
      await startJob(bench, job, ({ lines }) => {
        const isTimeToLook = Math.floor(count / 100_000) < Math.floor((count + lines) / 100_000);
        count += lines;
        if (!isTimeToLook) return undefined;
        const { external } = process.memoryUsage();
        peakBytes = Math.max(peakBytes, external - before.external);
        return undefined;
      }).done;
      expect(count).toBe(Math.ceil(100_000_000 / 41));
      expect(peakBytes).toBeLessThan(64_000_000);
    },
  },
];

function pairs(count: number): string[] {
  return Array.from({ length: count }, (_, index) => [`out ${index}`, `error ${index}`]).flat();
}

const writeBoth = `#!/usr/bin/env node
const { writeSync } = require("node:fs");
for (let index = 0; index < 500; index++) {
  writeSync(1, "out " + index + "\\n");
  writeSync(2, "error " + index + "\\n");
}
for (const [fd, part] of [[1, "one line"], [2, " in "], [1, "four"], [2, " parts\\n"]]) writeSync(fd, part);
`;

/** The child writes to standard error each time the parent has written to standard output and signals it. */
const writeInTurns = `#!/usr/bin/env node
const { writeSync, readSync } = require("node:fs");
const { spawn } = require("node:child_process");
if (process.argv[2] === "child") {
  const byte = Buffer.alloc(1);
  for (let index = 0; readSync(0, byte) === 1; index++) {
    writeSync(2, "error " + index + "\\n");
    writeSync(3, byte);
  }
} else {
  const child = spawn(process.execPath, [process.argv[1], "child"], { stdio: ["pipe", "inherit", "inherit", "pipe"] });
  let index = 0;
  const turn = () => {
    if (index === 50) return child.stdin.end();
    writeSync(1, "out " + index++ + "\\n");
    child.stdin.write(".");
  };
  child.stdio[3].on("data", turn);
  turn();
}
`;

const printSecrets = `#!/usr/bin/env node
const out = (text) => new Promise((resolve) => process.stdout.write(text, resolve));
const pause = () => new Promise((resolve) => setTimeout(resolve, 5));
const [, , secret, key] = process.argv;
(async () => {
  await out("a " + secret.slice(0, 5));
  await pause();
  await out(secret.slice(5) + " b\\n");
  await out(Buffer.from("user:" + secret).toString("base64") + "\\n" + encodeURIComponent(secret) + "\\n" + JSON.stringify({ secret }) + "\\n");
  for (const line of key.split("\\n")) {
    await out("> " + line + "\\n");
    await pause();
  }
  console.error("error with " + secret);
})();
`;
