import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { ownArchitecture } from "../../steps/copy-output.ts";
import { findLauncherProgram, type LauncherSettings, launcherCommand } from "./launcher.ts";
import { startStepCode } from "./start-step-code.ts";

const folder = mkdtempSync(join(tmpdir(), "launcher-"));
afterAll(() => rmSync(folder, { recursive: true }));

const at = (name: string): string => join(folder, name);
const write = (name: string, text: string): string => {
  writeFileSync(at(name), text);
  chmodSync(at(name), 0o755);
  return at(name);
};

const canRun = ownArchitecture() !== undefined && process.platform === "linux";
const program = canRun && (await findLauncherProgram(folder)) ? at("start-step") : undefined;
/** Each reads the variables in its own way. */
const launchers = [
  { name: "shell", program: undefined, file: write("variables.sh", "export PATH='/usr/bin:/bin'\nexport WORD='a b'\n") },
  { name: "program", program, file: write("variables", "PATH=/usr/bin:/bin\0WORD=a b\0") },
];

test("the machine code is that of the program's text", () => {
  const source = readFileSync(join(import.meta.dirname, "../../programs/start-step.c"));
  expect(createHash("sha256").update(source).digest("hex")).toBe(startStepCode.source);
});

test.runIf(canRun)("the program runs here", () => expect(program).toBeDefined());

describe.each(launchers.filter((one) => one.name === "shell" || one.program))("the launcher as a $name", ({ program, file }) => {
  const run = (argv: readonly string[], settings: Partial<LauncherSettings> = {}) => {
    const base: LauncherSettings = {
      program,
      environmentFile: file,
      dataBytes: undefined,
      processes: undefined,
      workingDir: folder,
      umask: "022",
    };
    const [command = "", ...args] = launcherCommand({ ...base, ...settings }, argv);
    const { status, stdout, stderr } = spawnSync(command, args, { encoding: "utf8", env: { PATH: "/usr/bin:/bin", OWN: "1" } });
    return { status, stdout, stderr };
  };

  test("ends as the step ends", () => {
    expect(run(["sh", "-c", "echo out; echo err >&2; exit 7"])).toEqual({ status: 7, stdout: "out\n", stderr: "err\n" });
    expect(run(["sh", "-c", "kill -9 $$"])).toEqual({ status: 137, stdout: "", stderr: "" });
    expect(run(["sh", "-c", "sleep 60 & kill $!; exit 5"]).status).toBe(5);
  });

  test("sets its variables and its folder, which it creates if needed", () => {
    const workingDir = at("made/for it/here");
    expect(run(["sh", "-c", 'echo "$WORD $PWD"; env | grep -c ^OLDPWD='], { workingDir }).stdout).toBe(`a b ${workingDir}\n0\n`);
    const { status, stderr } = run(["true"], { workingDir: "/proc/nowhere" });
    expect([status, stderr]).toEqual([126, expect.stringMatching(/cannot enter the working directory \/proc\/nowhere\n$/)]);
  });

  test("sets limits, and what files it makes are open to", () => {
    const limits = { dataBytes: 512 * 1_048_576, processes: 4_000, umask: "077" } as const;
    const script = "cat /proc/self/limits /proc/self/oom_score_adj; umask";
    const { stdout } = run(["sh", "-c", script], limits);
    expect(stdout).toMatch(/^Max data size +536870912 +536870912 /m);
    expect(stdout).toMatch(/^Max processes +4000 +4000 /m);
    expect(stdout).toMatch(/^Max core file size +0 +0 /m);
    expect(stdout).toMatch(/^1000\n0?077\n/m);
    expect(run(["cat", "/proc/self/limits"]).stdout).toMatch(/^Max data size +unlimited/m);
  });

  test("finds programs as a shell does, and says what it can't start", () => {
    const inFolder = { workingDir: folder };
    expect(run([write("text", 'echo "text $1"\n'), "one two"], inFolder).stdout).toBe("text one two\n");
    expect(run(["./text", "by path"], inFolder).stdout).toBe("text by path\n");
    const missing = run(["no-such-program"]);
    expect([missing.status, missing.stderr]).toEqual([127, expect.stringMatching(/no-such-program: not found\n$/)]);
    expect(run(["/no/such/program"]).status).toBe(127);
    writeFileSync(at("closed"), "");
    const closed = run([at("closed")]);
    expect([closed.status, closed.stderr]).toEqual([126, expect.stringMatching(/closed: Permission denied\n$/)]);
  });

  test("does without a file of variables", () => {
    expect(run(["sh", "-c", 'echo "$OWN$WORD"'], { environmentFile: undefined }).stdout).toBe("1\n");
  });
});

describe.runIf(program !== undefined)("the program", () => {
  const start = (file: string, argv: readonly string[]) =>
    spawnSync(program ?? "", [file, "0", "0", "/", "022", ...argv], { encoding: "utf8", env: {}, maxBuffer: 4_000_000 });

  test("sets variables of any name and size", () => {
    const large = "x".repeat(120_000);
    const file = write("odd", `PATH=/usr/bin:/bin\0a.b=1\0UID=7\0EMPTY=\0LINES=1\n2\0LARGE=${large}\0`);
    const { stdout } = start(file, ["env", "-0"]);
    expect(stdout.split("\0").slice(0, -1)).toEqual([
      "PATH=/usr/bin:/bin",
      "a.b=1",
      "UID=7",
      "EMPTY=",
      "LINES=1\n2",
      `LARGE=${large}`,
      "PWD=/",
    ]);
  });

  test("starts nothing without its variables, or with more than the kernel accepts", () => {
    expect(start(at("not-there"), ["true"])).toMatchObject({ status: 126, stderr: expect.stringContaining("not-there can't be read") });
    expect(start(write("many", `A=${"x".repeat(200_000)}\0`), ["/bin/true"])).toMatchObject({
      status: 126,
      stderr: "step: /bin/true: can't be started\n",
    });
    expect(start(write("empty", ""), ["/bin/true"]).status).toBe(0);
    expect(spawnSync(program ?? "", ["-"]).status).toBe(126);
  });

  test("takes its arguments from a file", () => {
    const variables = write("two", "PATH=/usr/bin:/bin\0WORD=a b\0");
    const script = 'echo "$WORD|$1|$2|$#"; pwd; exit 7';
    const argv = [program ?? "", variables, "0", "0", folder, "022", "sh", "-c", script, "sh", "", "two\nlines"];
    const from = (file: string) => spawnSync(program ?? "", [file], { encoding: "utf8", env: {} });
    const file = write("command", argv.map((text) => `${text}\0`).join(""));
    expect(from(file)).toMatchObject({ status: 7, stdout: `a b||two\nlines|2\n${folder}\n`, stderr: "" });
    expect(from(at("not-there"))).toMatchObject({ status: 126, stderr: expect.stringContaining("not-there can't be read") });
    for (const text of ["", "no end", "a\0b\0c\0d\0e\0f\0"]) expect(from(write("short", text)).status).toBe(126);
  });

  test("tries every folder of PATH", () => {
    write("only-here", "#!/bin/sh\necho here\n");
    const path = ["", "/not/there", `${"/long".repeat(900)}`, at("text"), folder, "/bin"].join(":");
    expect(start(write("path", `PATH=${path}\0`), ["only-here"]).stdout).toBe("here\n");
  });
});
