import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { appendFile, mkdir, readdir, rm, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isFinal } from "@millrace/contract/status.ts";
import { afterAll, expect, onTestFinished, test } from "vitest";
import { ArchiveStore, type ObjectStore } from "../../../src/archives/archive-store.ts";
import { FolderStore } from "../../../src/archives/folder-store.ts";
import { createLog } from "../../../src/base/process/log.ts";
import type { Executor } from "../../../src/engine/executor.ts";
import { archivedWorkspaces, openFolderPlace } from "../../../src/engine/folder-workspaces.ts";
import { NotifyBridge } from "../../../src/store/database/notify.ts";
import { prunePlaces } from "../../../src/store/run/queue/engine-upkeep.ts";
import { releaseArchived } from "../../../src/store/worker/workspace-archives.ts";
import { moveTime, testDatabase } from "../../kit/database.ts";
import { engineKit } from "../../kit/engine-kit.ts";
import { type EngineNode, engineNode } from "../../kit/run/engine-node.ts";
import { node, workflow } from "../../kit/run-simulator.ts";
import { until } from "../../kit/until.ts";
import { testExecutor } from "../../kit/worker/test-executor.ts";

/** Several workers on one database, each with its own folders, and a store that all of them share. */
const { sql, address } = await testDatabase();
const kit = engineKit(sql);
// The nodes are notified of what the kit does, like those of one service. Without this, each step of a run would wait for their next poll,
// every 5 s.
const bridge = await NotifyBridge.open(kit.bus, address, createLog("silent"));
afterAll(() => bridge.close());

const tempFolder = () => {
  const folder = mkdtempSync(join(tmpdir(), "kept-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
};

/** A folder that can be unavailable. */
class FlakyStore implements ObjectStore {
  readonly name: string;
  readonly folder = tempFolder();
  readonly #store = new FolderStore(this.folder);
  isAway = false;
  /** Accepts requests for archives, and never responds. */
  isSilent = false;
  /** Saving a workspace of this team never finishes. */
  stuckTeam: string | undefined;
  puts = 0;
  gets = 0;

  constructor() {
    this.name = this.#store.name;
  }

  async put(...args: Parameters<ObjectStore["put"]>): Promise<void> {
    this.puts++;
    if (this.isAway) throw new Error("the store is away");
    if (this.stuckTeam !== undefined && args[0].startsWith(this.stuckTeam)) return new Promise(() => undefined);
    return this.#store.put(...args);
  }

  async get(...args: Parameters<ObjectStore["get"]>) {
    this.gets++;
    if (this.isAway) throw new Error("the store is away");
    const [, signal] = args;
    if (this.isSilent) return new Promise<never>((_, reject) => signal?.addEventListener("abort", () => reject(signal.reason)));
    return this.#store.get(...args);
  }

  remove(key: string) {
    return this.#store.remove(key);
  }

  list(prefix: string) {
    return this.#store.list(prefix);
  }
}

/**
 * `stretch WORD` creates a sparse file of 64 MiB, `add WORD` writes into each workspace of the task, `expect WORDS` fails unless exactly
 * these words are in each of them.
 */
const folderExecutor = (): Executor =>
  testExecutor(async (job, script) => {
    const [verb, ...words] = script.split(" ");
    for (const { source } of job.workspaces) {
      await mkdir(source, { recursive: true });
      if (verb === "stretch")
        await writeFile(join(source, words.join("-")), "").then(() => truncate(join(source, words.join("-")), 2 ** 26));
      if (verb === "add") await appendFile(join(source, words.join("-")), "+");
      const found = (await readdir(source)).sort().join(" ");
      if (verb === "expect" && found !== words.join(" ")) return { status: "failed", reason: "ExitCode", message: `found "${found}"` };
    }
    return {};
  });

interface Member extends EngineNode {
  folder: string;
}

async function startNode(store: FlakyStore | undefined, folder = tempFolder(), restoreMs?: number): Promise<Member> {
  const place = await openFolderPlace(folder);
  const made = engineNode(address, {
    executor: folderExecutor(),
    workspacesDir: folder,
    place,
    slots: 4,
    ...(store && { store: new ArchiveStore(store) }),
    ...(restoreMs && { restoreMs }),
  });
  await made.start();
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await made.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  return { ...made, folder, stop };
}

/** The machine is lost, together with its folder. */
async function lose(member: Member): Promise<void> {
  await member.stop();
  await rm(member.folder, { recursive: true });
}

const script = (name: string, text: string, after: string[]) => node(name, "script", after, { params: [{ name: "script", value: text }] });
const wait = (name: string, topic: string, after: string[]) =>
  node(name, "eventwait", after, { params: [{ name: "topic", value: topic }] });
const shared = (...types: ("workflow" | "workflowrun")[]) => ({ workspaces: types.map((type) => ({ name: type, type })) });

const halves = workflow(script("a", "add a", ["start"]), wait("wait", "go", ["a"]), script("b", "expect a", ["wait"]));

const submit = async (team: string, name: string) => {
  const { id } = await kit.submit(team, name, { start: true });
  kit.bus.wake("tasks");
  return id;
};
const over = async (team: string, run: string) => {
  await until(async () => isFinal((await kit.run(team, run)).status), "the run is over", 60_000);
  return (await kit.run(team, run)).status;
};
const task = async (team: string, run: string, name: string) => {
  const found = (await kit.tasks(team, run)).find((one) => one.name === name);
  if (!found) throw new Error(`no task ${name}`);
  return found;
};
const waits = (team: string, run: string, name: string) =>
  until(async () => (await task(team, run, name)).status === "waiting", `${name} waits`, 30_000);
/** Sends the event that the run waits for, and gives the run a slot again, as an engine does. */
const callBack = async (team: string, run: string, topic = "go") => {
  await kit.driver.advance([{ teamId: team, id: run, events: [{ kind: "callback", topic, status: "succeeded", payload: null }] }]);
  await kit.driver.givePlaces();
};
const stateOf = async (owner: string) =>
  (await sql<{ state: string }[]>`select state from workspace_archive where owner_id = ${owner}`)[0]?.state;

/** A run of `halves` up to the point where it waits for its event. */
async function firstHalf(team: string): Promise<string> {
  await kit.workflow(team, "halves", halves, shared("workflowrun"));
  const run = await submit(team, "halves");
  await waits(team, run, "wait");
  return run;
}

test("a run continues with all its files when the machine that had its workspace is gone", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const first = await startNode(store);
  const team = await kit.team();
  const run = await firstHalf(team);
  await lose(first);
  const other = await startNode(store);
  await callBack(team, run);
  await until(async () => (await task(team, run, "b")).status === "ready", "the second half is ready", 30_000);
  // Unless the housekeeping of the other machine has done it already.
  await releaseArchived(sql);
  await other.worker.tick();
  expect(await over(team, run)).toBe("succeeded");
  expect(await task(team, run, "b")).toMatchObject({ attempt: 1 });
});

test("the workspaces of a run and its workflow move from one machine to the next", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const team = await kit.team();
  await kit.workflow(
    team,
    "chain",
    workflow(
      script("a", "add a", ["start"]),
      wait("one", "1", ["a"]),
      script("b", "add b", ["one"]),
      wait("two", "2", ["b"]),
      script("c", "expect a b", ["two"]),
    ),
    shared("workflow", "workflowrun"),
  );
  const first = await startNode(store);
  const run = await submit(team, "chain");
  await waits(team, run, "one");
  await lose(first);
  const second = await startNode(store);
  await releaseArchived(sql);
  await callBack(team, run, "1");
  await waits(team, run, "two");
  await lose(second);
  await releaseArchived(sql);
  await callBack(team, run, "2");
  const third = await startNode(store);
  expect(await over(team, run)).toBe("succeeded");
  const { workflowId } = await kit.run(team, run);
  expect(readFileSync(join(third.folder, team, "workflow", workflowId, "a"), "utf8")).toBe("+");
});

test("a machine that comes back replaces its outdated folder before it uses it", {
  timeout: 120_000,
}, async () => {
  const store = new FlakyStore();
  const team = await kit.team();
  await kit.workflow(
    team,
    "chain",
    workflow(
      script("a", "add a", ["start"]),
      wait("one", "1", ["a"]),
      script("b", "add b", ["one"]),
      wait("two", "2", ["b"]),
      script("c", "expect a b", ["two"]),
    ),
    shared("workflowrun"),
  );
  const first = await startNode(store);
  const run = await submit(team, "chain");
  await waits(team, run, "one");
  await first.stop();
  await writeFile(join(first.folder, team, "workflowrun", run, "leftover"), "");
  const second = await startNode(store);
  await releaseArchived(sql);
  await callBack(team, run, "1");
  await waits(team, run, "two");
  await lose(second);
  await releaseArchived(sql);
  await callBack(team, run, "2");
  await startNode(store, first.folder);
  expect(await over(team, run)).toBe("succeeded");
});

test("a worker that restarts with its folder downloads nothing", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const first = await startNode(store);
  const team = await kit.team();
  const run = await firstHalf(team);
  await first.stop();
  await releaseArchived(sql);
  await callBack(team, run);
  await startNode(store, first.folder);
  expect(await over(team, run)).toBe("succeeded");
  expect(store.gets).toBe(0);
});

test("unchanged workspaces are not saved again, and outdated archives are removed", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  await startNode(store);
  const team = await kit.team();
  await kit.workflow(
    team,
    "reads",
    workflow(
      script("a", "add a", ["start"]),
      script("b", "expect a", ["a"]),
      script("c", "add c", ["b"]),
      script("d", "expect a c", ["c"]),
    ),
    shared("workflowrun"),
  );
  const run = await submit(team, "reads");
  expect(await over(team, run)).toBe("succeeded");
  expect(store.puts).toBe(2);
  expect(readdirSync(join(store.folder, team, "workflowrun", run))).toHaveLength(1);
});

test("a folder that was removed from its machine is restored", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const first = await startNode(store);
  const team = await kit.team();
  const run = await firstHalf(team);
  rmSync(join(first.folder, team, "workflowrun", run), { recursive: true });
  await callBack(team, run);
  expect(await over(team, run)).toBe("succeeded");
});

test("while the store is unavailable a run continues on its machine only, until its workspace is saved", {
  timeout: 120_000,
}, async () => {
  const store = new FlakyStore();
  const first = await startNode(store);
  const team = await kit.team();
  store.isAway = true;
  const run = await firstHalf(team);
  expect(await stateOf(run)).toBe("local");
  expect(await releaseArchived(sql)).toBe(false);
  store.isAway = false;
  await first.archiver?.saveMissing();
  expect(await stateOf(run)).toBe("stored");
  await lose(first);
  await startNode(store);
  await releaseArchived(sql);
  await callBack(team, run);
  expect(await over(team, run)).toBe("succeeded");
});

test("a workspace that is too large is not retried", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const member = await startNode(store);
  const team = await kit.team();
  const stretched = workflow(script("a", "stretch a", ["start"]), wait("wait", "go", ["a"]));
  await kit.workflow(team, "stretched", stretched, { workspaces: [{ name: "workflowrun", type: "workflowrun", spec: { size: "1Mi" } }] });
  const run = await submit(team, "stretched");
  await waits(team, run, "wait");
  expect(await stateOf(run)).toBe("local");
  await member.archiver?.saveMissing();
  expect({ state: await stateOf(run), puts: store.puts }).toEqual({ state: "local", puts: 0 });
});

test("the unsaved workspaces of a team do not wait for those of another one", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  store.isAway = true;
  const member = await startNode(store);
  const runs = new Map<string, string>();
  for (const team of [await kit.team(), await kit.team()]) runs.set(team, await firstHalf(team));
  const [[stuckTeam = ""] = [], [, other = ""] = []] = [...runs];
  Object.assign(store, { isAway: false, stuckTeam });
  void member.archiver?.saveMissing();
  await until(async () => (await stateOf(other)) === "stored", "the other team's workspace is saved", 30_000);
  expect(await stateOf(runs.get(stuckTeam) ?? "")).toBe("local");
});

test("a task does not wait forever for a store that never responds", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const first = await startNode(store);
  const team = await kit.team();
  const run = await firstHalf(team);
  await lose(first);
  store.isSilent = true;
  await startNode(store, tempFolder(), 500);
  await releaseArchived(sql);
  await callBack(team, run);
  expect(await over(team, run)).toBe("failed");
  expect(await task(team, run, "b")).toMatchObject({
    reason: "WorkspaceLost",
    statusMessage: expect.stringMatching(/cannot be restored .* timeout/),
  });
});

test("a task fails with the reason if the archive is missing", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const first = await startNode(store);
  const team = await kit.team();
  const run = await firstHalf(team);
  await lose(first);
  rmSync(join(store.folder, team), { recursive: true });
  const other = await startNode(store);
  await releaseArchived(sql);
  await callBack(team, run);
  expect(await over(team, run)).toBe("failed");
  const { reason, statusMessage } = await task(team, run, "b");
  expect(reason).toBe("WorkspaceLost");
  expect(statusMessage).toMatch(/^Workspace "workflowrun" is lost: .* does not exist$/);
  expect(existsSync(join(other.folder, team, "workflowrun", run))).toBe(false);
});

test("a worker without the store does not claim tasks that need it", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  const first = await startNode(store);
  const team = await kit.team();
  const run = await firstHalf(team);
  await lose(first);
  const without = await startNode(undefined);
  await releaseArchived(sql);
  await callBack(team, run);
  await until(async () => (await task(team, run, "b")).status === "ready", "the second half is ready", 30_000);
  await without.worker.tick();
  expect(await task(team, run, "b")).toMatchObject({ status: "ready", attempt: 0, place: "store" });
  await startNode(store);
  expect(await over(team, run)).toBe("succeeded");
});

test("archives are removed with their run", { timeout: 120_000 }, async () => {
  const store = new FlakyStore();
  await startNode(store);
  const team = await kit.team();
  const run = await firstHalf(team);
  const keeper = archivedWorkspaces(new ArchiveStore(store));
  expect(await keeper.list()).toEqual([{ teamId: team, scope: "workflowrun", ownerId: run }]);
  await callBack(team, run);
  await over(team, run);
  await keeper.remove({ teamId: team, scope: "workflowrun", ownerId: run });
  expect(existsSync(join(store.folder, team))).toBe(false);
  await moveTime(sql, 2 * 60_000);
  await prunePlaces(sql);
  expect(await stateOf(run)).toBeUndefined();
});
