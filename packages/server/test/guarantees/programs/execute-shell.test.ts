import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { parse } from "yaml";

/** The step of execute-shell, run by the sh of this machine in the same way as by the executor. */
const document = parse(readFileSync(new URL("../../../catalog/tasks/execute-shell.yaml", import.meta.url), "utf8"));
const folder = mkdtempSync(join(tmpdir(), "shell-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const step = join(folder, "step");
writeFileSync(step, document.spec.steps[0].script);
chmodSync(step, 0o700);

function shell(script: string, { path = "", shell = "" } = {}) {
  writeFileSync(join(folder, "script"), script);
  const env = { PATH: process.env.PATH, PARAMS_PATH: folder, PARAM_PATH: path, PARAM_SHELL: shell };
  const { status, stdout, stderr } = spawnSync(step, { env, cwd: folder, encoding: "utf8" });
  return { status, stdout, stderr };
}

test("runs a script unchanged, with any quotes and dollars, and keeps its exit code", () => {
  expect(shell(`printf '%s' "a'b\\"$((1 + 1))"; exit 3`)).toEqual({ status: 3, stdout: `a'b"2`, stderr: "" });
});

test("honours the interpreter of the first line", () => {
  expect(shell("#!/usr/bin/env node\nconsole.log([1, 2].map((n) => n * 2).join())").stdout).toBe("2,4\n");
});

test("a shell that is named wins over the first line, and may have options", () => {
  expect(shell("#!/usr/bin/env node\nfalse\necho on", { shell: "sh -e" })).toMatchObject({ status: 1, stdout: "" });
});

test("runs in the folder that is named", () => {
  expect(shell("pwd", { path: "/" }).stdout).toBe("/\n");
  expect(shell("pwd", { path: "/no/such folder" })).toMatchObject({ status: 2, stdout: "" });
});

test("an empty script is refused", () => {
  expect(shell("")).toMatchObject({ status: 2, stderr: "parameter script is empty; there is nothing to run\n" });
});
