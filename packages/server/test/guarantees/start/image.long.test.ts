import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { promisify } from "node:util";
import type { Container, ContainerCreateOptions } from "dockerode";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { repositoryRoot } from "../../../src/base/file/repository-root.ts";
import { buildPostgresImage } from "../../fakes/postgres-image.ts";
import { type ComposeStack, composeUp, healthy } from "../../kit/container/compose-stack.ts";
import type { ContainerEngine } from "../../kit/container/container-engine.ts";
import { buildServiceImage, type ServiceImage } from "../../kit/container/service-image.ts";
import { isRequiredTier } from "../../kit/suite/test-tier.ts";

/** The image and the Compose files under deploy/docker as they are shipped, in a real Docker engine (kit/container/service-image.ts). */
const run = promisify(execFile);
const folder = mkdtempSync("/tmp/millrace-image-");
const docker = join(repositoryRoot, "deploy/docker");
const files = ["Dockerfile", "compose.yaml", "compose.workers.yaml", "seccomp.json", "write-env"];
const compose = parse(readFileSync(join(docker, "compose.yaml"), "utf8")) as { services: Record<string, { image: string }> };
const isolating = "bubblewrap-no-proc";

let service: ServiceImage | undefined;
let engine: ContainerEngine;
let why: string | undefined;
let env: Record<string, string>;

beforeAll(async () => {
  const built = await buildServiceImage();
  if ("why" in built) {
    why = built.why;
    if (isRequiredTier("container")) throw new Error(why);
    return console.info(`skipped: ${why}`);
  }
  service = built;
  engine = built.engine;
  await buildPostgresImage(built.build, compose.services["database"]!.image);
  for (const file of files) cpSync(join(docker, file), join(folder, file));
  execFileSync(join(folder, "write-env"));
  const lines = readFileSync(join(folder, ".env"), "utf8").trim().split("\n");
  env = Object.fromEntries(lines.map((line) => line.split("=") as [string, string]));
}, 900_000);

afterAll(async () => {
  await service?.close();
  rmSync(folder, { recursive: true, force: true });
}, 60_000);

/** A test with the engine; skipped with the reason where there is none. */
function inEngine(name: string, body: () => Promise<void>): void {
  test(name, { timeout: 300_000 }, async ({ skip }) => (why === undefined ? body() : skip(why)));
}

/** The output of a command in its own container, under the options that compose.yaml gives the service, and its exit code. */
async function once(
  command: string[],
  securityOpt: string[],
  more: ContainerCreateOptions = {},
): Promise<{ output: string; code: number }> {
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk) => (text += chunk));
  const HostConfig = {
    ReadonlyRootfs: true,
    Tmpfs: { "/tmp": "" },
    CapDrop: ["ALL"],
    SecurityOpt: ["no-new-privileges:true", ...securityOpt],
  };
  const options = { Tty: false, ...more, HostConfig: { ...HostConfig, ...more.HostConfig } };
  const [result, container] = await engine.docker.run(service!.name, command, [output, output], options);
  await container.remove({ v: true });
  return { output: text, code: result.StatusCode };
}

const profile = () => `seccomp=${readFileSync(join(docker, "seccomp.json"), "utf8")}`;

/** Runs curl in the network of the engine, where the published port is reachable. */
async function curl(token: string, path: string, ...args: string[]) {
  const headers = ["--header", `Authorization: Bearer ${token}`, "--header", "Content-Type: application/json"];
  const command = ["curl", "--silent", "--show-error", "--fail-with-body", ...headers, ...args, `http://127.0.0.1:8080${path}`];
  const { stdout } = await run("nsenter", [`--net=/run/netns/${engine.networkName}`, ...command]);
  return JSON.parse(stdout);
}

async function inside(container: Container, ...command: string[]): Promise<{ output: string; code: number | null }> {
  const exec = await container.exec({ Cmd: command, AttachStdout: true, AttachStderr: true });
  const output = new PassThrough();
  let text = "";
  output.on("data", (chunk) => (text += chunk));
  const stream = await exec.start({});
  engine.docker.modem.demuxStream(stream, output, output);
  await new Promise((resolve) => stream.on("end", resolve));
  return { output: text.trim(), code: (await exec.inspect()).ExitCode };
}

/** Runs the sample to its end. @returns how each attempt of a script was isolated */
async function runSample(token: string): Promise<string[]> {
  const team = "/api/v2/team/getting-started";
  const { id } = await curl(token, `${team}/workflow/hello-chain/submit?start=true`, "--data", "{}");
  const ended = await curl(token, `${team}/workflowrun/${id}?wait=60s`);
  expect(ended.status).toBe("succeeded");
  const attempts = ended.tasks.flatMap((task: { attempts?: { isolation: string }[] }) => task.attempts ?? []);
  return attempts.map(({ isolation }: { isolation: string }) => isolation);
}

async function stop(container: Container): Promise<{ code: number; ms: number }> {
  const startedAt = performance.now();
  await container.stop();
  const { State } = await container.inspect();
  return { code: State.ExitCode, ms: performance.now() - startedAt };
}

inEngine("the image has a user without rights, labels, no package manager, and no program that gives rights", async () => {
  const { Config } = await engine.docker.getImage(service!.name).inspect();
  expect(Config).toMatchObject({
    User: "10001:10001",
    Volumes: { "/data": {} },
    Labels: { "org.opencontainers.image.version": service!.version },
  });
  const look = "id -u; for name in npm npx yarn corepack gcc make bwrap tini; do command -v $name; done";
  const { output } = await once(["-c", look], [], { Entrypoint: ["sh"] });
  expect(output.trim().split(/\s+/)).toEqual(["10001", "/usr/bin/bwrap", "/usr/bin/tini"]);
});

inEngine("doctor finds an isolating level with the profile that is shipped, on a read-only root without capabilities", async () => {
  const { output, code } = await once(["doctor", "--json"], [profile()]);
  const checks = JSON.parse(output) as { name: string; status: string; message: string }[];
  expect(checks.filter(({ status }) => status === "problem")).toEqual([]);
  expect(checks.find(({ name }) => name === "process")?.message).toMatch(new RegExp(`^${isolating} `));
  expect(code).toBe(0);
});

inEngine("with unmasked system paths, too, steps have a /proc of their own", async () => {
  // The options that `docker run --security-opt systempaths=unconfined` sends to the engine.
  const { output } = await once(["doctor"], [profile()], { HostConfig: { MaskedPaths: [], ReadonlyPaths: [] } });
  expect(output).toMatch(/^ok +process +bubblewrap \(/m);
});

inEngine("without the profile doctor says what to pass", async () => {
  const { output, code } = await once(["doctor"], []);
  expect(output).toMatch(/^problem +process .*--security-opt seccomp=/m);
  expect(code).toBe(1);
});

inEngine("Compose starts it with PostgreSQL: a script over HTTP succeeds in a sandbox, and a stop ends it with 0 in time", async () => {
  const stack: ComposeStack = await composeUp(engine, [join(folder, "compose.yaml")], env);
  onTestFinished(() => stack.down());
  const container = stack.container("millrace-1");
  await healthy(container, "the service");
  const { output: token } = await inside(container, "cat", "/data/admin-token");
  expect(await curl(token, "/health")).toMatchObject({ status: "up" });
  expect(new Set(await runSample(token))).toEqual(new Set([isolating]));

  const { output: rights } = await inside(container, "grep", "-E", "^(Uid|CapEff|CapBnd|NoNewPrivs):", "/proc/1/status");
  expect(rights.replaceAll(/\s+/g, " ")).toBe(
    "Uid: 10001 10001 10001 10001 CapEff: 0000000000000000 CapBnd: 0000000000000000 NoNewPrivs: 1",
  );
  for (const path of ["/new", "/opt/millrace/new", "/usr/bin/new"])
    expect(await inside(container, "touch", path)).toMatchObject({ code: 1, output: expect.stringContaining("Read-only file system") });
  const { output: others } = await inside(
    container,
    "sh",
    "-c",
    "ls -A / | grep -x workspaces; find /data -maxdepth 1 -perm /022 ! -type l",
  );
  expect(others).toBe("workspaces");

  const { code, ms } = await stop(container);
  expect(code).toBe(0);
  expect(ms).toBeLessThan(40_000);
});

inEngine("with the second file two workers run the tasks, and the service none", async () => {
  const both = ["compose.yaml", "compose.workers.yaml"].map((name) => join(folder, name));
  const stack = await composeUp(engine, both, env, { worker: 2 });
  onTestFinished(() => stack.down());
  const workers = [stack.container("worker-1"), stack.container("worker-2")];
  for (const worker of workers) await healthy(worker, "a worker");
  const { output: token } = await inside(stack.container("millrace-1"), "cat", "/data/admin-token");
  expect(new Set(await runSample(token))).toEqual(new Set([isolating]));
  for (const worker of workers) expect((await stop(worker)).code).toBe(0);
});

test("compose.yaml has no password, and refuses to start without them", async () => {
  const text = readFileSync(join(docker, "compose.yaml"), "utf8");
  expect(text.match(/\$\{(?:POSTGRES_PASSWORD|MILLRACE_ENCRYPTION_KEY):\?/g)).toHaveLength(3);
});
