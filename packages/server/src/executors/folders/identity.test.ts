import { describe, expect, it } from "vitest";
import type { JobWorkspace } from "../../engine/executor.ts";
import { covers, createIdentityPool } from "./identity.ts";

const range = { base: 1_000, teams: 100, disposable: 3 };
const workspaces = [{}] as JobWorkspace[];

describe("user ids of steps", () => {
  it("are one for each attempt, and come back", () => {
    const pool = createIdentityPool(range, 2);
    const taken = [0, 1, 2].map(() => pool.take({ teamId: "a", workspaces: [] }));
    expect(new Set(taken.map(({ uid }) => uid))).toEqual(new Set([1_100, 1_101, 1_102]));
    expect(taken.every((identity) => pool.isDisposable(identity) && identity.gid === identity.uid)).toBe(true);
    expect(() => pool.take({ teamId: "a", workspaces: [] })).toThrow("all 3 user ids");
    pool.release({ uid: 1_101, gid: 1_101 });
    expect(pool.take({ teamId: "b", workspaces: [] }).uid).toBe(1_101);
  });

  it("are unique to each team if files are shared", () => {
    const pool = createIdentityPool(range, 0);
    const first = pool.take({ teamId: "a", workspaces });
    expect(pool.take({ teamId: "a", workspaces })).toEqual(first);
    expect(pool.isDisposable(first)).toBe(false);
    const others = Array.from({ length: 50 }, (_, index) => pool.take({ teamId: `team-${index}`, workspaces }).uid);
    expect(new Set([first.uid, ...others]).size).toBe(51);
    expect(others.every((uid) => uid >= 1_000 && uid < 1_100)).toBe(true);
  });

  it.each([
    ["all ids", "0 0 4294967295", true],
    ["the range of a container", "0 100000 65536", false],
    ["several lines, blanks before them", "         0          0       1000\n      1000 100000 1000000\n", true],
    ["one id", "0 1000 1", false],
  ])("are taken only from what the user namespace has: %s", (_, map, expected) => {
    expect(covers(map, 1_500, 200_000)).toBe(expected);
  });
});
