import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openControlGroups, ownGroupName } from "./control-groups.ts";

/** Both layouts on a tree of plain files: which file gets which value. The conformance suite tests that limits are enforced. */
let tree: string;
beforeEach(async () => {
  tree = await mkdtemp(join(tmpdir(), "millrace-groups-"));
});
beforeEach(() => void makeWith(v2Files)(join(tree, "top")));
afterEach(() => rm(tree, { recursive: true }));

/** The files that the kernel creates in a new group. */
const v2Files = [
  "cgroup.procs",
  "cgroup.controllers",
  "cgroup.subtree_control",
  "memory.max",
  "memory.swap.max",
  "memory.oom.group",
  "memory.events",
  "pids.max",
  "pids.current",
  "cpu.weight",
];
const v1Files = [
  "cgroup.procs",
  "tasks",
  "memory.limit_in_bytes",
  "memory.memsw.limit_in_bytes",
  "memory.oom_control",
  "pids.max",
  "pids.current",
  "cpu.shares",
];
const makeWith = (files: readonly string[]) => (folder: string) => {
  if (existsSync(folder)) return false;
  mkdirSync(folder);
  for (const file of files) writeFileSync(join(folder, file), file === "cgroup.subtree_control" ? "memory pids cpu" : "");
  return true;
};

const limits = { memoryBytes: 1_000_000, processes: 20 };
const read = (path: string): Promise<string> => readFile(join(tree, path), "utf8");

describe("limits by control groups", () => {
  it("are set in the files of v2", async () => {
    const groups = await openControlGroups({ unified: join(tree, "top") }, "own", makeWith(v2Files));
    expect(groups).toMatchObject({ kind: "cgroup v2", limitsMemory: true, limitsProcesses: true });
    const group = groups?.take(limits, "team");
    expect(group?.joinFiles).toEqual([join(tree, "top/own/attempt-0/cgroup.procs")]);
    expect(await read("top/own/attempt-0/memory.max")).toBe("1000000");
    expect(await read("top/own/attempt-0/memory.swap.max")).toBe("0");
    expect(await read("top/own/attempt-0/memory.oom.group")).toBe("1");
    expect(await read("top/own/attempt-0/pids.max")).toBe("23");
  });

  it("are set in the files of v1, a tree for each controller", async () => {
    await Promise.all([mkdir(join(tree, "m")), mkdir(join(tree, "p"))]);
    const groups = await openControlGroups({ memory: join(tree, "m"), pids: join(tree, "p") }, "own", makeWith(v1Files));
    expect(groups?.kind).toBe("cgroup v1");
    groups?.take(limits, "team");
    expect(await read("m/own/attempt-0/memory.limit_in_bytes")).toBe("1000000");
    expect(await read("m/own/attempt-0/memory.memsw.limit_in_bytes")).toBe("1000000");
    expect(await read("p/own/attempt-0/pids.max")).toBe("23");
  });

  it("share the processors between teams, independent of their numbers of attempts", async () => {
    const groups = await openControlGroups({ unified: join(tree, "top") }, "own", makeWith(v2Files));
    expect(groups?.sharesProcessors).toBe(true);
    const weights = async (...numbers: number[]) =>
      Promise.all(numbers.map(async (number) => Number.parseInt(await read(`top/own/attempt-${number}/cpu.weight`), 10)));
    const first = groups?.take(limits, "one");
    groups?.take(limits, "one");
    groups?.take(limits, "other");
    expect(await weights(0, 1, 2)).toEqual([5000, 5000, 10_000]);
    await first?.release();
    await expect.poll(() => weights(1, 2)).toEqual([10_000, 10_000]);
  });

  it("are not set again for attempts that follow each other, unless something has changed", async () => {
    const groups = await openControlGroups({ unified: join(tree, "top") }, "own", makeWith(v2Files));
    const files = ["memory.max", "pids.max", "cpu.weight"].map((name) => `top/own/attempt-1/${name}`);
    const take = async (more: object = {}) => {
      const group = groups?.take({ ...limits, ...more }, "team");
      const values = await Promise.all(files.map(read));
      // What the kernel says of a group without processes. The next one would write over the marks.
      await writeFile(join(tree, "top/own/attempt-1/pids.current"), "0\n");
      await Promise.all(files.map((file) => writeFile(join(tree, file), "unchanged")));
      await group?.release();
      return values.map((value) => value.trim());
    };
    groups?.take(limits, "team");
    expect(await take()).toEqual(["1000000", "23", "5000"]);
    expect(await take()).toEqual(["unchanged", "unchanged", "unchanged"]);
    expect((await take({ processes: 30 }))[1]).toBe("33changed");
    await rm(join(tree, "top/own/attempt-1"), { recursive: true });
    expect(await take({ processes: 30 })).toEqual(["1000000", "33", "5000"]);
  });

  it("are joined before the attempt is known, which then sets its limits and the share of its team", async () => {
    const groups = await openControlGroups({ unified: join(tree, "top") }, "own", makeWith(v2Files));
    const files = ["attempt-0/cpu.weight", "attempt-1/memory.max", "attempt-1/pids.max", "attempt-1/cpu.weight"];
    const values = async () => (await Promise.all(files.map((file) => read(`top/own/${file}`)))).map((text) => text.trim());
    groups?.take(limits, "team");
    const ahead = groups?.takeAhead();
    expect([ahead?.joinFiles, await values()]).toEqual([[join(tree, "top/own/attempt-1/cgroup.procs")], ["10000", "", "", ""]]);
    ahead?.assign(limits, "team");
    expect(await values()).toEqual(["5000", "1000000", "23", "5000"]);
    const dropped = groups?.takeAhead();
    await writeFile(join(tree, "top/own/attempt-2/pids.current"), "0\n");
    await dropped?.release();
    expect(groups?.take(limits, "other").joinFiles).toEqual(dropped?.joinFiles);
  });

  it("move a single thread in v1, which does not wait for the other processors", async () => {
    const groups = await openControlGroups({ pids: tree }, "own", makeWith(v1Files));
    expect(groups?.take(limits, "team").joinFiles).toEqual([join(tree, "own/attempt-0/tasks")]);
  });

  it("keep their limit of processes in v1 when two kills of one group overlap", async () => {
    const groups = await openControlGroups({ pids: tree }, "own", makeWith(v1Files));
    const group = groups?.take({ ...limits, processes: 2 }, "team");
    const procs = join(tree, "own/attempt-0/cgroup.procs");
    const sleeper = spawn("sleep", ["60"]);
    await writeFile(procs, `${sleeper.pid}\n`);
    const kills = [group?.kill(), group?.kill()];
    await once(sleeper, "exit");
    await writeFile(procs, "");
    await Promise.all(kills);
    expect(await read("own/attempt-0/pids.max")).toBe("5");
  });

  it("share the processors in the tree of v1 as well", async () => {
    await Promise.all([mkdir(join(tree, "p")), mkdir(join(tree, "c"))]);
    const groups = await openControlGroups({ pids: join(tree, "p"), cpu: join(tree, "c") }, "own", makeWith(v1Files));
    groups?.take(limits, "one");
    groups?.take(limits, "one");
    expect(Number.parseInt(await read("c/own/attempt-0/cpu.shares"), 10)).toBe(51_200);
    expect((await openControlGroups({ pids: join(tree, "p") }, "alone", makeWith(v1Files)))?.sharesProcessors).toBe(false);
  });

  it("are reported as far as they are there", async () => {
    const groups = await openControlGroups({ pids: tree }, "own", makeWith(v1Files));
    expect(groups).toMatchObject({ limitsMemory: false, limitsProcesses: true });
    expect(await openControlGroups({ memory: join(tree, "not/there"), unified: join(tree, "nor/here") }, "own")).toBeUndefined();
  });

  it("count what ran out of memory since the group was taken", async () => {
    const groups = await openControlGroups({ unified: join(tree, "top") }, "own", makeWith(v2Files));
    const first = groups?.take(limits, "team");
    await writeFile(join(tree, "top/own/attempt-0/memory.events"), "low 0\nmax 3\noom 1\noom_kill 2\n");
    await writeFile(join(tree, "top/own/attempt-0/pids.current"), "0\n");
    expect(first?.countOutOfMemory()).toBe(2);
    await first?.release();
    expect(groups?.take({ ...limits, memoryBytes: 2_000_000 }, "team").countOutOfMemory()).toBe(0);
    expect(await read("top/own/attempt-0/memory.max")).toBe("2000000");
  });

  it("are not reused while files of the attempt before take up their memory", async () => {
    const groups = await openControlGroups({ unified: join(tree, "top") }, "own", makeWith(v2Files));
    const take = async (shmem: number) => {
      const group = groups?.take(limits, "team");
      const [path = ""] = group?.joinFiles ?? [];
      await writeFile(join(path, "../pids.current"), "0\n");
      await writeFile(join(path, "../memory.stat"), `anon 5\nfile 500000000\nshmem ${shmem}\n`);
      await group?.release();
      return path;
    };
    const first = await take(0);
    expect(await take(500_000_000)).toBe(first);
    expect(await take(0)).not.toBe(first);
  });

  it("are not taken from a folder that only looks like a group", async () => {
    await writeFile(join(tree, "cgroup.subtree_control"), "memory pids");
    expect(await openControlGroups({ unified: join(tree, "none") }, "own")).toBeUndefined();
    expect(existsSync(join(tree, "own"))).toBe(false);
  });

  it("carry the process they belong to in their name", async () => {
    expect(await ownGroupName("x")).toMatch(new RegExp(`^millrace-${process.pid}-\\d+-x$`));
  });
});
