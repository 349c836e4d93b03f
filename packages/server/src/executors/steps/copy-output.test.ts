import { spawn, spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { copyOutputProgram, ownArchitecture } from "./copy-output.ts";
import { copyOutputCode } from "./copy-output-code.ts";

const folder = mkdtempSync(join(tmpdir(), "copy-output-"));
const program = join(folder, "copy-output");
beforeAll(() => writeFileSync(program, copyOutputProgram(ownArchitecture() ?? "x64"), { mode: 0o755 }));
afterAll(() => rmSync(folder, { recursive: true }));

const file = (name: string) => readFileSync(join(folder, name), "utf8");
const run = (out: string, err: string, script: string, more: object = {}) => {
  const { status, stdout, stderr } = spawnSync(program, ["0", out, err, "/bin/sh", "-c", script], {
    cwd: folder,
    encoding: "utf8",
    ...more,
  });
  return { status, stdout, stderr };
};

test("the machine code is that of the program's text", () => {
  const source = readFileSync(join(import.meta.dirname, "../programs/copy-output.c"));
  expect(createHash("sha256").update(source).digest("hex")).toBe(copyOutputCode.source);
});

describe.runIf(ownArchitecture() !== undefined && process.platform === "linux")("the program that copies output", () => {
  test("passes on both streams as one, writes each to its file, and ends with the exit code of the step", () => {
    expect(run("out", "err", "echo o; echo e >&2; exit 7")).toMatchObject({ status: 7, stderr: "" });
    expect([file("out"), file("err")]).toEqual(["o\n", "e\n"]);
    expect(run("", "only", "echo o; echo e >&2; kill -9 $$")).toEqual({ status: 137, stdout: expect.stringContaining("o\n"), stderr: "" });
    expect(file("only")).toBe("e\n");
  });

  test("keeps the order if both streams share one file, creates its folders, and appends to existing content", () => {
    for (let round = 0; round < 2; round++)
      expect(run("a/b/both", "a/b/both", "echo 1; echo 2 >&2; echo 3")).toEqual({ status: 0, stdout: "1\n2\n3\n", stderr: "" });
    expect(file("a/b/both")).toBe("1\n2\n3\n1\n2\n3\n");
  });

  test("copies all of a large output, byte by byte", () => {
    const { stdout } = run("large", "", "head -c 3000000 /dev/zero | tr '\\0' x; echo end", { maxBuffer: 4_000_000 });
    expect(stdout).toBe(`${"x".repeat(3_000_000)}end\n`);
    expect(file("large")).toBe(stdout);
  });

  test("does not wait for processes that the step left behind", () => {
    const { stdout, status } = run("left", "", "sleep 1000 2>&1 & echo $!");
    process.kill(Number(stdout), "SIGKILL");
    expect([status, file("left")]).toEqual([0, stdout]);
  });

  test("copies only what is left in the pipe if a leftover process writes endlessly", () => {
    const slowly = 'while [ "$(head -c 4096 | wc -c)" -gt 0 ]; do :; done';
    const command = `{ "${program}" 0 flood "" /bin/sh -c 'yes & yes & sleep 0.2; exit 3'; echo $? > code; } | ${slowly}`;
    expect(spawnSync("/bin/sh", ["-c", command], { cwd: folder, timeout: 20_000 })).toMatchObject({ status: 0, signal: null });
    expect(file("code")).toBe("3\n");
  });

  test("says what can't be opened, started or written", () => {
    expect(run("/proc/nothing", "", "true")).toMatchObject({
      status: 126,
      stdout: expect.stringContaining("/proc/nothing: can't be opened"),
    });
    expect(run("/dev/full", "", "echo x")).toEqual({
      status: 1,
      stdout: expect.stringMatching(/^x\n\/dev\/full: can't be written/),
      stderr: "",
    });
    const { status, stdout } = spawnSync(program, ["0", "o", "", "/no/such"], { cwd: folder, encoding: "utf8" });
    expect([status, stdout]).toEqual([126, "/no/such: can't be started\n"]);
  });

  test.each([
    ["1", "forwards signals where only it gets them", 3],
    ["0", "outlives them where the step gets them itself", 5],
  ])("%s: %s", async (forwards, _what, code) => {
    const script = 'trap "exit 3" TERM; trap "exit 5" USR1; echo ready; echo $$; while :; do sleep 0.02; done';
    const child = spawn(program, [forwards, "signals", "", "/bin/sh", "-c", script], { cwd: folder });
    let said = "";
    const isReady = new Promise<void>((resolve) => {
      child.stdout.setEncoding("utf8").on("data", (text: string) => {
        said += text;
        if (/ready\n\d+\n/.test(said)) resolve();
      });
    });
    await isReady;
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    if (forwards === "0") process.kill(Number(said.split("\n")[1]), "SIGUSR1");
    expect((await ended)[0]).toBe(code);
  });
});
