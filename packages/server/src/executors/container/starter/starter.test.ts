import { spawnSync } from "node:child_process";
import { chmod, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { starterArchitecture, starterProgram } from "./starter.ts";

let folder = "";
let starter = "";
const own = starterArchitecture(process.arch === "x64" ? "x86_64" : process.arch);

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "starter-"));
  starter = join(folder, "start");
  await writeFile(starter, starterProgram(own ?? "x64"), { mode: 0o755 });
  for (const part of ["first", "second"]) await mkdir(join(folder, part));
  await writeFile(join(folder, "second", "tool"), '#!/bin/sh\nprintf "%s|" "$0" "$@"\n', { mode: 0o755 });
  await writeFile(join(folder, "second", "bare"), 'printf "%s|" bare "$@"\n', { mode: 0o755 });
  await writeFile(join(folder, "first", "closed"), "#!/bin/sh\n", { mode: 0o644 });
  await writeFile(join(folder, "second", "headless"), "#!/no/such/shell\n", { mode: 0o755 });
  await symlink("nowhere", join(folder, "first", "tool"));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (
  argv: string[],
  env: Record<string, string> = { PATH: `/no/such:${folder}/first:${folder}/second:/usr/bin:/bin` },
  cwd = folder,
) => {
  const { status, stdout, stderr } = spawnSync(starter, argv, { env, cwd, encoding: "utf8" });
  return { status, stdout, stderr };
};

describe.runIf(own !== undefined)("the program that containers begin with", () => {
  test("makes both streams one, and passes on arguments, environment and exit code", () => {
    const script = 'for i in 1 2 3; do echo "out $i"; echo "error $i" >&2; done; echo "$0 $1 $OWN"; exit 7';
    expect(run(["sh", "-c", script, "a b", ""], { PATH: "/usr/bin:/bin", OWN: "mine" })).toEqual({
      status: 7,
      stdout: "out 1\nerror 1\nout 2\nerror 2\nout 3\nerror 3\na b  mine\n",
      stderr: "",
    });
  });

  test.each([
    ["by its name in a later folder of PATH", ["tool", "x", "y z"], (at: string) => `${at}/second/tool|x|y z|`],
    ["by its path", ["second/tool", "x"], () => "second/tool|x|"],
    ["for the shell when it says nothing else", ["bare", "x", "y"], () => "bare|x|y|"],
    ["for the shell by its path", ["./second/bare", "x"], () => "bare|x|"],
  ])("finds a program %s", (_, argv, said) => {
    expect(run(argv)).toEqual({ status: 0, stdout: said(folder), stderr: "" });
  });

  test("treats an empty entry of PATH as the current folder, and skips one that is too long", () => {
    const long = `/${"x".repeat(9_000)}`;
    expect(run(["tool"], { PATH: `${long}::/no/such` }, join(folder, "second"))).toMatchObject({ status: 0 });
    expect(run(["tool"], { PATH: `${long}:${folder}/second` })).toMatchObject({ status: 0 });
    expect(run([`/${"x".repeat(9_000)}`])).toMatchObject({ status: 126 });
    expect(run(["x".repeat(100_000)])).toMatchObject({ status: 127 });
  });

  test.each([
    ["no-such-program", 127, ": not found\n"],
    ["/no/such", 127, ": not found\n"],
    ["tool/below", 127, ": not found\n"],
    ["headless", 127, ": not found\n"],
    ["", 126, ": can't be executed\n"],
    ["closed", 126, ": can't be executed\n"],
    ["/", 126, ": can't be executed\n"],
  ])("says that %j can't be run as a shell does", (name, status, words) => {
    expect(run([name])).toEqual({ status, stdout: `${name}${words}`, stderr: "" });
  });

  test("reports a missing program without a PATH as well, and does nothing without a command", () => {
    expect(run(["sh"], { OTHER: "PATH=/bin", PATHS: "/bin", P: "" })).toEqual({ status: 127, stdout: "sh: not found\n", stderr: "" });
    expect(run([], {})).toEqual({ status: 0, stdout: "", stderr: "" });
  });

  test("does not run a file that its owner has made inaccessible", async () => {
    await chmod(join(folder, "second", "tool"), 0o644);
    expect(run(["tool"])).toMatchObject({ status: 126 });
    await chmod(join(folder, "second", "tool"), 0o755);
  });
});

test("exists for the architectures that engines run on, and for no others", () => {
  expect(["x86_64", "amd64", "aarch64", "arm64", "riscv64", undefined].map(starterArchitecture)).toEqual([
    ...["x64", "x64", "arm64", "arm64"],
    undefined,
    undefined,
  ]);
  for (const architecture of ["x64", "arm64"] as const) expect(starterProgram(architecture).length).toBeLessThan(1_000);
});
