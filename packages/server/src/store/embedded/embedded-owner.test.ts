import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { startNeglected } from "../../../test/fakes/zombie.ts";
import { findLiveOwner, freeOwnership, recordOwner, takeOwnLock } from "./embedded-owner.ts";

function makeFile(): string {
  const folder = mkdtempSync(join(tmpdir(), "owner-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return join(folder, "owner");
}

function startTicks(pid: number): string {
  const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19] as string;
}

test("a recorded process is the owner while it lives, and this one's record goes when it is freed", () => {
  const file = makeFile();
  recordOwner(file);
  expect(findLiveOwner(file)).toBe(process.pid);
  freeOwnership(file);
  expect(findLiveOwner(file)).toBeUndefined();
});

test.runIf(process.platform === "linux")("a killed process that its parent has not taken note of yet owns nothing", async () => {
  const neglected = await startNeglected();
  onTestFinished(() => neglected.close());
  const file = makeFile();
  writeFileSync(file, `${neglected.pid} ${startTicks(neglected.pid)}\n`);
  expect(findLiveOwner(file)).toBe(neglected.pid);
  expect(takeOwnLock(file)).toBe(false);
  await neglected.kill();
  expect(findLiveOwner(file)).toBeUndefined();
  expect(takeOwnLock(file)).toBe(true);
});

test.runIf(process.platform === "linux")("a record with this process's own id that an earlier process wrote owns nothing", () => {
  const file = makeFile();
  writeFileSync(file, `${process.pid} ${startTicks(process.pid)}\n`);
  expect(findLiveOwner(file)).toBeUndefined();
  expect(takeOwnLock(file)).toBe(true);
  expect(findLiveOwner(file), "it is this one's now").toBe(process.pid);
});

test.runIf(process.platform === "linux")(
  "a record of another boot owns nothing, and one without a boot, of an earlier release, does",
  async () => {
    const other = await startNeglected();
    onTestFinished(() => other.close());
    const file = makeFile();
    writeFileSync(file, `${other.pid} ${startTicks(other.pid)} 00000000-0000-0000-0000-000000000000\n`);
    expect(findLiveOwner(file)).toBeUndefined();
    writeFileSync(file, `${other.pid} ${startTicks(other.pid)}\n`);
    expect(findLiveOwner(file)).toBe(other.pid);
  },
);
