import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinal } from "@millrace/contract/status.ts";
import { expect, onTestFinished, test } from "vitest";
import type { Executor } from "../../../src/engine/executor.ts";
import { openSmallDisk } from "../../fakes/small-disk.ts";
import { emptyDatabase, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { type StartedService, startService } from "../../kit/start/start-service.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

/** A worker whose machine has a fault, beside one without: no task fails because of the fault, and the faulty worker claims none. */
const { sql, address } = await testDatabase();
const kit = engineKit(sql);
const fault = { status: "lost", reason: "MachineFault", message: "the disk of the worker is full" } as const;

async function startNode(executor: Executor) {
  const made = engineNode(address, { executor, slots: 4 });
  onTestFinished(() => made.stop());
  await made.start();
  return made;
}

const submitted = async (count: number, script = "true") => {
  const team = await kit.team();
  await kit.workflow(team, "one", workflow(node("work", "script", ["start"], { params: [{ name: "script", value: script }] })));
  const runs = await Promise.all(Array.from({ length: count }, async () => (await kit.submit(team, "one", { start: true })).id));
  const statuses = () => Promise.all(runs.map(async (id) => (await kit.run(team, id)).status));
  const over = async () => {
    await until(async () => (await statuses()).every((status) => isFinal(status)), "the runs are over");
    return [...new Set(await statuses())];
  };
  const attempts = () => sql<{ status: string; reason: string; attempt: number }[]>`
    select a.status, a.reason, a.attempt from task_run_attempt a join task_run t on t.team_id = a.team_id and t.id = a.task_run_id
    where t.team_id = ${team} order by a.status`;
  return { team, runs, over, attempts };
};

test("attempts lost by an executor are repeated elsewhere, and its worker claims nothing while it is off", async () => {
  let isWell = true;
  let played = 0;
  const faulty = testExecutor(
    async () => {
      played++;
      isWell = false;
      return fault;
    },
    { isAvailable: () => isWell },
  );
  const first = await startNode(faulty);
  const { over, attempts } = await submitted(30);
  await first.worker.tick();
  await until(() => !isWell, "the first attempts are lost");
  await startNode(testExecutor(async () => ({})));
  expect(await over()).toEqual(["succeeded"]);
  const lost = (await attempts()).filter(({ status }) => status === "lost");
  expect(new Set(lost.map(({ reason }) => reason))).toEqual(new Set(["MachineFault"]));
  expect(lost.length).toBe(played);
  expect(played).toBeLessThanOrEqual(4);
});

test("an attempt that can't be prepared for lack of open files is lost, and the executors are notified", async () => {
  const blamed: unknown[] = [];
  const executor: Executor = {
    ...testExecutor(async () => ({})),
    blame: (error) => void blamed.push(error),
    // Asked while the job is prepared.
    place() {
      if (blamed.length > 0) return "/nowhere";
      throw Object.assign(new Error("too many open files"), { code: "EMFILE", syscall: "open" });
    },
  };
  const { over, attempts } = await submitted(1, "cat $(context.programs.path)");
  await startNode(executor);
  expect(await over()).toEqual(["succeeded"]);
  expect((await attempts()).map(({ status, reason }) => [status, reason])).toContainEqual(["lost", "MachineFault"]);
  expect(blamed).toMatchObject([{ code: "EMFILE" }]);
});

async function start(url: string, folder: string): Promise<StartedService> {
  const service = await startService(folder, {
    DATABASE_URL: url,
    MILLRACE_ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64"),
    MILLRACE_ADMIN_TOKEN: "an-administrators-token-of-enough-length",
    MILLRACE_ALLOW_UNSANDBOXED: "true",
    MILLRACE_ALLOW_HOST_NETWORK: "true",
    MILLRACE_WORKER_SLOTS: "4",
  });
  onTestFinished(async () => void (await service.stop()));
  return service;
}

interface Health {
  status: string;
  executors: { available: boolean; detail: string }[];
}

interface Run {
  id: string;
  status: string;
  tasks: { name: string; status: string; waitingFor?: string; attempts?: { status: string; reason?: string }[] }[];
}

test("30 runs succeed beside a process whose disk is full, which says so and claims nothing until it has room", {
  timeout: 120_000,
}, async ({ skip }) => {
  const disk = await openSmallDisk(400 << 20, 20_000);
  if ("why" in disk) return skip(disk.why);
  const { url } = await emptyDatabase();
  const sound = mkdtempSync(join(tmpdir(), "millrace-sound-"));
  onTestFinished(() => rmSync(sound, { recursive: true, force: true }));
  const narrow = join(disk.folder, "data");
  mkdirSync(narrow);
  const full = await start(url, narrow);
  const team = "/team/getting-started";
  await full.api("POST", `${team}/workflow`, {
    name: "small",
    tasks: [{ name: "work", taskRef: "execute-shell", params: [{ name: "script", value: "echo fine" }] }],
  });
  await disk.fill();
  const runs = await Promise.all(Array.from({ length: 30 }, () => full.api<Run>("POST", `${team}/workflow/small/submit`, {})));
  const health = () => full.health<Health>();
  await until(async () => (await health()).status === "degraded", "the full one says so");
  const says = async () => (await health()).executors[0]?.detail ?? "";
  await until(async () => /the disk of \S+ is full: 0 MiB free, needs 20 MiB/.test(await says()), "it says what is missing");
  const tasks = async () =>
    (await Promise.all(runs.map(({ id }) => full.api<Run>("GET", `${team}/workflowrun/${id}`)))).flatMap((run) => run.tasks);
  const reasons = async () => (await tasks()).filter(({ status }) => status === "ready").map(({ waitingFor = "" }) => waitingFor);
  const saysDiskIsFull = (texts: readonly string[]) =>
    texts.length > 0 && texts.every((text) => text.includes("the disk of the worker is full"));
  await until(async () => saysDiskIsFull(await reasons()), "what waits says why");

  const other = await start(url, sound);
  const ended = async () => Promise.all(runs.map(({ id }) => other.api<Run>("GET", `${team}/workflowrun/${id}`)));
  await until(async () => (await ended()).every(({ status }) => isFinal(status as "succeeded")), "the runs are over");
  const all = await ended();
  expect(all.filter(({ status }) => status !== "succeeded")).toEqual([]);
  const attempts = all.flatMap(({ tasks }) => tasks.flatMap((task) => task.attempts ?? []));
  expect(attempts.filter(({ status }) => status !== "succeeded" && status !== "lost")).toEqual([]);
  // It had four slots, plus tasks that were claimed at the same moment.
  expect(attempts.filter(({ status }) => status === "lost").length).toBeLessThanOrEqual(8);

  await disk.clear();
  await until(async () => (await health()).status === "up", "it has room again");
});

test("a process starts on a full disk without its executor and its folder of workspaces, which come when there is room", {
  timeout: 120_000,
}, async ({ skip }) => {
  const disk = await openSmallDisk(256 << 20, 20_000);
  if ("why" in disk) return skip(disk.why);
  const folder = join(disk.folder, "data");
  mkdirSync(folder);
  await disk.fill();
  const { url } = await emptyDatabase();
  const service = await start(url, folder);
  const process = async () => (await service.health<Health>()).executors[0];
  expect(await process()).toMatchObject({ available: false, detail: expect.stringContaining("the disk of the worker is full") });
  await disk.clear();
  await until(async () => (await process())?.available, "it is opened");
  // Its workspace folder was not writable at the start, either.
  const team = "/team/getting-started";
  const workspaces = [{ name: "shared", workspaceRef: "workflowrun" }];
  const params = [{ name: "script", value: "echo kept >> /workspace/workflowrun/file" }];
  const tasks = ["first", "second"].map((name, index) => {
    return { name, taskRef: "execute-shell", params, workspaces, dependencies: index === 0 ? [] : [{ taskRef: "first" }] };
  });
  await service.api("POST", `${team}/workflow`, { name: "sharing", tasks, workspaces: [{ name: "workflowrun", type: "workflowrun" }] });
  const { id } = await service.api<Run>("POST", `${team}/workflow/sharing/submit`, {});
  const status = async () => (await service.api<Run>("GET", `${team}/workflowrun/${id}`)).status;
  await until(async () => isFinal((await status()) as "succeeded"), "tasks that share a workspace run");
  expect(await status()).toBe("succeeded");
});
