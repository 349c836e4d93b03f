import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { makeJob } from "../exercise/scenario.ts";
import { type Attempt, writeFixed } from "../folders/attempt-folder.ts";
import { AttemptSlots } from "./attempt-slots.ts";

const isRoot = process.getuid?.() === 0;
let parent: string;
let nowMs: number;
let slots: AttemptSlots;
const problems: unknown[] = [];

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), "millrace-slots-"));
  nowMs = 0;
  slots = new AttemptSlots({
    parent,
    identities: undefined,
    level: { hasOwnFiles: true, hasOwnNetwork: true, filtersCalls: true },
    onProblem: (error) => problems.push(error),
    clock: () => nowMs,
  });
});
afterEach(() => rmSync(parent, { recursive: true }));

/** Takes a folder that is old enough for changes to be detected. */
async function takeAged(): Promise<Attempt> {
  await slots.release(slots.take(makeJob("true")));
  await slots.settle();
  nowMs += 1_000;
  return slots.take(makeJob("true"));
}

async function giveBack(attempt: Attempt): Promise<Attempt> {
  await slots.release(attempt);
  await slots.settle();
  nowMs += 1_000;
  return slots.take(makeJob("true"));
}

/**
 * Inodes of the folders that steps write to, with the birth time: a folder that was created again may get the same number, but not the same
 * time.
 */
function startTimes(attempt: Attempt): Record<string, number> {
  const folders = ["work", "results", "home", "tmp"];
  return Object.fromEntries(folders.map((name) => [name, statSync(join(attempt.writable, name)).birthtimeMs]));
}

describe("folders of attempts", () => {
  it("can be taken before their attempt is known", async () => {
    await slots.release(await takeAged());
    await slots.settle();
    const ahead = slots.takeAhead();
    const job = makeJob("true");
    expect(slots.take(makeJob("true")).folder).not.toBe(ahead.folder);
    slots.assign(ahead, job);
    expect(() => slots.take(job)).toThrow("this attempt is already running here");
    await slots.release(ahead);
    nowMs += 1_000;
    expect(slots.take(job).folder).toBe(ahead.folder);
  });

  it("are reused if nothing changed in them, without the files that the service wrote", async () => {
    const first = await takeAged();
    await writeFixed(first, "params", "secret", "value");
    const before = startTimes(first);
    const second = await giveBack(first);
    expect(second.folder).toBe(first.folder);
    expect(startTimes(second)).toEqual(before);
    expect(readdirSync(join(second.fixed, "params"))).toEqual([]);
  });

  it.each<[string, (work: string) => void]>([
    ["a file was left", (work) => writeFileSync(join(work, "file"), "x")],
    [
      "a file came and went",
      (work) => {
        writeFileSync(join(work, "file"), "x");
        unlinkSync(join(work, "file"));
      },
    ],
    [
      "its mode was changed and changed back",
      (work) => {
        chmodSync(work, 0o777);
        chmodSync(work, 0o700);
      },
    ],
    [
      "it was replaced by another folder",
      (work) => {
        rmSync(work, { recursive: true });
        mkdirSync(work, 0o700);
      },
    ],
    [
      "it was replaced by a link",
      (work) => {
        rmSync(work, { recursive: true });
        symlinkSync("/etc", work);
      },
    ],
    ["it was moved away", (work) => renameSync(work, `${work}-moved`)],
  ])("are made again when %s", async (_, change) => {
    const first = await takeAged();
    const before = startTimes(first);
    change(join(first.writable, "work"));
    const second = await giveBack(first);
    expect(startTimes(second)["work"]).not.toBe(before["work"]);
    expect(readdirSync(second.writable).sort()).toEqual(["home", "results", "tmp", "work"]);
    expect(readdirSync(join(second.writable, "work"))).toEqual([]);
    expect(statSync(join(second.writable, "work")).mode & 0o777).toBe(0o700);
    expect(existsSync("/etc/passwd")).toBe(true);
    expect(problems).toEqual([]);
  });

  it("that are too new to detect a change are not reused", async () => {
    const first = slots.take(makeJob("true"));
    const before = startTimes(first);
    const second = await giveBack(first);
    expect(startTimes(second)["work"]).not.toBe(before["work"]);
  });

  it("are apart for attempts that run at the same time, and refused for the same attempt", async () => {
    const job = makeJob("true");
    const first = slots.take(job);
    expect(() => slots.take(job)).toThrow("this attempt is already running here");
    expect(slots.take(makeJob("true")).folder).not.toBe(first.folder);
    await slots.release(first);
    expect(() => slots.take(job)).not.toThrow();
  });
});

describe("what attempts leave outside of their folders", () => {
  it("is cleaned before the folder is removed, and not while another attempt of the same user runs", async () => {
    const cleaned: [string, boolean][] = [];
    const identity = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
    const shared = new AttemptSlots({
      parent,
      identities: { take: () => identity, release: () => undefined, isDisposable: () => false },
      level: { hasOwnFiles: false, hasOwnNetwork: false, filtersCalls: false },
      cleanUp: async ({ folder, name }) => void cleaned.push([name, existsSync(folder)]),
      onProblem: (error) => problems.push(error),
    });
    const [first, second] = [shared.take(makeJob("true")), shared.take(makeJob("true"))];
    await shared.release(first);
    await shared.settle();
    expect(cleaned).toEqual([]);
    await shared.release(second);
    await shared.settle();
    expect(cleaned).toEqual([[second.name, true]]);
    expect([first, second].some(({ folder }) => existsSync(folder))).toBe(false);
  });

  it("that can't be cleaned is reported, and the folder goes all the same", async () => {
    const failing = new AttemptSlots({
      parent,
      identities: undefined,
      level: { hasOwnFiles: false, hasOwnNetwork: false, filtersCalls: false },
      cleanUp: () => Promise.reject(new Error("no way")),
      onProblem: (error) => problems.push(error),
    });
    const attempt = failing.take(makeJob("true"));
    await failing.release(attempt);
    await failing.settle();
    expect(problems.pop()).toEqual(new Error("no way"));
    expect(existsSync(attempt.folder)).toBe(false);
  });
});

it("a folder that a step could have handed on as an open one is not used again", async () => {
  const workspaces = [
    { name: "w", scope: "workflow", ownerId: "w", source: "/w", mountPath: "/w", readOnly: false, sizeLimitBytes: 1 },
  ] as const;
  for (const more of [{ workspaces: [...workspaces] }, { network: "host" as const }]) {
    const attempt = slots.take(makeJob("true", more));
    await slots.release(attempt);
    await slots.settle();
    nowMs += 1_000;
    expect(existsSync(attempt.folder)).toBe(false);
    expect((await takeAged()).folder).not.toBe(attempt.folder);
  }
});

it("an attempt waits while leftovers of its user are ended, and never of a user with a running attempt", async () => {
  const identity = { uid: 1_499_999_012, gid: 1_499_999_012 };
  const done: string[] = [];
  let finish = (): void => undefined;
  const ending = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const shared = new AttemptSlots({
    parent,
    identities: isRoot ? { take: () => identity, release: () => undefined, isDisposable: () => false } : undefined,
    level: { hasOwnFiles: false, hasOwnNetwork: false, filtersCalls: false },
    cleanUp: async (_attempt, user) => void (await user.alone(() => ending.then(() => done.push("ended")))),
    onProblem: (error) => problems.push(error),
  });
  await shared.release(shared.take(makeJob("true")));
  const next = shared.take(makeJob("true"));
  const waiting = shared.waitForUser(next).then(() => done.push("begins"));
  finish();
  await waiting;
  expect(done).toEqual(["ended", "begins"]);
  const other = shared.take(makeJob("true"));
  await shared.release(other);
  await shared.settle();
  expect(done).toEqual(["ended", "begins"]);
  await shared.release(next);
  await shared.settle();
  expect(done).toEqual(["ended", "begins", "ended"]);
});

it("no folder is used again where all steps share the network of the machine", async () => {
  const shared = new AttemptSlots({
    parent,
    identities: undefined,
    level: { hasOwnFiles: true, hasOwnNetwork: false, filtersCalls: true },
    onProblem: (error) => problems.push(error),
  });
  const attempt = shared.take(makeJob("true"));
  await shared.release(attempt);
  await shared.settle();
  expect(existsSync(attempt.folder)).toBe(false);
});
