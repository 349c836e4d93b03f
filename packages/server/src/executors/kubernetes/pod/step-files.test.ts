import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { JobStep } from "../../../core/task/tekton/job-steps.ts";
import { makeJob } from "../../exercise/scenario.ts";
import { ownArchitecture } from "../../steps/copy-output.ts";
import { wrapperFiles } from "./pod-scripts.ts";
import { attemptFiles } from "./step-files.ts";

const shells = [["dash"], ["bash", "--posix"], ["busybox", "sh"]].filter(
  ([program = "", ...args]) => spawnSync(program, [...args, "-c", ":"]).status === 0,
);

let folder = "";
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "launch-"));
  mkdirSync(join(folder, "shared/bin"), { recursive: true });
  mkdirSync(join(folder, "image"));
  // Instead of those of the pod: `mkdir` and `env` of this machine.
  writeFileSync(join(folder, "shared/bin/busybox"), '#!/bin/sh\nexec "$@"\n', { mode: 0o755 });
  const show = `#!/bin/sh\nprintf '%s|' "$@"; echo; pwd; tr '\\0' '\\n' < /proc/$$/environ\n`;
  for (const name of ["show", "echo"]) writeFileSync(join(folder, "image", name), show, { mode: 0o755 });
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs what the pod runs for its first step, in folders of this machine. */
function launch(shell: readonly string[], step: Omit<JobStep, "name">, environment: Record<string, string> = {}, mayAskCluster = false) {
  const { files } = attemptFiles(makeJob([step]), mayAskCluster);
  const here = (path: string) => {
    writeFileSync(join(folder, path.replace("/", "-")), files.get(path)!);
    return join(folder, path.replace("/", "-"));
  };
  const copier = files.get(wrapperFiles.copyOutput(process.arch === "arm64" ? "aarch64" : "x86_64"));
  if (copier !== undefined) writeFileSync(join(folder, `copy-output-${process.arch === "arm64" ? "aarch64" : "x86_64"}`), copier);
  const [program = "", ...args] = shell;
  const launched = [here(wrapperFiles.launch), here(wrapperFiles.values(0)), join(folder, "shared/bin")];
  const { status, stdout, stderr } = spawnSync(program, [...args, ...launched], { env: environment, encoding: "utf8", cwd: folder });
  const [said = "", place = "", ...variables] = stdout.trimEnd().split("\n");
  return { status, said, place, variables, stderr, stdout };
}

describe.each(shells.map((shell) => ({ shell })))("the launch of a step by $shell", ({ shell }) => {
  const path = () => ({ name: "PATH", value: `${folder}/image:/usr/bin:/bin` });
  const at = () => join(folder, "new folder/'it's");

  test("passes arguments, variables and folder to a program unchanged", () => {
    const words = ["a b", "", "it's", "$(exit 5)", "`id`", "-n", "*", "\\"];
    const env = [path(), { name: "EVIL", value: "'; exit 3; '$(exit 4)" }];
    const result = launch(shell, { command: ["show", ...words], env, workingDir: at() });
    expect(result).toMatchObject({ status: 0, said: words.map((word) => `${word}|`).join(""), place: at(), stderr: "" });
    expect(result.variables).toContain("EVIL='; exit 3; '$(exit 4)");
  });

  test.runIf(ownArchitecture() !== undefined)(
    "copies the output of a program into the files of the step, with odd variables and without",
    () => {
      const output = { stdout: "it's out", stderr: "$(id)" };
      for (const more of [[], [{ name: "a.b-c", value: "odd" }]]) {
        const command = ["/bin/sh", "-c", "echo said; echo complained >&2; ls -A $TMPDIR; exit 5"];
        const env = [path(), { name: "TMPDIR", value: join(folder, "image") }, ...more];
        const { status, stdout } = launch(shell, { command, env, outputFiles: output, workingDir: at() });
        expect([status, stdout.split("\n").sort().join(" ").trim()]).toEqual([5, "complained echo said show"]);
        expect(readFileSync(join(at(), "it's out"), "utf8")).toBe("said\necho\nshow\n");
        expect(readFileSync(join(at(), "$(id)"), "utf8")).toBe("complained\n");
        for (const name of Object.values(output)) rmSync(join(at(), name));
      }
      const { files } = attemptFiles(makeJob([{ script: "x" }]), false);
      expect(files.has(wrapperFiles.copyOutput("x86_64"))).toBe(false);
    },
  );

  test("sets variables whose names no shell can set", () => {
    const env = [path(), { name: "a.b-c", value: "it's $HOME" }, { name: "UID", value: "7" }];
    const { status, said, variables } = launch(shell, { command: ["show", "--", "x"], env, workingDir: at() });
    expect({ status, said }).toEqual({ status: 0, said: "--|x|" });
    expect(variables).toEqual(expect.arrayContaining(["a.b-c=it's $HOME", "UID=7"]));
  });

  test("takes the image's program before one of the shell's own", () => {
    expect(launch(shell, { command: ["echo", "x"], env: [path()], workingDir: at() })).toMatchObject({ said: "x|", place: at() });
  });

  test("keeps the variables of the cluster and of the pod from it, unless it may ask the cluster", () => {
    const ofPod = { HOSTNAME: "pod", KUBERNETES_SERVICE_HOST: "10.0.0.1", OTHER: "kept", box: "/b" };
    const step = { command: ["show"], env: [path()], workingDir: at() };
    const hidden = launch(shell, step, ofPod).variables.join();
    expect(hidden).toContain("OTHER=kept");
    expect(hidden).not.toMatch(/HOSTNAME|KUBERNETES|box=|millrace_|OLDPWD/);
    expect(launch(shell, step, ofPod, true).variables).toContain("KUBERNETES_SERVICE_HOST=10.0.0.1");
  });

  test("reads the values of other steps unchanged", () => {
    const value = { step: "a", result: "x" };
    mkdirSync(join(folder, "shared/values"), { recursive: true });
    const nasty = 'it\'s $(exit 5) `id` "q" \\ * é\n\n';
    writeFileSync(join(folder, "shared/values/1"), nasty);
    const env = [path(), { name: "E", value: ["<'", value, "'>"] }, { name: "o.d", value: [value] }];
    const { status, stderr, stdout } = launch(shell, { command: ["show", ["v", value, value], [value], "x"], env, workingDir: at() });
    expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
    expect(stdout).toContain(`v${nasty}${nasty}|${nasty}|x|\n${at()}\n`);
    expect(stdout).toContain(`\nE=<'${nasty}'>\n`);
    expect(stdout).toContain(`o.d=${nasty}`);
    expect(stdout).not.toContain("millrace_");
  });

  test("reports a program or folder that is missing or can't be opened", () => {
    const env = [path()];
    expect(launch(shell, { command: ["no-such"], env, workingDir: at() })).toMatchObject({ status: 127, stderr: "no-such: not found\n" });
    expect(launch(shell, { command: ["/no/such"], env, workingDir: at() })).toMatchObject({ status: 127, stderr: "/no/such: not found\n" });
    const result = launch(shell, { command: ["show"], env, workingDir: "/proc/no" });
    expect(result).toMatchObject({ status: 126, stderr: "cannot enter the working directory /proc/no\n" });
  });
});

test("a function has its runner, its script and its job in files, and nothing of it in an argument", () => {
  const script = "export default () => ({ a: 1 });";
  const job = makeJob([{ script, language: "javascript", image: "node" }], { params: [{ name: "list", value: [1] }] });
  const { files } = attemptFiles({ ...job, keep: { definition: "d", withSecrets: false } }, false);
  expect(files.get("steps/function-step-1.mjs")).toBe(script);
  expect(files.get("steps/run-function.mjs")).toContain("stripTypeScriptTypes");
  expect(JSON.parse(files.get("steps/job-step-1.json") ?? "")).toMatchObject({ params: { list: [1] }, results: "/task/results" });
  const places = ["run-function.mjs", "function-step-1.mjs", "job-step-1.json"].map((name) => `'/run/millrace/task/steps/${name}'`);
  expect(files.get(wrapperFiles.values(0))).toContain(`'node' ${places.join(" ")}`);
  const python = attemptFiles(makeJob([{ script: "x", language: "python", image: "python" }]), false).files;
  expect(python.get(wrapperFiles.values(0))).toContain("'python3' '/run/millrace/task/steps/run-function.py'");
});

test.each([
  [{ name: "db" }, /^sidecar "db" names no image/],
  [{ name: "db", image: "db" }, /^sidecar "db" has neither a script nor a command/],
  [{ name: "db", image: "db", command: ["x", "y".repeat(140_000)] }, /^sidecar "db" could not be started/],
  [{ name: "db", image: "db", script: "#!" }, /^the script of sidecar "db" can't run/],
])("what is wrong with a sidecar is said of it, not of a step: %j", (sidecar, message) => {
  expect(() => attemptFiles(makeJob("true", { sidecars: [sidecar] }), false)).toThrow(message);
});
