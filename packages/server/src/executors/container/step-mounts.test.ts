import { expect, test } from "vitest";
import { makeJob } from "../exercise/scenario.ts";
import { attemptPlace } from "../folders/attempt-folder.ts";
import { stepMounts } from "./step-mounts.ts";

const attempt = attemptPlace("/scratch/attempts", "a-1", undefined);
const workspace = {
  name: "w",
  scope: "workflow" as const,
  ownerId: "o",
  source: "/workspaces/w",
  mountPath: "/workspace/w/",
  readOnly: false,
  sizeLimitBytes: 1,
};
const mounts = stepMounts(makeJob("true", { workspaces: [workspace] }), attempt, {});
const isBelow = (path: string, folder: string): boolean => path.startsWith(`${folder}/`);

test("no source of a mount lies in a folder that a step can write to, so none can be exchanged for a link", () => {
  const writable = mounts.filter(({ isReadOnly }) => !isReadOnly);
  expect(writable.length).toBeGreaterThan(4);
  for (const { source } of mounts) expect(writable.filter((other) => isBelow(source, other.source))).toEqual([]);
});

test("a step writes to the folders of its task and to its workspaces, and to nothing above them", () => {
  const targets = mounts.filter(({ isReadOnly }) => !isReadOnly).map(({ target }) => target);
  expect(targets.sort()).toEqual(
    [
      ...["/data", "/task/home", "/task/results", "/task/tmp", "/task/work"],
      ...["/tekton/home", "/tekton/results", "/tekton/termination", "/tmp", "/var/tmp", "/workspace/w"],
    ].sort(),
  );
  expect(mounts.find(({ target }) => target === "/task")).toMatchObject({ source: attempt.writable, isReadOnly: true });
});

test("every target is there before what is mounted in it", () => {
  const order = mounts.map(({ target }) => target);
  for (const [index, target] of order.entries()) for (const other of order.slice(index)) expect(isBelow(target, other)).toBe(false);
});
